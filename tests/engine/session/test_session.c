/// One agent: when it says something, why, and when it keeps silent.
#include "engine/core.h"
#include "engine/session/session_state.h"
#include "tests/engine/scene.h"
#include "tests/support/suite.h"

static rp_scene_t scene;

static void tear_down(void)
{
    rp_scene_close(&scene);
}

#define MEADOW                                                                                     \
    "........\n"                                                                                   \
    "........\n"                                                                                   \
    "........\n"                                                                                   \
    "........"

START_TEST(the_first_answer_is_a_cheapest_path)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 1, 7, 1);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_uint_eq(answer.session, session);
    ck_assert_uint_eq(answer.world, scene.world);
    ck_assert_uint_eq(answer.version, 1);
    ck_assert_uint_eq(answer.path_seq, 1);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_int_eq(answer.reason, RP_REASON_FIRST);
    ck_assert_double_eq(answer.cost, 7.0);
    ck_assert_uint_eq(answer.step_count, 7);
}
END_TEST

START_TEST(nothing_is_published_before_there_are_pose_and_goal)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_options_t options = {.planner = "lpa"};
    rp_session_id_t session;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    rp_scene_expect_silence(&scene);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 3, 3), RP_OK);
    rp_scene_expect_silence(&scene);
    ck_assert(rp_engine_is_sure(scene.engine, session));
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_NONE);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 0, 0), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).reason, RP_REASON_FIRST);
}
END_TEST

START_TEST(a_change_that_leaves_the_answer_true_is_not_spoken_of)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    (void)rp_scene_set(&scene, 4, 1, 0); // beside the path
    ck_assert(rp_engine_is_sure(scene.engine, session));
    const uint64_t version = rp_scene_set(&scene, 4, 1, 1); // a cheaper one might lead there
    ck_assert(!rp_engine_is_sure(scene.engine, session));
    rp_scene_expect_silence(&scene);
    ck_assert(rp_engine_is_sure(scene.engine, session));
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world), version);
    ck_assert_uint_eq(rp_engine_last_published(scene.engine, session), 1);
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_uint_eq(answer.version, version);
    ck_assert_uint_eq(answer.path_seq, 1);
}
END_TEST

START_TEST(a_change_that_cannot_matter_leaves_no_doubt)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    (void)rp_scene_set(&scene, 4, 3, 0); // far from the path
    ck_assert(rp_engine_is_sure(scene.engine, session));
    const uint64_t version = rp_scene_set(&scene, 4, 3, 1); // where no cheaper path can run
    ck_assert(rp_engine_is_sure(scene.engine, session));
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world), version);
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_uint_eq(answer.version, version);
    rp_scene_expect_silence(&scene);
    (void)rp_scene_set(&scene, 4, 0, 0); // its planner hears of all that it missed
    ck_assert_int_eq(rp_scene_answer(&scene).reason, RP_REASON_INVALID);
}
END_TEST

START_TEST(a_path_that_was_cut_is_replaced_as_invalid)
{
    rp_scene_draw(&scene, MEADOW);
    (void)rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    const uint64_t version = rp_scene_set(&scene, 4, 0, 0);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.reason, RP_REASON_INVALID);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_eq(answer.version, version);
    ck_assert_uint_eq(answer.path_seq, 2);
    ck_assert_double_gt(answer.cost, 7.0);
}
END_TEST

START_TEST(a_cell_blocked_beside_a_diagonal_breaks_the_path)
{
    rp_scene_draw(&scene, "...\n"
                          "...\n"
                          "...");
    (void)rp_scene_session(&scene, NULL, 0, 0, 2, 2);
    (void)rp_scene_answer(&scene);
    (void)rp_scene_set(&scene, 1, 0, 0);
    ck_assert_int_eq(rp_scene_answer(&scene).reason, RP_REASON_INVALID);
}
END_TEST

START_TEST(a_shorter_way_is_told_as_cheaper)
{
    rp_scene_draw(&scene, "...#....\n"
                          "...#....\n"
                          "...#....\n"
                          "........");
    (void)rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    const double detour = rp_scene_answer(&scene).cost;
    (void)rp_scene_set(&scene, 3, 0, 1);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.reason, RP_REASON_CHEAPER);
    ck_assert_double_lt(answer.cost, detour);
    ck_assert_double_eq(answer.cost, 7.0);
}
END_TEST

