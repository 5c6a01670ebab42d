/// @file
/// Regions: which free places are connected, so that "no path" needs no search: 0.9 us on
/// TheFrozenSea, as long as nothing changes, in place of 770. Without corner cutting diagonals join
/// nothing that straight steps do not.
///
/// A row is a sequence of runs of free places; runs that touch a run of the row above are of its
/// region. Found row by row, from the bits of a map of jumps; a change of the map voids all.
#ifndef REPLAN_PLANNERS_JUMP_REGIONS_H
#define REPLAN_PLANNERS_JUMP_REGIONS_H

#include "planners/jump/jump_map.h"

/// One row's runs: the first is number `number`, run i covers the positions begin[i] .. end[i] - 1.
typedef struct rp_region_row {
    uint32_t *begin;
    uint32_t *end;
    uint32_t count;
    uint32_t number;
} rp_region_row_t;

typedef struct rp_regions {
    uint32_t *before;      ///< by word as in the map's rows: runs that begin before this word
    uint32_t *first;       ///< by run: the first run of its region [run_capacity]
    uint32_t *ends;        ///< for two rows at a time: where runs begin and end
    rp_region_row_t above; ///< the last row done
    uint32_t row;          ///< the next one
    uint32_t run_count;
    uint32_t word_capacity;
    uint32_t run_capacity;
    uint32_t end_capacity;
    bool is_found; ///< of all rows
} rp_regions_t;

void rp_regions_init(rp_regions_t *self, const rp_jump_map_t *map, rp_arena_t *arena);

/// The map changed, or will be found anew: nothing is known. Time: O(1).
void rp_regions_drop(rp_regions_t *self);

/// Go on finding the regions of the free bits as they are now, which stay so until they are found
/// or dropped. Time: O(words and runs) of so many rows, and after the last one O(runs).
/// @return true when they are found
bool rp_regions_find(rp_regions_t *self, const rp_jump_map_t *map, uint32_t rows);

/// Bytes that a map takes when they are found.
uint64_t rp_regions_bytes(const rp_regions_t *self);

/// The region of a free place of the map that they were found in. Time: O(1).
uint32_t rp_regions_at(const rp_regions_t *self, const rp_jump_map_t *map, uint32_t column,
                       uint32_t row);

#endif
