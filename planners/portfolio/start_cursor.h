/// @file
/// Cells of a path that the start has passed without the member that wrote the path being told.
/// What the member says of its next path (rp_path_stands_t) still counts these cells; the path that
/// is shown has lost them.
///
///     written:  passed . . . | shown . . . . . . goal
#ifndef REPLAN_PLANNERS_PORTFOLIO_START_CURSOR_H
#define REPLAN_PLANNERS_PORTFOLIO_START_CURSOR_H

#include <string.h>

#include "planners/core/planner_ops.h"

/// Most steps that a member is not told of.
#define RP_START_CURSOR_MAX 512u

typedef struct rp_start_cursor {
    rp_cell_t cells[RP_START_CURSOR_MAX];
    uint32_t count;
} rp_start_cursor_t;

/// Add the cells that the start has passed on the path that is shown.
/// @param left  written: what is left of that path
/// @return false when the start is not on the path, or has gone too far; nothing changes then
static inline bool rp_start_cursor_add(rp_start_cursor_t *self, const rp_path_t *shown,
                                       rp_cell_t start, uint32_t *left)
{
    const uint32_t room = RP_START_CURSOR_MAX - self->count;
    const uint32_t most = shown->count < room ? shown->count : room;
    uint32_t steps = 0;
    while (steps < most && shown->cells[steps] != start) {
        steps++;
    }
    if (steps == most) {
        return false;
    }
    memcpy(self->cells + self->count, shown->cells, steps * sizeof *shown->cells);
    self->count += steps;
    *left = shown->count - steps;
    return true;
}

/// Translate what a member says of its next path from the path that it wrote to the one that is
/// shown.
/// @param cells   what it wrote; passed cells that it says stand are appended
/// @param count   what its slot `path` returned
/// @param stands  as it was written there: a tail, or nothing
/// @return as the slot `path`
static inline uint32_t rp_start_cursor_amend(const rp_start_cursor_t *self, const rp_path_t *shown,
                                             rp_cell_t *cells, uint32_t count,
                                             rp_path_stands_t *stands)
{
    if (self->count == 0) {
        return count;
    }
    if (count == RP_PATH_KEPT) {
        count = 0;
        stands->tail = self->count + shown->count;
    }
    if (stands->tail > shown->count) {
        const uint32_t more = stands->tail - shown->count;
        memcpy(cells + count, self->cells + self->count - more, more * sizeof *cells);
        count += more;
        stands->tail = shown->count;
    }
    return count;
}

#endif
