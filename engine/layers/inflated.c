/// Obstacles that came or went are gathered in boxes, which are inflated anew once a version is
/// complete. Where obstacles only came, their distances are spread over the known ones.
#include "engine/layers/inflated.h"

#include <stdlib.h>
#include <string.h>

static bool is_obstacle(const rp_inflated_t *self, uint8_t byte)
{
    return byte != RP_BYTE_UNKNOWN && self->factor[byte] == 0;
}

void rp_inflated_read(const rp_inflated_t *self, uint64_t first, uint8_t *factors, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        factors[i] = rp_inflated_factor(self, first + i);
    }
}

void rp_inflated_mark(rp_inflated_t *self, rp_box_t box)
{
    for (uint32_t row = 0; row < box.height; row++) {
        const uint64_t first = (uint64_t)(box.y + row) * self->distances.width + box.x;
        for (uint32_t i = 0; i < box.width; i++) {
            rp_distance_put(&self->distances, first + i, is_obstacle(self, self->bytes[first + i]));
        }
    }
}

void rp_inflated_note(rp_inflated_t *self, uint32_t x, uint32_t y, uint8_t before, uint8_t after)
{
    const bool stands = is_obstacle(self, after);
    if (is_obstacle(self, before) != stands) {
        rp_distance_put(&self->distances, (uint64_t)y * self->distances.width + x, stands);
        rp_stirred_note(&self->stirred, x, y, !stands);
    }
}

// ---- runs

/// Bring what lies around a box up to date.
static void run_box(rp_inflated_t *self, const rp_box_t *box, rp_distance_changed_fn *hear,
                    void *user)
{
    rp_distance_transform_t *distances = &self->distances;
    const rp_stirred_parts_t parts =
        rp_stirred_parts_of(box, distances->reach, distances->reach, distances->width,
                            distances->height, distances->wraps);
    for (unsigned i = 0; i < parts.count; i++) {
        rp_distance_run(distances, parts.list[i], hear, user);
    }
}

void rp_inflated_run(rp_inflated_t *self, rp_distance_changed_fn *hear, void *user)
{
    rp_stirred_list_t *list = &self->stirred;
    rp_box_t all;
    if (rp_stirred_hull(list, &all)) {
        run_box(self, &all, hear, user);
        list->count = 0;
    }
    for (size_t i = 0; i < list->count; i++) {
        const rp_stirred_t *stirred = &list->items[i];
        if (stirred->has_gone || !rp_distance_spread(&self->distances, stirred->box, hear, user)) {
            run_box(self, &stirred->box, hear, user);
        }
    }
    list->count = 0;
}

uint64_t rp_inflated_bytes(const rp_inflated_t *self)
{
    const rp_distance_transform_t *distances = &self->distances;
    return (uint64_t)distances->width * distances->height * rp_distance_size(distances);
}

// ---- birth and death

void rp_inflated_destroy(rp_inflated_t **self, rp_deferred_free_t *deferred_free)
{
    rp_inflated_t *inflated = *self;
    if (inflated == NULL) {
        return;
    }
    const uint64_t span = rp_deferred_free_span(deferred_free);
    const uint64_t bytes = rp_inflated_bytes(inflated);
    rp_distance_fini(&inflated->distances, deferred_free);
    rp_deferred_free_note(deferred_free, span, bytes);
    rp_stirred_fini(&inflated->stirred);
    free(inflated);
    *self = NULL;
}

rp_inflated_t *rp_inflated_new(const rp_grid_shape_t *shape, const uint8_t factor[256],
                               const rp_inflation_t *inflation, const uint8_t *bytes)
{
    rp_inflated_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->inflation = *inflation;
    self->bytes = bytes;
    memcpy(self->factor, factor, sizeof self->factor);
    const bool has_list = rp_stirred_init(&self->stirred, inflation->reach);
    if (rp_distance_init(&self->distances, shape->width, shape->height, shape->wraps,
                         inflation->reach) != RP_OK ||
        !has_list) {
        rp_inflated_destroy(&self, NULL);
        return NULL;
    }
    return self;
}
