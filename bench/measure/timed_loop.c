/// Stamps in a window that stays in the caches, read when it is full.
#include "bench/measure/timed_loop.h"

#include "bench/measure/harness.h"

/// Steps whose stamps wait to be read.
#define WINDOW 64u

/// After what takes so long the clock is asked.
#define LONG_NS 10000.0

/// Less is no interruption: clocks differ by so much.
#define INTERRUPTION_NS 2000.0

typedef struct stamp {
    uint64_t begin; ///< ticks
    uint64_t middle;
    uint64_t end;
    double cost;
    uint32_t cells;
} stamp_t;

typedef struct window {
    stamp_t stamps[WINDOW];
    unsigned count;
    double tick_ns;
    double empty_ns[2]; ///< both samples with nothing in them
    uint64_t cpu_ns;    ///< the clock, when the window was empty
    uint64_t ticks;     ///< and the ticks
    bool has_rested;    ///< idle time was used since then: an interruption may have come in that
} window_t;

static void clear(window_t *self)
{
    self->count = 0;
    self->has_rested = false;
    self->cpu_ns = rp_bench_cpu_ns();
    self->ticks = rp_bench_ticks();
}

static double beyond(double ns, double empty_ns)
{
    return ns > empty_ns ? ns - empty_ns : 0.0;
}

/// Turn stamps into steps, and take what others had of the time off the longest sample.
static void read_stamps(window_t *self, rp_timed_loop_step_t *steps)
{
    const double ticks_ns = (double)(rp_bench_ticks() - self->ticks) * self->tick_ns;
    const double stolen_ns = ticks_ns - (double)(rp_bench_cpu_ns() - self->cpu_ns);
    double *longest = &steps[0].ns;
    for (unsigned i = 0; i < self->count; i++) {
        const stamp_t *stamp = &self->stamps[i];
        const double grid_ns = (double)(stamp->middle - stamp->begin) * self->tick_ns;
        const double ns = (double)(stamp->end - stamp->middle) * self->tick_ns;
        steps[i] = (rp_timed_loop_step_t){.grid_ns = beyond(grid_ns, self->empty_ns[0]),
                                          .ns = beyond(ns, self->empty_ns[1]),
                                          .cost = stamp->cost,
                                          .cells = stamp->cells};
        longest = steps[i].ns > *longest ? &steps[i].ns : longest;
        longest = steps[i].grid_ns > *longest ? &steps[i].grid_ns : longest;
    }
    if (!self->has_rested && stolen_ns > INTERRUPTION_NS && stolen_ns < *longest) {
        *longest -= stolen_ns;
    }
    clear(self);
}

/// @return not 0
static uint32_t digest_of(const rp_path_t *path)
{
    uint32_t digest = 1;
    for (uint32_t i = 0; i < path->count; i++) {
        digest = (digest ^ path->cells[i]) * UINT32_C(0x01000193);
    }
    return digest | 1u;
}

/// What reading the stamps costs by itself.
static void measure_empty(window_t *self)
{
    rp_timed_loop_step_t steps[WINDOW];
    rp_samples_t laps[2] = {0}; // an interruption in one of them must not count
    clear(self);
    uint64_t begin = rp_bench_settled_ticks();
    while (self->count < WINDOW) {
        stamp_t *stamp = &self->stamps[self->count++];
        stamp->begin = begin;
        stamp->middle = rp_bench_ticks();
        stamp->end = rp_bench_ticks();
        begin = stamp->end;
    }
    read_stamps(self, steps);
    for (unsigned i = WINDOW / 2u; i < WINDOW; i++) { // the first ones meet fresh memory
        rp_samples_add(&laps[0], steps[i].grid_ns);
        rp_samples_add(&laps[1], steps[i].ns);
    }
    for (unsigned i = 0; i < 2; i++) {
        self->empty_ns[i] = rp_samples_midmean(&laps[i]);
        rp_samples_fini(&laps[i]);
    }
}

/// One step. @param plans  else it only takes in what happens
static rp_status_t play_step(rp_planner_t *planner, rp_grid_t *grid, const rp_trace_step_t *step,
                             rp_change_t *changes, size_t count, bool plans, rp_plan_t *plan,
                             stamp_t *stamp)
{
    rp_grid_write(grid, changes, count);
    stamp->middle = rp_bench_ticks();
    rp_status_t status = count != 0 ? rp_planner_apply(planner, changes, count) : RP_OK;
    status = status == RP_OK ? rp_planner_set_start(planner, step->start) : status;
    status = status == RP_OK ? rp_planner_set_goal(planner, step->goal) : status;
    status = status == RP_OK && plans ? rp_planner_plan(planner, UINT64_MAX, plan) : status;
    stamp->cost = plan->cost;
    stamp->cells = plan->path.count;
    stamp->end = rp_bench_ticks();
    return status;
}

/// @return ticks when it was over
static uint64_t idle(rp_planner_t *planner, window_t *window)
{
    uint64_t budget = UINT64_MAX;
    (void)rp_planner_idle(planner, &budget);
    if (budget == UINT64_MAX) { // it found nothing to do
        return rp_bench_ticks();
    }
    if (window->count == 0) {
        clear(window);
    } else {
        window->has_rested = true;
    }
    return rp_bench_settled_ticks();
}

rp_status_t rp_timed_loop_play(rp_planner_t *planner, rp_grid_t *grid, const rp_trace_t *trace,
                               rp_change_t *changes, const rp_timed_loop_rules_t *rules,
                               rp_timed_loop_step_t *steps)
{
    const uint64_t long_ticks = (uint64_t)(LONG_NS / rules->tick_ns);
    window_t window = {.tick_ns = rules->tick_ns};
    rp_status_t status = RP_OK;
    rp_plan_t plan = {0};
    size_t first = 0;
    measure_empty(&window);
    uint64_t begin = rp_bench_settled_ticks();
    for (size_t i = 0; status == RP_OK && i < trace->step_count; i++) {
        const rp_trace_step_t *step = &trace->steps[i];
        const bool plans = rules->every <= 1 || i % rules->every == 0;
        const bool may_idle =
            trace->idles && rules->idles && plans && (i == 0 || trace->idles_always);
        stamp_t *stamp = &window.stamps[window.count++];
        stamp->begin = begin;
        status = play_step(planner, grid, step, changes + first, step->toggle_end - first, plans,
                           &plan, stamp);
        first = step->toggle_end;
        begin = stamp->end;
        if (window.count == WINDOW || stamp->end - stamp->begin >= long_ticks ||
            i + 1u == trace->step_count) {
            read_stamps(&window, steps + i + 1u - window.count);
            steps[i].digest = plans ? digest_of(&plan.path) : 0u;
            begin = rp_bench_settled_ticks();
        }
        if (may_idle) {
            begin = idle(planner, &window);
        }
    }
    return status;
}

bool rp_timed_loop_agrees(const rp_timed_loop_step_t *self, const rp_plan_t *plan)
{
    return self->cost == plan->cost && self->cells == plan->path.count &&
           (self->digest == 0 || self->digest == digest_of(&plan->path));
}
