/// Shapes on a world. An edit is prepared completely (the cells of new shapes, room for
/// everything); then the stack changes, then the bytes that it shows (compose.c).
#include "engine/ground/world_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "engine/ground/compose.h"
#include "engine/ground/staged_edit.h"

/// An edit that compares more pairs of shapes composes the whole stack anew, from the lowest shape
/// up, which takes a tenth of a nanosecond a cell.
#define HELD_MOST 65536u

/// Up to so many cells of such an edit are listed as rewritten (rp_engine_rewritten()); of more
/// none are.
#define LISTED_MOST ((size_t)1 << 19)

// ---- the shapes of an edit

/// A shape as it was put. @return false when that is none, or not finite
static bool outline_of(const rp_shape_t *shape, rp_outline_t *outline)
{
    if (shape->x_m == NULL || shape->y_m == NULL || (shape->corners != 1 && shape->corners < 3) ||
        shape->corners > RP_CORNERS_MAX || !isfinite(shape->radius_m) || shape->radius_m < 0.0) {
        return false;
    }
    outline->corners = shape->corners;
    outline->radius = shape->radius_m;
    outline->snap = 0.0;
    memcpy(outline->x, shape->x_m, shape->corners * sizeof(double));
    memcpy(outline->y, shape->y_m, shape->corners * sizeof(double));
    return true;
}

/// Metres of the frame to cells. @return false when they are not finite
static bool to_cells(const rp_world_t *world, const rp_outline_t *metres, rp_outline_t *cells)
{
    const double reach_m = metres->corners == 1 ? metres->radius : 0.0;
    cells->corners = metres->corners;
    cells->radius = metres->radius / world->frame.resolution_m;
    cells->snap = 0.0;
    for (uint32_t i = 0; i < metres->corners; i++) {
        const double x_m = metres->x[i];
        const double y_m = metres->y[i];
        const double snap = rp_world_snap_at(world, fabs(x_m) + reach_m, fabs(y_m) + reach_m);
        cells->snap = fmax(cells->snap, snap);
        rp_world_point_at(world, x_m, y_m, &cells->x[i], &cells->y[i]);
        if (!isfinite(cells->x[i]) || !isfinite(cells->y[i])) {
            return false;
        }
    }
    return isfinite(cells->radius);
}

void rp_placed_shape_destroy(rp_placed_shape_t **self, size_t count)
{
    for (size_t i = 0; i < count && *self != NULL; i++) {
        rp_spans_fini(&(*self)[i].spans);
        free((*self)[i].outline);
    }
    free(*self);
    *self = NULL;
}

/// @param laid  has its outline; its cells are written
/// @param covered  cells of all shapes so far; counted up
static rp_status_t cover(const rp_world_t *world, rp_placed_shape_t *laid, size_t *covered)
{
    rp_outline_t outline;
    if (!to_cells(world, laid->outline, &outline)) {
        return RP_E_INVALID;
    }
    const rp_status_t status =
        rp_outline_cover(&outline, &world->layers[0]->grid->shape, &laid->spans);
    laid->bounds = rp_bounds_of(&laid->spans);
    *covered += rp_spans_area(&laid->spans);
    return status == RP_OK && *covered > RP_COVERED_MAX ? RP_E_LIMIT : status;
}

static uint64_t expiry_of(const rp_shape_t *shape)
{
    return shape->expires_us != 0 ? shape->expires_us : UINT64_MAX;
}

rp_status_t rp_world_place_shape(const rp_world_t *world, const rp_shape_t *shape, size_t *covered,
                                 rp_placed_shape_t *laid)
{
    *laid = (rp_placed_shape_t){
        .id = shape->id,
        .byte = shape->byte,
        .is_new = true,
        .expires_us = expiry_of(shape),
        .outline = malloc(sizeof *laid->outline),
    };
    if (laid->outline == NULL) {
        return RP_E_MEMORY;
    }
    return outline_of(shape, laid->outline) ? cover(world, laid, covered) : RP_E_INVALID;
}

