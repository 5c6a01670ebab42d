/// Plays traces: what is timed, and what is compared.
#include "bench/measure/comparison.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/core.h"
#include "bench/measure/harness.h"
#include "bench/measure/simd_limit.h"
#include "bench/measure/timed_loop.h"

/// Expansions between two looks at the clock of a plan that may time out.
#define SLICE 20000u

#define NO_COST UINT64_MAX

// ---- contenders

static bool is_known(const rp_contender_t *contender)
{
    const rp_planner_info_t *info = rp_planner_find(contender->id);
    if (info == NULL) {
        return false;
    }
    const uint32_t capabilities = info->capabilities;
    const rp_member_options_t *options = &contender->options;
    return (options->open != RP_OPEN_BUCKETS || (capabilities & RP_CAN_OPEN_BUCKETS) != 0) &&
           (options->variant == 0 || (capabilities & RP_CAN_VARIANTS) != 0);
}

void rp_comparison_open_only(rp_comparison_t *self, const rp_contender_t *contenders, size_t count,
                             const char *only)
{
    *self = (rp_comparison_t){0};
    rp_stopwatch_init(&self->plan);
    self->rest = self->plan;
    for (size_t i = 0; i < count; i++) {
        rp_contender_t contender = contenders[i];
        if (i != 0 && only != NULL && strcmp(contender.name, only) != 0) {
            continue;
        }
        if (!is_known(&contender) ||
            rp_papers_new(contender.id, &contender.options, &contender.planner) != RP_OK) {
            fprintf(stderr, "replan-bench: without %s: this build does not have it\n",
                    contender.name);
            continue;
        }
        self->contenders[self->count++] = contender;
    }
}

void rp_comparison_open(rp_comparison_t *self, const rp_contender_t *contenders, size_t count)
{
    rp_comparison_open_only(self, contenders, count, NULL);
}

void rp_comparison_close(rp_comparison_t *self)
{
    for (size_t i = 0; i < self->count; i++) {
        free(self->contenders[i].kept);
        rp_path_check_fini(&self->contenders[i].check);
        rp_planner_destroy(&self->contenders[i].planner);
        rp_grid_destroy(&self->contenders[i].grid);
    }
    free(self->plays);
    *self = (rp_comparison_t){0};
}

size_t rp_comparison_find(const rp_comparison_t *self, const char *name)
{
    for (size_t i = 0; i < self->count; i++) {
        if (strcmp(self->contenders[i].name, name) == 0) {
            return i;
        }
    }
    return RP_CONTENDERS_MAX;
}

// ---- one step

/// Plan, in slices when there is a time to stop at.
/// @return RP_MORE when it was stopped
static rp_status_t plan_in_time(const rp_contender_t *contender, rp_plan_t *plan)
{
    if (contender->timeout_ms == 0) {
        return rp_planner_plan(contender->planner, UINT64_MAX, plan);
    }
    const uint64_t end = rp_bench_cpu_ns() + contender->timeout_ms * UINT64_C(1000000);
    rp_status_t status;
    do {
        status = rp_planner_plan(contender->planner, SLICE, plan);
    } while (status == RP_MORE && rp_bench_cpu_ns() < end);
    return status;
}

/// True when what is left of its own path is still the best; a part of what it is timed for.
static bool path_holds(rp_contender_t *contender, rp_cell_t start, const rp_change_t *changes,
                       size_t count)
{
    rp_certificate_t *path = &contender->path;
    return path->path.count != 0 &&
           (path->path.cells[0] == start || rp_certificate_follow(path, start)) &&
           rp_certificate_holds(path, changes, count, NULL);
}

/// A path is borrowed from the planner: to look at it later means to keep a copy, which is a part
/// of what it is timed for, too.
static void keep_path(rp_contender_t *contender, const rp_plan_t *plan)
{
    const rp_path_t kept = {contender->kept, plan->path.count};
    rp_certificate_drop(&contender->path);
    memcpy(contender->kept, plan->path.cells, kept.count * sizeof *contender->kept);
    rp_certificate_take(&contender->path, &kept);
}

static bool rests_at(rp_contender_t *contender, const rp_trace_t *trace, size_t step,
                     const rp_change_t *changes, size_t count)
{
    if (contender->every > 1 && step % contender->every != 0) {
        return true;
    }
    return contender->rests &&
           (trace->idles ? path_holds(contender, trace->steps[step].start, changes, count)
                         : trace->steps[step].is_idle);
}

/// Let it do what it wants in time that nobody needs.
static void idle(rp_comparison_t *self, const rp_contender_t *contender, rp_play_t *play)
{
    uint64_t budget = UINT64_MAX;
    double laps_ns[2];
    rp_stopwatch_start_long(&self->rest);
    (void)rp_planner_idle(contender->planner, &budget);
    rp_stopwatch_stop(&self->rest, laps_ns);
    play->idle_ns = laps_ns[1];
    play->idle_expanded = UINT64_MAX - budget;
}

