/// The longest call of an engine on the largest worlds: what a reactor or a frame of a game has to
/// wait for at the worst, kind by kind. Each call is timed alone, in CPU time of the thread, and so
/// is each slice of the work that it leaves behind; page faults are counted. All of it is done in
/// small pages, then in huge ones.
///
/// Machines differ, and a slice is counted in work: the figures say which calls stand out.
#include <stdio.h>
#include <string.h>

#include "bench/measure/cpu_sample.h"
#include "bench/suites.h"
#include "msgs/codec.h"
#include "replan/engine.h"

#define SIDE        4096u
#define SIDE_QUICK  1024u
#define STEP_BUDGET 8192u
#define IDLE_BUDGET 256u
#define UPDATE_SIDE 100u

/// A world to try everything on.
typedef struct slices_case {
    const char *name;
    uint8_t neighbors;
    bool is_robot; ///< costmap with inflation
} slices_case_t;

static const slices_case_t cases[] = {
    {"4 neighbours", 4, false},
    {"8 neighbours", 8, false},
    {"8 neighbours, costmap, inflated", 8, true},
};

typedef struct slices {
    const slices_case_t *form;
    const char *pages; ///< "small" or "huge"
    rp_engine_t *engine;
    rp_world_id_t world;
    rp_session_id_t session;
    uint8_t *bytes; ///< given to the world [side * side]
    uint32_t side;
    uint64_t random;
    uint64_t now_us;
    cJSON *rows;
} slices_t;

// ---- the world

static uint8_t normal_of(const slices_t *self)
{
    return self->form->is_robot ? 0 : 1;
}

static uint8_t blocked_of(const slices_t *self)
{
    return self->form->is_robot ? 254 : 0;
}

static void stamp(slices_t *self, uint32_t left, uint32_t top, uint32_t side, uint8_t byte)
{
    for (uint32_t row = 0; row < side; row++) {
        memset(self->bytes + (size_t)(top + row) * self->side + left, byte, side);
    }
}

/// Blocks over about a sixth of the world; both corners are clear.
static void grow_world(slices_t *self)
{
    const size_t cells = (size_t)self->side * self->side;
    memset(self->bytes, normal_of(self), cells);
    for (size_t i = 0; i < cells / 1500u; i++) {
        const uint32_t side = 6u + rp_bench_below(&self->random, 20);
        const uint32_t y = rp_bench_below(&self->random, self->side - side);
        stamp(self, rp_bench_below(&self->random, self->side - side), y, side, blocked_of(self));
    }
    stamp(self, 0, 0, 64, normal_of(self));
    stamp(self, self->side - 64u, self->side - 64u, 64, normal_of(self));
}

// ---- measuring

static void tell(slices_t *self, const char *what, rp_cpu_sample_t call, rp_strip_t *slices)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "world", self->form->name);
    cJSON_AddStringToObject(row, "pages", self->pages);
    cJSON_AddStringToObject(row, "call", what);
    cJSON_AddNumberToObject(row, "call_us", (double)call.ns / 1e3);
    cJSON_AddNumberToObject(row, "call_faults", (double)call.faults);
    rp_samples_to_json(&slices->us, row, "slice_us");
    cJSON_AddNumberToObject(row, "longest_faults", (double)slices->longest.faults);
    cJSON_AddItemToArray(self->rows, row);
    printf("| %s | %s | %s | %.0f | %ld | %zu | %.0f | %.0f | %ld |\n", self->form->name,
           self->pages, what, (double)call.ns / 1e3, call.faults, slices->us.count,
           rp_samples_percentile(&slices->us, 50.0), (double)slices->longest.ns / 1e3,
           slices->longest.faults);
    (void)fflush(stdout);
    rp_strip_fini(slices);
}

/// Let the engine finish what a call left to do, slice by slice, and note the longest.
static void note(slices_t *self, const char *what, rp_cpu_sample_t call)
{
    rp_answer_t answer;
    rp_strip_t slices = {0};
    bool is_left = true;
    while (is_left) {
        const rp_cpu_sample_t from = rp_cpu_sample_now();
        is_left = rp_engine_step(self->engine, self->now_us, STEP_BUDGET);
        rp_strip_add(&slices, rp_cpu_sample_since(from));
    }
    while (rp_engine_next_answer(self->engine, &answer)) {
    }
    tell(self, what, call, &slices);
}

/// Let the engine use time that nobody needs, as a daemon does, to its end.
static void rest(slices_t *self)
{
    rp_strip_t slices = {0};
    bool is_left = true;
    while (is_left) {
        const rp_cpu_sample_t from = rp_cpu_sample_now();
        is_left = rp_engine_idle(self->engine, IDLE_BUDGET);
        rp_strip_add(&slices, rp_cpu_sample_since(from));
    }
    tell(self, "idle time", (rp_cpu_sample_t){0}, &slices);
}

#define TIMED(self, what, call)                                                                    \
    do {                                                                                           \
        const rp_cpu_sample_t from_ = rp_cpu_sample_now();                                         \
        is_fine = (call) == RP_OK && is_fine;                                                      \
        note((self), (what), rp_cpu_sample_since(from_));                                          \
    } while (false)

/// @param given  owned by the world then; NULL: normal ground
static rp_status_t open_world(slices_t *self, uint8_t *given)
{
    const rp_world_options_t world = {.width = self->side,
                                      .height = self->side,
                                      .neighbors = self->form->neighbors,
                                      .profile = self->form->is_robot ? "costmap" : "factor",
                                      .frame = {.resolution_m = 1.0},
                                      .given = given,
                                      .cells_hash = rp_codec_cells_hash};
    return rp_engine_open_world(self->engine, &world, &self->world);
}

