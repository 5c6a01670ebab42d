/// @file
/// Cells of a field that were lowered and wait, out of its heap, until they matter to somebody who
/// starts: by tiles, so that a start looks only at those near its ways. An entry is live while its
/// cell waits with this d; one that is not is dropped when it is looked at.
///
///     a cell can lower d(start) only if    f = d + bound(cell, start) < d(start)
///     a tile holds such a cell only if     its least d + bound(tile, start) < d(start)
#ifndef REPLAN_SEARCH_ASLEEP_H
#define REPLAN_SEARCH_ASLEEP_H

#include "planners/search/field.h"

/// Along a side, at most.
#define RP_ASLEEP_TILES 16u

typedef struct rp_asleep_entry {
    rp_cell_t cell;
    rp_cost_t d;
    uint32_t next; ///< in its tile, or of those that are free; 0: none
} rp_asleep_entry_t;

typedef struct rp_asleep_tile {
    uint32_t first; ///< 0: none
    rp_cost_t least;
} rp_asleep_tile_t;

typedef struct rp_asleep {
    rp_asleep_entry_t *entries; ///< owned, from 1 on [capacity + 1]
    uint32_t capacity;
    uint32_t count;
    uint32_t used; ///< entries beyond were not in use since all was forgotten
    uint32_t peak; ///< greatest `used` so far
    uint32_t free;
    unsigned shift; ///< from coordinates to tiles
    rp_asleep_tile_t tiles[RP_ASLEEP_TILES * RP_ASLEEP_TILES];
} rp_asleep_t;

static inline void rp_asleep_clear(rp_asleep_t *self)
{
    self->count = 0;
    self->used = 0;
    self->free = 0;
    memset(self->tiles, 0, sizeof self->tiles);
}

static inline rp_status_t rp_asleep_init(rp_asleep_t *self, const rp_grid_t *grid,
                                         uint32_t capacity)
{
    const uint32_t width = grid->shape.width;
    const uint32_t height = grid->shape.height;
    const uint32_t side = width > height ? width : height;
    *self = (rp_asleep_t){.capacity = capacity};
    while (((side - 1u) >> self->shift) >= RP_ASLEEP_TILES) {
        self->shift++;
    }
    self->entries = rp_memory_new(capacity + 1u, sizeof *self->entries);
    return self->entries != NULL ? RP_OK : RP_E_MEMORY;
}

static inline void rp_asleep_fini(rp_asleep_t *self)
{
    rp_memory_free(self->entries, self->capacity + 1u, sizeof *self->entries);
    *self = (rp_asleep_t){0};
}

static inline bool rp_asleep_is_full(const rp_asleep_t *self)
{
    return self->count == self->capacity;
}

/// There is room.
static inline void rp_asleep_add(rp_asleep_t *self, rp_cell_t cell, rp_point_t point, rp_cost_t d)
{
    const uint32_t column = (uint32_t)point.x >> self->shift;
    const uint32_t row = (uint32_t)point.y >> self->shift;
    rp_asleep_tile_t *tile = &self->tiles[row * RP_ASLEEP_TILES + column];
    uint32_t place = self->free;
    if (place != 0) {
        self->free = self->entries[place].next;
    } else {
        place = ++self->used;
        self->peak = place > self->peak ? place : self->peak;
    }
    self->entries[place] = (rp_asleep_entry_t){cell, d, tile->first};
    tile->least = tile->first == 0 || d < tile->least ? d : tile->least;
    tile->first = place;
    self->count++;
}

/// No cell of the tile is nearer. On a torus it may be anywhere.
static inline rp_cost_t rp_asleep_bound(const rp_asleep_t *self, uint32_t tile,
                                        const rp_metric_t *metric, rp_point_t point)
{
    const int32_t left = (int32_t)((tile % RP_ASLEEP_TILES) << self->shift);
    const int32_t top = (int32_t)((tile / RP_ASLEEP_TILES) << self->shift);
    const int32_t right = left + (1 << self->shift) - 1;
    const int32_t bottom = top + (1 << self->shift) - 1;
    const rp_point_t nearest = {point.x < left    ? left
                                : point.x > right ? right
                                                  : point.x,
                                point.y < top      ? top
                                : point.y > bottom ? bottom
                                                   : point.y};
    return metric->wraps ? 0 : rp_bound(metric, nearest, point);
}

/// The cells of a tile with a lesser f than this go into the field's heap.
static inline void rp_asleep_wake_tile(rp_asleep_t *self, rp_asleep_tile_t *tile, rp_field_t *field,
                                       const rp_metric_t *metric, rp_cost_t limit)
{
    uint32_t *link = &tile->first;
    tile->least = RP_COST_INF;
    while (*link != 0) {
        const uint32_t place = *link;
        rp_asleep_entry_t *entry = &self->entries[place];
        const rp_point_t point = rp_point_of(field->grid, entry->cell);
        if (entry->d + rp_bound(metric, point, field->apex_point) >= limit) {
            tile->least = entry->d < tile->least ? entry->d : tile->least;
            link = &entry->next;
            continue;
        }
        *link = entry->next;
        entry->next = self->free;
        self->free = place;
        self->count--;
        if (rp_field_take(field, entry->cell, entry->d)) {
            rp_field_put(field, entry->cell, point, entry->d);
        }
    }
}

/// Those that may lower the apex of the field to less than `limit` wake. Time: O(tiles + entries of
/// the tiles near its ways)
static inline void rp_asleep_wake(rp_asleep_t *self, rp_field_t *field, const rp_metric_t *metric,
                                  rp_cost_t limit)
{
    for (uint32_t i = 0; self->count != 0 && i < RP_ASLEEP_TILES * RP_ASLEEP_TILES; i++) {
        rp_asleep_tile_t *tile = &self->tiles[i];
        if (tile->first != 0 && tile->least < limit &&
            tile->least + rp_asleep_bound(self, i, metric, field->apex_point) < limit) {
            rp_asleep_wake_tile(self, tile, field, metric, limit);
        }
    }
}

static inline uint64_t rp_asleep_bytes(const rp_asleep_t *self)
{
    return (uint64_t)self->peak * sizeof *self->entries;
}

#endif