/// Cells of the shapes that stay, those that overlap counted each time.
static size_t covered_by(const rp_overlay_t *self)
{
    size_t covered = 0;
    for (size_t i = 0; i < self->count; i++) {
        covered += self->stack[i].goes ? 0u : rp_spans_area(&self->stack[i].spans);
    }
    return covered;
}

/// Take the shapes whose cells a staged edit has found.
/// @param laid  as of lay_all()
static rp_status_t take_laid(const rp_world_t *world, const rp_overlay_edit_t *edit,
                             rp_placed_shape_t **laid)
{
    rp_staged_edit_t *staged_edit = edit->staged_edit;
    if (covered_by(&world->overlay) + staged_edit->covered > RP_COVERED_MAX) {
        return RP_E_LIMIT;
    }
    *laid = staged_edit->laid;
    staged_edit->laid = NULL;
    for (size_t i = 0; i < edit->shape_count; i++) {
        (*laid)[i].expires_us = expiry_of(&edit->shapes[i]); // their time begins now
    }
    return RP_OK;
}

/// @param laid  written on RP_OK, owned by the caller [shape_count]; what goes must be marked
static rp_status_t lay_all(const rp_world_t *world, const rp_overlay_edit_t *edit,
                           rp_placed_shape_t **laid)
{
    rp_placed_shape_t *all = calloc(edit->shape_count + 1u, sizeof *all);
    if (all == NULL) {
        return RP_E_MEMORY;
    }
    size_t covered = covered_by(&world->overlay);
    for (size_t i = 0; i < edit->shape_count; i++) {
        const rp_status_t status = rp_world_place_shape(world, &edit->shapes[i], &covered, &all[i]);
        if (status != RP_OK) {
            rp_placed_shape_destroy(&all, i + 1u);
            return status;
        }
    }
    *laid = all;
    return RP_OK;
}

/// lay_all() for the shapes of another overlay, which keep their place in metres.
static rp_status_t lay_carried(const rp_world_t *world, const rp_overlay_t *from,
                               rp_placed_shape_t **laid)
{
    rp_placed_shape_t *all = calloc(from->count + 1u, sizeof *all);
    rp_status_t status = all != NULL ? RP_OK : RP_E_MEMORY;
    size_t covered = 0;
    for (size_t i = 0; i < from->count && status == RP_OK; i++) {
        const rp_placed_shape_t *there = &from->stack[i];
        all[i] = (rp_placed_shape_t){.id = there->id,
                                     .byte = there->byte,
                                     .is_new = true,
                                     .expires_us = there->expires_us,
                                     .outline = malloc(sizeof *there->outline)};
        if (all[i].outline == NULL) {
            status = RP_E_MEMORY;
            break;
        }
        *all[i].outline = *there->outline;
        status = cover(world, &all[i], &covered);
    }
    if (status != RP_OK && all != NULL) {
        rp_placed_shape_destroy(&all, from->count);
        return status;
    }
    *laid = all;
    return status;
}

// ---- the stack

static uint32_t hash_of(uint32_t id)
{
    return id * 2654435761u >> 16;
}

static void note_id(rp_overlay_t *self, uint32_t id)
{
    self->ids[hash_of(id) / 64u] |= (uint64_t)1 << hash_of(id) % 64u;
}

/// @param guess  where it may stand: a client that moves many shapes names them in the same order
/// each time
static rp_placed_shape_t *find(const rp_overlay_t *self, uint32_t id, size_t guess)
{
    if (guess < self->count && self->stack[guess].id == id && !self->stack[guess].goes) {
        return &self->stack[guess];
    }
    const bool may_be_there = ((self->ids[hash_of(id) / 64u] >> hash_of(id) % 64u) & 1u) != 0;
    for (size_t i = 0; may_be_there && i < self->count; i++) {
        if (self->stack[i].id == id && !self->stack[i].goes) {
            return &self->stack[i];
        }
    }
    return NULL;
}

static size_t count_going(const rp_overlay_t *self)
{
    size_t count = 0;
    for (size_t i = 0; i < self->count; i++) {
        count += self->stack[i].goes;
    }
    return count;
}

