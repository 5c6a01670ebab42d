/// When a head goes out, and when the daemon has to wake up for the next one.
#include "daemon/serving/heartbeat.h"

#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

#define MS 1000u

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

/// All heads that were published go; the last of them.
static const Replan__V1__Head *newest_head(void)
{
    const ProtobufCMessage *head = NULL;
    const ProtobufCMessage *next;
    while ((next = rp_wire_published(&wire, "head/marsh/")) != NULL) {
        head = next;
    }
    return (const Replan__V1__Head *)head;
}

START_TEST(the_next_head_is_due_a_second_after_the_last_one)
{
    rp_wire_open(&wire);
    rp_wire_pass(&wire, 10 * MS);
    (void)newest_head();
    const uint64_t due_us = rp_heartbeat_next_us(&wire.daemon.serving);
    const uint64_t now_us = wire.daemon.serving.now.steady_us;
    ck_assert_uint_gt(due_us, now_us);
    ck_assert_uint_le(due_us, now_us + 1000 * MS);
    rp_wire_pass(&wire, due_us - now_us - 1u);
    ck_assert_ptr_null(newest_head());
    rp_wire_pass(&wire, 1);
    ck_assert_ptr_nonnull(newest_head());
    ck_assert_uint_eq(rp_heartbeat_next_us(&wire.daemon.serving), due_us + 1000 * MS);
}
END_TEST

START_TEST(a_map_becomes_stale_by_the_clock_alone_and_its_head_says_so)
{
    rp_wire_open(&wire);
    ck_assert_uint_eq(rp_worlds_stale_us(rp_wire_marsh(&wire)), RP_NEVER_US);
    rp_wire_pass(&wire, 10 * MS);
    rp_wire_marsh(&wire)->expect_every_ms = 300;
    (void)rp_wire_apply(&wire, 0, rp_wire_change(1, 1, 0), REPLAN__V1__WAIT__SETTLED);
    rp_wire_pass(&wire, 2 * MS);
    ck_assert(!newest_head()->stale_map);
    const uint64_t due_us = rp_heartbeat_next_us(&wire.daemon.serving);
    ck_assert_uint_eq(due_us, rp_wire_marsh(&wire)->changed_us + 300 * MS + 1u);
    rp_wire_pass(&wire, due_us - wire.daemon.serving.now.steady_us);
    const Replan__V1__Head *head = newest_head();
    ck_assert_ptr_nonnull(head);
    ck_assert(head->stale_map);
    ck_assert_uint_gt(rp_heartbeat_next_us(&wire.daemon.serving),
                      due_us); // and not again and again
}
END_TEST

START_TEST(a_head_goes_out_when_it_moved_and_each_second_otherwise)
{
    rp_wire_open(&wire);
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
    ck_assert_uint_eq(head->hash,
                      rp_engine_hash(wire.daemon.serving.engine, rp_wire_marsh(&wire)->id));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_head_goes_out_when_it_moved_and_each_second_otherwise,
        the_next_head_is_due_a_second_after_the_last_one,
        a_map_becomes_stale_by_the_clock_alone_and_its_head_says_so,
    };
    return rp_suite_run("heartbeat", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
