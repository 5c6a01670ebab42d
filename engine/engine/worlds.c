/// Calls on worlds: what happens to one, and what it is now. Sessions that a version concerns
/// become unsure.
#include "engine/core.h"
#include "engine/ground/staged_edit.h"
#include "engine/invalidate.h"

rp_world_options_t rp_engine_world_defaults(uint32_t width, uint32_t height)
{
    return (rp_world_options_t){
        .width = width, .height = height, .neighbors = 8, .frame = {.resolution_m = 1.0}};
}

rp_status_t rp_engine_open_world(rp_engine_t *self, const rp_world_options_t *options,
                                 rp_world_id_t *world)
{
    if (self == NULL || options == NULL || world == NULL) {
        return RP_E_INVALID;
    }
    uint32_t place;
    rp_world_t *opened;
    rp_roster_t *roster = rp_roster_new();
    rp_status_t status = roster != NULL ? rp_table_take(&self->worlds, &place) : RP_E_MEMORY;
    if (status == RP_OK) {
        status = rp_world_new(options, rp_table_handle(&self->worlds, place), &self->deferred_free,
                              &opened);
    }
    if (status != RP_OK) {
        rp_roster_destroy(&roster);
        return status;
    }
    opened->roster = roster;
    self->worlds.items[place] = opened;
    *world = opened->id;
    return RP_OK;
}

/// A world is to go, or to begin anew: questions that still copy it must be done with it.
static void part_asks(rp_engine_t *self, const rp_world_t *world)
{
    for (uint32_t place = 0; place < self->asks.capacity; place++) {
        rp_query_t *ask = self->asks.items[place];
        if (ask != NULL && ask->world == world) {
            rp_query_part(ask);
        }
    }
}

rp_status_t rp_engine_close_world(rp_engine_t *self, rp_world_id_t world)
{
    rp_world_t *closing = rp_engine_world(self, world);
    if (closing == NULL) {
        return RP_E_UNKNOWN;
    }
    part_asks(self, closing);
    while (closing->roster->sessions != NULL) {
        rp_engine_end_session(self, closing->roster->sessions);
    }
    rp_table_clear(&self->worlds, world);
    rp_roster_destroy(&closing->roster);
    rp_world_destroy(&closing);
    return RP_OK;
}

/// What was written is a version, and may affect sessions.
static rp_status_t conclude(rp_world_t *changed, rp_status_t written, rp_cause_t cause,
                            uint64_t *version)
{
    if (written == RP_OK) {
        *version = changed->version;
        rp_world_invalidate(changed, cause);
    }
    return written;
}

rp_status_t rp_engine_apply(rp_engine_t *self, rp_world_id_t world, const rp_edit_t *edit,
                            rp_cause_t cause, uint64_t *version)
{
    rp_world_t *changing = rp_engine_world(self, world);
    if (changing == NULL) {
        return RP_E_UNKNOWN;
    }
    if (edit == NULL || version == NULL) {
        return RP_E_INVALID;
    }
    return conclude(changing, rp_world_write(changing, edit), cause, version);
}

rp_status_t rp_engine_stage(rp_engine_t *self, rp_world_id_t world, const rp_staged_kind_t *what,
                            rp_staged_edit_t **staged_edit)
{
    rp_world_t *changing = rp_engine_world(self, world);
    if (changing == NULL) {
        return RP_E_UNKNOWN;
    }
    return what != NULL && staged_edit != NULL ? rp_staged_edit_new(changing, what, staged_edit)
                                               : RP_E_INVALID;
}

rp_status_t rp_engine_overlay(rp_engine_t *self, rp_world_id_t world, const rp_overlay_edit_t *edit,
                              rp_cause_t cause, uint64_t *version)
{
    rp_world_t *changing = rp_engine_world(self, world);
    if (changing == NULL) {
        return RP_E_UNKNOWN;
    }
    if (edit == NULL || version == NULL) {
        return RP_E_INVALID;
    }
    return conclude(changing, rp_world_overlay(changing, edit), cause, version);
}

bool rp_engine_expire(rp_engine_t *self, rp_world_id_t world, uint64_t now_us, rp_cause_t cause,
                      uint64_t *version)
{
    rp_world_t *changing = rp_engine_world(self, world);
    if (changing == NULL || version == NULL || !rp_world_expire(changing, now_us)) {
        return false;
    }
    *version = changing->version;
    rp_world_invalidate(changing, cause);
    return true;
}

