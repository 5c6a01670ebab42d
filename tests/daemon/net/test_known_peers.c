/// Who speaks: the same as before, or another one under its routing id.
#include "daemon/net/known_peers.h"

#include "tests/support/suite.h"

static rp_known_peers_t peers;

static void tear_down(void)
{
    rp_known_peers_fini(&peers);
}

static bool note(uint16_t name, uint64_t connection, uint64_t life)
{
    rp_peer_t peer = {.connection = connection, .life = life};
    ck_assert(rp_peer_add(&peer, &name, sizeof name));
    return rp_known_peers_note(&peers, &peer, 1);
}

START_TEST(one_that_is_not_known_may_be_another)
{
    ck_assert(note(1, 1, 7));
    ck_assert(!note(1, 1, 7));
    ck_assert(note(2, 1, 7));
}
END_TEST

START_TEST(another_connection_or_another_life_is_another_peer)
{
    (void)note(1, 1, 7);
    ck_assert(note(1, 2, 7));
    ck_assert(!note(1, 2, 7));
    ck_assert(note(1, 2, 8));
    ck_assert(!note(1, 2, 8));
    ck_assert(note(1, 3, 0));
    ck_assert(!note(1, 3, 0));
}
END_TEST

START_TEST(a_life_may_be_left_out_on_its_connection)
{
    (void)note(1, 1, 7);
    ck_assert(!note(1, 1, 0));
    ck_assert(!note(1, 1, 7));
    ck_assert(note(1, 1, 8));
    (void)note(2, 1, 0);
    ck_assert(!note(2, 1, 7)); // it was left out before
    ck_assert(note(2, 1, 8));
}
END_TEST

START_TEST(the_one_that_is_known_for_longest_is_forgotten)
{
    for (uint16_t name = 0; name < RP_KNOWN_PEERS_MAX; name++) {
        ck_assert(note(name, 1, 1));
    }
    ck_assert(!note(0, 1, 1));
    ck_assert(note(RP_KNOWN_PEERS_MAX, 1, 1));
    ck_assert(note(0, 1, 1));
    ck_assert(!note(2, 1, 1));
    ck_assert_uint_eq(HASH_COUNT(peers.by_name), RP_KNOWN_PEERS_MAX);
}
END_TEST

START_TEST(a_reply_of_one_life_is_not_for_another)
{
    rp_peer_t before = {.connection = 1, .life = 7};
    ck_assert(rp_peer_add(&before, "orc", 3));
    rp_peer_t now = before;
    ck_assert(!rp_peer_has_new_life(&before, &now));
    now.connection = 2; // it comes back after the line broke
    ck_assert(!rp_peer_has_new_life(&before, &now));
    now.life = 0;
    ck_assert(rp_peer_has_new_life(&before, &now));
    now.connection = 1; // it left its life out
    ck_assert(!rp_peer_has_new_life(&before, &now));
    now.life = 8;
    ck_assert(rp_peer_has_new_life(&before, &now));
    ck_assert(rp_peer_add(&now, "behind a proxy", 14));
    ck_assert(!rp_peer_has_new_life(&before, &now));
}
END_TEST

START_TEST(what_was_refused_and_lost_is_remembered_of_its_peer_alone)
{
    rp_peer_t one = {.connection = 1};
    rp_peer_t other = {.connection = 2};
    rp_peer_t stranger = {.connection = 3};
    ck_assert(rp_peer_add(&one, "one", 3) && rp_peer_add(&other, "other", 5));
    ck_assert(rp_peer_add(&stranger, "stranger", 8));
    (void)rp_known_peers_note(&peers, &one, 10);
    (void)rp_known_peers_note(&peers, &other, 20);
    (void)rp_known_peers_note(&peers, &one, 30);
    rp_known_peers_note_refusal(&peers, &one, "first", 40);
    rp_known_peers_note_refusal(&peers, &one, "second", 50);
    rp_known_peers_note_refusal(&peers, &stranger, "nobody", 50);
    rp_known_peers_note_dropped(&peers, &other);
    rp_known_peers_note_dropped(&peers, &stranger);
    const rp_known_peer_t *known = peers.by_name;
    ck_assert_uint_eq(known->first_us, 10);
    ck_assert_uint_eq(known->heard_us, 30);
    ck_assert_uint_eq(known->requests, 2);
    ck_assert_uint_eq(known->refused, 2);
    ck_assert_uint_eq(known->refused_us, 50);
    ck_assert_str_eq(known->refusal, "second");
    ck_assert_uint_eq(known->dropped, 0);
    known = known->hh.next;
    ck_assert_uint_eq(known->dropped, 1);
    ck_assert_ptr_null(known->refusal);
    rp_peer_t named;
    rp_known_peers_name(known, &named);
    ck_assert(rp_peer_is_equal(&named, &other));
    ck_assert_uint_eq(named.frame_count, 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        one_that_is_not_known_may_be_another,
        another_connection_or_another_life_is_another_peer,
        a_life_may_be_left_out_on_its_connection,
        the_one_that_is_known_for_longest_is_forgotten,
        a_reply_of_one_life_is_not_for_another,
        what_was_refused_and_lost_is_remembered_of_its_peer_alone,
    };
    return rp_suite_run("known_peers", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
