/// Our own text of changes and plans:
///
///     replan-script 1
///     map FILE | size W H          # a .map file beside the script, or an empty world of 1s
///     neighbors 8                  # optional: 4 or 8
///     wrap 0                       # optional: 1 for a torus
///     start X Y [YAW]              # radians; absent: 0
///     goal X Y [YAW]               # absent: any
///     set X Y W H BYTE             # fill a rectangle; bytes as in the profile `factor`
///     plan
///
/// What follows a # at the start of a word is a remark. A `set` is one change of the world.
#include <stdlib.h>

#include "files/formats.h"
#include "files/map.h"
#include "files/terrain.h"
#include "replan/grid.h"

/// The profile `factor` takes this byte for unknown, and unknown for free.
#define BYTE_UNKNOWN 255u

/// No yaw is greater: a thousand turns.
#define YAW_MOST 6284.0

/// What is known while a script is read.
typedef struct rp_script_reader {
    rp_reader_t reader;
    rp_text_span_t rest;    ///< of the line, behind its first word
    const rp_text_t *other; ///< the map, or NULL
    rp_sequence_t *sequence;
    rp_complaint_t *complaint;
    bool has_start;
    bool has_goal;
} rp_script_reader_t;

static void drop_remark(rp_text_span_t *row)
{
    for (size_t i = 0; i < row->length; i++) {
        const bool begins_word = i == 0 || row->start[i - 1] == ' ' || row->start[i - 1] == '\t';
        if (row->start[i] == '#' && begins_word) {
            row->length = i;
        }
    }
}

#define script_complain(self, ...)                                                                 \
    rp_reader_complain(&(self)->reader, (self)->complaint, __VA_ARGS__)

// ---- the world

static rp_status_t read_map(rp_script_reader_t *self)
{
    rp_sequence_t *sequence = self->sequence;
    if (sequence->width != 0) {
        return script_complain(self, "a second world: map and size come once");
    }
    if (self->other == NULL) {
        return script_complain(self, "map needs the name of a .map file");
    }
    rp_map_t map;
    const rp_status_t status = rp_map_parse(self->other, NULL, &map, self->complaint);
    if (status != RP_OK) {
        return status;
    }
    sequence->width = map.width;
    sequence->height = map.height;
    sequence->factors = map.bytes;
    for (size_t i = 0; i < (size_t)map.width * map.height; i++) {
        sequence->factors[i] = rp_map_factor(map.profile, map.bytes[i]);
    }
    return RP_OK;
}

static rp_status_t read_size(rp_script_reader_t *self)
{
    uint32_t sides[2];
    if (self->sequence->width != 0) {
        return script_complain(self, "a second world: map and size come once");
    }
    if (!rp_text_span_numbers(self->rest, RP_GRID_SIDE_MAX, sides, 2) || sides[0] == 0 ||
        sides[1] == 0) {
        return script_complain(self, "size needs a width and a height of 1..%u", RP_GRID_SIDE_MAX);
    }
    self->sequence->width = sides[0];
    self->sequence->height = sides[1];
    return rp_terrain_check(&self->reader, sides[0], sides[1], self->complaint);
}

static rp_status_t read_neighbors(rp_script_reader_t *self)
{
    uint32_t number = 0;
    if (!rp_text_span_numbers(self->rest, 8, &number, 1) || (number != 4 && number != 8)) {
        return script_complain(self, "neighbors is 4 or 8");
    }
    self->sequence->neighbors = (uint8_t)number;
    return RP_OK;
}

static rp_status_t read_wrap(rp_script_reader_t *self)
{
    uint32_t number = 0;
    if (!rp_text_span_numbers(self->rest, 1, &number, 1)) {
        return script_complain(self, "wrap is 0 or 1");
    }
    self->sequence->wraps = number == 1;
    return RP_OK;
}

// ---- the steps

static rp_status_t add(rp_script_reader_t *self, rp_step_t step)
{
    const rp_status_t status = rp_sequence_add(self->sequence, step);
    if (status != RP_OK) {
        script_complain(self, "%s", rp_status_text(status));
    }
    return status;
}

