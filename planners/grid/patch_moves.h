/// @file
/// Moves made a row of lanes at a time, from nothing but factors, away from rim and seam. Changes
/// that lie together are a patch, and the moves round them are made once.
#ifndef REPLAN_PLANNERS_GRID_PATCH_MOVES_H
#define REPLAN_PLANNERS_GRID_PATCH_MOVES_H

#include <string.h>

#include "planners/grid/batch_summary.h"

#define RP_PATCH_MOVES 16u

typedef uint8_t rp_patch_moves_t __attribute__((vector_size(RP_PATCH_MOVES)));

/// Most columns and rows of a patch: with a neighbour on both sides a row of it is one of lanes.
#define RP_PATCH_MOVES_COLUMNS (RP_PATCH_MOVES - 2u)
#define RP_PATCH_MOVES_ROWS    4u

/// All bits in each lane whose factor blocks, of a row of cells and of those beside each.
typedef struct rp_patch_moves_blocked {
    rp_patch_moves_t west;
    rp_patch_moves_t here;
    rp_patch_moves_t east;
} rp_patch_moves_blocked_t;

static inline rp_patch_moves_t rp_patch_moves_blocked_lanes(const uint8_t *factors)
{
    rp_patch_moves_t lanes;
    memcpy(&lanes, factors, sizeof lanes);
    return (rp_patch_moves_t)(lanes == 0);
}

static inline rp_patch_moves_blocked_t rp_patch_moves_blocked_row(const uint8_t *here)
{
    return (rp_patch_moves_blocked_t){rp_patch_moves_blocked_lanes(here - 1),
                                      rp_patch_moves_blocked_lanes(here),
                                      rp_patch_moves_blocked_lanes(here + 1)};
}

/// Moves to the row below, to the row above, and diagonal ones.
#define RP_PATCH_MOVES_BELOW    0x0eu
#define RP_PATCH_MOVES_ABOVE    0xe0u
#define RP_PATCH_MOVES_DIAGONAL 0xaau

/// Moves to the row below that it bars.
static inline rp_patch_moves_t rp_patch_moves_barred_below(const rp_patch_moves_blocked_t *row,
                                                           const rp_patch_moves_blocked_t *below,
                                                           bool has_diagonals)
{
    const rp_patch_moves_t straight = below->here & 4;
    return !has_diagonals ? straight
                          : straight | ((below->east | below->here | row->east) & 2) |
                                ((below->west | below->here | row->west) & 8);
}

/// Moves to the row above that it bars.
static inline rp_patch_moves_t rp_patch_moves_barred_above(const rp_patch_moves_blocked_t *row,
                                                           const rp_patch_moves_blocked_t *above,
                                                           bool has_diagonals)
{
    const rp_patch_moves_t straight = above->here & 64;
    return !has_diagonals ? straight
                          : straight | ((above->west | above->here | row->west) & 32) |
                                ((above->east | above->here | row->east) & 128);
}

/// Write moves of the kinds of the mask, and leave the others.
static inline void rp_patch_moves_write_moves(uint8_t *moves, rp_patch_moves_t barred, uint8_t mask,
                                              bool has_diagonals)
{
    const uint8_t legal = has_diagonals ? mask : (uint8_t)(mask & ~RP_PATCH_MOVES_DIAGONAL);
    rp_patch_moves_t lanes;
    memcpy(&lanes, moves, sizeof lanes);
    lanes = (lanes & (uint8_t)~mask) | (~barred & legal);
    memcpy(moves, &lanes, sizeof lanes);
}

/// Rewrite the moves of the cells of a patch and of their neighbours. The rows above and below it
/// did not change: only their moves into the patch do.
static inline void rp_patch_moves_refresh_rows(rp_grid_t *self, const rp_extent_t *patch,
                                               bool has_diagonals)
{
    const uint32_t stride = self->stride;
    const uint8_t *factor = self->factor + (size_t)patch->top * stride + patch->left - 1u;
    uint8_t *moves = self->moves + (factor - self->factor);
    rp_patch_moves_blocked_t up = rp_patch_moves_blocked_row(factor - stride);
    rp_patch_moves_blocked_t row = rp_patch_moves_blocked_row(factor);
    rp_patch_moves_write_moves(moves - stride,
                               up.here | rp_patch_moves_barred_below(&up, &row, has_diagonals),
                               RP_PATCH_MOVES_BELOW, has_diagonals);
    for (uint32_t left = patch->bottom - patch->top + 1u; left != 0; left--) {
        factor += stride;
        const rp_patch_moves_blocked_t down = rp_patch_moves_blocked_row(factor);
        rp_patch_moves_write_moves(moves,
                                   row.here | (row.east & 1) | (row.west & 16) |
                                       rp_patch_moves_barred_below(&row, &down, has_diagonals) |
                                       rp_patch_moves_barred_above(&row, &up, has_diagonals),
                                   UINT8_MAX, has_diagonals);
        moves += stride;
        up = row;
        row = down;
    }
    rp_patch_moves_write_moves(moves,
                               row.here | rp_patch_moves_barred_above(&row, &up, has_diagonals),
                               RP_PATCH_MOVES_ABOVE, has_diagonals);
}

static inline void rp_patch_moves_refresh(rp_grid_t *self, const rp_extent_t *patch)
{
    if (self->shape.neighbors == 8) {
        rp_patch_moves_refresh_rows(self, patch, true);
    } else {
        rp_patch_moves_refresh_rows(self, patch, false);
    }
}

/// True when lanes round the patch stay inside the arrays, and no step leads over a seam.
static inline bool rp_patch_moves_suits(const rp_grid_t *self, const rp_extent_builder_t *patch)
{
    const uint32_t most = 3u * self->stride + RP_PATCH_MOVES;
    return !self->shape.wraps && patch->low >= most && self->cell_count >= most &&
           patch->high <= self->cell_count - most;
}

/// True when all of these lie together.
static inline bool rp_patch_moves_holds(const rp_grid_t *self, const rp_extent_builder_t *extent)
{
    // Half a column more: in later rows parts of a row are a little greater.
    const uint64_t widest = (RP_PATCH_MOVES_COLUMNS - 1u) * self->row_magic + self->row_magic / 2u;
    return extent->right - extent->left <= widest &&
           extent->high - extent->low < RP_PATCH_MOVES_ROWS * self->stride;
}

#endif
