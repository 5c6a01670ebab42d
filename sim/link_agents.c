/// What the simulation tells of its agents: where they stand, where they go, who is there at all. A
/// cell is a metre wide: an agent stands in its middle.
#include "msgs/request.h"
#include "sim/link.h"
#include "sim/world/driving.h"

// ---- poses and goals

static double middle_x(const rp_link_t *self, uint32_t cell)
{
    const uint32_t column = cell % self->simulation->terrain.grid.width;
    return column + 0.5;
}

static double middle_y(const rp_link_t *self, uint32_t cell)
{
    const uint32_t row = cell / self->simulation->terrain.grid.width;
    return row + 0.5;
}

static Replan__V1__Pose pose_of(const rp_link_t *self, const rp_sim_agent_t *agent)
{
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    pose.world = (char *)self->options->world;
    pose.agent = (char *)agent->name;
    pose.x = middle_x(self, agent->cell);
    pose.y = middle_y(self, agent->cell);
    pose.pose_seq = agent->pose_seq;
    const rp_drive_pose_t *seat = rp_driving_seat_of(agent, agent->pose_seq);
    if (seat != NULL) {
        pose.x = seat->x;
        pose.y = seat->y;
        pose.yaw = seat->yaw;
    }
    return pose;
}

static rp_link_status_t tell_pose(rp_link_t *self, uint32_t number)
{
    const rp_sim_agent_t *agent = &self->simulation->agents[number];
    Replan__V1__Pose pose = pose_of(self, agent);
    self->told_pose[number] = agent->pose_seq;
    self->simulation->agents[number].stirred_us = rp_link_now_us();
    if (self->poses != NULL) {
        return rp_link_publish(self, self->poses, "pose", agent->name, &pose.base);
    }
    Replan__V1__Request request = RP_REQUEST(SET_POSE, set_pose, &pose);
    return rp_link_send(self, &request, "pose");
}

/// Fill in a goal whose coordinates stand beside it.
static Replan__V1__Goal goal_of(const rp_link_t *self, const rp_sim_agent_t *agent, double place[2])
{
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    place[0] = middle_x(self, agent->goal);
    place[1] = middle_y(self, agent->goal);
    goal.world = (char *)self->options->world;
    goal.agent = (char *)agent->name;
    goal.goal_id = agent->goal_id;
    goal.tolerance_m = self->simulation->scenario.manner.tolerance_m;
    goal.nearest = self->simulation->scenario.manner.is_nearest;
    if (agent->prey != RP_NOWHERE) {
        goal.target = self->simulation->agents[agent->prey].name;
        return goal;
    }
    goal.n_x = goal.n_y = 1;
    goal.x = &place[0];
    goal.y = &place[1];
    return goal;
}

static rp_link_status_t tell_goal(rp_link_t *self, uint32_t number)
{
    const rp_sim_agent_t *agent = &self->simulation->agents[number];
    double place[2];
    Replan__V1__Goal goal = goal_of(self, agent, place);
    Replan__V1__Request request = RP_REQUEST(SET_GOAL, set_goal, &goal);
    self->told_goal[number] = agent->goal_id;
    return rp_link_send(self, &request, "goal");
}

// ---- coming and going

/// With a manner of all 0 each answer is held to the optimum.
static void fill_policy(const rp_link_t *self, uint32_t number, Replan__V1__Policy *policy)
{
    const rp_manner_t *manner = &self->simulation->scenario.manner;
    policy->gain_case = REPLAN__V1__POLICY__GAIN_SWITCH_GAIN_PERCENT;
    policy->switch_gain_percent = manner->switch_gain_percent;
    policy->interval_case = REPLAN__V1__POLICY__INTERVAL_MIN_INTERVAL_MS;
    policy->min_interval_ms = manner->min_interval_ms;
    policy->escape_case = REPLAN__V1__POLICY__ESCAPE_ESCAPE_M;
    policy->escape_m = manner->escape_m;
    policy->may_wait = manner->patient != 0 && number % manner->patient == 0;
}

static void fill_body(const rp_link_t *self, Replan__V1__Body *body)
{
    const rp_body_view_options_t *options = &self->simulation->scenario.body;
    body->radius_m = options->radius_m;
    body->inscribed_radius_m = options->inscribed_radius_m;
    body->inflation_radius_m = options->inflation_radius_m;
    body->cost_scaling_factor = options->cost_scaling;
}

/// A body and a motion for those that drive. @param x,y  room for corners
static void fill_motion(const rp_drive_options_t *drive, Replan__V1__Body *body,
                        Replan__V1__Motion *motion, double *x, double *y)
{
    body->radius_m = drive->radius_m;
    body->n_footprint_x = body->n_footprint_y = rp_drive_corners(drive, x, y);
    body->footprint_x = x;
    body->footprint_y = y;
    motion->drive = drive->turns_in_place ? REPLAN__V1__DRIVE__SPOT : REPLAN__V1__DRIVE__CAR;
    motion->turning_radius_m = drive->turning_radius_m;
    motion->reverse = drive->reverses;
    motion->gear_change_m = drive->reverses ? 1.0 : 0.0;
    motion->headings_most = 16; // that there is no path is to be said at once
}

