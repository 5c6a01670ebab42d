/// @file
/// Pending changes: what a planner was not told yet. When merged, one entry for each cell, with its
/// first and its last factor; cells that are as they were drop out.
#ifndef REPLAN_PLANNERS_CORE_CHANGE_LOG_H
#define REPLAN_PLANNERS_CORE_CHANGE_LOG_H

#include <stddef.h>

#include "replan/planner.h"

typedef struct rp_change_log {
    rp_change_t *changes; ///< owned; may name a cell twice until merged [capacity]
    size_t count;
    size_t capacity;
    bool is_merged;
    uint32_t natives; ///< what they ask of a member natively, when merged
} rp_change_log_t;

/// Take in a batch, which names no cell twice: alone it needs no sorting.
/// @return RP_E_INVALID when a cell is not of the grid, RP_E_MEMORY; then nothing is taken in
rp_status_t rp_change_log_add(rp_change_log_t *self, const rp_grid_t *grid,
                              const rp_change_t *changes, size_t count);

/// Time: O(n log n); O(n) for one batch, or when they came in order of their cells. Allocates
/// nothing.
void rp_change_log_merge(rp_change_log_t *self);

void rp_change_log_clear(rp_change_log_t *self);

void rp_change_log_fini(rp_change_log_t *self);

#endif
