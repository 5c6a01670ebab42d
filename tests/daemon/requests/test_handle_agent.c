/// Agents on the wire: what they may ask for, and what their answers say, through the daemon
/// without its sockets.
#include <math.h>
#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

#define MS 1000u

static rp_wire_t wire;
static Replan__V1__Policy policy;

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
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    rp_wire_work(&wire);
    rp_wire_pass(&wire, 1000 * MS);
    build(8, 0, 2); // a step aside would save a sixth of a cell
    const Replan__V1__Answer *kept = rp_wire_answer(&wire, 0, "orc");
    ck_assert_uint_eq(kept->path_seq, 1);
    ck_assert_uint_eq(kept->version, rp_engine_version(wire.daemon.serving.engine, 1));
    ck_assert_double_eq(kept->cost, 16.0);
    ck_assert(!kept->optimal);
    ck_assert_double_eq_tol(kept->bound, 13.0 + 2.0 * sqrt(2.0), 1e-9);
}
END_TEST

START_TEST(a_paranoid_daemon_counts_what_it_checked)
{
    rp_wire_open(&wire);
    wire.daemon.serving.check_every = 2;
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    rp_wire_work(&wire);
    build(7, 0, 0);
    build(9, 0, 0);
    rp_serving_count(&wire.daemon.serving);
    ck_assert_uint_gt(wire.daemon.serving.stats.checked, 0);
    ck_assert_uint_eq(wire.daemon.serving.stats.differed, 0);
}
END_TEST

START_TEST(who_asks_for_every_gain_gets_it)
{
    rp_wire_open(&wire);
    replan__v1__policy__init(&policy);
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
    rp_wire_open(&wire);
    build_wall();
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    const uint32_t watch = rp_wire_watch(&wire, 1, false, 100);
    rp_wire_work(&wire);
    const uint64_t published_us = wire.daemon.serving.now.steady_us;
    rp_wire_pass(&wire, 50 * MS);
    build(8, 0, 1);
    while (rp_wire_next(&wire, 1) != NULL) {
    }
    ck_assert_uint_le(rp_daemon_next_us(&wire.daemon), published_us + 200 * MS);
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
    rp_wire_open(&wire);
    replan__v1__policy__init(&policy);
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

// ---- poses

START_TEST(an_agent_beside_its_path_follows_it_as_far_off_as_it_asked_for)
{
    rp_wire_open(&wire);
    replan__v1__policy__init(&policy);
    policy.follow_case = REPLAN__V1__POLICY__FOLLOW_FOLLOW_RADIUS_M;
    policy.follow_radius_m = 1.2;
    (void)rp_wire_agent_with(&wire, 0, "orc", 0, 4, 15, 4, &policy);
    rp_wire_work(&wire);
    rp_wire_pose(&wire, 0, "orc", 5.5, 5.6);
    const Replan__V1__Answer *answer = rp_wire_answer(&wire, 0, "orc");
    ck_assert_uint_eq(answer->path_seq, 1);
    ck_assert_uint_eq(answer->start, 4 * 16 + 5);
    rp_wire_pose(&wire, 0, "orc", 5.5, 5.8);
    answer = rp_wire_answer(&wire, 0, "orc");
    ck_assert_uint_eq(answer->path_seq, 2);
    ck_assert_uint_eq(answer->start, 5 * 16 + 5);
}
END_TEST

START_TEST(arriving_is_an_answer)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 4, 3, 4);
    rp_wire_work(&wire);
    while (rp_wire_published(&wire, "path/marsh/orc/") != NULL) {
    }
    rp_wire_pose(&wire, 0, "orc", 3.5, 4.5);
    rp_wire_work(&wire);
    const Replan__V1__Answer *answer =
        (const Replan__V1__Answer *)rp_wire_published(&wire, "path/marsh/orc/");
    ck_assert_ptr_nonnull(answer);
    ck_assert_int_eq(answer->outcome, REPLAN__V1__OUTCOME__ARRIVED);
    ck_assert_int_eq(answer->reason, REPLAN__V1__REASON__REACHED);
    ck_assert(answer->optimal);
}
END_TEST

