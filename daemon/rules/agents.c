/// Agents by name: opened when they are named first, closed when nobody needs them, moved and sent.
#include "daemon/rules/agents.h"

#include <string.h>

#include "daemon/process/log.h"
#include "daemon/rules/bodies.h"
#include "daemon/rules/leases.h"
#include "daemon/rules/state.h"
#include "daemon/rules/world_quota.h"
#include "daemon/serving/encode.h"

/// Expansions that take as long as a pose of one among many.
#define POSE_PRICE 12u

// ---- agents by name

void rp_agents_close(rp_serving_t *self, rp_agent_t *agent)
{
    rp_watches_forget_agent(&self->watches, agent);
    rp_state_bury(self, agent);
    rp_worlds_close_agent(&self->worlds, self->host, agent);
    self->stats.agents--;
}

void rp_agents_expire(rp_serving_t *self, rp_agent_t *agent)
{
    rp_state_note_closed(self, agent);
    rp_agents_close(self, agent);
}

/// What an agent gets that asks for nothing: paths that do not flap.
static const rp_policy_t default_policy = {.switch_gain_percent = 5, .min_interval_ms = 200};

/// How long an agent stays of which nobody speaks, unless it asked for another time.
#define DEFAULT_LEASE_S 60u

static rp_policy_t policy_of(const Replan__V1__Policy *asked)
{
    rp_policy_t policy = default_policy;
    if (asked != NULL && asked->gain_case == REPLAN__V1__POLICY__GAIN_SWITCH_GAIN_PERCENT) {
        policy.switch_gain_percent = asked->switch_gain_percent;
    }
    if (asked != NULL && asked->interval_case == REPLAN__V1__POLICY__INTERVAL_MIN_INTERVAL_MS) {
        policy.min_interval_ms = asked->min_interval_ms;
    }
    if (asked != NULL && asked->age_case == REPLAN__V1__POLICY__AGE_MAX_AGE_MS) {
        policy.max_age_ms = asked->max_age_ms;
    }
    policy.starts_at_once = asked != NULL && asked->immediate_start;
    policy.answer_within_ms = asked != NULL ? asked->answer_within_ms : 0;
    policy.may_wait = asked != NULL && asked->may_wait;
    return policy;
}

/// A target has come: aim the agents at it that were told to go after an agent of its name.
static void welcome_target(rp_serving_t *self, const rp_agent_t *target)
{
    const rp_cause_t cause = {0, self->now.wall_us};
    const rp_served_t *world = target->world;
    for (const rp_agent_t *agent = world->has_chasers ? world->agents : NULL; agent != NULL;
         agent = agent->hh.next) {
        if (strcmp(agent->target, target->name) == 0) {
            (void)rp_host_retarget(self->host, agent->session, target->session, cause);
        }
    }
}

/// Of an agent that leaves it to us.
#define DEFAULT_BOUND_PERCENT 10u
#define DEFAULT_HEADINGS      16u

static rp_motion_drive_t drive_of(Replan__V1__Drive drive)
{
    return drive == REPLAN__V1__DRIVE__SPOT   ? RP_MOTION_SPOT
           : drive == REPLAN__V1__DRIVE__OMNI ? RP_MOTION_OMNI
                                              : RP_MOTION_CAR;
}

rp_motion_t rp_agents_motion_of(const rp_served_t *world, const Replan__V1__OpenAgent *open,
                                const rp_polygon_body_t *footprint)
{
    const Replan__V1__Motion *asked = open->motion;
    const double cell_m = world->options.frame.resolution_m;
    rp_motion_t motion = {
        .drive = drive_of(asked->drive),
        .body_radius_m = open->body != NULL ? open->body->radius_m : 0.0,
        .footprint = footprint,
        .turning_radius_m = asked->turning_radius_m,
        .headings = asked->headings != 0 ? asked->headings : DEFAULT_HEADINGS,
        .hold_m = asked->hold_case == REPLAN__V1__MOTION__HOLD_HOLD_M ? asked->hold_m
                                                                      : asked->turning_radius_m,
        .follow_yaw = asked->follow_yaw, // 0 where it is absent: the engine's own
        .bound_percent = DEFAULT_BOUND_PERCENT,
        .headings_most = asked->headings_most,
        .reverse = asked->reverse != 0,
        .reverse_factor = asked->reverse_factor, // as follow_yaw
        .gear_change_m = asked->gear_change_m,
    };
    const double reach_m = rp_bodies_reach(open->body);
    motion.turn_m_per_rad = reach_m > cell_m ? reach_m : cell_m;
    if (asked->turn_case == REPLAN__V1__MOTION__TURN_TURN_M_PER_RAD) {
        motion.turn_m_per_rad = asked->turn_m_per_rad;
    }
    if (asked->bound_case == REPLAN__V1__MOTION__BOUND_BOUND_PERCENT) {
        motion.bound_percent = asked->bound_percent;
    }
    return motion;
}

