/// @file
/// OPEN as a ring of steps, for keys that mostly rise, from anywhere: what lies farther ahead than
/// the ring is long, or is less than what was taken out last, stands beyond.
///
///     ring     .. 0 0 7 0 2 9 ..   lists, one a step, the last put in first
///                 ^ first          no entry of the ring has a lesser step
///     beyond   in one list: comes into the ring when its least step is due
///
/// Keys are known to steps of 2^shift. Where no edge costs less than a step, no cell of a step can
/// lower another of it: the order is as good as an exact one. Lazy deletion, as in heap.h.
/// After Dial 1969, "Algorithm 360: shortest-path forest with topological ordering", and Denardo,
/// Fox 1979, "Shortest-route methods: 1. reaching, pruning, and buckets", for the overflow.
#ifndef REPLAN_PLANNERS_OPEN_BUCKET_WINDOW_H
#define REPLAN_PLANNERS_OPEN_BUCKET_WINDOW_H

#include "base/arena.h"
#include "planners/grid/cost.h"

#define RP_BUCKET_WINDOW_WORDS 32u ///< a bit each in the summary
#define RP_BUCKET_WINDOW_SIZE  (64u * RP_BUCKET_WINDOW_WORDS)

typedef struct rp_bucket_window_entry {
    rp_cost_t key;
    rp_cell_t cell;
    uint32_t next; ///< place of the one below, 0 = none
} rp_bucket_window_entry_t;

/// True when the entry still says what its cell waits for; each is asked once of an entry.
typedef bool rp_bucket_window_is_live_t(const void *owner, rp_cell_t cell, rp_cost_t key);

typedef struct rp_bucket_window {
    rp_bucket_window_entry_t *entries; ///< pool, owned; place 0 is unused [capacity + 1]
    rp_cost_t first;                   ///< step where the ring begins
    rp_cost_t beyond_least;            ///< no step beyond is less
    uint32_t beyond;                   ///< first of what stands there
    uint32_t unused;                   ///< list of entries given back
    uint32_t used;                     ///< entries further on were not in use since there were none
    uint32_t peak;                     ///< greatest `used` before that
    uint32_t count;
    uint32_t capacity;
    unsigned shift;                         ///< from keys to steps
    uint32_t summary;                       ///< one bit a word: not zero
    uint64_t words[RP_BUCKET_WINDOW_WORDS]; ///< one bit a list: not empty
    uint32_t heads[RP_BUCKET_WINDOW_SIZE];
} rp_bucket_window_t;

/// @param cells     number of cells that can be live at once
/// @param cheapest  no edge costs less
static inline void rp_bucket_window_init(rp_bucket_window_t *self, uint32_t cells,
                                         rp_cost_t cheapest, rp_arena_t *arena)
{
    *self = (rp_bucket_window_t){.capacity = cells + cells / 4u + 64u};
    while (cheapest >> 1 >> self->shift != 0) {
        self->shift++;
    }
    self->entries = rp_arena_new_sparse(arena, self->capacity + 1u, sizeof *self->entries);
}

static inline bool rp_bucket_window_is_full(const rp_bucket_window_t *self)
{
    return self->count == self->capacity;
}

// ---- lists

/// Take the list of a place in the ring apart. @return its first
static inline uint32_t rp_bucket_window_take_list(rp_bucket_window_t *self, uint32_t place)
{
    const uint32_t head = self->heads[place];
    self->heads[place] = 0;
    self->words[place / 64u] &= ~((uint64_t)1 << (place % 64u));
    self->summary &= ~((uint32_t)(self->words[place / 64u] == 0) << (place / 64u));
    return head;
}

/// A place of the ring that is not empty; there is one.
static inline uint32_t rp_bucket_window_any(const rp_bucket_window_t *self)
{
    const uint32_t word = (uint32_t)__builtin_ctz(self->summary);
    return 64u * word + (uint32_t)__builtin_ctzll(self->words[word]);
}

/// The first place round the ring, from its beginning on, that is not empty; there is one.
static inline uint32_t rp_bucket_window_seek(const rp_bucket_window_t *self)
{
    const uint32_t from = (uint32_t)(self->first % RP_BUCKET_WINDOW_SIZE);
    const uint32_t word = from / 64u;
    const uint64_t here = self->words[word] & (~(uint64_t)0 << (from % 64u));
    if (here != 0) {
        return 64u * word + (uint32_t)__builtin_ctzll(here);
    }
    const uint32_t after = (word + 1u) % RP_BUCKET_WINDOW_WORDS;
    const uint32_t turned =
        self->summary >> after | self->summary
                                     << (RP_BUCKET_WINDOW_WORDS - after) % RP_BUCKET_WINDOW_WORDS;
    const uint32_t found = (after + (uint32_t)__builtin_ctz(turned)) % RP_BUCKET_WINDOW_WORDS;
    return 64u * found + (uint32_t)__builtin_ctzll(self->words[found]);
}

static inline void rp_bucket_window_link(rp_bucket_window_t *self, uint32_t entry)
{
    const rp_cost_t step = self->entries[entry].key >> self->shift;
    if (step - self->first < RP_BUCKET_WINDOW_SIZE) { // turned over, when it is less
        const uint32_t place = (uint32_t)(step % RP_BUCKET_WINDOW_SIZE);
        self->entries[entry].next = self->heads[place];
        self->heads[place] = entry;
        self->words[place / 64u] |= (uint64_t)1 << (place % 64u);
        self->summary |= (uint32_t)1 << (place / 64u);
        return;
    }
    self->beyond_least = self->beyond == 0 || step < self->beyond_least ? step : self->beyond_least;
    self->entries[entry].next = self->beyond;
    self->beyond = entry;
}

