/// @file
/// What tests of the reference begin with.
#ifndef REPLAN_TESTS_ENGINE_PATHS_ESCAPING_H
#define REPLAN_TESTS_ENGINE_PATHS_ESCAPING_H

#include <string.h>

#include "tests/engine/paths/escape_drawing.h"
#include "tests/support/suite.h"

#define SQRT2 1.4142135623730951

static rp_escape_drawing_t drawing;
static rp_escape_decision_t decision;

static void draw(const char *text)
{
    rp_escape_draw(&drawing, text);
}

static void resolve(void)
{
    rp_escape_resolve(&drawing.world, &drawing.question, &decision);
}

static void expect_outcome(rp_answer_outcome_t outcome)
{
    resolve();
    ck_assert_int_eq(decision.outcome, outcome);
    if (outcome != RP_ANSWER_FOUND) {
        ck_assert_uint_eq(decision.end, decision.cell);
        ck_assert_double_eq(decision.way_m, 0.0);
    }
}

static void expect_end(uint32_t x, uint32_t y, uint32_t straights, uint32_t diagonals, double cost)
{
    expect_outcome(RP_ANSWER_FOUND);
    ck_assert_uint_eq(decision.end % drawing.world.width, x);
    ck_assert_uint_eq(decision.end / drawing.world.width, y);
    ck_assert_uint_eq(decision.way.straights, straights);
    ck_assert_uint_eq(decision.way.diagonals, diagonals);
    ck_assert_double_eq_tol(decision.way_m, straights + diagonals * SQRT2, 1e-12);
    ck_assert_double_eq_tol(decision.cost, cost, 1e-12);
}

static const char *judge_way(const char *steps)
{
    uint8_t directions[16];
    const size_t count = strlen(steps);
    for (size_t i = 0; i < count; i++) {
        directions[i] = (uint8_t)(steps[i] - '0');
    }
    resolve();
    return rp_escape_judge_way(&drawing.world, &drawing.question, &decision, decision.cell,
                               directions, count);
}

#endif
