/// @file
/// Whether a path outlasts a batch of changes of which the search that found it does not hear, on
/// ground that is not weighted: what it knew before bounds what a way over them can cost.
///
///     start - - - - > x -> y . . . . > root         x -> y: the last step that was freed
///             bound        g at least, or a cell of OPEN
///
/// From y on such a way leads over ground that the search knew. So that rest costs at least g(y),
/// or it meets a cell that stands in OPEN and that no way to the start that is cheaper than the
/// path passes: else the search would not have ended. What was blocked meanwhile makes nothing
/// cheaper, and a start that walks on along the path takes the same off both sides. Hence batches
/// may be judged one after the other.
#ifndef REPLAN_SEARCH_OUTLAST_H
#define REPLAN_SEARCH_OUTLAST_H

#include "planners/search/lookahead.h"

typedef struct rp_outlast {
    const rp_lookahead_t *look; ///< its search has ended, and found a path
    rp_point_t start;
    rp_cost_t cost; ///< of the path from there
} rp_outlast_t;

/// True when no way from the start to this place and on from a cell at this cost is cheaper.
static inline bool rp_outlast_bounds(const rp_outlast_t *self, rp_point_t from, rp_cost_t edge,
                                     rp_cell_t to)
{
    const rp_cost_t g = rp_lookahead_g(self->look, to);
    return g == RP_COST_INF ||
           rp_bound(&self->look->metric, self->start, from) + edge + g >= self->cost;
}

/// The steps that a freed cell opened. Those that lead to it are as dear as the search knows: it
/// never came there. One that it takes for free was blocked meanwhile: let it hear of both.
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

/// The diagonals that a freed cell opened between its orthogonal neighbours.
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

/// True when the path stands after all of these. @param start  on the trail. Time: O(count)
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
