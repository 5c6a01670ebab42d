/// @file
/// Moves made a row of lanes at a time, from nothing but factors, away from seams. Changes that lie
/// together are a patch, and the moves round them are made once.
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

/// Legal moves of the cells of a row: a diagonal needs the straight steps on both sides of it.
static inline rp_patch_moves_t rp_patch_moves_of(const rp_patch_moves_blocked_t *up,
                                                 const rp_patch_moves_blocked_t *row,
                                                 const rp_patch_moves_blocked_t *down,
                                                 bool has_diagonals)
{
    const rp_patch_moves_t straight =
        row->here | (row->east & 1) | (down->here & 4) | (row->west & 16) | (up->here & 64);
    if (!has_diagonals) {
        return ~straight & 0x55;
    }
    return ~(straight | ((down->east | down->here | row->east) & 2) |
             ((down->west | down->here | row->west) & 8) |
             ((up->west | up->here | row->west) & 32) | ((up->east | up->here | row->east) & 128));
}

/// Rewrite the moves of the cells of a patch and of their neighbours.
static inline void rp_patch_moves_refresh_rows(rp_grid_t *self, const rp_extent_t *patch,
                                               bool has_diagonals)
{
    const uint32_t stride = self->stride;
    const uint8_t *factor = self->factor + (size_t)(patch->top - 1u) * stride + patch->left - 1u;
    uint8_t *moves = self->moves + (factor - self->factor);
    rp_patch_moves_blocked_t up = rp_patch_moves_blocked_row(factor - stride);
    rp_patch_moves_blocked_t row = rp_patch_moves_blocked_row(factor);
    for (uint32_t left = patch->bottom - patch->top + 3u; left != 0; left--) {
        factor += stride;
        const rp_patch_moves_blocked_t down = rp_patch_moves_blocked_row(factor);
        const rp_patch_moves_t lanes = rp_patch_moves_of(&up, &row, &down, has_diagonals);
        memcpy(moves, &lanes, sizeof lanes);
        moves += stride;
        up = row;
        row = down;
    }
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
