/// OpenAgent, CloseAgent, SetPose, SetPoses, SetGoal.
#include "daemon/requests/handlers/handle_agent.h"

#include <stdio.h>

#include "daemon/process/log.h"
#include "daemon/rules/agents.h"
#include "daemon/rules/bodies.h"
#include "daemon/rules/state.h"

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
    const char *planner = open->planner[0] != '\0' ? open->planner : call->serving->default_planner;
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

/// Polygons that no agent could have in this world. @return false: the call is refused
static bool take_footprint(rp_call_t *call, const rp_served_t *world, const Replan__V1__Body *body)
{
    rp_polygon_body_t footprint;
    const char *wrong =
        rp_bodies_footprint(body, &footprint)
            ? rp_engine_judge_footprint(call->serving->engine, world->id, &footprint)
            : NULL;
    return wrong == NULL || rp_state_is_restoring(call->serving) ||
           !rp_call_refuse(call, REPLAN__V1__STATUS__INVALID,
                           "body.footprint_x: in cells of %g metres, %s",
                           world->options.frame.resolution_m, wrong);
}

/// What the agent needs of the ground; refuses the call when this world cannot give it.
/// @return false when the call is refused
static bool take_body(rp_call_t *call, const rp_served_t *world, const Replan__V1__Body *body,
                      bool has_motion, rp_body_t *taken)
{
    *taken = (rp_body_t){.profile = NULL};
    if (body == NULL) {
        return true;
    }
    *taken = (rp_body_t){
        .profile = body->profile[0] != '\0' ? body->profile : NULL,
        .radius_m = rp_bodies_reach(body),
        .inscribed_radius_m = body->inscribed_radius_m,
        .inflation_radius_m = body->inflation_radius_m,
        .cost_scaling = body->cost_scaling_factor,
        .cells = body->cells,
    };
    if (!take_footprint(call, world, body)) {
        return false;
    }
    const char *profile = taken->profile != NULL ? taken->profile : world->profile;
    rp_body_t judged = *taken;
    judged.radius_m = has_motion ? 0.0 : judged.radius_m; // it is swept: see refuse_motion()
    switch (rp_host_judge_body(call->serving->host, world->id, &judged)) {
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

/// The numbers of headings with which a car can turn, as a sentence has them.
typedef struct headings_text {
    char text[sizeof "8, 16, 32, 64"];
} headings_text_t;

static headings_text_t name_headings(uint32_t sum)
{
    headings_text_t named = {"none"};
    int length = 0;
    for (uint32_t count = 8; count <= 64u; count *= 2u) {
        if ((sum & count) != 0) {
            length += snprintf(named.text + length, sizeof named.text - (size_t)length, "%s%u",
                               length != 0 ? ", " : "", count);
        }
    }
    return named;
}

/// @return false: the call is refused
static bool refuse_motion(rp_call_t *call, rp_motion_fault_t fault, const rp_motion_t *motion,
                          double cell_m)
{
    const Replan__V1__Status status = REPLAN__V1__STATUS__INVALID;
    switch (fault) {
    case RP_MOTION_BAD_BODY_RADIUS:
        return !rp_call_refuse(call, status, "body.radius_m is %g, at most %g cells of %g metres",
                               motion->body_radius_m, RP_MOTION_RADIUS_MAX, cell_m);
    case RP_MOTION_BAD_TURNING_RADIUS:
        return !rp_call_refuse(call, status,
                               "motion.turning_radius_m is %g, at most %g cells of %g metres",
                               motion->turning_radius_m, RP_MOTION_RADIUS_MAX, cell_m);
    case RP_MOTION_BAD_TURN:
        return !rp_call_refuse(call, status,
                               "motion.turn_m_per_rad is %g, it must lie within %g and %g cells of "
                               "%g metres",
                               motion->turn_m_per_rad, RP_MOTION_TURN_MIN, RP_MOTION_TURN_MAX,
                               cell_m);
    case RP_MOTION_BAD_GEAR_CHANGE:
        return !rp_call_refuse(call, status,
                               "motion.gear_change_m is %g, at most %g cells of %g metres",
                               motion->gear_change_m, RP_MOTION_GEAR_CHANGE_MAX, cell_m);
    case RP_MOTION_TOO_WIDE:
        return !rp_call_refuse(
            call, status,
            "motion.headings is %u: with a turning_radius_m of %g, cells of %g metres, no move of "
            "up to 8 cells turns by one heading; headings that can: %s",
            motion->headings, motion->turning_radius_m, cell_m,
            name_headings(rp_engine_headings_for(motion->turning_radius_m / cell_m)).text);
    case RP_MOTION_TOO_NARROW:
        return !rp_call_refuse(call, REPLAN__V1__STATUS__UNSUPPORTED,
                               "motion: each side of the world must be at least twice "
                               "body.radius_m, of one that wraps 8 cells, too");
    default:
        return !rp_call_refuse(call, REPLAN__V1__STATUS__LIMIT,
                               "motion.headings times the cells of the world is more than %llu",
                               (unsigned long long)RP_MOTION_POSES_MAX);
    }
}

/// Whether the agent can have its motion in this world.
/// @return false when the call is refused
static bool judge_motion(rp_call_t *call, const rp_served_t *world,
                         const Replan__V1__OpenAgent *open)
{
    if (open->motion == NULL) {
        return true;
    }
    rp_polygon_body_t footprint;
    const bool has_footprint = rp_bodies_footprint(open->body, &footprint);
    const rp_motion_t motion = rp_agents_motion_of(world, open, has_footprint ? &footprint : NULL);
    const rp_motion_fault_t fault =
        rp_engine_judge_motion(rp_host_authority(call->serving->host), world->id, &motion);
    const bool is_of_world = fault == RP_MOTION_TOO_LARGE || fault == RP_MOTION_TOO_NARROW;
    return fault == RP_MOTION_FINE || (is_of_world && rp_state_is_restoring(call->serving)) ||
           refuse_motion(call, fault, &motion, world->options.frame.resolution_m);
}

bool rp_handle_open_agent(rp_call_t *call)
{
    const Replan__V1__OpenAgent *open = call->request->open_agent;
    rp_serving_t *self = call->serving;
    rp_served_t *world = rp_call_world(call, open->world);
    if (world == NULL) {
        return true;
    }
    Replan__V1__Opened *opened = rp_message_arena_take(&self->arena, sizeof *opened);
    if (opened == NULL) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "open_agent");
    }
    rp_body_t body;
    if (!take_body(call, world, open->body, open->motion != NULL, &body) ||
        !judge_motion(call, world, open)) {
        return true;
    }
    rp_status_t status;
    rp_agent_t *agent = rp_worlds_find_agent(world, open->agent);
    if (agent != NULL && agent->has_appeared) {
        rp_state_note_closed(self, agent);
        rp_agents_close(self,
                        agent); // its poses came first; refused, it appears again with the next
    }
    agent = rp_agents_open(self, world, open->agent, open, &body, &status, &call->refusal);
    if (agent == NULL && status == RP_OK) {
        return true;
    }
    if (agent == NULL) {
        return refuse_planner(call, status, open, world);
    }
    if ((open->pose != NULL && !rp_agents_set_pose(self, agent, open->pose, &call->refusal)) ||
        (open->goal != NULL && !rp_agents_set_goal(self, agent, open->goal, &call->refusal))) {
        rp_agents_close(self, agent);
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

bool rp_handle_close_agent(rp_call_t *call)
{
    const Replan__V1__CloseAgent *close = call->request->close_agent;
    rp_serving_t *self = call->serving;
    rp_agent_t *agent = rp_call_agent(call, close->world, close->agent);
    if (agent != NULL) {
        rp_agents_close(self, agent);
    }
    return true;
}

bool rp_handle_set_pose(rp_call_t *call)
{
    const Replan__V1__Pose *pose = call->request->set_pose;
    (void)rp_agents_take_pose(call->serving, pose, &call->refusal);
    return true;
}

bool rp_handle_set_poses(rp_call_t *call)
{
    const Replan__V1__Poses *poses = call->request->set_poses;
    uint64_t budget = UINT64_MAX;
    size_t taken = call->prepared != NULL ? call->prepared->posed : 0;
    (void)rp_agents_take_poses(call->serving, poses, &taken, &budget, &call->refusal);
    if (call->prepared != NULL && call->refusal.status == REPLAN__V1__STATUS__OK) {
        rp_agents_note_poses(call->serving, call->request->set_poses);
        call->is_noted = true;
    }
    return true;
}

bool rp_handle_set_goal(rp_call_t *call)
{
    const Replan__V1__Goal *goal = call->request->set_goal;
    (void)rp_agents_take_goal(call->serving, goal, &call->refusal);
    return true;
}
