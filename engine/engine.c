/// The engine: what happens to worlds and sessions, and who becomes unsure by it.
#include "replan/engine.h"

#include <math.h>
#include <stdlib.h>

#include "engine/core.h"
#include "engine/ground/staged_edit.h"
#include "engine/invalidate.h"
#include "engine/session/endpoints.h"

// ---- worlds

rp_status_t rp_engine_open_world(rp_engine_t *self, const rp_world_options_t *options,
                                 rp_world_id_t *world)
{
    if (self == NULL || options == NULL || world == NULL) {
        return RP_E_INVALID;
    }
    const uint32_t place = rp_table_place(&self->worlds);
    if (place == UINT32_MAX) {
        return RP_E_MEMORY;
    }
    rp_world_t *opened;
    rp_roster_t *roster = rp_roster_new();
    const rp_status_t status =
        roster != NULL ? rp_world_new(options, place + 1u, &self->deferred_free, &opened)
                       : RP_E_MEMORY;
    if (status != RP_OK) {
        rp_roster_destroy(&roster);
        return status;
    }
    opened->roster = roster;
    self->worlds.items[place] = opened;
    *world = place + 1u;
    return RP_OK;
}

static void end_session(rp_engine_t *self, rp_session_t *session)
{
    rp_plan_queue_remove(session);
    rp_answer_queue_remove(&self->published, session);
    rp_timers_set(&self->timers, session, RP_NEVER_US);
    rp_frozen_search_forget(&self->frozen, session);
    rp_session_stop_greedy_search(session);
    for (rp_session_t *chaser = session->goal.chasers; chaser != NULL;
         chaser = chaser->goal.chase_next) {
        rp_plan_queue_add(chaser, chaser->world->version, (rp_cause_t){0, 0});
    }
    rp_roster_remove(session);
    rp_table_clear(&self->sessions, session->id);
    self->session_count--;
    rp_session_destroy(&session);
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
        end_session(self, closing->roster->sessions);
    }
    rp_table_clear(&self->worlds, world);
    rp_roster_destroy(&closing->roster);
    rp_world_destroy(&closing);
    return RP_OK;
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
    const rp_status_t status = rp_world_write(changing, edit);
    if (status != RP_OK) {
        return status;
    }
    *version = changing->version;
    rp_world_invalidate(changing, cause);
    return RP_OK;
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
    const rp_status_t status = rp_world_overlay(changing, edit);
    if (status != RP_OK) {
        return status;
    }
    *version = changing->version;
    rp_world_invalidate(changing, cause);
    return RP_OK;
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
                             rp_invalidations_t *wakes)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    if (asked == NULL || wakes == NULL) {
        return false;
    }
    *wakes = asked->roster->invalidations;
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

// ---- sessions

rp_status_t rp_engine_open(rp_engine_t *self, rp_world_id_t world,
                           const rp_session_options_t *options, rp_session_id_t *session)
{
    rp_world_t *home = rp_engine_world(self, world);
    if (home == NULL) {
        return RP_E_UNKNOWN;
    }
    if (options == NULL || session == NULL) {
        return RP_E_INVALID;
    }
    const uint32_t place = rp_table_place(&self->sessions);
    if (place == UINT32_MAX || rp_timers_reserve(&self->timers, self->sessions.capacity) != RP_OK) {
        return RP_E_MEMORY;
    }
    rp_session_t *opened;
    const rp_status_t status = rp_session_new(home, place + 1u, &self->searches, options, &opened);
    if (status != RP_OK) {
        return status;
    }
    self->sessions.items[place] = opened;
    self->session_count++;
    opened->greedy = &self->greedy;
    opened->far = &self->far;
    opened->frozen = &self->frozen;
    rp_roster_add(opened);
    *session = place + 1u;
    return RP_OK;
}

rp_status_t rp_engine_close(rp_engine_t *self, rp_session_id_t session)
{
    rp_session_t *closing = rp_engine_session(self, session);
    if (closing == NULL) {
        return RP_E_UNKNOWN;
    }
    end_session(self, closing);
    return RP_OK;
}

