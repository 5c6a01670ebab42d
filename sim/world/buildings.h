/// @file
/// Buildings of 3x3 or 4x4 cells on free ground. A destroyed building leaves rubble, or the road
/// that was below it.
#ifndef REPLAN_SIM_WORLD_BUILDINGS_H
#define REPLAN_SIM_WORLD_BUILDINGS_H

#include "sim/world/terrain.h"

typedef struct rp_building {
    uint32_t corner; ///< the cell with the least x and y
    uint32_t side;   ///< cells
    uint16_t roads;  ///< bit y * side + x: a road lies below that cell
} rp_building_t;

/// Where one may build.
typedef struct rp_building_rules {
    uint32_t gap;         ///< cells to the next building; 0: wall to wall
    bool on_roads;        ///< roads may be built over; never ramps and bridges
    const uint32_t *kept; ///< cells that nobody builds on or beside; borrowed [kept_count]
    size_t kept_count;
} rp_building_rules_t;

typedef struct rp_buildings {
    rp_building_t *items; ///< those that stand, in no order; owned
    size_t count;
    size_t capacity;
} rp_buildings_t;

void rp_buildings_fini(rp_buildings_t *self);

/// True when the rules allow a building there, and all of its footprint is free ground.
bool rp_buildings_has_room(const rp_terrain_t *terrain, rp_building_t building,
                           const rp_building_rules_t *rules);

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
