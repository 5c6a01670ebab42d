/// Who waits, and the replies of the last minute.
#include <stdlib.h>
#include <string.h>

#include "daemon/waits.h"
#include "tests/support/suite.h"

static rp_waits_t waits;
static rp_replies_t replies;

static void tear_down(void)
{
    rp_waits_fini(&waits);
    rp_replies_fini(&replies);
}

static rp_peer_t peer_of(uint16_t number)
{
    rp_peer_t peer = {0};
    ck_assert(rp_peer_add(&peer, &number, sizeof number));
    return peer;
}

static rp_status_t add(uint16_t peer, uint64_t id)
{
    const rp_wait_t wait = {.request_id = id, .peer = peer_of(peer)};
    return rp_waits_add(&waits, &wait, "request", 7);
}

START_TEST(a_peer_may_have_a_window_of_waits_and_no_more)
{
    for (uint64_t id = 1; id <= RP_LIMIT_WINDOW; id++) {
        ck_assert_int_eq(add(1, id), RP_OK);
    }
    ck_assert_int_eq(add(1, 1000), RP_E_LIMIT);
    ck_assert_int_eq(add(2, 1), RP_OK);
    const rp_peer_t peer = peer_of(1);
    ck_assert(rp_waits_have(&waits, &peer, 1));
    ck_assert(!rp_waits_have(&waits, &peer, 1000));
}
END_TEST

START_TEST(all_peers_together_have_their_limit_too)
{
    for (uint32_t i = 0; i < RP_WAITS_MAX; i++) {
        ck_assert_int_eq(add((uint16_t)(i / RP_LIMIT_WINDOW), i + 1u), RP_OK);
    }
    const rp_peer_t fresh = peer_of(9999);
    const rp_peer_t owner = peer_of(1);
    ck_assert(!rp_waits_have_room(&waits, &fresh));
    ck_assert(!rp_waits_may_add(&waits, &owner, 0)); // nobody has more than it
    ck_assert_int_eq(add(1, 5000), RP_E_LIMIT);
}
END_TEST

START_TEST(requests_that_are_kept_have_a_limit_in_bytes)
{
    static uint8_t request[RP_WAITS_PEER / 2u];
    const rp_peer_t orc = peer_of(1);
    const rp_wait_t wait = {.request_id = 1, .peer = orc};
    for (unsigned i = 0; i < 2; i++) {
        ck_assert(rp_waits_may_keep(&waits, &orc, sizeof request));
        ck_assert_int_eq(rp_waits_add(&waits, &wait, request, sizeof request), RP_OK);
    }
    ck_assert(!rp_waits_may_keep(&waits, &orc, 1));
    ck_assert_int_eq(rp_waits_add(&waits, &wait, request, 1), RP_E_LIMIT);
    ck_assert_int_eq(rp_waits_add(&waits, &wait, NULL, 0), RP_OK);
    ck_assert_int_eq(add(2, 1), RP_OK);
    rp_wait_t *taken = rp_waits_take(&waits, 0);
    rp_wait_destroy(&taken);
    ck_assert(rp_waits_may_keep(&waits, &orc, sizeof request));
}
END_TEST

START_TEST(the_oldest_of_who_has_most_gives_way)
{
    for (uint32_t i = 0; i < 63; i++) {
        ck_assert_int_eq(add(500, i + 1u), RP_OK);
    }
    for (uint32_t i = 63; i < RP_WAITS_MAX; i++) {
        ck_assert_int_eq(add((uint16_t)(i / RP_LIMIT_WINDOW), i + 1u), RP_OK);
    }
    ck_assert_int_eq(add(9999, 5000), RP_OK);
    ck_assert_uint_eq(waits.yielded, 1);
    ck_assert(waits.list[64]->gave_way); // peer 500 has one less
    rp_wait_t *told = rp_waits_take(&waits, 64);
    rp_wait_destroy(&told);
    ck_assert_uint_eq(waits.yielded, 0);
    ck_assert_uint_eq(waits.count, RP_WAITS_MAX);
    ck_assert_int_eq(add(9999, 5001), RP_OK);
    ck_assert(waits.list[63 + 1 + 64]->request_id == 130 && !waits.list[64]->gave_way);
}
END_TEST

START_TEST(one_that_is_taken_leaves_the_others_in_their_order)
{
    (void)add(1, 10);
    (void)add(1, 11);
    (void)add(2, 12);
    rp_wait_t *wait = rp_waits_take(&waits, 1);
    ck_assert_uint_eq(wait->request_id, 11);
    ck_assert_uint_eq(wait->request_size, 7);
    ck_assert_mem_eq(wait->request, "request", 7);
    rp_wait_destroy(&wait);
    ck_assert_ptr_null(wait);
    ck_assert_uint_eq(waits.count, 2);
    ck_assert_uint_eq(waits.list[0]->request_id, 10);
    ck_assert_uint_eq(waits.list[1]->request_id, 12);
}
END_TEST

START_TEST(a_peer_that_goes_takes_its_waits_along)
{
    for (uint64_t id = 1; id <= 10; id++) {
        (void)add((uint16_t)(id % 2), id);
    }
    const rp_peer_t gone = peer_of(1);
    rp_waits_remove_peer(&waits, &gone);
    ck_assert_uint_eq(waits.count, 5);
    for (uint32_t i = 0; i < waits.count; i++) {
        ck_assert_uint_eq(waits.list[i]->request_id % 2, 0);
    }
}
END_TEST

