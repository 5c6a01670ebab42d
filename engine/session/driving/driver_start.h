/// @file
/// Driver start: where an agent begins that has no curve to go on with.
#ifndef REPLAN_ENGINE_SESSION_DRIVING_DRIVER_START_H
#define REPLAN_ENGINE_SESSION_DRIVING_DRIVER_START_H

#include "engine/paths/driven_curve.h"
#include "replan/grid.h"

/// The middle of a cell, of its own and the eight round it, that is nearest to an agent, near
/// enough to follow a curve from there, and to which its body slides past all obstacles. Where it
/// overlaps some already there is none.
/// @param curve   of its driver: the body
/// @param own     the cell that it is in; returned where there is none
/// @param budget  counted down
rp_cell_t rp_driver_start(const rp_driven_curve_t *curve, const rp_grid_t *grid,
                          const rp_driven_pose_t *pose, rp_cell_t own, uint64_t *budget);

#endif
