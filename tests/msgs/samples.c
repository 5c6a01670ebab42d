#include "tests/msgs/samples.h"

#include <stdlib.h>

char *rp_sample_text(const char *text)
{
    return (char *)text;
}

#define TEXT rp_sample_text

static void init_change(rp_samples_t *self)
{
    self->change = (Replan__V1__Change)REPLAN__V1__CHANGE__INIT;
    self->change.world = TEXT("marsh");
    self->change.publisher = TEXT("scout-1");
    self->change.incarnation = 7;
    self->change.sequence = 12;
    self->change.source_us = 1000;
    self->change.x = 4;
    self->change.y = 5;
    self->change.width = 3;
    self->change.height = 2;
    self->change.rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    self->change.data = (ProtobufCBinaryData){sizeof(self->data), self->data};
    self->change.cells = self->cells;
    self->change.n_cells = 2;
    self->change.values = (ProtobufCBinaryData){sizeof(self->values), self->values};

    self->apply = (Replan__V1__Apply)REPLAN__V1__APPLY__INIT;
    self->apply.change = &self->change;
    self->apply.wait = REPLAN__V1__WAIT__SETTLED;
}

static void init_profiles(rp_samples_t *self)
{
    self->table[1] = 10;
    self->table[2] = 30;
    self->wheels = (Replan__V1__Profile)REPLAN__V1__PROFILE__INIT;
    self->wheels.name = TEXT("wheels");
    self->wheels.factors = (ProtobufCBinaryData){sizeof(self->table), self->table};
    self->wheels.unit = 10;
    self->careful = (Replan__V1__Profile)REPLAN__V1__PROFILE__INIT;
    self->careful.name = TEXT("careful");
    self->careful.like = TEXT("costmap");
    self->careful.unknown = REPLAN__V1__UNKNOWN__AS_FACTOR;
    self->careful.unknown_factor = 100;
    self->profiles[0] = &self->wheels;
    self->profiles[1] = &self->careful;
}

static void init_world(rp_samples_t *self)
{
    self->geometry = (Replan__V1__Geometry)REPLAN__V1__GEOMETRY__INIT;
    self->geometry.width = 3;
    self->geometry.height = 2;
    self->geometry.resolution = 0.05;
    self->geometry.origin_x = -1.5;
    self->geometry.frame_id = TEXT("map");
    self->create_world = (Replan__V1__CreateWorld)REPLAN__V1__CREATE_WORLD__INIT;
    self->create_world.world = TEXT("marsh");
    self->create_world.geometry = &self->geometry;
    self->create_world.neighbors = 8;
    self->create_world.profile = TEXT("factor");
    self->create_world.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    self->create_world.data = (ProtobufCBinaryData){sizeof(self->data), self->data};
    self->create_world.profiles = self->profiles;
    self->create_world.n_profiles = 2;

    self->resize = (Replan__V1__Resize)REPLAN__V1__RESIZE__INIT;
    self->resize.world = TEXT("marsh");
    self->resize.x = -3;
    self->resize.y = 2;
    self->resize.width = 20;
    self->resize.height = 10;
    self->resize.content_case = REPLAN__V1__RESIZE__CONTENT_FILL;
    self->resize.fill = 255;
    self->remove_world = (Replan__V1__RemoveWorld)REPLAN__V1__REMOVE_WORLD__INIT;
    self->remove_world.world = TEXT("marsh");
    self->list_worlds = (Replan__V1__ListWorlds)REPLAN__V1__LIST_WORLDS__INIT;
    self->get_stats = (Replan__V1__GetStats)REPLAN__V1__GET_STATS__INIT;
    self->deltas_since = (Replan__V1__DeltasSince)REPLAN__V1__DELTAS_SINCE__INIT;
    self->deltas_since.world = TEXT("marsh");
    self->deltas_since.epoch = 3;
    self->deltas_since.version = 40;
    self->get_snapshot = (Replan__V1__GetSnapshot)REPLAN__V1__GET_SNAPSHOT__INIT;
    self->get_snapshot.world = TEXT("marsh");
    self->get_snapshot.first_row = 64;
    self->list_agents = (Replan__V1__ListAgents)REPLAN__V1__LIST_AGENTS__INIT;
    self->list_agents.world = TEXT("marsh");
    self->list_agents.from = 7;
    self->list_shapes = (Replan__V1__ListShapes)REPLAN__V1__LIST_SHAPES__INIT;
    self->list_shapes.world = TEXT("marsh");
    self->list_peers = (Replan__V1__ListPeers)REPLAN__V1__LIST_PEERS__INIT;
    self->forgive = (Replan__V1__Forgive)REPLAN__V1__FORGIVE__INIT;
    self->forgive.world = TEXT("marsh");
    self->forgive.publisher = TEXT("scout-1");
}