static rp_status_t open_session(slices_t *self)
{
    rp_session_options_t options = {.planner = NULL};
    if (self->form->is_robot) {
        options.body =
            (rp_body_t){.inscribed_radius_m = 4, .inflation_radius_m = 11, .cost_scaling = 0.5};
    }
    rp_status_t status = rp_engine_open(self->engine, self->world, &options, &self->session);
    if (status == RP_OK) {
        status = rp_engine_pose(self->engine, self->session, 20.5, 20.5, 0, (rp_cause_t){0, 0});
    }
    return status;
}

static rp_status_t go_to(slices_t *self, double x_m, double y_m, bool is_nearest)
{
    const rp_destination_t to = {.x_m = x_m, .y_m = y_m};
    const rp_aim_t aim = {.points = &to, .count = 1, .is_nearest = is_nearest};
    return rp_engine_aim(self->engine, self->session, &aim, (rp_cause_t){0, 0});
}

static rp_status_t write(slices_t *self, uint32_t left, uint32_t top, uint32_t side, uint8_t byte)
{
    uint64_t version;
    const rp_edit_t edit = {
        .x = left, .y = top, .width = side, .height = side, .data = NULL, .fill = byte};
    return rp_engine_apply(self->engine, self->world, &edit, (rp_cause_t){0, 0}, &version);
}

static rp_status_t ask(slices_t *self, rp_question_t question)
{
    rp_query_id_t id;
    return rp_engine_start_query(self->engine, self->world, &question, &id);
}

/// Everything that an engine may be asked to do, on one world.
static bool play(slices_t *self)
{
    const double far = (double)self->side - 20.5;
    const uint32_t middle = self->side / 2u;
    const rp_destination_t from = {.x_m = 20.5, .y_m = 20.5};
    const rp_destination_t to = {.x_m = far, .y_m = far};
    const rp_edit_t edit = {.x = middle,
                            .y = middle,
                            .width = UPDATE_SIDE,
                            .height = UPDATE_SIDE,
                            .fill = blocked_of(self)};
    const rp_window_t shifted = {.x = 5, .y = 5, .width = self->side, .height = self->side};
    const rp_window_t cut = {.width = self->side - 5u, .height = self->side - 5u};
    bool is_fine = true;
    TIMED(self, "a blank world opens", open_world(self, NULL));
    TIMED(self, "it closes", rp_engine_close_world(self->engine, self->world));
    grow_world(self);
    TIMED(self, "a world opens", open_world(self, self->bytes));
    TIMED(self, "a session opens", open_session(self));
    TIMED(self, "its first goal", go_to(self, far, far, false));
    rest(self);
    TIMED(self, "100 x 100 cells blocked",
          write(self, middle, middle, UPDATE_SIDE, blocked_of(self)));
    TIMED(self, "a quarter of a million cells", write(self, middle, 64, 512, blocked_of(self)));
    rest(self);
    TIMED(self, "half of each side freed",
          write(self, middle / 2u, middle / 2u, middle, normal_of(self)));
    TIMED(
        self, "ask: costs",
        ask(self,
            (rp_question_t){
                .kind = RP_QUERY_COSTS, .from = &from, .from_count = 1, .to = &to, .to_count = 1}));
    TIMED(self, "ask: probe",
          ask(self, (rp_question_t){.kind = RP_QUERY_PROBE,
                                    .sessions = &self->session,
                                    .session_count = 1,
                                    .edit = &edit}));
    TIMED(self, "ask: field",
          ask(self, (rp_question_t){.kind = RP_QUERY_FIELD,
                                    .sessions = &self->session,
                                    .session_count = 1,
                                    .reach = 20}));
    TIMED(self, "a wall round the goal",
          write(self, self->side - 64u, self->side - 64u, 40, blocked_of(self)));
    TIMED(self, "nearest to it", go_to(self, far - 20.0, far - 20.0, true));
    TIMED(
        self, "the window moves",
        rp_engine_resize(self->engine, self->world, &shifted, (rp_cause_t){0, 0}, &(uint64_t){0}));
    TIMED(self, "resize",
          rp_engine_resize(self->engine, self->world, &cut, (rp_cause_t){0, 0}, &(uint64_t){0}));
    TIMED(self, "the session closes", rp_engine_close(self->engine, self->session));
    rest(self);
    TIMED(self, "the world closes", rp_engine_close_world(self->engine, self->world));
    return is_fine;
}

static bool play_in(slices_t *self)
{
    self->bytes = rp_bench_memory(NULL, (size_t)self->side * self->side, 1);
    const bool is_fine = rp_engine_new(&self->engine) == RP_OK && play(self);
    rp_engine_destroy(&self->engine);
    return is_fine;
}

int rp_bench_slices(const rp_bench_options_t *options, cJSON *results)
{
    int worst = 0;
    puts(
        "# The longest call of an engine\n\n"
        "Microseconds of CPU time: the call itself, then the slices that finish what it began; and "
        "how many pages the call met, and the longest slice.\n");
    rp_pages_probe(results);
    cJSON *rows = cJSON_AddArrayToObject(results, "calls");
    puts("\n| world | pages | call | took | met | slices | p50 | longest | met |\n"
         "|---|---|---|---|---|---|---|---|---|");
    for (unsigned kind = 0; kind < RP_PAGES; kind++) {
        rp_pages_choose(kind);
        for (size_t i = 0; i < rp_bench_rows(options, sizeof cases / sizeof cases[0]); i++) {
            slices_t self = {.form = &cases[i],
                             .pages = rp_pages_names[kind],
                             .side = options->quick ? SIDE_QUICK : SIDE,
                             .random = options->seed,
                             .rows = rows};
            worst = play_in(&self) ? worst : 2;
        }
    }
    return worst;
}
