/// The contract (planner.h), of plans that follow each other: slices, changes, moves, other grids,
/// idle time. Every planner of the registry in every form; each plan is judged by the oracle.
#include "tests/planners/contract_scene.h"

// ---- slices

START_TEST(slices_find_what_one_go_finds)
{
    static const uint64_t budgets[] = {1, 2, 3, 7, 64};
    begin(_i);
    const rp_grid_shape_t shape = {.width = 20, .height = 20, .neighbors = neighbors()};
    scatter(shape, 25, 5);
    plan(UINT64_MAX);
    const double cost = trial.plan.cost;
    const uint64_t expanded = trial.plan.stats.expanded;
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        scatter(shape, 25, 5);
        plan(budgets[i]);
        ck_assert_double_eq(trial.plan.cost, cost);
        ck_assert_uint_eq(trial.plan.stats.expanded, expanded);
    }
}
END_TEST

START_TEST(a_slice_expands_no_more_than_its_budget)
{
    begin(_i);
    scatter_square(20, 25, 5);
    uint64_t slices = 1;
    while (rp_trial_slice(&trial, 7) == RP_MORE) {
        slices++;
    }
    ck_assert_uint_gt(slices, 1);
    ck_assert_uint_le(trial.plan.stats.expanded, slices * 7u);
    ck_assert_ptr_null(rp_trial_judge(&trial));
}
END_TEST

START_TEST(a_budget_of_nothing_expands_nothing)
{
    begin(_i);
    draw("S...\n.##.\n...G");
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(rp_trial_slice(&trial, 0), RP_MORE);
    }
    plan_for(RP_OUTCOME_FOUND);
}
END_TEST

START_TEST(what_happens_between_slices_is_taken_in)
{
    begin(_i);
    scatter_square(16, 20, 9);
    ck_assert_int_eq(rp_trial_slice(&trial, 5), RP_MORE);
    rp_trial_set(&trial, 8, 8, rp_trial_factor(&trial, 8, 8) == 0 ? 1 : 0);
    ck_assert_int_eq(rp_trial_slice(&trial, 2), RP_MORE);
    rp_trial_set_goal(&trial, 15, 3);
    rp_trial_set(&trial, 15, 3, 1);
    ck_assert_int_eq(rp_trial_slice(&trial, 2), RP_MORE);
    rp_trial_set_start(&trial, 0, 1);
    rp_trial_set(&trial, 0, 1, 1);
    rp_trial_set(&trial, 1, 1, 1);
    plan(3);
}
END_TEST

START_TEST(a_planner_may_be_destroyed_in_the_midst_of_a_search)
{
    begin(_i);
    scatter_square(16, 20, 9);
    ck_assert_int_eq(rp_trial_slice(&trial, 3), RP_MORE);
    rp_planner_destroy(&trial.planner);
    ck_assert_ptr_null(trial.planner);
    rp_planner_destroy(&trial.planner);
}
END_TEST

// ---- changes

START_TEST(a_plan_with_nothing_new_costs_no_expansion)
{
    begin(_i);
    draw("S...\n.##.\n...G");
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_uint_gt(trial.plan.stats.bytes, 0);
    plan_for_nothing();
    rp_trial_set_start(&trial, 0, 0);
    rp_trial_set_goal(&trial, 3, 2);
    rp_trial_tell(&trial); // a batch of no cell
    plan_for_nothing();
    ck_assert_uint_eq(trial.plan.stats.restarts, 0);
}
END_TEST

START_TEST(what_cancels_out_costs_no_expansion)
{
    begin(_i);
    draw("S...\n.##.\n...G");
    plan_for(RP_OUTCOME_FOUND);
    rp_trial_set(&trial, 1, 0, 0);
    rp_trial_set(&trial, 1, 0, 1);
    plan_for_nothing();
    set_for(0, 0, 0, RP_OUTCOME_START_BLOCKED);
    rp_trial_set(&trial, 0, 0, 1);
    plan_for_nothing();
    ck_assert_uint_eq(trial.plan.stats.restarts, 0);
}
END_TEST

START_TEST(a_cell_told_twice_counts_as_it_is_last)
{
    begin(_i);
    draw("S....\n.....\n....G");
    plan_for(RP_OUTCOME_FOUND);
    rp_trial_set(&trial, 2, 1, 0);
    rp_trial_set(&trial, 1, 1, 0);
    rp_trial_tell(&trial);
    rp_trial_set(&trial, 2, 1, 1);
    rp_trial_set(&trial, 3, 1, 0);
    rp_trial_tell(&trial);
    set_for(2, 1, 0, RP_OUTCOME_FOUND);
    set_for(2, 1, 1, RP_OUTCOME_FOUND);
}
END_TEST

