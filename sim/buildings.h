/// @file
/// Buildings of 3x3 or 4x4 cells that stand on free ground. What lay below comes back as rubble.
#ifndef REPLAN_SIM_BUILDINGS_H
#define REPLAN_SIM_BUILDINGS_H

#include "sim/terrain.h"

typedef struct rp_building {
    uint32_t corner; ///< the cell with the least x and y
    uint32_t side;   ///< cells
} rp_building_t;

typedef struct rp_buildings {
    rp_building_t *items; ///< those that stand, in no order; owned
    size_t count;
    size_t capacity;
} rp_buildings_t;

void rp_buildings_fini(rp_buildings_t *self);

/// True when all of the footprint is free ground but roads, ramps and bridges, no kept cell lies on
/// it or beside it, and nothing within `gap` cells is built.
/// @param kept  cells that must stay as they are [kept_count]
bool rp_buildings_has_room(const rp_terrain_t *terrain, rp_building_t building, uint32_t gap,
                           const uint32_t *kept, size_t kept_count);

/// Build where there is room. @return false without memory
bool rp_buildings_raise(rp_buildings_t *self, rp_terrain_t *terrain, rp_building_t building,
                        rp_edits_t *edits);

/// Tear down the building at this index; the last one takes its index.
/// @return false without memory
bool rp_buildings_raze(rp_buildings_t *self, rp_terrain_t *terrain, size_t index,
                       rp_edits_t *edits);

/// The middle of a building.
uint32_t rp_building_middle(const rp_terrain_t *terrain, rp_building_t building);

#endif