START_TEST(a_path_that_got_dearer_but_stays_cheapest_is_kept_at_its_new_cost)
{
    rp_scene_draw(&scene, "#####\n"
                          ".....\n"
                          "#####");
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 1, 4, 1);
    (void)rp_scene_answer(&scene);
    (void)rp_scene_set(&scene, 2, 1, 5);
    rp_scene_expect_silence(&scene);
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_double_eq(answer.cost, 8.0);
    ck_assert_uint_eq(answer.step_count, 4);
}
END_TEST

START_TEST(other_goals_are_answered_as_such_and_their_number_is_echoed)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    const rp_destination_t goal = {.x_m = 0.5, .y_m = 3.5};
    const rp_cause_t cause = {.source_us = 11, .arrival_us = 22};
    ck_assert_int_eq(rp_engine_goals(scene.engine, session, &goal, 1, 77, cause), RP_OK);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.reason, RP_REASON_GOAL);
    ck_assert_uint_eq(answer.goal_id, 77);
    ck_assert_double_eq(answer.cost, 3.0);
    ck_assert_uint_eq(answer.cause.source_us, 11);
    ck_assert_uint_eq(answer.cause.arrival_us, 22);
}
END_TEST

START_TEST(the_cheapest_of_several_goals_counts_with_what_it_costs_to_stop_there)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, "dstar-lite", 0, 0, 0, 0);
    const rp_destination_t goals[] = {
        {.x_m = 2.5, .y_m = 0.5, .offset = 9}, // near, but dear to stop at
        {.x_m = 5.5, .y_m = 0.5, .offset = 2},
        {.x_m = 99.0, .y_m = 0.5}, // outside: left out
        {.x_m = 5.5, .y_m = 0.5, .offset = 4},
    };
    ck_assert_int_eq(rp_engine_goals(scene.engine, session, goals, 4, 1, (rp_cause_t){0, 0}),
                     RP_OK);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_eq(answer.step_count, 5);
    ck_assert_double_eq(answer.cost, 7.0);
}
END_TEST

START_TEST(a_change_behind_the_agent_is_not_spoken_of)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 4, 0), RP_OK);
    (void)rp_scene_set(&scene, 1, 0, 0);
    rp_scene_expect_silence(&scene);
}
END_TEST

START_TEST(an_older_pose_is_ignored_and_one_without_number_is_not)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    const rp_cause_t cause = {0, 0};
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 1.5, 0.5, 8, cause), RP_OK);
    (void)rp_scene_answer(&scene);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 1.5, 3.5, 8, cause), RP_OK);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 1.5, 3.5, 7, cause), RP_OK);
    rp_scene_expect_silence(&scene);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 1.5, 3.5, 0, cause), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).reason, RP_REASON_OFF_PATH);
}
END_TEST

START_TEST(coordinates_that_are_no_numbers_are_refused)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    const double none = 0.0 / 0.0;
    const rp_cause_t cause = {0, 0};
    const rp_destination_t goal = {.x_m = 1.0 / 0.0, .y_m = 1.0};
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, none, 1.0, 0, cause), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_goals(scene.engine, session, &goal, 1, 1, cause), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_goals(scene.engine, session, &goal, 0, 1, cause), RP_E_INVALID);
    rp_scene_expect_silence(&scene);
}
END_TEST

START_TEST(outside_is_an_answer_and_so_is_coming_back)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    const rp_cause_t cause = {0, 0};
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, -0.1, 0.5, 0, cause), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_OUTSIDE);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 0.5, 4.1, 0, cause), RP_OK);
    rp_scene_expect_silence(&scene);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 1, 0), RP_OK);
    const rp_answer_t back = rp_scene_answer(&scene);
    ck_assert_int_eq(back.outcome, RP_ANSWER_FOUND);
    ck_assert_double_eq(back.cost, 6.0);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 8, 0), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_OUTSIDE);
}
END_TEST

