/// The stream of a watch (msgs/README.md), through the daemon without its sockets: order, credit,
/// slow readers, readers that fell behind, peers that are full or gone.
#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/requests/watching.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

START_TEST(a_new_watch_gets_the_map_then_the_answers_then_the_head)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    (void)rp_wire_agent(&wire, 0, "elf", 0, 7, 15, 7);
    block(8, 0);
    (void)rp_wire_watch(&wire, PEER, true, 100);
    const Replan__V1__Chunk *chunk = expect(REPLAN__V1__TO_CLIENT__BODY_CHUNK)->chunk;
    ck_assert(chunk->first && chunk->last);
    ck_assert_uint_eq(chunk->version, 2);
    ck_assert_uint_eq(chunk->data.len, 16u * 8u);
    ck_assert_uint_eq(chunk->data.data[8], 0);
    ck_assert_uint_eq(chunk->geometry->width, 16);
    (void)expect(REPLAN__V1__TO_CLIENT__BODY_ANSWER);
    (void)expect(REPLAN__V1__TO_CLIENT__BODY_ANSWER);
    const Replan__V1__Head *head = expect(REPLAN__V1__TO_CLIENT__BODY_HEAD)->head;
    ck_assert_uint_eq(head->settled, 2);
    expect_nothing();
    block(9, 1);
    ck_assert_uint_eq(expect(REPLAN__V1__TO_CLIENT__BODY_DELTA)->delta->version, 3);
    const Replan__V1__ToClient *after = rp_wire_next(&wire, PEER);
    ck_assert_ptr_nonnull(after);
    ck_assert_int_ne(after->body_case, REPLAN__V1__TO_CLIENT__BODY_DELTA);
}
END_TEST

START_TEST(every_message_costs_one_credit_and_at_0_the_stream_stands_still)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    const uint32_t watch = rp_wire_watch(&wire, PEER, true, 2);
    (void)expect(REPLAN__V1__TO_CLIENT__BODY_CHUNK);
    (void)expect(REPLAN__V1__TO_CLIENT__BODY_ANSWER);
    expect_nothing();
    rp_wire_pass(&wire, 5000000);
    block(8, 0);
    expect_nothing();
    grant(watch, 1);
    (void)expect(REPLAN__V1__TO_CLIENT__BODY_DELTA);
    expect_nothing();
    grant(watch, 10);
    (void)expect(REPLAN__V1__TO_CLIENT__BODY_ANSWER);
    (void)expect(REPLAN__V1__TO_CLIENT__BODY_HEAD);
    expect_nothing();
}
END_TEST

START_TEST(a_slow_reader_gets_only_the_newest_answer)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    const uint32_t watch = rp_wire_watch(&wire, PEER, false, 0);
    for (uint32_t x = 3; x < 12; x++) {
        block(x, 0);
    }
    grant(watch, 100);
    const Replan__V1__Answer *answer = expect(REPLAN__V1__TO_CLIENT__BODY_ANSWER)->answer;
    ck_assert_uint_eq(answer->version, 10);
    ck_assert_str_eq(answer->agent, "orc");
    (void)expect(REPLAN__V1__TO_CLIENT__BODY_HEAD);
    expect_nothing();
}
END_TEST

START_TEST(answers_come_through_while_changes_pour_in)
{
    rp_wire_open(&wire);
    Replan__V1__Policy optimal = REPLAN__V1__POLICY__INIT;
    optimal.gain_case = REPLAN__V1__POLICY__GAIN_SWITCH_GAIN_PERCENT;
    optimal.interval_case = REPLAN__V1__POLICY__INTERVAL_MIN_INTERVAL_MS;
    (void)rp_wire_agent_with(&wire, 0, "orc", 0, 0, 15, 0, &optimal);
    (void)rp_wire_watch(&wire, PEER, true, 20000);
    unsigned answers = 0;
    const bool has_workers = rp_host_descriptor(wire.daemon.serving.host) >= 0;
    const unsigned rounds = has_workers ? 60 : 10; // a worker may have to wait for its turn
    for (unsigned round = 0; round < rounds && answers < 5; round++) {
        for (unsigned i = 0; i < 250; i++) { // as many as a round of the reactor reads
            Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
            apply.change = rp_wire_change(8, i % 2, (round + i / 2) % 2);
            Replan__V1__Request request = RP_REQUEST(APPLY, apply, &apply);
            rp_wire_send(&wire, 0, &request);
        }
        rp_daemon_work(&wire.daemon, 8192);
        const Replan__V1__ToClient *message;
        while ((message = rp_wire_next(&wire, PEER)) != NULL) {
            answers += message->body_case == REPLAN__V1__TO_CLIENT__BODY_ANSWER;
        }
    }
    ck_assert_uint_ge(answers, 5);
}
END_TEST

