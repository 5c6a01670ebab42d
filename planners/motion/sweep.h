/// @file
/// Sweeps: what a vehicle covers while it drives along a segment, tested against cells. Exact,
/// never sampled.
///
/// A cell is the square of side 1 round its centre; whole numbers are centres of cells. Squares are
/// closed and vehicles are open: touching is legal. In numbers that is so within rounding, which is
/// why callers widen or narrow the vehicle first (vehicle.h).
#ifndef REPLAN_PLANNERS_MOTION_SWEEP_H
#define REPLAN_PLANNERS_MOTION_SWEEP_H

#include "planners/motion/obstacle_map.h"
#include "planners/motion/track.h"
#include "planners/motion/vehicle.h"

/// A vehicle on a segment, ready to be tested against many cells.
typedef struct rp_sweep {
    const rp_vehicle_t *vehicle; ///< borrowed
    const rp_segment_t *segment; ///< borrowed
    rp_track_t middle;           ///< of the vehicle's origin
    rp_motion_vector_t
        velocity; ///< of the origin at the start, a length for each unit of the segment's extent
    double rate;  ///< how the heading turns, radians for each unit of the extent
    rp_track_t corners[RP_VEHICLE_PART_CORNERS_MAX]; ///< of the corners of its parts
} rp_sweep_t;

/// The first cell that was found in the way of a curve.
typedef struct rp_sweep_hit {
    size_t segment;
    int64_t x; ///< of the map; on a torus perhaps outside of 0 .. width - 1
    int64_t y;
} rp_sweep_hit_t;

/// Least distance of the vehicle's origin, on its way along a segment, to the square of a cell; 0:
/// it comes to the square.
/// @param x,y  centre of the cell
double rp_sweep_distance(const rp_segment_t *segment, double x, double y);

/// Time: about 100 ns, and 40 ns a corner.
void rp_sweep_begin(rp_sweep_t *self, const rp_vehicle_t *vehicle, const rp_segment_t *segment);

/// True when the vehicle covers some of a cell on its way. Time: about 100 ns; up to 2 us a convex
/// part where the cell lies between the discs inside and round the vehicle.
/// @param x,y  centre of the cell
bool rp_sweep_meets(const rp_sweep_t *self, double x, double y);

/// Whether a vehicle can drive a curve without covering some of an obstacle. Time: a word of the
/// map for each row and 64 columns that the vehicle comes near, and a test for each obstacle there.
/// @param segments  finite numbers, lengths and places below 2^30 [count]
/// @param x,y  the cell of the map that is (0, 0) of the segments
/// @param hit  written when it cannot: an obstacle on the first segment that meets one
bool rp_sweep_is_free(const rp_obstacle_map_t *map, const rp_vehicle_t *vehicle,
                      const rp_segment_t *segments, size_t count, int64_t x, int64_t y,
                      rp_sweep_hit_t *hit);

#endif
