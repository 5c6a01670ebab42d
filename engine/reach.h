/// @file
/// What can be reached from a cell: a flood over straight steps, which join all that steps of any
/// kind join. One for all who ask on the same version of the same ground.
#ifndef REPLAN_ENGINE_REACH_H
#define REPLAN_ENGINE_REACH_H

#include "replan/grid.h"

typedef struct rp_reach {
    const rp_grid_t *grid; ///< that was flooded; NULL: nothing is known
    uint64_t version;
    uint8_t *bits; ///< one a place, owned [cell_count / 8 + 1]
    uint32_t cell_count;
    rp_cell_t *front; ///< cells reached last, owned [capacity]
    rp_cell_t *next;  ///< cells reached now, owned [capacity]
    uint32_t capacity;
} rp_reach_t;

void rp_reach_fini(rp_reach_t *self);

/// Nothing is known any more: a grid may have gone, and another one stand in its place.
void rp_reach_forget(rp_reach_t *self);

/// Know what can be reached from a free cell. Time: O(cells reached); O(1) when it is known.
/// @return RP_E_MEMORY; then nothing is known
rp_status_t rp_reach_from(rp_reach_t *self, const rp_grid_t *grid, uint64_t version,
                          rp_cell_t from);

static inline bool rp_reach_has(const rp_reach_t *self, rp_cell_t cell)
{
    return ((self->bits[cell >> 3] >> (cell & 7u)) & 1u) != 0;
}

#endif
