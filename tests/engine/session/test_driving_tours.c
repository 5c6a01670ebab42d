/// Driving to more than one place: the cheapest of several stops, waypoints in order, targets.
#include <string.h>

#include "tests/engine/session/driving_scene.h"
#include "tests/support/random.h"

/// Where a curve is at the beginning of a segment; behind the last one its end.
static pose_t pose_before(const rp_answer_t *answer, uint32_t segment)
{
    const rp_path_segment_t *segments = answer->curve.segments;
    if (segment < answer->curve.count) {
        return (pose_t){segments[segment].x_m, segments[segment].y_m, segments[segment].yaw};
    }
    return pose_on(&segments[segment - 1u], extent_of(&segments[segment - 1u]));
}

/// Where the leg to a waypoint ends.
static pose_t leg_end(const rp_answer_t *answer, uint32_t leg)
{
    const bool is_last = leg + 1u >= answer->curve.leg_count;
    return pose_before(answer, is_last ? answer->curve.count : answer->curve.leg_at[leg + 1u]);
}

/// The curve runs through the waypoints from the next one on.
static void check_legs(const rp_answer_t *answer, const rp_destination_t *points, size_t count)
{
    ck_assert_uint_eq(answer->waypoint + answer->curve.leg_count, count);
    for (uint32_t i = 0; i < answer->curve.leg_count; i++) {
        const pose_t end = leg_end(answer, i);
        const rp_destination_t *point = &points[answer->waypoint + i];
        ck_assert_double_eq_tol(end.x, point->x_m, 1e-6);
        ck_assert_double_eq_tol(end.y, point->y_m, 1e-6);
    }
}

// ---- several stops

START_TEST(the_cheapest_of_several_is_found)
{
    rp_random_t rng = {(uint64_t)_i + 1u};
    rp_destination_t points[5];
    double least = INFINITY;
    open_meadow(50, 40, false);
    scatter_crates(&rng, 25);
    for (size_t i = 0; i < 5; i++) {
        const uint32_t x = rp_random_between(&rng, 5, 45);
        const uint32_t y = rp_random_between(&rng, 3, 36);
        points[i] = (rp_destination_t){x + 0.5, y + 0.5, rp_random_below(&rng, 3) * 6u};
        least = fmin(least, cheapest(&car, 4, 20, 0.0, x, y) + points[i].offset);
    }
    const rp_session_id_t session = open_driver(&car, NULL);
    place(session, 4.5, 20.5, 0.0);
    aim(session, &(rp_aim_t){.points = points, .count = 5});
    for (unsigned i = 0; i < 100000; i++) { // the first answer
        rp_answer_t first;
        (void)rp_engine_step(scene.engine, scene.now_us, 500);
        ck_assert_int_eq(rp_engine_answer(scene.engine, session, &first), RP_OK);
        if (first.outcome == RP_ANSWER_FOUND) {
            ck_assert_double_le(first.cost, 1.1 * least + 1e-9);
            ck_assert_double_le(first.bound, least + 1e-9);
            break;
        }
    }
    const rp_answer_t answer = answer_of(session);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_double_eq_tol(answer.cost, least, 1e-9);
    ck_assert_double_eq(answer.bound, answer.cost);
    ck_assert_uint_eq(answer.curve.leg_count, 0);
}
END_TEST

