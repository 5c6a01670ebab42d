/// @file
/// A small seeded generator (SplitMix64): the same numbers on every machine, so that a seed names a
/// test for good, as long as a test draws one number a statement: compilers for x86 and for Arm
/// evaluate arguments in other orders.
#ifndef REPLAN_TESTS_RANDOM_H
#define REPLAN_TESTS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rp_random {
    uint64_t state; ///< any value is a legal seed
} rp_random_t;

/// The next 64 bits.
uint64_t rp_random_next(rp_random_t *self);

/// A number in 0 .. limit - 1; limit must not be 0.
uint32_t rp_random_below(rp_random_t *self, uint32_t limit);

/// A number in low .. high.
uint32_t rp_random_between(rp_random_t *self, uint32_t low, uint32_t high);

/// True in `percent` of 100 cases.
bool rp_random_chance(rp_random_t *self, uint32_t percent);

#endif
