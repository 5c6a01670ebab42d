/// @file
/// Curve check: whether a vehicle can drive a curve that came from outside, and where it first
/// meets an obstacle. Exact, as rp_sweep_meets() is.
#ifndef REPLAN_ENGINE_PATHS_CURVE_CHECK_H
#define REPLAN_ENGINE_PATHS_CURVE_CHECK_H

#include "replan/session.h"

#include "engine/layers/layer.h"
#include "engine/paths/driven_curve.h"
#include "planners/motion/vehicle.h"

/// What a curve is held against.
typedef struct rp_curve_scene {
    const rp_layer_t *layer;     ///< its profile says which bytes block; it may be inflated, which
                                 ///< does not count
    const rp_frame_t *frame;     ///< of its world
    const rp_vehicle_t *vehicle; ///< as it is judged
    rp_driven_prices_t prices;   ///< of turns in place and gears
} rp_curve_scene_t;

/// @param segments  finite numbers [count]
/// @param report    written on RP_OK
/// @return RP_E_LIMIT: checking it takes more than RP_CURVE_TESTS_MAX. Time: O(cells that the
///         vehicle comes near)
rp_status_t rp_curve_check(const rp_curve_scene_t *scene, const rp_path_segment_t *segments,
                           size_t count, rp_curve_report_t *report);

#endif
