/// The suite `beyond`: every protocol, one after the other, in one run on one machine.
///
/// The first pages that a virtual machine gives to a process cost ten times what they do later, and
/// whoever begins to repair in the middle of a world would pay for them there. So the first world
/// of a protocol is played once for nothing.
#include "bench/beyond.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/suites.h"
#include "planners/search/memory.h"

// ---- playing

static size_t place_of(const rp_beyond_t *self, size_t cell, size_t contender)
{
    return cell * self->match.count + contender;
}

/// Those of a protocol that are wanted: all, or one beside A*.
static size_t choose_contenders(const rp_beyond_t *self, rp_contender_t *chosen)
{
    const rp_beyond_protocol_t *protocol = self->protocol;
    const char *wanted = self->options->planner;
    size_t count = 0;
    for (size_t i = 0; i < protocol->contender_count; i++) {
        const rp_contender_t *contender = &protocol->contenders[i];
        const bool is_wanted = wanted == NULL || strcmp(contender->id, wanted) == 0 ||
                               strcmp(contender->name, "A*") == 0;
        if (is_wanted && rp_planner_find(contender->id) != NULL) {
            chosen[count++] = *contender;
        }
    }
    return count;
}

static bool is_chooser(const rp_contender_t *contender)
{
    return strcmp(contender->name, "auto") == 0;
}

/// A step of a sample that was left out counts for nothing; one at which a contender had no need to
/// plan is a plan.
static void score(rp_beyond_t *self, size_t cell, size_t who, const rp_trace_t *trace, size_t step)
{
    const rp_play_t *play = &rp_match_plays(&self->match, who)[step];
    const rp_contender_t *contender = &self->match.contenders[who];
    if (contender->every > 1 && step % contender->every != 0) {
        return;
    }
    rp_score_t score = {.of = {[RP_SCORE_STEPS] = 1.0}};
    if (!play->rested) {
        score = rp_score_of(play, trace->shape.unit);
    }
    const double ns = play->ns + (self->protocol->counts_grid ? play->grid_ns : 0.0);
    score.of[RP_SCORE_NS] = ns;
    score.of[RP_SCORE_GRID_NS] = play->grid_ns;
    score.of[RP_SCORE_IDLE_NS] = play->idle_ns;
    score.of[RP_SCORE_IDLE_EXPANDED] = (double)play->idle_expanded;
    score.of[RP_SCORE_TOGGLES] = (double)trace->steps[step].toggle_end;
    score.of[RP_SCORE_TOGGLES] -= step != 0 ? (double)trace->steps[step - 1].toggle_end : 0.0;
    rp_board_add(&self->board, cell, who, &score);
    rp_samples_add(&self->us[place_of(self, cell, who)], ns * 1e-3);
    if (trace->sprints) {
        rp_samples_add(&self->apart[place_of(self, cell, who)], play->apart_ns * 1e-3);
    }
    if (is_chooser(contender)) {
        const double whole_ns = play->ns + (double)trace->steps[step].making_ns;
        rp_samples_add(&self->ticks[cell], whole_ns * 1e-3);
    }
}

static void score_pair(rp_beyond_t *self, size_t cell, size_t step)
{
    const size_t ours = rp_match_find(&self->match, "auto");
    const size_t other = rp_match_find(&self->match, "A* buckets");
    if (ours == RP_CONTENDERS_MAX || other == RP_CONTENDERS_MAX) {
        return;
    }
    const rp_play_t *mine = &rp_match_plays(&self->match, ours)[step];
    const rp_play_t *its = &rp_match_plays(&self->match, other)[step];
    if (!its->rested && its->ns > 0.0) {
        rp_samples_add(&self->pairs[cell], mine->ns / its->ns);
    }
}

static void score_first(rp_beyond_t *self, size_t cell, size_t who)
{
    const rp_play_t *first = rp_match_plays(&self->match, who);
    const rp_score_t score = {.of = {[RP_SCORE_FIRST_NS] = first->ns,
                                     [RP_SCORE_IDLE_NS] = first->idle_ns,
                                     [RP_SCORE_IDLE_EXPANDED] = (double)first->idle_expanded}};
    rp_board_add(&self->board, cell, who, &score);
}

static void score_world(rp_beyond_t *self, size_t cell, const rp_trace_t *trace)
{
    const bool has_first = self->protocol->has_first;
    for (size_t who = 0; has_first && who < self->match.count; who++) {
        score_first(self, cell, who);
    }
    for (size_t step = has_first; step < self->match.step_count; step++) {
        for (size_t who = 0; who < self->match.count; who++) {
            score(self, cell, who, trace, step);
        }
        score_pair(self, cell, step);
    }
}

