/// What a path costs, found without walking it where nothing changed.
#include "bench/measure/path_check.h"
#include "planners/grid/cost.h"
#include "tests/support/suite.h"

static rp_grid_t *grid;
static rp_path_check_t check;
static rp_cell_t cells[4];
static rp_path_t path;

/// A path of two diagonals and a straight step, which was walked.
static void begin(void)
{
    const rp_grid_shape_t shape = {8, 8, 8, false, 1, 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_path_check_begin(&check, grid);
    const uint32_t places[4][2] = {{1, 1}, {2, 2}, {3, 3}, {4, 3}};
    for (unsigned i = 0; i < 4; i++) {
        cells[i] = rp_grid_cell(grid, places[i][0], places[i][1]);
    }
    path = (rp_path_t){cells, 4};
    ck_assert_uint_eq(rp_path_check_cost(&check, &path, cells[0], cells[3]),
                      4u * RP_DIAGONAL + 2u * RP_STRAIGHT);
}

static void tear_down(void)
{
    rp_path_check_fini(&check);
    rp_grid_destroy(&grid);
}

static void write_cell(rp_cell_t cell, uint8_t factor)
{
    rp_change_t change = {.cell = cell, .after = factor};
    rp_grid_write(grid, &change, 1);
    rp_path_check_changes(&check, &change, 1);
}

START_TEST(what_is_left_of_a_path_costs_less_by_what_was_walked)
{
    begin();
    const rp_path_t rest = {cells + 1, 3};
    const rp_path_t end = {cells + 3, 1};
    ck_assert_uint_eq(rp_path_check_cost(&check, &rest, cells[1], cells[3]),
                      2u * RP_DIAGONAL + 2u * RP_STRAIGHT);
    ck_assert_uint_eq(rp_path_check_cost(&check, &end, cells[3], cells[3]), 0);
}
END_TEST

START_TEST(a_path_costs_more_over_a_cell_that_became_dearer)
{
    begin();
    write_cell(cells[3], 3);
    ck_assert_uint_eq(rp_path_check_cost(&check, &path, cells[0], cells[3]),
                      4u * RP_DIAGONAL + 4u * RP_STRAIGHT);
}
END_TEST

START_TEST(a_path_past_a_corner_that_was_blocked_is_not_legal)
{
    begin();
    write_cell(rp_grid_cell(grid, 3, 2), 0);
    ck_assert_uint_eq(rp_path_check_cost(&check, &path, cells[0], cells[3]), RP_PATH_CHECK_ILLEGAL);
}
END_TEST

START_TEST(another_path_is_walked)
{
    begin();
    const rp_cell_t start = cells[0];
    cells[0] = rp_grid_cell(grid, 7, 7);
    ck_assert_uint_eq(rp_path_check_cost(&check, &path, start, cells[3]), RP_PATH_CHECK_ILLEGAL);
    ck_assert_uint_eq(rp_path_check_cost(&check, &path, cells[0], cells[3]), RP_PATH_CHECK_ILLEGAL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_left_of_a_path_costs_less_by_what_was_walked,
        a_path_costs_more_over_a_cell_that_became_dearer,
        a_path_past_a_corner_that_was_blocked_is_not_legal,
        another_path_is_walked,
    };
    return rp_suite_run("path_check", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
