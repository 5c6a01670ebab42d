/// Keep or switch: the rules alone, then sessions whose world grows noisy.
#include "engine/paths/policy.h"
#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define MS 1000u

static rp_scene_t scene;

static void tear_down(void)
{
    rp_scene_close(&scene);
}

// ---- the rules

static const rp_policy_t robot = {
    .switch_gain_percent = 5, .min_interval_ms = 200, .max_age_ms = 3000};

START_TEST(a_gain_counts_from_the_percent_on)
{
    ck_assert(!rp_policy_gains(&robot, 100.0, 95.01));
    ck_assert(rp_policy_gains(&robot, 100.0, 95.0));
    ck_assert(!rp_policy_gains(&robot, 100.0, 100.0));
    const rp_policy_t eager = {0};
    ck_assert(rp_policy_gains(&eager, 100.0, 99.9999));
    ck_assert(!rp_policy_gains(&eager, 100.0, 100.0 - 1e-9)); // the last bits of two sums
}
END_TEST

START_TEST(a_switch_waits_for_its_interval_and_says_when)
{
    rp_reason_t reason;
    uint64_t look_us;
    rp_policy_input_t input = {
        .kept = 100.0, .optimum = 80.0, .published_us = 1000, .now_us = 1000};
    ck_assert(rp_policy_keeps(&robot, &input, &reason, &look_us));
    ck_assert_uint_eq(look_us, 1000 + 200 * MS);
    input.now_us = look_us;
    ck_assert(!rp_policy_keeps(&robot, &input, &reason, &look_us));
    ck_assert_int_eq(reason, RP_REASON_CHEAPER);
}
END_TEST

START_TEST(age_lets_any_gain_pass_and_none_keeps_an_optimal_path_for_good)
{
    rp_reason_t reason;
    uint64_t look_us;
    rp_policy_input_t input = {.kept = 100.0, .optimum = 99.0, .published_us = 0, .now_us = 0};
    ck_assert(rp_policy_keeps(&robot, &input, &reason, &look_us));
    ck_assert_uint_eq(look_us, 3000 * MS);
    input.now_us = look_us;
    ck_assert(!rp_policy_keeps(&robot, &input, &reason, &look_us));
    ck_assert_int_eq(reason, RP_REASON_AGED);
    input.optimum = input.kept;
    ck_assert(rp_policy_keeps(&robot, &input, &reason, &look_us));
    ck_assert_uint_eq(look_us, RP_NEVER_US);
}
END_TEST

// ---- sessions

/// Two corridors of the same length around a block, on ground of factor 100.
#define WIDTH  41u
#define HEIGHT 7u
#define NORTH  0u
#define SOUTH  6u

static rp_session_id_t open_corridors(const rp_policy_t *policy)
{
    uint8_t ground[WIDTH * HEIGHT];
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        const uint32_t x = i % WIDTH;
        const uint32_t y = i / WIDTH;
        const bool is_block = x > 1 && x < WIDTH - 2u && y != NORTH && y != SOUTH;
        ground[i] = is_block ? 0 : 100;
    }
    const rp_world_options_t options = {
        .width = WIDTH, .height = HEIGHT, .neighbors = 8, .data = ground};
    rp_scene_open(&scene, &options);
    scene.policy = *policy;
    return rp_scene_session(&scene, "dstar-lite", 0, 3, WIDTH - 1u, 3);
}

/// Rewrite a corridor: each cell its factor, give or take 3 %.
static void make_noise(rp_random_t *rng, uint32_t row, uint32_t factor)
{
    uint8_t data[WIDTH - 4u];
    for (uint32_t i = 0; i < WIDTH - 4u; i++) {
        const uint32_t spread = factor * 3u / 100u;
        data[i] = (uint8_t)rp_random_between(rng, factor - spread, factor + spread);
    }
    const rp_edit_t edit = {.x = 2, .y = row, .width = WIDTH - 4u, .height = 1, .data = data};
    uint64_t version;
    ck_assert_int_eq(
        rp_engine_apply(scene.engine, scene.world, &edit, (rp_cause_t){1, 2}, &version), RP_OK);
}

