/// The common calls: each fills in one message, and sends it.
#include <stdlib.h>
#include <string.h>

#include "caller.h"
#include "msgs/limits.h"
#include "msgs/request.h"
#include "own_watches.h"

/// @return NULL when none of them is missing
static const char *missing_name(const char *world, const char *agent)
{
    return world == NULL ? "world" : agent == NULL ? "agent" : NULL;
}

static char *text(const char *given)
{
    return (char *)(uintptr_t)(given != NULL ? given : ""); // messages borrow what they only read
}

static ProtobufCBinaryData bytes_of(const uint8_t *bytes, size_t size)
{
    return (ProtobufCBinaryData){size, (uint8_t *)(uintptr_t)bytes};
}

// ---- worlds

rp_client_world_options_t rp_client_world_defaults(void)
{
    return (rp_client_world_options_t){.resolution_m = 1.0, .neighbors = 8, .profile = "factor"};
}

/// So that no more is read than the sides say, which the daemon judges later.
static rp_client_status_t judge_sides(rp_client_t *self, uint32_t width, uint32_t height)
{
    if (width > RP_LIMIT_SIDE || height > RP_LIMIT_SIDE) {
        const bool is_width = width > RP_LIMIT_SIDE;
        return rp_caller_fail(self, RP_CLIENT_E_INVALID, "%s is %u, it must be at most %u",
                              is_width ? "width" : "height", is_width ? width : height,
                              RP_LIMIT_SIDE);
    }
    return RP_CLIENT_OK;
}

rp_client_status_t rp_client_create_world(rp_client_t *self, const char *world, uint32_t width,
                                          uint32_t height, const rp_client_world_options_t *options)
{
    const rp_client_world_options_t chosen =
        options != NULL ? *options : rp_client_world_defaults();
    if (world == NULL) {
        return rp_caller_refuse_null(self, "world");
    }
    const rp_client_status_t status = judge_sides(self, width, height);
    if (status != RP_CLIENT_OK) {
        return status;
    }
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    geometry.width = width;
    geometry.height = height;
    geometry.resolution = chosen.resolution_m;
    geometry.origin_x = chosen.origin_x_m;
    geometry.origin_y = chosen.origin_y_m;
    geometry.origin_yaw = chosen.origin_yaw;
    create.world = text(world);
    create.geometry = &geometry;
    create.neighbors = chosen.neighbors;
    create.wraps = chosen.wraps;
    create.profile = text(chosen.profile);
    if (chosen.bytes != NULL) {
        create.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
        create.data = bytes_of(chosen.bytes, (size_t)width * height);
    }
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    return rp_client_call(self, &request, NULL);
}

rp_client_status_t rp_client_remove_world(rp_client_t *self, const char *world)
{
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    if (world == NULL) {
        return rp_caller_refuse_null(self, "world");
    }
    remove.world = text(world);
    Replan__V1__Request request = RP_REQUEST(REMOVE_WORLD, remove_world, &remove);
    return rp_client_call(self, &request, NULL);
}

// ---- cells

/// Send what makes a version. @param version  written on success; may be NULL
static rp_client_status_t call_for_version(rp_client_t *self, Replan__V1__Request *request,
                                           uint64_t *version)
{
    const Replan__V1__Reply *reply;
    const rp_client_status_t status = rp_client_call(self, request, &reply);
    if (status == RP_CLIENT_OK && version != NULL) {
        *version =
            reply->body_case == REPLAN__V1__REPLY__BODY_APPLIED ? reply->applied->version : 0;
    }
    return status;
}

static rp_client_status_t apply(rp_client_t *self, const char *world, Replan__V1__Change *change,
                                uint64_t *version)
{
    Replan__V1__Apply body = REPLAN__V1__APPLY__INIT;
    if (world == NULL) {
        return rp_caller_refuse_null(self, "world");
    }
    change->world = text(world);
    body.change = change;
    Replan__V1__Request request = RP_REQUEST(APPLY, apply, &body);
    return call_for_version(self, &request, version);
}

