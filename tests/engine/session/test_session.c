/// One agent: when it says something, why, and when it keeps silent.
#include "engine/core.h"
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

START_TEST(a_pose_on_the_path_prunes_it_and_says_nothing)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 3.2, 0.9, 5, (rp_cause_t){0, 0}), RP_OK);
    ck_assert(rp_engine_is_sure(scene.engine, session));
    rp_scene_expect_silence(&scene);
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_uint_eq(answer.start_x, 3);
    ck_assert_uint_eq(answer.step_count, 4);
    ck_assert_double_eq(answer.cost, 4.0);
    ck_assert_uint_eq(answer.pose_seq, 5);
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

START_TEST(a_pose_beside_the_path_is_answered_as_off_path)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 3, 3), RP_OK);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.reason, RP_REASON_OFF_PATH);
    ck_assert_uint_eq(answer.start_x, 3);
    ck_assert_uint_eq(answer.start_y, 3);
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

START_TEST(who_moves_within_its_cell_has_to_be_looked_at_only_in_an_obstacle)
{
    const rp_cause_t cause = {0, 0};
    rp_scene_draw(&scene, "...#...\n"
                          "...#...\n"
                          "...#...");
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 1, 6, 1);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_NO_PATH);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 0.2, 1.3, 1, cause), RP_OK);
    ck_assert(rp_engine_is_sure(scene.engine, session));
    (void)rp_scene_set(&scene, 0, 1, 0);
    rp_scene_settle(&scene);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 0.7, 1.5, 2, cause), RP_OK);
    ck_assert(!rp_engine_is_sure(scene.engine, session)); // another side may be the nearest
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

START_TEST(arriving_is_told_once_and_so_is_leaving)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 3, 0);
    (void)rp_scene_answer(&scene);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 2, 0), RP_OK);
    rp_scene_expect_silence(&scene);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 3, 0), RP_OK);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_ARRIVED);
    ck_assert_int_eq(answer.reason, RP_REASON_REACHED);
    ck_assert_uint_eq(answer.start_x, 3);
    ck_assert_uint_eq(answer.step_count, 0);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 3, 0), RP_OK);
    (void)rp_scene_set(&scene, 2, 1, 0);
    rp_scene_expect_silence(&scene);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 4, 0), RP_OK);
    const rp_answer_t back = rp_scene_answer(&scene);
    ck_assert_int_eq(back.outcome, RP_ANSWER_FOUND);
    ck_assert_int_eq(back.reason, RP_REASON_OFF_PATH);
}
END_TEST

/// A session that follows its path from within a metre and a half; the first answer is taken.
static rp_session_id_t open_follower(void)
{
    const rp_session_options_t options = {.follow_radius_m = 1.5};
    rp_session_id_t session;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 0, 1), RP_OK);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 7, 1), RP_OK);
    (void)rp_scene_answer(&scene);
    return session;
}

START_TEST(a_pose_within_the_radius_follows_the_path_and_one_beyond_left_it)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = open_follower();
    const rp_cause_t cause = {0, 0};
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 3.4, 2.9, 9, cause), RP_OK);
    rp_scene_expect_silence(&scene);
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_uint_eq(answer.start_x, 3); // the nearest cell of the path, not behind
    ck_assert_uint_eq(answer.start_y, 1);
    ck_assert_double_eq(answer.cost, 4.0);
    ck_assert_uint_eq(answer.pose_seq, 9);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 3.4, 3.1, 10, cause), RP_OK);
    const rp_answer_t left = rp_scene_answer(&scene);
    ck_assert_int_eq(left.reason, RP_REASON_OFF_PATH);
    ck_assert_uint_eq(left.start_y, 3);
}
END_TEST

START_TEST(whoever_comes_beside_the_end_of_its_path_has_arrived)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = open_follower();
    ck_assert_int_eq(rp_scene_pose(&scene, session, 7, 2), RP_OK);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_ARRIVED);
    ck_assert_int_eq(answer.reason, RP_REASON_REACHED);
    ck_assert_uint_eq(answer.start_x, 7);
    ck_assert_uint_eq(answer.start_y, 1);
}
END_TEST

