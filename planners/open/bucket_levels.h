/// @file
/// OPEN for searches whose steps may be long: one list for each of the least values of f, and
/// behind them lists of RP_BUCKET_LEVELS_STEPS values each, which are spread out in their turn.
///
///     fine:   | f | f + 1 | ...            |  RP_BUCKET_LEVELS_STEPS lists, the block at hand
///     coarse: | block | block | ... ring ..|  as many as the longest step needs
///
/// Of each list the last in is the first out: nearly "ties to larger g". Lazy deletion, as in
/// heap.h. f counts from the first cell of the search and never falls below what was taken out.
///
/// Neither putting in nor taking out asks where an entry stands, so nothing can be guessed wrong,
/// and the block at hand begins where its words begin, so the least is found without turning them.
/// The sliding window of buckets.h takes a query by jumps 1.1 to 1.17 times as long.
#ifndef REPLAN_PLANNERS_OPEN_BUCKET_LEVELS_H
#define REPLAN_PLANNERS_OPEN_BUCKET_LEVELS_H

#include <assert.h>

#include "base/arena.h"
#include "planners/open/buckets.h"

#define RP_BUCKET_LEVELS_SHIFT 12u
#define RP_BUCKET_LEVELS_STEPS (1u << RP_BUCKET_LEVELS_SHIFT)
static_assert(RP_BUCKET_LEVELS_STEPS == 64u * 64u,
              "one word says which words of fine heads are not zero");

typedef struct rp_bucket_levels {
    uint32_t *heads; ///< fine, then coarse: top entry, 0 = empty [RP_BUCKET_LEVELS_STEPS + ring]
    uint64_t *words; ///< one bit a head: not empty
    uint64_t fine;   ///< one bit a word of the fine heads: not zero
    rp_bucket_entry_t *entries; ///< pool; place 0 is unused [capacity]
    rp_cost_t block;            ///< f >> RP_BUCKET_LEVELS_SHIFT of the fine buckets
    uint32_t unused;            ///< list of entries given back
    uint32_t fresh;             ///< entries from here on were never used
    uint32_t peak;              ///< most entries ever in use before the last clear
    uint32_t ring;              ///< coarse buckets, a power of two
    uint32_t capacity;
} rp_bucket_levels_t;

/// @param cells  number of cells that can be live at once
/// @param raise  an expansion adds no more to f
static inline void rp_bucket_levels_init(rp_bucket_levels_t *self, uint32_t cells, uint64_t raise,
                                         rp_arena_t *arena)
{
    uint32_t ring = 64u;
    while (ring <= (raise >> RP_BUCKET_LEVELS_SHIFT) + 2u) {
        ring *= 2u;
    }
    const size_t heads = (size_t)RP_BUCKET_LEVELS_STEPS + ring;
    *self = (rp_bucket_levels_t){.ring = ring, .capacity = cells + cells / 4u + 64u, .fresh = 1u};
    self->heads = rp_arena_new(arena, heads, sizeof *self->heads);
    self->words = rp_arena_new(arena, heads / 64u, sizeof *self->words);
    self->entries = rp_arena_new_sparse(arena, self->capacity, sizeof *self->entries);
    rp_arena_note(arena, &self->fresh, &self->peak, sizeof *self->entries);
}

/// Empty the heads of one word.
static inline void rp_bucket_levels_clear_word(rp_bucket_levels_t *self, uint32_t word)
{
    for (uint64_t bits = self->words[word]; bits != 0; bits &= bits - 1u) {
        self->heads[word * 64u + (uint32_t)__builtin_ctzll(bits)] = 0;
    }
    self->words[word] = 0;
}

/// Empty it. Time: O(buckets that are not empty, and words of the coarse ones).
static inline void rp_bucket_levels_clear(rp_bucket_levels_t *self)
{
    for (uint64_t words = self->fine; words != 0; words &= words - 1u) {
        rp_bucket_levels_clear_word(self, (uint32_t)__builtin_ctzll(words));
    }
    for (uint32_t word = 0; word < self->ring / 64u; word++) {
        rp_bucket_levels_clear_word(self, RP_BUCKET_LEVELS_STEPS / 64u + word);
    }
    self->peak = self->fresh > self->peak ? self->fresh : self->peak;
    self->fine = 0;
    self->block = 0;
    self->unused = 0;
    self->fresh = 1u;
}

static inline void rp_bucket_levels_link(rp_bucket_levels_t *self, uint32_t head, uint32_t place)
{
    self->entries[place].next = self->heads[head];
    self->heads[head] = place;
    self->words[head >> 6] |= (uint64_t)1 << (head & 63u);
    self->fine |= (uint64_t)(head < RP_BUCKET_LEVELS_STEPS) << ((head >> 6) & 63u);
}

