/// A storm of changes: one each 5 ms, each on the way of a search that takes far longer than that,
/// on 4096 x 4096. How long is an agent without an answer that holds?
///
/// Time is CPU time of the thread. Each answer is walked on the bytes as they are when it comes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/suites.h"
#include "replan/engine.h"

#define SIDE        4096u
#define CHANGE_US   5000u
#define STEP_US     100000u ///< between two steps of the agent
#define STEP_BUDGET 8192u
#define WANTED_US   1000000u

typedef struct storm_case {
    const char *name;
    bool is_costmap; ///< with inflation
    bool walks;
} storm_case_t;

static const storm_case_t cases[] = {
    {"stands", false, false},
    {"walks", false, true},
    {"walks, costmap, inflated", true, true},
};

typedef struct storm {
    const storm_case_t *form;
    rp_engine_t *engine;
    rp_world_id_t world;
    rp_session_id_t session;
    uint8_t *bytes; ///< [SIDE * SIDE]
    uint64_t random;
    uint64_t now_us;
    uint64_t held_us;     ///< when an answer held last
    rp_samples_t gap_us;  ///< between two moments when one did
    rp_samples_t step_us; ///< of the engine's steps
    unsigned said;
    unsigned partial;
    unsigned illegal;
} storm_t;

static uint8_t normal_of(const storm_t *self)
{
    return self->form->is_costmap ? 0 : 1;
}

static uint8_t blocked_of(const storm_t *self)
{
    return self->form->is_costmap ? 254 : 0;
}

/// Blocks over about a sixth of the world; both corners are clear.
static void grow_world(storm_t *self)
{
    memset(self->bytes, normal_of(self), (size_t)SIDE * SIDE);
    for (unsigned i = 0; i < SIDE * SIDE / 1500u; i++) {
        const uint32_t side = 6u + rp_bench_below(&self->random, 20);
        const uint32_t x = 64u + rp_bench_below(&self->random, SIDE - 128u - side);
        const uint32_t y = 64u + rp_bench_below(&self->random, SIDE - 128u - side);
        for (uint32_t row = 0; row < side; row++) {
            memset(self->bytes + (size_t)(y + row) * SIDE + x, blocked_of(self), side);
        }
    }
}

static bool enter(storm_t *self)
{
    const rp_world_options_t world = {.width = SIDE,
                                      .height = SIDE,
                                      .neighbors = 8,
                                      .profile = self->form->is_costmap ? "costmap" : "factor",
                                      .frame = {.resolution_m = 1.0},
                                      .data = self->bytes};
    rp_session_options_t options = {.planner = NULL};
    if (self->form->is_costmap) {
        options.body =
            (rp_body_t){.inscribed_radius_m = 2, .inflation_radius_m = 6, .cost_scaling = 0.5};
    }
    const rp_destination_t goal = {.x_m = SIDE - 30.5, .y_m = SIDE - 30.5};
    return rp_engine_new(&self->engine) == RP_OK &&
           rp_engine_open_world(self->engine, &world, &self->world) == RP_OK &&
           rp_engine_open(self->engine, self->world, &options, &self->session) == RP_OK &&
           rp_engine_pose(self->engine, self->session, 30.5, 30.5, 0, (rp_cause_t){0, 0}) ==
               RP_OK &&
           rp_engine_goals(self->engine, self->session, &goal, 1, 0, (rp_cause_t){0, 0}) == RP_OK;
}

// ---- what happens

/// A cell on the straight way to the goal, or near it, is blocked or freed.
static void change(storm_t *self)
{
    const uint32_t along = 200u + rp_bench_below(&self->random, SIDE - 400u);
    const uint32_t x = along - 60u + rp_bench_below(&self->random, 120);
    const uint32_t cell = along * SIDE + x;
    uint64_t version;
    self->bytes[cell] = self->bytes[cell] == normal_of(self) ? blocked_of(self) : normal_of(self);
    const rp_edit_t edit = {.cells = &cell, .cell_count = 1, .value = self->bytes[cell]};
    (void)rp_engine_apply(self->engine, self->world, &edit, (rp_cause_t){0, 0}, &version);
}