/// Mark what an edit removes. @return number of shapes that stay
static size_t mark_going(rp_overlay_t *self, const rp_overlay_edit_t *edit)
{
    for (size_t i = 0; i < self->count; i++) {
        self->stack[i].goes = edit->clears;
    }
    for (size_t i = 0; i < edit->removed_count; i++) {
        rp_placed_shape_t *removed = find(self, edit->removed[i], i);
        if (removed != NULL) {
            removed->goes = true;
        }
    }
    return self->count - count_going(self);
}

/// Shapes that an edit brings under ids that are not there.
static size_t count_new(const rp_overlay_t *self, const rp_overlay_edit_t *edit)
{
    size_t count = 0;
    for (size_t i = 0; i < edit->shape_count; i++) {
        count += find(self, edit->shapes[i].id, i) == NULL;
    }
    return count;
}

/// Take the marked shapes out of the stack and put the new ones in. Cannot fail.
static void restack(rp_overlay_t *self, rp_placed_shape_t *laid, size_t laid_count)
{
    size_t kept = 0;
    memset(self->ids, 0, sizeof self->ids);
    for (size_t i = 0; i < self->count; i++) {
        if (self->stack[i].goes) {
            self->gone[self->gone_count++] = self->stack[i].spans;
            free(self->stack[i].outline);
        } else {
            note_id(self, self->stack[i].id);
            self->stack[kept++] = self->stack[i];
        }
    }
    self->count = kept;
    for (size_t i = 0; i < laid_count; i++) {
        rp_placed_shape_t *same = find(self, laid[i].id, i);
        if (same != NULL) {
            self->gone[self->gone_count++] = same->spans;
            free(same->outline);
        } else {
            same = &self->stack[self->count++];
            note_id(self, laid[i].id);
        }
        *same = laid[i];
        laid[i].spans = (rp_spans_t){0};
        laid[i].outline = NULL;
    }
    self->next_expiry_us = UINT64_MAX;
    for (size_t i = 0; i < self->count; i++) {
        const uint64_t expires_us = self->stack[i].expires_us;
        self->bounds[i] = self->stack[i].bounds;
        self->next_expiry_us =
            expires_us < self->next_expiry_us ? expires_us : self->next_expiry_us;
    }
}

// ---- room

/// @param staged_edit  has copied the bytes; NULL: nobody has
static bool reserve_base(rp_overlay_t *self, const rp_world_t *world, rp_staged_edit_t *staged_edit)
{
    const rp_grid_shape_t *shape = &world->layers[0]->grid->shape;
    const size_t cells = (size_t)shape->width * shape->height;
    if (self->base != NULL) {
        return true;
    }
    const bool is_copied = staged_edit != NULL && staged_edit->bytes != NULL;
    self->base = is_copied ? staged_edit->bytes : malloc(cells);
    self->covered = calloc(cells / 8u + 1u, 1);
    self->row = malloc(shape->width);
    self->marks = malloc(shape->width);
    if (self->base == NULL || self->covered == NULL || self->row == NULL || self->marks == NULL) {
        self->base = is_copied ? NULL : self->base;
        return false;
    }
    if (is_copied) {
        staged_edit->bytes = NULL;
    } else {
        memcpy(self->base, world->bytes, cells);
    }
    return true;
}

static bool reserve_stack(rp_overlay_t *self, size_t count)
{
    size_t stack = self->capacity;
    size_t bounds = self->capacity;
    size_t near = self->capacity;
    const bool has_room =
        rp_array_reserve(&self->stack, &stack, count, sizeof *self->stack) &&
        rp_array_reserve(&self->bounds, &bounds, count, sizeof *self->bounds) &&
        rp_array_reserve(&self->near, &near, count, sizeof(const rp_placed_shape_t *));
    self->capacity = has_room ? near : self->capacity;
    return has_room;
}

