/// Long messages, and short ones that come beside them.
#include "tests/daemon/loads.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"

uint8_t rp_load_bytes[RP_LOAD_CELLS];
uint32_t rp_load_cells[RP_LOAD_CELLS];
const char *const rp_load_worlds[2] = {"marsh", "moor"};

static uint64_t handles[4];

void rp_load_create(rp_wire_t *self, unsigned peer, const char *name, uint64_t id)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    geometry.width = geometry.height = RP_LOAD_SIDE;
    geometry.resolution = 1.0;
    create.world = rp_text(name);
    create.geometry = &geometry;
    create.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    create.data = (ProtobufCBinaryData){RP_LOAD_CELLS, rp_load_bytes};
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_CREATE_WORLD;
    request.create_world = &create;
    rp_wire_send(self, peer, &request);
}

void rp_load_apply(rp_wire_t *self, unsigned peer, const char *name, bool is_scattered, uint64_t id)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    change.world = rp_text(name);
    if (is_scattered) {
        change.n_cells = RP_LOAD_CELLS / 2u;
        change.cells = rp_load_cells;
        change.values = (ProtobufCBinaryData){RP_LOAD_CELLS / 2u, rp_load_bytes};
    } else {
        change.width = change.height = RP_LOAD_SIDE;
        change.rect_case = REPLAN__V1__CHANGE__RECT_DATA;
        change.data = (ProtobufCBinaryData){RP_LOAD_CELLS, rp_load_bytes};
    }
    apply.change = &change;
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &apply;
    rp_wire_send(self, peer, &request);
}

void rp_load_pose(rp_wire_t *self, unsigned peer, double x, uint64_t id)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    pose.world = rp_text("marsh");
    pose.agent = rp_text("ann");
    pose.x = pose.y = x;
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_POSE;
    request.set_pose = &pose;
    rp_wire_send(self, peer, &request);
}

void rp_load_poses(rp_wire_t *self, unsigned peer, uint64_t id, double by)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__Poses poses = REPLAN__V1__POSES__INIT;
    double x[4];
    for (unsigned i = 0; i < 4; i++) {
        x[i] = 1.5 + i + by;
    }
    poses.world = rp_text("marsh");
    poses.n_handles = poses.n_x = poses.n_y = 4;
    poses.handles = handles;
    poses.x = poses.y = x;
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_POSES;
    request.set_poses = &poses;
    rp_wire_send(self, peer, &request);
}

void rp_load_order(rp_wire_t *self, unsigned peer, uint32_t x, uint64_t id)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__Order order = REPLAN__V1__ORDER__INIT;
    char *names[] = {rp_text("cy"), rp_text("dan")};
    double places[4];
    uint64_t goal_ids[4];
    for (uint32_t i = 0; i < 4; i++) {
        places[i] = (x + 7u * i) % RP_LOAD_SIDE + 0.5;
        goal_ids[i] = id * 10u + i;
    }
    order.world = rp_text("marsh");
    order.n_handles = order.n_agents = 2;
    order.handles = handles;
    order.agents = names;
    order.n_x = order.n_y = order.n_goal_ids = x % 2u == 0 ? 1 : 4;
    order.x = order.y = places;
    order.goal_ids = goal_ids;
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_ORDER;
    request.order = &order;
    rp_wire_send(self, peer, &request);
}

void rp_load_remove(rp_wire_t *self, unsigned peer, const char *name, uint64_t id)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    remove.world = rp_text(name);
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_REMOVE_WORLD;
    request.remove_world = &remove;
    rp_wire_send(self, peer, &request);
}

void rp_load_list(rp_wire_t *self, unsigned peer, uint64_t id)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__ListWorlds list = REPLAN__V1__LIST_WORLDS__INIT;
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_LIST_WORLDS;
    request.list_worlds = &list;
    rp_wire_send(self, peer, &request);
}

