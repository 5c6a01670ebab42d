/// The contract (planner.h): every planner of the registry, in every form, through the same table:
/// what is refused, outcomes, geometry, goals. Each plan is judged by the oracle. Slices, changes,
/// moves and idle time: test_contract_changes.c. What a planner does natively stands in
/// test_native.c.
#include <math.h>

#include "planners/papers/papers.h"
#include "tests/planners/contract_scene.h"

// ---- what is refused

START_TEST(planning_without_grid_start_or_goal_is_invalid)
{
    rp_plan_t result;
    begin(_i);
    ck_assert_int_eq(rp_planner_plan(trial.planner, UINT64_MAX, &result), RP_E_INVALID);
    ck_assert_int_eq(rp_planner_set_start(trial.planner, 11), RP_E_INVALID);
    ck_assert_int_eq(rp_planner_set_goal(trial.planner, 11), RP_E_INVALID);
    ck_assert_int_eq(rp_planner_apply(trial.planner, NULL, 0), RP_E_INVALID);
    draw("...\n...\n...");
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
    draw("S..\n...\n..G");
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
    draw("S...\n....\n...G");
    set_for(0, 0, 0, RP_OUTCOME_START_BLOCKED);
    set_for(3, 2, 0, RP_OUTCOME_START_BLOCKED);
    set_for(0, 0, 1, RP_OUTCOME_GOAL_BLOCKED);
    set_for(2, 2, 0, RP_OUTCOME_GOAL_BLOCKED);
    set_for(3, 2, 1, RP_OUTCOME_FOUND);
    set_for(0, 0, 0, RP_OUTCOME_START_BLOCKED);
    rp_trial_set_start(&trial, 1, 0);
    plan_for(RP_OUTCOME_FOUND);
}
END_TEST

START_TEST(a_start_on_the_goal_is_a_path_of_one_cell)
{
    begin(_i);
    draw("S..\n..G");
    rp_trial_set_goal(&trial, 0, 0);
    plan_for_cost(0.0);
    ck_assert_uint_eq(trial.plan.path.count, 1);
    rp_trial_set_goal(&trial, 2, 0);
    plan_for_cost(2.0);
    rp_trial_set_start(&trial, 2, 0);
    plan_for_cost(0.0);
    set_for_cost(1, 0, 0, 0.0);
    rp_trial_set_start(&trial, 0, 0);
    plan_for(RP_OUTCOME_FOUND);
}
END_TEST

START_TEST(a_world_of_one_cell_has_a_path)
{
    begin(_i);
    draw("S");
    rp_trial_set_goal(&trial, 0, 0);
    plan_for_cost(0.0);
    set_for(0, 0, 0, RP_OUTCOME_START_BLOCKED);
    set_for_cost(0, 0, 1, 0.0);
}
END_TEST

START_TEST(no_path_is_an_answer_and_a_path_comes_again)
{
    begin(_i);
    draw("S..#..\n...#..\n.....G");
    for (int round = 0; round < 5; round++) {
        plan_for(RP_OUTCOME_FOUND);
        set_for(3, 2, 0, RP_OUTCOME_NO_PATH);
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
    set_for_cost(1, 0, 0, 2.0);
    set_for(0, 1, 0, RP_OUTCOME_NO_PATH);
    set_for_cost(1, 0, 1, 2.0);
    set_for_cost(0, 1, 1, sqrt(2.0));
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
    set_for_cost(2, 0, 0, 4.0);
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
        set_for_cost(4, 0, 0, 2.0);
        rp_trial_set(&trial, 0, 4, 0);
        plan(UINT64_MAX);
        set_for_cost(4, 0, 1, 2.0);
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
        set_for_cost(1, 0, 9, 5.0 + 5.0 + 1.0);
    }
    if (rp_drawing_try("S9\n9G", 8, false, &trial)) {
        plan_for_cost(sqrt(2.0)); // cells beside a diagonal do not enter its cost
        set_for_cost(1, 1, 4, 2.5 * sqrt(2.0));
    }
}
END_TEST

// ---- several goals

START_TEST(of_several_goals_the_cheapest_wins_its_offset_included)
{
    begin(_i);
    draw("S......");
    const rp_oracle_goal_t goals[] = {{.place = 2, .offset = 5}, {.place = 6}, {.place = 5}};
    const rp_status_t status = rp_trial_set_goals(&trial, goals, 3);
    if (!can(RP_CAN_GOAL_SET)) {
        ck_assert_int_eq(status, RP_E_UNSUPPORTED);
        return;
    }
    ck_assert_int_eq(status, RP_OK);
    plan_for_cost(5.0);
    set_for_cost(4, 0, 0, 7.0);
    set_for(2, 0, 0, RP_OUTCOME_NO_PATH);
    rp_trial_set_start(&trial, 3, 0);
    plan_for(RP_OUTCOME_NO_PATH);
    set_for_cost(4, 0, 1, 2.0);
    rp_trial_set(&trial, 5, 0, 0);
    set_for(6, 0, 0, RP_OUTCOME_GOAL_BLOCKED);
    set_for_cost(2, 0, 1, 6.0);
}
END_TEST

START_TEST(a_single_goal_with_an_offset_is_a_set_of_one)
{
    begin(_i);
    draw("S...");
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
    draw("S.....");
    rp_oracle_goal_t goals[] = {{.place = 1, .offset = UINT32_MAX},
                                {.place = 5, .offset = UINT32_MAX - 3u}};
    if (rp_trial_set_goals(&trial, goals, 2) != RP_OK) {
        return;
    }
    plan_for_cost(1.0 + (double)UINT32_MAX);
    set_for(1, 0, 0, RP_OUTCOME_NO_PATH);
    rp_trial_set(&trial, 1, 0, 1);
    goals[1].offset = 0;
    ck_assert_int_eq(rp_trial_set_goals(&trial, goals, 2), RP_OK);
    plan_for_cost(5.0);
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
    };
    return rp_suite_run("contract", tests, sizeof tests / sizeof tests[0], rp_contestant_count(),
                        tear_down);
}
