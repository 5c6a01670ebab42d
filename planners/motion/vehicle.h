/// @file
/// Vehicles: the body that is driven along a curve, a disc or a footprint that is cut into convex
/// parts. Lengths are cells, in the vehicle's frame: x ahead, y left, the origin is what curves
/// lead.
///
/// A vehicle is open: it may touch obstacles. Planning widens it by RP_VEHICLE_PLANNING_MARGIN,
/// judging narrows it by rp_vehicle_judging_margin(): so rounding never makes a planned curve
/// illegal.
#ifndef REPLAN_PLANNERS_MOTION_VEHICLE_H
#define REPLAN_PLANNERS_MOTION_VEHICLE_H

#include <stddef.h>

#include "planners/motion/convex_cut.h"

#define RP_VEHICLE_CORNERS_MAX RP_CONVEX_CORNERS_MAX ///< of a footprint
#define RP_VEHICLE_REACH_MAX   1024.0                ///< cells from the origin

/// A smaller disc counts as this: an open disc of radius 0 would pass walls.
#define RP_VEHICLE_LEAST 1e-3

#define RP_VEHICLE_PLANNING_MARGIN 1e-6

#define RP_VEHICLE_PARTS_MAX        RP_CONVEX_PARTS_MAX
#define RP_VEHICLE_PART_CORNERS_MAX 42u ///< of all parts together

typedef struct rp_vehicle {
    double radius; ///< of a disc; 0: it has parts
    double reach;  ///< from the origin to its farthest point
    double inner;  ///< radius of the largest disc round the origin that lies inside, of several
                   ///< outlines inside of one; 0 when the origin does not
    uint32_t part_count; ///< convex; those of one outline overlap in their edges only
    uint8_t
        first[RP_VEHICLE_PARTS_MAX + 1u]; ///< corner of each part, and the number of all corners
    rp_motion_vector_t
        corners[RP_VEHICLE_PART_CORNERS_MAX]; ///< part by part, each to the left round it
} rp_vehicle_t;

/// A disc round the origin.
/// @return NULL, or what is wrong with the radius, in static storage: it is below 0, no number, or
/// above
///         RP_VEHICLE_REACH_MAX. Then `self` is untouched.
const char *rp_vehicle_set_disc(rp_vehicle_t *self, double radius);

/// A footprint as Nav2 writes it: corners in order, in either sense of rotation; it may be concave.
/// Padding moves each corner away from both axes, as Nav2 does.
/// @param x,y      corners [count]
/// @param padding  at least 0
/// @return NULL, or what is wrong, in static storage: fewer than 3 corners or more than
/// RP_VEHICLE_CORNERS_MAX, one that
///         is no number or farther away than RP_VEHICLE_REACH_MAX, an outline that crosses itself
///         or comes closer than 1e-3 to itself, a bad padding. Then `self` is untouched.
const char *rp_vehicle_set_footprint(rp_vehicle_t *self, const double *x, const double *y,
                                     size_t count, double padding);

/// Add another outline to a footprint, which may overlap the others.
/// @return NULL, or what is wrong: as above; more than RP_VEHICLE_PARTS_MAX convex parts in all
const char *rp_vehicle_add_footprint(rp_vehicle_t *self, const double *x, const double *y,
                                     size_t count, double padding);

/// The same vehicle with every edge moved outwards by a margin; inwards where that is below 0. A
/// part so thin that it would vanish stays as it is.
rp_vehicle_t rp_vehicle_widened(const rp_vehicle_t *self, double margin);

/// The margin of judging: -1e-9, and 8 units in the last place of the largest coordinate, of metres
/// from the origin of the map divided by its resolution, by which poses on the wire are rounded.
/// @param coordinate  in cells
double rp_vehicle_judging_margin(double coordinate);

#endif
