/// @file
/// Segments: the pieces of a curve that a vehicle drives. Lengths are cells, angles radians. "Left"
/// is from +x towards +y (in a `.map`, where y grows downwards, it looks like right).
///
/// A segment is one of four motions:
/// - a line: curvature 0;
/// - an arc: curvature above 0 is left, below 0 right, as seen by a driver who looks ahead, in
///   either gear;
/// - a turn in place: length 0, and `turn` radians;
/// - a sideways move: curvature 0, and a course that is not the heading.
///
/// Callers keep coordinates relative to the cell where the curve starts: then the same curve has
/// the same bits everywhere.
#ifndef REPLAN_PLANNERS_MOTION_SEGMENT_H
#define REPLAN_PLANNERS_MOTION_SEGMENT_H

#include <stddef.h>
#include <stdint.h>

typedef struct rp_motion_vector {
    double x;
    double y;
} rp_motion_vector_t;

typedef struct rp_motion_pose {
    double x;
    double y;
    double heading; ///< not reduced: turning left twice gives 4 pi
} rp_motion_pose_t;

/// Every segment keeps its own start, so that rounding errors do not add up along a curve.
typedef struct rp_segment {
    rp_motion_pose_t start;
    double curvature; ///< one over the radius; 0 where it is no arc
    double length;    ///< > 0, but for a turn in place
    double turn;      ///< + left; 0 where it is no turn in place
    double course;    ///< direction of the move, from the heading; 0 where it is no sideways move
    int32_t gear;     ///< +1 forwards, -1 backwards
} rp_segment_t;

/// A curve: segments that follow each other, and where the last one ends. That end is a number of
/// its own, as the goal was asked for, and not what the last segment comes to.
typedef struct rp_motion_curve {
    const rp_segment_t *segments; ///< borrowed [count]
    size_t count;
    rp_motion_pose_t end;
} rp_motion_curve_t;

/// How far a segment goes: its length, of a turn in place the radians of its turn, without sign.
double rp_segment_extent(const rp_segment_t *self);

/// The pose after a part of the segment's extent. A part below 0 counts as 0, beyond the extent as
/// the extent.
/// @param part  cells; of a turn in place radians, without sign
rp_motion_pose_t rp_segment_pose(const rp_segment_t *self, double part);

/// Where the segment ends, by its own numbers.
rp_motion_pose_t rp_segment_end(const rp_segment_t *self);

/// Sum of the lengths. Turns in place have none.
double rp_segment_sum(const rp_segment_t *segments, size_t count);

/// The pose after a length along a curve: before 0 its start, from its whole length on its end,
/// exactly. Where a segment ends the next one's start is given, behind a turn in place the pose
/// after it. Time: O(count).
/// @param curve  may be empty: then its end
rp_motion_pose_t rp_segment_pose_along(const rp_motion_curve_t *curve, double length);

#endif
