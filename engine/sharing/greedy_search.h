/// @file
/// Greedy search: best first by the bound alone, within a few thousand cells. Its path is legal
/// and seldom the cheapest, but it is there at once, however large the world. A greedy search with
/// a higher limit runs in slices.
#ifndef REPLAN_ENGINE_SHARING_GREEDY_SEARCH_H
#define REPLAN_ENGINE_SHARING_GREEDY_SEARCH_H

#include "replan/grid.h"
#include "replan/path.h"
#include "replan/planner.h"

/// Cells that a greedy search expands at most: at once, and in slices. Powers of two.
#define RP_GREEDY_SEARCH_CELLS 2048u
#define RP_GREEDY_SEARCH_FAR   32768u

/// Goals that are looked at for each cell: to go for one of these is good enough.
#define RP_GREEDY_SEARCH_GOALS 16u

/// A cell that it met.
typedef struct rp_greedy_search_node {
    rp_cell_t cell;
    uint32_t search; ///< nodes of another search are as if they were not
    uint32_t parent; ///< number of the node that it was reached from
} rp_greedy_search_node_t;

typedef struct rp_greedy_search_entry {
    double left; ///< bound on what is left to the goal
    uint32_t node;
} rp_greedy_search_entry_t;

typedef struct rp_greedy_search {
    rp_greedy_search_node_t *nodes;    ///< a table by cell, owned; NULL until it is needed
    rp_greedy_search_entry_t *waiting; ///< a heap, the least `left` first, owned
    rp_cell_t *cells;                  ///< of the path, owned
    uint32_t count;                    ///< of those that wait
    uint32_t search;
    uint32_t expanded;     ///< by the search that ran last
    uint32_t most;         ///< that it may expand: RP_GREEDY_SEARCH_CELLS or RP_GREEDY_SEARCH_FAR
    const void *user;      ///< the session that it serves in slices; NULL: none
    const rp_grid_t *grid; ///< borrowed while it is under way
    rp_goal_t goals[RP_GREEDY_SEARCH_GOALS]; ///< [goal_count]
    size_t goal_count;
    uint32_t best; ///< node that came nearest to a goal
    double least;  ///< bound on what is left from there
} rp_greedy_search_t;

void rp_greedy_search_init(rp_greedy_search_t *self, uint32_t most);
void rp_greedy_search_fini(rp_greedy_search_t *self);

/// No path from here to one of these goals costs less, in cell lengths on normal ground, offset
/// included. Time: O(goals)
double rp_greedy_search_bound(const rp_grid_t *grid, rp_cell_t from, const rp_goal_t *goals,
                              size_t count);

/// Set out. @param start  not blocked
/// @param goals  copied; of more than RP_GREEDY_SEARCH_GOALS the first ones [count]
/// @param grid  borrowed until the greedy search is back; writes may come between its slices, then
/// the path
///              must be looked at again
/// @return RP_E_MEMORY
rp_status_t rp_greedy_search_begin(rp_greedy_search_t *self, const rp_grid_t *grid, rp_cell_t start,
                                   const rp_goal_t *goals, size_t count);

/// Go on. @param budget  expansions, counted down
/// @param path     written on RP_OK: to a goal, or to the cell nearest to one by the bound that was
///                 met; borrowed until it sets out again; at least its start
/// @param arrives  written on RP_OK: it ends at a goal
/// @return RP_MORE when the budget was spent first
rp_status_t rp_greedy_search_go(rp_greedy_search_t *self, uint64_t *budget, rp_path_t *path,
                                bool *arrives);

/// Both at once; the grid is borrowed until return, the path as above. @return RP_E_MEMORY. Time:
/// `most` expansions
rp_status_t rp_greedy_search_run(rp_greedy_search_t *self, const rp_grid_t *grid, rp_cell_t start,
                                 const rp_goal_t *goals, size_t count, rp_path_t *path,
                                 bool *arrives);

#endif
