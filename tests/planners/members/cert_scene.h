/// @file
/// What the tests of CERT share: worlds in which the oracle judges each plan.
#ifndef REPLAN_TESTS_CERT_SCENE_H
#define REPLAN_TESTS_CERT_SCENE_H

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

/// SIDE x SIDE, nothing blocked.
static inline void open_plain(uint8_t neighbors)
{
    rp_trial_open(&trial, "cert", SIDE, SIDE, neighbors);
    rng = (rp_random_t){31};
}

/// SIDE x SIDE, so many of 100 cells blocked, the ends in opposite corners. The first plan is made.
static inline void make_world(uint8_t neighbors, uint32_t blocked_percent)
{
    open_plain(neighbors);
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
        if (rp_random_chance(&rng, blocked_percent)) {
            rp_trial_set(&trial, place % SIDE, place / SIDE, 0);
        }
    }
    rp_trial_set_start(&trial, 5, 5);
    rp_trial_set_goal(&trial, SIDE - 6u, SIDE - 6u);
    rp_trial_set(&trial, 5, 5, 1);
    rp_trial_set(&trial, SIDE - 6u, SIDE - 6u, 1);
    rp_trial_expect_plan(&trial);
}

static inline void path_cell(uint32_t index, uint32_t *x, uint32_t *y)
{
    const rp_cell_t cell = trial.plan.path.cells[index];
    *x = rp_grid_x(trial.grid, cell);
    *y = rp_grid_y(trial.grid, cell);
}

static inline bool is_on_path(uint32_t x, uint32_t y)
{
    for (uint32_t i = 0; i < trial.plan.path.count; i++) {
        if (trial.plan.path.cells[i] == rp_grid_cell(trial.grid, x, y)) {
            return true;
        }
    }
    return false;
}

/// The repair after these changes; the planner must not start over.
static inline void repair(void)
{
    (void)rp_trial_expect_repair(&trial);
}

static inline void expect_no_search(void)
{
    ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
}

#endif
