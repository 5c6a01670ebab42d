/// @file
/// Paths out of a search: helpers for writing cells in either order.
#ifndef REPLAN_SEARCH_EXTRACT_H
#define REPLAN_SEARCH_EXTRACT_H

#include "planners/search/nodes.h"
#include "replan/grid.h"

/// Turn a path round in place. Time: O(count).
static inline void rp_reverse(rp_cell_t *cells, uint32_t count)
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

#endif
