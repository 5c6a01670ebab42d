/// Ticks, and the clock where it does no harm.
#include "bench/measure/stopwatch.h"

#include "bench/measure/harness.h"

/// What takes so long does not mind a call of the clock.
#define LONG_NS 10000.0

/// Starts after which the clock is asked in any case.
#define ASK_EVERY 64u

/// Less is no interruption: clocks differ by so much.
#define INTERRUPTION_NS 2000.0

static void ask(rp_stopwatch_t *self)
{
    self->cpu_ns = rp_bench_cpu_ns();
    self->cpu_ticks = rp_bench_ticks();
    self->unasked = 0;
}

/// What others took since the clock was asked last. It is asked again.
static double stolen_ns(rp_stopwatch_t *self)
{
    const uint64_t cpu_ns = self->cpu_ns;
    const uint64_t ticks = self->cpu_ticks;
    ask(self);
    return (double)(self->cpu_ticks - ticks) * self->tick_ns - (double)(self->cpu_ns - cpu_ns);
}

void rp_stopwatch_start(rp_stopwatch_t *self)
{
    if (self->was_long || self->unasked >= ASK_EVERY) {
        ask(self);
    }
    self->unasked++;
    self->begin = rp_bench_settled_ticks();
    self->middle = self->begin;
}

void rp_stopwatch_start_long(rp_stopwatch_t *self)
{
    self->was_long = true;
    rp_stopwatch_start(self);
}

void rp_stopwatch_lap(rp_stopwatch_t *self)
{
    self->middle = rp_bench_ticks();
}

/// The two samples, in ticks. @param end  ticks at the stop
static void take_laps(const rp_stopwatch_t *self, uint64_t end, double laps_ns[2])
{
    const uint64_t ticks[2] = {self->middle - self->begin, end - self->middle};
    for (unsigned i = 0; i < 2; i++) {
        const double ns = (double)ticks[i] * self->tick_ns;
        laps_ns[i] = ns > self->empty_ns[i] ? ns - self->empty_ns[i] : 0.0;
    }
}

void rp_stopwatch_stop(rp_stopwatch_t *self, double laps_ns[2])
{
    const uint64_t end = rp_bench_settled_ticks();
    take_laps(self, end, laps_ns);
    self->was_long = laps_ns[0] + laps_ns[1] >= LONG_NS;
    if (self->was_long) {
        const bool was_asked = self->unasked == 1; // at this start
        const double stolen = stolen_ns(self);
        double *longer = laps_ns[0] > laps_ns[1] ? &laps_ns[0] : &laps_ns[1];
        if (was_asked && stolen > INTERRUPTION_NS && stolen < *longer) {
            *longer -= stolen;
        }
    }
}

void rp_stopwatch_init(rp_stopwatch_t *self)
{
    enum {
        CALLS = 1000
    };
    rp_samples_t laps[2] = {0}; // an interruption in one of them must not count
    *self = (rp_stopwatch_t){.tick_ns = rp_bench_tick_ns(), .was_long = true};
    for (unsigned i = 0; i < CALLS; i++) {
        double laps_ns[2];
        rp_stopwatch_start(self);
        rp_stopwatch_lap(self);
        take_laps(self, rp_bench_settled_ticks(), laps_ns);
        self->was_long = false;
        rp_samples_add(&laps[0], laps_ns[0]);
        rp_samples_add(&laps[1], laps_ns[1]);
    }
    for (unsigned i = 0; i < 2; i++) {
        self->empty_ns[i] = rp_samples_midmean(&laps[i]);
        rp_samples_fini(&laps[i]);
    }
    self->was_long = true;
}
