/// Rounds, and the least of each step.
#include "bench/measure/paired_run.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/core.h"
#include "bench/measure/harness.h"

/// So many updates of a timed loop stand together: what one leaves to the next is little beside
/// them.
#define SPRINT_RUN 64u

const rp_trace_t *rp_paired_run_trace(const rp_paired_run_t *self, size_t contender)
{
    return &self->traces[self->trace_count == 1 ? 0 : contender];
}

static rp_play_t *plays_of(const rp_paired_run_t *self, size_t contender)
{
    return self->plays + contender * self->capacity;
}

const rp_play_t *rp_paired_run_plays(const rp_paired_run_t *self, size_t contender)
{
    return plays_of(self, contender);
}

// ---- one round and another

static double least(double a, double b)
{
    return a < b ? a : b;
}

static bool is_same_work(const rp_play_t *a, const rp_play_t *b)
{
    return a->cost == b->cost && a->cells == b->cells && a->rested == b->rested &&
           a->stats.expanded == b->stats.expanded && a->idle_expanded == b->idle_expanded;
}

static void compare_rounds(rp_paired_run_t *self, const rp_contender_t *contender,
                           const rp_play_t *first, const rp_play_t *again, size_t count,
                           const char *what)
{
    size_t step = 0;
    while (step < count && is_same_work(&first[step], &again[step])) {
        step++;
    }
    if (step < count) {
        fprintf(stderr, "replan-bench: %s, step %zu: %s did something else in round %u\n", what,
                step, contender->name, self->rounds + 1u);
        self->differences++;
    }
}

static void take_step(rp_play_t *play, const rp_play_t *again)
{
    play->grid_ns = least(play->grid_ns, again->grid_ns);
    play->ns = least(play->ns, again->ns);
}

static double sum_ns(const rp_play_t *plays, size_t count)
{
    double ns = 0.0;
    for (size_t i = 0; i < count; i++) {
        ns += plays[i].grid_ns + plays[i].ns;
    }
    return ns;
}

/// Steps that stand together.
static void take_run(rp_play_t *plays, const rp_play_t *again, size_t count)
{
    const bool is_quicker = sum_ns(again, count) < sum_ns(plays, count);
    for (size_t i = 0; is_quicker && i < count; i++) {
        plays[i].grid_ns = again[i].grid_ns;
        plays[i].ns = again[i].ns;
    }
}

/// @param plays  has the least so far, gets the least [count]
static void take_round(rp_play_t *plays, const rp_play_t *again, size_t count, bool sprints)
{
    for (size_t i = 0; i < count; i++) {
        plays[i].apart_ns = least(plays[i].apart_ns, again[i].apart_ns);
        plays[i].idle_ns = least(plays[i].idle_ns, again[i].idle_ns);
        if (!sprints || i == 0) { // a first plan is by itself
            take_step(&plays[i], &again[i]);
        } else if (i % SPRINT_RUN == 1u) {
            take_run(&plays[i], &again[i], count - i < SPRINT_RUN ? count - i : SPRINT_RUN);
        }
    }
}

// ---- rounds

/// Keep what a contender's steps took in the round under way. @param plays  its [count]
static void note_round(rp_paired_run_t *self, const rp_comparison_t *match, size_t who,
                       const rp_play_t *plays, size_t count)
{
    assert(self->rounds < RP_BOUT_ROUNDS_MOST);
    const unsigned every = match->contenders[who].every;
    double ns = 0.0;
    size_t steps = 0;
    for (size_t i = self->apart; i < count; i++) {
        if (every <= 1u || i % every == 0) {
            ns += plays[i].ns + plays[i].grid_ns;
            steps++;
        }
    }
    self->round_ns[who * RP_BOUT_ROUNDS_MOST + self->rounds] = ns / (double)steps;
}

/// The first round of a trace that all play.
static bool play_together(rp_paired_run_t *self, rp_comparison_t *match, const char *what)
{
    if (!rp_comparison_play(match, self->traces, what)) {
        return false;
    }
    for (size_t who = 0; who < match->count; who++) {
        self->step_counts[who] = match->step_count;
        memcpy(plays_of(self, who), rp_comparison_plays(match, who),
               match->step_count * sizeof *self->plays);
        note_round(self, match, who, plays_of(self, who), match->step_count);
    }
    return true;
}

/// Somebody else plays a contender's trace: costs are compared where both know.
/// @param plays  what it does is written there [self->capacity]
static bool bear_witness(rp_paired_run_t *self, rp_comparison_t *match, size_t who,
                         const char *witness, rp_play_t *plays, const char *what)
{
    const size_t other = rp_comparison_find(match, witness);
    if (other == who || other == RP_CONTENDERS_MAX) {
        return true;
    }
    size_t count;
    if (!rp_comparison_play_one(match, other, rp_paired_run_trace(self, who), plays, &count)) {
        return false;
    }
    count = count < self->step_counts[who] ? count : self->step_counts[who];
    for (size_t i = 0; i < count; i++) {
        const rp_play_t *own = &plays_of(self, who)[i];
        if (!own->rested && !plays[i].rested && own->cost != plays[i].cost) {
            fprintf(stderr, "replan-bench: %s, step %zu: %s and %s differ\n", what, i,
                    match->contenders[who].name, witness);
            match->differences++;
        }
    }
    return true;
}

