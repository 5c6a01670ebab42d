/// @file
/// Dijkstra's algorithm, the checker's reference: no heuristic, nothing kept between calls, costs
/// in doubles. Slow and simple on purpose.
#ifndef REPLAN_SIM_CHECK_DIJKSTRA_H
#define REPLAN_SIM_CHECK_DIJKSTRA_H

#include "sim/check/grid_view.h"

typedef struct rp_dijkstra rp_dijkstra_t;

/// Room for planes of up to so many cells. @return NULL without memory
rp_dijkstra_t *rp_dijkstra_new(size_t cell_count);
void rp_dijkstra_destroy(rp_dijkstra_t **self);

/// @return the least cost from start to goal; INFINITY when no legal path leads there, or when one
///         of the two is blocked
/// Time: O(n log n) in the cells that are nearer than the goal.
double rp_dijkstra_cost(rp_dijkstra_t *self, const rp_grid_view_t *grid, uint32_t start,
                        uint32_t goal);

/// The least costs from start to all cells.
/// @return false without memory; nothing is known then
/// Time: O(n log n) in the cells that can be reached.
bool rp_dijkstra_flood(rp_dijkstra_t *self, const rp_grid_view_t *grid, uint32_t start);

/// After a flood: the least cost to a cell; INFINITY when it cannot be reached.
double rp_dijkstra_cost_to(const rp_dijkstra_t *self, uint32_t cell);

/// After a finite cost: the cell before this one on a cheapest path; RP_NOWHERE before the start.
uint32_t rp_dijkstra_before(const rp_dijkstra_t *self, uint32_t cell);

#endif
