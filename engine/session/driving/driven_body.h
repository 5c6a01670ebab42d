/// @file
/// Driven body: what an agent with motion sweeps, in cells of its world.
#ifndef REPLAN_ENGINE_SESSION_DRIVING_DRIVEN_BODY_H
#define REPLAN_ENGINE_SESSION_DRIVING_DRIVEN_BODY_H

#include "planners/lattice/lattice_shape.h"
#include "replan/session.h"

/// The vehicle of a footprint.
/// @return NULL, or what is wrong with it, in static storage; then `vehicle` is undefined
const char *rp_driven_body_of(const rp_polygon_body_t *footprint, double resolution_m,
                              rp_vehicle_t *vehicle);

/// True when no pose in the world has room for it, or round a torus it would meet itself.
bool rp_driven_body_is_too_wide(double inner, double reach, const rp_grid_shape_t *shape);

/// As rp_engine_judge_footprint().
const char *rp_driven_body_judge(const rp_polygon_body_t *footprint, double resolution_m,
                                 const rp_grid_shape_t *shape);

#endif
