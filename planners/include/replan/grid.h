/// @file
/// A grid: what planners search. It holds the cost factor of each cell, and which moves from it are
/// legal now.
///
/// Layout: rows of `stride` places, with a rim of blocked places all round, so that no step from a
/// real cell leaves the arrays. Cell (x, y) is place (y + 1) * stride + x + 1.
///
///       0 . . . . . . width+1 .. stride
///       +-----------------------+
///       | rim                   |
///       | rim (0,0) (1,0) .. rim|
///
/// A planner only reads its grid. The owner of the grid writes it by rp_grid_set() or
/// rp_grid_write(), and then tells each planner that is bound to it what changed, by
/// rp_planner_apply().
///
/// What makes a grid refuses NULL (RP_E_INVALID). The other calls are made for each cell of a
/// search and check nothing: their pointers are not NULL, and their cells lie inside.
#ifndef REPLAN_GRID_H
#define REPLAN_GRID_H

#include "replan/deferred_free.h"
#include "replan/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Greatest width and height, and the greatest number of cells with the rim (32-bit places).
#define RP_GRID_SIDE_MAX  16384u
#define RP_GRID_CELLS_MAX (1u << 28)

/// Holds the product of two 64-bit numbers.
__extension__ typedef unsigned __int128 rp_wide_t;

/// What a grid is, fixed for its life.
typedef struct rp_grid_shape {
    uint32_t width;    ///< cells, 1..RP_GRID_SIDE_MAX; a wrapped world needs at least 3
    uint32_t height;   ///< cells, as width
    uint8_t neighbors; ///< 4, or 8 without corner cutting (a diagonal needs both cells beside it)
    bool wraps;        ///< a torus: the last column touches the first, the last row the first
    uint8_t unit;      ///< factor of normal ground, 1..255
    uint8_t least; ///< least non-zero factor that any cell may ever have, 1..unit: the heuristic
} rp_grid_shape_t;

/// A bounding box of cells, in columns and rows of places, all inclusive. Column 0 and row 0 are
/// the rim.
typedef struct rp_extent {
    uint32_t left;
    uint32_t right;
    uint32_t top;
    uint32_t bottom;
} rp_extent_t;

/// A summary of a batch of changes.
typedef struct rp_batch_summary {
    rp_extent_t extent; ///< holds all of its cells; where much of the grid changed, in whole rows
    bool has_cheaper;   ///< some cell was freed, or got a smaller factor
    bool has_same;      ///< some cell got the factor that it had
} rp_batch_summary_t;

/// Hot members first: a search reads these for each cell that it expands. Read all of it; write it
/// by the functions below only, but for `deferred_free`.
typedef struct rp_grid {
    uint8_t *moves;    ///< bit d set: the step in direction d is legal [cell_count]
    uint8_t *factor;   ///< 0 blocks, else the cost factor [cell_count]
    uint8_t *seam;     ///< a torus: one bit a place, set where a rim place stands for a cell of the
                       ///< far side [cell_count / 8 + 1]; else NULL
    int32_t offset[8]; ///< from a place to its neighbour in direction d
    uint64_t row_magic; ///< 2^64 / stride, rounded up: division by one multiplication
    uint32_t stride;
    uint32_t cell_count; ///< places with the rim: the length of every array by cell
    bool weighted;    ///< some cell had a factor other than the unit: costs are weighted for good
    uint8_t greatest; ///< no factor so far was greater; a power of two less one, or 255
    rp_grid_shape_t shape;
    uint32_t free_count; ///< cells that do not block now
    uint32_t scale;   ///< is raised when `weighted` or `greatest` changes: old costs are void then
    uint64_t written; ///< at least as many as cells changed so far: a planner that heard of so many
                      ///< has heard of all
    uint64_t last_end;               ///< `written` after the last call of rp_grid_write()
    size_t last_count;               ///< changes of that call
    const rp_change_t *last_changes; ///< the array of that call: compared, never read; NULL when it
                                     ///< is gone
    rp_batch_summary_t last;         ///< summary of that call
    rp_deferred_free_t
        *deferred_free; ///< takes the memory of this grid and of planners bound to it when they are
                        ///< destroyed; borrowed, set by the owner; NULL: it is unmapped at once
} rp_grid_t;

/// A grid on which every cell is free normal ground (the unit).
/// @return RP_E_INVALID when the shape is outside its limits, RP_E_MEMORY
rp_status_t rp_grid_new(const rp_grid_shape_t *shape, rp_grid_t **grid);

/// Accepts NULL.
void rp_grid_destroy(rp_grid_t **self);

/// Write one cell. Time: O(1), nine move masks at most.
/// @param factor  0 blocks; else at least shape.least
/// @return the factor that stood there before
uint8_t rp_grid_set(rp_grid_t *self, rp_cell_t cell, uint8_t factor);

/// Write many cells: rp_grid_set() for one after the other, but faster where they lie together and
/// come row by row. Time: O(count).
/// @param changes  `cell` and `after` are read, `before` is written [count]. Leave the array as it
///                 is until planners were told: rp_planner_apply() recognises it by its address and
///                 uses the summary that was made here
void rp_grid_write(rp_grid_t *self, rp_change_t *changes, size_t count);

/// Write a whole grid at once: faster than cell by cell when most of it changes. Time: O(cells).
/// @param factors  row by row, borrowed [width * height]
void rp_grid_fill(rp_grid_t *self, const uint8_t *factors);

