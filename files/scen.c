/// Reader of .scen files, version 1.
#include "files/scen.h"

#include <stdlib.h>

#include "files/terrain.h"
#include "replan/grid.h"

/// A query takes at least this many bytes: nine fields of one character, eight separators.
#define LINE_LEAST 17u

bool rp_scen_query_has_no_path(const rp_scen_query_t *self)
{
    const bool is_same_cell = self->start_x == self->goal_x && self->start_y == self->goal_y;
    return self->length < 0 || (self->length == 0 && !is_same_cell);
}

static rp_status_t check_version(rp_reader_t *reader, rp_complaint_t *complaint)
{
    rp_text_span_t word = {0};
    rp_text_span_t version = {0};
    if (rp_reader_next(reader)) {
        rp_text_span_t rest = reader->row;
        rp_text_span_word(&rest, &word);
        rp_text_span_word(&rest, &version);
    }
    if (!rp_text_span_is(word, "version")) {
        return rp_complain(complaint, reader->text->name, 1,
                           "a .scen begins with \"version 1\", this with \"%s\"",
                           rp_text_span_quote(reader->row).text);
    }
    if (rp_text_span_is(version, "2")) {
        return rp_reader_complain(reader, complaint,
                                  "version 2 is a grid that changes: use replan run");
    }
    if (!rp_text_span_is(version, "1") && !rp_text_span_is(version, "1.0")) {
        return rp_reader_complain(reader, complaint, "version \"%s\" is not 1",
                                  rp_text_span_quote(version).text);
    }
    return RP_OK;
}

/// bucket map-name map-width map-height start-x start-y goal-x goal-y optimal-length
static rp_status_t read_query(const rp_reader_t *reader, uint32_t width, uint32_t height,
                              rp_scen_query_t *query, rp_complaint_t *complaint)
{
    rp_text_span_t fields[9];
    rp_text_span_t rest = reader->row;
    size_t count = 0;
    while (count < 9 && rp_text_span_word(&rest, &fields[count])) {
        count++;
    }
    rp_text_span_t surplus;
    if (count != 9 || rp_text_span_word(&rest, &surplus)) {
        return rp_reader_complain(reader, complaint, "a query has 9 fields, this has %s",
                                  count == 9 ? "more" : "less");
    }
    uint32_t bucket = 0;
    if (!rp_text_span_number(fields[0], UINT32_MAX, &bucket)) {
        return rp_reader_complain(reader, complaint, "bucket \"%s\" is not a number",
                                  rp_text_span_quote(fields[0]).text);
    }
    uint32_t map_width = 0;
    uint32_t map_height = 0;
    if (!rp_terrain_side(fields[2], &map_width) || !rp_terrain_side(fields[3], &map_height) ||
        map_width != width || map_height != height) {
        return rp_reader_complain(
            reader, complaint, "the query is for a map of %s x %s, this map is %u x %u",
            rp_text_span_quote(fields[2]).text, rp_text_span_quote(fields[3]).text, width, height);
    }
    uint32_t *const places[4] = {&query->start_x, &query->start_y, &query->goal_x, &query->goal_y};
    for (size_t i = 0; i < 4; i++) {
        if (!rp_text_span_number(fields[4 + i], (i % 2 == 0 ? width : height) - 1u, places[i])) {
            return rp_reader_complain(reader, complaint, "%s %s \"%s\" is outside 0..%u",
                                      i < 2 ? "start" : "goal", i % 2 == 0 ? "x" : "y",
                                      rp_text_span_quote(fields[4 + i]).text,
                                      (i % 2 == 0 ? width : height) - 1u);
        }
    }
    if (!rp_text_span_decimal(fields[8], &query->length, &query->half_unit) ||
        (query->length < 0 && query->length != -1.0)) {
        return rp_reader_complain(reader, complaint, "\"%s\" is not a length, nor -1 for no path",
                                  rp_text_span_quote(fields[8]).text);
    }
    query->line = reader->line;
    return RP_OK;
}

rp_status_t rp_scen_parse(const rp_text_t *text, uint32_t width, uint32_t height, rp_scen_t *scen,
                          rp_complaint_t *complaint)
{
    rp_reader_t reader = rp_reader_of(text);
    rp_status_t status = check_version(&reader, complaint);
    if (status != RP_OK) {
        return status;
    }
    const size_t most = rp_reader_left(&reader) / LINE_LEAST + 1u;
    rp_scen_t self = {.queries = malloc(most * sizeof *self.queries)};
    if (self.queries == NULL) {
        return rp_complain_memory(complaint, text->name);
    }
    while (status == RP_OK && rp_reader_next_filled(&reader)) {
        status = read_query(&reader, width, height, &self.queries[self.count], complaint);
        self.count++;
    }
    if (status != RP_OK) {
        rp_scen_fini(&self);
        return status;
    }
    *scen = self;
    return RP_OK;
}

void rp_scen_fini(rp_scen_t *self)
{
    free(self->queries);
    *self = (rp_scen_t){0};
}