void rp_load_change(rp_wire_t *self, const char *name, uint64_t sequence)
{
    static uint8_t packed[8 * RP_LOAD_CELLS];
    char topic[RP_LIMIT_TOPIC];
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    change.publisher = rp_text("lidar");
    change.incarnation = 1;
    change.sequence = sequence;
    change.width = change.height = RP_LOAD_SIDE;
    change.rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    change.data = (ProtobufCBinaryData){RP_LOAD_CELLS, rp_load_bytes};
    const size_t size = replan__v1__change__pack(&change, packed);
    (void)snprintf(topic, sizeof topic, "change/%s/", name);
    rp_daemon_change(&self->daemon, topic, strlen(topic), packed, size);
}

void rp_load_small(rp_wire_t *self, unsigned peer, const char *name, uint32_t x, uint64_t id)
{
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    apply.change = rp_wire_change(x, 9, x % 2u);
    apply.change->world = rp_text(name);
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &apply;
    rp_wire_send(self, peer, &request);
}

void rp_load_overlay(rp_wire_t *self, unsigned peer, const char *name, uint32_t x, uint64_t id)
{
    enum {
        COUNT = 12
    };
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    uint32_t ids[COUNT];
    uint32_t corners[COUNT];
    double at_x[COUNT];
    double at_y[COUNT];
    double radii[COUNT];
    uint8_t value = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        ids[i] = i + x % 5u;
        corners[i] = 1;
        at_x[i] = (x + 5u * i) % RP_LOAD_SIDE;
        at_y[i] = 8.0 + 3.0 * i;
        radii[i] = i % 3u;
    }
    overlay.world = rp_text(name);
    overlay.n_ids = overlay.n_corners = overlay.n_x = overlay.n_y = overlay.n_radii_m = COUNT;
    overlay.ids = ids;
    overlay.corners = corners;
    overlay.x = at_x;
    overlay.y = at_y;
    overlay.radii_m = radii;
    overlay.values = (ProtobufCBinaryData){1, &value};
    overlay.clear = x % 4u == 0;
    if (x % 7u == 0) { // all go
        overlay.n_ids = overlay.n_corners = overlay.n_x = overlay.n_y = overlay.n_radii_m = 0;
        overlay.values.len = 0;
        overlay.clear = true;
    }
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_OVERLAY;
    request.overlay = &overlay;
    rp_wire_send(self, peer, &request);
}

void rp_load_resize(rp_wire_t *self, unsigned peer, const char *name, uint32_t x, uint64_t id)
{
    Replan__V1__Resize resize = REPLAN__V1__RESIZE__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    resize.world = rp_text(name);
    resize.x = resize.y = -(int32_t)(x % 3u);
    resize.width = RP_LOAD_SIDE + x % 4u;
    resize.height = RP_LOAD_SIDE + x % 3u;
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_RESIZE;
    request.resize = &resize;
    rp_wire_send(self, peer, &request);
}

void rp_load_open(rp_wire_t *self, size_t long_from)
{
    rp_wire_open_bare(self);
    self->daemon.intake.long_from = long_from;
    for (unsigned i = 0; i < 2; i++) {
        rp_load_create(self, 0, rp_load_worlds[i], 1u + i);
        rp_wire_work(self);
        ck_assert_int_eq(rp_wire_reply(self, 0)->status, 0);
    }
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT; // each answer is the optimum
    policy.gain_case = REPLAN__V1__POLICY__GAIN_SWITCH_GAIN_PERCENT;
    policy.interval_case = REPLAN__V1__POLICY__INTERVAL_MIN_INTERVAL_MS;
    for (unsigned i = 0; i < 4; i++) {
        static const char *const names[] = {"ann", "bob", "cy", "dan"};
        handles[i] = rp_wire_agent_with(self, 0, names[i], 1 + i, 1 + i, 60, 60, &policy);
    }
}

const uint8_t *rp_load_bytes_of(const rp_wire_t *self, const char *name)
{
    const rp_served_t *world = rp_worlds_find(&self->daemon.serving.worlds, name);
    return world != NULL ? rp_engine_bytes(self->daemon.serving.engine, world->id) : NULL;
}
