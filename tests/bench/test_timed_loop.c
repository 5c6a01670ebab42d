/// A sprint: every step is played and stamped, and what it found is what is found again apart.
#include <stdlib.h>

#include "bench/measure/comparison.h"
#include "bench/measure/harness.h"
#include "bench/measure/timed_loop.h"
#include "tests/support/suite.h"

#define SIDE  40u
#define STEPS 200u

static rp_trace_t trace;
static rp_grid_t *grid;
static rp_planner_t *planner;
static rp_change_t *changes;
static rp_timed_loop_step_t steps[STEPS];

/// Cells come and go between two corners.
static void begin(const char *id)
{
    static uint8_t factors[SIDE * SIDE];
    const rp_grid_shape_t shape = {SIDE, SIDE, 4, false, 1, 1};
    uint64_t random = 7;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        factors[i] = i == 0 || i + 1u == SIDE * SIDE || rp_bench_below(&random, 4) != 0;
    }
    rp_trace_init(&trace, &shape, factors);
    trace.sprints = true;
    trace.idles = true;
    trace.idles_always = true;
    grid = rp_trace_grid(&trace);
    const rp_cell_t last = rp_grid_cell(grid, SIDE - 1u, SIDE - 1u);
    const rp_cell_t first = rp_grid_cell(grid, 0, 0);
    for (uint32_t i = 0; i < STEPS; i++) {
        const uint32_t y = 1u + rp_bench_below(&random, SIDE - 2u);
        const rp_cell_t cell = rp_grid_cell(grid, 1u + rp_bench_below(&random, SIDE - 2u), y);
        rp_trace_toggle(&trace, cell);
        rp_trace_step(&trace, first, last, 0);
    }
    changes = rp_trace_changes(&trace, grid);
    ck_assert_int_eq(rp_planner_new(id, NULL, &planner), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, grid), RP_OK);
}

static void tear_down(void)
{
    rp_planner_destroy(&planner);
    rp_grid_destroy(&grid);
    rp_trace_fini(&trace);
    free(changes);
    changes = NULL;
}

static void play(uint32_t every)
{
    const rp_timed_loop_rules_t rules = {
        .tick_ns = rp_bench_tick_ns(), .every = every, .idles = true};
    ck_assert_int_eq(rp_timed_loop_play(planner, grid, &trace, changes, &rules, steps), RP_OK);
}

START_TEST(what_a_loop_finds_is_found_again_apart)
{
    begin("auto");
    play(0);
    rp_grid_t *again = rp_trace_grid(&trace);
    rp_planner_t *second;
    unsigned digests = 0;
    ck_assert_int_eq(rp_planner_new("auto", NULL, &second), RP_OK);
    ck_assert_int_eq(rp_planner_bind(second, again), RP_OK);
    for (uint32_t i = 0; i < STEPS; i++) {
        rp_plan_t plan;
        uint64_t budget = UINT64_MAX;
        rp_grid_write(again, &changes[i], 1);
        ck_assert_int_eq(rp_planner_apply(second, &changes[i], 1), RP_OK);
        ck_assert_int_eq(rp_planner_set_start(second, trace.steps[i].start), RP_OK);
        ck_assert_int_eq(rp_planner_set_goal(second, trace.steps[i].goal), RP_OK);
        ck_assert_int_eq(rp_planner_plan(second, UINT64_MAX, &plan), RP_OK);
        (void)rp_planner_idle(second, &budget);
        ck_assert(rp_timed_loop_agrees(&steps[i], &plan));
        digests += steps[i].digest != 0;
    }
    ck_assert_uint_ge(digests, STEPS / 64u);
    rp_planner_destroy(&second);
    rp_grid_destroy(&again);
}
END_TEST

START_TEST(another_cost_or_another_path_does_not_agree)
{
    rp_cell_t cells[3] = {1, 2, 3};
    const rp_plan_t plan = {.cost = 2.0, .path = {cells, 3}};
    const rp_timed_loop_step_t same = {.cost = 2.0, .cells = 3};
    const rp_timed_loop_step_t dearer = {.cost = 3.0, .cells = 3};
    const rp_timed_loop_step_t shorter = {.cost = 2.0, .cells = 2};
    const rp_timed_loop_step_t other = {.cost = 2.0, .cells = 3, .digest = 1};
    ck_assert(rp_timed_loop_agrees(&same, &plan));
    ck_assert(!rp_timed_loop_agrees(&dearer, &plan));
    ck_assert(!rp_timed_loop_agrees(&shorter, &plan));
    ck_assert(!rp_timed_loop_agrees(&other, &plan));
}
END_TEST

START_TEST(a_match_plays_it_apart_too_and_compares)
{
    static const rp_contender_t contenders[] = {
        {.name = "A*", .id = "astar"},
        {.name = "LPA*", .id = "lpa", .every = 7},
        {.name = "CERT", .id = "cert"},
    };
    static rp_comparison_t match;
    begin("astar");
    rp_comparison_open(&match, contenders, 3);
    ck_assert(rp_comparison_play(&match, &trace, "row"));
    ck_assert_uint_eq(match.differences, 0);
    for (size_t who = 0; who < 3; who++) {
        ck_assert(rp_comparison_plays(&match, who)[STEPS - 1u].apart_ns > 0.0);
    }
    rp_comparison_close(&match);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_a_loop_finds_is_found_again_apart,
        another_cost_or_another_path_does_not_agree,
        a_match_plays_it_apart_too_and_compares,
    };
    return rp_suite_run("sprint", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
