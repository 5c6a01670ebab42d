/// Overlay: shapes that are put, moved and removed, and those whose time is over.
#include "daemon/requests/handlers/handle_overlay.h"

#include <assert.h>

#include "daemon/process/log.h"
#include "daemon/requests/handlers/acknowledge.h"
#include "daemon/rules/decode.h"
#include "daemon/rules/state.h"
#include "daemon/rules/world_deltas.h"
#include "daemon/rules/world_quota.h"

static_assert(RP_LIMIT_SHAPES == RP_SHAPES_MAX && RP_LIMIT_CORNERS == RP_CORNERS_MAX,
              "the wire names the engine's limits");

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
static void keep_shapes_delta(rp_serving_t *self, rp_served_t *world, uint64_t version)
{
    if (!rp_world_deltas_keep_rewritten(self, world, version)) {
        rp_world_deltas_keep_none(world);
    }
}

bool rp_handle_overlay(rp_call_t *call)
{
    const Replan__V1__Overlay *overlay = call->request->overlay;
    rp_serving_t *self = call->serving;
    rp_served_t *world = rp_call_world(call, overlay->world);
    if (world == NULL || !rp_acknowledge_may_await(call, "overlay.wait", overlay->wait)) {
        return true;
    }
    if (overlay->n_ids != 0 && !rp_world_quota_takes_shapes(self, world, &call->refusal)) {
        return true;
    }
    rp_overlay_edit_t edit = rp_decode_overlay(&self->arena, overlay, self->now.steady_us);
    edit.staged_edit = rp_prepared_staged_edit(call->prepared);
    const rp_cause_t cause = {overlay->source_us, self->now.wall_us};
    uint64_t version = 0;
    const rp_status_t status = edit.shapes != NULL
                                   ? rp_host_overlay(self->host, world->id, &edit, cause, &version)
                                   : RP_E_MEMORY;
    if (status != RP_OK) {
        return refuse(call, world, status);
    }
    rp_world_quota_note_shapes(self, world);
    world->changed_us = self->now.steady_us;
    rp_serving_note_change(self, world, 0);
    keep_shapes_delta(self, world, version);
    if (self->state != NULL &&
        !rp_last_request_overlay(&world->shapes, overlay, self->now.wall_us, self->now.steady_us)) {
        rp_log(RP_LOG_WARN, "state", "world=%s lost=shapes error=\"no memory\"", world->name);
    }
    return rp_acknowledge_version(call, world, version, overlay->wait);
}

void rp_expire_shapes(rp_serving_t *self)
{
    for (rp_served_t *world = self->worlds.by_name; world != NULL; world = world->hh.next) {
        uint64_t version = 0;
        const rp_cause_t cause = {0, self->now.wall_us};
        if (rp_host_expire(self->host, world->id, self->now.steady_us, cause, &version)) {
            rp_world_quota_note_shapes(self, world);
            world->changed_us = self->now.steady_us;
            keep_shapes_delta(self, world, version);
            rp_state_note_expired(self, world);
        }
    }
}
