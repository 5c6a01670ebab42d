/// Reader of PGM (netpbm): plain `P2` and raw `P5`, remarks, any maximum up to 65535, of which raw
/// ones above 255 take two bytes a pixel, the higher one first.
#include <stdlib.h>

#include "files/image/image.h"
#include "files/terrain.h"
#include "replan/grid.h"

#define VALUE_MAX 65535u

typedef struct pgm_reader {
    const rp_text_t *text;
    const uint8_t *bytes;
    size_t at;
    uint32_t line; ///< of `at`, from 1
    bool is_plain;
    rp_image_t image;
    rp_pixel_t *row; ///< owned [width]
    rp_complaint_t *complaint;
} pgm_reader_t;

#define refuse(self, ...)                                                                          \
    rp_complain((self)->complaint, (self)->text->name, (self)->line, __VA_ARGS__)

static bool is_space(uint8_t byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool is_pgm(const rp_text_t *text)
{
    const char *bytes = text->bytes;
    return text->size >= 3 && bytes[0] == 'P' && (bytes[1] == '2' || bytes[1] == '5') &&
           (is_space((uint8_t)bytes[2]) || bytes[2] == '#');
}

// ---- words

/// Pass over blanks, line ends and remarks, which go on to the end of their line.
static void skip_blanks(pgm_reader_t *self)
{
    bool is_remark = false;
    for (; self->at < self->text->size; self->at++) {
        const uint8_t byte = self->bytes[self->at];
        is_remark = byte == '#' || (is_remark && byte != '\n' && byte != '\r');
        if (!is_remark && !is_space(byte)) {
            break;
        }
        self->line += byte == '\n';
    }
}

/// The next word, as far as a remark.
static rp_text_span_t next_word(pgm_reader_t *self)
{
    skip_blanks(self);
    const size_t start = self->at;
    while (self->at < self->text->size && !is_space(self->bytes[self->at]) &&
           self->bytes[self->at] != '#') {
        self->at++;
    }
    return (rp_text_span_t){self->text->bytes + start, self->at - start};
}

/// @param what  "width" and the like. @return RP_E_INVALID unless a number of 1..limit follows
static rp_status_t take_size(pgm_reader_t *self, const char *what, uint32_t limit, uint32_t *number)
{
    const rp_text_span_t word = next_word(self);
    if (word.length == 0) {
        return refuse(self, "the file is cut short before the %s", what);
    }
    if (!rp_text_span_number(word, limit, number) || *number == 0) {
        return refuse(self, "\"%s\" is not a %s of 1..%u", rp_text_span_quote(word).text, what,
                      limit);
    }
    return RP_OK;
}

// ---- the head

static rp_status_t check_length(pgm_reader_t *self)
{
    const rp_image_t *image = &self->image;
    const uint64_t pixels = (uint64_t)image->width * image->height;
    const size_t left = self->text->size - self->at;
    // A plain pixel is a digit and a blank, the last one a digit.
    const uint64_t needed = self->is_plain ? 2 * pixels - 1 : pixels * (image->most > 255 ? 2 : 1);
    if (left < needed) {
        return refuse(self, "the file is cut short: %zu bytes are left for %u x %u pixels", left,
                      image->width, image->height);
    }
    return RP_OK;
}

static rp_status_t take_head(pgm_reader_t *self)
{
    rp_image_t *image = &self->image;
    self->is_plain = self->bytes[1] == '2';
    self->at = 2;
    rp_status_t status = take_size(self, "width", RP_GRID_SIDE_MAX, &image->width);
    if (status == RP_OK) {
        status = take_size(self, "height", RP_GRID_SIDE_MAX, &image->height);
    }
    if (status == RP_OK) {
        status = take_size(self, "maximum", VALUE_MAX, &image->most);
    }
    if (status != RP_OK) {
        return status;
    }
    if (!rp_terrain_fits(image->width, image->height)) {
        return refuse(self, "%u x %u and a rim are more than the %u cells of a grid", image->width,
                      image->height, RP_GRID_CELLS_MAX);
    }
    if (self->at == self->text->size || !is_space(self->bytes[self->at])) {
        return refuse(self, "the file is cut short, or no blank ends the maximum");
    }
    self->line += self->bytes[self->at] == '\n';
    self->at++; // exactly one: the next byte may be a pixel
    return check_length(self);
}

// ---- pixels

static rp_status_t take_plain(pgm_reader_t *self, uint32_t *value)
{
    const rp_text_span_t word = next_word(self);
    if (word.length == 0) {
        return refuse(self, "the file is cut short: a pixel is missing");
    }
    if (!rp_text_span_number(word, self->image.most, value)) {
        return refuse(self, "\"%s\" is not a pixel of 0..%u", rp_text_span_quote(word).text,
                      self->image.most);
    }
    return RP_OK;
}

static rp_status_t take_raw(pgm_reader_t *self, uint32_t *value)
{
    const uint8_t *bytes = self->bytes + self->at;
    const bool is_wide = self->image.most > 255;
    *value = is_wide ? (uint32_t)bytes[0] << 8 | bytes[1] : bytes[0];
    if (*value > self->image.most) {
        return rp_complain_at(self->complaint, self->text->name, self->at,
                              "a pixel of %u, the maximum is %u", *value, self->image.most);
    }
    self->at += is_wide ? 2 : 1;
    return RP_OK;
}

static rp_status_t take_row(pgm_reader_t *self, const rp_image_sink_t *sink, uint32_t y)
{
    for (uint32_t x = 0; x < self->image.width; x++) {
        uint32_t value = 0;
        const rp_status_t status =
            self->is_plain ? take_plain(self, &value) : take_raw(self, &value);
        if (status != RP_OK) {
            return status;
        }
        const uint16_t light = (uint16_t)value;
        self->row[x] = (rp_pixel_t){light, light, light, (uint16_t)self->image.most};
    }
    sink->take(sink->user, &(rp_pixel_run_t){0, y, 1, self->image.width, self->row});
    return RP_OK;
}

static rp_status_t take_end(pgm_reader_t *self)
{
    skip_blanks(self);
    if (self->at != self->text->size) {
        return rp_complain_at(self->complaint, self->text->name, self->at,
                              "%zu bytes follow the last pixel", self->text->size - self->at);
    }
    return RP_OK;
}

static rp_status_t read_pixels(pgm_reader_t *self, const rp_image_sink_t *sink)
{
    self->row = malloc(self->image.width * sizeof *self->row);
    if (self->row == NULL) {
        return rp_complain_memory(self->complaint, self->text->name);
    }
    rp_status_t status = sink->begin(sink->user, &self->image);
    for (uint32_t y = 0; status == RP_OK && y < self->image.height; y++) {
        status = take_row(self, sink, y);
    }
    return status == RP_OK ? take_end(self) : status;
}

static rp_status_t read_pgm(const rp_text_t *text, const rp_image_sink_t *sink,
                            rp_complaint_t *complaint)
{
    pgm_reader_t self = {
        .text = text, .bytes = (const uint8_t *)text->bytes, .line = 1, .complaint = complaint};
    rp_status_t status = take_head(&self);
    if (status == RP_OK) {
        status = read_pixels(&self, sink);
    }
    free(self.row);
    return status;
}

const rp_image_format_t rp_pgm_format = {
    .name = "PGM",
    .is_format = is_pgm,
    .read = read_pgm,
};
