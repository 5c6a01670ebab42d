/// @file
/// The bounding box of a batch of changes. These are few and close together as a rule, so that one
/// look at the box tells as much as a look at each.
#ifndef REPLAN_PLANNERS_GRID_BATCH_SUMMARY_H
#define REPLAN_PLANNERS_GRID_BATCH_SUMMARY_H

#include "replan/grid.h"

/// A bounding box while places are added to it: without a branch, and by one multiplication each.
typedef struct rp_extent_builder {
    rp_cell_t low; ///< least and greatest place
    rp_cell_t high;
    uint64_t left; ///< least and greatest column, as parts of 2^64 of a row
    uint64_t right;
} rp_extent_builder_t;

static inline rp_extent_builder_t rp_extent_builder_at(const rp_grid_t *grid, rp_cell_t cell)
{
    const uint64_t column = cell * grid->row_magic;
    return (rp_extent_builder_t){cell, cell, column, column};
}

/// The extent of both together.
static inline rp_extent_builder_t rp_extent_builder_with(rp_extent_builder_t a,
                                                         rp_extent_builder_t b)
{
    return (rp_extent_builder_t){
        .low = a.low < b.low ? a.low : b.low,
        .high = a.high > b.high ? a.high : b.high,
        .left = a.left < b.left ? a.left : b.left,
        .right = a.right > b.right ? a.right : b.right,
    };
}

/// @param count  at least 1
static inline rp_extent_builder_t rp_extent_of(const rp_grid_t *grid, const rp_change_t *changes,
                                               size_t count)
{
    rp_extent_builder_t extent = rp_extent_builder_at(grid, changes[0].cell);
    for (size_t i = 1; i < count; i++) {
        extent = rp_extent_builder_with(extent, rp_extent_builder_at(grid, changes[i].cell));
    }
    return extent;
}

static inline uint32_t rp_extent_builder_column(const rp_grid_t *grid, uint64_t column)
{
    return (uint32_t)(((rp_wide_t)column * grid->stride) >> 64);
}

static inline rp_extent_t rp_extent_builder_extent(const rp_grid_t *grid,
                                                   rp_extent_builder_t extent)
{
    return (rp_extent_t){
        .left = rp_extent_builder_column(grid, extent.left),
        .right = rp_extent_builder_column(grid, extent.right),
        .top = rp_grid_row(grid, extent.low),
        .bottom = rp_grid_row(grid, extent.high),
    };
}

/// True when a cell became cheaper. A blocked cell is the dearest of all.
static inline bool rp_change_is_cheaper(const rp_change_t *change)
{
    return (uint8_t)(change->after - 1u) < (uint8_t)(change->before - 1u);
}

static inline bool rp_change_is_dearer(const rp_change_t *change)
{
    return change->after == 0 || (change->before != 0 && change->after > change->before);
}

/// @param count  at least 1
static inline rp_batch_summary_t rp_batch_summary_of(const rp_grid_t *grid,
                                                     const rp_change_t *changes, size_t count)
{
    rp_batch_summary_t summary = {
        .extent = rp_extent_builder_extent(grid, rp_extent_of(grid, changes, count)),
    };
    for (size_t i = 0; i < count; i++) {
        summary.has_cheaper |= rp_change_is_cheaper(&changes[i]);
        summary.has_same |= changes[i].after == changes[i].before;
    }
    return summary;
}

/// True when all places in it are real cells.
static inline bool rp_extent_is_inside(const rp_extent_t *self, const rp_grid_t *grid)
{
    return self->left >= 1u && self->right <= grid->shape.width && self->top >= 1u &&
           self->bottom <= grid->shape.height;
}

/// True when all of these are cells of the grid.
static inline bool rp_changes_are_inside(const rp_grid_t *grid, const rp_change_t *changes,
                                         size_t count)
{
    int64_t outside = 0;
    for (size_t i = 0; i < count; i++) {
        outside |= rp_grid_is_outside(grid, changes[i].cell);
    }
    return outside >= 0;
}

/// True when these are all that the last rp_grid_write() wrote, in its own array: the grid knows
/// their summary, and that all are cells of it.
static inline bool rp_grid_has_just_written(const rp_grid_t *grid, const rp_change_t *changes,
                                            size_t count)
{
    return grid->last_changes == changes && grid->last_count == count &&
           grid->last_end == grid->written;
}

/// The extent of a batch. Time: O(1) for all of the last rp_grid_write() in its own array, else
/// O(count). @param count  at least 1
static inline rp_extent_t rp_batch_extent(const rp_grid_t *grid, const rp_change_t *changes,
                                          size_t count)
{
    return rp_grid_has_just_written(grid, changes, count)
               ? grid->last.extent
               : rp_extent_builder_extent(grid, rp_extent_of(grid, changes, count));
}

/// The summary of a batch that a planner is told. Of the changes of the last rp_grid_write() the
/// grid has it already, and if they come in the very array of that call, they are not read at all.
/// @param count   at least 1
/// @param is_all  the planner has heard of all writes but these
/// @param room    written if the summary has to be computed
/// @return borrowed from the grid, or `room`; NULL when a cell is not inside the grid
static inline const rp_batch_summary_t *rp_batch_summary_take(const rp_grid_t *grid,
                                                              const rp_change_t *changes,
                                                              size_t count, bool is_all,
                                                              rp_batch_summary_t *room)
{
    if (is_all && grid->last_end == grid->written && grid->last_count == count) {
        return grid->last_changes == changes || rp_changes_are_inside(grid, changes, count)
                   ? &grid->last
                   : NULL;
    }
    *room = rp_batch_summary_of(grid, changes, count);
    return rp_extent_is_inside(&room->extent, grid) ? room : NULL;
}

/// A site of so many columns and rows at most is small.
#define RP_EXTENT_COLUMNS 16u
#define RP_EXTENT_ROWS    8u

static inline bool rp_extent_is_small(const rp_extent_t *self)
{
    return self->right - self->left < RP_EXTENT_COLUMNS &&
           self->bottom - self->top < RP_EXTENT_ROWS;
}

#endif
