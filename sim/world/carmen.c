/// Reader of CARMEN logs; zlib takes away gzip, if there is any.
#include "sim/world/carmen.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/array.h"

#define BLOCK_BYTES    (1u << 16)
#define LOG_BYTES_MAX  ((size_t)1 << 28)
#define PI             3.14159265358979323846
#define POSE_FIELDS    3u
#define HEADING_MAX    1e3 ///< radians; more turns than a scanner counts
#define RANGE_MAX_READ 1e4

/// What grows while a log is read.
typedef struct growing {
    rp_carmen_t log;
    size_t scan_capacity;
    size_t range_capacity;
} growing_t;

double rp_carmen_direction(const rp_laser_scan_t *scan, uint32_t beam)
{
    const double share = scan->beam_count > 1 ? (double)beam / (scan->beam_count - 1u) : 0.5;
    return scan->heading + PI * (share - 0.5);
}

/// The next word as a number from `least` to `most`.
static rp_status_t read_decimal(const rp_reader_t *reader, rp_text_span_t *rest, const char *field,
                                double least, double most, double *value, rp_complaint_t *complaint)
{
    rp_text_span_t word;
    double half_unit;
    if (!rp_text_span_word(rest, &word)) {
        return rp_reader_complain(reader, complaint, "the scan ends before its %s", field);
    }
    if (!rp_text_span_decimal(word, value, &half_unit) || *value < least || *value > most) {
        return rp_reader_complain(reader, complaint, "%s \"%s\" is outside %g..%g", field,
                                  rp_text_span_quote(word).text, least, most);
    }
    return RP_OK;
}

static rp_status_t read_ranges(const rp_reader_t *reader, rp_text_span_t *rest, growing_t *self,
                               uint32_t count, rp_complaint_t *complaint)
{
    rp_carmen_t *log = &self->log;
    if (!rp_array_reserve(&log->ranges, &self->range_capacity, log->range_count + count,
                          sizeof *log->ranges)) {
        return rp_complain_memory(complaint, reader->text->name);
    }
    for (uint32_t i = 0; i < count; i++) {
        double range = 0;
        const rp_status_t status =
            read_decimal(reader, rest, "range", 0, RANGE_MAX_READ, &range, complaint);
        if (status != RP_OK) {
            return status;
        }
        log->ranges[log->range_count++] = (float)range;
    }
    return RP_OK;
}

static rp_status_t read_pose(const rp_reader_t *reader, rp_text_span_t *rest, rp_laser_scan_t *scan,
                             rp_complaint_t *complaint)
{
    static const char *const names[POSE_FIELDS] = {"x", "y", "heading"};
    double *const places[POSE_FIELDS] = {&scan->x, &scan->y, &scan->heading};
    rp_status_t status = RP_OK;
    for (unsigned i = 0; i < POSE_FIELDS && status == RP_OK; i++) {
        const double most = i < 2 ? RP_CARMEN_PLACE_MAX_M : HEADING_MAX;
        status = read_decimal(reader, rest, names[i], -most, most, places[i], complaint);
    }
    return status;
}

/// @param rest  the line after its first word
static rp_status_t read_scan(const rp_reader_t *reader, rp_text_span_t rest, growing_t *self,
                             rp_complaint_t *complaint)
{
    rp_text_span_t word = {rest.start, 0};
    rp_laser_scan_t scan = {.first = self->log.range_count};
    rp_text_span_word(&rest, &word);
    if (!rp_text_span_number(word, RP_CARMEN_BEAMS_MAX, &scan.beam_count) || scan.beam_count == 0) {
        return rp_reader_complain(reader, complaint, "a scan of \"%s\" ranges is outside 1..%u",
                                  rp_text_span_quote(word).text, RP_CARMEN_BEAMS_MAX);
    }
    rp_status_t status = read_ranges(reader, &rest, self, scan.beam_count, complaint);
    status = status == RP_OK ? read_pose(reader, &rest, &scan, complaint) : status;
    if (status != RP_OK) {
        return status;
    }
    if (!rp_array_reserve(&self->log.scans, &self->scan_capacity, self->log.count + 1u,
                          sizeof *self->log.scans)) {
        return rp_complain_memory(complaint, reader->text->name);
    }
    self->log.scans[self->log.count++] = scan;
    return RP_OK;
}

rp_status_t rp_carmen_parse(const rp_text_t *text, rp_carmen_t *log, rp_complaint_t *complaint)
{
    rp_reader_t reader = rp_reader_of(text);
    growing_t self = {0};
    rp_status_t status = RP_OK;
    while (status == RP_OK && rp_reader_next(&reader)) {
        rp_text_span_t rest = reader.row;
        rp_text_span_t word;
        if (rp_text_span_word(&rest, &word) && rp_text_span_is(word, "FLASER")) {
            status = read_scan(&reader, rest, &self, complaint);
        }
    }
    if (status == RP_OK && self.log.count == 0) {
        status = rp_complain(complaint, text->name, 0, "no line begins with FLASER");
    }
    if (status != RP_OK) {
        rp_carmen_fini(&self.log);
        return status;
    }
    *log = self.log;
    return RP_OK;
}

// ---- from the disk

static rp_status_t complain_of_file(rp_complaint_t *complaint, const char *path, gzFile file)
{
    int number = Z_OK;
    const char *sentence = gzerror(file, &number);
    return rp_complain(complaint, path, 0, "cannot be read: %s",
                       number == Z_ERRNO ? strerror(errno) : sentence);
}

static rp_status_t read_all(gzFile file, const char *path, char **bytes, size_t *size,
                            rp_complaint_t *complaint)
{
    size_t capacity = 0;
    for (;;) {
        if (*size > LOG_BYTES_MAX) {
            return rp_complain(complaint, path, 0, "longer than %zu bytes", LOG_BYTES_MAX);
        }
        if (!rp_array_reserve(bytes, &capacity, *size + BLOCK_BYTES, 1)) {
            return rp_complain_memory(complaint, path);
        }
        const int got = gzread(file, *bytes + *size, BLOCK_BYTES);
        if (got < 0) {
            return complain_of_file(complaint, path, file);
        }
        if (got == 0) {
            return RP_OK;
        }
        *size += (size_t)got;
    }
}

rp_status_t rp_carmen_load(const char *path, rp_carmen_t *log, rp_complaint_t *complaint)
{
    gzFile file = gzopen(path, "rb");
    if (file == NULL) {
        return rp_complain(complaint, path, 0, "cannot be opened: %s", strerror(errno));
    }
    char *bytes = NULL;
    size_t size = 0;
    rp_status_t status = read_all(file, path, &bytes, &size, complaint);
    if (gzclose(file) != Z_OK && status == RP_OK) {
        status = rp_complain(complaint, path, 0, "cannot be read: the gzip file is cut short");
    }
    if (status == RP_OK) {
        const rp_text_t text = {.name = path, .bytes = bytes, .size = size};
        status = rp_carmen_parse(&text, log, complaint);
    }
    free(bytes);
    return status;
}

void rp_carmen_fini(rp_carmen_t *self)
{
    free(self->scans);
    free(self->ranges);
    *self = (rp_carmen_t){0};
}
