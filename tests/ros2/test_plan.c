/// Answers as poses with headings, and where a plan is blocked.
#include "clients/ros2/plan.h"

#include <math.h>
#include <string.h>

#include "tests/support/suite.h"

static rp_ros_plan_t plan;
static Replan__V1__Geometry geometry;
static Replan__V1__Answer answer;

/// A path of these steps from cell (1, 1) of a world of 10 x 10 cells of half a metre.
static void begin(const char *steps, const char *way)
{
    static uint8_t bytes[2][16];
    replan__v1__geometry__init(&geometry);
    replan__v1__answer__init(&answer);
    geometry.width = geometry.height = 10;
    geometry.resolution = 0.5;
    geometry.origin_x = -1.0;
    answer.geometry = &geometry;
    answer.outcome = REPLAN__V1__OUTCOME__FOUND;
    answer.start = 11;
    answer.way_start = 1;
    for (int list = 0; list < 2; list++) {
        const char *digits = list == 0 ? steps : way;
        for (size_t i = 0; i < strlen(digits); i++) {
            bytes[list][i] = (uint8_t)(digits[i] - '0');
        }
    }
    answer.steps = (ProtobufCBinaryData){strlen(steps), bytes[0]};
    answer.way = (ProtobufCBinaryData){strlen(way), bytes[1]};
}

static void tear_down(void)
{
    rp_ros_plan_fini(&plan);
}

static void check_pose(size_t at, double x, double y, double yaw)
{
    ck_assert_double_eq_tol(plan.poses[at].x_m, x, 1e-12);
    ck_assert_double_eq_tol(plan.poses[at].y_m, y, 1e-12);
    ck_assert_double_eq_tol(plan.poses[at].yaw, yaw, 1e-12);
}

START_TEST(each_pose_heads_to_the_next_and_the_last_as_told)
{
    const double last = -2.0;
    begin("012", "");
    ck_assert(rp_ros_plan_make(&plan, &answer, &last));
    ck_assert_uint_eq(plan.count, 4);
    check_pose(0, -0.25, 0.75, 0.0);
    check_pose(1, 0.25, 0.75, M_PI / 4.0);
    check_pose(2, 0.75, 1.25, M_PI / 2.0);
    check_pose(3, 0.75, 1.75, -2.0);
}
END_TEST

START_TEST(a_plan_that_ends_short_of_the_goal_heads_its_own_way)
{
    begin("02", "");
    ck_assert(rp_ros_plan_make(&plan, &answer, NULL));
    check_pose(2, 0.25, 1.25, M_PI / 2.0);
    begin("", "");
    ck_assert(rp_ros_plan_make(&plan, &answer, NULL));
    ck_assert_uint_eq(plan.count, 1);
    check_pose(0, -0.25, 0.75, 0.0);
}
END_TEST

/// Of a curve from (1, 2), heading along +y. @param count  of its segments, at most 3
static void begin_curve(size_t count, double *curvatures, double *lengths, double *turns)
{
    static double x[3], y[3], yaw[3];
    begin("0", "");
    x[0] = 1.0;
    y[0] = 2.0;
    yaw[0] = M_PI / 2.0;
    answer.n_segment_x = answer.n_segment_y = answer.n_segment_yaw = count;
    answer.n_segment_curvature = answer.n_segment_length = answer.n_segment_turn = count;
    answer.segment_x = x;
    answer.segment_y = y;
    answer.segment_yaw = yaw;
    answer.segment_curvature = curvatures;
    answer.segment_length = lengths;
    answer.segment_turn = turns;
}

START_TEST(of_a_curve_each_pose_heads_as_the_body_does)
{
    const double other = 1.0; // of the goal: the curve knows better
    double curvature = 0.5, length = M_PI, turn = 0.0;
    begin_curve(1, &curvature, &length, &turn); // a quarter of a circle around (-1, 2)
    ck_assert(rp_ros_plan_make(&plan, &answer, &other));
    check_pose(0, 1.0, 2.0, M_PI / 2.0);
    check_pose(plan.count - 1, -1.0, 4.0, M_PI);
    for (size_t i = 0; i + 1 < plan.count; i++) {
        const rp_planar_t *pose = &plan.poses[i], *next = &plan.poses[i + 1];
        ck_assert_double_eq_tol(hypot(pose->x_m + 1.0, pose->y_m - 2.0), 2.0, 1e-12);
        ck_assert_double_le(hypot(next->x_m - pose->x_m, next->y_m - pose->y_m), 0.5);
        ck_assert_double_le(next->yaw - pose->yaw, RP_ROS_PLAN_TURN + 1e-12);
    }
}
END_TEST

START_TEST(a_body_that_drives_backwards_heads_where_it_came_from)
{
    double curvature = 0.0, length = -1.0, turn = 0.0;
    begin_curve(1, &curvature, &length, &turn);
    ck_assert(rp_ros_plan_make(&plan, &answer, NULL));
    ck_assert_uint_eq(plan.count, 3);
    check_pose(0, 1.0, 2.0, M_PI / 2.0);
    check_pose(1, 1.0, 1.5, M_PI / 2.0);
    check_pose(2, 1.0, 1.0, M_PI / 2.0);
    curvature = 0.5; // to the left of its heading, so backwards its tail swings to the left
    length = -M_PI;
    ck_assert(rp_ros_plan_make(&plan, &answer, NULL));
    check_pose(plan.count - 1, -1.0, 0.0, 0.0);
}
END_TEST

