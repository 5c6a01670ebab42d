/// @file
/// Workload: what usually happens to a path, learnt from updates. Does the start walk, does the
/// goal flee, do changes lie near the goal? By this the search for the next update is chosen.
///
/// A habit is a running mean over about the last eight updates, in 1024ths.
#ifndef REPLAN_PLANNERS_PORTFOLIO_WORKLOAD_H
#define REPLAN_PLANNERS_PORTFOLIO_WORKLOAD_H

#include "planners/core/planner_ops.h"
#include "planners/grid/metric.h"

/// The habit of what always happens.
#define RP_WORKLOAD_ALWAYS 1024u

/// From these on something counts as a habit, and as what happens more often than not.
#define RP_WORKLOAD_OFTEN  (RP_WORKLOAD_ALWAYS / 4u)
#define RP_WORKLOAD_MOSTLY (RP_WORKLOAD_ALWAYS / 2u)

/// An end that moves farther than this at once, in cell lengths, jumps; but not a start that goes
/// on along the path that is shown, by no more than so many steps.
#define RP_WORKLOAD_JUMP   16u
#define RP_WORKLOAD_STRIDE (2u * RP_START_LAG_MAX)

/// After a jump it takes so many updates without one before an end that moves is taken to walk:
/// unrelated queries begin near each other by chance now and then.
#define RP_WORKLOAD_TRIP 3u

/// Cells of a batch that are looked at to see where it lies. A batch smaller than
/// RP_WORKLOAD_BATCH, an obstacle or two that come or go, lies where it does by chance.
#define RP_WORKLOAD_LOOKS 8u
#define RP_WORKLOAD_BATCH 20u

typedef struct rp_workload {
    rp_cell_t start;    ///< of the last update
    rp_cell_t goal;     ///< the first goal of the last update
    bool has_any;       ///< an update came since the first search
    uint32_t calm;      ///< updates since an end jumped, up to RP_WORKLOAD_TRIP
    uint32_t jumping;   ///< an end jumps
    uint32_t walking;   ///< the start moves a little
    uint32_t hunting;   ///< the goal does
    uint32_t near_goal; ///< changes lie near the goal
} rp_workload_t;

/// A running mean, in which a new value counts one eighth.
static inline uint64_t rp_workload_mean_with(uint64_t mean, uint64_t value)
{
    return mean - mean / 8u + value / 8u;
}

/// Forget all workload: nothing is known of what will happen between these ends.
static inline void rp_workload_begin(rp_workload_t *self, rp_cell_t start, rp_cell_t goal)
{
    self->start = start;
    self->goal = goal;
    self->has_any = false;
    self->calm = RP_WORKLOAD_TRIP;
    self->jumping = 0;
}

/// True when trips follow each other so quickly that what is prepared for one is of no use.
static inline bool rp_workload_is_restless(const rp_workload_t *self)
{
    return self->jumping >= RP_WORKLOAD_MOSTLY;
}

/// True when updates belong to one trip, so that what is prepared for it is of use.
static inline bool rp_workload_is_trip(const rp_workload_t *self)
{
    return self->calm == RP_WORKLOAD_TRIP;
}

/// True when an end that went from one cell to the other did not jump.
static inline bool rp_workload_is_step(const rp_grid_t *grid, const rp_metric_t *metric,
                                       rp_cell_t from, rp_cell_t to)
{
    return rp_bound(metric, rp_point_of(grid, from), rp_point_of(grid, to)) <=
           RP_WORKLOAD_JUMP * metric->h_straight;
}

/// True when the start went on along the path that was shown, if it did not go too far.
static inline bool rp_workload_goes_on(const rp_update_t *update)
{
    const rp_path_t *shown = &update->shown;
    const uint32_t most = shown->count < RP_WORKLOAD_STRIDE ? shown->count : RP_WORKLOAD_STRIDE;
    uint32_t steps = 0;
    while (steps < most && shown->cells[steps] != update->start) {
        steps++;
    }
    return steps < most;
}

/// A habit with one more observation. The first one is taken for a habit at once, later ones count
/// into the mean.
static inline uint32_t rp_workload_with(const rp_workload_t *self, uint32_t habit, bool happens)
{
    const uint32_t now = happens ? RP_WORKLOAD_ALWAYS : 0u;
    return self->has_any ? (uint32_t)rp_workload_mean_with(habit, now) : now;
}

/// True when a batch lies nearer to the goal than to the start, by a few of its cells.
static inline bool rp_workload_is_near_goal(const rp_workload_t *self, const rp_grid_t *grid,
                                            const rp_metric_t *metric, const rp_change_t *changes,
                                            size_t count)
{
    const rp_point_t start = rp_point_of(grid, self->start);
    const rp_point_t goal = rp_point_of(grid, self->goal);
    uint64_t to_start = 0;
    uint64_t to_goal = 0;
    for (size_t i = 0; i < RP_WORKLOAD_LOOKS; i++) {
        const rp_point_t point = rp_point_of(grid, changes[i * count / RP_WORKLOAD_LOOKS].cell);
        to_start += rp_bound(metric, start, point);
        to_goal += rp_bound(metric, point, goal);
    }
    return to_goal < to_start / 2u;
}

/// Learn where changes lie, unless they are too few to tell.
static inline void rp_workload_note_changes(rp_workload_t *self, const rp_grid_t *grid,
                                            const rp_metric_t *metric, const rp_change_t *changes,
                                            size_t count)
{
    if (count >= RP_WORKLOAD_BATCH) {
        const bool is_near = rp_workload_is_near_goal(self, grid, metric, changes, count);
        self->near_goal = rp_workload_with(self, self->near_goal, is_near);
    }
}

/// Learn from an update.
/// @return false when an end jumped: another trip begins
static inline bool rp_workload_note(rp_workload_t *self, const rp_grid_t *grid,
                                    const rp_metric_t *metric, const rp_update_t *update)
{
    const rp_cell_t goal = update->goals[0].cell;
    const bool walks =
        update->start_moved && (rp_workload_is_step(grid, metric, self->start, update->start) ||
                                rp_workload_goes_on(update));
    const bool hunts = update->goals_changed && rp_workload_is_step(grid, metric, self->goal, goal);
    self->walking = rp_workload_with(self, self->walking, walks);
    self->hunting = rp_workload_with(self, self->hunting, hunts);
    self->start = update->start;
    self->goal = goal;
    rp_workload_note_changes(self, grid, metric, update->changes, update->change_count);
    self->has_any = true;
    const bool jumps = update->start_moved != walks || update->goals_changed != hunts;
    self->jumping = (uint32_t)rp_workload_mean_with(self->jumping, jumps ? RP_WORKLOAD_ALWAYS : 0u);
    self->calm = jumps ? 0u : self->calm + !rp_workload_is_trip(self);
    return !jumps;
}

#endif
