/// @file
/// A path: cells from start to goal, each a neighbour of the one before. No pointer that is taken
/// here is NULL: that is not checked.
#ifndef REPLAN_PATH_H
#define REPLAN_PATH_H

#include "replan/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rp_path {
    const rp_cell_t *cells; ///< start first, goal last; borrowed from its maker [count]
    uint32_t count;         ///< 0: no path; 1: start is goal
} rp_path_t;

static inline bool rp_path_is_empty(const rp_path_t *self)
{
    return self->count == 0;
}

/// A legal path as whole numbers that give its cost: what a step counts is the sum of the factors
/// of its two cells.
typedef struct rp_walk {
    uint64_t factors[2]; ///< sum over the straight steps, and over the diagonal ones
    rp_cell_t end;       ///< its last cell
} rp_walk_t;

/// Cost of a walk, in the unit of rp_path_cost(). Time: O(1).
double rp_walk_cost(const rp_walk_t *self, const rp_grid_t *grid);

/// Cost in cell lengths on normal ground, summed in doubles along the path: each step its length
/// (1 or sqrt 2) times the mean factor of its two cells, over the unit. Straights and diagonals are
/// counted apart, so a uniform path of any length is exact to the last bits.
/// @return the cost, or -1 when a step is illegal on this grid now. Time: O(count).
double rp_path_cost(const rp_path_t *self, const rp_grid_t *grid);

/// rp_path_direction() on a torus, for two cells that need not lie side by side in memory.
unsigned rp_path_direction_over_seam(const rp_grid_t *grid, rp_cell_t from, rp_cell_t to);

/// Direction from one cell to a neighbour, over the seam of a torus too. Whether that step is legal
/// is not asked.
/// @return 0..7, or RP_DIRECTIONS when the two are not neighbours
static inline unsigned rp_path_direction(const rp_grid_t *grid, rp_cell_t from, rp_cell_t to)
{
    static const uint8_t directions[3][3] = {{5, 6, 7}, {4, RP_DIRECTIONS, 0}, {3, 2, 1}};
    // Counted from the neighbour above on the left, across three rows of `stride` places.
    const uint32_t ahead = to - from + grid->stride + 1u;
    const uint32_t row = ahead < grid->stride ? 0u : ahead < 2u * grid->stride ? 1u : 2u;
    const uint32_t column = ahead - row * grid->stride;
    if (column > 2u) {
        return grid->shape.wraps ? rp_path_direction_over_seam(grid, from, to) : RP_DIRECTIONS;
    }
    return directions[row][column];
}

#ifdef __cplusplus
}
#endif

#endif
