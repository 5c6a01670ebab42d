/// An agent stands anywhere in its cell, a lattice begins in the middle of one. Where the body has
/// no room there, a curve would begin in an obstacle that the agent does not touch.
#include "engine/session/driving/driver_start.h"

#include "engine/paths/length.h"
#include "planners/motion/trig.h"

/// True when a body slides to a point, with its yaw, and meets nothing.
static bool slides(const rp_driven_curve_t *curve, const rp_grid_t *grid,
                   const rp_motion_pose_t *from, double x, double y, uint64_t *budget)
{
    const double dx = x - from->x;
    const double dy = y - from->y;
    const rp_segment_t move = {.start = *from,
                               .length = rp_length(dx, dy),
                               .course = rp_trig_angle(dy, dx) - from->heading,
                               .gear = 1};
    const rp_motion_curve_t slide = {&move, 1, {x, y, from->heading}};
    return !rp_driven_curve_would_meet(curve, grid, &slide, 0, 0, budget);
}

rp_cell_t rp_driver_start(const rp_driven_curve_t *curve, const rp_grid_t *grid,
                          const rp_driven_pose_t *pose, rp_cell_t own, uint64_t *budget)
{
    rp_cell_t start = own;
    double nearest = INFINITY;
    for (uint32_t i = 0; i < 9u; i++) {
        const uint32_t around = (i + 4u) % 9u; // its own is the nearest
        const double x = floor(pose->pose.x + 0.5) + around % 3u - 1.0;
        const double y = floor(pose->pose.y + 0.5) + around / 3u - 1.0;
        const double off = rp_length(x - pose->pose.x, y - pose->pose.y);
        const rp_cell_t cell = rp_driven_curve_cell(grid, x, y);
        if (cell != RP_NO_CELL && off <= pose->radius && off < nearest &&
            slides(curve, grid, &pose->pose, x, y, budget)) {
            nearest = off;
            start = cell;
        }
    }
    return start;
}
