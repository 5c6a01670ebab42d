/// A resized world is made beside the old one, whole, and then the two change places: nothing that
/// can fail comes after the first byte that is seen. A window that keeps its sides only moves over
/// the plane: then bytes move where they are, and that cannot fail either.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/world.h"

/// A row of the window: what stood there, `fill` where there was nothing. It may lie on the old
/// one.
/// @param from  the old row [old_width]; NULL: none
static void copy_row(const rp_window_t *window, uint8_t fill, const uint8_t *from,
                     uint32_t old_width, uint8_t *to)
{
    const int64_t left = window->x > 0 ? window->x : 0;
    const int64_t end = (int64_t)window->x + window->width;
    const int64_t right = end < old_width ? end : old_width;
    if (from == NULL || left >= right) {
        memset(to, fill, window->width);
        return;
    }
    memmove(to + (left - window->x), from + left, (size_t)(right - left));
    memset(to, fill, (size_t)(left - window->x));
    memset(to + (right - window->x), fill, (size_t)(end - right));
}

/// @param source  bytes of the old window
/// @param bytes   written; may be the same array when both windows have the same sides
static void copy_window(const uint8_t *source, const rp_grid_shape_t *old,
                        const rp_window_t *window, uint8_t fill, uint8_t *bytes)
{
    for (uint32_t i = 0; i < window->height; i++) {
        const uint32_t row = window->y >= 0 ? i : window->height - 1u - i; // read, then written
        const int64_t y = (int64_t)window->y + row;
        const uint8_t *from = y >= 0 && y < old->height ? source + y * old->width : NULL;
        copy_row(window, fill, from, old->width, bytes + (size_t)row * window->width);
    }
}

static uint8_t fill_of(const rp_world_t *self, const rp_window_t *window)
{
    return window->is_filled ? window->fill : self->layers[0]->profile.normal;
}

static void place_frame(rp_world_t *self, const rp_world_t *from, const rp_window_t *window)
{
    const double dx = window->x * from->frame.resolution_m;
    const double dy = window->y * from->frame.resolution_m;
    self->frame = from->frame;
    self->cosine = from->cosine;
    self->sine = from->sine;
    self->frame.origin_x_m += dx * from->cosine - dy * from->sine;
    self->frame.origin_y_m += dx * from->sine + dy * from->cosine;
}

/// All of a world that depends on where it lies: bytes, frame, shapes, layers in the same order.
static rp_status_t build(rp_world_t *self, const rp_world_t *from, const rp_window_t *window)
{
    static const rp_inflation_t none = {.reach = 0};
    const rp_profile_t *profile = &from->layers[0]->profile;
    rp_grid_shape_t shape = from->layers[0]->grid->shape;
    shape.width = window->width;
    shape.height = window->height;
    rp_overlay_init(&self->overlay);
    self->version = from->version;
    self->cells = (uint64_t)window->width * window->height;
    self->bytes = malloc(self->cells);
    if (self->bytes == NULL) {
        return RP_E_MEMORY;
    }
    const uint8_t *source = from->overlay.base != NULL ? from->overlay.base : from->bytes;
    copy_window(source, &from->layers[0]->grid->shape, window, fill_of(from, window), self->bytes);
    place_frame(self, from, window);
    rp_status_t status = rp_world_add_layer(self, &shape, profile, &none);
    if (status == RP_OK && from->overlay.count != 0) {
        status =
            rp_world_carry_shapes(self, &from->overlay, -(double)window->x, -(double)window->y);
    }
    self->version = from->version + 1u;
    for (uint32_t i = 1; i < from->layer_count && status == RP_OK; i++) {
        const rp_layer_t *layer = from->layers[i];
        const rp_inflated_t *inflated = layer->inflated;
        status = rp_world_add_layer(self, &shape, &layer->profile,
                                    inflated != NULL ? &inflated->inflation : &none);
    }
    return status;
}

/// The ground changes places; who stands on it stays.
static void swap_layers(rp_layer_t *self, rp_layer_t *other, uint64_t version)
{
    const rp_layer_t mine = *self;
    *self = *other;
    *other = mine;
    self->users = mine.users;
    self->herds = mine.herds;
    other->herds = NULL;
    self->stances = mine.stances;
    other->stances = (rp_stances_t){0};
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
    rp_world_recount(self);
}

/// A window of the same sides, without shapes: bytes move, and layers are laid anew where they are.
static void shift(rp_world_t *self, const rp_window_t *window)
{
    const rp_grid_shape_t *shape = &self->layers[0]->grid->shape;
    const rp_box_t all = {0, 0, shape->width, shape->height};
    const rp_world_t from = *self;
    copy_window(self->bytes, shape, window, fill_of(self, window), self->bytes);
    place_frame(self, &from, window);
    self->version++;
    self->rewritten_is_kept = false;
    rp_world_recount(self);
    for (uint32_t i = 0; i < self->layer_count; i++) {
        rp_layer_lift(self->layers[i], &all, self->version);
    }
}

rp_status_t rp_world_resize(rp_world_t *self, const rp_window_t *window, rp_world_t **before)
{
    if (self->layers[0]->grid->shape.wraps) {
        return RP_E_UNSUPPORTED;
    }
    if (window->width == 0 || window->height == 0 || window->width > RP_GRID_SIDE_MAX ||
        window->height > RP_GRID_SIDE_MAX) {
        return RP_E_INVALID;
    }
    const rp_grid_shape_t *shape = &self->layers[0]->grid->shape;
    if (window->width == shape->width && window->height == shape->height &&
        self->overlay.base == NULL) {
        shift(self, window);
        *before = NULL;
        return RP_OK;
    }
    rp_world_t *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL) {
        return RP_E_MEMORY;
    }
    const rp_status_t status = build(fresh, self, window);
    if (status != RP_OK) {
        rp_world_destroy(&fresh);
        return status;
    }
    swap_worlds(self, fresh);
    *before = fresh;
    return RP_OK;
}
