/// @file
/// Batch: the writes between two plans, each cell once, with its last value. So a planner gets one
/// update and looks at each cell once.
#ifndef REPLAN_TOOLS_CHANGE_BATCH_H
#define REPLAN_TOOLS_CHANGE_BATCH_H

#include "replan/planner.h"

/// More cells than that are told in several batches.
#define RP_CHANGE_BATCH_MOST ((size_t)1 << 20)

typedef struct rp_change_batch {
    rp_change_t *changes; ///< owned, in the order in which their cells came [RP_CHANGE_BATCH_MOST]
    uint32_t *places;     ///< owned, by cell: where among the changes it is, if it is [cell_count]
    size_t count;
} rp_change_batch_t;

/// @return RP_E_MEMORY; fini is right then too
rp_status_t rp_change_batch_init(rp_change_batch_t *self, const rp_grid_t *grid);
void rp_change_batch_fini(rp_change_batch_t *self);

/// Write a cell. There must be room: fewer than RP_CHANGE_BATCH_MOST are held. Time: O(1).
static inline void rp_change_batch_set(rp_change_batch_t *self, rp_cell_t cell, uint8_t factor)
{
    const uint32_t place = self->places[cell];
    if (place < self->count && self->changes[place].cell == cell) {
        self->changes[place].after = factor;
        return;
    }
    self->places[cell] = (uint32_t)self->count;
    self->changes[self->count++] = (rp_change_t){.cell = cell, .after = factor};
}

/// Write all of it into the grid and tell the planner. The batch is empty then.
/// @return what rp_planner_apply() says
rp_status_t rp_change_batch_tell(rp_change_batch_t *self, rp_grid_t *grid, rp_planner_t *planner);

#endif