START_TEST(a_batch_may_rewrite_every_cell)
{
    begin(_i);
    scatter((rp_grid_shape_t){.width = 12, .height = 9, .neighbors = neighbors()}, 45, 3);
    rp_random_t random = {11};
    for (unsigned round = 0; round < RP_ROUNDS(8u); round++) {
        plan(UINT64_MAX);
        for (uint32_t place = 1; place + 1u < 12u * 9u; place++) {
            rp_trial_set(&trial, place % 12u, place / 12u, rp_random_chance(&random, 65));
        }
    }
    plan(UINT64_MAX);
}
END_TEST

START_TEST(the_first_factor_is_a_counted_restart_with_exact_costs)
{
    begin(_i);
    if (!can(RP_CAN_WEIGHTED)) {
        return;
    }
    scatter_square(12, 20, 3);
    plan(UINT64_MAX);
    rp_trial_set(&trial, 1, 1, 3);
    plan(UINT64_MAX);
    ck_assert_uint_eq(trial.plan.stats.restarts, 1);
    rp_trial_set(&trial, 1, 1, 1);
    plan(UINT64_MAX);
    rp_trial_set(&trial, 2, 2, 200);
    plan(UINT64_MAX);
    ck_assert_uint_eq(trial.plan.stats.restarts, 1);
}
END_TEST

/// A factor came and went, of which there is nothing to tell; but the grid is weighted now.
START_TEST(units_are_of_the_scale_that_the_grid_has)
{
    begin(_i);
    if (!can(RP_CAN_WEIGHTED | RP_KNOWS_COST)) {
        return;
    }
    draw("S...\n.##.\n...G");
    plan_for(RP_OUTCOME_FOUND);
    const rp_cell_t cell = rp_grid_cell(trial.grid, 1, 0);
    rp_grid_set(trial.grid, cell, 3);
    rp_grid_set(trial.grid, cell, 1);
    plan_for(RP_OUTCOME_FOUND);
    const uint64_t units = trial.plan.units;
    rp_planner_start_over(trial.planner);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_uint_eq(units, trial.plan.units);
}
END_TEST

START_TEST(costs_that_outgrow_32_bits_stay_exact)
{
    begin(_i);
    if (!can(RP_CAN_WEIGHTED)) {
        return;
    }
    scatter_square(72, 20, 3);
    plan(UINT64_MAX);
    rp_random_t random = {8};
    for (uint8_t dearest = 3; dearest != 0; dearest = dearest == 3 ? 254 : 0) {
        for (unsigned i = 0; i < RP_ROUNDS(600u); i++) {
            const uint32_t y = rp_random_below(&random, 72);
            rp_trial_set(&trial, rp_random_below(&random, 72), y, dearest);
        }
        plan(UINT64_MAX);
        rp_trial_set(&trial, 71, 70, dearest);
        rp_trial_set(&trial, 70, 71, 0);
        plan(100);
        rp_trial_set_start(&trial, 3, 3);
        rp_trial_set(&trial, 3, 3, 1);
        plan(UINT64_MAX);
    }
}
END_TEST

// ---- moves and other grids

START_TEST(ends_may_step_and_jump)
{
    begin(_i);
    scatter((rp_grid_shape_t){.width = 15, .height = 11, .neighbors = neighbors()}, 15, 4);
    rp_random_t random = {21};
    for (unsigned round = 0; round < RP_ROUNDS(60u); round++) {
        plan(UINT64_MAX);
        if (round % 3 != 1) {
            const uint32_t y = rp_random_below(&random, 11);
            rp_trial_set_start(&trial, rp_random_below(&random, 15), y);
        }
        if (round % 3 != 0) {
            const uint32_t row = rp_random_below(&random, 11);
            rp_trial_set_goal(&trial, rp_random_below(&random, 15), row);
        }
    }
}
END_TEST

START_TEST(a_move_there_and_back_is_no_move_at_all)
{
    begin(_i);
    draw("S...\n.##.\n...G");
    plan_for(RP_OUTCOME_FOUND);
    rp_trial_set_goal(&trial, 0, 2);
    rp_trial_set_goal(&trial, 3, 2);
    rp_trial_set_start(&trial, 3, 0);
    rp_trial_set_start(&trial, 0, 0);
    plan_for_nothing();
    ck_assert_uint_eq(trial.plan.stats.restarts, 0);
}
END_TEST

START_TEST(another_grid_forgets_the_first)
{
    begin(_i);
    scatter((rp_grid_shape_t){.width = 30, .height = 7, .neighbors = neighbors()}, 20, 4);
    plan(UINT64_MAX);
    rp_trial_set(&trial, 3, 3, 0);
    rp_trial_tell(&trial);
    const rp_grid_shape_t smaller = {
        .width = 5, .height = 9, .neighbors = neighbors(), .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_bind(&trial, &smaller), RP_OK);
    rp_plan_t result;
    ck_assert_int_eq(rp_planner_plan(trial.planner, UINT64_MAX, &result), RP_E_INVALID);
    rp_trial_set_start(&trial, 0, 0);
    rp_trial_set_goal(&trial, 0, 8);
    plan_for_cost(8.0);
    ck_assert_uint_eq(trial.plan.stats.restarts, 0);
    scatter((rp_grid_shape_t){.width = 50, .height = 40, .neighbors = neighbors()}, 20, 4);
    plan(UINT64_MAX);
}
END_TEST

