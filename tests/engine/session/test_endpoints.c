/// Where paths begin and end when that is not plain: areas, waypoints, other agents, what cannot be
/// reached, and starts in obstacles.
#include <assert.h>
#include <math.h>

#include "tests/engine/scene.h"
#include "tests/engine/session/standing.h"
#include "tests/support/suite.h"

#define MEADOW                                                                                     \
    "..........\n"                                                                                 \
    "..........\n"                                                                                 \
    "..........\n"                                                                                 \
    ".........."

/// A session at a cell, without goals.
static rp_session_id_t stand(uint32_t x, uint32_t y)
{
    const rp_session_options_t options = {.planner = "dstar-lite", .policy = scene.policy};
    rp_session_id_t session;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, session, x, y), RP_OK);
    return session;
}

// ---- areas

START_TEST(any_cell_within_the_tolerance_will_do_and_the_cheapest_is_taken)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = stand(0, 0);
    const rp_destination_t there = {7.5, 0.5, 0};
    aim(session, (rp_aim_t){.points = &there, .count = 1, .tolerance_m = 2.0});
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_double_eq(answer.cost, 5.0);
    ck_assert_double_eq(answer.goal_distance_m, 0.0);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 5, 0), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_ARRIVED);
}
END_TEST

START_TEST(a_region_is_entered_where_it_is_cheapest)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = stand(0, 3);
    const rp_destination_t corners[] = {{9.0, 2.0, 0}, {6.0, 0.0, 0}};
    aim(session, (rp_aim_t){.kind = RP_AIM_REGION, .points = corners, .count = 2});
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_double_eq_tol(answer.cost, 4.0 + 2.0 * sqrt(2.0), 1e-9);
}
END_TEST

START_TEST(a_region_larger_than_a_goal_set_is_entered_through_its_rim_and_inside_is_there)
{
    const rp_world_options_t options = {.width = 200, .height = 200, .neighbors = 8};
    rp_scene_open(&scene, &options);
    const rp_session_id_t session = stand(10, 100);
    const rp_destination_t corners[] = {{50.0, 50.0, 0}, {150.0, 150.0, 0}};
    aim(session, (rp_aim_t){.kind = RP_AIM_REGION, .points = corners, .count = 2});
    ck_assert_double_eq(rp_scene_answer(&scene).cost, 40.0);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 100, 100), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_ARRIVED);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 160, 100), RP_OK);
    ck_assert_double_eq(rp_scene_answer(&scene).cost, 11.0);
}
END_TEST

START_TEST(who_is_inside_a_region_with_as_large_a_rim_as_can_be_is_there)
{
    const rp_world_options_t options = {.width = 2010, .height = 60, .neighbors = 8};
    rp_scene_open(&scene, &options);
    const rp_session_id_t session = stand(1000, 25);
    const rp_destination_t corners[] = {{2.0, 2.0, 0}, {2002.0, 52.0, 0}};
    static_assert(2u * 2000u + 2u * 48u == RP_GOALS_MAX, "the cell of the agent would be one more");
    aim(session, (rp_aim_t){.kind = RP_AIM_REGION, .points = corners, .count = 2});
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_ARRIVED);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 1001, 26), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_ARRIVED);
}
END_TEST

START_TEST(who_stands_on_an_obstacle_inside_a_large_region_has_only_to_leave_it)
{
    const rp_world_options_t options = {.width = 200, .height = 200, .neighbors = 8};
    rp_scene_open(&scene, &options);
    const rp_session_id_t session = stand(10, 100);
    const rp_destination_t corners[] = {{50.0, 50.0, 0}, {150.0, 150.0, 0}};
    aim(session, (rp_aim_t){.kind = RP_AIM_REGION, .points = corners, .count = 2});
    (void)rp_scene_answer(&scene);
    (void)rp_scene_set(&scene, 53, 100, 0);
    const rp_cause_t cause = {0, 0};
    // Free cells all around are one run; of those at a step the one with the lowest number counts.
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 53.2, 100.5, 1, cause), RP_OK);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_uint_eq(answer.start_x, 53);
    ck_assert_uint_eq(answer.start_y, 99);
    ck_assert_double_eq(answer.cost, 0.0);
    ck_assert_double_eq(answer.escape_m, 1.0);
}
END_TEST

