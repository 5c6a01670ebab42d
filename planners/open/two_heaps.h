/// @file
/// OPEN as two indexed heaps (indexed_heap.h), for searches that end at a limit and later go on.
/// When a search ends, all keys in OPEN are at the limit or beyond, and most of them are not needed
/// by the next one. These stay in a heap of their own, so that what goes in and out meanwhile
/// passes through a small one.
///
///     near   what was put in below the bar since the last search ended
///     far    all else, some of it below the bar: the top is the lesser of the two heaps' tops
#ifndef REPLAN_PLANNERS_OPEN_TWO_HEAPS_H
#define REPLAN_PLANNERS_OPEN_TWO_HEAPS_H

#include "planners/open/indexed_heap.h"

/// In the place of a cell: it stands in the far heap.
#define RP_TWO_HEAPS_FAR 0x80000000u

typedef struct rp_two_heaps {
    rp_indexed_heap_t near;
    rp_indexed_heap_t far;
    rp_key_t bar; ///< what is put in goes to the near heap when its key is less
} rp_two_heaps_t;

/// Take all cells out, and lift the bar above all keys. Time: O(1).
static inline void rp_two_heaps_clear(rp_two_heaps_t *self)
{
    rp_indexed_heap_clear(&self->near);
    rp_indexed_heap_clear(&self->far);
    self->bar = ~(rp_key_t)0;
}

/// As rp_indexed_heap_init().
static inline void rp_two_heaps_init(rp_two_heaps_t *self, uint32_t cells, uint32_t *places,
                                     uint32_t stride, rp_arena_t *arena)
{
    rp_indexed_heap_init(&self->near, cells, places, stride, 0, arena);
    rp_indexed_heap_init(&self->far, cells, places, stride, RP_TWO_HEAPS_FAR, arena);
    rp_two_heaps_clear(self);
}

static inline bool rp_two_heaps_is_empty(const rp_two_heaps_t *self)
{
    return rp_indexed_heap_is_empty(&self->near) && rp_indexed_heap_is_empty(&self->far);
}

static inline uint32_t rp_two_heaps_count(const rp_two_heaps_t *self)
{
    return rp_indexed_heap_count(&self->near) + rp_indexed_heap_count(&self->far);
}

/// The entry of least key; OPEN must not be empty.
static inline rp_indexed_heap_entry_t rp_two_heaps_top(const rp_two_heaps_t *self)
{
    const rp_indexed_heap_entry_t *near = &self->near.entries[RP_INDEXED_HEAP_ROOT];
    const rp_indexed_heap_entry_t *far = &self->far.entries[RP_INDEXED_HEAP_ROOT];
    const bool is_far = rp_indexed_heap_is_empty(&self->near) ||
                        (!rp_indexed_heap_is_empty(&self->far) && far->key < near->key);
    return is_far ? *far : *near;
}

/// The heap in which a cell stands that is in.
static inline rp_indexed_heap_t *rp_two_heaps_heap(rp_two_heaps_t *self, rp_cell_t cell)
{
    const bool is_far = (*rp_indexed_heap_place(&self->near, cell) & RP_TWO_HEAPS_FAR) != 0;
    return is_far ? &self->far : &self->near;
}

/// Put in a cell that is not in.
static inline void rp_two_heaps_push(rp_two_heaps_t *self, rp_key_t key, rp_cell_t cell)
{
    rp_indexed_heap_push(key < self->bar ? &self->near : &self->far, key, cell);
}

/// Give a cell that is in another key, lower or higher.
static inline void rp_two_heaps_move(rp_two_heaps_t *self, rp_key_t key, rp_cell_t cell)
{
    rp_indexed_heap_t *heap = rp_two_heaps_heap(self, cell);
    if (heap == &self->far && key < self->bar) {
        rp_indexed_heap_remove(&self->far, cell);
        rp_indexed_heap_push(&self->near, key, cell);
    } else {
        rp_indexed_heap_move(heap, key, cell);
    }
}

/// Take out a cell that is in.
static inline void rp_two_heaps_remove(rp_two_heaps_t *self, rp_cell_t cell)
{
    rp_indexed_heap_remove(rp_two_heaps_heap(self, cell), cell);
}

/// As rp_indexed_heap_leave(); the entry goes to a cell on the same side of the bar.
static inline void rp_two_heaps_leave(rp_two_heaps_t *self, rp_cell_t cell)
{
    rp_indexed_heap_leave(rp_two_heaps_heap(self, cell), cell);
}

/// End what rp_two_heaps_leave() began.
static inline void rp_two_heaps_close(rp_two_heaps_t *self)
{
    rp_indexed_heap_close(&self->near);
    rp_indexed_heap_close(&self->far);
}

/// The far heap is empty: it and the near one change their arrays.
static inline void rp_two_heaps_swap(rp_two_heaps_t *self)
{
    const rp_indexed_heap_t far = self->far;
    self->far = self->near;
    self->near = far;
    self->near.tag = 0;
    self->far.tag = RP_TWO_HEAPS_FAR;
    for (uint32_t place = RP_INDEXED_HEAP_ROOT; place < self->far.end; place++) {
        rp_indexed_heap_set(&self->far, place, self->far.entries[place]);
    }
}

/// A search has ended at this limit: no key is less. What stands in the near heap goes to the far
/// one, and the bar is as low as it may be while the next search finds what it will put in below:
/// ways of the same f that come nearer to their target. Time: O(1) as a rule for each cell of the
/// near heap, as most keys in the far one are as great.
static inline void rp_two_heaps_part(rp_two_heaps_t *self, rp_key_t limit)
{
    self->bar = rp_key(rp_key_first(limit) + 1u, 0);
    if (rp_indexed_heap_is_empty(&self->far)) {
        rp_two_heaps_swap(self);
        rp_indexed_heap_prefault(&self->near); // what comes next goes there
        return;
    }
    for (uint32_t place = RP_INDEXED_HEAP_ROOT; place < self->near.end; place++) {
        const rp_indexed_heap_entry_t entry = self->near.entries[place];
        rp_indexed_heap_push(&self->far, entry.key, entry.cell);
    }
    rp_indexed_heap_clear(&self->near);
}

/// True when a cell is in, in order, and by no greater key than this one.
static inline bool rp_two_heaps_holds(const rp_two_heaps_t *self, rp_cell_t cell, rp_key_t key)
{
    const bool is_far = (*rp_indexed_heap_place(&self->near, cell) & RP_TWO_HEAPS_FAR) != 0;
    const rp_indexed_heap_t *heap = is_far ? &self->far : &self->near;
    const uint32_t place = rp_indexed_heap_where(heap, cell);
    return place >= RP_INDEXED_HEAP_ROOT && place < heap->end &&
           rp_indexed_heap_holds_at(heap, place) && heap->entries[place].cell == cell &&
           heap->entries[place].key <= key;
}

/// As rp_indexed_heap_prefault_ahead().
static inline void rp_two_heaps_prefault_ahead(rp_two_heaps_t *self)
{
    rp_indexed_heap_prefault_ahead(&self->near);
    rp_indexed_heap_prefault_ahead(&self->far);
}

/// Most bytes that entries have taken so far.
static inline uint64_t rp_two_heaps_bytes(const rp_two_heaps_t *self)
{
    return ((uint64_t)self->near.peak + self->far.peak) * sizeof *self->near.entries;
}

#endif
