/// Requests, packed and kept.
#include "store/last_request.h"

#include <stdlib.h>

#include "msgs/request.h"

// ---- one request

bool rp_last_request_keep(rp_last_request_t *self, const Replan__V1__Request *request)
{
    const size_t size = protobuf_c_message_get_packed_size(&request->base);
    uint8_t *bytes = realloc(self->bytes, size);
    if (bytes == NULL) {
        rp_last_request_fini(self);
        return false;
    }
    self->bytes = bytes;
    self->size = protobuf_c_message_pack(&request->base, bytes);
    return true;
}

void rp_last_request_fini(rp_last_request_t *self)
{
    free(self->bytes);
    *self = (rp_last_request_t){0};
}

// ---- agents

void rp_last_request_agent_fini(rp_last_request_agent_t *self)
{
    rp_last_request_fini(&self->open);
    rp_last_request_fini(&self->goal);
    self->pose.is_there = false;
}

bool rp_last_request_open(rp_last_request_agent_t *self, const Replan__V1__OpenAgent *open)
{
    Replan__V1__OpenAgent alone = *open;
    alone.pose = NULL;
    alone.goal = NULL;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &alone);
    return rp_last_request_keep(&self->open, &request);
}

bool rp_last_request_goal(rp_last_request_agent_t *self, const char *world, const char *agent,
                          const Replan__V1__Goal *goal)
{
    Replan__V1__Goal named = *goal;
    named.world = (char *)world; // the generated types know no const
    named.agent = (char *)agent;
    Replan__V1__Request request = RP_REQUEST(SET_GOAL, set_goal, &named);
    self->waypoint = goal->first_waypoint;
    return rp_last_request_keep(&self->goal, &request);
}

const rp_last_request_t *rp_last_request_waypoint(rp_last_request_agent_t *self, uint32_t waypoint)
{
    if (waypoint <= self->waypoint || self->goal.size == 0) {
        return NULL;
    }
    Replan__V1__Request *request =
        replan__v1__request__unpack(NULL, self->goal.size, self->goal.bytes);
    bool is_kept = false;
    if (request != NULL && waypoint < request->set_goal->n_x) { // or it is of an older goal
        request->set_goal->first_waypoint = waypoint;
        self->waypoint = waypoint;
        is_kept = rp_last_request_keep(&self->goal, request);
    }
    replan__v1__request__free_unpacked(request, NULL);
    return is_kept ? &self->goal : NULL;
}

// ---- shapes

static void forget(rp_last_request_shapes_t *self, rp_last_request_shape_t *shape)
{
    if (shape != NULL) {
        // NOLINTNEXTLINE(clang-analyzer-unix.Malloc,clang-analyzer-core.NullDereference): uthash
        HASH_DEL(self->by_id, shape);
        rp_last_request_fini(&shape->put);
        free(shape);
    }
}

static rp_last_request_shape_t *find(const rp_last_request_shapes_t *self, uint32_t id)
{
    rp_last_request_shape_t *shape;
    HASH_FIND_INT(self->by_id, &id, shape);
    return shape;
}

void rp_last_request_shapes_fini(rp_last_request_shapes_t *self)
{
    rp_last_request_shape_t *shape;
    rp_last_request_shape_t *next;
    HASH_ITER(hh, self->by_id, shape, next)
    {
        forget(self, shape);
    }
}

/// The entry of a shape: its own if it is there, else a new one on top.
/// @return NULL without memory
static rp_last_request_shape_t *place_for(rp_last_request_shapes_t *self, uint32_t id)
{
    rp_last_request_shape_t *shape = find(self, id);
    if (shape == NULL) {
        shape = calloc(1, sizeof *shape);
        if (shape != NULL) {
            shape->id = id;
            HASH_ADD_INT(self->by_id, id, shape);
        }
    }
    return shape;
}

/// Keep shape `i` of an overlay, whose corners begin at `corner`.
static bool keep_shape(rp_last_request_shapes_t *self, const Replan__V1__Overlay *overlay, size_t i,
                       size_t corner, uint64_t wall_us, uint64_t steady_us)
{
    Replan__V1__Overlay alone = REPLAN__V1__OVERLAY__INIT;
    const uint32_t ttl_ms = overlay->n_ttl_ms != 0 ? overlay->ttl_ms[i] : 0u;
    rp_last_request_shape_t *shape = place_for(self, overlay->ids[i]);
    if (shape == NULL) {
        return false;
    }
    alone.world = overlay->world;
    alone.n_ids = alone.n_corners = 1;
    alone.ids = &overlay->ids[i];
    alone.corners = &overlay->corners[i];
    alone.n_x = alone.n_y = overlay->corners[i];
    alone.x = overlay->x + corner;
    alone.y = overlay->y + corner;
    alone.n_radii_m = overlay->n_radii_m != 0;
    alone.radii_m = alone.n_radii_m != 0 ? &overlay->radii_m[i] : NULL;
    alone.values =
        (ProtobufCBinaryData){1, overlay->values.data + (overlay->values.len == 1 ? 0 : i)};
    alone.n_ttl_ms = ttl_ms != 0;
    alone.ttl_ms = ttl_ms != 0 ? &overlay->ttl_ms[i] : NULL;
    Replan__V1__Request request = RP_REQUEST(OVERLAY, overlay, &alone);
    shape->put_us = wall_us;
    shape->expires_us = ttl_ms != 0 ? steady_us + 1000u * (uint64_t)ttl_ms : UINT64_MAX;
    return rp_last_request_keep(&shape->put, &request);
}

bool rp_last_request_overlay(rp_last_request_shapes_t *self, const Replan__V1__Overlay *overlay,
                             uint64_t wall_us, uint64_t steady_us)
{
    bool is_kept = true;
    size_t corner = 0;
    if (overlay->clear) {
        rp_last_request_shapes_fini(self);
    }
    for (size_t i = 0; i < overlay->n_removed; i++) {
        forget(self, find(self, overlay->removed[i]));
    }
    for (size_t i = 0; i < overlay->n_ids; i++) {
        is_kept = keep_shape(self, overlay, i, corner, wall_us, steady_us) && is_kept;
        corner += overlay->corners[i];
    }
    return is_kept;
}

size_t rp_last_request_expire(rp_last_request_shapes_t *self, uint64_t steady_us, uint32_t *ids)
{
    rp_last_request_shape_t *shape;
    rp_last_request_shape_t *next;
    size_t count = 0;
    HASH_ITER(hh, self->by_id, shape, next)
    {
        if (shape->expires_us <= steady_us) {
            ids[count++] = shape->id;
            forget(self, shape);
        }
    }
    return count;
}
