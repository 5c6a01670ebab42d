/// SplitMix64: one addition and three multiplications a number; its whole state is the seed.
#include "tests/support/random.h"

uint64_t rp_random_next(rp_random_t *self)
{
    self->state += 0x9e3779b97f4a7c15u;
    uint64_t bits = self->state;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

uint32_t rp_random_below(rp_random_t *self, uint32_t limit)
{
    return (uint32_t)(((rp_random_next(self) >> 32) * limit) >> 32);
}

uint32_t rp_random_between(rp_random_t *self, uint32_t low, uint32_t high)
{
    return low + rp_random_below(self, high - low + 1u);
}

bool rp_random_chance(rp_random_t *self, uint32_t percent)
{
    return rp_random_below(self, 100u) < percent;
}
