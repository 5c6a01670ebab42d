/// Sequence numbers: next, gap, repeated, late, and what ends a gap.
#include <stdio.h>
#include <string.h>

#include "daemon/serving/publishers.h"
#include "tests/support/suite.h"

static rp_publishers_t publishers;
static uint64_t version;

static void tear_down(void)
{
    rp_publishers_fini(&publishers);
}

static rp_arrival_t judge(uint64_t incarnation, uint64_t sequence)
{
    version = 0;
    return rp_publishers_judge(&publishers, "scout", incarnation, sequence, &version);
}

/// Apply as version 100 + sequence. @return true when that made a gap
static bool note(uint64_t incarnation, uint64_t sequence, uint64_t repairs_through)
{
    return rp_publishers_note(&publishers, "scout", incarnation, sequence, repairs_through,
                              100u + sequence);
}

START_TEST(numbers_in_order_are_next)
{
    ck_assert_int_eq(judge(1, 1), RP_ARRIVAL_NEXT);
    ck_assert(!note(1, 1, 0));
    ck_assert_int_eq(judge(1, 2), RP_ARRIVAL_NEXT);
    ck_assert(!note(1, 2, 0));
    ck_assert_uint_eq(publishers.gaps, 0);
}
END_TEST

START_TEST(a_skipped_number_is_a_gap_until_it_is_repaired)
{
    (void)note(1, 1, 0);
    ck_assert_int_eq(judge(1, 5), RP_ARRIVAL_GAP);
    ck_assert(note(1, 5, 0));
    ck_assert_uint_eq(publishers.gaps, 1);
    ck_assert(!note(1, 6, 3)); // 4 is still lost
    ck_assert_uint_eq(publishers.gaps, 1);
    ck_assert(!note(1, 7, 4));
    ck_assert_uint_eq(publishers.gaps, 0);
    ck_assert(note(1, 9, 0)); // another one is told again
    ck_assert_uint_eq(publishers.gaps, 1);
}
END_TEST

START_TEST(a_change_that_repairs_its_own_gap_makes_none)
{
    (void)note(1, 1, 0);
    ck_assert(!note(1, 5, 5));
    ck_assert_uint_eq(publishers.gaps, 0);
}
END_TEST

START_TEST(a_repeat_is_told_its_version_and_what_never_came_is_late)
{
    (void)note(1, 1, 0);
    (void)note(1, 4, 0);
    ck_assert_int_eq(judge(1, 4), RP_ARRIVAL_REPEATED);
    ck_assert_uint_eq(version, 104);
    ck_assert_int_eq(judge(1, 1), RP_ARRIVAL_REPEATED);
    ck_assert_uint_eq(version, 101);
    ck_assert_int_eq(judge(1, 2), RP_ARRIVAL_LATE);
}
END_TEST

START_TEST(a_repeat_beyond_memory_is_late)
{
    for (uint64_t sequence = 1; sequence <= RP_PUBLISHER_REMEMBERS + 1u; sequence++) {
        ck_assert_int_eq(judge(1, sequence), RP_ARRIVAL_NEXT);
        (void)note(1, sequence, 0);
    }
    ck_assert_int_eq(judge(1, 1), RP_ARRIVAL_LATE);
    ck_assert_int_eq(judge(1, 2), RP_ARRIVAL_REPEATED);
}
END_TEST

START_TEST(a_greater_incarnation_starts_again_at_1_and_a_smaller_one_is_late)
{
    (void)note(5, 1, 0);
    (void)note(5, 2, 0);
    ck_assert_int_eq(judge(6, 1), RP_ARRIVAL_NEXT);
    ck_assert_int_eq(judge(6, 2), RP_ARRIVAL_GAP);
    (void)note(6, 1, 0);
    ck_assert_int_eq(judge(5, 3), RP_ARRIVAL_LATE);
    ck_assert_int_eq(judge(6, 1), RP_ARRIVAL_REPEATED);
    ck_assert_int_eq(judge(6, 2), RP_ARRIVAL_NEXT);
}
END_TEST

START_TEST(what_an_older_incarnation_lost_is_lost_still)
{
    (void)note(1, 3, 0);
    ck_assert_uint_eq(publishers.gaps, 1);
    (void)note(2, 1, 0);
    ck_assert_uint_eq(publishers.gaps, 1);
    (void)note(2, 2, 2);
    ck_assert_uint_eq(publishers.gaps, 0);
}
END_TEST

