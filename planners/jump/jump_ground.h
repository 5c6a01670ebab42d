/// @file
/// The ground of a grid, read into a map of jumps (jump/jump_map.h) tile by tile.
#ifndef REPLAN_PLANNERS_JUMP_JUMP_GROUND_H
#define REPLAN_PLANNERS_JUMP_JUMP_GROUND_H

#include <string.h>

#include "planners/grid/free_bits.h"
#include "planners/jump/jump_map.h"
#include "replan/grid.h"

/// Compiled once for each width, with its own `bits` inside.
#define RP_JUMP_TILE_LOOP static inline __attribute__((always_inline))

RP_JUMP_TILE_LOOP void rp_jump_ground_read_tile(rp_jump_map_t *map, const rp_grid_t *grid,
                                                uint32_t tile_column, uint32_t tile_row,
                                                uint64_t (*bits)(const uint8_t factors[64]))
{
    const uint32_t first = tile_column * 64u;
    const uint32_t columns = grid->stride - first < 64u ? grid->stride - first : 64u;
    uint64_t rows[64] = {0};
    uint8_t factors[64] = {0};
    for (uint32_t i = 0; i < 64u && tile_row * 64u + i <= grid->shape.height; i++) {
        const uint8_t *from = grid->factor + (size_t)(tile_row * 64u + i) * grid->stride + first;
        if (columns < 64u) {
            memcpy(factors, from, columns);
        }
        rows[i] = bits(columns < 64u ? factors : from);
    }
    (void)rp_jump_map_set_tile(map, tile_column, tile_row, ~(uint64_t)0, rows);
}

RP_JUMP_TILE_LOOP void rp_jump_ground_read_tiles(rp_jump_map_t *map, const rp_grid_t *grid,
                                                 uint32_t tile_row,
                                                 uint64_t (*bits)(const uint8_t factors[64]))
{
    for (uint32_t tile = 0; tile < rp_jump_map_tile_columns(map); tile++) {
        rp_jump_ground_read_tile(map, grid, tile, tile_row, bits);
    }
}

RP_FOR_AVX2 static inline void
rp_jump_ground_read_tiles_fast(rp_jump_map_t *map, const rp_grid_t *grid, uint32_t tile_row)
{
    rp_jump_ground_read_tiles(map, grid, tile_row, rp_free_bits_avx2);
}

/// Read 64 rows of a grid, which has the map's size.
/// @param tile_row  of tiles of 64 x 64 places, the rim included
static inline void rp_jump_ground_read_tile_row(rp_jump_map_t *map, const rp_grid_t *grid,
                                                uint32_t tile_row)
{
    if (map->simd >= RP_SIMD_AVX2) {
        rp_jump_ground_read_tiles_fast(map, grid, tile_row);
        return;
    }
    rp_jump_ground_read_tiles(map, grid, tile_row, rp_free_bits);
}

#endif
