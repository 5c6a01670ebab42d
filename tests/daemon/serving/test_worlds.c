/// Worlds and agents by name: epochs, limits, handles.
#include <stdio.h>

#include "daemon/serving/worlds.h"
#include "daemon/workers/hosts.h"
#include "tests/support/suite.h"

static rp_worlds_t worlds;
static rp_host_t *host;

static void begin(void)
{
    ck_assert_int_eq(rp_hosts_new(0, UINT64_MAX, &host), RP_OK);
}

static void tear_down(void)
{
    if (host != NULL) {
        rp_worlds_fini(&worlds, host);
    }
    rp_host_destroy(&host);
}

static rp_status_t open_world(const char *name, uint64_t now_us, rp_served_t **world)
{
    const rp_world_options_t options = {.width = 4,
                                        .height = 3,
                                        .neighbors = 8,
                                        .profile = "factor",
                                        .frame = {.resolution_m = 1.0}};
    return rp_worlds_open(&worlds, host, name, "map", &options, NULL, now_us, world);
}

static rp_status_t open_agent(rp_served_t *world, const char *name, rp_agent_t **agent)
{
    const rp_session_options_t options = {.planner = "lpa"};
    return rp_worlds_open_agent(&worlds, host, world, name, &options, agent);
}

START_TEST(a_world_is_found_by_name_until_it_is_closed)
{
    rp_served_t *world;
    begin();
    ck_assert_int_eq(open_world("marsh", 5, &world), RP_OK);
    ck_assert_ptr_eq(rp_worlds_find(&worlds, "marsh"), world);
    ck_assert_ptr_null(rp_worlds_find(&worlds, "mars"));
    rp_worlds_close(&worlds, host, world);
    ck_assert_ptr_null(rp_worlds_find(&worlds, "marsh"));
    ck_assert_uint_eq(worlds.count, 0);
}
END_TEST

START_TEST(each_incarnation_has_a_greater_epoch_also_when_the_clock_stands_or_falls)
{
    rp_served_t *world;
    uint64_t last = 0;
    static const uint64_t clock[] = {1000, 1000, 900, 2000, 1};
    begin();
    for (size_t i = 0; i < 5; i++) {
        ck_assert_int_eq(open_world("marsh", clock[i], &world), RP_OK);
        ck_assert_uint_gt(world->epoch, last);
        last = world->epoch;
        rp_worlds_close(&worlds, host, world);
    }
}
END_TEST

START_TEST(names_are_taken_once_and_worlds_have_a_limit)
{
    rp_served_t *world;
    char name[RP_LIMIT_NAME + 1u];
    begin();
    for (unsigned i = 0; i < RP_LIMIT_WORLDS; i++) {
        (void)snprintf(name, sizeof name, "w%u", i);
        ck_assert_int_eq(open_world(name, i, &world), RP_OK);
    }
    ck_assert_int_eq(open_world("w3", 1, &world), RP_E_EXISTS);
    ck_assert_int_eq(open_world("one-more", 1, &world), RP_E_LIMIT);
    rp_worlds_close(&worlds, host, rp_worlds_find(&worlds, "w3"));
    ck_assert_int_eq(open_world("one-more", 1, &world), RP_OK);
}
END_TEST

START_TEST(a_name_of_full_length_is_kept_whole)
{
    static const char name[] = "0123456789012345678901234567890x";
    rp_served_t *world;
    rp_agent_t *agent;
    begin();
    ck_assert_int_eq(open_world(name, 1, &world), RP_OK);
    ck_assert_int_eq(open_agent(world, name, &agent), RP_OK);
    ck_assert_str_eq(world->name, name);
    ck_assert_str_eq(agent->name, name);
}
END_TEST

