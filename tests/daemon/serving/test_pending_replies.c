/// Who waits.
#include <stdlib.h>
#include <string.h>

#include "daemon/serving/pending_replies.h"
#include "tests/support/suite.h"

static rp_pending_replies_t waits;

static void tear_down(void)
{
    rp_pending_replies_fini(&waits);
}

static rp_peer_t peer_of(uint16_t number)
{
    rp_peer_t peer = {0};
    ck_assert(rp_peer_add(&peer, &number, sizeof number));
    return peer;
}

static rp_status_t add(uint16_t peer, uint64_t id)
{
    const rp_pending_reply_t wait = {.key = {.id = id, .changes = true}, .peer = peer_of(peer)};
    return rp_pending_replies_add(&waits, &wait, "request", 7);
}

START_TEST(a_peer_may_have_a_window_of_waits_and_no_more)
{
    for (uint64_t id = 1; id <= RP_LIMIT_WINDOW; id++) {
        ck_assert_int_eq(add(1, id), RP_OK);
    }
    ck_assert_int_eq(add(1, 1000), RP_E_LIMIT);
    ck_assert_int_eq(add(2, 1), RP_OK);
    const rp_peer_t peer = peer_of(1);
    ck_assert_ptr_eq(rp_pending_replies_find(&waits, &peer, &(rp_request_key_t){.id = 1}),
                     waits.list[0]);
    ck_assert_ptr_null(rp_pending_replies_find(&waits, &peer, &(rp_request_key_t){.id = 1000}));
}
END_TEST

START_TEST(all_peers_together_have_their_limit_too)
{
    for (uint32_t i = 0; i < RP_PENDING_REPLIES_MAX; i++) {
        ck_assert_int_eq(add((uint16_t)(i / RP_LIMIT_WINDOW), i + 1u), RP_OK);
    }
    const rp_peer_t fresh = peer_of(9999);
    const rp_peer_t owner = peer_of(1);
    ck_assert(!rp_pending_replies_have_room(&waits, &fresh));
    ck_assert(!rp_pending_replies_may_add(&waits, &owner, 0)); // nobody has more than it
    ck_assert_int_eq(add(1, 5000), RP_E_LIMIT);
}
END_TEST

START_TEST(requests_that_are_kept_have_a_limit_in_bytes)
{
    static uint8_t request[RP_PENDING_REPLIES_PEER / 2u];
    const rp_peer_t orc = peer_of(1);
    const rp_pending_reply_t wait = {.key = {.id = 1}, .peer = orc};
    for (unsigned i = 0; i < 2; i++) {
        ck_assert(rp_pending_replies_may_keep(&waits, &orc, sizeof request));
        ck_assert_int_eq(rp_pending_replies_add(&waits, &wait, request, sizeof request), RP_OK);
    }
    ck_assert(!rp_pending_replies_may_keep(&waits, &orc, 1));
    ck_assert_int_eq(rp_pending_replies_add(&waits, &wait, request, 1), RP_E_LIMIT);
    ck_assert_int_eq(rp_pending_replies_add(&waits, &wait, NULL, 0), RP_OK);
    ck_assert_int_eq(add(2, 1), RP_OK);
    rp_pending_reply_t *taken = rp_pending_replies_take(&waits, 0);
    rp_pending_reply_destroy(&taken);
    ck_assert(rp_pending_replies_may_keep(&waits, &orc, sizeof request));
}
END_TEST

START_TEST(the_oldest_of_who_has_most_gives_way)
{
    for (uint32_t i = 0; i < 63; i++) {
        ck_assert_int_eq(add(500, i + 1u), RP_OK);
    }
    for (uint32_t i = 63; i < RP_PENDING_REPLIES_MAX; i++) {
        ck_assert_int_eq(add((uint16_t)(i / RP_LIMIT_WINDOW), i + 1u), RP_OK);
    }
    ck_assert_int_eq(add(9999, 5000), RP_OK);
    ck_assert_uint_eq(waits.yielded, 1);
    ck_assert_int_eq(waits.list[64]->state, RP_PENDING_GAVE_WAY); // peer 500 has one less
    rp_pending_reply_t *told = rp_pending_replies_take(&waits, 64);
    rp_pending_reply_destroy(&told);
    ck_assert_uint_eq(waits.yielded, 0);
    ck_assert_uint_eq(waits.count, RP_PENDING_REPLIES_MAX);
    ck_assert_int_eq(add(9999, 5001), RP_OK);
    ck_assert(waits.list[63 + 1 + 64]->key.id == 130 && waits.list[64]->state == RP_PENDING_WAITS);
}
END_TEST

