/// @file
/// Generates terrain like that of Warcraft: lakes with shores, plateaus behind cliffs, forests,
/// bases with room around them, roads that climb by ramps and cross by bridges. All free cells are
/// connected.
#ifndef REPLAN_SIM_WORLD_WARCRAFT_H
#define REPLAN_SIM_WORLD_WARCRAFT_H

#include "sim/world/terrain.h"

#define RP_WARCRAFT_SIDE_MIN 64u

/// Side of a building in cells: 3 or 4.
#define RP_BUILDING_SIDE_MAX 4u

/// Fill an allocated terrain and name its bases. @return false without memory
bool rp_warcraft_draw(rp_terrain_t *terrain, rp_seeded_t *seeded);

#endif
