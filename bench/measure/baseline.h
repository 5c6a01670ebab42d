/// @file
/// Baseline for `workers`: how fast this machine runs two threads that share nothing. Two workers
/// cannot be faster.
#ifndef REPLAN_BENCH_MEASURE_BASELINE_H
#define REPLAN_BENCH_MEASURE_BASELINE_H

typedef enum rp_baseline {
    RP_BARE_COUNT,       ///< they count in registers; the scheduler has them where it likes
    RP_BARE_COUNT_APART, ///< the same, each kept to a core of its own
    RP_BARE_TOUCH_APART, ///< they meet fresh memory page by page, which the system has to give
} rp_baseline_t;

/// Time on the wall that two threads take for what one does alone, as a share of its time: 0.5 on
/// two free cores, 1 when they take turns.
/// @return the middle of three turns; 1 where there are no threads to be had. Time: half a second
double rp_bench_bare_threads(rp_baseline_t kind);

#endif
