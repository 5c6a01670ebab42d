/// Paths: their cost outside a search, in doubles.
#include "replan/path.h"

#include <math.h>

/// Difference of two coordinates of a torus as a step: -1, 0 or 1; 2 when farther.
static int step_between(uint32_t from, uint32_t to, uint32_t side)
{
    const uint32_t ahead = to >= from ? to - from : to + side - from;
    if (ahead <= 1u) {
        return (int)ahead;
    }
    return ahead == side - 1u ? -1 : 2;
}

unsigned rp_path_direction_over_seam(const rp_grid_t *grid, rp_cell_t from, rp_cell_t to)
{
    static const uint8_t directions[3][3] = {{5, 6, 7}, {4, RP_DIRECTIONS, 0}, {3, 2, 1}};
    const rp_grid_shape_t *shape = &grid->shape;
    const int dx = step_between(rp_grid_x(grid, from), rp_grid_x(grid, to), shape->width);
    const int dy = step_between(rp_grid_y(grid, from), rp_grid_y(grid, to), shape->height);
    if (dx == 2 || dy == 2) {
        return RP_DIRECTIONS;
    }
    return directions[dy + 1][dx + 1];
}

double rp_walk_cost(const rp_walk_t *self, const rp_grid_t *grid)
{
    return ((double)self->factors[0] + (double)self->factors[1] * sqrt(2.0)) /
           (2.0 * grid->shape.unit);
}

double rp_path_cost(const rp_path_t *self, const rp_grid_t *grid)
{
    rp_walk_t walk = {.factors = {0, 0}};
    if (self->count != 0 && grid->factor[self->cells[0]] == 0) {
        return -1.0;
    }
    unsigned direction = RP_DIRECTIONS;
    rp_cell_t step = 0; // that this direction makes; over the seam of a torus one may make two
    for (uint32_t i = 1; i < self->count; i++) {
        const rp_cell_t from = self->cells[i - 1u];
        const rp_cell_t to = self->cells[i];
        if (to - from != step || grid->shape.wraps) {
            direction = rp_path_direction(grid, from, to);
            step = to - from;
        }
        // A legal step ends on a cell that is free; direction 8 is none.
        if (((grid->moves[from] >> direction) & 1u) == 0) {
            return -1.0;
        }
        walk.factors[direction & 1u] += (uint64_t)grid->factor[from] + grid->factor[to];
    }
    return rp_walk_cost(&walk, grid);
}