/// True when no session with motion gets too many poses there.
static bool has_room(const rp_world_t *self, const rp_window_t *window)
{
    const uint64_t cells = (uint64_t)window->width * window->height;
    const rp_session_t *session = self->roster->sessions;
    while (session != NULL &&
           (session->driver == NULL || rp_driver_has_room(session->driver, cells))) {
        session = session->world_next;
    }
    return session == NULL || cells <= self->cells || window->is_judged;
}

rp_status_t rp_engine_resize(rp_engine_t *self, rp_world_id_t world, const rp_window_t *window,
                             rp_cause_t cause, uint64_t *version)
{
    rp_world_t *changing = rp_engine_world(self, world);
    if (changing == NULL) {
        return RP_E_UNKNOWN;
    }
    if (window == NULL || version == NULL) {
        return RP_E_INVALID;
    }
    rp_placed_t placed;
    rp_status_t status = rp_windows_place(&changing->windows, &changing->frame, window, &placed);
    if (status == RP_OK && !has_room(changing, window)) {
        status = RP_E_LIMIT;
    }
    if (status != RP_OK) {
        return status;
    }
    part_asks(self, changing);
    rp_world_t *before;
    status = rp_world_resize(changing, &placed, &before);
    if (status != RP_OK) {
        return status;
    }
    const rp_grid_t *old = before != NULL ? before->layers[0]->grid : changing->layers[0]->grid;
    for (rp_session_t *session = before != NULL ? changing->roster->sessions : NULL;
         session != NULL; session = session->world_next) {
        rp_session_forget(session);
    }
    for (uint32_t i = 0; before != NULL && i < changing->layer_count; i++) {
        rp_audience_rebind(changing->layers[i]);
    }
    for (rp_session_t *session = changing->roster->sessions; session != NULL;
         session = session->world_next) {
        rp_session_resize(session, old, &placed.window);
        rp_plan_queue_add(session, changing->version - 1u, cause);
    }
    rp_world_destroy(&before);
    *version = changing->version;
    return RP_OK;
}

rp_status_t rp_engine_place(const rp_engine_t *self, rp_world_id_t world, const rp_window_t *window,
                            rp_known_window_t *known)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    rp_placed_t placed;
    if (asked == NULL) {
        return RP_E_UNKNOWN;
    }
    if (window == NULL || known == NULL) {
        return RP_E_INVALID;
    }
    const rp_status_t status = rp_windows_place(&asked->windows, &asked->frame, window, &placed);
    if (status == RP_OK) {
        *known = rp_windows_next(&asked->windows, &placed);
    }
    return status;
}

bool rp_engine_find_unstated(const rp_engine_t *self, rp_world_id_t world,
                             const rp_window_t *window, uint32_t *x, uint32_t *y)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    rp_placed_t placed = {.window.rect_count = 0};
    if (asked == NULL || window == NULL || x == NULL || y == NULL) {
        return false;
    }
    (void)rp_windows_place(&asked->windows, &asked->frame, window, &placed);
    const rp_known_window_t *newest = rp_windows_find(&asked->windows, 0);
    return rp_window_find_unstated(&placed.window, newest->width, newest->height, x, y);
}

const rp_known_window_t *rp_engine_window(const rp_engine_t *self, rp_world_id_t world,
                                          uint64_t number)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    return asked != NULL ? rp_windows_find(&asked->windows, number) : NULL;
}

const rp_windows_t *rp_engine_windows(const rp_engine_t *self, rp_world_id_t world)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    return asked != NULL ? &asked->windows : NULL;
}

bool rp_engine_rewritten(const rp_engine_t *self, rp_world_id_t world, rp_edit_t *edit)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    if (asked == NULL || edit == NULL || !asked->rewritten_is_kept) {
        return false;
    }
    *edit = (rp_edit_t){
        .cells = asked->rewritten_cells,
        .values = asked->rewritten_values,
        .cell_count = asked->rewritten_count,
    };
    return true;
}

uint64_t rp_engine_version(const rp_engine_t *self, rp_world_id_t world)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    return asked != NULL ? asked->version : 0u;
}

bool rp_engine_invalidations(const rp_engine_t *self, rp_world_id_t world,
                             rp_invalidations_t *invalidations)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    if (asked == NULL || invalidations == NULL) {
        return false;
    }
    *invalidations = asked->roster->invalidations;
    return true;
}