START_TEST(a_stop_that_becomes_cheaper_is_gone_to)
{
    const rp_destination_t points[2] = {{35.5, 10.5, 0}, {20.5, 10.5, 0}};
    open_meadow(40, 20, false);
    for (uint32_t y = 0; y < 20; y++) {
        (void)rp_scene_set(&scene, 15, y, y < 17 ? 0 : 1);
    }
    for (uint32_t x = 16; x < 40; x++) {
        (void)rp_scene_set(&scene, x, 13, x < 30 ? 0 : 1);
    }
    const rp_session_id_t session = open_driver(&exact_car, NULL);
    place(session, 4.5, 10.5, 0.0);
    aim(session, &(rp_aim_t){.points = points, .count = 2});
    rp_answer_t answer = last_answer();
    pose_t end = pose_before(&answer, answer.curve.count);
    ck_assert_double_eq_tol(end.x, 35.5, 1e-6);
    for (uint32_t y = 8; y < 13; y++) {
        (void)rp_scene_set(&scene, 15, y, 1);
    }
    answer = last_answer();
    end = pose_before(&answer, answer.curve.count);
    ck_assert_double_eq_tol(end.x, 20.5, 1e-6);
    ck_assert_double_eq(answer.bound, answer.cost);
    (void)rp_scene_set(&scene, 20, 10, 0); // that one is blocked
    answer = last_answer();
    end = pose_before(&answer, answer.curve.count);
    ck_assert_double_eq_tol(end.x, 35.5, 1e-6);
    check_curve(&answer, &exact_car);
    (void)rp_scene_set(&scene, 35, 10, 0);
    ck_assert_int_eq(last_answer().outcome, RP_ANSWER_GOAL_BLOCKED);
}
END_TEST

START_TEST(obstacles_elsewhere_ask_for_no_search)
{
    const rp_destination_t points[2] = {{35.5, 10.5, 0}, {30.5, 4.5, 0}};
    open_meadow(40, 20, false);
    const rp_session_id_t session = open_driver(&exact_car, NULL);
    place(session, 4.5, 10.5, 0.0);
    for (unsigned kind = 0; kind < 2; kind++) {
        aim(session, &(rp_aim_t){.kind = kind == 0 ? RP_AIM_POINTS : RP_AIM_WAYPOINTS,
                                 .points = points,
                                 .count = 2});
        (void)last_answer();
        rp_scene_settle(&scene);
        const uint64_t before = rp_engine_effort(scene.engine).expanded;
        (void)rp_scene_set(&scene, 4, 2 + kind, 0);
        rp_scene_expect_silence(&scene);
        ck_assert_uint_eq(rp_engine_effort(scene.engine).expanded, before);
    }
}
END_TEST

START_TEST(who_stands_on_one_of_several_has_arrived)
{
    const rp_destination_t points[2] = {{35.5, 10.5, 0}, {4.5, 10.5, 0}};
    open_meadow(40, 20, false);
    const rp_session_id_t session = open_driver(&exact_car, NULL);
    place(session, 4.7, 10.4, 0.3);
    aim(session, &(rp_aim_t){.points = points, .count = 2});
    ck_assert_int_eq(last_answer().outcome, RP_ANSWER_ARRIVED);
    (void)rp_scene_set(&scene, 30, 3, 0);
    rp_scene_expect_silence(&scene);
}
END_TEST

// ---- waypoints

static const rp_destination_t route[4] = {
    {20.5, 8.5, 0}, {40.5, 12.5, 0}, {36.5, 30.5, 0}, {10.5, 30.5, 0}};

START_TEST(a_curve_runs_through_all_waypoints)
{
    open_meadow(50, 40, false);
    const rp_session_id_t session = open_driver(&car, NULL);
    place(session, 4.5, 8.5, 0.0);
    aim(session, &(rp_aim_t){.kind = RP_AIM_WAYPOINTS, .points = route, .count = 4});
    const rp_answer_t first = last_answer();
    ck_assert_int_eq(first.outcome, RP_ANSWER_FOUND);
    check_curve(&first, &car);
    check_cells(&first);
    check_legs(&first, route, 4);
    ck_assert_uint_eq(first.curve.leg_at[0], 0);
    ck_assert_double_le(first.bound, first.cost);
    aim(session, &(rp_aim_t){.kind = RP_AIM_WAYPOINTS, .points = route, .count = 4, .first = 2});
    const rp_answer_t second = last_answer();
    ck_assert_uint_eq(second.waypoint, 2);
    check_legs(&second, route, 4);
}
END_TEST