const rp_agent_t *rp_agents_find_crowded(const rp_served_t *world, uint64_t cells)
{
    const rp_agent_t *agent = world->agents;
    while (agent != NULL && agent->headings * cells <= RP_MOTION_POSES_MAX) {
        agent = agent->hh.next;
    }
    return agent;
}

rp_agent_t *rp_agents_open(rp_serving_t *self, rp_served_t *world, const char *name,
                           const Replan__V1__OpenAgent *asked, const rp_body_t *body,
                           rp_status_t *status, rp_refusal_t *refusal)
{
    const char *planner = asked != NULL ? asked->planner : "";
    const Replan__V1__Policy *policy = asked != NULL ? asked->policy : NULL;
    const bool has_motion = asked != NULL && asked->motion != NULL;
    const rp_planner_info_t *info = rp_planner_find(has_motion           ? "auto"
                                                    : planner[0] != '\0' ? planner
                                                                         : self->default_planner);
    if (info == NULL) {
        *status = RP_E_UNKNOWN;
        return NULL;
    }
    rp_session_options_t options = {
        .planner = info->id,
        .is_judged = rp_state_is_restoring(self), // its ground may have weights by now
        .planner_options = {.check_every = self->check_every},
        .body = *body,
        .policy = policy_of(policy),
        .follow_radius_m = policy != NULL ? policy->follow_radius_m : 0.0,
        .escape_m = policy != NULL ? policy->escape_m : 0.0,
    };
    rp_polygon_body_t footprint;
    if (has_motion) { // its body is swept, and inflates nothing
        const bool has_footprint = rp_bodies_footprint(asked->body, &footprint);
        options.motion = rp_agents_motion_of(world, asked, has_footprint ? &footprint : NULL);
        options.body = (rp_body_t){.profile = body->profile};
    }
    rp_agent_t *agent = NULL;
    rp_handles_set_clock(&self->worlds.handles, self->now.wall_us, self->now.steady_us);
    *status = rp_worlds_open_agent(&self->worlds, self->host, world, name, &options, &agent);
    if (*status == RP_OK) {
        self->stats.agents++;
        if (!rp_world_quota_holds_agent(self, asked != NULL ? "open_agent" : "agent", refusal)) {
            rp_agents_close(self, agent);
            return NULL;
        }
        agent->has_appeared = asked == NULL;
        agent->bends = asked != NULL && asked->bends;
        agent->segments = asked != NULL && asked->segments;
        if (has_motion) {
            agent->planner = "lattice";
            agent->headings = options.motion.headings;
        }
        agent->body = *body;
        agent->body.profile = NULL;
        if (body->profile != NULL) {
            memcpy(agent->profile, body->profile, strlen(body->profile));
        }
        rp_lease_begin(self, agent,
                       policy != NULL && policy->lease_case == REPLAN__V1__POLICY__LEASE_LEASE_S
                           ? policy->lease_s
                           : DEFAULT_LEASE_S);
        welcome_target(self, agent);
    }
    return agent;
}

