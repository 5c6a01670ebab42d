/// Agents: OpenAgent, CloseAgent, poses and goals, through control or published.
#include "daemon/requests/handlers.h"

#include <string.h>

#include "daemon/process/log.h"
#include "daemon/requests/leases.h"
#include "daemon/requests/staged_request.h"
#include "daemon/requests/state.h"
#include "daemon/serving/encode.h"

/// Expansions that take as long as a pose of one among many.
#define POSE_PRICE 12u

// ---- agents by name

void rp_close_agent(rp_daemon_t *self, rp_agent_t *agent)
{
    rp_watches_forget_agent(&self->watches, agent);
    rp_state_bury(self, agent);
    rp_worlds_close_agent(&self->worlds, self->host, agent);
    self->stats.agents--;
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
static void welcome_target(rp_daemon_t *self, const rp_agent_t *target)
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

/// @param asked  NULL: defaults in everything
static rp_agent_t *open_agent(rp_daemon_t *self, rp_served_t *world, const char *name,
                              const Replan__V1__OpenAgent *asked, const rp_body_t *body,
                              rp_status_t *status)
{
    const char *planner = asked != NULL ? asked->planner : "";
    const Replan__V1__Policy *policy = asked != NULL ? asked->policy : NULL;
    const rp_planner_info_t *info =
        rp_planner_find(planner[0] != '\0' ? planner : self->default_planner);
    if (info == NULL) {
        *status = RP_E_UNKNOWN;
        return NULL;
    }
    const rp_session_options_t options = {
        .planner = info->id,
        .is_judged = rp_state_is_restoring(self), // its ground may have weights by now
        .planner_options = {.check_every = self->check_every},
        .body = *body,
        .policy = policy_of(policy),
        .follow_radius_m = policy != NULL ? policy->follow_radius_m : 0.0,
        .escape_m = policy != NULL ? policy->escape_m : 0.0,
    };
    rp_agent_t *agent = NULL;
    rp_handles_set_clock(&self->worlds.handles, self->now.wall_us, self->now.steady_us);
    *status = rp_worlds_open_agent(&self->worlds, self->host, world, name, &options, &agent);
    if (*status == RP_OK) {
        self->stats.agents++;
        agent->has_appeared = asked == NULL;
        agent->bends = asked != NULL && asked->bends;
        rp_lease_begin(self, agent,
                       policy != NULL && policy->lease_case == REPLAN__V1__POLICY__LEASE_LEASE_S
                           ? policy->lease_s
                           : DEFAULT_LEASE_S);
        welcome_target(self, agent);
    }
    return agent;
}

/// Find the agent, or open it with defaults.
/// @param is_new  written: it was opened
/// @return NULL with the refusal filled in
static rp_agent_t *find_or_open(rp_daemon_t *self, const char *world_name, const char *name,
                                bool *is_new, rp_refusal_t *refusal)
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
    rp_status_t status;
    const rp_body_t point = {.profile = NULL};
    agent = open_agent(self, world, name, NULL, &point, &status);
    *is_new = agent != NULL;
    if (agent == NULL) {
        (void)rp_refuse(refusal, rp_encode_status(status), "agent \"%s\": %s", name,
                        rp_status_text(status));
    }
    return agent;
}

// ---- poses and goals

/// Note where an agent is, for the next base on disk, unless a newer pose has overtaken this one.
static void note_pose(const rp_daemon_t *self, rp_agent_t *agent, double x_m, double y_m,
                      uint64_t pose_seq, uint64_t source_us)
{
    rp_last_request_pose_t *last = &agent->last.pose;
    const bool is_late = last->is_there && pose_seq != 0 && pose_seq <= last->pose_seq;
    if (self->state != NULL && !is_late) {
        *last = (rp_last_request_pose_t){x_m, y_m, pose_seq, source_us, true};
    }
}

void rp_note_goal(const rp_daemon_t *self, rp_agent_t *agent, const Replan__V1__Goal *goal)
{
    if (self->state != NULL &&
        !rp_last_request_goal(&agent->last, agent->world->name, agent->name, goal)) {
        rp_log(RP_LOG_WARN, "state", "agent=%s lost=goal error=\"no memory\"", agent->name);
    }
}

static bool set_pose(rp_daemon_t *self, rp_agent_t *agent, const Replan__V1__Pose *pose,
                     rp_refusal_t *refusal)
{
    const rp_cause_t cause = {pose->source_us, self->now.wall_us};
    const rp_status_t status =
        rp_host_pose(self->host, agent->session, pose->x, pose->y, pose->pose_seq, cause);
    if (status != RP_OK) {
        return rp_refuse(refusal, rp_encode_status(status), "pose: %s", rp_status_text(status));
    }
    note_pose(self, agent, pose->x, pose->y, pose->pose_seq, pose->source_us);
    self->stats.poses_taken++;
    return true;
}

