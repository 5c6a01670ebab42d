/// A bout: rounds do the same work, and of each step the least stands.
#include <math.h>
#include <string.h>

#include "bench/measure/harness.h"
#include "bench/measure/paired_run.h"
#include "tests/support/suite.h"

#define SIDE  60u
#define STEPS 40u

static const rp_contender_t contenders[] = {
    {.name = "A*", .id = "astar"},
    {.name = "D* Lite", .id = "dstar-lite"},
    {.name = "auto", .id = "auto"},
};
#define WHO  3u
#define OURS 2u

static rp_comparison_t match;
static rp_paired_run_t run;

/// Cells come and go between two corners.
static void make_trace(rp_trace_t *trace, bool sprints)
{
    static uint8_t factors[SIDE * SIDE];
    const rp_grid_shape_t shape = {SIDE, SIDE, 8, false, 1, 1};
    uint64_t random = 7;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        factors[i] = i == 0 || i + 1u == SIDE * SIDE || rp_bench_below(&random, 4) != 0;
    }
    rp_trace_init(trace, &shape, factors);
    trace->sprints = sprints;
    trace->idles = true;
    trace->idles_always = true;
    rp_grid_t *grid = rp_trace_grid(trace);
    for (uint32_t i = 0; i < STEPS; i++) {
        const uint32_t y = 1u + rp_bench_below(&random, SIDE - 2u);
        rp_trace_toggle(trace, rp_grid_cell(grid, 1u + rp_bench_below(&random, SIDE - 2u), y));
        rp_trace_step(trace, rp_grid_cell(grid, 0, 0), rp_grid_cell(grid, SIDE - 1u, SIDE - 1u), 0);
    }
    rp_grid_destroy(&grid);
}

static void begin(size_t trace_count, bool sprints)
{
    rp_trace_t *traces = rp_bench_memory(NULL, trace_count, sizeof *traces);
    for (size_t i = 0; i < trace_count; i++) {
        make_trace(&traces[i], sprints);
    }
    rp_paired_run_init(&run, traces, trace_count, 1);
    rp_comparison_open(&match, contenders, WHO);
    ck_assert(rp_paired_run_play(&run, &match, "first"));
    ck_assert_uint_eq(run.differences, 0);
}

static void tear_down(void)
{
    rp_paired_run_fini(&run);
    rp_comparison_close(&match);
}

static double sum_ns(const rp_play_t *plays)
{
    double ns = 0.0;
    for (size_t i = 1; i < STEPS; i++) {
        ns += plays[i].grid_ns + plays[i].ns;
    }
    return ns;
}

START_TEST(of_each_step_stands_the_least_of_all_rounds)
{
    static rp_play_t before[STEPS];
    begin(1, false);
    memcpy(before, rp_paired_run_plays(&run, OURS), sizeof before);
    ck_assert(rp_paired_run_play(&run, &match, "second"));
    ck_assert(rp_paired_run_play(&run, &match, "third"));
    ck_assert_uint_eq(run.differences, 0);
    ck_assert_uint_eq(run.step_counts[OURS], STEPS);
    for (size_t i = 0; i < STEPS; i++) {
        ck_assert(rp_paired_run_plays(&run, OURS)[i].ns <= before[i].ns);
        ck_assert_uint_eq(rp_paired_run_plays(&run, OURS)[i].cost, before[i].cost);
    }
}
END_TEST

START_TEST(updates_of_a_loop_stand_together)
{
    static rp_play_t before[STEPS];
    begin(1, true);
    rp_play_t *plays = run.plays + OURS * run.capacity;
    plays[1].ns = 1e12; // whatever comes next is quicker together, though one of its steps is not
    plays[2].ns = 0.0;
    memcpy(before, plays, sizeof before);
    ck_assert(rp_paired_run_play(&run, &match, "second"));
    ck_assert_uint_eq(run.differences, 0);
    ck_assert(plays[1].ns < 1e12);
    ck_assert(plays[2].ns > 0.0);
    ck_assert(sum_ns(plays) < sum_ns(before));
    ck_assert(plays[0].ns <= before[0].ns);
}
END_TEST

START_TEST(all_play_the_same_number_of_rounds)
{
    begin(1, false);
    ck_assert(rp_paired_run_play(&run, &match, "second"));
    ck_assert(rp_paired_run_play(&run, &match, "third"));
    for (size_t who = 0; who < WHO; who++) {
        const double *rounds = run.round_ns + who * RP_BOUT_ROUNDS_MOST;
        for (size_t round = 0; round < 3u; round++) {
            ck_assert(rounds[round] > 0.0);
        }
        ck_assert(isnan(rounds[3]));
    }
}
END_TEST

