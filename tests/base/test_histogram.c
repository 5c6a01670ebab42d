/// Percentiles: exact for small numbers, at most an eighth too great for others, and forgotten
/// after a while.
#include "base/histogram.h"

#include "tests/support/suite.h"

#define PERIOD_US 1000u

START_TEST(an_empty_one_says_0)
{
    const rp_histogram_t empty = {.count = 0};
    ck_assert_uint_eq(rp_histogram_percentile(&empty, 50), 0);
    ck_assert_uint_eq(rp_histogram_percentile(&empty, 100), 0);
}
END_TEST

START_TEST(percentiles_are_at_most_an_eighth_too_great)
{
    rp_histogram_t one = {.count = 0};
    for (uint64_t number = 1; number <= 100000u; number++) {
        rp_histogram_add(&one, number);
    }
    for (unsigned percent = 1; percent <= 100u; percent++) {
        const uint64_t exact = percent * 1000u;
        const uint64_t told = rp_histogram_percentile(&one, percent);
        ck_assert_uint_ge(told, exact);
        ck_assert_uint_le(told, exact + exact / 8u + 1u);
    }
    ck_assert_uint_eq(rp_histogram_percentile(&one, 100), 100000);
}
END_TEST

START_TEST(every_number_has_a_bucket)
{
    for (unsigned bit = 0; bit < 64u; bit++) {
        rp_histogram_t one = {.count = 0};
        const uint64_t number = (uint64_t)1 << bit;
        rp_histogram_add(&one, number);
        rp_histogram_add(&one, number - 1u);
        ck_assert_uint_eq(rp_histogram_percentile(&one, 100), number);
        ck_assert_uint_le(rp_histogram_percentile(&one, 50), number);
    }
}
END_TEST

START_TEST(two_are_as_one)
{
    rp_histogram_t one = {.count = 0};
    rp_histogram_t other = {.count = 0};
    for (uint64_t number = 0; number < 8u; number++) {
        rp_histogram_add(number % 2u == 0 ? &one : &other, number);
    }
    rp_histogram_merge(&one, &other);
    ck_assert_uint_eq(one.count, 8);
    ck_assert_uint_eq(one.most, 7);
    ck_assert_uint_eq(rp_histogram_percentile(&one, 50), 3);
}
END_TEST

/// How many are still counted at a time, of one at 0 and one at the middle of the first period.
static uint64_t recent_at(uint64_t now_us)
{
    rp_recent_histogram_t recent = {.turned_us = 0};
    rp_histogram_t sum;
    rp_recent_histogram_add(&recent, 5, 0, PERIOD_US);
    rp_recent_histogram_add(&recent, 6, PERIOD_US / 2u, PERIOD_US);
    rp_recent_histogram_sum(&recent, now_us, PERIOD_US, &sum);
    return sum.count;
}

START_TEST(what_is_older_than_two_periods_is_forgotten)
{
    ck_assert_uint_eq(recent_at(PERIOD_US - 1u), 2);
    ck_assert_uint_eq(recent_at(PERIOD_US), 2);
    ck_assert_uint_eq(recent_at(2u * PERIOD_US - 1u), 2);
    ck_assert_uint_eq(recent_at(2u * PERIOD_US), 0);
    ck_assert_uint_eq(recent_at(1000u * PERIOD_US), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_empty_one_says_0, percentiles_are_at_most_an_eighth_too_great, every_number_has_a_bucket,
        two_are_as_one,      what_is_older_than_two_periods_is_forgotten,
    };
    return rp_suite_run("histogram", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
