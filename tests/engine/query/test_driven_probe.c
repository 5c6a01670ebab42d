/// Probes of agents with motion, against single searches.
#include "tests/engine/session/driving_scene.h"
#include "tests/support/random.h"

/// @return borrowed until the question is forgotten
static const rp_query_result_t *probe(const rp_session_id_t *sessions, size_t count,
                                      const rp_edit_t *edit, uint64_t budget, rp_query_id_t *id)
{
    const rp_question_t question = {
        .kind = RP_QUERY_PROBE, .sessions = sessions, .session_count = count, .edit = edit};
    const rp_query_result_t *result = NULL;
    ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &question, id), RP_OK);
    for (unsigned i = 0; i < 1000000 && result == NULL; i++) {
        (void)rp_engine_step(scene.engine, scene.now_us, budget);
        result = rp_engine_query_result(scene.engine, *id);
    }
    ck_assert_ptr_nonnull(result);
    return result;
}

static void build(uint32_t x, uint32_t y, uint8_t byte)
{
    uint64_t version;
    const rp_edit_t edit = {.x = x, .y = y, .width = 3, .height = 4, .fill = byte};
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &edit, no_cause, &version), RP_OK);
}

START_TEST(a_change_that_is_not_made_is_weighed)
{
    static const uint64_t budgets[] = {300, 1, 100000};
    rp_random_t rng = {(uint64_t)_i + 1u};
    open_meadow(50, 40, false);
    for (uint32_t i = 0; i < 20; i++) {
        const uint32_t y = rp_random_between(&rng, 1, 35);
        build(rp_random_between(&rng, 8, 40), y, 0);
    }
    const rp_session_id_t session = drive(&car, 4.5, 20.5, 0.0, 46, 20);
    const uint64_t version = rp_engine_version(scene.engine, scene.world);
    for (uint32_t round = 0; round < 6; round++) {
        rp_query_id_t id;
        const uint8_t byte = round % 2 == 0 ? 0 : 1;
        const rp_edit_t edit = {.x = rp_random_between(&rng, 8, 40),
                                .y = rp_random_between(&rng, 1, 35),
                                .width = 3,
                                .height = 4,
                                .fill = byte};
        const rp_query_result_t *result = probe(&session, 1, &edit, budgets[round % 3], &id);
        const double before = cheapest(&car, 4, 20, 0.0, 46, 20);
        ck_assert_double_eq_tol(result->costs[0], isfinite(before) ? before : -1.0, 1e-9);
        ck_assert_int_eq(result->outcomes[0],
                         isfinite(before) ? RP_ANSWER_FOUND : RP_ANSWER_NO_PATH);
        const double told = result->after[0];
        ck_assert_uint_ge(result->version, version);
        rp_engine_forget(scene.engine, id);
        build(edit.x, edit.y, byte); // and now it is made
        const double after = cheapest(&car, 4, 20, 0.0, 46, 20);
        ck_assert_double_eq_tol(told, isfinite(after) ? after : -1.0, 1e-9);
    }
}
END_TEST

START_TEST(walkers_and_tours_are_probed_beside_each_other)
{
    const rp_destination_t points[] = {{30.5, 10.5, 0}, {35.5, 10.5, 0}};
    const rp_edit_t wall = {.x = 20, .width = 1, .height = 20};
    rp_query_id_t id;
    open_meadow(40, 20, false);
    const rp_session_id_t sessions[] = {
        drive(&exact_car, 4.5, 10.5, 0.0, 30, 10), rp_scene_session(&scene, "auto", 4, 10, 30, 10),
        open_driver(&exact_car, NULL), open_driver(&exact_car, NULL)};
    place(sessions[2], 4.5, 10.5, 0.0);
    ck_assert_int_eq(
        rp_engine_aim(scene.engine, sessions[2],
                      &(rp_aim_t){.kind = RP_AIM_WAYPOINTS, .points = points, .count = 2},
                      no_cause),
        RP_OK);
    const rp_query_result_t *result = probe(sessions, 4, &wall, 5000, &id);
    const double costs[] = {26.0, 26.0, 31.0};
    for (size_t i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(result->costs[i], costs[i], 0.1);
        ck_assert_int_eq(result->outcomes[i], RP_ANSWER_FOUND);
        ck_assert_double_eq(result->after[i], -1.0);
        ck_assert_int_eq(result->outcomes[4 + i], RP_ANSWER_NO_PATH);
    }
    ck_assert_double_eq(result->costs[3], -1.0); // it has no pose
    ck_assert_int_eq(result->outcomes[3], RP_ANSWER_OUTSIDE);
    rp_engine_forget(scene.engine, id);
    const rp_edit_t on_goal = {.x = 30, .y = 10, .width = 1, .height = 1};
    result = probe(sessions, 1, &on_goal, 5000, &id);
    ck_assert_int_eq(result->outcomes[1], RP_ANSWER_GOAL_BLOCKED);
    ck_assert_int_eq(answer_of(sessions[0]).outcome, RP_ANSWER_FOUND); // nothing was changed
}
END_TEST

