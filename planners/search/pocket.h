/// @file
/// Pockets: regions of a few cells. A search from the other end would have to go through all else
/// before it is known that one of the ends lies in a pocket.
#ifndef REPLAN_SEARCH_POCKET_H
#define REPLAN_SEARCH_POCKET_H

#include <assert.h>

#include "planners/search/metric.h"

/// A pocket has so many cells or fewer. They lie within RP_POCKET - 1 moves of each other.
#define RP_POCKET 32u
static_assert(2u * RP_POCKET <= 64u, "all that lies so near fits in a word");

/// True when `from` lies in a pocket without `to`. For grids that do not wrap.
/// Time: O(cells of the pocket).
static inline bool rp_pocket_holds(const rp_grid_t *grid, rp_cell_t from, rp_cell_t to)
{
    static const int32_t ahead[RP_DIRECTIONS] = {1, 65, 64, 63, -1, -65, -64, -63};
    uint64_t met[2u * RP_POCKET] = {0};
    rp_cell_t pocket[RP_POCKET] = {from};
    uint32_t places[RP_POCKET] = {RP_POCKET * 64u + RP_POCKET};
    uint32_t count = 1;
    met[RP_POCKET] = (uint64_t)1 << RP_POCKET;
    for (uint32_t i = 0; i < count; i++) {
        unsigned direction;
        rp_cell_t next;
        if (pocket[i] == to) {
            return false;
        }
        RP_FOR_MOVES (grid, pocket[i], direction, next) {
            const uint32_t place = places[i] + (uint32_t)ahead[direction];
            const uint64_t bit = (uint64_t)1 << (place & 63u);
            if ((met[place >> 6] & bit) != 0) {
                continue;
            }
            if (count == RP_POCKET) {
                return false;
            }
            met[place >> 6] |= bit;
            places[count] = place;
            pocket[count++] = next;
        }
    }
    return true;
}

#endif
