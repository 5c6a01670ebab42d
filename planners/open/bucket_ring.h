/// @file
/// A ring of lists, one a value of f, for searches in which f never falls: with a consistent
/// heuristic an expansion adds at most twice the dearest edge to f, so a ring a little longer than
/// that never wraps onto itself. What the lists hold is the user's; this knows their heads, and
/// finds the next list that is not empty in a few steps.
///
///     summary   .......1........      one bit a word: not zero
///     words     0 0 0 0 0 0 0 5 0 ..  one bit a list: not empty
///     heads     list by f modulo the length of the ring
#ifndef REPLAN_PLANNERS_OPEN_BUCKET_RING_H
#define REPLAN_PLANNERS_OPEN_BUCKET_RING_H

#include "base/arena.h"
#include "planners/grid/cost.h"

typedef struct rp_bucket_ring {
    uint32_t *heads;   ///< what stands first by f modulo length, 0 = empty [mask + 1]
    uint64_t *words;   ///< [(mask + 1) / 64]
    uint64_t *summary; ///< [(mask + 1) / 4096, rounded up]
    uint32_t mask;     ///< length of the ring less one
} rp_bucket_ring_t;

static inline uint32_t rp_bucket_ring_summary_words(const rp_bucket_ring_t *self)
{
    return (self->mask >> 12) + 1u;
}

/// @param lists  that are needed; there will be the next power of two, at least 64
static inline void rp_bucket_ring_init(rp_bucket_ring_t *self, rp_cost_t lists, rp_arena_t *arena)
{
    uint32_t length = 64u;
    while (length < lists) {
        length *= 2u;
    }
    *self = (rp_bucket_ring_t){.mask = length - 1u};
    self->heads = rp_arena_new(arena, length, sizeof *self->heads);
    self->words = rp_arena_new(arena, length / 64u, sizeof *self->words);
    self->summary = rp_arena_new(arena, rp_bucket_ring_summary_words(self), sizeof *self->summary);
}

/// Make every list empty. Time: O(lists that are not).
static inline void rp_bucket_ring_clear(rp_bucket_ring_t *self)
{
    for (uint32_t outer = 0; outer < rp_bucket_ring_summary_words(self); outer++) {
        for (uint64_t inner = self->summary[outer]; inner != 0; inner &= inner - 1u) {
            const uint32_t word = outer * 64u + (uint32_t)__builtin_ctzll(inner);
            for (uint64_t bits = self->words[word]; bits != 0; bits &= bits - 1u) {
                self->heads[word * 64u + (uint32_t)__builtin_ctzll(bits)] = 0;
            }
            self->words[word] = 0;
        }
        self->summary[outer] = 0;
    }
}

/// Which list is the one of this f.
static inline uint32_t rp_bucket_ring_place(const rp_bucket_ring_t *self, rp_cost_t f)
{
    return (uint32_t)f & self->mask;
}

/// Put something before the first of a list. @return what was the first, 0 if nothing
static inline uint32_t rp_bucket_ring_push(rp_bucket_ring_t *self, uint32_t place, uint32_t first)
{
    const uint32_t second = self->heads[place];
    self->heads[place] = first;
    if (second == 0) {
        self->words[place >> 6] |= (uint64_t)1 << (place & 63u);
        self->summary[place >> 12] |= (uint64_t)1 << ((place >> 6) & 63u);
    }
    return second;
}

/// Keep the bits true for a list that may have become empty.
static inline void rp_bucket_ring_note_empty(rp_bucket_ring_t *self, uint32_t place)
{
    if (self->heads[place] == 0) {
        self->words[place >> 6] &= ~((uint64_t)1 << (place & 63u));
        if (self->words[place >> 6] == 0) {
            self->summary[place >> 12] &= ~((uint64_t)1 << ((place >> 6) & 63u));
        }
    }
}

static inline bool rp_bucket_ring_is_empty(const rp_bucket_ring_t *self)
{
    uint32_t outer = 0;
    while (outer < rp_bucket_ring_summary_words(self) && self->summary[outer] == 0) {
        outer++;
    }
    return outer == rp_bucket_ring_summary_words(self);
}

/// How far it is round the ring from the list of this f to the first that is not empty, itself
/// included; the ring must not be empty.
static inline uint32_t rp_bucket_ring_seek(const rp_bucket_ring_t *self, rp_cost_t f)
{
    const uint32_t from = rp_bucket_ring_place(self, f);
    const uint32_t word = from >> 6;
    const uint64_t here = self->words[word] & (~(uint64_t)0 << (from & 63u));
    if (here != 0) {
        return word * 64u + (uint32_t)__builtin_ctzll(here) - from;
    }
    const uint32_t words = (self->mask >> 6) + 1u;
    const uint32_t after = (word + 1u) & (words - 1u);
    uint32_t outer = after >> 6;
    uint64_t bits = self->summary[outer] & (~(uint64_t)0 << (after & 63u));
    while (bits == 0) {
        outer = outer + 1u < rp_bucket_ring_summary_words(self) ? outer + 1u : 0u;
        bits = self->summary[outer];
    }
    const uint32_t found = outer * 64u + (uint32_t)__builtin_ctzll(bits);
    return (found * 64u + (uint32_t)__builtin_ctzll(self->words[found]) - from) & self->mask;
}

#endif
