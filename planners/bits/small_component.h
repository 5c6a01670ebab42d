/// @file
/// Small components: regions of a few cells. A search from the other end would have to go through
/// all else before it is known that one of the ends lies in a small component.
#ifndef REPLAN_PLANNERS_BITS_SMALL_COMPONENT_H
#define REPLAN_PLANNERS_BITS_SMALL_COMPONENT_H

#include <assert.h>

#include "planners/grid/metric.h"

/// A small component has so many cells or fewer. They lie within RP_SMALL_COMPONENT - 1 moves of
/// each other.
#define RP_SMALL_COMPONENT 32u
static_assert(2u * RP_SMALL_COMPONENT <= 64u, "all that lies so near fits in a word");

/// True when `from` lies in a small component without `to`. For grids that do not wrap.
/// Time: O(cells of the small component).
static inline bool rp_small_component_holds(const rp_grid_t *grid, rp_cell_t from, rp_cell_t to)
{
    static const int32_t ahead[RP_DIRECTIONS] = {1, 65, 64, 63, -1, -65, -64, -63};
    uint64_t met[2u * RP_SMALL_COMPONENT] = {0};
    rp_cell_t pocket[RP_SMALL_COMPONENT] = {from};
    uint32_t places[RP_SMALL_COMPONENT] = {RP_SMALL_COMPONENT * 64u + RP_SMALL_COMPONENT};
    uint32_t count = 1;
    met[RP_SMALL_COMPONENT] = (uint64_t)1 << RP_SMALL_COMPONENT;
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
            if (count == RP_SMALL_COMPONENT) {
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
