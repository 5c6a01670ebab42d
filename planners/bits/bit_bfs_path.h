/// @file
/// Paths out of a bit-parallel breadth first search.
#ifndef REPLAN_PLANNERS_BITS_BIT_BFS_PATH_H
#define REPLAN_PLANNERS_BITS_BIT_BFS_PATH_H

#include "planners/bits/bit_bfs_tile.h"

/// After a search that found the goal: the cells of the path, both ends counted.
uint32_t rp_bit_bfs_path_count(const rp_bit_bfs_t *self);

/// Lay that path, start first.
/// @param stride  of the grid: (x, y) is written as (y + 1) * stride + x + 1
/// @param cells   room for all of it; may hold the path that was laid last
/// @param known   cells of that one, when tiles that are still now were so, or were searched, then;
///                else 0
/// @return the number of cells that stand as they were laid last; those behind them are written
uint32_t rp_bit_bfs_path(const rp_bit_bfs_t *self, uint32_t stride, rp_cell_t *cells,
                         uint32_t known);

#endif