static Replan__V1__Change rectangle(uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    change.x = x;
    change.y = y;
    change.width = width;
    change.height = height;
    return change;
}

rp_client_status_t rp_client_fill_rect(rp_client_t *self, const char *world, uint32_t x, uint32_t y,
                                       uint32_t width, uint32_t height, uint8_t byte,
                                       uint64_t *version)
{
    Replan__V1__Change change = rectangle(x, y, width, height);
    change.rect_case = REPLAN__V1__CHANGE__RECT_FILL;
    change.fill = byte;
    return apply(self, world, &change, version);
}

rp_client_status_t rp_client_write_rect(rp_client_t *self, const char *world, uint32_t x,
                                        uint32_t y, uint32_t width, uint32_t height,
                                        const uint8_t *bytes, uint64_t *version)
{
    Replan__V1__Change change = rectangle(x, y, width, height);
    if (bytes == NULL) {
        return rp_caller_refuse_null(self, "bytes");
    }
    const rp_client_status_t status = judge_sides(self, width, height);
    if (status != RP_CLIENT_OK) {
        return status;
    }
    change.rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    change.data = bytes_of(bytes, (size_t)width * height);
    return apply(self, world, &change, version);
}

rp_client_status_t rp_client_set_cells(rp_client_t *self, const char *world, const uint32_t *cells,
                                       const uint8_t *bytes, size_t count, uint64_t *version)
{
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    if (count != 0 && (cells == NULL || bytes == NULL)) {
        return rp_caller_refuse_null(self, cells == NULL ? "cells" : "bytes");
    }
    change.cells = (uint32_t *)(uintptr_t)cells;
    change.n_cells = count;
    change.values = bytes_of(bytes, count);
    return apply(self, world, &change, version);
}

static rp_client_status_t overlay(rp_client_t *self, const char *world, Replan__V1__Overlay *edit,
                                  uint64_t *version)
{
    if (world == NULL) {
        return rp_caller_refuse_null(self, "world");
    }
    edit->world = text(world);
    Replan__V1__Request request = RP_REQUEST(OVERLAY, overlay, edit);
    return call_for_version(self, &request, version);
}

rp_client_status_t rp_client_put_disc(rp_client_t *self, const char *world, uint32_t number,
                                      double x_m, double y_m, double radius_m, uint8_t byte,
                                      uint64_t *version)
{
    Replan__V1__Overlay edit = REPLAN__V1__OVERLAY__INIT;
    uint32_t corners = 1;
    edit.ids = &number;
    edit.corners = &corners;
    edit.x = &x_m;
    edit.y = &y_m;
    edit.radii_m = &radius_m;
    edit.n_ids = edit.n_corners = edit.n_x = edit.n_y = edit.n_radii_m = 1;
    edit.values = bytes_of(&byte, 1);
    return overlay(self, world, &edit, version);
}

rp_client_status_t rp_client_remove_shapes(rp_client_t *self, const char *world,
                                           const uint32_t *numbers, size_t count, uint64_t *version)
{
    Replan__V1__Overlay edit = REPLAN__V1__OVERLAY__INIT;
    if (count != 0 && numbers == NULL) {
        return rp_caller_refuse_null(self, "numbers");
    }
    edit.removed = (uint32_t *)(uintptr_t)numbers;
    edit.n_removed = count;
    edit.clear = count == 0;
    return overlay(self, world, &edit, version);
}

// ---- agents

rp_client_agent_options_t rp_client_agent_defaults(void)
{
    return (rp_client_agent_options_t){
        .switch_gain_percent = 5, .min_interval_ms = 200, .lease_s = 60};
}

Replan__V1__Motion rp_client_car(double turning_radius_m)
{
    Replan__V1__Motion motion = REPLAN__V1__MOTION__INIT;
    motion.turning_radius_m = turning_radius_m;
    return motion;
}

Replan__V1__Motion rp_client_spot(double turning_radius_m)
{
    Replan__V1__Motion motion = rp_client_car(turning_radius_m);
    motion.drive = REPLAN__V1__DRIVE__SPOT;
    return motion;
}