/// A session on one of the inscribed cells of a box, bound for a large region.
static rp_session_id_t stand_on_inscribed(rp_edit_t box, uint32_t x, uint32_t y)
{
    const rp_world_options_t options = {
        .width = 200, .height = 200, .neighbors = 8, .profile = "costmap"};
    const rp_destination_t corners[] = {{50.0, 50.0, 0}, {150.0, 150.0, 0}};
    uint64_t version;
    rp_scene_open(&scene, &options);
    box.fill = 253;
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &box, nothing, &version), RP_OK);
    const rp_session_id_t session = stand(x, y);
    aim(session, (rp_aim_t){.kind = RP_AIM_REGION, .points = corners, .count = 2});
    return session;
}

START_TEST(who_leaves_a_blocked_cell_of_a_large_region_may_step_out_of_it)
{
    (void)stand_on_inscribed((rp_edit_t){.x = 50, .y = 97, .width = 4, .height = 7}, 50, 100);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_uint_eq(answer.start_x, 49);
    ck_assert_uint_eq(answer.start_y, 100);
    ck_assert_double_eq(answer.escape_m, 1.0);
    ck_assert_double_eq(answer.cost, 5.0); // along the box, and in
}
END_TEST

START_TEST(who_stands_in_a_large_region_is_there_when_its_cell_is_freed)
{
    (void)stand_on_inscribed((rp_edit_t){.x = 99, .y = 99, .width = 3, .height = 4}, 100, 100);
    ck_assert_double_eq(rp_scene_answer(&scene).escape_m, 2.0);
    (void)rp_scene_set(&scene, 100, 100, 0);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_ARRIVED);
    ck_assert_uint_eq(answer.start_x, 100);
    ck_assert_uint_eq(answer.start_y, 100);
}
END_TEST

/// From inside an obstacle of nine cells no way leads out.
START_TEST(who_was_shut_in_within_a_large_region_is_there_when_its_cell_is_freed)
{
    (void)stand_on_inscribed((rp_edit_t){.x = 0, .y = 0, .width = 1, .height = 1}, 100, 100);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_ARRIVED);
    const rp_edit_t rock = {.x = 99, .y = 99, .width = 3, .height = 3, .fill = 254};
    uint64_t version;
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &rock, nothing, &version), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_START_BLOCKED);
    (void)rp_scene_set(&scene, 100, 100, 0);
    (void)rp_scene_set(&scene, 100, 101, 0);
    (void)rp_scene_set(&scene, 100, 102, 0);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_ARRIVED);
    ck_assert_double_eq(answer.cost, 0.0);
}
END_TEST

/// A dear strip lies inside the western edge of the region, so the path runs along it, outside.
START_TEST(who_is_inside_a_large_region_beside_its_path_is_there_when_that_breaks)
{
    const rp_world_options_t options = {.width = 200, .height = 200, .neighbors = 8};
    const rp_session_options_t follows = {.follow_radius_m = 2.5};
    const rp_edit_t strip = {.x = 50, .y = 0, .width = 1, .height = 110, .fill = 250};
    const rp_destination_t corners[] = {{50.0, 50.0, 0}, {150.0, 150.0, 0}};
    const rp_cause_t cause = {0, 0};
    rp_session_id_t session;
    uint64_t version;
    rp_scene_open(&scene, &options);
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &strip, cause, &version), RP_OK);
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &follows, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 49, 60), RP_OK);
    aim(session, (rp_aim_t){.kind = RP_AIM_REGION, .points = corners, .count = 2});
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 51.4, 70.5, 1, cause), RP_OK);
    rp_scene_expect_silence(&scene);
    const rp_edit_t wall = {.x = 0, .y = 100, .width = 51, .height = 1, .fill = 0};
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &wall, cause, &version), RP_OK);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_ARRIVED);
    ck_assert_double_eq(answer.cost, 0.0);
}
END_TEST