const uint8_t *rp_engine_bytes(const rp_engine_t *self, rp_world_id_t world)
{
    rp_world_t *asked = rp_engine_world(self, world);
    if (asked == NULL) {
        return NULL;
    }
    rp_world_complete(asked);
    return asked->bytes;
}

const uint8_t *rp_engine_beneath(const rp_engine_t *self, rp_world_id_t world)
{
    const uint8_t *bytes = rp_engine_bytes(self, world);
    return bytes != NULL && rp_engine_world(self, world)->overlay.base != NULL
               ? rp_engine_world(self, world)->overlay.base
               : bytes;
}

bool rp_engine_has_shapes(const rp_engine_t *self, rp_world_id_t world)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    return asked != NULL && asked->overlay.base != NULL;
}

bool rp_engine_placed_shape(const rp_engine_t *self, rp_world_id_t world, size_t index,
                            rp_shape_t *shape)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    if (asked == NULL || shape == NULL || index >= asked->overlay.count) {
        return false;
    }
    const rp_placed_shape_t *placed = &asked->overlay.stack[index];
    *shape = (rp_shape_t){
        .id = placed->id,
        .corners = placed->outline->corners,
        .x_m = placed->outline->x,
        .y_m = placed->outline->y,
        .radius_m = placed->outline->radius,
        .expires_us = placed->expires_us != UINT64_MAX ? placed->expires_us : 0,
        .byte = placed->byte,
    };
    return true;
}

bool rp_engine_shape(const rp_engine_t *self, rp_world_id_t world, uint32_t *width,
                     uint32_t *height, rp_frame_t *frame)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    if (asked == NULL || width == NULL || height == NULL || frame == NULL) {
        return false;
    }
    *width = asked->layers[0]->grid->shape.width;
    *height = asked->layers[0]->grid->shape.height;
    *frame = asked->frame;
    return true;
}

const char *rp_engine_profile(const rp_engine_t *self, rp_world_id_t world)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    return asked != NULL ? asked->layers[0]->profile.name : NULL;
}

bool rp_engine_own_profile(const rp_engine_t *self, rp_world_id_t world, size_t index,
                           rp_profile_options_t *profile)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    if (asked == NULL || profile == NULL || index >= asked->profile_count) {
        return false;
    }
    const rp_profile_t *own = &asked->profiles[index];
    *profile = (rp_profile_options_t){
        .name = own->name,
        .factors = own->factor,
        .unit = own->unit,
        .unknown = own->factor[RP_BYTE_UNKNOWN] == 0 ? RP_UNKNOWN_BLOCKED : RP_UNKNOWN_FACTOR,
        .unknown_factor = own->factor[RP_BYTE_UNKNOWN],
        .inscribed = own->inscribed,
        .inscribed_count = own->inscribed_count,
    };
    return true;
}

rp_status_t rp_engine_judge_body(const rp_engine_t *self, rp_world_id_t world,
                                 const rp_body_t *body)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    if (asked == NULL) {
        return RP_E_UNKNOWN;
    }
    return body != NULL ? rp_world_judge_body(asked, body) : RP_E_INVALID;
}

uint64_t rp_engine_layer_key(const rp_engine_t *self, rp_world_id_t world, const rp_body_t *body)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    return asked != NULL && body != NULL ? rp_world_layer_key(asked, body) : 0u;
}

uint32_t rp_engine_layers(const rp_engine_t *self, rp_world_id_t world)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    return asked != NULL ? asked->layer_count : 0u;
}

uint64_t rp_engine_shape_bytes(const rp_engine_t *self, rp_world_id_t world)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    return asked != NULL && asked->overlay.base != NULL
               ? asked->cells + asked->cells / 8u + rp_overlay_stack_bytes(&asked->overlay)
               : 0u;
}

uint64_t rp_engine_hash(const rp_engine_t *self, rp_world_id_t world)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    return asked != NULL && rp_world_is_counted(asked) ? asked->hash : 0u;
}

rp_status_t rp_engine_set_world_user(rp_engine_t *self, rp_world_id_t world, void *user)
{
    rp_world_t *found = rp_engine_world(self, world);
    if (found == NULL) {
        return RP_E_UNKNOWN;
    }
    found->user = user;
    return RP_OK;
}

void *rp_engine_world_user(const rp_engine_t *self, rp_world_id_t world)
{
    const rp_world_t *found = rp_engine_world(self, world);
    return found != NULL ? found->user : NULL;
}