START_TEST(waypoints_are_passed_with_their_yaw)
{
    const double yaws[4] = {0.3, 1.5, 3.0, -2.0};
    double cost = 0.0;
    open_meadow(50, 40, false);
    const rp_session_id_t session = open_driver(&exact_car, NULL);
    place(session, 4.5, 8.5, 0.0);
    const rp_aim_t tour = {.kind = RP_AIM_WAYPOINTS,
                           .points = route,
                           .count = 4,
                           .heading = RP_AIM_HEADING,
                           .yaws = yaws};
    aim(session, &tour);
    const rp_answer_t answer = last_answer();
    check_curve(&answer, &exact_car);
    check_legs(&answer, route, 4);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_double_le(fabs(remainder(leg_end(&answer, i).yaw - yaws[i], 2.0 * M_PI)), 1e-6);
    }
    ck_assert_double_eq(answer.bound, answer.cost);
    const double whole = answer.cost;
    for (size_t i = 0; i < 4; i++) { // each leg alone
        const rp_session_id_t alone = open_driver(&exact_car, NULL);
        place(alone, i == 0 ? 4.5 : route[i - 1u].x_m, i == 0 ? 8.5 : route[i - 1u].y_m,
              i == 0 ? 0.0 : yaws[i - 1u]);
        aim(alone, &(rp_aim_t){
                       .points = &route[i], .count = 1, .heading = RP_AIM_HEADING, .yaw = yaws[i]});
        cost += answer_of(alone).cost;
    }
    ck_assert_double_eq_tol(whole, cost, 1e-9);
}
END_TEST

/// Go on along a curve.
static pose_t advance(const rp_answer_t *answer, double metres)
{
    for (uint32_t i = 0; i < answer->curve.count; i++) {
        const rp_path_segment_t *segment = &answer->curve.segments[i];
        if (metres <= segment->length_m) {
            return pose_on(segment, metres);
        }
        metres -= segment->length_m;
    }
    return pose_before(answer, answer->curve.count);
}

/// The poses where waypoints are passed.
static uint32_t ends_of(const rp_answer_t *answer, pose_t *ends)
{
    for (uint32_t i = 0; i < answer->curve.leg_count; i++) {
        ends[i] = leg_end(answer, i);
    }
    return answer->curve.leg_count;
}

/// What a reader of splices has of an answer.
typedef struct mirror {
    rp_path_segment_t segments[512];
    uint32_t count;
    uint64_t path_seq;
    uint64_t kept; ///< segments that were not told again
} mirror_t;

/// Take what was said: the whole is that which is told, bit by bit.
static void mirror_answer(mirror_t *mirror, const rp_answer_t *answer)
{
    rp_path_segment_t whole[512];
    const rp_answer_curve_t *curve = &answer->curve;
    const rp_splice_t *splice = &curve->splice;
    const bool has_base = mirror->path_seq + 1u == answer->path_seq && curve->count != 0;
    const uint32_t head = has_base ? splice->head : 0;
    const uint32_t tail = has_base ? splice->tail : 0;
    ck_assert_uint_lt(curve->count, 512);
    if (head + tail != 0) {
        ck_assert_uint_le(splice->from_end, mirror->count);
        ck_assert_uint_le(head + tail, splice->from_end);
        ck_assert_uint_lt(head + tail, curve->count);
    }
    memcpy(whole, curve->segments, curve->count * sizeof *whole);
    if (head != 0) {
        memcpy(whole + 1, mirror->segments + mirror->count - splice->from_end,
               head * sizeof *whole);
    }
    if (tail != 0) {
        memcpy(whole + curve->count - tail, mirror->segments + mirror->count - tail,
               tail * sizeof *whole);
    }
    ck_assert_int_eq(memcmp(whole, curve->segments, curve->count * sizeof *whole), 0);
    memcpy(mirror->segments, whole, curve->count * sizeof *whole);
    mirror->count = curve->count;
    mirror->path_seq = answer->path_seq;
    mirror->kept += head + tail;
}

