/// Bytes to the journal, words to where they can be read, and what takes time of each kind.
#include "daemon/requests/staged_request.h"

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "daemon/requests/handlers/handle_watch.h"
#include "daemon/rules/agents.h"
#include "daemon/rules/decode.h"
#include "daemon/rules/state.h"
#include "daemon/rules/world_quota.h"

/// Bytes that are noted, and that are copied to fresh pages or moved, in the time of an expansion:
/// half of a step's budget is half a megabyte, or a whole one, which takes a millisecond or two.
#define NOTED_EACH 128u
#define MOVED_EACH 256u

/// Cells that are told anew, in the time of an expansion.
#define PLACED_EACH 8u

/// Expansions that take as long as closing an agent.
#define CLOSED_PRICE 12u

/// Watches that are looked through for an agent that goes, in the time of an expansion.
#define LOOKED_THROUGH_EACH 8u

// ---- what is long

bool rp_staged_request_has_many_bytes(const rp_serving_t *serving,
                                      const Replan__V1__Request *request, size_t size,
                                      size_t long_from)
{
    (void)serving;
    (void)request;
    return size >= long_from;
}

bool rp_staged_request_are_many(size_t count, size_t long_from)
{
    return count > long_from / RP_POSE_BYTES;
}

bool rp_staged_request_has_many_poses(const rp_serving_t *serving,
                                      const Replan__V1__Request *request, size_t size,
                                      size_t long_from)
{
    (void)serving;
    (void)size;
    return rp_staged_request_are_many(request->set_poses->n_handles, long_from);
}

bool rp_staged_request_has_many_sent(const rp_serving_t *serving,
                                     const Replan__V1__Request *request, size_t size,
                                     size_t long_from)
{
    (void)size;
    return rp_orders_are_many(serving, request->order, long_from / RP_POSE_BYTES);
}

bool rp_staged_request_has_many_agents(const rp_serving_t *serving,
                                       const Replan__V1__Request *request, size_t size,
                                       size_t long_from)
{
    const rp_served_t *world = rp_worlds_find(&serving->worlds, request->remove_world->world);
    (void)size;
    return world != NULL && rp_staged_request_are_many(world->agent_count, long_from);
}

/// Shapes take long that are many, or the first ones of a large world: what stands beneath them is
/// copied.
bool rp_staged_request_has_many_shapes(const rp_serving_t *serving,
                                       const Replan__V1__Request *request, size_t size,
                                       size_t long_from)
{
    const Replan__V1__Overlay *put = request->overlay;
    const rp_served_t *world = rp_worlds_find(&serving->worlds, put->world);
    const bool are_first = world != NULL && !rp_engine_has_shapes(serving->engine, world->id);
    (void)size;
    return put->n_ids > long_from / RP_SHAPE_BYTES ||
           (put->n_ids != 0 && are_first &&
            (size_t)world->options.width * world->options.height >= long_from);
}

/// A window takes long that is large, unless it keeps its sides: then bytes move where they are.
bool rp_staged_request_has_large_window(const rp_serving_t *serving,
                                        const Replan__V1__Request *request, size_t size,
                                        size_t long_from)
{
    const rp_window_t window = rp_decode_resize(request->resize);
    const rp_served_t *world = rp_worlds_find(&serving->worlds, request->resize->world);
    const bool keeps_sides = world != NULL && window.width == world->options.width &&
                             window.height == world->options.height;
    return size >= long_from || (!keeps_sides && (size_t)window.width * window.height >= long_from);
}

// ---- its parts

/// The next part of so many bytes, as large as the budget, which is spent for it.
/// @param done  of them, so far
static size_t next_part(size_t bytes, size_t done, uint64_t *budget, unsigned each)
{
    const size_t left = bytes - done;
    const uint64_t price = left / each + 1u;
    const size_t part = *budget < price ? (size_t)*budget * each : left;
    *budget -= *budget < price ? *budget : price;
    return part;
}

