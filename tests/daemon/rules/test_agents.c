/// Agents: what is made of what a client says, what an agent gets that says nothing, and what is
/// refused.
#include "daemon/rules/agents.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/process/log.h"
#include "engine/core.h"
#include "engine/session/session_state.h"
#include "tests/daemon/heir.h"
#include "tests/support/suite.h"

#define CELL_M     0.5 ///< of the marsh
#define POSE_PRICE 12u ///< as agents.c has it

static rp_refusal_t refusal;
static rp_status_t status;

static rp_serving_t *serving(void)
{
    return &rp_keeper.daemon.serving;
}

static void begin(void)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
}

/// @param asked  NULL: nothing
static rp_agent_t *open_as(const char *name, const Replan__V1__OpenAgent *asked,
                           const rp_body_t *body)
{
    static const rp_body_t point = {.profile = NULL};
    status = RP_E_MEMORY;
    return rp_agents_open(serving(), rp_wire_marsh(&rp_keeper), name, asked,
                          body != NULL ? body : &point, &status, &refusal);
}

static rp_agent_t *open_plain(const char *name)
{
    rp_agent_t *agent = open_as(name, NULL, NULL);
    ck_assert_ptr_nonnull(agent);
    return agent;
}

static const rp_session_t *session_of(const rp_agent_t *agent)
{
    return rp_engine_session(serving()->engine, agent->session);
}

// ---- opened

START_TEST(who_asks_for_nothing_gets_paths_that_do_not_flap_and_a_minute)
{
    begin();
    const rp_agent_t *agent = open_plain("scout");
    const rp_session_t *session = session_of(agent);
    ck_assert_int_eq(status, RP_OK);
    ck_assert_uint_eq(serving()->stats.agents, 1);
    ck_assert(agent->has_appeared);
    ck_assert(!agent->bends);
    ck_assert(!agent->segments);
    ck_assert(!agent->has_motion);
    ck_assert_uint_eq(agent->lease_s, 60);
    ck_assert_uint_eq(agent->heard_us, serving()->now.steady_us);
    ck_assert_uint_eq(session->policy.switch_gain_percent, 5);
    ck_assert_uint_eq(session->policy.min_interval_ms, 200);
    ck_assert_uint_eq(session->policy.max_age_ms, 0);
    ck_assert_uint_eq(session->policy.answer_within_ms, 0);
    ck_assert(!session->policy.may_wait);
    ck_assert(!session->policy.starts_at_once);
    ck_assert_double_eq(session->position.follow_radius_m, 0.0);
    ck_assert_double_eq(session->position.escape_m, 0.0);
    ck_assert_str_eq(session->about->id, serving()->default_planner);
}
END_TEST

START_TEST(what_is_asked_for_is_had_even_if_it_is_0)
{
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    begin();
    open.policy = &policy;
    open.planner = rp_text("astar");
    policy.gain_case = REPLAN__V1__POLICY__GAIN_SWITCH_GAIN_PERCENT;
    policy.interval_case = REPLAN__V1__POLICY__INTERVAL_MIN_INTERVAL_MS;
    policy.lease_case = REPLAN__V1__POLICY__LEASE_LEASE_S;
    policy.age_case = REPLAN__V1__POLICY__AGE_MAX_AGE_MS;
    for (uint32_t i = 0; i < 2; i++) {
        policy.switch_gain_percent = 7 * i;
        policy.min_interval_ms = 70 * i;
        policy.lease_s = 77 * i;
        policy.max_age_ms = 700 * i;
        policy.answer_within_ms = 707 * i;
        policy.may_wait = policy.immediate_start = (int)i;
        policy.follow_radius_m = 1.5 * i;
        policy.escape_m = 2.5 * i;
        open.bends = (int)i;
        open.segments = (int)!i;
        const rp_agent_t *agent = open_as(i == 0 ? "scout" : "orc", &open, NULL);
        ck_assert_ptr_nonnull(agent);
        const rp_session_t *session = session_of(agent);
        ck_assert(!agent->has_appeared);
        ck_assert_int_eq(agent->bends, i == 1);
        ck_assert_int_eq(agent->segments, i == 0);
        ck_assert_uint_eq(agent->lease_s, 77 * i);
        ck_assert_uint_eq(session->policy.switch_gain_percent, 7 * i);
        ck_assert_uint_eq(session->policy.min_interval_ms, 70 * i);
        ck_assert_uint_eq(session->policy.max_age_ms, 700 * i);
        ck_assert_uint_eq(session->policy.answer_within_ms, 707 * i);
        ck_assert_int_eq(session->policy.may_wait, i == 1);
        ck_assert_int_eq(session->policy.starts_at_once, i == 1);
        ck_assert_double_eq(session->position.follow_radius_m, 1.5 * i);
        ck_assert_double_eq(session->position.escape_m, 2.5 * i);
        ck_assert_str_eq(session->about->id, "astar");
    }
}
END_TEST

