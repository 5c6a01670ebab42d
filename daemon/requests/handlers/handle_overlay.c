/// Overlay: shapes that are put, moved and removed, and those whose time is over.
#include "daemon/requests/handlers.h"

#include <assert.h>

#include "daemon/process/log.h"
#include "daemon/requests/staged_request.h"
#include "daemon/requests/state.h"

static_assert(RP_LIMIT_SHAPES == RP_SHAPES_MAX && RP_LIMIT_CORNERS == RP_CORNERS_MAX,
              "the wire names the engine's limits");

/// The shapes of a checked request; they borrow its corners. @return NULL without memory
static rp_shape_t *shapes_of(rp_arena_t *arena, const Replan__V1__Overlay *overlay, uint64_t now_us)
{
    rp_shape_t *shapes = rp_arena_take(arena, (overlay->n_ids + 1u) * sizeof *shapes);
    size_t corner = 0;
    for (size_t i = 0; shapes != NULL && i < overlay->n_ids; i++) {
        const uint64_t ttl_ms = overlay->n_ttl_ms != 0 ? overlay->ttl_ms[i] : 0u;
        shapes[i] = (rp_shape_t){
            .id = overlay->ids[i],
            .corners = overlay->corners[i],
            .x_m = overlay->x + corner,
            .y_m = overlay->y + corner,
            .radius_m = overlay->n_radii_m != 0 ? overlay->radii_m[i] : 0.0,
            .expires_us = ttl_ms != 0 ? now_us + 1000u * ttl_ms : 0u,
            .byte = overlay->values.data[overlay->values.len == 1 ? 0 : i],
        };
        corner += overlay->corners[i];
    }
    return shapes;
}

rp_overlay_edit_t rp_overlay_edit_of(rp_arena_t *arena, const Replan__V1__Overlay *overlay,
                                     uint64_t now_us)
{
    return (rp_overlay_edit_t){
        .shapes = shapes_of(arena, overlay, now_us),
        .shape_count = overlay->n_ids,
        .removed = overlay->removed,
        .removed_count = overlay->n_removed,
        .clears = overlay->clear != 0,
    };
}

static bool refuse(rp_call_t *call, const rp_served_t *world, rp_status_t status)
{
    switch (status) {
    case RP_E_LIMIT:
        return rp_call_refuse(
            call, REPLAN__V1__STATUS__LIMIT,
            "overlay: a world has at most %u shapes, which cover at most %u cells", RP_SHAPES_MAX,
            RP_COVERED_MAX);
    case RP_E_INVALID:
        return rp_call_refuse(call, REPLAN__V1__STATUS__INVALID,
                              "overlay.x, overlay.y: a shape is wider or higher than %u cells, the "
                              "most in a world that wraps, as \"%s\" does",
                              RP_LIMIT_SIDE, world->name);
    default:
        return rp_call_refuse_status(call, status, "overlay");
    }
}

/// What an edit of shapes rewrote is a delta. When that is too much to be named there is none: who
/// mirrors the world asks anew, or is sent rows again.
static void keep_delta(rp_daemon_t *self, rp_served_t *world, uint64_t version)
{
    if (!rp_keep_rewritten(self, world, version)) {
        rp_deltas_add(&world->deltas, NULL, RP_LIMIT_DELTA_RING + 1u);
    }
}

bool rp_handle_overlay(rp_call_t *call, const Replan__V1__Overlay *overlay)
{
    rp_daemon_t *self = call->daemon;
    rp_served_t *world = rp_call_world(call, overlay->world);
    if (world == NULL || !rp_call_may_await(call, "overlay.wait", overlay->wait)) {
        return true;
    }
    rp_overlay_edit_t edit = rp_overlay_edit_of(&self->arena, overlay, self->now.steady_us);
    edit.staged_edit = rp_staged_request_draft(call->queued);
    const rp_cause_t cause = {overlay->source_us, self->now.wall_us};
    uint64_t version = 0;
    const rp_status_t status = edit.shapes != NULL
                                   ? rp_host_overlay(self->host, world->id, &edit, cause, &version)
                                   : RP_E_MEMORY;
    if (status != RP_OK) {
        return refuse(call, world, status);
    }
    world->changed_us = self->now.steady_us;
    self->stats.changes_applied++;
    keep_delta(self, world, version);
    if (self->state != NULL &&
        !rp_last_request_overlay(&world->shapes, overlay, self->now.wall_us, self->now.steady_us)) {
        rp_log(RP_LOG_WARN, "state", "world=%s lost=shapes error=\"no memory\"", world->name);
    }
    return rp_call_applied(call, world, version, overlay->wait);
}

void rp_expire_shapes(rp_daemon_t *self)
{
    for (rp_served_t *world = self->worlds.by_name; world != NULL; world = world->hh.next) {
        uint64_t version = 0;
        const rp_cause_t cause = {0, self->now.wall_us};
        if (rp_host_expire(self->host, world->id, self->now.steady_us, cause, &version)) {
            world->changed_us = self->now.steady_us;
            keep_delta(self, world, version);
            rp_state_note_expired(self, world);
        }
    }
}
