/// The pace: while planning falls behind, changes are acknowledged as fast as it goes on, and who
/// asks with a deadline gets what there is before it passes.
#include <string.h>

#include "daemon/rules/pacing.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

#define CHANGES 40u

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

/// An agent whose path was cut, and a slice that does not bring it another one.
static void begin(void)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 4, 15, 4);
}

static void slice(void)
{
    rp_daemon_work(&wire.daemon, 1);
}

static void send_apply(uint32_t x, uint32_t y, uint32_t byte)
{
    const Replan__V1__Request request =
        rp_wire_apply_request(&wire, rp_wire_change(x, y, byte), REPLAN__V1__WAIT__APPLIED);
    rp_wire_send(&wire, 1, &request);
}

static void cut_path(void)
{
    send_apply(7, 4, 0);
    slice();
    ck_assert(wire.daemon.serving.is_work_left);
    ck_assert_ptr_nonnull(rp_wire_reply(&wire, 1));
}

/// Replies that came, each to a version of its own.
static unsigned count_replies(uint64_t *version)
{
    unsigned count = 0;
    const Replan__V1__Reply *reply;
    while ((reply = rp_wire_reply(&wire, 1)) != NULL) {
        ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__OK);
        ck_assert_uint_eq(reply->applied->version, ++*version);
        count++;
    }
    return count;
}

START_TEST(changes_are_acknowledged_at_the_pace_of_slices_and_in_order)
{
    begin();
    cut_path();
    const rp_world_id_t marsh = rp_wire_marsh(&wire)->id;
    uint64_t version = rp_engine_version(wire.daemon.serving.engine, marsh);
    const uint64_t last = version + CHANGES;
    for (uint32_t i = 0; i < CHANGES; i++) {
        send_apply(i % 16u, 0, i % 2u);
    }
    ck_assert_uint_eq(rp_engine_version(wire.daemon.serving.engine, marsh),
                      last); // all are applied
    const unsigned at_once = count_replies(&version);
    ck_assert_uint_gt(at_once, 0);
    ck_assert_uint_lt(at_once, CHANGES);
    slice();
    const unsigned next = count_replies(&version);
    ck_assert_uint_gt(next, 0);
    ck_assert_uint_lt(at_once + next, CHANGES);
    rp_wire_work(&wire); // nobody waits for a plan any more
    (void)count_replies(&version);
    ck_assert_uint_eq(version, last);
    ck_assert_uint_eq(rp_wire_stat(&wire, "changes.paced"), CHANGES - at_once);
    for (uint32_t i = 0; i < CHANGES; i++) {
        send_apply(i % 16u, 0, 0); // sure before, and the first one leaves it so
    }
    ck_assert_uint_eq(count_replies(&version), CHANGES);
}
END_TEST

START_TEST(a_change_is_acknowledged_in_the_end_however_far_planning_is_behind)
{
    begin();
    cut_path();
    uint64_t version = 0;
    for (uint32_t i = 0; i < CHANGES; i++) {
        send_apply(i % 16u, 0, i % 2u);
    }
    const rp_world_id_t marsh = rp_wire_marsh(&wire)->id;
    version = rp_engine_version(wire.daemon.serving.engine, marsh) - CHANGES;
    (void)count_replies(&version);
    wire.daemon.serving.now.steady_us += 1000000;
    send_apply(7, 4, 1); // so that work is left in any case
    send_apply(7, 4, 0);
    slice();
    (void)count_replies(&version);
    ck_assert_uint_ge(version, rp_engine_version(wire.daemon.serving.engine, marsh) - 2u);
}
END_TEST

START_TEST(a_large_change_takes_the_place_of_many)
{
    begin();
    cut_path();
    wire.daemon.serving.pacing.acks_left = 1;
    ck_assert(rp_pacing_may_acknowledge(&wire.daemon.serving, 200000));
    ck_assert(!rp_pacing_may_acknowledge(&wire.daemon.serving, 0));
    slice();
    ck_assert(wire.daemon.serving.is_work_left);
    ck_assert(!rp_pacing_may_acknowledge(&wire.daemon.serving, 0)); // it is not paid back yet
    rp_wire_work(&wire);
    ck_assert(rp_pacing_may_acknowledge(&wire.daemon.serving, 200000));
    ck_assert(rp_pacing_may_acknowledge(&wire.daemon.serving, 0));
}
END_TEST

START_TEST(who_sends_beyond_the_window_is_not_refused_for_it)
{
    begin();
    cut_path();
    unsigned replies = 0;
    for (uint32_t i = 0; i < 2u * RP_LIMIT_WINDOW; i++) {
        send_apply(i % 16u, 0, i % 2u);
    }
    rp_wire_work(&wire);
    const Replan__V1__Reply *reply;
    while ((reply = rp_wire_reply(&wire, 1)) != NULL) {
        ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__OK);
        replies++;
    }
    ck_assert_uint_eq(replies, 2u * RP_LIMIT_WINDOW);
}
END_TEST

// ---- deadlines

static void ask_for_answer(uint32_t deadline_ms)
{
    Replan__V1__Request request = rp_wire_answer_request(&wire, "orc");
    request.deadline_ms = deadline_ms;
    rp_wire_send(&wire, 2, &request);
}

START_TEST(who_asks_with_a_deadline_gets_what_there_is_before_it_passes)
{
    begin();
    cut_path();
    ask_for_answer(100);
    wire.daemon.serving.now.steady_us += 49000;
    slice();
    ck_assert_ptr_null(rp_wire_reply(&wire, 2));
    ck_assert_uint_le(rp_daemon_next_us(&wire.daemon), wire.daemon.serving.now.steady_us + 1000u);
    wire.daemon.serving.now.steady_us += 1000;
    slice();
    const Replan__V1__Reply *reply = rp_wire_reply(&wire, 2);
    ck_assert_ptr_nonnull(reply);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__OK);
    ck_assert_int_eq(reply->answer->outcome, REPLAN__V1__OUTCOME__FOUND); // a scout finds round it
    ck_assert(!reply->answer->optimal || reply->answer->cost <= reply->answer->bound);
    ck_assert(wire.daemon.serving.is_work_left);
}
END_TEST

START_TEST(who_asks_without_one_waits_for_the_optimum)
{
    begin();
    cut_path();
    ask_for_answer(0);
    wire.daemon.serving.now.steady_us += 30000000;
    slice();
    ck_assert_ptr_null(rp_wire_reply(&wire, 2));
    rp_wire_work(&wire);
    const Replan__V1__Reply *reply = rp_wire_reply(&wire, 2);
    ck_assert_ptr_nonnull(reply);
    ck_assert(reply->answer->optimal);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        changes_are_acknowledged_at_the_pace_of_slices_and_in_order,
        a_change_is_acknowledged_in_the_end_however_far_planning_is_behind,
        a_large_change_takes_the_place_of_many,
        who_sends_beyond_the_window_is_not_refused_for_it,
        who_asks_with_a_deadline_gets_what_there_is_before_it_passes,
        who_asks_without_one_waits_for_the_optimum,
    };
    return rp_suite_run("pace", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