/// @param index  written: what the step says for the yaw
static rp_status_t read_yaw(rp_script_reader_t *self, rp_text_span_t word, rp_step_kind_t kind,
                            uint32_t *index)
{
    rp_sequence_t *sequence = self->sequence;
    double yaw;
    double half_unit;
    if (!rp_text_span_decimal(word, &yaw, &half_unit) || yaw < -YAW_MOST || yaw > YAW_MOST) {
        return script_complain(self, "yaw \"%s\" is not a number of -%g..%g radians",
                               rp_text_span_quote(word).text, YAW_MOST, YAW_MOST);
    }
    if (kind == RP_STEP_GOAL && sequence->goal_yaw_line == 0) {
        sequence->goal_yaw_line = self->reader.line;
    }
    const rp_status_t status = rp_sequence_add_yaw(sequence, yaw, index);
    return status == RP_OK ? RP_OK : script_complain(self, "%s", rp_status_text(status));
}

static rp_status_t read_end(rp_script_reader_t *self, rp_step_kind_t kind)
{
    const rp_sequence_t *sequence = self->sequence;
    const char *word = kind == RP_STEP_START ? "start" : "goal";
    rp_text_span_t words[4];
    uint32_t numbers[2];
    uint32_t index = 0;
    uint32_t count = 0;
    while (count < 4u && rp_text_span_word(&self->rest, &words[count])) {
        count++;
    }
    if ((count != 2u && count != 3u) || !rp_text_span_number(words[0], UINT32_MAX, &numbers[0]) ||
        !rp_text_span_number(words[1], UINT32_MAX, &numbers[1])) {
        return script_complain(self, "%s needs 2 numbers: x, y", word);
    }
    if (numbers[0] >= sequence->width || numbers[1] >= sequence->height) {
        return script_complain(self, "%s (%u, %u) is outside the world of %u x %u", word,
                               numbers[0], numbers[1], sequence->width, sequence->height);
    }
    if (count == 3u) {
        const rp_status_t status = read_yaw(self, words[2], kind, &index);
        if (status != RP_OK) {
            return status;
        }
    }
    *(kind == RP_STEP_START ? &self->has_start : &self->has_goal) = true;
    return add(self, (rp_step_t){.kind = (uint8_t)kind,
                                 .x = (uint16_t)numbers[0],
                                 .y = (uint16_t)numbers[1],
                                 .index = index});
}

static rp_status_t read_start(rp_script_reader_t *self)
{
    return read_end(self, RP_STEP_START);
}

static rp_status_t read_goal(rp_script_reader_t *self)
{
    return read_end(self, RP_STEP_GOAL);
}

static rp_status_t read_set(rp_script_reader_t *self)
{
    rp_sequence_t *sequence = self->sequence;
    uint32_t n[5];
    if (!rp_text_span_numbers(self->rest, UINT32_MAX, n, 5)) {
        return script_complain(self, "set needs 5 numbers: x, y, width, height, byte");
    }
    if (n[2] == 0 || n[3] == 0) {
        return script_complain(self, "a rectangle of %u x %u has no cell", n[2], n[3]);
    }
    if ((uint64_t)n[0] + n[2] > sequence->width || (uint64_t)n[1] + n[3] > sequence->height) {
        return script_complain(self, "%u x %u cells at (%u, %u) are outside the world of %u x %u",
                               n[2], n[3], n[0], n[1], sequence->width, sequence->height);
    }
    if (n[4] > UINT8_MAX) {
        return script_complain(self, "byte %u is outside 0..255", n[4]);
    }
    const uint32_t factor = n[4] == BYTE_UNKNOWN ? 1u : n[4];
    if (factor > 1 && sequence->weighted_line == 0) {
        sequence->weighted_line = self->reader.line;
    }
    return add(self, (rp_step_t){.kind = RP_STEP_SET,
                                 .factor = (uint8_t)factor,
                                 .x = (uint16_t)n[0],
                                 .y = (uint16_t)n[1],
                                 .width = (uint16_t)n[2],
                                 .height = (uint16_t)n[3]});
}

