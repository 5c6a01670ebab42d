/// AFA*: what changes cost by where they are, and the mistakes that levels and low water invite.
/// Every plan is judged by the oracle too, and its invariants are checked.
#include "planners/grid/cost.h"
#include "tests/support/drawing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE 100u

static rp_trial_t trial;
static rp_random_t rng;

static void begin(void)
{
    ck_assert_int_eq(rp_trial_init(&trial, "afa", NULL), RP_OK);
    rng = (rp_random_t){17};
}

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

static uint8_t draw_ground(uint32_t dearest)
{
    return (uint8_t)rp_random_between(&rng, 1, dearest);
}

/// SIDE x SIDE, so many of 100 cells blocked, factors up to `dearest`; the ends in opposite
/// corners. The first plan is made.
static void make_world(uint8_t neighbors, uint32_t blocked_percent, uint32_t dearest)
{
    begin();
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = neighbors, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
        const bool is_blocked = rp_random_chance(&rng, blocked_percent);
        rp_trial_set(&trial, place % SIDE, place / SIDE, is_blocked ? 0 : draw_ground(dearest));
    }
    rp_trial_set(&trial, 0, 0, (uint8_t)dearest); // costs are scaled once
    rp_trial_set_start(&trial, 5, 5);
    rp_trial_set_goal(&trial, SIDE - 6u, SIDE - 6u);
    rp_trial_set(&trial, 5, 5, 1);
    rp_trial_set(&trial, SIDE - 6u, SIDE - 6u, 1);
    rp_trial_expect_plan(&trial);
}

/// Rewrite a cell at most 8 cells from (x, y), but no end.
static void write_near(uint32_t x, uint32_t y, uint32_t dearest)
{
    x += rp_random_below(&rng, 17) - 8u;
    y += rp_random_below(&rng, 17) - 8u;
    const uint32_t place = y * SIDE + x;
    if (x < SIDE && y < SIDE && place != trial.start && place != trial.goals[0].place) {
        rp_trial_set(&trial, x, y, rp_random_chance(&rng, 25) ? 0 : draw_ground(dearest));
    }
}

// ---- what it is for

START_TEST(changes_round_the_goal_cost_a_search_round_the_goal)
{
    make_world(_i == 0 ? 4 : 8, 20, 1);
    uint64_t expanded = 0;
    for (unsigned i = 0; i < RP_ROUNDS(100u); i++) {
        for (unsigned k = 0; k < 10; k++) {
            write_near(SIDE - 6u, SIDE - 6u, 1);
        }
        expanded += rp_trial_expect_repair(&trial);
    }
    // The way to the start alone is 90 to 180 cells.
    ck_assert_uint_lt(expanded, RP_ROUNDS(100u) * 150u);
}
END_TEST

/// d is for the cheapest world so far: what goes again leaves it as it was.
START_TEST(what_comes_and_goes_costs_the_field_nothing)
{
    make_world(_i == 0 ? 4 : 8, 0, 1);
    const double cost = trial.plan.cost;
    for (uint32_t y = 30; y < 60; y++) {
        rp_trial_set(&trial, 97, y, 0);
    }
    (void)rp_trial_expect_repair(&trial);
    for (uint32_t y = 30; y < 60; y++) {
        rp_trial_set(&trial, 97, y, 1);
    }
    ck_assert_uint_lt(rp_trial_expect_repair(&trial), 250); // at most a walk along the path
    ck_assert_double_eq(trial.plan.cost, cost);
}
END_TEST

START_TEST(a_goal_that_moves_along_the_path_expands_nothing)
{
    make_world(_i == 0 ? 4 : 8, 20, 1);
    while (trial.plan.path.count > 2u) {
        const rp_cell_t cell = trial.plan.path.cells[trial.plan.path.count - 2u];
        rp_trial_set_goal(&trial, rp_grid_x(trial.grid, cell), rp_grid_y(trial.grid, cell));
        ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
    }
}
END_TEST

START_TEST(a_cell_freed_where_it_cannot_help_expands_nothing)
{
    make_world(_i == 0 ? 4 : 8, 0, 1);
    rp_trial_set(&trial, 97, 3, 0);
    (void)rp_trial_expect_repair(&trial);
    rp_trial_set(&trial, 97, 3, 1);
    ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
}
END_TEST

// ---- what goes wrong easily

/// The dear cell itself is farther from the start than both ends of the diagonal that it closes.
START_TEST(a_blocked_cell_has_the_level_of_the_diagonals_beside_it)
{
    begin();
    ck_assert(rp_drawing_try("S9\n"
                             "9G",
                             8, false, &trial));
    rp_trial_expect_plan(&trial);
    ck_assert_uint_eq(trial.plan.path.count, 2);
    rp_trial_set(&trial, 1, 0, 0);
    (void)rp_trial_expect_repair(&trial);
    ck_assert_uint_eq(trial.plan.path.count, 3);
}
END_TEST

/// Bit 0 eight neighbours, bit 1 weighted: factors between the least so far and blocked, levels of
/// cells that are raised twice, and a goal that wanders among them.
START_TEST(levels_hold_while_the_ground_and_the_goal_change)
{
    for (unsigned form = 0; form < 4; form++) {
        const uint32_t dearest = (form & 2u) != 0 ? 5 : 1;
        make_world((form & 1u) != 0 ? 8 : 4, 25, dearest);
        for (unsigned step = 0; step < RP_ROUNDS(250u); step++) {
            const uint32_t goal = trial.goals[0].place;
            write_near(goal % SIDE, goal / SIDE, dearest);
            const uint32_t y = rp_random_below(&rng, SIDE);
            write_near(rp_random_below(&rng, SIDE), y, dearest);
            if (step % 5u == 4u && trial.plan.path.count > 3u) {
                const rp_cell_t cell = trial.plan.path.cells[trial.plan.path.count - 2u];
                rp_trial_set_goal(&trial, rp_grid_x(trial.grid, cell), rp_grid_y(trial.grid, cell));
            }
            rp_trial_expect_plan(&trial);
        }
        tear_down();
    }
    begin();
}
END_TEST

/// A wall that stays makes d of the cheapest world so far a poor guide: in the end it is built
/// anew.
START_TEST(a_field_that_has_aged_is_built_anew_once)
{
    make_world(4, 0, 1);
    for (uint32_t y = 0; y + 1u < SIDE; y++) {
        rp_trial_set(&trial, 50, y, 0);
    }
    uint32_t restarts = 0;
    uint64_t last = 0;
    for (unsigned i = 0; i < 200; i++) {
        rp_trial_set(&trial, SIDE - 6u, SIDE - 7u,
                     (uint8_t)(i % 2u)); // on many paths, near the goal
        rp_trial_expect_plan(&trial);
        restarts += trial.plan.stats.restarts;
        last = trial.plan.stats.expanded;
    }
    ck_assert_uint_ge(restarts, 1);
    ck_assert_uint_le(restarts, 3);
    ck_assert_uint_lt(last, 500);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        changes_round_the_goal_cost_a_search_round_the_goal,
        what_comes_and_goes_costs_the_field_nothing,
        a_goal_that_moves_along_the_path_expands_nothing,
        a_cell_freed_where_it_cannot_help_expands_nothing,
        a_blocked_cell_has_the_level_of_the_diagonals_beside_it,
        levels_hold_while_the_ground_and_the_goal_change,
        a_field_that_has_aged_is_built_anew_once,
    };
    return rp_suite_run("afa", tests, sizeof tests / sizeof tests[0], 2, tear_down);
}
