/// @file
/// Factors into bits: bit i says that the i-th is not 0.
#ifndef REPLAN_PLANNERS_GRID_FREE_BITS_H
#define REPLAN_PLANNERS_GRID_FREE_BITS_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#include "base/simd.h"

#if RP_HAS_X86
#include <immintrin.h>
#endif

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

#if RP_HAS_X86
RP_FOR_AVX2 static inline uint64_t rp_free_bits_avx2(const uint8_t factors[64])
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)factors);
    const __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(factors + 32));
    const uint32_t low_zeros = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, zero));
    const uint32_t high_zeros = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, zero));
    return ~((uint64_t)high_zeros << 32 | low_zeros);
}
#else
#define rp_free_bits_avx2 rp_free_bits
#endif

#endif
