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

/// How many cells at its end a path has in common with another.
static inline uint32_t rp_extract_common_tail(const rp_cell_t *cells, uint32_t count,
                                              const rp_path_t *other)
{
    const uint32_t most = count < other->count ? count : other->count;
    uint32_t tail = 0;
    while (most - tail >= RP_EXTRACT_BLOCK &&
           memcmp(cells + count - tail - RP_EXTRACT_BLOCK,
                  other->cells + other->count - tail - RP_EXTRACT_BLOCK,
                  RP_EXTRACT_BLOCK * sizeof *cells) == 0) {
        tail += RP_EXTRACT_BLOCK;
    }
    while (tail < most && cells[count - 1u - tail] == other->cells[other->count - 1u - tail]) {
        tail++;
    }
    return tail;
}

/// How many of the first cells of a path, of so many at most, another begins with.
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

/// Leave out what a path that was written has in common with the one that is shown, at its end.
/// Weighted ground leaves all: steps that they have in common may cost something else now.
/// @param count   cells that were written
/// @param stands  what the writer left out already, at the beginning; written
/// @return the cells that are left
static inline uint32_t rp_extract_leave_tail(const rp_cell_t *cells, uint32_t count,
                                             const rp_path_t *shown, const rp_grid_t *grid,
                                             rp_path_stands_t *stands)
{
    if (!grid->weighted && shown->count > stands->head) {
        const rp_path_t rest = {shown->cells + stands->head, shown->count - stands->head};
        stands->tail = rp_extract_common_tail(cells, count, &rest);
    }
    return count - stands->tail;
}

#endif
