/// The part that .map and .patch files have in common.
#include "files/terrain.h"

#include "replan/grid.h"

/// What a grid may add to a row: its rim, and cells that keep rows apart in the cache.
#define ROW_SURPLUS 17u

bool rp_terrain_side(rp_text_span_t span, uint32_t *side)
{
    return rp_text_span_number(span, RP_GRID_SIDE_MAX, side) && *side != 0;
}

bool rp_terrain_fits(uint32_t width, uint32_t height)
{
    return ((uint64_t)width + ROW_SURPLUS) * ((uint64_t)height + 2u) <= RP_GRID_CELLS_MAX;
}

rp_status_t rp_terrain_check(const rp_reader_t *reader, uint32_t width, uint32_t height,
                             rp_complaint_t *complaint)
{
    if (!rp_terrain_fits(width, height)) {
        return rp_reader_complain(reader, complaint,
                                  "%u x %u and a rim are more than the %u cells of a grid", width,
                                  height, RP_GRID_CELLS_MAX);
    }
    return RP_OK;
}

static rp_status_t read_side(rp_reader_t *reader, uint32_t *width, uint32_t *height,
                             rp_complaint_t *complaint)
{
    if (!rp_reader_next(reader)) {
        return rp_reader_complain(reader, complaint, "the file ends before height and width");
    }
    rp_text_span_t rest = reader->row;
    rp_text_span_t word = {0};
    rp_text_span_t value = {0};
    rp_text_span_t surplus;
    rp_text_span_word(&rest, &word);
    const bool is_height = rp_text_span_is(word, "height");
    if (!is_height && !rp_text_span_is(word, "width")) {
        return rp_reader_complain(reader, complaint, "\"%s\" stands where height or width belongs",
                                  rp_text_span_quote(reader->row).text);
    }
    uint32_t *side = is_height ? height : width;
    if (*side != 0) {
        return rp_reader_complain(reader, complaint, "a second %s", is_height ? "height" : "width");
    }
    if (!rp_text_span_word(&rest, &value) || !rp_terrain_side(value, side) ||
        rp_text_span_word(&rest, &surplus)) {
        return rp_reader_complain(reader, complaint, "\"%s\" is not a %s of 1..%u",
                                  rp_text_span_quote(reader->row).text,
                                  is_height ? "height" : "width", RP_GRID_SIDE_MAX);
    }
    return RP_OK;
}

rp_status_t rp_terrain_head(rp_reader_t *reader, uint32_t *width, uint32_t *height,
                            rp_complaint_t *complaint)
{
    *width = 0;
    *height = 0;
    for (unsigned i = 0; i < 2; i++) {
        const rp_status_t status = read_side(reader, width, height, complaint);
        if (status != RP_OK) {
            return status;
        }
    }
    const rp_status_t status = rp_terrain_check(reader, *width, *height, complaint);
    if (status != RP_OK) {
        return status;
    }
    rp_text_span_t word = {0};
    rp_text_span_t rest = {0};
    if (rp_reader_next(reader)) {
        rest = reader->row;
        rp_text_span_word(&rest, &word);
    }
    if (!rp_text_span_is(word, "map")) {
        return rp_reader_complain(reader, complaint, "the line \"map\" is missing");
    }
    const uint64_t needed = (uint64_t)*width * *height;
    if (rp_reader_left(reader) < needed) {
        return rp_reader_complain(reader, complaint,
                                  "the file is cut short: %zu bytes are left for %u rows of %u",
                                  rp_reader_left(reader), *height, *width);
    }
    return RP_OK;
}

rp_status_t rp_terrain_rows(rp_reader_t *reader, uint32_t width, uint32_t height, uint8_t *factors,
                            rp_complaint_t *complaint)
{
    for (uint32_t y = 0; y < height; y++) {
        if (!rp_reader_next(reader)) {
            return rp_reader_complain(
                reader, complaint, "the file is cut short: it ends after %u of %u rows", y, height);
        }
        if (reader->row.length != width) {
            return rp_reader_complain(reader, complaint, "row %u has %zu letters, the width is %u",
                                      y, reader->row.length, width);
        }
        for (uint32_t x = 0; x < width; x++) {
            const char letter = reader->row.start[x];
            if (letter <= ' ' || letter > '~') {
                return rp_reader_complain(reader, complaint,
                                          "byte 0x%02x in column %u is not a letter of terrain",
                                          (unsigned)(unsigned char)letter, x);
            }
            *factors++ = letter == '.' || letter == 'G' || letter == 'S';
        }
    }
    return RP_OK;
}
