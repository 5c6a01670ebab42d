/// @file
/// The rules of limits.h, field by field. Nothing here trusts a byte: strings come with any bytes,
/// doubles with any bits, enums with any number. Each check ends at the first offence.
#include "msgs/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "msgs/check_parts.h"
#include "msgs/limits.h"

// ---- refusals

bool rp_refuse(rp_refusal_t *refusal, Replan__V1__Status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    refusal->status = status;
    vsnprintf(refusal->sentence, sizeof(refusal->sentence), format, arguments);
    va_end(arguments);
    // Sentences go to logs and terminals; what a stranger put into a string must not steer them.
    for (char *at = refusal->sentence; *at != '\0'; at++) {
        if (*at < ' ' || *at > '~') {
            *at = '?';
        }
    }
    return false;
}

// ---- words and numbers

static bool is_name_byte(uint8_t byte)
{
    return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || byte == '.' || byte == '-';
}

static bool check_name_bytes(const char *field, const char *bytes, size_t size,
                             rp_refusal_t *refusal)
{
    if (size == 0) {
        return INVALID(refusal, "%s is empty, a name has 1 to %u characters", field, RP_LIMIT_NAME);
    }
    if (size > RP_LIMIT_NAME) {
        return INVALID(refusal, "%s is longer than %u characters", field, RP_LIMIT_NAME);
    }
    for (size_t i = 0; i < size; i++) {
        if (!is_name_byte((uint8_t)bytes[i])) {
            return INVALID(refusal,
                           "%s has the byte 0x%02x at %zu, names are made of "
                           "[A-Za-z0-9_.-]",
                           field, (unsigned)(uint8_t)bytes[i], i);
        }
    }
    return true;
}

bool rp_check_name(const char *field, const char *name, rp_refusal_t *refusal)
{
    return check_name_bytes(field, name, strnlen(name, RP_LIMIT_NAME + 1), refusal);
}

// ---- changes

static bool check_publisher(const Replan__V1__Change *change, rp_refusal_t *refusal)
{
    if (change->publisher[0] == '\0') {
        if (change->sequence != 0 || change->repairs_through != 0) {
            return INVALID(refusal, "change.publisher is empty, a change with a sequence or "
                                    "repairs_through must name it");
        }
        return true;
    }
    if (!rp_check_name("change.publisher", change->publisher, refusal)) {
        return false;
    }
    if (change->incarnation == 0) {
        return INVALID(refusal, "change.incarnation is 0, a publisher's must be 1 or more");
    }
    if (change->sequence == 0) {
        return INVALID(refusal, "change.sequence is 0, a publisher's must be 1 or more");
    }
    if (change->repairs_through > change->sequence) {
        return INVALID(refusal,
                       "change.repairs_through is %" PRIu64 ", at most change.sequence, %" PRIu64,
                       change->repairs_through, change->sequence);
    }
    return true;
}

/// A rectangle that no world is large enough to hold is refused here, so that the sum of a corner
/// and a side never overflows behind us.
static bool check_inside(const char *field, uint32_t corner, uint32_t side, rp_refusal_t *refusal)
{
    uint64_t end = (uint64_t)corner + side;
    return end <= RP_LIMIT_SIDE ||
           INVALID(refusal,
                   "change.%s is %" PRIu32 ", the rectangle would end at %" PRIu64
                   ", a world at %u at most",
                   field, corner, end, RP_LIMIT_SIDE);
}

static bool check_rectangle(const Replan__V1__Change *change, rp_refusal_t *refusal)
{
    if (!check_area("change", change->width, change->height, refusal) ||
        !check_inside("x", change->x, change->width, refusal) ||
        !check_inside("y", change->y, change->height, refusal)) {
        return false;
    }
    switch (change->rect_case) {
    case REPLAN__V1__CHANGE__RECT_FILL:
        return check_fill("change.fill", change->fill, refusal);
    case REPLAN__V1__CHANGE__RECT_DATA:
        return check_data("change.data", change->data.len, change->width, change->height, refusal);
    default:
        return INVALID(refusal, "change has a rectangle, but neither change.fill nor change.data");
    }
}

