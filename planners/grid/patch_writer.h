/// @file
/// A patch: a few changes close together on plain ground, such as an obstacle that comes or
/// goes. It is what most worlds see most of, and most of its time is spent waiting for the lines of
/// the grid that it lies on. So the grid keeps a bit for each cell that is free: all of these fit
/// in a near cache, they tell what stood there and what moves are legal now, and the lines of
/// factors and moves are written only, which nobody waits for.
///
///     - - - - - - - -      a window on the bits, 8 rows of them:
///     - m m m m m - -        # the patch
///     - m # # # m - -        m moves change
///     - m # # # m - -        - is read
///     - m m m m m - -
///     - - - - - - - -
///
/// Plain ground is that of a grid which is no torus and where each factor is 0 or 1. Patches are
/// written by wide instructions (AVX2). Where there are none, a grid keeps no bits.
#ifndef REPLAN_PLANNERS_GRID_PATCH_WRITER_H
#define REPLAN_PLANNERS_GRID_PATCH_WRITER_H

#include "replan/grid.h"

/// Most columns and most rows of a patch, and most changes.
#define RP_PATCH_WRITER_SIDE  4u
#define RP_PATCH_WRITER_CELLS (RP_PATCH_WRITER_SIDE * RP_PATCH_WRITER_SIDE)

/// Bits are read in words of so many bytes.
#define RP_PATCH_WRITER_WORD 4u

/// Make the bits of a grid on which every cell is blocked, if patches can be written there.
/// @return RP_E_MEMORY
rp_status_t rp_patch_writer_init(rp_grid_t *grid);
void rp_patch_writer_fini(rp_grid_t *grid);

/// Touch again what changes are written to (rp_memory_warm()).
void rp_patch_writer_warm(const rp_grid_t *grid);

/// Make the bits of some places resident now: rp_grid_prefault_rows().
void rp_patch_writer_prefault(rp_grid_t *grid, rp_cell_t first, rp_cell_t end);

/// Write factors, moves and bits, what stood there before, and the count of free cells.
/// @param changes  in any order, at least one
/// @param summary     written
/// @return false when these are no patch: nothing was written then but `before` of the changes
bool rp_patch_writer_write(rp_grid_t *grid, rp_change_t *changes, size_t count,
                           rp_batch_summary_t *summary);

/// Changes were written otherwise, the factors of all of them.
/// @param site  where they lie
void rp_patch_writer_note(rp_grid_t *grid, const rp_extent_t *extent, const rp_change_t *changes,
                          size_t count);

/// Factors were written otherwise: take the bits of some rows of places from them at once.
void rp_patch_writer_read_rows(rp_grid_t *grid, uint32_t row, uint32_t count);

/// Factors were written otherwise: take the bits of these rows from them when they are needed.
void rp_patch_writer_forget_rows(rp_grid_t *grid, uint32_t row, uint32_t count);

#endif
