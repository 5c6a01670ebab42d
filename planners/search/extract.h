/// @file
/// Paths out of a search: helpers for writing cells in either order.
#ifndef REPLAN_SEARCH_EXTRACT_H
#define REPLAN_SEARCH_EXTRACT_H

#include "replan/types.h"

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

#endif