static bool check_cells(const Replan__V1__Change *change, rp_refusal_t *refusal)
{
    if (change->values.len == change->n_cells || (change->values.len == 1 && change->n_cells > 0)) {
        return true;
    }
    return INVALID(refusal,
                   "change.values has %zu bytes for %zu change.cells, needs one each or "
                   "one for all",
                   change->values.len, change->n_cells);
}

bool rp_check_change(const Replan__V1__Change *change, rp_refusal_t *refusal)
{
    bool has_sides = change->width != 0 || change->height != 0;
    bool has_bytes = change->rect_case != REPLAN__V1__CHANGE__RECT__NOT_SET;
    if (!rp_check_name("change.world", change->world, refusal) ||
        !check_publisher(change, refusal) ||
        !check_window("change", change->epoch, change->window, refusal)) {
        return false;
    }
    if ((has_sides || has_bytes) && !check_rectangle(change, refusal)) {
        return false;
    }
    if (!check_cells(change, refusal)) {
        return false;
    }
    return has_sides || change->n_cells > 0 ||
           INVALID(refusal, "change is empty, it needs a rectangle or change.cells");
}

// ---- poses and goals

static bool check_pose_numbers(const Replan__V1__Pose *pose, rp_refusal_t *refusal)
{
    return check_coordinate("pose", "x", pose->x, refusal) &&
           check_coordinate("pose", "y", pose->y, refusal) &&
           check_coordinate("pose", "yaw", pose->yaw, refusal);
}

bool rp_check_pose(const Replan__V1__Pose *pose, rp_refusal_t *refusal)
{
    return rp_check_name("pose.world", pose->world, refusal) &&
           rp_check_name("pose.agent", pose->agent, refusal) && check_pose_numbers(pose, refusal);
}

/// Handles of 32 bits come from clients that were built before a handle was never given twice.
static bool check_no_handles32(const char *message, size_t count, rp_refusal_t *refusal)
{
    return count == 0 ||
           INVALID(refusal,
                   "%s.handles32 has %zu entries, none may come: handles have 64 bits, "
                   "and stand in %s.handles",
                   message, count, message);
}

bool rp_check_poses(const Replan__V1__Poses *poses, rp_refusal_t *refusal)
{
    if (!rp_check_name("poses.world", poses->world, refusal) ||
        !check_no_handles32("poses", poses->n_handles32, refusal)) {
        return false;
    }
    if (poses->n_handles == 0 || poses->n_handles > RP_LIMIT_AGENTS) {
        return INVALID(refusal, "poses.handles has %zu entries, it must have 1 to %u",
                       poses->n_handles, RP_LIMIT_AGENTS);
    }
    if (poses->n_x != poses->n_handles || poses->n_y != poses->n_handles) {
        return INVALID(refusal, "poses.x has %zu entries and poses.y %zu, poses.handles has %zu",
                       poses->n_x, poses->n_y, poses->n_handles);
    }
    return (poses->n_yaw == 0 ||
            check_as_many("poses.yaw", poses->n_yaw, "poses.handles", poses->n_handles, refusal)) &&
           check_coordinates("poses", "x", poses->x, poses->n_x, refusal) &&
           check_coordinates("poses", "y", poses->y, poses->n_y, refusal) &&
           check_coordinates("poses", "yaw", poses->yaw, poses->n_yaw, refusal);
}

/// A target comes alone.
static bool check_target(const Replan__V1__Goal *goal, rp_refusal_t *refusal)
{
    if (goal->n_x != 0 || goal->n_y != 0 || goal->n_offsets != 0 || goal->kind != 0) {
        return INVALID(refusal, "goal.target excludes goal.x, goal.y, goal.offsets and goal.kind");
    }
    return rp_check_name("goal.target", goal->target, refusal);
}

static bool check_goal_kind(const Replan__V1__Goal *goal, rp_refusal_t *refusal)
{
    switch (goal->kind) {
    case REPLAN__V1__GOAL_KIND__POINTS:
    case REPLAN__V1__GOAL_KIND__WAYPOINTS:
        return true;
    case REPLAN__V1__GOAL_KIND__REGION:
        return (goal->n_x == 2 && goal->n_offsets == 0) ||
               INVALID(refusal,
                       "goal.kind REGION has %zu points and %zu goal.offsets, it needs 2 "
                       "corners and none",
                       goal->n_x, goal->n_offsets);
    default:
        return INVALID(refusal, "goal.kind is %d, it must be POINTS, WAYPOINTS or REGION",
                       (int)goal->kind);
    }
}

