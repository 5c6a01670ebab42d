/// @file
/// OPEN as a ring of buckets (bucket_ring.h), one a value of f, each a stack (last in, first out:
/// nearly "ties to larger g"). Lazy deletion, as in heap.h.
#ifndef REPLAN_PLANNERS_OPEN_BUCKETS_H
#define REPLAN_PLANNERS_OPEN_BUCKETS_H

#include "base/arena.h"
#include "planners/grid/cost.h"
#include "planners/open/bucket_ring.h"

typedef struct rp_bucket_entry {
    rp_cost_t g; ///< as it was when the entry was put in
    rp_cell_t cell;
    uint32_t next; ///< place of the entry below, 0 = none
} rp_bucket_entry_t;

typedef struct rp_buckets {
    rp_bucket_ring_t ring;      ///< top entry of each bucket
    rp_bucket_entry_t *entries; ///< pool; place 0 is unused [capacity]
    uint32_t unused;            ///< list of entries given back
    uint32_t fresh;             ///< entries from here on were never used
    uint32_t ready;             ///< entries for which memory is resident
    uint32_t list;              ///< entries taken out of the ring at once, 0 = none are left
    uint32_t count;
    uint32_t peak; ///< most entries ever in use before the last clear
    uint32_t capacity;
    rp_cost_t least; ///< no entry has a smaller f
} rp_buckets_t;

/// More lists than these cost more by their memory than they save by order.
#define RP_BUCKETS_MOST 1024u

/// How many low bits of f a user may drop for a ring of no more lists than that. Then f is known to
/// steps of 2^coarse only: a cell may come up before one that would have made it cheaper, and again
/// after it.
static inline unsigned rp_buckets_coarse(rp_cost_t dearest)
{
    unsigned coarse = 0;
    while (2u * (dearest >> coarse) > RP_BUCKETS_MOST) {
        coarse++;
    }
    return coarse;
}

/// @param cells    number of cells that can be live at once
/// @param dearest  no edge costs more
static inline void rp_buckets_init(rp_buckets_t *self, uint32_t cells, rp_cost_t dearest,
                                   rp_arena_t *arena)
{
    *self = (rp_buckets_t){.capacity = cells + cells / 4u + 64u, .fresh = 1u};
    self->entries = rp_arena_new(arena, self->capacity, sizeof *self->entries);
    rp_bucket_ring_init(&self->ring, dearest, arena);
}

static inline bool rp_buckets_is_full(const rp_buckets_t *self)
{
    return self->unused == 0 && self->fresh == self->capacity;
}

/// Empty the ring. Time: O(buckets that are not empty).
static inline void rp_buckets_clear(rp_buckets_t *self)
{
    rp_bucket_ring_clear(&self->ring);
    self->peak = self->fresh > self->peak ? self->fresh : self->peak;
    self->unused = 0;
    self->fresh = 1u;
    self->list = 0;
    self->count = 0;
    self->least = 0;
}

/// Put a cell in. The first entry into an empty ring sets where the ring starts.
static inline void rp_buckets_push(rp_buckets_t *self, rp_cost_t f, rp_cost_t g, rp_cell_t cell)
{
    uint32_t place = self->unused;
    if (place != 0) {
        self->unused = self->entries[place].next;
    } else {
        place = self->fresh++;
        self->ready = rp_memory_reach(self->entries, self->capacity, sizeof *self->entries,
                                      self->ready, self->fresh);
    }
    const uint32_t below =
        rp_bucket_ring_push(&self->ring, rp_bucket_ring_place(&self->ring, f), place);
    self->entries[place] = (rp_bucket_entry_t){g, cell, below};
    if (self->count++ == 0 || f < self->least) {
        self->least = f;
    }
}

/// True when an entry has this f, which must not be less than the least.
static inline bool rp_buckets_holds(const rp_buckets_t *self, rp_cost_t f)
{
    return self->ring.heads[rp_bucket_ring_place(&self->ring, f)] != 0;
}

/// Least f of all entries; the ring must not be empty.
static inline rp_cost_t rp_buckets_top(rp_buckets_t *self)
{
    if (self->ring.heads[rp_bucket_ring_place(&self->ring, self->least)] == 0) {
        self->least += rp_bucket_ring_seek(&self->ring, self->least);
    }
    return self->least;
}

/// Give back the entry that `link` leads to; `link` leads to the one below it afterwards. When
/// `link` is a head, rp_bucket_ring_note_empty() must follow.
static inline void rp_buckets_drop(rp_buckets_t *self, uint32_t *link)
{
    const uint32_t place = *link;
    *link = self->entries[place].next;
    self->entries[place].next = self->unused;
    self->unused = place;
    self->count--;
}

/// Take an entry of least f out, the one put in last; the ring must not be empty.
static inline rp_bucket_entry_t rp_buckets_pop(rp_buckets_t *self)
{
    uint32_t *heads = self->ring.heads;
    const uint32_t bucket = rp_bucket_ring_place(&self->ring, rp_buckets_top(self));
    const rp_bucket_entry_t entry = self->entries[heads[bucket]];
    rp_buckets_drop(self, &heads[bucket]);
    rp_bucket_ring_note_empty(&self->ring, bucket);
    return entry;
}

/// Take all entries of least f out of the ring at once, for rp_buckets_take_next(); there must be
/// no list yet, and something in the ring. They count until they are taken from the list.
static inline void rp_buckets_take_list(rp_buckets_t *self)
{
    const uint32_t bucket = rp_bucket_ring_place(&self->ring, rp_buckets_top(self));
    self->list = self->ring.heads[bucket];
    self->ring.heads[bucket] = 0;
    rp_bucket_ring_note_empty(&self->ring, bucket);
}

/// Take the first entry of the list, which must not be empty.
static inline rp_bucket_entry_t rp_buckets_take_next(rp_buckets_t *self)
{
    const rp_bucket_entry_t entry = self->entries[self->list];
    rp_buckets_drop(self, &self->list);
    return entry;
}

/// Put what is left of the list back, its f being `f`, below what was put in there since.
/// Time: O(what was put in there since).
static inline void rp_buckets_put_back(rp_buckets_t *self, rp_cost_t f)
{
    const uint32_t place = rp_bucket_ring_place(&self->ring, f);
    const uint32_t newest = rp_bucket_ring_push(&self->ring, place, self->list);
    if (newest != 0) {
        uint32_t last = newest;
        while (self->entries[last].next != 0) {
            last = self->entries[last].next;
        }
        self->entries[last].next = self->list;
        self->ring.heads[place] = newest;
    }
    self->least = f < self->least ? f : self->least;
    self->list = 0;
}

/// Most bytes that entries and ring have taken so far.
static inline uint64_t rp_buckets_bytes(const rp_buckets_t *self)
{
    const uint64_t entries = self->fresh > self->peak ? self->fresh : self->peak;
    return entries * sizeof *self->entries + rp_bucket_ring_bytes(&self->ring);
}

#endif
