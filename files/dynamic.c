/// The dynamic format of the Grid-based Path Planning Competition: a .scen of version 2 with
/// commands, and a .patch file with pieces of terrain.
///
///     version 2 | height H | width W | cost 1 octile | patch FILE | commands
///     P bucket patch-id x y
///     Q bucket start-x start-y goal-x goal-y optimal-length
///
/// The world begins with every cell free. P lines that follow each other are one change.
#include <stdlib.h>

#include "files/formats.h"
#include "files/terrain.h"
#include "replan/grid.h"

/// The least that a patch takes: "patch 0", "height 1", "width 1", "map", one row.
#define PATCH_LEAST 31u

/// What one `P` or `Q` takes at least: "Q 0 0 0 0 0 0".
#define PLAN_LEAST 13u

// ---- the .patch file

/// A line of a word and a number: "patches 336".
static rp_status_t read_count(rp_reader_t *reader, const char *word, uint32_t limit,
                              uint32_t *number, rp_complaint_t *complaint)
{
    rp_text_span_t first = {0};
    rp_text_span_t rest = {0};
    if (rp_reader_next(reader)) {
        rest = reader->row;
        rp_text_span_word(&rest, &first);
    } else {
        return rp_reader_complain(reader, complaint, "the file is cut short: \"%s\" is missing",
                                  word);
    }
    if (!rp_text_span_is(first, word) || !rp_text_span_numbers(rest, limit, number, 1)) {
        return rp_reader_complain(reader, complaint, "\"%s\" is not \"%s\" with a number up to %u",
                                  rp_text_span_quote(reader->row).text, word, limit);
    }
    return RP_OK;
}

static rp_status_t read_patch(rp_reader_t *reader, uint32_t id, rp_sequence_t *self,
                              size_t *factor_count, rp_complaint_t *complaint)
{
    uint32_t number = 0;
    rp_status_t status = read_count(reader, "patch", UINT32_MAX, &number, complaint);
    if (status == RP_OK && number != id) {
        status = rp_reader_complain(reader, complaint, "patch %u stands where patch %u belongs",
                                    number, id);
    }
    rp_patch_t *patch = &self->patches[id];
    patch->first = *factor_count;
    if (status == RP_OK) {
        status = rp_terrain_head(reader, &patch->width, &patch->height, complaint);
    }
    if (status == RP_OK) {
        status = rp_terrain_rows(reader, patch->width, patch->height,
                                 self->patch_factors + patch->first, complaint);
    }
    *factor_count += (size_t)patch->width * patch->height;
    return status;
}

static rp_status_t read_patches(const rp_text_t *text, rp_sequence_t *self,
                                rp_complaint_t *complaint)
{
    rp_reader_t reader = rp_reader_of(text);
    rp_reader_next(&reader);
    if (!rp_text_span_is(reader.row, "type patch")) {
        return rp_complain(complaint, text->name, 1,
                           "a .patch begins with \"type patch\", this with \"%s\"",
                           rp_text_span_quote(reader.row).text);
    }
    uint32_t count = 0;
    rp_status_t status = read_count(&reader, "patches", UINT32_MAX, &count, complaint);
    if (status != RP_OK) {
        return status;
    }
    if ((uint64_t)count * PATCH_LEAST > rp_reader_left(&reader) + 1u) {
        return rp_reader_complain(&reader, complaint,
                                  "the file is cut short: %zu bytes are left for %u patches",
                                  rp_reader_left(&reader), count);
    }
    // Each factor stands in the file as one letter, so the text is room enough for all of them.
    self->patches = calloc((size_t)count + 1u, sizeof *self->patches);
    self->patch_factors = malloc(text->size);
    if (self->patches == NULL || self->patch_factors == NULL) {
        return rp_complain_memory(complaint, text->name);
    }
    self->patch_count = count;
    size_t factor_count = 0;
    for (uint32_t id = 0; id < count && status == RP_OK; id++) {
        status = read_patch(&reader, id, self, &factor_count, complaint);
    }
    if (status == RP_OK && rp_reader_next_filled(&reader)) {
        status = rp_reader_complain(&reader, complaint, "\"%s\" follows the last of %u patches",
                                    rp_text_span_quote(reader.row).text, count);
    }
    return status;
}

