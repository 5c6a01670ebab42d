/// @file
/// Paths out of a search: helpers for writing cells in either order.
#ifndef REPLAN_PLANNERS_OPEN_EXTRACT_H
#define REPLAN_PLANNERS_OPEN_EXTRACT_H

#include <string.h>

#include "planners/grid/events.h"
#include "planners/open/nodes.h"
#include "replan/grid.h"

/// Turn a path round in place. Time: O(count).
static inline void rp_extract_reverse(rp_cell_t *cells, uint32_t count)
{
    for (uint32_t low = 0, high = count; low + 1u < high; low++) {
        high--;
        const rp_cell_t cell = cells[low];
        cells[low] = cells[high];
        cells[high] = cell;
    }
}

/// Follow the marks from a cell that was reached back to the root of its search.
/// @param cells  the cell first, the root last
/// @return their number
static inline uint32_t rp_extract_back(const rp_grid_t *grid, const rp_node_t *nodes,
                                       rp_cell_t cell, rp_cell_t *cells)
{
    uint32_t count = 0;
    for (;;) {
        const uint32_t mark = nodes[cell].mark;
        cells[count++] = cell;
        if ((mark & RP_NODE_ROOT) != 0) {
            return count;
        }
        cell = rp_grid_step(grid, cell, mark & RP_NODE_DIRECTION);
    }
}

/// Cells that are compared at once.
#define RP_EXTRACT_BLOCK 16u

/// Length of the common prefix of two paths, at most `most`.
static inline uint32_t rp_extract_common_head(const rp_cell_t *cells, uint32_t most,
                                              const rp_path_t *other)
{
    most = most < other->count ? most : other->count;
    uint32_t head = 0;
    while (most - head >= RP_EXTRACT_BLOCK &&
           memcmp(cells + head, other->cells + head, RP_EXTRACT_BLOCK * sizeof *cells) == 0) {
        head += RP_EXTRACT_BLOCK;
    }
    while (head < most && cells[head] == other->cells[head]) {
        head++;
    }
    return head;
}

#endif
