/// Numbers in a range, out of 64 bits.
#include "tests/support/random.h"

#include "msgs/splitmix.h"

uint64_t rp_random_next(rp_random_t *self)
{
    return rp_splitmix_next(&self->state);
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
