/// @file
/// OPEN as a ring of buckets, one a value of f, each a stack (last in, first out: nearly "ties to
/// larger g"). With a consistent heuristic an expansion adds at most twice the dearest edge to f,
/// so a ring a little longer than that never wraps onto itself. Lazy deletion, as in open_heap.h.
#ifndef REPLAN_SEARCH_OPEN_BUCKETS_H
#define REPLAN_SEARCH_OPEN_BUCKETS_H

#include "planners/search/cost.h"
#include "planners/search/memory.h"

typedef struct rp_bucket_entry {
    rp_cost_t g; ///< as it was when the entry was put in
    rp_cell_t cell;
    uint32_t next; ///< place of the entry below, 0 = none
} rp_bucket_entry_t;

typedef struct rp_buckets {
    uint32_t *heads;            ///< top entry by f modulo ring size, 0 = empty [mask + 1]
    uint64_t *words;            ///< one bit a bucket: not empty [(mask + 1) / 64]
    uint64_t *summary;          ///< one bit a word: not zero [(mask + 1) / 4096, rounded up]
    rp_bucket_entry_t *entries; ///< pool; place 0 is unused [capacity]
    uint32_t unused;            ///< list of entries given back
    uint32_t fresh;             ///< entries from here on were never used
    uint32_t count;
    uint32_t peak; ///< most entries ever in use before the last clear
    uint32_t mask;
    uint32_t capacity;
    rp_cost_t least; ///< no entry has a smaller f
} rp_buckets_t;

static inline uint32_t rp_buckets_summary_words(const rp_buckets_t *self)
{
    return (self->mask >> 12) + 1u;
}

static inline void rp_buckets_fini(rp_buckets_t *self)
{
    const size_t ring = (size_t)self->mask + 1u;
    rp_memory_free(self->heads, ring, sizeof *self->heads);
    rp_memory_free(self->words, ring / 64u, sizeof *self->words);
    rp_memory_free(self->summary, rp_buckets_summary_words(self), sizeof *self->summary);
    rp_memory_free(self->entries, self->capacity, sizeof *self->entries);
    *self = (rp_buckets_t){0};
}

/// @param cells    number of cells that can be live at once
/// @param dearest  no edge costs more
static inline rp_status_t rp_buckets_init(rp_buckets_t *self, uint32_t cells, rp_cost_t dearest)
{
    uint32_t ring = 64u;
    while (ring <= 2u * dearest + 1u) {
        ring *= 2u;
    }
    *self = (rp_buckets_t){.mask = ring - 1u, .capacity = cells + cells / 4u + 64u, .fresh = 1u};
    self->heads = rp_memory_new(ring, sizeof *self->heads);
    self->words = rp_memory_new(ring / 64u, sizeof *self->words);
    self->summary = rp_memory_new(rp_buckets_summary_words(self), sizeof *self->summary);
    self->entries = rp_memory_new(self->capacity, sizeof *self->entries);
    if (self->heads == NULL || self->words == NULL || self->summary == NULL ||
        self->entries == NULL) {
        rp_buckets_fini(self);
        return RP_E_MEMORY;
    }
    return RP_OK;
}

static inline bool rp_buckets_is_full(const rp_buckets_t *self)
{
    return self->unused == 0 && self->fresh == self->capacity;
}

/// Empty the ring. Time: O(buckets that are not empty).
static inline void rp_buckets_clear(rp_buckets_t *self)
{
    for (uint32_t outer = 0; outer < rp_buckets_summary_words(self); outer++) {
        for (uint64_t inner = self->summary[outer]; inner != 0; inner &= inner - 1u) {
            const uint32_t word = outer * 64u + (uint32_t)__builtin_ctzll(inner);
            for (uint64_t bits = self->words[word]; bits != 0; bits &= bits - 1u) {
                self->heads[word * 64u + (uint32_t)__builtin_ctzll(bits)] = 0;
            }
            self->words[word] = 0;
        }
        self->summary[outer] = 0;
    }
    self->peak = self->fresh > self->peak ? self->fresh : self->peak;
    self->unused = 0;
    self->fresh = 1u;
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
    }
    const uint32_t bucket = (uint32_t)f & self->mask;
    self->entries[place] = (rp_bucket_entry_t){g, cell, self->heads[bucket]};
    self->heads[bucket] = place;
    self->words[bucket >> 6] |= (uint64_t)1 << (bucket & 63u);
    self->summary[bucket >> 12] |= (uint64_t)1 << ((bucket >> 6) & 63u);
    if (self->count++ == 0 || f < self->least) {
        self->least = f;
    }
}

/// First bucket that is not empty, at or cyclically after `from`; the ring must not be empty.
static inline uint32_t rp_buckets_seek(const rp_buckets_t *self, uint32_t from)
{
    const uint32_t word = from >> 6;
    const uint64_t here = self->words[word] & (~(uint64_t)0 << (from & 63u));
    if (here != 0) {
        return word * 64u + (uint32_t)__builtin_ctzll(here);
    }
    const uint32_t words = (self->mask >> 6) + 1u;
    const uint32_t after = (word + 1u) & (words - 1u);
    uint32_t outer = after >> 6;
    uint64_t bits = self->summary[outer] & (~(uint64_t)0 << (after & 63u));
    while (bits == 0) {
        outer = outer + 1u < rp_buckets_summary_words(self) ? outer + 1u : 0u;
        bits = self->summary[outer];
    }
    const uint32_t found = outer * 64u + (uint32_t)__builtin_ctzll(bits);
    return found * 64u + (uint32_t)__builtin_ctzll(self->words[found]);
}

/// Least f of all entries; the ring must not be empty.
static inline rp_cost_t rp_buckets_top(rp_buckets_t *self)
{
    const uint32_t from = (uint32_t)self->least & self->mask;
    if (self->heads[from] == 0) {
        const uint32_t found = rp_buckets_seek(self, from);
        self->least += (found - from) & self->mask;
    }
    return self->least;
}

/// Keep the bits true for a bucket that may have become empty.
static inline void rp_buckets_note_empty(rp_buckets_t *self, uint32_t bucket)
{
    if (self->heads[bucket] == 0) {
        self->words[bucket >> 6] &= ~((uint64_t)1 << (bucket & 63u));
        if (self->words[bucket >> 6] == 0) {
            self->summary[bucket >> 12] &= ~((uint64_t)1 << ((bucket >> 6) & 63u));
        }
    }
}

/// Give back the entry that `link` leads to; `link` leads to the one below it afterwards. When
/// `link` is a head, rp_buckets_note_empty() must follow.
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
    const uint32_t bucket = (uint32_t)rp_buckets_top(self) & self->mask;
    const rp_bucket_entry_t entry = self->entries[self->heads[bucket]];
    rp_buckets_drop(self, &self->heads[bucket]);
    rp_buckets_note_empty(self, bucket);
    return entry;
}

/// Most bytes that entries and ring have taken so far.
static inline uint64_t rp_buckets_bytes(const rp_buckets_t *self)
{
    const uint64_t entries = self->fresh > self->peak ? self->fresh : self->peak;
    return entries * sizeof *self->entries + ((uint64_t)self->mask + 1u) * sizeof *self->heads;
}

#endif