static rp_link_status_t open_agent(rp_link_t *self, uint32_t number)
{
    rp_sim_agent_t *agent = &self->simulation->agents[number];
    double place[2];
    Replan__V1__Goal goal = goal_of(self, agent, place);
    Replan__V1__Pose pose = pose_of(self, agent);
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT;
    Replan__V1__Body body = REPLAN__V1__BODY__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    const Replan__V1__Reply *reply = NULL;
    fill_policy(self, number, &policy);
    fill_body(self, &body);
    const rp_drive_options_t *drive = &self->simulation->scenario.drive;
    Replan__V1__Motion motion = REPLAN__V1__MOTION__INIT;
    double corners_x[RP_DRIVE_CORNERS];
    double corners_y[RP_DRIVE_CORNERS];
    if (rp_drive_is_on(drive)) {
        fill_motion(drive, &body, &motion, corners_x, corners_y);
        open.motion = &motion;
    }
    open.world = (char *)self->options->world;
    open.agent = agent->name;
    open.planner = (char *)(self->options->planner != NULL ? self->options->planner : "");
    open.pose = &pose;
    open.goal = &goal;
    open.policy = &policy;
    open.body = &body;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    const rp_client_status_t status = rp_client_call(self->client, &request, &reply);
    if (status == RP_CLIENT_E_REFUSED && reply->status == REPLAN__V1__STATUS__UNSUPPORTED) {
        return rp_link_fail(self, RP_LINK_E_UNSUPPORTED, agent->name, reply->sentence);
    }
    if (status != RP_CLIENT_OK) {
        return rp_link_fail_client(self, status, agent->name);
    }
    self->told_pose[number] = agent->pose_seq;
    self->told_goal[number] = agent->goal_id;
    self->is_open[number] = true;
    return RP_LINK_OK;
}

static rp_link_status_t close_agent(rp_link_t *self, uint32_t number)
{
    Replan__V1__CloseAgent close = REPLAN__V1__CLOSE_AGENT__INIT;
    close.world = (char *)self->options->world;
    close.agent = self->simulation->agents[number].name;
    Replan__V1__Request request = RP_REQUEST(CLOSE_AGENT, close_agent, &close);
    self->is_open[number] = false;
    const rp_client_status_t status = rp_client_call(self->client, &request, NULL);
    return status == RP_CLIENT_OK ? RP_LINK_OK : rp_link_fail_client(self, status, close.agent);
}

/// One order for all whose goals are new, where the scenario is about orders.
static rp_link_status_t tell_order(rp_link_t *self)
{
    static char *names[RP_SIMULATION_AGENTS_MAX];
    static double places[2][RP_SIMULATION_AGENTS_MAX];
    static uint64_t goal_ids[RP_SIMULATION_AGENTS_MAX];
    Replan__V1__Order order = REPLAN__V1__ORDER__INIT;
    size_t count = 0;
    for (uint32_t i = 0; i < self->simulation->agent_count; i++) {
        const rp_sim_agent_t *agent = &self->simulation->agents[i];
        if (!agent->is_away && self->is_open[i] && self->told_goal[i] != agent->goal_id) {
            names[count] = (char *)agent->name;
            places[0][count] = middle_x(self, agent->goal);
            places[1][count] = middle_y(self, agent->goal);
            goal_ids[count++] = agent->goal_id;
            self->told_goal[i] = agent->goal_id;
        }
    }
    if (count == 0) {
        return RP_LINK_OK;
    }
    order.world = (char *)self->options->world;
    order.agents = names;
    order.x = places[0];
    order.y = places[1];
    order.goal_ids = goal_ids;
    order.n_agents = order.n_x = order.n_y = order.n_goal_ids = count;
    Replan__V1__Request request = RP_REQUEST(ORDER, order, &order);
    return rp_link_send(self, &request, "order");
}

rp_link_status_t rp_link_tell_agents(rp_link_t *self)
{
    rp_link_status_t status = RP_LINK_OK;
    const bool has_orders = self->simulation->scenario.manner.has_orders;
    for (uint32_t i = 0; i < self->simulation->agent_count && status == RP_LINK_OK; i++) {
        const rp_sim_agent_t *agent = &self->simulation->agents[i];
        if (agent->is_away == self->is_open[i]) {
            status = agent->is_away ? close_agent(self, i) : open_agent(self, i);
        }
        if (agent->is_away) {
            continue;
        }
        if (status == RP_LINK_OK && self->told_pose[i] != agent->pose_seq) {
            status = tell_pose(self, i);
        }
        if (status == RP_LINK_OK && !has_orders && self->told_goal[i] != agent->goal_id) {
            status = tell_goal(self, i);
        }
    }
    return status == RP_LINK_OK && has_orders ? tell_order(self) : status;
}
