/// @file
/// OPEN as a radix heap: lists by the highest bit in which a key differs from the last one taken
/// out. A key moves to lower lists only, a few times at most, and there is no order to keep.
///
///     list 0       the step that is taken out now, last in first out
///     list i       steps that differ from it in bit i - 1 and maybe below
///     early        what is less than it: put in order when the next one is taken out
///
/// Keys are known to steps of 2^shift. Where no edge costs less than a step, no cell of a step can
/// lower another of it: the order is as good as an exact one. Lazy deletion, as in open_heap.h.
/// Source: Ahuja, Mehlhorn, Orlin, Tarjan 1990, "Faster algorithms for the shortest path problem",
/// section 3, one level.
#ifndef REPLAN_SEARCH_OPEN_RADIX_H
#define REPLAN_SEARCH_OPEN_RADIX_H

#include "planners/search/cost.h"
#include "planners/search/memory.h"

#define RP_RADIX_LISTS 64u
#define RP_RADIX_EARLY (RP_RADIX_LISTS - 1u) ///< no cost has as many bits (cost.h)

typedef struct rp_radix_entry {
    rp_cost_t key;
    rp_cell_t cell;
    uint32_t next; ///< place of the one below, 0 = none
} rp_radix_entry_t;

/// True when the entry still says what its cell waits for; each is asked once of an entry.
typedef bool rp_radix_is_live_t(const void *owner, rp_cell_t cell, rp_cost_t key);

typedef struct rp_radix {
    rp_radix_entry_t *entries; ///< pool, owned; place 0 is unused [capacity + 1]
    uint64_t filled;           ///< one bit a list: not empty
    rp_cost_t step;            ///< of list 0
    uint32_t unused;           ///< list of entries given back
    uint32_t used;             ///< entries beyond were not in use since the last clearing
    uint32_t peak;             ///< greatest `used` before that
    uint32_t count;
    uint32_t capacity;
    unsigned shift; ///< from keys to steps
    uint32_t heads[RP_RADIX_LISTS];
} rp_radix_t;

static inline void rp_radix_fini(rp_radix_t *self, rp_rubble_t *rubble)
{
    rp_memory_free(self->entries, self->capacity + 1u, sizeof *self->entries, rubble);
    *self = (rp_radix_t){0};
}

/// @param cells     number of cells that can be live at once
/// @param cheapest  no edge costs less
static inline rp_status_t rp_radix_init(rp_radix_t *self, uint32_t cells, rp_cost_t cheapest)
{
    *self = (rp_radix_t){.capacity = cells + cells / 4u + 64u};
    while (cheapest >> 1 >> self->shift != 0) {
        self->shift++;
    }
    self->entries = rp_memory_new_sparse(self->capacity + 1u, sizeof *self->entries);
    return self->entries != NULL ? RP_OK : RP_E_MEMORY;
}

/// Time: O(lists).
static inline void rp_radix_clear(rp_radix_t *self)
{
    for (; self->filled != 0; self->filled &= self->filled - 1u) {
        self->heads[__builtin_ctzll(self->filled)] = 0;
    }
    self->peak = self->used > self->peak ? self->used : self->peak;
    self->unused = 0;
    self->used = 0;
    self->count = 0;
}

static inline bool rp_radix_is_full(const rp_radix_t *self)
{
    return self->count == self->capacity;
}

static inline void rp_radix_link(rp_radix_t *self, uint32_t place)
{
    const rp_cost_t step = self->entries[place].key >> self->shift;
    const uint64_t differs = step ^ self->step;
    const unsigned list = step < self->step ? RP_RADIX_EARLY
                          : differs != 0    ? 64u - (unsigned)__builtin_clzll(differs)
                                            : 0;
    self->entries[place].next = self->heads[list];
    self->heads[list] = place;
    self->filled |= (uint64_t)1 << list;
}

