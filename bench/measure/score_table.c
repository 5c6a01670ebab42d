/// Sums by group and contender, and the work file:
///
///     {"suite":"fsa-table1","commit":"abc1234", ...}         what must be the same
///     {"unit":"w3 c0.1 r0.02","differences":0,"law_breaks":0,"scores":[[group,contender,...],
///     ...]}
#include "bench/measure/score_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const field_names[RP_SCORE_COUNT] = {
    [RP_SCORE_STEPS] = "plans",
    [RP_SCORE_TIMEOUTS] = "timeouts",
    [RP_SCORE_NS] = "ns",
    [RP_SCORE_GRID_NS] = "grid_ns",
    [RP_SCORE_FIRST_NS] = "first_ns",
    [RP_SCORE_MAKING_NS] = "making_ns",
    [RP_SCORE_TOGGLES] = "toggles",
    [RP_SCORE_EXPANDED] = "expanded",
    [RP_SCORE_FAST] = "expanded_fast",
    [RP_SCORE_GENERATED] = "generated",
    [RP_SCORE_RESTARTS] = "restarts",
    [RP_SCORE_ITERATIONS] = "iterations",
    [RP_SCORE_VISITED] = "visited",
    [RP_SCORE_VISITED_LAST] = "visited_last",
    [RP_SCORE_EXPANDED_LAST] = "expanded_last",
    [RP_SCORE_COST] = "cost",
    [RP_SCORE_CELLS] = "cells",
    [RP_SCORE_NO_PATH] = "no_path",
    [RP_SCORE_NO_PATH_NS] = "no_path_ns",
    [RP_SCORE_NO_PATH_EXPANDED] = "no_path_expanded",
    [RP_SCORE_IDLE_NS] = "idle_ns",
    [RP_SCORE_IDLE_EXPANDED] = "idle_expanded",
};

static size_t place_of(const rp_score_table_t *self, size_t group, size_t contender)
{
    return group * self->match->count + contender;
}

static size_t place_count(const rp_score_table_t *self)
{
    return self->group_count * self->match->count;
}

// ---- scores

rp_score_t rp_score_of(const rp_play_t *play, uint8_t unit_factor)
{
    rp_score_t score = {0};
    if (play->timed_out) {
        score.of[RP_SCORE_TIMEOUTS] = 1.0;
        return score;
    }
    const rp_search_stats_t *stats = &play->stats;
    score.of[RP_SCORE_STEPS] = 1.0;
    score.of[RP_SCORE_NS] = floor(play->ns); // whole numbers add up the same in any order
    score.of[RP_SCORE_GRID_NS] = floor(play->grid_ns);
    score.of[RP_SCORE_EXPANDED] = (double)stats->expanded;
    score.of[RP_SCORE_FAST] = (double)stats->expanded_fast;
    score.of[RP_SCORE_GENERATED] = (double)stats->generated;
    score.of[RP_SCORE_RESTARTS] = (double)stats->restarts;
    score.of[RP_SCORE_ITERATIONS] = (double)stats->iterations;
    score.of[RP_SCORE_VISITED] = (double)stats->visited;
    score.of[RP_SCORE_VISITED_LAST] = (double)stats->visited_last;
    score.of[RP_SCORE_EXPANDED_LAST] = (double)stats->expanded_last;
    if (play->cost != UINT64_MAX) {
        score.of[RP_SCORE_COST] = (double)play->cost / (2.0 * unit_factor);
        score.of[RP_SCORE_CELLS] = (double)play->cells;
    } else {
        score.of[RP_SCORE_NO_PATH] = 1.0;
        score.of[RP_SCORE_NO_PATH_NS] = floor(play->ns);
        score.of[RP_SCORE_NO_PATH_EXPANDED] = (double)stats->expanded;
    }
    return score;
}

static void add(rp_score_t *self, const rp_score_t *other)
{
    for (size_t i = 0; i < RP_SCORE_COUNT; i++) {
        self->of[i] += other->of[i];
    }
}

void rp_score_table_add(rp_score_table_t *self, size_t group, size_t contender,
                        const rp_score_t *score)
{
    add(&self->unit[place_of(self, group, contender)], score);
}

/// The unit under way goes into the totals, and a new one begins.
static void fold(rp_score_table_t *self)
{
    for (size_t i = 0; i < place_count(self); i++) {
        const double steps = self->unit[i].of[RP_SCORE_STEPS];
        if (steps > 0.0) {
            rp_samples_add(&self->us[i], self->unit[i].of[RP_SCORE_NS] * 1e-3 / steps);
        }
        add(&self->total[i], &self->unit[i]);
        self->unit[i] = (rp_score_t){0};
    }
    self->unit_count++;
}

