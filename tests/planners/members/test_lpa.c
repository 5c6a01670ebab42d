/// LPA*: what a change costs, and that it costs nothing where it cannot matter. That answers are
/// right is the oracle's business (test_oracle.c); each plan here is judged all the same.
#include <string.h>

#include "planners/grid/cost.h"
#include "tests/support/drawing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE 100u
#define WALL 60u

static rp_trial_t trial;
static rp_random_t rng;

static void begin(void)
{
    ck_assert_int_eq(rp_trial_init(&trial, "lpa", NULL), RP_OK);
    rng = (rp_random_t){9};
}

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

/// 100 x 100, a quarter blocked, the start at the left edge, the goal at the right. A wall with its
/// only gate in a corner stands between, so that the first plan is much work.
/// @return the expansions of the first plan
static uint64_t make_world(uint8_t neighbors)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = neighbors, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
        const uint32_t x = place % SIDE;
        const bool is_wall = x == WALL && place / SIDE > 1u;
        const bool is_open = x <= 2u || x >= SIDE - 3u || (x >= WALL - 1u && x <= WALL + 1u);
        if (is_wall || (!is_open && rp_random_chance(&rng, 25))) {
            rp_trial_set(&trial, x, place / SIDE, 0);
        }
    }
    rp_trial_set_start(&trial, 1, 80);
    rp_trial_set_goal(&trial, SIDE - 2u, 80);
    rp_trial_expect_plan(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
    return trial.plan.stats.expanded;
}

START_TEST(a_change_that_the_search_never_met_costs_no_expansion)
{
    begin();
    ck_assert(rp_drawing_try("S....G......................\n"
                             "............................\n"
                             "............................",
                             _i == 0 ? 4 : 8, false, &trial));
    rp_trial_expect_plan(&trial);
    rp_trial_set(&trial, 25, 1, 0);
    ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
    rp_trial_set(&trial, 25, 1, 1);
    ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
}
END_TEST

START_TEST(a_wall_beside_the_goal_is_repaired_beside_the_goal)
{
    begin();
    const uint64_t first = make_world(_i == 0 ? 4 : 8);
    rp_trial_set(&trial, SIDE - 3u, 80, 0);
    rp_trial_set(&trial, SIDE - 2u, 79, 0);
    const uint64_t walled = rp_trial_expect_repair(&trial);
    ck_assert_uint_gt(walled, 0);
    ck_assert_uint_lt(walled, first / 2u);
    rp_trial_set(&trial, SIDE - 3u, 80, 1);
    ck_assert_uint_lt(rp_trial_expect_repair(&trial), first / 10u);
}
END_TEST

static bool is_on_path(uint32_t x, uint32_t y)
{
    for (uint32_t i = 0; i < trial.plan.path.count; i++) {
        if (trial.plan.path.cells[i] == rp_grid_cell(trial.grid, x, y)) {
            return true;
        }
    }
    return false;
}

START_TEST(a_path_stays_the_same_while_nothing_better_comes)
{
    begin();
    ck_assert(rp_drawing_try("S...\n"
                             ".##.\n"
                             ".##.\n"
                             "...G", // both ways round cost the same
                             4, false, &trial));
    rp_trial_expect_plan(&trial);
    rp_cell_t cells[7];
    ck_assert_uint_eq(trial.plan.path.count, 7);
    memcpy(cells, trial.plan.path.cells, sizeof cells);
    for (uint32_t place = 0; place < 16u; place++) {
        const uint32_t x = place % 4u;
        const uint32_t y = place / 4u;
        if (is_on_path(x, y)) {
            continue;
        }
        const uint8_t factor = rp_trial_factor(&trial, x, y);
        rp_trial_set(&trial, x, y, factor == 0);
        (void)rp_trial_expect_repair(&trial);
        ck_assert_int_eq(memcmp(cells, trial.plan.path.cells, sizeof cells), 0);
        rp_trial_set(&trial, x, y, factor);
        (void)rp_trial_expect_repair(&trial);
        ck_assert_int_eq(memcmp(cells, trial.plan.path.cells, sizeof cells), 0);
    }
}
END_TEST

START_TEST(a_path_leaves_a_diagonal_whose_corner_closes)
{
    begin();
    ck_assert(rp_drawing_try("S...\n"
                             "....\n"
                             "....\n"
                             "...G",
                             8, false, &trial));
    rp_trial_expect_plan(&trial);
    ck_assert_double_eq_tol(trial.plan.cost, 4.242640687, 1e-9);
    rp_trial_set(&trial, 2, 1, 0); // beside the diagonal from (1, 1) to (2, 2)
    (void)rp_trial_expect_repair(&trial);
    ck_assert_double_gt(trial.plan.cost, 4.5);
    rp_trial_set(&trial, 2, 1, 1);
    (void)rp_trial_expect_repair(&trial);
    ck_assert_double_eq_tol(trial.plan.cost, 4.242640687, 1e-9);
}
END_TEST

