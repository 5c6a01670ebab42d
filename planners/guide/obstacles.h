/// @file
/// Obstacles as bits, one a cell, with a margin round the world: of ones, or on a torus of the
/// cells of the far side. So a window of bits round any cell of the world is read without asking
/// where the world ends.
#ifndef REPLAN_PLANNERS_GUIDE_OBSTACLES_H
#define REPLAN_PLANNERS_GUIDE_OBSTACLES_H

#include <string.h>

#include "base/simd.h"
#include "replan/grid.h"

#if RP_HAS_X86
#include <immintrin.h>
#endif

typedef struct rp_obstacles {
    uint8_t *bits;   ///< owned [stride * rows + 8]
    uint32_t stride; ///< bytes a row
    uint32_t rows;   ///< with the margins above and below
    uint32_t margin; ///< cells on each side, a multiple of 8
    uint32_t width;  ///< cells
    uint32_t height;
    bool wraps;
} rp_obstacles_t;

/// @param reach  cells round a cell of the world that anybody will ask for
/// @return RP_E_MEMORY
rp_status_t rp_obstacles_init(rp_obstacles_t *self, const rp_grid_t *grid, uint32_t reach);
void rp_obstacles_fini(rp_obstacles_t *self);

/// Take all cells of a grid that blocks where its factor is 0. Time: O(cells).
void rp_obstacles_fill(rp_obstacles_t *self, const rp_grid_t *grid);

/// The same of one row. What is not filled may be of any kind: each row is to be filled once, from
/// the first to the last. Time: O(cells of the row).
void rp_obstacles_fill_row(rp_obstacles_t *self, const rp_grid_t *grid, uint32_t y);

/// Time: O(1).
void rp_obstacles_set(rp_obstacles_t *self, uint32_t x, uint32_t y, bool blocks);

/// True when some cell of a part of a row blocks.
/// @param x,y   of its first cell; at most `reach` outside the world
/// @param count  cells, at least 1
bool rp_obstacles_meet(const rp_obstacles_t *self, int32_t x, int32_t y, uint32_t count);

/// The byte that holds the bit of a cell, and the bit's place in it.
static inline const uint8_t *rp_obstacles_byte(const rp_obstacles_t *self, int32_t x, int32_t y,
                                               uint32_t *place)
{
    const uint32_t column = (uint32_t)(x + (int32_t)self->margin);
    const uint32_t row = (uint32_t)(y + (int32_t)self->margin);
    *place = column & 7u;
    return self->bits + (size_t)row * self->stride + (column >> 3);
}

/// True when some cell that blocks comes nearer to the middle of a cell than a radius.
/// @param radius  cells, more than 0, at most `reach`
bool rp_obstacles_meet_disc(const rp_obstacles_t *self, int32_t x, int32_t y, double radius);

static inline bool rp_obstacles_has(const rp_obstacles_t *self, uint32_t x, uint32_t y)
{
    uint32_t place;
    const uint8_t *byte = rp_obstacles_byte(self, (int32_t)x, (int32_t)y, &place);
    return ((*byte >> place) & 1u) != 0;
}

/// The obstacles round a cell, as a mask.
typedef union rp_obstacle_window {
    uint16_t rows_16[16];
    uint32_t rows_32[32];
    uint64_t words[16];
#if RP_HAS_X86
    __m256i wide[4];
#endif
} rp_obstacle_window_t;

/// True when a mask and a window have a bit in common. @param words  of 64 bits: 4 or 16
typedef bool rp_obstacle_window_meets_t(const rp_obstacle_window_t *window, const uint8_t *mask,
                                        uint32_t words);

static inline bool rp_obstacle_window_meets_portable(const rp_obstacle_window_t *window,
                                                     const uint8_t *mask, uint32_t words)
{
    const uint64_t *other = (const uint64_t *)(const void *)mask;
    for (uint32_t i = 0; i < words; i += 4u) {
        const uint64_t low =
            (window->words[i] & other[i]) | (window->words[i + 1u] & other[i + 1u]);
        const uint64_t high =
            (window->words[i + 2u] & other[i + 2u]) | (window->words[i + 3u] & other[i + 3u]);
        if ((low | high) != 0) {
            return true;
        }
    }
    return false;
}

#if RP_HAS_X86
RP_FOR_AVX2 static inline bool rp_obstacle_window_meets_avx2(const rp_obstacle_window_t *window,
                                                             const uint8_t *mask, uint32_t words)
{
    const __m256i *other = (const __m256i *)(const void *)mask;
    for (uint32_t i = 0; i < words / 4u; i++) {
        if (!_mm256_testz_si256(window->wide[i], other[i])) {
            return true;
        }
    }
    return false;
}
#endif

/// Columns x - 8 .. x + 7 of rows y - 8 .. y + 7.
static inline void rp_obstacles_window_16(const rp_obstacles_t *self, int32_t x, int32_t y,
                                          rp_obstacle_window_t *window)
{
    uint32_t place;
    const uint8_t *byte = rp_obstacles_byte(self, x - 8, y - 8, &place);
    for (uint32_t row = 0; row < 16u; row++) {
        uint32_t bits;
        memcpy(&bits, byte, sizeof bits);
        window->rows_16[row] = (uint16_t)(bits >> place);
        byte += self->stride;
    }
}

/// Columns x - 16 .. x + 15 of rows y - 16 .. y + 15.
static inline void rp_obstacles_window_32(const rp_obstacles_t *self, int32_t x, int32_t y,
                                          rp_obstacle_window_t *window)
{
    uint32_t place;
    const uint8_t *byte = rp_obstacles_byte(self, x - 16, y - 16, &place);
    for (uint32_t row = 0; row < 32u; row++) {
        uint64_t bits;
        memcpy(&bits, byte, sizeof bits);
        window->rows_32[row] = (uint32_t)(bits >> place);
        byte += self->stride;
    }
}

#endif