/// Find the agent, or open it with defaults.
/// @param must_be_open  one that is not open is refused
/// @param is_new        written: it was opened
/// @return NULL with the refusal filled in
static rp_agent_t *find_or_open(rp_serving_t *self, const char *world_name, const char *name,
                                bool must_be_open, bool *is_new, rp_refusal_t *refusal)
{
    rp_served_t *world = rp_worlds_find(&self->worlds, world_name);
    *is_new = false;
    if (world == NULL) {
        (void)rp_refuse(refusal, REPLAN__V1__STATUS__UNKNOWN, "world: there is no world \"%s\"",
                        world_name);
        return NULL;
    }
    rp_agent_t *agent = rp_worlds_find_agent(world, name);
    if (agent != NULL) {
        rp_lease_renew(self, agent);
        return agent;
    }
    if (must_be_open) {
        (void)rp_refuse(refusal, REPLAN__V1__STATUS__UNKNOWN,
                        "agent: there is no agent \"%s\" in world \"%s\"", name, world_name);
        return NULL;
    }
    rp_status_t status;
    const rp_body_t point = {.profile = NULL};
    agent = rp_agents_open(self, world, name, NULL, &point, &status, refusal);
    *is_new = agent != NULL;
    if (status != RP_OK) {
        (void)rp_refuse(refusal, rp_encode_status(status), "agent \"%s\": %s", name,
                        rp_status_text(status));
    }
    return agent;
}

// ---- poses and goals

/// Note where an agent is, for the next checkpoint on disk, unless a newer pose has overtaken this
/// one.
static void note_pose(const rp_serving_t *self, rp_agent_t *agent, const rp_host_pose_t *pose,
                      uint64_t source_us)
{
    rp_last_request_pose_t *last = &agent->last.pose;
    const bool is_late = last->is_there && pose->seq != 0 && pose->seq <= last->pose_seq;
    agent->has_yaw = agent->has_yaw || isfinite(pose->yaw);
    if (self->state != NULL && !is_late) {
        const double yaw = isfinite(pose->yaw) ? pose->yaw : last->yaw;
        *last = (rp_last_request_pose_t){pose->x_m, pose->y_m, yaw, pose->seq, source_us, true};
    }
}

void rp_agents_note_goal(const rp_serving_t *self, rp_agent_t *agent, const Replan__V1__Goal *goal)
{
    if (self->state != NULL &&
        !rp_last_request_goal(&agent->last, agent->world->name, agent->name, goal)) {
        rp_log(RP_LOG_WARN, "state", "agent=%s lost=goal error=\"no memory\"", agent->name);
    }
}

bool rp_agents_set_pose(rp_serving_t *self, rp_agent_t *agent, const Replan__V1__Pose *pose,
                        rp_refusal_t *refusal)
{
    const rp_cause_t cause = {pose->source_us, self->now.wall_us};
    const rp_host_pose_t told = {pose->x, pose->y, pose->yaw, pose->pose_seq};
    const rp_status_t status = rp_host_turn_to(self->host, agent->session, &told, cause);
    if (status != RP_OK) {
        return rp_refuse(refusal, rp_encode_status(status), "pose: %s", rp_status_text(status));
    }
    note_pose(self, agent, &told, pose->source_us);
    self->stats.poses_taken++;
    return true;
}

bool rp_agents_take_pose(rp_serving_t *self, const Replan__V1__Pose *pose, rp_refusal_t *refusal)
{
    bool is_new;
    rp_agent_t *agent =
        find_or_open(self, pose->world, pose->agent, pose->must_be_open, &is_new, refusal);
    const bool is_taken = agent != NULL && rp_agents_set_pose(self, agent, pose, refusal);
    if (is_new && !is_taken) {
        rp_agents_close(self, agent);
    }
    return is_taken;
}

/// All of them are agents of the world.
static bool are_there(const rp_serving_t *self, const rp_served_t *world,
                      const Replan__V1__Poses *poses, rp_refusal_t *refusal)
{
    for (size_t i = 0; i < poses->n_handles; i++) {
        const rp_agent_t *agent = rp_worlds_find_handle(&self->worlds, world, poses->handles[i]);
        if (agent == NULL) {
            return rp_refuse(refusal, REPLAN__V1__STATUS__UNKNOWN,
                             "poses.handles[%zu]: world \"%s\" has no agent with handle %llu", i,
                             world->name, (unsigned long long)poses->handles[i]);
        }
        if (agent->has_motion && !agent->has_yaw && poses->n_yaw == 0) {
            return rp_refuse(refusal, REPLAN__V1__STATUS__INVALID,
                             "poses.yaw is missing: agent \"%s\" has motion, and its yaw was "
                             "never told",
                             agent->name);
        }
    }
    return true;
}