/// 20 noises a second for `ms`. @return answers that were said
static uint32_t live(rp_random_t *rng, uint32_t ms, uint32_t north, uint32_t south)
{
    rp_answer_t answer;
    uint32_t published = 0;
    for (uint32_t i = 0; i < ms / 50u; i++) {
        make_noise(rng, NORTH, north);
        make_noise(rng, SOUTH, south);
        scene.now_us += 50 * MS;
        rp_scene_settle(&scene);
        while (rp_engine_next_answer(scene.engine, &answer)) {
            published++;
        }
    }
    return published;
}

START_TEST(noise_of_3_percent_switches_no_path_and_a_gain_of_20_percent_one_in_time)
{
    rp_random_t rng = {3};
    const rp_session_id_t session =
        open_corridors(&(rp_policy_t){.switch_gain_percent = 5, .min_interval_ms = 200});
    rp_answer_t answer = rp_scene_answer(&scene);
    const bool was_north = answer.start_y > NORTH && answer.steps[0] >= 5;
    ck_assert_uint_eq(live(&rng, 10000, 100, 100), 0);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_double_le(answer.bound, answer.cost);
    ck_assert_double_gt(answer.bound, 0.94 * answer.cost);
    ck_assert_uint_eq(answer.version, rp_engine_version(scene.engine, scene.world));
    // The other corridor becomes so cheap that the whole way gains a fifth.
    ck_assert_uint_eq(live(&rng, 300, was_north ? 100 : 75, was_north ? 75 : 100), 1);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_int_eq(answer.reason, RP_REASON_CHEAPER);
    ck_assert_uint_eq(live(&rng, 5000, was_north ? 100 : 75, was_north ? 75 : 100), 0);
}
END_TEST

START_TEST(the_same_noise_flaps_without_a_policy)
{
    rp_random_t rng = {3};
    (void)open_corridors(&(rp_policy_t){.switch_gain_percent = 0});
    (void)rp_scene_answer(&scene);
    ck_assert_uint_gt(live(&rng, 10000, 100, 100), 20);
}
END_TEST

#define GATED                                                                                      \
    "...#....\n"                                                                                   \
    "...#....\n"                                                                                   \
    "...#....\n"                                                                                   \
    "........"

START_TEST(a_switch_that_came_too_early_is_made_when_its_time_comes_by_the_clock_alone)
{
    rp_scene_draw(&scene, GATED);
    scene.policy = (rp_policy_t){.switch_gain_percent = 5, .min_interval_ms = 200};
    scene.now_us = 7 * MS;
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    const rp_edit_t gate = {.x = 3, .y = 0, .width = 1, .height = 1, .fill = 1};
    uint64_t version;
    ck_assert_int_eq(
        rp_engine_apply(scene.engine, scene.world, &gate, (rp_cause_t){11, 22}, &version), RP_OK);
    scene.now_us = 100 * MS;
    rp_scene_expect_silence(&scene);
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world), version);
    ck_assert_uint_eq(rp_engine_next_us(scene.engine), 207 * MS);
    rp_answer_t kept;
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &kept), RP_OK);
    ck_assert_double_eq(kept.bound, 7.0);
    ck_assert_double_gt(kept.cost, 7.0);
    scene.now_us = 207 * MS - 1u;
    rp_scene_expect_silence(&scene);
    scene.now_us = 207 * MS;
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.reason, RP_REASON_CHEAPER);
    ck_assert_double_eq(answer.cost, 7.0);
    ck_assert_uint_eq(answer.cause.source_us, 11); // the gate, not what came meanwhile
    ck_assert_uint_eq(rp_engine_next_us(scene.engine), RP_NEVER_US);
}
END_TEST

START_TEST(a_step_of_any_length_keeps_to_the_clock)
{
    static const uint64_t budgets[] = {1, 1000, UINT64_MAX - 1u, UINT64_MAX};
    rp_scene_draw(&scene, GATED);
    scene.policy = (rp_policy_t){.switch_gain_percent = 5, .min_interval_ms = 200};
    (void)rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    (void)rp_scene_set(&scene, 3, 0, 1);
    rp_scene_expect_silence(&scene);
    scene.now_us = 200 * MS;
    (void)rp_engine_step(scene.engine, scene.now_us, budgets[_i]);
    ck_assert_double_eq(rp_scene_answer(&scene).cost, 7.0);
}
END_TEST

