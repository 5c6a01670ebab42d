/// Another window for a world. Its layers are built beside the old ones, then the two are swapped:
/// after the first visible byte nothing can fail. Bytes come from a staged edit, or move in place,
/// which cannot fail either. They are copied when shapes lie on them, or when a row would be
/// overwritten before it is read. A window with the same sides keeps the layers, too.
#include "engine/ground/world_state.h"

#include <stdlib.h>
#include <string.h>

#include "engine/ground/staged_edit.h"

/// Cells that shapes rewrite in another window that are named one by one: of more, mirrors are told
/// all rows again.
#define LISTED_MOST ((size_t)1 << 16)

static void move_row(const rp_window_t *window, uint8_t fill, const uint8_t *from,
                     uint32_t old_width, uint8_t *to)
{
    const int64_t left = window->x > 0 ? window->x : 0;
    const int64_t end = (int64_t)window->x + window->width;
    const int64_t right = end < old_width ? end : old_width;
    if (from == NULL || left >= right) {
        memset(to, fill, window->width); // NOLINT(clang-analyzer-core.NonNull*): a world has bytes
        return;
    }
    memmove(to + (left - window->x), from + left, (size_t)(right - left));
    memset(to, fill, (size_t)(left - window->x));
    memset(to + (right - window->x), fill, (size_t)(end - right));
}

/// Write what rectangles state of a row.
static void state_row(const rp_window_t *window, uint32_t row, uint8_t *to)
{
    const uint8_t *data = window->rect_data;
    for (size_t i = 0; i < window->rect_count; i++) {
        const uint32_t *rect = window->rects + 4u * i;
        if (row >= rect[1] && row - rect[1] < rect[3]) {
            memcpy(to + rect[0], data + (size_t)(row - rect[1]) * rect[2], rect[2]);
        }
        data += (size_t)rect[2] * rect[3];
    }
}

void rp_window_copy_row(const rp_window_t *window, uint32_t row, uint8_t fill, const uint8_t *from,
                        uint32_t old_width, uint8_t *to)
{
    move_row(window, fill, from, old_width, to);
    state_row(window, row, to);
}

/// Rows are moved from the first on when none of them comes to lie behind where it was.
static bool goes_up(const rp_grid_shape_t *old, const rp_window_t *window)
{
    return window->y >= 0 && window->width <= old->width;
}

/// True when copy_window() writes no row over one that it has yet to read.
static bool can_move(const rp_grid_shape_t *old, const rp_window_t *window)
{
    return goes_up(old, window) || (window->y <= 0 && window->width >= old->width);
}

/// @param source  bytes of the old window
/// @param bytes   written; may be the same array when the window can move
static void copy_window(const uint8_t *source, const rp_grid_shape_t *old,
                        const rp_window_t *window, uint8_t fill, uint8_t *bytes)
{
    const bool is_up = goes_up(old, window);
    for (uint32_t i = 0; i < window->height; i++) {
        const uint32_t row = is_up ? i : window->height - 1u - i; // read, then written
        const int64_t y = (int64_t)window->y + row;
        const uint8_t *from = y >= 0 && y < old->height ? source + y * old->width : NULL;
        rp_window_copy_row(window, row, fill, from, old->width,
                           bytes + (size_t)row * window->width);
    }
}

uint8_t rp_window_fill(const rp_window_t *window, const rp_world_t *world)
{
    return window->is_filled ? window->fill : world->layers[0]->profile.normal;
}

static void set_bytes(rp_world_t *self, uint8_t *bytes)
{
    self->bytes = bytes;
    for (uint32_t i = 0; i < self->layer_count; i++) {
        rp_layer_rebase(self->layers[i], bytes);
    }
}

/// Have an array of so many bytes, the first of them as they are. @return false without memory
static bool resize_bytes(rp_world_t *self, uint64_t cells)
{
    uint8_t *bytes = realloc(self->bytes, cells);
    if (bytes != NULL) {
        set_bytes(self, bytes);
    }
    return bytes != NULL;
}