START_TEST(blocked_endpoints_and_a_closed_wall_are_answers_and_are_lifted)
{
    rp_scene_draw(&scene, "...#...\n"
                          "...#...\n"
                          "...#...");
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 1, 6, 1);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_NO_PATH);
    (void)rp_scene_set(&scene, 6, 1, 0);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_GOAL_BLOCKED);
    const rp_edit_t rock = {.width = 2, .height = 3};
    uint64_t version;
    ck_assert_int_eq(
        rp_engine_apply(scene.engine, scene.world, &rock, (rp_cause_t){0, 0}, &version), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_START_BLOCKED);
    const rp_edit_t clear = {.width = 7, .height = 3, .fill = 1};
    ck_assert_int_eq(
        rp_engine_apply(scene.engine, scene.world, &clear, (rp_cause_t){0, 0}, &version), RP_OK);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_double_eq(answer.cost, 6.0);
    ck_assert_uint_eq(answer.session, session);
}
END_TEST

START_TEST(an_agent_at_its_goal_has_a_path_of_no_steps)
{
    rp_scene_draw(&scene, MEADOW);
    (void)rp_scene_session(&scene, NULL, 3, 3, 3, 3);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_ARRIVED);
    ck_assert_int_eq(answer.reason, RP_REASON_FIRST);
    ck_assert_uint_eq(answer.step_count, 0);
    ck_assert_double_eq(answer.cost, 0.0);
}
END_TEST

/// What it found out about the ground would have to be found out again.
START_TEST(an_agent_that_searches_much_takes_the_common_planner_for_its_own)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 7, 3);
    const rp_session_t *session = rp_engine_session(scene.engine, id);
    rp_scene_settle(&scene);
    const rp_planner_t *common = session->layer->audience->shared.common.planner;
    ck_assert_ptr_nonnull(common);
    for (uint32_t i = 0; i < 32 && session->own.planner == NULL; i++) {
        ck_assert_int_eq(rp_scene_goal(&scene, id, i % 2 == 0 ? 0 : 7, 3), RP_OK);
        rp_scene_settle(&scene);
    }
    ck_assert_ptr_eq(session->own.planner, common);
    ck_assert_ptr_null(session->layer->audience->shared.common.planner);
}
END_TEST

/// Nobody has looked at the ground yet when the first agent comes.
/// On ground with weights what is under way serves one goal: nobody else may disturb it.
START_TEST(a_search_with_weights_that_is_stopped_is_the_sessions_own)
{
    rp_scene_draw(&scene, "........\n"
                          "...5....\n"
                          "........\n"
                          "........");
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 7, 3);
    const rp_session_t *session = rp_engine_session(scene.engine, id);
    for (uint32_t i = 0; i < 100 && !session->schedule.is_long; i++) {
        (void)rp_engine_step(scene.engine, scene.now_us, 1);
    }
    ck_assert(session->schedule.is_long);
    ck_assert_ptr_nonnull(session->own.planner);
    ck_assert_ptr_null(session->own.loan);
    ck_assert_ptr_null(session->layer->audience->shared.common.planner);
}
END_TEST

START_TEST(a_planner_that_knows_no_weights_is_refused_where_there_are_some)
{
    uint8_t bytes[] = {1, 1, 1, 1, 5, 1, 1, 1, 1};
    const rp_world_options_t world = {.width = 3, .height = 3, .neighbors = 8, .data = bytes};
    const rp_session_options_t options = {.planner = "jps"};
    rp_session_id_t session;
    rp_scene_open(&scene, &world);
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session),
                     RP_E_UNSUPPORTED);
}
END_TEST

START_TEST(weights_that_come_later_are_planned_for_all_the_same)
{
    const rp_scene_goal_spec_t goal_spec = {.start = 8, .goals = {{.place = 15}}, .goal_count = 1};
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, "jps", 0, 1, 7, 1);
    ck_assert_str_eq(rp_scene_answer(&scene).planner, "jps");
    (void)rp_scene_set(&scene, 4, 1, 7);
    for (unsigned i = 0; i < 1000u; i++) {
        (void)rp_engine_step(scene.engine, scene.now_us, 10000);
    }
    ck_assert(rp_engine_is_sure(scene.engine, session));
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_ptr_null(rp_scene_judge(&scene, &answer, &goal_spec));
    ck_assert_double_lt(answer.cost, 8.0); // round it
    ck_assert_str_eq(answer.planner, "auto");
    (void)rp_scene_set(&scene, 4, 0, 9); // and so on
    (void)rp_scene_set(&scene, 4, 2, 9);
    ck_assert_double_gt(rp_scene_answer(&scene).cost, answer.cost);
}
END_TEST