static rp_status_t read_plan(rp_script_reader_t *self)
{
    rp_text_span_t surplus;
    if (rp_text_span_word(&self->rest, &surplus)) {
        return script_complain(self, "plan stands alone on its line");
    }
    if (!self->has_start || !self->has_goal) {
        return script_complain(self, "plan needs a %s first", self->has_start ? "goal" : "start");
    }
    return add(self, (rp_step_t){.kind = RP_STEP_PLAN, .index = self->sequence->plan_count});
}

// ---- the format

/// Every word that a line may begin with. Frequent ones first.
static const struct {
    const char *word;
    bool is_step; ///< needs a world; what shapes the world may not come after it
    rp_status_t (*read)(rp_script_reader_t *self);
} commands[] = {
    {"set", true, read_set},     {"plan", true, read_plan},
    {"start", true, read_start}, {"goal", true, read_goal},
    {"map", false, read_map},    {"size", false, read_size},
    {"wrap", false, read_wrap},  {"neighbors", false, read_neighbors},
};
#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

/// What can only be said once the shape is whole: when the first step comes, or the end.
static rp_status_t check_world(rp_script_reader_t *self)
{
    const rp_sequence_t *sequence = self->sequence;
    if (sequence->width == 0) {
        return script_complain(self, "a line \"map FILE\" or \"size W H\" must come first");
    }
    if (sequence->wraps && (sequence->width < 3 || sequence->height < 3)) {
        return script_complain(self, "a world that wraps needs sides of at least 3, not %u x %u",
                               sequence->width, sequence->height);
    }
    return RP_OK;
}

static rp_status_t read_line(rp_script_reader_t *self)
{
    rp_text_span_t word;
    self->rest = self->reader.row;
    drop_remark(&self->rest);
    if (!rp_text_span_word(&self->rest, &word)) {
        return RP_OK;
    }
    size_t i = 0;
    while (i < COMMAND_COUNT && !rp_text_span_is(word, commands[i].word)) {
        i++;
    }
    if (i == COMMAND_COUNT) {
        return script_complain(
            self, "\"%s\" is none of map, size, neighbors, wrap, start, goal, set, plan",
            rp_text_span_quote(word).text);
    }
    if (commands[i].is_step && self->sequence->step_count == 0) {
        const rp_status_t status = check_world(self);
        if (status != RP_OK) {
            return status;
        }
    }
    if (!commands[i].is_step && self->sequence->step_count != 0) {
        return script_complain(self, "%s must come before the first start, goal, set or plan",
                               commands[i].word);
    }
    return commands[i].read(self);
}

static bool script_refers(const rp_text_t *text, rp_text_span_t *name)
{
    rp_reader_t reader = rp_reader_of(text);
    while (rp_reader_next(&reader)) {
        rp_text_span_t rest = reader.row;
        rp_text_span_t word;
        drop_remark(&rest);
        rp_text_span_word(&rest, &word);
        if (rp_text_span_is(word, "map")) {
            return rp_text_span_word(&rest, name);
        }
        if (rp_text_span_is(word, "size")) {
            return false;
        }
    }
    return false;
}

static rp_status_t script_parse(const rp_text_t *text, const rp_text_t *other,
                                rp_sequence_t *sequence, rp_complaint_t *complaint)
{
    rp_script_reader_t self = {
        .reader = rp_reader_of(text),
        .other = other,
        .sequence = sequence,
        .complaint = complaint,
    };
    rp_reader_next(&self.reader);
    rp_status_t status = RP_OK;
    while (status == RP_OK && rp_reader_next(&self.reader)) {
        status = read_line(&self);
    }
    return status == RP_OK ? check_world(&self) : status;
}

const rp_sequence_format_t rp_script_format = {
    .first_words = "replan-script 1",
    .refers = script_refers,
    .parse = script_parse,
};
