/// Poses along the segments of an answer, against small steps.
#include <check.h>
#include <math.h>

#include "replan/client.h"
#include "tests/support/suite.h"

#define SEGMENTS 5u
#define SMALL    1e-3

static double x[SEGMENTS];
static double y[SEGMENTS];
static double yaw[SEGMENTS];
static double curvature[SEGMENTS] = {0.0, 0.5, 0.0, -0.25, 0.3};
static double length[SEGMENTS] = {3.0, 2.0, 0.0, 4.0, -1.5};
static double turn[SEGMENTS] = {0.0, 0.0, 1.2, 0.0, 0.0};

/// Go on by a small step, as a vehicle does. @return metres
static double step(size_t segment, rp_client_pose_t *pose)
{
    const double along = length[segment] < 0.0 ? -SMALL : SMALL;
    const double middle = pose->yaw + 0.5 * along * curvature[segment];
    pose->x_m += along * cos(middle);
    pose->y_m += along * sin(middle);
    pose->yaw += along * curvature[segment];
    return SMALL;
}

/// The pose after some metres by small steps; where segments begin is noted on the way.
static rp_client_pose_t drive(double metres)
{
    rp_client_pose_t pose = {10.0, -3.0, 0.7};
    double driven = 0.0;
    for (size_t i = 0; i < SEGMENTS; i++) {
        const double end = driven + fabs(length[i]);
        x[i] = pose.x_m;
        y[i] = pose.y_m;
        yaw[i] = pose.yaw;
        while (driven + SMALL / 2.0 < fmin(end, metres)) {
            driven += step(i, &pose);
        }
        if (driven >= metres - SMALL / 2.0 && end > metres) {
            break;
        }
        pose.yaw += turn[i];
        driven = end;
    }
    return pose;
}

static Replan__V1__Answer answer_of(void)
{
    Replan__V1__Answer answer = REPLAN__V1__ANSWER__INIT;
    (void)drive(100.0);
    answer.segment_x = x;
    answer.segment_y = y;
    answer.segment_yaw = yaw;
    answer.segment_curvature = curvature;
    answer.segment_length = length;
    answer.segment_turn = turn;
    answer.n_segment_x = answer.n_segment_y = answer.n_segment_yaw = SEGMENTS;
    answer.n_segment_curvature = answer.n_segment_length = answer.n_segment_turn = SEGMENTS;
    return answer;
}

START_TEST(poses_along_a_curve_are_those_that_are_driven)
{
    const Replan__V1__Answer answer = answer_of();
    ck_assert_double_eq_tol(rp_client_curve_length(&answer), 10.5, 1e-12);
    for (double metres = 0.0; metres <= 12.0; metres += 0.17) {
        rp_client_pose_t pose;
        const rp_client_pose_t should = drive(metres);
        ck_assert(rp_client_pose_at(&answer, metres, &pose));
        ck_assert_double_eq_tol(pose.x_m, should.x_m, 1e-4);
        ck_assert_double_eq_tol(pose.y_m, should.y_m, 1e-4);
        ck_assert_double_eq_tol(pose.yaw, should.yaw, 1e-4);
    }
}
END_TEST

START_TEST(the_ends_of_a_curve_are_exact)
{
    const Replan__V1__Answer answer = answer_of();
    const rp_client_pose_t end = drive(100.0);
    rp_client_pose_t pose;
    ck_assert(rp_client_pose_at(&answer, -1.0, &pose));
    ck_assert_double_eq(pose.x_m, x[0]);
    ck_assert_double_eq(pose.yaw, yaw[0]);
    ck_assert(rp_client_pose_at(&answer, INFINITY, &pose));
    ck_assert_double_eq_tol(pose.x_m, end.x_m, 1e-4);
    ck_assert(rp_client_pose_at(&answer, 5.0, &pose)); // behind the turn in place
    ck_assert_double_eq(pose.yaw, yaw[3]);
}
END_TEST

START_TEST(without_segments_there_is_no_pose)
{
    Replan__V1__Answer answer = REPLAN__V1__ANSWER__INIT;
    rp_client_pose_t pose;
    ck_assert(!rp_client_pose_at(NULL, 1.0, &pose));
    ck_assert(!rp_client_pose_at(&answer, 1.0, &pose));
    ck_assert_double_eq(rp_client_curve_length(&answer), 0.0);
    answer = answer_of();
    ck_assert(!rp_client_pose_at(&answer, 1.0, NULL));
    answer.n_segment_turn = SEGMENTS - 1u;
    ck_assert(!rp_client_pose_at(&answer, 1.0, &pose));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        poses_along_a_curve_are_those_that_are_driven,
        the_ends_of_a_curve_are_exact,
        without_segments_there_is_no_pose,
    };
    return rp_suite_run("curve", tests, sizeof tests / sizeof *tests, 1, NULL);
}
