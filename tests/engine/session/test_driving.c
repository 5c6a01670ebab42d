/// Driving: one session with motion, and what is refused it.
#include "tests/engine/session/driving_scene.h"
#include "tests/support/random.h"

START_TEST(a_car_gets_a_curve_that_it_can_drive)
{
    open_meadow(30, 20, false);
    for (uint32_t y = 0; y < 14; y++) {
        (void)rp_scene_set(&scene, 15, y, 0);
    }
    const rp_session_id_t session = drive(&car, 4.5, 4.5, 0.0, 25, 4);
    const rp_answer_t first = last_answer();
    ck_assert_int_eq(first.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_gt(first.curve.count, 2);
    ck_assert_double_eq_tol(first.curve.segments[0].x_m, 4.5, 1e-12);
    ck_assert_double_eq_tol(first.curve.segments[0].y_m, 4.5, 1e-12);
    ck_assert_double_eq_tol(first.curve.segments[0].yaw, 0.0, 1e-12);
    ck_assert_uint_eq(first.curve.family, 16);
    ck_assert_str_eq(first.planner, "lattice");
    check_curve(&first, &car);
    check_cells(&first);
    const rp_answer_t settled = answer_of(session);
    ck_assert_double_eq(settled.bound, settled.cost); // improved in the end
    ck_assert_double_eq_tol(settled.cost, cheapest(&car, 4, 4, 0.0, 25, 4), 1e-9);
}
END_TEST

START_TEST(who_stands_beside_the_middle_of_its_cell_pays_for_what_is_told)
{
    open_meadow(40, 20, false);
    (void)drive(&exact_car, 5.1, 10.5, 0.0, 30, 10);
    (void)last_answer();
    scene.now_us = 1;
    const rp_session_id_t session = drive(&exact_car, 5.95, 10.5, 0.0, 30, 10);
    const rp_answer_t answer = answer_of(session);
    ck_assert_double_eq_tol(answer.cost, answer.curve.segments[0].length_m, 0.1);
    ck_assert_double_le(answer.curve.segments[0].length_m, 25.0 - 0.4);
    ck_assert_double_eq(answer.bound, answer.cost);
}
END_TEST

START_TEST(a_yaw_between_two_headings_is_where_the_curve_begins)
{
    open_meadow(30, 30, false);
    (void)drive(&car, 10.5, 10.5, 0.3, 22, 12);
    const rp_answer_t answer = last_answer();
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_double_eq_tol(answer.curve.segments[0].yaw, 0.3, 1e-9);
    check_curve(&answer, &car);
}
END_TEST

START_TEST(a_tank_turns_where_it_stands)
{
    open_meadow(20, 5, false);
    (void)drive(&tank, 10.5, 2.5, 0.0, 3, 2);
    const rp_answer_t answer = last_answer();
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_double_ne(answer.curve.segments[0].turn, 0.0);
    check_curve(&answer, &tank);
    check_cells(&answer);
}
END_TEST

START_TEST(a_corridor_too_narrow_to_turn_is_no_path_for_a_car)
{
    open_meadow(20, 5, false);
    (void)drive(&car, 10.5, 2.5, 0.0, 3, 2);
    const rp_answer_t answer = last_answer();
    ck_assert_int_eq(answer.outcome, RP_ANSWER_NO_PATH);
    ck_assert_uint_eq(answer.curve.count, 0);
}
END_TEST

START_TEST(who_follows_its_curve_hears_nothing_before_the_end)
{
    open_meadow(40, 30, false);
    const rp_session_id_t session = drive(&car, 4.5, 4.5, 0.0, 30, 24);
    rp_answer_t answer = last_answer();
    double left = answer.cost;
    while (answer.curve.count != 0) {
        const pose_t at = pose_ahead(&answer, 0.7);
        place(session, at.x + 0.01, at.y - 0.01, at.yaw + 0.02);
        if ((uint32_t)at.x == 30 && (uint32_t)at.y == 24) {
            break;
        }
        rp_scene_expect_silence(&scene);
        answer = answer_of(session);
        check_curve(&answer, &car);
        check_cells(&answer);
        ck_assert_double_lt(answer.cost, left);
        ck_assert_double_eq(answer.bound, answer.cost);
        left = answer.cost;
    }
    answer = last_answer();
    ck_assert_int_eq(answer.outcome, RP_ANSWER_ARRIVED);
    ck_assert_int_eq(answer.reason, RP_REASON_REACHED);
    ck_assert_uint_eq(answer.curve.count, 0);
    place(session, 30.6, 24.4, 1.0);
    rp_scene_expect_silence(&scene);
}
END_TEST

START_TEST(a_pose_or_a_yaw_off_the_curve_asks_for_another)
{
    open_meadow(40, 30, false);
    const rp_session_id_t session = drive(&exact_car, 4.5, 4.5, 0.0, 30, 4);
    (void)last_answer();
    place(session, 8.5, 6.5, 0.0);
    rp_answer_t answer = last_answer();
    ck_assert_int_eq(answer.reason, RP_REASON_OFF_PATH);
    ck_assert_double_eq_tol(answer.curve.segments[0].y_m, 6.5, 1e-12);
    place(session, 8.5, 6.5, 1.0);
    answer = last_answer();
    ck_assert_int_eq(answer.reason, RP_REASON_OFF_PATH);
    ck_assert_double_eq_tol(answer.curve.segments[0].yaw, 1.0, 1e-9);
    check_curve(&answer, &exact_car);
}
END_TEST

START_TEST(a_new_curve_leaves_the_old_one_ahead_of_the_agent)
{
    open_meadow(60, 30, false);
    const rp_session_id_t session = drive(&exact_car, 4.5, 14.5, 0.0, 55, 14);
    const rp_answer_t first = last_answer();
    const pose_t at = pose_on(&first.curve.segments[0], 9.3);
    place(session, at.x, at.y + 0.2, at.yaw);
    rp_scene_expect_silence(&scene);
    (void)rp_scene_set(&scene, 30, 14, 0);
    const rp_answer_t second = last_answer();
    ck_assert_int_eq(second.reason, RP_REASON_INVALID);
    ck_assert_double_eq_tol(second.curve.segments[0].x_m, at.x,
                            1e-9); // where it is, on the old one
    ck_assert_double_eq_tol(second.curve.segments[0].y_m, 14.5, 1e-9);
    check_curve(&second, &exact_car);
    check_cells(&second);
}
END_TEST

START_TEST(a_new_curve_shares_what_is_held)
{
    rp_motion_t motion = exact_car;
    motion.hold_m = 12.0;
    open_meadow(80, 40, false);
    const rp_session_id_t session = drive(&motion, 4.5, 20.5, 0.0, 75, 20);
    (void)last_answer();
    place(session, 8.6, 20.5, 0.0);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 40, 5), RP_OK);
    const rp_answer_t turned = last_answer(); // straight on as far as that is held
    ck_assert_double_eq(turned.curve.segments[0].curvature, 0.0);
    ck_assert_double_ge(turned.curve.segments[0].length_m, 12.0);
    check_curve(&turned, &motion);
    (void)rp_scene_set(&scene, 14, 20, 0); // on what is held
    const rp_answer_t cut = last_answer();
    ck_assert_double_lt(cut.curve.segments[0].length_m, 5.0);
    check_curve(&cut, &motion);
}
END_TEST

