/// The contract (planner.h): every planner of the registry, in every form, through the same table.
/// Each plan is judged by the oracle. What a planner does natively stands in test_native.c.
#include <math.h>

#include "planners/papers/papers.h"
#include "tests/support/contestant.h"
#include "tests/support/drawing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_contestant_t contestant;
static rp_trial_t trial;

/// The contestant of this round. Check forks, so each test has its own.
static void begin(int index)
{
    ck_assert(rp_contestant_at((size_t)index, &contestant));
    ck_assert_int_eq(rp_trial_init(&trial, contestant.info->id, &contestant.options), RP_OK);
}

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

static bool can(uint32_t capability)
{
    return (contestant.info->capabilities & capability) == capability;
}

/// Plan to the end in slices, and have it judged.
static void plan(uint64_t budget)
{
    const char *complaint = rp_trial_plan(&trial, budget);
    ck_assert_msg(complaint == NULL, "%s: %s", contestant.name, complaint);
}

static void plan_for(rp_outcome_t outcome)
{
    plan(UINT64_MAX);
    ck_assert_msg(trial.plan.outcome == outcome, "%s: %s", contestant.name,
                  rp_outcome_text(trial.plan.outcome));
}

static void plan_for_cost(double cost)
{
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_double_eq_tol(trial.plan.cost, cost, 1e-9);
}

static void plan_for_nothing(void)
{
    plan(UINT64_MAX);
    ck_assert_msg(trial.plan.stats.expanded == 0, "%s expands %lu cells for nothing",
                  contestant.name, (unsigned long)trial.plan.stats.expanded);
}

/// A world of scattered blocked cells, ends in two corners.
static void scatter(rp_grid_shape_t shape, uint32_t blocked_percent, uint64_t seed)
{
    rp_random_t random = {seed};
    shape.unit = 1;
    shape.least = 1;
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    for (uint32_t place = 1; place + 1u < shape.width * shape.height; place++) {
        if (rp_random_chance(&random, blocked_percent)) {
            rp_trial_set(&trial, place % shape.width, place / shape.width, 0);
        }
    }
    rp_trial_set_start(&trial, 0, 0);
    rp_trial_set_goal(&trial, shape.width - 1u, shape.height - 1u);
}

/// The neighbourhood that the planner can, 8 if both.
static uint8_t neighbors(void)
{
    return can(RP_CAN_8) ? 8 : 4;
}

// ---- what is refused

START_TEST(planning_without_grid_start_or_goal_is_invalid)
{
    rp_plan_t result;
    begin(_i);
    ck_assert_int_eq(rp_planner_plan(trial.planner, UINT64_MAX, &result), RP_E_INVALID);
    ck_assert_int_eq(rp_planner_set_start(trial.planner, 11), RP_E_INVALID);
    ck_assert_int_eq(rp_planner_set_goal(trial.planner, 11), RP_E_INVALID);
    ck_assert_int_eq(rp_planner_apply(trial.planner, NULL, 0), RP_E_INVALID);
    ck_assert(rp_drawing_try("...\n...\n...", neighbors(), false, &trial));
    ck_assert_int_eq(rp_planner_plan(trial.planner, UINT64_MAX, &result), RP_E_INVALID);
    rp_trial_set_start(&trial, 0, 0);
    ck_assert_int_eq(rp_planner_plan(trial.planner, UINT64_MAX, &result), RP_E_INVALID);
    rp_trial_set_goal(&trial, 2, 2);
    plan_for(RP_OUTCOME_FOUND);
}
END_TEST

