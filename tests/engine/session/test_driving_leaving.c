/// Driving out of obstacles that the body overlaps, and with more headings where few find no path.
#include "tests/engine/session/driving_scene.h"
#include "tests/support/random.h"

static void crate(uint32_t x, uint32_t y, uint8_t byte)
{
    uint64_t version;
    const rp_edit_t edit = {.x = x, .y = y, .width = 2, .height = 2, .fill = byte};
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &edit, no_cause, &version), RP_OK);
}

/// How deep a disc lies in the square of a cell, by the distance of its middle.
static double depth(const pose_t *pose, double radius, int x, int y)
{
    const double dx = fmax(fabs(pose->x - x - 0.5) - 0.5, 0.0);
    const double dy = fmax(fabs(pose->y - y - 0.5) - 0.5, 0.0);
    return fmax(radius - hypot(dx, dy), 0.0);
}

/// Where the body overlaps obstacles it comes out of them, and it meets no other.
static void check_way_out(const rp_answer_t *answer, const rp_motion_t *motion)
{
    const uint8_t *bytes = rp_engine_bytes(scene.engine, scene.world);
    const rp_path_segment_t *segments = answer->curve.segments;
    const pose_t start = pose_on(&segments[0], 0.0);
    double length = 0.0;
    for (uint32_t i = 0; i < answer->curve.escape_count; i++) {
        length += fabs(segments[i].length_m);
        for (double part = 0.0; part < extent_of(&segments[i]); part += 0.01) {
            const pose_t pose = pose_on(&segments[i], part);
            for (int y = 0; y < (int)scene.oracle->shape.height; y++) {
                for (int x = 0; x < (int)width_of(); x++) {
                    const double most = depth(&start, motion->body_radius_m, x, y) + 1e-6;
                    RP_EACH(!blocks(bytes, x, y) ||
                            depth(&pose, motion->body_radius_m, x, y) <= most);
                }
            }
        }
    }
    ck_assert_double_eq_tol(answer->escape_m, length, 1e-9);
    rp_answer_t rest = *answer;
    rest.curve.segments += answer->curve.escape_count;
    rest.curve.count -= answer->curve.escape_count;
    rest.curve.escape_count = 0;
    rest.cost -= length;
    check_curve(&rest, motion);
}

START_TEST(who_stands_in_an_obstacle_drives_out_of_it)
{
    const rp_motion_t *const motions[] = {&exact_car, &backing_car, &tank};
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        open_meadow(40, 30, false);
        crate(9, 13, 0);
        const rp_session_id_t session = drive(motions[i], 10.5, 14.5, 0.2, 30, 20);
        const rp_answer_t answer = answer_of(session);
        ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
        ck_assert_uint_gt(answer.curve.escape_count, 0);
        ck_assert_uint_lt(answer.curve.escape_count, answer.curve.count);
        check_way_out(&answer, motions[i]);
        tear_down();
    }
    open_meadow(8, 8, false);
}
END_TEST

START_TEST(a_way_out_stands_while_the_world_changes_elsewhere)
{
    open_meadow(60, 30, false);
    crate(9, 13, 0);
    const rp_session_id_t session = drive(&exact_car, 10.5, 14.5, 0.2, 50, 20);
    const rp_answer_t first = answer_of(session);
    const pose_t at = pose_on(&first.curve.segments[0], 0.2);
    while (rp_engine_next_answer(scene.engine, &(rp_answer_t){.session = 0})) {
    }
    (void)rp_scene_set(&scene, 40, 3, 0);
    rp_scene_expect_silence(&scene);
    place(session, at.x, at.y, at.yaw);
    rp_scene_expect_silence(&scene);
    const rp_answer_t followed = answer_of(session);
    ck_assert_double_eq_tol(followed.escape_m, first.escape_m - 0.2, 1e-3);
    const uint32_t last = followed.curve.escape_count - 1u; // where the way out ends
    const pose_t end =
        pose_on(&followed.curve.segments[last], extent_of(&followed.curve.segments[last]));
    (void)rp_scene_set(&scene, (uint32_t)end.x, (uint32_t)end.y, 0);
    const rp_answer_t other = last_answer();
    ck_assert_int_eq(other.outcome, RP_ANSWER_FOUND);
    ck_assert_int_eq(other.reason, RP_REASON_INVALID);
    check_way_out(&other, &exact_car);
}
END_TEST

START_TEST(outside_of_the_obstacle_nothing_is_left_of_the_way_out)
{
    open_meadow(60, 30, false);
    crate(9, 13, 0);
    const rp_session_id_t session = drive(&exact_car, 10.5, 14.5, 0.2, 50, 20);
    rp_answer_t answer = answer_of(session);
    for (unsigned moves = 0; answer.escape_m > 0.0; moves++) {
        const double part = fmin(0.3, extent_of(&answer.curve.segments[0]));
        const pose_t at = part < 0.3 ? pose_on(&answer.curve.segments[1], 0.05)
                                     : pose_on(&answer.curve.segments[0], part);
        place(session, at.x, at.y, at.yaw);
        answer = answer_of(session);
        ck_assert_int_ne(answer.reason, RP_REASON_OFF_PATH);
        ck_assert_uint_lt(moves, 60);
    }
    ck_assert_uint_eq(answer.curve.escape_count, 0);
    check_curve(&answer, &exact_car);
}
END_TEST