START_TEST(a_waypoint_that_is_passed_is_told_and_the_curve_stays)
{
    pose_t before[4];
    pose_t after[4];
    static mirror_t mirror; // a process a test
    uint32_t told = 0;
    open_meadow(50, 40, false);
    const rp_session_id_t session = open_driver(&car, NULL);
    place(session, 4.5, 8.5, 0.0);
    aim(session, &(rp_aim_t){.kind = RP_AIM_WAYPOINTS, .points = route, .count = 4});
    rp_answer_t answer = last_answer();
    mirror_answer(&mirror, &answer);
    answer = answer_of(session);
    for (unsigned i = 0; i < 400 && answer.outcome == RP_ANSWER_FOUND; i++) {
        const uint32_t legs = ends_of(&answer, before);
        const uint32_t waypoint = answer.waypoint;
        const double cost = answer.cost;
        const pose_t at = advance(&answer, 0.6);
        place(session, at.x, at.y, at.yaw);
        answer = answer_of(session);
        ck_assert_double_le(answer.cost, cost + 1e-9);
        ck_assert_uint_le(answer.waypoint, waypoint + 1u);
        if (answer.outcome == RP_ANSWER_FOUND && answer.waypoint != waypoint) {
            answer = last_answer();
            ck_assert_int_eq(answer.reason, RP_REASON_REACHED);
            const uint64_t kept = mirror.kept;
            mirror_answer(&mirror, &answer);
            ck_assert_uint_eq(mirror.kept - kept, answer.curve.count - 1u);
            told++;
            ck_assert_uint_eq(ends_of(&answer, after) + 1u, legs);
            for (uint32_t leg = 0; leg + 1u < legs; leg++) {
                ck_assert(is_near(&after[leg], &before[leg + 1u]));
            }
        }
    }
    ck_assert_uint_eq(told, 3);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_ARRIVED);
    ck_assert_uint_eq(answer.waypoint, 3);
    ck_assert_uint_eq(answer.curve.count, 0);
}
END_TEST

START_TEST(a_leg_without_a_path_ends_the_curve_before_it)
{
    open_meadow(50, 40, false);
    for (uint32_t i = 0; i < 9; i++) {
        for (uint32_t side = 0; side < 9; side += 8) {
            (void)rp_scene_set(&scene, 32 + i, 26 + side, 0);
            (void)rp_scene_set(&scene, 32 + side, 26 + i, 0);
        }
    }
    const rp_session_id_t session = open_driver(&exact_car, NULL);
    place(session, 4.5, 8.5, 0.0);
    aim(session, &(rp_aim_t){.kind = RP_AIM_WAYPOINTS, .points = route, .count = 4});
    rp_answer_t answer = last_answer();
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_eq(answer.curve.leg_count, 2);
    check_curve(&answer, &exact_car);
    check_legs(&answer, route, 2);
    for (unsigned i = 0; i < 200 && answer.outcome == RP_ANSWER_FOUND; i++) {
        const pose_t at = advance(&answer, 0.6);
        place(session, at.x, at.y, at.yaw);
        answer = answer_of(session);
    }
    ck_assert_int_eq(answer.outcome, RP_ANSWER_NO_PATH);
    ck_assert_uint_eq(answer.waypoint, 2);
    for (uint32_t x = 33; x < 40; x++) {
        (void)rp_scene_set(&scene, x, 26, 1);
        (void)rp_scene_set(&scene, x, 34, 1);
    }
    answer = answer_of(session);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    check_curve(&answer, &exact_car);
    check_legs(&answer, route, 4);
}
END_TEST