START_TEST(of_a_policy_the_rest_is_as_without_one)
{
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    begin();
    open.policy = &policy;
    policy.switch_gain_percent = policy.min_interval_ms = policy.lease_s = policy.max_age_ms = 9;
    const rp_agent_t *agent = open_as("scout", &open, NULL);
    ck_assert_ptr_nonnull(agent);
    ck_assert_uint_eq(agent->lease_s, 60);
    ck_assert_uint_eq(session_of(agent)->policy.switch_gain_percent, 5);
    ck_assert_uint_eq(session_of(agent)->policy.min_interval_ms, 200);
    ck_assert_uint_eq(session_of(agent)->policy.max_age_ms, 0);
    ck_assert_str_eq(session_of(agent)->about->id, serving()->default_planner);
}
END_TEST

START_TEST(a_planner_that_is_none_opens_nobody)
{
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    begin();
    open.planner = rp_text("dowsing");
    ck_assert_ptr_null(open_as("scout", &open, NULL));
    ck_assert_int_eq(status, RP_E_UNKNOWN);
    ck_assert_uint_eq(serving()->stats.agents, 0);
    ck_assert_ptr_nonnull(open_plain("scout"));
    ck_assert_ptr_null(open_as("scout", NULL, NULL));
    ck_assert_int_eq(status, RP_E_EXISTS);
    ck_assert_uint_eq(serving()->stats.agents, 1);
}
END_TEST

/// It inflates the ground for a path of cells; with motion it is swept instead.
START_TEST(a_body_is_kept_and_with_motion_inflates_nothing)
{
    const rp_body_t body = {.radius_m = 0.6, .profile = "costmap"};
    Replan__V1__Body said = REPLAN__V1__BODY__INIT;
    Replan__V1__Motion motion = REPLAN__V1__MOTION__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    begin();
    said.radius_m = 0.6;
    open.body = &said;
    motion.drive = REPLAN__V1__DRIVE__SPOT;
    motion.headings = 32;
    for (unsigned drives = 0; drives < 2; drives++) {
        open.motion = drives ? &motion : NULL;
        const rp_agent_t *agent = open_as(drives ? "car" : "scout", &open, &body);
        ck_assert_msg(agent != NULL, "%s", rp_status_text(status));
        ck_assert_double_eq(agent->body.radius_m, 0.6);
        ck_assert_ptr_null(agent->body.profile);
        ck_assert_str_eq(agent->profile, "costmap");
        ck_assert_str_eq(agent->planner, drives ? "lattice" : serving()->default_planner);
        ck_assert_uint_eq(agent->headings, drives ? 32 : 0);
        ck_assert_int_eq(agent->has_motion, drives);
        ck_assert_int_eq(session_of(agent)->layer->inflated == NULL, drives);
        ck_assert_int_eq(session_of(agent)->driver != NULL, drives);
    }
}
END_TEST