/// @return false when a request cannot be kept
static bool note_part(rp_serving_t *serving, const rp_queued_t *queued, uint64_t *budget)
{
    rp_staged_request_t *self = queued->staged;
    const rp_shared_buffer_t *buffer = queued->buffer;
    const size_t size = next_part(buffer->size, self->noted, budget, NOTED_EACH);
    if (!rp_state_note_part(serving, buffer->bytes + self->noted, size, self->noted == 0)) {
        self->is_lost = true;
        return queued->inbound.kind != RP_INBOUND_REQUEST ||
               rp_refuse(&self->refusal, REPLAN__V1__STATUS__LIMIT, "nothing was done: %s",
                         rp_state_reason(serving));
    }
    self->noted += size;
    return true;
}

/// Cells of a change that stand at an odd address come to the even one before it: what stood there
/// said how many there are. @return true when they are there
static bool move_cells(rp_staged_request_t *self, uint64_t *budget)
{
    uint8_t *from = (uint8_t *)self->change->cells;
    const size_t odd = (uintptr_t)from % sizeof(uint32_t);
    const size_t bytes = odd != 0 ? self->change->n_cells * sizeof(uint32_t) : 0;
    while (self->moved < bytes && *budget != 0) {
        const size_t size = next_part(bytes, self->moved, budget, MOVED_EACH);
        memmove(from + self->moved - odd, from + self->moved, size);
        self->moved += size;
    }
    if (self->moved < bytes) {
        return false;
    }
    self->change->cells = (void *)(from - odd);
    return true;
}

/// Find the window that the change names. @return false when it is refused
static bool find_shift(const rp_serving_t *serving, rp_staged_request_t *self)
{
    const Replan__V1__Change *change = self->change;
    const rp_served_t *world = rp_worlds_find(&serving->worlds, change->world);
    self->prepared.edit = rp_decode_change(change);
    if (world == NULL) {
        return true; // its handler will say so
    }
    if (!rp_window_shift_find(serving, world, "change", change->epoch, change->window, &self->shift,
                              &self->refusal)) {
        return false;
    }
    self->has_shift = !rp_window_shift_is_none(&self->shift);
    if (self->has_shift && !rp_rectangle_is_inside(change, &self->shift.from, &self->refusal)) {
        return false;
    }
    self->prepared.dropped =
        self->has_shift ? rp_window_shift_rectangle(&self->shift, &self->prepared.edit) : 0;
    self->prepared.edit.cell_count = self->has_shift ? 0 : self->prepared.edit.cell_count;
    return true;
}

/// Make the next cells those of the newest window; those that are dropped make room.
/// @return false when one is refused
static bool place_part(rp_staged_request_t *self, size_t count)
{
    uint32_t *cells = self->change->cells;
    uint8_t *values = (uint8_t *)self->prepared.edit.values; // they lie in the buffer
    for (const size_t end = self->placed + count; self->placed < end; self->placed++) {
        if (!rp_cell_is_inside(self->change, self->placed, &self->shift.from, &self->refusal)) {
            return false;
        }
        if (values != NULL) {
            values[self->prepared.edit.cell_count] = values[self->placed];
        }
        const bool is_kept = rp_window_shift_cell(&self->shift, cells[self->placed],
                                                  &cells[self->prepared.edit.cell_count]);
        self->prepared.edit.cell_count += is_kept;
        self->prepared.dropped += !is_kept;
    }
    return true;
}

/// @return true when all cells are those of the newest window, or one is refused
static bool place_cells(const rp_serving_t *serving, rp_staged_request_t *self, uint64_t *budget)
{
    const size_t count = self->change->n_cells;
    if (!self->is_begun) {
        self->is_begun = true;
        if (!find_shift(serving, self)) {
            return true;
        }
        self->prepared.edit.cells = self->change->cells;
    }
    while (self->has_shift && self->placed < count && *budget != 0) {
        if (!place_part(self, next_part(count - self->placed, 0, budget, PLACED_EACH))) {
            return true;
        }
    }
    self->prepared.is_placed = self->has_shift && self->placed == count;
    return !self->has_shift || self->prepared.is_placed;
}

