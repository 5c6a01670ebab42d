/// @file
/// What is to be done, in order: a set of numbers that a cursor passes over again and again.
///
/// A number that is put in ahead of the cursor is met in this round; one behind it (or under it)
/// waits for the next. So two lists, "now" and "next", are one set.
///
/// Two levels of bits: a search for the next number skips 4096 empty ones a step.
#ifndef REPLAN_PLANNERS_BITS_WORK_SET_H
#define REPLAN_PLANNERS_BITS_WORK_SET_H

#include <string.h>

#include "base/arena.h"
#include "replan/types.h"

#define RP_WORK_SET_END UINT32_MAX

typedef struct rp_work_set {
    uint64_t *bits;  ///< one a number [word_count]
    uint64_t *words; ///< one a word of `bits` that may not be empty [word_count / 64, rounded up]
    uint32_t word_count;
} rp_work_set_t;

static inline size_t rp_work_set_words_(uint32_t word_count)
{
    return (size_t)word_count + (word_count + 63u) / 64u;
}

/// An empty set. @param limit  every number is below it
static inline void rp_work_set_init(rp_work_set_t *self, uint32_t limit, rp_arena_t *arena)
{
    *self = (rp_work_set_t){.word_count = (limit + 63u) / 64u};
    self->bits = rp_arena_new(arena, rp_work_set_words_(self->word_count), sizeof *self->bits);
    self->words = self->bits != NULL ? self->bits + self->word_count : NULL;
}

static inline void rp_work_set_add(rp_work_set_t *self, uint32_t number)
{
    const uint32_t word = number >> 6;
    self->bits[word] |= (uint64_t)1 << (number & 63u);
    self->words[word >> 6] |= (uint64_t)1 << (word & 63u);
}

/// Take the least number that is not below the cursor out of the set.
/// @return it, or RP_WORK_SET_END when there is none
static inline uint32_t rp_work_set_take(rp_work_set_t *self, uint32_t cursor)
{
    uint32_t word = cursor >> 6;
    if (word >= self->word_count) {
        return RP_WORK_SET_END;
    }
    uint64_t bits = self->bits[word] & (~(uint64_t)0 << (cursor & 63u));
    if (bits == 0) {
        const uint32_t group_end = (self->word_count + 63u) / 64u;
        uint32_t group = word >> 6;
        // Words after this one; a shift by 64 is two shifts.
        uint64_t words = self->words[group] & (~(uint64_t)1 << (word & 63u));
        while (words == 0) {
            if (++group == group_end) {
                return RP_WORK_SET_END;
            }
            words = self->words[group];
        }
        word = group * 64u + (uint32_t)__builtin_ctzll(words);
        bits = self->bits[word];
    }
    self->bits[word] &= ~(bits & (0u - bits));
    if (self->bits[word] == 0) {
        self->words[word >> 6] &= ~((uint64_t)1 << (word & 63u));
    }
    return word * 64u + (uint32_t)__builtin_ctzll(bits);
}

/// Empty the set. Time: O(words that are not empty).
static inline void rp_work_set_clear(rp_work_set_t *self)
{
    for (uint32_t group = 0; group < (self->word_count + 63u) / 64u; group++) {
        for (uint64_t words = self->words[group]; words != 0; words &= words - 1u) {
            self->bits[group * 64u + (uint32_t)__builtin_ctzll(words)] = 0;
        }
        self->words[group] = 0;
    }
}

#endif
