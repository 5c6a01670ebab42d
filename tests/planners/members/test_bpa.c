/// What `bpa` keeps between plans: its map of free bits, through changes one by one and by the
/// thousand. That its paths are right is the oracle's business, and once more on worlds as wide as
/// words and tiles are.
#include "planners/papers/papers.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/trial.h"

#define ROUNDS 6u

static rp_trial_t trial;
static rp_random_t rng;

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

static void begin(uint32_t width, uint32_t height, uint8_t neighbors, uint64_t seed)
{
    const rp_grid_shape_t shape = {
        .width = width, .height = height, .neighbors = neighbors, .unit = 1, .least = 1};
    rng = (rp_random_t){seed};
    if (trial.planner == NULL) {
        ck_assert_int_eq(rp_trial_init(&trial, "bpa", NULL), RP_OK);
    }
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
}

static void plan(uint64_t budget)
{
    const char *complaint = rp_trial_plan(&trial, budget);
    ck_assert_msg(complaint == NULL, "%s", complaint);
    ck_assert_uint_eq(trial.plan.stats.restarts, 0);
    ck_assert(rp_planner_check(trial.planner));
}

/// Rewrite so many places, start and goal left free.
static void rewrite(uint32_t places, uint32_t blocked)
{
    const uint32_t width = trial.grid->shape.width;
    const uint32_t height = trial.grid->shape.height;
    for (uint32_t i = 0; i < places; i++) {
        const uint32_t place = rp_random_below(&rng, width * height);
        const bool is_end = place == trial.start || place == trial.goals[0].place;
        rp_trial_set(&trial, place % width, place / width,
                     !is_end && rp_random_chance(&rng, blocked) ? 0 : 1);
    }
}

START_TEST(the_map_follows_batches_of_every_size)
{
    static const uint32_t batches[] = {1, 3, 20, 150, 400, 1500, 6000};
    begin(130, 97, _i % 2 == 0 ? 4 : 8, 5u + (uint64_t)_i);
    rp_trial_set_start(&trial, 5, 90);
    rp_trial_set_goal(&trial, 120, 8);
    rewrite(12000, 35);
    plan(UINT64_MAX);
    for (int round = 0; round < 21; round++) {
        rewrite(batches[round % 7], 35);
        plan(round % 3 == 0 ? 40 : UINT64_MAX);
    }
}
END_TEST

