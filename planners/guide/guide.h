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
    void *counts;       ///< by place, of `count_bytes` each [cell_count]; NULL: the radius is below
                        ///< 1, so a cell has only itself
    size_t count_bytes; ///< 1, or 2 where the disc has more than 255 cells
    int16_t *half;      ///< half the width of the disc in each of its rows [2 * radius + 1]
    int32_t radius;     ///< cells, rounded down
} rp_guide_disc_t;

typedef struct rp_guide {
    const rp_grid_t *ground;         ///< borrowed: what cells cost
    const rp_obstacles_t *obstacles; ///< borrowed: where they are
    rp_grid_t *layer;                ///< owned
    rp_guide_disc_t inner;           ///< of radius body - 1
    rp_guide_disc_t outer;           ///< of radius body
    rp_cell_t *changed; ///< cells of the layer that were rewritten since they were taken
    size_t changed_count;
    size_t changed_capacity;
    int32_t spread;     ///< cells
    uint32_t counted;   ///< rows whose obstacles are counted
    uint32_t filled;    ///< rows of the layer that are written
    uint32_t *sums;     ///< owned: scratch while it is made
    uint64_t looked_at; ///< cells, since somebody paid for them
} rp_guide_t;

/// A guide that is to be built.
/// @param ground     borrowed
/// @param obstacles  borrowed: all that is known of where the ground blocks
/// @param body       radius of the body, cells
/// @return RP_E_MEMORY. Time: O(1)
rp_status_t rp_guide_init(rp_guide_t *self, const rp_grid_t *ground,
                          const rp_obstacles_t *obstacles, double body, uint32_t spread);
void rp_guide_fini(rp_guide_t *self);

/// Take in all obstacles, row by row. Obstacles stay as they are until that is done; costs may
/// change, and are told afterwards.
/// @param budget  expansions, counted down
/// @return RP_OK when the guide is whole; RP_MORE; RP_E_MEMORY.
///         Time: O(cells * rows of the disc) in all, on weighted ground O(cells * spread^2)
rp_status_t rp_guide_build(rp_guide_t *self, uint64_t *budget);

/// Bytes of the layer, the discs and `changed`; after fini 0.
uint64_t rp_guide_bytes(const rp_guide_t *self);

/// Both at once.
rp_status_t rp_guide_make(rp_guide_t *self, const rp_grid_t *ground,
                          const rp_obstacles_t *obstacles, double body, uint32_t spread);

static inline bool rp_guide_is_whole(const rp_guide_t *self)
{
    return self->ground != NULL && self->filled == self->ground->shape.height;
}

/// Take in a cell that was rewritten, of which obstacles know, and note in `changed` what that
/// rewrites here.
/// @param was_blocked  whether it blocked when it was taken in last
/// @param budget       expansions, counted down by what it takes
/// @return RP_E_MEMORY; then start over. Time: O(cells of the disc), on weighted ground O(spread^4)
rp_status_t rp_guide_apply(rp_guide_t *self, rp_cell_t cell, bool was_blocked, uint64_t *budget);

/// True when no legal centre lies in a cell.
bool rp_guide_is_closed(const rp_guide_t *self, rp_cell_t cell);

#endif
