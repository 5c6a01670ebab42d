/// The same of an engine: what a step does is bounded by its budget, whatever it was told before.
#include <string.h>

#include "replan/engine.h"
#include "tests/slices/effort.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE  1024u
#define CELLS (SIDE * SIDE)
#define SLICE 1024u ///< the budget of a step

/// What a step, or idle time, may do for each expansion of its budget, and at all, whatever the
/// size of the world: ground is laid some rows at a time.
#define EACH_EXPANSION 50u
#define LAID           2200000u
#define IDLE           100000u

static const struct kind {
    uint8_t neighbors;
    bool is_robot; ///< costmap with inflation
    bool wraps;
} kinds[] = {{4, false, false}, {8, false, false}, {8, true, false}, {8, false, true}};
#define KINDS (sizeof kinds / sizeof kinds[0])

static const struct kind *kind;
static rp_engine_t *engine;
static rp_world_id_t world;
static rp_session_id_t session;
static uint8_t bytes[CELLS];

static void tear_down(void)
{
    rp_engine_destroy(&engine);
}

static uint8_t blocked(void)
{
    return kind->is_robot ? 254 : 0;
}

static uint8_t normal(void)
{
    return kind->is_robot ? 0 : 1;
}

// ---- the world

static void stamp(uint32_t left, uint32_t top, uint32_t side, uint8_t byte)
{
    for (uint32_t y = top; y < top + side; y++) {
        memset(&bytes[y * SIDE + left], byte, side);
    }
}

/// Blocks over about a sixth of it; both corners are clear.
static void draw_world(void)
{
    rp_random_t random = {7};
    memset(bytes, normal(), sizeof bytes);
    for (uint32_t i = 0; i < CELLS / 1500u; i++) {
        const uint32_t side = rp_random_between(&random, 6, 25);
        const uint32_t left = rp_random_below(&random, SIDE - side);
        stamp(left, rp_random_below(&random, SIDE - side), side, blocked());
    }
    stamp(0, 0, 48, normal());
    stamp(SIDE - 48u, SIDE - 48u, 48, normal());
}

// ---- calls

static void hold_against(const char *what, const char *when, uint64_t did, uint64_t at_all)
{
    const uint64_t may = (uint64_t)SLICE * EACH_EXPANSION + at_all;
    if (did > may) { // an assertion that holds is written to a file by Check, each time
        ck_abort_msg("%u neighbours%s%s, %s: %s does %lu in one go, not %lu", kind->neighbors,
                     kind->is_robot ? ", inflated" : "", kind->wraps ? ", wrapped" : "", what, when,
                     (unsigned long)did, (unsigned long)may);
    }
}

/// Steps, then idle time, until nothing is left to do.
static void work(const char *what)
{
    rp_answer_t answer;
    for (bool is_left = true; is_left;) {
        const uint64_t from = rp_effort();
        is_left = rp_engine_step(engine, 0, SLICE);
        hold_against(what, "a step", rp_effort() - from, LAID);
    }
    while (rp_engine_next_answer(engine, &answer)) {
    }
    for (bool is_left = true; is_left;) {
        const uint64_t from = rp_effort();
        is_left = rp_engine_idle(engine, SLICE);
        hold_against(what, "idle time", rp_effort() - from, IDLE);
    }
}

static void expect(const char *what, rp_status_t status)
{
    ck_assert_int_eq(status, RP_OK);
    work(what);
}

static rp_status_t open_world(void)
{
    const rp_world_options_t options = {.width = SIDE,
                                        .height = SIDE,
                                        .neighbors = kind->neighbors,
                                        .wraps = kind->wraps,
                                        .profile = kind->is_robot ? "costmap" : "factor",
                                        .frame = {.resolution_m = 1.0},
                                        .data = bytes};
    return rp_engine_open_world(engine, &options, &world);
}