START_TEST(a_path_that_broke_is_replaced_at_once)
{
    rp_scene_draw(&scene, GATED);
    scene.policy = (rp_policy_t){.switch_gain_percent = 50, .min_interval_ms = 60000};
    (void)rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    (void)rp_scene_set(&scene, 3, 1, 1); // a cheaper way, but not by half
    rp_scene_expect_silence(&scene);
    (void)rp_scene_set(&scene, 3, 3, 0);
    ck_assert_int_eq(rp_scene_answer(&scene).reason, RP_REASON_INVALID);
}
END_TEST

START_TEST(an_old_path_gives_way_to_a_slightly_cheaper_one)
{
    rp_scene_draw(&scene, GATED);
    scene.policy = (rp_policy_t){.switch_gain_percent = 50, .max_age_ms = 3000};
    (void)rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    (void)rp_scene_set(&scene, 3, 1, 1);
    rp_scene_expect_silence(&scene);
    ck_assert_uint_eq(rp_engine_next_us(scene.engine), 3000 * MS);
    scene.now_us = 3000 * MS;
    ck_assert_int_eq(rp_scene_answer(&scene).reason, RP_REASON_AGED);
}
END_TEST

START_TEST(walking_on_a_kept_path_switches_where_the_gain_becomes_large_enough)
{
    // The short cut lies far ahead: of the whole way it saves little, of the rest much.
    rp_scene_draw(&scene, "....................#...\n"
                          "....................#...\n"
                          "....................#...\n"
                          "........................");
    scene.policy = (rp_policy_t){.switch_gain_percent = 15};
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 23, 0);
    rp_answer_t answer = rp_scene_answer(&scene);
    (void)rp_scene_set(&scene, 20, 0, 1);
    rp_scene_expect_silence(&scene);
    uint32_t switched = 0;
    for (uint32_t i = 0; i < 20 && switched == 0; i++) {
        static const int down[] = {0, 1, 1, 1, 0, -1, -1, -1};
        ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
        const uint32_t x = answer.start_x + 1u; // the way leads east all along
        const uint32_t y = (uint32_t)((int)answer.start_y + down[answer.steps[0]]);
        ck_assert_int_eq(rp_scene_pose(&scene, session, x, y), RP_OK);
        rp_scene_settle(&scene);
        ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
        rp_answer_t impact;
        if (rp_engine_next_answer(scene.engine, &impact)) {
            ck_assert_int_eq(impact.reason, RP_REASON_CHEAPER);
            switched = x;
        } else {
            ck_assert_double_gt(answer.bound, 0.85 * answer.cost); // it says what it may miss
        }
        ck_assert_uint_eq(answer.start_x, x);
    }
    ck_assert_uint_gt(switched, 1);
}
END_TEST

int main(void)
{
    const TTest *const rules[] = {
        a_gain_counts_from_the_percent_on,
        a_switch_waits_for_its_interval_and_says_when,
        age_lets_any_gain_pass_and_none_keeps_an_optimal_path_for_good,
    };
    const TTest *const tests[] = {
        noise_of_3_percent_switches_no_path_and_a_gain_of_20_percent_one_in_time,
        the_same_noise_flaps_without_a_policy,
        a_switch_that_came_too_early_is_made_when_its_time_comes_by_the_clock_alone,
        a_path_that_broke_is_replaced_at_once,
        an_old_path_gives_way_to_a_slightly_cheaper_one,
        walking_on_a_kept_path_switches_where_the_gain_becomes_large_enough,
    };
    const TTest *const lengths[] = {a_step_of_any_length_keeps_to_the_clock};
    const int code = rp_suite_run("policy", rules, sizeof rules / sizeof rules[0], 1, NULL);
    return rp_suite_run("sessions", tests, sizeof tests / sizeof tests[0], 1, tear_down) |
           rp_suite_run("steps", lengths, 1, 4, tear_down) | code;
}