rp_status_t rp_engine_pose(rp_engine_t *self, rp_session_id_t session, double x_m, double y_m,
                           uint64_t pose_seq, rp_cause_t cause)
{
    rp_session_t *moving = rp_engine_session(self, session);
    if (moving == NULL) {
        return RP_E_UNKNOWN;
    }
    if (!isfinite(x_m) || !isfinite(y_m)) {
        return RP_E_INVALID;
    }
    if (pose_seq != 0 && moving->position.has_pose && pose_seq <= moving->position.pose_seq) {
        return RP_OK;
    }
    const rp_cell_t before = moving->position.cell;
    if (rp_session_move(moving, x_m, y_m, pose_seq)) {
        rp_plan_queue_add(moving, moving->world->version, cause);
    }
    for (rp_session_t *chaser = moving->goal.chasers; chaser != NULL;
         chaser = chaser->goal.chase_next) {
        // Within a cell a move counts for those only who measure from where the target is.
        if (moving->position.cell != before || chaser->goal.spec.tolerance_m > 0.0 ||
            chaser->goal.spec.is_nearest) {
            rp_session_lose_goals(chaser);
            rp_plan_queue_add(chaser, chaser->world->version, cause);
        }
    }
    return RP_OK;
}

rp_status_t rp_engine_goals(rp_engine_t *self, rp_session_id_t session,
                            const rp_destination_t *goals, size_t count, uint64_t goal_id,
                            rp_cause_t cause)
{
    const rp_aim_t aim = {.points = goals, .count = count, .goal_id = goal_id};
    return rp_engine_aim(self, session, &aim, cause);
}

/// @param target  written: NULL for 0, or when there is none any more
/// @return RP_E_INVALID for the session itself, or one of another world
static rp_status_t find_target(const rp_engine_t *self, const rp_session_t *chaser,
                               rp_session_id_t id, rp_session_t **target)
{
    *target = rp_engine_session(self, id);
    return *target == chaser || (*target != NULL && (*target)->world != chaser->world)
               ? RP_E_INVALID
               : RP_OK;
}

rp_status_t rp_engine_aim(rp_engine_t *self, rp_session_id_t session, const rp_aim_t *aim,
                          rp_cause_t cause)
{
    rp_session_t *aiming = rp_engine_session(self, session);
    rp_session_t *target = NULL;
    if (aiming == NULL) {
        return RP_E_UNKNOWN;
    }
    if (aim == NULL) {
        return RP_E_INVALID;
    }
    rp_status_t status =
        aim->kind == RP_AIM_TARGET ? find_target(self, aiming, aim->target, &target) : RP_OK;
    status = status == RP_OK ? rp_session_aim(aiming, aim, target) : status;
    if (status == RP_OK) {
        rp_plan_queue_add(aiming, aiming->world->version, cause);
    }
    return status;
}

size_t rp_engine_middle(const rp_destination_t *places, size_t count)
{
    double x_m = 0.0;
    double y_m = 0.0;
    double least = INFINITY;
    size_t middle = 0;
    count = places != NULL ? count : 0u;
    for (size_t i = 0; i < count; i++) {
        x_m += places[i].x_m / (double)count;
        y_m += places[i].y_m / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        const double off = hypot(places[i].x_m - x_m, places[i].y_m - y_m);
        middle = off < least ? i : middle;
        least = off < least ? off : least;
    }
    return middle;
}

rp_status_t rp_engine_retarget(rp_engine_t *self, rp_session_id_t session, rp_session_id_t target,
                               rp_cause_t cause)
{
    rp_session_t *chaser = rp_engine_session(self, session);
    rp_session_t *chased;
    if (chaser == NULL) {
        return RP_E_UNKNOWN;
    }
    if (chaser->goal.spec.kind != RP_AIM_TARGET ||
        find_target(self, chaser, target, &chased) != RP_OK) {
        return RP_E_INVALID;
    }
    rp_session_chase(chaser, chased);
    rp_plan_queue_add(chaser, chaser->world->version, cause);
    return RP_OK;
}