/// Keep the bits true for a head that may have become empty.
static inline void rp_bucket_levels_note_empty(rp_bucket_levels_t *self, uint32_t head)
{
    const uint32_t word = head >> 6;
    self->words[word] &= ~((uint64_t)(self->heads[head] == 0) << (head & 63u));
    self->fine &=
        ~((uint64_t)(head < RP_BUCKET_LEVELS_STEPS && self->words[word] == 0) << (word & 63u));
}

static inline void rp_bucket_levels_give_back(rp_bucket_levels_t *self, uint32_t place)
{
    self->entries[place].next = self->unused;
    self->unused = place;
}

/// Give back every stale entry: at least a fifth of a full pool, when no cell has two live ones.
static inline void rp_bucket_levels_sweep(rp_bucket_levels_t *self, rp_bucket_is_live_t *is_live,
                                          const void *owner)
{
    for (uint32_t head = 0; head < RP_BUCKET_LEVELS_STEPS + self->ring; head++) {
        for (uint32_t *link = &self->heads[head]; *link != 0;) {
            const uint32_t place = *link;
            rp_bucket_entry_t *entry = &self->entries[place];
            if (is_live(owner, entry)) {
                link = &entry->next;
                continue;
            }
            *link = entry->next;
            rp_bucket_levels_give_back(self, place);
        }
        rp_bucket_levels_note_empty(self, head);
    }
}

/// @return false when it is full of live entries: this one is not in it
static inline bool rp_bucket_levels_push(rp_bucket_levels_t *self, rp_cost_t f, uint32_t cell,
                                         uint32_t note, rp_bucket_is_live_t *is_live,
                                         const void *owner)
{
    if (__builtin_expect(self->unused == 0 && self->fresh == self->capacity, 0)) {
        rp_bucket_levels_sweep(self, is_live, owner);
        if (self->unused == 0) {
            return false;
        }
    }
    uint32_t place = self->unused;
    if (place != 0) {
        self->unused = self->entries[place].next;
    } else {
        place = self->fresh++;
    }
    const rp_cost_t block = f >> RP_BUCKET_LEVELS_SHIFT;
    const uint32_t head = block == self->block
                              ? (uint32_t)f & (RP_BUCKET_LEVELS_STEPS - 1u)
                              : RP_BUCKET_LEVELS_STEPS + ((uint32_t)block & (self->ring - 1u));
    self->entries[place].key = f;
    self->entries[place].cell = cell;
    self->entries[place].note = note;
    rp_bucket_levels_link(self, head, place);
    return true;
}

/// The next coarse bucket that is not empty becomes the fine block. @return false when none is left
static inline bool rp_bucket_levels_refill(rp_bucket_levels_t *self)
{
    const uint32_t words = self->ring / 64u;
    const uint64_t *coarse = self->words + RP_BUCKET_LEVELS_STEPS / 64u;
    const uint32_t from = ((uint32_t)self->block + 1u) & (self->ring - 1u);
    uint32_t word = from >> 6;
    uint64_t bits = coarse[word] & (~(uint64_t)0 << (from & 63u));
    for (uint32_t i = 0; bits == 0; i++) {
        if (i == words) {
            return false;
        }
        word = word + 1u < words ? word + 1u : 0u;
        bits = coarse[word];
    }
    const uint32_t found = word * 64u + (uint32_t)__builtin_ctzll(bits);
    const uint32_t head = RP_BUCKET_LEVELS_STEPS + found;
    uint32_t place = self->heads[head];
    self->heads[head] = 0;
    rp_bucket_levels_note_empty(self, head);
    self->block = self->entries[place].key >> RP_BUCKET_LEVELS_SHIFT;
    while (place != 0) {
        const uint32_t next = self->entries[place].next;
        rp_bucket_levels_link(
            self, (uint32_t)self->entries[place].key & (RP_BUCKET_LEVELS_STEPS - 1u), place);
        place = next;
    }
    return true;
}

/// Take out an entry of least f, the one put in last.
/// @return ours, until the next one is put in; NULL when nothing is left
static inline const rp_bucket_entry_t *rp_bucket_levels_pop(rp_bucket_levels_t *self)
{
    if (__builtin_expect(self->fine == 0, 0) && !rp_bucket_levels_refill(self)) {
        return NULL;
    }
    const uint32_t word = (uint32_t)__builtin_ctzll(self->fine);
    const uint32_t head = word * 64u + (uint32_t)__builtin_ctzll(self->words[word]);
    const uint32_t place = self->heads[head];
    self->heads[head] = self->entries[place].next;
    rp_bucket_levels_note_empty(self, head);
    rp_bucket_levels_give_back(self, place);
    return &self->entries[place];
}

#endif