static void walk(storm_t *self)
{
    static const int dx[] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
    rp_answer_t answer;
    (void)rp_engine_answer(self->engine, self->session, &answer);
    if (answer.step_count != 0) {
        (void)rp_engine_pose(self->engine, self->session,
                             answer.start_x + dx[answer.steps[0]] + 0.5,
                             answer.start_y + dy[answer.steps[0]] + 0.5, 0, (rp_cause_t){0, 0});
    }
}

static void take_answers(storm_t *self)
{
    rp_answer_t answer;
    uint32_t offender;
    double cost;
    while (rp_engine_next_answer(self->engine, &answer)) {
        self->said++;
        self->partial += answer.outcome == RP_ANSWER_PARTIAL;
        self->illegal += rp_engine_walk(self->engine, self->session, answer.start_x, answer.start_y,
                                        answer.steps, answer.step_count, &offender, 1, &cost) != 0;
    }
    if (rp_engine_is_sure(self->engine, self->session)) {
        rp_samples_add(&self->gap_us, (double)(self->now_us - self->held_us));
        self->held_us = self->now_us;
    }
}

static void play(storm_t *self, uint64_t length_us)
{
    const uint64_t from_us = rp_bench_cpu_ns() / 1000u;
    uint64_t change_us = 0;
    uint64_t step_us = 0;
    while (self->now_us < length_us) {
        const uint64_t before_ns = rp_bench_cpu_ns();
        (void)rp_engine_step(self->engine, self->now_us, STEP_BUDGET);
        rp_samples_add(&self->step_us, (double)(rp_bench_cpu_ns() - before_ns) / 1e3);
        take_answers(self);
        self->now_us = rp_bench_cpu_ns() / 1000u - from_us;
        for (; change_us < self->now_us; change_us += CHANGE_US) {
            change(self);
        }
        for (; self->form->walks && step_us < self->now_us; step_us += STEP_US) {
            walk(self);
        }
    }
    rp_samples_add(&self->gap_us, (double)(self->now_us - self->held_us));
}

static void report(storm_t *self, cJSON *results)
{
    const double longest_us = rp_samples_percentile(&self->gap_us, 100.0);
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "agent", self->form->name);
    rp_samples_to_json(&self->gap_us, row, "without_answer_us");
    rp_samples_to_json(&self->step_us, row, "slice_us");
    cJSON_AddNumberToObject(row, "said", self->said);
    cJSON_AddNumberToObject(row, "partial", self->partial);
    cJSON_AddNumberToObject(row, "illegal", self->illegal);
    cJSON_AddItemToArray(cJSON_GetObjectItem(results, "storm"), row);
    printf("| %s | %.0f | %zu | %u | %u | %u | %.0f | %s |\n", self->form->name, longest_us / 1e3,
           self->gap_us.count - 1u, self->said, self->partial, self->illegal,
           rp_samples_percentile(&self->step_us, 99.0),
           longest_us <= WANTED_US && self->illegal == 0 ? "yes" : "no");
    (void)fflush(stdout);
}

int rp_bench_storm(const rp_bench_options_t *options, cJSON *results)
{
    int worst = 0;
    cJSON_AddArrayToObject(results, "storm");
    puts("\n# A change each 5 ms, 4096 x 4096\n\n"
         "Wanted: never longer than a second without an answer that holds on the newest version, "
         "and none that is illegal there.\n\n"
         "| agent | longest without an answer, ms | moments with one | said | partial | illegal | "
         "slice p99, us | reached |\n|---|---|---|---|---|---|---|---|");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        storm_t self = {.form = &cases[i], .random = options->seed};
        int code = 2;
        self.bytes = rp_bench_memory(NULL, (size_t)SIDE * SIDE, 1);
        grow_world(&self);
        if (enter(&self)) {
            play(&self, options->quick ? 5000000u : 20000000u);
            report(&self, results);
            code = self.illegal == 0 ? 0 : 1;
        }
        worst = code > worst ? code : worst;
        rp_engine_destroy(&self.engine);
        rp_samples_fini(&self.gap_us);
        rp_samples_fini(&self.step_us);
        free(self.bytes);
    }
    return worst;
}