START_TEST(a_yaw_may_be_farther_off_where_that_was_asked_for)
{
    rp_motion_t motion = exact_car;
    motion.follow_yaw = 1.2;
    open_meadow(40, 30, false);
    const rp_session_id_t session = drive(&motion, 4.5, 4.5, 0.0, 30, 4);
    (void)last_answer();
    place(session, 8.5, 4.5, 1.1);
    rp_scene_expect_silence(&scene);
    place(session, 9.5, 4.5, 1.3);
    ck_assert_int_eq(last_answer().reason, RP_REASON_OFF_PATH);
}
END_TEST

START_TEST(what_happens_elsewhere_is_not_said)
{
    open_meadow(60, 60, false);
    const rp_session_id_t session = drive(&car, 4.5, 4.5, 0.0, 55, 4);
    const rp_answer_t first = last_answer();
    const uint64_t expanded = rp_engine_effort(scene.engine).expanded;
    for (uint32_t i = 0; i < 20; i++) {
        (void)rp_scene_set(&scene, 10 + i, 40, 0);
        rp_scene_expect_silence(&scene);
    }
    const rp_answer_t after = answer_of(session);
    ck_assert_double_eq(after.cost, first.cost);
    ck_assert_uint_eq(rp_engine_effort(scene.engine).expanded, expanded); // nor searched for
    ck_assert_double_eq(after.bound, after.cost);
    ck_assert_uint_eq(after.version, rp_engine_version(scene.engine, scene.world));
}
END_TEST

