/// Driving: what an agent is told at its goal, and shortly before it.
#include "tests/engine/session/driving_scene.h"

START_TEST(who_comes_to_its_goal_with_a_heading_has_arrived)
{
    open_meadow(60, 50, false);
    const rp_session_id_t session = open_driver(&exact_car, NULL);
    place(session, 8.5, 8.5, 0.0);
    aim_at(session, RP_AIM_HEADING, 1.0);
    rp_answer_t answer = last_answer();
    for (unsigned i = 0; i < 200 && answer.outcome == RP_ANSWER_FOUND; i++) {
        const pose_t at = pose_ahead(&answer, 0.5);
        place(session, at.x, at.y, at.yaw);
        answer = answer_of(session);
    }
    ck_assert_int_eq(answer.outcome, RP_ANSWER_ARRIVED);
    ck_assert_int_eq(answer.reason, RP_REASON_REACHED);
    ck_assert_uint_eq(answer.curve.count, 0);
}
END_TEST

/// A car that stands on its goal, its yaw beside the one that is asked for.
static rp_session_id_t stand_on_goal(double off)
{
    const rp_session_id_t session = open_driver(&exact_car, NULL);
    place(session, 30.7, 24.4, 1.0 + off);
    aim_at(session, RP_AIM_HEADING, 1.0);
    return session;
}

static void check_arrived(const rp_answer_t *answer)
{
    ck_assert_int_eq(answer->outcome, RP_ANSWER_ARRIVED);
    ck_assert_double_eq(answer->cost, 0.0);
    ck_assert_double_eq(answer->bound, 0.0);
    ck_assert_uint_eq(answer->curve.count, 0);
}

START_TEST(who_stands_on_its_goal_as_asked_is_sent_nowhere)
{
    open_meadow(60, 50, false);
    const rp_session_id_t session = stand_on_goal(0.3);
    rp_answer_t answer = last_answer();
    check_arrived(&answer);
    aim_at(session, RP_AIM_HEADING, 1.0); // once more
    answer = last_answer();
    check_arrived(&answer);
    ck_assert_int_eq(answer.reason, RP_REASON_GOAL);
    (void)rp_scene_set(&scene, 50, 3, 0);
    rp_scene_expect_silence(&scene);
    answer = answer_of(session);
    check_arrived(&answer);
    ck_assert_uint_eq(answer.version, rp_engine_version(scene.engine, scene.world));
    take_window(&(rp_window_t){.x = 10, .y = 10, .width = 40, .height = 30});
    answer = answer_of(session);
    check_arrived(&answer);
    ck_assert_uint_eq(answer.start_x, 20);
}
END_TEST

START_TEST(who_has_arrived_may_turn)
{
    open_meadow(60, 50, false);
    const rp_session_id_t session = stand_on_goal(0.3);
    rp_answer_t answer = last_answer();
    check_arrived(&answer);
    place(session, 30.6, 24.6, 2.5);
    (void)rp_scene_set(&scene, 50, 3, 0);
    rp_scene_expect_silence(&scene);
    take_window(&(rp_window_t){.x = 10, .y = 10, .width = 40, .height = 30});
    answer = answer_of(session);
    check_arrived(&answer);
    aim_at(session, RP_AIM_HEADING, 1.0);
    answer = last_answer(); // asked again it does not stand as it should
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_double_gt(answer.cost, 3.0);
}
END_TEST

START_TEST(who_stands_on_its_goal_in_an_obstacle_is_told)
{
    open_meadow(60, 50, false);
    const rp_session_id_t session = stand_on_goal(-0.3);
    (void)last_answer();
    (void)rp_scene_set(&scene, 30, 24, 0);
    ck_assert_int_eq(last_answer().outcome, RP_ANSWER_GOAL_BLOCKED); // it could get out
    (void)rp_scene_set(&scene, 30, 24, 1);
    const rp_answer_t freed = last_answer();
    check_arrived(&freed);
    ck_assert_int_eq(rp_engine_close(scene.engine, session), RP_OK);
    (void)stand_on_goal(0.5); // too far off
    ck_assert_int_eq(last_answer().outcome, RP_ANSWER_FOUND);
}
END_TEST

START_TEST(what_blocks_the_last_move_is_told)
{
    open_meadow(40, 20, false);
    const rp_session_id_t session = drive(&exact_car, 4.5, 10.5, 0.0, 30, 10);
    (void)last_answer();
    place(session, 29.7, 10.5, 0.0);
    rp_scene_expect_silence(&scene);
    (void)rp_scene_set(&scene, 31, 10, 0);
    const rp_answer_t answer = last_answer();
    ck_assert_int_eq(answer.outcome, RP_ANSWER_GOAL_BLOCKED);
    ck_assert_uint_eq(answer.curve.count, 0);
}
END_TEST

START_TEST(the_same_goal_on_the_last_move_is_no_arrival)
{
    open_meadow(40, 20, false);
    const rp_session_id_t session = drive(&exact_car, 4.5, 10.5, 0.0, 30, 10);
    (void)last_answer();
    place(session, 29.7, 10.5, 0.0);
    rp_scene_expect_silence(&scene);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 30, 10), RP_OK);
    const rp_answer_t answer = last_answer();
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_int_eq(answer.reason, RP_REASON_GOAL);
    ck_assert_double_eq_tol(answer.cost, 0.8, 0.1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        who_comes_to_its_goal_with_a_heading_has_arrived,
        who_stands_on_its_goal_as_asked_is_sent_nowhere,
        who_has_arrived_may_turn,
        who_stands_on_its_goal_in_an_obstacle_is_told,
        what_blocks_the_last_move_is_told,
        the_same_goal_on_the_last_move_is_no_arrival,
    };
    return rp_suite_run("driving arrival", tests, sizeof tests / sizeof *tests, 1, tear_down);
}
