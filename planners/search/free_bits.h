/// @file
/// 64 factors into one word: bit i says that the i-th is not 0.
#ifndef REPLAN_SEARCH_FREE_BITS_H
#define REPLAN_SEARCH_FREE_BITS_H

#include <stdint.h>
#include <string.h>

/// Eight bytes at a time: the top bit of each byte says whether it is not 0, and one multiplication
/// gathers the eight.
static inline uint64_t rp_free_bits(const uint8_t factors[64])
{
    const uint64_t low_seven = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t bits = 0;
    for (unsigned byte = 0; byte < 8u; byte++) {
        uint64_t eight;
        memcpy(&eight, factors + (size_t)byte * 8u, sizeof eight);
        const uint64_t tops = (((eight & low_seven) + low_seven) | eight) & ~low_seven;
        bits |= ((tops >> 7) * UINT64_C(0x0102040810204080) >> 56) << (byte * 8u);
    }
    return bits;
}

#endif