/// Under way to elsewhere waypoints are given: a curve leads through all from `first` on.
static void turn_to(rp_session_id_t session, const rp_destination_t *points, size_t count,
                    size_t first)
{
    rp_answer_t answer = answer_of(session);
    const pose_t at = advance(&answer, 6.3);
    place(session, at.x, at.y, at.yaw);
    aim(session,
        &(rp_aim_t){.kind = RP_AIM_WAYPOINTS, .points = points, .count = count, .first = first});
    answer = last_answer();
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_eq(answer.waypoint, first);
    check_curve(&answer, &exact_car);
    check_legs(&answer, points, count);
}

START_TEST(waypoints_that_come_under_way_are_all_gone_to)
{
    const rp_destination_t several[3] = {{45.5, 35.5, 0}, {40.5, 33.5, 0}, {30.5, 8.5, 0}};
    const rp_destination_t others[4] = {
        {25.5, 14.5, 0}, {40.5, 22.5, 0}, {20.5, 32.5, 0}, {10.5, 20.5, 0}};
    open_meadow(50, 40, false);
    const rp_session_id_t session = open_driver(&exact_car, NULL);
    place(session, 4.5, 8.5, 0.0);
    aim(session, &(rp_aim_t){.points = several, .count = 3}); // the last one is the cheapest
    turn_to(session, others, 2u + _i % 3u, 0);
    aim(session, &(rp_aim_t){.points = several, .count = 1});
    turn_to(session, others, 4, 2u - _i % 3u);
    turn_to(session, route, 4, _i % 2u);
}
END_TEST

START_TEST(tours_are_driven_whatever_changes)
{
    static mirror_t mirror; // a process a test
    rp_random_t rng = {(uint64_t)_i + 1u};
    const rp_motion_t *motion = _i % 2 == 0 ? &car : &tank;
    const rp_policy_t policy = {.switch_gain_percent = (uint32_t)_i % 4u * 5u};
    const double yaws[4] = {0.3, 1.5, 3.0, -2.0};
    uint32_t waypoint = 0;
    uint32_t found = 0;
    pose_t at = {4.5, 8.5, 0.0};
    open_meadow(50, 40, _i % 3 == 2);
    const rp_session_id_t session = open_driver(motion, &policy);
    place(session, at.x, at.y, at.yaw);
    aim(session, &(rp_aim_t){.kind = _i % 4 == 3 ? RP_AIM_POINTS : RP_AIM_WAYPOINTS,
                             .points = route,
                             .count = 4,
                             .heading = (rp_aim_heading_t)(_i % 3),
                             .yaws = yaws});
    for (unsigned round = 0; round < RP_ROUNDS(150); round++) {
        uint64_t version;
        const rp_edit_t edit = {.x = rp_random_below(&rng, 46),
                                .y = rp_random_below(&rng, 36),
                                .width = rp_random_between(&rng, 1, 3),
                                .height = rp_random_between(&rng, 1, 3),
                                .fill = rp_random_chance(&rng, 70) ? 1 : 0};
        if (hypot(edit.x + 1.5 - at.x, edit.y + 1.5 - at.y) > 5.0) {
            ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &edit, no_cause, &version),
                             RP_OK);
        }
        scene.now_us += 50000;
        for (uint32_t i = rp_random_below(&rng, 3); i != 0; i--) {
            (void)rp_engine_step(scene.engine, scene.now_us, rp_random_between(&rng, 1, 400));
        }
        rp_answer_t next;
        const rp_answer_t answer = answer_of(session);
        while (rp_engine_next_answer(scene.engine, &next)) {
            mirror_answer(&mirror, &next);
        }
        ck_assert_uint_ge(answer.waypoint, waypoint);
        waypoint = answer.waypoint;
        if (answer.outcome != RP_ANSWER_FOUND) {
            continue;
        }
        found++;
        check_curve(&answer, motion);
        ck_assert_double_le(answer.bound, answer.cost);
        if (_i % 4 != 3 && _i % 3 != 2) {
            check_legs(&answer, route, waypoint + answer.curve.leg_count);
        }
        if (rp_random_chance(&rng, 60)) {
            at = advance(&answer, 0.1 * rp_random_between(&rng, 1, 30));
            place(session, at.x, at.y, at.yaw);
        }
    }
    ck_assert_uint_gt(found, 4);
}
END_TEST

