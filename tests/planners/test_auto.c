/// AUTO: whom it chooses when, and that it says so. That answers are right is the oracle's business
/// (test_oracle.c); each plan here is judged all the same.
#include <string.h>

#include "tests/support/drawing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/trial.h"

#define SIDE 100u

static rp_trial_t trial;
static rp_random_t rng;

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

static void plan(void)
{
    const char *complaint = rp_trial_plan(&trial, UINT64_MAX);
    ck_assert_msg(complaint == NULL, "%s", complaint);
}

/// A quarter blocked, the ends far apart.
static void make_world(uint8_t neighbors)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = neighbors, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_init(&trial, "auto", NULL), RP_OK);
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    rng = (rp_random_t){5};
    rp_trial_set_start(&trial, 1, 1);
    rp_trial_set_goal(&trial, SIDE - 2u, SIDE - 2u);
    for (uint32_t i = 0; i < SIDE * SIDE / 4u; i++) {
        const uint32_t x = rp_random_below(&rng, SIDE);
        const uint32_t y = rp_random_below(&rng, SIDE);
        if ((x > 3 || y > 3) && (x < SIDE - 4u || y < SIDE - 4u)) {
            rp_trial_set(&trial, x, y, 0);
        }
    }
    plan();
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
}

/// A cell in the middle of the path that is there now.
static rp_cell_t middle_of_path(void)
{
    return trial.plan.path.cells[trial.plan.path.count / 2u];
}

static void flip(rp_cell_t cell, uint8_t factor)
{
    rp_trial_set(&trial, rp_grid_x(trial.grid, cell), rp_grid_y(trial.grid, cell), factor);
}

START_TEST(auto_floods_first_and_says_so)
{
    make_world(8);
    ck_assert_str_eq(trial.plan.stats.planner, "jps");
    ck_assert_str_eq(trial.plan.stats.why, "first");
}
END_TEST

START_TEST(auto_searches_nothing_when_the_path_proves_itself)
{
    make_world(8);
    // The corners beside the straight way: no path of this cost can run through them.
    rp_trial_set(&trial, SIDE - 1u, 0, 0);
    rp_trial_set(&trial, 0, SIDE - 1u, 0);
    plan();
    ck_assert_uint_eq(trial.plan.stats.expanded, 0);
    ck_assert_str_eq(trial.plan.stats.why, "the path proves itself");
}
END_TEST

START_TEST(auto_turns_to_repair_when_small_batches_go_on)
{
    make_world(_i == 0 ? 4 : 8);
    bool has_repaired = false;
    for (int i = 0; i < 400 && !has_repaired; i++) {
        const rp_cell_t cell = middle_of_path();
        flip(cell, 0);
        plan();
        flip(cell, 1);
        plan();
        has_repaired = strcmp(trial.plan.stats.planner, "cert") == 0;
    }
    ck_assert(has_repaired);
}
END_TEST

START_TEST(auto_chooses_the_same_in_a_replay)
{
    char first[200][16];
    for (int round = 0; round < 2; round++) {
        make_world(8);
        for (int i = 0; i < 200; i++) {
            const rp_cell_t cell = middle_of_path();
            flip(cell, i % 2 == 0 ? 0 : 1);
            if (i % 5 == 0) {
                rp_trial_set(&trial, rp_random_below(&rng, SIDE - 10u) + 5u,
                             rp_random_below(&rng, SIDE - 10u) + 5u, 1);
            }
            plan();
            if (trial.plan.outcome != RP_OUTCOME_FOUND) {
                break;
            }
            if (round == 0) {
                strcpy(first[i], trial.plan.stats.planner);
            } else {
                ck_assert_str_eq(first[i], trial.plan.stats.planner);
            }
        }
        rp_trial_fini(&trial);
    }
    ck_assert_int_eq(rp_trial_init(&trial, "auto", NULL), RP_OK);
}
END_TEST

START_TEST(auto_knows_several_goals)
{
    ck_assert_int_eq(rp_trial_init(&trial, "auto", NULL), RP_OK);
    ck_assert(rp_drawing_try("G..#....\n"
                             "...#.S..\n"
                             "...#....\n"
                             "........\n"
                             ".......G",
                             8, false, &trial));
    plan();
    ck_assert_str_eq(trial.plan.stats.why, "several goals");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        auto_floods_first_and_says_so,
        auto_searches_nothing_when_the_path_proves_itself,
        auto_turns_to_repair_when_small_batches_go_on,
        auto_chooses_the_same_in_a_replay,
        auto_knows_several_goals,
    };
    return rp_suite_run("auto", tests, sizeof tests / sizeof tests[0], 2, tear_down);
}
