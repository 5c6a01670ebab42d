/// Reader of rows of letters without any head: `.` is free, `#` and `@` block.
#include <stdlib.h>
#include <string.h>

#include "files/map_formats.h"
#include "files/terrain.h"
#include "replan/grid.h"

static bool is_letter(char letter)
{
    return letter == '.' || letter == '#' || letter == '@';
}

/// By its first row.
static bool is_letters(const rp_text_t *text)
{
    rp_reader_t reader = rp_reader_of(text);
    return rp_reader_next(&reader) && reader.row.length != 0 && is_letter(reader.row.start[0]);
}

/// Rows up to the last one that is not empty.
static size_t count_rows(const rp_text_t *text)
{
    rp_reader_t reader = rp_reader_of(text);
    size_t rows = 0;
    while (rp_reader_next_filled(&reader)) {
        rows = reader.line;
    }
    return rows;
}

static rp_status_t measure(const rp_text_t *text, rp_map_t *map, rp_complaint_t *complaint)
{
    rp_reader_t reader = rp_reader_of(text);
    (void)rp_reader_next(&reader);
    const size_t width = reader.row.length;
    const size_t height = count_rows(text);
    if (width > RP_GRID_SIDE_MAX || height > RP_GRID_SIDE_MAX ||
        !rp_terrain_fits((uint32_t)width, (uint32_t)height)) {
        return rp_reader_complain(&reader, complaint,
                                  "%zu x %zu letters: sides are 1..%u, with a rim %u cells", width,
                                  height, RP_GRID_SIDE_MAX, RP_GRID_CELLS_MAX);
    }
    map->width = (uint32_t)width;
    map->height = (uint32_t)height;
    return RP_OK;
}

static rp_status_t read_row(const rp_reader_t *reader, uint32_t width, uint8_t *bytes,
                            rp_complaint_t *complaint)
{
    if (reader->row.length != width) {
        return rp_reader_complain(reader, complaint, "a row of %zu letters, the first one has %u",
                                  reader->row.length, width);
    }
    for (uint32_t x = 0; x < width; x++) {
        const char letter = reader->row.start[x];
        if (!is_letter(letter)) {
            return rp_reader_complain(reader, complaint,
                                      "byte 0x%02x in column %u is not one of . # @",
                                      (unsigned)(unsigned char)letter, x);
        }
        bytes[x] = letter == '.';
    }
    return RP_OK;
}

static rp_status_t parse(const rp_text_t *text, const rp_text_t *other, rp_map_t *map,
                         rp_complaint_t *complaint)
{
    (void)other;
    rp_map_t self = {.frame = {.resolution_m = 1.0}};
    rp_status_t status = measure(text, &self, complaint);
    if (status != RP_OK) {
        return status;
    }
    self.bytes = malloc((size_t)self.width * self.height);
    if (self.bytes == NULL) {
        return rp_complain_memory(complaint, text->name);
    }
    rp_reader_t reader = rp_reader_of(text);
    for (uint32_t y = 0; status == RP_OK && y < self.height; y++) {
        (void)rp_reader_next(&reader);
        status = read_row(&reader, self.width, self.bytes + (size_t)y * self.width, complaint);
    }
    if (status != RP_OK) {
        rp_map_fini(&self);
        return status;
    }
    *map = self;
    return RP_OK;
}

const rp_map_format_t rp_letters_format = {
    .name = "rows of letters",
    .is_format = is_letters,
    .parse = parse,
};
