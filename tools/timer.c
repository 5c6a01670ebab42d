/// Reads the clock of this thread's CPU time, and takes off what reading it costs.
#include "tools/timer.h"

void rp_timer_start(rp_timer_t *self)
{
    self->begin_ns = rp_timer_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

double rp_timer_stop(rp_timer_t *self)
{
    const uint64_t spent_ns = rp_timer_clock_ns(CLOCK_THREAD_CPUTIME_ID) - self->begin_ns;
    return spent_ns > self->empty_ns ? (double)(spent_ns - self->empty_ns) * 1e-3 : 0.0;
}

/// Keep the least of many readings: what the clock costs at least is a part of every measurement.
void rp_timer_init(rp_timer_t *self)
{
    enum {
        CALLS = 500
    };
    *self = (rp_timer_t){.empty_ns = UINT64_MAX};
    for (unsigned i = 0; i < CALLS; i++) {
        const uint64_t begin_ns = rp_timer_clock_ns(CLOCK_THREAD_CPUTIME_ID);
        const uint64_t empty_ns = rp_timer_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
        self->empty_ns = empty_ns < self->empty_ns ? empty_ns : self->empty_ns;
    }
}
