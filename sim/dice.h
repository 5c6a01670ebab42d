/// @file
/// Seeded random numbers: one seed gives the same world, churn and walks on every machine.
#ifndef REPLAN_SIM_DICE_H
#define REPLAN_SIM_DICE_H

#include <stdbool.h>
#include <stdint.h>

#include "msgs/splitmix.h"

typedef struct rp_dice {
    uint64_t state; ///< any value is a legal seed
} rp_dice_t;

/// The next 64 bits.
static inline uint64_t rp_dice_roll(rp_dice_t *self)
{
    return rp_splitmix_next(&self->state);
}

/// 0 .. limit - 1; limit must not be 0.
static inline uint32_t rp_dice_below(rp_dice_t *self, uint32_t limit)
{
    return (uint32_t)(((rp_dice_roll(self) >> 32) * limit) >> 32);
}

/// low .. high
static inline uint32_t rp_dice_between(rp_dice_t *self, uint32_t low, uint32_t high)
{
    return low + rp_dice_below(self, high - low + 1u);
}

/// True with this probability, 0..1.
static inline bool rp_dice_chance(rp_dice_t *self, double probability)
{
    return (double)(rp_dice_roll(self) >> 11) < probability * 9007199254740992.0;
}

/// A generator of its own, so that what one part draws does not shift what another gets.
static inline rp_dice_t rp_dice_split(rp_dice_t *self)
{
    return (rp_dice_t){rp_dice_roll(self)};
}

#endif