START_TEST(one_that_is_taken_leaves_the_others_in_their_order)
{
    (void)add(1, 10);
    (void)add(1, 11);
    (void)add(2, 12);
    rp_pending_reply_t *wait = rp_pending_replies_take(&waits, 1);
    ck_assert_uint_eq(wait->key.id, 11);
    ck_assert_uint_eq(wait->request_size, 7);
    ck_assert_mem_eq(wait->request, "request", 7);
    rp_pending_reply_destroy(&wait);
    ck_assert_ptr_null(wait);
    ck_assert_uint_eq(waits.count, 2);
    ck_assert_uint_eq(waits.list[0]->key.id, 10);
    ck_assert_uint_eq(waits.list[1]->key.id, 12);
}
END_TEST

START_TEST(a_peer_that_goes_takes_its_waits_along)
{
    for (uint64_t id = 1; id <= 10; id++) {
        (void)add((uint16_t)(id % 2), id);
    }
    const rp_peer_t gone = peer_of(1);
    rp_pending_replies_yield_all(&waits, &gone);
    ck_assert_uint_eq(waits.count - waits.yielded, 5);
    ck_assert_uint_eq(rp_peer_quota_held(&waits.places, &gone), 0);
    for (uint32_t i = 0; i < waits.count; i++) {
        const bool is_gone = waits.list[i]->key.id % 2 != 0;
        ck_assert_int_eq(waits.list[i]->state, is_gone ? RP_PENDING_LEFT : RP_PENDING_WAITS);
    }
}
END_TEST

/// Both requests of the life before: a change is still made, what was asked is over.
START_TEST(what_waits_in_the_name_of_another_life_does_so_for_nobody)
{
    rp_pending_reply_t wait = {.key = {.id = 1, .life = 7, .changes = true}, .peer = peer_of(1)};
    wait.peer.life = 7;
    ck_assert_int_eq(rp_pending_replies_add(&waits, &wait, NULL, 0), RP_OK);
    wait.key.changes = false;
    ck_assert_int_eq(rp_pending_replies_add(&waits, &wait, NULL, 0), RP_OK);
    rp_peer_t peer = wait.peer;
    rp_pending_replies_mute(&waits, &peer);
    ck_assert(!waits.list[0]->is_mute && !waits.list[1]->is_mute);
    peer.life = 8;
    ck_assert_ptr_null(
        rp_pending_replies_find(&waits, &peer, &(rp_request_key_t){.id = 1, .life = 8}));
    rp_pending_replies_mute(&waits, &peer);
    ck_assert(waits.list[0]->is_mute && waits.list[1]->is_mute);
    ck_assert_int_eq(waits.list[0]->state, RP_PENDING_WAITS);
    ck_assert_int_eq(waits.list[1]->state, RP_PENDING_GAVE_WAY);
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

int main(void)
{
    const TTest *const tests[] = {
        a_peer_may_have_a_window_of_waits_and_no_more,
        all_peers_together_have_their_limit_too,
        requests_that_are_kept_have_a_limit_in_bytes,
        the_oldest_of_who_has_most_gives_way,
        one_that_is_taken_leaves_the_others_in_their_order,
        a_peer_that_goes_takes_its_waits_along,
        what_waits_in_the_name_of_another_life_does_so_for_nobody,
        peers_are_told_apart_by_their_first_frame,
        an_envelope_has_its_limits,
    };
    return rp_suite_run("pending_replies", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