START_TEST(a_round_with_other_work_is_a_difference)
{
    begin(1, false);
    run.plays[OURS * run.capacity + STEPS / 2u].stats.expanded++;
    ck_assert(rp_paired_run_play(&run, &match, "second"));
    ck_assert_uint_eq(run.differences, 1);
}
END_TEST

START_TEST(each_may_play_a_trace_of_its_own)
{
    begin(WHO, false);
    ck_assert(rp_paired_run_play(&run, &match, "second"));
    ck_assert_uint_eq(run.differences, 0);
    for (size_t who = 0; who < WHO; who++) {
        ck_assert_ptr_eq(rp_paired_run_trace(&run, who), &run.traces[who]);
        ck_assert_uint_eq(run.step_counts[who], STEPS);
    }
}
END_TEST

START_TEST(two_are_compared_round_by_round)
{
    begin(1, false);
    ck_assert(rp_paired_run_play(&run, &match, "second"));
    ck_assert(rp_paired_run_play(&run, &match, "third"));
    double *ours = run.round_ns + OURS * RP_BOUT_ROUNDS_MOST;
    double *its = run.round_ns;
    memcpy(ours, (double[]){100.0, 40.0, 30.0}, 3u * sizeof *ours);
    memcpy(its, (double[]){50.0, 10.0, 30.0}, 3u * sizeof *its); // quiet in the second alone
    ck_assert_double_eq(rp_paired_run_quotient(&run, OURS, 0), 2.0);
}
END_TEST

START_TEST(a_first_step_stands_apart)
{
    begin(1, false);
    const rp_play_t *plays = rp_paired_run_plays(&run, OURS);
    double ns = 0.0;
    for (size_t i = 1; i < STEPS; i++) {
        ns += plays[i].ns + plays[i].grid_ns;
    }
    const double mean = run.round_ns[OURS * RP_BOUT_ROUNDS_MOST];
    ck_assert_double_eq_tol(mean, ns / (STEPS - 1.0), mean * 1e-9);
}
END_TEST

/// Made-up plays of OURS: a step of 10 takes 3 to write, 7 to plan, and 100 of idle time after it.
static void invent_plays(void)
{
    rp_play_t *plays = run.plays + OURS * run.capacity;
    for (size_t i = 0; i < STEPS; i++) {
        plays[i].grid_ns = 3.0;
        plays[i].ns = 7.0;
        plays[i].idle_ns = 100.0;
    }
}

START_TEST(idle_time_is_charged_to_the_plan_that_comes_next)
{
    static double charged[STEPS];
    begin(1, false);
    invent_plays();
    run.plays[OURS * run.capacity + 5u].idle_ns = 1000.0;
    rp_paired_run_charge(&run, OURS, 0, charged);
    ck_assert(isnan(charged[0])); // it stands apart
    ck_assert_double_eq(charged[1], 110.0);
    ck_assert_double_eq(charged[6], 1010.0);
    ck_assert_double_eq(charged[7], 110.0);
    ck_assert_double_eq(charged[STEPS - 1u], 210.0); // it has nobody after it
}
END_TEST

START_TEST(all_idle_time_is_charged_to_somebody)
{
    static const uint32_t everys[] = {0, 1, 7};
    static double charged[STEPS];
    begin(1, false);
    invent_plays();
    for (size_t k = 0; k < sizeof everys / sizeof everys[0]; k++) {
        const uint32_t every = everys[k];
        double sum = 0.0;
        double plans = 0.0;
        rp_paired_run_charge(&run, OURS, every, charged);
        for (size_t i = 0; i < STEPS; i++) {
            ck_assert_int_eq(isnan(charged[i]), i == 0 || (every > 1 && i % every != 0));
            sum += isnan(charged[i]) ? 0.0 : charged[i];
            plans += !isnan(charged[i]);
        }
        ck_assert_double_eq(sum, 10.0 * plans + 100.0 * STEPS);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        of_each_step_stands_the_least_of_all_rounds,
        updates_of_a_loop_stand_together,
        all_play_the_same_number_of_rounds,
        a_round_with_other_work_is_a_difference,
        each_may_play_a_trace_of_its_own,
        two_are_compared_round_by_round,
        a_first_step_stands_apart,
        idle_time_is_charged_to_the_plan_that_comes_next,
        all_idle_time_is_charged_to_somebody,
    };
    return rp_suite_run("bout", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
