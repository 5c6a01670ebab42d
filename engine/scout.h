/// @file
/// A scout: goes straight for the goal, greedily, no farther than a few thousand cells. What it
/// finds is legal and seldom the cheapest, but it is there at once, however large the world.
#ifndef REPLAN_ENGINE_SCOUT_H
#define REPLAN_ENGINE_SCOUT_H

#include "replan/grid.h"
#include "replan/path.h"
#include "replan/planner.h"

/// Cells that a scout expands at most.
#define RP_SCOUT_CELLS 2048u

/// A cell that it met.
typedef struct rp_scout_node {
    rp_cell_t cell;
    uint32_t search; ///< nodes of another search are as if they were not
    uint32_t parent; ///< number of the node that it was reached from
} rp_scout_node_t;

typedef struct rp_scout_entry {
    double left; ///< bound on what is left to the goal
    uint32_t node;
} rp_scout_entry_t;

typedef struct rp_scout {
    rp_scout_node_t *nodes;    ///< a table by cell, owned; NULL until it is needed
    rp_scout_entry_t *waiting; ///< a heap, the least `left` first, owned
    rp_cell_t *cells;          ///< of the path, owned
    uint32_t count;            ///< of those that wait
    uint32_t search;
    uint32_t expanded; ///< by the search that ran last
} rp_scout_t;

void rp_scout_fini(rp_scout_t *self);

/// No path from here to one of these goals costs less, in cell lengths on normal ground, offset
/// included. Time: O(goals)
double rp_scout_bound(const rp_grid_t *grid, rp_cell_t from, const rp_goal_t *goals, size_t count);

/// A path to a goal, or to the cell nearest to one by the bound that was met.
/// @param start  not blocked
/// @param path   written; borrowed until the next run; at least its start
/// @param arrives  written: it ends at a goal
/// @return RP_E_MEMORY. Time: RP_SCOUT_CELLS expansions
rp_status_t rp_scout_run(rp_scout_t *self, const rp_grid_t *grid, rp_cell_t start,
                         const rp_goal_t *goals, size_t count, rp_path_t *path, bool *arrives);

#endif
