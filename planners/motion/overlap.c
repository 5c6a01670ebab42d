/// Convex parts lie in a square unless some edge of either has the other on its outer side: the
/// least that is missing is the depth.
#include "planners/motion/overlap.h"

#include <math.h>

#include "planners/motion/trig.h"

/// No point of the vehicle goes farther in a step, cells.
#define STEP (1.0 / 16.0)

/// Rounding is no growth.
#define SLACK 1e-9

static double disc_depth(double radius, const rp_motion_pose_t *pose, double x, double y)
{
    const double beside = fabs(pose->x - x) - 0.5;
    const double above = fabs(pose->y - y) - 0.5;
    const double out_x = fmax(beside, 0.0);
    const double out_y = fmax(above, 0.0);
    const bool is_inside = beside <= 0.0 && above <= 0.0;
    const double apart = is_inside ? fmax(beside, above) : sqrt(out_x * out_x + out_y * out_y);
    return fmax(radius - apart, 0.0);
}

/// How far a part reaches past the near side of the square, or the square past that of the part,
/// along an axis of length 1.
static double depth_along(const rp_motion_vector_t *corners, uint32_t count,
                          rp_motion_vector_t axis, double x, double y)
{
    const double middle = axis.x * x + axis.y * y;
    const double half = 0.5 * (fabs(axis.x) + fabs(axis.y));
    double least = INFINITY;
    double most = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        const double at = axis.x * corners[i].x + axis.y * corners[i].y;
        least = fmin(least, at);
        most = fmax(most, at);
    }
    return fmin(most - (middle - half), middle + half - least);
}

static double part_depth(const rp_motion_vector_t *corners, uint32_t count, double x, double y)
{
    double depth = fmin(depth_along(corners, count, (rp_motion_vector_t){1.0, 0.0}, x, y),
                        depth_along(corners, count, (rp_motion_vector_t){0.0, 1.0}, x, y));
    for (uint32_t i = 0; i < count && depth > 0.0; i++) {
        const rp_motion_vector_t from = corners[i];
        const rp_motion_vector_t to = corners[(i + 1u) % count];
        const double across_x = to.y - from.y;
        const double across_y = from.x - to.x;
        const double size = sqrt(across_x * across_x + across_y * across_y);
        const rp_motion_vector_t axis = {across_x / size, across_y / size};
        depth = fmin(depth, depth_along(corners, count, axis, x, y));
    }
    return fmax(depth, 0.0);
}

double rp_overlap_depth(const rp_vehicle_t *vehicle, const rp_motion_pose_t *pose, double x,
                        double y)
{
    const rp_trig_unit_t ahead = rp_trig_unit(pose->heading);
    double depth = 0.0;
    if (vehicle->part_count == 0) {
        return disc_depth(vehicle->radius, pose, x, y);
    }
    for (uint32_t part = 0; part < vehicle->part_count; part++) {
        const uint32_t first = vehicle->first[part];
        const uint32_t count = vehicle->first[part + 1u] - first;
        rp_motion_vector_t corners[RP_VEHICLE_CORNERS_MAX];
        for (uint32_t i = 0; i < count; i++) {
            const rp_motion_vector_t corner = vehicle->corners[first + i];
            corners[i].x = pose->x + corner.x * ahead.cos - corner.y * ahead.sin;
            corners[i].y = pose->y + corner.x * ahead.sin + corner.y * ahead.cos;
        }
        depth = fmax(depth, part_depth(corners, count, x, y));
    }
    return depth;
}

bool rp_overlap_falls(const rp_vehicle_t *vehicle, const rp_segment_t *segment, double x, double y)
{
    const double extent = rp_segment_extent(segment);
    const double reach =
        segment->turn != 0.0 ? vehicle->reach : 1.0 + vehicle->reach * fabs(segment->curvature);
    const uint32_t steps = (uint32_t)ceil(extent * reach / STEP) + 1u;
    double depth = rp_overlap_depth(vehicle, &segment->start, x, y);
    bool falls = true;
    for (uint32_t i = 1; i <= steps && falls; i++) {
        const rp_motion_pose_t pose = rp_segment_pose(segment, extent * i / steps);
        const double next = rp_overlap_depth(vehicle, &pose, x, y);
        falls = next <= depth + SLACK;
        depth = next;
    }
    return falls;
}
