/// @file
/// OPEN as buckets: a window of lists by key (bucket_ring.h), each a step of 2^shift values, and
/// one list of all that lies beyond the window. Least step first, and of a step what was put in
/// last (nearly "ties to larger g").
///
///     ring     .. 0 0 7 0 2 9 ..   lists, one a step
///                 ^ first          no entry of the ring has a lesser step
///     beyond   in one list: comes into the ring when its least step is due
///
/// A monotone search, whose keys rise by no more than the window is long, never puts anything
/// beyond. Others may: keys may come from anywhere, and may be less than what was taken out.
///
/// Keys are known to steps. Where no edge costs less than a step, no cell of a step can lower
/// another of it when keys are costs: the order is as good as an exact one. When keys are f, a cell
/// may come up before one that would have made it cheaper, and again after it. Lazy deletion, as in
/// heap.h.
///
/// After Dial 1969, "Algorithm 360: shortest-path forest with topological ordering", and Denardo,
/// Fox 1979, "Shortest-route methods: 1. reaching, pruning, and buckets", for the overflow.
#ifndef REPLAN_PLANNERS_OPEN_BUCKETS_H
#define REPLAN_PLANNERS_OPEN_BUCKETS_H

#include "base/arena.h"
#include "planners/grid/cost.h"
#include "planners/open/bucket_ring.h"

typedef struct rp_bucket_entry {
    rp_cost_t key;
    rp_cost_t note; ///< of the user: g of the cell, as a rule
    rp_cell_t cell;
    uint32_t next; ///< place of the entry below, 0 = none
} rp_bucket_entry_t;

/// True when the entry still says what its cell waits for; each is asked once of an entry.
typedef bool rp_bucket_is_live_t(const void *owner, const rp_bucket_entry_t *entry);

typedef struct rp_buckets {
    rp_bucket_ring_t ring;      ///< top entry of each step of the window
    rp_bucket_entry_t *entries; ///< pool, owned; place 0 is unused [capacity]
    rp_cost_t first;            ///< step where the window begins
    rp_cost_t last;             ///< no step in the ring is greater
    rp_cost_t beyond_least;     ///< no step beyond is less; RP_COST_INF: nothing stands there
    uint32_t beyond;            ///< first of what stands there
    uint32_t unused;            ///< list of entries given back
    uint32_t fresh;             ///< entries from here on are not in use
    uint32_t count;
    uint32_t peak; ///< most entries ever in use before the last clear
    uint32_t capacity;
    unsigned shift; ///< from keys to steps
} rp_buckets_t;

/// More lists than these cost more by their memory than they save by order.
#define RP_BUCKETS_MOST 1024u

/// The shift for a monotone search whose window shall have no more lists than that.
/// @param dearest  no edge costs more; f rises by twice that at most
static inline unsigned rp_buckets_shift_for(rp_cost_t dearest)
{
    unsigned shift = 0;
    while (2u * (dearest >> shift) > RP_BUCKETS_MOST) {
        shift++;
    }
    return shift;
}

/// The shift for keys that are costs: a step is no longer than the cheapest edge.
static inline unsigned rp_buckets_shift_below(rp_cost_t cheapest)
{
    unsigned shift = 0;
    while (cheapest >> 1 >> shift != 0) {
        shift++;
    }
    return shift;
}

/// @param cells  number of cells that can be live at once
/// @param shift  a step is 2^shift values of a key
/// @param span   the window holds keys that differ by so much
static inline void rp_buckets_init(rp_buckets_t *self, uint32_t cells, unsigned shift,
                                   rp_cost_t span, rp_arena_t *arena)
{
    *self = (rp_buckets_t){.capacity = cells + cells / 4u + 64u,
                           .fresh = 1u,
                           .shift = shift,
                           .beyond_least = RP_COST_INF};
    self->entries = rp_arena_new_sparse(arena, self->capacity, sizeof *self->entries);
    rp_arena_note(arena, &self->fresh, &self->peak, sizeof *self->entries);
    rp_bucket_ring_init(&self->ring, (span >> shift) + 2u, arena);
}

static inline bool rp_buckets_is_full(const rp_buckets_t *self)
{
    return self->unused == 0 && self->fresh == self->capacity;
}

/// Nothing is in it: what is put in next says where the window begins, and the pool is used from
/// its beginning again, in order.
static inline void rp_buckets_begin(rp_buckets_t *self, rp_cost_t step)
{
    self->first = step;
    self->last = step;
    self->peak = self->fresh > self->peak ? self->fresh : self->peak;
    self->unused = 0;
    self->fresh = 1u;
}

/// Take all entries out. Time: O(steps that are not empty).
static inline void rp_buckets_clear(rp_buckets_t *self)
{
    rp_bucket_ring_clear(&self->ring);
    rp_buckets_begin(self, 0);
    self->beyond = 0;
    self->beyond_least = RP_COST_INF;
    self->count = 0;
}

/// Put an entry into the list of its step, or beyond. The window may move back to a lesser step
/// than its first as far as all that stands in it stays in it.
static inline void rp_buckets_link(rp_buckets_t *self, uint32_t place)
{
    const rp_cost_t step = self->entries[place].key >> self->shift;
    if (__builtin_expect(step - self->first > self->ring.mask, 0)) { // turned over, when it is less
        if (step > self->first || self->last - step > self->ring.mask) {
            self->entries[place].next = self->beyond;
            self->beyond = place;
            self->beyond_least = step < self->beyond_least ? step : self->beyond_least;
            return;
        }
        self->first = step;
    }
    self->last = step > self->last ? step : self->last;
    self->entries[place].next =
        rp_bucket_ring_push(&self->ring, rp_bucket_ring_place(&self->ring, step), place);
}

