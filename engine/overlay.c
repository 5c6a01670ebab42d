/// An edit is prepared as a whole (cells of the new shapes, room for everything), then the stack
/// changes, then each row of cells that a shape left or came to is composed anew.
#include "engine/overlay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/world.h"

// ---- the shapes of an edit

/// Metres of the frame to cells. @return false when that is no shape, or not finite
static bool outline_of(const rp_world_t *world, const rp_shape_t *shape, rp_outline_t *outline)
{
    if ((shape->corners != 1 && shape->corners < 3) || shape->corners > RP_CORNERS_MAX ||
        !isfinite(shape->radius_m) || shape->radius_m < 0.0) {
        return false;
    }
    outline->corners = shape->corners;
    outline->radius = shape->radius_m / world->frame.resolution_m;
    for (uint32_t i = 0; i < shape->corners; i++) {
        rp_world_point_at(world, shape->x_m[i], shape->y_m[i], &outline->x[i], &outline->y[i]);
        if (!isfinite(outline->x[i]) || !isfinite(outline->y[i])) {
            return false;
        }
    }
    return isfinite(outline->radius);
}

static void free_laid(rp_laid_t *laid, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rp_spans_fini(&laid[i].spans);
        free(laid[i].outline);
    }
    free(laid);
}

static rp_bounds_t bounds_of(const rp_spans_t *spans)
{
    rp_bounds_t bounds = {.left = UINT16_MAX};
    for (size_t i = 0; i < spans->count; i++) {
        const rp_span_t *span = &spans->list[i];
        const uint32_t right = span->x + span->count - 1u;
        bounds.left = span->x < bounds.left ? (uint16_t)span->x : bounds.left;
        bounds.right = right > bounds.right ? (uint16_t)right : bounds.right;
    }
    if (spans->count != 0) {
        bounds.top = (uint16_t)spans->list[0].y;
        bounds.bottom = (uint16_t)spans->list[spans->count - 1u].y;
    }
    return bounds;
}

/// @param laid  has its outline; its cells are written
/// @param covered  cells of all shapes so far; counted up
static rp_status_t cover(const rp_world_t *world, rp_laid_t *laid, size_t *covered)
{
    const rp_status_t status =
        rp_outline_cover(laid->outline, &world->layers[0]->grid->shape, &laid->spans);
    laid->bounds = bounds_of(&laid->spans);
    *covered += rp_spans_area(&laid->spans);
    return status == RP_OK && *covered > RP_COVERED_MAX ? RP_E_LIMIT : status;
}

