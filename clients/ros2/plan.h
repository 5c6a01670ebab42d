/// @file
/// A plan as ROS wants it: poses in metres, each with a heading.
#ifndef REPLAN_CLIENTS_ROS2_PLAN_H
#define REPLAN_CLIENTS_ROS2_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clients/ros2/costmap.h"
#include "clients/ros2/planar.h"
#include "replan.pb-c.h"

#define RP_ROS_PLAN_TURN 0.2        ///< radians
#define RP_ROS_PLAN_MOST (1u << 20) ///< poses

typedef struct rp_ros_plan {
    rp_planar_t *poses; ///< the way out of a blocked cell first, then the path [count]
    size_t count;       ///< 0: there is no way
    size_t capacity;
    size_t way;      ///< poses of the way out; of a curve, those before it is out
    uint32_t *cells; ///< room for cells of an answer [capacity]
} rp_ros_plan_t;

/// Make the plan of an answer. A pose heads to the next one; the last one as given, else as it
/// came. With segments, poses of the body on its curve, at most a cell and RP_ROS_PLAN_TURN apart;
/// each heads as the body does.
/// @param last_yaw  of the goal, where the path ends at the goal; NULL: as it comes
/// @return false without memory, and of a curve of more than RP_ROS_PLAN_MOST poses
bool rp_ros_plan_make(rp_ros_plan_t *self, const Replan__V1__Answer *answer,
                      const double *last_yaw);

/// The first pose that stands on a cell which blocks in the newest costmap: of the path 253 and
/// 254, of the way out only 254. @return count when there is none
size_t rp_ros_plan_blocked_at(const rp_ros_plan_t *self, const rp_ros_costmap_t *costmap,
                              bool unknown_blocks);

void rp_ros_plan_fini(rp_ros_plan_t *self);

#endif
