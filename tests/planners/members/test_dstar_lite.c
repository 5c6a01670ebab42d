/// D* Lite: what a step of the start costs, what it keeps, and when it has to begin anew. That
/// answers are right is the oracle's business (test_oracle.c); each plan here is judged all the
/// same.
#include <string.h>

#include "planners/grid/cost.h"
#include "tests/support/drawing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE  60u
#define SIGHT 5

static rp_trial_t trial;
static rp_random_t rng;

static void begin(void)
{
    ck_assert_int_eq(rp_trial_init(&trial, "dstar-lite", NULL), RP_OK);
    rng = (rp_random_t){31};
}

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

static bool is_end(uint32_t place)
{
    return place == trial.start || place == trial.goals[0].place;
}

/// 60 x 60, a quarter blocked, ends in two corners. @return the expansions of the first plan
static uint64_t make_world(uint8_t neighbors, bool wraps)
{
    const rp_grid_shape_t shape = {.width = SIDE,
                                   .height = SIDE,
                                   .neighbors = neighbors,
                                   .wraps = wraps,
                                   .unit = 1,
                                   .least = 1};
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    rp_trial_set_start(&trial, 2, 2);
    rp_trial_set_goal(&trial, SIDE - 20u, SIDE - 20u);
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
        if (!is_end(place) && rp_random_chance(&rng, 25)) {
            rp_trial_set(&trial, place % SIDE, place / SIDE, 0);
        }
    }
    rp_trial_expect_plan(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
    return trial.plan.stats.expanded;
}

/// One cell on, along the path of the last plan.
static void walk(void)
{
    ck_assert_uint_gt(trial.plan.path.count, 1);
    const rp_cell_t next = trial.plan.path.cells[1];
    rp_trial_set_start(&trial, rp_grid_x(trial.grid, next), rp_grid_y(trial.grid, next));
}

START_TEST(a_walk_along_the_path_expands_nothing)
{
    begin();
    (void)make_world(_i % 2 == 0 ? 4 : 8, _i >= 2);
    while (trial.plan.path.count > 1) {
        rp_cell_t rest[SIDE * SIDE];
        const uint32_t count = trial.plan.path.count - 1u;
        memcpy(rest, trial.plan.path.cells + 1, count * sizeof *rest);
        walk();
        ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
        ck_assert_uint_eq(trial.plan.path.count, count);
        ck_assert_int_eq(memcmp(rest, trial.plan.path.cells, count * sizeof *rest), 0);
    }
}
END_TEST

START_TEST(a_wall_before_the_start_is_repaired_there)
{
    begin();
    const uint64_t first = make_world(_i % 2 == 0 ? 4 : 8, _i >= 2);
    uint64_t expanded = 0;
    for (int step = 0; step < 10; step++) {
        const rp_cell_t ahead = trial.plan.path.cells[2];
        const uint32_t x = rp_grid_x(trial.grid, ahead);
        const uint32_t y = rp_grid_y(trial.grid, ahead);
        rp_trial_set(&trial, x, y, 0);
        expanded += rp_trial_expect_repair(&trial);
        rp_trial_set(&trial, x, y, 1);
        expanded += rp_trial_expect_repair(&trial);
        walk();
    }
    ck_assert_uint_gt(expanded, 0);
    ck_assert_uint_lt(expanded, 4u * first); // twenty plans
}
END_TEST

START_TEST(the_start_may_jump_anywhere)
{
    begin();
    (void)make_world(_i % 2 == 0 ? 4 : 8, _i >= 2);
    for (int jump = 0; jump < 100; jump++) {
        const uint32_t x = rp_random_below(&rng, SIDE);
        const uint32_t y = rp_random_below(&rng, SIDE);
        const uint32_t row = rp_random_below(&rng, SIDE);
        rp_trial_set_start(&trial, rp_random_below(&rng, SIDE), row);
        if (y * SIDE + x != trial.goals[0].place) {
            rp_trial_set(&trial, x, y, rp_random_chance(&rng, 25) ? 0 : 1);
        }
        (void)rp_trial_expect_repair(&trial);
    }
}
END_TEST

/// What an agent without a map sees of the truth.
static void look_around(const uint8_t *truth)
{
    const int x = (int)(trial.start % SIDE);
    const int y = (int)(trial.start / SIDE);
    for (int dy = -SIGHT; dy <= SIGHT; dy++) {
        for (int dx = -SIGHT; dx <= SIGHT; dx++) {
            if (rp_grid_contains(trial.grid, x + dx, y + dy)) {
                const uint32_t seen_x = (uint32_t)(x + dx);
                const uint32_t seen_y = (uint32_t)(y + dy);
                rp_trial_set(&trial, seen_x, seen_y, truth[seen_y * SIDE + seen_x]);
            }
        }
    }
}

/// Walk to the goal through unknown ground, taken for free until it is seen.
/// @return expansions of the whole trip
static uint64_t explore(uint8_t neighbors, const uint8_t *truth)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = neighbors, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    rp_trial_set_start(&trial, 0, 0);
    rp_trial_set_goal(&trial, SIDE - 1u, SIDE - 1u);
    uint64_t expanded = 0;
    for (uint32_t step = 0; step < 10u * SIDE; step++) {
        look_around(truth);
        rp_trial_expect_plan(&trial);
        expanded += trial.plan.stats.expanded;
        if (trial.plan.path.count <= 1) {
            break;
        }
        walk();
    }
    ck_assert_uint_eq(trial.plan.path.count, 1);
    return expanded;
}

