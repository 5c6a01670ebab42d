/// Watches by themselves: dirty bits and whose they are. The stream is test_watch_stream.c's.
#include <string.h>

#include "daemon/serving/watches.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_watches_t watches;
static rp_served_t marsh = {.name = "marsh"};
static rp_served_t meadow = {.name = "meadow"};
static const rp_watch_options_t everybody = {.all = true, .credit = 1};

static void tear_down(void)
{
    rp_watches_fini(&watches);
}

static rp_peer_t peer_of(uint8_t number)
{
    rp_peer_t peer = {0};
    ck_assert(rp_peer_add(&peer, &number, 1));
    return peer;
}

static rp_watch_t *add_all(uint8_t number, rp_served_t *world)
{
    const rp_peer_t peer = peer_of(number);
    rp_watch_t *watch = rp_watches_add(&watches, &peer, world, &everybody);
    ck_assert_ptr_nonnull(watch);
    return watch;
}

START_TEST(each_dirty_agent_gets_its_turn)
{
    static const rp_session_id_t sessions[] = {1, 63, 64, 65, 500};
    rp_watch_t *watch = add_all(1, &marsh);
    ck_assert_uint_eq(rp_watch_next_dirty(watch), UINT32_MAX);
    for (size_t i = 0; i < 5; i++) {
        ck_assert(rp_watch_set_dirty(watch, sessions[i], true));
    }
    ck_assert(rp_watch_set_dirty(watch, 64, true)); // twice is once
    ck_assert_uint_eq(watch->dirty.count, 5);
    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 0; i < 5; i++) {
            ck_assert_uint_eq(rp_watch_next_dirty(watch), sessions[i]);
        }
    }
}
END_TEST

START_TEST(bits_agree_with_a_plain_list)
{
    rp_watch_t *watch = add_all(1, &marsh);
    rp_random_t rng = {2};
    bool plain[300] = {false};
    for (int i = 0; i < 5000; i++) {
        const uint32_t session = rp_random_below(&rng, 300);
        plain[session] = rp_random_chance(&rng, 40);
        ck_assert(rp_watch_set_dirty(watch, session, plain[session]));
        ck_assert(rp_watch_is_dirty(watch, session) == plain[session]);
        const rp_session_id_t next = rp_watch_next_dirty(watch);
        ck_assert(next == UINT32_MAX ? watch->dirty.count == 0 : plain[next]);
    }
    uint32_t count = 0;
    for (size_t i = 0; i < 300; i++) {
        count += plain[i];
    }
    ck_assert_uint_eq(watch->dirty.count, count);
}
END_TEST

START_TEST(an_answer_concerns_the_watches_of_its_world_that_want_it)
{
    char *names[] = {(char *)"troll", (char *)"elf"};
    const rp_watch_options_t two = {.names = names, .name_count = 2, .credit = 1};
    const rp_watch_options_t map = {.map = true, .credit = 1};
    const rp_peer_t peer = peer_of(3);
    const rp_watch_t *all = add_all(1, &marsh);
    const rp_watch_t *elsewhere = add_all(2, &meadow);
    const rp_watch_t *some = rp_watches_add(&watches, &peer, &marsh, &two);
    const rp_watch_t *none = rp_watches_add(&watches, &peer, &marsh, &map);
    const rp_agent_t orc = {.name = "orc", .world = &marsh, .session = 7};
    const rp_agent_t elf = {.name = "elf", .world = &marsh, .session = 8};
    ck_assert_uint_eq(rp_watches_note_answer(&watches, &orc), 0);
    ck_assert_uint_eq(rp_watches_note_answer(&watches, &elf), 0);
    ck_assert_uint_eq(all->dirty.count, 2);
    ck_assert_uint_eq(some->dirty.count, 1);
    ck_assert_uint_eq(elsewhere->dirty.count, 0);
    ck_assert_uint_eq(none->dirty.count, 0);
    rp_watches_forget_agent(&watches, &elf);
    ck_assert_uint_eq(all->dirty.count, 1);
    ck_assert_uint_eq(some->dirty.count, 0);
}
END_TEST

START_TEST(a_reader_has_the_path_of_an_agent_until_the_agent_goes)
{
    const rp_agent_t orc = {.name = "orc", .world = &marsh, .session = 90};
    rp_watch_t *watch = add_all(1, &marsh);
    ck_assert_uint_eq(rp_watch_had(watch, 90), 0);
    rp_watch_note_had(watch, 90, 0);
    rp_watch_note_had(watch, 90, 4);
    rp_watch_note_had(watch, 3, 1);
    ck_assert_uint_eq(rp_watch_had(watch, 90), 4);
    ck_assert_uint_eq(rp_watch_had(watch, 91), 0);
    ck_assert_uint_eq(rp_watch_had(watch, 100000), 0);
    rp_watches_forget_agent(&watches, &orc);
    ck_assert_uint_eq(rp_watch_had(watch, 90), 0);
    ck_assert_uint_eq(rp_watch_had(watch, 3), 1);
}
END_TEST

START_TEST(watches_are_found_by_number_and_peer_and_go_with_peer_or_world)
{
    const rp_peer_t first = peer_of(1);
    const rp_peer_t second = peer_of(2);
    const uint32_t a = add_all(1, &marsh)->id;
    const uint32_t b = add_all(2, &marsh)->id;
    const uint32_t c = add_all(2, &meadow)->id;
    ck_assert_ptr_nonnull(rp_watches_find(&watches, &first, a));
    ck_assert_ptr_null(rp_watches_find(&watches, &first, b));
    rp_watches_remove_peer(&watches, &first);
    ck_assert_uint_eq(watches.count, 2);
    rp_watches_remove_world(&watches, &marsh);
    ck_assert_uint_eq(watches.count, 1);
    ck_assert_ptr_nonnull(rp_watches_find(&watches, &second, c));
    ck_assert_uint_gt(add_all(1, &marsh)->id, c); // numbers are not used again
}
END_TEST

START_TEST(there_are_no_more_watches_than_the_limit)
{
    const rp_peer_t peer = peer_of(1);
    for (unsigned i = 0; i < RP_LIMIT_WATCHES; i++) {
        (void)add_all(1, &marsh);
    }
    ck_assert_ptr_null(rp_watches_add(&watches, &peer, &marsh, &everybody));
    rp_watches_remove(&watches, watches.list[5]);
    ck_assert_ptr_nonnull(rp_watches_add(&watches, &peer, &marsh, &everybody));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_dirty_agent_gets_its_turn,
        bits_agree_with_a_plain_list,
        an_answer_concerns_the_watches_of_its_world_that_want_it,
        a_reader_has_the_path_of_an_agent_until_the_agent_goes,
        watches_are_found_by_number_and_peer_and_go_with_peer_or_world,
        there_are_no_more_watches_than_the_limit,
    };
    return rp_suite_run("watches", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