START_TEST(credit_beyond_the_limit_is_refused_and_what_is_left_stays)
{
    rp_wire_open(&wire);
    Replan__V1__Credit credit;
    const uint32_t watch = rp_wire_watch(&wire, PEER, false, RP_LIMIT_CREDIT);
    Replan__V1__Request request = credit_request(&credit, watch, RP_LIMIT_CREDIT);
    const Replan__V1__Reply *reply = rp_wire_ask(&wire, PEER, &request);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__LIMIT);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "65536"));
    request = credit_request(&credit, watch, UINT32_MAX);
    ck_assert_int_eq(rp_wire_ask(&wire, PEER, &request)->status, REPLAN__V1__STATUS__INVALID);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    while (rp_wire_next(&wire, PEER) != NULL) {
    }
    block(8, 0);
    (void)expect(REPLAN__V1__TO_CLIENT__BODY_ANSWER);
}
END_TEST

START_TEST(a_watch_belongs_to_the_peer_that_opened_it)
{
    rp_wire_open(&wire);
    Replan__V1__Credit credit;
    Replan__V1__Unwatch unwatch = REPLAN__V1__UNWATCH__INIT;
    unwatch.watch = rp_wire_watch(&wire, PEER, false, 5);
    Replan__V1__Request request = RP_REQUEST(UNWATCH, unwatch, &unwatch);
    ck_assert_int_eq(rp_wire_ask(&wire, 1, &request)->status, REPLAN__V1__STATUS__UNKNOWN);
    Replan__V1__Request stolen = credit_request(&credit, unwatch.watch, 5);
    ck_assert_int_eq(rp_wire_ask(&wire, 1, &stolen)->status, REPLAN__V1__STATUS__UNKNOWN);
    (void)rp_wire_do(&wire, PEER, &request);
    while (rp_wire_next(&wire, PEER) != NULL) {
    }
    rp_wire_pass(&wire, 5000000);
    expect_nothing();
}
END_TEST

/// @return the status that one more watch gets
static int watch_once_more(unsigned peer)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    watch.world = rp_text("marsh");
    watch.all = true;
    Replan__V1__Request request = RP_REQUEST(WATCH, watch, &watch);
    return rp_wire_ask(&wire, peer, &request)->status;
}

START_TEST(a_watch_that_was_long_without_credit_gives_way_when_there_are_too_many)
{
    rp_wire_open(&wire);
    const uint32_t dry = rp_wire_watch(&wire, PEER, false, 0);
    for (unsigned i = 1; i < RP_LIMIT_WATCHES; i++) {
        (void)rp_wire_watch(&wire, 20 + i % 5u, false, RP_LIMIT_CREDIT);
    }
    ck_assert_int_eq(watch_once_more(20), REPLAN__V1__STATUS__LIMIT); // not yet
    rp_wire_pass(&wire, (uint64_t)RP_LIMIT_YIELD_MS * 1000u);
    ck_assert_int_eq(watch_once_more(20), REPLAN__V1__STATUS__LIMIT); // it has many
    ck_assert_int_eq(watch_once_more(1), REPLAN__V1__STATUS__OK);
    const Replan__V1__ToClient *ended = expect(REPLAN__V1__TO_CLIENT__BODY_ENDED);
    ck_assert_uint_eq(ended->watch, dry);
    ck_assert_ptr_nonnull(strstr(ended->ended->sentence, "no credit"));
    ck_assert_uint_eq(rp_wire_stat(&wire, "watches.open"), RP_LIMIT_WATCHES);
    ck_assert_uint_eq(rp_wire_stat(&wire, "watches.gave_way"), 1);
}
END_TEST

