/// The suite `beyond`: every protocol, one after the other, in one run on one machine.
///
/// A host is busy for seconds: for long enough to spoil what stands beside each other in a table.
/// So each world is played in rounds, in which rows take turns, and in these all contenders.
#include "bench/beyond/beyond.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench/suites.h"

// ---- playing

/// True when a planner may play any protocol, though the protocol does not list it.
static bool can_play_all(const char *id)
{
    const rp_planner_info_t *info = id != NULL ? rp_planner_find(id) : NULL;
    return info != NULL && (info->capabilities & RP_CAN_EVERY_GRID) == RP_CAN_EVERY_GRID;
}

/// The contenders of a protocol that are to play: all, or A* and the one that was named; and those
/// that can use idle time once more without.
static size_t choose_contenders(rp_beyond_t *self, rp_contender_t *chosen)
{
    const rp_beyond_protocol_t *protocol = self->protocol;
    const char *wanted = self->options->planner;
    size_t count = 0;
    bool is_listed = false;
    for (size_t i = 0; i < protocol->contender_count; i++) {
        const rp_contender_t *contender = &protocol->contenders[i];
        const bool is_named = wanted != NULL && strcmp(contender->id, wanted) == 0;
        const bool is_wanted = wanted == NULL || is_named || strcmp(contender->name, "A*") == 0;
        is_listed = is_listed || is_named;
        if (is_wanted && rp_planner_find(contender->id) != NULL) {
            chosen[count++] = *contender;
        }
    }
    if (!is_listed && can_play_all(wanted)) {
        chosen[count++] = (rp_contender_t){.name = wanted, .id = wanted};
    }
    return protocol->idles ? rp_beyond_add_idlers(self, chosen, count) : count;
}

/// Worlds of a row are played more often while their rounds after the first took less than so much
/// together, a share of it each: on a busy host short rows need that most, and it is cheap there.
#define ROW_NS       6000000000u
#define ROW_QUICK_NS 4000000000u

/// How many worlds a row has, unless the command line says otherwise.
static unsigned own_worlds(const rp_beyond_t *self)
{
    return self->options->quick ? self->protocol->quick_worlds : self->protocol->worlds;
}

static unsigned worlds_of(const rp_beyond_t *self)
{
    const rp_bench_options_t *options = self->options;
    return options->worlds != 0 ? options->worlds : own_worlds(self);
}

/// What further rounds of a world may take.
static uint64_t share_ns(const rp_beyond_t *self)
{
    return (self->options->quick ? ROW_QUICK_NS : ROW_NS) / own_worlds(self);
}

/// True when a world is to be played once more.
static bool wants_round(const rp_beyond_t *self, const rp_paired_run_t *run)
{
    const bool is_quick = self->options->quick;
    const unsigned least = is_quick ? self->protocol->quick_rounds : self->protocol->rounds;
    return run->rounds < least || run->again_ns < share_ns(self);
}

static bool is_chooser(const rp_contender_t *contender)
{
    return strcmp(contender->name, "auto") == 0;
}

/// A step that the sample left out counts for nothing. One at which a contender had no need to plan
/// counts as a plan.
static void score(rp_beyond_t *self, size_t cell, size_t who, const rp_paired_run_t *run,
                  size_t step)
{
    const rp_trace_t *trace = rp_paired_run_trace(run, who);
    const rp_play_t *play = &rp_paired_run_plays(run, who)[step];
    const rp_contender_t *contender = &self->match.contenders[who];
    if (contender->every > 1 && step % contender->every != 0) {
        return;
    }
    rp_score_t score = {.of = {[RP_SCORE_STEPS] = 1.0}};
    if (!play->rested) {
        score = rp_score_of(play, trace->shape.unit);
    }
    const double ns = play->ns + play->grid_ns;
    score.of[RP_SCORE_NS] = ns;
    score.of[RP_SCORE_GRID_NS] = play->grid_ns;
    score.of[RP_SCORE_IDLE_NS] = play->idle_ns;
    score.of[RP_SCORE_IDLE_EXPANDED] = (double)play->idle_expanded;
    score.of[RP_SCORE_TOGGLES] = (double)trace->steps[step].toggle_end;
    score.of[RP_SCORE_TOGGLES] -= step != 0 ? (double)trace->steps[step - 1].toggle_end : 0.0;
    rp_score_table_add(&self->scores, cell, who, &score);
    rp_samples_add(&self->us[rp_beyond_place(self, cell, who)], ns * 1e-3);
    if (trace->sprints) {
        rp_samples_add(&self->apart[rp_beyond_place(self, cell, who)], play->apart_ns * 1e-3);
    }
    if (is_chooser(contender)) { // making writes the cells, too
        const double whole_ns = play->ns + (double)trace->steps[step].making_ns;
        rp_samples_add(&self->ticks[cell], whole_ns * 1e-3);
    }
}