START_TEST(behind_a_wall_a_pose_within_the_radius_does_not_follow)
{
    rp_scene_draw(&scene, "........\n"
                          "........\n"
                          "...#....\n"
                          "........");
    const rp_session_options_t options = {.follow_radius_m = 3.0};
    const rp_cause_t cause = {0, 0};
    rp_session_id_t session;
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 0, 1), RP_OK);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 7, 1), RP_OK);
    (void)rp_scene_answer(&scene);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 3.5, 3.9, 1, cause), RP_OK);
    rp_scene_expect_silence(&scene); // past the corner of the wall there is a line that is free
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_uint_ne(answer.start_x, 3);
    for (uint32_t x = 0; x < 7; x++) {
        (void)rp_scene_set(&scene, x, 2, 0);
    }
    answer = rp_scene_answer(&scene); // it stands still, and the wall grew between
    ck_assert_int_eq(answer.reason, RP_REASON_OFF_PATH);
    ck_assert_uint_eq(answer.start_x, 3);
    ck_assert_uint_eq(answer.start_y, 3);
}
END_TEST

/// The path runs on one side of a seam of a torus, the agent walks on the other, and a wall grows
/// between, along the seam: along rows and columns, and with the path on either side.
START_TEST(behind_a_wall_across_a_seam_a_pose_within_the_radius_does_not_follow)
{
    enum {
        SIDE = 9
    };
    const bool is_turned = _i % 2 != 0;
    const bool is_last = _i / 2 % 2 != 0;
    const bool is_far = _i / 4 != 0; // the other way round it is near enough, but longer
    const uint32_t path = is_last ? SIDE - 2 : 1;
    const uint32_t wall = is_last ? SIDE - 1 : 0;
    const uint32_t beside = is_last ? 0 : SIDE - 1;
    const rp_world_options_t world = {
        .width = SIDE, .height = SIDE, .neighbors = 8, .wraps = true, .frame.resolution_m = 1.0};
    const rp_session_options_t options = {.follow_radius_m = is_far ? 8.0 : 2.5};
    rp_session_id_t session;
    rp_scene_open(&scene, &world);
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, session, is_turned ? path : 1, is_turned ? 1 : path),
                     RP_OK);
    ck_assert_int_eq(rp_scene_goal(&scene, session, is_turned ? path : 5, is_turned ? 5 : path),
                     RP_OK);
    (void)rp_scene_answer(&scene);
    ck_assert_int_eq(rp_scene_pose(&scene, session, is_turned ? beside : 3, is_turned ? 3 : beside),
                     RP_OK);
    rp_scene_expect_silence(&scene);
    for (uint32_t i = 0; i < SIDE; i++) {
        (void)rp_scene_set(&scene, is_turned ? wall : i, is_turned ? i : wall, 0);
    }
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.reason, RP_REASON_OFF_PATH);
    ck_assert_uint_eq(is_turned ? answer.start_x : answer.start_y, beside);
}
END_TEST

/// The diagonal from its middle touches a corner of the wall.
START_TEST(a_pose_does_not_follow_past_a_corner_and_inflation_is_no_wall)
{
    static uint8_t bytes[64];
    for (uint32_t i = 0; i < 64; i++) {
        bytes[i] = i == 2 * 8 + 6 ? 254 : i == 2 * 8 + 5 ? 253 : 0;
    }
    const rp_world_options_t world = {
        .width = 8, .height = 8, .neighbors = 8, .profile = "costmap", .data = bytes};
    const rp_session_options_t options = {.follow_radius_m = 1.5};
    const rp_cause_t cause = {0, 0};
    rp_session_id_t session;
    rp_scene_open(&scene, &world);
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 0, 1), RP_OK);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 7, 1), RP_OK);
    (void)rp_scene_answer(&scene);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 5.5, 2.5, 1, cause), RP_OK);
    rp_scene_expect_silence(&scene); // straight through inflation
    ck_assert_int_eq(rp_scene_pose(&scene, session, 7, 1), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_ARRIVED);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 6.5, 0.5, 2, cause), RP_OK);
    rp_scene_expect_silence(&scene);
    (void)rp_scene_set(&scene, 6, 1, 254); // beside the segment to the only cell that is left
    ck_assert_int_eq(rp_scene_answer(&scene).reason, RP_REASON_OFF_PATH);
}
END_TEST