START_TEST(forgiving_ends_the_mark_of_that_publisher_alone)
{
    ck_assert(!rp_publishers_forgive(&publishers, "scout"));
    (void)note(1, 3, 0);
    (void)rp_publishers_note(&publishers, "other", 1, 9, 0, 1);
    ck_assert_uint_eq(publishers.gaps, 2);
    ck_assert(rp_publishers_forgive(&publishers, "scout"));
    ck_assert_uint_eq(publishers.gaps, 1);
    ck_assert(rp_publishers_forgive(&publishers, "scout"));
    ck_assert_uint_eq(publishers.gaps, 1);
}
END_TEST

START_TEST(having_a_sequence_means_it_or_a_later_one)
{
    ck_assert(!rp_publishers_has(&publishers, "scout", 1));
    (void)note(1, 1, 0);
    ck_assert(rp_publishers_has(&publishers, "scout", 1));
    ck_assert(!rp_publishers_has(&publishers, "scout", 2));
    (void)note(1, 5, 0);
    ck_assert(rp_publishers_has(&publishers, "scout", 3));
}
END_TEST

START_TEST(the_greatest_numbers_are_numbers)
{
    ck_assert_int_eq(judge(UINT64_MAX, UINT64_MAX), RP_ARRIVAL_GAP);
    (void)note(UINT64_MAX, UINT64_MAX, 0);
    ck_assert_int_eq(judge(UINT64_MAX, UINT64_MAX), RP_ARRIVAL_REPEATED);
    ck_assert_int_eq(judge(UINT64_MAX, 1), RP_ARRIVAL_LATE);
}
END_TEST

START_TEST(one_publisher_more_than_the_limit_is_refused)
{
    char name[RP_LIMIT_NAME + 1u];
    for (unsigned i = 0; i < RP_LIMIT_PUBLISHERS; i++) {
        (void)snprintf(name, sizeof name, "p%u", i);
        (void)rp_publishers_note(&publishers, name, 1, 1, 0, i);
    }
    ck_assert_int_eq(judge(1, 1), RP_ARRIVAL_TOO_MANY);
    ck_assert_int_eq(rp_publishers_judge(&publishers, "p3", 1, 2, &version), RP_ARRIVAL_NEXT);
}
END_TEST

START_TEST(what_may_be_repeated_is_listed_by_publisher_and_sequence)
{
    rp_past_change_t heard = {0};
    ck_assert(!rp_publishers_next(&publishers, &heard));
    for (uint64_t sequence = 1; sequence <= 300; sequence++) {
        (void)note(5, sequence, 0);
    }
    (void)note(5, 303, 303); // two were lost, and stated anew
    (void)rp_publishers_note(&publishers, "map", 9, 2, 0, 1);
    uint64_t expected = 303 - RP_PUBLISHER_REMEMBERS + 1;
    while (rp_publishers_next(&publishers, &heard) && strcmp(heard.name, "scout") == 0) {
        ck_assert_uint_eq(heard.incarnation, 5);
        ck_assert(!heard.has_gap);
        ck_assert_uint_eq(heard.sequence, expected);
        expected += expected == 300 ? 3 : 1;
    }
    ck_assert_uint_eq(expected, 304);
    ck_assert_str_eq(heard.name, "map");
    ck_assert_uint_eq(heard.sequence, 2);
    ck_assert(heard.has_gap);
    ck_assert(!rp_publishers_next(&publishers, &heard));
}
END_TEST

START_TEST(a_list_ends_at_the_greatest_number)
{
    rp_past_change_t heard = {0};
    (void)note(5, UINT64_MAX - 1u, 0);
    (void)note(5, UINT64_MAX, 0);
    ck_assert(rp_publishers_next(&publishers, &heard));
    ck_assert_uint_eq(heard.sequence, UINT64_MAX - 1u);
    ck_assert(rp_publishers_next(&publishers, &heard));
    ck_assert_uint_eq(heard.sequence, UINT64_MAX);
    ck_assert(!rp_publishers_next(&publishers, &heard));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_may_be_repeated_is_listed_by_publisher_and_sequence,
        a_list_ends_at_the_greatest_number,
        numbers_in_order_are_next,
        a_skipped_number_is_a_gap_until_it_is_repaired,
        a_change_that_repairs_its_own_gap_makes_none,
        a_repeat_is_told_its_version_and_what_never_came_is_late,
        a_repeat_beyond_memory_is_late,
        a_greater_incarnation_starts_again_at_1_and_a_smaller_one_is_late,
        what_an_older_incarnation_lost_is_lost_still,
        forgiving_ends_the_mark_of_that_publisher_alone,
        having_a_sequence_means_it_or_a_later_one,
        the_greatest_numbers_are_numbers,
        one_publisher_more_than_the_limit_is_refused,
    };
    return rp_suite_run("publishers", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
