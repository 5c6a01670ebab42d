/// @file
/// Events: what a search is told of a world that changed, and what it says of its last path.
#ifndef REPLAN_PLANNERS_GRID_EVENTS_H
#define REPLAN_PLANNERS_GRID_EVENTS_H

#include "replan/grid.h"
#include "replan/path.h"

/// What happened since the last search, in the order in which a member has to take it in: moved
/// goals, moved start, changed cells. The grid holds the new factors already.
typedef struct rp_update {
    const rp_change_t *changes; ///< merged: each cell once, `before` differs from `after`
    size_t change_count;
    const rp_goal_t *goals; ///< those that are free, at least one
    size_t goal_count;
    rp_cell_t start;
    bool goals_changed;
    bool start_moved;
    rp_path_t shown; ///< the path that the planner shows, as the start and earlier calls of `path`
                     ///< have left it; borrowed until the next call of `path`
} rp_update_t;

/// A start may take so many steps along the path that is shown before the member is told. Then it
/// is told of one move, from the first of these cells to the last.
#define RP_START_LAG_MAX 32u

/// Returned by `path`: more cells than any path has.
#define RP_PATH_KEPT UINT32_MAX

/// Which cells of the path that was written last are cells of the new path too, joined by steps of
/// unchanged cost:
///
///     last path:  left | head | replaced | tail
///     new path:          head | middle   | tail
typedef struct rp_path_stands {
    uint32_t left; ///< cells at the beginning that the start has left; need not be set if head is 0
    uint32_t head; ///< cells after these that stand
    uint32_t tail; ///< cells at the end that stand
} rp_path_stands_t;

#endif