void rp_agents_leave_out_stale(const rp_serving_t *self, Replan__V1__Poses *poses,
                               rp_refusal_t *refusal)
{
    const rp_served_t *world = rp_worlds_find(&self->worlds, poses->world);
    const size_t count = poses->n_handles;
    size_t kept = 0;
    size_t first = count;
    uint64_t stale = 0;
    for (size_t i = 0; world != NULL && i < count; i++) {
        const uint64_t handle = poses->handles[i];
        if (rp_worlds_find_handle(&self->worlds, world, handle) == NULL) {
            stale = first < i ? stale : handle;
            first = first < i ? first : i;
            continue;
        }
        poses->handles[kept] = handle;
        if (poses->n_yaw != 0) {
            poses->yaw[kept] = poses->yaw[i];
        }
        poses->x[kept] = poses->x[i];
        poses->y[kept++] = poses->y[i];
    }
    if (first == count) {
        return;
    }
    (void)rp_refuse(refusal, REPLAN__V1__STATUS__UNKNOWN,
                    "poses.handles[%zu]: world \"%s\" has no agent with handle %llu, nor with %zu "
                    "others of these %zu",
                    first, world->name, (unsigned long long)stale, count - kept - 1u, count);
    poses->n_handles = poses->n_x = poses->n_y = kept;
    poses->n_yaw = poses->n_yaw != 0 ? kept : 0;
}

bool rp_agents_take_poses(rp_serving_t *self, const Replan__V1__Poses *poses, size_t *taken,
                          uint64_t *budget, rp_refusal_t *refusal)
{
    const rp_served_t *world = rp_worlds_find(&self->worlds, poses->world);
    if (world == NULL) {
        return rp_refuse(refusal, REPLAN__V1__STATUS__UNKNOWN,
                         "poses.world: there is no world \"%s\"", poses->world);
    }
    if (*taken == 0 && !are_there(self, world, poses, refusal)) {
        return false;
    }
    const rp_cause_t cause = {poses->source_us, self->now.wall_us};
    for (; *taken < poses->n_handles && *budget != 0; ++*taken) {
        const size_t i = *taken;
        *budget -= POSE_PRICE < *budget ? POSE_PRICE : *budget;
        rp_agent_t *agent = rp_worlds_find_handle(&self->worlds, world, poses->handles[i]);
        if (agent == NULL) {
            continue; // its lease ended meanwhile
        }
        rp_lease_renew(self, agent);
        const rp_host_pose_t pose = {poses->x[i], poses->y[i],
                                     poses->n_yaw != 0 ? poses->yaw[i] : NAN, poses->pose_seq};
        if (rp_host_turn_to(self->host, agent->session, &pose, cause) != RP_OK) {
            continue; // the yaw of an agent with motion was never told, and is not here
        }
        note_pose(self, agent, &pose, poses->source_us);
        self->stats.poses_taken++;
    }
    return true;
}

void rp_agents_note_poses(rp_serving_t *self, Replan__V1__Poses *poses)
{
    rp_refusal_t gone;
    rp_agents_leave_out_stale(self, poses, &gone);
    if (poses->n_handles != 0) {
        rp_state_note_body(self, REPLAN__V1__REQUEST__BODY_SET_POSES, &poses->base);
    }
}

/// Whom the agent goes after from now on.
static bool take_target(const rp_agent_t *agent, const char *name, rp_session_id_t *target,
                        rp_refusal_t *refusal)
{
    const rp_agent_t *other = name[0] != '\0' ? rp_worlds_find_agent(agent->world, name) : NULL;
    *target = other != NULL ? other->session : 0;
    return other != agent || rp_refuse(refusal, REPLAN__V1__STATUS__INVALID,
                                       "goal.target is \"%s\", the agent itself", name);
}

bool rp_agents_refuse_goal(rp_status_t status, const rp_agent_t *agent, rp_refusal_t *refusal)
{
    switch (agent->has_motion && status == RP_E_UNSUPPORTED ? RP_E_EXISTS : status) {
    case RP_E_EXISTS:
        return rp_refuse(refusal, REPLAN__V1__STATUS__UNSUPPORTED,
                         "goal: agent \"%s\" has motion, it goes to at most %u points or "
                         "waypoints, or to a target, without region, tolerance_m and nearest",
                         agent->name, RP_MOTION_STOPS_MAX);
    case RP_E_UNSUPPORTED:
        return rp_refuse(refusal, REPLAN__V1__STATUS__UNSUPPORTED,
                         "goal: planner \"%s\" takes one goal without offset", agent->planner);
    case RP_E_LIMIT:
        return rp_refuse(refusal, REPLAN__V1__STATUS__LIMIT,
                         "goal: an area has at most %u cells, and %u on its rim", RP_AREA_MAX,
                         RP_GOALS_MAX);
    default:
        return rp_refuse(refusal, rp_encode_status(status), "goal: %s", rp_status_text(status));
    }
}

