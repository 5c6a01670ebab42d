/// Whom a version wakes: who is not invalidated still has a true answer, as the judge says at once,
/// before anybody plans.
#include "engine/invalidate.h"

#include "engine/core.h"
#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

enum {
    SIDE = 24,
    AGENTS = 24,
    PLACES = 5, ///< that most of them go to, so that some groups are large
    VERSIONS = 40,
};

static rp_random_t rng;
static rp_scene_t scene;
static rp_session_id_t agents[AGENTS];
static rp_scene_goal_spec_t goal_specs[AGENTS];
static uint32_t places[PLACES];
static unsigned invalidated;
static unsigned let_off;

static void tear_down(void)
{
    rp_scene_close(&scene);
}

static rp_world_t *world_now(void)
{
    return rp_engine_world(scene.engine, scene.world);
}

static void open_world(uint64_t seed)
{
    static uint8_t bytes[SIDE * SIDE];
    rng = (rp_random_t){seed};
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        bytes[i] = rp_random_chance(&rng, 20) ? 0 : 1;
    }
    const rp_world_options_t options = {.width = SIDE,
                                        .height = SIDE,
                                        .neighbors = seed % 2 != 0 ? 8 : 4,
                                        .wraps = seed % 4 == 3,
                                        .data = bytes};
    rp_scene_open(&scene, &options);
    for (unsigned i = 0; i < PLACES; i++) {
        places[i] = rp_random_below(&rng, SIDE * SIDE);
    }
}

static void open_agents(void)
{
    static const char *const planners[] = {NULL, NULL, NULL, "lpa", "dstar-lite"};
    for (unsigned i = 0; i < AGENTS; i++) {
        const uint32_t start = rp_random_below(&rng, SIDE * SIDE);
        const uint32_t goal = places[rp_random_below(&rng, rp_random_between(&rng, 1, PLACES))];
        agents[i] = rp_scene_session(&scene, planners[rp_random_below(&rng, 5)], start % SIDE,
                                     start / SIDE, goal % SIDE, goal / SIDE);
        goal_specs[i] =
            (rp_scene_goal_spec_t){.start = start, .goals = {{goal, 0}}, .goal_count = 1};
    }
}

/// A step along its path.
static void walk_on(unsigned i)
{
    static const int dx[] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, agents[i], &answer), RP_OK);
    if (answer.step_count != 0) {
        const uint32_t x = (answer.start_x + SIDE + (uint32_t)dx[answer.steps[0]]) % SIDE;
        const uint32_t y = (answer.start_y + SIDE + (uint32_t)dy[answer.steps[0]]) % SIDE;
        ck_assert_int_eq(rp_scene_pose(&scene, agents[i], x, y), RP_OK);
        goal_specs[i].start = y * SIDE + x;
    }
}

static void change_some(uint64_t number)
{
    static uint32_t cells[6];
    rp_edit_t edit = {.cells = cells,
                      .cell_count = rp_random_below(&rng, 4),
                      .value = (uint8_t)rp_random_below(&rng, 3),
                      .fill = (uint8_t)rp_random_below(&rng, 3)};
    for (size_t i = 0; i < edit.cell_count; i++) {
        cells[i] = rp_random_below(&rng, SIDE * SIDE);
    }
    if (rp_random_chance(&rng, 40)) {
        edit.width = rp_random_between(&rng, 1, 3);
        edit.height = rp_random_between(&rng, 1, 3);
        edit.x = rp_random_below(&rng, SIDE - 2u);
        edit.y = rp_random_below(&rng, SIDE - 2u);
    }
    const rp_cause_t cause = {number, number};
    uint64_t version;
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &edit, cause, &version), RP_OK);
}

/// The others still say what is true.
static void judge_the_sure(void)
{
    for (unsigned i = 0; i < AGENTS; i++) {
        rp_answer_t answer;
        if (rp_engine_is_sure(scene.engine, agents[i])) {
            ck_assert_int_eq(rp_engine_answer(scene.engine, agents[i], &answer), RP_OK);
            const char *complaint = rp_scene_judge(&scene, &answer, &goal_specs[i]);
            ck_assert_msg(complaint == NULL, "agent %u: %s", i, complaint);
            let_off++;
        }
    }
}

