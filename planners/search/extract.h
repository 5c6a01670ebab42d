/// @file
/// Paths out of a search: helpers for writing cells in either order.
#ifndef REPLAN_SEARCH_EXTRACT_H
#define REPLAN_SEARCH_EXTRACT_H

#include <string.h>

#include "planners/planner_ops.h"
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

/// Cells that are compared at once.
#define RP_TAIL_BLOCK 16u

/// How many cells at its end a path has in common with another.
static inline uint32_t rp_common_tail(const rp_cell_t *cells, uint32_t count,
                                      const rp_path_t *other)
{
    const uint32_t most = count < other->count ? count : other->count;
    uint32_t tail = 0;
    while (most - tail >= RP_TAIL_BLOCK &&
           memcmp(cells + count - tail - RP_TAIL_BLOCK,
                  other->cells + other->count - tail - RP_TAIL_BLOCK,
                  RP_TAIL_BLOCK * sizeof *cells) == 0) {
        tail += RP_TAIL_BLOCK;
    }
    while (tail < most && cells[count - 1u - tail] == other->cells[other->count - 1u - tail]) {
        tail++;
    }
    return tail;
}

/// How many of the first cells of a path, of so many at most, another begins with.
static inline uint32_t rp_common_head(const rp_path_t *path, uint32_t most, const rp_path_t *other)
{
    most = most < path->count ? most : path->count;
    most = most < other->count ? most : other->count;
    uint32_t head = 0;
    while (head < most && path->cells[head] == other->cells[head]) {
        head++;
    }
    return head;
}

/// As the slot `path`: what is new of a path, but for what stands of the one that is shown. On
/// weighted ground steps that they have in common at the end may cost something else now.
/// @param head  cells that stand at its beginning
static inline uint32_t rp_write_new(const rp_path_t *path, uint32_t head, const rp_path_t *shown,
                                    const rp_grid_t *grid, rp_cell_t *cells,
                                    rp_path_stands_t *stands)
{
    const rp_cell_t *middle = path->cells + head;
    const uint32_t count = path->count - head;
    uint32_t tail = 0;
    if (!grid->weighted && shown->count > head) {
        const rp_path_t rest = {shown->cells + head, shown->count - head};
        tail = rp_common_tail(middle, count, &rest);
    }
    *stands = (rp_path_stands_t){.head = head, .tail = tail};
    memcpy(cells, middle, (count - tail) * sizeof *cells);
    return count - tail;
}

#endif
