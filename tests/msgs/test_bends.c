/// Where paths bend, in metres.
#include <check.h>
#include <stdlib.h>

#include "msgs/bends.h"

#define EPSILON 1e-12

static Replan__V1__Geometry geometry_of(uint32_t width, uint32_t height)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    geometry.width = width;
    geometry.height = height;
    geometry.resolution = 0.5;
    geometry.origin_x = -1.0;
    geometry.origin_y = 2.0;
    return geometry;
}

START_TEST(a_path_bends_at_its_ends_and_wherever_its_direction_changes)
{
    const Replan__V1__Geometry geometry = geometry_of(10, 10);
    const uint8_t steps[] = {0, 0, 1, 1, 1, 2};
    const double expected_x[] = {-0.75, 0.25, 1.75, 1.75}; // columns 0, 2, 5, 5
    const double expected_y[] = {2.75, 2.75, 4.25, 4.75};  // rows 1, 1, 4, 5
    const uint32_t expected_at[] = {0, 2, 5, 6};
    double x[4];
    double y[4];
    uint32_t at[4];
    ck_assert_uint_eq(rp_bends_of(&geometry, 10, steps, 6, x, y, at, 4), 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(x[i], expected_x[i], EPSILON);
        ck_assert_double_eq_tol(y[i], expected_y[i], EPSILON);
        ck_assert_uint_eq(at[i], expected_at[i]);
    }
}
END_TEST

START_TEST(a_path_without_steps_is_one_bend)
{
    const Replan__V1__Geometry geometry = geometry_of(10, 10);
    double x;
    double y;
    uint32_t at = 7;
    ck_assert_uint_eq(rp_bends_of(&geometry, 99, NULL, 0, &x, &y, &at, 1), 1);
    ck_assert_double_eq_tol(x, 3.75, EPSILON);
    ck_assert_double_eq_tol(y, 6.75, EPSILON);
    ck_assert_uint_eq(at, 0);
}
END_TEST

START_TEST(no_more_are_written_than_there_is_room_for_and_all_are_counted)
{
    const Replan__V1__Geometry geometry = geometry_of(10, 10);
    const uint8_t steps[] = {0, 2, 0, 2};
    double x[3] = {0.0, 0.0, 42.0};
    double y[3] = {0.0, 0.0, 42.0};
    uint32_t at[3] = {0, 0, 42};
    ck_assert_uint_eq(rp_bends_of(&geometry, 0, steps, 4, NULL, NULL, NULL, 0), 5);
    ck_assert_uint_eq(rp_bends_of(&geometry, 0, steps, 4, x, y, at, 2), 5);
    ck_assert_uint_eq(at[1], 1);
    ck_assert(x[2] == 42.0 && y[2] == 42.0 && at[2] == 42);
}
END_TEST

START_TEST(a_frame_that_is_turned_turns_them)
{
    Replan__V1__Geometry geometry = geometry_of(10, 10);
    double x;
    double y;
    geometry.origin_yaw = 1.57079632679489661923; // +x of the cells is +y of the frame
    rp_cell_middle(&geometry, 3, 1, &x, &y);
    ck_assert_double_eq_tol(x, -1.0 - 0.75, EPSILON);
    ck_assert_double_eq_tol(y, 2.0 + 1.75, EPSILON);
}
END_TEST

START_TEST(over_the_edge_of_a_torus_the_line_runs_on)
{
    const Replan__V1__Geometry geometry = geometry_of(4, 3);
    const uint8_t steps[] = {0, 0, 0, 6, 6};
    double x[3];
    double y[3];
    uint32_t at[3];
    ck_assert_uint_eq(rp_bends_of(&geometry, 2, steps, 5, x, y, at, 3), 3);
    ck_assert_double_eq_tol(x[1], x[0] + 1.5, EPSILON);
    ck_assert_double_eq_tol(y[2], y[1] - 1.0, EPSILON);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bends");
    TCase *cases = tcase_create("bends");
    tcase_add_test(cases, a_path_bends_at_its_ends_and_wherever_its_direction_changes);
    tcase_add_test(cases, a_path_without_steps_is_one_bend);
    tcase_add_test(cases, no_more_are_written_than_there_is_room_for_and_all_are_counted);
    tcase_add_test(cases, a_frame_that_is_turned_turns_them);
    tcase_add_test(cases, over_the_edge_of_a_torus_the_line_runs_on);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
