/// @file
/// Regions: which free places are connected, so that "no path" needs no search: 0.9 us on
/// TheFrozenSea, as long as nothing changes, in place of 770. Without corner cutting diagonals join
/// nothing that straight steps do not.
///
/// A row is a sequence of runs of free places; runs that touch a run of the row above are of its
/// region. Found from the bits of a map of jumps, in bands of rows:
///
///     band 0   rows 1 .. 32    runs joined within the band    where a row changes, its band
///     band 1   rows 33 .. 64   the same                       is read anew
///     ...
///     then the regions of all bands are joined where the last row of one meets the first of the
///     next
#ifndef REPLAN_PLANNERS_JUMP_REGIONS_H
#define REPLAN_PLANNERS_JUMP_REGIONS_H

#include "planners/jump/jump_map.h"

/// Rows of a band.
#define RP_REGION_BAND 32u

/// One row's runs: the first is number `number`, run i covers the positions begin[i] .. end[i] - 1.
typedef struct rp_region_row {
    uint32_t *begin;
    uint32_t *end;
    uint32_t count;
    uint32_t number;
} rp_region_row_t;

typedef struct rp_region_band {
    uint32_t run_count;
    bool is_stale; ///< a row of it changed since it was read
} rp_region_band_t;

typedef struct rp_regions {
    uint32_t *before; ///< by word as in the map's rows: the run that begins first in this word, or
                      ///< behind it in this row
    uint32_t *first;  ///< by run: the first run of its region within the band [run_capacity]
    uint32_t *joined; ///< by such a first run: one with a smaller number in the same region, itself
                      ///< if there is none [run_capacity]
    uint32_t *ends;   ///< for two rows at a time: where runs begin and end
    rp_region_band_t *bands; ///< [band_count]
    rp_region_row_t above;   ///< the last row read
    uint32_t row;            ///< the next one of the band that is being read; 0: none is
    uint32_t read;           ///< bands that were read, or are not stale
    uint32_t parted;         ///< bands whose regions are joined to no other band's yet
    uint32_t meeting;        ///< bands that were joined to the next one
    uint32_t band_count;
    uint32_t runs_of_band; ///< numbers of runs that a band has for itself
    uint32_t run_count;    ///< of all bands, and of one that is being read so far
    uint32_t word_capacity;
    uint32_t run_capacity;
    uint32_t end_capacity;
    bool is_found; ///< of all rows
} rp_regions_t;

void rp_regions_init(rp_regions_t *self, const rp_jump_map_t *map, rp_arena_t *arena);

/// The map will be found anew: nothing is known. Time: O(bands).
void rp_regions_drop(rp_regions_t *self);

/// Some places of a row changed. Time: O(1).
void rp_regions_note(rp_regions_t *self, uint32_t row);

/// Go on finding the regions of the free bits as they are now; rows that change before they are
/// found are noted. Time: O(words and runs) of so many rows, a border between bands counting as
/// one.
/// @return true when they are found
bool rp_regions_find(rp_regions_t *self, const rp_jump_map_t *map, uint32_t rows);

/// The region of a free place of the map that they were found in. Time: O(1), and as many steps as
/// its regions were joined in.
uint32_t rp_regions_at(const rp_regions_t *self, const rp_jump_map_t *map, uint32_t column,
                       uint32_t row);

#endif