START_TEST(a_way_out_that_is_too_long_is_none)
{
    rp_session_options_t options = rp_engine_session_defaults();
    rp_session_id_t session = 0;
    open_meadow(40, 30, false);
    crate(9, 13, 0);
    options.motion = exact_car;
    options.escape_m = 0.5;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    place(session, 10.5, 14.5, 0.2);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 30, 20), RP_OK);
    ck_assert_int_eq(answer_of(session).outcome, RP_ANSWER_START_BLOCKED);
}
END_TEST

START_TEST(a_way_out_is_known_when_its_planner_is_made_anew)
{
    open_meadow(40, 30, false);
    rp_engine_limit_memory(scene.engine, 1);
    crate(9, 13, 0);
    const rp_session_id_t session = drive(&exact_car, 10.5, 14.5, 0.2, 30, 20);
    const uint64_t said = answer_of(session).path_seq;
    for (uint32_t i = 0; i < 3; i++) {
        (void)rp_scene_set(&scene, 36, i, 0);
        const rp_answer_t answer = answer_of(session);
        ck_assert_uint_eq(answer.path_seq, said);
        check_way_out(&answer, &exact_car);
    }
}
END_TEST

/// Places beside the middle of a cell where the body has no room, and the nearest middle where it
/// has some: beside a crate, at a corner of it, at the rim of the world.
static const struct {
    pose_t at;
    uint32_t start_x;
    uint32_t start_y;
} beside[] = {
    {{11.85, 14.3, 0.2}, 12, 14}, {{11.85, 14.7, 0.2}, 12, 14}, {{10.3, 15.9, 0.2}, 10, 16},
    {{9.2, 12.15, 0.2}, 9, 11},   {{0.85, 20.4, 0.2}, 1, 20},   {{25.4, 0.81, 0.2}, 25, 1},
    {{39.1, 25.6, 3.1}, 38, 25},
};

START_TEST(who_stands_free_begins_free_where_the_middle_of_its_cell_is_not)
{
    const rp_motion_t *const motions[] = {&exact_car, &backing_car, &tank, &mover};
    const pose_t at = beside[_i].at;
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        open_meadow(40, 30, false);
        crate(9, 13, 0);
        const rp_session_id_t session = open_driver(motions[i], NULL);
        place(session, at.x, at.y, at.yaw);
        ck_assert_int_eq(rp_scene_goal(&scene, session, 30, 20), RP_OK);
        const rp_answer_t answer = answer_of(session);
        ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
        ck_assert_uint_eq(answer.curve.escape_count, 0);
        ck_assert_uint_eq(answer.start_x, beside[_i].start_x);
        ck_assert_uint_eq(answer.start_y, beside[_i].start_y);
        check_curve(&answer, motions[i]);
        place(session, at.x, at.y, at.yaw + 1e-3);
        ck_assert_uint_eq(answer_of(session).path_seq, answer.path_seq); // it is on its curve
        tear_down();
    }
    open_meadow(8, 8, false);
}
END_TEST

START_TEST(a_way_out_begins_in_the_cell_where_none_is_free_or_the_body_overlaps)
{
    static const pose_t places[] = {{11.81, 14.02, 0.2}, {11.75, 14.3, 0.2}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        open_meadow(40, 30, false);
        crate(9, 13, 0);
        const rp_session_id_t session = open_driver(&exact_car, NULL);
        place(session, places[i].x, places[i].y, places[i].yaw);
        ck_assert_int_eq(rp_scene_goal(&scene, session, 30, 20), RP_OK);
        const rp_answer_t answer = answer_of(session);
        ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
        ck_assert_uint_gt(answer.curve.escape_count, 0);
        ck_assert_uint_eq(answer.start_x, 11);
        ck_assert_uint_eq(answer.start_y, 14);
        check_way_out(&answer, &exact_car);
        tear_down();
    }
    open_meadow(8, 8, false);
}
END_TEST

// ---- families

/// What the base lattice finds alone.
static bool has_path(const rp_motion_t *motion, uint32_t x, uint32_t y, double yaw, uint32_t goal_x,
                     uint32_t goal_y)
{
    return isfinite(cheapest(motion, x, y, yaw, goal_x, goal_y));
}

