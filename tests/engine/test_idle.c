/// Idle time: what planners make ready when nothing is due, and that it ends.
#include <stdlib.h>

#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE    128u
#define MEMBERS 3u
#define CROWD   24u
#define SLICE   100u

static rp_scene_t scene;
static rp_random_t rng;
static rp_session_id_t members[CROWD];
static rp_scene_goal_spec_t goal_specs[CROWD];

static void tear_down(void)
{
    rp_scene_close(&scene);
}

/// A quarter blocked; the ends of all are free and far apart.
static void open_world(uint64_t seed)
{
    uint8_t data[SIDE * SIDE];
    const rp_world_options_t options = {
        .width = SIDE, .height = SIDE, .neighbors = 8, .data = data};
    rng = (rp_random_t){seed};
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t x = i % SIDE;
        data[i] = x < 4u || x >= SIDE - 4u || !rp_random_chance(&rng, 25);
    }
    rp_scene_open(&scene, &options);
}

/// Searches that are stopped by the budget are a session's own from then on.
static void settle(void)
{
    for (unsigned steps = 0; rp_engine_step(scene.engine, 0, SLICE); steps++) {
        ck_assert_uint_lt(steps, 100000);
    }
}

static void open_members(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t y = 10u + 40u * i % (SIDE - 20u);
        members[i] = rp_scene_session(&scene, NULL, 1, y, SIDE - 2u, SIDE - 1u - y);
        goal_specs[i] = (rp_scene_goal_spec_t){
            .start = y * SIDE + 1u,
            .goals = {{(SIDE - 1u - y) * SIDE + SIDE - 2u, 0}},
            .goal_count = 1,
        };
    }
    settle();
}

/// Idle to the end. @return slices that it took
static unsigned idle(void)
{
    unsigned slices = 0;
    while (rp_engine_idle(scene.engine, SLICE)) {
        ck_assert_uint_lt(++slices, 100000);
    }
    return slices;
}

static uint64_t search_bytes(void)
{
    return rp_engine_memory(scene.engine).search_bytes;
}

/// Alone, a search need not have earned it.
START_TEST(idle_time_makes_searches_ready_and_comes_to_an_end)
{
    rp_answer_t answer;
    open_world(3);
    open_members(1);
    while (rp_engine_next_answer(scene.engine, &answer)) {
    }
    const uint64_t before = search_bytes();
    ck_assert_uint_gt(idle(), 1);
    ck_assert_uint_gt(search_bytes(), before);
    ck_assert_uint_eq(idle(), 0);
    ck_assert(!rp_engine_step(scene.engine, 0, SLICE));
    ck_assert(!rp_engine_next_answer(scene.engine, &answer)); // nothing is said of it
}
END_TEST

START_TEST(idle_time_takes_no_memory_from_others)
{
    open_world(3);
    open_members(1);
    const uint64_t before = search_bytes();
    const rp_memory_t memory = rp_engine_memory(scene.engine);
    rp_engine_limit_memory(scene.engine,
                           memory.ground_bytes + memory.session_bytes + before + 10000u);
    (void)rp_engine_step(scene.engine, 0, SLICE); // limits count from the next step on
    ck_assert_uint_eq(idle(), 0);
    ck_assert_uint_eq(search_bytes(), before);
    ck_assert_uint_eq(rp_engine_memory(scene.engine).evicted, 0);
}
END_TEST

START_TEST(nobody_works_ahead_in_a_crowd_that_asks_once)
{
    open_world(3);
    open_members(CROWD);
    ck_assert_uint_eq(idle(), 0);
}
END_TEST

START_TEST(answers_are_the_cheapest_paths_whenever_there_was_idle_time)
{
    open_world(20u + (unsigned)_i);
    open_members(MEMBERS);
    for (unsigned i = 0; i < RP_ROUNDS(40u); i++) {
        const uint32_t x = rp_random_between(&rng, 4, SIDE - 5u);
        const bool is_free = rp_random_below(&rng, 2) != 0;
        (void)rp_scene_set(&scene, x, rp_random_below(&rng, SIDE), is_free);
        const uint32_t who = rp_random_below(&rng, MEMBERS);
        const uint32_t y = rp_random_below(&rng, SIDE);
        ck_assert_int_eq(rp_scene_pose(&scene, members[who], 1, y), RP_OK);
        goal_specs[who].start = y * SIDE + 1u;
        for (uint32_t k = rp_random_below(&rng, 4); k != 0; k--) { // also while work is left
            (void)rp_engine_step(scene.engine, 0, SLICE);
            (void)rp_engine_idle(scene.engine, rp_random_between(&rng, 1, 3000));
        }
        settle();
        for (uint32_t member = 0; member < MEMBERS; member++) {
            rp_answer_t answer;
            ck_assert_int_eq(rp_engine_answer(scene.engine, members[member], &answer), RP_OK);
            const char *complaint = rp_scene_judge(&scene, &answer, &goal_specs[member]);
            ck_assert_msg(complaint == NULL, "member %u: %s", member, complaint);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const once[] = {
        idle_time_makes_searches_ready_and_comes_to_an_end,
        idle_time_takes_no_memory_from_others,
        nobody_works_ahead_in_a_crowd_that_asks_once,
    };
    const TTest *const walks[] = {
        answers_are_the_cheapest_paths_whenever_there_was_idle_time,
    };
    const int failed = rp_suite_run("idle", once, sizeof once / sizeof once[0], 1, tear_down);
    return failed + rp_suite_run("idle: churn", walks, 1, 3, tear_down);
}
