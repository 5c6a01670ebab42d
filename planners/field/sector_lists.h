/// @file
/// A list of cells of a field for each of some sectors of the grid, so that a search looks only at
/// sectors near its possible paths. An entry holds d of its cell at the time when it was put in.
///
///     a cell matters to a start only if     f = d + bound(cell, start) is small enough;
///     a sector holds such a cell only if      its least d + bound(sector, start) is.
///
/// It buys, with what flow keeps in such lists: where all is judged and spread at once, whoever
/// asks, an army of 10,000 agents with 100 goals takes as long in the median, but 1.5 times as long
/// from a change to the last answer in one change of a hundred (`scale`).
#ifndef REPLAN_PLANNERS_FIELD_SECTOR_LISTS_H
#define REPLAN_PLANNERS_FIELD_SECTOR_LISTS_H

#include "planners/field/field.h"

/// Most sectors along a side of the grid.
#define RP_SECTOR_LISTS_SIDE  16u
#define RP_SECTOR_LISTS_ALL   (RP_SECTOR_LISTS_SIDE * RP_SECTOR_LISTS_SIDE)
#define RP_SECTOR_LISTS_WORDS (RP_SECTOR_LISTS_ALL / 64u)

typedef struct rp_sector_lists_entry {
    rp_cell_t cell;
    rp_cost_t d;
    uint32_t next; ///< place of the next entry of its sector, or of the free list; 0: none
} rp_sector_lists_entry_t;

typedef struct rp_sector_list {
    uint32_t first;  ///< place of its first entry; 0: none
    uint32_t batch;  ///< rp_sector_lists_t.batch when an entry was put in last
    rp_cost_t least; ///< no entry has a smaller d
} rp_sector_list_t;

typedef struct rp_sector_lists {
    rp_sector_lists_entry_t *entries; ///< owned, from 1 on [capacity + 1]
    uint32_t capacity;
    uint32_t count;
    uint32_t used;  ///< entries from 1 on that were ever used since the last clear
    uint32_t peak;  ///< greatest `used` so far
    uint32_t free;  ///< first place of the free list; 0: none
    uint32_t batch; ///< number of the current batch of changes; set by the user
    unsigned shift; ///< from coordinates to sectors
    uint64_t filled[RP_SECTOR_LISTS_WORDS]; ///< one bit a sector; may be set although the sector is
                                            ///< empty
    rp_sector_list_t sectors[RP_SECTOR_LISTS_ALL];
} rp_sector_lists_t;

static inline void rp_sector_lists_clear(rp_sector_lists_t *self)
{
    self->count = 0;
    self->used = 0;
    self->free = 0;
    memset(self->filled, 0, sizeof self->filled);
    memset(self->sectors, 0, sizeof self->sectors);
}

static inline void rp_sector_lists_init(rp_sector_lists_t *self, const rp_grid_t *grid,
                                        uint32_t capacity, rp_arena_t *arena)
{
    const uint32_t width = grid->shape.width;
    const uint32_t height = grid->shape.height;
    const uint32_t side = width > height ? width : height;
    *self = (rp_sector_lists_t){.capacity = capacity};
    while (((side - 1u) >> self->shift) >= RP_SECTOR_LISTS_SIDE) {
        self->shift++;
    }
    self->entries = rp_arena_new_sparse(arena, capacity + 1u, sizeof *self->entries);
    rp_arena_note(arena, &self->peak, &self->peak, sizeof *self->entries);
}

static inline rp_sector_list_t *rp_sector_list(rp_sector_lists_t *self, rp_point_t point)
{
    const uint32_t column = (uint32_t)point.x >> self->shift;
    const uint32_t row = (uint32_t)point.y >> self->shift;
    return &self->sectors[row * RP_SECTOR_LISTS_SIDE + column];
}

/// The first sector from this one on that has entries; RP_SECTOR_LISTS_ALL when none has.
static inline uint32_t rp_sector_lists_next(rp_sector_lists_t *self, uint32_t sector)
{
    for (uint32_t word = sector / 64u; word < RP_SECTOR_LISTS_WORDS; word++) {
        uint64_t *filled = &self->filled[word];
        uint64_t left =
            word == sector / 64u ? *filled >> (sector % 64u) << (sector % 64u) : *filled;
        for (; left != 0; left &= left - 1u) {
            const uint32_t next = word * 64u + (uint32_t)__builtin_ctzll(left);
            if (self->sectors[next].first != 0) {
                return next;
            }
            *filled &= ~(left & -left);
        }
    }
    return RP_SECTOR_LISTS_ALL;
}

static inline bool rp_sector_lists_is_full(const rp_sector_lists_t *self)
{
    return self->count == self->capacity;
}

/// Put in a cell. The list must not be full.
static inline void rp_sector_lists_add(rp_sector_lists_t *self, rp_cell_t cell, rp_point_t point,
                                       rp_cost_t d)
{
    rp_sector_list_t *sector = rp_sector_list(self, point);
    const uint32_t number = (uint32_t)(sector - self->sectors);
    uint32_t place = self->free;
    if (place != 0) {
        self->free = self->entries[place].next;
    } else {
        place = ++self->used;
        self->peak = place > self->peak ? place : self->peak;
    }
    self->entries[place] = (rp_sector_lists_entry_t){cell, d, sector->first};
    sector->least = sector->first == 0 || d < sector->least ? d : sector->least;
    self->filled[number / 64u] |= (uint64_t)1 << (number % 64u);
    sector->first = place;
    sector->batch = self->batch;
    self->count++;
}

/// Drop the entry that a link (`first` or `next`) names.
static inline void rp_sector_lists_drop(rp_sector_lists_t *self, uint32_t *link)
{
    const uint32_t place = *link;
    *link = self->entries[place].next;
    self->entries[place].next = self->free;
    self->free = place;
    self->count--;
}

/// A lower bound on f of the cells of a sector. On a torus the distance to the sector counts as 0.
static inline rp_cost_t rp_sector_lists_least_f(const rp_sector_lists_t *self, uint32_t sector,
                                                const rp_metric_t *metric, rp_point_t start)
{
    const int32_t left = (int32_t)((sector % RP_SECTOR_LISTS_SIDE) << self->shift);
    const int32_t top = (int32_t)((sector / RP_SECTOR_LISTS_SIDE) << self->shift);
    const int32_t right = left + (1 << self->shift) - 1;
    const int32_t bottom = top + (1 << self->shift) - 1;
    const rp_point_t nearest = {start.x < left    ? left
                                : start.x > right ? right
                                                  : start.x,
                                start.y < top      ? top
                                : start.y > bottom ? bottom
                                                   : start.y};
    return self->sectors[sector].least + (metric->wraps ? 0 : rp_bound(metric, nearest, start));
}

#endif