START_TEST(more_headings_are_asked_where_few_find_no_path)
{
    rp_random_t rng = {7};
    const rp_motion_t motion = {.drive = RP_MOTION_CAR,
                                .body_radius_m = 0.9,
                                .turning_radius_m = RADIUS,
                                .headings = 8,
                                .headings_most = 32};
    open_meadow(24, 24, false);
    for (uint32_t i = 0; i < 24; i++) {
        const uint32_t y = rp_random_between(&rng, 1, 21);
        crate(rp_random_between(&rng, 1, 21), y, 0);
    }
    const rp_session_id_t session = open_driver(&motion, NULL);
    uint32_t finer = 0;
    uint32_t none = 0;
    for (uint32_t i = 0; i < 60 && finer + none < 8; i++) {
        const uint32_t x = rp_random_between(&rng, 1, 22);
        const uint32_t y = rp_random_between(&rng, 1, 22);
        const uint32_t goal_x = rp_random_between(&rng, 1, 22);
        const uint32_t goal_y = rp_random_between(&rng, 1, 22);
        const double yaw = M_PI / 4.0 * rp_random_below(&rng, 8);
        if (has_path(&motion, x, y, yaw, goal_x, goal_y)) {
            continue;
        }
        place(session, x + 0.5, y + 0.5, yaw);
        ck_assert_int_eq(rp_scene_goal(&scene, session, goal_x, goal_y), RP_OK);
        const rp_answer_t answer = answer_of(session);
        none += answer.outcome == RP_ANSWER_NO_PATH;
        ck_assert(answer.outcome != RP_ANSWER_NO_PATH || answer.curve.family == 32 ||
                  answer.curve.family == 0);
        if (answer.outcome == RP_ANSWER_FOUND && answer.curve.escape_count == 0) {
            finer++;
            ck_assert_uint_gt(answer.curve.family, 8);
            check_curve(&answer, &motion);
        }
    }
    ck_assert_uint_gt(finer, 0);
    ck_assert_uint_gt(none, 0);
}
END_TEST

/// Radii with which these headings turn, but not twice or four times as many.
static const struct {
    double radius;
    uint32_t headings;
} wide[] = {{14.1, 16u}, {10.0, 8u}, {16.9, 16u}, {32.4, 32u}};

/// Straight on in an empty world, to one place or two.
static void expect_path(const rp_motion_t *motion, size_t count)
{
    const rp_destination_t points[2] = {{40.5, 20.5, 0}, {60.5, 20.5, 0}};
    const rp_aim_t aim = {
        .kind = count > 1 ? RP_AIM_WAYPOINTS : RP_AIM_POINTS, .points = points, .count = count};
    const rp_session_id_t session = open_driver(motion, NULL);
    place(session, 10.5, 20.5, 0.0);
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, &aim, no_cause), RP_OK);
    (void)rp_engine_step(scene.engine, scene.now_us, 1);
    (void)rp_scene_set(&scene, 2, 2, 0);
    (void)rp_engine_step(scene.engine, scene.now_us, 1);
    (void)rp_scene_set(&scene, 2, 2, 1);
    const rp_answer_t answer = answer_of(session);
    ck_assert_msg(answer.outcome == RP_ANSWER_FOUND, "radius %g, %u headings: outcome %d",
                  motion->turning_radius_m, motion->headings, answer.outcome);
    ck_assert_int_eq(rp_engine_close(scene.engine, session), RP_OK);
}

START_TEST(a_car_drives_straight_on_where_more_headings_cannot_turn)
{
    const rp_motion_t motion = {
        .drive = RP_MOTION_CAR, .turning_radius_m = wide[_i].radius, .headings = wide[_i].headings};
    open_meadow(70, 40, false);
    expect_path(&motion, 1);
    expect_path(&motion, 2);
}
END_TEST

START_TEST(where_no_cells_lead_no_headings_do)
{
    open_meadow(30, 30, false);
    for (uint32_t y = 0; y < 30; y++) {
        (void)rp_scene_set(&scene, 15, y, 0);
    }
    const rp_answer_t answer = answer_of(drive(&exact_car, 5.5, 5.5, 0.0, 25, 25));
    ck_assert_int_eq(answer.outcome, RP_ANSWER_NO_PATH);
    ck_assert_uint_eq(answer.curve.family, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        who_stands_in_an_obstacle_drives_out_of_it,
        a_way_out_stands_while_the_world_changes_elsewhere,
        outside_of_the_obstacle_nothing_is_left_of_the_way_out,
        a_way_out_that_is_too_long_is_none,
        a_way_out_is_known_when_its_planner_is_made_anew,
        a_way_out_begins_in_the_cell_where_none_is_free_or_the_body_overlaps,
        more_headings_are_asked_where_few_find_no_path,
        where_no_cells_lead_no_headings_do,
    };
    const TTest *const each[] = {a_car_drives_straight_on_where_more_headings_cannot_turn};
    const TTest *const freely[] = {who_stands_free_begins_free_where_the_middle_of_its_cell_is_not};
    int failed = rp_suite_run("driving leaving", tests, sizeof tests / sizeof *tests, 1, tear_down);
    failed += rp_suite_run("driving leaving: beside", freely, 1, sizeof beside / sizeof *beside,
                           tear_down);
    return failed + rp_suite_run("driving leaving: wide", each, 1,
                                 (int)RP_ROUNDS(sizeof wide / sizeof *wide), tear_down);
}