/// Two discs of 30, too large together to be named in full, the nearer one dear to stop in.
START_TEST(who_is_inside_a_large_area_goes_on_to_another_that_costs_less)
{
    const rp_world_options_t options = {.width = 200, .height = 100, .neighbors = 8};
    rp_scene_open(&scene, &options);
    const rp_session_id_t session = stand(50, 50);
    rp_destination_t places[] = {{50.5, 50.5, 9}, {88.5, 50.5, 0}};
    const rp_aim_t discs = {.points = places, .count = 2, .tolerance_m = 30.0};
    aim(session, discs);
    ck_assert_double_eq(rp_scene_answer(&scene).cost, 8.0);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 54, 50), RP_OK); // on its way, inside of one
    ck_assert_double_eq(newest(session).cost, 4.0);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 58, 50), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_ARRIVED);
    places[0].offset = 7;
    ck_assert_int_eq(rp_scene_pose(&scene, session, 50, 50), RP_OK);
    aim(session, discs);
    ck_assert_int_eq(newest(session).outcome, RP_ANSWER_ARRIVED);
}
END_TEST

START_TEST(what_no_set_of_goals_can_hold_is_refused_and_the_old_goal_stands)
{
    const rp_world_options_t options = {.width = 2000, .height = 2000, .neighbors = 8};
    rp_scene_open(&scene, &options);
    const rp_session_id_t session = rp_scene_session(&scene, "dstar-lite", 0, 0, 9, 0);
    const rp_destination_t corners[] = {{0.0, 0.0, 0}, {2000.0, 2000.0, 0}};
    const rp_aim_t huge = {.kind = RP_AIM_REGION, .points = corners, .count = 2};
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, &huge, nothing), RP_E_LIMIT);
    const rp_aim_t odd = {.kind = RP_AIM_REGION, .points = corners, .count = 1};
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, &odd, nothing), RP_E_INVALID);
    const rp_aim_t vague = {.points = corners, .count = 1, .tolerance_m = -1.0};
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, &vague, nothing), RP_E_INVALID);
    ck_assert_double_eq(rp_scene_answer(&scene).cost, 9.0);
}
END_TEST

// ---- waypoints

START_TEST(waypoints_are_passed_in_order_and_only_the_last_is_arrived_at)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = stand(0, 0);
    const rp_destination_t route[] = {{3.5, 0.5, 0}, {3.5, 3.5, 0}, {0.5, 3.5, 0}};
    aim(session, (rp_aim_t){.kind = RP_AIM_WAYPOINTS, .points = route, .count = 3, .goal_id = 4});
    rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_uint_eq(answer.waypoint, 0);
    ck_assert_double_eq(answer.cost, 3.0);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 3, 0), RP_OK);
    answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_int_eq(answer.reason, RP_REASON_REACHED);
    ck_assert_uint_eq(answer.waypoint, 1);
    ck_assert_uint_eq(answer.goal_id, 4);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 3, 3), RP_OK);
    ck_assert_uint_eq(rp_scene_answer(&scene).waypoint, 2);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 0, 3), RP_OK);
    answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_ARRIVED);
    ck_assert_uint_eq(answer.waypoint, 2);
}
END_TEST

START_TEST(waypoints_where_the_agent_stands_already_are_passed_at_once)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = stand(0, 0);
    const rp_destination_t route[] = {{0.5, 0.5, 0}, {0.2, 0.2, 0}, {4.5, 0.5, 0}};
    aim(session, (rp_aim_t){.kind = RP_AIM_WAYPOINTS, .points = route, .count = 3});
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_uint_eq(answer.waypoint, 2);
    ck_assert_double_eq(answer.cost, 4.0);
}
END_TEST

// ---- targets

static void chase(rp_session_id_t hunter, rp_session_id_t prey)
{
    aim(hunter, (rp_aim_t){.kind = RP_AIM_TARGET, .target = prey});
}