START_TEST(cells_outside_are_refused_and_change_nothing)
{
    begin(_i);
    ck_assert(rp_drawing_try("S..\n...\n..G", neighbors(), false, &trial));
    const rp_cell_t inside = rp_grid_cell(trial.grid, 1, 1);
    const rp_cell_t bad[] = {RP_NO_CELL, inside - 2u * trial.grid->stride, trial.grid->cell_count,
                             UINT32_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const rp_goal_t goals[] = {{.cell = inside}, {.cell = bad[i]}};
        const rp_change_t changes[] = {{inside, 1, 0}, {bad[i], 1, 0}};
        ck_assert_int_eq(rp_planner_set_start(trial.planner, bad[i]), RP_E_INVALID);
        ck_assert_int_eq(rp_planner_set_goal(trial.planner, bad[i]), RP_E_INVALID);
        ck_assert_int_eq(rp_planner_set_goals(trial.planner, goals, 2), RP_E_INVALID);
        ck_assert_int_eq(rp_planner_apply(trial.planner, changes, 2), RP_E_INVALID);
    }
    ck_assert_int_eq(rp_planner_set_goals(trial.planner, &(rp_goal_t){inside, 0}, 0), RP_E_INVALID);
    plan_for(RP_OUTCOME_FOUND);
}
END_TEST

START_TEST(what_the_capabilities_lack_is_refused)
{
    static const rp_grid_shape_t shapes[] = {
        {.width = 4, .height = 4, .neighbors = 4, .unit = 1, .least = 1},
        {.width = 4, .height = 4, .neighbors = 8, .unit = 1, .least = 1},
        {.width = 4, .height = 4, .neighbors = 4, .wraps = true, .unit = 1, .least = 1},
        {.width = 4, .height = 4, .neighbors = 8, .wraps = true, .unit = 1, .least = 1},
    };
    begin(_i);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const uint32_t needed =
            (shapes[i].neighbors == 8 ? RP_CAN_8 : RP_CAN_4) | (shapes[i].wraps ? RP_CAN_WRAP : 0u);
        ck_assert_int_eq(rp_trial_bind(&trial, &shapes[i]), can(needed) ? RP_OK : RP_E_UNSUPPORTED);
    }
    rp_planner_t *other = NULL;
    const rp_member_options_t too_much = {.variant = 3};
    ck_assert_int_eq(rp_papers_new(contestant.info->id, &too_much, &other), RP_E_UNSUPPORTED);
    const rp_member_options_t buckets = {.open = RP_OPEN_BUCKETS};
    ck_assert_int_eq(rp_papers_new(contestant.info->id, &buckets, &other),
                     can(RP_CAN_OPEN_BUCKETS) ? RP_OK : RP_E_UNSUPPORTED);
    rp_planner_destroy(&other);
    ck_assert_ptr_null(other);
}
END_TEST

// ---- outcomes

START_TEST(blocked_ends_are_outcomes_until_they_are_free)
{
    begin(_i);
    ck_assert(rp_drawing_try("S...\n....\n...G", neighbors(), false, &trial));
    rp_trial_set(&trial, 0, 0, 0);
    plan_for(RP_OUTCOME_START_BLOCKED);
    rp_trial_set(&trial, 3, 2, 0);
    plan_for(RP_OUTCOME_START_BLOCKED);
    rp_trial_set(&trial, 0, 0, 1);
    plan_for(RP_OUTCOME_GOAL_BLOCKED);
    rp_trial_set(&trial, 2, 2, 0);
    plan_for(RP_OUTCOME_GOAL_BLOCKED);
    rp_trial_set(&trial, 3, 2, 1);
    plan_for(RP_OUTCOME_FOUND);
    rp_trial_set(&trial, 0, 0, 0);
    plan_for(RP_OUTCOME_START_BLOCKED);
    rp_trial_set_start(&trial, 1, 0);
    plan_for(RP_OUTCOME_FOUND);
}
END_TEST

START_TEST(a_start_on_the_goal_is_a_path_of_one_cell)
{
    begin(_i);
    ck_assert(rp_drawing_try("S..\n..G", neighbors(), false, &trial));
    rp_trial_set_goal(&trial, 0, 0);
    plan_for_cost(0.0);
    ck_assert_uint_eq(trial.plan.path.count, 1);
    rp_trial_set_goal(&trial, 2, 0);
    plan_for_cost(2.0);
    rp_trial_set_start(&trial, 2, 0);
    plan_for_cost(0.0);
    rp_trial_set(&trial, 1, 0, 0);
    plan_for_cost(0.0);
    rp_trial_set_start(&trial, 0, 0);
    plan_for(RP_OUTCOME_FOUND);
}
END_TEST

