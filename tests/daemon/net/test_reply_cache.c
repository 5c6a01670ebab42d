/// The replies of the last minute.
#include "daemon/net/reply_cache.h"

#include <stdlib.h>
#include <string.h>

#include "msgs/limits.h"
#include "tests/support/suite.h"

static rp_reply_cache_t replies;

static void tear_down(void)
{
    rp_reply_cache_fini(&replies);
}

static rp_peer_t peer_of(uint16_t number)
{
    rp_peer_t peer = {0};
    ck_assert(rp_peer_add(&peer, &number, sizeof number));
    return peer;
}

static rp_request_key_t key_of(uint64_t id, uint64_t life)
{
    return (rp_request_key_t){.id = id, .life = life, .is_hashed = true, .changes = true};
}

static void keep_of(uint16_t peer, const rp_request_key_t *key, const char *text, uint64_t now_us)
{
    const rp_peer_t who = peer_of(peer);
    rp_reply_cache_keep(&replies, &who, key, text, strlen(text), now_us);
}

static void keep(uint16_t peer, uint64_t id, const char *text, uint64_t now_us)
{
    const rp_request_key_t key = key_of(id, 0);
    keep_of(peer, &key, text, now_us);
}

static const rp_kept_reply_t *find(uint16_t peer, uint64_t id, uint64_t life, uint64_t now_us)
{
    const rp_peer_t who = peer_of(peer);
    const rp_request_key_t key = key_of(id, life);
    return rp_reply_cache_find(&replies, &who, &key, now_us);
}

static bool finds(uint16_t peer, uint64_t id, const char *text, uint64_t now_us)
{
    const rp_kept_reply_t *reply = find(peer, id, 0, now_us);
    return reply != NULL && reply->size == strlen(text) &&
           memcmp(reply->bytes, text, reply->size) == 0;
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

START_TEST(lives_and_bodies_are_told_apart)
{
    rp_request_key_t key = key_of(5, 77);
    key.body.words[1] = 9;
    keep_of(1, &key, "one", 0);
    ck_assert_ptr_null(find(1, 5, 0, 1));
    ck_assert_ptr_null(find(1, 5, 78, 1));
    const rp_kept_reply_t *reply = find(1, 5, 77, 1);
    ck_assert_ptr_nonnull(reply);
    ck_assert(rp_hash128_is_same(reply->body, key.body));
}
END_TEST

/// Two clients behind one proxy have the same first frame.
START_TEST(peers_are_told_apart_by_their_whole_envelope)
{
    rp_peer_t ann = peer_of(1);
    rp_peer_t bob = peer_of(1);
    ck_assert(rp_peer_add(&ann, "ann", 3));
    ck_assert(rp_peer_add(&bob, "bob", 3));
    const rp_request_key_t key = key_of(5, 0);
    rp_reply_cache_keep(&replies, &ann, &key, "x", 1, 0);
    ck_assert_ptr_null(rp_reply_cache_find(&replies, &bob, &key, 0));
    ck_assert_ptr_nonnull(rp_reply_cache_find(&replies, &ann, &key, 0));
}
END_TEST

START_TEST(a_reply_is_kept_for_a_minute)
{
    keep(1, 5, "one", 1000);
    ck_assert(finds(1, 5, "one", 1000 + RP_LIMIT_REPEAT_MS * 1000u));
    ck_assert(!finds(1, 5, "one", 1002 + RP_LIMIT_REPEAT_MS * 1000u));
}
END_TEST

START_TEST(what_was_only_asked_has_no_id_or_no_hash_is_not_kept)
{
    rp_request_key_t key = key_of(0, 0);
    keep_of(1, &key, "none", 0);
    key = key_of(5, 0);
    key.changes = false;
    keep_of(1, &key, "none", 0);
    key = key_of(5, 0);
    key.is_hashed = false;
    keep_of(1, &key, "none", 0);
    ck_assert_uint_eq(replies.count, 0);
}
END_TEST

/// Then it is still known that the change was made.
START_TEST(large_replies_lose_their_bytes_when_there_are_too_many)
{
    enum {
        SIZE = 1 << 20,
        COUNT = RP_REPLIES_LARGE_MOST / SIZE
    };
    const rp_peer_t peer = peer_of(1);
    uint8_t *large = calloc(1, SIZE);
    ck_assert_ptr_nonnull(large);
    keep(1, 1000, "small", 0);
    for (uint64_t id = 1; id <= COUNT + 2; id++) {
        const rp_request_key_t key = key_of(id, 0);
        rp_reply_cache_keep(&replies, &peer, &key, large, SIZE, id);
        ck_assert_uint_le(replies.large_bytes, RP_REPLIES_LARGE_MOST);
    }
    free(large);
    for (uint64_t id = 1; id <= COUNT + 2; id++) {
        const rp_kept_reply_t *reply = find(1, id, 0, 100);
        ck_assert_ptr_nonnull(reply);
        ck_assert((reply->bytes == NULL) == (id <= 2));
        ck_assert_uint_eq(reply->size, SIZE);
    }
    ck_assert(finds(1, 1000, "small", 100));
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
        a_reply_is_found_by_its_peer_and_id,
        lives_and_bodies_are_told_apart,
        peers_are_told_apart_by_their_whole_envelope,
        a_reply_is_kept_for_a_minute,
        what_was_only_asked_has_no_id_or_no_hash_is_not_kept,
        large_replies_lose_their_bytes_when_there_are_too_many,
        beyond_the_limit_the_oldest_replies_go,
        looking_for_a_reply_never_drops_it,
        a_newer_reply_to_the_same_id_replaces_the_older,
    };
    return rp_suite_run("reply_cache", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
