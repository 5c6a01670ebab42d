/// A match: a plan that takes too long is stopped, said to be so, and what comes after it is
/// played.
#include "bench/measure/comparison.h"
#include "bench/measure/score_table.h"
#include "tests/support/suite.h"

#define SIDE 300u

static const rp_contender_t contenders[] = {
    {.name = "A*", .id = "astar"},
    {.name = "ME-IDA*", .id = "me-ida", .timeout_ms = 5},
};

static rp_comparison_t match;
static rp_trace_t trace;

/// A search round a wall that leaves a gap far off: f takes thousands of values on the way, and
/// ME-IDA* begins anew for each. Then one that is over at once.
static void begin(void)
{
    static uint8_t factors[SIDE * SIDE];
    const rp_grid_shape_t shape = {SIDE, SIDE, 8, false, 1, 1};
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        factors[i] = i % SIDE != SIDE / 2u || i / SIDE == SIDE - 1u;
    }
    rp_trace_init(&trace, &shape, factors);
    rp_grid_t *grid = rp_trace_grid(&trace);
    const rp_cell_t corner = rp_grid_cell(grid, 0, 0);
    rp_trace_step(&trace, corner, rp_grid_cell(grid, SIDE - 1u, 0), 0);
    rp_trace_step(&trace, corner, rp_grid_cell(grid, 2, 0), 0);
    rp_grid_destroy(&grid);
    rp_comparison_open(&match, contenders, 2);
}

static void tear_down(void)
{
    rp_comparison_close(&match);
    rp_trace_fini(&trace);
}

START_TEST(a_plan_that_takes_too_long_is_stopped_and_the_next_one_played)
{
    begin();
    ck_assert(rp_comparison_play(&match, &trace, "wall"));
    const rp_play_t *astar = rp_comparison_plays(&match, 0);
    const rp_play_t *ida = rp_comparison_plays(&match, 1);
    ck_assert_uint_eq(match.step_count, 2);
    ck_assert(!astar[0].timed_out);
    ck_assert(ida[0].timed_out);
    ck_assert_uint_ge(ida[0].ns, 4000000u);
    ck_assert(!ida[1].timed_out);
    ck_assert_uint_eq(ida[1].cost, astar[1].cost);
    ck_assert_uint_eq(match.differences, 0);
}
END_TEST

START_TEST(a_plan_that_was_stopped_counts_as_timeout_and_as_nothing_else)
{
    begin();
    ck_assert(rp_comparison_play(&match, &trace, "wall"));
    const rp_score_t stopped = rp_score_of(&rp_comparison_plays(&match, 1)[0], 1);
    const rp_score_t played = rp_score_of(&rp_comparison_plays(&match, 1)[1], 1);
    for (int i = 0; i < RP_SCORE_COUNT; i++) {
        ck_assert_double_eq(stopped.of[i], i == RP_SCORE_TIMEOUTS ? 1.0 : 0.0);
    }
    ck_assert_double_eq(played.of[RP_SCORE_TIMEOUTS], 0.0);
    ck_assert_double_eq(played.of[RP_SCORE_STEPS], 1.0);
}
END_TEST

START_TEST(a_contender_that_is_asked_for_plays_beside_the_first)
{
    static const rp_contender_t three[] = {
        {.name = "A*", .id = "astar"},
        {.name = "Fringe", .id = "fringe"},
        {.name = "LPA*", .id = "lpa"},
    };
    rp_comparison_open_only(&match, three, 3, "LPA*");
    ck_assert_uint_eq(match.count, 2);
    ck_assert_uint_eq(rp_comparison_find(&match, "A*"), 0);
    ck_assert_uint_eq(rp_comparison_find(&match, "LPA*"), 1);
    ck_assert_uint_eq(rp_comparison_find(&match, "Fringe"), RP_CONTENDERS_MAX);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_plan_that_takes_too_long_is_stopped_and_the_next_one_played,
        a_plan_that_was_stopped_counts_as_timeout_and_as_nothing_else,
        a_contender_that_is_asked_for_plays_beside_the_first,
    };
    return rp_suite_run("match", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
