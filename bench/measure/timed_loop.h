/// @file
/// Timed loop: the updates of a trace one after the other without a pause, with only time stamps
/// (processor ticks) between them, and idle time where the trace grants it. For updates so short
/// that a look at their paths would spoil the caches for the next.
///
/// The processor is not drained between updates: it may still execute one when the next begins, as
/// for any caller. One update ends where the next begins, so no deferred work is lost. Idle time,
/// and a read of the clock every 64th time or after a long update, are outside of all updates. The
/// cost of a stamp is subtracted.
///
/// Costs and paths are stored, not checked. The caller plays the same trace again, checks each path
/// there, and compares.
#ifndef REPLAN_BENCH_MEASURE_TIMED_LOOP_H
#define REPLAN_BENCH_MEASURE_TIMED_LOOP_H

#include "bench/measure/trace.h"
#include "replan/planner.h"

/// What one step was.
typedef struct rp_timed_loop_step {
    double grid_ns;  ///< the cells written into the grid
    double ns;       ///< changes taken in, search, path
    double cost;     ///< of the plan
    uint32_t cells;  ///< of its path
    uint32_t digest; ///< of these; 0: not made
} rp_timed_loop_step_t;

/// How a timed loop is run.
typedef struct rp_timed_loop_rules {
    double tick_ns; ///< of one tick
    uint32_t every; ///< a plan at each so manieth step only; at the others it only takes in what
                    ///< happens; 0: at each
    bool idles;     ///< it is given the time that the trace grants
} rp_timed_loop_rules_t;

/// @param planner  was just bound to the grid
/// @param changes  of all steps, as rp_trace_changes() [trace->toggle_count]
/// @param steps    written [trace->step_count]
/// @return RP_OK or the planner's refusal
rp_status_t rp_timed_loop_play(rp_planner_t *planner, rp_grid_t *grid, const rp_trace_t *trace,
                               rp_change_t *changes, const rp_timed_loop_rules_t *rules,
                               rp_timed_loop_step_t *steps);

/// True when a plan of the same step is what the timed loop found.
bool rp_timed_loop_agrees(const rp_timed_loop_step_t *self, const rp_plan_t *plan);

#endif