/// All of a world that depends on where it lies: bytes, frame, shapes, layers in the same order.
/// @param bytes  where they will be, given on success; NULL: they are copied
static rp_status_t build(rp_world_t *self, const rp_world_t *from, const rp_placed_t *placed,
                         uint8_t *bytes)
{
    const rp_window_t *window = &placed->window;
    static const rp_inflation_t none = {.reach = 0};
    const rp_profile_t *profile = &from->layers[0]->profile;
    rp_grid_shape_t shape = from->layers[0]->grid->shape;
    shape.width = window->width;
    shape.height = window->height;
    rp_overlay_init(&self->overlay);
    self->deferred_free = from->deferred_free;
    self->version = from->version;
    self->cells = (uint64_t)window->width * window->height;
    self->bytes = bytes != NULL ? bytes : malloc(self->cells);
    if (self->bytes == NULL) {
        return RP_E_MEMORY;
    }
    if (bytes == NULL) {
        const uint8_t *source = from->overlay.base != NULL ? from->overlay.base : from->bytes;
        copy_window(source, &from->layers[0]->grid->shape, window, rp_window_fill(window, from),
                    self->bytes);
    }
    self->frame = placed->frame;
    self->cosine = from->cosine;
    self->sine = from->sine;
    rp_status_t status = rp_world_add_layer(self, &shape, profile, &none);
    if (status == RP_OK && from->overlay.count != 0) {
        status = rp_world_carry_shapes(self, &from->overlay);
    }
    self->version = from->version + 1u;
    for (uint32_t i = 1; i < from->layer_count && status == RP_OK; i++) {
        const rp_layer_t *layer = from->layers[i];
        const rp_inflation_t *inflation = rp_layer_inflation(layer);
        status = rp_world_add_layer(self, &shape, &layer->profile,
                                    inflation != NULL ? inflation : &none);
    }
    return status;
}

/// Swap the ground of two layers. Their audiences stay where they are.
static void swap_layers(rp_layer_t *self, rp_layer_t *other, uint64_t version)
{
    const rp_layer_t mine = *self;
    *self = *other;
    *other = mine;
    self->users = mine.users;
    self->audience = mine.audience;
    self->audience_destroy = mine.audience_destroy;
    other->audience = NULL;
    self->known_since = version;
    self->is_rewritten = true;
}

static void swap_worlds(rp_world_t *self, rp_world_t *other)
{
    uint8_t *const bytes = self->bytes;
    const uint64_t cells = self->cells;
    const rp_overlay_t overlay = self->overlay;
    self->bytes = other->bytes;
    self->overlay = other->overlay;
    self->cells = other->cells;
    other->bytes = bytes;
    other->cells = cells;
    other->overlay = overlay;
    self->frame = other->frame;
    self->version = other->version;
    self->rewritten_is_kept = false;
    for (uint32_t i = 0; i < self->layer_count; i++) {
        swap_layers(self->layers[i], other->layers[i], self->version);
    }
}

/// Cells of a row whose bytes are others than those that were moved there.
/// @return false when there are too many to list
static bool list_row(rp_world_t *self, const rp_window_t *window, uint32_t row, const uint8_t *was,
                     uint32_t old_width)
{
    const int64_t end = (int64_t)old_width - window->x;
    const uint32_t right = end < window->width ? (uint32_t)(end > 0 ? end : 0) : window->width;
    const uint8_t *is = self->bytes + (size_t)row * window->width;
    const uint32_t left = window->x < 0 ? (uint32_t) - (int64_t)window->x : 0;
    if (left >= right || memcmp(is + left, was + window->x + (int64_t)left, right - left) == 0) {
        return true;
    }
    for (uint32_t x = left; x < right; x++) {
        if (is[x] == was[window->x + (int64_t)x]) {
            continue;
        }
        if (self->rewritten_count == self->rewritten_capacity) {
            return false;
        }
        self->rewritten_cells[self->rewritten_count] = row * window->width + x;
        self->rewritten_values[self->rewritten_count++] = is[x];
    }
    return true;
}

/// Shapes lie there: they cover other cells of another window. Note which, besides those that are
/// new.
static void list_rewritten(rp_world_t *self, const rp_world_t *before, const rp_window_t *window)
{
    const rp_grid_shape_t *old = &before->layers[0]->grid->shape;
    self->rewritten_count = 0;
    self->rewritten_is_kept = rp_world_reserve_rewritten(self, LISTED_MOST);
    for (uint32_t row = 0; row < window->height && self->rewritten_is_kept; row++) {
        const int64_t y = (int64_t)window->y + row;
        if (y >= 0 && y < old->height) {
            self->rewritten_is_kept =
                list_row(self, window, row, before->bytes + y * old->width, old->width);
        }
    }
}

