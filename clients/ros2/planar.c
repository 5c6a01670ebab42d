#include "clients/ros2/planar.h"

#include <math.h>
#include <stddef.h>

#include "msgs/limits.h"

/// Of the squared length of a quaternion, as tf2 has it.
#define UNIT_TOLERANCE 1e-2

static const char *position_fault(const rp_ros_pose_t *pose)
{
    if (!isfinite(pose->x) || !isfinite(pose->y) || !isfinite(pose->z)) {
        return "a position that is not finite";
    }
    return fabs(pose->x) > RP_LIMIT_COORDINATE || fabs(pose->y) > RP_LIMIT_COORDINATE
               ? "a position beyond 1e9 m"
               : NULL;
}

const char *rp_planar_of(const rp_ros_pose_t *pose, rp_planar_t *planar)
{
    const char *fault = position_fault(pose);
    if (fault != NULL) {
        return fault;
    }
    const double x = pose->qx, y = pose->qy, z = pose->qz, w = pose->qw;
    const double squared = x * x + y * y + z * z + w * w;
    if (!isfinite(squared)) {
        return "a quaternion that is not finite";
    }
    if (squared == 0.0) {
        return "a quaternion of length 0";
    }
    if (fabs(squared - 1.0) > UNIT_TOLERANCE) {
        return "a quaternion whose length is not 1";
    }
    *planar = (rp_planar_t){
        .x_m = pose->x,
        .y_m = pose->y,
        .yaw = atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)),
    };
    return NULL;
}

void rp_planar_turn(double yaw, double *z, double *w)
{
    *z = sin(yaw / 2.0);
    *w = cos(yaw / 2.0);
}

static double wrap(double yaw)
{
    return remainder(yaw, 2.0 * M_PI);
}

rp_planar_t rp_planar_compose(const rp_planar_t *outer, const rp_planar_t *inner)
{
    const double cosine = cos(outer->yaw), sine = sin(outer->yaw);
    return (rp_planar_t){
        .x_m = outer->x_m + cosine * inner->x_m - sine * inner->y_m,
        .y_m = outer->y_m + sine * inner->x_m + cosine * inner->y_m,
        .yaw = wrap(outer->yaw + inner->yaw),
    };
}

rp_planar_t rp_planar_inverse(const rp_planar_t *pose)
{
    const double cosine = cos(pose->yaw), sine = sin(pose->yaw);
    return (rp_planar_t){
        .x_m = -cosine * pose->x_m - sine * pose->y_m,
        .y_m = sine * pose->x_m - cosine * pose->y_m,
        .yaw = -pose->yaw,
    };
}

rp_planar_t rp_planar_between(const rp_planar_t *from, const rp_planar_t *to, double share)
{
    return (rp_planar_t){
        .x_m = from->x_m + share * (to->x_m - from->x_m),
        .y_m = from->y_m + share * (to->y_m - from->y_m),
        .yaw = wrap(from->yaw + share * wrap(to->yaw - from->yaw)),
    };
}