// ---- the .scen file

/// Lines up to "commands".
static rp_status_t read_head(rp_reader_t *reader, rp_sequence_t *self, bool *has_patches,
                             rp_complaint_t *complaint)
{
    while (rp_reader_next_filled(reader)) {
        rp_text_span_t rest = reader->row;
        rp_text_span_t word;
        rp_text_span_t value = {0};
        rp_text_span_word(&rest, &word);
        rp_text_span_word(&rest, &value);
        bool is_fine = true;
        if (rp_text_span_is(word, "commands")) {
            break;
        }
        if (rp_text_span_is(word, "height")) {
            is_fine = rp_terrain_side(value, &self->height);
        } else if (rp_text_span_is(word, "width")) {
            is_fine = rp_terrain_side(value, &self->width);
        } else if (rp_text_span_is(word, "cost")) {
            rp_text_span_t metric = {0};
            rp_text_span_word(&rest, &metric);
            is_fine = rp_text_span_is(value, "1") && rp_text_span_is(metric, "octile");
        } else if (rp_text_span_is(word, "patch")) {
            *has_patches = value.length != 0;
            is_fine = *has_patches;
        } else {
            is_fine = rp_text_span_is(word, "version") && rp_text_span_is(value, "2");
        }
        if (!is_fine) {
            return rp_reader_complain(reader, complaint,
                                      "\"%s\" is none of height and width of 1..%u, "
                                      "cost 1 octile, patch FILE, commands",
                                      rp_text_span_quote(reader->row).text, RP_GRID_SIDE_MAX);
        }
    }
    if (self->width == 0 || self->height == 0) {
        return rp_reader_complain(reader, complaint, "%s is missing before the commands",
                                  self->width == 0 ? "width" : "height");
    }
    return rp_terrain_check(reader, self->width, self->height, complaint);
}

/// P bucket patch-id x y
static rp_status_t read_change(const rp_reader_t *reader, rp_text_span_t rest, rp_sequence_t *self,
                               rp_complaint_t *complaint)
{
    uint32_t numbers[4];
    if (!rp_text_span_numbers(rest, UINT32_MAX, numbers, 4)) {
        return rp_reader_complain(reader, complaint, "P needs 4 numbers: bucket, patch, x, y");
    }
    const uint32_t id = numbers[1];
    if (id >= self->patch_count) {
        return rp_reader_complain(reader, complaint, "patch %u is not one of the %zu patches", id,
                                  self->patch_count);
    }
    const rp_patch_t *patch = &self->patches[id];
    if ((uint64_t)numbers[2] + patch->width > self->width ||
        (uint64_t)numbers[3] + patch->height > self->height) {
        return rp_reader_complain(
            reader, complaint, "patch %u of %u x %u at (%u, %u) is outside the world of %u x %u",
            id, patch->width, patch->height, numbers[2], numbers[3], self->width, self->height);
    }
    const bool is_continued =
        self->step_count != 0 && self->steps[self->step_count - 1].kind == RP_STEP_PATCH;
    return rp_sequence_add(self, (rp_step_t){
                                     .kind = RP_STEP_PATCH,
                                     .is_continued = is_continued,
                                     .x = (uint16_t)numbers[2],
                                     .y = (uint16_t)numbers[3],
                                     .index = id,
                                 });
}

