/// Reader of MovingAI .map files: `type octile`, then rows of terrain (terrain.h).
#include <stdlib.h>

#include "files/map_formats.h"
#include "files/terrain.h"

static rp_status_t check_type(rp_reader_t *reader, rp_complaint_t *complaint)
{
    rp_text_span_t type = {0};
    rp_text_span_t value = {0};
    if (rp_reader_next(reader)) {
        rp_text_span_t rest = reader->row;
        rp_text_span_word(&rest, &type);
        rp_text_span_word(&rest, &value);
    }
    if (!rp_text_span_is(type, "type") || !rp_text_span_is(value, "octile")) {
        return rp_complain(complaint, reader->text->name, 1,
                           "a .map begins with \"type octile\", this with \"%s\"",
                           rp_text_span_quote(reader->row).text);
    }
    return RP_OK;
}

/// By its first word.
static bool is_movingai(const rp_text_t *text)
{
    rp_reader_t reader = rp_reader_of(text);
    rp_text_span_t word = {0};
    if (rp_reader_next(&reader)) {
        rp_text_span_t rest = reader.row;
        rp_text_span_word(&rest, &word);
    }
    return rp_text_span_is(word, "type");
}

static rp_status_t parse(const rp_text_t *text, const rp_text_t *other, rp_map_t *map,
                         rp_complaint_t *complaint)
{
    (void)other;
    rp_reader_t reader = rp_reader_of(text);
    rp_map_t self = {.frame = {.resolution_m = 1.0}};
    rp_status_t status = check_type(&reader, complaint);
    if (status == RP_OK) {
        status = rp_terrain_head(&reader, &self.width, &self.height, complaint);
    }
    if (status != RP_OK) {
        return status;
    }
    self.bytes = malloc((size_t)self.width * self.height);
    if (self.bytes == NULL) {
        return rp_complain_memory(complaint, text->name);
    }
    status = rp_terrain_rows(&reader, self.width, self.height, self.bytes, complaint);
    if (status == RP_OK && rp_reader_next_filled(&reader)) {
        status = rp_reader_complain(&reader, complaint,
                                    "more rows than the height of %u: \"%s\" follows", self.height,
                                    rp_text_span_quote(reader.row).text);
    }
    if (status != RP_OK) {
        rp_map_fini(&self);
        return status;
    }
    *map = self;
    return RP_OK;
}

const rp_map_format_t rp_movingai_format = {
    .name = "MovingAI .map",
    .is_format = is_movingai,
    .parse = parse,
};
