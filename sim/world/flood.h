/// @file
/// Connected components of free cells. Without corner cutting, 8-moves connect two cells exactly
/// when 4-moves do, so one flood fill serves both.
#ifndef REPLAN_SIM_WORLD_FLOOD_H
#define REPLAN_SIM_WORLD_FLOOD_H

#include "sim/check/grid_view.h"

typedef struct rp_flood {
    uint32_t *labels; ///< 0: blocked or not reached; owned [cell_count]
    uint32_t *queue;  ///< owned [cell_count]
    size_t cell_count;
} rp_flood_t;

/// @return false without memory
bool rp_flood_init(rp_flood_t *self, size_t cell_count);
void rp_flood_fini(rp_flood_t *self);

/// Forget all labels.
void rp_flood_reset(rp_flood_t *self);

/// Label everything that can be reached from a free cell without a label.
/// @return how many cells that are
uint32_t rp_flood_from(rp_flood_t *self, const rp_grid_view_t *grid, uint32_t cell, uint32_t label);

#endif