/// Q bucket start-x start-y goal-x goal-y optimal-length
static rp_status_t read_query(const rp_reader_t *reader, rp_text_span_t rest, rp_sequence_t *self,
                              rp_complaint_t *complaint)
{
    uint32_t numbers[5];
    rp_text_span_t word;
    for (size_t i = 0; i < 5; i++) {
        if (!rp_text_span_word(&rest, &word) ||
            !rp_text_span_number(word, UINT32_MAX, &numbers[i])) {
            return rp_reader_complain(reader, complaint,
                                      "Q needs 6 numbers: bucket, start x, y, goal x, y, length");
        }
    }
    double length = 0;
    double half_unit = 0;
    rp_text_span_t surplus;
    if (!rp_text_span_word(&rest, &word) || !rp_text_span_decimal(word, &length, &half_unit) ||
        (length < 0 && length != -1.0) || rp_text_span_word(&rest, &surplus)) {
        return rp_reader_complain(reader, complaint, "Q ends with a length, or -1 for no path");
    }
    if (numbers[1] >= self->width || numbers[3] >= self->width || numbers[2] >= self->height ||
        numbers[4] >= self->height) {
        return rp_reader_complain(
            reader, complaint, "(%u, %u) to (%u, %u) is outside the world of %u x %u", numbers[1],
            numbers[2], numbers[3], numbers[4], self->width, self->height);
    }
    self->expected[self->plan_count] = length;
    const rp_step_t steps[3] = {
        {.kind = RP_STEP_START, .x = (uint16_t)numbers[1], .y = (uint16_t)numbers[2]},
        {.kind = RP_STEP_GOAL, .x = (uint16_t)numbers[3], .y = (uint16_t)numbers[4]},
        {.kind = RP_STEP_PLAN, .index = self->plan_count},
    };
    rp_status_t status = RP_OK;
    for (size_t i = 0; i < 3 && status == RP_OK; i++) {
        status = rp_sequence_add(self, steps[i]);
    }
    return status;
}

static rp_status_t read_commands(rp_reader_t *reader, rp_sequence_t *self,
                                 rp_complaint_t *complaint)
{
    self->expected = malloc((rp_reader_left(reader) / PLAN_LEAST + 1u) * sizeof *self->expected);
    rp_status_t status = self->expected != NULL ? RP_OK : RP_E_MEMORY;
    while (status == RP_OK && rp_reader_next_filled(reader)) {
        rp_text_span_t rest = reader->row;
        rp_text_span_t word;
        rp_text_span_word(&rest, &word);
        if (rp_text_span_is(word, "P")) {
            status = read_change(reader, rest, self, complaint);
        } else if (rp_text_span_is(word, "Q")) {
            status = read_query(reader, rest, self, complaint);
        } else {
            status = rp_reader_complain(reader, complaint, "\"%s\" is neither P nor Q",
                                        rp_text_span_quote(word).text);
        }
    }
    if (status == RP_E_MEMORY || status == RP_E_LIMIT) {
        rp_complain(complaint, reader->text->name, reader->line, "%s", rp_status_text(status));
    }
    return status;
}

// ---- the format

static bool dynamic_refers(const rp_text_t *text, rp_text_span_t *name)
{
    rp_reader_t reader = rp_reader_of(text);
    rp_text_span_t word = {0};
    while (!rp_text_span_is(word, "commands") && rp_reader_next(&reader)) {
        rp_text_span_t rest = reader.row;
        rp_text_span_word(&rest, &word);
        if (rp_text_span_is(word, "patch")) {
            return rp_text_span_word(&rest, name);
        }
    }
    return false;
}

static rp_status_t dynamic_parse(const rp_text_t *text, const rp_text_t *other,
                                 rp_sequence_t *sequence, rp_complaint_t *complaint)
{
    rp_reader_t reader = rp_reader_of(text);
    bool has_patches = false;
    rp_status_t status = read_head(&reader, sequence, &has_patches, complaint);
    if (status == RP_OK && has_patches && other == NULL) {
        status = rp_reader_complain(&reader, complaint, "the .patch file is not at hand");
    }
    if (status == RP_OK && has_patches) {
        status = read_patches(other, sequence, complaint);
    }
    return status == RP_OK ? read_commands(&reader, sequence, complaint) : status;
}

const rp_sequence_format_t rp_dynamic_format = {
    .first_words = "version 2",
    .refers = dynamic_refers,
    .parse = dynamic_parse,
};
