/// Requests and their waits: what a client may rely on, through the daemon without its sockets.
#include <string.h>

#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;

static void begin(void)
{
    rp_wire_open(&wire);
}

static void tear_down(void)
{
    rp_wire_close(&wire);
}

static char *text(const char *constant)
{
    return (char *)constant;
}

static Replan__V1__Apply apply;
static Replan__V1__After after;

/// An Apply of one cell, in static storage until the next one.
static Replan__V1__Request apply_request(uint32_t x, uint32_t y, uint32_t byte,
                                         Replan__V1__Wait wait)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    replan__v1__apply__init(&apply);
    apply.change = rp_wire_change(x, y, byte);
    apply.wait = wait;
    request.id = ++wire.next_id;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &apply;
    return request;
}

static Replan__V1__Request answer_request(Replan__V1__GetAnswer *get, const char *agent)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    replan__v1__get_answer__init(get);
    get->world = text("marsh");
    get->agent = text(agent);
    request.id = ++wire.next_id;
    request.body_case = REPLAN__V1__REQUEST__BODY_GET_ANSWER;
    request.get_answer = get;
    return request;
}

static const rp_served_t *marsh(void)
{
    return rp_worlds_find(&wire.daemon.worlds, "marsh");
}

static uint64_t version(void)
{
    return rp_engine_version(wire.daemon.engine, marsh()->id);
}

static void expect_nothing(unsigned peer)
{
    const Replan__V1__Reply *reply = rp_wire_reply(&wire, peer);
    ck_assert_msg(reply == NULL, "a reply: %s", reply != NULL ? reply->sentence : "");
}

static void expect_status(unsigned peer, Replan__V1__Status status, const char *word)
{
    const Replan__V1__Reply *reply = rp_wire_reply(&wire, peer);
    ck_assert_ptr_nonnull(reply);
    ck_assert_int_eq(reply->status, status);
    ck_assert_msg(strstr(reply->sentence, word) != NULL, "no \"%s\" in: %s", word, reply->sentence);
}

// ---- repeats

START_TEST(a_repeated_id_gets_the_same_reply_and_is_not_acted_upon_again)
{
    begin();
    const Replan__V1__Request request = apply_request(3, 3, 0, REPLAN__V1__WAIT__APPLIED);
    rp_wire_send(&wire, 1, &request);
    const uint64_t told = rp_wire_reply(&wire, 1)->applied->version;
    rp_wire_pass(&wire, 59u * 1000000u);
    rp_wire_send(&wire, 1, &request);
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->applied->version, told);
    ck_assert_uint_eq(version(), told);
    ck_assert_uint_eq(rp_wire_stat(&wire, "requests.repeated"), 1);
}
END_TEST

START_TEST(the_same_id_of_another_peer_or_after_a_minute_is_another_request)
{
    begin();
    const Replan__V1__Request request = apply_request(3, 3, 0, REPLAN__V1__WAIT__APPLIED);
    rp_wire_send(&wire, 1, &request);
    rp_wire_send(&wire, 2, &request);
    ck_assert_uint_eq(version(), 3);
    rp_wire_pass(&wire, 61u * 1000000u);
    rp_wire_send(&wire, 1, &request);
    ck_assert_uint_eq(version(), 4);
}
END_TEST

START_TEST(an_id_of_0_is_not_remembered)
{
    begin();
    Replan__V1__Request request = apply_request(3, 3, 0, REPLAN__V1__WAIT__APPLIED);
    request.id = 0;
    rp_wire_send(&wire, 1, &request);
    rp_wire_send(&wire, 1, &request);
    ck_assert_uint_eq(version(), 3);
}
END_TEST

START_TEST(a_repeat_of_what_still_waits_gets_one_reply)
{
    begin();
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 7);
    const Replan__V1__Request request = apply_request(3, 3, 0, REPLAN__V1__WAIT__SETTLED);
    rp_wire_send(&wire, 1, &request);
    rp_wire_send(&wire, 1, &request);
    rp_wire_work(&wire);
    ck_assert_ptr_nonnull(rp_wire_reply(&wire, 1));
    expect_nothing(1);
    ck_assert_uint_eq(version(), 2);
}
END_TEST

