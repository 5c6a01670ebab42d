/// @file
/// What the tests of AUTO share: a world, and words for what was planned in it.
#ifndef REPLAN_TESTS_AUTO_SCENE_H
#define REPLAN_TESTS_AUTO_SCENE_H

#include <string.h>

#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/trial.h"

#define SIDE 100u

static rp_trial_t trial;
static rp_random_t rng;

static inline void tear_down(void)
{
    rp_trial_fini(&trial);
}

/// Plan to the end; judged.
static inline void plan(void)
{
    rp_trial_expect_plan(&trial);
}

static inline bool is_by(const char *member)
{
    return strcmp(trial.plan.stats.planner, member) == 0;
}

static inline bool is_for(const char *why)
{
    return strcmp(trial.plan.stats.why, why) == 0;
}

static inline void expect_by(const char *member)
{
    ck_assert_str_eq(trial.plan.stats.planner, member);
}

static inline void expect_why(const char *why)
{
    ck_assert_str_eq(trial.plan.stats.why, why);
}

static inline void expect_no_search(void)
{
    ck_assert_uint_eq(trial.plan.stats.expanded, 0);
}

static inline void expect_no_restart(void)
{
    ck_assert_uint_eq(trial.plan.stats.restarts, 0);
}

/// A quarter blocked, the ends far apart. The first plan is made.
static inline void make_world_of(uint8_t neighbors, uint32_t side)
{
    rp_trial_open(&trial, "auto", side, side, neighbors);
    rng = (rp_random_t){5};
    rp_trial_set_start(&trial, 1, 1);
    rp_trial_set_goal(&trial, side - 2u, side - 2u);
    for (uint32_t i = 0; i < side * side / 4u; i++) {
        const uint32_t x = rp_random_below(&rng, side);
        const uint32_t y = rp_random_below(&rng, side);
        if ((x > 3 || y > 3) && (x < side - 4u || y < side - 4u)) {
            rp_trial_set(&trial, x, y, 0);
        }
    }
    plan();
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
}

static inline void make_world(uint8_t neighbors)
{
    make_world_of(neighbors, SIDE);
}

/// Nothing blocked, the ends in the middle of two sides.
static inline void make_plain(uint32_t side, uint8_t neighbors)
{
    rp_trial_open(&trial, "auto", side, side, neighbors);
    rp_trial_set_start(&trial, 1, side / 2u);
    rp_trial_set_goal(&trial, side - 2u, side / 2u);
}

/// Idle to the end. @return expansions that it took
static inline uint64_t idle(void)
{
    return rp_trial_idle(&trial);
}

/// A cell in the middle of the path that is there now.
static inline rp_cell_t middle_of_path(void)
{
    return trial.plan.path.cells[trial.plan.path.count / 2u];
}

static inline void flip(rp_cell_t cell, uint8_t factor)
{
    rp_trial_set_cell(&trial, cell, factor);
}

static inline void flip_and_plan(rp_cell_t cell, uint8_t factor)
{
    flip(cell, factor);
    plan();
}

/// One cell along the path that is there now. @return false where the next cell is its end
static inline bool walk_on(void)
{
    return trial.plan.path.count >= 3u && rp_trial_walk(&trial);
}

/// Block a free cell somewhere, but not on the path that is there now, nor beside it.
static inline void block_elsewhere(void)
{
    const uint32_t x = rp_random_below(&rng, SIDE);
    const uint32_t y = rp_random_below(&rng, SIDE);
    for (uint32_t i = 0; i < trial.plan.path.count; i++) {
        const int32_t dx = (int32_t)rp_grid_x(trial.grid, trial.plan.path.cells[i]) - (int32_t)x;
        const int32_t dy = (int32_t)rp_grid_y(trial.grid, trial.plan.path.cells[i]) - (int32_t)y;
        if (dx * dx + dy * dy <= 1) {
            return;
        }
    }
    rp_trial_set(&trial, x, y, 0);
}

/// A blocked cell becomes free and a free one blocked, near the goal or near the start.
static inline void churn_near(uint32_t x, uint32_t y, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t cell_x = x + rp_random_below(&rng, 12);
        const uint32_t cell_y = y + rp_random_below(&rng, 12);
        rp_trial_set(&trial, cell_x, cell_y, rp_random_chance(&rng, 25) ? 0 : 1);
    }
}

#endif