// ---- who is opened, and who is not

#define SECOND (1000u * MS)

static uint64_t open_agents(void)
{
    return rp_wire_stat(&wire, "agents.open");
}

START_TEST(a_pose_for_an_unknown_agent_opens_it_with_defaults_and_a_lease)
{
    rp_wire_open(&wire);
    rp_wire_pose(&wire, 0, "elf", 1.5, 1.5);
    ck_assert_uint_eq(open_agents(), 1);
    rp_wire_pass(&wire, 60 * SECOND);
    ck_assert_uint_eq(open_agents(), 0);
}
END_TEST

START_TEST(an_agent_whose_poses_came_first_can_be_opened_once)
{
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    rp_wire_open(&wire);
    rp_wire_pose(&wire, 0, "elf", 1.5, 1.5);
    (void)rp_wire_agent(&wire, 0, "elf", 1, 1, 5, 1);
    ck_assert_uint_eq(open_agents(), 1);
    ck_assert_double_eq(rp_wire_answer(&wire, 0, "elf")->cost, 4.0);
    open.world = rp_text("marsh");
    open.agent = rp_text("elf");
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    ck_assert_int_eq(rp_wire_ask(&wire, 0, &request)->status, REPLAN__V1__STATUS__EXISTS);
}
END_TEST

START_TEST(a_goal_that_is_refused_opens_nobody)
{
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    rp_wire_open(&wire);
    goal.world = rp_text("marsh");
    goal.agent = goal.target = rp_text("elf");
    Replan__V1__Request request = RP_REQUEST(SET_GOAL, set_goal, &goal);
    ck_assert_int_eq(rp_wire_ask(&wire, 0, &request)->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_uint_eq(open_agents(), 0);
}
END_TEST

/// Open an agent that names its planner.
static const Replan__V1__Reply *open_with(const char *planner)
{
    static Replan__V1__OpenAgent open;
    replan__v1__open_agent__init(&open);
    open.world = rp_text("marsh");
    open.agent = rp_text("elf");
    open.planner = rp_text(planner);
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    return rp_wire_ask(&wire, 0, &request);
}

/// An empty world in place of the one that is there.
static void replace_world(uint32_t neighbors, uint32_t expect_every_ms)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    remove.world = create.world = rp_text("marsh");
    Replan__V1__Request request = RP_REQUEST(REMOVE_WORLD, remove_world, &remove);
    (void)rp_wire_do(&wire, 0, &request);
    geometry.width = 16;
    geometry.height = 8;
    geometry.resolution = 1.0;
    create.geometry = &geometry;
    create.neighbors = neighbors;
    create.expect_every_ms = expect_every_ms;
    request.body_case = REPLAN__V1__REQUEST__BODY_CREATE_WORLD;
    request.create_world = &create;
    (void)rp_wire_do(&wire, 0, &request);
}

START_TEST(a_planner_is_refused_for_what_it_cannot_do)
{
    rp_wire_open(&wire);
    build(3, 3, 2);
    const Replan__V1__Reply *reply = open_with("jps");
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__UNSUPPORTED);
    ck_assert_str_eq(reply->sentence,
                     "open_agent.planner: \"jps\" cannot plan on ground with weights");
    reply = open_with("dijkstra");
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__UNKNOWN);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "there is no planner \"dijkstra\""));
    replace_world(4, 0);
    reply = open_with("jps");
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__UNSUPPORTED);
    ck_assert_str_eq(reply->sentence, "open_agent.planner: \"jps\" cannot plan with 4 neighbors");
    ck_assert_uint_eq(open_agents(), 0);
}
END_TEST

// ---- what the map is worth

