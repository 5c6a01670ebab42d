/// @file
/// What something took, short or long, as two laps. By ticks of the processor: a call of the clock
/// costs several times what the shortest plans take, and leaves the processor's guesses cold for
/// the next one. Ticks go on while others run, though, so where something is long the thread's CPU
/// time is asked, and an interruption taken off.
///
/// The clock is asked before a start when what came last was long, else now and then. Where it was
/// not, an interruption stays in the lap: it may as well have come before it, and what is too great
/// now and then is seen by whoever measures again, what is too small never.
#ifndef REPLAN_BENCH_STOPWATCH_H
#define REPLAN_BENCH_STOPWATCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rp_stopwatch {
    double tick_ns;     ///< of one tick
    double empty_ns[2]; ///< the laps with nothing in them: a part of each
    bool was_long;      ///< what it measured last
    unsigned unasked;   ///< starts since the clock was asked
    uint64_t cpu_ns;    ///< the clock, when it was asked last
    uint64_t cpu_ticks; ///< and the ticks
    uint64_t begin;     ///< ticks at the start
    uint64_t middle;    ///< and at the lap
} rp_stopwatch_t;

/// Measures ticks by the clock for some milliseconds.
void rp_stopwatch_init(rp_stopwatch_t *self);

void rp_stopwatch_start(rp_stopwatch_t *self);

/// The same, and the clock is asked: what comes may be long, so that an interruption is taken off
/// in any case. For what is timed where a call of the clock before it does no harm.
void rp_stopwatch_start_long(rp_stopwatch_t *self);

/// Between the two laps.
void rp_stopwatch_lap(rp_stopwatch_t *self);

/// @param laps_ns  written: how long each took
void rp_stopwatch_stop(rp_stopwatch_t *self, double laps_ns[2]);

#endif