START_TEST(whoever_waits_for_an_agent_of_that_name_goes_after_it_when_it_comes)
{
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    begin();
    rp_agent_t *dog = open_plain("dog");
    rp_agent_t *cat = open_plain("cat");
    goal.world = rp_text("marsh");
    goal.target = rp_text("hare");
    ck_assert(rp_agents_set_goal(serving(), dog, &goal, &refusal));
    goal.target = rp_text("mouse");
    ck_assert(rp_agents_set_goal(serving(), cat, &goal, &refusal));
    ck_assert(rp_wire_marsh(&rp_keeper)->has_chasers);
    const rp_agent_t *hare = open_plain("hare");
    ck_assert_ptr_eq(session_of(dog)->goal.target, session_of(hare));
    ck_assert_ptr_null(session_of(cat)->goal.target);
    goal.target = rp_text("cat");
    ck_assert(!rp_agents_set_goal(serving(), cat, &goal, &refusal));
    ck_assert_ptr_nonnull(strstr(refusal.sentence, "goal.target is \"cat\", the agent itself"));
    ck_assert_str_eq(cat->target, "mouse");
}
END_TEST

// ---- motion

static rp_motion_t motion_of(const Replan__V1__OpenAgent *open)
{
    return rp_agents_motion_of(rp_wire_marsh(&rp_keeper), open, NULL);
}

START_TEST(motion_is_as_it_was_asked_for_and_has_defaults)
{
    static const rp_polygon_body_t footprint;
    Replan__V1__Motion asked = REPLAN__V1__MOTION__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    begin();
    open.motion = &asked;
    asked.turning_radius_m = 2.0;
    asked.hold_m = asked.turn_m_per_rad = 9.0;
    asked.bound_percent = 9;
    rp_motion_t motion = motion_of(&open);
    ck_assert_int_eq(motion.drive, RP_MOTION_CAR);
    ck_assert_ptr_null(motion.footprint);
    ck_assert_double_eq(motion.body_radius_m, 0.0);
    ck_assert_double_eq(motion.turning_radius_m, 2.0);
    ck_assert_double_eq(motion.turn_m_per_rad, CELL_M);
    ck_assert_uint_eq(motion.headings, 16);
    ck_assert_double_eq(motion.hold_m, 2.0); // as far as it needs to turn
    ck_assert_uint_eq(motion.bound_percent, 10);
    ck_assert_uint_eq(motion.headings_most, 0);
    ck_assert(!motion.reverse);
    for (uint32_t i = 0; i < 2; i++) {
        asked.drive = REPLAN__V1__DRIVE__SPOT;
        asked.headings = 64;
        asked.hold_case = REPLAN__V1__MOTION__HOLD_HOLD_M;
        asked.hold_m = 3.0 * i;
        asked.turn_case = REPLAN__V1__MOTION__TURN_TURN_M_PER_RAD;
        asked.turn_m_per_rad = 4.0 * i;
        asked.bound_case = REPLAN__V1__MOTION__BOUND_BOUND_PERCENT;
        asked.bound_percent = 5 * i;
        asked.follow_yaw = 0.25 * i;
        asked.headings_most = 32 * i;
        asked.reverse = (int)i;
        asked.reverse_factor = 6.0 * i;
        asked.gear_change_m = 7.0 * i;
        motion = rp_agents_motion_of(rp_wire_marsh(&rp_keeper), &open, &footprint);
        ck_assert_int_eq(motion.drive, RP_MOTION_SPOT);
        ck_assert_ptr_eq(motion.footprint, &footprint);
        ck_assert_uint_eq(motion.headings, 64);
        ck_assert_double_eq(motion.hold_m, 3.0 * i);
        ck_assert_double_eq(motion.turn_m_per_rad, 4.0 * i);
        ck_assert_uint_eq(motion.bound_percent, 5 * i);
        ck_assert_double_eq(motion.follow_yaw, 0.25 * i);
        ck_assert_uint_eq(motion.headings_most, 32 * i);
        ck_assert_int_eq(motion.reverse, i == 1);
        ck_assert_double_eq(motion.reverse_factor, 6.0 * i);
        ck_assert_double_eq(motion.gear_change_m, 7.0 * i);
    }
}
END_TEST

