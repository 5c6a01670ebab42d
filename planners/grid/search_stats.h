/// @file
/// What a search counts. Users are told a part of it (rp_plan_stats_t); the rest is for tables of
/// papers (papers/papers.h).
#ifndef REPLAN_PLANNERS_GRID_SEARCH_STATS_H
#define REPLAN_PLANNERS_GRID_SEARCH_STATS_H

#include "replan/planner.h"

/// For a search's own loops: one plain loop for each constant that they are called with. Left to
/// itself the compiler asks for kind and variant at every cell.
#define RP_SEARCH_LOOP static inline __attribute__((always_inline))

/// Iterations and visits are the rows of "Fringe Search" tables 1 and 2: `astar`, `fringe` and
/// `me-ida` fill in all of them; other planners those that their search has, and 0 for the rest.
typedef struct rp_search_stats {
    uint64_t expanded;      ///< from here on as in rp_plan_stats_t, where it has the field
    uint64_t expanded_fast; ///< of these, without a queue operation: by variants 1 and 2, or by a
                            ///< breadth first search that guides another
    uint64_t generated;
    uint64_t iterations;    ///< different values of f (of the limit on f) worked through
    uint64_t visited;       ///< times that a cell was looked at to see whether to expand it
    uint64_t visited_last;  ///< of `visited`, in the last iteration
    uint64_t expanded_last; ///< of `expanded`, in the last iteration
    uint32_t restarts;
    uint32_t checked;
    uint32_t differed;
    uint64_t bytes;
    const char *planner;
    const char *why;
} rp_search_stats_t;

/// What users are told of it.
static inline rp_plan_stats_t rp_search_stats_told(const rp_search_stats_t *self)
{
    return (rp_plan_stats_t){
        .expanded = self->expanded,
        .generated = self->generated,
        .restarts = self->restarts,
        .checked = self->checked,
        .differed = self->differed,
        .bytes = self->bytes,
        .planner = self->planner,
        .why = self->why,
    };
}

#endif