START_TEST(a_trip_through_unknown_ground_costs_a_fraction_of_astar)
{
    static uint8_t truth[SIDE * SIDE];
    begin();
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
        const bool is_end_of_trip = place == 0 || place == SIDE * SIDE - 1u;
        truth[place] = is_end_of_trip || !rp_random_chance(&rng, 20);
    }
    const uint8_t neighbors = _i % 2 == 0 ? 4 : 8;
    const uint64_t ours = explore(neighbors, truth);
    tear_down();
    ck_assert_int_eq(rp_trial_init(&trial, "astar", NULL), RP_OK);
    ck_assert_uint_lt(ours, explore(neighbors, truth) / 2u);
}
END_TEST

START_TEST(k_m_starts_over_before_it_overflows)
{
    begin();
    // The dearest ground that 32 bits still hold: each jump adds 5 % of what k_m may be.
    const rp_grid_shape_t shape = {
        .width = 1000, .height = 14, .neighbors = 8, .unit = 60, .least = 60};
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    rp_trial_set(&trial, 500, 7, 63);
    rp_trial_set_goal(&trial, 500, 13);
    uint32_t restarts = 0;
    for (uint32_t jump = 0; jump < 50; jump++) {
        rp_trial_set_start(&trial, jump % 2u == 0 ? 0 : 999, 3);
        rp_trial_set(&trial, 450 + jump, 7, jump % 3u == 0 ? 0 : 63);
        rp_trial_expect_plan(&trial);
        ck_assert_uint_le(trial.plan.stats.restarts, 1);
        restarts += trial.plan.stats.restarts;
    }
    ck_assert(rp_cost_fits_32(trial.grid));
    ck_assert_uint_ge(restarts, 2);
    ck_assert_uint_le(restarts, 4);
}
END_TEST

START_TEST(the_cheapest_of_several_goals_is_met_offsets_included)
{
    begin();
    ck_assert(rp_drawing_try("...........\n"
                             "G...S.....G\n"
                             "...........",
                             _i % 2 == 0 ? 4 : 8, false, &trial));
    const uint32_t left = 11;
    const uint32_t right = 21;
    rp_trial_expect_plan(&trial);
    ck_assert_double_eq_tol(trial.plan.cost, 4.0, 1e-9);
    const rp_oracle_goal_t goals[] = {{left, 5}, {right, 2}};
    ck_assert_int_eq(rp_trial_set_goals(&trial, goals, 2), RP_OK);
    rp_trial_expect_plan(&trial);
    ck_assert_double_eq_tol(trial.plan.cost, 8.0, 1e-9); // 6 + 2 against 4 + 5
    rp_trial_set(&trial, 6, 0, 0);
    rp_trial_set(&trial, 6, 1, 0);
    (void)rp_trial_expect_repair(&trial);
    ck_assert_double_gt(trial.plan.cost, 8.0);
    rp_trial_set(&trial, 6, 2, 0);
    (void)rp_trial_expect_repair(&trial);
    ck_assert_double_eq_tol(trial.plan.cost, 9.0, 1e-9);
}
END_TEST

START_TEST(a_dear_goal_is_passed_on_the_way_to_a_cheap_one)
{
    begin();
    ck_assert(rp_drawing_try("S..G..G", _i % 2 == 0 ? 4 : 8, false, &trial));
    const rp_oracle_goal_t goals[] = {{3, 9}, {6, 1}};
    ck_assert_int_eq(rp_trial_set_goals(&trial, goals, 2), RP_OK);
    rp_trial_expect_plan(&trial);
    ck_assert_double_eq_tol(trial.plan.cost, 7.0, 1e-9);
    rp_trial_set(&trial, 5, 0, 0);
    (void)rp_trial_expect_repair(&trial);
    ck_assert_double_eq_tol(trial.plan.cost, 12.0, 1e-9);
    rp_trial_set(&trial, 5, 0, 1);
    (void)rp_trial_expect_repair(&trial);
    ck_assert_double_eq_tol(trial.plan.cost, 7.0, 1e-9);
}
END_TEST

START_TEST(worlds_that_need_wide_costs_get_the_same_answers)
{
    begin();
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = 70, .neighbors = 8, .wraps = _i >= 2, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    rp_trial_set_start(&trial, 3, 3);
    rp_trial_set_goal(&trial, 40, 50);
    rp_trial_set(&trial, 30, 30, 254);
    rp_trial_expect_plan(&trial);
    ck_assert(!rp_cost_fits_32(trial.grid));
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 40; i++) {
            const uint32_t place = rp_random_below(&rng, SIDE * 70u);
            if (!is_end(place)) {
                rp_trial_set(&trial, place % SIDE, place / SIDE,
                             (uint8_t)rp_random_below(&rng, 255));
            }
        }
        if (trial.plan.path.count > 1) {
            walk();
        }
        (void)rp_trial_expect_repair(&trial);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_walk_along_the_path_expands_nothing,
        a_wall_before_the_start_is_repaired_there,
        the_start_may_jump_anywhere,
        a_trip_through_unknown_ground_costs_a_fraction_of_astar,
        k_m_starts_over_before_it_overflows,
        the_cheapest_of_several_goals_is_met_offsets_included,
        a_dear_goal_is_passed_on_the_way_to_a_cheap_one,
        worlds_that_need_wide_costs_get_the_same_answers,
    };
    return rp_suite_run("dstar_lite", tests, sizeof tests / sizeof tests[0], 4, tear_down);
}
