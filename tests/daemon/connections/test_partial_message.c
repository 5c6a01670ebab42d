/// What a connection has sent of a message without end, from looks alone.
#include "daemon/connections/partial_message.h"

#include "tests/support/suite.h"

static rp_partial_message_t unfinished;
static uint64_t now_us = 1000;

/// A look, a millisecond later.
static uint64_t look(uint64_t received, uint64_t turn)
{
    now_us += 1000;
    const rp_partial_message_look_t found = {
        .received = received, .is_waiting = true, .turn = turn, .now_us = now_us};
    return rp_partial_message_take(&unfinished, &found);
}

START_TEST(what_came_is_certain_when_everybody_had_a_turn)
{
    ck_assert_uint_eq(look(100, 1), 0);
    ck_assert_uint_eq(look(5100, 3), 0); // it came just now: it may be a whole message
    ck_assert_uint_eq(look(9100, 4), 0); // the turn began before that look
    ck_assert_uint_eq(look(9100, 5), 5100);
    ck_assert(unfinished.has_more_to_say);
    ck_assert_uint_eq(look(9100, 7), 9100);
    ck_assert(!unfinished.has_more_to_say);
}
END_TEST

START_TEST(a_message_that_ends_begins_anew)
{
    (void)look(100, 1);
    (void)look(5100, 3);
    ck_assert_uint_eq(look(9100, 5), 5100);
    unfinished.finished++;
    ck_assert_uint_eq(look(9200, 7), 0);
    ck_assert_uint_eq(unfinished.active, 0);
    ck_assert_uint_eq(unfinished.waiting, 0);
    (void)look(9300, 9);
    ck_assert_uint_eq(look(9300, 11), 100);
}
END_TEST

START_TEST(who_sends_whole_messages_holds_nothing)
{
    for (uint64_t i = 1; i < 100; i++) {
        unfinished.finished += i % 3u;
        ck_assert_uint_le(look(i << 20, 3u * i), 1u << 20);
    }
}
END_TEST

START_TEST(looks_in_which_bytes_wait_are_counted)
{
    const rp_partial_message_look_t nothing = {.turn = 100, .now_us = 1000000};
    for (uint64_t i = 1; i <= RP_PARTIAL_MESSAGE_LOOKS; i++) {
        (void)look(0, 2u * i);
        ck_assert_uint_eq(unfinished.waiting, i);
    }
    (void)rp_partial_message_take(&unfinished, &nothing);
    ck_assert_uint_eq(unfinished.waiting, 0);
    ck_assert_uint_eq(unfinished.active, RP_PARTIAL_MESSAGE_LOOKS + 1u);
}
END_TEST

START_TEST(heartbeats_are_of_no_message)
{
    const uint64_t day_us = (uint64_t)86400 * 1000000u;
    unfinished.finished++;
    (void)look(100, 1);
    const uint64_t bytes = 86400u * RP_PARTIAL_MESSAGE_HEARTBEATS;
    now_us += day_us;
    (void)look(100 + bytes, 3);
    ck_assert_uint_eq(look(100 + bytes, 5), 0);
    (void)look(100 + bytes + 5000u, 7);
    ck_assert_uint_eq(look(100 + bytes + 5000u, 9), 5000);
}
END_TEST

START_TEST(who_holds_more_for_longer_weighs_more)
{
    const rp_partial_message_t old = {.since_us = 1000};
    const rp_partial_message_t young = {.since_us = 9900000};
    const double weight = rp_partial_message_weight(&old, 1u << 20, 10000000);
    ck_assert(weight > rp_partial_message_weight(&young, 3u << 20, 10000000));
    ck_assert(weight > rp_partial_message_weight(&old, 1u << 19, 10000000));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_came_is_certain_when_everybody_had_a_turn,
        a_message_that_ends_begins_anew,
        who_sends_whole_messages_holds_nothing,
        looks_in_which_bytes_wait_are_counted,
        heartbeats_are_of_no_message,
        who_holds_more_for_longer_weighs_more,
    };
    return rp_suite_run("partial_message", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
