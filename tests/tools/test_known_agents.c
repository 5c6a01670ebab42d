/// What `replan view` knows of agents: by answers and lists, in cells of a window that moves.
#include "tools/known_agents.h"

#include <string.h>

#include "tests/support/suite.h"

static rp_known_agents_t agents;
static rp_mirror_t mirror;
static uint8_t steps[] = {0, 0, 2}; // +x, +x, +y

static void tear_down(void)
{
    rp_known_agents_fini(&agents);
}

static char *text(const char *constant)
{
    return (char *)constant;
}

/// A mirror of 10 x 10 cells of half a metre, with its corner at (-1, 2).
static void begin(void)
{
    mirror = (rp_mirror_t){
        .width = 10, .height = 10, .resolution = 0.5, .origin_x = -1.0, .origin_y = 2.0};
}

/// An answer of the window that the mirror is in at first: from cell (2, 3) by `steps`.
static void answer(const char *name, Replan__V1__Outcome outcome, uint64_t path_seq)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__Answer message = REPLAN__V1__ANSWER__INIT;
    geometry.width = geometry.height = 10;
    geometry.resolution = 0.5;
    geometry.origin_x = -1.0;
    geometry.origin_y = 2.0;
    message.agent = text(name);
    message.geometry = &geometry;
    message.outcome = outcome;
    message.reason = REPLAN__V1__REASON__BROKEN;
    message.path_seq = path_seq;
    message.start = 32;
    message.steps = (ProtobufCBinaryData){sizeof steps, steps};
    rp_known_agents_answer(&agents, &message);
}

/// A whole list of one agent, at a place in metres.
static void list(const char *name, double x, double y, double inflation_m)
{
    Replan__V1__Agents part = REPLAN__V1__AGENTS__INIT;
    Replan__V1__AgentInfo info = REPLAN__V1__AGENT_INFO__INIT;
    Replan__V1__Body body = REPLAN__V1__BODY__INIT;
    Replan__V1__AgentInfo *infos[] = {&info};
    body.radius_m = 0.5;
    body.inscribed_radius_m = 0.25;
    body.inflation_radius_m = inflation_m;
    info.agent = text(name);
    info.has_pose = true;
    info.x = x;
    info.y = y;
    info.body = inflation_m > 0 ? &body : NULL;
    part.agents = infos;
    part.n_agents = 1;
    rp_known_agents_begin_list(&agents);
    rp_known_agents_list(&agents, &part);
    rp_known_agents_end_list(&agents);
}

START_TEST(an_answer_is_a_path_and_its_end_the_goal)
{
    begin();
    answer("orc", REPLAN__V1__OUTCOME__FOUND, 7);
    const rp_view_agent_t *told = rp_known_agents_tell(&agents, &mirror);
    ck_assert_uint_eq(agents.count, 1);
    ck_assert_str_eq(told->name, "orc");
    ck_assert_uint_eq(told->path_count, 4);
    ck_assert_uint_eq(told->path[0], 32);
    ck_assert_uint_eq(told->goal, 44);
    ck_assert_uint_eq(told->cell, 32); // its pose is not known
    ck_assert_uint_eq(told->path_seq, 7);
    ck_assert_str_eq(told->reason, "invalid");
    ck_assert_ptr_null(told->trouble);
}
END_TEST

START_TEST(what_lies_behind_the_agent_is_left_out)
{
    begin();
    answer("orc", REPLAN__V1__OUTCOME__FOUND, 1);
    list("orc", 0.6, 3.6, 1.5); // cell (3, 3)
    const rp_view_agent_t *told = rp_known_agents_tell(&agents, &mirror);
    ck_assert_uint_eq(told->cell, 33);
    ck_assert_uint_eq(told->path_count, 3);
    ck_assert_uint_eq(told->path[0], 33);
    ck_assert_double_eq(told->radius, 1.0);
    ck_assert_double_eq(told->inflation, 3.0);
}
END_TEST

START_TEST(a_path_of_an_older_window_stays_where_it_was)
{
    begin();
    answer("orc", REPLAN__V1__OUTCOME__FOUND, 1);
    mirror.origin_x += 1.0; // two cells
    mirror.origin_y -= 0.5; // one, the other way
    const rp_view_agent_t *told = rp_known_agents_tell(&agents, &mirror);
    ck_assert_uint_eq(told->path[0], 40);
    ck_assert_uint_eq(told->goal, 52);
    mirror.origin_x += 1.5; // its first three cells are outside now
    told = rp_known_agents_tell(&agents, &mirror);
    ck_assert_uint_eq(told->path_count, 0);
    ck_assert_uint_eq(told->goal, RP_VIEW_NOWHERE);
}
END_TEST

START_TEST(who_has_no_path_is_in_trouble_and_keeps_none)
{
    begin();
    answer("orc", REPLAN__V1__OUTCOME__FOUND, 1);
    answer("orc", REPLAN__V1__OUTCOME__NO_PATH, 2);
    list("orc", -100, 0, 0);
    const rp_view_agent_t *told = rp_known_agents_tell(&agents, &mirror);
    ck_assert_str_eq(told->trouble, "no path");
    ck_assert_uint_eq(told->path_count, 0);
    ck_assert_uint_eq(told->cell, RP_VIEW_NOWHERE); // outside of the window
}
END_TEST

START_TEST(who_is_on_no_list_is_gone_and_the_rest_keep_their_places)
{
    begin();
    for (unsigned i = 0; i < 5; i++) {
        const char name[2] = {(char)('a' + i), '\0'};
        answer(name, REPLAN__V1__OUTCOME__FOUND, i + 1u);
    }
    answer("c", REPLAN__V1__OUTCOME__FOUND, 9);
    ck_assert_uint_eq(agents.count, 5);
    ck_assert_uint_eq(rp_known_agents_tell(&agents, &mirror)[2].path_seq, 9);
    list("d", 0, 3, 0);
    ck_assert_uint_eq(agents.count, 1);
    ck_assert_str_eq(rp_known_agents_tell(&agents, &mirror)->name, "d");
    ck_assert_uint_eq(rp_known_agents_tell(&agents, &mirror)->path_seq, 4);
    rp_known_agents_clear(&agents);
    ck_assert_uint_eq(agents.count, 0);
    ck_assert_ptr_nonnull(rp_known_agents_tell(&agents, &mirror));
}
END_TEST

START_TEST(a_place_goes_with_the_name)
{
    ck_assert_uint_eq(rp_known_agents_place(&agents, "b"), 0);
    answer("a", REPLAN__V1__OUTCOME__FOUND, 1);
    answer("b", REPLAN__V1__OUTCOME__FOUND, 1);
    ck_assert_uint_eq(rp_known_agents_place(&agents, "b"), 1);
    ck_assert_uint_eq(rp_known_agents_place(&agents, ""), 2);
    list("b", 0, 3, 0);
    ck_assert_uint_eq(rp_known_agents_place(&agents, "b"), 0);
    ck_assert_uint_eq(rp_known_agents_place(&agents, "a"), agents.count);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_answer_is_a_path_and_its_end_the_goal,
        what_lies_behind_the_agent_is_left_out,
        a_path_of_an_older_window_stays_where_it_was,
        who_has_no_path_is_in_trouble_and_keeps_none,
        who_is_on_no_list_is_gone_and_the_rest_keep_their_places,
        a_place_goes_with_the_name,
    };
    return rp_suite_run("known_agents", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
