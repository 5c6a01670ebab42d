/// @file
/// What the tests of the contract share: each planner of the registry in every form, each plan
/// judged by the oracle.
#ifndef REPLAN_TESTS_CONTRACT_SCENE_H
#define REPLAN_TESTS_CONTRACT_SCENE_H

#include "tests/support/contestant.h"
#include "tests/support/drawing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_contestant_t contestant;
static rp_trial_t trial;

/// The contestant of this round. Check forks, so each test has its own.
static inline void begin(int index)
{
    ck_assert(rp_contestant_at((size_t)index, &contestant));
    ck_assert_int_eq(rp_trial_init(&trial, contestant.info->id, &contestant.options), RP_OK);
}

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

static inline bool can(uint32_t capability)
{
    return (contestant.info->capabilities & capability) == capability;
}

/// Plan to the end in slices, and have it judged.
static inline void plan(uint64_t budget)
{
    const char *complaint = rp_trial_plan(&trial, budget);
    ck_assert_msg(complaint == NULL, "%s: %s", contestant.name, complaint);
}

static inline void plan_for(rp_outcome_t outcome)
{
    plan(UINT64_MAX);
    ck_assert_msg(trial.plan.outcome == outcome, "%s: %s", contestant.name,
                  rp_outcome_text(trial.plan.outcome));
}

static inline void plan_for_cost(double cost)
{
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_double_eq_tol(trial.plan.cost, cost, 1e-9);
}

static inline void plan_for_nothing(void)
{
    plan(UINT64_MAX);
    ck_assert_msg(trial.plan.stats.expanded == 0, "%s expands %lu cells for nothing",
                  contestant.name, (unsigned long)trial.plan.stats.expanded);
}

/// A world of scattered blocked cells, ends in two corners.
static inline void scatter(rp_grid_shape_t shape, uint32_t blocked_percent, uint64_t seed)
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
static inline uint8_t neighbors(void)
{
    return can(RP_CAN_8) ? 8 : 4;
}

/// A drawing of `neighbors()` that every planner can plan in.
static inline void draw(const char *text)
{
    ck_assert(rp_drawing_try(text, neighbors(), false, &trial));
}

/// Squares of so many cells with `neighbors()`, as scatter() has it.
static inline void scatter_square(uint32_t side, uint32_t blocked_percent, uint64_t seed)
{
    scatter((rp_grid_shape_t){.width = side, .height = side, .neighbors = neighbors()},
            blocked_percent, seed);
}

/// One cell becomes another, and a plan follows.
static inline void set_for(uint32_t x, uint32_t y, uint8_t factor, rp_outcome_t outcome)
{
    rp_trial_set(&trial, x, y, factor);
    plan_for(outcome);
}

static inline void set_for_cost(uint32_t x, uint32_t y, uint8_t factor, double cost)
{
    rp_trial_set(&trial, x, y, factor);
    plan_for_cost(cost);
}

#endif
