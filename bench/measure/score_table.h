/// @file
/// Table of a suite: the score of each contender in each group (a row of the paper's table, a size,
/// a bin). Scores come in units (a world, a map). A finished unit is written to the work file, so
/// that an interrupted run goes on where it stopped.
#ifndef REPLAN_BENCH_MEASURE_SCORE_TABLE_H
#define REPLAN_BENCH_MEASURE_SCORE_TABLE_H

#include <stdio.h>

#include "bench/measure/comparison.h"
#include "bench/measure/harness.h"

/// What is summed up, in the order of the work file.
typedef enum rp_score_field {
    RP_SCORE_STEPS, ///< plans, those without a path included, those that timed out not
    RP_SCORE_TIMEOUTS,
    RP_SCORE_NS,        ///< changes taken in, search, path
    RP_SCORE_GRID_NS,   ///< cells written
    RP_SCORE_FIRST_NS,  ///< first search of a world, where that stands apart
    RP_SCORE_MAKING_NS, ///< the world's changes made up
    RP_SCORE_TOGGLES,   ///< cells that changed
    RP_SCORE_EXPANDED,
    RP_SCORE_FAST, ///< of these, without a queue operation
    RP_SCORE_GENERATED,
    RP_SCORE_RESTARTS,
    RP_SCORE_ITERATIONS,
    RP_SCORE_VISITED,
    RP_SCORE_VISITED_LAST,
    RP_SCORE_EXPANDED_LAST,
    RP_SCORE_COST, ///< of paths, in lengths of the searches
    RP_SCORE_CELLS,
    RP_SCORE_NO_PATH,          ///< of the plans, those that found that there is none
    RP_SCORE_NO_PATH_NS,       ///< what they took
    RP_SCORE_NO_PATH_EXPANDED, ///< and expanded
    RP_SCORE_IDLE_NS,          ///< what was done in time that nobody needed
    RP_SCORE_IDLE_EXPANDED,
    RP_SCORE_COUNT,
} rp_score_field_t;

typedef struct rp_score {
    double of[RP_SCORE_COUNT];
} rp_score_t;

typedef struct rp_score_table {
    const rp_comparison_t *match; ///< its contenders are the columns
    size_t group_count;
    rp_score_t *unit;  ///< owned; under way [group_count * contenders]
    rp_score_t *total; ///< owned [group_count * contenders]
    rp_samples_t *us;  ///< owned; a plan, by unit [group_count * contenders]
    cJSON *finished;   ///< owned; names of units
    size_t unit_count;
    FILE *work;           ///< NULL: none
    unsigned differences; ///< of finished units, those of the work file included
    unsigned law_breaks;  ///< as differences: of whatever law the suite holds query by query
} rp_score_table_t;

/// @param header  says what must be the same for a work file to be taken up
/// @return false when the work file is another's or cannot be written (said on stderr)
bool rp_score_table_open(rp_score_table_t *self, const rp_comparison_t *match, size_t group_count,
                         const rp_bench_options_t *options, const cJSON *header);
void rp_score_table_close(rp_score_table_t *self);

/// True when the work file had this unit.
bool rp_score_table_has(const rp_score_table_t *self, const char *unit);

/// What one play adds to a score.
rp_score_t rp_score_of(const rp_play_t *play, uint8_t unit_factor);

void rp_score_table_add(rp_score_table_t *self, size_t group, size_t contender,
                        const rp_score_t *score);

/// The unit under way is complete.
/// @param differences, law_breaks  met in it
void rp_score_table_finish(rp_score_table_t *self, const char *unit, unsigned differences,
                           unsigned law_breaks);

const rp_score_t *rp_score_table_total(const rp_score_table_t *self, size_t group,
                                       size_t contender);

/// A field a plan; 0 without plans.
double rp_score_table_mean(const rp_score_table_t *self, size_t group, size_t contender,
                           rp_score_field_t field);

/// Microseconds a plan: a percentile of the units' means.
double rp_score_table_us(rp_score_table_t *self, size_t group, size_t contender, double percent);

/// "groups": for each what `describe` writes, and its contenders.
void rp_score_table_to_json(rp_score_table_t *self, cJSON *results,
                            void (*describe)(size_t group, cJSON *object));

#endif
