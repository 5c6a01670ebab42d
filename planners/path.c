/// Paths: their cost outside a search, in doubles.
#include "replan/path.h"

#include <math.h>

/// Difference of two coordinates as a step: -1, 0 or 1, across the seam too; 2 when farther.
static int step_between(uint32_t from, uint32_t to, uint32_t side, bool wraps)
{
    const int64_t difference = (int64_t)to - (int64_t)from;
    if (difference >= -1 && difference <= 1) {
        return (int)difference;
    }
    if (wraps && difference == (int64_t)side - 1) {
        return -1;
    }
    if (wraps && difference == 1 - (int64_t)side) {
        return 1;
    }
    return 2;
}

unsigned rp_path_direction(const rp_grid_t *grid, rp_cell_t from, rp_cell_t to)
{
    static const uint8_t directions[3][3] = {{5, 6, 7}, {4, RP_DIRECTIONS, 0}, {3, 2, 1}};
    const rp_grid_shape_t *shape = &grid->shape;
    const int dx =
        step_between(rp_grid_x(grid, from), rp_grid_x(grid, to), shape->width, shape->wraps);
    const int dy =
        step_between(rp_grid_y(grid, from), rp_grid_y(grid, to), shape->height, shape->wraps);
    if (dx == 2 || dy == 2) {
        return RP_DIRECTIONS;
    }
    return directions[dy + 1][dx + 1];
}

double rp_path_cost(const rp_path_t *self, const rp_grid_t *grid)
{
    uint64_t straights = 0; // sums of the two factors of each step: exact in whole numbers
    uint64_t diagonals = 0;
    for (uint32_t i = 0; i < self->count; i++) {
        const rp_cell_t cell = self->cells[i];
        if (grid->factor[cell] == 0) {
            return -1.0;
        }
        if (i == 0) {
            continue;
        }
        const rp_cell_t last = self->cells[i - 1];
        const unsigned direction = rp_path_direction(grid, last, cell);
        if (direction == RP_DIRECTIONS || ((grid->moves[last] >> direction) & 1u) == 0) {
            return -1.0;
        }
        const uint64_t factors = (uint64_t)grid->factor[last] + grid->factor[cell];
        if (rp_direction_is_diagonal(direction)) {
            diagonals += factors;
        } else {
            straights += factors;
        }
    }
    return ((double)straights + (double)diagonals * sqrt(2.0)) / (2.0 * grid->shape.unit);
}
