/// Bytes to the journal, words to where they can be read, and what takes time of each kind.
#include "daemon/requests/staged_request.h"

#include <stdlib.h>
#include <string.h>

#include "daemon/requests/handlers.h"
#include "daemon/requests/state.h"
#include "daemon/requests/world_quota.h"

/// Bytes that are noted, and that are copied to fresh pages or moved, in the time of an expansion:
/// half of a step's budget is half a megabyte, or a whole one, which takes a millisecond or two.
#define NOTED_EACH 128u
#define MOVED_EACH 256u

/// Cells that are told anew, in the time of an expansion.
#define PLACED_EACH 8u

// ---- what is long

bool rp_poses_are_long(const rp_daemon_t *self, size_t count)
{
    return count > self->long_from / RP_POSE_BYTES;
}

/// Shapes take long that are many, or the first ones of a large world: what stands beneath them is
/// copied.
static bool are_long(const rp_daemon_t *self, const Replan__V1__Overlay *put)
{
    const rp_served_t *world = rp_worlds_find(&self->worlds, put->world);
    const bool are_first = world != NULL && !rp_engine_has_shapes(self->engine, world->id);
    return put->n_ids > self->long_from / RP_SHAPE_BYTES ||
           (put->n_ids != 0 && are_first &&
            (size_t)world->options.width * world->options.height >= self->long_from);
}

/// A window takes long that is large, unless it keeps its sides: then bytes move where they are.
static bool is_long_window(const rp_daemon_t *self, const Replan__V1__Resize *resize)
{
    const rp_window_t window = rp_window_of(resize);
    const rp_served_t *world = rp_worlds_find(&self->worlds, resize->world);
    const bool keeps_sides = world != NULL && window.width == world->options.width &&
                             window.height == world->options.height;
    return !keeps_sides && (size_t)window.width * window.height >= self->long_from;
}

