/// @file
/// Cost of a path, by walking it on the grid, for comparing planners. A path that is unchanged, or
/// the rest of an old one, and that no change touched, is not walked again: a walk over a thousand
/// cells evicts from the cache what the next plan, which takes less time, needs.
#ifndef REPLAN_BENCH_MEASURE_PATH_CHECK_H
#define REPLAN_BENCH_MEASURE_PATH_CHECK_H

#include <stdbool.h>

#include "replan/path.h"

/// It is no legal path from start to goal: agrees with nothing, nor with that there is none.
#define RP_PATH_CHECK_ILLEGAL (UINT64_MAX - 1u)

typedef struct rp_path_check {
    const rp_grid_t *grid; ///< borrowed
    uint8_t *near;         ///< by cell: on the path that was walked, or beside it [cell_count]
    rp_cell_t *cells;      ///< that path [count of capacity]
    uint32_t first;        ///< of it that is left
    uint32_t count;        ///< 0: none is known
    uint32_t capacity;
    uint64_t cost; ///< of what is left
    bool is_met;   ///< a change came near since
} rp_path_check_t;

/// Forget what it knew. @param grid  borrowed until the next, or fini
void rp_path_check_begin(rp_path_check_t *self, const rp_grid_t *grid);
void rp_path_check_fini(rp_path_check_t *self);

/// These cells changed.
void rp_path_check_changes(rp_path_check_t *self, const rp_change_t *changes, size_t count);

/// The cost by the lengths that the searches use, twice, so that means of two factors are whole.
/// Two optimal paths have exactly the same.
/// @param path  not empty
uint64_t rp_path_check_cost(rp_path_check_t *self, const rp_path_t *path, rp_cell_t start,
                            rp_cell_t goal);

#endif