START_TEST(a_world_of_one_cell_has_a_path)
{
    begin(_i);
    ck_assert(rp_drawing_try("S", neighbors(), false, &trial));
    rp_trial_set_goal(&trial, 0, 0);
    plan_for_cost(0.0);
    rp_trial_set(&trial, 0, 0, 0);
    plan_for(RP_OUTCOME_START_BLOCKED);
    rp_trial_set(&trial, 0, 0, 1);
    plan_for_cost(0.0);
}
END_TEST

START_TEST(no_path_is_an_answer_and_a_path_comes_again)
{
    begin(_i);
    ck_assert(rp_drawing_try("S..#..\n...#..\n.....G", neighbors(), false, &trial));
    for (int round = 0; round < 5; round++) {
        plan_for(RP_OUTCOME_FOUND);
        rp_trial_set(&trial, 3, 2, 0);
        plan_for(RP_OUTCOME_NO_PATH);
        rp_trial_set(&trial, 1, 1, round % 2 == 0 ? 0 : 1);
        plan_for(RP_OUTCOME_NO_PATH);
        rp_trial_set(&trial, 3, 2, 1);
    }
    plan_for(RP_OUTCOME_FOUND);
}
END_TEST

// ---- geometry

START_TEST(a_diagonal_needs_both_cells_beside_it)
{
    begin(_i);
    if (!rp_drawing_try("S.\n.G", 8, false, &trial)) {
        return;
    }
    plan_for_cost(sqrt(2.0));
    rp_trial_set(&trial, 1, 0, 0);
    plan_for_cost(2.0);
    rp_trial_set(&trial, 0, 1, 0);
    plan_for(RP_OUTCOME_NO_PATH);
    rp_trial_set(&trial, 1, 0, 1);
    plan_for_cost(2.0);
    rp_trial_set(&trial, 0, 1, 1);
    plan_for_cost(sqrt(2.0));
}
END_TEST

START_TEST(four_neighbors_know_no_diagonal)
{
    begin(_i);
    if (!rp_drawing_try("S..\n...\n..G", 4, false, &trial)) {
        return;
    }
    plan_for_cost(4.0);
    rp_trial_set(&trial, 1, 1, 0);
    rp_trial_set(&trial, 2, 0, 0);
    plan_for_cost(4.0);
}
END_TEST

START_TEST(a_wrapped_world_is_crossed_at_its_seams)
{
    begin(_i);
    for (uint8_t count = 4; count <= 8; count += 4) {
        if (!rp_drawing_try("S....\n.....\n.....\n.....\n....G", count, true, &trial)) {
            continue;
        }
        plan_for_cost(count == 8 ? sqrt(2.0) : 2.0);
        rp_trial_set(&trial, 4, 0, 0);
        plan_for_cost(2.0);
        rp_trial_set(&trial, 0, 4, 0);
        plan(UINT64_MAX);
        rp_trial_set(&trial, 4, 0, 1);
        plan_for_cost(2.0);
        rp_trial_set_start(&trial, 4, 1);
        plan_for_cost(2.0);
    }
}
END_TEST

START_TEST(a_cost_is_length_times_mean_factor_over_the_unit)
{
    begin(_i);
    if (rp_drawing_try("S3.G", 4, false, &trial)) {
        plan_for_cost(2.0 + 2.0 + 1.0);
        rp_trial_set(&trial, 1, 0, 9);
        plan_for_cost(5.0 + 5.0 + 1.0);
    }
    if (rp_drawing_try("S9\n9G", 8, false, &trial)) {
        plan_for_cost(sqrt(2.0)); // cells beside a diagonal do not enter its cost
        rp_trial_set(&trial, 1, 1, 4);
        plan_for_cost(2.5 * sqrt(2.0));
    }
}
END_TEST