/// A radian that is turned moves the body's outermost point so far, and is never for nothing.
START_TEST(to_turn_costs_what_the_body_reaches_a_cell_at_least)
{
    double x[] = {0.0, 3.0, 0.0};
    double y[] = {1.0, -4.0, 0.5};
    Replan__V1__Body body = REPLAN__V1__BODY__INIT;
    Replan__V1__Motion asked = REPLAN__V1__MOTION__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    begin();
    open.motion = &asked;
    open.body = &body;
    body.radius_m = 0.4;
    ck_assert_double_eq(motion_of(&open).turn_m_per_rad, CELL_M);
    ck_assert_double_eq(motion_of(&open).body_radius_m, 0.4);
    body.radius_m = 0.75;
    ck_assert_double_eq(motion_of(&open).turn_m_per_rad, 0.75);
    body.n_footprint_x = body.n_footprint_y = 3;
    body.footprint_x = x;
    body.footprint_y = y;
    ck_assert_double_eq_tol(motion_of(&open).turn_m_per_rad, 5.0, 1e-12);
    body.padding_m = 1.0; // a corner on an axis stays there
    ck_assert_double_eq_tol(motion_of(&open).turn_m_per_rad, hypot(4.0, 5.0), 1e-12);
    body.n_footprint_x = body.n_footprint_y = 1;
    ck_assert_double_eq_tol(motion_of(&open).turn_m_per_rad, 2.0, 1e-12);
}
END_TEST

START_TEST(a_lattice_has_as_many_poses_as_cells_and_headings)
{
    static rp_agent_t agents[3];
    rp_served_t world = {.agents = NULL};
    ck_assert_ptr_null(rp_agents_find_crowded(&world, UINT64_C(1) << 40));
    world.agents = agents;
    agents[0].hh.next = &agents[1];
    agents[1].hh.next = &agents[2];
    agents[1].headings = 64; // the first has no motion
    agents[2].headings = 16;
    ck_assert_ptr_null(rp_agents_find_crowded(&world, RP_MOTION_POSES_MAX / 64u));
    ck_assert_ptr_eq(rp_agents_find_crowded(&world, RP_MOTION_POSES_MAX / 64u + 1u), &agents[1]);
    agents[1].headings = 8;
    ck_assert_ptr_null(rp_agents_find_crowded(&world, RP_MOTION_POSES_MAX / 16u));
    ck_assert_ptr_eq(rp_agents_find_crowded(&world, RP_MOTION_POSES_MAX / 16u + 1u), &agents[2]);
}
END_TEST

START_TEST(a_heading_is_asked_for_by_yaws)
{
    static const struct {
        size_t yaws;
        Replan__V1__GoalHeading heading;
        rp_aim_heading_t should;
    } rows[] = {
        {0, REPLAN__V1__GOAL_HEADING__AS_GIVEN, RP_AIM_ANY_HEADING},
        {0, REPLAN__V1__GOAL_HEADING__EITHER_WAY, RP_AIM_ANY_HEADING},
        {0, REPLAN__V1__GOAL_HEADING__FREE, RP_AIM_ANY_HEADING},
        {1, REPLAN__V1__GOAL_HEADING__AS_GIVEN, RP_AIM_HEADING},
        {1, REPLAN__V1__GOAL_HEADING__EITHER_WAY, RP_AIM_EITHER_WAY},
        {1, REPLAN__V1__GOAL_HEADING__FREE, RP_AIM_ANY_HEADING},
        {2, REPLAN__V1__GOAL_HEADING__AS_GIVEN, RP_AIM_HEADING},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_int_eq(rp_agents_heading(rows[i].yaws, rows[i].heading), rows[i].should);
    }
    rp_agent_t agent = {.name = "scout"};
    ck_assert(rp_agents_can_face(&agent, "goal.yaw", RP_AIM_ANY_HEADING, &refusal));
    ck_assert(!rp_agents_can_face(&agent, "goal.yaw", RP_AIM_EITHER_WAY, &refusal));
    ck_assert_int_eq(refusal.status, REPLAN__V1__STATUS__UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(refusal.sentence, "goal.yaw: agent \"scout\""));
    agent.has_motion = true;
    ck_assert(rp_agents_can_face(&agent, "goal.yaw", RP_AIM_HEADING, &refusal));
}
END_TEST

// ---- goals

