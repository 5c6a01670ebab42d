/// What `replan run` gathers between two plans.
#include "tools/change_batch.h"

#include "tests/support/suite.h"

static rp_grid_t *grid;
static rp_planner_t *planner;
static rp_change_batch_t batch;

static void tear_down(void)
{
    rp_change_batch_fini(&batch);
    rp_planner_destroy(&planner);
    rp_grid_destroy(&grid);
}

static void begin(void)
{
    const rp_grid_shape_t shape = {.width = 5, .height = 3, .neighbors = 4, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_int_eq(rp_planner_new("lpa", NULL, &planner), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, grid), RP_OK);
    ck_assert_int_eq(rp_planner_set_start(planner, rp_grid_cell(grid, 0, 0)), RP_OK);
    ck_assert_int_eq(rp_planner_set_goal(planner, rp_grid_cell(grid, 4, 0)), RP_OK);
    ck_assert_int_eq(rp_change_batch_init(&batch, grid), RP_OK);
}

static double plan(void)
{
    rp_plan_t made;
    ck_assert_int_eq(rp_change_batch_tell(&batch, grid, planner), RP_OK);
    ck_assert_int_eq(rp_planner_plan(planner, UINT64_MAX, &made), RP_OK);
    return made.cost;
}

START_TEST(a_cell_is_held_once_as_it_was_written_last)
{
    begin();
    const rp_cell_t cell = rp_grid_cell(grid, 2, 0);
    rp_change_batch_set(&batch, cell, 0);
    rp_change_batch_set(&batch, rp_grid_cell(grid, 2, 1), 0);
    rp_change_batch_set(&batch, cell, 1);
    ck_assert_uint_eq(batch.count, 2);
    ck_assert_double_eq(plan(), 4.0);
    ck_assert_uint_eq(grid->factor[cell], 1);
    ck_assert_uint_eq(grid->factor[rp_grid_cell(grid, 2, 1)], 0);
}
END_TEST

START_TEST(the_next_batch_begins_empty)
{
    begin();
    const rp_cell_t cell = rp_grid_cell(grid, 2, 0);
    rp_change_batch_set(&batch, cell, 0);
    ck_assert_double_eq(plan(), 6.0);
    ck_assert_uint_eq(batch.count, 0);
    rp_change_batch_set(&batch, rp_grid_cell(grid, 1, 2), 0);
    rp_change_batch_set(&batch, cell, 1); // was the first of the batch before
    ck_assert_uint_eq(batch.count, 2);
    ck_assert_double_eq(plan(), 4.0);
    ck_assert_double_eq(plan(), 4.0); // nothing to tell
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_cell_is_held_once_as_it_was_written_last,
        the_next_batch_begins_empty,
    };
    return rp_suite_run("change_batch", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
