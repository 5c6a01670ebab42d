/// Which form of a member is bound, and what is left when that fails.
#include "planners/core/instance.h"

#include "planners/papers/papers.h"
#include "tests/planners/scribe.h"
#include "tests/support/suite.h"

START_TEST(the_form_follows_the_greatest_cost)
{
    rp_scribe_arrange(0, "....\n....");
    ck_assert(!rp_scribe.with_64_bits);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe_write(3, 1, 2);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.binds, 2); // rescaled: bound once more, and counted
    ck_assert_uint_eq(rp_scribe.plan.stats.restarts, 1);
    ck_assert(!rp_scribe.with_64_bits);
    const rp_goal_t far_off = {rp_grid_cell(rp_scribe.grid, 1, 0), UINT32_MAX};
    ck_assert_int_eq(rp_planner_set_goals(rp_scribe.planner, &far_off, 1), RP_OK);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert(rp_scribe.with_64_bits);
    ck_assert(rp_scribe.state_was_zeroed);
    ck_assert_double_eq(rp_scribe.plan.cost, 1.0 + UINT32_MAX);
    const rp_grid_shape_t large = {
        .width = 2000, .height = 1000, .neighbors = 8, .unit = 1, .least = 1};
    rp_grid_t *other;
    ck_assert_int_eq(rp_grid_new(&large, &other), RP_OK);
    ck_assert_int_eq(rp_planner_bind(rp_scribe.planner, other), RP_OK);
    ck_assert(rp_scribe.with_64_bits);
    ck_assert_int_eq(rp_planner_bind(rp_scribe.planner, rp_scribe.grid), RP_OK);
    ck_assert(!rp_scribe.with_64_bits);
    rp_grid_destroy(&other);
}
END_TEST

START_TEST(a_failed_bind_leaves_the_planner_bound_to_nothing)
{
    rp_scribe_arrange(0, "....\n....");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe.is_short = true;
    ck_assert_int_eq(rp_planner_bind(rp_scribe.planner, rp_scribe.grid), RP_E_MEMORY);
    ck_assert_int_eq(rp_scribe.unbinds, 1);
    ck_assert_int_eq(rp_planner_plan(rp_scribe.planner, 1, &rp_scribe.plan), RP_E_INVALID);
    rp_scribe.is_short = false;
    ck_assert_int_eq(rp_planner_bind(rp_scribe.planner, rp_scribe.grid), RP_OK);
    ck_assert(rp_scribe.state_was_zeroed);
    rp_scribe_set_start(0, 0);
    rp_scribe_set_goal(1, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
}
END_TEST

START_TEST(a_rescale_without_memory_is_said_and_nothing_leaks)
{
    rp_scribe_arrange(0, "....\n....");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe_write(3, 1, 2);
    rp_scribe.is_short = true;
    ck_assert_int_eq(rp_planner_plan(rp_scribe.planner, UINT64_MAX, &rp_scribe.plan), RP_E_MEMORY);
    ck_assert_int_eq(rp_planner_plan(rp_scribe.planner, UINT64_MAX, &rp_scribe.plan), RP_E_INVALID);
}
END_TEST

/// A straight and a diagonal step on ground of these factors, and a goal's offset of 3.
static uint64_t units_of_two_steps(uint8_t neighbors, uint8_t factor)
{
    const rp_grid_shape_t shape = {
        .width = 4, .height = 4, .neighbors = neighbors, .unit = 2, .least = 1};
    const rp_walk_t walk = {.factors = {2u * factor, neighbors == 8 ? 2u * factor : 0u}};
    rp_grid_t *grid;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_grid_set(grid, rp_grid_cell(grid, 0, 0), factor);
    const uint64_t units = rp_instance_units(&(rp_instance_t){.grid = grid}, &walk, 3);
    rp_grid_destroy(&grid);
    return units;
}

START_TEST(a_walk_counts_what_a_member_would)
{
    ck_assert_uint_eq(units_of_two_steps(8, 2), 408 + 577 + 3 * 408);
    ck_assert_uint_eq(units_of_two_steps(4, 2), 1 + 3);
    // Weighted ground counts both ends of a step, each by its factor: four for a step of normal.
    ck_assert_uint_eq(units_of_two_steps(8, 5), 10 * (408 + 577) + 3 * 4 * 408);
    ck_assert_uint_eq(units_of_two_steps(4, 5), 10 + 3 * 4);
}
END_TEST

START_TEST(the_family_is_known_by_its_ids)
{
    rp_scribe_arrange(0, "..");
    ck_assert_str_eq(rp_planner_info(0)->id, "scribe");
    ck_assert_ptr_null(rp_planner_info(1));
    ck_assert_ptr_eq(rp_planner_find("scribe"), rp_planner_info(0));
    ck_assert_ptr_null(rp_planner_find("scrib"));
    ck_assert_ptr_eq(rp_planner_about(rp_scribe.planner), rp_planner_info(0));
    rp_planner_t *other = NULL;
    ck_assert_int_eq(rp_planner_new("nobody", NULL, &other), RP_E_UNKNOWN);
    const rp_member_options_t buckets = {.open = RP_OPEN_BUCKETS};
    ck_assert_int_eq(rp_papers_new("scribe", &buckets, &other), RP_E_UNSUPPORTED);
    const rp_member_options_t variant = {.variant = 1};
    ck_assert_int_eq(rp_papers_new("scribe", &variant, &other), RP_E_UNSUPPORTED);
    ck_assert_ptr_null(other);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_form_follows_the_greatest_cost,
        a_failed_bind_leaves_the_planner_bound_to_nothing,
        a_rescale_without_memory_is_said_and_nothing_leaks,
        a_walk_counts_what_a_member_would,
        the_family_is_known_by_its_ids,
    };
    return rp_suite_run("instance", tests, sizeof tests / sizeof tests[0], 1, rp_scribe_tear_down);
}
