/// @file
/// Bits by index: one a cell, where that is a place of a grid.
#ifndef REPLAN_BASE_BITS_H
#define REPLAN_BASE_BITS_H

#include "base/arena.h"

/// @return no bit is set; NULL without memory, as of rp_arena_new()
static inline uint8_t *rp_bits_new(rp_arena_t *arena, uint32_t cells)
{
    return rp_arena_new(arena, cells / 8u + 1u, 1);
}

static inline bool rp_bits_has(const uint8_t *bits, uint32_t cell)
{
    return ((bits[cell >> 3] >> (cell & 7u)) & 1u) != 0;
}

/// The bits of the eight cells round one, by direction. Not for a torus.
/// @param stride  of the grid
static inline unsigned rp_bits_around(const uint8_t *bits, uint32_t cell, uint32_t stride)
{
    static const uint8_t mirrored[8] = {0, 4, 2, 6, 1, 5, 3, 7};
    unsigned rows[3];
    for (uint32_t row = 0; row < 3u; row++) {
        const uint32_t first = cell - 1u - stride + row * stride;
        const unsigned two = (unsigned)bits[first >> 3] | (unsigned)bits[(first >> 3) + 1u] << 8;
        rows[row] = (two >> (first & 7u)) & 7u;
    }
    return rows[0] << 5 | (rows[1] & 1u) << 4 | (unsigned)mirrored[rows[2]] << 1 | rows[1] >> 2;
}

static inline void rp_bits_set(uint8_t *bits, uint32_t cell, bool value)
{
    const uint8_t bit = (uint8_t)(1u << (cell & 7u));
    bits[cell >> 3] = (uint8_t)(value ? bits[cell >> 3] | bit : bits[cell >> 3] & ~bit);
}

#endif