static void init_overlay(rp_samples_t *self)
{
    self->overlay = (Replan__V1__Overlay)REPLAN__V1__OVERLAY__INIT;
    self->overlay.world = TEXT("marsh");
    self->overlay.ids = self->shape_ids;
    self->overlay.corners = self->shape_corners;
    self->overlay.radii_m = self->shape_radii;
    self->overlay.ttl_ms = self->shape_ttls;
    self->overlay.n_ids = self->overlay.n_corners = 2;
    self->overlay.n_radii_m = self->overlay.n_ttl_ms = 2;
    self->overlay.x = self->shape_x;
    self->overlay.y = self->shape_y;
    self->overlay.n_x = self->overlay.n_y = 4;
    self->overlay.values = (ProtobufCBinaryData){sizeof(self->values), self->values};
    self->overlay.removed = self->cells;
    self->overlay.n_removed = 2;
}

static void init_agent(rp_samples_t *self)
{
    self->pose = (Replan__V1__Pose)REPLAN__V1__POSE__INIT;
    self->pose.world = TEXT("marsh");
    self->pose.agent = TEXT("orc");
    self->pose.x = 1.5;
    self->pose.y = 2.5;
    self->pose.yaw = -3.0;
    self->pose.pose_seq = 9;
    self->poses = (Replan__V1__Poses)REPLAN__V1__POSES__INIT;
    self->poses.world = TEXT("marsh");
    self->poses.handles = self->handles;
    self->poses.x = self->x;
    self->poses.y = self->y;
    self->poses.n_handles = self->poses.n_x = self->poses.n_y = 2;
    self->goal = (Replan__V1__Goal)REPLAN__V1__GOAL__INIT;
    self->goal.world = TEXT("marsh");
    self->goal.agent = TEXT("orc");
    self->goal.goal_id = 5;
    self->goal.x = self->x;
    self->goal.y = self->y;
    self->goal.offsets = self->offsets;
    self->goal.n_x = self->goal.n_y = self->goal.n_offsets = 2;

    self->open_agent = (Replan__V1__OpenAgent)REPLAN__V1__OPEN_AGENT__INIT;
    self->open_agent.world = TEXT("marsh");
    self->open_agent.agent = TEXT("orc");
    self->open_agent.planner = TEXT("dstar-lite");
    self->open_agent.pose = &self->pose;
    self->open_agent.goal = &self->goal;
    self->open_agent.body = &self->body;
    self->body = (Replan__V1__Body)REPLAN__V1__BODY__INIT;
    self->body.profile = TEXT("careful");
    self->body.radius_m = 0.3;
    self->body.inscribed_radius_m = 0.3;
    self->body.inflation_radius_m = 0.55;
    self->body.cost_scaling_factor = 10.0;
    self->motion = (Replan__V1__Motion)REPLAN__V1__MOTION__INIT;
    self->motion.turning_radius_m = 4.0;
    self->motion.headings = 16;
    self->motion.turn_case = REPLAN__V1__MOTION__TURN_TURN_M_PER_RAD;
    self->motion.turn_m_per_rad = 0.5;
    self->motion.bound_case = REPLAN__V1__MOTION__BOUND_BOUND_PERCENT;
    self->motion.bound_percent = 10;
    self->open_agent.policy = &self->policy;
    self->policy = (Replan__V1__Policy)REPLAN__V1__POLICY__INIT;
    self->policy.gain_case = REPLAN__V1__POLICY__GAIN_SWITCH_GAIN_PERCENT;
    self->policy.switch_gain_percent = 10;
    self->policy.interval_case = REPLAN__V1__POLICY__INTERVAL_MIN_INTERVAL_MS;
    self->policy.age_case = REPLAN__V1__POLICY__AGE_MAX_AGE_MS;
    self->policy.max_age_ms = 5000;
    self->policy.answer_within_ms = 100;
    self->close_agent = (Replan__V1__CloseAgent)REPLAN__V1__CLOSE_AGENT__INIT;
    self->close_agent.world = TEXT("marsh");
    self->close_agent.agent = TEXT("orc");
    self->get_answer = (Replan__V1__GetAnswer)REPLAN__V1__GET_ANSWER__INIT;
    self->get_answer.world = TEXT("marsh");
    self->get_answer.agent = TEXT("orc");
}

