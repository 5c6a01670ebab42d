/// @file
/// Stopwatch for short and long calls, as two samples. It counts processor ticks, because a call of
/// the clock costs several times what the shortest plans take and cools the branch predictor. Ticks
/// go on while other threads run, so for long calls the CPU time of the thread is read, and an
/// interruption is subtracted.
///
/// The clock is read before a start if the last call was long, else now and then. In between, an
/// interruption stays in the sample. Then a sample is too long at random, which repeated
/// measurement shows, and never too short.
#ifndef REPLAN_BENCH_MEASURE_STOPWATCH_H
#define REPLAN_BENCH_MEASURE_STOPWATCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rp_stopwatch {
    double tick_ns;     ///< of one tick
    double empty_ns[2]; ///< the samples with nothing in them: a part of each
    bool was_long;      ///< what it measured last
    unsigned unasked;   ///< starts since the clock was asked
    uint64_t cpu_ns;    ///< the clock, when it was asked last
    uint64_t cpu_ticks; ///< and the ticks
    uint64_t begin;     ///< ticks at the start
    uint64_t middle;    ///< and at the sample
} rp_stopwatch_t;

/// Measures ticks by the clock for some milliseconds.
void rp_stopwatch_init(rp_stopwatch_t *self);

void rp_stopwatch_start(rp_stopwatch_t *self);

/// The same, and the clock is asked: what comes may be long, so that an interruption is taken off
/// in any case. For what is timed where a call of the clock before it does no harm.
void rp_stopwatch_start_long(rp_stopwatch_t *self);

/// Between the two samples.
void rp_stopwatch_lap(rp_stopwatch_t *self);

/// @param laps_ns  written: how long each took
void rp_stopwatch_stop(rp_stopwatch_t *self, double laps_ns[2]);

#endif