Replan__V1__Motion rp_client_omni(void)
{
    Replan__V1__Motion motion = REPLAN__V1__MOTION__INIT;
    motion.drive = REPLAN__V1__DRIVE__OMNI;
    return motion;
}

static Replan__V1__Body body_of(const rp_client_agent_options_t *options)
{
    Replan__V1__Body body = REPLAN__V1__BODY__INIT;
    body.profile = text(options->profile);
    body.radius_m = options->radius_m;
    body.inscribed_radius_m = options->inscribed_radius_m;
    body.inflation_radius_m = options->inflation_radius_m;
    body.cost_scaling_factor = options->cost_scaling_factor;
    body.cells = options->cells;
    return body;
}

static Replan__V1__Policy policy_of(const rp_client_agent_options_t *options)
{
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT;
    policy.gain_case = REPLAN__V1__POLICY__GAIN_SWITCH_GAIN_PERCENT;
    policy.switch_gain_percent = options->switch_gain_percent;
    policy.interval_case = REPLAN__V1__POLICY__INTERVAL_MIN_INTERVAL_MS;
    policy.min_interval_ms = options->min_interval_ms;
    policy.age_case = REPLAN__V1__POLICY__AGE_MAX_AGE_MS;
    policy.max_age_ms = options->max_age_ms;
    policy.follow_case = REPLAN__V1__POLICY__FOLLOW_FOLLOW_RADIUS_M;
    policy.follow_radius_m = options->follow_radius_m;
    policy.escape_case = REPLAN__V1__POLICY__ESCAPE_ESCAPE_M;
    policy.escape_m = options->escape_m;
    policy.lease_case = REPLAN__V1__POLICY__LEASE_LEASE_S;
    policy.lease_s = options->lease_s;
    policy.immediate_start = options->immediate_start;
    policy.answer_within_ms = options->answer_within_ms;
    policy.may_wait = options->may_wait;
    return policy;
}

static Replan__V1__Goal goal_at(double *x_m, double *y_m)
{
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    goal.x = x_m;
    goal.y = y_m;
    goal.n_x = goal.n_y = 1;
    return goal;
}

rp_client_status_t rp_client_open_agent(rp_client_t *self, const char *world, const char *agent,
                                        double x_m, double y_m, double goal_x_m, double goal_y_m,
                                        const rp_client_agent_options_t *options)
{
    const rp_client_agent_options_t chosen =
        options != NULL ? *options : rp_client_agent_defaults();
    if (missing_name(world, agent) != NULL) {
        return rp_caller_refuse_null(self, missing_name(world, agent));
    }
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Goal goal = goal_at(&goal_x_m, &goal_y_m);
    Replan__V1__Body body = body_of(&chosen);
    Replan__V1__Policy policy = policy_of(&chosen);
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    pose.x = x_m;
    pose.y = y_m;
    pose.yaw = chosen.yaw;
    goal.tolerance_m = chosen.tolerance_m;
    goal.nearest = chosen.is_nearest;
    goal.goal_id = chosen.goal_id;
    open.world = text(world);
    open.agent = text(agent);
    open.planner = text(chosen.planner);
    open.pose = &pose;
    open.goal = &goal;
    open.body = &body;
    open.policy = &policy;
    open.motion =
        (Replan__V1__Motion *)(uintptr_t)chosen.motion; // the generated type knows no const
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    return rp_client_call(self, &request, NULL);
}

rp_client_status_t rp_client_pose(rp_client_t *self, const char *world, const char *agent,
                                  double x_m, double y_m)
{
    return rp_client_turn_to(self, world, agent, x_m, y_m, 0.0);
}

rp_client_status_t rp_client_turn_to(rp_client_t *self, const char *world, const char *agent,
                                     double x_m, double y_m, double yaw)
{
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    if (missing_name(world, agent) != NULL) {
        return rp_caller_refuse_null(self, missing_name(world, agent));
    }
    pose.world = text(world);
    pose.agent = text(agent);
    pose.x = x_m;
    pose.y = y_m;
    pose.yaw = yaw;
    pose.must_be_open = true;
    Replan__V1__Request request = RP_REQUEST(SET_POSE, set_pose, &pose);
    return rp_client_call(self, &request, NULL);
}

