/// Ten times the changes that the engine can follow: none is lost, those that wait are one batch,
/// and soon after the flood every answer is true again. Work is counted in steps, not in time.
#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE     96u
#define SESSIONS 24u
#define STEPS    600u ///< of a millisecond each
#define RECOVERY 1000u
#define BUDGET   1024u

static rp_scene_t scene;
static rp_random_t rng;
static uint8_t bytes[SIDE * SIDE];
static rp_session_id_t sessions[SESSIONS];
static uint32_t starts[SESSIONS];
static uint32_t goals[SESSIONS];

static void tear_down(void)
{
    rp_scene_close(&scene);
}

static void begin(void)
{
    const rp_world_options_t world = {.width = SIDE, .height = SIDE, .neighbors = 8};
    rng = (rp_random_t){11};
    rp_scene_open(&scene, &world);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        bytes[i] = 1;
    }
    for (uint32_t i = 0; i < SESSIONS; i++) {
        starts[i] = (2u + i) * SIDE + 1u;
        goals[i] = (SIDE - 3u - i) * SIDE + SIDE - 2u;
        sessions[i] = rp_scene_session(&scene, i % 2 == 0 ? NULL : "dstar-lite", starts[i] % SIDE,
                                       starts[i] / SIDE, goals[i] % SIDE, goals[i] / SIDE);
    }
    rp_scene_settle(&scene);
}

/// A cell in the middle of all ways.
static void change(void)
{
    const uint32_t x = 20u + rp_random_below(&rng, SIDE - 40u);
    const uint32_t y = rp_random_below(&rng, SIDE);
    bytes[y * SIDE + x] ^= 1u;
    (void)rp_scene_set(&scene, x, y, bytes[y * SIDE + x]);
}

static bool step(void)
{
    scene.now_us += 1000u;
    return rp_engine_step(scene.engine, scene.now_us, BUDGET);
}

/// @return of 100 steps with so many changes each, after how many nobody was unsure
static unsigned followed(unsigned changes)
{
    unsigned count = 0;
    for (unsigned i = 0; i < 100; i++) {
        for (unsigned k = 0; k < changes; k++) {
            change();
        }
        count += !step();
    }
    return count;
}

START_TEST(ten_times_the_load_is_followed_soon_after_and_nothing_is_lost)
{
    begin();
    unsigned most = 1; // changes a step that are too many already
    while (followed(most) > 50) {
        most *= 2u;
    }
    const uint64_t before = rp_engine_version(scene.engine, scene.world);
    for (unsigned i = 0; i < STEPS; i++) {
        for (unsigned k = 0; k < 10u * most; k++) {
            change();
        }
        (void)step();
    }
    ck_assert_uint_eq(rp_engine_version(scene.engine, scene.world), before + STEPS * 10u * most);
    unsigned steps = 0;
    while (step()) {
        ck_assert_uint_lt(++steps, RECOVERY);
    }
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world),
                      rp_engine_version(scene.engine, scene.world));
    for (uint32_t i = 0; i < SESSIONS; i++) {
        const rp_scene_goal_spec_t goal_spec = {
            .start = starts[i], .goals = {{.place = goals[i]}}, .goal_count = 1};
        rp_answer_t answer;
        ck_assert_int_eq(rp_engine_answer(scene.engine, sessions[i], &answer), RP_OK);
        const char *complaint = rp_scene_judge(&scene, &answer, &goal_spec);
        ck_assert_msg(complaint == NULL, "session %u: %s", i, complaint);
    }
}
END_TEST

// ---- low priority

static rp_session_id_t open_session(bool may_wait, uint32_t y)
{
    scene.policy = (rp_policy_t){.may_wait = may_wait};
    return rp_scene_session(&scene, "astar", 1, y, SIDE - 2u, y);
}

START_TEST(who_may_wait_is_planned_for_when_nobody_else_waits)
{
    const rp_world_options_t world = {.width = SIDE, .height = SIDE, .neighbors = 8};
    rp_scene_open(&scene, &world);
    const rp_session_id_t patient = open_session(true, 10);
    const rp_session_id_t other = open_session(false, 20);
    while (!rp_engine_is_sure(scene.engine, other)) {
        ck_assert(!rp_engine_is_sure(scene.engine, patient)); // though it came first
        scene.now_us += 1000u;
        ck_assert(rp_engine_step(scene.engine, scene.now_us, 70));
    }
    rp_scene_settle(&scene);
    ck_assert(rp_engine_is_sure(scene.engine, patient));
    const uint64_t settled = rp_engine_version(scene.engine, scene.world);
    for (unsigned i = 0; i < 50; i++) { // changes across both ways, more than can be followed
        (void)rp_scene_set(&scene, 30u + i % 3u, 10, i % 2u == 0 ? 0 : 1);
        (void)rp_scene_set(&scene, 30u + i % 3u, 20, i % 2u == 0 ? 0 : 1);
        scene.now_us += 1000u;
        (void)rp_engine_step(scene.engine, scene.now_us, 20);
        ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world), settled);
    }
    rp_scene_settle(&scene);
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world),
                      rp_engine_version(scene.engine, scene.world));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        who_may_wait_is_planned_for_when_nobody_else_waits,
        ten_times_the_load_is_followed_soon_after_and_nothing_is_lost,
    };
    return rp_suite_run("overload", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