/// There is room.
static inline void rp_radix_push(rp_radix_t *self, rp_cost_t key, rp_cell_t cell)
{
    uint32_t place = self->unused;
    if (place != 0) {
        self->unused = self->entries[place].next;
    } else {
        place = ++self->used;
    }
    self->step = self->count++ == 0 ? key >> self->shift : self->step;
    self->entries[place].key = key;
    self->entries[place].cell = cell;
    rp_radix_link(self, place);
}

/// Take a list apart. @return its first
static inline uint32_t rp_radix_take_list(rp_radix_t *self, unsigned list)
{
    const uint32_t place = self->heads[list];
    self->heads[list] = 0;
    self->filled &= ~((uint64_t)1 << list);
    return place;
}

static inline rp_cost_t rp_radix_least_step(const rp_radix_t *self, uint32_t place)
{
    rp_cost_t least = RP_COST_INF;
    for (; place != 0; place = self->entries[place].next) {
        const rp_cost_t step = self->entries[place].key >> self->shift;
        least = step < least ? step : least;
    }
    return least;
}

static inline void rp_radix_link_all(rp_radix_t *self, uint32_t place)
{
    while (place != 0) {
        const uint32_t next = self->entries[place].next;
        rp_radix_link(self, place);
        place = next;
    }
}

/// Some came that are less than what was taken out last: all stand by another one now.
static inline void rp_radix_go_back(rp_radix_t *self)
{
    uint32_t all = rp_radix_take_list(self, RP_RADIX_EARLY);
    const rp_cost_t least = rp_radix_least_step(self, all);
    while (self->filled != 0) {
        uint32_t place = rp_radix_take_list(self, (unsigned)__builtin_ctzll(self->filled));
        while (place != 0) {
            const uint32_t next = self->entries[place].next;
            self->entries[place].next = all;
            all = place;
            place = next;
        }
    }
    self->step = least;
    rp_radix_link_all(self, all);
}

/// Take an entry of the least step out; there must be one. Time: O(1), what it is put off to later
/// lists included, but O(entries) after some were put in that are less than what was taken out.
/// @return ours, until the next one is put in
static inline const rp_radix_entry_t *rp_radix_pop(rp_radix_t *self)
{
    if (self->heads[RP_RADIX_EARLY] != 0) {
        rp_radix_go_back(self);
    }
    if (self->heads[0] == 0) {
        const uint32_t list = rp_radix_take_list(self, (unsigned)__builtin_ctzll(self->filled));
        self->step = rp_radix_least_step(self, list);
        rp_radix_link_all(self, list);
    }
    const uint32_t place = self->heads[0];
    rp_radix_entry_t *entry = &self->entries[place];
    self->heads[0] = entry->next;
    self->filled &= ~(self->heads[0] == 0 ? (uint64_t)1 : 0);
    entry->next = self->unused;
    self->unused = place;
    self->count--;
    return entry;
}

/// Give back every entry that is not live.
static inline void rp_radix_sweep(rp_radix_t *self, rp_radix_is_live_t *is_live, const void *owner)
{
    for (uint64_t lists = self->filled; lists != 0; lists &= lists - 1u) {
        const unsigned list = (unsigned)__builtin_ctzll(lists);
        uint32_t place = rp_radix_take_list(self, list);
        while (place != 0) {
            rp_radix_entry_t *entry = &self->entries[place];
            const uint32_t next = entry->next;
            if (is_live(owner, entry->cell, entry->key)) {
                entry->next = self->heads[list];
                self->heads[list] = place;
                self->filled |= (uint64_t)1 << list;
            } else {
                entry->next = self->unused;
                self->unused = place;
                self->count--;
            }
            place = next;
        }
    }
}

/// Most bytes that entries have taken so far.
static inline uint64_t rp_radix_bytes(const rp_radix_t *self)
{
    return (uint64_t)(self->used > self->peak ? self->used : self->peak) * sizeof *self->entries;
}

#endif
