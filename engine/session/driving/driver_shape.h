/// @file
/// Driver shape: the lattice that motion asks for.
#ifndef REPLAN_ENGINE_SESSION_DRIVING_DRIVER_SHAPE_H
#define REPLAN_ENGINE_SESSION_DRIVING_DRIVER_SHAPE_H

#include "planners/lattice/lattice_shape.h"
#include "replan/session.h"

/// The shape that motion asks for, in cells.
rp_lattice_shape_t rp_driver_shape(const rp_motion_t *motion, double resolution_m);

/// True when a lattice of a shape can have a pose in each of so many cells with each heading.
bool rp_driver_shape_has_room(const rp_lattice_shape_t *shape, uint64_t cells);

rp_motion_fault_t rp_driver_judge(const rp_motion_t *motion, double resolution_m,
                                  const rp_grid_shape_t *shape);

#endif