/// @param goal  without names
static rp_client_status_t set_goal(rp_client_t *self, const char *world, const char *agent,
                                   Replan__V1__Goal *goal)
{
    if (missing_name(world, agent) != NULL) {
        return rp_caller_refuse_null(self, missing_name(world, agent));
    }
    goal->world = text(world);
    goal->agent = text(agent);
    goal->must_be_open = true;
    Replan__V1__Request request = RP_REQUEST(SET_GOAL, set_goal, goal);
    return rp_client_call(self, &request, NULL);
}

rp_client_status_t rp_client_goto(rp_client_t *self, const char *world, const char *agent,
                                  double x_m, double y_m)
{
    Replan__V1__Goal goal = goal_at(&x_m, &y_m);
    return set_goal(self, world, agent, &goal);
}

rp_client_status_t rp_client_goto_facing(rp_client_t *self, const char *world, const char *agent,
                                         double x_m, double y_m, double yaw)
{
    Replan__V1__Goal goal = goal_at(&x_m, &y_m);
    goal.yaw = &yaw;
    goal.n_yaw = 1;
    return set_goal(self, world, agent, &goal);
}

rp_client_status_t rp_client_close_agent(rp_client_t *self, const char *world, const char *agent)
{
    Replan__V1__CloseAgent close = REPLAN__V1__CLOSE_AGENT__INIT;
    if (missing_name(world, agent) != NULL) {
        return rp_caller_refuse_null(self, missing_name(world, agent));
    }
    close.world = text(world);
    close.agent = text(agent);
    Replan__V1__Request request = RP_REQUEST(CLOSE_AGENT, close_agent, &close);
    return rp_client_call(self, &request, NULL);
}

// ---- answers

static bool reserve_points(rp_client_t *self, size_t count)
{
    if (count > self->points_capacity) {
        double *points = realloc(self->points_m, 2u * count * sizeof(*points));
        if (points == NULL) {
            return false;
        }
        self->points_m = points;
        self->points_capacity = count;
    }
    return true;
}

/// @return 0 without memory
static size_t write_points(rp_client_t *self, const Replan__V1__Answer *answer, size_t count)
{
    uint32_t *cells = malloc(count * sizeof(*cells));
    if (cells == NULL) {
        return 0;
    }
    (void)rp_client_cells(answer, cells, count);
    for (size_t i = 0; i < count; i++) {
        rp_client_middle(answer->geometry, cells[i], &self->points_m[i],
                         &self->points_m[count + i]);
    }
    free(cells);
    return count;
}

static rp_client_status_t tell_path(rp_client_t *self, uint32_t watch,
                                    const Replan__V1__Answer *answer, rp_client_path_t *path)
{
    const size_t count = rp_client_cells(answer, NULL, 0);
    if (!reserve_points(self, count) || (count != 0 && write_points(self, answer, count) == 0)) {
        return rp_caller_fail(self, RP_CLIENT_E_MEMORY, "no memory for %zu points", count);
    }
    *path = (rp_client_path_t){.answer = answer,
                               .world = answer->world,
                               .agent = answer->agent,
                               .outcome = rp_client_outcome_text(answer->outcome),
                               .reason = rp_client_reason_text(answer->reason),
                               .watch = watch,
                               .version = answer->version,
                               .cost = answer->cost,
                               .x_m = self->points_m,
                               .y_m = count != 0 ? self->points_m + count : NULL,
                               .count = count};
    return RP_CLIENT_OK;
}