static void score_first(rp_beyond_t *self, size_t cell, size_t who, const rp_paired_run_t *run)
{
    const rp_play_t *first = rp_paired_run_plays(run, who);
    const rp_score_t score = {.of = {[RP_SCORE_FIRST_NS] = first->ns,
                                     [RP_SCORE_IDLE_NS] = first->idle_ns,
                                     [RP_SCORE_IDLE_EXPANDED] = (double)first->idle_expanded}};
    rp_score_table_add(&self->scores, cell, who, &score);
}

/// Every plan with idle time charged to it, and the mean of this world.
static void score_charged(rp_beyond_t *self, size_t cell, size_t who, const rp_paired_run_t *run)
{
    const size_t place = rp_beyond_place(self, cell, who);
    double *ns = rp_bench_memory(NULL, run->step_counts[who], sizeof *ns);
    double sum_us = 0.0;
    size_t count = 0;
    rp_paired_run_charge(run, who, self->match.contenders[who].every, ns);
    for (size_t step = 0; step < run->step_counts[who]; step++) {
        if (!isnan(ns[step])) {
            rp_samples_add(&self->charged[place], ns[step] * 1e-3);
            sum_us += ns[step] * 1e-3;
            count++;
        }
    }
    if (count != 0) {
        rp_samples_add(&self->worlds[place], sum_us / (double)count);
    }
    free(ns);
}

/// The time of AUTO, with idle time or without, against that of A* on buckets, on a trace that all
/// play.
static void score_pairs(rp_beyond_t *self, size_t cell, const rp_paired_run_t *run,
                        rp_beyond_idle_t idle)
{
    size_t ours = rp_comparison_find(&self->match, "auto");
    const size_t other = rp_comparison_find(&self->match, "A* buckets");
    if (ours == RP_CONTENDERS_MAX || other == RP_CONTENDERS_MAX || run->trace_count != 1) {
        return;
    }
    ours = idle == RP_BEYOND_IDLE_NONE ? rp_beyond_without_idle(self, ours) : ours;
    for (size_t step = self->protocol->has_first; step < run->step_counts[ours]; step++) {
        const rp_play_t *mine = &rp_paired_run_plays(run, ours)[step];
        const rp_play_t *its = &rp_paired_run_plays(run, other)[step];
        if (!its->rested && its->ns > 0.0) {
            rp_samples_add(&self->pairs[idle][cell], mine->ns / its->ns);
        }
    }
}

/// The time of AUTO against that of each other, both with idle time or both without.
static void score_quotients(rp_beyond_t *self, size_t cell, const rp_paired_run_t *run,
                            rp_beyond_idle_t idle)
{
    const bool has_none = idle == RP_BEYOND_IDLE_NONE;
    const size_t ours = rp_comparison_find(&self->match, "auto");
    for (size_t who = 0; ours != RP_CONTENDERS_MAX && who < self->match.count; who++) {
        const double quotient =
            rp_paired_run_quotient(run, has_none ? rp_beyond_without_idle(self, ours) : ours,
                                   has_none ? rp_beyond_without_idle(self, who) : who);
        if (who != ours && !rp_beyond_is_added(self, who) && !isnan(quotient)) {
            rp_samples_add(&self->quotients[idle][rp_beyond_place(self, cell, who)], quotient);
        }
    }
}

static void score_run(rp_beyond_t *self, size_t cell, const rp_paired_run_t *run)
{
    const bool has_first = self->protocol->has_first;
    for (size_t who = 0; who < self->match.count; who++) {
        if (has_first) {
            score_first(self, cell, who, run);
        }
        for (size_t step = has_first; step < run->step_counts[who]; step++) {
            score(self, cell, who, run, step);
        }
        score_charged(self, cell, who, run);
    }
    for (int idle = RP_BEYOND_IDLE_FREE; idle <= RP_BEYOND_IDLE_NONE; idle++) {
        score_pairs(self, cell, run, (rp_beyond_idle_t)idle);
        score_quotients(self, cell, run, (rp_beyond_idle_t)idle);
    }
}

