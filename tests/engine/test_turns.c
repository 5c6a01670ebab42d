/// Whose turn it is, by what comes out of a step of a small budget.
#include "tests/engine/scene.h"
#include "tests/support/suite.h"

#define MS      1000u
#define SIDE    96u
#define HURRIED 24u
#define BUDGET  512u

static rp_scene_t scene;
static uint8_t bytes[SIDE * SIDE];

static void tear_down(void)
{
    rp_scene_close(&scene);
}

static bool step(uint64_t now_us, uint64_t budget)
{
    scene.now_us = now_us;
    return rp_engine_step(scene.engine, now_us, budget);
}

/// Open ground, but for a wall of three cells.
static void begin(void)
{
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        bytes[i] = i % SIDE == 3 && i / SIDE < 3 ? 0 : 1;
    }
    rp_scene_open(&scene, &(rp_world_options_t){
                              .width = SIDE, .height = SIDE, .neighbors = 8, .data = bytes});
}

/// Sessions that want something legal at once, on ways that take many steps to search.
static void hurry(void)
{
    scene.policy = (rp_policy_t){.starts_at_once = true};
    for (uint32_t i = 0; i < HURRIED; i++) {
        (void)rp_scene_session(&scene, "astar", 8, i, SIDE - 1u, SIDE - 1u - i);
    }
}

START_TEST(who_put_a_switch_off_has_its_time_however_many_are_in_a_hurry)
{
    begin();
    scene.policy = (rp_policy_t){.switch_gain_percent = 5, .min_interval_ms = 200};
    scene.now_us = 7 * MS;
    const rp_session_id_t robot = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    (void)rp_scene_set(&scene, 3, 0, 1);
    rp_scene_expect_silence(&scene);
    ck_assert_uint_eq(rp_engine_next_us(scene.engine), 207 * MS);
    hurry();
    ck_assert(step(207 * MS - 2u, BUDGET));
    ck_assert(rp_engine_is_sure(scene.engine, robot));
    ck_assert(step(207 * MS + 1u, BUDGET));
    ck_assert(!rp_engine_is_sure(scene.engine, robot)); // it waits for its turn as all others do
    rp_scene_settle(&scene);
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, robot, &answer), RP_OK);
    ck_assert_double_eq(answer.cost, 7.0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        who_put_a_switch_off_has_its_time_however_many_are_in_a_hurry,
    };
    return rp_suite_run("turns", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
