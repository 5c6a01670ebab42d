/// @file
/// Seeded random numbers: one seed gives the same world, churn and walks on every machine.
#ifndef REPLAN_SIM_SEEDED_H
#define REPLAN_SIM_SEEDED_H

#include <stdbool.h>
#include <stdint.h>

#include "msgs/splitmix.h"

typedef struct rp_seeded {
    uint64_t state; ///< any value is a legal seed
} rp_seeded_t;

/// The next 64 bits.
static inline uint64_t rp_seeded_roll(rp_seeded_t *self)
{
    return rp_splitmix_next(&self->state);
}

/// 0 .. limit - 1; limit must not be 0.
static inline uint32_t rp_seeded_below(rp_seeded_t *self, uint32_t limit)
{
    return (uint32_t)(((rp_seeded_roll(self) >> 32) * limit) >> 32);
}

/// low .. high
static inline uint32_t rp_seeded_between(rp_seeded_t *self, uint32_t low, uint32_t high)
{
    return low + rp_seeded_below(self, high - low + 1u);
}

/// True with this probability, 0..1.
static inline bool rp_seeded_chance(rp_seeded_t *self, double probability)
{
    return (double)(rp_seeded_roll(self) >> 11) < probability * 9007199254740992.0;
}

/// A generator of its own, so that what one part draws does not shift what another gets.
static inline rp_seeded_t rp_seeded_split(rp_seeded_t *self)
{
    return (rp_seeded_t){rp_seeded_roll(self)};
}

#endif