START_TEST(worlds_may_be_as_wide_as_words_and_tiles_are)
{
    static const uint32_t sides[] = {1, 63, 64, 65, 127, 128, 129};
    static const uint32_t at[][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    for (size_t across = 0; across < 7; across++) {
        for (size_t down = (size_t)_i; down < 7; down += ROUNDS) {
            begin(sides[across], sides[down], across % 2u == 0 ? 4 : 8, across * 7u + down);
            rewrite(sides[across] * sides[down] / 2u, 40);
            for (size_t corner = 0; corner < 4; corner++) {
                const uint32_t x = at[corner][0] * (sides[across] - 1u);
                const uint32_t y = at[corner][1] * (sides[down] - 1u);
                rp_trial_set_goal(&trial, x, y);
                rp_trial_set(&trial, x, y, 1);
                const uint32_t row = rp_random_below(&rng, sides[down]);
                rp_trial_set_start(&trial, rp_random_below(&rng, sides[across]), row);
                plan(UINT64_MAX);
                rp_trial_set_start(&trial, x, y);
                plan(UINT64_MAX);
            }
        }
    }
}
END_TEST

/// Rewrite so many places near the goal, the goal left free.
static void rewrite_round_goal(uint32_t places, uint32_t radius)
{
    const uint32_t width = trial.grid->shape.width;
    for (uint32_t i = 0; i < places; i++) {
        const uint32_t goal = trial.goals[0].place;
        const uint32_t x = goal % width + rp_random_below(&rng, 2u * radius + 1u) - radius;
        const uint32_t y = goal / width + rp_random_below(&rng, 2u * radius + 1u) - radius;
        if (x < width && y < trial.grid->shape.height && y * width + x != goal) {
            rp_trial_set(&trial, x, y, rp_random_chance(&rng, 25) ? 0 : 1);
        }
    }
}

START_TEST(changes_round_the_goal_leave_the_rest_still)
{
    begin(220, 110, 4, 40u + (uint64_t)_i);
    rp_trial_set_start(&trial, 4, 15u * (uint32_t)_i + 4u);
    rp_trial_set_goal(&trial, 190, 60);
    rewrite(30000, 25);
    plan(UINT64_MAX);
    const uint64_t whole = trial.plan.stats.expanded;
    uint64_t least = whole;
    for (int round = 0; round < 24; round++) {
        if (round == 11) {
            rp_trial_set_start(&trial, 8, 15u * (uint32_t)_i + 4u);
            rp_trial_set(&trial, 8, 15u * (uint32_t)_i + 4u, 1);
        } else if (round % 8 == 7) {
            rewrite(40, 25);
        } else {
            rewrite_round_goal(30, 12);
        }
        plan(round % 3 == 0 ? 40 : UINT64_MAX);
        least = trial.plan.stats.expanded < least ? trial.plan.stats.expanded : least;
    }
    ck_assert_uint_lt(least, whole / 2u);
}
END_TEST

/// An answer without a path comes between, and no path is what the next one leaves standing.
START_TEST(a_wall_round_the_goal_comes_and_goes)
{
    begin(220, 110, _i % 2 == 0 ? 4 : 8, 70u + (uint64_t)_i);
    rp_trial_set_start(&trial, 4, 15u * (uint32_t)_i + 4u);
    rp_trial_set_goal(&trial, 190, 60);
    rewrite(30000, 20);
    plan(UINT64_MAX);
    for (int round = 0; round < 12; round++) {
        for (uint32_t place = 0; place < 4; place++) {
            static const uint32_t at[4][2] = {{191, 60}, {190, 61}, {189, 60}, {190, 59}};
            rp_trial_set(&trial, at[place][0], at[place][1], round % 3 == 2 ? 0 : 1);
        }
        plan(UINT64_MAX);
        ck_assert(round % 3 != 2 || trial.plan.outcome == RP_OUTCOME_NO_PATH);
    }
}
END_TEST

START_TEST(a_goal_that_is_walled_in_costs_no_flood)
{
    begin(200, 120, _i % 2 == 0 ? 4 : 8, 3);
    rp_trial_set_start(&trial, 100, 60);
    rp_trial_set_goal(&trial, 5, 5);
    plan(UINT64_MAX);
    const uint32_t side = 1u + (uint32_t)_i; // cells of the small component, both ways
    for (uint32_t i = 0; i < side; i++) {
        rp_trial_set(&trial, 5u + side, 5u + i, 0);
        rp_trial_set(&trial, 5u + i, 5u + side, 0);
        rp_trial_set(&trial, 4, 5u + i, 0);
        rp_trial_set(&trial, 5u + i, 4, 0);
    }
    plan(_i == 0 ? 1 : UINT64_MAX);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
    ck_assert(side * side > 32u || trial.plan.stats.expanded == 1);
    rp_trial_set(&trial, 5u + side, 5, 1);
    plan(UINT64_MAX);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
    rp_trial_set_start(&trial, 5, 5u + (side > 1u ? 1u : 0u)); // in the small component itself
    rp_trial_set(&trial, 5u + side, 5, 0);
    plan(UINT64_MAX);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
}
END_TEST

/// Nothing but f = h: one layer, and a step of the search for each 64 cells at most.
START_TEST(open_ground_is_one_layer)
{
    begin(200, 200, 4, 1);
    rp_trial_set_start(&trial, 190, 3);
    rp_trial_set_goal(&trial, 7, 181);
    plan(UINT64_MAX);
    ck_assert_uint_eq(rp_papers_stats(trial.planner).iterations, 1);
    ck_assert_uint_eq(trial.plan.path.count, 183u + 178u + 1u);
    ck_assert_uint_le(trial.plan.stats.expanded, 179u * 4u + 4u * 4u);
}
END_TEST

/// Detours of all lengths, up to the walk: a comb, whose gaps lie at either end in turns.
START_TEST(with_8_neighbours_a_way_may_be_as_long_as_it_likes)
{
    begin(90, 60, 8, 1);
    rp_trial_set_start(&trial, 0, 30);
    rp_trial_set_goal(&trial, 88, 30);
    for (uint32_t x = 1; x < 88; x += 2u) {
        for (uint32_t y = 0; y < 60; y++) {
            rp_trial_set(&trial, x, y, y == (x % 4u == 1u ? 0u : 59u));
        }
    }
    plan(_i % 2 == 0 ? UINT64_MAX : 7);
    ck_assert_uint_gt(trial.plan.path.count, 44u * 58u);
}
END_TEST

START_TEST(weights_are_refused)
{
    begin(10, 10, _i % 2 == 0 ? 4 : 8, 1);
    rp_trial_set_start(&trial, 0, 0);
    rp_trial_set_goal(&trial, 9, 9);
    plan(UINT64_MAX);
    rp_grid_set(trial.grid, rp_grid_cell(trial.grid, 4, 4), 2);
    ck_assert_int_eq(rp_planner_bind(trial.planner, trial.grid), RP_E_UNSUPPORTED);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_map_follows_batches_of_every_size,
        worlds_may_be_as_wide_as_words_and_tiles_are,
        changes_round_the_goal_leave_the_rest_still,
        a_wall_round_the_goal_comes_and_goes,
        a_goal_that_is_walled_in_costs_no_flood,
        open_ground_is_one_layer,
        with_8_neighbours_a_way_may_be_as_long_as_it_likes,
        weights_are_refused,
    };
    return rp_suite_run("bpa", tests, sizeof tests / sizeof tests[0], ROUNDS, tear_down);
}
