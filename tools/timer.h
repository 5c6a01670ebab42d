/// @file
/// CPU time of this thread between two calls, less the cost of the calls themselves: the shortest
/// plans take less than a call of the clock.
#ifndef REPLAN_TOOLS_TIMER_H
#define REPLAN_TOOLS_TIMER_H

#include <stdint.h>

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
