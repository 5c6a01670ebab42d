/// The last answers of a session, against an array of all.
#include "engine/paths/answer_history.h"

#include "tests/support/suite.h"

#define ANSWERS 40u

static rp_answer_history_t history;

static void tear_down(void)
{
    rp_answer_history_fini(&history);
}

START_TEST(the_last_ones_are_kept_the_newest_first)
{
    for (uint64_t seq = 1; seq <= ANSWERS; seq++) {
        rp_answer_history_add(&history, &(rp_past_answer_t){.path_seq = seq, .version = 10u * seq});
        ck_assert_uint_eq(history.count, seq < RP_PAST_MAX ? seq : RP_PAST_MAX);
        for (size_t i = 0; i < history.count; i++) {
            ck_assert_uint_eq(rp_answer_history_get(&history, i)->path_seq, seq - i);
            ck_assert_uint_eq(rp_answer_history_get(&history, i)->version, 10u * (seq - i));
        }
    }
}
END_TEST

START_TEST(it_takes_no_more_room_than_twice_its_answers)
{
    ck_assert_uint_eq(rp_answer_history_bytes(&history), 0);
    for (uint64_t seq = 1; seq <= ANSWERS; seq++) {
        rp_answer_history_add(&history, &(rp_past_answer_t){.path_seq = seq});
        ck_assert_uint_lt(history.capacity, 2u * history.count);
        ck_assert_uint_le(history.capacity, RP_PAST_MAX);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_last_ones_are_kept_the_newest_first,
        it_takes_no_more_room_than_twice_its_answers,
    };
    return rp_suite_run("answer_history", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
