/// Agents on the wire: what they may ask for, and what their answers say, through the daemon
/// without its sockets.
#include <math.h>
#include <string.h>

#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

#define MS 1000u

static rp_wire_t wire;

static void begin(void)
{
    rp_wire_open(&wire);
}

static void tear_down(void)
{
    rp_wire_close(&wire);
}

static void build(uint32_t x, uint32_t y, uint32_t byte)
{
    (void)rp_wire_apply(&wire, 0, rp_wire_change(x, y, byte), REPLAN__V1__WAIT__SETTLED);
}

/// A wall across the marsh with a gate in the last row; the marsh is 16 x 8.
static void build_wall(void)
{
    for (uint32_t y = 0; y < 7; y++) {
        build(8, y, 0);
    }
}

// ---- policy

START_TEST(who_asks_for_nothing_keeps_a_path_that_is_dearer_by_less_than_5_percent)
{
    begin();
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    rp_wire_work(&wire);
    rp_wire_pass(&wire, 1000 * MS);
    build(8, 0, 2); // a step aside would save a sixth of a cell
    const Replan__V1__Answer *kept = rp_wire_answer(&wire, 0, "orc");
    ck_assert_uint_eq(kept->path_seq, 1);
    ck_assert_uint_eq(kept->version, rp_engine_version(wire.daemon.engine, 1));
    ck_assert_double_eq(kept->cost, 16.0);
    ck_assert(!kept->optimal);
    ck_assert_double_eq_tol(kept->bound, 13.0 + 2.0 * sqrt(2.0), 1e-9);
}
END_TEST

START_TEST(who_asks_for_every_gain_gets_it)
{
    begin();
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT;
    policy.gain_case = REPLAN__V1__POLICY__GAIN_SWITCH_GAIN_PERCENT;
    policy.interval_case = REPLAN__V1__POLICY__INTERVAL_MIN_INTERVAL_MS;
    (void)rp_wire_agent_with(&wire, 0, "orc", 0, 0, 15, 0, &policy);
    rp_wire_work(&wire);
    build(8, 0, 2);
    const Replan__V1__Answer *switched = rp_wire_answer(&wire, 0, "orc");
    ck_assert_uint_eq(switched->path_seq, 2);
    ck_assert(switched->optimal);
    ck_assert_double_eq(switched->bound, switched->cost);
}
END_TEST

START_TEST(a_large_gain_is_told_when_the_interval_is_over_and_the_daemon_wakes_for_it)
{
    begin();
    build_wall();
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    const uint32_t watch = rp_wire_watch(&wire, 1, false, 100);
    rp_wire_work(&wire);
    const uint64_t said_us = wire.daemon.now.steady_us;
    rp_wire_pass(&wire, 50 * MS);
    build(8, 0, 1);
    while (rp_wire_next(&wire, 1) != NULL) {
    }
    ck_assert_uint_le(rp_daemon_next_us(&wire.daemon), said_us + 200 * MS);
    rp_wire_pass(&wire, 149 * MS);
    for (const Replan__V1__ToClient *message; (message = rp_wire_next(&wire, 1)) != NULL;) {
        ck_assert_int_ne(message->body_case, REPLAN__V1__TO_CLIENT__BODY_ANSWER);
    }
    rp_wire_pass(&wire, 1 * MS);
    const Replan__V1__ToClient *told = rp_wire_next(&wire, 1);
    ck_assert_ptr_nonnull(told);
    ck_assert_uint_eq(told->watch, watch);
    ck_assert_int_eq(told->body_case, REPLAN__V1__TO_CLIENT__BODY_ANSWER);
    ck_assert_int_eq(told->answer->reason, REPLAN__V1__REASON__CHEAPER);
    ck_assert_double_eq(told->answer->cost, 15.0);
}
END_TEST

START_TEST(an_aged_path_is_replaced_as_such)
{
    begin();
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT;
    policy.age_case = REPLAN__V1__POLICY__AGE_MAX_AGE_MS;
    policy.max_age_ms = 2000;
    (void)rp_wire_agent_with(&wire, 0, "orc", 0, 0, 15, 0, &policy);
    rp_wire_work(&wire);
    build(8, 0, 2);
    rp_wire_pass(&wire, 1999 * MS);
    ck_assert_uint_eq(rp_wire_answer(&wire, 0, "orc")->path_seq, 1);
    while (rp_wire_published(&wire, "path/marsh/orc/") != NULL) {
    }
    rp_wire_pass(&wire, 1 * MS);
    const Replan__V1__Answer *answer =
        (const Replan__V1__Answer *)rp_wire_published(&wire, "path/marsh/orc/");
    ck_assert_ptr_nonnull(answer);
    ck_assert_int_eq(answer->reason, REPLAN__V1__REASON__AGED);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        who_asks_for_nothing_keeps_a_path_that_is_dearer_by_less_than_5_percent,
        who_asks_for_every_gain_gets_it,
        a_large_gain_is_told_when_the_interval_is_over_and_the_daemon_wakes_for_it,
        an_aged_path_is_replaced_as_such,
    };
    return rp_suite_run("agents", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
