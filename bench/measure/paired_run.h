/// @file
/// Paired run: contenders play one trace, or one each, in several rounds. Of each step the least
/// time of all rounds counts.
///
/// A planner does the same work for a step in each round, as it decides by counting, not by time;
/// equal costs and expansions are checked. So different times come from the host, which gave less
/// cache, memory or CPU, and that only adds. Updates of a timed loop (timed loop.h) overlap, and
/// one pays for what the last left undone: of each few dozen together the quickest round counts.
///
/// Work that occurs in each round stays in the figure, such as page faults.
///
/// All contenders play the same number of rounds: the least of many rounds is smaller than the
/// least of few.
///
/// The least cannot tell a difference of a tenth if the host leaves us a whole core in one round of
/// thirty. So two contenders are compared round by round, which they played shortly after each
/// other, and the median of these quotients counts.
#ifndef REPLAN_BENCH_MEASURE_PAIRED_RUN_H
#define REPLAN_BENCH_MEASURE_PAIRED_RUN_H

#include "bench/measure/comparison.h"

#define RP_BOUT_ROUNDS_MOST 40u

typedef struct rp_paired_run {
    rp_trace_t *traces; ///< owned; one for all, or one each [trace_count]
    size_t trace_count;
    rp_play_t *plays; ///< owned; of each contender in turn [contenders * capacity]
    size_t capacity;
    size_t apart;     ///< so many first steps stand apart
    double *round_ns; ///< owned; what a step took a contender in a round, the writing of the grid
                      ///< included, in the mean of those that do not stand apart; NAN: that round
                      ///< was not played [contenders * RP_BOUT_ROUNDS_MOST]
    size_t step_counts[RP_CONTENDERS_MAX]; ///< steps that a contender has played
    unsigned rounds;                       ///< played so far
    uint64_t again_ns;                     ///< wall time of all but the first
    unsigned differences;                  ///< costs that did not agree
} rp_paired_run_t;

/// @param traces       given; each one's own, or one that all play [trace_count]
/// @param trace_count  of the contenders, or 1
/// @param apart        so many first steps do not count in rp_paired_run_quotient()
void rp_paired_run_init(rp_paired_run_t *self, rp_trace_t *traces, size_t trace_count,
                        size_t apart);
void rp_paired_run_fini(rp_paired_run_t *self);

/// One round more, with everybody. In the first one costs are compared: where each has a trace of
/// its own, with those of two witnesses on it, `D* Lite` at every step and `A*`, as far as they are
/// there. At most RP_BOUT_ROUNDS_MOST.
/// @param what  names it in complaints
/// @return false when a planner refuses (said on stderr)
bool rp_paired_run_play(rp_paired_run_t *self, rp_comparison_t *match, const char *what);

/// What a step took one contender, divided by what it took another one: of the rounds that both
/// played, the median. @return NAN when there was none
double rp_paired_run_quotient(const rp_paired_run_t *self, size_t contender, size_t other);

/// What each plan took a contender when no idle time is free: the writing of the grid, the plan,
/// and all idle time since the plan before. Idle time after the last plan is the last plan's. The
/// first steps that stand apart are none of these plans, but their idle time is the next plan's.
/// @param every       as rp_contender_t.every
/// @param charged_ns  written; NAN: no plan that counts [step_counts[contender]]
void rp_paired_run_charge(const rp_paired_run_t *self, size_t contender, uint32_t every,
                          double *charged_ns);

/// What a contender did [step_counts[contender]].
const rp_play_t *rp_paired_run_plays(const rp_paired_run_t *self, size_t contender);

const rp_trace_t *rp_paired_run_trace(const rp_paired_run_t *self, size_t contender);

#endif
