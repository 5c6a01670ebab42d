/// @file
/// Whether a path is still optimal after a batch of changes that its search was not told of, on
/// unweighted ground. What the search knew before bounds the cost of any new path:
///
///     start - - - - > x -> y . . . . > root         x -> y: the last step of it that was freed
///             bound        at least g(y), or through a cell of OPEN
///
/// From y on a new path uses only steps that the search knew. So this rest costs at least g(y), or
/// it passes a cell that is still in OPEN; but no path through such a cell is cheaper than the one
/// that was found, or the search would not have ended. Cells that were blocked meanwhile make no
/// path cheaper. When the start walks on along its path, both costs fall by the same amount. So
/// several batches may be judged one after the other, without the search being told of any.
#ifndef REPLAN_SEARCH_OUTLAST_H
#define REPLAN_SEARCH_OUTLAST_H

#include "planners/search/lookahead.h"

typedef struct rp_outlast {
    const rp_lookahead_t *look; ///< its search has ended, and found a path
    rp_point_t start;
    rp_cost_t cost; ///< of the path from there
} rp_outlast_t;

/// True when no path is cheaper that leads from the start to `from`, by an edge to `to`, and on.
static inline bool rp_outlast_bounds(const rp_outlast_t *self, rp_point_t from, rp_cost_t edge,
                                     rp_cell_t to)
{
    const rp_cost_t g = rp_lookahead_g(self->look, to);
    return g == RP_COST_INF ||
           rp_bound(&self->look->metric, self->start, from) + edge + g >= self->cost;
}

/// Judge the steps between a freed cell and its neighbours. The search never reached the cell, so a
/// path through it goes on by one of its neighbours. If the search does know the cell, then it was
/// free, blocked and freed again: the search must be told of that.
static inline bool rp_outlast_steps(const rp_outlast_t *self, rp_cell_t freed)
{
    const rp_lookahead_t *look = self->look;
    const rp_point_t point = rp_point_of(look->grid, freed);
    const rp_cost_t ahead = rp_bound(&look->metric, self->start, point);
    unsigned direction;
    rp_cell_t next;
    if (rp_lookahead_g(look, freed) != RP_COST_INF) {
        return false;
    }
    RP_FOR_MOVES (look->grid, freed, direction, next) {
        const rp_cost_t g = rp_lookahead_g(look, next);
        const rp_cost_t edge = rp_edge(&look->metric, freed, next, direction);
        if (g != RP_COST_INF && ahead + edge + g < self->cost) {
            return false;
        }
    }
    return true;
}

/// Judge the diagonals that a freed cell opened between its orthogonal neighbours.
static inline bool rp_outlast_corners(const rp_outlast_t *self, rp_cell_t freed)
{
    const rp_grid_t *grid = self->look->grid;
    for (unsigned straight = 0; straight < RP_DIRECTIONS; straight += 2u) {
        const rp_cell_t from = rp_grid_step(grid, freed, straight);
        const unsigned direction = (straight + 3u) & 7u; // from that neighbour past `freed`
        if (((grid->moves[from] >> direction) & 1u) == 0) {
            continue;
        }
        const rp_cell_t to = rp_grid_step(grid, from, direction);
        const rp_cost_t edge = rp_edge(&self->look->metric, from, to, direction);
        if (!rp_outlast_bounds(self, rp_point_of(grid, from), edge, to) ||
            !rp_outlast_bounds(self, rp_point_of(grid, to), edge, from)) {
            return false;
        }
    }
    return true;
}

/// True when the path is still legal and optimal after all of these changes. Time: O(count)
/// @param start  on the trail of the search
static inline bool rp_outlast_batch(const rp_lookahead_t *look, rp_cell_t start,
                                    const rp_change_t *changes, size_t count)
{
    if (!look->has_path || look->metric.factor != NULL ||
        !rp_trail_leads_from(&look->trail, start)) {
        return false;
    }
    const rp_outlast_t self = {
        .look = look,
        .start = rp_point_of(look->grid, start),
        .cost = look->trail.steps[rp_trail_place(&look->trail, start)].cost,
    };
    const bool has_corners = look->grid->shape.neighbors == 8;
    for (size_t i = 0; i < count; i++) {
        const rp_change_t *change = &changes[i];
        const bool is_freed = change->before == 0 && change->after != 0;
        if (rp_trail_is_hit(&look->trail, change) ||
            (is_freed && (!rp_outlast_steps(&self, change->cell) ||
                          (has_corners && !rp_outlast_corners(&self, change->cell))))) {
            return false;
        }
    }
    return true;
}

#endif