rp_status_t rp_engine_answer(const rp_engine_t *self, rp_session_id_t session, rp_answer_t *answer)
{
    rp_session_t *asked = rp_engine_session(self, session);
    if (asked == NULL) {
        return RP_E_UNKNOWN;
    }
    if (answer == NULL) {
        return RP_E_INVALID;
    }
    rp_session_settle(asked);
    rp_session_answer(asked, answer);
    return RP_OK;
}

bool rp_engine_is_sure(const rp_engine_t *self, rp_session_id_t session)
{
    const rp_session_t *asked = rp_engine_session(self, session);
    return asked != NULL &&
           (!rp_session_is_unsure(asked) || (asked->published.is_provisional &&
                                             asked->published.stands_for == asked->world->version));
}

uint64_t rp_engine_last_published(const rp_engine_t *self, rp_session_id_t session)
{
    const rp_session_t *asked = rp_engine_session(self, session);
    return asked != NULL ? asked->published.version : 0u;
}

// ---- memory

uint64_t rp_engine_ground_bytes(const rp_engine_t *self)
{
    uint64_t bytes = rp_frozen_search_bytes(&self->frozen);
    for (uint32_t place = 0; place < self->worlds.capacity; place++) {
        const rp_world_t *world = self->worlds.items[place];
        bytes += world != NULL ? rp_world_bytes(world) : 0u;
    }
    return bytes;
}

void rp_engine_limit_memory(rp_engine_t *self, uint64_t bytes)
{
    if (self != NULL) {
        self->memory_bytes = bytes;
    }
}

rp_memory_t rp_engine_memory(const rp_engine_t *self)
{
    if (self == NULL) {
        return (rp_memory_t){.evicted = 0};
    }
    rp_memory_t memory = {
        .ground_bytes = rp_engine_ground_bytes(self),
        .search_bytes = self->searches.bytes,
        .rubble_bytes = self->deferred_free.held,
        .evicted = self->searches.evicted,
    };
    for (uint32_t place = 0; place < self->sessions.capacity; place++) {
        const rp_session_t *session = self->sessions.items[place];
        memory.session_bytes += session != NULL ? rp_session_bytes(session) : 0u;
    }
    return memory;
}

// ---- birth and death

rp_status_t rp_engine_new(rp_engine_t **engine)
{
    rp_engine_t *self = engine != NULL ? calloc(1, sizeof *self) : NULL;
    if (self == NULL) {
        return engine != NULL ? RP_E_MEMORY : RP_E_INVALID;
    }
    self->memory_bytes = UINT64_MAX;
    rp_greedy_search_init(&self->greedy, RP_GREEDY_SEARCH_CELLS);
    rp_greedy_search_init(&self->far, RP_GREEDY_SEARCH_FAR);
    *engine = self;
    return RP_OK;
}

void rp_engine_destroy(rp_engine_t **self)
{
    rp_engine_t *engine = self != NULL ? *self : NULL;
    if (engine == NULL) {
        return;
    }
    for (uint32_t place = 0; place < engine->asks.capacity; place++) {
        rp_engine_forget(engine, place + 1u); // first, so that none must copy the rest of its world
    }
    for (uint32_t place = 0; place < engine->worlds.capacity; place++) {
        (void)rp_engine_close_world(engine, place + 1u);
    }
    rp_table_fini(&engine->worlds);
    rp_table_fini(&engine->asks);
    rp_table_fini(&engine->sessions);
    rp_timers_fini(&engine->timers);
    rp_greedy_search_fini(&engine->greedy);
    rp_greedy_search_fini(&engine->far);
    rp_frozen_search_fini(&engine->frozen);
    rp_deferred_free_fini(&engine->deferred_free);
    free(engine);
    *self = NULL;
}
