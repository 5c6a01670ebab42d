/// Free ground as bits: how a grid of bytes becomes words, 64 cells a step.
#include "planners/bits/free_map.h"

#include <string.h>

#include "planners/grid/free_bits.h"

// ---- rows

/// Compiled once for each width, with its own `bits` inside.
#define ROW_LOOP static inline __attribute__((always_inline))

/// The word of a row that begins with this column; beyond the world's last one everything blocks.
ROW_LOOP uint64_t read_word(const rp_free_map_t *self, const uint8_t *factors, uint32_t x,
                            uint64_t (*bits)(const uint8_t factors[64]))
{
    if (x + 64u <= self->width) {
        return bits(factors + x);
    }
    uint8_t last[64] = {0};
    memcpy(last, factors + x, self->width - x);
    return bits(last);
}

ROW_LOOP void read_rows(const rp_free_map_t *self, const rp_grid_t *grid, uint32_t top,
                        uint32_t bottom, uint64_t (*bits)(const uint8_t factors[64]))
{
    for (uint32_t y = top; y <= bottom; y++) {
        const uint8_t *factors = grid->factor + rp_grid_cell(grid, 0, y);
        uint64_t *word = rp_free_map_word(self, 0, (int32_t)y);
        for (uint32_t x = 0; x < self->width; x += 64u, word += self->strip_stride) {
            *word = read_word(self, factors, x, bits);
        }
    }
}

/// @param bits   not 0
/// @param place  counted from bit 0 on, maybe outside
/// @return how far from there the nearest of the bits lies
static inline uint32_t nearest_bit(uint64_t bits, int32_t place)
{
    if (place <= 0) {
        return (uint32_t)(__builtin_ctzll(bits) - place);
    }
    if (place >= 63) {
        return (uint32_t)(place - 63 + __builtin_clzll(bits));
    }
    const uint64_t above = bits >> place;
    const uint64_t below = bits << (63 - place);
    const uint32_t up = above != 0 ? (uint32_t)__builtin_ctzll(above) : UINT32_MAX;
    const uint32_t down = below != 0 ? (uint32_t)__builtin_clzll(below) : UINT32_MAX;
    return up < down ? up : down;
}

ROW_LOOP uint32_t renew_rows(const rp_free_map_t *self, const rp_grid_t *grid,
                             const rp_extent_t *extent, int32_t x, int32_t y,
                             uint64_t (*bits)(const uint8_t factors[64]))
{
    uint32_t nearest = UINT32_MAX;
    const uint32_t left = extent->left - 1u; // the rim comes first there
    const uint32_t right = extent->right - 1u;
    for (int32_t row = (int32_t)extent->top - 1; row < (int32_t)extent->bottom; row++) {
        const uint8_t *factors = grid->factor + rp_grid_cell(grid, 0, (uint32_t)row);
        uint64_t *word = rp_free_map_word(self, (int32_t)left, row);
        const uint32_t steps = (uint32_t)(row < y ? y - row : row - y);
        for (uint32_t first = left & ~63u; first <= right; first += 64u) {
            const uint64_t now = read_word(self, factors, first, bits);
            const uint64_t changed = *word ^ now;
            if (changed != 0 && steps < nearest) {
                const uint32_t distance = steps + nearest_bit(changed, x - (int32_t)first);
                nearest = distance < nearest ? distance : nearest;
            }
            *word = now;
            word += self->strip_stride;
        }
    }
    return nearest;
}

RP_FOR_AVX2 static void read_rows_avx2(const rp_free_map_t *self, const rp_grid_t *grid,
                                       uint32_t top, uint32_t bottom)
{
    read_rows(self, grid, top, bottom, rp_free_bits_avx2);
}

RP_FOR_AVX2 static uint32_t renew_rows_avx2(const rp_free_map_t *self, const rp_grid_t *grid,
                                            const rp_extent_t *extent, int32_t x, int32_t y)
{
    return renew_rows(self, grid, extent, x, y, rp_free_bits_avx2);
}

static size_t word_count(const rp_free_map_t *self)
{
    return (size_t)(self->strip_count + 2u) * self->strip_stride;
}

void rp_free_map_read(rp_free_map_t *self, const rp_grid_t *grid, rp_simd_t simd)
{
    const uint32_t bottom = self->height - 1u;
    if (simd != RP_SIMD_NONE) {
        read_rows_avx2(self, grid, 0, bottom);
        return;
    }
    read_rows(self, grid, 0, bottom, rp_free_bits);
}

uint32_t rp_free_map_renew(rp_free_map_t *self, const rp_grid_t *grid, const rp_extent_t *extent,
                           uint32_t x, uint32_t y, rp_simd_t simd)
{
    if (simd != RP_SIMD_NONE) {
        return renew_rows_avx2(self, grid, extent, (int32_t)x, (int32_t)y);
    }
    return renew_rows(self, grid, extent, (int32_t)x, (int32_t)y, rp_free_bits);
}

// ---- birth and death

/// Strips are an odd number of cache lines long: words of one row must not fall into the same set
/// of the cache.
static uint32_t strip_stride_of(uint32_t height)
{
    const uint32_t stride = (height + 2u * RP_FREE_MAP_PAD + 7u) & ~7u;
    return stride % 16u == 0 ? stride + 8u : stride;
}

void rp_free_map_init(rp_free_map_t *self, uint32_t width, uint32_t height, rp_arena_t *arena)
{
    *self = (rp_free_map_t){
        .strip_count = (width + 63u) / 64u,
        .strip_stride = strip_stride_of(height),
        .width = width,
        .height = height,
    };
    self->words = rp_arena_new(arena, word_count(self), sizeof *self->words);
}
