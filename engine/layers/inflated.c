/// Obstacles that came or went are gathered in boxes, which are inflated anew once a version is
/// complete. Where obstacles only came, their distances are spread over the known ones.
#include "engine/layers/inflated.h"

#include <stdlib.h>
#include <string.h>

/// An obstacle is tried against this many boxes: edits come in rows, so a near one was begun
/// lately.
#define BOXES_TRIED 8u
#define BOXES_FIRST 64u

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

// ---- boxes

static rp_box_t joined(const rp_box_t *box, uint32_t x, uint32_t y)
{
    const uint32_t left = x < box->x ? x : box->x;
    const uint32_t top = y < box->y ? y : box->y;
    const uint32_t right = x >= box->x + box->width ? x + 1u : box->x + box->width;
    const uint32_t bottom = y >= box->y + box->height ? y + 1u : box->y + box->height;
    return (rp_box_t){left, top, right - left, bottom - top};
}

/// Cells that a box makes us look at.
static uint64_t area_around(const rp_box_t *box, uint32_t reach)
{
    return (uint64_t)(box->width + 2u * reach) * (box->height + 2u * reach);
}

/// An obstacle came or went at (x, y): it joins a box that was begun lately if that is cheaper than
/// a box of its own.
static void note_obstacle(rp_inflated_t *self, uint32_t x, uint32_t y, bool has_gone)
{
    const uint32_t reach = self->inflation.reach;
    const rp_box_t alone = {x, y, 1, 1};
    const uint64_t apart = area_around(&alone, reach);
    const size_t last = self->stirred_count;
    for (size_t i = last; i-- > (last > BOXES_TRIED ? last - BOXES_TRIED : 0);) {
        rp_stirred_t *stirred = &self->stirred[i];
        const rp_box_t both = joined(&stirred->box, x, y);
        if (area_around(&both, reach) <= area_around(&stirred->box, reach) + apart) {
            stirred->box = both;
            stirred->has_gone |= has_gone;
            return;
        }
    }
    if (last == self->stirred_capacity) {
        const size_t capacity = 2u * last + BOXES_FIRST;
        rp_stirred_t *stirred = realloc(self->stirred, capacity * sizeof *stirred);
        if (stirred == NULL) { // dearer, as exact
            rp_stirred_t *newest = &self->stirred[last - 1u];
            newest->box = joined(&newest->box, x, y);
            newest->has_gone |= has_gone;
            return;
        }
        self->stirred = stirred;
        self->stirred_capacity = capacity;
    }
    self->stirred[self->stirred_count++] = (rp_stirred_t){alone, has_gone};
}

void rp_inflated_note(rp_inflated_t *self, uint32_t x, uint32_t y, uint8_t before, uint8_t after)
{
    const bool stands = is_obstacle(self, after);
    if (is_obstacle(self, before) != stands) {
        rp_distance_put(&self->distances, (uint64_t)y * self->distances.width + x, stands);
        note_obstacle(self, x, y, !stands);
    }
}

// ---- runs

/// A stretch of a side, as pieces that do not reach across the seam of a wrapped world.
typedef struct pieces {
    uint32_t first[2];
    uint32_t length[2];
    unsigned count;
} pieces_t;

/// Reach out from a stretch on both sides.
static pieces_t pieces_around(uint32_t first, uint32_t length, uint32_t reach, uint32_t side,
                              bool wraps)
{
    const int64_t low = (int64_t)first - reach;
    const int64_t high = (int64_t)first + length + reach;
    if ((low >= 0 && high <= side) || !wraps || high - low >= side) {
        const bool is_all = wraps && high - low >= side;
        const uint32_t from = low < 0 || is_all ? 0u : (uint32_t)low;
        const uint32_t end = high > side || is_all ? side : (uint32_t)high;
        return (pieces_t){.first = {from}, .length = {end - from}, .count = 1};
    }
    const uint32_t from = low < 0 ? (uint32_t)(low + side) : (uint32_t)low;
    const uint32_t end = high > side ? (uint32_t)(high - side) : (uint32_t)high;
    return (pieces_t){.first = {from, 0}, .length = {side - from, end}, .count = 2};
}

/// Bring what lies around a box up to date.
static void run_box(rp_inflated_t *self, const rp_box_t *box, rp_distance_changed_fn *hear,
                    void *user)
{
    rp_distance_transform_t *distances = &self->distances;
    const pieces_t columns =
        pieces_around(box->x, box->width, distances->reach, distances->width, distances->wraps);
    const pieces_t rows =
        pieces_around(box->y, box->height, distances->reach, distances->height, distances->wraps);
    for (unsigned piece = 0; piece < columns.count * rows.count; piece++) {
        const unsigned column = piece % columns.count;
        const unsigned row = piece / columns.count;
        const rp_box_t part = {columns.first[column], rows.first[row], columns.length[column],
                               rows.length[row]};
        rp_distance_run(distances, part, hear, user);
    }
}

void rp_inflated_run(rp_inflated_t *self, rp_distance_changed_fn *hear, void *user)
{
    const uint32_t reach = self->distances.reach;
    uint64_t apart = 0;
    rp_box_t all = self->stirred_count != 0 ? self->stirred[0].box : (rp_box_t){0};
    for (size_t i = 0; i < self->stirred_count; i++) {
        const rp_box_t *box = &self->stirred[i].box;
        apart += area_around(box, reach);
        all = joined(&all, box->x, box->y);
        all = joined(&all, box->x + box->width - 1u, box->y + box->height - 1u);
    }
    if (area_around(&all, reach) < apart) {
        run_box(self, &all, hear, user);
        self->stirred_count = 0;
    }
    for (size_t i = 0; i < self->stirred_count; i++) {
        const rp_stirred_t *stirred = &self->stirred[i];
        if (stirred->has_gone || !rp_distance_spread(&self->distances, stirred->box, hear, user)) {
            run_box(self, &stirred->box, hear, user);
        }
    }
    self->stirred_count = 0;
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
    free(inflated->stirred);
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
    self->stirred = malloc(BOXES_FIRST * sizeof *self->stirred);
    self->stirred_capacity = BOXES_FIRST;
    if (rp_distance_init(&self->distances, shape->width, shape->height, shape->wraps,
                         inflation->reach) != RP_OK ||
        self->stirred == NULL) {
        rp_inflated_destroy(&self, NULL);
        return NULL;
    }
    return self;
}