// ---- idle time

/// Idle in slices until nothing is left to do, or for a while.
static void idle(rp_random_t *random)
{
    const uint64_t slice = rp_random_between(random, 0, 300);
    for (uint32_t i = rp_random_below(random, 30); i != 0; i--) {
        uint64_t budget = slice;
        const rp_status_t status = rp_planner_idle(trial.planner, &budget);
        ck_assert(status == RP_OK || (status == RP_MORE && budget == 0));
        ck_assert_uint_le(budget, slice);
    }
}

/// A few cells, and now and then a step of the start or a jump of the goal; not by the path, as two
/// planners may show different ones.
static void disturb(rp_random_t *random, rp_grid_shape_t shape)
{
    for (uint32_t i = rp_random_below(random, 6); i != 0; i--) {
        const uint8_t factor = rp_random_chance(random, 35) ? 0 : 1;
        const uint32_t row = rp_random_below(random, shape.height);
        rp_trial_set(&trial, rp_random_below(random, shape.width), row, factor);
    }
    if (rp_random_chance(random, 50)) {
        const uint32_t x = trial.start % shape.width + rp_random_below(random, 2);
        const uint32_t y = trial.start / shape.width + rp_random_below(random, 2);
        rp_trial_set_start(&trial, x % shape.width, y % shape.height);
    }
    if (rp_random_chance(random, 10)) {
        const uint32_t goal_row = rp_random_below(random, shape.height);
        rp_trial_set_goal(&trial, rp_random_below(random, shape.width), goal_row);
    }
}

/// Two planners live through the same, and one of them has time between: the costs are the same.
START_TEST(idle_time_changes_no_answer)
{
    double costs[RP_ROUNDS(80u)];
    for (unsigned has_time = 0; has_time < 2; has_time++) {
        rp_random_t random = {9};
        rp_random_t time = {10};
        begin(_i);
        const rp_grid_shape_t shape = {.width = 40, .height = 30, .neighbors = neighbors()};
        scatter(shape, 25, 6);
        plan(UINT64_MAX);
        for (unsigned i = 0; i < RP_ROUNDS(80u); i++) {
            if (has_time != 0) {
                idle(&time);
                ck_assert_msg(rp_planner_check(trial.planner), "%s", contestant.name);
                ck_assert(rp_trial_judge(&trial) == NULL); // what it said stands
            }
            disturb(&random, shape);
            plan(UINT64_MAX);
            ck_assert(has_time == 0 || costs[i] == trial.plan.cost);
            costs[i] = trial.plan.cost;
        }
        rp_trial_fini(&trial);
    }
    begin(_i);
}
END_TEST

START_TEST(there_is_nothing_to_do_in_idle_time_before_a_plan_and_after_an_event)
{
    uint64_t budget = 1000;
    begin(_i);
    ck_assert_int_eq(rp_planner_idle(trial.planner, &budget), RP_OK);
    scatter((rp_grid_shape_t){.width = 40, .height = 30, .neighbors = neighbors()}, 25, 6);
    ck_assert_int_eq(rp_planner_idle(trial.planner, &budget), RP_OK);
    plan(UINT64_MAX);
    rp_trial_set(&trial, 20, 15, 0);
    rp_trial_tell(&trial);
    ck_assert_int_eq(rp_planner_idle(trial.planner, &budget), RP_OK);
    plan(UINT64_MAX);
    rp_trial_set_start(&trial, 1, 0);
    ck_assert_int_eq(rp_planner_idle(trial.planner, &budget), RP_OK);
    plan(UINT64_MAX);
    rp_trial_set_goal(&trial, 38, 29);
    ck_assert_int_eq(rp_planner_idle(trial.planner, &budget), RP_OK);
    ck_assert_uint_eq(budget, 1000);
    plan(UINT64_MAX);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        slices_find_what_one_go_finds,
        a_slice_expands_no_more_than_its_budget,
        a_budget_of_nothing_expands_nothing,
        what_happens_between_slices_is_taken_in,
        a_planner_may_be_destroyed_in_the_midst_of_a_search,
        a_plan_with_nothing_new_costs_no_expansion,
        what_cancels_out_costs_no_expansion,
        a_cell_told_twice_counts_as_it_is_last,
        a_batch_may_rewrite_every_cell,
        the_first_factor_is_a_counted_restart_with_exact_costs,
        units_are_of_the_scale_that_the_grid_has,
        costs_that_outgrow_32_bits_stay_exact,
        ends_may_step_and_jump,
        a_move_there_and_back_is_no_move_at_all,
        another_grid_forgets_the_first,
        idle_time_changes_no_answer,
        there_is_nothing_to_do_in_idle_time_before_a_plan_and_after_an_event,
    };
    return rp_suite_run("contract_changes", tests, sizeof tests / sizeof tests[0],
                        rp_contestant_count(), tear_down);
}