static bool check_goal_heading(const Replan__V1__Goal *goal, rp_refusal_t *refusal)
{
    const rp_checked_heading_t heading = {goal->yaw, goal->n_yaw, goal->heading,
                                          goal->yaw_tolerance};
    return (goal->n_yaw <= 1u ||
            check_as_many("goal.yaw", goal->n_yaw, "goal.x", goal->n_x, refusal)) &&
           rp_check_heading("goal", &heading, refusal);
}

static bool check_goal_numbers(const Replan__V1__Goal *goal, rp_refusal_t *refusal)
{
    if (!check_radius("goal.tolerance_m", goal->tolerance_m, refusal)) {
        return false;
    }
    if (!check_goal_heading(goal, refusal)) {
        return false;
    }
    if (goal->target[0] != '\0') {
        return check_target(goal, refusal);
    }
    if (!check_goal_kind(goal, refusal)) {
        return false;
    }
    if (goal->n_x == 0 || goal->n_x > RP_LIMIT_GOALS) {
        return INVALID(refusal, "goal.x has %zu entries, it must have 1 to %u", goal->n_x,
                       RP_LIMIT_GOALS);
    }
    if (!check_as_many("goal.y", goal->n_y, "goal.x", goal->n_x, refusal) ||
        (goal->n_offsets != 0 &&
         !check_as_many("goal.offsets", goal->n_offsets, "goal.x", goal->n_x, refusal))) {
        return false;
    }
    if (goal->first_waypoint != 0 &&
        (goal->kind != REPLAN__V1__GOAL_KIND__WAYPOINTS || goal->first_waypoint >= goal->n_x)) {
        return INVALID(refusal, "goal.first_waypoint is %" PRIu32 ", goal has %zu waypoints",
                       goal->first_waypoint,
                       goal->kind == REPLAN__V1__GOAL_KIND__WAYPOINTS ? goal->n_x : 0u);
    }
    for (size_t i = 0; i < goal->n_offsets; i++) {
        if (goal->offsets[i] > RP_LIMIT_OFFSET) {
            return INVALID(refusal, "goal.offsets has %" PRIu32 ", at most %u", goal->offsets[i],
                           RP_LIMIT_OFFSET);
        }
    }
    return check_coordinates("goal", "x", goal->x, goal->n_x, refusal) &&
           check_coordinates("goal", "y", goal->y, goal->n_y, refusal);
}

bool rp_check_goal(const Replan__V1__Goal *goal, rp_refusal_t *refusal)
{
    return rp_check_name("goal.world", goal->world, refusal) &&
           rp_check_name("goal.agent", goal->agent, refusal) && check_goal_numbers(goal, refusal);
}

/// A name inside OpenAgent that may be left out says, when it is there, the same as outside.
static bool check_same(const char *field, const char *inside, const char *outside,
                       rp_refusal_t *refusal)
{
    return inside[0] == '\0' || strcmp(inside, outside) == 0 ||
           INVALID(refusal, "%s differs from the one of open_agent, leave it out", field);
}

static bool check_policy(const Replan__V1__Policy *policy, rp_refusal_t *refusal)
{
    return check_most("policy.switch_gain_percent", policy->switch_gain_percent, RP_LIMIT_PERCENT,
                      refusal) &&
           check_most("policy.min_interval_ms", policy->min_interval_ms, RP_LIMIT_POLICY_MS,
                      refusal) &&
           check_most("policy.max_age_ms", policy->max_age_ms, RP_LIMIT_POLICY_MS, refusal) &&
           check_most("policy.answer_within_ms", policy->answer_within_ms, RP_LIMIT_POLICY_MS,
                      refusal) &&
           check_radius("policy.follow_radius_m", policy->follow_radius_m, refusal) &&
           check_radius("policy.escape_m", policy->escape_m, refusal) &&
           check_most("policy.lease_s", policy->lease_s, RP_LIMIT_LEASE_S, refusal);
}