bool rp_request_is_long(const rp_daemon_t *self, const Replan__V1__Request *request, size_t size)
{
    switch (request->body_case) {
    case REPLAN__V1__REQUEST__BODY_APPLY:
    case REPLAN__V1__REQUEST__BODY_CREATE_WORLD:
        return size >= self->long_from;
    case REPLAN__V1__REQUEST__BODY_SET_POSES:
        return rp_poses_are_long(self, request->set_poses->n_handles);
    case REPLAN__V1__REQUEST__BODY_OVERLAY:
        return are_long(self, request->overlay);
    case REPLAN__V1__REQUEST__BODY_RESIZE:
        return size >= self->long_from || is_long_window(self, request->resize);
    default:
        return false;
    }
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
static bool note_part(rp_daemon_t *daemon, const rp_queued_t *queued, uint64_t *budget)
{
    rp_staged_request_t *self = queued->staged;
    const rp_shared_buffer_t *buffer = queued->buffer;
    const size_t size = next_part(buffer->size, self->noted, budget, NOTED_EACH);
    if (!rp_state_note_part(daemon, buffer->bytes + self->noted, size, self->noted == 0)) {
        self->is_lost = true;
        return queued->inbound.kind != RP_INBOUND_REQUEST ||
               rp_refuse(&self->refusal, REPLAN__V1__STATUS__LIMIT, "nothing was done: %s",
                         rp_state_reason(daemon));
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
static bool find_shift(const rp_daemon_t *daemon, rp_staged_request_t *self)
{
    const Replan__V1__Change *change = self->change;
    const rp_served_t *world = rp_worlds_find(&daemon->worlds, change->world);
    self->edit = rp_edit_of(change);
    if (world == NULL) {
        return true; // its handler will say so
    }
    if (!rp_window_shift_find(daemon, world, "change", change->epoch, change->window, &self->shift,
                              &self->refusal)) {
        return false;
    }
    self->has_shift = !rp_window_shift_is_none(&self->shift);
    if (self->has_shift && !rp_rectangle_is_inside(change, &self->shift.from, &self->refusal)) {
        return false;
    }
    self->dropped = self->has_shift ? rp_window_shift_rectangle(&self->shift, &self->edit) : 0;
    self->edit.cell_count = self->has_shift ? 0 : self->edit.cell_count;
    return true;
}

/// Make the next cells those of the newest window; those that are dropped make room.
/// @return false when one is refused
static bool place_part(rp_staged_request_t *self, size_t count)
{
    uint32_t *cells = self->change->cells;
    uint8_t *values = (uint8_t *)self->edit.values; // they lie in the buffer
    for (const size_t end = self->placed + count; self->placed < end; self->placed++) {
        if (!rp_cell_is_inside(self->change, self->placed, &self->shift.from, &self->refusal)) {
            return false;
        }
        if (values != NULL) {
            values[self->edit.cell_count] = values[self->placed];
        }
        const bool is_kept =
            rp_window_shift_cell(&self->shift, cells[self->placed], &cells[self->edit.cell_count]);
        self->edit.cell_count += is_kept;
        self->dropped += !is_kept;
    }
    return true;
}

/// @return true when all cells are those of the newest window, or one is refused
static bool place_cells(const rp_daemon_t *daemon, rp_staged_request_t *self, uint64_t *budget)
{
    const size_t count = self->change->n_cells;
    if (!self->is_begun) {
        self->is_begun = true;
        if (!find_shift(daemon, self)) {
            return true;
        }
        self->edit.cells = self->change->cells;
    }
    while (self->has_shift && self->placed < count && *budget != 0) {
        if (!place_part(self, next_part(count - self->placed, 0, budget, PLACED_EACH))) {
            return true;
        }
    }
    self->is_placed = self->has_shift && self->placed == count;
    return !self->has_shift || self->is_placed;
}

static void begin_staged_edit(rp_daemon_t *daemon, rp_staged_request_t *self)
{
    rp_staged_kind_t what = {.edit = NULL};
    const char *name;
    if (self->change != NULL) {
        what.edit = &self->edit;
        name = self->change->world;
    } else if (self->put != NULL) {
        self->overlay = rp_overlay_edit_of(&self->arena, self->put, daemon->now.steady_us);
        what.overlay = &self->overlay;
        name = self->put->world;
    } else {
        self->window = rp_window_of(self->resize);
        what.window = &self->window;
        name = self->resize->world;
    }
    const rp_served_t *world = rp_worlds_find(&daemon->worlds, name);
    if (world != NULL && what.window != NULL &&
        !rp_world_quota_has_room(daemon, world,
                                 (uint64_t)self->window.width * self->window.height)) {
        return; // its handler refuses it
    }
    if (world != NULL && (what.overlay == NULL || self->overlay.shapes != NULL)) {
        (void)rp_host_stage(daemon->host, world->id, &what, &self->staged_edit);
    }
}

/// @return true when it is ready, or there cannot be one: then what came is handled as any
static bool staged_edit(rp_daemon_t *daemon, rp_staged_request_t *self, uint64_t *budget)
{
    if (!self->has_staged_edit) {
        begin_staged_edit(daemon, self);
        self->has_staged_edit = true;
    }
    return self->staged_edit == NULL || !rp_staged_edit_work(self->staged_edit, budget);
}

static bool copy_world(rp_staged_request_t *self, uint64_t *budget)
{
    const ProtobufCBinaryData *data = &self->create->data;
    if (self->bytes == NULL) {
        self->bytes = malloc(data->len);
    }
    while (self->bytes != NULL && self->copied < data->len && *budget != 0) {
        const size_t size = next_part(data->len, self->copied, budget, MOVED_EACH);
        memcpy(self->bytes + self->copied, data->data + self->copied, size);
        self->copied += size;
    }
    return self->bytes == NULL || self->copied == data->len;
}

static bool take_poses(rp_daemon_t *daemon, const rp_queued_t *queued, uint64_t *budget)
{
    rp_staged_request_t *self = queued->staged;
    if (queued->inbound.kind == RP_INBOUND_POSE && self->posed == 0) {
        rp_leave_out_stale(daemon, self->poses, &self->stale);
    }
    return !rp_take_poses(daemon, self->poses, &self->posed, budget, &self->refusal) ||
           self->posed == self->poses->n_handles;
}

bool rp_staged_request_is_in_parts(const rp_staged_request_t *self)
{
    return self->change != NULL || self->create != NULL ||
           (self->resize != NULL && self->resize->rect_data.len >= RP_STAGED_FROM_BYTES / 2u);
}

bool rp_staged_request_work(rp_daemon_t *daemon, const rp_queued_t *queued, uint64_t *budget)
{
    rp_staged_request_t *self = queued->staged;
    if (self->refusal.status != REPLAN__V1__STATUS__OK) {
        return true;
    }
    const bool is_kept = daemon->state != NULL && rp_staged_request_is_in_parts(self);
    while (is_kept && !self->is_lost && self->noted < queued->buffer->size) {
        if (*budget == 0) {
            return false;
        }
        if (!note_part(daemon, queued, budget)) {
            return true;
        }
    }
    if (self->change != NULL) {
        return move_cells(self, budget) && place_cells(daemon, self, budget) &&
               (self->refusal.status != REPLAN__V1__STATUS__OK ||
                staged_edit(daemon, self, budget));
    }
    if (self->create != NULL) {
        return self->create->data.len == 0 || copy_world(self, budget);
    }
    return self->poses != NULL ? take_poses(daemon, queued, budget)
                               : staged_edit(daemon, self, budget);
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
    rp_arena_init(&self->arena, RP_LIMIT_ARENA_BYTES);
    self->message = rp_codec_unpack_in_place(&self->arena, type_of(queued), queued->buffer->bytes,
                                             queued->buffer->size);
    if (self->message == NULL) { // it was unpacked before: only memory can be missing
        rp_staged_request_destroy(&self);
        return NULL;
    }
    find_body(self, queued);
    return self;
}

void rp_staged_request_destroy(rp_staged_request_t **self)
{
    rp_staged_request_t *staged = *self;
    if (staged != NULL) {
        rp_staged_edit_destroy(&staged->staged_edit);
        rp_arena_fini(&staged->arena);
        free(staged->bytes);
        free(staged);
        *self = NULL;
    }
}