/// @param index    of the step
/// @param changes  of the step
/// @param plan     written: what was planned
/// @return RP_OK or a planner's refusal
static rp_status_t play_step(rp_comparison_t *self, rp_contender_t *contender,
                             const rp_trace_t *trace, size_t index, rp_change_t *changes,
                             rp_plan_t *plan, rp_play_t *play)
{
    rp_grid_t *grid = contender->grid;
    rp_planner_t *planner = contender->planner;
    const rp_trace_step_t *step = &trace->steps[index];
    const size_t first = index != 0 ? trace->steps[index - 1].toggle_end : 0;
    const size_t count = step->toggle_end - first;
    *plan = (rp_plan_t){0};
    rp_stopwatch_start(&self->plan);
    rp_grid_write(grid, changes, count);
    rp_stopwatch_lap(&self->plan);
    const bool rested = rests_at(contender, trace, index, changes, count);
    rp_status_t status = count != 0 ? rp_planner_apply(planner, changes, count) : RP_OK;
    status = status == RP_OK ? rp_planner_set_start(planner, step->start) : status;
    status = status == RP_OK ? rp_planner_set_goal(planner, step->goal) : status;
    status = status == RP_OK && !rested ? plan_in_time(contender, plan) : status;
    if (status == RP_OK && !rested && contender->rests && trace->idles) {
        keep_path(contender, plan);
    }
    double laps_ns[2];
    rp_stopwatch_stop(&self->plan, laps_ns);
    rp_path_check_changes(&contender->check, changes, count);
    *play = (rp_play_t){
        .grid_ns = laps_ns[0], .ns = laps_ns[1], .timed_out = status == RP_MORE, .rested = rested};
    if (status != RP_OK || rested) {
        return status == RP_MORE ? RP_OK : status;
    }
    if (trace->idles && !contender->never_idles && (index == 0 || trace->idles_always)) {
        idle(self, contender, play);
    }
    play->cost = plan->outcome == RP_OUTCOME_FOUND
                     ? rp_path_check_cost(&contender->check, &plan->path, step->start, step->goal)
                     : NO_COST;
    play->stats = rp_papers_stats(contender->planner);
    play->cells = plan->path.count;
    return RP_OK;
}

/// What the step took counts as it was in the timed loop. One that found something else then agrees
/// with nobody.
static void take_loop(rp_play_t *play, const rp_timed_loop_step_t *loop, const rp_plan_t *plan)
{
    play->apart_ns = play->grid_ns + play->ns;
    play->grid_ns = loop->grid_ns;
    play->ns = loop->ns;
    if (!play->rested && !rp_timed_loop_agrees(loop, plan)) {
        play->cost = RP_PATH_CHECK_ILLEGAL;
    }
}

// ---- one trace

static bool bind(rp_contender_t *contender, const rp_trace_t *trace)
{
    rp_grid_t *last = contender->grid; // the planner reads it until it is bound to another
    contender->grid = rp_trace_grid(trace);
    const rp_status_t status = rp_planner_bind(contender->planner, contender->grid);
    rp_path_check_begin(&contender->check, contender->grid);
    rp_grid_destroy(&last);
    if (status == RP_OK && contender->rests) {
        contender->kept =
            rp_bench_memory(contender->kept, contender->grid->cell_count, sizeof *contender->kept);
        rp_certificate_init(&contender->path, contender->grid);
    }
    if (status != RP_OK) {
        fprintf(stderr, "replan-bench: %s: %s\n", contender->name, rp_status_text(status));
    }
    return status == RP_OK;
}

/// @param changes  of all steps
/// @param loop   of all steps; NULL: there was none
/// @param played   the number of steps until there was no path, when the trace ends there
static rp_status_t play_steps(rp_comparison_t *self, rp_contender_t *contender,
                              const rp_trace_t *trace, rp_change_t *changes,
                              const rp_timed_loop_step_t *loop, rp_play_t *plays, size_t *played)
{
    rp_status_t status = RP_OK;
    size_t i = 0;
    bool goes_on = true;
    for (; status == RP_OK && goes_on && i < trace->step_count; i++) {
        rp_plan_t plan;
        status = play_step(self, contender, trace, i, changes, &plan, &plays[i]);
        if (status == RP_OK && loop != NULL) {
            take_loop(&plays[i], &loop[i], &plan);
        }
        changes += trace->steps[i].toggle_end - (i != 0 ? trace->steps[i - 1].toggle_end : 0u);
        goes_on = !trace->ends_without_path || plays[i].cost != NO_COST;
    }
    *played = i;
    return status;
}

/// What idle time was used for.
static rp_play_t sum_of_idle(const rp_play_t *plays, size_t count)
{
    rp_play_t sum = {0};
    for (size_t i = 0; i < count; i++) {
        sum.idle_ns += plays[i].idle_ns;
        sum.idle_expanded += plays[i].idle_expanded;
    }
    return sum;
}