START_TEST(a_goal_that_the_engine_refuses_is_refused_with_its_limits)
{
    static const struct {
        rp_status_t status;
        bool has_motion;
        Replan__V1__Status should;
        const char *word;
    } rows[] = {
        {RP_E_UNSUPPORTED, false, REPLAN__V1__STATUS__UNSUPPORTED, "planner \"jps\" takes one"},
        {RP_E_UNSUPPORTED, true, REPLAN__V1__STATUS__UNSUPPORTED, "at most 64 points"},
        {RP_E_LIMIT, false, REPLAN__V1__STATUS__LIMIT, "at most 1048576 cells"},
        {RP_E_LIMIT, true, REPLAN__V1__STATUS__LIMIT, "at most 1048576 cells"},
        {RP_E_INVALID, true, REPLAN__V1__STATUS__INVALID, "goal: "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rp_agent_t agent = {
            .name = "scout", .planner = "jps", .has_motion = rows[i].has_motion};
        ck_assert(!rp_agents_refuse_goal(rows[i].status, &agent, &refusal));
        ck_assert_int_eq(refusal.status, rows[i].should);
        ck_assert_msg(strstr(refusal.sentence, rows[i].word) != NULL, "%s", refusal.sentence);
    }
}
END_TEST

static Replan__V1__Pose pose_of(const char *world, const char *agent, double x, uint64_t seq)
{
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    pose.world = rp_text(world);
    pose.agent = rp_text(agent);
    pose.x = x;
    pose.y = 1.25;
    pose.yaw = NAN;
    pose.pose_seq = seq;
    return pose;
}

START_TEST(a_pose_of_nobody_opens_an_agent_where_it_may)
{
    begin();
    Replan__V1__Pose pose = pose_of("moor", "scout", 1.25, 1);
    ck_assert(!rp_agents_take_pose(serving(), &pose, &refusal));
    ck_assert_int_eq(refusal.status, REPLAN__V1__STATUS__UNKNOWN);
    ck_assert_str_eq(refusal.sentence, "world: there is no world \"moor\"");
    pose.world = rp_text("marsh");
    pose.must_be_open = 1;
    ck_assert(!rp_agents_take_pose(serving(), &pose, &refusal));
    ck_assert_int_eq(refusal.status, REPLAN__V1__STATUS__UNKNOWN);
    ck_assert_ptr_nonnull(strstr(refusal.sentence, "there is no agent \"scout\""));
    ck_assert_uint_eq(serving()->stats.agents, 0);
    pose.must_be_open = 0;
    ck_assert(rp_agents_take_pose(serving(), &pose, &refusal));
    const rp_agent_t *agent = rp_worlds_find_agent(rp_wire_marsh(&rp_keeper), "scout");
    ck_assert_ptr_nonnull(agent);
    ck_assert_uint_eq(serving()->stats.agents, 1);
    ck_assert_uint_eq(serving()->stats.poses_taken, 1);
    serving()->now.steady_us += 1000;
    pose.must_be_open = 1;
    ck_assert(rp_agents_take_pose(serving(), &pose, &refusal));
    ck_assert_uint_eq(agent->heard_us, serving()->now.steady_us);
    ck_assert_uint_eq(serving()->stats.agents, 1);
}
END_TEST

/// Only a newer pose replaces it, or one without a number; a yaw stays until another is told.
START_TEST(the_newest_pose_is_kept)
{
    static const struct {
        uint64_t seq;
        double yaw;
        double x; // that is kept then
        double kept_yaw;
    } rows[] = {
        {5, NAN, 1.0, 0.0}, {5, 0.5, 1.0, 0.0}, {4, 0.5, 1.0, 0.0}, {6, 0.5, 4.0, 0.5},
        {0, NAN, 5.0, 0.5}, {1, 1.5, 6.0, 1.5}, {2, NAN, 7.0, 1.5},
    };
    begin();
    rp_agent_t *agent = open_plain("scout");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Replan__V1__Pose pose = pose_of("marsh", "scout", 1.0 + (double)i, rows[i].seq);
        pose.yaw = rows[i].yaw;
        pose.source_us = 70 + i;
        ck_assert(rp_agents_set_pose(serving(), agent, &pose, &refusal));
        ck_assert(agent->last.pose.is_there);
        ck_assert_double_eq(agent->last.pose.x_m, rows[i].x);
        ck_assert_double_eq(agent->last.pose.y_m, 1.25);
        ck_assert_uint_eq(agent->last.pose.source_us, 69u + (uint64_t)rows[i].x);
        ck_assert(i == 0 || agent->last.pose.yaw == rows[i].kept_yaw);
        ck_assert_int_eq(agent->has_yaw, i != 0);
    }
}
END_TEST