bool rp_take_pose(rp_daemon_t *self, const Replan__V1__Pose *pose, rp_refusal_t *refusal)
{
    bool is_new;
    rp_agent_t *agent = find_or_open(self, pose->world, pose->agent, &is_new, refusal);
    const bool is_taken = agent != NULL && set_pose(self, agent, pose, refusal);
    if (is_new && !is_taken) {
        rp_close_agent(self, agent);
    }
    return is_taken;
}

/// All of them are agents of the world.
static bool are_there(const rp_daemon_t *self, const rp_served_t *world,
                      const Replan__V1__Poses *poses, rp_refusal_t *refusal)
{
    for (size_t i = 0; i < poses->n_handles; i++) {
        if (rp_worlds_find_handle(&self->worlds, world, poses->handles[i]) == NULL) {
            return rp_refuse(refusal, REPLAN__V1__STATUS__UNKNOWN,
                             "poses.handles[%zu]: world \"%s\" has no agent with handle %llu", i,
                             world->name, (unsigned long long)poses->handles[i]);
        }
    }
    return true;
}

void rp_leave_out_stale(const rp_daemon_t *self, Replan__V1__Poses *poses, rp_refusal_t *refusal)
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
}

bool rp_take_poses(rp_daemon_t *self, const Replan__V1__Poses *poses, size_t *taken,
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
        note_pose(self, agent, poses->x[i], poses->y[i], poses->pose_seq, poses->source_us);
        (void)rp_host_pose(self->host, agent->session, poses->x[i], poses->y[i], poses->pose_seq,
                           cause);
        self->stats.poses_taken++;
    }
    return true;
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