// ---- waits

START_TEST(after_a_version_waits_for_it)
{
    begin();
    Replan__V1__GetAnswer get;
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    Replan__V1__Request request = answer_request(&get, "orc");
    replan__v1__after__init(&after);
    after.world = text("marsh");
    after.version = 3;
    request.after = &after;
    rp_wire_send(&wire, 1, &request);
    (void)rp_wire_apply(&wire, 0, rp_wire_change(8, 0, 0), REPLAN__V1__WAIT__APPLIED);
    rp_wire_work(&wire);
    expect_nothing(1);
    (void)rp_wire_apply(&wire, 0, rp_wire_change(8, 1, 0), REPLAN__V1__WAIT__APPLIED);
    rp_wire_work(&wire);
    const Replan__V1__Reply *reply = rp_wire_reply(&wire, 1);
    ck_assert_ptr_nonnull(reply);
    ck_assert_uint_eq(reply->answer->version, 3);
    ck_assert_int_eq(reply->answer->reason, REPLAN__V1__REASON__REQUESTED);
}
END_TEST

START_TEST(after_a_publisher_waits_for_its_sequence)
{
    begin();
    Replan__V1__GetAnswer get;
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    Replan__V1__Request request = answer_request(&get, "orc");
    replan__v1__after__init(&after);
    after.world = text("marsh");
    after.publisher = text("scout");
    after.sequence = 1;
    request.after = &after;
    rp_wire_send(&wire, 1, &request);
    rp_wire_work(&wire);
    expect_nothing(1);
    Replan__V1__Change *change = rp_wire_change(8, 0, 0);
    change->publisher = text("scout");
    change->incarnation = 1;
    change->sequence = 1;
    (void)rp_wire_apply(&wire, 0, change, REPLAN__V1__WAIT__APPLIED);
    rp_wire_work(&wire);
    ck_assert_ptr_nonnull(rp_wire_reply(&wire, 1));
}
END_TEST

START_TEST(a_deadline_ends_a_wait)
{
    begin();
    Replan__V1__GetAnswer get;
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    Replan__V1__Request request = answer_request(&get, "orc");
    replan__v1__after__init(&after);
    after.world = text("marsh");
    after.version = 99;
    request.after = &after;
    request.deadline_ms = 50;
    rp_wire_send(&wire, 1, &request);
    rp_wire_work(&wire);
    ck_assert_uint_le(rp_daemon_next_us(&wire.daemon), wire.daemon.now.steady_us + 50000u);
    rp_wire_pass(&wire, 49999);
    expect_nothing(1);
    rp_wire_pass(&wire, 1);
    expect_status(1, REPLAN__V1__STATUS__TIMEOUT, "deadline_ms");
    ck_assert_uint_eq(rp_wire_stat(&wire, "requests.timed_out"), 1);
}
END_TEST

START_TEST(a_deadline_counts_from_the_request_also_when_it_waits_twice)
{
    begin();
    Replan__V1__Request request = apply_request(8, 0, 0, REPLAN__V1__WAIT__SETTLED);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    replan__v1__after__init(&after);
    after.world = text("marsh");
    after.version = 2;
    request.after = &after;
    request.deadline_ms = 50;
    rp_wire_send(&wire, 1, &request);
    wire.daemon.now.steady_us += 40000;
    Replan__V1__Request first = apply_request(9, 0, 0, REPLAN__V1__WAIT__APPLIED);
    rp_wire_send(&wire, 2, &first);
    rp_daemon_work(&wire.daemon, 0); // handled now; nobody plans
    wire.daemon.now.steady_us += 11000;
    rp_daemon_work(&wire.daemon, 0);
    expect_status(1, REPLAN__V1__STATUS__TIMEOUT, "deadline_ms");
}
END_TEST