/// All were sure before: those who wait do so for this version, group by group.
static void check_queue(uint64_t number)
{
    const rp_goal_group_t *groups[AGENTS];
    unsigned count = 0;
    const rp_world_t *world = world_now();
    const rp_session_t *session = world->roster->unsure[RP_RANK_FIRST].first;
    for (; session != NULL; session = session->schedule.next) {
        RP_EACH(session->validity.state == RP_SESSION_INVALIDATED &&
                session->validity.sure_until == world->version - 1u);
        RP_EACH_EQ(session->schedule.cause.arrival_us, number);
        RP_EACH(!rp_engine_is_sure(scene.engine, session->id));
        if (session->goal.group != NULL &&
            (count == 0 || groups[count - 1u] != session->goal.group)) {
            groups[count++] = session->goal.group;
        }
        invalidated++;
    }
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < i; k++) {
            ck_assert_msg(groups[i] != groups[k], "a group waits in two places");
        }
    }
}

START_TEST(who_is_not_invalidated_still_has_a_true_answer)
{
    rp_answer_t answer;
    open_world(_i + 1u);
    open_agents();
    rp_scene_settle(&scene);
    for (uint64_t number = 1; number <= RP_ROUNDS(VERSIONS); number++) {
        for (unsigned i = 0; i < AGENTS; i++) {
            if (rp_random_chance(&rng, 30)) {
                walk_on(i);
            }
        }
        rp_scene_settle(&scene);
        while (rp_engine_next_answer(scene.engine, &answer)) {
        }
        change_some(number);
        check_queue(number);
        judge_the_sure();
    }
    ck_assert_uint_gt(invalidated, 0);
    ck_assert_uint_gt(let_off, invalidated / 2u);
}
END_TEST

START_TEST(who_waits_already_keeps_its_place_and_its_cause)
{
    rp_scene_draw(&scene, ".....\n"
                          ".....");
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 4, 0);
    rp_scene_settle(&scene);
    const rp_edit_t wall = {.x = 2, .y = 0, .width = 1, .height = 1};
    uint64_t version;
    for (uint64_t number = 5; number < 7; number++) {
        ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &wall,
                                         (rp_cause_t){number, number}, &version),
                         RP_OK);
    }
    const rp_session_t *session = rp_engine_session(scene.engine, id);
    ck_assert_uint_eq(world_now()->roster->unsure_count, 1);
    ck_assert_uint_eq(session->schedule.cause.arrival_us, 5);
    ck_assert_uint_eq(session->validity.sure_until, 1);
}
END_TEST

/// A byte that means the same to one of two movers.
START_TEST(a_version_that_changes_nothing_on_a_layer_wakes_nobody_there)
{
    uint8_t factors[256] = {0};
    factors[1] = factors[2] = 1;
    const rp_profile_options_t flat = {.name = "flat", .factors = factors, .unit = 1};
    const rp_world_options_t options = {
        .width = 6, .height = 1, .neighbors = 8, .profiles = &flat, .profile_count = 1};
    rp_scene_open(&scene, &options);
    const rp_session_options_t by_flat = {.body = {.profile = "flat"}};
    rp_session_id_t other;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &by_flat, &other), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, other, 0, 0), RP_OK);
    ck_assert_int_eq(rp_scene_goal(&scene, other, 5, 0), RP_OK);
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 5, 0);
    rp_scene_settle(&scene);
    (void)rp_scene_set(&scene, 3, 0, 2);
    ck_assert(!rp_engine_is_sure(scene.engine, id));
    ck_assert(rp_engine_is_sure(scene.engine, other));
    ck_assert_uint_eq(world_now()->roster->invalidations.invalidated, 1);
}
END_TEST

// ---- who is asked later

/// A path along the upper row, sure; from now on a version asks nobody at once.
static rp_session_id_t open_quiet(void)
{
    rp_scene_draw(&scene, "........\n"
                          "........\n"
                          "........");
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    world_now()->roster->tests_at_once = 0;
    return id;
}

START_TEST(who_is_asked_in_its_turn_and_not_concerned_neither_plans_nor_speaks)
{
    const rp_session_id_t id = open_quiet();
    const uint64_t checked = rp_engine_effort(scene.engine).checked;
    const uint64_t version = rp_scene_set(&scene, 3, 1, 0); // beside its path
    ck_assert(!rp_engine_is_sure(scene.engine, id));
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world), version - 1u);
    rp_scene_expect_silence(&scene);
    ck_assert(rp_engine_is_sure(scene.engine, id));
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world), version);
    ck_assert_uint_eq(world_now()->roster->invalidations.invalidated, 0);
    ck_assert_uint_eq(rp_engine_effort(scene.engine).checked, checked);
    (void)rp_scene_set(&scene, 3, 0, 0); // and is asked again
    ck_assert_double_gt(rp_scene_answer(&scene).cost, 7.0);
    ck_assert_uint_eq(world_now()->roster->invalidations.invalidated, 1);
}
END_TEST