/// One contender in the first round of traces of their own.
static bool play_own(rp_paired_run_t *self, rp_comparison_t *match, size_t who, rp_play_t *scratch,
                     const char *what)
{
    if (!rp_comparison_play_one(match, who, rp_paired_run_trace(self, who), plays_of(self, who),
                                &self->step_counts[who])) {
        return false;
    }
    note_round(self, match, who, plays_of(self, who), self->step_counts[who]);
    return bear_witness(self, match, who, "D* Lite", scratch, what) &&
           bear_witness(self, match, who, "A*", scratch, what);
}

static bool play_again(rp_paired_run_t *self, rp_comparison_t *match, size_t who,
                       rp_play_t *scratch, const char *what)
{
    const rp_contender_t *contender = &match->contenders[who];
    const rp_trace_t *trace = rp_paired_run_trace(self, who);
    size_t count;
    if (!rp_comparison_play_one(match, who, trace, scratch, &count)) {
        return false;
    }
    count = count < self->step_counts[who] ? count : self->step_counts[who];
    note_round(self, match, who, scratch, count);
    compare_rounds(self, contender, plays_of(self, who), scratch, count, what);
    take_round(plays_of(self, who), scratch, count, trace->sprints);
    return true;
}

static void reserve_plays(rp_paired_run_t *self, const rp_comparison_t *match)
{
    for (size_t i = 0; i < self->trace_count; i++) {
        const size_t count = self->traces[i].step_count;
        self->capacity = count > self->capacity ? count : self->capacity;
    }
    self->plays = rp_bench_memory(NULL, match->count * self->capacity, sizeof *self->plays);
    self->round_ns =
        rp_bench_memory(NULL, match->count * RP_BOUT_ROUNDS_MOST, sizeof *self->round_ns);
    for (size_t i = 0; i < match->count * RP_BOUT_ROUNDS_MOST; i++) {
        self->round_ns[i] = NAN;
    }
}

/// A round that is not the first.
static bool play_round(rp_paired_run_t *self, rp_comparison_t *match, const char *what)
{
    rp_play_t *scratch = rp_bench_memory(NULL, self->capacity, sizeof *scratch);
    bool is_played = true;
    rp_core_choose();
    for (size_t i = 0; is_played && i < match->count; i++) {
        const size_t who = (self->rounds + i) % match->count;
        is_played = play_again(self, match, who, scratch, what);
    }
    free(scratch);
    return is_played;
}

/// The first round of traces of their own.
static bool play_apart(rp_paired_run_t *self, rp_comparison_t *match, const char *what)
{
    rp_play_t *scratch = rp_bench_memory(NULL, self->capacity, sizeof *scratch);
    bool is_played = true;
    rp_core_choose();
    for (size_t who = 0; is_played && who < match->count; who++) {
        is_played = play_own(self, match, who, scratch, what);
    }
    free(scratch);
    return is_played;
}

static bool play_first(rp_paired_run_t *self, rp_comparison_t *match, const char *what)
{
    const unsigned before = match->differences;
    reserve_plays(self, match);
    const bool is_played =
        self->trace_count == 1 ? play_together(self, match, what) : play_apart(self, match, what);
    self->differences += match->differences - before;
    self->rounds++;
    return is_played;
}

bool rp_paired_run_play(rp_paired_run_t *self, rp_comparison_t *match, const char *what)
{
    if (self->rounds == 0) {
        return play_first(self, match, what);
    }
    const uint64_t begin = rp_bench_wall_ns();
    const bool is_played = play_round(self, match, what);
    self->again_ns += rp_bench_wall_ns() - begin;
    self->rounds++;
    return is_played;
}

double rp_paired_run_quotient(const rp_paired_run_t *self, size_t contender, size_t other)
{
    rp_samples_t quotients = {0};
    for (size_t round = 0; round < self->rounds; round++) {
        const double quotient = self->round_ns[contender * RP_BOUT_ROUNDS_MOST + round] /
                                self->round_ns[other * RP_BOUT_ROUNDS_MOST + round];
        if (!isnan(quotient)) {
            rp_samples_add(&quotients, quotient);
        }
    }
    const double median = quotients.count != 0 ? rp_samples_percentile(&quotients, 50.0) : NAN;
    rp_samples_fini(&quotients);
    return median;
}

// ---- idle time

void rp_paired_run_charge(const rp_paired_run_t *self, size_t contender, uint32_t every,
                          double *charged_ns)
{
    const rp_play_t *plays = rp_paired_run_plays(self, contender);
    const size_t count = self->step_counts[contender];
    double idle_ns = 0.0;
    size_t last = count;
    for (size_t i = 0; i < count; i++) {
        const bool counts = i >= self->apart && (every <= 1u || i % every == 0);
        charged_ns[i] = counts ? plays[i].grid_ns + plays[i].ns + idle_ns : NAN;
        idle_ns = (counts ? 0.0 : idle_ns) + plays[i].idle_ns;
        last = counts ? i : last;
    }
    if (last < count) {
        charged_ns[last] += idle_ns;
    }
}

// ---- birth and death

void rp_paired_run_init(rp_paired_run_t *self, rp_trace_t *traces, size_t trace_count, size_t apart)
{
    *self = (rp_paired_run_t){.traces = traces, .trace_count = trace_count, .apart = apart};
}

void rp_paired_run_fini(rp_paired_run_t *self)
{
    for (size_t i = 0; i < self->trace_count; i++) {
        rp_trace_fini(&self->traces[i]);
    }
    free(self->traces);
    free(self->plays);
    free(self->round_ns);
    *self = (rp_paired_run_t){0};
}