// ---- packed poses

#define MANY 4u

static uint64_t handles[MANY];
static double xs[MANY];
static double ys[MANY];
static double yaws[MANY];

/// Poses of so many agents, who are opened.
static Replan__V1__Poses begin_poses(uint32_t count)
{
    Replan__V1__Poses poses = REPLAN__V1__POSES__INIT;
    begin();
    for (uint32_t i = 0; i < count; i++) {
        const char name[] = {(char)('a' + i), '\0'};
        handles[i] = open_plain(name)->handle;
        xs[i] = 1.0 + i;
        ys[i] = 0.25 * i;
        yaws[i] = 0.5 * i;
    }
    poses.world = rp_text("marsh");
    poses.handles = handles;
    poses.x = xs;
    poses.y = ys;
    poses.yaw = yaws;
    poses.n_handles = poses.n_x = poses.n_y = count;
    return poses;
}

/// Of four agents, each set of those that are gone.
START_TEST(poses_of_those_who_are_gone_are_left_out)
{
    uint64_t open[MANY];
    Replan__V1__Poses poses = begin_poses(MANY);
    memcpy(open, handles, sizeof open);
    for (unsigned gone = 0; gone < 1u << (MANY + 1u); gone++) {
        const bool has_yaw = gone >> MANY != 0;
        char word[64];
        size_t kept = 0;
        size_t first = MANY;
        for (uint32_t i = 0; i < MANY; i++) {
            handles[i] = (gone >> i & 1u) != 0 ? 1000u + i : open[i];
            xs[i] = yaws[i] = i;
            ys[i] = 10.0 + i;
            first = first == MANY && handles[i] >= 1000u && handles[i] < 1000u + MANY ? i : first;
        }
        poses.n_handles = poses.n_x = poses.n_y = MANY;
        poses.n_yaw = has_yaw ? MANY : 0;
        refusal.sentence[0] = '\0';
        rp_agents_leave_out_stale(serving(), &poses, &refusal);
        for (uint32_t i = 0; i < MANY; i++) {
            if ((gone >> i & 1u) == 0) {
                ck_assert_uint_eq(handles[kept], open[i]);
                ck_assert_double_eq(xs[kept], i);
                ck_assert_double_eq(ys[kept], 10.0 + i);
                ck_assert(!has_yaw || yaws[kept] == i);
                kept++;
            }
        }
        ck_assert_uint_eq(poses.n_handles, kept);
        ck_assert_uint_eq(poses.n_x, kept);
        ck_assert_uint_eq(poses.n_y, kept);
        ck_assert_uint_eq(poses.n_yaw, has_yaw ? kept : 0);
        (void)snprintf(word, sizeof word, "handle %zu, nor with %zu others of these 4",
                       1000u + first, MANY - kept - (kept != MANY));
        ck_assert_msg(kept == MANY ? refusal.sentence[0] == '\0'
                                   : strstr(refusal.sentence, word) != NULL,
                      "%s", refusal.sentence);
    }
    poses.world = rp_text("moor"); // that is not there: told when they are taken
    handles[0] = 1000;
    poses.n_handles = MANY;
    rp_agents_leave_out_stale(serving(), &poses, &refusal);
    ck_assert_uint_eq(poses.n_handles, MANY);
}
END_TEST