static void begin_staged_edit(rp_serving_t *serving, rp_staged_request_t *self)
{
    rp_staged_kind_t what = {.edit = NULL};
    const char *name;
    if (self->change != NULL) {
        what.edit = &self->prepared.edit;
        name = self->change->world;
    } else if (self->put != NULL) {
        self->overlay = rp_decode_overlay(&self->arena, self->put, serving->now.steady_us);
        what.overlay = &self->overlay;
        name = self->put->world;
    } else {
        self->window = rp_decode_resize(self->resize);
        what.window = &self->window;
        name = self->resize->world;
    }
    const rp_served_t *world = rp_worlds_find(&serving->worlds, name);
    if (world != NULL && what.window != NULL &&
        !rp_world_quota_has_room(serving, world,
                                 (uint64_t)self->window.width * self->window.height)) {
        return; // its handler refuses it
    }
    if (world != NULL && (what.overlay == NULL || self->overlay.shapes != NULL)) {
        (void)rp_host_stage(serving->host, world->id, &what, &self->prepared.staged_edit);
    }
}

/// @return true when it is ready, or there cannot be one: then what came is handled as any
static bool stage_edit(rp_serving_t *serving, rp_staged_request_t *self, uint64_t *budget)
{
    if (!self->has_staged_edit) {
        begin_staged_edit(serving, self);
        self->has_staged_edit = true;
    }
    return self->prepared.staged_edit == NULL ||
           !rp_staged_edit_work(self->prepared.staged_edit, budget);
}

static bool copy_world(rp_staged_request_t *self, uint64_t *budget)
{
    const ProtobufCBinaryData *data = &self->create->data;
    if (self->prepared.bytes == NULL) {
        self->prepared.bytes = malloc(data->len);
    }
    while (self->prepared.bytes != NULL && self->copied < data->len && *budget != 0) {
        const size_t size = next_part(data->len, self->copied, budget, MOVED_EACH);
        memcpy(self->prepared.bytes + self->copied, data->data + self->copied, size);
        self->copied += size;
    }
    return self->prepared.bytes == NULL || self->copied == data->len;
}

static bool take_poses(rp_serving_t *serving, const rp_queued_t *queued, uint64_t *budget)
{
    rp_staged_request_t *self = queued->staged;
    if (queued->inbound.kind == RP_INBOUND_POSE && self->prepared.posed == 0) {
        rp_agents_leave_out_stale(serving, self->poses, &self->stale);
    }
    return !rp_agents_take_poses(serving, self->poses, &self->prepared.posed, budget,
                                 &self->refusal) ||
           self->prepared.posed == self->poses->n_handles;
}

/// @return true when every agent had its turn, or the order is refused
static bool take_order(rp_serving_t *serving, const rp_queued_t *queued, uint64_t *budget)
{
    rp_staged_request_t *self = queued->staged;
    rp_order_progress_t *progress = &self->prepared.order;
    if (progress->found == 0 && !rp_state_has_room(serving, queued->buffer->size)) {
        return !rp_refuse(&self->refusal, REPLAN__V1__STATUS__LIMIT, "nothing was done: %s",
                          rp_state_reason(serving));
    }
    return !rp_orders_take(serving, self->order, progress, budget, &self->refusal) ||
           rp_order_is_taken(progress, self->order);
}

/// End the watches of a world that goes, which are to see none of it, then close its agents.
/// @return true when none is left
static bool close_agents(rp_serving_t *serving, const rp_staged_request_t *self, uint64_t *budget)
{
    const rp_served_t *world = rp_worlds_find(&serving->worlds, self->remove->world);
    if (world != NULL) {
        rp_end_watches(serving, world);
    }
    while (world != NULL && world->agents != NULL && *budget != 0) {
        rp_agents_close(serving, world->agents);
        rp_budget_pay(budget, CLOSED_PRICE + serving->watches.count / LOOKED_THROUGH_EACH);
    }
    return world == NULL || world->agents == NULL;
}

bool rp_staged_request_is_in_parts(const rp_staged_request_t *self)
{
    return self->change != NULL || self->create != NULL || self->remove != NULL ||
           (self->resize != NULL && self->resize->rect_data.len >= RP_STAGED_FROM_BYTES / 2u);
}

