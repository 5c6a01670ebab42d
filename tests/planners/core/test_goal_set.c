/// Goals: which of them a member is to know, and when it must hear of it.
#include "planners/core/goal_set.h"

#include "tests/support/drawing.h"
#include "tests/support/suite.h"

static rp_grid_t *grid;
static rp_goal_set_t list;

static rp_goal_t goal_at(uint32_t x, uint32_t offset)
{
    return (rp_goal_t){rp_grid_cell(grid, x, 0), offset};
}

/// Goals at x = 0, 2, 4 with offsets 7, 0, 3.
static void arrange(const char *world)
{
    grid = rp_drawing_grid(world, 4, false);
    ck_assert_ptr_nonnull(grid);
    const rp_goal_t goals[] = {goal_at(0, 7), goal_at(2, 0), goal_at(4, 3)};
    ck_assert_int_eq(rp_goal_set_give(&list, goals, 3), RP_OK);
}

static void tear_down(void)
{
    rp_goal_set_fini(&list);
    rp_grid_destroy(&grid);
}

START_TEST(only_those_that_do_not_block_are_free_in_their_order)
{
    arrange("..#..");
    ck_assert(rp_goal_set_look(&list, grid));
    ck_assert_uint_eq(list.free_count, 2);
    ck_assert_uint_eq(list.free[0].cell, rp_grid_cell(grid, 0, 0));
    ck_assert_uint_eq(list.free[1].cell, rp_grid_cell(grid, 4, 0));
    ck_assert_uint_eq(rp_goal_set_offset(&list, rp_grid_cell(grid, 4, 0)), 3);
    ck_assert_uint_eq(rp_goal_set_offset(&list, rp_grid_cell(grid, 2, 0)), 0);
    ck_assert_uint_eq(list.greatest_offset, 7);
}
END_TEST

START_TEST(a_second_look_says_what_differs)
{
    arrange(".....");
    ck_assert(rp_goal_set_look(&list, grid));
    ck_assert(!rp_goal_set_look(&list, grid));
    rp_grid_set(grid, rp_grid_cell(grid, 4, 0), 0);
    ck_assert(rp_goal_set_look(&list, grid)); // the last is gone: the others are what they were
    ck_assert_uint_eq(list.free_count, 2);
    rp_grid_set(grid, rp_grid_cell(grid, 4, 0), 1);
    ck_assert(rp_goal_set_look(&list, grid));
    const rp_goal_t dearer[] = {goal_at(0, 7), goal_at(2, 1), goal_at(4, 3)};
    ck_assert_int_eq(rp_goal_set_give(&list, dearer, 3), RP_OK);
    ck_assert(rp_goal_set_look(&list, grid));
}
END_TEST

START_TEST(they_are_blocked_when_all_of_them_are)
{
    arrange("#.#.#");
    ck_assert(rp_goal_set_is_blocked(&list, grid));
    rp_grid_set(grid, rp_grid_cell(grid, 2, 0), 1);
    ck_assert(!rp_goal_set_is_blocked(&list, grid));
}
END_TEST

START_TEST(the_same_goals_are_known_again)
{
    arrange(".....");
    const rp_goal_t same[] = {goal_at(0, 7), goal_at(2, 0), goal_at(4, 3)};
    const rp_goal_t other[] = {goal_at(0, 7), goal_at(2, 0), goal_at(3, 3)};
    ck_assert(rp_goal_set_is(&list, same, 3));
    ck_assert(!rp_goal_set_is(&list, same, 2));
    ck_assert(!rp_goal_set_is(&list, other, 3));
    rp_goal_set_clear(&list);
    ck_assert(!rp_goal_set_is(&list, same, 3));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        only_those_that_do_not_block_are_free_in_their_order,
        a_second_look_says_what_differs,
        they_are_blocked_when_all_of_them_are,
        the_same_goals_are_known_again,
    };
    return rp_suite_run("goal_set", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