START_TEST(who_has_all_watches_that_there_are_gives_its_oldest_to_others)
{
    rp_wire_open(&wire);
    const uint32_t oldest = rp_wire_watch(&wire, PEER, false, 0);
    for (unsigned i = 1; i < RP_LIMIT_WATCHES; i++) {
        (void)rp_wire_watch(&wire, i < 250 ? PEER : 20 + i % 4u, false, 0);
    }
    ck_assert_int_eq(watch_once_more(PEER), REPLAN__V1__STATUS__LIMIT);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_int_eq(watch_once_more(1), REPLAN__V1__STATUS__OK);
        const Replan__V1__ToClient *ended = expect(REPLAN__V1__TO_CLIENT__BODY_ENDED);
        ck_assert_uint_eq(ended->watch, oldest + i);
        ck_assert_ptr_nonnull(strstr(ended->ended->sentence, "of the 1024 watches"));
    }
    ck_assert_uint_eq(rp_wire_stat(&wire, "watches.open"), RP_LIMIT_WATCHES);
}
END_TEST

START_TEST(a_peer_has_no_more_watches_than_its_quota)
{
    rp_wire_open(&wire);
    for (unsigned i = 0; i < RP_LIMIT_WATCHES_PEER; i++) {
        (void)rp_wire_watch(&wire, PEER, false, 1);
    }
    ck_assert_int_eq(watch_once_more(PEER), REPLAN__V1__STATUS__LIMIT);
    ck_assert_int_eq(watch_once_more(1), REPLAN__V1__STATUS__OK);
    ck_assert_uint_eq(rp_wire_stat(&wire, "watches.gave_way"), 0);
}
END_TEST

// ---- a routing id that another one takes over

static Replan__V1__Request list_of_life(uint64_t life)
{
    static Replan__V1__ListWorlds list;
    replan__v1__list_worlds__init(&list);
    Replan__V1__Request request = RP_REQUEST(LIST_WORLDS, list_worlds, &list);
    request.life = life;
    return request;
}

static uint32_t watch_of_life(unsigned peer, uint64_t life)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    watch.world = rp_text("marsh");
    watch.all = true;
    watch.credit = 100;
    request.life = life;
    request.body_case = REPLAN__V1__REQUEST__BODY_WATCH;
    request.watch = &watch;
    return rp_wire_do(&wire, peer, &request)->watching->watch;
}

static void drain(void)
{
    while (rp_wire_next(&wire, PEER) != NULL) {
    }
}

/// @param life  of the second client; that of the first is 7
static void take_over(uint64_t connection, uint64_t life, const char *word)
{
    rp_wire_open(&wire);
    wire.connection[PEER] = 1;
    wire.connection[1] = 9;
    const uint32_t watch = watch_of_life(PEER, 7);
    (void)watch_of_life(1, 5);
    drain();
    Replan__V1__Request request = list_of_life(life);
    wire.connection[PEER] = connection;
    request.id = ++wire.next_id;
    rp_wire_send(&wire, PEER, &request);
    if (word != NULL) { // before its reply
        const Replan__V1__ToClient *ended = expect(REPLAN__V1__TO_CLIENT__BODY_ENDED);
        ck_assert_uint_eq(ended->watch, watch);
        ck_assert_ptr_nonnull(strstr(ended->ended->sentence, word));
    }
    (void)expect(REPLAN__V1__TO_CLIENT__BODY_REPLY);
    (void)rp_wire_agent(&wire, 2, "orc", 0, 0, 15, 0);
    rp_wire_pass(&wire, 5000000);
    ck_assert((rp_wire_next(&wire, PEER) != NULL) == (word == NULL));
    ck_assert_uint_eq(rp_wire_stat(&wire, "watches.open"), word == NULL ? 2 : 1);
    rp_wire_close(&wire);
}

START_TEST(watches_end_when_their_routing_id_comes_over_another_connection)
{
    take_over(2, 7, "another connection");
    take_over(2, 0, "another connection");
    take_over(2, 8, "another connection");
    rp_wire_open(&wire);
}
END_TEST

START_TEST(watches_end_with_the_life_of_their_client)
{
    take_over(1, 8, "another life");
    take_over(1, 7, NULL);
    take_over(1, 0, NULL); // it left it out
    rp_wire_open(&wire);
}
END_TEST

