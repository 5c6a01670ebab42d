/// A bout: rounds do the same work, and of each step the least stands.
#include <math.h>
#include <string.h>

#include "bench/bout.h"
#include "bench/harness.h"
#include "tests/support/suite.h"

#define SIDE  60u
#define STEPS 40u

static const rp_contender_t contenders[] = {
    {.name = "A*", .id = "astar"},
    {.name = "D* Lite", .id = "dstar-lite", .once = true},
    {.name = "auto", .id = "auto"},
};
#define WHO  3u
#define ONCE 1u
#define OURS 2u

static rp_match_t match;
static rp_bout_t bout;

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
        rp_trace_toggle(trace, rp_grid_cell(grid, 1u + rp_bench_below(&random, SIDE - 2u),
                                            1u + rp_bench_below(&random, SIDE - 2u)));
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
    rp_bout_init(&bout, traces, trace_count, 1);
    rp_match_open(&match, contenders, WHO);
    ck_assert(rp_bout_play(&bout, &match, "first"));
    ck_assert_uint_eq(bout.differences, 0);
}

static void tear_down(void)
{
    rp_bout_fini(&bout);
    rp_match_close(&match);
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
    memcpy(before, rp_bout_plays(&bout, OURS), sizeof before);
    ck_assert(rp_bout_play(&bout, &match, "second"));
    ck_assert(rp_bout_play(&bout, &match, "third"));
    ck_assert_uint_eq(bout.differences, 0);
    ck_assert_uint_eq(bout.step_counts[OURS], STEPS);
    for (size_t i = 0; i < STEPS; i++) {
        ck_assert(rp_bout_plays(&bout, OURS)[i].ns <= before[i].ns);
        ck_assert_uint_eq(rp_bout_plays(&bout, OURS)[i].cost, before[i].cost);
    }
}
END_TEST

START_TEST(updates_of_a_sprint_stand_together)
{
    static rp_play_t before[STEPS];
    begin(1, true);
    rp_play_t *plays = bout.plays + OURS * bout.capacity;
    plays[1].ns = 1e12; // whatever comes next is quicker together, though one of its steps is not
    plays[2].ns = 0.0;
    memcpy(before, plays, sizeof before);
    ck_assert(rp_bout_play(&bout, &match, "second"));
    ck_assert_uint_eq(bout.differences, 0);
    ck_assert(plays[1].ns < 1e12);
    ck_assert(plays[2].ns > 0.0);
    ck_assert(sum_ns(plays) < sum_ns(before));
    ck_assert(plays[0].ns <= before[0].ns);
}
END_TEST

START_TEST(who_plays_once_is_left_as_it_was)
{
    static rp_play_t before[STEPS];
    begin(1, false);
    memcpy(before, rp_bout_plays(&bout, ONCE), sizeof before);
    ck_assert(rp_bout_play(&bout, &match, "second"));
    ck_assert_mem_eq(before, rp_bout_plays(&bout, ONCE), sizeof before);
}
END_TEST

START_TEST(a_round_with_other_work_is_a_difference)
{
    begin(1, false);
    bout.plays[OURS * bout.capacity + STEPS / 2u].stats.expanded++;
    ck_assert(rp_bout_play(&bout, &match, "second"));
    ck_assert_uint_eq(bout.differences, 1);
}
END_TEST

START_TEST(each_may_play_a_trace_of_its_own)
{
    begin(WHO, false);
    ck_assert(rp_bout_play(&bout, &match, "second"));
    ck_assert_uint_eq(bout.differences, 0);
    for (size_t who = 0; who < WHO; who++) {
        ck_assert_ptr_eq(rp_bout_trace(&bout, who), &bout.traces[who]);
        ck_assert_uint_eq(bout.step_counts[who], STEPS);
    }
}
END_TEST

START_TEST(two_are_compared_round_by_round)
{
    begin(1, false);
    ck_assert(rp_bout_play(&bout, &match, "second"));
    ck_assert(rp_bout_play(&bout, &match, "third"));
    double *ours = bout.round_ns + OURS * RP_BOUT_ROUNDS_MOST;
    double *its = bout.round_ns;
    const double *once = bout.round_ns + ONCE * RP_BOUT_ROUNDS_MOST;
    for (size_t round = 0; round < 3u; round++) {
        ck_assert(ours[round] > 0.0);
        ck_assert(its[round] > 0.0);
    }
    ck_assert(isnan(once[1])); // and all other rounds
    ck_assert_double_eq(rp_bout_quotient(&bout, OURS, ONCE), ours[0] / once[0]);
    memcpy(ours, (double[]){100.0, 40.0, 30.0}, 3u * sizeof *ours);
    memcpy(its, (double[]){50.0, 10.0, 30.0}, 3u * sizeof *its); // quiet in the second alone
    ck_assert_double_eq(rp_bout_quotient(&bout, OURS, 0), 2.0);
}
END_TEST

START_TEST(a_first_step_stands_apart)
{
    begin(1, false);
    const rp_play_t *plays = rp_bout_plays(&bout, OURS);
    double ns = 0.0;
    for (size_t i = 1; i < STEPS; i++) {
        ns += plays[i].ns;
    }
    const double mean = bout.round_ns[OURS * RP_BOUT_ROUNDS_MOST];
    ck_assert_double_eq_tol(mean, ns / (STEPS - 1.0), mean * 1e-9);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        of_each_step_stands_the_least_of_all_rounds,
        updates_of_a_sprint_stand_together,
        who_plays_once_is_left_as_it_was,
        a_round_with_other_work_is_a_difference,
        each_may_play_a_trace_of_its_own,
        two_are_compared_round_by_round,
        a_first_step_stands_apart,
    };
    return rp_suite_run("bout", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
