/// A round of the daemon's work: what is published, who waited long enough, when the next round is
/// due.
#include "daemon/daemon.h"

#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

static const Replan__V1__Answer *published_path(void)
{
    return (const Replan__V1__Answer *)rp_wire_published(&wire, "path/marsh/orc/");
}

// ---- birth

START_TEST(a_planner_that_nobody_knows_cannot_be_the_default)
{
    const rp_transport_t nowhere = {0};
    ck_assert_int_eq(rp_daemon_init(&wire.daemon, &nowhere, "dijkstra", 0, UINT64_MAX),
                     RP_E_UNKNOWN);
    rp_wire_open(&wire);
}
END_TEST

START_TEST(a_map_is_a_world_of_its_bytes_with_8_neighbours)
{
    static const uint8_t bytes[] = {0, 254, 2, 255, 1, 0};
    const rp_world_options_t map = {
        .width = 3,
        .height = 2,
        .profile = "costmap",
        .frame = {.resolution_m = 0.05, .origin_x_m = -7.5, .origin_yaw = 3.14},
        .data = bytes,
    };
    rp_wire_open(&wire);
    ck_assert_int_eq(rp_daemon_open_map(&wire.daemon, "moor", &map), RP_OK);
    const rp_served_t *moor = rp_worlds_find(&wire.daemon.serving.worlds, "moor");
    ck_assert_uint_eq(moor->options.neighbors, 8);
    ck_assert_uint_eq(moor->options.width, 3);
    ck_assert_uint_eq(moor->changed_us, wire.daemon.serving.now.steady_us);
    rp_wire_work(&wire);
    ck_assert_mem_eq(rp_engine_bytes(wire.daemon.serving.engine, moor->id), bytes, sizeof bytes);
    ck_assert_str_eq(moor->profile, "costmap");
    ck_assert_mem_eq(&moor->options.frame, &map.frame, sizeof map.frame);
    ck_assert_int_eq(rp_daemon_open_map(&wire.daemon, "moor", &map), RP_E_EXISTS);
}
END_TEST

// ---- answers

START_TEST(an_answer_is_published_once_to_who_subscribed)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    rp_wire_work(&wire);
    ck_assert_double_eq(published_path()->cost, 15.0);
    ck_assert_ptr_null(published_path());
    ck_assert_uint_eq(rp_wire_stat(&wire, "answers.said"), 1);
}
END_TEST

START_TEST(without_subscribers_watches_alone_hear_of_an_answer)
{
    rp_wire_open(&wire);
    wire.daemon.serving.stats.subscriptions = 0;
    const uint32_t watch = rp_wire_watch(&wire, 1, false, 9);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    rp_wire_work(&wire);
    ck_assert_ptr_null(published_path());
    const Replan__V1__ToClient *message;
    do {
        message = rp_wire_next(&wire, 1);
        ck_assert_ptr_nonnull(message);
        ck_assert_uint_eq(message->watch, watch);
    } while (message->body_case != REPLAN__V1__TO_CLIENT__BODY_ANSWER);
    ck_assert_double_eq(message->answer->cost, 15.0);
    ck_assert_uint_eq(rp_wire_stat(&wire, "answers.said"), 1);
}
END_TEST

START_TEST(an_answer_that_is_too_large_to_publish_is_counted_and_a_watch_gets_it)
{
    enum {
        WIDTH = 16384,
        ROWS = 9 ///< free ones, joined at their ends in turn
    };
    rp_wire_open_bare(&wire);
    rp_wire_create(&wire, "marsh", WIDTH, 2 * ROWS - 1);
    for (uint32_t wall = 0; wall < ROWS - 1; wall++) {
        Replan__V1__Change *change = rp_wire_change(wall % 2u, 2u * wall + 1u, 0);
        change->width = WIDTH - 1u;
        (void)rp_wire_apply(&wire, 0, change, REPLAN__V1__WAIT__APPLIED);
    }
    (void)rp_wire_watch(&wire, 1, false, 9);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, WIDTH - 1, 2 * ROWS - 2);
    rp_wire_work(&wire);
    ck_assert_ptr_null(published_path());
    ck_assert_uint_eq(rp_wire_stat(&wire, "answers.too_large"), 1);
    const Replan__V1__ToClient *message;
    do {
        message = rp_wire_next(&wire, 1);
        ck_assert_ptr_nonnull(message);
    } while (message->body_case != REPLAN__V1__TO_CLIENT__BODY_ANSWER);
    ck_assert_uint_gt(message->answer->steps.len, (ROWS - 1) * (WIDTH - 2));
}
END_TEST

