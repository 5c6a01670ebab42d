/// @file
/// Factors into bits: bit i says that the i-th is not 0.
#ifndef REPLAN_SEARCH_FREE_BITS_H
#define REPLAN_SEARCH_FREE_BITS_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

/// The top bit of each byte says whether it is not 0, and one multiplication gathers the eight.
static inline unsigned rp_free_bits_of_8(const uint8_t factors[8])
{
    const uint64_t low_seven = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t eight;
    memcpy(&eight, factors, sizeof eight);
    eight = le64toh(eight);
    const uint64_t tops = (((eight & low_seven) + low_seven) | eight) & ~low_seven;
    return (unsigned)((tops >> 7) * UINT64_C(0x0102040810204080) >> 56);
}

static inline uint64_t rp_free_bits(const uint8_t factors[64])
{
    uint64_t bits = 0;
    for (unsigned byte = 0; byte < 8u; byte++) {
        bits |= (uint64_t)rp_free_bits_of_8(factors + (size_t)byte * 8u) << (byte * 8u);
    }
    return bits;
}

#endif