/// A handle and a name, each to a place of its own.
static void init_order(rp_samples_t *self)
{
    self->goal_ids[0] = 7;
    self->goal_ids[1] = 8;
    self->order = (Replan__V1__Order)REPLAN__V1__ORDER__INIT;
    self->order.world = TEXT("marsh");
    self->order.handles = self->handles;
    self->order.n_handles = 1;
    self->order.agents = self->agents;
    self->order.n_agents = 1;
    self->order.x = self->x;
    self->order.y = self->y;
    self->order.n_x = self->order.n_y = 2;
    self->order.goal_ids = self->goal_ids;
    self->order.n_goal_ids = 2;
    self->order.tolerance_m = 0.5;
}

static void init_questions(rp_samples_t *self)
{
    self->ask_costs = (Replan__V1__AskCosts)REPLAN__V1__ASK_COSTS__INIT;
    self->ask_costs.world = TEXT("marsh");
    self->ask_costs.from_x = self->ask_costs.to_x = self->x;
    self->ask_costs.from_y = self->ask_costs.to_y = self->y;
    self->ask_costs.n_from_x = self->ask_costs.n_from_y = 2;
    self->ask_costs.n_to_x = self->ask_costs.n_to_y = 2;
    self->ask_probe = (Replan__V1__AskProbe)REPLAN__V1__ASK_PROBE__INIT;
    self->ask_probe.change = &self->change;
    self->ask_probe.agents = self->agents;
    self->ask_probe.n_agents = 2;
    self->ask_probe.from_x = self->ask_probe.to_x = self->x;
    self->ask_probe.from_y = self->ask_probe.to_y = self->y;
    self->ask_probe.n_from_x = self->ask_probe.n_from_y = 2;
    self->ask_probe.n_to_x = self->ask_probe.n_to_y = 2;
    self->ask_field = (Replan__V1__AskField)REPLAN__V1__ASK_FIELD__INIT;
    self->ask_valid = (Replan__V1__AskValid)REPLAN__V1__ASK_VALID__INIT;
    self->ask_why = (Replan__V1__AskWhy)REPLAN__V1__ASK_WHY__INIT;
    self->ask_field.world = self->ask_valid.world = self->ask_why.world = TEXT("marsh");
    self->ask_field.agent = self->ask_valid.agent = self->ask_why.agent = TEXT("orc");
    self->ask_field.reach = 3;
    self->ask_valid.steps.data = self->data;
    self->ask_valid.steps.len = 3;
}

static void init_watch(rp_samples_t *self)
{
    self->watch = (Replan__V1__Watch)REPLAN__V1__WATCH__INIT;
    self->watch.world = TEXT("marsh");
    self->watch.agents = self->agents;
    self->watch.n_agents = 2;
    self->watch.map = 1;
    self->watch.credit = 64;
    self->credit = (Replan__V1__Credit)REPLAN__V1__CREDIT__INIT;
    self->credit.watch = 1;
    self->credit.credit = 32;
    self->unwatch = (Replan__V1__Unwatch)REPLAN__V1__UNWATCH__INIT;
    self->unwatch.watch = 1;
}

void rp_samples_init(rp_samples_t *self)
{
    *self = (rp_samples_t){
        .data = {0, 1, 2, 3, 254, 255},
        .values = {0, 1},
        .cells = {17, 18},
        .handles = {(uint64_t)283520000000 << 22 | 1u, 2},
        .shape_ids = {4, 7},
        .shape_corners = {1, 3},
        .shape_ttls = {0, 500},
        .shape_x = {1.5, 2.0, 3.0, 2.5},
        .shape_y = {1.5, 0.0, 0.0, 1.0},
        .shape_radii = {0.5, 0.0},
        .x = {1.5, -2.5},
        .y = {3.5, 4.5},
        .offsets = {0, 10},
        .agents = {TEXT("orc"), TEXT("elf")},
    };
    init_change(self);
    init_profiles(self);
    init_world(self);
    init_overlay(self);
    init_agent(self);
    init_watch(self);
    init_order(self);
    init_questions(self);
    self->after = (Replan__V1__After)REPLAN__V1__AFTER__INIT;
    self->after.world = TEXT("marsh");
    self->after.version = 3;
    self->request = (Replan__V1__Request)REPLAN__V1__REQUEST__INIT;
    self->request.id = 1;
    self->request.deadline_ms = 1000;
    rp_samples_choose(self, REPLAN__V1__REQUEST__BODY_APPLY);
}

