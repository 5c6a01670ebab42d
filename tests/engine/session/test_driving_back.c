/// Driving backwards: what it costs, and how curves with changes of gear are followed and spliced.
#include "tests/engine/session/driving_scene.h"

static double driven_back(const rp_answer_t *answer)
{
    double length = 0.0;
    for (uint32_t i = 0; i < answer->curve.count; i++) {
        length -= fmin(answer->curve.segments[i].length_m, 0.0);
    }
    return length;
}

START_TEST(a_car_that_may_backs_out_of_a_dead_end)
{
    rp_motion_t motion = backing_car;
    open_meadow(40, 5, false);
    (void)drive(&exact_car, 30.5, 2.5, 0.0, 6, 2);
    ck_assert_int_eq(last_answer().outcome, RP_ANSWER_NO_PATH);
    motion.gear_change_m = 20.0; // so that it does not turn round
    const rp_session_id_t session = drive(&motion, 30.5, 2.5, 0.0, 6, 2);
    const rp_answer_t answer = answer_of(session);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_double_eq_tol(driven_back(&answer), 24.0, 1e-9);
    ck_assert_double_eq_tol(answer.cost, 36.0, 0.2);
    check_curve(&answer, &motion);
    check_cells(&answer);
}
END_TEST

START_TEST(a_step_backwards_that_saves_a_loop_is_taken)
{
    open_meadow(60, 60, false);
    const rp_session_id_t session = drive(&backing_car, 30.5, 30.5, 0.0, 28, 30);
    const rp_answer_t answer = answer_of(session);
    ck_assert_double_eq_tol(answer.cost, cheapest(&backing_car, 30, 30, 0.0, 28, 30), 1e-9);
    ck_assert_double_lt(answer.cost, 4.0);
    ck_assert_double_gt(driven_back(&answer), 1.9);
}
END_TEST

START_TEST(who_backs_follows_its_curve_over_each_change)
{
    rp_motion_t motion = backing_car;
    motion.gear_change_m = 0.5;
    open_meadow(40, 40, false);
    const rp_session_id_t session = open_driver(&motion, NULL);
    place(session, 20.5, 20.5, 0.0);
    const rp_destination_t goal = {.x_m = 20.5, .y_m = 22.5};
    const rp_aim_t aim = {.points = &goal, .count = 1, .heading = RP_AIM_HEADING, .yaw = 0.0};
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, &aim, no_cause), RP_OK);
    rp_answer_t answer = last_answer();
    answer = answer_of(session);
    ck_assert_double_gt(driven_back(&answer), 0.5);
    ck_assert_double_gt(answer.curve.segments[0].length_m * driven_back(&answer), 0.0);
    double left = answer.cost;
    while (answer.outcome == RP_ANSWER_FOUND) {
        const pose_t at = pose_ahead(&answer, 0.3);
        place(session, at.x + 0.02, at.y - 0.02, at.yaw + 0.01);
        answer = answer_of(session);
        ck_assert_int_ne(answer.reason, RP_REASON_OFF_PATH);
        if (answer.outcome == RP_ANSWER_FOUND) {
            check_curve(&answer, &motion);
            ck_assert_double_lt(answer.cost, left);
            ck_assert_double_gt(answer.cost, left - 1.2); // it was not carried over a change
            left = answer.cost;
        }
    }
    ck_assert_int_eq(answer.outcome, RP_ANSWER_ARRIVED);
}
END_TEST

START_TEST(a_pose_beside_a_change_counts_as_before_it)
{
    open_meadow(40, 40, false);
    const rp_session_id_t session = open_driver(&backing_car, NULL);
    place(session, 20.5, 20.5, 0.0);
    const rp_destination_t goal = {.x_m = 20.5, .y_m = 22.5};
    const rp_aim_t aim = {.points = &goal, .count = 1, .heading = RP_AIM_HEADING, .yaw = 0.0};
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, &aim, no_cause), RP_OK);
    const rp_answer_t first = answer_of(session);
    const double cost = first.cost;
    uint32_t last = 0;
    double driven = 0.0;
    while (first.curve.segments[last].length_m * first.curve.segments[last + 1u].length_m > 0.0) {
        driven += extent_of(&first.curve.segments[last++]);
        ck_assert_uint_lt(last + 1u, first.curve.count);
    }
    const rp_path_segment_t *there = &first.curve.segments[last];
    driven += extent_of(there) - 0.6;
    const pose_t before = pose_on(there, extent_of(there) - 0.6);
    const pose_t behind = pose_on(there + 1, 0.6);
    ck_assert_double_gt(hypot(before.x - behind.x, before.y - behind.y), 0.01);
    const pose_t at = {0.4 * before.x + 0.6 * behind.x, 0.4 * before.y + 0.6 * behind.y,
                       0.4 * before.yaw + 0.6 * behind.yaw};
    place(session, at.x, at.y, at.yaw);
    const rp_answer_t answer = answer_of(session);
    const bool is_back = there->length_m < 0.0;
    ck_assert_double_gt(answer.cost, cost - driven * (is_back ? 1.5 : 1.0) - 0.5);
    ck_assert_double_lt(answer.cost, cost);
    check_curve(&answer, &backing_car);
}
END_TEST