/// Before anybody spoke under their routing id.
START_TEST(watches_end_with_their_connection)
{
    rp_wire_open(&wire);
    wire.connection[PEER] = 1;
    wire.connection[1] = 9;
    const uint32_t watch = watch_of_life(PEER, 7);
    (void)watch_of_life(1, 5);
    drain();
    rp_daemon_left(&wire.daemon, 3);
    rp_wire_work(&wire);
    ck_assert_uint_eq(rp_wire_stat(&wire, "watches.open"), 2);
    rp_daemon_left(&wire.daemon, 1);
    rp_wire_work(&wire);
    ck_assert_uint_eq(rp_wire_stat(&wire, "watches.open"), 1);
    const Replan__V1__ToClient *ended = expect(REPLAN__V1__TO_CLIENT__BODY_ENDED);
    ck_assert_uint_eq(ended->watch, watch);
    ck_assert_ptr_nonnull(strstr(ended->ended->sentence, "is gone"));
    rp_wire_pass(&wire, 5000000);
    expect_nothing();
}
END_TEST

static void remove_marsh(void)
{
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    remove.world = rp_text("marsh");
    Replan__V1__Request request = RP_REQUEST(REMOVE_WORLD, remove_world, &remove);
    (void)rp_wire_do(&wire, 1, &request);
}

static void lose_connection(void)
{
    rp_daemon_left(&wire.daemon, 1);
}

static void speak_by_another_connection(void)
{
    const Replan__V1__Request request = list_of_life(0);
    wire.connection[PEER] = 2;
    rp_wire_send(&wire, PEER, &request);
}

/// @param end  ends the watch of PEER, which has no credit, while its queue is full
static void end_of_a_full_watch(void (*end)(void))
{
    rp_wire_open(&wire);
    wire.connection[PEER] = 1;
    const uint32_t watch = rp_wire_watch(&wire, PEER, false, 0);
    wire.fate[PEER] = RP_SENT_FULL;
    end();
    rp_wire_work(&wire);
    expect_nothing();
    wire.fate[PEER] = RP_SENT;
    rp_wire_work(&wire);
    ck_assert_uint_eq(expect(REPLAN__V1__TO_CLIENT__BODY_ENDED)->watch, watch);
    ck_assert_uint_eq(rp_wire_stat(&wire, "replies.dropped"), 0);
    rp_wire_close(&wire);
}

START_TEST(the_end_of_a_watch_is_told_without_credit_and_to_a_full_peer_as_soon_as_it_reads)
{
    end_of_a_full_watch(remove_marsh);
    end_of_a_full_watch(lose_connection);
    end_of_a_full_watch(speak_by_another_connection);
    rp_wire_open(&wire);
}
END_TEST

START_TEST(a_watch_of_the_new_life_stays_and_the_old_one_has_no_credit_to_give)
{
    Replan__V1__Credit credit;
    rp_wire_open(&wire);
    wire.connection[PEER] = 1;
    const uint32_t before = watch_of_life(PEER, 7);
    wire.connection[PEER] = 2;
    const uint32_t after = watch_of_life(PEER, 8);
    Replan__V1__Request request = credit_request(&credit, before, 5);
    request.life = 8;
    ck_assert_int_eq(rp_wire_ask(&wire, PEER, &request)->status, REPLAN__V1__STATUS__UNKNOWN);
    request = credit_request(&credit, after, 5);
    request.life = 8;
    ck_assert_int_eq(rp_wire_ask(&wire, PEER, &request)->status, REPLAN__V1__STATUS__OK);
}
END_TEST

START_TEST(only_the_agents_asked_for_are_told_those_to_come_included)
{
    rp_wire_open(&wire);
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    char *names[] = {rp_text("troll"), rp_text("orc")};
    watch.world = rp_text("marsh");
    watch.agents = names;
    watch.n_agents = 2;
    watch.credit = 100;
    Replan__V1__Request request = RP_REQUEST(WATCH, watch, &watch);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    (void)rp_wire_agent(&wire, 0, "elf", 0, 7, 15, 7);
    (void)rp_wire_do(&wire, PEER, &request);
    (void)rp_wire_agent(&wire, 0, "troll", 0, 3, 15, 3);
    unsigned orcs = 0;
    unsigned trolls = 0;
    for (const Replan__V1__ToClient *sent; (sent = rp_wire_next(&wire, PEER)) != NULL;) {
        if (sent->body_case == REPLAN__V1__TO_CLIENT__BODY_ANSWER) {
            orcs += strcmp(sent->answer->agent, "orc") == 0;
            trolls += strcmp(sent->answer->agent, "troll") == 0;
            ck_assert_str_ne(sent->answer->agent, "elf");
        }
    }
    ck_assert_uint_eq(orcs, 1);
    ck_assert_uint_eq(trolls, 1);
}
END_TEST

