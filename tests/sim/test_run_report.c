/// Reports and percentiles.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/rate.h"
#include "sim/run_report.h"
#include "tests/support/suite.h"

START_TEST(percentiles_go_by_nearest_rank)
{
    static const double shares[] = {0.5, 0.9, 0.99, 1};
    uint64_t values[4];
    rp_latency_t latency = {0};
    for (uint64_t i = 100; i > 0; i--) {
        ck_assert(rp_latency_add(&latency, i));
    }
    rp_latency_percentiles(&latency, SIZE_MAX, shares, 4, values);
    ck_assert_uint_eq(values[0], 50);
    ck_assert_uint_eq(values[1], 90);
    ck_assert_uint_eq(values[2], 99);
    ck_assert_uint_eq(values[3], 100);
    rp_latency_fini(&latency);
}
END_TEST

START_TEST(percentiles_of_the_newest_forget_the_rest)
{
    static const double shares[] = {1};
    uint64_t value;
    rp_latency_t latency = {0};
    for (uint64_t i = 3000; i > 0; i--) {
        ck_assert(rp_latency_add(&latency, i));
    }
    rp_latency_percentiles(&latency, 10, shares, 1, &value);
    ck_assert_uint_eq(value, 10);
    rp_latency_fini(&latency);
}
END_TEST

START_TEST(percentiles_of_nothing_are_zero)
{
    static const double shares[] = {0.5};
    uint64_t value = 7;
    rp_latency_t latency = {0};
    rp_latency_percentiles(&latency, SIZE_MAX, shares, 1, &value);
    ck_assert_uint_eq(value, 0);
}
END_TEST

START_TEST(a_report_is_one_object_with_what_was_counted)
{
    rp_run_report_t report = {.scenario = "war\"craft", .seed = 9, .changes = 12, .answers = 34};
    const rp_checker_t checker = {.checked = 5, .skipped = 6, .violations = 7, .first = "x"};
    rp_acceptance_add(&report.acceptance, "sheep", 3, 3, 3);
    rp_acceptance_add(&report.acceptance, "wolves", 2, 0, 1);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    ck_assert(rp_latency_add(&report.change_to_path, 250));
    ck_assert(rp_run_report_write(&report, &checker, file));
    fclose(file);
    ck_assert_int_eq(text[0], '{');
    ck_assert_str_eq(text + size - 3, "\n}\n");
    ck_assert_ptr_nonnull(strstr(text, "\"scenario\": \"war\\\"craft\""));
    ck_assert_ptr_nonnull(strstr(text, "\"planner\": null"));
    ck_assert_ptr_nonnull(strstr(text, "\"seed\": 9,"));
    ck_assert_ptr_nonnull(strstr(text, "\"changes\": 12,"));
    ck_assert_ptr_nonnull(strstr(text, "\"answers\": 34,"));
    ck_assert_ptr_nonnull(strstr(text, "\"p50\": 250,"));
    ck_assert_ptr_nonnull(strstr(text, "\"checked\": 5,"));
    ck_assert_ptr_nonnull(strstr(text, "\"skipped\": 6,"));
    ck_assert_ptr_nonnull(strstr(text, "\"violations\": 7"));
    ck_assert_ptr_nonnull(strstr(
        text, "{\"what\": \"sheep\", \"is\": 3, \"least\": 3, \"most\": 3, \"holds\": true}"));
    ck_assert_ptr_nonnull(strstr(text, "\"is\": 2, \"least\": 0, \"most\": 1, \"holds\": false}"));
    free(text);
    rp_run_report_fini(&report);
}
END_TEST

START_TEST(one_broken_law_is_enough)
{
    rp_acceptance_t acceptance = {0};
    char *text = NULL;
    size_t size = 0;
    rp_acceptance_add(&acceptance, "sheep", 3, 3, 3);
    rp_acceptance_add(&acceptance, "grass", 7, 1, INFINITY);
    ck_assert(rp_acceptance_hold(&acceptance));
    rp_acceptance_add(&acceptance, "wolves", NAN, 0, 1); // what was never measured holds nothing
    ck_assert(!rp_acceptance_hold(&acceptance));
    FILE *file = open_memstream(&text, &size);
    rp_run_report_laws(&acceptance, file);
    fclose(file);
    ck_assert_str_eq(text, "holds  sheep: 3, must be 3\n"
                           "holds  grass: 7, at least 1\n"
                           "BROKEN wolves: nan, 0 to 1\n");
    free(text);
}
END_TEST

START_TEST(the_verdict_is_a_line_that_scripts_can_read)
{
    const rp_checker_t checker = {.checked = 5, .skipped = 6, .violations = 7};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    rp_run_report_verdict(&checker, file);
    fclose(file);
    ck_assert_str_eq(text, "checked 5 skipped 6 violations 7\n");
    free(text);
}
END_TEST

START_TEST(pace_is_what_came_in_the_last_second)
{
    rp_run_report_t report = {.changes = 100};
    rp_rate_t pace = {0};
    ck_assert(!rp_rate_update(&pace, &report, 5000000));
    report.changes = 130;
    ck_assert(!rp_rate_update(&pace, &report, 5999999));
    ck_assert(rp_rate_update(&pace, &report, 6500000));
    ck_assert_double_eq_tol(pace.changes, 20, 1e-9);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        percentiles_go_by_nearest_rank,
        percentiles_of_the_newest_forget_the_rest,
        percentiles_of_nothing_are_zero,
        a_report_is_one_object_with_what_was_counted,
        one_broken_law_is_enough,
        the_verdict_is_a_line_that_scripts_can_read,
        pace_is_what_came_in_the_last_second,
    };
    return rp_suite_run("sim_run_report", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
