/// What is wrong with a curve is found: each fault once, and where there is none, none.
#include "sim/check/curve_check.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "tests/support/suite.h"

#define SIDE 40u
#define MOST 4u

static uint8_t bytes[SIDE * SIDE];
static double numbers[6][MOST];
static Replan__V1__Answer answer;
static const rp_drive_options_t disc = {.turning_radius_m = 3.0, .radius_m = 1.0};
static const rp_drive_options_t slab = {
    .turning_radius_m = 3.0, .ahead_m = 2.0, .behind_m = 1.0, .aside_m = 0.45, .reverses = true};

static rp_grid_view_t grid(void)
{
    return (rp_grid_view_t){.bytes = bytes, .width = SIDE, .height = SIDE, .neighbors = 8};
}

/// A line of ten metres, a quarter of a circle to the left, and ten metres more.
static void draw(void)
{
    memset(bytes, 1, sizeof bytes);
    answer = (Replan__V1__Answer)REPLAN__V1__ANSWER__INIT;
    answer.outcome = REPLAN__V1__OUTCOME__FOUND;
    answer.cost = 20.0 + 1.5 * M_PI;
    double *const into[] = {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
    const double drawn[3][6] = {{5.5, 5.5, 0.0, 0.0, 10.0, 0.0},
                                {15.5, 5.5, 0.0, 1.0 / 3.0, 1.5 * M_PI, 0.0},
                                {18.5, 8.5, M_PI / 2.0, 0.0, 10.0, 0.0}};
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 6; k++) {
            into[k][i] = drawn[i][k];
        }
    }
    answer.segment_x = numbers[0];
    answer.segment_y = numbers[1];
    answer.segment_yaw = numbers[2];
    answer.segment_curvature = numbers[3];
    answer.segment_length = numbers[4];
    answer.segment_turn = numbers[5];
    answer.n_segment_x = answer.n_segment_y = answer.n_segment_yaw = 3;
    answer.n_segment_curvature = answer.n_segment_length = answer.n_segment_turn = 3;
}

static const char *check(const rp_drive_options_t *drive)
{
    const rp_drive_pose_t from = {5.5, 5.5, 0.0};
    const rp_grid_view_t view = grid();
    const char *wrong = rp_drive_check(drive, &view, &answer, &from, 18u * SIDE + 18u);
    return wrong != NULL ? wrong : "";
}

START_TEST(a_curve_without_fault_has_none)
{
    draw();
    ck_assert_str_eq(check(&disc), "");
    ck_assert_str_eq(check(&slab), "");
}
END_TEST

START_TEST(an_obstacle_is_met_from_the_breadth_of_a_body_on)
{
    draw();
    bytes[7u * SIDE + 10u] = 0; // 1.5 beside the line
    ck_assert_str_eq(check(&disc), "");
    draw();
    bytes[6u * SIDE + 10u] = 0; // 0.5
    ck_assert_str_eq(check(&disc), "meets an obstacle");
    ck_assert_str_eq(check(&slab), "");
    draw();
    bytes[5u * SIDE + 17u] = 0; // outside of the bend
    ck_assert_str_eq(check(&slab), "meets an obstacle");
    draw();
    bytes[20u * SIDE + 18u] = 0; // before its end: the slab reaches farther than the disc
    ck_assert_str_eq(check(&disc), "");
    ck_assert_str_eq(check(&slab), "meets an obstacle");
}
END_TEST

START_TEST(each_fault_is_found)
{
    draw();
    numbers[3][1] = 0.4;
    ck_assert_str_eq(check(&disc), "turns tighter than it may");
    draw();
    numbers[0][2] += 1e-5;
    ck_assert_str_eq(check(&disc), "has a gap between two segments");
    draw();
    numbers[4][2] = 9.0;
    ck_assert_str_eq(check(&disc), "ends beside its goal");
    draw();
    numbers[4][2] = -10.0;
    ck_assert_str_eq(check(&disc), "drives backwards, and may not");
    draw();
    numbers[5][2] = 1.0;
    ck_assert_str_eq(check(&disc), "turns in place, and may not");
    draw();
    numbers[0][1] = NAN;
    ck_assert_str_ne(check(&disc), "");
    draw();
    answer.n_segment_turn = 2;
    ck_assert_str_ne(check(&disc), "");
    draw();
    numbers[0][0] = 3.0;
    ck_assert_str_eq(check(&disc), "begins where the agent is not");
    draw();
    answer.bound = answer.cost + 1.0;
    ck_assert_str_eq(check(&disc), "costs less than its bound");
}
END_TEST

START_TEST(backwards_is_checked_as_forwards)
{
    draw();
    numbers[2][0] = M_PI;
    numbers[4][0] = -10.0;
    numbers[2][1] = M_PI;
    numbers[3][1] = -1.0 / 3.0;
    numbers[4][1] = -1.5 * M_PI;
    numbers[2][2] = 1.5 * M_PI;
    numbers[4][2] = -10.0;
    const rp_drive_pose_t from = {5.5, 5.5, M_PI};
    const rp_grid_view_t view = grid();
    ck_assert_ptr_null(rp_drive_check(&slab, &view, &answer, &from, 18u * SIDE + 18u));
    bytes[20u * SIDE + 18u] = 0; // behind its end: it reaches 1 there
    ck_assert_ptr_null(rp_drive_check(&slab, &view, &answer, &from, 18u * SIDE + 18u));
    bytes[19u * SIDE + 18u] = 0;
    ck_assert_ptr_nonnull(rp_drive_check(&slab, &view, &answer, &from, 18u * SIDE + 18u));
}
END_TEST

START_TEST(a_way_out_of_obstacles_meets_no_other)
{
    draw();
    bytes[6u * SIDE + 5u] = 0; // it stands in this one
    ck_assert_str_eq(check(&disc), "meets an obstacle");
    answer.escape_segments = 1;
    ck_assert_str_eq(check(&disc), "");
    bytes[6u * SIDE + 12u] = 0;
    ck_assert_str_eq(check(&disc), "meets an obstacle");
    draw();
    answer.escape_segments = 1;
    bytes[4u * SIDE + 4u] = 0; // behind the slab's front, beside its tail
    bytes[5u * SIDE + 6u] = 0;
    ck_assert_str_eq(check(&slab), "");
    bytes[5u * SIDE + 8u] = 0;
    ck_assert_str_eq(check(&slab), "meets an obstacle");
    draw();
    bytes[7u * SIDE + 18u] = 0; // on the bend, which leads out of nothing
    answer.escape_segments = 1;
    ck_assert_str_eq(check(&disc), "meets an obstacle");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_curve_without_fault_has_none,
        an_obstacle_is_met_from_the_breadth_of_a_body_on,
        each_fault_is_found,
        backwards_is_checked_as_forwards,
        a_way_out_of_obstacles_meets_no_other,
    };
    return rp_suite_run("curve_check", tests, sizeof tests / sizeof *tests, 1, NULL);
}
