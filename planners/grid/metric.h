/// @file
/// Edges and heuristic of one grid in whole numbers: ties are exact.
///
/// Uniform ground: an edge costs its length. Weighted: length * (factor + factor), the mean twice,
/// so that no half is needed. The heuristic is the octile (Manhattan; wrapped) distance times the
/// least factor that a cell may ever have: it stays consistent whatever changes.
#ifndef REPLAN_PLANNERS_GRID_METRIC_H
#define REPLAN_PLANNERS_GRID_METRIC_H

#include "planners/grid/batch_summary.h"
#include "planners/grid/cost.h"

typedef struct rp_metric {
    const uint8_t *factor; ///< the grid's, or NULL on uniform ground
    rp_cost_t length[2];   ///< of a straight and a diagonal step
    rp_cost_t h_straight;  ///< heuristic for one straight step
    rp_cost_t h_diagonal;  ///< for one diagonal step; twice the straight one for 4 neighbours
    rp_cost_t dearest;     ///< no edge costs more
    rp_cost_t cell_length; ///< one straight step on normal ground: offsets of goals
    int32_t width;
    int32_t height;
    bool wraps;
} rp_metric_t;

static inline rp_metric_t rp_metric_of(const rp_grid_t *grid)
{
    const bool eight = grid->shape.neighbors == 8;
    const rp_cost_t straight = eight ? RP_STRAIGHT : 1u;
    const rp_cost_t diagonal = eight ? RP_DIAGONAL : 2u;
    const rp_cost_t least = grid->weighted ? 2u * (rp_cost_t)grid->shape.least : 1u;
    const rp_cost_t unit = grid->weighted ? 2u * (rp_cost_t)grid->shape.unit : 1u;
    const rp_cost_t most = grid->weighted ? 2u * (rp_cost_t)grid->greatest : 1u;
    return (rp_metric_t){
        .factor = grid->weighted ? grid->factor : NULL,
        .length = {straight, diagonal},
        .h_straight = straight * least,
        .h_diagonal = diagonal * least,
        .dearest = (eight ? diagonal : straight) * most,
        .cell_length = straight * unit,
        .width = (int32_t)grid->shape.width,
        .height = (int32_t)grid->shape.height,
        .wraps = grid->shape.wraps,
    };
}

/// Cost of the legal step between two neighbours; the same both ways.
static inline rp_cost_t rp_edge(const rp_metric_t *self, rp_cell_t from, rp_cell_t to,
                                unsigned direction)
{
    rp_cost_t length = self->length[direction & 1u];
    if (self->factor == NULL) {
        return length;
    }
    return length * ((rp_cost_t)self->factor[from] + self->factor[to]);
}

/// A place to measure from, taken apart once.
typedef struct rp_point {
    int32_t x;
    int32_t y;
} rp_point_t;

static inline rp_point_t rp_point_of(const rp_grid_t *grid, rp_cell_t cell)
{
    const uint32_t row = rp_grid_row(grid, cell);
    return (rp_point_t){(int32_t)(cell - row * grid->stride - 1u), (int32_t)(row - 1u)};
}

/// The point one step away. On a wrapped world it may lie one cell outside, which rp_bound()
/// measures rightly.
static inline rp_point_t rp_point_step(rp_point_t point, unsigned direction)
{
    static const int8_t step_x[RP_DIRECTIONS] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int8_t step_y[RP_DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};
    return (rp_point_t){point.x + step_x[direction], point.y + step_y[direction]};
}

/// What so many columns and rows cost at least.
static inline rp_cost_t rp_bound_of(const rp_metric_t *self, int32_t dx, int32_t dy)
{
    const rp_cost_t low = (rp_cost_t)(dx < dy ? dx : dy);
    const rp_cost_t high = (rp_cost_t)(dx < dy ? dy : dx);
    return self->h_diagonal * low + self->h_straight * (high - low);
}

/// Admissible and consistent bound on the cost between two points, symmetric.
static inline rp_cost_t rp_bound(const rp_metric_t *self, rp_point_t a, rp_point_t b)
{
    int32_t dx = a.x < b.x ? b.x - a.x : a.x - b.x;
    int32_t dy = a.y < b.y ? b.y - a.y : a.y - b.y;
    if (self->wraps) {
        dx = dx < self->width - dx ? dx : self->width - dx;
        dy = dy < self->height - dy ? dy : self->height - dy;
    }
    return rp_bound_of(self, dx, dy);
}

/// A bound on the cost between a point and any cell of a site. On a torus it says nothing.
static inline rp_cost_t rp_bound_to_extent(const rp_metric_t *self, rp_point_t from,
                                           const rp_extent_t *extent)
{
    const int32_t column = from.x + 1;
    const int32_t row = from.y + 1;
    const int32_t east = (int32_t)extent->left - column;
    const int32_t west = column - (int32_t)extent->right;
    const int32_t south = (int32_t)extent->top - row;
    const int32_t north = row - (int32_t)extent->bottom;
    const int32_t dx = east > west ? east : west;
    const int32_t dy = south > north ? south : north;
    return self->wraps ? 0 : rp_bound_of(self, dx > 0 ? dx : 0, dy > 0 ? dy : 0);
}

#endif