START_TEST(an_agent_is_found_by_name_in_its_world_and_by_its_handle)
{
    rp_served_t *marsh;
    rp_served_t *meadow;
    rp_agent_t *orc;
    rp_agent_t *other;
    begin();
    ck_assert_int_eq(open_world("marsh", 1, &marsh), RP_OK);
    ck_assert_int_eq(open_world("meadow", 1, &meadow), RP_OK);
    ck_assert_int_eq(open_agent(marsh, "orc", &orc), RP_OK);
    ck_assert_int_eq(open_agent(marsh, "orc", &other), RP_E_EXISTS);
    ck_assert_int_eq(open_agent(meadow, "orc", &other), RP_OK);
    ck_assert_ptr_eq(rp_worlds_find_agent(marsh, "orc"), orc);
    ck_assert_ptr_eq(rp_worlds_agent_of(&worlds, orc->session), orc);
    ck_assert_ptr_eq(rp_worlds_agent_of(&worlds, other->session), other);
    ck_assert_ptr_null(rp_worlds_agent_of(&worlds, 0));
    ck_assert_ptr_null(rp_worlds_agent_of(&worlds, UINT32_MAX));
    const rp_session_id_t session = orc->session;
    const uint64_t handle = orc->handle;
    ck_assert_ptr_eq(rp_worlds_find_handle(&worlds, marsh, handle), orc);
    ck_assert_ptr_null(rp_worlds_find_handle(&worlds, meadow, handle));
    ck_assert_ptr_null(rp_worlds_find_handle(&worlds, marsh, session));
    rp_worlds_close_agent(&worlds, host, orc);
    ck_assert_ptr_null(rp_worlds_agent_of(&worlds, session));
    ck_assert_ptr_null(rp_worlds_find_handle(&worlds, marsh, handle));
    ck_assert_ptr_null(rp_worlds_find_agent(marsh, "orc"));
}
END_TEST

START_TEST(a_world_takes_its_agents_along)
{
    rp_served_t *world;
    rp_agent_t *agent = NULL;
    char name[RP_LIMIT_NAME + 1u];
    begin();
    ck_assert_int_eq(open_world("marsh", 1, &world), RP_OK);
    for (unsigned i = 0; i < 100; i++) {
        (void)snprintf(name, sizeof name, "a%u", i);
        ck_assert_int_eq(open_agent(world, name, &agent), RP_OK);
    }
    const rp_session_id_t session = agent->session;
    const uint64_t handle = agent->handle;
    ck_assert_uint_eq(world->agent_count, 100);
    rp_worlds_close(&worlds, host, world);
    ck_assert_ptr_null(rp_worlds_agent_of(&worlds, session));
    rp_answer_t answer;
    ck_assert_int_eq(rp_host_answer(host, session, &answer), RP_E_UNKNOWN);
    ck_assert_int_eq(open_world("marsh", 2, &world), RP_OK);
    ck_assert_int_eq(open_agent(world, "a99", &agent), RP_OK);
    ck_assert_ptr_null(rp_worlds_find_handle(&worlds, world, handle));
}
END_TEST

/// A walk through all agents in portions, while agents close and open between any two of them.
START_TEST(a_walk_goes_on_behind_the_last_one_though_that_was_closed)
{
    enum {
        COUNT = 200
    };
    static rp_agent_t *agents[COUNT];
    char name[16];
    rp_served_t *world;
    begin();
    ck_assert_int_eq(open_world("marsh", 1, &world), RP_OK);
    ck_assert_ptr_null(rp_worlds_opened_after(world, 0));
    for (unsigned i = 0; i < COUNT; i++) {
        (void)snprintf(name, sizeof name, "a%u", i);
        ck_assert_int_eq(open_agent(world, name, &agents[i]), RP_OK);
    }
    uint64_t last = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        rp_agent_t *next = rp_worlds_opened_after(world, last);
        ck_assert_ptr_eq(next, agents[i]);
        last = next->opened;
        if (i % 4u != 0) {
            rp_worlds_close_agent(&worlds, host, next); // most of them, so that holes close up
        }
    }
    ck_assert_ptr_null(rp_worlds_opened_after(world, last));
    ck_assert_uint_le(world->openings.count, 2u * world->agent_count);
    ck_assert_int_eq(open_agent(world, "new", &agents[1]), RP_OK);
    ck_assert_ptr_eq(rp_worlds_opened_after(world, last), agents[1]);
    ck_assert_ptr_eq(rp_worlds_opened_after(world, 0), agents[0]);
    ck_assert_ptr_eq(rp_worlds_opened_after(world, agents[0]->opened), agents[4]);
    for (unsigned i = 0; i < COUNT; i += 4) {
        rp_worlds_close_agent(&worlds, host, agents[i]);
    }
    ck_assert_ptr_eq(rp_worlds_opened_after(world, 0), agents[1]);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_world_is_found_by_name_until_it_is_closed,
        each_incarnation_has_a_greater_epoch_also_when_the_clock_stands_or_falls,
        names_are_taken_once_and_worlds_have_a_limit,
        a_name_of_full_length_is_kept_whole,
        an_agent_is_found_by_name_in_its_world_and_by_its_handle,
        a_world_takes_its_agents_along,
        a_walk_goes_on_behind_the_last_one_though_that_was_closed,
    };
    return rp_suite_run("worlds", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
