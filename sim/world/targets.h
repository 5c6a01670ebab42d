/// @file
/// Moving targets after "Simple Optimization Techniques for A*-Based Search", section 5: a target
/// walks at random and does not turn back unless it must. At each tenth step it rests, and k
/// blocked cells are freed and k free ones blocked, so that every agent can still reach its target.
#ifndef REPLAN_SIM_WORLD_TARGETS_H
#define REPLAN_SIM_WORLD_TARGETS_H

#include "sim/world/flood.h"
#include "sim/world/terrain.h"

#define RP_TARGET_REST 10u ///< it rests at each such step

typedef struct rp_target {
    uint32_t cell;
    uint32_t previous; ///< where it came from; RP_NOWHERE at first
} rp_target_t;

/// One step by chance along a legal straight move; it stays when there is none.
void rp_target_step(rp_target_t *self, const rp_grid_view_t *grid, rp_seeded_t *seeded);

/// An agent and where it wants to go: they must stay connected.
typedef struct rp_chase {
    uint32_t agent;
    uint32_t target;
} rp_chase_t;

/// Free k blocked cells and block k free ones that are nobody's place and cut nobody off. Pairs
/// that are apart already bind nothing. Fewer than k are blocked when chance finds no more.
/// @param edits  what was rewritten is appended; the terrain is rewritten already
/// @return false without memory
bool rp_targets_shift_walls(rp_terrain_t *terrain, const rp_chase_t *chases, size_t chase_count,
                            uint32_t k, rp_flood_t *flood, rp_seeded_t *seeded, rp_edits_t *edits);

#endif