// ---- waits

START_TEST(a_deadline_ends_a_wait)
{
    Replan__V1__After after = REPLAN__V1__AFTER__INIT;
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    Replan__V1__Request request = rp_wire_answer_request(&wire, "orc");
    after.world = rp_text("marsh");
    after.version = 99;
    request.after = &after;
    request.deadline_ms = 50;
    rp_wire_send(&wire, 1, &request);
    rp_wire_work(&wire);
    ck_assert_uint_eq(rp_daemon_next_us(&wire.daemon), wire.daemon.serving.now.steady_us + 50000u);
    rp_wire_pass(&wire, 49999);
    rp_wire_expect_no_reply(&wire, 1);
    rp_wire_pass(&wire, 1);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__TIMEOUT, "deadline_ms");
    ck_assert_uint_eq(rp_wire_stat(&wire, "requests.timed_out"), 1);
}
END_TEST

START_TEST(without_a_deadline_a_wait_ends_after_a_minute)
{
    Replan__V1__After after = REPLAN__V1__AFTER__INIT;
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    Replan__V1__Request request = rp_wire_answer_request(&wire, "orc");
    after.world = rp_text("marsh");
    after.version = 99;
    request.after = &after;
    rp_wire_send(&wire, 1, &request);
    rp_wire_pass(&wire, 59999999);
    rp_wire_expect_no_reply(&wire, 1);
    rp_wire_pass(&wire, 1);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__TIMEOUT, "deadline_ms");
}
END_TEST

START_TEST(who_waits_for_an_answer_has_the_daemon_wake_up_before_the_deadline)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    const Replan__V1__Request change =
        rp_wire_apply_request(&wire, rp_wire_change(8, 0, 0), REPLAN__V1__WAIT__APPLIED);
    rp_wire_send(&wire, 0, &change);
    Replan__V1__Request question = rp_wire_answer_request(&wire, "orc");
    question.deadline_ms = 50;
    rp_wire_send(&wire, 1, &question);
    ck_assert_uint_eq(rp_daemon_next_us(&wire.daemon), wire.daemon.serving.now.steady_us + 25000u);
}
END_TEST

START_TEST(a_deadline_counts_from_the_request_also_when_it_waits_twice)
{
    Replan__V1__After after = REPLAN__V1__AFTER__INIT;
    rp_wire_open(&wire);
    Replan__V1__Request request =
        rp_wire_apply_request(&wire, rp_wire_change(8, 0, 0), REPLAN__V1__WAIT__SETTLED);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    after.world = rp_text("marsh");
    after.version = 2;
    request.after = &after;
    request.deadline_ms = 50;
    rp_wire_send(&wire, 1, &request);
    wire.daemon.serving.now.steady_us += 40000;
    Replan__V1__Request first =
        rp_wire_apply_request(&wire, rp_wire_change(9, 0, 0), REPLAN__V1__WAIT__APPLIED);
    rp_wire_send(&wire, 2, &first);
    rp_daemon_work(&wire.daemon, 0); // handled now; nobody plans
    wire.daemon.serving.now.steady_us += 11000;
    rp_daemon_work(&wire.daemon, 0);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__TIMEOUT, "deadline_ms");
}
END_TEST

