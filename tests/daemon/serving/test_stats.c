/// The counters: each has a name of its own and a value of its own.
#include <string.h>

#include "daemon/serving/stats.h"
#include "tests/support/suite.h"

START_TEST(names_are_different_and_end)
{
    for (size_t i = 0; i < RP_STATS_COUNT; i++) {
        ck_assert_ptr_nonnull(strchr(rp_stats_name(i), '.'));
        for (size_t k = 0; k < i; k++) {
            ck_assert_str_ne(rp_stats_name(i), rp_stats_name(k));
        }
    }
    ck_assert_ptr_null(rp_stats_name(RP_STATS_COUNT));
}
END_TEST

START_TEST(a_name_tells_the_member_of_the_same_meaning)
{
    const rp_stats_t stats = {.changes_applied = 3, .frames_malformed = 4, .subscriptions = 5};
    uint64_t sum = 0;
    for (size_t i = 0; i < RP_STATS_COUNT; i++) {
        const uint64_t value = rp_stats_value(&stats, i);
        const char *name = rp_stats_name(i);
        sum += value;
        ck_assert(strcmp(name, "changes.applied") != 0 || value == 3);
        ck_assert(strcmp(name, "frames.malformed") != 0 || value == 4);
        ck_assert(strcmp(name, "paths.subscriptions") != 0 || value == 5);
    }
    ck_assert_uint_eq(sum, 12);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        names_are_different_and_end,
        a_name_tells_the_member_of_the_same_meaning,
    };
    return rp_suite_run("stats", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
