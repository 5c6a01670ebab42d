/// @file
/// CPU time of this thread between two calls, less the cost of the calls themselves: the shortest
/// plans take less than a call of the clock.
#ifndef REPLAN_TOOLS_TIMER_H
#define REPLAN_TOOLS_TIMER_H

#include <stdint.h>
#include <time.h>

/// A clock of the system, CLOCK_MONOTONIC for one.
static inline uint64_t rp_timer_clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/// Microseconds of CLOCK_MONOTONIC.
static inline uint64_t rp_timer_now_us(void)
{
    return rp_timer_clock_ns(CLOCK_MONOTONIC) / 1000u;
}

typedef struct rp_timer {
    uint64_t begin_ns;
    uint64_t empty_ns; ///< between two calls with nothing in between
} rp_timer_t;

/// Measures the clock, for less than a millisecond.
void rp_timer_init(rp_timer_t *self);

void rp_timer_start(rp_timer_t *self);

/// @return microseconds since it was started
double rp_timer_stop(rp_timer_t *self);

#endif
