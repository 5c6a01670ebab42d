/// @file
/// What was done to a world, kept as a replan-script, so that a failure can be run again by
/// `replan run FILE --planner ID`.
#ifndef REPLAN_TESTS_SCRIPT_H
#define REPLAN_TESTS_SCRIPT_H

#include <stdio.h>

#include "replan/grid.h"

typedef struct rp_script {
    char *text; ///< owned; whole once the stream is flushed
    size_t size;
    FILE *stream;
} rp_script_t;

/// Begin a script of a fresh world of this shape. @return false without memory
bool rp_script_init(rp_script_t *self, const rp_grid_shape_t *shape);
void rp_script_fini(rp_script_t *self);

/// One line of the script: `set X Y 1 1 BYTE`, `start X Y`, `goal X Y`, `plan`. Nothing is kept
/// after the script could not grow.
void rp_script_set(rp_script_t *self, uint32_t x, uint32_t y, uint8_t factor);
void rp_script_start(rp_script_t *self, uint32_t x, uint32_t y);
void rp_script_goal(rp_script_t *self, uint32_t x, uint32_t y);
void rp_script_plan(rp_script_t *self);

/// What the format has no word for (slices, offsets): a line that starts with #.
void rp_script_remark(rp_script_t *self, const char *text, uint64_t number);

/// Write `mismatch-<planner>-<seed>.replan` into $REPLAN_TEST_OUT or the current folder, and print
/// its name.
void rp_script_save(rp_script_t *self, const char *planner, uint64_t seed);

#endif