START_TEST(a_target_that_moves_takes_the_path_along)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t prey = stand(5, 0);
    const rp_session_id_t hunter = stand(0, 0);
    chase(hunter, prey);
    ck_assert_double_eq(rp_scene_answer(&scene).cost, 5.0);
    ck_assert_int_eq(rp_engine_pose(scene.engine, prey, 7.5, 0.5, 33, nothing), RP_OK);
    ck_assert(!rp_engine_is_sure(scene.engine, hunter));
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_double_eq(answer.cost, 7.0);
    ck_assert_int_eq(answer.reason, RP_REASON_GOAL);
    ck_assert_uint_eq(answer.target_pose_seq, 33);
    ck_assert_int_eq(rp_engine_pose(scene.engine, prey, 7.6, 0.6, 34, nothing), RP_OK);
    rp_scene_expect_silence(&scene); // still in its cell
}
END_TEST

START_TEST(whoever_has_no_target_is_told_of_no_pose_of_one)
{
    rp_scene_draw(&scene, MEADOW);
    (void)rp_scene_session(&scene, NULL, 0, 0, 9, 1);
    ck_assert_uint_eq(rp_scene_answer(&scene).target_pose_seq, 0);
}
END_TEST

START_TEST(two_who_chase_each_other_and_a_third_behind_them_meet)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t agents[] = {stand(0, 0), stand(9, 3), stand(0, 3)};
    chase(agents[0], agents[1]);
    chase(agents[1], agents[0]);
    chase(agents[2], agents[1]);
    uint32_t met = 0;
    for (uint32_t round = 0; round < 30 && met < 3; round++) {
        met = 0;
        for (uint32_t i = 0; i < 3; i++) {
            static const int dx[] = {1, 1, 0, -1, -1, -1, 0, 1};
            static const int dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
            const rp_answer_t answer = newest(agents[i]);
            met += answer.outcome == RP_ANSWER_ARRIVED;
            if (answer.outcome == RP_ANSWER_FOUND) {
                ck_assert_int_eq(
                    rp_scene_pose(&scene, agents[i],
                                  (uint32_t)((int)answer.start_x + dx[answer.steps[0]]),
                                  (uint32_t)((int)answer.start_y + dy[answer.steps[0]])),
                    RP_OK);
            }
        }
    }
    ck_assert_uint_eq(met, 3);
}
END_TEST

/// Whichever of three turns away, the other two hear where the target goes.
START_TEST(of_those_who_chase_one_any_may_turn_away)
{
    for (uint32_t away = 0; away < 3; away++) {
        rp_session_id_t chasers[3];
        rp_scene_draw(&scene, "....................\n"
                              "....................\n"
                              "....................");
        const rp_session_id_t target = rp_scene_session(&scene, NULL, 10, 2, 0, 2);
        for (uint32_t i = 0; i < 3; i++) {
            chasers[i] = stand(i, 0);
            aim(chasers[i], (rp_aim_t){.kind = RP_AIM_TARGET, .target = target});
        }
        rp_scene_settle(&scene);
        ck_assert_int_eq(rp_scene_goal(&scene, chasers[away], 5, 0), RP_OK);
        rp_scene_settle(&scene);
        ck_assert_int_eq(rp_scene_pose(&scene, target, 15, 2), RP_OK);
        for (uint32_t i = 0; i < 3; i++) {
            const double cost = i == away ? 5.0 - i : 13.0 - i + 2.0 * sqrt(2.0);
            ck_assert_double_eq_tol(newest(chasers[i]).cost, cost, 1e-5);
        }
        rp_scene_close(&scene);
    }
}
END_TEST