// ---- several goals

START_TEST(of_several_goals_the_cheapest_wins_its_offset_included)
{
    begin(_i);
    ck_assert(rp_drawing_try("S......", neighbors(), false, &trial));
    const rp_oracle_goal_t goals[] = {{.place = 2, .offset = 5}, {.place = 6}, {.place = 5}};
    const rp_status_t status = rp_trial_set_goals(&trial, goals, 3);
    if (!can(RP_CAN_GOAL_SET)) {
        ck_assert_int_eq(status, RP_E_UNSUPPORTED);
        return;
    }
    ck_assert_int_eq(status, RP_OK);
    plan_for_cost(5.0);
    rp_trial_set(&trial, 4, 0, 0);
    plan_for_cost(7.0);
    rp_trial_set(&trial, 2, 0, 0);
    plan_for(RP_OUTCOME_NO_PATH);
    rp_trial_set_start(&trial, 3, 0);
    plan_for(RP_OUTCOME_NO_PATH);
    rp_trial_set(&trial, 4, 0, 1);
    plan_for_cost(2.0);
    rp_trial_set(&trial, 5, 0, 0);
    rp_trial_set(&trial, 6, 0, 0);
    plan_for(RP_OUTCOME_GOAL_BLOCKED);
    rp_trial_set(&trial, 2, 0, 1);
    plan_for_cost(6.0);
}
END_TEST

START_TEST(a_single_goal_with_an_offset_is_a_set_of_one)
{
    begin(_i);
    ck_assert(rp_drawing_try("S...", neighbors(), false, &trial));
    const rp_oracle_goal_t goal = {.place = 3, .offset = 4};
    const rp_status_t status = rp_trial_set_goals(&trial, &goal, 1);
    ck_assert_int_eq(status, can(RP_CAN_GOAL_SET) ? RP_OK : RP_E_UNSUPPORTED);
    if (status == RP_OK) {
        plan_for_cost(7.0);
        rp_trial_set_goal(&trial, 3, 0);
        plan_for_cost(3.0);
    }
}
END_TEST

START_TEST(the_greatest_offset_overflows_nothing)
{
    begin(_i);
    ck_assert(rp_drawing_try("S.....", neighbors(), false, &trial));
    rp_oracle_goal_t goals[] = {{.place = 1, .offset = UINT32_MAX},
                                {.place = 5, .offset = UINT32_MAX - 3u}};
    if (rp_trial_set_goals(&trial, goals, 2) != RP_OK) {
        return;
    }
    plan_for_cost(1.0 + (double)UINT32_MAX);
    rp_trial_set(&trial, 1, 0, 0);
    plan_for(RP_OUTCOME_NO_PATH);
    rp_trial_set(&trial, 1, 0, 1);
    goals[1].offset = 0;
    ck_assert_int_eq(rp_trial_set_goals(&trial, goals, 2), RP_OK);
    plan_for_cost(5.0);
}
END_TEST

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
    scatter((rp_grid_shape_t){.width = 20, .height = 20, .neighbors = neighbors()}, 25, 5);
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
    ck_assert(rp_drawing_try("S...\n.##.\n...G", neighbors(), false, &trial));
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(rp_trial_slice(&trial, 0), RP_MORE);
    }
    plan_for(RP_OUTCOME_FOUND);
}
END_TEST

START_TEST(what_happens_between_slices_is_taken_in)
{
    begin(_i);
    scatter((rp_grid_shape_t){.width = 16, .height = 16, .neighbors = neighbors()}, 20, 9);
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
    scatter((rp_grid_shape_t){.width = 16, .height = 16, .neighbors = neighbors()}, 20, 9);
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
    ck_assert(rp_drawing_try("S...\n.##.\n...G", neighbors(), false, &trial));
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
    ck_assert(rp_drawing_try("S...\n.##.\n...G", neighbors(), false, &trial));
    plan_for(RP_OUTCOME_FOUND);
    rp_trial_set(&trial, 1, 0, 0);
    rp_trial_set(&trial, 1, 0, 1);
    plan_for_nothing();
    rp_trial_set(&trial, 0, 0, 0);
    plan_for(RP_OUTCOME_START_BLOCKED);
    rp_trial_set(&trial, 0, 0, 1);
    plan_for_nothing();
    ck_assert_uint_eq(trial.plan.stats.restarts, 0);
}
END_TEST