static const struct {
    Replan__V1__Request__BodyCase kind;
    const char *name;
    size_t offset; ///< of the message in rp_samples_t
} kinds[RP_SAMPLE_KINDS] = {
    {REPLAN__V1__REQUEST__BODY_APPLY, "apply", offsetof(rp_samples_t, apply)},
    {REPLAN__V1__REQUEST__BODY_CREATE_WORLD, "create_world", offsetof(rp_samples_t, create_world)},
    {REPLAN__V1__REQUEST__BODY_REMOVE_WORLD, "remove_world", offsetof(rp_samples_t, remove_world)},
    {REPLAN__V1__REQUEST__BODY_LIST_WORLDS, "list_worlds", offsetof(rp_samples_t, list_worlds)},
    {REPLAN__V1__REQUEST__BODY_OPEN_AGENT, "open_agent", offsetof(rp_samples_t, open_agent)},
    {REPLAN__V1__REQUEST__BODY_CLOSE_AGENT, "close_agent", offsetof(rp_samples_t, close_agent)},
    {REPLAN__V1__REQUEST__BODY_SET_POSE, "set_pose", offsetof(rp_samples_t, pose)},
    {REPLAN__V1__REQUEST__BODY_SET_GOAL, "set_goal", offsetof(rp_samples_t, goal)},
    {REPLAN__V1__REQUEST__BODY_ORDER, "order", offsetof(rp_samples_t, order)},
    {REPLAN__V1__REQUEST__BODY_GET_ANSWER, "get_answer", offsetof(rp_samples_t, get_answer)},
    {REPLAN__V1__REQUEST__BODY_WATCH, "watch", offsetof(rp_samples_t, watch)},
    {REPLAN__V1__REQUEST__BODY_CREDIT, "credit", offsetof(rp_samples_t, credit)},
    {REPLAN__V1__REQUEST__BODY_UNWATCH, "unwatch", offsetof(rp_samples_t, unwatch)},
    {REPLAN__V1__REQUEST__BODY_DELTAS_SINCE, "deltas_since", offsetof(rp_samples_t, deltas_since)},
    {REPLAN__V1__REQUEST__BODY_GET_SNAPSHOT, "get_snapshot", offsetof(rp_samples_t, get_snapshot)},
    {REPLAN__V1__REQUEST__BODY_GET_STATS, "get_stats", offsetof(rp_samples_t, get_stats)},
    {REPLAN__V1__REQUEST__BODY_FORGIVE, "forgive", offsetof(rp_samples_t, forgive)},
    {REPLAN__V1__REQUEST__BODY_SET_POSES, "set_poses", offsetof(rp_samples_t, poses)},
    {REPLAN__V1__REQUEST__BODY_ASK_COSTS, "ask_costs", offsetof(rp_samples_t, ask_costs)},
    {REPLAN__V1__REQUEST__BODY_ASK_PROBE, "ask_probe", offsetof(rp_samples_t, ask_probe)},
    {REPLAN__V1__REQUEST__BODY_ASK_FIELD, "ask_field", offsetof(rp_samples_t, ask_field)},
    {REPLAN__V1__REQUEST__BODY_ASK_VALID, "ask_valid", offsetof(rp_samples_t, ask_valid)},
    {REPLAN__V1__REQUEST__BODY_ASK_WHY, "ask_why", offsetof(rp_samples_t, ask_why)},
    {REPLAN__V1__REQUEST__BODY_RESIZE, "resize", offsetof(rp_samples_t, resize)},
    {REPLAN__V1__REQUEST__BODY_OVERLAY, "overlay", offsetof(rp_samples_t, overlay)},
    {REPLAN__V1__REQUEST__BODY_LIST_AGENTS, "list_agents", offsetof(rp_samples_t, list_agents)},
    {REPLAN__V1__REQUEST__BODY_LIST_SHAPES, "list_shapes", offsetof(rp_samples_t, list_shapes)},
    {REPLAN__V1__REQUEST__BODY_LIST_PEERS, "list_peers", offsetof(rp_samples_t, list_peers)},
};

Replan__V1__Request__BodyCase rp_sample_kind(size_t number, const char **name)
{
    if (name != NULL) {
        *name = kinds[number].name;
    }
    return kinds[number].kind;
}

void rp_samples_drive(rp_samples_t *self)
{
    self->open_agent.motion = &self->motion;
    self->open_agent.planner = TEXT("lattice");
    self->body.inscribed_radius_m = self->body.inflation_radius_m = 0.0;
    self->policy.answer_within_ms = 0;
    self->policy.immediate_start = 0;
    self->policy.escape_m = 0.0;
}

void rp_samples_choose(rp_samples_t *self, Replan__V1__Request__BodyCase kind)
{
    for (size_t i = 0; i < RP_SAMPLE_KINDS; i++) {
        if (kinds[i].kind == kind) {
            // All members of the union are pointers to messages, any of them will do.
            self->request.body_case = kind;
            self->request.apply = (void *)((char *)self + kinds[i].offset);
            return;
        }
    }
    abort();
}
