/// @file
/// Goal specification: where an agent wants to go, in metres as it was ordered, and which cells
/// that makes goals.
#ifndef REPLAN_ENGINE_SESSION_GOAL_SPEC_H
#define REPLAN_ENGINE_SESSION_GOAL_SPEC_H

#include "replan/session.h"

#include "engine/ground/world_state.h"
#include "engine/sharing/goal_list.h"

/// The offset of a cell that lies in no area.
#define RP_GOAL_SPEC_OUTSIDE UINT32_MAX

typedef struct rp_goal_spec {
    rp_aim_kind_t kind;
    rp_destination_t *points; ///< of a region two opposite corners; owned [count]
    size_t count;             ///< of a target 1: where it is
    size_t next;              ///< of waypoints: the one to go to
    double tolerance_m;
    bool is_nearest;
} rp_goal_spec_t;

/// The cell at whole coordinates, which may lie beyond the edge of a torus.
/// @return RP_NO_CELL outside
rp_cell_t rp_goal_spec_cell(const rp_grid_t *grid, int64_t x, int64_t y);

/// @return RP_E_INVALID (numbers, counts), RP_E_MEMORY
rp_status_t rp_goal_spec_init(rp_goal_spec_t *self, const rp_aim_t *aim);
void rp_goal_spec_fini(rp_goal_spec_t *self);

/// The cells that are goals now. No cell: all of it lies outside.
/// @param at     where the agent is, or RP_NO_CELL
/// @param goals  written
/// @return RP_E_LIMIT when an area is larger than RP_AREA_MAX, or its rim than RP_GOALS_MAX;
///         RP_E_MEMORY
rp_status_t rp_goal_spec_goals(const rp_goal_spec_t *self, const rp_world_t *world, rp_cell_t at,
                               rp_goal_list_t *goals);

/// The least offset of the areas that hold a cell, and count now.
/// @return RP_GOAL_SPEC_OUTSIDE when none does
uint32_t rp_goal_spec_offset(const rp_goal_spec_t *self, const rp_world_t *world, rp_cell_t cell);

/// Where a goal specification lies of which no cell is inside the world: its points, or the middle
/// of its region.
/// @param places  written
/// @return RP_E_MEMORY
rp_status_t rp_goal_spec_places(const rp_goal_spec_t *self, const rp_world_t *world,
                                rp_places_t *places);

/// Metres from the middle of a cell to what was asked for; 0 inside of it. What lies outside the
/// world counts only when all of it does.
double rp_goal_spec_distance_m(const rp_goal_spec_t *self, const rp_world_t *world, rp_cell_t cell);

#endif
