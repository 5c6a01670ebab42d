/// @file
/// Simulated agents that drive: where they stand as a pose, and how they go along the curves that
/// they receive.
#ifndef REPLAN_SIM_WORLD_DRIVING_H
#define REPLAN_SIM_WORLD_DRIVING_H

#include "sim/world/agents.h"

/// Stand somewhere, in metres: the next pose. @return false without memory
bool rp_driving_seat(rp_sim_agent_t *self, const rp_grid_view_t *grid, const rp_drive_pose_t *pose);

/// Where it stood. @return NULL when that is unknown or forgotten
const rp_drive_pose_t *rp_driving_seat_of(const rp_sim_agent_t *self, uint64_t pose_seq);

/// Take in the curve of an answer for its newest goal; it may have driven on since, and joins it at
/// the place that is nearest. @return false without memory
bool rp_driving_hear(rp_sim_agent_t *self, const Replan__V1__Answer *answer);

/// Go on by so many metres, or to the end of the curve, unless something stands in the way.
/// @return false when it stays, as at the end of its curve, or without memory
bool rp_driving_go(rp_sim_agent_t *self, const rp_drive_options_t *drive,
                   const rp_grid_view_t *grid, double metres);

#endif