/// Another window, with layers of its own.
/// @param moves  its bytes are moved where they are, not copied
/// @param before  written: what is left of the old one
static rp_status_t replace(rp_world_t *self, const rp_placed_t *placed, bool moves,
                           rp_world_t **before)
{
    const rp_window_t *window = &placed->window;
    const rp_grid_shape_t old = self->layers[0]->grid->shape;
    const uint64_t cells = (uint64_t)window->width * window->height;
    const uint8_t fill = rp_window_fill(window, self);
    rp_world_t *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL || (moves && cells > self->cells && !resize_bytes(self, cells))) {
        free(fresh);
        return RP_E_MEMORY;
    }
    const rp_status_t status = build(fresh, self, placed, moves ? self->bytes : NULL);
    if (status == RP_OK) {
        swap_worlds(self, fresh);
    }
    if (status == RP_OK && fresh->overlay.count != 0) {
        list_rewritten(self, fresh, window);
    }
    if (moves) {
        fresh->bytes = NULL; // they are the world's in any case
    }
    if (status != RP_OK) {
        rp_world_destroy(&fresh);
        return status;
    }
    if (moves) {
        copy_window(self->bytes, &old, window, fill, self->bytes);
        (void)resize_bytes(self, cells); // smaller, or none the worse
    }
    rp_world_recount(self);
    *before = fresh;
    return RP_OK;
}

/// Resize by the bytes of a staged edit, which takes the old ones in exchange.
static rp_status_t take_staged(rp_world_t *self, const rp_placed_t *placed, rp_world_t **before)
{
    rp_staged_edit_t *staged_edit = placed->window.staged_edit;
    rp_world_t *fresh = calloc(1, sizeof *fresh);
    const rp_status_t status =
        fresh != NULL ? build(fresh, self, placed, staged_edit->bytes) : RP_E_MEMORY;
    if (status == RP_OK) {
        swap_worlds(self, fresh);
        staged_edit->bytes = fresh->bytes;
        self->unfilled.parts = 0; // what was still to be written there
        rp_world_recount(self);
    }
    if (fresh != NULL) {
        fresh->bytes = NULL; // the staged edit's in any case
    }
    if (status != RP_OK) {
        rp_world_destroy(&fresh);
    }
    *before = fresh;
    return status;
}

/// A window of the same sides, without shapes: bytes move, and layers are derived anew in place.
static void shift(rp_world_t *self, const rp_placed_t *placed)
{
    const rp_window_t *window = &placed->window;
    const rp_grid_shape_t *shape = &self->layers[0]->grid->shape;
    const rp_box_t all = {0, 0, shape->width, shape->height};
    copy_window(self->bytes, shape, window, rp_window_fill(window, self), self->bytes);
    self->frame = placed->frame;
    self->rewritten_is_kept = false;
    rp_world_commit_box(self, &all);
}

static rp_status_t resize(rp_world_t *self, const rp_placed_t *placed, rp_world_t **before)
{
    const rp_window_t *window = &placed->window;
    if (rp_staged_edit_serves(window->staged_edit, self)) {
        return take_staged(self, placed, before);
    }
    const rp_grid_shape_t *shape = &self->layers[0]->grid->shape;
    const bool is_bare = self->overlay.base == NULL;
    rp_world_complete(self);
    if (is_bare && window->width == shape->width && window->height == shape->height) {
        shift(self, placed);
        *before = NULL;
        return RP_OK;
    }
    return replace(self, placed, is_bare && can_move(shape, window), before);
}

rp_status_t rp_world_resize(rp_world_t *self, const rp_placed_t *placed, rp_world_t **before)
{
    if (self->layers[0]->grid->shape.wraps) {
        return RP_E_UNSUPPORTED;
    }
    const rp_status_t status = resize(self, placed, before);
    if (status == RP_OK) {
        rp_windows_add(&self->windows, placed, placed->window.is_told);
    }
    return status;
}