/// Huge pages that a virtual machine has not given away lately cost tens of times what others do,
/// and whoever begins to repair in the middle of a world would pay for them there. Take as many as
/// a contender will, and give them back: these come first then.
static void meet_memory(void)
{
    const size_t bytes = (size_t)1 << 27;
    volatile uint8_t *memory = rp_memory_new(bytes, 1);
    for (size_t i = 0; memory != NULL && i < bytes; i += 4096) {
        memory[i] = 1;
    }
    rp_memory_free((void *)memory, bytes, 1, NULL);
}

/// Everybody plays a trace of its own. D* Lite, which knows the cost at every step, is the witness,
/// and A* now and then.
static bool play_apart(rp_beyond_t *self, size_t cell, uint64_t seed, const char *unit)
{
    const rp_beyond_protocol_t *protocol = self->protocol;
    const size_t witnesses[RP_WITNESSES_MAX] = {rp_match_find(&self->match, "D* Lite"),
                                                rp_match_find(&self->match, "A*")};
    const unsigned before = self->match.differences;
    meet_memory();
    for (size_t who = 0; who < self->match.count; who++) {
        rp_trace_t trace;
        if (!protocol->make_own(&trace, self->options, &protocol->cells[cell], seed,
                                &self->match.contenders[who])) {
            return true; // a map that is not there: said
        }
        const bool is_played = rp_match_play_alone(&self->match, &trace, unit, who, witnesses);
        if (is_played) {
            score_first(self, cell, who);
        }
        for (size_t step = 1; is_played && step < self->match.step_count; step++) {
            score(self, cell, who, &trace, step);
        }
        rp_trace_fini(&trace);
        if (!is_played) {
            return false;
        }
    }
    rp_board_finish(&self->board, unit, self->match.differences - before, 0);
    return true;
}

static bool play_world(rp_beyond_t *self, size_t cell, unsigned world)
{
    const rp_beyond_protocol_t *protocol = self->protocol;
    char unit[128];
    (void)snprintf(unit, sizeof unit, "%s, %s, world %u", protocol->name,
                   protocol->cells[cell].name, world);
    rp_bench_progress("beyond: %s", unit);
    if (protocol->make_own != NULL) {
        return play_apart(self, cell, rp_bench_seed(self->options->seed, world, 7000u), unit);
    }
    rp_trace_t trace;
    const uint64_t seed = rp_bench_seed(self->options->seed, world, 7000u);
    if (!protocol->make(&trace, self->options, &protocol->cells[cell], seed)) {
        return true; // a map that is not there: said
    }
    const unsigned before = self->match.differences;
    meet_memory();
    const bool is_played = rp_match_play(&self->match, &trace, unit);
    if (is_played) {
        score_world(self, cell, &trace);
        rp_board_finish(&self->board, unit, self->match.differences - before, 0);
    }
    rp_trace_fini(&trace);
    return is_played;
}

static bool play_cells(rp_beyond_t *self)
{
    const rp_bench_options_t *options = self->options;
    const rp_beyond_protocol_t *protocol = self->protocol;
    const unsigned own = options->quick ? protocol->quick_worlds : protocol->worlds;
    const unsigned worlds = options->worlds != 0 ? options->worlds : own;
    for (unsigned world = 0; world < worlds; world++) {
        for (size_t cell = 0; cell < self->board.group_count; cell++) {
            if (!play_world(self, cell, world)) {
                return false;
            }
        }
    }
    return true;
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

/// @return false when a planner refuses
static bool play_protocol(rp_beyond_t *self, const cJSON *header, cJSON *protocols)
{
    rp_contender_t chosen[RP_CONTENDERS_MAX];
    rp_bench_options_t own = *self->options;
    own.resume = NULL; // percentiles of all plans: sums alone do not bring them back
    rp_match_open(&self->match, chosen, choose_contenders(self, chosen));
    const size_t all = own.quick ? self->protocol->quick_cell_count : self->protocol->cell_count;
    const size_t cells = rp_bench_rows(self->options, all);
    self->us = new_samples(cells * self->match.count);
    self->apart = new_samples(cells * self->match.count);
    self->ticks = new_samples(cells);
    self->pairs = new_samples(cells);
    const bool is_well =
        rp_board_open(&self->board, &self->match, cells, &own, header) && play_cells(self);
    if (is_well) {
        rp_beyond_print(self);
        self->protocol->judge(self);
        rp_beyond_to_json(self, protocols);
    }
    self->differences += self->board.differences;
    free_samples(self->us, cells * self->match.count);
    free_samples(self->apart, cells * self->match.count);
    free_samples(self->ticks, cells);
    free_samples(self->pairs, cells);
    rp_board_close(&self->board);
    rp_match_close(&self->match);
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
    printf("# Beyond\n\nAll planners on the same instances, taking turns. Microseconds a plan: CPU "
           "time of changes taken in, search and path; in P4 and the batches, where that is all "
           "there is to most updates, of the writing of the grid too, one update after the other; "
           "the median world.\n");
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
        rp_beyond_gppc(self);
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
