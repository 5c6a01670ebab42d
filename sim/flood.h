/// @file
/// Which cells hang together. Without corner cutting two cells are connected by 8-moves exactly
/// when they are by 4-moves, so one flood serves both.
#ifndef REPLAN_SIM_FLOOD_H
#define REPLAN_SIM_FLOOD_H

#include "sim/plane.h"

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
uint32_t rp_flood_from(rp_flood_t *self, const rp_plane_t *plane, uint32_t cell, uint32_t label);

#endif
