/// Bytes under way, by peer.
#include "daemon/net/send_window.h"

#include <stdlib.h>

#include "tests/support/suite.h"

#define SIZE ((size_t)1 << 20)

static rp_send_window_t *unsent;
static uint8_t bytes[RP_SEND_WINDOW_PEER];

static void tear_down(void)
{
    rp_send_window_destroy(&unsent);
}

static rp_peer_t peer_of(uint16_t number)
{
    rp_peer_t peer = {0};
    ck_assert(rp_peer_add(&peer, &number, sizeof number));
    return peer;
}

static rp_send_window_message_t *send_to(uint16_t number, size_t size)
{
    const rp_peer_t peer = peer_of(number);
    rp_send_window_message_t *message = rp_send_window_has_room(unsent, &peer, size)
                                            ? rp_send_window_copy(unsent, &peer, bytes, size)
                                            : NULL;
    return message;
}

START_TEST(a_peer_that_reads_nothing_has_so_much_under_way_and_no_more)
{
    rp_send_window_message_t *messages[RP_SEND_WINDOW_PEER / SIZE];
    unsent = rp_send_window_new();
    for (size_t i = 0; i < RP_SEND_WINDOW_PEER / SIZE; i++) {
        messages[i] = send_to(1, SIZE);
        ck_assert_ptr_nonnull(messages[i]);
    }
    ck_assert_ptr_null(send_to(1, 1));
    rp_send_window_message_t *other = send_to(2, SIZE); // one's queue is not the other's
    ck_assert_ptr_nonnull(other);
    rp_send_window_done(messages[0]);
    messages[0] = send_to(1, SIZE);
    ck_assert_ptr_nonnull(messages[0]);
    ck_assert_uint_eq(rp_send_window_total(unsent), RP_SEND_WINDOW_PEER + SIZE);
    for (size_t i = 0; i < RP_SEND_WINDOW_PEER / SIZE; i++) {
        rp_send_window_done(messages[i]);
    }
    rp_send_window_done(other);
    ck_assert_uint_eq(rp_send_window_total(unsent), 0);
}
END_TEST

START_TEST(one_message_may_always_be_under_way)
{
    static uint8_t large[2u * RP_SEND_WINDOW_PEER];
    const rp_peer_t peer = peer_of(1);
    unsent = rp_send_window_new();
    ck_assert(rp_send_window_has_room(unsent, &peer, sizeof large));
    rp_send_window_message_t *message = rp_send_window_copy(unsent, &peer, large, sizeof large);
    ck_assert(!rp_send_window_has_room(unsent, &peer, 1));
    rp_send_window_done(message);
    ck_assert(rp_send_window_has_room(unsent, &peer, sizeof large));
}
END_TEST

START_TEST(many_who_read_nothing_have_parts_of_one_whole)
{
    enum {
        PEERS = 200,
        MESSAGES = 1000
    };
    rp_send_window_message_t **messages = calloc(PEERS * (size_t)MESSAGES, sizeof *messages);
    size_t count = 0;
    unsent = rp_send_window_new();
    for (uint16_t peer = 0; peer < PEERS; peer++) {
        messages[count++] = send_to(peer, RP_SEND_WINDOW_COUNTED_FROM);
    }
    for (uint16_t peer = 0; peer < PEERS; peer++) {
        while ((messages[count] = send_to(peer, RP_SEND_WINDOW_COUNTED_FROM)) != NULL) {
            count++;
        }
    }
    ck_assert_uint_le(rp_send_window_total(unsent), RP_SEND_WINDOW_ALL);
    ck_assert_uint_ge(rp_send_window_total(unsent),
                      RP_SEND_WINDOW_ALL - PEERS * RP_SEND_WINDOW_COUNTED_FROM);
    while (count != 0) {
        rp_send_window_done(messages[--count]);
    }
    free(messages);
}
END_TEST

START_TEST(who_has_read_all_counts_no_more)
{
    rp_send_window_message_t *message;
    unsent = rp_send_window_new();
    for (uint16_t peer = 0; peer < 300; peer++) {
        message = send_to(peer, SIZE);
        rp_send_window_done(message);
    }
    message = send_to(1000, SIZE);
    rp_send_window_message_t *more = send_to(1000, RP_SEND_WINDOW_PEER - SIZE);
    ck_assert_ptr_nonnull(more); // not a part of all, as nobody else has any
    rp_send_window_done(message);
    rp_send_window_done(more);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_peer_that_reads_nothing_has_so_much_under_way_and_no_more,
        one_message_may_always_be_under_way,
        many_who_read_nothing_have_parts_of_one_whole,
        who_has_read_all_counts_no_more,
    };
    return rp_suite_run("send_window", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
