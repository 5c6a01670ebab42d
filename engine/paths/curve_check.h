/// @file
/// Curve check: whether a vehicle can drive a curve that came from outside, and where it first
/// meets an obstacle. Exact, as rp_sweep_meets() is.
#ifndef REPLAN_ENGINE_PATHS_CURVE_CHECK_H
#define REPLAN_ENGINE_PATHS_CURVE_CHECK_H

#include "replan/session.h"

#include "engine/layers/profile.h"
#include "engine/paths/driven_curve.h"
#include "planners/motion/vehicle.h"

/// What a curve is held against. All is borrowed.
typedef struct rp_curve_scene {
    const uint8_t *bytes;         ///< of a world, row by row
    const rp_grid_shape_t *shape; ///< of that world
    const rp_frame_t *frame;      ///< of that world
    const rp_profile_t *profile;  ///< which bytes block, and what the others cost
    const rp_vehicle_t *vehicle;  ///< as it is judged
    rp_driven_prices_t prices;    ///< of turns in place and gears
} rp_curve_scene_t;

/// How far a check has come; all zero at first.
typedef struct rp_curve_check {
    size_t segment;
    double piece;        ///< of that segment
    rp_segment_t before; ///< the segment before it
    int32_t gear;        ///< in which it is come to; 0: in none
    double length;       ///< cells that were found free
    double tests;        ///< that were made
} rp_curve_check_t;

/// Go on with a check.
/// @param segments  finite numbers [count]
/// @param budget    counted down
/// @param report    written with RP_OK; the same one each time
/// @return RP_MORE when the budget was spent first: a piece of 8 cells is checked in one go;
///         RP_E_LIMIT: it takes more than RP_CURVE_TESTS_MAX
rp_status_t rp_curve_check_work(rp_curve_check_t *self, const rp_curve_scene_t *scene,
                                const rp_path_segment_t *segments, size_t count, uint64_t *budget,
                                rp_curve_report_t *report);

/// The rows of the world that a curve may come near. On a torus these are all.
/// @param first,end  written: `end` is the first row that is none of them
void rp_curve_check_rows(const rp_curve_scene_t *scene, const rp_path_segment_t *segments,
                         size_t count, uint32_t *first, uint32_t *end);

#endif