static rp_status_t lay(const rp_world_t *world, const rp_shape_t *shape, size_t *covered,
                       rp_laid_t *laid)
{
    *laid = (rp_laid_t){
        .id = shape->id,
        .byte = shape->byte,
        .is_new = true,
        .expires_us = shape->expires_us != 0 ? shape->expires_us : UINT64_MAX,
        .outline = malloc(sizeof *laid->outline),
    };
    if (laid->outline == NULL) {
        return RP_E_MEMORY;
    }
    return outline_of(world, shape, laid->outline) ? cover(world, laid, covered) : RP_E_INVALID;
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

/// @param laid  written on RP_OK, owned by the caller [shape_count]; what goes must be marked
static rp_status_t lay_all(const rp_world_t *world, const rp_overlay_edit_t *edit, rp_laid_t **laid)
{
    rp_laid_t *all = calloc(edit->shape_count + 1u, sizeof *all);
    if (all == NULL) {
        return RP_E_MEMORY;
    }
    size_t covered = covered_by(&world->overlay);
    for (size_t i = 0; i < edit->shape_count; i++) {
        const rp_status_t status = lay(world, &edit->shapes[i], &covered, &all[i]);
        if (status != RP_OK) {
            free_laid(all, i + 1u);
            return status;
        }
    }
    *laid = all;
    return RP_OK;
}

/// The same of shapes that lie elsewhere.
static rp_status_t lay_moved(const rp_world_t *world, const rp_overlay_t *from, double dx,
                             double dy, rp_laid_t **laid)
{
    rp_laid_t *all = calloc(from->count + 1u, sizeof *all);
    rp_status_t status = all != NULL ? RP_OK : RP_E_MEMORY;
    size_t covered = 0;
    for (size_t i = 0; i < from->count && status == RP_OK; i++) {
        const rp_laid_t *there = &from->stack[i];
        all[i] = (rp_laid_t){.id = there->id,
                             .byte = there->byte,
                             .is_new = true,
                             .expires_us = there->expires_us,
                             .outline = malloc(sizeof *there->outline)};
        if (all[i].outline == NULL) {
            status = RP_E_MEMORY;
            break;
        }
        *all[i].outline = *there->outline;
        for (uint32_t corner = 0; corner < there->outline->corners; corner++) {
            all[i].outline->x[corner] += dx;
            all[i].outline->y[corner] += dy;
        }
        status = cover(world, &all[i], &covered);
    }
    if (status != RP_OK && all != NULL) {
        free_laid(all, from->count);
        return status;
    }
    *laid = all;
    return status;
}

// ---- the stack

/// @param guess  where it may stand: who moves many shapes names them in the same order each time
static rp_laid_t *find(const rp_overlay_t *self, uint32_t id, size_t guess)
{
    if (guess < self->count && self->stack[guess].id == id && !self->stack[guess].goes) {
        return &self->stack[guess];
    }
    for (size_t i = 0; i < self->count; i++) {
        if (self->stack[i].id == id && !self->stack[i].goes) {
            return &self->stack[i];
        }
    }
    return NULL;
}

/// Mark what an edit removes. @return number of shapes that stay
static size_t mark_going(rp_overlay_t *self, const rp_overlay_edit_t *edit)
{
    size_t staying = 0;
    for (size_t i = 0; i < self->count; i++) {
        self->stack[i].goes = edit->clears;
    }
    for (size_t i = 0; i < edit->removed_count; i++) {
        rp_laid_t *removed = find(self, edit->removed[i], i);
        if (removed != NULL) {
            removed->goes = true;
        }
    }
    for (size_t i = 0; i < self->count; i++) {
        staying += !self->stack[i].goes;
    }
    return staying;
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
static void restack(rp_overlay_t *self, rp_laid_t *laid, size_t laid_count)
{
    size_t kept = 0;
    for (size_t i = 0; i < self->count; i++) {
        if (self->stack[i].goes) {
            self->gone[self->gone_count++] = self->stack[i].spans;
            free(self->stack[i].outline);
        } else {
            self->stack[kept++] = self->stack[i];
        }
    }
    self->count = kept;
    for (size_t i = 0; i < laid_count; i++) {
        rp_laid_t *same = find(self, laid[i].id, i);
        if (same != NULL) {
            self->gone[self->gone_count++] = same->spans;
            free(same->outline);
        } else {
            same = &self->stack[self->count++];
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

// ---- effective bytes

/// Lay the part of a shape that lies in a piece of a row beneath what was laid there.
/// @return number of cells that show it
static uint32_t paint(const rp_laid_t *laid, const rp_span_t *piece, uint8_t *row, uint8_t *marks)
{
    const rp_spans_t *spans = &laid->spans;
    const uint32_t piece_end = piece->x + piece->count;
    uint32_t shown = 0;
    for (size_t i = rp_spans_row(spans, piece->y); i < spans->count; i++) {
        const rp_span_t *span = &spans->list[i];
        if (span->y != piece->y || span->x >= piece_end) {
            break;
        }
        const uint32_t span_end = span->x + span->count;
        const uint32_t end = span_end < piece_end ? span_end : piece_end;
        for (uint32_t x = span->x > piece->x ? span->x : piece->x; x < end; x++) {
            if (marks[x - piece->x] == 0) {
                marks[x - piece->x] = 1;
                row[x - piece->x] = laid->byte;
                shown++;
            }
        }
    }
    return shown;
}

/// Shapes that may have cells among some spans, the lowest first.
static size_t find_near(rp_overlay_t *self, const rp_spans_t *spans)
{
    size_t count = 0;
    const rp_bounds_t bounds = bounds_of(spans);
    for (size_t i = 0; i < self->count; i++) {
        const rp_bounds_t *other = &self->bounds[i];
        self->near[count] = &self->stack[i]; // without a branch, that nobody could foretell
        count += (size_t)((other->left <= bounds.right) & (other->right >= bounds.left) &
                          (other->top <= bounds.bottom) & (other->bottom >= bounds.top));
    }
    return count;
}

/// Compose the cells of some spans anew and write what differs into the world.
static void compose(rp_world_t *world, const rp_spans_t *spans)
{
    rp_overlay_t *self = &world->overlay;
    const rp_grid_t *grid = world->layers[0]->grid;
    const size_t near_count = spans->count != 0 ? find_near(self, spans) : 0;
    for (size_t i = 0; i < spans->count; i++) {
        const rp_span_t *span = &spans->list[i];
        const uint64_t index = (uint64_t)span->y * grid->shape.width + span->x;
        const rp_cell_t cell = rp_grid_cell(grid, span->x, span->y);
        memcpy(self->row, self->base + index, span->count);
        memset(self->marks, 0, span->count);
        uint32_t left = span->count; // from the topmost down, until no more can be seen
        for (size_t k = near_count; k-- > 0 && left != 0;) {
            left -= paint(self->near[k], span, self->row, self->marks);
        }
        for (uint32_t x = 0; x < span->count; x++) {
            const uint8_t bit = (uint8_t)(1u << ((index + x) & 7u));
            uint8_t *covered = &self->covered[(index + x) >> 3];
            *covered = (uint8_t)(self->marks[x] != 0 ? *covered | bit : *covered & ~bit);
            rp_world_put(world, index + x, cell + x, self->row[x]);
        }
    }
}

// ---- room

static bool reserve_base(rp_overlay_t *self, const rp_world_t *world)
{
    const rp_grid_shape_t *shape = &world->layers[0]->grid->shape;
    const size_t cells = (size_t)shape->width * shape->height;
    if (self->base != NULL) {
        return true;
    }
    self->base = malloc(cells);
    self->covered = calloc(cells / 8u + 1u, 1);
    self->row = malloc(shape->width);
    self->marks = malloc(shape->width);
    if (self->base == NULL || self->covered == NULL || self->row == NULL || self->marks == NULL) {
        return false;
    }
    memcpy(self->base, world->bytes, cells);
    return true;
}

static bool reserve_stack(rp_overlay_t *self, size_t count)
{
    if (count <= self->capacity) {
        return true;
    }
    const size_t capacity = 2u * count;
    rp_laid_t *stack = realloc(self->stack, capacity * sizeof *stack);
    if (stack == NULL) {
        return false;
    }
    self->stack = stack;
    rp_bounds_t *bounds = realloc(self->bounds, capacity * sizeof *bounds);
    if (bounds == NULL) {
        return false;
    }
    self->bounds = bounds;
    const rp_laid_t **near = realloc(self->near, capacity * sizeof(const rp_laid_t *));
    if (near == NULL) {
        return false;
    }
    self->near = near;
    self->capacity = capacity;
    return true;
}

static bool reserve_gone(rp_overlay_t *self, size_t count)
{
    if (count <= self->gone_capacity) {
        return true;
    }
    rp_spans_t *gone = realloc(self->gone, 2u * count * sizeof *gone);
    if (gone == NULL) {
        return false;
    }
    self->gone = gone;
    self->gone_capacity = 2u * count;
    return true;
}

/// Cells that an edit may rewrite: what is put, and what is removed or moved.
static size_t cells_of(const rp_overlay_t *self, const rp_laid_t *laid, size_t laid_count)
{
    size_t count = 0;
    for (size_t i = 0; i < laid_count; i++) {
        const rp_laid_t *same = find(self, laid[i].id, i);
        count += rp_spans_area(&laid[i].spans);
        count += same != NULL ? rp_spans_area(&same->spans) : 0u;
    }
    for (size_t i = 0; i < self->count; i++) {
        count += self->stack[i].goes ? rp_spans_area(&self->stack[i].spans) : 0u;
    }
    return count;
}

// ---- edits

static void free_base(rp_overlay_t *self)
{
    free(self->base);
    free(self->covered);
    free(self->row);
    free(self->marks);
    self->base = NULL;
    self->covered = NULL;
    self->row = NULL;
    self->marks = NULL;
}

static void commit(rp_world_t *world, rp_laid_t *laid, size_t laid_count)
{
    rp_overlay_t *self = &world->overlay;
    restack(self, laid, laid_count);
    for (size_t i = 0; i < self->gone_count; i++) {
        compose(world, &self->gone[i]);
        rp_spans_fini(&self->gone[i]);
    }
    self->gone_count = 0;
    for (size_t i = 0; i < self->count; i++) {
        if (self->stack[i].is_new) {
            compose(world, &self->stack[i].spans);
            self->stack[i].is_new = false;
        }
    }
    if (self->count == 0) {
        free_base(self);
    }
    rp_world_commit(world);
}

/// Make room, and make the version. Ends the array of new shapes in any case.
static rp_status_t put_laid(rp_world_t *world, rp_laid_t *laid, size_t laid_count)
{
    rp_overlay_t *self = &world->overlay;
    const size_t most = self->count + laid_count;
    const bool has_room = (most == 0 || reserve_base(self, world)) && reserve_stack(self, most) &&
                          reserve_gone(self, most);
    const rp_status_t status =
        has_room ? rp_world_begin(world, cells_of(self, laid, laid_count), true) : RP_E_MEMORY;
    if (status == RP_OK) {
        commit(world, laid, laid_count);
    } else if (self->count == 0) {
        free_base(self);
    }
    free_laid(laid, laid_count);
    return status;
}

rp_status_t rp_world_overlay(rp_world_t *world, const rp_overlay_edit_t *edit)
{
    rp_overlay_t *self = &world->overlay;
    rp_laid_t *laid;
    const size_t staying = mark_going(self, edit);
    if (edit->shape_count > RP_SHAPES_MAX || staying + count_new(self, edit) > RP_SHAPES_MAX) {
        return RP_E_LIMIT;
    }
    rp_world_complete(world);
    const rp_status_t status = lay_all(world, edit, &laid);
    return status == RP_OK ? put_laid(world, laid, edit->shape_count) : status;
}

rp_status_t rp_world_carry_shapes(rp_world_t *to, const rp_overlay_t *from, double dx, double dy)
{
    rp_laid_t *laid;
    const rp_status_t status = lay_moved(to, from, dx, dy, &laid);
    return status == RP_OK ? put_laid(to, laid, from->count) : status;
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
    if (!reserve_gone(self, self->count) ||
        rp_world_begin(world, cells_of(self, NULL, 0), true) != RP_OK) {
        return false; // no memory now: it is tried again
    }
    commit(world, NULL, 0);
    return true;
}

// ---- birth and death

void rp_overlay_init(rp_overlay_t *self)
{
    *self = (rp_overlay_t){.next_expiry_us = UINT64_MAX};
}

void rp_overlay_fini(rp_overlay_t *self)
{
    for (size_t i = 0; i < self->count; i++) {
        rp_spans_fini(&self->stack[i].spans);
        free(self->stack[i].outline);
    }
    free(self->stack);
    free(self->bounds);
    free(self->near);
    free(self->gone);
    free_base(self);
    *self = (rp_overlay_t){.next_expiry_us = UINT64_MAX};
}
