/// @file
/// Snapping: a coordinate in metres carries rounding errors, so one that lies within a few units
/// in the last place of a border between cells counts as that border. Code that turns metres into
/// cells calls rp_world_point_at() or its neighbours in world.h, which snap; no other code divides
/// by a resolution.
#ifndef REPLAN_ENGINE_GROUND_SNAP_H
#define REPLAN_ENGINE_GROUND_SNAP_H

#include <math.h>

/// Units in the last place that a point of the frame may be off a border.
#define RP_SNAP_ULPS 8.0

/// Greatest rounding error, in metres, of a coordinate that was computed from metres.
/// @param greatest_m  the greatest of |x|, |y|, |origin x| and |origin y|
static inline double rp_snap_distance_m(double greatest_m)
{
    int exponent;
    (void)frexp(greatest_m, &exponent);
    return ldexp(RP_SNAP_ULPS, exponent - 53);
}

/// A coordinate in cells, on the nearest border if it lies within `distance` cells of that.
static inline double rp_snap(double at, double distance)
{
    const double border = rint(at);
    return fabs(at - border) <= distance ? border : at;
}

/// A coordinate in metres along the grid as one in cells. It is compared in metres, since a
/// division by the resolution would add an error of its own.
/// @param parts  1: snap to borders; 2: to borders and to middles
static inline double rp_snap_metres(double along_m, double resolution_m, double distance_m,
                                    double parts)
{
    const double at = along_m / resolution_m;
    const double nearest = rint(at * parts) / parts;
    return fabs(fma(-nearest, resolution_m, along_m)) <= distance_m ? nearest : at;
}

#endif