START_TEST(many_poses_are_taken_in_slices)
{
    Replan__V1__Poses poses = begin_poses(3);
    size_t taken = 0;
    uint64_t budget = POSE_PRICE + 1u; // each is begun as long as there is any time
    serving()->now.steady_us += 1000;
    ck_assert(rp_agents_take_poses(serving(), &poses, &taken, &budget, &refusal));
    ck_assert_uint_eq(taken, 2);
    ck_assert_uint_eq(budget, 0);
    budget = 100;
    ck_assert(rp_agents_take_poses(serving(), &poses, &taken, &budget, &refusal));
    ck_assert_uint_eq(taken, 3);
    ck_assert_uint_eq(budget, 100u - POSE_PRICE);
    ck_assert_uint_eq(serving()->stats.poses_taken, 3);
    const rp_served_t *marsh = rp_wire_marsh(&rp_keeper);
    for (uint32_t i = 0; i < 3; i++) {
        const rp_agent_t *agent = rp_worlds_find_handle(&serving()->worlds, marsh, handles[i]);
        ck_assert_double_eq(agent->last.pose.x_m, 1.0 + i);
        ck_assert_uint_eq(agent->heard_us, serving()->now.steady_us);
        ck_assert(!agent->has_yaw);
    }
}
END_TEST

START_TEST(poses_are_taken_when_all_are_there_and_then_of_those_who_still_are)
{
    Replan__V1__Poses poses = begin_poses(3);
    const uint64_t second = handles[1];
    size_t taken = 0;
    uint64_t budget = 100;
    handles[1] = 1000;
    poses.n_yaw = 3;
    ck_assert(!rp_agents_take_poses(serving(), &poses, &taken, &budget, &refusal));
    ck_assert_int_eq(refusal.status, REPLAN__V1__STATUS__UNKNOWN);
    ck_assert_ptr_nonnull(strstr(refusal.sentence, "poses.handles[1]: world \"marsh\""));
    ck_assert_uint_eq(serving()->stats.poses_taken, 0);
    handles[1] = second;
    budget = POSE_PRICE;
    ck_assert(rp_agents_take_poses(serving(), &poses, &taken, &budget, &refusal));
    rp_served_t *marsh = rp_wire_marsh(&rp_keeper);
    rp_agents_close(serving(), rp_worlds_find_agent(marsh, "b"));
    budget = 100;
    ck_assert(rp_agents_take_poses(serving(), &poses, &taken, &budget, &refusal));
    ck_assert_uint_eq(taken, 3);
    ck_assert_uint_eq(serving()->stats.poses_taken, 2);
    ck_assert_uint_eq(serving()->stats.agents, 2);
    const rp_agent_t *third = rp_worlds_find_agent(marsh, "c");
    ck_assert(third->has_yaw);
    ck_assert_double_eq(third->last.pose.yaw, 1.0);
    poses.world = rp_text("moor");
    taken = 0;
    ck_assert(!rp_agents_take_poses(serving(), &poses, &taken, &budget, &refusal));
    ck_assert_ptr_nonnull(strstr(refusal.sentence, "poses.world: there is no world \"moor\""));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        who_asks_for_nothing_gets_paths_that_do_not_flap_and_a_minute,
        what_is_asked_for_is_had_even_if_it_is_0,
        of_a_policy_the_rest_is_as_without_one,
        a_planner_that_is_none_opens_nobody,
        a_body_is_kept_and_with_motion_inflates_nothing,
        whoever_waits_for_an_agent_of_that_name_goes_after_it_when_it_comes,
        motion_is_as_it_was_asked_for_and_has_defaults,
        to_turn_costs_what_the_body_reaches_a_cell_at_least,
        a_lattice_has_as_many_poses_as_cells_and_headings,
        a_heading_is_asked_for_by_yaws,
        a_goal_that_the_engine_refuses_is_refused_with_its_limits,
        a_pose_of_nobody_opens_an_agent_where_it_may,
        the_newest_pose_is_kept,
        poses_of_those_who_are_gone_are_left_out,
        many_poses_are_taken_in_slices,
        poses_are_taken_when_all_are_there_and_then_of_those_who_still_are,
    };
    rp_log_set_level(RP_LOG_ERROR);
    return rp_suite_run("agents", tests, sizeof tests / sizeof tests[0], 1, rp_keeper_tear_down);
}
