/// @file
/// Cells that a start left on its path while the member that wrote it did not hear of the steps.
/// What that member says of its path next counts them still; what is shown has lost them.
///
///     written:  passed . . . | shown . . . . . . goal
#ifndef REPLAN_SEARCH_PASSED_H
#define REPLAN_SEARCH_PASSED_H

#include <string.h>

#include "planners/planner_ops.h"

/// So many steps at most go unheard.
#define RP_PASSED_MAX 512u

typedef struct rp_passed {
    rp_cell_t cells[RP_PASSED_MAX];
    uint32_t count;
} rp_passed_t;

/// The start went on along the path that is shown.
/// @param left  written: the cells that are left of it
/// @return false when it did not, or too far; nothing changes then
static inline bool rp_passed_add(rp_passed_t *self, const rp_path_t *shown, rp_cell_t start,
                                 uint32_t *left)
{
    const uint32_t room = RP_PASSED_MAX - self->count;
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

/// What a member that writes from its start says of its next path, brought to what is shown.
/// @param cells   what it wrote; what stands on passed cells is added
/// @param count   as it returned it
/// @param stands  as it wrote it: a tail, or nothing
/// @return as the slot `path`
static inline uint32_t rp_passed_amend(const rp_passed_t *self, const rp_path_t *shown,
                                       rp_cell_t *cells, uint32_t count, rp_path_stands_t *stands)
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
