/// @file
/// Overlaps: how deep a vehicle lies in the square of a cell, and whether it comes out of it.
#ifndef REPLAN_PLANNERS_MOTION_OVERLAP_H
#define REPLAN_PLANNERS_MOTION_OVERLAP_H

#include <stdbool.h>

#include "planners/motion/segment.h"
#include "planners/motion/vehicle.h"

/// How far the vehicle, of several parts each on its own, would have to be moved at least to leave
/// a square; 0: it does not lie in it.
/// @param x,y  centre of the cell
double rp_overlap_depth(const rp_vehicle_t *vehicle, const rp_motion_pose_t *pose, double x,
                        double y);

/// True when the depth never grows while the vehicle drives along a segment, as far as steps of a
/// sixteenth of a cell tell. Time: a depth for each step.
bool rp_overlap_falls(const rp_vehicle_t *vehicle, const rp_segment_t *segment, double x, double y);

#endif
