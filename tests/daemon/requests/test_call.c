/// A request on its way: refused with a sentence, kept waiting, replied to.
#include "daemon/requests/handlers/call.h"

#include <string.h>

#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;
static rp_peer_t peer;
static Replan__V1__Request request;
static rp_call_t call;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

/// A call of peer 1, as the daemon makes them.
static void begin(void)
{
    const uint8_t identity[] = {1, 'x'};
    rp_wire_open(&wire);
    peer = (rp_peer_t){0};
    ck_assert(rp_peer_add(&peer, identity, sizeof identity));
    replan__v1__request__init(&request);
    request.id = 77;
    call = (rp_call_t){.serving = &wire.daemon.serving,
                       .peer = &peer,
                       .request = &request,
                       .key = {.id = 77, .changes = true, .is_hashed = true},
                       .deadline_us = wire.daemon.serving.now.steady_us + 5000};
    replan__v1__reply__init(&call.reply);
    call.reply.id = request.id;
}

START_TEST(a_refusal_is_a_sentence_that_is_cut_where_there_is_no_more_room)
{
    char endless[2 * RP_LIMIT_NAME + 2000];
    begin();
    ck_assert(rp_call_refuse(&call, REPLAN__V1__STATUS__INVALID, "goal.x is %d of %s", 7, "seven"));
    ck_assert_str_eq(call.refusal.sentence, "goal.x is 7 of seven");
    ck_assert_int_eq(call.refusal.status, REPLAN__V1__STATUS__INVALID);
    memset(endless, 'a', sizeof endless - 1u);
    endless[sizeof endless - 1u] = '\0';
    ck_assert(rp_call_refuse(&call, REPLAN__V1__STATUS__LIMIT, "%s", endless));
    ck_assert_uint_eq(strlen(call.refusal.sentence), sizeof call.refusal.sentence - 1u);
}
END_TEST

START_TEST(a_status_of_the_library_is_refused_in_its_words_with_the_field)
{
    begin();
    ck_assert(rp_call_refuse_status(&call, RP_E_INVALID, "create_world.geometry"));
    ck_assert_int_eq(call.refusal.status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(strstr(call.refusal.sentence, "create_world.geometry"));
    ck_assert_ptr_nonnull(strstr(call.refusal.sentence, rp_status_text(RP_E_INVALID)));
}
END_TEST

START_TEST(who_is_not_there_is_refused_by_name)
{
    begin();
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 5, 5);
    ck_assert_ptr_nonnull(rp_call_world(&call, "marsh"));
    ck_assert_str_eq(rp_call_agent(&call, "marsh", "orc")->name, "orc");
    ck_assert_int_eq(call.refusal.status, REPLAN__V1__STATUS__OK);
    ck_assert_ptr_null(rp_call_agent(&call, "marsh", "elf"));
    ck_assert_int_eq(call.refusal.status, REPLAN__V1__STATUS__UNKNOWN);
    ck_assert_ptr_nonnull(strstr(call.refusal.sentence, "\"elf\""));
    ck_assert_ptr_null(rp_call_agent(&call, "meadow", "orc"));
    ck_assert_ptr_nonnull(strstr(call.refusal.sentence, "\"meadow\""));
    ck_assert_ptr_null(rp_call_world(&call, ""));
}
END_TEST

START_TEST(who_is_asked_for_was_spoken_of)
{
    begin();
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 5, 5);
    wire.daemon.serving.now.steady_us += 9000000;
    const rp_agent_t *agent = rp_call_agent(&call, "marsh", "orc");
    ck_assert_uint_eq(agent->heard_us, wire.daemon.serving.now.steady_us);
}
END_TEST

START_TEST(one_that_waits_keeps_its_id_its_peer_and_its_deadline)
{
    begin();
    rp_pending_reply_t wait = {.kind = RP_PENDING_SETTLED, .version = 9};
    ck_assert(!rp_call_wait(&call, &wait));
    ck_assert_uint_eq(wire.daemon.serving.pending.count, 1);
    const rp_pending_reply_t *kept = wire.daemon.serving.pending.list[0];
    ck_assert_uint_eq(kept->key.id, 77);
    ck_assert_uint_eq(kept->deadline_us, call.deadline_us);
    ck_assert_uint_eq(kept->version, 9);
    ck_assert_ptr_eq(rp_pending_replies_find(&wire.daemon.serving.pending, &peer, &call.key), kept);
}
END_TEST

