/// @file
/// Churn after "Fringe-Saving A*", section 7: attackers walk to a goal and destroy what stands
/// around it, and defenders build as much again. So the density stays the same, and changes are
/// near the goal: within `closeness` times the distance from start to goal.
#ifndef REPLAN_SIM_WORLD_CHURN_H
#define REPLAN_SIM_WORLD_CHURN_H

#include "sim/world/buildings.h"

/// Where attackers and defenders meet.
typedef struct rp_front {
    uint32_t start;
    uint32_t goal;
    double closeness;     ///< 0..1, of the Manhattan distance between start and goal
    const uint32_t *kept; ///< cells that never change: agents and goals; borrowed [kept_count]
    size_t kept_count;
    const uint32_t *route; ///< the attackers' way, where it is known: defenders like to build in
                           ///< it; borrowed [route_count]
    size_t route_count;
} rp_front_t;

typedef struct rp_churn {
    rp_buildings_t buildings;
    rp_seeded_t seeded;
    bool attack_next;        ///< an attack follows a defence
    uint32_t *free_cells;    ///< scratch, owned [cell_count]
    uint32_t *blocked_cells; ///< scratch, owned [cell_count]
} rp_churn_t;

/// @return false without memory
bool rp_churn_init(rp_churn_t *self, size_t cell_count, rp_seeded_t seeded);
void rp_churn_fini(rp_churn_t *self);

/// How far from the goal cells are close, in Manhattan distance.
uint32_t rp_churn_reach(const rp_terrain_t *terrain, const rp_front_t *front);

/// Single cells: free rate / 2 of all close cells, as far as so many are blocked, and block as many
/// free ones.
/// @param edits  what was rewritten is appended; the terrain is rewritten already
/// @return false without memory
bool rp_churn_cells(rp_churn_t *self, rp_terrain_t *terrain, const rp_front_t *front, double rate,
                    rp_edits_t *edits);

/// One building near the goal is razed or raised, in turn. When nothing stands there, or there is
/// no room, it is the other one's turn; nothing is appended when neither can.
/// @return false without memory
bool rp_churn_building(rp_churn_t *self, rp_terrain_t *terrain, const rp_front_t *front,
                       rp_edits_t *edits);

/// Buildings around each base, before the war.
/// @return false without memory
bool rp_churn_found_bases(rp_churn_t *self, rp_terrain_t *terrain, uint32_t buildings_a_base);

#endif