START_TEST(a_policy_keeps_a_curve_that_is_hardly_dearer)
{
    const rp_policy_t sedate = {.switch_gain_percent = 30};
    open_meadow(60, 30, false);
    for (uint32_t y = 8; y < 20; y++) {
        (void)rp_scene_set(&scene, 30, y, 0);
    }
    const rp_session_id_t session = open_driver(&car, &sedate);
    place(session, 4.5, 14.5, 0.0);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 55, 14), RP_OK);
    const rp_answer_t first = last_answer();
    const double cost = first.cost;
    for (uint32_t y = 8; y < 20; y++) {
        (void)rp_scene_set(&scene, 30, y, 1);
        rp_scene_expect_silence(&scene);
    }
    const rp_answer_t kept = answer_of(session);
    ck_assert_double_eq_tol(kept.cost, cost, 0.2);
    ck_assert_double_lt(kept.bound, kept.cost);
    check_curve(&kept, &car);
    (void)rp_scene_set(&scene, (uint32_t)kept.curve.segments[kept.curve.count / 2u].x_m,
                       (uint32_t)kept.curve.segments[kept.curve.count / 2u].y_m, 0);
    const rp_answer_t next = last_answer();
    ck_assert_int_eq(next.reason, RP_REASON_INVALID);
    check_curve(&next, &car);
}
END_TEST

/// The yaw with which a curve ends.
static double end_yaw(const rp_answer_t *answer)
{
    const rp_path_segment_t *last = &answer->curve.segments[answer->curve.count - 1u];
    return pose_on(last, extent_of(last)).yaw;
}

START_TEST(a_goal_with_a_heading_is_reached_so)
{
    open_meadow(60, 50, false);
    const rp_session_id_t session = open_driver(&exact_car, NULL);
    place(session, 8.5, 8.5, 0.0);
    aim_at(session, RP_AIM_HEADING, -1.7);
    const rp_answer_t fixed = last_answer();
    check_curve(&fixed, &exact_car);
    ck_assert_double_le(fabs(remainder(end_yaw(&fixed) + 1.7, 2.0 * M_PI)), 1e-6);
    const double cost = fixed.cost;
    aim_at(session, RP_AIM_EITHER_WAY, -1.7);
    const rp_answer_t either = last_answer();
    check_curve(&either, &exact_car);
    ck_assert_double_le(fabs(remainder(end_yaw(&either) + 1.7, M_PI)), 1e-6);
    ck_assert_double_le(either.cost, cost + 1e-9);
}
END_TEST

/// Some blocks between two places, so that the first curve is seldom the best.
static void scatter(uint64_t seed)
{
    rp_random_t rng = {seed};
    open_meadow(60, 40, false);
    for (uint32_t i = 0; i < 30; i++) {
        uint64_t version;
        const uint32_t x = rp_random_between(&rng, 12, 46);
        const uint32_t y = rp_random_between(&rng, 1, 35);
        const rp_edit_t edit = {.x = x, .y = y, .width = 3, .height = 4, .fill = 0};
        ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &edit, no_cause, &version),
                         RP_OK);
    }
}

