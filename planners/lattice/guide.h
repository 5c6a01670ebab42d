/// @file
/// Guide layer: cells in which a legal centre may lie, or which it comes near. A cell blocks where
/// the middle of an obstacle lies within max(0, body - 1) of its own. Every cell nearer than min(1,
/// body) to a legal centre is free in it (the farthest point of a cell c from an obstacle q is as
/// far as their middles), so a field on it leads wherever a body may drive.
///
/// On weighted ground a cell has the least factor within `spread` cells, obstacles left out.
#ifndef REPLAN_PLANNERS_LATTICE_GUIDE_H
#define REPLAN_PLANNERS_LATTICE_GUIDE_H

#include "planners/lattice/obstacles.h"
#include "replan/grid.h"

typedef struct rp_guide {
    const rp_grid_t *ground; ///< borrowed: where obstacles are, and what cells cost
    rp_grid_t *layer;        ///< owned
    uint16_t *near;          ///< obstacles within the radius, by place [cell_count]; NULL: the
                             ///< radius is below 1, so a cell has only itself
    int16_t *half;           ///< half the width of the disc in each of its rows [2 * radius + 1]
    rp_cell_t *changed;      ///< cells of the layer that were rewritten since they were taken
    size_t changed_count;
    size_t changed_capacity;
    int32_t radius; ///< of the disc, cells, rounded down
    int32_t spread; ///< cells
} rp_guide_t;

/// @param ground  borrowed; its cells are taken in
/// @param body    radius of the body, cells
/// @return RP_E_MEMORY. Time: O(cells * rows of the disc)
rp_status_t rp_guide_init(rp_guide_t *self, const rp_grid_t *ground, double body, uint32_t spread);
void rp_guide_fini(rp_guide_t *self);

/// Take in a cell of the ground that was rewritten, and note in `changed` what that rewrites here.
/// @param was_blocked  whether it blocked when it was taken in last
/// @return RP_E_MEMORY; then start over. Time: O(cells of the disc), on weighted ground O(spread^4)
rp_status_t rp_guide_apply(rp_guide_t *self, rp_cell_t cell, bool was_blocked);

#endif