START_TEST(a_cell_told_twice_counts_as_it_is_last)
{
    begin(_i);
    ck_assert(rp_drawing_try("S....\n.....\n....G", neighbors(), false, &trial));
    plan_for(RP_OUTCOME_FOUND);
    rp_trial_set(&trial, 2, 1, 0);
    rp_trial_set(&trial, 1, 1, 0);
    rp_trial_tell(&trial);
    rp_trial_set(&trial, 2, 1, 1);
    rp_trial_set(&trial, 3, 1, 0);
    rp_trial_tell(&trial);
    rp_trial_set(&trial, 2, 1, 0);
    plan_for(RP_OUTCOME_FOUND);
    rp_trial_set(&trial, 2, 1, 1);
    plan_for(RP_OUTCOME_FOUND);
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
    scatter((rp_grid_shape_t){.width = 12, .height = 12, .neighbors = neighbors()}, 20, 3);
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
    ck_assert(rp_drawing_try("S...\n.##.\n...G", neighbors(), false, &trial));
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
    scatter((rp_grid_shape_t){.width = 72, .height = 72, .neighbors = neighbors()}, 20, 3);
    plan(UINT64_MAX);
    rp_random_t random = {8};
    for (uint8_t dearest = 3; dearest != 0; dearest = dearest == 3 ? 254 : 0) {
        for (unsigned i = 0; i < RP_ROUNDS(600u); i++) {
            rp_trial_set(&trial, rp_random_below(&random, 72), rp_random_below(&random, 72),
                         dearest);
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
            rp_trial_set_start(&trial, rp_random_below(&random, 15), rp_random_below(&random, 11));
        }
        if (round % 3 != 0) {
            rp_trial_set_goal(&trial, rp_random_below(&random, 15), rp_random_below(&random, 11));
        }
    }
}
END_TEST

START_TEST(a_move_there_and_back_is_no_move_at_all)
{
    begin(_i);
    ck_assert(rp_drawing_try("S...\n.##.\n...G", neighbors(), false, &trial));
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
        rp_trial_set(&trial, rp_random_below(random, shape.width),
                     rp_random_below(random, shape.height), rp_random_chance(random, 35) ? 0 : 1);
    }
    if (rp_random_chance(random, 50)) {
        const uint32_t x = trial.start % shape.width + rp_random_below(random, 2);
        const uint32_t y = trial.start / shape.width + rp_random_below(random, 2);
        rp_trial_set_start(&trial, x % shape.width, y % shape.height);
    }
    if (rp_random_chance(random, 10)) {
        rp_trial_set_goal(&trial, rp_random_below(random, shape.width),
                          rp_random_below(random, shape.height));
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
        planning_without_grid_start_or_goal_is_invalid,
        cells_outside_are_refused_and_change_nothing,
        what_the_capabilities_lack_is_refused,
        blocked_ends_are_outcomes_until_they_are_free,
        a_start_on_the_goal_is_a_path_of_one_cell,
        a_world_of_one_cell_has_a_path,
        no_path_is_an_answer_and_a_path_comes_again,
        a_diagonal_needs_both_cells_beside_it,
        four_neighbors_know_no_diagonal,
        a_wrapped_world_is_crossed_at_its_seams,
        a_cost_is_length_times_mean_factor_over_the_unit,
        of_several_goals_the_cheapest_wins_its_offset_included,
        a_single_goal_with_an_offset_is_a_set_of_one,
        the_greatest_offset_overflows_nothing,
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
    return rp_suite_run("contract", tests, sizeof tests / sizeof tests[0], rp_contestant_count(),
                        tear_down);
}