static bool check_open_agent(const Replan__V1__OpenAgent *open, rp_refusal_t *refusal)
{
    if (!rp_check_name("open_agent.world", open->world, refusal) ||
        !rp_check_name("open_agent.agent", open->agent, refusal) ||
        !check_name_or_empty("open_agent.planner", open->planner, refusal) ||
        (open->policy != NULL && !check_policy(open->policy, refusal))) {
        return false;
    }
    if ((open->body != NULL && !rp_check_body(open->body, refusal)) ||
        (open->motion != NULL && !rp_check_motion(open, refusal))) {
        return false;
    }
    const Replan__V1__Pose *pose = open->pose;
    if (pose != NULL && (!check_same("pose.world", pose->world, open->world, refusal) ||
                         !check_same("pose.agent", pose->agent, open->agent, refusal) ||
                         !check_pose_numbers(pose, refusal))) {
        return false;
    }
    const Replan__V1__Goal *goal = open->goal;
    return goal == NULL || (check_same("goal.world", goal->world, open->world, refusal) &&
                            check_same("goal.agent", goal->agent, open->agent, refusal) &&
                            check_goal_numbers(goal, refusal));
}

// ---- watches

static bool check_credit_count(const char *field, uint32_t credit, rp_refusal_t *refusal)
{
    return credit <= RP_LIMIT_CREDIT ||
           INVALID(refusal, "%s is %" PRIu32 ", at most %u", field, credit, RP_LIMIT_CREDIT);
}

static bool check_agents(const char *field, char *const *agents, size_t count,
                         rp_refusal_t *refusal)
{
    if (count > RP_LIMIT_AGENTS) {
        return INVALID(refusal, "%s has %zu entries, at most %u", field, count, RP_LIMIT_AGENTS);
    }
    for (size_t i = 0; i < count; i++) {
        if (!rp_check_name(field, agents[i], refusal)) {
            return false;
        }
    }
    return true;
}

/// None, one for all, or one each.
static bool check_shared(const char *field, size_t count, size_t agents, rp_refusal_t *refusal)
{
    return count <= 1 || count == agents ||
           INVALID(refusal, "%s has %zu entries, the order has %zu agents", field, count, agents);
}

static bool check_order(const Replan__V1__Order *order, rp_refusal_t *refusal)
{
    const size_t agents = order->n_handles + order->n_agents;
    const rp_checked_heading_t heading = {order->yaw, order->n_yaw, order->heading,
                                          order->yaw_tolerance};
    if (!rp_check_name("order.world", order->world, refusal) ||
        !check_no_handles32("order", order->n_handles32, refusal)) {
        return false;
    }
    if (agents == 0 || agents > RP_LIMIT_AGENTS) {
        return INVALID(refusal, "order.handles and order.agents have %zu entries, 1 to %u are due",
                       agents, RP_LIMIT_AGENTS);
    }
    if (order->n_x == 0 || order->n_y != order->n_x) {
        return INVALID(refusal, "order.x has %zu entries and order.y %zu, as many are due, from 1",
                       order->n_x, order->n_y);
    }
    return check_shared("order.x", order->n_x, agents, refusal) &&
           check_shared("order.goal_ids", order->n_goal_ids, agents, refusal) &&
           check_shared("order.yaw", order->n_yaw, agents, refusal) &&
           rp_check_heading("order", &heading, refusal) &&
           check_agents("order.agents", order->agents, order->n_agents, refusal) &&
           check_radius("order.tolerance_m", order->tolerance_m, refusal) &&
           check_coordinates("order", "x", order->x, order->n_x, refusal) &&
           check_coordinates("order", "y", order->y, order->n_y, refusal);
}

static bool check_watch(const Replan__V1__Watch *watch, rp_refusal_t *refusal)
{
    if (!rp_check_name("watch.world", watch->world, refusal)) {
        return false;
    }
    if (watch->all && watch->n_agents > 0) {
        return INVALID(refusal, "watch.all and %zu watch.agents exclude each other",
                       watch->n_agents);
    }
    if (!watch->all && watch->n_agents == 0 && !watch->map) {
        return INVALID(refusal, "watch has nothing to watch: set all, agents or map");
    }
    if (watch->batch > RP_LIMIT_BATCH) {
        return INVALID(refusal, "watch.batch is %" PRIu32 ", at most %u", watch->batch,
                       RP_LIMIT_BATCH);
    }
    return check_agents("watch.agents", watch->agents, watch->n_agents, refusal) &&
           check_credit_count("watch.credit", watch->credit, refusal);
}