START_TEST(a_full_peer_is_tried_again_and_loses_nothing)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    (void)rp_wire_watch(&wire, PEER, true, 100);
    while (rp_wire_next(&wire, PEER) != NULL) {
    }
    wire.fate[PEER] = RP_SENT_FULL;
    block(8, 0);
    block(8, 1);
    ck_assert(wire.daemon.serving.is_peer_full);
    ck_assert_uint_le(rp_daemon_next_us(&wire.daemon), wire.daemon.serving.now.steady_us + 10000u);
    wire.fate[PEER] = RP_SENT;
    rp_wire_work(&wire);
    ck_assert_uint_eq(expect(REPLAN__V1__TO_CLIENT__BODY_DELTA)->delta->version, 2);
    ck_assert_uint_eq(expect(REPLAN__V1__TO_CLIENT__BODY_DELTA)->delta->version, 3);
    ck_assert_uint_eq(expect(REPLAN__V1__TO_CLIENT__BODY_ANSWER)->answer->version, 3);
}
END_TEST

START_TEST(a_reply_to_a_full_peer_waits_and_is_not_lost)
{
    rp_wire_open(&wire);
    const Replan__V1__Request request =
        rp_wire_apply_request(&wire, rp_wire_change(8, 0, 0), REPLAN__V1__WAIT__APPLIED);
    wire.fate[PEER] = RP_SENT_FULL;
    rp_wire_send(&wire, PEER, &request);
    rp_wire_work(&wire);
    ck_assert_ptr_null(rp_wire_reply(&wire, PEER));
    ck_assert(wire.daemon.serving.is_peer_full);
    wire.fate[PEER] = RP_SENT;
    rp_wire_work(&wire);
    const Replan__V1__Reply *reply = rp_wire_reply(&wire, PEER);
    ck_assert_ptr_nonnull(reply);
    ck_assert_uint_eq(reply->id, request.id);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__OK);
    ck_assert_ptr_null(rp_wire_reply(&wire, PEER));
    ck_assert_uint_eq(rp_wire_stat(&wire, "replies.dropped"), 0);
}
END_TEST

START_TEST(a_peer_that_is_gone_takes_its_watches_along_and_nobody_elses)
{
    rp_wire_open(&wire);
    (void)rp_wire_watch(&wire, PEER, true, 100);
    (void)rp_wire_watch(&wire, PEER, false, 100);
    (void)rp_wire_watch(&wire, 1, false, 100);
    wire.fate[PEER] = RP_SENT_GONE;
    rp_wire_pass(&wire, 2000000);
    rp_wire_work(&wire);
    ck_assert_uint_eq(rp_wire_stat(&wire, "watches.open"), 1);
    while (rp_wire_next(&wire, 1) != NULL) {
    }
    rp_wire_pass(&wire, 2000000);
    ck_assert_ptr_nonnull(rp_wire_next(&wire, 1));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_new_watch_gets_the_map_then_the_answers_then_the_head,
        every_message_costs_one_credit_and_at_0_the_stream_stands_still,
        a_slow_reader_gets_only_the_newest_answer,
        answers_come_through_while_changes_pour_in,
        credit_beyond_the_limit_is_refused_and_what_is_left_stays,
        a_watch_belongs_to_the_peer_that_opened_it,
        a_watch_that_was_long_without_credit_gives_way_when_there_are_too_many,
        who_has_all_watches_that_there_are_gives_its_oldest_to_others,
        a_peer_has_no_more_watches_than_its_quota,
        watches_end_when_their_routing_id_comes_over_another_connection,
        watches_end_with_the_life_of_their_client,
        watches_end_with_their_connection,
        the_end_of_a_watch_is_told_without_credit_and_to_a_full_peer_as_soon_as_it_reads,
        a_watch_of_the_new_life_stays_and_the_old_one_has_no_credit_to_give,
        only_the_agents_asked_for_are_told_those_to_come_included,
        a_full_peer_is_tried_again_and_loses_nothing,
        a_reply_to_a_full_peer_waits_and_is_not_lost,
        a_peer_that_is_gone_takes_its_watches_along_and_nobody_elses,
    };
    return rp_suite_run("handle_watch", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
