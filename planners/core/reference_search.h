/// @file
/// A reference search: what the best path costs, by a search that shares nothing with the planners.
/// It has no heuristic, keeps nothing from one search to the next, and knows of a grid only its
/// moves and factors: Dijkstra's algorithm, slow and plain.
#ifndef REPLAN_PLANNERS_CORE_REFERENCE_SEARCH_H
#define REPLAN_PLANNERS_CORE_REFERENCE_SEARCH_H

#include "replan/grid.h"
#include "replan/path.h"

/// No path.
#define RP_REFERENCE_SEARCH_NONE UINT64_MAX

typedef struct rp_reference_search rp_reference_search_t;

/// @param grid  borrowed until destroyed
/// @return NULL without memory. Memory is taken as it is touched, some 9 bytes a cell and 16 for
///         each cell of OPEN
rp_reference_search_t *rp_reference_search_new(const rp_grid_t *grid);
void rp_reference_search_destroy(rp_reference_search_t **self);

/// Begin a search between free cells. Time: O(cells).
/// @param goals  borrowed until the search has ended [count]
void rp_reference_search_begin(rp_reference_search_t *self, rp_cell_t start, const rp_goal_t *goals,
                               size_t count);

/// Go on until the cost is known or the budget is used up (counted down).
/// @param cost  written at the end: of the best path, in twice the whole lengths of
/// grid/cost.h;
///              RP_REFERENCE_SEARCH_NONE without one
/// @return RP_OK or RP_MORE
rp_status_t rp_reference_search_run(rp_reference_search_t *self, uint64_t *budget, uint64_t *cost);

/// What a path costs in the same measure, the offset of the goal where it ends included.
/// @return RP_REFERENCE_SEARCH_NONE when it has no cells; RP_REFERENCE_SEARCH_NONE - 1 when a step
/// of it is illegal,
///         or it does not lead from `start` to a goal
uint64_t rp_reference_search_cost(const rp_grid_t *grid, const rp_path_t *path, rp_cell_t start,
                                  const rp_goal_t *goals, size_t count);

#endif