bool rp_staged_request_work(rp_serving_t *serving, const rp_queued_t *queued, uint64_t *budget)
{
    rp_staged_request_t *self = queued->staged;
    if (self->refusal.status != REPLAN__V1__STATUS__OK) {
        return true;
    }
    const bool is_kept = serving->state != NULL && rp_staged_request_is_in_parts(self);
    while (is_kept && !self->is_lost && self->noted < queued->buffer->size) {
        if (*budget == 0) {
            return false;
        }
        if (!note_part(serving, queued, budget)) {
            return true;
        }
    }
    if (self->change != NULL) {
        return move_cells(self, budget) && place_cells(serving, self, budget) &&
               (self->refusal.status != REPLAN__V1__STATUS__OK ||
                stage_edit(serving, self, budget));
    }
    if (self->create != NULL) {
        return self->create->data.len == 0 || copy_world(self, budget);
    }
    if (self->remove != NULL) {
        return close_agents(serving, self, budget);
    }
    if (self->order != NULL) {
        return take_order(serving, queued, budget);
    }
    return self->poses != NULL ? take_poses(serving, queued, budget)
                               : stage_edit(serving, self, budget);
}

// ---- birth and death

static const ProtobufCMessageDescriptor *type_of(const rp_queued_t *queued)
{
    switch (queued->inbound.kind) {
    case RP_INBOUND_REQUEST:
        return &replan__v1__request__descriptor;
    case RP_INBOUND_CHANGE:
        return &replan__v1__change__descriptor;
    case RP_INBOUND_POSE:
        break;
    }
    return &replan__v1__poses__descriptor;
}

static void find_requested(rp_staged_request_t *self, const Replan__V1__Request *request)
{
    switch (request->body_case) {
    case REPLAN__V1__REQUEST__BODY_APPLY:
        self->change = request->apply->change;
        break;
    case REPLAN__V1__REQUEST__BODY_CREATE_WORLD:
        self->create = request->create_world;
        break;
    case REPLAN__V1__REQUEST__BODY_OVERLAY:
        self->put = request->overlay;
        break;
    case REPLAN__V1__REQUEST__BODY_RESIZE:
        self->resize = request->resize;
        break;
    case REPLAN__V1__REQUEST__BODY_REMOVE_WORLD:
        self->remove = request->remove_world;
        break;
    case REPLAN__V1__REQUEST__BODY_ORDER:
        self->order = request->order;
        break;
    default:
        self->poses = request->set_poses;
    }
}

/// What it brings of that which takes time.
static void find_body(rp_staged_request_t *self, const rp_queued_t *queued)
{
    if (queued->inbound.kind == RP_INBOUND_CHANGE) {
        self->change = (Replan__V1__Change *)self->message;
        self->change->world = (char *)queued->world;
    } else if (queued->inbound.kind == RP_INBOUND_POSE) {
        Replan__V1__Poses *poses = (Replan__V1__Poses *)self->message;
        poses->world = (char *)queued->world;
        self->poses = poses;
    } else {
        find_requested(self, (const Replan__V1__Request *)self->message);
    }
}

rp_staged_request_t *rp_staged_request_new(const rp_queued_t *queued)
{
    rp_staged_request_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    rp_message_arena_init(&self->arena, RP_LIMIT_ARENA_BYTES);
    self->message = rp_codec_unpack_in_place(&self->arena, type_of(queued), queued->buffer->bytes,
                                             queued->buffer->size);
    if (self->message == NULL) { // it was unpacked before: only memory can be missing
        rp_staged_request_destroy(&self);
        return NULL;
    }
    self->prepared.buffer = queued->buffer;
    find_body(self, queued);
    return self;
}

void rp_staged_request_destroy(rp_staged_request_t **self)
{
    rp_staged_request_t *staged = *self;
    if (staged != NULL) {
        rp_staged_edit_destroy(&staged->prepared.staged_edit);
        rp_message_arena_fini(&staged->arena);
        free(staged->prepared.bytes);
        free(staged);
        *self = NULL;
    }
}