START_TEST(who_was_not_asked_before_the_next_version_is_planned_for)
{
    const rp_session_id_t id = open_quiet();
    (void)rp_scene_set(&scene, 3, 0, 0);
    (void)rp_scene_set(&scene, 5, 2, 0); // far from its path
    ck_assert(!rp_engine_is_sure(scene.engine, id));
    ck_assert_double_gt(rp_scene_answer(&scene).cost, 7.0);
}
END_TEST

START_TEST(who_arrives_before_it_is_asked_says_so)
{
    const rp_session_id_t id = open_quiet();
    (void)rp_scene_set(&scene, 3, 1, 0);
    ck_assert_int_eq(rp_scene_pose(&scene, id, 7, 0), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_ARRIVED);
}
END_TEST

START_TEST(who_walks_on_before_it_is_asked_is_planned_for)
{
    const rp_session_id_t id = open_quiet();
    (void)rp_scene_set(&scene, 4, 0, 5); // dearer, and still ahead
    ck_assert_int_eq(rp_scene_pose(&scene, id, 1, 0), RP_OK);
    ck_assert_double_lt(rp_scene_answer(&scene).cost, 8.0);
}
END_TEST

START_TEST(who_has_an_timer_keeps_it_when_a_version_asks_nobody)
{
    rp_scene_draw(&scene, ".....\n"
                          "..#..\n"
                          "..#..");
    scene.policy = (rp_policy_t){.max_age_ms = 50, .switch_gain_percent = 50};
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 1, 4, 1);
    const double detour = rp_scene_answer(&scene).cost;
    (void)rp_scene_set(&scene, 2, 1, 1); // cheaper, not by half
    rp_scene_expect_silence(&scene);
    world_now()->roster->tests_at_once = 0;
    (void)rp_scene_set(&scene, 0, 2, 0);
    rp_scene_expect_silence(&scene);
    scene.now_us += 60000;
    ck_assert_double_lt(rp_scene_answer(&scene).cost, detour);
    ck_assert(rp_engine_is_sure(scene.engine, id));
}
END_TEST

START_TEST(the_first_ask_spends_what_a_version_has_and_the_rest_wait)
{
    rp_session_id_t ids[3];
    rp_scene_draw(&scene, "........\n"
                          "........\n"
                          "........");
    for (unsigned i = 0; i < 3; i++) {
        ids[i] = rp_scene_session(&scene, NULL, i, 0, 7, 0);
    }
    rp_scene_settle(&scene);
    world_now()->roster->tests_at_once = 1;
    (void)rp_scene_set(&scene, 4, 1, 0);
    unsigned sure = 0;
    for (unsigned i = 0; i < 3; i++) {
        sure += rp_engine_is_sure(scene.engine, ids[i]);
    }
    ck_assert_uint_eq(sure, 1);
    rp_scene_settle(&scene);
    ck_assert_uint_eq(world_now()->roster->invalidations.invalidated, 0);
}
END_TEST

int main(void)
{
    const TTest *const rounds[] = {who_is_not_invalidated_still_has_a_true_answer};
    const TTest *const once[] = {
        who_waits_already_keeps_its_place_and_its_cause,
        a_version_that_changes_nothing_on_a_layer_wakes_nobody_there,
        who_is_asked_in_its_turn_and_not_concerned_neither_plans_nor_speaks,
        who_was_not_asked_before_the_next_version_is_planned_for,
        who_arrives_before_it_is_asked_says_so,
        who_walks_on_before_it_is_asked_is_planned_for,
        who_has_an_timer_keeps_it_when_a_version_asks_nobody,
        the_first_ask_spends_what_a_version_has_and_the_rest_wait,
    };
    const int failed = rp_suite_run("invalidate: crowds", rounds, 1, 8, tear_down);
    return rp_suite_run("invalidate", once, sizeof once / sizeof once[0], 1, tear_down) + failed;
}