static inline void rp_bucket_window_link_all(rp_bucket_window_t *self, uint32_t entry)
{
    while (entry != 0) {
        const uint32_t next = self->entries[entry].next;
        rp_bucket_window_link(self, entry);
        entry = next;
    }
}

// ---- in and out

/// Time: O(lists).
static inline void rp_bucket_window_clear(rp_bucket_window_t *self)
{
    while (self->summary != 0) {
        (void)rp_bucket_window_take_list(self, rp_bucket_window_any(self));
    }
    self->beyond = 0;
    self->count = 0;
}

/// The first one of all. Others may be somewhat less. The pool is used from its beginning again, in
/// order: places that were given back in any order lie far apart.
static inline void rp_bucket_window_begin(rp_bucket_window_t *self, rp_cost_t key)
{
    const rp_cost_t step = key >> self->shift;
    self->first = step - (step < RP_BUCKET_WINDOW_SIZE / 2u ? step : RP_BUCKET_WINDOW_SIZE / 2u);
    self->peak = self->used > self->peak ? self->used : self->peak;
    self->unused = 0;
    self->used = 0;
}

/// There is room.
static inline void rp_bucket_window_push(rp_bucket_window_t *self, rp_cost_t key, rp_cell_t cell)
{
    if (self->count++ == 0) {
        rp_bucket_window_begin(self, key);
    }
    uint32_t entry = self->unused;
    if (entry != 0) {
        self->unused = self->entries[entry].next;
    } else {
        entry = ++self->used;
    }
    self->entries[entry].key = key;
    self->entries[entry].cell = cell;
    rp_bucket_window_link(self, entry);
}

/// What stands beyond is due: the ring begins with it. When that is less than what was taken out,
/// all that stands in the ring may have to leave it.
static inline void rp_bucket_window_turn(rp_bucket_window_t *self)
{
    const uint32_t beyond = self->beyond;
    const bool goes_back = self->beyond_least < self->first;
    uint32_t ring = 0;
    while (goes_back && self->summary != 0) {
        uint32_t entry = rp_bucket_window_take_list(self, rp_bucket_window_any(self));
        while (entry != 0) {
            const uint32_t next = self->entries[entry].next;
            self->entries[entry].next = ring;
            ring = entry;
            entry = next;
        }
    }
    self->first = self->beyond_least;
    self->beyond = 0;
    rp_bucket_window_link_all(self, beyond);
    rp_bucket_window_link_all(self, ring);
}

/// Take an entry of the least step out; there must be one. Time: O(1), what has to come from beyond
/// included, but O(entries) after some were put in that are less than what was taken out.
/// @return ours, until the next one is put in
static inline const rp_bucket_window_entry_t *rp_bucket_window_pop(rp_bucket_window_t *self)
{
    uint32_t place = self->summary != 0 ? rp_bucket_window_seek(self) : 0;
    rp_cost_t step = self->first + (place - self->first) % RP_BUCKET_WINDOW_SIZE;
    if (self->beyond != 0 && (self->summary == 0 || self->beyond_least <= step)) {
        rp_bucket_window_turn(self);
        place = rp_bucket_window_seek(self);
        step = self->first + (place - self->first) % RP_BUCKET_WINDOW_SIZE;
    }
    self->first = step;
    const uint32_t head = self->heads[place];
    rp_bucket_window_entry_t *entry = &self->entries[head];
    if (entry->next == 0) {
        (void)rp_bucket_window_take_list(self, place);
    } else {
        self->heads[place] = entry->next;
    }
    entry->next = self->unused;
    self->unused = head;
    self->count--;
    return entry;
}

/// Give back every entry of a list that is not live. @return the first that stays
static inline uint32_t rp_bucket_window_sweep_list(rp_bucket_window_t *self, uint32_t head,
                                                   rp_bucket_window_is_live_t *is_live,
                                                   const void *owner)
{
    uint32_t *link = &head;
    while (*link != 0) {
        const uint32_t place = *link;
        rp_bucket_window_entry_t *entry = &self->entries[place];
        if (is_live(owner, entry->cell, entry->key)) {
            link = &entry->next;
        } else {
            *link = entry->next;
            entry->next = self->unused;
            self->unused = place;
            self->count--;
        }
    }
    return head;
}

/// Give back every entry that is not live. Time: O(ring + entries).
static inline void rp_bucket_window_sweep(rp_bucket_window_t *self,
                                          rp_bucket_window_is_live_t *is_live, const void *owner)
{
    self->beyond = rp_bucket_window_sweep_list(self, self->beyond, is_live, owner);
    for (uint32_t place = 0; place < RP_BUCKET_WINDOW_SIZE; place++) {
        const uint32_t head = self->heads[place];
        if (head != 0) {
            self->heads[place] = rp_bucket_window_sweep_list(self, head, is_live, owner);
            if (self->heads[place] == 0) {
                (void)rp_bucket_window_take_list(self, place);
            }
        }
    }
}

/// Most bytes that entries have taken so far.
static inline uint64_t rp_bucket_window_bytes(const rp_bucket_window_t *self)
{
    return (uint64_t)(self->used > self->peak ? self->used : self->peak) * sizeof *self->entries;
}

#endif
