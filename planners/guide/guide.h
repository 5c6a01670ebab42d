/// @file
/// Guide layer: cells that a legal centre comes near. A field on it leads wherever a body may
/// drive, and hardly anywhere else.
///
/// A cell blocks by one of two rules, which count obstacles in discs round it, middle to middle:
///     - an obstacle lies within max(0, body - 1): the cell is nearer than min(1, body) to no legal
///       centre, as its farthest point from an obstacle is as far as their middles;
///     - each of the nine cells round it has an obstacle within the body's radius: no legal centre
///       lies in any of them. Gaps that are too narrow are closed by this rule but for their ends.
///
/// On weighted ground a cell has the least factor within `spread` cells, obstacles left out.
#ifndef REPLAN_PLANNERS_GUIDE_GUIDE_H
#define REPLAN_PLANNERS_GUIDE_GUIDE_H

#include "planners/guide/obstacles.h"
#include "replan/grid.h"

/// Obstacles within a distance of each cell, middle to middle; what is outside of a world that ends
/// is one.
typedef struct rp_guide_disc {
    uint16_t *counts; ///< by place [cell_count]; NULL: the radius is below 1, so a cell has only
                      ///< itself
    int16_t *half;    ///< half the width of the disc in each of its rows [2 * radius + 1]
    int32_t radius;   ///< cells, rounded down
} rp_guide_disc_t;

typedef struct rp_guide {
    const rp_grid_t *ground; ///< borrowed: where obstacles are, and what cells cost
    rp_grid_t *layer;        ///< owned
    rp_guide_disc_t inner;   ///< of radius body - 1
    rp_guide_disc_t outer;   ///< of radius body
    rp_cell_t *changed;      ///< cells of the layer that were rewritten since they were taken
    size_t changed_count;
    size_t changed_capacity;
    int32_t spread; ///< cells
} rp_guide_t;

/// @param ground  borrowed; its cells are taken in
/// @param body    radius of the body, cells
/// @return RP_E_MEMORY. Time: O(cells * rows of the disc)
rp_status_t rp_guide_init(rp_guide_t *self, const rp_grid_t *ground, double body, uint32_t spread);
void rp_guide_fini(rp_guide_t *self);

/// Bytes of the layer, the discs and `changed`; after fini 0.
uint64_t rp_guide_bytes(const rp_guide_t *self);

/// Take in a cell of the ground that was rewritten, and note in `changed` what that rewrites here.
/// @param was_blocked  whether it blocked when it was taken in last
/// @return RP_E_MEMORY; then start over. Time: O(cells of the disc), on weighted ground O(spread^4)
rp_status_t rp_guide_apply(rp_guide_t *self, rp_cell_t cell, bool was_blocked);

/// True when no legal centre lies in a cell.
bool rp_guide_is_closed(const rp_guide_t *self, rp_cell_t cell);

#endif