static inline void rp_buckets_link_all(rp_buckets_t *self, uint32_t place)
{
    while (place != 0) {
        const uint32_t next = self->entries[place].next;
        rp_buckets_link(self, place);
        place = next;
    }
}

/// Put a cell in; there is room.
static inline void rp_buckets_push(rp_buckets_t *self, rp_cost_t key, rp_cost_t note,
                                   rp_cell_t cell)
{
    if (self->count++ == 0) {
        rp_buckets_begin(self, key >> self->shift);
    }
    uint32_t place = self->unused;
    if (place != 0) {
        self->unused = self->entries[place].next;
    } else {
        place = self->fresh++;
    }
    self->entries[place].key = key;
    self->entries[place].note = note;
    self->entries[place].cell = cell;
    rp_buckets_link(self, place);
}

/// What stands beyond is due: the window begins with it. When that is less than what was taken out,
/// all that stands in the ring may have to leave it.
static __attribute__((noinline, unused)) void rp_buckets_turn(rp_buckets_t *self)
{
    const uint32_t beyond = self->beyond;
    uint32_t ring = 0;
    while (self->beyond_least < self->first && !rp_bucket_ring_is_empty(&self->ring)) {
        const uint32_t ahead = rp_bucket_ring_seek(&self->ring, self->first);
        const uint32_t place = rp_bucket_ring_place(&self->ring, self->first + ahead);
        uint32_t entry = self->ring.heads[place];
        self->ring.heads[place] = 0;
        rp_bucket_ring_note_empty(&self->ring, place);
        while (entry != 0) {
            const uint32_t next = self->entries[entry].next;
            self->entries[entry].next = ring;
            ring = entry;
            entry = next;
        }
    }
    self->first = self->beyond_least;
    self->last = rp_bucket_ring_is_empty(&self->ring) ? self->first : self->last;
    self->beyond = 0;
    self->beyond_least = RP_COST_INF;
    rp_buckets_link_all(self, beyond);
    rp_buckets_link_all(self, ring);
}

/// The window moves on, as its first list is empty or something beyond is due.
static __attribute__((noinline, unused)) void rp_buckets_move_on(rp_buckets_t *self)
{
    if (self->beyond != 0 &&
        (rp_bucket_ring_is_empty(&self->ring) ||
         self->beyond_least <= self->first + rp_bucket_ring_seek(&self->ring, self->first))) {
        rp_buckets_turn(self);
    }
    self->first += rp_bucket_ring_seek(&self->ring, self->first);
}

/// The window moves up to the least step of all; there is an entry. What has to come from beyond
/// comes.
static inline __attribute__((always_inline)) rp_cost_t rp_buckets_seek(rp_buckets_t *self)
{
    if (self->ring.heads[rp_bucket_ring_place(&self->ring, self->first)] == 0 ||
        __builtin_expect(self->beyond_least <= self->first, 0)) {
        rp_buckets_move_on(self);
    }
    return self->first;
}

/// No entry has a lesser key, and one has the same but for the bits of a step; there is an entry.
static inline __attribute__((always_inline)) rp_cost_t rp_buckets_top(rp_buckets_t *self)
{
    return rp_buckets_seek(self) << self->shift;
}

/// Give back the entry that `link` leads to; `link` leads to the one below it afterwards.
static inline void rp_buckets_drop(rp_buckets_t *self, uint32_t *link)
{
    const uint32_t place = *link;
    *link = self->entries[place].next;
    self->entries[place].next = self->unused;
    self->unused = place;
    self->count--;
}

/// rp_buckets_pop() right after rp_buckets_seek() or rp_buckets_top().
static inline const rp_bucket_entry_t *rp_buckets_take(rp_buckets_t *self)
{
    const uint32_t place = rp_bucket_ring_place(&self->ring, self->first);
    const rp_bucket_entry_t *entry = &self->entries[self->ring.heads[place]];
    rp_buckets_drop(self, &self->ring.heads[place]);
    rp_bucket_ring_note_empty(&self->ring, place);
    return entry;
}

/// Take an entry of least step out, the one put in last; there is one.
/// Time: O(1), what has to come from beyond included, but O(entries) after some were put in that
/// are less than what was taken out.
/// @return ours, until the next one is put in
static inline const rp_bucket_entry_t *rp_buckets_pop(rp_buckets_t *self)
{
    rp_buckets_seek(self);
    return rp_buckets_take(self);
}

/// Give back every entry of a list that is not live.
static inline void rp_buckets_sweep_list(rp_buckets_t *self, uint32_t *link,
                                         rp_bucket_is_live_t *is_live, const void *owner)
{
    while (*link != 0) {
        if (is_live(owner, &self->entries[*link])) {
            link = &self->entries[*link].next;
        } else {
            rp_buckets_drop(self, link);
        }
    }
}

/// Give back every entry that is not live; the others keep their order. When no cell has two live
/// ones, at least a fifth of a full pool is given back. Time: O(ring + entries).
static inline void rp_buckets_sweep(rp_buckets_t *self, rp_bucket_is_live_t *is_live,
                                    const void *owner)
{
    rp_buckets_sweep_list(self, &self->beyond, is_live, owner);
    self->beyond_least = self->beyond != 0 ? self->beyond_least : RP_COST_INF;
    for (uint32_t place = 0; place <= self->ring.mask; place++) {
        rp_buckets_sweep_list(self, &self->ring.heads[place], is_live, owner);
        rp_bucket_ring_note_empty(&self->ring, place);
    }
}

#endif