START_TEST(one_more_than_the_window_is_refused_before_and_when_it_waits)
{
    begin();
    for (unsigned i = 0; i < RP_LIMIT_WINDOW; i++) {
        rp_pending_reply_t wait = {.kind = RP_PENDING_SETTLED, .version = 9};
        ck_assert(rp_call_may_wait(&call));
        ck_assert(!rp_call_wait(&call, &wait));
        request.id++;
    }
    ck_assert(!rp_call_may_wait(&call));
    ck_assert_int_eq(call.refusal.status, REPLAN__V1__STATUS__LIMIT);
    call.refusal = (rp_refusal_t){0};
    rp_pending_reply_t wait = {.kind = RP_PENDING_SETTLED, .version = 9};
    ck_assert(rp_call_wait(&call, &wait));
    ck_assert_int_eq(call.refusal.status, REPLAN__V1__STATUS__LIMIT);
    ck_assert_uint_eq(wire.daemon.serving.pending.count, RP_LIMIT_WINDOW);
    call.peer = NULL; // told again after a restart: nobody's window
    ck_assert(rp_call_may_wait(&call));
}
END_TEST

START_TEST(a_reply_goes_out_and_is_remembered_and_a_refusal_says_nothing_else)
{
    Replan__V1__Applied applied = REPLAN__V1__APPLIED__INIT;
    begin();
    applied.version = 5;
    call.reply.body_case = REPLAN__V1__REPLY__BODY_APPLIED;
    call.reply.applied = &applied;
    rp_call_reply(&call);
    const Replan__V1__Reply *reply = rp_wire_reply(&wire, 1);
    ck_assert_uint_eq(reply->id, 77);
    ck_assert_uint_eq(reply->applied->version, 5);
    ck_assert_ptr_nonnull(rp_reply_cache_find(&wire.daemon.serving.replies, &peer, &call.key,
                                              wire.daemon.serving.now.steady_us));
    (void)rp_call_refuse(&call, REPLAN__V1__STATUS__LIMIT, "too many");
    rp_call_reply(&call);
    reply = rp_wire_reply(&wire, 1);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__LIMIT);
    ck_assert_str_eq(reply->sentence, "too many");
    ck_assert_int_eq(reply->body_case, REPLAN__V1__REPLY__BODY__NOT_SET);
    ck_assert_uint_eq(rp_wire_stat(&wire, "requests.refused"), 1);
}
END_TEST

START_TEST(a_reply_that_finds_the_queue_full_is_owed_and_one_to_nobody_is_dropped)
{
    begin();
    wire.fate[1] = RP_SENT_FULL;
    rp_call_reply(&call);
    ck_assert(wire.daemon.serving.is_peer_full);
    ck_assert_uint_eq(wire.daemon.serving.stats.replies_dropped, 0);
    wire.fate[1] = RP_SENT;
    rp_wire_work(&wire);
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->id, 77);
    wire.fate[1] = RP_SENT_GONE;
    rp_call_reply(&call);
    ck_assert_uint_eq(wire.daemon.serving.stats.replies_dropped, 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_refusal_is_a_sentence_that_is_cut_where_there_is_no_more_room,
        a_status_of_the_library_is_refused_in_its_words_with_the_field,
        who_is_not_there_is_refused_by_name,
        who_is_asked_for_was_spoken_of,
        one_that_waits_keeps_its_id_its_peer_and_its_deadline,
        one_more_than_the_window_is_refused_before_and_when_it_waits,
        a_reply_goes_out_and_is_remembered_and_a_refusal_says_nothing_else,
        a_reply_that_finds_the_queue_full_is_owed_and_one_to_nobody_is_dropped,
    };
    return rp_suite_run("call", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