/// Huge pages that a virtual machine has not given away lately cost tens of times what others do,
/// and whoever begins to repair in the middle of a world would pay for them there. Take as many as
/// a contender will, and give them back: these come first then.
static void meet_memory(const rp_trace_t *trace)
{
    const size_t bytes = (size_t)trace->shape.width * trace->shape.height * 128u;
    volatile uint8_t *memory = rp_memory_new(bytes, 1);
    for (size_t i = 0; memory != NULL && i < bytes; i += 4096) {
        memory[i] = 1;
    }
    rp_memory_free((void *)memory, bytes, 1, NULL);
}

/// @return false when a map is not there (said)
static bool make_run(const rp_beyond_t *self, size_t cell, uint64_t seed, rp_paired_run_t *run)
{
    const rp_beyond_protocol_t *protocol = self->protocol;
    const rp_beyond_cell_t *where = &protocol->cells[cell];
    const size_t wanted = protocol->make_own != NULL ? self->match.count : 1;
    rp_trace_t *traces = rp_bench_memory(NULL, wanted, sizeof *traces);
    size_t count = 0;
    while (count < wanted && (protocol->make_own != NULL
                                  ? protocol->make_own(&traces[count], self->options, where, seed,
                                                       &self->match.contenders[count])
                                  : protocol->make(&traces[count], self->options, where, seed))) {
        count++;
    }
    rp_paired_run_init(run, traces, count, protocol->has_first);
    if (count < wanted) {
        rp_paired_run_fini(run);
    }
    return count == wanted;
}

/// One round of a row, if it is to be played once more.
static bool play_run(rp_beyond_t *self, size_t cell, unsigned world, rp_paired_run_t *run)
{
    char unit[128];
    if (run->trace_count == 0 || !wants_round(self, run)) {
        return true;
    }
    (void)snprintf(unit, sizeof unit, "%s, %s, world %u", self->protocol->name,
                   self->protocol->cells[cell].name, world);
    rp_bench_progress("beyond: %s, round %u", unit, run->rounds + 1u);
    meet_memory(run->traces);
    return rp_paired_run_play(run, &self->match, unit);
}

static void note_rounds(rp_beyond_t *self, unsigned rounds)
{
    const bool is_first = self->rounds_most == 0;
    self->rounds_least = is_first || rounds < self->rounds_least ? rounds : self->rounds_least;
    self->rounds_most = rounds > self->rounds_most ? rounds : self->rounds_most;
}

/// A world of each row, rows in turns.
static bool play_world(rp_beyond_t *self, unsigned world)
{
    const size_t cells = self->scores.group_count;
    const uint64_t seed = rp_bench_seed(self->options->seed, world, 7000u);
    rp_paired_run_t *bouts = rp_bench_memory(NULL, cells, sizeof *bouts);
    bool is_well = true;
    for (size_t cell = 0; cell < cells; cell++) {
        rp_bench_progress("beyond: %s, %s, world %u", self->protocol->name,
                          self->protocol->cells[cell].name, world);
        (void)make_run(self, cell, seed, &bouts[cell]); // else there is nothing to play
    }
    for (unsigned round = 0; is_well && round < RP_BOUT_ROUNDS_MOST; round++) {
        for (size_t cell = 0; is_well && cell < cells; cell++) {
            is_well = play_run(self, cell, world, &bouts[cell]);
        }
    }
    for (size_t cell = 0; cell < cells; cell++) {
        if (is_well && bouts[cell].trace_count != 0) {
            score_run(self, cell, &bouts[cell]);
            note_rounds(self, bouts[cell].rounds);
            rp_score_table_finish(&self->scores, self->protocol->name, bouts[cell].differences, 0);
        }
        rp_paired_run_fini(&bouts[cell]);
    }
    free(bouts);
    return is_well;
}

static bool play_cells(rp_beyond_t *self)
{
    bool is_well = true;
    for (unsigned world = 0; is_well && world < worlds_of(self); world++) {
        is_well = play_world(self, world);
    }
    return is_well;
}

static rp_samples_t *new_samples(size_t count)
{
    rp_samples_t *samples = rp_bench_memory(NULL, count, sizeof *samples);
    memset(samples, 0, count * sizeof *samples);
    return samples;
}

static void free_samples(rp_samples_t *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rp_samples_fini(&samples[i]);
    }
    free(samples);
}