START_TEST(an_answer_says_how_far_its_cells_are_known)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    ck_assert_uint_eq(rp_scene_answer(&scene).valid_through, 7);
    (void)rp_scene_set(&scene, 5, 0, RP_BYTE_UNKNOWN);
    rp_scene_expect_silence(&scene); // unknown is taken for free
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_uint_eq(answer.valid_through, 4);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 3, 0), RP_OK);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_uint_eq(answer.valid_through, 1);
}
END_TEST

START_TEST(a_diagonal_beside_an_unknown_cell_is_not_known)
{
    rp_scene_draw(&scene, MEADOW);
    (void)rp_scene_set(&scene, 2, 1, RP_BYTE_UNKNOWN);
    (void)rp_scene_session(&scene, NULL, 0, 0, 3, 3);
    ck_assert_uint_eq(rp_scene_answer(&scene).valid_through, 1);
}
END_TEST

/// To a goal that nobody reaches two cells are equally near; the second one can be reached later.
START_TEST(a_path_to_a_nearest_cell_is_no_cheapest_one_when_another_opens)
{
    rp_scene_draw(&scene, "...........\n"
                          "#########.#\n"
                          "#########.#\n"
                          "..#.#......");
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 0, 0);
    const rp_destination_t goal = {3.5, 3.5, 0};
    const rp_aim_t aim = {.points = &goal, .count = 1, .is_nearest = true};
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, &aim, (rp_cause_t){0, 0}), RP_OK);
    rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_double_eq(answer.goal_distance_m, 2.0);
    ck_assert_double_gt(answer.cost, 12.0);
    (void)rp_scene_set(&scene, 1, 2, 1);
    rp_scene_expect_silence(&scene);
    (void)rp_scene_set(&scene, 1, 1, 1);
    answer = rp_scene_answer(&scene);
    ck_assert_double_eq(answer.goal_distance_m, 2.0);
    ck_assert_double_eq(answer.cost, 4.0);
    ck_assert_int_eq(answer.reason, RP_REASON_CHEAPER);
}
END_TEST

/// A region of which only the rim is listed, the cells nearest to a goal outside, and where another
/// agent is are other goals from one version to the next, though no change says so.
START_TEST(only_a_path_to_goals_that_stay_is_known_to_be_a_cheapest_one)
{
    const rp_world_options_t options = {.width = 200, .height = 100, .neighbors = 8};
    const rp_destination_t places[] = {{50.0, 10.0, 0}, {150.0, 90.0, 0}, {300.5, 50.5, 0}};
    rp_session_id_t sessions[4];
    rp_scene_open(&scene, &options);
    for (uint32_t i = 0; i < 4; i++) {
        sessions[i] = rp_scene_session(&scene, "flow", i, 0, 30, 30);
    }
    const rp_aim_t aims[] = {
        {.kind = RP_AIM_REGION, .points = places, .count = 2},
        {.points = places + 2, .count = 1, .is_nearest = true},
        {.kind = RP_AIM_TARGET, .target = sessions[0]},
    };
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_int_eq(
            rp_engine_aim(scene.engine, sessions[i + 1u], &aims[i], (rp_cause_t){0, 0}), RP_OK);
    }
    rp_scene_settle(&scene);
    for (uint32_t i = 0; i < 4; i++) {
        const rp_session_t *session = rp_engine_session(scene.engine, sessions[i]);
        ck_assert_int_eq(session->published.outcome, RP_ANSWER_FOUND);
        ck_assert_int_eq(rp_session_has_cheapest(session), i == 0);
    }
}
END_TEST