START_TEST(a_target_that_goes_is_lost_and_another_may_take_its_place)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t prey = stand(5, 0);
    const rp_session_id_t hunter = stand(0, 0);
    chase(hunter, prey);
    (void)rp_scene_answer(&scene);
    ck_assert_int_eq(rp_engine_pose(scene.engine, prey, 99.0, 0.5, 0, nothing), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_TARGET_LOST);
    ck_assert_int_eq(rp_scene_pose(&scene, prey, 4, 0), RP_OK);
    ck_assert_double_eq(rp_scene_answer(&scene).cost, 4.0);
    ck_assert_int_eq(rp_engine_close(scene.engine, prey), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_TARGET_LOST);
    const rp_session_id_t other = stand(2, 0);
    ck_assert_int_eq(rp_engine_retarget(scene.engine, hunter, other, nothing), RP_OK);
    ck_assert_double_eq(rp_scene_answer(&scene).cost, 2.0);
    ck_assert_int_eq(rp_engine_retarget(scene.engine, hunter, hunter, nothing), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_retarget(scene.engine, other, hunter, nothing), RP_E_INVALID);
}
END_TEST

START_TEST(a_target_that_is_not_there_yet_is_lost_and_one_without_a_pose_too)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t hunter = stand(0, 0);
    chase(hunter, 0);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_TARGET_LOST);
    const rp_session_options_t options = {.planner = "lpa"};
    rp_session_id_t ghost;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &ghost), RP_OK);
    ck_assert_int_eq(rp_engine_retarget(scene.engine, hunter, ghost, nothing), RP_OK);
    rp_scene_expect_silence(&scene);
    ck_assert_int_eq(rp_scene_pose(&scene, ghost, 3, 0), RP_OK);
    ck_assert_double_eq(rp_scene_answer(&scene).cost, 3.0);
}
END_TEST

START_TEST(a_hunter_who_needs_not_come_close_keeps_its_path_while_its_end_will_do)
{
    rp_scene_draw(&scene, MEADOW);
    scene.policy = (rp_policy_t){.switch_gain_percent = 50};
    const rp_session_id_t prey = stand(6, 0);
    const rp_session_id_t hunter = stand(0, 0);
    aim(hunter, (rp_aim_t){.kind = RP_AIM_TARGET, .target = prey, .tolerance_m = 2.0});
    ck_assert_double_eq(rp_scene_answer(&scene).cost, 4.0);
    ck_assert_int_eq(rp_scene_pose(&scene, prey, 5, 0), RP_OK);
    rp_scene_expect_silence(&scene);
    ck_assert_double_eq(newest(hunter).bound, 3.0);
    ck_assert_int_eq(rp_scene_pose(&scene, prey, 7, 0), RP_OK);
    ck_assert_double_eq(rp_scene_answer(&scene).cost, 5.0);
}
END_TEST

START_TEST(who_needs_not_come_close_measures_from_where_the_target_stands_in_its_cell)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t prey = stand(5, 0);
    const rp_session_id_t hunter = stand(0, 0);
    aim(hunter, (rp_aim_t){.kind = RP_AIM_TARGET, .target = prey, .tolerance_m = 0.9});
    ck_assert_double_eq(rp_scene_answer(&scene).cost, 5.0);
    ck_assert_int_eq(rp_engine_pose(scene.engine, prey, 5.1, 0.5, 0, nothing), RP_OK);
    ck_assert_double_eq(rp_scene_answer(&scene).cost, 4.0);
}
END_TEST

// ---- what cannot be reached

#define WALLED                                                                                     \
    "......#...\n"                                                                                 \
    "......#...\n"                                                                                 \
    "......#...\n"                                                                                 \
    "......#..."

START_TEST(the_nearest_reachable_cell_stands_for_a_goal_behind_a_wall)
{
    rp_scene_draw(&scene, WALLED);
    const rp_session_id_t session = stand(0, 1);
    const rp_destination_t there = {8.5, 1.5, 0};
    aim(session, (rp_aim_t){.points = &there, .count = 1, .is_nearest = true});
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_double_eq(answer.cost, 5.0);
    ck_assert_double_eq(answer.goal_distance_m, 3.0);
    (void)rp_scene_set(&scene, 6, 0, 1); // a gate
    const rp_answer_t through = rp_scene_answer(&scene);
    ck_assert_double_eq(through.goal_distance_m, 0.0);
    ck_assert_double_gt(through.cost, 8.0);
    (void)rp_scene_set(&scene, 6, 0, 0);
    ck_assert_double_eq(rp_scene_answer(&scene).goal_distance_m, 3.0);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 5, 1), RP_OK);
    const rp_answer_t there_now = rp_scene_answer(&scene);
    ck_assert_int_eq(there_now.outcome, RP_ANSWER_ARRIVED);
    ck_assert_double_eq(there_now.goal_distance_m, 3.0);
}
END_TEST

