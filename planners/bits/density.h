/// @file
/// Clutter: ground so full of small obstacles that it does not pay to look far ahead. A sample of
/// the grid tells, before all of it is read.
#ifndef REPLAN_PLANNERS_BITS_DENSITY_H
#define REPLAN_PLANNERS_BITS_DENSITY_H

#include <string.h>

#include "planners/grid/free_bits.h"
#include "replan/grid.h"

/// Spots that are looked at, across and down.
#define RP_DENSITY_SPOTS 16u

/// Free places of spots of 64 x 3, and what of them is clutter.
typedef struct rp_density {
    uint32_t free;    ///< in the middle row
    uint32_t stops;   ///< of these, where a jump to the right ends (jump/jump_map.h)
    uint32_t squares; ///< of these, free with those right, below and between
} rp_density_t;

static inline void rp_density_look_(const rp_grid_t *grid, uint32_t x, uint32_t y,
                                    rp_density_t *sum)
{
    const uint32_t columns = grid->shape.width - x < 64u ? grid->shape.width - x : 64u;
    uint64_t rows[3];
    for (uint32_t i = 0; i < 3u; i++) {
        uint8_t factors[64] = {0};
        memcpy(factors, grid->factor + (size_t)(y + i) * grid->stride + x + 1u, columns);
        rows[i] = rp_free_bits(factors);
    }
    const uint64_t opens = (rows[0] & ~(rows[0] << 1)) | (rows[2] & ~(rows[2] << 1));
    const uint64_t both = rows[1] & rows[2];
    sum->free += (uint32_t)__builtin_popcountll(rows[1]);
    sum->stops += (uint32_t)__builtin_popcountll(rows[1] & opens & ~(uint64_t)1);
    sum->squares += (uint32_t)__builtin_popcountll(both & both >> 1);
}

/// True when a grid is clutter, but not all corridors: one free place in four stops a jump, and one
/// in four begins a square. Where fewer do, as with four places in ten blocked, ways lead far
/// round. Looks at spots all over it. Time: O(1).
static inline bool rp_density_covers(const rp_grid_t *grid)
{
    const rp_grid_shape_t *shape = &grid->shape;
    const uint32_t across = shape->width > 64u ? shape->width - 64u : 0u;
    rp_density_t sum = {0};
    for (uint32_t i = 0; i < RP_DENSITY_SPOTS * RP_DENSITY_SPOTS; i++) {
        rp_density_look_(
            grid, (uint32_t)((uint64_t)across * (i % RP_DENSITY_SPOTS) / (RP_DENSITY_SPOTS - 1u)),
            (uint32_t)((uint64_t)shape->height * (i / RP_DENSITY_SPOTS) / RP_DENSITY_SPOTS), &sum);
    }
    return 4u * sum.stops > sum.free && 4u * sum.squares > sum.free;
}

#endif
