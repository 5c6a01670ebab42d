/// What wide instructions are worth: each planner plays the same traces with them and without, in
/// turns. Costs and expansions of both are compared, as a plan must not depend on the machine.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/simd.h"
#include "bench/beyond/beyond.h"
#include "bench/measure/simd_limit.h"
#include "bench/suites.h"

#define ROUNDS       9u
#define ROUNDS_QUICK 3u

/// Steps of a trace that are played.
#define STEPS       21u
#define STEPS_QUICK 5u

/// Speed without wide instructions over speed with them, at least: of planners that work on bits,
/// and of all others.
#define LEAST_OF_BITS 0.25
#define LEAST         0.9

/// A row of a protocol of `beyond`.
static const struct {
    const char *protocol;
    size_t cell;
} grounds[] = {
    {"P1", 3}, {"P1", 6}, {"static-8", 1}, {"static-8", 17}, {"P5", 0},
};
#define GROUNDS (sizeof grounds / sizeof grounds[0])

/// Planners most of whose work is on words of bits.
static const char *const of_bits[] = {"bpa", "jps", "auto"};

static bool works_on_bits(const char *id)
{
    for (size_t i = 0; i < sizeof of_bits / sizeof of_bits[0]; i++) {
        if (strcmp(of_bits[i], id) == 0) {
            return true;
        }
    }
    return false;
}

typedef struct simd {
    const rp_bench_options_t *options;
    rp_samples_t *ratios; ///< owned; time with over time without, by round [GROUNDS]
    unsigned differences;
} simd_t;

// ---- traces

static const rp_beyond_protocol_t *protocol_of(size_t ground)
{
    size_t i = 0;
    while (strcmp(rp_beyond_protocol(i)->name, grounds[ground].protocol) != 0) {
        i++;
    }
    return rp_beyond_protocol(i);
}

static const rp_beyond_cell_t *cell_of(size_t ground)
{
    return &protocol_of(ground)->cells[grounds[ground].cell];
}

/// The first steps of a world. @return false when its map is not there (said)
static bool make_trace(const simd_t *self, size_t ground, rp_trace_t *trace)
{
    const uint64_t seed = rp_bench_seed(self->options->seed, ground, 8000u);
    const size_t most = self->options->quick ? STEPS_QUICK : STEPS;
    if (!protocol_of(ground)->make(trace, self->options, cell_of(ground), seed)) {
        return false;
    }
    trace->step_count = trace->step_count < most ? trace->step_count : most;
    trace->sprints = trace->warms_up = trace->idles = false;
    return true;
}

static bool is_weighted(const rp_trace_t *trace)
{
    const size_t cells = (size_t)trace->shape.width * trace->shape.height;
    for (size_t i = 0; i < cells; i++) {
        if (trace->factors[i] != 0 && trace->factors[i] != trace->shape.unit) {
            return true;
        }
    }
    return false;
}

static bool can_play(const rp_planner_info_t *planner, const rp_trace_t *trace)
{
    const uint32_t wanted = (trace->shape.neighbors == 8 ? RP_CAN_8 : RP_CAN_4) |
                            (is_weighted(trace) ? RP_CAN_WEIGHTED : 0u);
    return (planner->capabilities & wanted) == wanted;
}

// ---- rounds

static double sum_ns(const rp_comparison_t *match, size_t who)
{
    double ns = 0.0;
    for (size_t i = 0; i < match->step_count; i++) {
        const rp_play_t *play = &rp_comparison_plays(match, who)[i];
        ns += play->ns + play->grid_ns;
    }
    return ns;
}

/// True when both expanded the same cells at each step.
static bool is_same_work(const rp_comparison_t *match)
{
    for (size_t i = 0; i < match->step_count; i++) {
        if (rp_comparison_plays(match, 0)[i].stats.expanded !=
            rp_comparison_plays(match, 1)[i].stats.expanded) {
            return false;
        }
    }
    return true;
}