static void new_figures(rp_beyond_t *self, size_t cells)
{
    const size_t places = cells * self->match.count;
    self->us = new_samples(places);
    self->charged = new_samples(places);
    self->worlds = new_samples(places);
    self->apart = new_samples(places);
    self->ticks = new_samples(cells);
    for (size_t i = 0; i < 2; i++) {
        self->pairs[i] = new_samples(cells);
        self->quotients[i] = new_samples(places);
    }
}

static void free_figures(rp_beyond_t *self, size_t cells)
{
    const size_t places = cells * self->match.count;
    free_samples(self->us, places);
    free_samples(self->charged, places);
    free_samples(self->worlds, places);
    free_samples(self->apart, places);
    free_samples(self->ticks, cells);
    for (size_t i = 0; i < 2; i++) {
        free_samples(self->pairs[i], cells);
        free_samples(self->quotients[i], places);
    }
}

/// @return false when a planner refuses
static bool play_protocol(rp_beyond_t *self, const cJSON *header, cJSON *protocols)
{
    rp_contender_t chosen[RP_CONTENDERS_MAX];
    rp_bench_options_t own = *self->options;
    own.resume = NULL; // percentiles of all plans: sums alone do not bring them back
    self->rounds_least = 0;
    self->rounds_most = 0;
    rp_comparison_open(&self->match, chosen, choose_contenders(self, chosen));
    const size_t all = own.quick ? self->protocol->quick_cell_count : self->protocol->cell_count;
    const size_t cells = rp_bench_rows(self->options, all);
    new_figures(self, cells);
    const bool is_well =
        rp_score_table_open(&self->scores, &self->match, cells, &own, header) && play_cells(self);
    if (is_well) {
        rp_beyond_print(self);
        self->protocol->judge(self);
        rp_beyond_to_json(self, protocols);
    }
    self->differences += self->scores.differences;
    free_figures(self, cells);
    rp_score_table_close(&self->scores);
    rp_comparison_close(&self->match);
    return is_well;
}

static bool is_asked_for(const rp_bench_options_t *options, const char *name)
{
    return options->protocol == NULL || strcmp(options->protocol, name) == 0;
}

int rp_bench_beyond(const rp_bench_options_t *options, cJSON *results)
{
    static rp_beyond_t suite; // large
    rp_beyond_t *self = &suite;
    *self = (rp_beyond_t){.options = options};
    printf(
        "# Beyond\n\nAll planners on the same instances, taking turns. Microseconds a plan, the "
        "median world: CPU time of the thread for the writing of the grid, the changes taken in "
        "with every bitmap and layer, search and path. Each contender has a grid of its own and "
        "pays for writing it; cells come one by one, not as rectangles.\n\n"
        "Left out: making the changes up; binding a planner to its map, with the bitmaps of a map "
        "that has not changed yet; the first plan, where a table of its own says what it took; "
        "idle time, where the head says that there is any: the first tables have it for free, and "
        "one of its own says what each plan takes without, and with all of it charged. In P4 and "
        "the batches updates come one after the other, elsewhere each is waited for.\n\n"
        "Each world is played in rounds, by all contenders as often. The work is the same in all "
        "(expansions and costs are compared), and what a host does beside only adds: of each plan "
        "stands the least of the rounds, first plans too; of updates one after the other, which "
        "overlap, of each 64 the round in which these were quickest. Sums and percentiles are of "
        "these. A slow planner may plan at some steps only: the head says which, and at how many. "
        "The "
        "column auto/best single is no quotient of these, as one may have met a quiet moment that "
        "the other did not: of each world it takes the median of the quotients of both in the "
        "same round, and of those the median world. No figure of another machine is part of any "
        "ratio.\n");
    cJSON *protocols = cJSON_CreateArray();
    bool is_well = true;
    for (size_t i = 0; is_well && rp_beyond_protocol(i) != NULL; i++) {
        self->protocol = rp_beyond_protocol(i);
        if (is_asked_for(options, self->protocol->name)) {
            is_well = play_protocol(self, results, protocols);
        }
    }
    if (is_well && is_asked_for(options, "first")) {
        rp_beyond_first(self);
    }
    if (is_well && is_asked_for(options, "gppc")) {
        rp_beyond_gppc(self, results);
    }
    if (is_well && is_asked_for(options, "peers")) {
        rp_beyond_peers(self, results);
    }
    cJSON_AddItemToObject(results, "protocols", protocols);
    if (is_well) {
        rp_beyond_print_targets(self);
        rp_beyond_targets_to_json(self, results);
    }
    return is_well ? self->differences != 0 : 2;
}
