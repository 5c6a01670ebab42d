/// Replies that wait for room in their peer's queue.
#include "daemon/net/outbox.h"

#include <string.h>

#include "tests/support/suite.h"

/// A transport with two peers: what it says, and the first bytes of what it took.
typedef struct road {
    rp_sent_t fate[2];
    char taken[64];
    size_t count;
} road_t;

static rp_sent_t take(void *user, const rp_peer_t *peer, const void *bytes, size_t size)
{
    road_t *road = user;
    const unsigned which = peer->bytes[1] == 'b';
    if (road->fate[which] == RP_SENT && size != 0) {
        memcpy(&road->taken[road->count++], bytes, 1);
    }
    return road->fate[which];
}

static rp_peer_t peer_named(const char *name)
{
    rp_peer_t peer = {0};
    ck_assert(rp_peer_add(&peer, name, strlen(name)));
    return peer;
}

START_TEST(each_goes_out_once_when_there_is_room)
{
    road_t road = {.fate = {RP_SENT_FULL, RP_SENT}};
    const rp_transport_t transport = {.control = take, .user = &road};
    const rp_peer_t a = peer_named("a");
    const rp_peer_t b = peer_named("b");
    rp_outbox_t outbox = {0};
    uint64_t gone = 0;
    ck_assert(!rp_outbox_send(&outbox, &transport, &gone));
    ck_assert_int_eq(rp_outbox_add(&outbox, &a, "1", 1), RP_OK);
    ck_assert_int_eq(rp_outbox_add(&outbox, &b, "2", 1), RP_OK);
    ck_assert_int_eq(rp_outbox_add(&outbox, &a, "3", 1), RP_OK);
    ck_assert(rp_outbox_send(&outbox, &transport, &gone));
    ck_assert_str_eq(road.taken, "2");
    road.fate[0] = RP_SENT;
    ck_assert(!rp_outbox_send(&outbox, &transport, &gone));
    ck_assert_str_eq(road.taken, "213");
    ck_assert_uint_eq(outbox.shares.total, 0);
    ck_assert_uint_eq(gone, 0);
    rp_outbox_fini(&outbox);
}
END_TEST

START_TEST(a_peer_that_is_gone_is_owed_nothing)
{
    road_t road = {.fate = {RP_SENT_GONE, RP_SENT_FULL}};
    const rp_transport_t transport = {.control = take, .user = &road};
    const rp_peer_t a = peer_named("a");
    const rp_peer_t b = peer_named("b");
    rp_outbox_t outbox = {0};
    uint64_t gone = 0;
    ck_assert_int_eq(rp_outbox_add(&outbox, &a, "1", 1), RP_OK);
    ck_assert_int_eq(rp_outbox_add(&outbox, &b, "2", 1), RP_OK);
    ck_assert(rp_outbox_send(&outbox, &transport, &gone));
    ck_assert_uint_eq(gone, 1);
    ck_assert_uint_ne(outbox.shares.total, 0);
    rp_outbox_fini(&outbox);
}
END_TEST

START_TEST(a_peer_that_reads_nothing_has_so_much_held_and_leaves_others_room)
{
    static uint8_t large[1u << 20];
    const rp_peer_t a = peer_named("a");
    const rp_peer_t b = peer_named("b");
    rp_outbox_t outbox = {0};
    unsigned count = 0;
    while (rp_outbox_add(&outbox, &a, large, sizeof large) == RP_OK) {
        count++;
    }
    ck_assert_uint_eq(count, RP_OUTBOX_PEER / sizeof large - 1u);
    ck_assert_int_eq(rp_outbox_add(&outbox, &a, large, sizeof large), RP_E_LIMIT);
    ck_assert_int_eq(rp_outbox_add(&outbox, &b, large, sizeof large), RP_OK);
    rp_outbox_fini(&outbox);
    ck_assert_int_eq(rp_outbox_add(&outbox, &a, large, sizeof large), RP_OK);
    rp_outbox_fini(&outbox);
}
END_TEST

START_TEST(a_single_reply_may_be_as_long_as_it_is)
{
    static uint8_t large[RP_OUTBOX_PEER + 1u];
    const rp_peer_t a = peer_named("a");
    rp_outbox_t outbox = {0};
    ck_assert_int_eq(rp_outbox_add(&outbox, &a, large, sizeof large), RP_OK);
    ck_assert_int_eq(rp_outbox_add(&outbox, &a, large, 1), RP_E_LIMIT);
    rp_outbox_fini(&outbox);
}
END_TEST

START_TEST(all_together_are_held_in_bounds_and_the_last_quarter_is_for_who_has_none)
{
    static uint8_t large[RP_OUTBOX_PEER / 2u];
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    rp_outbox_t outbox = {0};
    unsigned count = 0;
    for (size_t i = 0; i < 6; i++) {
        const rp_peer_t peer = peer_named(names[i]);
        count += rp_outbox_add(&outbox, &peer, large, sizeof large) == RP_OK;
    }
    const rp_peer_t first = peer_named(names[0]);
    const rp_peer_t last = peer_named("g");
    ck_assert_uint_eq(count, 6);
    ck_assert_int_eq(rp_outbox_add(&outbox, &first, large, 1), RP_E_LIMIT);
    while (outbox.shares.total < RP_OUTBOX_BYTES) {
        const rp_peer_t another = peer_named((char[]){(char)('A' + count++), '\0'});
        ck_assert_int_eq(rp_outbox_add(&outbox, &another, large, sizeof large), RP_OK);
    }
    ck_assert_int_eq(rp_outbox_add(&outbox, &last, large, 1), RP_E_LIMIT);
    ck_assert_uint_lt(outbox.shares.total, RP_OUTBOX_BYTES + RP_OUTBOX_PEER);
    rp_outbox_fini(&outbox);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_goes_out_once_when_there_is_room,
        a_peer_that_is_gone_is_owed_nothing,
        a_peer_that_reads_nothing_has_so_much_held_and_leaves_others_room,
        a_single_reply_may_be_as_long_as_it_is,
        all_together_are_held_in_bounds_and_the_last_quarter_is_for_who_has_none,
    };
    return rp_suite_run("outbox", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