START_TEST(an_answer_is_that_of_the_agent_that_was_asked_for)
{
    rp_wire_open(&wire);
    Replan__V1__CloseAgent close = REPLAN__V1__CLOSE_AGENT__INIT;
    Replan__V1__Request closing = REPLAN__V1__REQUEST__INIT;
    const uint64_t handle = rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    const rp_session_id_t session = rp_worlds_find_agent(rp_wire_marsh(&wire), "orc")->session;
    const Replan__V1__Request change =
        rp_wire_apply_request(&wire, rp_wire_change(8, 0, 0), REPLAN__V1__WAIT__APPLIED);
    rp_wire_send(&wire, 0, &change);
    (void)rp_wire_reply(&wire, 0);
    const Replan__V1__Request question = rp_wire_answer_request(&wire, "orc");
    rp_wire_send(&wire, 1, &question); // waits: nothing is planned before the next work
    close.world = rp_text("marsh");
    close.agent = rp_text("orc");
    closing.id = ++wire.next_id;
    closing.body_case = REPLAN__V1__REQUEST__BODY_CLOSE_AGENT;
    closing.close_agent = &close;
    rp_wire_send(&wire, 0, &closing);
    (void)rp_wire_reply(&wire, 0);
    const rp_agent_t *elf;
    ck_assert_uint_ne(rp_wire_agent(&wire, 0, "elf", 0, 7, 15, 7), handle);
    elf = rp_worlds_find_agent(rp_wire_marsh(&wire), "elf");
    ck_assert_uint_eq(rp_id_place(elf->session), rp_id_place(session));
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__UNKNOWN, "closed");
}
END_TEST

START_TEST(a_world_that_goes_ends_what_waits_for_it)
{
    rp_wire_open(&wire);
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    const uint32_t watch = rp_wire_watch(&wire, 2, true, 0);
    const Replan__V1__Request request =
        rp_wire_apply_request(&wire, rp_wire_change(8, 0, 0), REPLAN__V1__WAIT__SETTLED);
    rp_wire_send(&wire, 1, &request);
    remove.world = rp_text("marsh");
    Replan__V1__Request removing = RP_REQUEST(REMOVE_WORLD, remove_world, &remove);
    (void)rp_wire_do(&wire, 0, &removing);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__UNKNOWN, "removed");
    const Replan__V1__ToClient *ended = rp_wire_next(&wire, 2);
    ck_assert_uint_eq(ended->watch, watch);
    ck_assert_int_eq(ended->body_case, REPLAN__V1__TO_CLIENT__BODY_ENDED);
    ck_assert_uint_eq(rp_wire_stat(&wire, "worlds.open"), 0);
    ck_assert_uint_eq(rp_wire_stat(&wire, "agents.open"), 0);
    ck_assert_uint_eq(rp_wire_stat(&wire, "watches.open"), 0);
}
END_TEST

START_TEST(a_world_of_the_same_name_is_not_the_one_that_was_waited_for)
{
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    const Replan__V1__Request request =
        rp_wire_apply_request(&wire, rp_wire_change(8, 0, 0), REPLAN__V1__WAIT__SETTLED);
    rp_wire_send(&wire, 1, &request);
    remove.world = rp_text("marsh");
    Replan__V1__Request removing = RP_REQUEST(REMOVE_WORLD, remove_world, &remove);
    rp_wire_send(&wire, 0, &removing); // no round of work between
    ck_assert_int_eq(rp_wire_reply(&wire, 0)->status, REPLAN__V1__STATUS__OK);
    rp_wire_create(&wire, "marsh", 16, 8);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__UNKNOWN, "removed");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_planner_that_nobody_knows_cannot_be_the_default,
        a_map_is_a_world_of_its_bytes_with_8_neighbours,
        an_answer_is_published_once_to_who_subscribed,
        without_subscribers_watches_alone_hear_of_an_answer,
        an_answer_that_is_too_large_to_publish_is_counted_and_a_watch_gets_it,
        without_a_deadline_a_wait_ends_after_a_minute,
        who_waits_for_an_answer_has_the_daemon_wake_up_before_the_deadline,
        a_deadline_ends_a_wait,
        a_deadline_counts_from_the_request_also_when_it_waits_twice,
        an_answer_is_that_of_the_agent_that_was_asked_for,
        a_world_that_goes_ends_what_waits_for_it,
        a_world_of_the_same_name_is_not_the_one_that_was_waited_for,
    };
    return rp_suite_run("daemon", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
