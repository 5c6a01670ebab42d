/// @file
/// Curves as words: up to five arcs and lines of one radius, and lists of the curves that join two
/// poses, cheapest first. A word says how to drive, a list of segments (segment.h) where that
/// leads.
#ifndef REPLAN_PLANNERS_MOTION_CURVE_H
#define REPLAN_PLANNERS_MOTION_CURVE_H

#include <stdint.h>

#include "planners/motion/segment.h"

/// Pieces of the longest word: C|CSC|C.
#define RP_CURVE_PIECES_MAX 5u

/// Curves of the longest list.
#define RP_CURVE_LIST_MAX 68u

/// What driving costs, in cells. All of the same radius.
typedef struct rp_curve_price {
    double radius;         ///< of the smallest circle, > 0
    double reverse_factor; ///< a cell backwards costs so much, >= 1
    double gear_change; ///< between two pieces, and before the first one where `gear` differs from
                        ///< its own, >= 0
    int32_t gear;       ///< of what comes before the curve: +1, -1, or 0: nothing does
} rp_curve_price_t;

typedef struct rp_curve {
    double cost;
    double radius;
    double lengths[RP_CURVE_PIECES_MAX]; ///< cells; below 0 backwards, never 0
    int8_t sides[RP_CURVE_PIECES_MAX];   ///< +1 an arc to the left, -1 to the right, 0 a line
    uint8_t count;                       ///< pieces; 0 when both poses are the same
} rp_curve_t;

/// Curves that join the same two places, in order of cost. Two that are the same stand there once.
typedef struct rp_curve_list {
    uint32_t count;
    rp_curve_t curves[RP_CURVE_LIST_MAX];
} rp_curve_list_t;

/// A curve of pieces. Those shorter than 1e-12 radii are left out.
/// @param sides    [count]
/// @param lengths  in radii, below 0 backwards [count]
rp_curve_t rp_curve_of(const rp_curve_price_t *price, const int8_t *sides, const double *lengths,
                       uint32_t count);

/// Add a curve where its cost belongs, behind those of equal cost, unless it stands there already.
void rp_curve_list_add(rp_curve_list_t *self, const rp_curve_t *curve);

/// What a curve would cost at a price.
double rp_curve_cost(const rp_curve_t *self, const rp_curve_price_t *price);

/// Cells that it drives, both gears alike.
double rp_curve_length(const rp_curve_t *self);

/// The segments of a curve that begins at `start`.
/// @param segments  [RP_CURVE_PIECES_MAX]
/// @return how many
uint32_t rp_curve_segments(const rp_curve_t *self, const rp_motion_pose_t *start,
                           rp_segment_t *segments);

/// Where it ends, by its own numbers.
rp_motion_pose_t rp_curve_end(const rp_curve_t *self, const rp_motion_pose_t *start);

#endif