START_TEST(an_answer_is_that_of_the_agent_that_was_asked_for)
{
    begin();
    Replan__V1__GetAnswer get;
    Replan__V1__CloseAgent close = REPLAN__V1__CLOSE_AGENT__INIT;
    Replan__V1__Request closing = REPLAN__V1__REQUEST__INIT;
    const uint32_t handle = rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    const Replan__V1__Request change = apply_request(8, 0, 0, REPLAN__V1__WAIT__APPLIED);
    rp_wire_send(&wire, 0, &change);
    (void)rp_wire_reply(&wire, 0);
    const Replan__V1__Request question = answer_request(&get, "orc");
    rp_wire_send(&wire, 1, &question); // waits: nothing is planned before the next work
    close.world = text("marsh");
    close.agent = text("orc");
    closing.id = ++wire.next_id;
    closing.body_case = REPLAN__V1__REQUEST__BODY_CLOSE_AGENT;
    closing.close_agent = &close;
    rp_wire_send(&wire, 0, &closing);
    (void)rp_wire_reply(&wire, 0);
    ck_assert_uint_eq(rp_wire_agent(&wire, 0, "elf", 0, 7, 15, 7), handle);
    expect_status(1, REPLAN__V1__STATUS__UNKNOWN, "closed");
}
END_TEST

START_TEST(a_world_that_goes_ends_what_waits_for_it)
{
    begin();
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    Replan__V1__Request removing = REPLAN__V1__REQUEST__INIT;
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    const uint32_t watch = rp_wire_watch(&wire, 2, true, 0);
    const Replan__V1__Request request = apply_request(8, 0, 0, REPLAN__V1__WAIT__SETTLED);
    rp_wire_send(&wire, 1, &request);
    remove.world = text("marsh");
    removing.body_case = REPLAN__V1__REQUEST__BODY_REMOVE_WORLD;
    removing.remove_world = &remove;
    (void)rp_wire_do(&wire, 0, &removing);
    expect_status(1, REPLAN__V1__STATUS__UNKNOWN, "removed");
    const Replan__V1__ToClient *ended = rp_wire_next(&wire, 2);
    ck_assert_uint_eq(ended->watch, watch);
    ck_assert_int_eq(ended->body_case, REPLAN__V1__TO_CLIENT__BODY_ENDED);
    ck_assert_uint_eq(rp_wire_stat(&wire, "worlds.open"), 0);
    ck_assert_uint_eq(rp_wire_stat(&wire, "agents.open"), 0);
    ck_assert_uint_eq(rp_wire_stat(&wire, "watches.open"), 0);
}
END_TEST

// ---- heads

START_TEST(a_head_goes_out_when_it_moved_and_each_second_otherwise)
{
    begin();
    rp_wire_pass(&wire, 2000000);
    while (rp_wire_published(&wire, "head/marsh/") != NULL) {
    }
    rp_wire_pass(&wire, 999999);
    ck_assert_ptr_null(rp_wire_published(&wire, "head/marsh/"));
    rp_wire_pass(&wire, 1);
    ck_assert_ptr_nonnull(rp_wire_published(&wire, "head/marsh/"));
    (void)rp_wire_apply(&wire, 0, rp_wire_change(1, 1, 0), REPLAN__V1__WAIT__APPLIED);
    rp_wire_pass(&wire, 999);
    ck_assert_ptr_null(rp_wire_published(&wire, "head/marsh/"));
    rp_wire_pass(&wire, 1);
    const Replan__V1__Head *head =
        (const Replan__V1__Head *)rp_wire_published(&wire, "head/marsh/");
    ck_assert_uint_eq(head->version, 2);
    ck_assert_uint_eq(head->settled, 2);
    ck_assert_uint_eq(head->hash, rp_engine_hash(wire.daemon.engine, marsh()->id));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_repeated_id_gets_the_same_reply_and_is_not_acted_upon_again,
        the_same_id_of_another_peer_or_after_a_minute_is_another_request,
        an_id_of_0_is_not_remembered,
        a_repeat_of_what_still_waits_gets_one_reply,
        after_a_version_waits_for_it,
        after_a_publisher_waits_for_its_sequence,
        a_deadline_ends_a_wait,
        a_deadline_counts_from_the_request_also_when_it_waits_twice,
        an_answer_is_that_of_the_agent_that_was_asked_for,
        a_world_that_goes_ends_what_waits_for_it,
        a_head_goes_out_when_it_moved_and_each_second_otherwise,
    };
    return rp_suite_run("daemon", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
