/// @file
/// Poses in the plane: what is left of a ROS pose without height, roll and pitch.
#ifndef REPLAN_CLIENTS_ROS2_PLANAR_H
#define REPLAN_CLIENTS_ROS2_PLANAR_H

/// As ROS sends a pose or a transform: metres, and a quaternion.
typedef struct rp_ros_pose {
    double x, y, z;
    double qx, qy, qz, qw;
} rp_ros_pose_t;

/// Metres, and radians from +x towards +y.
typedef struct rp_planar {
    double x_m;
    double y_m;
    double yaw;
} rp_planar_t;

/// @param planar  written on success only
/// @return NULL, or why it is no pose, for people: a number that is not finite, a quaternion whose
///         length is not 1
const char *rp_planar_of(const rp_ros_pose_t *pose, rp_planar_t *planar);

/// The quaternion of a yaw is (0, 0, z, w).
void rp_planar_turn(double yaw, double *z, double *w);

/// A pose of frame b in frame a, where `outer` is the pose of b in a.
rp_planar_t rp_planar_compose(const rp_planar_t *outer, const rp_planar_t *inner);

rp_planar_t rp_planar_inverse(const rp_planar_t *pose);

/// On the way from one pose to another, the short way round. @param share  0: `from`, 1: `to`
rp_planar_t rp_planar_between(const rp_planar_t *from, const rp_planar_t *to, double share);

#endif
