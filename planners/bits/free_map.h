/// @file
/// Free ground as bits, one a cell.
///
/// Strips: the words of the same 64 columns stand together, one a row, so that a tile of 64 x 64
/// places at any corner is two runs of memory:
///
///     strip 0: row 0, row 1, row 2 ...   strip 1: row 0, row 1 ...
///
/// Blocked places lie all round, a strip on either side and 64 rows above and below: a tile that
/// touches the world at all needs no test of its bounds.
#ifndef REPLAN_PLANNERS_BITS_FREE_MAP_H
#define REPLAN_PLANNERS_BITS_FREE_MAP_H

#include "base/arena.h"
#include "base/simd.h"
#include "replan/grid.h"

#define RP_FREE_MAP_PAD 64u ///< blocked places round the world, both ways

typedef struct rp_free_map {
    uint64_t *words;      ///< [(strip_count + 2) * strip_stride]
    uint32_t strip_count; ///< those that hold cells
    uint32_t strip_stride;
    uint32_t width;
    uint32_t height;
} rp_free_map_t;

/// A map on which every place blocks.
void rp_free_map_init(rp_free_map_t *self, uint32_t width, uint32_t height, rp_arena_t *arena);

/// Copy the whole grid, which has the map's size. Time: O(cells), 64 a step with the widest
/// instructions.
void rp_free_map_read(rp_free_map_t *self, const rp_grid_t *grid, rp_simd_t simd);

/// Words of the map that hold places of an extent.
static inline uint32_t rp_free_map_words_of(const rp_extent_t *extent)
{
    return ((extent->right - 1u) / 64u - (extent->left - 1u) / 64u + 1u) *
           (extent->bottom - extent->top + 1u);
}

/// Copy the places of an extent, and those that share a word with them. Time: O(words).
/// @param x, y  a place
/// @return how many steps from there the nearest place lies that was not as it is on the grid;
///         UINT32_MAX when all were
uint32_t rp_free_map_renew(rp_free_map_t *self, const rp_grid_t *grid, const rp_extent_t *extent,
                           uint32_t x, uint32_t y, rp_simd_t simd);

/// The word that holds column x of row y, and the words of the same columns of the rows round it.
/// @param x  -64 .. width + 63
/// @param y  -64 .. height + 63
static inline uint64_t *rp_free_map_word(const rp_free_map_t *self, int32_t x, int32_t y)
{
    const uint32_t strip = (uint32_t)(x + (int32_t)RP_FREE_MAP_PAD) >> 6;
    return self->words + (size_t)strip * self->strip_stride + (uint32_t)(y + 64);
}

static inline void rp_free_map_set(rp_free_map_t *self, uint32_t x, uint32_t y, bool is_free)
{
    uint64_t *word = rp_free_map_word(self, (int32_t)x, (int32_t)y);
    const uint64_t bit = (uint64_t)1 << (x & 63u);
    *word = (*word & ~bit) | ((uint64_t)is_free << (x & 63u));
}

static inline bool rp_free_map_is_free(const rp_free_map_t *self, uint32_t x, uint32_t y)
{
    return ((*rp_free_map_word(self, (int32_t)x, (int32_t)y) >> (x & 63u)) & 1u) != 0;
}

#endif