START_TEST(a_new_path_of_one_who_walks_beside_the_old_one_begins_where_he_is)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = open_follower();
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 3.5, 2.5, 9, (rp_cause_t){0, 0}), RP_OK);
    (void)rp_scene_set(&scene, 5, 1, 0);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.reason, RP_REASON_INVALID);
    ck_assert_uint_eq(answer.start_x, 3);
    ck_assert_uint_eq(answer.start_y, 2);
}
END_TEST

/// A planner that was asked for by name may know no weights.
START_TEST(the_bound_of_a_dearer_path_that_is_walked_to_its_end_stays_above_nothing)
{
    rp_scene_draw(&scene, "..........\n"
                          "########..\n"
                          "..........");
    const rp_session_options_t patient = {.policy = {.switch_gain_percent = 95}};
    rp_session_id_t session;
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &patient, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 0, 0), RP_OK);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 0, 2), RP_OK);
    ck_assert_double_gt(rp_scene_answer(&scene).cost, 16.0);
    (void)rp_scene_set(&scene, 0, 1, 1);
    rp_scene_expect_silence(&scene);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 4, 2), RP_OK);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_double_eq(answer.cost, 4.0);
    ck_assert_double_eq(answer.bound, 0.0);
}
END_TEST

/// What it found out about the ground would have to be found out again.
START_TEST(an_agent_that_searches_much_takes_the_common_planner_for_its_own)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 7, 3);
    const rp_session_t *session = rp_engine_session(scene.engine, id);
    rp_scene_settle(&scene);
    const rp_planner_t *common = session->layer->audience->common.planner;
    ck_assert_ptr_nonnull(common);
    for (uint32_t i = 0; i < 32 && session->own.planner == NULL; i++) {
        ck_assert_int_eq(rp_scene_goal(&scene, id, i % 2 == 0 ? 0 : 7, 3), RP_OK);
        rp_scene_settle(&scene);
    }
    ck_assert_ptr_eq(session->own.planner, common);
    ck_assert_ptr_null(session->layer->audience->common.planner);
}
END_TEST

/// Nobody has looked at the ground yet when the first agent comes.
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
        a_pose_on_the_path_prunes_it_and_says_nothing,
        a_change_behind_the_agent_is_not_spoken_of,
        a_pose_beside_the_path_is_answered_as_off_path,
        an_older_pose_is_ignored_and_one_without_number_is_not,
        coordinates_that_are_no_numbers_are_refused,
        outside_is_an_answer_and_so_is_coming_back,
        blocked_endpoints_and_a_closed_wall_are_answers_and_are_lifted,
        who_moves_within_its_cell_has_to_be_looked_at_only_in_an_obstacle,
        an_agent_at_its_goal_has_a_path_of_no_steps,
        arriving_is_told_once_and_so_is_leaving,
        a_pose_within_the_radius_follows_the_path_and_one_beyond_left_it,
        whoever_comes_beside_the_end_of_its_path_has_arrived,
        behind_a_wall_a_pose_within_the_radius_does_not_follow,
        a_pose_does_not_follow_past_a_corner_and_inflation_is_no_wall,
        a_new_path_of_one_who_walks_beside_the_old_one_begins_where_he_is,
        the_bound_of_a_dearer_path_that_is_walked_to_its_end_stays_above_nothing,
        an_agent_that_searches_much_takes_the_common_planner_for_its_own,
        a_planner_that_knows_no_weights_is_refused_where_there_are_some,
        weights_that_come_later_are_planned_for_all_the_same,
        an_answer_says_how_far_its_cells_are_known,
        a_diagonal_beside_an_unknown_cell_is_not_known,
        an_answer_tells_the_oldest_cause_since_the_one_before,
    };
    const TTest *const seams[] = {
        behind_a_wall_across_a_seam_a_pose_within_the_radius_does_not_follow};
    const int failed = rp_suite_run("session: seams", seams, 1, 8, tear_down);
    return rp_suite_run("session", tests, sizeof tests / sizeof tests[0], 1, tear_down) + failed;
}
