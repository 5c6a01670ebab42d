/// @file
/// Tracks: the path of one point, a line, an arc or a point that rests, and how far it lies from
/// squares. Exact for every radius: nothing is measured from the centre of a circle, which may be
/// far away.
///
/// A square is that of a cell: side 1, round a centre; whole numbers are centres of cells.
#ifndef REPLAN_PLANNERS_MOTION_TRACK_H
#define REPLAN_PLANNERS_MOTION_TRACK_H

#include <stdbool.h>

#include "planners/motion/segment.h"

typedef struct rp_track {
    rp_motion_vector_t start;
    rp_motion_vector_t end;
    rp_motion_vector_t leaves;  ///< direction at the start, of length 1
    rp_motion_vector_t arrives; ///< direction at the end
    double curvature;           ///< + left of the direction; 0: a line
    double turn;                ///< how far the direction turns, without sign
} rp_track_t;

/// A point that moves on.
/// @param leaves  direction, of length 1
rp_track_t rp_track_of_point(rp_motion_vector_t start, rp_motion_vector_t leaves, double curvature,
                             double length);

/// The path of the middle of a vehicle on a segment. Of a turn in place: a point that rests.
rp_track_t rp_track_of_segment(const rp_segment_t *segment);

/// Least distance to a square; 0: they meet.
/// @param x,y  centre of the square
double rp_track_distance(const rp_track_t *self, double x, double y);

/// True when the track crosses or touches an edge of a square.
bool rp_track_crosses_square(const rp_track_t *self, double x, double y);

/// True when the track crosses or touches a straight line between two points.
/// @param along  from its first point to its second one
bool rp_track_crosses(const rp_track_t *self, rp_motion_vector_t from, rp_motion_vector_t along);

#endif