START_TEST(a_cheaper_curve_waits_until_the_policy_lets_it)
{
    const rp_policy_t slow = {.min_interval_ms = 200};
    uint32_t waited = 0;
    for (uint64_t seed = 1; seed < 16; seed++) {
        scatter(seed);
        scene.now_us = 1000000;
        const rp_session_id_t session = open_driver(&car, &slow);
        place(session, 5.5, 20.5, 0.0);
        ck_assert_int_eq(rp_scene_goal(&scene, session, 54, 20), RP_OK);
        const rp_answer_t first = answer_of(session);
        waited += first.outcome == RP_ANSWER_FOUND && first.bound < first.cost;
        scene.now_us += 300000;
        const rp_answer_t best = answer_of(session);
        if (best.outcome == RP_ANSWER_FOUND) {
            ck_assert_double_eq(best.bound, best.cost);
            check_curve(&best, &car);
        }
        rp_scene_close(&scene);
    }
    ck_assert_uint_gt(waited, 0);
    open_meadow(4, 4, false);
}
END_TEST

/// Step until the first curve is said. @return true when it may not be the cheapest
static bool find_first(rp_session_id_t session, uint64_t budget, rp_answer_t *answer)
{
    for (unsigned i = 0; i < 100000; i++) {
        (void)rp_engine_step(scene.engine, scene.now_us, budget);
        ck_assert_int_eq(rp_engine_answer(scene.engine, session, answer), RP_OK);
        if (answer->outcome != RP_ANSWER_NONE) {
            break;
        }
    }
    return answer->outcome == RP_ANSWER_FOUND && answer->bound < answer->cost;
}

START_TEST(small_steps_find_a_curve_all_the_same)
{
    for (uint64_t budget = 1; budget <= 64; budget *= 4) {
        rp_answer_t answer;
        open_meadow(16, 12, false);
        (void)find_first(drive(&car, 3.5, 3.5, 0.0, 12, 8), budget, &answer);
        ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
        check_curve(&answer, &car);
        rp_scene_close(&scene);
    }
    open_meadow(4, 4, false);
}
END_TEST

START_TEST(who_drives_on_meanwhile_gets_the_cheaper_curve_all_the_same)
{
    uint32_t passed = 0;
    for (uint64_t seed = 1; seed < 24; seed++) {
        rp_answer_t answer;
        scatter(seed);
        const rp_session_id_t session = drive(&car, 5.5, 20.5, 0.0, 54, 20);
        if (find_first(session, 400, &answer)) {
            const pose_t at = pose_on(&answer.curve.segments[0], 0.6);
            place(session, at.x, at.y, at.yaw);
            passed++;
            answer = answer_of(session);
            ck_assert_double_eq(answer.bound, answer.cost);
            check_curve(&answer, &car);
        }
        rp_scene_close(&scene);
    }
    ck_assert_uint_gt(passed, 3);
    open_meadow(4, 4, false);
}
END_TEST

START_TEST(without_memory_for_its_planner_it_is_answered_all_the_same)
{
    scatter(3);
    rp_engine_limit_memory(scene.engine, 1);
    const rp_session_id_t session = drive(&exact_car, 5.5, 20.5, 0.0, 54, 20);
    const rp_answer_t first = last_answer();
    ck_assert_int_eq(first.outcome, RP_ANSWER_FOUND);
    const double cost = first.cost;
    const uint64_t held = rp_engine_memory(scene.engine).session_bytes;
    (void)rp_scene_set(&scene, 2, 2, 0);
    rp_scene_settle(&scene);
    const rp_answer_t after = answer_of(session);
    ck_assert_double_eq_tol(after.cost, cost, 0.1);
    check_curve(&after, &exact_car);
    rp_engine_limit_memory(scene.engine, UINT64_MAX);
    (void)rp_scene_set(&scene, 2, 2, 1);
    rp_scene_settle(&scene);
    ck_assert_uint_gt(rp_engine_memory(scene.engine).session_bytes, held + 10000u);
}
END_TEST