bool rp_refuse_goal(rp_status_t status, const rp_agent_t *agent, rp_refusal_t *refusal)
{
    switch (status) {
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

static bool set_goal(rp_daemon_t *self, rp_agent_t *agent, const Replan__V1__Goal *goal,
                     rp_refusal_t *refusal)
{
    rp_destination_t *points =
        rp_arena_take(&self->arena, (goal->n_x + 1u) * sizeof *points); // a target has none
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
    };
    if (!take_target(agent, goal->target, &aim.target, refusal)) {
        return false;
    }
    const rp_cause_t cause = {0, self->now.wall_us};
    const rp_status_t status = rp_host_aim(self->host, agent->session, &aim, cause);
    if (status != RP_OK) {
        return rp_refuse_goal(status, agent, refusal);
    }
    (void)strncpy(agent->target, goal->target, RP_LIMIT_NAME);
    agent->world->has_chasers = agent->world->has_chasers || aim.kind == RP_AIM_TARGET;
    rp_note_goal(self, agent, goal);
    return true;
}

bool rp_take_goal(rp_daemon_t *self, const Replan__V1__Goal *goal, rp_refusal_t *refusal)
{
    bool is_new;
    rp_agent_t *agent = find_or_open(self, goal->world, goal->agent, &is_new, refusal);
    const bool is_taken = agent != NULL && set_goal(self, agent, goal, refusal);
    if (is_new && !is_taken) {
        rp_close_agent(self, agent);
    }
    return is_taken;
}

// ---- requests

/// Where a planner cannot plan that was refused for this world.
static const char *where_not(const rp_planner_info_t *planner, const rp_world_options_t *world)
{
    const uint32_t can = planner->capabilities;
    if ((can & (world->neighbors == 8 ? RP_CAN_8 : RP_CAN_4)) == 0) {
        return world->neighbors == 8 ? "with 8 neighbors" : "with 4 neighbors";
    }
    return world->wraps && (can & RP_CAN_WRAP) == 0 ? "in a world that wraps"
                                                    : "on ground with weights";
}

static bool refuse_planner(rp_call_t *call, rp_status_t status, const Replan__V1__OpenAgent *open,
                           const rp_served_t *world)
{
    const char *planner = open->planner[0] != '\0' ? open->planner : call->daemon->default_planner;
    switch (status) {
    case RP_E_UNKNOWN:
        return rp_call_refuse(
            call, REPLAN__V1__STATUS__UNKNOWN,
            "open_agent.planner: there is no planner \"%.*s\"; `replan planners` lists them",
            (int)RP_LIMIT_NAME, planner);
    case RP_E_UNSUPPORTED:
        return rp_call_refuse(call, REPLAN__V1__STATUS__UNSUPPORTED,
                              "open_agent.planner: \"%s\" cannot plan %s", planner,
                              where_not(rp_planner_find(planner), &world->options));
    case RP_E_EXISTS:
        return rp_call_refuse(call, REPLAN__V1__STATUS__EXISTS,
                              "open_agent.agent: \"%s\" is open already", open->agent);
    case RP_E_LIMIT:
        return rp_call_refuse(
            call, REPLAN__V1__STATUS__LIMIT,
            "open_agent: a world holds at most %u agents, and each of the %u places "
            "of handles is used once in a tenth of a millisecond",
            RP_LIMIT_AGENTS, 1u << RP_HANDLE_PLACE_BITS);
    default:
        return rp_call_refuse_status(call, status, "open_agent");
    }
}

/// @return false: the call is refused
static bool refuse_reach(rp_call_t *call, const rp_served_t *world, const rp_body_t *body)
{
    const double cell_m = world->options.frame.resolution_m;
    const bool is_hard = body->radius_m > RP_LIMIT_REACH * cell_m;
    return !rp_call_refuse(
        call, REPLAN__V1__STATUS__INVALID, "body.%s is %g, at most %u cells of %g metres",
        is_hard ? "radius_m" : "inflation_radius_m",
        is_hard ? body->radius_m : body->inflation_radius_m, RP_LIMIT_REACH, cell_m);
}

/// What the agent needs of the ground; refuses the call when this world cannot give it.
/// @return false when the call is refused
static bool take_body(rp_call_t *call, const rp_served_t *world, const Replan__V1__Body *body,
                      rp_body_t *taken)
{
    *taken = (rp_body_t){.profile = NULL};
    if (body == NULL) {
        return true;
    }
    *taken = (rp_body_t){
        .profile = body->profile[0] != '\0' ? body->profile : NULL,
        .radius_m = body->radius_m,
        .inscribed_radius_m = body->inscribed_radius_m,
        .inflation_radius_m = body->inflation_radius_m,
        .cost_scaling = body->cost_scaling_factor,
    };
    const char *profile = taken->profile != NULL ? taken->profile : world->profile;
    switch (rp_host_judge_body(call->daemon->host, world->id, taken)) {
    case RP_OK:
        return true;
    case RP_E_UNKNOWN:
        return !rp_call_refuse(call, REPLAN__V1__STATUS__UNKNOWN,
                               "body.profile: world \"%s\" has no profile \"%s\"", world->name,
                               profile);
    case RP_E_UNSUPPORTED:
        return !rp_call_refuse(call, REPLAN__V1__STATUS__UNSUPPORTED,
                               "body.inflation_radius_m: a greater byte of profile \"%s\" may be "
                               "cheaper, it takes no soft inflation",
                               profile);
    case RP_E_LIMIT:
        return !rp_call_refuse(call, REPLAN__V1__STATUS__LIMIT,
                               "body: a world has at most %u layers", RP_LIMIT_LAYERS);
    default:
        return refuse_reach(call, world, taken);
    }
}

bool rp_handle_open_agent(rp_call_t *call, const Replan__V1__OpenAgent *open)
{
    rp_daemon_t *self = call->daemon;
    rp_served_t *world = rp_call_world(call, open->world);
    if (world == NULL) {
        return true;
    }
    Replan__V1__Opened *opened = rp_arena_take(&self->arena, sizeof *opened);
    if (opened == NULL) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "open_agent");
    }
    rp_body_t body;
    if (!take_body(call, world, open->body, &body)) {
        return true;
    }
    rp_status_t status;
    rp_agent_t *agent = rp_worlds_find_agent(world, open->agent);
    if (agent != NULL && agent->has_appeared) {
        rp_state_note_closed(self, agent);
        rp_close_agent(self,
                       agent); // its poses came first; refused, it appears again with the next
    }
    agent = open_agent(self, world, open->agent, open, &body, &status);
    if (agent == NULL) {
        return refuse_planner(call, status, open, world);
    }
    if ((open->pose != NULL && !set_pose(self, agent, open->pose, &call->refusal)) ||
        (open->goal != NULL && !set_goal(self, agent, open->goal, &call->refusal))) {
        rp_close_agent(self, agent);
        return true; // an agent is opened whole or not at all
    }
    if (self->state != NULL && !rp_last_request_open(&agent->last, open)) {
        rp_log(RP_LOG_WARN, "state", "agent=%s lost=open error=\"no memory\"", agent->name);
    }
    replan__v1__opened__init(opened);
    opened->handle = agent->handle;
    opened->epoch = world->epoch;
    opened->version = rp_engine_version(self->engine, world->id);
    call->reply.body_case = REPLAN__V1__REPLY__BODY_OPENED;
    call->reply.opened = opened;
    return true;
}

bool rp_handle_close_agent(rp_call_t *call, const Replan__V1__CloseAgent *close)
{
    rp_daemon_t *self = call->daemon;
    rp_agent_t *agent = rp_call_agent(call, close->world, close->agent);
    if (agent != NULL) {
        rp_close_agent(self, agent);
    }
    return true;
}

bool rp_handle_set_pose(rp_call_t *call, const Replan__V1__Pose *pose)
{
    (void)rp_take_pose(call->daemon, pose, &call->refusal);
    return true;
}

bool rp_handle_set_poses(rp_call_t *call, const Replan__V1__Poses *poses)
{
    uint64_t budget = UINT64_MAX;
    size_t taken = call->queued != NULL ? call->queued->staged->posed : 0;
    (void)rp_take_poses(call->daemon, poses, &taken, &budget, &call->refusal);
    return true;
}

bool rp_handle_set_goal(rp_call_t *call, const Replan__V1__Goal *goal)
{
    (void)rp_take_goal(call->daemon, goal, &call->refusal);
    return true;
}
