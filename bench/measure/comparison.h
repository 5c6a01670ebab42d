/// @file
/// Comparison: contenders play the same traces, one after the other in rotating order, each on a
/// grid of its own. Every cost is compared.
#ifndef REPLAN_BENCH_MEASURE_COMPARISON_H
#define REPLAN_BENCH_MEASURE_COMPARISON_H

#include "bench/measure/path_check.h"
#include "bench/measure/stopwatch.h"
#include "bench/measure/trace.h"
#include "planners/papers/papers.h"
#include "planners/portfolio/certificate.h"
#include "replan/planner.h"

#define RP_CONTENDERS_MAX 24u

typedef struct rp_contender {
    const char *name; ///< as tables print it
    const char *id;   ///< of the planner
    rp_member_options_t options;
    uint32_t timeout_ms;   ///< a plan stops after so much CPU time; 0: it never does
    uint32_t every;        ///< it plans at each so manieth step only; 0: at each. It only takes in
                           ///< what happens at the others: a sample of a slow one
    bool rests;            ///< it does not plan at idle steps
    bool never_idles;      ///< it is given no time between steps: to see what that is good for
    bool is_narrow;        ///< it uses no wide instructions (measure/simd_limit.h)
    rp_planner_t *planner; ///< owned by the match
    rp_grid_t *grid;       ///< owned by the match; what the planner is bound to
    rp_path_check_t check; ///< owned by the match; of its paths
    rp_cell_t *kept;       ///< owned by the match; on a trip of its own, the path of who rests: it
                           ///< pays for keeping it [grid->cell_count]
    rp_certificate_t path; ///< owned by the match; of that path: it pays for the look, too, that
                           ///< lets it rest
} rp_contender_t;

/// What one step was for one contender.
typedef struct rp_play {
    double ns;      ///< CPU time: changes taken in, search, path
    double grid_ns; ///< CPU time: the cells written into the grid
    double
        apart_ns; ///< of a trace that timed loops: both, when the step was played by itself, waited
                  ///< for and its path looked at; what stands above is of the timed loop then
    uint64_t cost; ///< by lengths and factors, twice; UINT64_MAX: no path
    rp_search_stats_t stats;
    uint32_t cells;         ///< of the path
    bool timed_out;         ///< nothing else is known then but ns
    bool rested;            ///< it did not plan: nothing else is known then but ns
    double idle_ns;         ///< CPU time: idle time after it, where the trace has any
    uint64_t idle_expanded; ///< expansions in that
} rp_play_t;

typedef struct rp_comparison {
    rp_contender_t contenders[RP_CONTENDERS_MAX];
    size_t count;
    rp_play_t *plays; ///< owned; of each contender in turn [count * capacity]
    size_t capacity;
    size_t step_count;    ///< steps that were played of the last trace
    rp_stopwatch_t plan;  ///< times plans, and the writing of the grid
    rp_stopwatch_t rest;  ///< and idle time
    size_t turn;          ///< who begins
    unsigned differences; ///< costs that did not agree
} rp_comparison_t;

/// Takes those contenders that this build has; names the others on stderr.
void rp_comparison_open(rp_comparison_t *self, const rp_contender_t *contenders, size_t count);

/// The same with the first, which the others are compared with, and one other.
/// @param only  its name; NULL: all. One that is not there leaves the first alone
void rp_comparison_open_only(rp_comparison_t *self, const rp_contender_t *contenders, size_t count,
                             const char *only);
void rp_comparison_close(rp_comparison_t *self);

/// The place of a contender by its name. @return RP_CONTENDERS_MAX when it is not there
size_t rp_comparison_find(const rp_comparison_t *self, const char *name);

/// Everybody plays.
/// @param what  names the trace in complaints
/// @return false when a planner refuses (said on stderr)
bool rp_comparison_play(rp_comparison_t *self, const rp_trace_t *trace, const char *what);

/// One contender plays; nothing is compared.
/// @param plays   written [trace->step_count]
/// @param played  written: how many steps, as the trace may end earlier
/// @return as rp_comparison_play()
bool rp_comparison_play_one(rp_comparison_t *self, size_t contender, const rp_trace_t *trace,
                            rp_play_t *plays, size_t *played);

/// What a contender did in the last trace [step_count].
const rp_play_t *rp_comparison_plays(const rp_comparison_t *self, size_t contender);

#endif
