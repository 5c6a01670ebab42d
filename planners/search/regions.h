/// @file
/// Regions: which free places are connected, so that "no path" needs no search. Without corner
/// cutting diagonals join nothing that straight steps do not.
///
/// A row is a sequence of runs of free places; runs that touch a run of the row above are of its
/// region. Built as a whole, from the bits of a map of jumps.
#ifndef REPLAN_SEARCH_REGIONS_H
#define REPLAN_SEARCH_REGIONS_H

#include "planners/search/jump_map.h"

typedef struct rp_regions {
    uint32_t *before; ///< by word as in the map's rows: runs that begin before this word
    uint32_t *first;  ///< by run: the first run of its region [run_capacity]
    uint32_t *ends;   ///< for two rows at a time: where runs begin and end
    uint32_t word_capacity;
    uint32_t run_capacity;
    uint32_t end_capacity;
} rp_regions_t;

/// @return RP_E_MEMORY (then all is zeroed)
rp_status_t rp_regions_init(rp_regions_t *self, const rp_jump_map_t *map);
void rp_regions_fini(rp_regions_t *self);

/// Find the regions of the free bits as they are now. Time: O(words and runs).
void rp_regions_build(rp_regions_t *self, const rp_jump_map_t *map);

/// The region of a free place of the map that was built from last. Time: O(1).
uint32_t rp_regions_at(const rp_regions_t *self, const rp_jump_map_t *map, uint32_t column,
                       uint32_t row);

#endif
