/// Leases: who is closed when nobody speaks of it, and who keeps whom.
#include "daemon/rules/leases.h"

#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

#define MS     1000u
#define SECOND (1000u * MS)

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

static uint64_t open_agents(void)
{
    return rp_wire_stat(&wire, "agents.open");
}

START_TEST(an_agent_of_which_nobody_speaks_is_closed_after_its_lease_and_that_is_told)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 4, 3, 4);
    rp_wire_pass(&wire, 59 * SECOND);
    rp_wire_pose(&wire, 0, "orc", 1.5, 4.5);
    ck_assert_uint_le(rp_daemon_next_us(&wire.daemon),
                      wire.daemon.serving.now.steady_us + 1 * SECOND);
    rp_wire_pass(&wire, 59 * SECOND);
    (void)rp_wire_answer(&wire, 0, "orc"); // a question renews it as well
    rp_wire_pass(&wire, 60 * SECOND - 1u);
    ck_assert_uint_eq(open_agents(), 1);
    rp_wire_pass(&wire, 1);
    ck_assert_uint_eq(open_agents(), 0);
    ck_assert_uint_eq(rp_wire_stat(&wire, "agents.expired"), 1);
    const Replan__V1__Notice *notice =
        (const Replan__V1__Notice *)rp_wire_published(&wire, "status/marsh/");
    ck_assert_ptr_nonnull(notice);
    ck_assert_ptr_nonnull(strstr(notice->sentence, "agent \"orc\" is closed"));
    ck_assert_ptr_nonnull(strstr(notice->sentence, "lease_s, 60 s"));
    ck_assert_str_eq(notice->world, "marsh");
    ck_assert_int_eq(notice->status, REPLAN__V1__STATUS__OK);
    ck_assert(!notice->gap);
}
END_TEST

START_TEST(a_watched_agent_and_one_without_a_lease_stay)
{
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT;
    rp_wire_open(&wire);
    policy.lease_case = REPLAN__V1__POLICY__LEASE_LEASE_S;
    (void)rp_wire_agent_with(&wire, 0, "rock", 0, 4, 3, 4, &policy);
    rp_wire_pass(&wire, 1000 * SECOND);
    ck_assert_uint_eq(open_agents(), 1);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 4, 3, 4);
    (void)rp_wire_watch(&wire, 1, false, 0);
    rp_wire_pass(&wire, 1000 * SECOND);
    ck_assert_uint_eq(open_agents(), 2);
}
END_TEST

START_TEST(who_watches_all_does_not_keep_an_agent_that_nobody_opened)
{
    rp_wire_open(&wire);
    (void)rp_wire_watch(&wire, 1, false, 0);
    rp_wire_pose(&wire, 0, "elf", 1.5, 1.5);
    rp_wire_pass(&wire, 59 * SECOND);
    rp_wire_pose(&wire, 0, "elf", 2.5, 1.5);
    rp_wire_pass(&wire, 59 * SECOND);
    ck_assert_uint_eq(open_agents(), 1);
    rp_wire_pass(&wire, 1 * SECOND);
    ck_assert_uint_eq(open_agents(), 0);
}
END_TEST

START_TEST(who_watches_by_name_keeps_an_agent_that_nobody_opened)
{
    char *name = rp_text("elf");
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    rp_wire_open(&wire);
    watch.world = rp_text("marsh");
    watch.agents = &name;
    watch.n_agents = 1;
    Replan__V1__Request request = RP_REQUEST(WATCH, watch, &watch);
    (void)rp_wire_do(&wire, 1, &request);
    rp_wire_pose(&wire, 0, "elf", 1.5, 1.5);
    rp_wire_pass(&wire, 1000 * SECOND);
    ck_assert_uint_eq(open_agents(), 1);
}
END_TEST

static void watch_all_of(const char *world)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    watch.world = rp_text(world);
    watch.all = 1;
    request.body_case = REPLAN__V1__REQUEST__BODY_WATCH;
    request.watch = &watch;
    (void)rp_wire_do(&wire, 1, &request);
}

START_TEST(only_a_watch_of_its_own_world_keeps_an_agent)
{
    rp_wire_open(&wire);
    rp_wire_create(&wire, "moor", 16, 8);
    watch_all_of("moor");
    (void)rp_wire_agent(&wire, 0, "orc", 0, 4, 3, 4);
    rp_wire_pass(&wire, 60 * SECOND);
    ck_assert_uint_eq(open_agents(), 0);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 4, 3, 4);
    watch_all_of("marsh"); // the second one
    rp_wire_pass(&wire, 60 * SECOND);
    ck_assert_uint_eq(open_agents(), 1);
}
END_TEST

START_TEST(a_lease_of_its_own_is_kept_to_and_the_daemon_wakes_up_for_it)
{
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT;
    policy.lease_case = REPLAN__V1__POLICY__LEASE_LEASE_S;
    policy.lease_s = 3;
    rp_wire_open(&wire);
    (void)rp_wire_agent_with(&wire, 0, "fly", 0, 4, 3, 4, &policy);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 5, 3, 5);
    ck_assert_uint_eq(wire.daemon.serving.lease_us, wire.daemon.serving.now.steady_us + 3 * SECOND);
    rp_wire_pass(&wire, 3 * SECOND - 1u);
    ck_assert_uint_eq(open_agents(), 2);
    rp_wire_pass(&wire, 1);
    ck_assert_uint_eq(open_agents(), 1);
    ck_assert_uint_eq(wire.daemon.serving.lease_us,
                      wire.daemon.serving.now.steady_us + 57 * SECOND);
    ck_assert_ptr_nonnull(rp_worlds_find_agent(rp_wire_marsh(&wire), "orc"));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_agent_of_which_nobody_speaks_is_closed_after_its_lease_and_that_is_told,
        a_watched_agent_and_one_without_a_lease_stay,
        who_watches_all_does_not_keep_an_agent_that_nobody_opened,
        who_watches_by_name_keeps_an_agent_that_nobody_opened,
        only_a_watch_of_its_own_world_keeps_an_agent,
        a_lease_of_its_own_is_kept_to_and_the_daemon_wakes_up_for_it,
    };
    return rp_suite_run("leases", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
