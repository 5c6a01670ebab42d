/// Serving the queue: whose turn it is, how much of a round goes to what is long, and what waits
/// for workers.
#include "daemon/requests/queue_server.h"

#include <string.h>

#include "daemon/requests/staged_request.h"
#include "tests/daemon/loads.h"
#include "tests/support/suite.h"

#define SHORT  40u ///< budget of a round in which nothing long is ready
#define PLENTY 1000000u

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

/// A daemon with one long change in the queue, by peer 1, of nothing but walls.
static void begin(void)
{
    memset(rp_load_bytes, 1, sizeof rp_load_bytes);
    rp_load_open(&wire, RP_LOAD_LONG);
    memset(rp_load_bytes, 0, sizeof rp_load_bytes);
    rp_load_apply(&wire, 1, "marsh", false, 1);
}

static bool serve(uint64_t budget)
{
    return rp_queue_serve(&wire.daemon.intake, budget);
}

static uint32_t waiting(void)
{
    return wire.daemon.intake.queue.count;
}

START_TEST(without_a_budget_what_is_long_does_not_go_on)
{
    begin();
    for (unsigned round = 0; round < 100; round++) {
        ck_assert(!serve(0));
    }
    ck_assert_uint_eq(waiting(), 1);
    ck_assert(serve(PLENTY));
    ck_assert_uint_eq(waiting(), 0);
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->applied->version, 2);
}
END_TEST

/// The bytes are handled in one go: not in a round of which most is spent.
START_TEST(what_became_ready_late_in_a_round_is_handled_in_the_next)
{
    uint64_t rounds = 0;
    begin();
    while (!serve(SHORT)) {
        ck_assert_int_eq(rp_load_bytes_of(&wire, "marsh")[9], 1);
        ck_assert_uint_lt(++rounds, 1000);
    }
    ck_assert_uint_gt(rounds, 1);
    tear_down();
    begin();
    for (uint64_t i = 0; i < rounds; i++) {
        ck_assert(!serve(SHORT));
    }
    ck_assert(!serve(0)); // it is ready by now, and there is no time
    ck_assert(serve(SHORT));
}
END_TEST

/// Of many that wait for something long, so many have their turn in a round, in their order.
START_TEST(short_ones_that_waited_come_in_their_order_some_hundred_a_round)
{
    begin();
    for (uint64_t id = 2; id < 302; id++) {
        rp_load_list(&wire, 1, id);
    }
    ck_assert_uint_eq(waiting(), 301);
    ck_assert(serve(PLENTY));
    ck_assert_uint_eq(waiting(), 301 - 1 - 256);
    ck_assert(serve(PLENTY)); // what was long is given back
    ck_assert_uint_eq(waiting(), 0);
    ck_assert(!serve(PLENTY));
    for (uint64_t id = 1; id < 302; id++) {
        ck_assert_uint_eq(rp_wire_reply(&wire, 1)->id, id);
    }
}
END_TEST

/// Two of different worlds and peers: neither waits for the other, but only one is worked on.
START_TEST(of_several_long_ones_the_first_goes_on)
{
    begin();
    rp_load_apply(&wire, 2, "moor", false, 2);
    rp_load_list(&wire, 2, 3);
    ck_assert_uint_eq(waiting(), 3);
    ck_assert(serve(PLENTY));
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->status, 0);
    rp_wire_expect_no_reply(&wire, 2);
    ck_assert(serve(PLENTY)); // the first is given back
    ck_assert(serve(PLENTY));
    ck_assert_uint_eq(rp_wire_reply(&wire, 2)->id, 2);
    ck_assert_uint_eq(rp_wire_reply(&wire, 2)->id, 3);
}
END_TEST

START_TEST(what_is_published_and_long_has_its_turn_too)
{
    begin();
    rp_load_change(&wire, "moor", 1);
    ck_assert_uint_eq(waiting(), 2);
    while (waiting() != 0) {
        (void)serve(PLENTY);
    }
    ck_assert_int_eq(rp_load_bytes_of(&wire, "moor")[9], 0);
}
END_TEST

static bool is_behind;

static bool lags(const rp_host_t *host)
{
    (void)host;
    return is_behind;
}

/// The daemon's host with workers that are behind when the test says so.
static void take_slow_host(void)
{
    static rp_host_ops_t ops;
    ops = *wire.daemon.serving.host->ops;
    ops.work.lags = lags;
    wire.daemon.serving.host->ops = &ops;
}

/// Its message takes memory meanwhile, and nothing that is made of it.
START_TEST(what_is_long_waits_for_workers_that_are_behind_and_nothing_short_does)
{
    begin();
    take_slow_host();
    is_behind = true;
    for (unsigned round = 0; round < 20; round++) {
        ck_assert(!serve(PLENTY));
        ck_assert_ptr_null(wire.daemon.intake.queue.first->staged->prepared.staged_edit);
        rp_load_pose(&wire, 2, 5.5 + round, 21u + round);
        ck_assert_int_eq(rp_wire_reply(&wire, 2)->status, 0);
    }
    rp_wire_expect_no_reply(&wire, 1);
    is_behind = false;
    ck_assert(serve(PLENTY));
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->applied->version, 2);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        without_a_budget_what_is_long_does_not_go_on,
        what_became_ready_late_in_a_round_is_handled_in_the_next,
        short_ones_that_waited_come_in_their_order_some_hundred_a_round,
        of_several_long_ones_the_first_goes_on,
        what_is_published_and_long_has_its_turn_too,
        what_is_long_waits_for_workers_that_are_behind_and_nothing_short_does,
    };
    return rp_suite_run("queue_server", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