START_TEST(an_agent_may_close_while_it_is_asked_about)
{
    const rp_edit_t wall = {.x = 20, .width = 1, .height = 20};
    rp_query_id_t id;
    open_meadow(40, 20, false);
    const rp_session_id_t session = drive(&exact_car, 4.5, 10.5, 0.0, 30, 10);
    const rp_question_t question = {
        .kind = RP_QUERY_PROBE, .sessions = &session, .session_count = 1, .edit = &wall};
    ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &question, &id), RP_OK);
    ck_assert_int_eq(rp_engine_close(scene.engine, session), RP_OK);
    rp_scene_settle(&scene);
    while (rp_engine_query_result(scene.engine, id) == NULL) {
        (void)rp_engine_step(scene.engine, scene.now_us, 1000);
    }
    ck_assert_double_eq_tol(rp_engine_query_result(scene.engine, id)->costs[0], 26.0, 0.1);
}
END_TEST

/// Steps until an agent that follows another one has its answer. Before a step, while the search is
/// under way, the other one moves away and back, and between that the agent is asked about, or not.
static uint32_t steps_until_it_is_found(uint32_t moves_at, bool is_asked)
{
    const rp_edit_t nothing = {.x = 1, .y = 1, .width = 1, .height = 1, .fill = 1};
    open_meadow(50, 40, false);
    rp_random_t rng = {7};
    for (uint32_t i = 0; i < 20; i++) {
        const uint32_t y = rp_random_between(&rng, 1, 35);
        build(rp_random_between(&rng, 8, 40), y, 0);
    }
    const rp_session_id_t prey = rp_scene_session(&scene, "auto", 46, 20, 46, 20);
    const rp_session_id_t session = open_driver(&exact_car, NULL);
    const rp_question_t question = {
        .kind = RP_QUERY_PROBE, .sessions = &session, .session_count = 1, .edit = &nothing};
    rp_answer_t answer = {.outcome = RP_ANSWER_NONE};
    uint32_t steps = 0;
    place(session, 4.5, 20.5, 0.0);
    ck_assert_int_eq(rp_engine_aim(scene.engine, session,
                                   &(rp_aim_t){.kind = RP_AIM_TARGET, .target = prey}, no_cause),
                     RP_OK);
    for (; answer.outcome == RP_ANSWER_NONE; steps++) {
        if (steps == moves_at) {
            rp_query_id_t id;
            ck_assert_int_eq(rp_engine_pose(scene.engine, prey, 44.5, 24.5, 0, no_cause), RP_OK);
            if (is_asked) {
                ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &question, &id),
                                 RP_OK);
                rp_engine_forget(scene.engine, id);
            }
            ck_assert_int_eq(rp_engine_pose(scene.engine, prey, 46.5, 20.5, 0, no_cause), RP_OK);
        }
        (void)rp_engine_step(scene.engine, scene.now_us, 20);
        ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    }
    rp_scene_close(&scene);
    return steps;
}

START_TEST(a_search_under_way_goes_on_when_its_agent_is_asked_about)
{
    const uint32_t alone = steps_until_it_is_found(0, false);
    ck_assert_uint_gt(alone, 20);
    ck_assert_uint_eq(steps_until_it_is_found(alone - 5u, false), alone);
    ck_assert_uint_eq(steps_until_it_is_found(alone - 5u, true), alone);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_search_under_way_goes_on_when_its_agent_is_asked_about,
        a_change_that_is_not_made_is_weighed,
        walkers_and_tours_are_probed_beside_each_other,
        an_agent_may_close_while_it_is_asked_about,
    };
    return rp_suite_run("driven_probe", tests, sizeof tests / sizeof *tests, 4, tear_down);
}