// ---- the work file

static void write_line(rp_score_table_t *self, cJSON *object)
{
    char *line = cJSON_PrintUnformatted(object);
    if (line == NULL || fprintf(self->work, "%s\n", line) < 0 || fflush(self->work) != 0) {
        perror("replan-bench: work file");
        exit(2);
    }
    cJSON_free(line);
}

static void write_unit(rp_score_table_t *self, const char *unit, unsigned differences,
                       unsigned law_breaks)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "unit", unit);
    cJSON_AddNumberToObject(object, "differences", differences);
    cJSON_AddNumberToObject(object, "law_breaks", law_breaks);
    cJSON *scores = cJSON_AddArrayToObject(object, "scores");
    for (size_t i = 0; i < place_count(self); i++) {
        const double *of = self->unit[i].of;
        if (of[RP_SCORE_STEPS] + of[RP_SCORE_TIMEOUTS] + of[RP_SCORE_FIRST_NS] == 0.0) {
            continue;
        }
        const size_t group = i / self->match->count;
        const size_t contender = i % self->match->count;
        cJSON *row = cJSON_CreateArray();
        cJSON_AddItemToArray(row, cJSON_CreateNumber((double)group));
        cJSON_AddItemToArray(row, cJSON_CreateNumber((double)contender));
        for (size_t k = 0; k < RP_SCORE_COUNT; k++) {
            cJSON_AddItemToArray(row, cJSON_CreateNumber(of[k]));
        }
        cJSON_AddItemToArray(scores, row);
    }
    write_line(self, object);
    cJSON_Delete(object);
}

static double number_at(const cJSON *array, int index)
{
    return cJSON_GetNumberValue(cJSON_GetArrayItem(array, index));
}

/// A line of a finished unit. Half a line, from a run that was killed, is no unit.
static void read_unit(rp_score_table_t *self, const cJSON *object)
{
    const char *unit = cJSON_GetStringValue(cJSON_GetObjectItem(object, "unit"));
    const cJSON *scores = cJSON_GetObjectItem(object, "scores");
    if (unit == NULL || !cJSON_IsArray(scores) || rp_score_table_has(self, unit)) {
        return;
    }
    const cJSON *row;
    cJSON_ArrayForEach(row, scores)
    {
        const double group = number_at(row, 0);
        const double contender = number_at(row, 1);
        if (cJSON_GetArraySize(row) != RP_SCORE_COUNT + 2 || !(group >= 0.0) ||
            !(contender >= 0.0) || group >= (double)self->group_count ||
            contender >= (double)self->match->count) {
            continue;
        }
        rp_score_t score;
        for (int k = 0; k < RP_SCORE_COUNT; k++) {
            score.of[k] = number_at(row, k + 2);
        }
        rp_score_table_add(self, (size_t)group, (size_t)contender, &score);
    }
    self->differences += (unsigned)cJSON_GetNumberValue(cJSON_GetObjectItem(object, "differences"));
    self->law_breaks += (unsigned)cJSON_GetNumberValue(cJSON_GetObjectItem(object, "law_breaks"));
    cJSON_AddTrueToObject(self->finished, unit);
    fold(self);
}

/// @return false when the file was begun by another suite, commit, seed or set of contenders
static bool read_work(rp_score_table_t *self, FILE *file, const cJSON *header)
{
    char *line = NULL;
    size_t capacity = 0;
    bool is_first = true;
    bool is_ours = true;
    while (is_ours && getline(&line, &capacity, file) > 0) {
        cJSON *object = cJSON_Parse(line);
        if (is_first) {
            is_ours = cJSON_Compare(object, header, true) != 0;
            is_first = false;
        } else if (object != NULL) {
            read_unit(self, object);
        }
        cJSON_Delete(object);
    }
    free(line);
    return is_ours;
}

static bool open_work(rp_score_table_t *self, const char *path, const cJSON *header)
{
    cJSON *expected = cJSON_Duplicate(header, true);
    cJSON *names = cJSON_AddArrayToObject(expected, "contenders");
    for (size_t i = 0; i < self->match->count; i++) {
        cJSON_AddItemToArray(names, cJSON_CreateString(self->match->contenders[i].name));
    }
    bool is_ours = true;
    bool is_new = true;
    FILE *old = fopen(path, "r");
    if (old != NULL) {
        is_new = getc(old) == EOF;
        rewind(old);
        is_ours = read_work(self, old, expected);
        (void)fclose(old);
    }
    self->work = is_ours ? fopen(path, "a") : NULL;
    if (!is_ours) {
        fprintf(stderr, "replan-bench: %s was begun by another suite, build or seed\n", path);
    } else if (self->work == NULL) {
        perror(path);
    } else if (is_new) {
        write_line(self, expected);
    } else {
        fputc('\n', self->work); // the last line may be half of one
    }
    cJSON_Delete(expected);
    return self->work != NULL;
}