START_TEST(towards_a_goal_outside_it_goes_as_near_as_it_can)
{
    rp_scene_draw(&scene, WALLED);
    const rp_session_id_t session = stand(0, 1);
    const rp_destination_t beyond[] = {{-7.5, 3.5, 0}, {20.5, 1.5, 0}};
    aim(session, (rp_aim_t){.points = &beyond[1], .count = 1, .is_nearest = true});
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_double_eq(answer.cost, 5.0);
    ck_assert_double_eq(answer.goal_distance_m, 15.0);
    (void)rp_scene_set(&scene, 6, 0, 1); // a gate
    ck_assert_double_eq(rp_scene_answer(&scene).goal_distance_m, 11.0);
    aim(session, (rp_aim_t){.points = beyond, .count = 2, .is_nearest = true});
    const rp_answer_t other = rp_scene_answer(&scene);
    ck_assert_double_eq(other.cost, 2.0); // to (0, 3)
    ck_assert_double_eq(other.goal_distance_m, 8.0);
    aim(session, (rp_aim_t){.points = beyond, .count = 2});
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_OUTSIDE);
}
END_TEST

/// Nobody goes there while there is a goal inside, so what is left is not counted up to it.
START_TEST(who_cannot_set_out_is_told_no_distance_from_a_goal_outside)
{
    rp_scene_draw(&scene, "###....\n"
                          "###....\n"
                          "###....");
    const rp_destination_t goal = {20.5, 1.5, 0};
    aim(stand(1, 1), (rp_aim_t){.points = &goal, .count = 1, .is_nearest = true});
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_START_BLOCKED);
    ck_assert_double_eq(answer.goal_distance_m, 0.0);
}
END_TEST

START_TEST(a_goal_outside_counts_only_when_all_are_outside)
{
    rp_scene_draw(&scene, WALLED);
    const rp_session_id_t session = stand(0, 1);
    const rp_destination_t both[] = {{5.5, -0.5, 0}, {8.5, 1.5, 0}};
    aim(session, (rp_aim_t){.points = both, .count = 2, .is_nearest = true});
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_double_eq(answer.cost, 5.0);
    ck_assert_double_eq(answer.goal_distance_m, 3.0);
    aim(session, (rp_aim_t){.points = both, .count = 2, .tolerance_m = 0.3, .is_nearest = true});
    ck_assert_double_eq_tol(rp_scene_answer(&scene).goal_distance_m, 2.7, 1e-9);
    // The middle of its disc is outside, but not all of it.
    const rp_destination_t half[] = {{6.5, -0.4, 0}, {8.5, 1.5, 0}};
    aim(session, (rp_aim_t){.points = half, .count = 2, .tolerance_m = 1.0, .is_nearest = true});
    ck_assert_double_eq_tol(rp_scene_answer(&scene).goal_distance_m, hypot(1.0, 0.9) - 1.0, 1e-9);
}
END_TEST

START_TEST(of_equally_near_cells_the_cheapest_counts_and_a_blocked_goal_is_no_obstacle)
{
    rp_scene_draw(&scene, "..........\n"
                          "......#...\n"
                          "..........");
    const rp_session_id_t session = stand(0, 1);
    const rp_destination_t there = {6.5, 1.5, 0};
    aim(session, (rp_aim_t){.points = &there, .count = 1, .is_nearest = true});
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_double_eq(answer.cost, 5.0);
    ck_assert_double_eq(answer.goal_distance_m, 1.0);
}
END_TEST