static bool check_watch_number(const char *field, uint32_t watch, rp_refusal_t *refusal)
{
    return watch != 0 || INVALID(refusal, "%s is 0, watches are numbered from 1", field);
}

// ---- requests

static bool check_apply(const Replan__V1__Apply *apply, rp_refusal_t *refusal)
{
    if (apply->change == NULL) {
        return INVALID(refusal, "apply.change is missing");
    }
    return check_wait("apply.wait", apply->wait, refusal) &&
           rp_check_change(apply->change, refusal);
}

static bool check_after(const Replan__V1__After *after, rp_refusal_t *refusal)
{
    bool has_publisher = after->publisher[0] != '\0';
    if (!rp_check_name("after.world", after->world, refusal) ||
        !check_name_or_empty("after.publisher", after->publisher, refusal)) {
        return false;
    }
    if (has_publisher == (after->version != 0)) {
        return INVALID(refusal, "after needs either after.version or after.publisher");
    }
    if (has_publisher != (after->sequence != 0)) {
        return INVALID(refusal, "after.publisher and after.sequence, 1 or more, need each other");
    }
    return true;
}

static bool check_agent_names(const char *world_field, const char *world, const char *agent_field,
                              const char *agent, rp_refusal_t *refusal)
{
    return rp_check_name(world_field, world, refusal) && rp_check_name(agent_field, agent, refusal);
}

static bool check_snapshot(const Replan__V1__GetSnapshot *get, rp_refusal_t *refusal)
{
    return rp_check_name("get_snapshot.world", get->world, refusal) &&
           (get->first_row < RP_LIMIT_SIDE ||
            INVALID(refusal, "get_snapshot.first_row is %" PRIu32 ", rows end below %u",
                    get->first_row, RP_LIMIT_SIDE));
}

/// One line a kind of request.
static bool check_body(const Replan__V1__Request *request, rp_refusal_t *refusal)
{
    switch (request->body_case) {
    case REPLAN__V1__REQUEST__BODY_APPLY:
        return check_apply(request->apply, refusal);
    case REPLAN__V1__REQUEST__BODY_CREATE_WORLD:
        return rp_check_create_world(request->create_world, refusal);
    case REPLAN__V1__REQUEST__BODY_RESIZE:
        return rp_check_resize(request->resize, refusal);
    case REPLAN__V1__REQUEST__BODY_OVERLAY:
        return rp_check_overlay(request->overlay, refusal);
    case REPLAN__V1__REQUEST__BODY_REMOVE_WORLD:
        return rp_check_name("remove_world.world", request->remove_world->world, refusal);
    case REPLAN__V1__REQUEST__BODY_OPEN_AGENT:
        return check_open_agent(request->open_agent, refusal);
    case REPLAN__V1__REQUEST__BODY_CLOSE_AGENT:
        return check_agent_names("close_agent.world", request->close_agent->world,
                                 "close_agent.agent", request->close_agent->agent, refusal);
    case REPLAN__V1__REQUEST__BODY_SET_POSE:
        return rp_check_pose(request->set_pose, refusal);
    case REPLAN__V1__REQUEST__BODY_SET_POSES:
        return rp_check_poses(request->set_poses, refusal);
    case REPLAN__V1__REQUEST__BODY_SET_GOAL:
        return rp_check_goal(request->set_goal, refusal);
    case REPLAN__V1__REQUEST__BODY_ORDER:
        return check_order(request->order, refusal);
    case REPLAN__V1__REQUEST__BODY_GET_ANSWER:
        return check_agent_names("get_answer.world", request->get_answer->world, "get_answer.agent",
                                 request->get_answer->agent, refusal);
    case REPLAN__V1__REQUEST__BODY_WATCH:
        return check_watch(request->watch, refusal);
    case REPLAN__V1__REQUEST__BODY_CREDIT:
        return check_watch_number("credit.watch", request->credit->watch, refusal) &&
               check_credit_count("credit.credit", request->credit->credit, refusal) &&
               check_agents("credit.whole", request->credit->whole, request->credit->n_whole,
                            refusal);
    case REPLAN__V1__REQUEST__BODY_UNWATCH:
        return check_watch_number("unwatch.watch", request->unwatch->watch, refusal);
    case REPLAN__V1__REQUEST__BODY_DELTAS_SINCE:
        return rp_check_name("deltas_since.world", request->deltas_since->world, refusal);
    case REPLAN__V1__REQUEST__BODY_GET_SNAPSHOT:
        return check_snapshot(request->get_snapshot, refusal);
    case REPLAN__V1__REQUEST__BODY_LIST_AGENTS:
        return rp_check_name("list_agents.world", request->list_agents->world, refusal);
    case REPLAN__V1__REQUEST__BODY_LIST_SHAPES:
        return rp_check_name("list_shapes.world", request->list_shapes->world, refusal);
    case REPLAN__V1__REQUEST__BODY_FORGIVE:
        return rp_check_name("forgive.world", request->forgive->world, refusal) &&
               rp_check_name("forgive.publisher", request->forgive->publisher, refusal);
    case REPLAN__V1__REQUEST__BODY_ASK_COSTS:
        return rp_check_ask_costs(request->ask_costs, refusal);
    case REPLAN__V1__REQUEST__BODY_ASK_PROBE:
        return rp_check_ask_probe(request->ask_probe, refusal);
    case REPLAN__V1__REQUEST__BODY_ASK_FIELD:
        return rp_check_ask_field(request->ask_field, refusal);
    case REPLAN__V1__REQUEST__BODY_ASK_VALID:
        return rp_check_ask_valid(request->ask_valid, refusal);
    case REPLAN__V1__REQUEST__BODY_ASK_WHY:
        return rp_check_ask_why(request->ask_why, refusal);
    case REPLAN__V1__REQUEST__BODY_LIST_WORLDS:
    case REPLAN__V1__REQUEST__BODY_LIST_PEERS:
    case REPLAN__V1__REQUEST__BODY_GET_STATS:
        return true;
    default:
        return INVALID(refusal, "request.body is missing or of a kind unknown here");
    }
}