// ---- targets

START_TEST(a_target_that_moves_is_followed)
{
    open_meadow(50, 40, false);
    const rp_session_id_t hunter = open_driver(&exact_car, NULL);
    rp_session_options_t options = rp_engine_session_defaults();
    rp_session_id_t prey = 0;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &prey), RP_OK);
    place(hunter, 4.5, 8.5, 0.0);
    aim(hunter, &(rp_aim_t){.kind = RP_AIM_TARGET, .target = prey});
    ck_assert_int_eq(last_answer().outcome, RP_ANSWER_TARGET_LOST);
    for (uint32_t i = 0; i < 3; i++) {
        const double y = 10.5 + 8.0 * i;
        ck_assert_int_eq(rp_engine_pose(scene.engine, prey, 30.5, y, 0, no_cause), RP_OK);
        const rp_answer_t answer = last_answer();
        ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
        check_curve(&answer, &exact_car);
        ck_assert_double_eq_tol(pose_before(&answer, answer.curve.count).y, y, 1e-6);
        ck_assert_double_eq_tol(answer.cost, cheapest(&car, 4, 8, 0.0, 30, (uint32_t)y), 1e-9);
    }
    ck_assert_int_eq(rp_engine_close(scene.engine, prey), RP_OK);
    ck_assert_int_eq(last_answer().outcome, RP_ANSWER_TARGET_LOST);
}
END_TEST

// ---- what is refused

START_TEST(what_a_tour_cannot_be_is_refused)
{
    rp_destination_t points[RP_MOTION_STOPS_MAX + 1u];
    const double yaws[2] = {0.0, NAN};
    open_meadow(50, 40, false);
    const rp_session_id_t session = open_driver(&car, NULL);
    for (size_t i = 0; i <= RP_MOTION_STOPS_MAX; i++) {
        points[i] = (rp_destination_t){3.5 + (double)(i % 40), 5.5, 0};
    }
    const rp_aim_t unsupported[] = {
        {.points = points, .count = RP_MOTION_STOPS_MAX + 1u},
        {.kind = RP_AIM_REGION, .points = points, .count = 2},
        {.points = points, .count = 1, .is_nearest = true},
        {.points = points, .count = 1, .tolerance_m = 1.0},
    };
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++) {
        ck_assert_int_eq(rp_engine_aim(scene.engine, session, &unsupported[i], no_cause),
                         RP_E_UNSUPPORTED);
    }
    const rp_aim_t aim = {.points = points, .count = 2, .heading = RP_AIM_HEADING, .yaws = yaws};
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, &aim, no_cause), RP_E_INVALID);
    place(session, 4.5, 8.5, 0.0);
    rp_scene_expect_silence(&scene);
    const rp_aim_t outside = {.kind = RP_AIM_WAYPOINTS, .points = points, .count = 2, .first = 1};
    points[1].x_m = -5.0;
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, &outside, no_cause), RP_OK);
    ck_assert_int_eq(last_answer().outcome, RP_ANSWER_OUTSIDE);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_cheapest_of_several_is_found,
        a_stop_that_becomes_cheaper_is_gone_to,
        obstacles_elsewhere_ask_for_no_search,
        who_stands_on_one_of_several_has_arrived,
        a_curve_runs_through_all_waypoints,
        waypoints_are_passed_with_their_yaw,
        a_waypoint_that_is_passed_is_told_and_the_curve_stays,
        a_leg_without_a_path_ends_the_curve_before_it,
        waypoints_that_come_under_way_are_all_gone_to,
        tours_are_driven_whatever_changes,
        a_target_that_moves_is_followed,
        what_a_tour_cannot_be_is_refused,
    };
    return rp_suite_run("driving tours", tests, sizeof tests / sizeof *tests, RP_ROUNDS(12),
                        tear_down);
}
