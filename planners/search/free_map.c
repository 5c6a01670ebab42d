/// Free ground as bits: how a grid of bytes becomes words, 64 cells a step.
#include "planners/search/free_map.h"

#include <string.h>

#include "planners/search/free_bits.h"
#include "planners/search/memory.h"

// ---- rows

/// Compiled once for each width, with its own `bits` inside.
#define ROW_LOOP static inline __attribute__((always_inline))

/// @param word  where the row's first word stands
ROW_LOOP void read_row(const rp_free_map_t *self, const uint8_t *factors, uint64_t *word,
                       uint64_t (*bits)(const uint8_t factors[64]))
{
    const uint32_t whole = self->width / 64u;
    const uint32_t rest = self->width % 64u;
    for (uint32_t strip = 0; strip < whole; strip++, word += self->strip_stride) {
        *word = bits(factors + (size_t)strip * 64u);
    }
    if (rest != 0) {
        uint8_t last[64] = {0};
        memcpy(last, factors + (size_t)whole * 64u, rest);
        *word = bits(last);
    }
}

ROW_LOOP void read_rows(const rp_free_map_t *self, const rp_grid_t *grid,
                        uint64_t (*bits)(const uint8_t factors[64]))
{
    for (uint32_t y = 0; y < self->height; y++) {
        read_row(self, grid->factor + rp_grid_cell(grid, 0, y),
                 rp_free_map_word(self, 0, (int32_t)y), bits);
    }
}

#if RP_HAS_X86
RP_FOR_AVX2 static void read_rows_avx2(const rp_free_map_t *self, const rp_grid_t *grid)
{
    read_rows(self, grid, rp_free_bits_avx2);
}

RP_FOR_AVX512 static void read_rows_avx512(const rp_free_map_t *self, const rp_grid_t *grid)
{
    read_rows(self, grid, rp_free_bits_avx512);
}
#endif

void rp_free_map_read(rp_free_map_t *self, const rp_grid_t *grid, rp_simd_t simd)
{
    switch (simd) {
#if RP_HAS_X86
    case RP_SIMD_AVX512:
        read_rows_avx512(self, grid);
        return;
    case RP_SIMD_AVX2:
        read_rows_avx2(self, grid);
        return;
#endif
    default:
        read_rows(self, grid, rp_free_bits);
        return;
    }
}

// ---- birth and death

static size_t word_count(const rp_free_map_t *self)
{
    return (size_t)(self->strip_count + 2u) * self->strip_stride;
}

/// Strips are an odd number of cache lines long: words of one row must not fall into the same set
/// of the cache.
static uint32_t strip_stride_of(uint32_t height)
{
    const uint32_t stride = (height + 2u * RP_FREE_MAP_PAD + 7u) & ~7u;
    return stride % 16u == 0 ? stride + 8u : stride;
}

rp_status_t rp_free_map_init(rp_free_map_t *self, uint32_t width, uint32_t height)
{
    *self = (rp_free_map_t){
        .strip_count = (width + 63u) / 64u,
        .strip_stride = strip_stride_of(height),
        .width = width,
        .height = height,
    };
    self->words = rp_memory_new(word_count(self), sizeof *self->words);
    if (self->words == NULL) {
        *self = (rp_free_map_t){0};
        return RP_E_MEMORY;
    }
    return RP_OK;
}

void rp_free_map_fini(rp_free_map_t *self)
{
    rp_memory_free(self->words, word_count(self), sizeof *self->words);
    *self = (rp_free_map_t){0};
}

uint64_t rp_free_map_bytes(const rp_free_map_t *self)
{
    return word_count(self) * sizeof *self->words;
}
