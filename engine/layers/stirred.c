/// A list of boxes; the newest are tried first.
#include "engine/layers/stirred.h"

#include <stdlib.h>

#include "base/array.h"

/// A cell is tried against this many boxes: edits come in rows, so a near one was begun lately.
#define BOXES_TRIED 8u
#define BOXES_FIRST 64u

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

static void join(rp_stirred_t *stirred, uint32_t x, uint32_t y, bool has_gone)
{
    stirred->box = joined(&stirred->box, x, y);
    stirred->has_gone |= has_gone;
}

void rp_stirred_note(rp_stirred_list_t *self, uint32_t x, uint32_t y, bool has_gone)
{
    const rp_box_t alone = {x, y, 1, 1};
    const uint64_t apart = area_around(&alone, self->reach);
    const size_t last = self->count;
    for (size_t i = last; i-- > (last > BOXES_TRIED ? last - BOXES_TRIED : 0);) {
        rp_stirred_t *stirred = &self->items[i];
        const rp_box_t both = joined(&stirred->box, x, y);
        if (area_around(&both, self->reach) <= area_around(&stirred->box, self->reach) + apart) {
            join(stirred, x, y, has_gone);
            return;
        }
    }
    if (!rp_array_reserve(&self->items, &self->capacity, self->count + 1u,
                          sizeof *self->items)) { // dearer, as exact
        join(&self->items[last - 1u], x, y, has_gone);
        return;
    }
    self->items[self->count++] = (rp_stirred_t){alone, has_gone};
}

bool rp_stirred_hull(const rp_stirred_list_t *self, rp_box_t *hull)
{
    uint64_t apart = 0;
    rp_box_t all = self->count != 0 ? self->items[0].box : (rp_box_t){0};
    for (size_t i = 0; i < self->count; i++) {
        const rp_box_t *box = &self->items[i].box;
        apart += area_around(box, self->reach);
        all = joined(&all, box->x, box->y);
        all = joined(&all, box->x + box->width - 1u, box->y + box->height - 1u);
    }
    *hull = all;
    return self->count != 0 && area_around(&all, self->reach) < apart;
}

// ---- parts

/// A stretch of a side, as pieces that do not reach across the seam.
typedef struct pieces {
    uint32_t first[2];
    uint32_t length[2];
    unsigned count;
} pieces_t;

/// Reach out from a stretch. @param side  of the world
static pieces_t pieces_of(uint32_t first, uint32_t length, uint32_t before, uint32_t after,
                          uint32_t side, bool wraps)
{
    const int64_t low = (int64_t)first - before;
    const int64_t high = (int64_t)first + length + after;
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

rp_stirred_parts_t rp_stirred_parts_of(const rp_box_t *box, uint32_t before, uint32_t after,
                                       uint32_t width, uint32_t height, bool wraps)
{
    const pieces_t columns = pieces_of(box->x, box->width, before, after, width, wraps);
    const pieces_t rows = pieces_of(box->y, box->height, before, after, height, wraps);
    rp_stirred_parts_t parts = {.count = columns.count * rows.count};
    for (unsigned i = 0; i < parts.count; i++) {
        const unsigned column = i % columns.count;
        const unsigned row = i / columns.count;
        parts.list[i] = (rp_box_t){columns.first[column], rows.first[row], columns.length[column],
                                   rows.length[row]};
    }
    return parts;
}

// ---- birth and death

bool rp_stirred_init(rp_stirred_list_t *self, uint32_t reach)
{
    *self = (rp_stirred_list_t){.items = malloc(BOXES_FIRST * sizeof *self->items),
                                .capacity = BOXES_FIRST,
                                .reach = reach};
    return self->items != NULL;
}

void rp_stirred_fini(rp_stirred_list_t *self)
{
    free(self->items);
    *self = (rp_stirred_list_t){0};
}
