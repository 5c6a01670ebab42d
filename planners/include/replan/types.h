/// @file
/// Words that every part of replan shares: cells, directions, changes, goals; and statuses.
#ifndef REPLAN_TYPES_H
#define REPLAN_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "replan/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One square of a grid: its place in the grid's padded arrays. Get it by rp_grid_cell(), read it
/// by rp_grid_x() and rp_grid_y(); it means nothing in a grid of another size.
typedef uint32_t rp_cell_t;

/// No cell: the first place of a padded array belongs to the rim.
#define RP_NO_CELL ((rp_cell_t)0)

/// Directions of a step, from +x towards +y: 0 = +x, 1 = +x+y, 2 = +y, 3 = -x+y, 4 = -x,
/// 5 = -x-y, 6 = -y, 7 = +x-y. Odd ones are diagonal. The wire uses the same numbers.
typedef uint8_t rp_direction_t;
#define RP_DIRECTIONS 8u

/// One cell that was rewritten. A factor of 0 blocks; 1..255 multiplies the cost of a move.
typedef struct rp_change {
    rp_cell_t cell;
    uint8_t before; ///< factor that the planner last heard of
    uint8_t after;  ///< factor that the grid holds now
} rp_change_t;

/// One goal: a cell, and what it costs to stop there. A point is a set of one with offset 0.
typedef struct rp_goal {
    rp_cell_t cell;
    uint32_t offset; ///< in cell lengths on unit ground, added to the cost of a path that ends here
} rp_goal_t;

#ifdef __cplusplus
}
#endif

#endif
