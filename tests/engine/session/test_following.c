/// Following: poses on a path, beside it and off it, and arriving.
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

/// Of a way out of inflation that was cut beside the agent the first cell becomes an obstacle. The
/// line can be seen only where it would enter that.
START_TEST(who_is_beside_its_way_does_not_follow_through_an_obstacle)
{
    static uint8_t bytes[12];
    for (uint32_t i = 0; i < 12; i++) {
        bytes[i] = i % 6 < 3 ? 253 : 0;
    }
    const rp_world_options_t world = {
        .width = 6, .height = 2, .neighbors = 8, .profile = "costmap", .data = bytes};
    const rp_session_options_t options = {.follow_radius_m = 1.5};
    rp_session_id_t session;
    rp_scene_open(&scene, &world);
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 0, 0), RP_OK);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 5, 0), RP_OK);
    ck_assert_uint_eq(rp_scene_answer(&scene).way_count, 3);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 1, 1), RP_OK); // cuts it
    rp_scene_expect_silence(&scene);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 0, 1), RP_OK);
    rp_scene_expect_silence(&scene);
    (void)rp_scene_set(&scene, 1, 0, 254);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.reason, RP_REASON_OFF_PATH);
    ck_assert_uint_eq(answer.way_x, 0);
    ck_assert_uint_eq(answer.way_y, 1);
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

int main(void)
{
    const TTest *const tests[] = {
        a_pose_on_the_path_prunes_it_and_says_nothing,
        a_pose_beside_the_path_is_answered_as_off_path,
        who_moves_within_its_cell_has_to_be_looked_at_only_in_an_obstacle,
        arriving_is_told_once_and_so_is_leaving,
        a_pose_within_the_radius_follows_the_path_and_one_beyond_left_it,
        whoever_comes_beside_the_end_of_its_path_has_arrived,
        behind_a_wall_a_pose_within_the_radius_does_not_follow,
        a_pose_does_not_follow_past_a_corner_and_inflation_is_no_wall,
        a_new_path_of_one_who_walks_beside_the_old_one_begins_where_he_is,
        who_is_beside_its_way_does_not_follow_through_an_obstacle,
        the_bound_of_a_dearer_path_that_is_walked_to_its_end_stays_above_nothing,
    };
    const TTest *const seams[] = {
        behind_a_wall_across_a_seam_a_pose_within_the_radius_does_not_follow,
    };
    const int failed = rp_suite_run("following: seams", seams, 1, 8, tear_down);
    return rp_suite_run("following", tests, sizeof tests / sizeof tests[0], 1, tear_down) + failed;
}