static rp_aim_kind_t kind_of(const Replan__V1__Goal *goal)
{
    if (goal->target[0] != '\0') {
        return RP_AIM_TARGET;
    }
    return goal->kind == REPLAN__V1__GOAL_KIND__WAYPOINTS ? RP_AIM_WAYPOINTS
           : goal->kind == REPLAN__V1__GOAL_KIND__REGION  ? RP_AIM_REGION
                                                          : RP_AIM_POINTS;
}

rp_aim_heading_t rp_agents_heading(size_t yaws, Replan__V1__GoalHeading heading)
{
    if (yaws == 0 || heading == REPLAN__V1__GOAL_HEADING__FREE) {
        return RP_AIM_ANY_HEADING;
    }
    return heading == REPLAN__V1__GOAL_HEADING__EITHER_WAY ? RP_AIM_EITHER_WAY : RP_AIM_HEADING;
}

bool rp_agents_can_face(const rp_agent_t *agent, const char *field, rp_aim_heading_t heading,
                        rp_refusal_t *refusal)
{
    return heading == RP_AIM_ANY_HEADING || agent->has_motion ||
           rp_refuse(refusal, REPLAN__V1__STATUS__UNSUPPORTED,
                     "%s: agent \"%s\" has no motion, a path of cells has no heading", field,
                     agent->name);
}

bool rp_agents_set_goal(rp_serving_t *self, rp_agent_t *agent, const Replan__V1__Goal *goal,
                        rp_refusal_t *refusal)
{
    rp_destination_t *points =
        rp_message_arena_take(&self->arena, (goal->n_x + 1u) * sizeof *points); // a target has none
    if (points == NULL) {
        return rp_refuse(refusal, REPLAN__V1__STATUS__LIMIT, "goal: %s",
                         rp_status_text(RP_E_MEMORY));
    }
    for (size_t i = 0; i < goal->n_x; i++) {
        points[i] = (rp_destination_t){
            .x_m = goal->x[i],
            .y_m = goal->y[i],
            .offset = goal->n_offsets != 0 ? goal->offsets[i] : 0u,
        };
    }
    rp_aim_t aim = {
        .kind = kind_of(goal),
        .points = points,
        .count = goal->n_x,
        .first = goal->first_waypoint,
        .tolerance_m = goal->tolerance_m,
        .is_nearest = goal->nearest,
        .goal_id = goal->goal_id,
        .heading = rp_agents_heading(goal->n_yaw, goal->heading),
        .yaw = goal->n_yaw != 0 ? goal->yaw[0] : 0.0,
        .yaws = goal->n_yaw > 1u ? goal->yaw : NULL,
        .yaw_tolerance = goal->yaw_tolerance,
    };
    if (!rp_agents_can_face(agent, "goal.yaw", aim.heading, refusal)) {
        return false;
    }
    if (!take_target(agent, goal->target, &aim.target, refusal)) {
        return false;
    }
    const rp_cause_t cause = {0, self->now.wall_us};
    const rp_status_t status = rp_host_aim(self->host, agent->session, &aim, cause);
    if (status != RP_OK) {
        return rp_agents_refuse_goal(status, agent, refusal);
    }
    (void)strncpy(agent->target, goal->target, RP_LIMIT_NAME);
    agent->world->has_chasers = agent->world->has_chasers || aim.kind == RP_AIM_TARGET;
    rp_agents_note_goal(self, agent, goal);
    return true;
}

bool rp_agents_take_goal(rp_serving_t *self, const Replan__V1__Goal *goal, rp_refusal_t *refusal)
{
    bool is_new;
    rp_agent_t *agent =
        find_or_open(self, goal->world, goal->agent, goal->must_be_open, &is_new, refusal);
    const bool is_taken = agent != NULL && rp_agents_set_goal(self, agent, goal, refusal);
    if (is_new && !is_taken) {
        rp_agents_close(self, agent);
    }
    return is_taken;
}