START_TEST(of_a_curve_the_poses_before_it_is_out_are_the_way)
{
    double curvatures[] = {0.0, 0.0}, lengths[] = {1.0, 1.5}, turns[] = {0.0, 0.0};
    begin_curve(2, curvatures, lengths, turns);
    ck_assert(rp_ros_plan_make(&plan, &answer, NULL));
    ck_assert_uint_eq(plan.way, 0);
    answer.escape_segments = 1;
    ck_assert(rp_ros_plan_make(&plan, &answer, NULL));
    ck_assert_uint_eq(plan.way, 2);
    ck_assert_uint_eq(plan.count, 6);
}
END_TEST

START_TEST(a_turn_in_place_is_told_in_steps)
{
    double curvature = 0.0, length = 0.0, turn = -1.0;
    begin_curve(1, &curvature, &length, &turn);
    ck_assert(rp_ros_plan_make(&plan, &answer, NULL));
    ck_assert_uint_eq(plan.count, 6);
    check_pose(5, 1.0, 2.0, M_PI / 2.0 - 1.0);
    check_pose(1, 1.0, 2.0, M_PI / 2.0 - 0.2);
}
END_TEST

START_TEST(a_curve_of_too_many_poses_is_none)
{
    double curvature = 0.0, length = 1e9, turn = 0.0;
    begin_curve(1, &curvature, &length, &turn);
    ck_assert(!rp_ros_plan_make(&plan, &answer, NULL));
    length = NAN;
    ck_assert(!rp_ros_plan_make(&plan, &answer, NULL));
    ck_assert_uint_eq(plan.count, 0);
}
END_TEST

START_TEST(the_way_out_comes_first_without_its_last_cell)
{
    begin("00", "2");
    ck_assert(rp_ros_plan_make(&plan, &answer, NULL));
    ck_assert_uint_eq(plan.count, 4);
    ck_assert_uint_eq(plan.way, 1);
    check_pose(0, -0.25, 0.25, M_PI / 2.0);
    check_pose(1, -0.25, 0.75, 0.0);
}
END_TEST

START_TEST(headings_turn_with_the_map)
{
    begin("0", "");
    geometry.origin_yaw = 1.0;
    ck_assert(rp_ros_plan_make(&plan, &answer, NULL));
    ck_assert_double_eq_tol(plan.poses[0].yaw, 1.0, 1e-12);
}
END_TEST

START_TEST(without_a_path_there_are_no_poses)
{
    begin("00", "");
    ck_assert(rp_ros_plan_make(&plan, &answer, NULL));
    answer.outcome = REPLAN__V1__OUTCOME__NO_PATH;
    answer.cost = -1.0;
    ck_assert(rp_ros_plan_make(&plan, &answer, NULL));
    ck_assert_uint_eq(plan.count, 0);
    answer.outcome = REPLAN__V1__OUTCOME__FOUND;
    answer.geometry = NULL;
    ck_assert(rp_ros_plan_make(&plan, &answer, NULL));
    ck_assert_uint_eq(plan.count, 0);
}
END_TEST

START_TEST(a_plan_is_blocked_by_253_and_254_its_way_out_by_254_alone)
{
    uint8_t bytes[100] = {0};
    const rp_ros_costmap_t costmap = {.frame_id = "map",
                                      .resolution_m = 0.5,
                                      .origin = {.x_m = -1.0},
                                      .width = 10,
                                      .height = 10,
                                      .bytes = bytes};
    begin("00", "2"); // cells 1, 11, 12, 13
    ck_assert(rp_ros_plan_make(&plan, &answer, NULL));
    ck_assert_uint_eq(rp_ros_plan_blocked_at(&plan, &costmap, false), 4);
    bytes[1] = 253;
    bytes[12] = 252;
    ck_assert_uint_eq(rp_ros_plan_blocked_at(&plan, &costmap, false), 4);
    bytes[12] = 253;
    ck_assert_uint_eq(rp_ros_plan_blocked_at(&plan, &costmap, false), 2);
    bytes[1] = 254;
    ck_assert_uint_eq(rp_ros_plan_blocked_at(&plan, &costmap, false), 0);
    bytes[1] = bytes[12] = 255;
    ck_assert_uint_eq(rp_ros_plan_blocked_at(&plan, &costmap, false), 4);
    ck_assert_uint_eq(rp_ros_plan_blocked_at(&plan, &costmap, true), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_pose_heads_to_the_next_and_the_last_as_told,
        a_plan_that_ends_short_of_the_goal_heads_its_own_way,
        of_a_curve_each_pose_heads_as_the_body_does,
        a_body_that_drives_backwards_heads_where_it_came_from,
        of_a_curve_the_poses_before_it_is_out_are_the_way,
        a_turn_in_place_is_told_in_steps,
        a_curve_of_too_many_poses_is_none,
        the_way_out_comes_first_without_its_last_cell,
        headings_turn_with_the_map,
        without_a_path_there_are_no_poses,
        a_plan_is_blocked_by_253_and_254_its_way_out_by_254_alone,
    };
    return rp_suite_run("ros2_plan", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