static bool newest_head_is_stale(void)
{
    const Replan__V1__Head *newest = NULL;
    for (const Replan__V1__Head *head;
         (head = (const Replan__V1__Head *)rp_wire_published(&wire, "head/marsh/")) != NULL;) {
        newest = head;
    }
    ck_assert_ptr_nonnull(newest);
    return newest->stale_map;
}

START_TEST(a_map_without_the_news_that_it_expects_is_stale_until_they_come)
{
    rp_wire_open(&wire);
    replace_world(8, 100);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 4, 3, 4);
    rp_wire_pass(&wire, 100 * MS);
    ck_assert(!rp_wire_answer(&wire, 0, "orc")->stale_map);
    ck_assert(!newest_head_is_stale());
    ck_assert_uint_le(rp_daemon_next_us(&wire.daemon), wire.daemon.serving.now.steady_us + 1u);
    rp_wire_pass(&wire, 1 * MS);
    const Replan__V1__Answer *answer = rp_wire_answer(&wire, 0, "orc");
    ck_assert(answer->stale_map);
    ck_assert_uint_eq(answer->map_age_ms, 101);
    ck_assert(newest_head_is_stale());
    build(9, 7, 1);
    rp_wire_pass(&wire, 1 * MS);
    ck_assert(!rp_wire_answer(&wire, 0, "orc")->stale_map);
    ck_assert(!newest_head_is_stale());
}
END_TEST

START_TEST(an_answer_says_how_far_it_rests_on_known_cells)
{
    rp_wire_open(&wire);
    build(5, 4, 255);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 4, 15, 4);
    ck_assert_uint_eq(rp_wire_answer(&wire, 0, "orc")->valid_through, 4);
}
END_TEST

// ---- goals

static Replan__V1__Goal goal;

static Replan__V1__Goal *goal_of(const char *name)
{
    replan__v1__goal__init(&goal);
    goal.world = rp_text("marsh");
    goal.agent = (char *)name;
    return &goal;
}

static const Replan__V1__Reply *send_goal(void)
{
    static Replan__V1__Request request;
    replan__v1__request__init(&request);
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_GOAL;
    request.set_goal = &goal;
    return rp_wire_ask(&wire, 0, &request);
}

static double xs[2];
static double ys[2];

static void set_points(double x, double y, double other_x, double other_y)
{
    xs[0] = x;
    ys[0] = y;
    xs[1] = other_x;
    ys[1] = other_y;
    goal.n_x = goal.n_y = 2;
    goal.x = xs;
    goal.y = ys;
}

START_TEST(waypoints_and_regions_come_by_the_wire)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    goal_of("orc")->kind = REPLAN__V1__GOAL_KIND__WAYPOINTS;
    set_points(3.5, 0.5, 3.5, 7.5);
    ck_assert_int_eq(send_goal()->status, REPLAN__V1__STATUS__OK);
    ck_assert_double_eq(rp_wire_answer(&wire, 0, "orc")->cost, 3.0);
    rp_wire_pose(&wire, 0, "orc", 3.5, 0.5);
    const Replan__V1__Answer *answer = rp_wire_answer(&wire, 0, "orc");
    ck_assert_uint_eq(answer->waypoint, 1);
    ck_assert_double_eq(answer->cost, 7.0);
    goal_of("orc")->kind = REPLAN__V1__GOAL_KIND__REGION;
    set_points(10.0, 0.0, 16.0, 8.0);
    ck_assert_int_eq(send_goal()->status, REPLAN__V1__STATUS__OK);
    ck_assert_double_eq(rp_wire_answer(&wire, 0, "orc")->cost, 7.0);
}
END_TEST