START_TEST(what_was_learnt_stays_while_there_is_no_path)
{
    begin();
    const uint64_t first = make_world(_i == 0 ? 4 : 8);
    for (uint32_t y = 0; y < SIDE; y++) {
        rp_trial_set(&trial, SIDE - 3u, y, 0);
    }
    const uint64_t closed = rp_trial_expect_repair(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
    rp_trial_set(&trial, SIDE - 1u, 3, 0); // behind the wall
    ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
    rp_trial_set(&trial, SIDE - 3u, 80, 1);
    ck_assert_uint_lt(closed + rp_trial_expect_repair(&trial), first / 2u);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
}
END_TEST

START_TEST(a_goal_that_is_walled_in_costs_a_look_round_it_until_the_wall_opens)
{
    begin();
    const uint64_t first = make_world(_i == 0 ? 4 : 8);
    for (uint32_t i = 0; i < 25u; i++) { // 3 x 3 cells stay free round the goal
        const bool is_wall = i % 5u == 0 || i % 5u == 4u || i < 5u || i >= 20u;
        rp_trial_set(&trial, SIDE - 5u + i % 5u, 78u + i / 5u, !is_wall);
    }
    rp_trial_set_goal(&trial, SIDE - 3u, 80);
    rp_trial_expect_plan(&trial); // another goal is a restart
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
    ck_assert_uint_le(trial.plan.stats.expanded, 256u + 10u); // what it takes to lose patience
    ck_assert_uint_lt(trial.plan.stats.expanded, first / 8u);
    for (uint32_t y = 0; y < 70u; y++) {
        rp_trial_set(&trial, 20, y, y % 2u); // both sorts of changes, beyond the wall
        ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
    }
    rp_trial_set(&trial, SIDE - 3u, 78, 1);
    const uint64_t opened = rp_trial_expect_repair(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
    ck_assert_uint_gt(opened, first / 2u); // the search that was spared comes now
}
END_TEST

START_TEST(changes_between_slices_are_taken_in_without_starting_over)
{
    begin();
    (void)make_world(_i == 0 ? 4 : 8);
    uint32_t slices = 0;
    for (int round = 0; round < 300; round++) {
        const uint32_t x = rp_random_between(&rng, 3, SIDE - 4u);
        const uint32_t y = rp_random_below(&rng, SIDE);
        rp_trial_set(&trial, x, y, rp_trial_factor(&trial, x, y) == 0);
        slices += rp_trial_slice(&trial, 5) == RP_MORE;
    }
    ck_assert_uint_gt(slices, 10);
    (void)rp_trial_expect_repair(&trial);
}
END_TEST

START_TEST(worlds_that_need_wide_costs_get_the_same_answers)
{
    begin();
    const rp_grid_shape_t shape = {
        .width = 64, .height = 64, .neighbors = 8, .wraps = _i == 1, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    rp_trial_set_start(&trial, 3, 3);
    rp_trial_set_goal(&trial, 40, 50);
    rp_trial_set(&trial, 30, 30, 254);
    rp_trial_expect_plan(&trial);
    ck_assert(!rp_cost_fits_32(trial.grid));
    for (int round = 0; round < 60; round++) {
        for (int i = 0; i < 40; i++) {
            const uint32_t x = rp_random_below(&rng, 64);
            const uint32_t y = rp_random_below(&rng, 64);
            const uint32_t place = y * 64u + x;
            if (place != trial.start && place != trial.goals[0].place) {
                rp_trial_set(&trial, x, y, (uint8_t)rp_random_below(&rng, 255));
            }
        }
        (void)rp_trial_expect_repair(&trial);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_change_that_the_search_never_met_costs_no_expansion,
        a_wall_beside_the_goal_is_repaired_beside_the_goal,
        a_path_stays_the_same_while_nothing_better_comes,
        a_path_leaves_a_diagonal_whose_corner_closes,
        what_was_learnt_stays_while_there_is_no_path,
        a_goal_that_is_walled_in_costs_a_look_round_it_until_the_wall_opens,
        changes_between_slices_are_taken_in_without_starting_over,
        worlds_that_need_wide_costs_get_the_same_answers,
    };
    return rp_suite_run("lpa", tests, sizeof tests / sizeof tests[0], 2, tear_down);
}
