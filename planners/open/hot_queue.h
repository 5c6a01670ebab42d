/// @file
/// OPEN as a heap on top of buckets ("Buckets, heaps, lists, and monotone priority queues",
/// Cherkassky, Goldberg, Silverstein 1999: the HOT queue): a bucket holds a range of f, unsorted,
/// and only the lowest one that is not empty is kept as a heap. Most cells that a search puts in
/// are never asked for: they go in and stay for O(1).
///
///     heap | range 17 | range 18 | ...        with a consistent heuristic no f is more than twice
///      16     list       list                 the dearest edge above the one taken out: 64 do
///
/// Least f first, ties to larger g, exactly as the heap alone. Lazy deletion, as in heap.h.
#ifndef REPLAN_PLANNERS_OPEN_HOT_QUEUE_H
#define REPLAN_PLANNERS_OPEN_HOT_QUEUE_H

#include "planners/open/heap.h"

#define RP_HOT_QUEUE_RANGES 64u ///< one bit each of a word

typedef struct rp_hot_queue_entry {
    rp_heap_entry_t waiting;
    uint32_t next; ///< place of the next entry of the range, 0 = none
} rp_hot_queue_entry_t;

typedef struct rp_hot_queue {
    rp_heap_t top;                 ///< everything of the range `range` and below
    uint64_t filled;               ///< one bit a list: not empty
    rp_cost_t range;               ///< number of the range that the heap holds
    uint32_t shift;                ///< a range is 2^shift values of f
    uint32_t listed;               ///< entries in lists
    uint32_t unused;               ///< list of entries given back
    uint32_t fresh;                ///< entries from here on were never used
    uint32_t peak;                 ///< most entries ever in use before the last clear
    rp_hot_queue_entry_t *entries; ///< pool; place 0 is unused [capacity]
    uint32_t capacity;
    uint32_t heads[RP_HOT_QUEUE_RANGES]; ///< first entry by number of the range modulo
                                         ///< RP_HOT_QUEUE_RANGES
} rp_hot_queue_t;

/// @param cells    number of cells that can be live at once
/// @param dearest  no edge costs more
static inline void rp_hot_queue_init(rp_hot_queue_t *self, uint32_t cells, rp_cost_t dearest,
                                     rp_arena_t *arena)
{
    *self = (rp_hot_queue_t){.capacity = cells + cells / 4u + 64u, .fresh = 1u};
    // Above the range in the heap a step reaches at most this many others.
    while (((2u * dearest) >> self->shift) + 1u >= RP_HOT_QUEUE_RANGES) {
        self->shift++;
    }
    self->entries = rp_arena_new(arena, self->capacity, sizeof *self->entries);
    rp_heap_init(&self->top, cells, arena);
}

/// Time: O(1).
static inline void rp_hot_queue_clear(rp_hot_queue_t *self)
{
    self->peak = self->fresh > self->peak ? self->fresh : self->peak;
    self->top.count = 0;
    self->filled = 0;
    self->listed = 0;
    self->unused = 0;
    self->fresh = 1u;
}

static inline bool rp_hot_queue_is_empty(const rp_hot_queue_t *self)
{
    return self->top.count == 0 && self->filled == 0;
}

/// True when there may be no room for one more.
static inline bool rp_hot_queue_is_full(const rp_hot_queue_t *self)
{
    return (self->unused == 0 && self->fresh == self->capacity) || rp_heap_is_full(&self->top);
}

/// Put an entry in; there must be room. The first one into an empty queue sets
/// where the ranges begin; a lesser f than that is welcome.
static inline void rp_hot_queue_push(rp_hot_queue_t *self, rp_key_t key, rp_cell_t cell)
{
    const rp_cost_t range = rp_key_first(key) >> self->shift;
    if (rp_hot_queue_is_empty(self)) {
        self->range = range;
    }
    if (range <= self->range) {
        rp_heap_push(&self->top, key, cell);
        return;
    }
    uint32_t place = self->unused;
    if (place != 0) {
        self->unused = self->entries[place].next;
    } else {
        place = self->fresh++;
    }
    const uint32_t list = (uint32_t)range % RP_HOT_QUEUE_RANGES;
    const uint32_t next = ((self->filled >> list) & 1u) != 0 ? self->heads[list] : 0;
    self->entries[place] = (rp_hot_queue_entry_t){{key, cell}, next};
    self->heads[list] = place;
    self->filled |= (uint64_t)1 << list;
    self->listed++;
}

/// Give back the entry that `link` leads to; `link` leads to the one behind it afterwards. When
/// `link` is a head, rp_hot_queue_note_empty() must follow.
static inline void rp_hot_queue_drop(rp_hot_queue_t *self, uint32_t *link)
{
    const uint32_t place = *link;
    *link = self->entries[place].next;
    self->entries[place].next = self->unused;
    self->unused = place;
    self->listed--;
}

/// Keep the bit true for a list that may have become empty.
static inline void rp_hot_queue_note_empty(rp_hot_queue_t *self, uint32_t list)
{
    if (self->heads[list] == 0) {
        self->filled &= ~((uint64_t)1 << list);
    }
}

/// See that the heap holds the least entry: when it has run empty, the next list becomes the heap.
/// The queue must not be empty.
static inline void rp_hot_queue_settle(rp_hot_queue_t *self)
{
    if (self->top.count != 0) {
        return;
    }
    const uint32_t from = (uint32_t)self->range % RP_HOT_QUEUE_RANGES;
    const uint64_t turned =
        (self->filled >> from) | (self->filled << (-from % RP_HOT_QUEUE_RANGES));
    const uint32_t ahead = (uint32_t)__builtin_ctzll(turned);
    const uint32_t list = (from + ahead) % RP_HOT_QUEUE_RANGES;
    self->range += ahead;
    while (self->heads[list] != 0) {
        self->top.entries[self->top.count++] = self->entries[self->heads[list]].waiting;
        rp_hot_queue_drop(self, &self->heads[list]);
    }
    rp_hot_queue_note_empty(self, list);
    self->top.peak = self->top.count > self->top.peak ? self->top.count : self->top.peak;
    rp_heap_restore(&self->top);
}

/// Least f of all entries; the queue must not be empty.
static inline rp_cost_t rp_hot_queue_top(rp_hot_queue_t *self)
{
    rp_hot_queue_settle(self);
    return rp_key_first(self->top.entries[0].key);
}

/// Take the least entry out; the queue must not be empty.
static inline rp_heap_entry_t rp_hot_queue_pop(rp_hot_queue_t *self)
{
    rp_hot_queue_settle(self);
    return rp_heap_pop(&self->top);
}

/// Most bytes that heap and lists have taken so far.
static inline uint64_t rp_hot_queue_bytes(const rp_hot_queue_t *self)
{
    const uint64_t entries = self->fresh > self->peak ? self->fresh : self->peak;
    return entries * sizeof *self->entries + (uint64_t)self->top.peak * sizeof *self->top.entries;
}

#endif