bool rp_score_table_has(const rp_score_table_t *self, const char *unit)
{
    return cJSON_HasObjectItem(self->finished, unit) != 0;
}

void rp_score_table_finish(rp_score_table_t *self, const char *unit, unsigned differences,
                           unsigned law_breaks)
{
    if (self->work != NULL) {
        write_unit(self, unit, differences, law_breaks);
    }
    self->differences += differences;
    self->law_breaks += law_breaks;
    fold(self);
}

// ---- birth and death

bool rp_score_table_open(rp_score_table_t *self, const rp_comparison_t *match, size_t group_count,
                         const rp_bench_options_t *options, const cJSON *header)
{
    const size_t count = group_count * match->count;
    *self = (rp_score_table_t){.match = match,
                               .group_count = group_count,
                               .unit = rp_bench_memory(NULL, count, sizeof(rp_score_t)),
                               .total = rp_bench_memory(NULL, count, sizeof(rp_score_t)),
                               .us = rp_bench_memory(NULL, count, sizeof(rp_samples_t)),
                               .finished = cJSON_CreateObject()};
    memset(self->unit, 0, count * sizeof *self->unit);
    memset(self->total, 0, count * sizeof *self->total);
    memset(self->us, 0, count * sizeof *self->us);
    return options->resume == NULL || open_work(self, options->resume, header);
}

void rp_score_table_close(rp_score_table_t *self)
{
    for (size_t i = 0; i < place_count(self); i++) {
        rp_samples_fini(&self->us[i]);
    }
    free(self->unit);
    free(self->total);
    free(self->us);
    cJSON_Delete(self->finished);
    if (self->work != NULL) {
        (void)fclose(self->work);
    }
    *self = (rp_score_table_t){0};
}

// ---- what stands on it

const rp_score_t *rp_score_table_total(const rp_score_table_t *self, size_t group, size_t contender)
{
    return &self->total[place_of(self, group, contender)];
}

double rp_score_table_mean(const rp_score_table_t *self, size_t group, size_t contender,
                           rp_score_field_t field)
{
    const rp_score_t *total = rp_score_table_total(self, group, contender);
    const double steps = total->of[RP_SCORE_STEPS];
    return steps > 0.0 ? total->of[field] / steps : 0.0;
}

double rp_score_table_us(rp_score_table_t *self, size_t group, size_t contender, double percent)
{
    return rp_samples_percentile(&self->us[place_of(self, group, contender)], percent);
}

static cJSON *contender_to_json(rp_score_table_t *self, size_t group, size_t contender)
{
    const rp_contender_t *who = &self->match->contenders[contender];
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", who->name);
    cJSON_AddStringToObject(object, "planner", who->id);
    cJSON_AddNumberToObject(object, "us_p25", rp_score_table_us(self, group, contender, 25.0));
    cJSON_AddNumberToObject(object, "us_p50", rp_score_table_us(self, group, contender, 50.0));
    cJSON_AddNumberToObject(object, "us_p75", rp_score_table_us(self, group, contender, 75.0));
    const rp_score_t *total = rp_score_table_total(self, group, contender);
    for (size_t i = 0; i < RP_SCORE_COUNT; i++) {
        cJSON_AddNumberToObject(object, field_names[i], total->of[i]);
    }
    return object;
}

void rp_score_table_to_json(rp_score_table_t *self, cJSON *results,
                            void (*describe)(size_t group, cJSON *object))
{
    cJSON_AddNumberToObject(results, "units", (double)self->unit_count);
    cJSON_AddNumberToObject(results, "cost_differences", self->differences);
    cJSON_AddNumberToObject(results, "law_breaks", self->law_breaks);
    cJSON *groups = cJSON_AddArrayToObject(results, "groups");
    for (size_t group = 0; group < self->group_count; group++) {
        cJSON *object = cJSON_CreateObject();
        describe(group, object);
        cJSON *contenders = cJSON_AddArrayToObject(object, "contenders");
        for (size_t i = 0; i < self->match->count; i++) {
            const double *of = rp_score_table_total(self, group, i)->of;
            if (of[RP_SCORE_STEPS] + of[RP_SCORE_TIMEOUTS] > 0.0) {
                cJSON_AddItemToArray(contenders, contender_to_json(self, group, i));
            }
        }
        cJSON_AddItemToArray(groups, object);
    }
}