static rp_status_t open_session(void)
{
    rp_session_options_t options = {.planner = NULL};
    if (kind->is_robot) {
        options.body =
            (rp_body_t){.inscribed_radius_m = 4, .inflation_radius_m = 11, .cost_scaling = 0.5};
    }
    const rp_status_t status = rp_engine_open(engine, world, &options, &session);
    return status != RP_OK ? status
                           : rp_engine_pose(engine, session, 20.5, 20.5, 0, (rp_cause_t){0, 0});
}

static rp_status_t go_to(double x_m, double y_m, bool is_nearest)
{
    const rp_destination_t to = {.x_m = x_m, .y_m = y_m};
    const rp_aim_t aim = {.points = &to, .count = 1, .is_nearest = is_nearest};
    return rp_engine_aim(engine, session, &aim, (rp_cause_t){0, 0});
}

static rp_status_t put(uint32_t left, uint32_t top, uint32_t width, uint32_t height, uint8_t byte)
{
    uint64_t version;
    const rp_edit_t edit = {.x = left, .y = top, .width = width, .height = height, .fill = byte};
    return rp_engine_apply(engine, world, &edit, (rp_cause_t){0, 0}, &version);
}

static rp_status_t move_window(rp_window_t window)
{
    uint64_t version;
    return rp_engine_resize(engine, world, &window, (rp_cause_t){0, 0}, &version);
}

static rp_status_t ask(rp_question_t question)
{
    rp_query_id_t id;
    return rp_engine_start_query(engine, world, &question, &id);
}

START_TEST(no_step_goes_over_the_world)
{
    const double far = SIDE - 20.5;
    const uint32_t middle = SIDE / 2u;
    const rp_destination_t from = {.x_m = 20.5, .y_m = 20.5};
    const rp_destination_t to = {.x_m = far, .y_m = far};
    const rp_edit_t edit = {.x = middle, .y = middle, .width = 25, .height = 25, .fill = 0};
    kind = &kinds[_i];
    draw_world();
    ck_assert_int_eq(rp_engine_new(&engine), RP_OK);
    expect("a world", open_world());
    expect("a session", open_session());
    expect("a first goal", go_to(far, far, false));
    expect("a block", put(middle, middle, 25, 25, blocked()));
    expect("a large block", put(middle, 64, 100, 100, blocked()));
    expect("room", put(middle / 2u, middle / 2u, middle, middle, normal()));
    expect("a block beside the goal", put(SIDE - 64u, SIDE - 64u, 40, 40, blocked()));
    expect("a wall round the goal", put(SIDE - 48u, SIDE - 48u, 48, 4, blocked()));
    expect("its other side", put(SIDE - 48u, SIDE - 48u, 4, 48, blocked()));
    expect("a question for costs",
           ask((rp_question_t){
               .kind = RP_QUERY_COSTS, .from = &from, .from_count = 1, .to = &to, .to_count = 1}));
    expect("a probe",
           ask((rp_question_t){
               .kind = RP_QUERY_PROBE, .sessions = &session, .session_count = 1, .edit = &edit}));
    expect("a question for a field",
           ask((rp_question_t){
               .kind = RP_QUERY_FIELD, .sessions = &session, .session_count = 1, .reach = 20}));
    expect("a goal as near as can be", go_to(far, far, true));
    expect("a wall across", put(0, middle, SIDE, 4, blocked()));
    expect("no wall across", put(0, middle, SIDE, 4, normal()));
    expect("all free", put(0, 0, SIDE, SIDE, normal()));
    if (!kind->wraps) {
        expect("a window that moves",
               move_window((rp_window_t){.x = 5, .y = 5, .width = SIDE, .height = SIDE}));
        expect("a smaller window",
               move_window((rp_window_t){.width = SIDE - 5u, .height = SIDE - 5u}));
    }
    expect("a session less", rp_engine_close(engine, session));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {no_step_goes_over_the_world};
    return rp_suite_run("engine_slices", tests, sizeof tests / sizeof tests[0], KINDS, tear_down);
}
