/// @file
/// nav2_msgs/msg/Costmap and nav_msgs/msg/OccupancyGrid as they lie in a recording: CDR (XCDR1) of
/// either byte order.
#ifndef REPLAN_CLIENTS_ROS2_COSTMAP_MESSAGE_H
#define REPLAN_CLIENTS_ROS2_COSTMAP_MESSAGE_H

#include "clients/ros2/costmap.h"

#define RP_COSTMAP_TYPE   "nav2_msgs/msg/Costmap"
#define RP_OCCUPANCY_TYPE "nav_msgs/msg/OccupancyGrid"

/// @param type  one of the two above
/// @param grid  borrows from `bytes`
/// @return NULL, or why the bytes are no such message
const char *rp_costmap_message_read(const char *type, const uint8_t *bytes, size_t size,
                                    rp_ros_grid_t *grid);

#endif
