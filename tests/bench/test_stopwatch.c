/// A stopwatch: short laps by ticks, long ones by what the thread itself took.
#include <time.h>

#include "bench/measure/harness.h"
#include "bench/measure/stopwatch.h"
#include "tests/support/suite.h"

static rp_stopwatch_t watch;

static void spin(uint64_t ns)
{
    const uint64_t begin = rp_bench_cpu_ns();
    while (rp_bench_cpu_ns() - begin < ns) {
    }
}

/// Two laps. @return false when others ran meanwhile: then only the sum is known
static bool measure(double laps_ns[2])
{
    struct timespec begin;
    struct timespec end;
    const uint64_t cpu_ns = rp_bench_cpu_ns();
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    rp_stopwatch_start(&watch);
    spin(1000000);
    rp_stopwatch_lap(&watch);
    spin(3000000);
    rp_stopwatch_stop(&watch, laps_ns);
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    const double wall_ns =
        1e9 * (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec);
    return wall_ns - (double)(rp_bench_cpu_ns() - cpu_ns) < 100000.0;
}

/// Between a lap and the clock others may take time, too: then more was lost than the lap, and
/// nothing is taken off. So some tests try again.
#define TRIES   20u
#define AWAY_NS 50000000.0

/// The thread does not run: the subject of a test.
static void be_away(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = (long)AWAY_NS}, NULL);
}

START_TEST(a_lap_is_what_the_thread_took)
{
    double laps_ns[2];
    bool is_alone = false;
    rp_stopwatch_init(&watch);
    for (unsigned tries = 0; tries < 100 && !is_alone; tries++) {
        is_alone = measure(laps_ns);
        ck_assert(laps_ns[0] + laps_ns[1] > 3600000.0);
    }
    if (is_alone) { // else the machine is too busy to tell
        ck_assert(laps_ns[0] > 900000.0);
        ck_assert(laps_ns[1] > 2700000.0);
    }
}
END_TEST

START_TEST(time_that_others_had_is_taken_off)
{
    double laps_ns[2] = {0.0, AWAY_NS};
    for (unsigned tries = 0; tries < TRIES && laps_ns[1] > AWAY_NS / 2.0; tries++) {
        rp_stopwatch_init(&watch);
        rp_stopwatch_start(&watch);
        rp_stopwatch_lap(&watch);
        be_away();
        rp_stopwatch_stop(&watch, laps_ns);
    }
    ck_assert(laps_ns[1] < AWAY_NS / 2.0);
}
END_TEST

START_TEST(time_that_others_had_before_it_is_not_taken_off)
{
    const struct timespec away = {.tv_nsec = 3000000};
    double laps_ns[2];
    rp_stopwatch_init(&watch);
    for (unsigned i = 0; i < 2; i++) { // the clock is asked before the first, not before the last
        rp_stopwatch_start(&watch);
        rp_stopwatch_lap(&watch);
        rp_stopwatch_stop(&watch, laps_ns);
    }
    (void)nanosleep(&away, NULL); // the subject: between two laps
    rp_stopwatch_start(&watch);
    rp_stopwatch_lap(&watch);
    spin(5000000);
    rp_stopwatch_stop(&watch, laps_ns);
    ck_assert(laps_ns[1] > 4500000.0);
}
END_TEST

START_TEST(what_is_short_does_not_ask_the_clock)
{
    double laps_ns[2];
    rp_stopwatch_init(&watch);
    unsigned asked = 0;
    for (unsigned i = 0; i < 1000; i++) {
        rp_stopwatch_start(&watch);
        rp_stopwatch_lap(&watch);
        rp_stopwatch_stop(&watch, laps_ns);
        asked += watch.unasked == 0;
    }
    ck_assert_uint_lt(asked, 100); // but for those that were interrupted
}
END_TEST

START_TEST(an_interruption_after_short_laps_is_taken_off_when_a_long_one_is_expected)
{
    double laps_ns[2] = {0.0, AWAY_NS};
    for (unsigned tries = 0; tries < TRIES && laps_ns[1] > AWAY_NS / 2.0; tries++) {
        rp_stopwatch_init(&watch);
        for (unsigned i = 0; i < 3; i++) { // the clock was asked some starts ago
            rp_stopwatch_start(&watch);
            rp_stopwatch_stop(&watch, laps_ns);
            watch.was_long = false;
        }
        rp_stopwatch_start_long(&watch);
        be_away();
        rp_stopwatch_stop(&watch, laps_ns);
    }
    ck_assert(laps_ns[1] < AWAY_NS / 2.0);
}
END_TEST

START_TEST(an_outlier_is_no_part_of_a_midmean)
{
    rp_samples_t samples = {0};
    ck_assert_double_eq(rp_samples_midmean(&samples), 0.0);
    rp_samples_add(&samples, 7.0);
    ck_assert_double_eq(rp_samples_midmean(&samples), 7.0);
    rp_samples_add(&samples, 4e6);
    rp_samples_add(&samples, 6.0);
    rp_samples_add(&samples, -1.0);
    ck_assert_double_eq(rp_samples_midmean(&samples), 6.5);
    rp_samples_fini(&samples);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_lap_is_what_the_thread_took,
        time_that_others_had_is_taken_off,
        time_that_others_had_before_it_is_not_taken_off,
        what_is_short_does_not_ask_the_clock,
        an_outlier_is_no_part_of_a_midmean,
        an_interruption_after_short_laps_is_taken_off_when_a_long_one_is_expected,
    };
    return rp_suite_run("stopwatch", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