START_TEST(blocked_ends_are_told)
{
    open_meadow(30, 30, false);
    const rp_session_id_t session = drive(&car, 4.5, 4.5, 0.0, 20, 20);
    ck_assert_int_eq(last_answer().outcome, RP_ANSWER_FOUND);
    (void)rp_scene_set(&scene, 20, 20, 0);
    ck_assert_int_eq(last_answer().outcome, RP_ANSWER_GOAL_BLOCKED);
    (void)rp_scene_set(&scene, 20, 20, 1);
    ck_assert_int_eq(last_answer().outcome, RP_ANSWER_FOUND);
    uint64_t version; // so much that no way leads out
    const rp_edit_t edit = {.x = 0, .y = 0, .width = 15, .height = 15, .fill = 0};
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &edit, no_cause, &version), RP_OK);
    ck_assert_int_eq(last_answer().outcome, RP_ANSWER_START_BLOCKED);
    place(session, -4.5, 4.5, 0.0);
    ck_assert_int_eq(last_answer().outcome, RP_ANSWER_OUTSIDE);
}
END_TEST

START_TEST(unknown_cells_end_what_is_known)
{
    open_meadow(40, 12, false);
    const rp_session_id_t session = drive(&car, 4.5, 5.5, 0.0, 35, 5);
    ck_assert_double_eq_tol(last_answer().curve.valid_through_m, 31.0, 1e-9);
    (void)rp_scene_set(&scene, 20, 6, RP_BYTE_UNKNOWN);
    const double known = answer_of(session).curve.valid_through_m;
    ck_assert_double_gt(known, 5.0);
    ck_assert_double_le(known, 15.5);
}
END_TEST

/// How far an agent knows its way, asked twice: what is found is kept.
static double known_of(rp_session_id_t session)
{
    const double known = answer_of(session).curve.valid_through_m;
    ck_assert_double_eq(answer_of(session).curve.valid_through_m, known);
    return known;
}

static void stand(rp_session_id_t session, double x)
{
    place(session, x, 10.5, 0.0);
}

START_TEST(what_is_known_follows_the_world_the_agent_and_the_curve)
{
    open_meadow(80, 24, false);
    const rp_session_id_t session = drive(&exact_car, 4.5, 10.5, 0.0, 70, 10);
    (void)rp_scene_set(&scene, 20, 10, RP_BYTE_UNKNOWN);
    (void)rp_scene_set(&scene, 50, 10, RP_BYTE_UNKNOWN);
    const double first = known_of(session);
    ck_assert_double_gt(first, 5.0);
    ck_assert_double_le(first, 15.5);
    (void)rp_scene_set(&scene, 20, 10, 1);
    const double second = known_of(session);
    ck_assert_double_gt(second, 35.0);
    ck_assert_double_le(second, 45.5);
    (void)rp_scene_set(&scene, 20, 10, RP_BYTE_UNKNOWN);
    ck_assert_double_eq(known_of(session), first);
    stand(session, 35.5);
    ck_assert_double_eq_tol(known_of(session), second - 31.0, 1e-9);
    stand(session, 60.5);
    ck_assert_double_eq_tol(known_of(session), 10.0, 1e-9);
    take_window(&(rp_window_t){.x = 3, .width = 80, .height = 24});
    ck_assert_double_eq_tol(known_of(session), 10.0, 1e-9);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 17, 10), RP_OK); // round, and back over both
    const double back = known_of(session);
    ck_assert_double_lt(back, answer_of(session).cost - 3.0);
    (void)rp_scene_set(&scene, 2, 2, 1); // a version that changes nothing
    ck_assert_double_eq(known_of(session), back);
}
END_TEST

// ---- what is refused