/// The steps one after the other, before they are played one by one on a grid as it was.
/// @return owned by the caller; NULL when a planner refuses [trace->step_count]
static rp_timed_loop_step_t *loop(rp_comparison_t *self, rp_contender_t *contender,
                                  const rp_trace_t *trace, rp_change_t *changes)
{
    const rp_timed_loop_rules_t rules = {
        .tick_ns = self->plan.tick_ns, .every = contender->every, .idles = !contender->never_idles};
    rp_timed_loop_step_t *steps = rp_bench_memory(NULL, trace->step_count, sizeof *steps);
    assert(contender->timeout_ms == 0 && !contender->rests && !trace->ends_without_path);
    const rp_status_t status =
        rp_timed_loop_play(contender->planner, contender->grid, trace, changes, &rules, steps);
    if (status != RP_OK) {
        fprintf(stderr, "replan-bench: %s: %s\n", contender->name, rp_status_text(status));
    }
    if (status != RP_OK || !bind(contender, trace)) {
        free(steps);
        return NULL;
    }
    return steps;
}

static bool play_one(rp_comparison_t *self, size_t who, const rp_trace_t *trace, rp_play_t *plays,
                     size_t *played)
{
    rp_contender_t *contender = &self->contenders[who];
    if (!bind(contender, trace)) {
        return false;
    }
    rp_change_t *changes = rp_trace_changes(trace, contender->grid);
    rp_timed_loop_step_t *sprinted = trace->sprints ? loop(self, contender, trace, changes) : NULL;
    rp_status_t status = RP_OK;
    rp_play_t warmed_up = {0};
    if (trace->sprints && sprinted == NULL) {
        free(changes);
        return false;
    }
    if (trace->warms_up) {
        status = play_steps(self, contender, trace, changes, NULL, plays, played);
        warmed_up = sum_of_idle(plays, *played);
    }
    if (status == RP_OK) {
        status = play_steps(self, contender, trace, changes, sprinted, plays, played);
        plays[0].idle_ns += warmed_up.idle_ns;
        plays[0].idle_expanded += warmed_up.idle_expanded;
    }
    if (status != RP_OK) {
        fprintf(stderr, "replan-bench: %s: %s\n", contender->name, rp_status_text(status));
    }
    free(sprinted);
    free(changes);
    return status == RP_OK;
}

bool rp_comparison_play_one(rp_comparison_t *self, size_t who, const rp_trace_t *trace,
                            rp_play_t *plays, size_t *played)
{
    if (!self->contenders[who].is_narrow) {
        return play_one(self, who, trace, plays, played);
    }
    const rp_simd_t before = rp_simd_best();
    (void)rp_simd_limit_set(RP_SIMD_NONE);
    const bool is_played = play_one(self, who, trace, plays, played);
    (void)rp_simd_limit_set(before);
    return is_played;
}

static bool is_known_cost(const rp_play_t *play)
{
    return !play->timed_out && !play->rested;
}

/// Compare with the first contender that knows.
static void compare(rp_comparison_t *self, size_t contender, size_t played, const char *what)
{
    const rp_play_t *plays = rp_comparison_plays(self, contender);
    const size_t count = played < self->step_count ? played : self->step_count;
    unsigned differences = played != self->step_count;
    size_t first = count;
    for (size_t i = 0; i < count; i++) {
        size_t other = 0;
        while (other < contender && !is_known_cost(&rp_comparison_plays(self, other)[i])) {
            other++;
        }
        if (is_known_cost(&plays[i]) && plays[i].cost != rp_comparison_plays(self, other)[i].cost) {
            first = differences == 0 ? i : first;
            differences++;
        }
    }
    if (differences != 0) {
        fprintf(stderr, "replan-bench: %s, step %zu: %s and %s differ\n", what, first,
                self->contenders[contender].name, self->contenders[0].name);
    }
    self->differences += differences;
}

static void reserve_plays(rp_comparison_t *self, const rp_trace_t *trace)
{
    if (trace->step_count > self->capacity) {
        self->capacity = trace->step_count;
        self->plays =
            rp_bench_memory(self->plays, self->capacity * self->count, sizeof *self->plays);
    }
}

bool rp_comparison_play(rp_comparison_t *self, const rp_trace_t *trace, const char *what)
{
    size_t played[RP_CONTENDERS_MAX] = {0};
    assert(self->count != 0);
    rp_core_choose();
    reserve_plays(self, trace);
    for (size_t i = 0; i < self->count; i++) {
        const size_t who = (self->turn + i) % self->count;
        rp_play_t *plays = self->plays + who * self->capacity;
        if (!rp_comparison_play_one(self, who, trace, plays, &played[who])) {
            return false;
        }
    }
    self->turn = self->turn + 1 < self->count ? self->turn + 1 : 0;
    self->step_count = played[0];
    for (size_t i = 1; i < self->count; i++) {
        compare(self, i, played[i], what);
    }
    return true;
}

const rp_play_t *rp_comparison_plays(const rp_comparison_t *self, size_t contender)
{
    return self->plays + contender * self->capacity;
}