bool rp_check_request(const Replan__V1__Request *request, rp_refusal_t *refusal)
{
    if (request->deadline_ms > RP_LIMIT_DEADLINE_MS) {
        return INVALID(refusal, "request.deadline_ms is %" PRIu32 ", at most %u",
                       request->deadline_ms, RP_LIMIT_DEADLINE_MS);
    }
    if (request->after != NULL && !check_after(request->after, refusal)) {
        return false;
    }
    return check_body(request, refusal);
}

// ---- topics

/// Take the bytes up to the next '/' off the front of a topic.
/// @return false when there is no '/'
static bool take_part(const char **at, const char *end, const char **part, size_t *size)
{
    const char *slash = memchr(*at, '/', (size_t)(end - *at));
    if (slash == NULL) {
        return false;
    }
    *part = *at;
    *size = (size_t)(slash - *at);
    *at = slash + 1;
    return true;
}

bool rp_check_topic(const void *topic, size_t size, const char *kind, char *world, char *agent,
                    rp_refusal_t *refusal)
{
    if (size == 0 || size > RP_LIMIT_TOPIC) {
        return INVALID(refusal, "topic has %zu bytes, it must have 1 to %u", size, RP_LIMIT_TOPIC);
    }
    const char *at = topic;
    const char *end = at + size;
    const char *part = NULL;
    size_t part_size = 0;
    if (!take_part(&at, end, &part, &part_size) || part_size != strlen(kind) ||
        memcmp(part, kind, part_size) != 0) {
        return INVALID(refusal, "topic must start with \"%s/\"", kind);
    }
    const char *world_part = NULL;
    size_t world_size = 0;
    if (!take_part(&at, end, &world_part, &world_size)) {
        return INVALID(refusal, "topic must go on with the name of a world and \"/\"");
    }
    if (!check_name_bytes("topic.world", world_part, world_size, refusal)) {
        return false;
    }
    const char *agent_part = at;
    size_t agent_size = 0;
    if (at < end) {
        if (!take_part(&at, end, &agent_part, &agent_size) || at != end) {
            return INVALID(refusal, "topic must end with \"/\" behind the name of an agent");
        }
        if (!check_name_bytes("topic.agent", agent_part, agent_size, refusal)) {
            return false;
        }
    }
    memcpy(world, world_part, world_size);
    world[world_size] = '\0';
    memcpy(agent, agent_part, agent_size);
    agent[agent_size] = '\0';
    return true;
}