/// Write a box of cells at once; the box must lie inside. Time: O(cells of the box); on a torus
/// O(cells of its rows).
/// @param factors  row by row, borrowed [width * height]
void rp_grid_fill_box(rp_grid_t *self, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                      const uint8_t *factors);

/// A grid on which every cell is blocked, to be filled box by box or copied into.
/// @return RP_E_INVALID (shape), RP_E_MEMORY. Time: O(1), as the system hands out zeroed pages
rp_status_t rp_grid_new_blank(const rp_grid_shape_t *shape, rp_grid_t **grid);

/// Make the memory of rows of a blank grid resident, which are about to be written: that takes a
/// tenth of what it takes to come to it page by page. Optional.
void rp_grid_prefault_rows(rp_grid_t *self, uint32_t y, uint32_t count);

/// rp_grid_new_blank() for a short-lived copy that is made in slices. It lies in small pages:
/// searches in these take somewhat longer, but no single page fault takes milliseconds.
rp_status_t rp_grid_new_brief(const rp_grid_shape_t *shape, rp_grid_t **grid);

// ---- copies: a snapshot that can be searched while the original changes. It is made in slices:
// copy some rows at a time, and each cell that is written meanwhile to a row copied before. Both
// grids have the same shape. Do not search the copy before all rows are there.

/// Copy rows of cells as they are now. Time: O(cells of the rows).
/// @param y, count  rows of the shape, all inside
void rp_grid_copy_rows(rp_grid_t *self, const rp_grid_t *from, uint32_t y, uint32_t count);

/// Copy a cell that was written, and the moves of the cells around it. Time: O(1).
void rp_grid_copy_cell(rp_grid_t *self, const rp_grid_t *from, rp_cell_t cell);

/// True when (x, y) is inside.
static inline bool rp_grid_contains(const rp_grid_t *self, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x < (int64_t)self->shape.width && y < (int64_t)self->shape.height;
}

/// The cell at (x, y), which must be inside.
static inline rp_cell_t rp_grid_cell(const rp_grid_t *self, uint32_t x, uint32_t y)
{
    return (y + 1u) * self->stride + x + 1u;
}

/// Row of a place, counted with the rim: y + 1.
static inline uint32_t rp_grid_row(const rp_grid_t *self, rp_cell_t cell)
{
    return (uint32_t)(((rp_wide_t)cell * self->row_magic) >> 64);
}

/// y of a cell.
static inline uint32_t rp_grid_y(const rp_grid_t *self, rp_cell_t cell)
{
    return rp_grid_row(self, cell) - 1u;
}

/// x of a cell.
static inline uint32_t rp_grid_x(const rp_grid_t *self, rp_cell_t cell)
{
    return cell - rp_grid_row(self, cell) * self->stride - 1u;
}

/// Less than 0 when `cell` is not a real cell of this grid (the rim, or outside), else at least 0.
/// It is asked of every change, so it has no branch and one multiplication, whose low half is the
/// column as a fraction of 2^64. Of many cells at a time, OR the results and look at the sign.
static inline int64_t rp_grid_is_outside(const rp_grid_t *self, rp_cell_t cell)
{
    const int64_t first = (int64_t)self->stride;
    const int64_t last = first + (int64_t)self->shape.height * first - 1;
    const uint64_t right = self->shape.width * self->row_magic - 1u;
    const uint64_t column = cell * self->row_magic - self->row_magic; // of the rim: beyond all
    return (cell - first) | (last - cell) | (int64_t)((right >> 1) - (column >> 1));
}

/// True when `cell` is a real cell of this grid.
static inline bool rp_grid_holds(const rp_grid_t *self, rp_cell_t cell)
{
    return rp_grid_is_outside(self, cell) >= 0;
}

/// The real cell behind a rim place of a wrapped grid.
rp_cell_t rp_grid_unwrap(const rp_grid_t *self, rp_cell_t place);

/// The cell one step away. On a grid that does not wrap it may be a place of the rim, which blocks.
static inline rp_cell_t rp_grid_step(const rp_grid_t *self, rp_cell_t cell, unsigned direction)
{
    rp_cell_t next = cell + (rp_cell_t)self->offset[direction];
    if (self->seam != NULL && ((self->seam[next >> 3] >> (next & 7u)) & 1u) != 0) {
        next = rp_grid_unwrap(self, next);
    }
    return next;
}

/// The opposite direction.
static inline unsigned rp_direction_back(unsigned direction)
{
    return direction ^ 4u;
}

/// True when a step in `direction` is diagonal.
static inline bool rp_direction_is_diagonal(unsigned direction)
{
    return (direction & 1u) != 0;
}

/// For each legal move of `cell`: `direction` (unsigned) and `next` (rp_cell_t), both declared
/// before the loop. Lowest direction first.
#define RP_FOR_MOVES(grid, cell, direction, next)                                                  \
    for (unsigned moves_left_ = (grid)->moves[cell];                                               \
         moves_left_ != 0 && ((direction) = (unsigned)__builtin_ctz(moves_left_),                  \
                             (next) = rp_grid_step((grid), (cell), (direction)), true);            \
         moves_left_ &= moves_left_ - 1u)

#ifdef __cplusplus
}
#endif

#endif