START_TEST(a_change_of_gear_at_the_joint_is_paid)
{
    rp_motion_t motion = backing_car;
    motion.gear_change_m = 5.0;
    motion.hold_m = 4.0;
    open_meadow(60, 5, false);
    const rp_session_id_t session = drive(&motion, 10.5, 2.5, 0.0, 50, 2);
    (void)last_answer();
    place(session, 20.5, 2.5, 0.0);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 12, 2), RP_OK);
    const rp_answer_t turned = answer_of(session); // four metres on, then twelve back
    check_curve(&turned, &motion);
    const double ahead = turned.curve.segments[0].length_m;
    ck_assert_double_ge(ahead, 4.0);
    ck_assert_double_eq_tol(turned.cost, ahead + 5.0 + 1.5 * (ahead + 8.0), 0.3);
    ck_assert_double_eq(turned.bound, turned.cost);
}
END_TEST

START_TEST(a_change_of_gear_at_a_waypoint_is_paid)
{
    static const rp_destination_t places[] = {{.x_m = 30.5, .y_m = 2.5}, {.x_m = 12.5, .y_m = 2.5}};
    rp_motion_t motion = backing_car;
    motion.gear_change_m = 5.0;
    open_meadow(60, 5, false);
    const rp_session_id_t session = open_driver(&motion, NULL);
    place(session, 20.5, 2.5, 0.0);
    const rp_aim_t aim = {.kind = RP_AIM_WAYPOINTS,
                          .points = places,
                          .count = 2,
                          .heading = RP_AIM_HEADING,
                          .yaw = 0.0};
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, &aim, no_cause), RP_OK);
    const rp_answer_t answer = answer_of(session);
    check_curve(&answer, &motion);
    ck_assert_double_eq_tol(answer.cost, 10.0 + 5.0 + 1.5 * 18.0, 0.3);
    ck_assert_double_le(answer.bound, answer.cost);
    ck_assert_double_ge(answer.bound, 10.0 + 1.5 * 18.0 - 0.3);
}
END_TEST

START_TEST(prices_of_backing_are_judged)
{
    rp_motion_t motion = backing_car;
    open_meadow(30, 20, false);
    ck_assert_int_eq(rp_engine_judge_motion(scene.engine, scene.world, &motion), RP_MOTION_FINE);
    motion.reverse_factor = 0.0; // as if it were 1
    ck_assert_int_eq(rp_engine_judge_motion(scene.engine, scene.world, &motion), RP_MOTION_FINE);
    motion.reverse_factor = 0.9;
    ck_assert_int_eq(rp_engine_judge_motion(scene.engine, scene.world, &motion),
                     RP_MOTION_BAD_REVERSE_FACTOR);
    motion.reverse_factor = NAN;
    ck_assert_int_eq(rp_engine_judge_motion(scene.engine, scene.world, &motion),
                     RP_MOTION_BAD_REVERSE_FACTOR);
    motion.reverse_factor = 100.0;
    motion.gear_change_m = 1000.0;
    ck_assert_int_eq(rp_engine_judge_motion(scene.engine, scene.world, &motion), RP_MOTION_FINE);
    motion.gear_change_m = 1001.0;
    ck_assert_int_eq(rp_engine_judge_motion(scene.engine, scene.world, &motion),
                     RP_MOTION_BAD_GEAR_CHANGE);
    motion.gear_change_m = -1.0;
    ck_assert_int_eq(rp_engine_judge_motion(scene.engine, scene.world, &motion),
                     RP_MOTION_BAD_GEAR_CHANGE);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_car_that_may_backs_out_of_a_dead_end,
        a_step_backwards_that_saves_a_loop_is_taken,
        who_backs_follows_its_curve_over_each_change,
        a_pose_beside_a_change_counts_as_before_it,
        a_change_of_gear_at_the_joint_is_paid,
        a_change_of_gear_at_a_waypoint_is_paid,
        prices_of_backing_are_judged,
    };
    return rp_suite_run("driving back", tests, sizeof tests / sizeof *tests, 1, tear_down);
}
