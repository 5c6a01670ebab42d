/// A resized world is made beside the old one, whole, and then the two change places: nothing that
/// can fail comes after the first byte that is seen.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/world.h"
#include "planners/search/memory.h"

/// What stood in the window; `fill` where there was nothing.
static void copy_window(const rp_world_t *from, const rp_window_t *window, uint8_t fill,
                        uint8_t *bytes)
{
    const rp_grid_shape_t *old = &from->layers[0]->grid->shape;
    const uint8_t *source = from->overlay.base != NULL ? from->overlay.base : from->bytes;
    const int64_t left = window->x > 0 ? window->x : 0;
    const int64_t end = (int64_t)window->x + window->width;
    const int64_t right = end < old->width ? end : old->width;
    for (uint32_t row = 0; row < window->height; row++) {
        uint8_t *to = bytes + (size_t)row * window->width;
        const int64_t y = (int64_t)window->y + row;
        if (y < 0 || y >= old->height || left >= right) {
            memset(to, fill, window->width);
            continue;
        }
        memset(to, fill, (size_t)(left - window->x));
        memcpy(to + (left - window->x), source + y * old->width + left, (size_t)(right - left));
        memset(to + (right - window->x), fill, (size_t)(end - right));
    }
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
    self->bytes = rp_memory_new(self->cells, 1);
    if (self->bytes == NULL) {
        return RP_E_MEMORY;
    }
    copy_window(from, window, window->is_filled ? window->fill : profile->normal, self->bytes);
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

rp_status_t rp_world_resize(rp_world_t *self, const rp_window_t *window, rp_world_t **before)
{
    if (self->layers[0]->grid->shape.wraps) {
        return RP_E_UNSUPPORTED;
    }
    if (window->width == 0 || window->height == 0 || window->width > RP_GRID_SIDE_MAX ||
        window->height > RP_GRID_SIDE_MAX) {
        return RP_E_INVALID;
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
