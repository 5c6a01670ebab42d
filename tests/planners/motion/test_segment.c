/// Poses along segments and curves.
#include "planners/motion/segment.h"

#include <math.h>
#include <stdbool.h>

#include "planners/motion/trig.h"
#include "tests/support/suite.h"

static void check_pose(rp_motion_pose_t pose, double x, double y, double heading)
{
    ck_assert_double_eq_tol(pose.x, x, 1e-14);
    ck_assert_double_eq_tol(pose.y, y, 1e-14);
    ck_assert_double_eq_tol(pose.heading, heading, 1e-14);
}

static bool is_same(rp_motion_pose_t a, rp_motion_pose_t b)
{
    return a.x == b.x && a.y == b.y && a.heading == b.heading;
}

START_TEST(a_line_goes_ahead_or_back)
{
    rp_segment_t line = {.start = {1.0, 2.0, RP_TRIG_QUARTER}, .length = 3.0, .gear = 1};
    check_pose(rp_segment_pose(&line, 2.0), 1.0, 4.0, RP_TRIG_QUARTER);
    line.gear = -1;
    check_pose(rp_segment_pose(&line, 2.0), 1.0, 0.0, RP_TRIG_QUARTER);
}
END_TEST

START_TEST(an_arc_turns_to_the_side_of_its_curvature)
{
    rp_segment_t arc = {.curvature = 0.5, .length = 4.0 * RP_TRIG_QUARTER, .gear = 1};
    check_pose(rp_segment_pose(&arc, 2.0 * RP_TRIG_QUARTER), 2.0, 2.0, RP_TRIG_QUARTER);
    check_pose(rp_segment_end(&arc), 0.0, 4.0, RP_TRIG_PI);
    arc.curvature = -0.5;
    check_pose(rp_segment_pose(&arc, 2.0 * RP_TRIG_QUARTER), 2.0, -2.0, -RP_TRIG_QUARTER);
}
END_TEST

START_TEST(backwards_a_left_arc_has_the_same_circle_and_turns_the_heading_right)
{
    const rp_segment_t arc = {.curvature = 0.5, .length = 2.0 * RP_TRIG_QUARTER, .gear = -1};
    check_pose(rp_segment_end(&arc), -2.0, 2.0, -RP_TRIG_QUARTER);
}
END_TEST

START_TEST(an_arc_of_a_huge_radius_is_as_exact_as_a_line)
{
    const rp_segment_t arc = {.curvature = 1e-13, .length = 100.0, .gear = 1};
    check_pose(rp_segment_end(&arc), 100.0, 5e-10, 1e-11);
}
END_TEST

START_TEST(a_turn_in_place_changes_the_heading_only)
{
    rp_segment_t turn = {.start = {1.0, 2.0, 0.5}, .turn = -1.0, .gear = 1};
    ck_assert(rp_segment_extent(&turn) == 1.0);
    check_pose(rp_segment_pose(&turn, 0.25), 1.0, 2.0, 0.25);
    check_pose(rp_segment_end(&turn), 1.0, 2.0, -0.5);
}
END_TEST

START_TEST(a_sideways_move_keeps_the_heading)
{
    const rp_segment_t slide = {
        .start = {0.0, 0.0, 0.3}, .length = 2.0, .course = RP_TRIG_QUARTER, .gear = 1};
    check_pose(rp_segment_end(&slide), -2.0 * sin(0.3), 2.0 * cos(0.3), 0.3);
}
END_TEST

START_TEST(a_part_outside_the_segment_is_its_nearer_end)
{
    const rp_segment_t arc = {.start = {1.0, 2.0, 0.5}, .curvature = 0.2, .length = 3.0, .gear = 1};
    ck_assert(is_same(rp_segment_pose(&arc, -1.0), arc.start));
    ck_assert(is_same(rp_segment_pose(&arc, 9.0), rp_segment_end(&arc)));
}
END_TEST

START_TEST(along_a_curve_every_start_is_kept_and_the_end_is_exact)
{
    // Their starts leave the segments before them by a bit, as after rounding.
    const rp_segment_t segments[] = {
        {.start = {0.0, 0.0, 0.0}, .length = 2.0, .gear = 1},
        {.start = {2.0, 1e-9, 0.0}, .turn = 0.5, .gear = 1},
        {.start = {2.0, 2e-9, 0.5}, .length = 1.0, .gear = -1},
    };
    const rp_motion_curve_t curve = {segments, 3, .end = {1.0, -0.5, 0.5}};
    ck_assert(rp_segment_sum(segments, 3) == 3.0);
    ck_assert(is_same(rp_segment_pose_along(&curve, -1.0), segments[0].start));
    ck_assert(is_same(rp_segment_pose_along(&curve, 0.0), segments[0].start));
    check_pose(rp_segment_pose_along(&curve, 0.5), 0.5, 0.0, 0.0);
    ck_assert(is_same(rp_segment_pose_along(&curve, 2.0), segments[2].start));
    ck_assert(is_same(rp_segment_pose_along(&curve, 2.25), rp_segment_pose(&segments[2], 0.25)));
    ck_assert(is_same(rp_segment_pose_along(&curve, 3.0), curve.end));
    ck_assert(is_same(rp_segment_pose_along(&curve, 1e9), curve.end));
}
END_TEST

START_TEST(an_empty_curve_is_its_end)
{
    const rp_motion_curve_t curve = {.end = {1.0, 2.0, 3.0}};
    ck_assert(is_same(rp_segment_pose_along(&curve, 0.0), curve.end));
}
END_TEST

START_TEST(a_curve_that_begins_with_a_turn_in_place_begins_before_it)
{
    const rp_segment_t segments[] = {
        {.start = {0.0, 0.0, 0.0}, .turn = 0.5, .gear = 1},
        {.start = {0.0, 0.0, 0.5}, .length = 1.0, .gear = 1},
    };
    const rp_motion_curve_t curve = {segments, 2, .end = {cos(0.5), sin(0.5), 0.5}};
    ck_assert(is_same(rp_segment_pose_along(&curve, -1e-9), segments[0].start));
    ck_assert(is_same(rp_segment_pose_along(&curve, 0.0), segments[1].start));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_line_goes_ahead_or_back,
        an_arc_turns_to_the_side_of_its_curvature,
        backwards_a_left_arc_has_the_same_circle_and_turns_the_heading_right,
        an_arc_of_a_huge_radius_is_as_exact_as_a_line,
        a_turn_in_place_changes_the_heading_only,
        a_sideways_move_keeps_the_heading,
        a_part_outside_the_segment_is_its_nearer_end,
        along_a_curve_every_start_is_kept_and_the_end_is_exact,
        an_empty_curve_is_its_end,
        a_curve_that_begins_with_a_turn_in_place_begins_before_it,
    };
    return rp_suite_run("segment", tests, sizeof tests / sizeof *tests, 1, NULL);
}