START_TEST(motion_that_cannot_be_is_refused_by_name)
{
    open_meadow(12, 10, true);
    const struct {
        rp_motion_t motion;
        rp_motion_fault_t fault;
    } cases[] = {
        {{.drive = (rp_motion_drive_t)9}, RP_MOTION_BAD_DRIVE},
        {{.drive = RP_MOTION_CAR, .turning_radius_m = 2, .headings = 12}, RP_MOTION_BAD_HEADINGS},
        {{.drive = RP_MOTION_CAR, .turning_radius_m = 2, .body_radius_m = NAN},
         RP_MOTION_BAD_BODY_RADIUS},
        {{.drive = RP_MOTION_CAR, .turning_radius_m = 0}, RP_MOTION_BAD_TURNING_RADIUS},
        {{.drive = RP_MOTION_CAR, .turning_radius_m = INFINITY}, RP_MOTION_BAD_TURNING_RADIUS},
        {{.drive = RP_MOTION_SPOT, .turn_m_per_rad = 0}, RP_MOTION_BAD_TURN},
        {{.drive = RP_MOTION_CAR, .turning_radius_m = 2, .bound_percent = 51},
         RP_MOTION_BAD_PERCENT},
        {{.drive = RP_MOTION_CAR, .turning_radius_m = 2, .hold_m = -1.0}, RP_MOTION_BAD_HOLD},
        {{.drive = RP_MOTION_CAR, .turning_radius_m = 2, .hold_m = NAN}, RP_MOTION_BAD_HOLD},
        {{.drive = RP_MOTION_CAR, .turning_radius_m = 2, .follow_yaw = 4.0},
         RP_MOTION_BAD_FOLLOW_YAW},
        {{.drive = RP_MOTION_CAR, .turning_radius_m = 60}, RP_MOTION_TOO_WIDE},
        {{.drive = RP_MOTION_CAR, .turning_radius_m = 2, .body_radius_m = 6}, RP_MOTION_TOO_NARROW},
        {{.drive = RP_MOTION_CAR, .turning_radius_m = 2, .body_radius_m = 4}, RP_MOTION_FINE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(rp_engine_judge_motion(scene.engine, scene.world, &cases[i].motion) ==
                          cases[i].fault,
                      "case %zu", i);
    }
    rp_session_options_t options = rp_engine_session_defaults();
    rp_session_id_t session;
    options.motion = cases[3].motion;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_E_INVALID);
}
END_TEST

START_TEST(what_is_not_built_for_motion_is_refused)
{
    const rp_destination_t two[] = {{.x_m = 3.5, .y_m = 3.5}, {.x_m = 9.5, .y_m = 9.5}};
    open_meadow(30, 30, false);
    const rp_session_id_t session = open_driver(&car, NULL);
    const rp_aim_t aims[] = {
        {.kind = RP_AIM_REGION, .points = two, .count = 2},
        {.points = two, .count = 1, .tolerance_m = 1.0},
        {.points = two, .count = 1, .is_nearest = true},
    };
    for (size_t i = 0; i < sizeof aims / sizeof *aims; i++) {
        ck_assert_int_eq(rp_engine_aim(scene.engine, session, &aims[i], no_cause),
                         RP_E_UNSUPPORTED);
    }
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 2.5, 2.5, 0, no_cause), RP_E_INVALID);
    place(session, 2.5, 2.5, 0.0);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 2.6, 2.5, 0, no_cause), RP_OK);
    const rp_question_t question = {
        .kind = RP_QUERY_FIELD, .sessions = &session, .session_count = 1, .reach = 3};
    rp_query_id_t query;
    ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &question, &query),
                     RP_E_UNSUPPORTED);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_car_gets_a_curve_that_it_can_drive,
        who_stands_beside_the_middle_of_its_cell_pays_for_what_is_told,
        a_yaw_between_two_headings_is_where_the_curve_begins,
        a_tank_turns_where_it_stands,
        a_corridor_too_narrow_to_turn_is_no_path_for_a_car,
        who_follows_its_curve_hears_nothing_before_the_end,
        a_pose_or_a_yaw_off_the_curve_asks_for_another,
        a_new_curve_leaves_the_old_one_ahead_of_the_agent,
        a_new_curve_shares_what_is_held,
        a_yaw_may_be_farther_off_where_that_was_asked_for,
        what_happens_elsewhere_is_not_said,
        a_policy_keeps_a_curve_that_is_hardly_dearer,
        a_cheaper_curve_waits_until_the_policy_lets_it,
        small_steps_find_a_curve_all_the_same,
        who_drives_on_meanwhile_gets_the_cheaper_curve_all_the_same,
        without_memory_for_its_planner_it_is_answered_all_the_same,
        a_goal_with_a_heading_is_reached_so,
        blocked_ends_are_told,
        unknown_cells_end_what_is_known,
        what_is_known_follows_the_world_the_agent_and_the_curve,
        motion_that_cannot_be_is_refused_by_name,
        what_is_not_built_for_motion_is_refused,
    };
    return rp_suite_run("driving", tests, sizeof tests / sizeof *tests, 1, tear_down);
}