/// Cells that an edit may rewrite: what is put, and what is removed or moved.
static size_t cells_of(const rp_overlay_t *self, const rp_placed_shape_t *laid, size_t laid_count)
{
    size_t count = 0;
    for (size_t i = 0; i < laid_count; i++) {
        const rp_placed_shape_t *same = find(self, laid[i].id, i);
        count += rp_spans_area(&laid[i].spans);
        count += same != NULL ? rp_spans_area(&same->spans) : 0u;
    }
    for (size_t i = 0; i < self->count; i++) {
        count += self->stack[i].goes ? rp_spans_area(&self->stack[i].spans) : 0u;
    }
    return count;
}

// ---- edits

/// @param is_anew  so much changes that the whole stack is composed anew
static void commit(rp_world_t *world, rp_placed_shape_t *laid, size_t laid_count, bool is_anew)
{
    rp_overlay_t *self = &world->overlay;
    restack(self, laid, laid_count);
    if (is_anew) {
        rp_overlay_compose_all(world);
    } else {
        rp_overlay_compose(world);
    }
    for (size_t i = 0; i < self->gone_count; i++) {
        rp_spans_fini(&self->gone[i]);
    }
    self->gone_count = 0;
    for (size_t i = 0; i < self->count; i++) {
        self->stack[i].is_new = false;
    }
    if (self->count == 0) {
        rp_overlay_free_base(self);
    }
}

/// Make room, and make the version. Ends the array of new shapes in any case.
/// @param staged_edit  of the edit, if it serves; NULL: none
static rp_status_t put_laid(rp_world_t *world, rp_placed_shape_t *laid, size_t laid_count,
                            rp_staged_edit_t *staged_edit)
{
    rp_overlay_t *self = &world->overlay;
    const size_t most = self->count + laid_count;
    const size_t cells = cells_of(self, laid, laid_count);
    const size_t held = (laid_count + count_going(self)) * most;
    const bool is_anew = cells > self->composed_most || held > HELD_MOST;
    const bool is_listed = !is_anew || cells <= LISTED_MOST;
    const bool has_room =
        (most == 0 || reserve_base(self, world, staged_edit)) && reserve_stack(self, most) &&
        rp_array_reserve(&self->gone, &self->gone_capacity, most, sizeof *self->gone);
    const rp_status_t status =
        has_room ? rp_world_begin(world, is_listed ? cells : 0, is_listed) : RP_E_MEMORY;
    if (status == RP_OK) {
        commit(world, laid, laid_count, is_anew);
    } else if (self->count == 0) {
        rp_overlay_free_base(self);
    }
    rp_placed_shape_destroy(&laid, laid_count);
    return status;
}

rp_status_t rp_world_overlay(rp_world_t *world, const rp_overlay_edit_t *edit)
{
    rp_overlay_t *self = &world->overlay;
    rp_placed_shape_t *laid = NULL;
    if (!rp_overlay_is_given(edit)) {
        return RP_E_INVALID;
    }
    const size_t staying = mark_going(self, edit);
    if (edit->shape_count > RP_SHAPES_MAX || staying + count_new(self, edit) > RP_SHAPES_MAX) {
        return RP_E_LIMIT;
    }
    rp_staged_edit_t *staged_edit =
        rp_staged_edit_serves(edit->staged_edit, world) ? edit->staged_edit : NULL;
    rp_world_complete(world);
    const rp_status_t status =
        staged_edit != NULL ? take_laid(world, edit, &laid) : lay_all(world, edit, &laid);
    return status == RP_OK ? put_laid(world, laid, edit->shape_count, staged_edit) : status;
}

rp_status_t rp_world_carry_shapes(rp_world_t *to, const rp_overlay_t *from)
{
    rp_placed_shape_t *laid = NULL;
    const rp_status_t status = lay_carried(to, from, &laid);
    return status == RP_OK ? put_laid(to, laid, from->count, NULL) : status;
}

bool rp_world_expire(rp_world_t *world, uint64_t now_us)
{
    rp_overlay_t *self = &world->overlay;
    if (now_us < self->next_expiry_us) {
        return false;
    }
    for (size_t i = 0; i < self->count; i++) {
        self->stack[i].goes = self->stack[i].expires_us <= now_us;
    }
    return put_laid(world, NULL, 0, NULL) == RP_OK; // without memory now, it is tried again
}
