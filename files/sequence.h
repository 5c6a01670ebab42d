/// @file
/// Sequence: a world, then changes and plans in order. The first line tells which of two formats it
/// is: the dynamic .scen of the Grid-based Path Planning Competition ("version 2", with a .patch
/// file beside it; dynamic.c), or our own "replan-script 1" (script.c).
///
/// Parsing checks everything: each step is legal on this world, for any planner.
#ifndef REPLAN_FILES_SEQUENCE_H
#define REPLAN_FILES_SEQUENCE_H

#include "files/text.h"

typedef enum rp_step_kind {
    RP_STEP_SET,   ///< the rectangle (x, y, width, height) becomes `factor`
    RP_STEP_PATCH, ///< the patch `index` is written with its upper left cell at (x, y)
    RP_STEP_START, ///< (x, y); `index` is that of its yaw, from 1; 0: it has none
    RP_STEP_GOAL,  ///< the same
    RP_STEP_PLAN,  ///< `index` counts the plans; start and goal are known by now
} rp_step_kind_t;

/// Small, as there may be millions.
typedef struct rp_step {
    uint8_t kind;         ///< rp_step_kind_t
    uint8_t factor;       ///< 0 blocks, else 1..254
    uint8_t is_continued; ///< belongs to the same change of the world as the step before
    uint16_t x, y;
    uint16_t width, height;
    uint32_t index;
} rp_step_t;

/// A piece of terrain that may be written anywhere.
typedef struct rp_patch {
    uint32_t width;
    uint32_t height;
    size_t first; ///< place of its upper left factor in `patch_factors`, row by row
} rp_patch_t;

typedef struct rp_sequence {
    uint32_t width;
    uint32_t height;
    uint8_t neighbors; ///< 4 or 8
    bool wraps;
    uint32_t weighted_line; ///< first that sets a factor other than 0 and 1; 0: none
    uint8_t *factors;       ///< owned; the world at first [width * height]; NULL: all 1
    rp_patch_t *patches;    ///< owned [patch_count]
    size_t patch_count;
    uint8_t *patch_factors; ///< owned
    rp_step_t *steps;       ///< owned [step_count]
    size_t step_count;
    size_t step_capacity;
    double *expected; ///< owned; recorded cost of each plan, -1 for no path [plan_count]; NULL:
                      ///< the format records none
    uint32_t plan_count;
    double *yaws; ///< owned; radians [yaw_count]
    size_t yaw_count;
    size_t yaw_capacity;
    uint32_t goal_yaw_line; ///< first that asks for a yaw at the goal; 0: none
} rp_sequence_t;

/// The yaw of a step that is a start or a goal. @param absent  what it is without one
static inline double rp_sequence_yaw(const rp_sequence_t *self, const rp_step_t *step,
                                     double absent)
{
    return step->index != 0 ? self->yaws[step->index - 1u] : absent;
}

/// Name of the second file that a sequence needs: the script's `map FILE`, the .scen's `patch
/// FILE`. It stands beside the first. @return false when it needs none (or is malformed)
bool rp_sequence_refers(const rp_text_t *text, rp_text_span_t *name);

/// @param other     the file that rp_sequence_refers() named, or NULL
/// @param sequence  written when all is well
/// @return RP_E_INVALID or RP_E_MEMORY, with a complaint
rp_status_t rp_sequence_parse(const rp_text_t *text, const rp_text_t *other,
                              rp_sequence_t *sequence, rp_complaint_t *complaint);

void rp_sequence_fini(rp_sequence_t *self);

/// For the readers of the two formats: one more yaw.
/// @param index  written: what a step says for it
/// @return RP_E_MEMORY
rp_status_t rp_sequence_add_yaw(rp_sequence_t *self, double yaw, uint32_t *index);

/// For the readers of the two formats: one more step.
/// @return RP_E_LIMIT beyond 2^31 steps, RP_E_MEMORY
rp_status_t rp_sequence_add(rp_sequence_t *self, rp_step_t step);

#endif