/// One planner, with wide instructions and without. @return false when it cannot be played
static bool play(simd_t *self, const char *id, size_t ground, const rp_trace_t *trace)
{
    const rp_contender_t pair[] = {{.name = id, .id = id},
                                   {.name = "without AVX2", .id = id, .is_narrow = true}};
    const unsigned rounds = self->options->quick ? ROUNDS_QUICK : ROUNDS;
    rp_comparison_t match;
    rp_comparison_open(&match, pair, 2);
    bool is_well = match.count == 2;
    for (unsigned round = 0; is_well && round < rounds; round++) {
        rp_bench_progress("simd: %s, %s, round %u", cell_of(ground)->name, id, round + 1u);
        is_well = rp_comparison_play(&match, trace, id);
        if (is_well && !is_same_work(&match)) {
            fprintf(stderr, "replan-bench: %s expands other cells without AVX2\n", id);
            self->differences++;
        }
        if (is_well) {
            rp_samples_add(&self->ratios[ground], sum_ns(&match, 0) / sum_ns(&match, 1));
        }
    }
    self->differences += match.differences;
    rp_comparison_close(&match);
    return is_well;
}

// ---- the table

static void print_head(void)
{
    printf("# Speed without AVX2, over speed with it\n\nMedians of rounds; the writing of the "
           "cells is part of a step.\n\n| planner");
    for (size_t ground = 0; ground < GROUNDS; ground++) {
        printf(" | %s: %s", grounds[ground].protocol, cell_of(ground)->name);
    }
    printf(" | geometric mean | at least |\n|---|---|---|");
    for (size_t ground = 0; ground < GROUNDS; ground++) {
        printf("---|");
    }
    printf("\n");
}

/// A planner's row. @return false when its mean is below its bound
static bool print_row(simd_t *self, const char *id, cJSON *rows)
{
    const double least = works_on_bits(id) ? LEAST_OF_BITS : LEAST;
    cJSON *row = cJSON_CreateObject();
    double sum = 0.0;
    unsigned count = 0;
    cJSON_AddStringToObject(row, "planner", id);
    printf("| %s", id);
    for (size_t ground = 0; ground < GROUNDS; ground++) {
        rp_samples_t *ratios = &self->ratios[ground];
        const double ratio = rp_samples_percentile(ratios, 50.0);
        if (ratios->count != 0) {
            cJSON_AddNumberToObject(row, cell_of(ground)->name, ratio);
            printf(" | %.2f", ratio);
            sum += log(ratio);
            count++;
        } else {
            printf(" | ");
        }
        rp_samples_fini(ratios);
        *ratios = (rp_samples_t){0};
    }
    const double mean = count != 0 ? exp(sum / count) : NAN;
    printf(" | %.2f | %.2f |\n", mean, least);
    (void)fflush(stdout);
    cJSON_AddNumberToObject(row, "mean", mean);
    cJSON_AddNumberToObject(row, "least", least);
    cJSON_AddItemToArray(rows, row);
    return !(mean < least);
}

int rp_bench_simd(const rp_bench_options_t *options, cJSON *results)
{
    rp_samples_t ratios[GROUNDS] = {0};
    rp_trace_t traces[GROUNDS] = {0};
    simd_t self = {.options = options, .ratios = ratios};
    cJSON *rows = cJSON_AddArrayToObject(results, "planners");
    bool is_well = true;
    bool is_fast = true;
    if (rp_simd_best() == RP_SIMD_NONE) {
        fprintf(stderr, "replan-bench: skipped: this machine has no AVX2, or --simd none\n");
        return 0;
    }
    for (size_t ground = 0; ground < GROUNDS; ground++) {
        (void)make_trace(&self, ground, &traces[ground]); // without a map there are no steps
    }
    print_head();
    for (size_t i = 0; is_well && rp_planner_info(i) != NULL; i++) {
        const rp_planner_info_t *planner = rp_planner_info(i);
        const bool is_wanted =
            options->planner == NULL || strcmp(options->planner, planner->id) == 0;
        for (size_t ground = 0; is_well && is_wanted && ground < GROUNDS; ground++) {
            if (traces[ground].step_count != 0 && can_play(planner, &traces[ground])) {
                is_well = play(&self, planner->id, ground, &traces[ground]);
            }
        }
        if (is_wanted) {
            is_fast = print_row(&self, planner->id, rows) && is_fast;
        }
    }
    for (size_t ground = 0; ground < GROUNDS; ground++) {
        rp_trace_fini(&traces[ground]);
    }
    rp_bench_progress("simd: done, %u differ\n", self.differences);
    return !is_well ? 2 : self.differences != 0 || !is_fast;
}