START_TEST(peers_are_told_apart_by_their_first_frame)
{
    rp_peer_t direct = peer_of(1);
    rp_peer_t routed = peer_of(1);
    ck_assert(rp_peer_add(&routed, "", 0));
    const rp_peer_t other = peer_of(2);
    ck_assert(rp_peer_is_same(&direct, &routed));
    ck_assert(!rp_peer_is_same(&direct, &other));
    const rp_peer_t nobody = {0};
    ck_assert(!rp_peer_is_same(&nobody, &nobody));
}
END_TEST

START_TEST(an_envelope_has_its_limits)
{
    static const uint8_t frame[RP_LIMIT_ENVELOPE + 1u];
    rp_peer_t peer = {0};
    ck_assert(!rp_peer_add(&peer, frame, RP_LIMIT_ENVELOPE + 1u));
    for (unsigned i = 0; i < RP_LIMIT_PARTS; i++) {
        ck_assert(rp_peer_add(&peer, frame, RP_LIMIT_ENVELOPE));
    }
    ck_assert(!rp_peer_add(&peer, frame, 1));
    uint32_t at = 0;
    unsigned count = 0;
    const uint8_t *found;
    size_t size;
    while (rp_peer_next(&peer, &at, &found, &size)) {
        ck_assert_uint_eq(size, RP_LIMIT_ENVELOPE);
        count++;
    }
    ck_assert_uint_eq(count, RP_LIMIT_PARTS);
}
END_TEST

// ---- replies

static void keep(uint16_t peer, uint64_t id, const char *text, uint64_t now_us)
{
    const rp_peer_t who = peer_of(peer);
    rp_replies_keep(&replies, &who, id, text, strlen(text), now_us);
}

static bool finds(uint16_t peer, uint64_t id, const char *text, uint64_t now_us)
{
    const rp_peer_t who = peer_of(peer);
    size_t size;
    const uint8_t *bytes = rp_replies_find(&replies, &who, id, now_us, &size);
    return bytes != NULL && size == strlen(text) && memcmp(bytes, text, size) == 0;
}

START_TEST(a_reply_is_found_by_its_peer_and_id)
{
    keep(1, 5, "one", 0);
    keep(2, 5, "two", 0);
    ck_assert(finds(1, 5, "one", 10));
    ck_assert(finds(2, 5, "two", 10));
    ck_assert(!finds(1, 6, "one", 10));
    ck_assert(!finds(3, 5, "one", 10));
}
END_TEST

START_TEST(a_reply_is_kept_for_a_minute)
{
    keep(1, 5, "one", 1000);
    ck_assert(finds(1, 5, "one", 1000 + RP_LIMIT_REPEAT_MS * 1000u));
    ck_assert(!finds(1, 5, "one", 1002 + RP_LIMIT_REPEAT_MS * 1000u));
}
END_TEST

START_TEST(id_0_and_large_replies_are_not_kept)
{
    keep(1, 0, "none", 0);
    ck_assert(!finds(1, 0, "none", 0));
    const rp_peer_t peer = peer_of(1);
    uint8_t *large = calloc(1, 100000);
    ck_assert_ptr_nonnull(large);
    rp_replies_keep(&replies, &peer, 9, large, 100000, 0);
    free(large);
    ck_assert_uint_eq(replies.count, 0);
}
END_TEST

START_TEST(beyond_the_limit_the_oldest_replies_go)
{
    for (uint64_t id = 1; id <= RP_LIMIT_REPLIES_KEPT + 1u; id++) {
        keep(1, id, "reply", id);
    }
    ck_assert_uint_le(replies.count, RP_LIMIT_REPLIES_KEPT);
    ck_assert(!finds(1, 1, "reply", 5000));
    ck_assert(finds(1, RP_LIMIT_REPLIES_KEPT + 1u, "reply", 5000));
}
END_TEST

START_TEST(looking_for_a_reply_never_drops_it)
{
    for (uint64_t id = 1; id <= RP_LIMIT_REPLIES_KEPT; id++) {
        keep(1, id, "reply", id);
    }
    ck_assert(finds(1, 1, "reply", 5000));
    ck_assert(finds(1, 1, "reply", 5000));
}
END_TEST

START_TEST(a_newer_reply_to_the_same_id_replaces_the_older)
{
    keep(1, 5, "one", 0);
    keep(1, 5, "two", 1);
    ck_assert(finds(1, 5, "two", 2));
    ck_assert_uint_eq(replies.count, 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_peer_may_have_a_window_of_waits_and_no_more,
        all_peers_together_have_their_limit_too,
        requests_that_are_kept_have_a_limit_in_bytes,
        the_oldest_of_who_has_most_gives_way,
        one_that_is_taken_leaves_the_others_in_their_order,
        a_peer_that_goes_takes_its_waits_along,
        peers_are_told_apart_by_their_first_frame,
        an_envelope_has_its_limits,
        a_reply_is_found_by_its_peer_and_id,
        a_reply_is_kept_for_a_minute,
        id_0_and_large_replies_are_not_kept,
        beyond_the_limit_the_oldest_replies_go,
        looking_for_a_reply_never_drops_it,
        a_newer_reply_to_the_same_id_replaces_the_older,
    };
    return rp_suite_run("waits", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
