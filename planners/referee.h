/// @file
/// A referee: what the best path costs, by a search that shares nothing with the planners. It has
/// no heuristic, keeps nothing from one search to the next, and knows of a grid only its moves and
/// factors: Dijkstra's algorithm, slow and plain.
#ifndef REPLAN_PLANNERS_REFEREE_H
#define REPLAN_PLANNERS_REFEREE_H

#include "replan/grid.h"
#include "replan/path.h"

/// No path.
#define RP_REFEREE_NONE UINT64_MAX

typedef struct rp_referee rp_referee_t;

/// @param grid  borrowed until destroyed
/// @return NULL without memory. Memory is taken as it is touched, some 9 bytes a cell and 16 for
///         each cell of OPEN
rp_referee_t *rp_referee_new(const rp_grid_t *grid);
void rp_referee_destroy(rp_referee_t **self);

/// Begin a search between free cells. Time: O(cells).
/// @param goals  borrowed until the search has ended [count]
void rp_referee_begin(rp_referee_t *self, rp_cell_t start, const rp_goal_t *goals, size_t count);

/// Go on until the cost is known or the budget is used up (counted down).
/// @param cost  written at the end: of the best path, in twice the whole lengths of
/// planners/grid/cost.h;
///              RP_REFEREE_NONE without one
/// @return RP_OK or RP_MORE
rp_status_t rp_referee_search(rp_referee_t *self, uint64_t *budget, uint64_t *cost);

/// What a path costs in the same measure, the offset of the goal where it ends included.
/// @return RP_REFEREE_NONE when it has no cells; RP_REFEREE_NONE - 1 when a step of it is illegal,
///         or it does not lead from `start` to a goal
uint64_t rp_referee_cost(const rp_grid_t *grid, const rp_path_t *path, rp_cell_t start,
                         const rp_goal_t *goals, size_t count);

#endif