START_TEST(without_the_mode_a_goal_behind_a_wall_is_no_path)
{
    rp_scene_draw(&scene, WALLED);
    (void)rp_scene_session(&scene, "dstar-lite", 0, 1, 8, 1);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_NO_PATH);
}
END_TEST

/// JPS knows one goal cell; what leads to one at a time will do.
START_TEST(a_planner_of_one_goal_takes_what_leads_to_one_at_a_time)
{
    const rp_destination_t points[] = {{4.5, 1.5, 0}, {7.5, 2.5, 0}};
    const rp_destination_t dear = {4.5, 1.5, 3};
    const rp_session_options_t options = {.planner = "jps"};
    rp_session_id_t session;
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t prey = stand(5, 0);
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    const struct {
        rp_aim_t aim;
        rp_status_t status;
    } rows[] = {
        {{.points = points, .count = 1}, RP_OK},
        {{.kind = RP_AIM_WAYPOINTS, .points = points, .count = 2}, RP_OK},
        {{.kind = RP_AIM_TARGET, .target = prey}, RP_OK},
        {{.points = points, .count = 2}, RP_E_UNSUPPORTED},
        {{.kind = RP_AIM_REGION, .points = points, .count = 2}, RP_E_UNSUPPORTED},
        {{.points = &dear, .count = 1}, RP_E_UNSUPPORTED},
        {{.points = points, .count = 1, .tolerance_m = 1.0}, RP_E_UNSUPPORTED},
        {{.points = points, .count = 1, .is_nearest = true}, RP_E_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_int_eq(rp_engine_aim(scene.engine, session, &rows[i].aim, nothing),
                         rows[i].status);
        ck_assert_int_eq(rp_engine_aim(scene.engine, prey, &rows[i].aim, nothing),
                         rows[i].aim.target != 0 ? RP_E_INVALID : RP_OK);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        any_cell_within_the_tolerance_will_do_and_the_cheapest_is_taken,
        a_region_is_entered_where_it_is_cheapest,
        a_region_larger_than_a_goal_set_is_entered_through_its_rim_and_inside_is_there,
        who_is_inside_a_region_with_as_large_a_rim_as_can_be_is_there,
        who_stands_on_an_obstacle_inside_a_large_region_has_only_to_leave_it,
        who_leaves_a_blocked_cell_of_a_large_region_may_step_out_of_it,
        who_stands_in_a_large_region_is_there_when_its_cell_is_freed,
        who_was_shut_in_within_a_large_region_is_there_when_its_cell_is_freed,
        who_is_inside_a_large_region_beside_its_path_is_there_when_that_breaks,
        who_is_inside_a_large_area_goes_on_to_another_that_costs_less,
        what_no_set_of_goals_can_hold_is_refused_and_the_old_goal_stands,
        waypoints_are_passed_in_order_and_only_the_last_is_arrived_at,
        waypoints_where_the_agent_stands_already_are_passed_at_once,
        a_target_that_moves_takes_the_path_along,
        whoever_has_no_target_is_told_of_no_pose_of_one,
        two_who_chase_each_other_and_a_third_behind_them_meet,
        of_those_who_chase_one_any_may_turn_away,
        a_target_that_goes_is_lost_and_another_may_take_its_place,
        a_target_that_is_not_there_yet_is_lost_and_one_without_a_pose_too,
        a_hunter_who_needs_not_come_close_keeps_its_path_while_its_end_will_do,
        the_nearest_reachable_cell_stands_for_a_goal_behind_a_wall,
        towards_a_goal_outside_it_goes_as_near_as_it_can,
        who_cannot_set_out_is_told_no_distance_from_a_goal_outside,
        a_goal_outside_counts_only_when_all_are_outside,
        of_equally_near_cells_the_cheapest_counts_and_a_blocked_goal_is_no_obstacle,
        without_the_mode_a_goal_behind_a_wall_is_no_path,
        a_planner_of_one_goal_takes_what_leads_to_one_at_a_time,
        who_needs_not_come_close_measures_from_where_the_target_stands_in_its_cell,
    };
    return rp_suite_run("endpoints", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
