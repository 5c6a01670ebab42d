/// @file
/// Small worlds drawn as text, so that a test shows what it is about:
///
///     "S.#\n"     `.` normal ground, `#` blocked, 1 to 9 a factor,
///     "..G"       `S` the start, `G` a goal (several: in reading order), both on normal ground
///
/// Rows are y from 0 downwards, all of the same length.
#ifndef REPLAN_TESTS_DRAWING_H
#define REPLAN_TESTS_DRAWING_H

#include "tests/support/trial.h"

#define RP_DRAWING_PLACES_MAX 1024u

typedef struct rp_drawing {
    uint32_t width;
    uint32_t height;
    uint8_t factors[RP_DRAWING_PLACES_MAX]; ///< row by row
    uint32_t start;                         ///< a place, or RP_ORACLE_NO_PLACE
    uint32_t goals[RP_TRIAL_GOALS_MAX];
    uint32_t goal_count;
} rp_drawing_t;

/// @return false when the text is not a world
bool rp_drawing_read(rp_drawing_t *self, const char *text);

/// A grid of the drawing, unit 1; NULL when the text is not a world.
rp_grid_t *rp_drawing_grid(const char *text, uint8_t neighbors, bool wraps);

/// Put a drawing into a trial: fresh world, start, goals with offset 0.
/// @return false when the text is not a world or the planner's capabilities do not cover it
bool rp_drawing_try(const char *text, uint8_t neighbors, bool wraps, rp_trial_t *trial);

#endif
