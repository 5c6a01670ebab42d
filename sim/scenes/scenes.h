/// @file
/// The scenarios with a plot: one file each, in the order of scenario.c, which lists them.
#ifndef REPLAN_SIM_SCENES_H
#define REPLAN_SIM_SCENES_H

#include <math.h>

#include "sim/scenario.h"
#include "sim/simulation.h"
#include "sim/world/carmen.h"

extern const rp_scenario_t rp_scene_corridors;
extern const rp_scenario_t rp_scene_siege;
extern const rp_scenario_t rp_scene_doors;
extern const rp_scenario_t rp_scene_islands;
extern const rp_scenario_t rp_scene_stuck20;
extern const rp_scenario_t rp_scene_crowd;
extern const rp_scenario_t rp_scene_hunter_prey;
extern const rp_scenario_t rp_scene_rolling_window;
extern const rp_scenario_t rp_scene_costmap_20hz;
extern const rp_scenario_t rp_scene_overload;
extern const rp_scenario_t rp_scene_group;
extern const rp_scenario_t rp_scene_harbour; ///< in driving.c, as the next three
extern const rp_scenario_t rp_scene_parking;
extern const rp_scenario_t rp_scene_warehouse;
extern const rp_scenario_t rp_scene_convoy;

/// Not in the list, as it needs a log: `--carmen LOG` plays it (scenario->log).
extern const rp_scenario_t rp_scene_carmen;

#define RP_SCENE_CARMEN_RESOLUTION 0.1 ///< metres of the building that a cell stands for
#define RP_SCENE_CARMEN_STEPS      4   ///< that agents walk from one scan to the next

/// Write a picture of what it came to, a pixel a cell: what is unknown, free and occupied; the
/// recorded drive; where the agents walked, and all that they planned.
rp_status_t rp_scene_carmen_draw(const rp_simulation_t *self, const char *path,
                                 rp_complaint_t *complaint);

#define RP_SCENE_SECOND_US UINT64_C(1000000)

/// Rewrite a rectangle, and say so. @return false without memory
bool rp_scene_write(rp_simulation_t *self, rp_terrain_box_t box, rp_terrain_kind_t kind,
                    rp_edits_t *edits);

/// True when nothing blocks a cell or one at most `around` cells from it in x and y.
bool rp_scene_is_roomy(const rp_simulation_t *self, uint32_t cell, int around);

/// Any such cell; there must be one.
uint32_t rp_scene_roomy_place(rp_simulation_t *self, int around);

/// Stand somewhere else, and want to go somewhere else.
void rp_scene_send(rp_simulation_t *self, uint32_t number, uint32_t cell, uint32_t goal);

/// True when so much time is left that what happens now can still be answered.
bool rp_scene_has_time(const rp_simulation_t *self, uint64_t needed_us);

/// Label what hangs together in `flood`. @param labels  of cells, 0 where blocked
void rp_scene_label(rp_simulation_t *self);

/// After rp_scene_label(): the agent can get to its goal.
bool rp_scene_is_connected(const rp_simulation_t *self, const rp_sim_agent_t *agent);

#endif
