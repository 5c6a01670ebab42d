/// @file
/// OPEN as a 4-ary heap with lazy deletion: a cell whose key fell is put in again, and its older
/// entry is dropped when it comes up. The user tells stale entries apart (each cell has at most one
/// live entry), so the reserve is a little over one entry a cell: a full heap is swept first.
#ifndef REPLAN_PLANNERS_OPEN_HEAP_H
#define REPLAN_PLANNERS_OPEN_HEAP_H

#include "base/arena.h"
#include "planners/grid/cost.h"

typedef struct rp_heap_entry {
    rp_key_t key;
    rp_cell_t cell;
} rp_heap_entry_t;

/// Unused entries before the root: with them four siblings share a line of the cache.
#define RP_HEAP_LEAD 3u

typedef struct rp_heap {
    rp_heap_entry_t *entries; ///< root first; the four children of i are 4i+1 .. 4i+4
    uint32_t count;
    uint32_t capacity;
    uint32_t peak; ///< most entries so far
} rp_heap_t;

/// @param cells  number of cells that can be live at once
static inline void rp_heap_init(rp_heap_t *self, uint32_t cells, rp_arena_t *arena)
{
    *self = (rp_heap_t){.capacity = cells + cells / 4u + 64u};
    rp_heap_entry_t *memory =
        rp_arena_new_sparse(arena, self->capacity + RP_HEAP_LEAD, sizeof *self->entries);
    rp_arena_note(arena, &self->peak, &self->peak, sizeof *self->entries);
    self->entries = memory != NULL ? memory + RP_HEAP_LEAD : NULL;
}

/// Touch the memory of the first entries before any is put in.
static inline void rp_heap_prefault(rp_heap_t *self)
{
    rp_memory_prefault(self->entries, self->capacity, sizeof *self->entries, 0, 1);
    rp_memory_touch(self->entries, sizeof *self->entries);
}

/// Entries that there is room for.
static inline uint32_t rp_heap_room(const rp_heap_t *self)
{
    return self->capacity - self->count;
}

static inline bool rp_heap_is_full(const rp_heap_t *self)
{
    return self->count == self->capacity;
}

static inline void rp_heap_push(rp_heap_t *self, rp_key_t key, rp_cell_t cell)
{
    rp_heap_entry_t *entries = self->entries;
    uint32_t place = self->count++;
    self->peak = self->count > self->peak ? self->count : self->peak;
    while (place != 0) {
        const uint32_t parent = (place - 1u) / 4u;
        if (entries[parent].key <= key) {
            break;
        }
        entries[place] = entries[parent];
        place = parent;
    }
    entries[place] = (rp_heap_entry_t){key, cell};
}

/// Put `entry` at `place`, whose children are heaps.
static inline void rp_heap_sink(rp_heap_t *self, uint32_t place, rp_heap_entry_t entry)
{
    rp_heap_entry_t *entries = self->entries;
    const uint32_t count = self->count;
    uint32_t first = 4u * place + 1u;
    while (first + 3u < count) { // all four: which is least is not worth a guess
        const uint32_t left = first + (entries[first + 1u].key < entries[first].key);
        const uint32_t right = first + 2u + (entries[first + 3u].key < entries[first + 2u].key);
        const uint32_t least = entries[right].key < entries[left].key ? right : left;
        if (entry.key <= entries[least].key) {
            entries[place] = entry;
            return;
        }
        entries[place] = entries[least];
        place = least;
        first = 4u * place + 1u;
    }
    uint32_t least = first;
    for (uint32_t child = first + 1u; child < count; child++) {
        least = entries[child].key < entries[least].key ? child : least;
    }
    if (first < count && entries[least].key < entry.key) {
        entries[place] = entries[least];
        place = least;
    }
    entries[place] = entry;
}

/// Take the least entry out; the heap must not be empty.
static inline rp_heap_entry_t rp_heap_pop(rp_heap_t *self)
{
    const rp_heap_entry_t top = self->entries[0];
    self->count--;
    if (self->count != 0) {
        rp_heap_sink(self, 0, self->entries[self->count]);
    }
    return top;
}

/// Open the place of the least entry, which has just been read: until rp_heap_fill() or
/// rp_heap_close() nothing that is put in rises to it. What a search puts in for the cell it took
/// out is often the least again, and then filling the place is all there is to do.
static inline void rp_heap_open(rp_heap_t *self)
{
    self->entries[0].key = 0;
}

/// Put an entry into the open place.
static inline void rp_heap_fill(rp_heap_t *self, rp_key_t key, rp_cell_t cell)
{
    rp_heap_sink(self, 0, (rp_heap_entry_t){key, cell});
}

/// Close the open place: there is nothing to fill it with.
static inline void rp_heap_close(rp_heap_t *self)
{
    rp_heap_pop(self);
}

/// Make a heap again of entries that were filtered or appended without order. Time: O(count).
static inline void rp_heap_restore(rp_heap_t *self)
{
    for (uint32_t place = self->count / 4u + 1u; place-- > 0;) {
        if (place < self->count) {
            rp_heap_sink(self, place, self->entries[place]);
        }
    }
}

#endif