rp_client_status_t rp_client_answer(rp_client_t *self, const char *world, const char *agent,
                                    rp_client_path_t *path)
{
    Replan__V1__GetAnswer get = REPLAN__V1__GET_ANSWER__INIT;
    const Replan__V1__Reply *reply;
    if (missing_name(world, agent) != NULL || path == NULL) {
        return rp_caller_refuse_null(self, path == NULL ? "path" : missing_name(world, agent));
    }
    get.world = text(world);
    get.agent = text(agent);
    get.segments = true;
    Replan__V1__Request request = RP_REQUEST(GET_ANSWER, get_answer, &get);
    const rp_client_status_t status = rp_client_call(self, &request, &reply);
    if (status != RP_CLIENT_OK) {
        return status;
    }
    if (reply->body_case != REPLAN__V1__REPLY__BODY_ANSWER) {
        return rp_caller_fail(self, RP_CLIENT_E_REFUSED, "the reply to a question holds no answer");
    }
    return tell_path(self, 0, reply->answer, path);
}

rp_client_status_t rp_client_watch_agents(rp_client_t *self, const char *world,
                                          const char *const *agents, size_t count, uint32_t *id)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    if (world == NULL || (count != 0 && agents == NULL)) {
        return rp_caller_refuse_null(self, world == NULL ? "world" : "agents");
    }
    for (size_t i = 0; i < count; i++) {
        if (agents[i] == NULL) {
            return rp_caller_fail(self, RP_CLIENT_E_INVALID, "agents[%zu] is NULL", i);
        }
    }
    watch.world = text(world);
    watch.agents = (char **)(uintptr_t)agents;
    watch.n_agents = count;
    watch.all = count == 0;
    watch.splices = true;
    watch.batch = RP_LIMIT_BATCH / 4u;
    watch.segments = true;
    return rp_client_follow(self, &watch, NULL, id);
}

rp_client_status_t rp_client_mirror(rp_client_t *self, const char *world, struct rp_mirror *mirror,
                                    uint32_t *id)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    if (world == NULL || mirror == NULL) {
        return rp_caller_refuse_null(self, world == NULL ? "world" : "mirror");
    }
    watch.world = text(world);
    watch.map = true;
    watch.follows = true;
    return rp_client_follow(self, &watch, mirror, id);
}

static bool has_watches(const rp_client_t *self)
{
    for (size_t i = 0; i < RP_CLIENT_WATCHES; i++) {
        if (self->watches[i].id != 0) {
            return true;
        }
    }
    return false;
}

static bool tells_answers(const rp_watch_place_t *watch)
{
    return watch != NULL && (watch->body->all || watch->body->n_agents != 0);
}

/// @return RP_CLIENT_E_TIMEOUT for an event that is passed over
static rp_client_status_t take_event(rp_client_t *self, const rp_client_event_t *event,
                                     rp_client_path_t *path)
{
    switch (event->kind) {
    case RP_CLIENT_ANSWER:
        return tell_path(self, event->watch, event->answer, path);
    case RP_CLIENT_ENDED:
        return rp_caller_fail(self, RP_CLIENT_E_REFUSED, "%s", event->ended->sentence);
    case RP_CLIENT_GONE:
        if (!tells_answers(rp_own_watches_find(self, event->watch))) {
            return RP_CLIENT_E_TIMEOUT;
        }
        return rp_caller_fail(self, RP_CLIENT_E_REFUSED, "%s", rp_client_lost(self, event->watch));
    case RP_CLIENT_LOST:
        return has_watches(self) ? RP_CLIENT_E_TIMEOUT
                                 : rp_caller_fail(self, RP_CLIENT_E_NO_DAEMON,
                                                  "the daemon went away, and no watch goes on");
    default:
        return RP_CLIENT_E_TIMEOUT;
    }
}

rp_client_status_t rp_client_next_answer(rp_client_t *self, int timeout_ms, rp_client_path_t *path)
{
    const int64_t deadline = timeout_ms < 0 ? -1 : rp_line_now_ms() + timeout_ms;
    rp_client_event_t event;
    if (path == NULL) {
        return rp_caller_refuse_null(self, "path");
    }
    while (rp_client_poll(self, (int)rp_line_left_ms(deadline), &event)) {
        const rp_client_status_t status = take_event(self, &event, path);
        if (status != RP_CLIENT_E_TIMEOUT) {
            return status;
        }
    }
    return rp_caller_fail(self, RP_CLIENT_E_TIMEOUT, "no answer within %d ms", timeout_ms);
}