/// What comes between an agent and its path need not be near either.
START_TEST(far_beside_its_path_a_wall_between_is_noticed)
{
    const rp_world_options_t options = {.width = 200, .height = 200, .neighbors = 8};
    const rp_session_options_t how = {.follow_radius_m = 50.0};
    const rp_destination_t goal = {190.5, 100.5, 0};
    const rp_edit_t wall = {.x = 70, .y = 80, .width = 61, .height = 1, .fill = 0};
    const rp_cause_t cause = {0, 0};
    rp_session_id_t session;
    rp_answer_t answer;
    uint64_t version;
    rp_scene_open(&scene, &options);
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &how, &session), RP_OK);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 10.5, 100.5, 0, cause), RP_OK);
    ck_assert_int_eq(rp_engine_goals(scene.engine, session, &goal, 1, 0, cause), RP_OK);
    (void)rp_scene_answer(&scene);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 100.5, 60.5, 0, cause), RP_OK);
    rp_scene_expect_silence(&scene);
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &wall, cause, &version), RP_OK);
    answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.reason, RP_REASON_OFF_PATH);
    ck_assert_uint_eq(answer.start_x, 100);
    ck_assert_uint_eq(answer.start_y, 60);
}
END_TEST

/// A step must end, however many sessions have nowhere to go.
START_TEST(whoever_is_outside_is_paid_for_too)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    rp_scene_settle(&scene);
    ck_assert_int_eq(rp_engine_pose(scene.engine, id, -5.0, 0.5, 0, (rp_cause_t){0, 0}), RP_OK);
    uint64_t budget = 1000;
    uint64_t look_us;
    bool is_new;
    ck_assert_int_eq(
        rp_session_plan(rp_engine_session(scene.engine, id), 0, &budget, &is_new, &look_us), RP_OK);
    ck_assert(is_new);
    ck_assert_uint_lt(budget, 1000);
}
END_TEST

START_TEST(an_answer_tells_the_oldest_cause_since_the_one_before)
{
    rp_scene_draw(&scene, MEADOW);
    (void)rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    const rp_edit_t near_goal = {.x = 6, .y = 0, .width = 1, .height = 1};
    const rp_edit_t near_start = {.x = 1, .y = 0, .width = 1, .height = 1};
    uint64_t version;
    const rp_cause_t first = {100, 200};
    const rp_cause_t second = {101, 201};
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &near_goal, first, &version),
                     RP_OK);
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &near_start, second, &version),
                     RP_OK);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_uint_eq(answer.version, version);
    ck_assert_uint_eq(answer.cause.source_us, 100);
    ck_assert_uint_eq(answer.cause.arrival_us, 200);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_first_answer_is_a_cheapest_path,
        nothing_is_published_before_there_are_pose_and_goal,
        a_change_that_leaves_the_answer_true_is_not_spoken_of,
        a_change_that_cannot_matter_leaves_no_doubt,
        a_path_that_was_cut_is_replaced_as_invalid,
        a_cell_blocked_beside_a_diagonal_breaks_the_path,
        a_shorter_way_is_told_as_cheaper,
        a_path_that_got_dearer_but_stays_cheapest_is_kept_at_its_new_cost,
        other_goals_are_answered_as_such_and_their_number_is_echoed,
        the_cheapest_of_several_goals_counts_with_what_it_costs_to_stop_there,
        a_change_behind_the_agent_is_not_spoken_of,
        an_older_pose_is_ignored_and_one_without_number_is_not,
        coordinates_that_are_no_numbers_are_refused,
        outside_is_an_answer_and_so_is_coming_back,
        blocked_endpoints_and_a_closed_wall_are_answers_and_are_lifted,
        an_agent_at_its_goal_has_a_path_of_no_steps,
        an_agent_that_searches_much_takes_the_common_planner_for_its_own,
        a_search_with_weights_that_is_stopped_is_the_sessions_own,
        a_planner_that_knows_no_weights_is_refused_where_there_are_some,
        weights_that_come_later_are_planned_for_all_the_same,
        an_answer_says_how_far_its_cells_are_known,
        a_diagonal_beside_an_unknown_cell_is_not_known,
        a_path_to_a_nearest_cell_is_no_cheapest_one_when_another_opens,
        only_a_path_to_goals_that_stay_is_known_to_be_a_cheapest_one,
        far_beside_its_path_a_wall_between_is_noticed,
        whoever_is_outside_is_paid_for_too,
        an_answer_tells_the_oldest_cause_since_the_one_before,
    };
    return rp_suite_run("session", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