START_TEST(a_target_is_followed_by_its_name_through_its_comings_and_goings)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    goal_of("orc")->target = rp_text("orc");
    const Replan__V1__Reply *reply = send_goal();
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "goal.target"));
    goal_of("orc")->target = rp_text("elf");
    ck_assert_int_eq(send_goal()->status, REPLAN__V1__STATUS__OK);
    ck_assert_int_eq(rp_wire_answer(&wire, 0, "orc")->outcome, REPLAN__V1__OUTCOME__TARGET_LOST);
    rp_wire_pose(&wire, 0, "elf", 5.5, 0.5);
    ck_assert_double_eq(rp_wire_answer(&wire, 0, "orc")->cost, 5.0);
    rp_wire_pose(&wire, 0, "elf", 6.5, 0.5);
    const Replan__V1__Answer *answer = rp_wire_answer(&wire, 0, "orc");
    ck_assert_double_eq(answer->cost, 6.0);
    rp_wire_pass(&wire, 30 * SECOND);
    rp_wire_pose(&wire, 0, "orc", 0.5, 0.5);
    rp_wire_pass(&wire, 30 * SECOND); // the elf's lease is over
    ck_assert_int_eq(rp_wire_answer(&wire, 0, "orc")->outcome, REPLAN__V1__OUTCOME__TARGET_LOST);
    rp_wire_pose(&wire, 0, "elf", 2.5, 0.5);
    ck_assert_double_eq(rp_wire_answer(&wire, 0, "orc")->cost, 2.0);
}
END_TEST

START_TEST(nearest_and_escape_say_how_far)
{
    rp_wire_open(&wire);
    for (uint32_t y = 0; y < 8; y++) {
        build(8, y, 0);
    }
    build(2, 4, 0);
    replan__v1__policy__init(&policy);
    policy.escape_case = REPLAN__V1__POLICY__ESCAPE_ESCAPE_M;
    policy.escape_m = 1.5;
    (void)rp_wire_agent_with(&wire, 0, "orc", 2, 4, 15, 4, &policy);
    ck_assert_int_eq(rp_wire_answer(&wire, 0, "orc")->outcome, REPLAN__V1__OUTCOME__NO_PATH);
    goal_of("orc")->nearest = 1;
    set_points(10.5, 4.5, 15.5, 4.5);
    ck_assert_int_eq(send_goal()->status, REPLAN__V1__STATUS__OK);
    const Replan__V1__Answer *answer = rp_wire_answer(&wire, 0, "orc");
    ck_assert_int_eq(answer->outcome, REPLAN__V1__OUTCOME__FOUND);
    ck_assert_double_eq(answer->escape_m, 1.0);
    ck_assert_uint_eq(answer->way_start, 4 * 16 + 2);
    ck_assert_uint_eq(answer->way.len, 1);
    ck_assert_uint_eq(answer->way.data[0], 0);
    ck_assert_uint_eq(answer->start, 4 * 16 + 3);
    ck_assert_double_eq(answer->goal_distance_m, 3.0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        who_asks_for_nothing_keeps_a_path_that_is_dearer_by_less_than_5_percent,
        a_paranoid_daemon_counts_what_it_checked,
        who_asks_for_every_gain_gets_it,
        a_large_gain_is_told_when_the_interval_is_over_and_the_daemon_wakes_for_it,
        an_aged_path_is_replaced_as_such,
        an_agent_beside_its_path_follows_it_as_far_off_as_it_asked_for,
        arriving_is_an_answer,
        a_pose_for_an_unknown_agent_opens_it_with_defaults_and_a_lease,
        an_agent_whose_poses_came_first_can_be_opened_once,
        a_goal_that_is_refused_opens_nobody,
        a_planner_is_refused_for_what_it_cannot_do,
        a_map_without_the_news_that_it_expects_is_stale_until_they_come,
        an_answer_says_how_far_it_rests_on_known_cells,
        waypoints_and_regions_come_by_the_wire,
        a_target_is_followed_by_its_name_through_its_comings_and_goings,
        nearest_and_escape_say_how_far,
    };
    return rp_suite_run("handle_agent", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
