/// @file
/// A link's state, and how it asks the daemon. Shared by link.c (the agent, and both) and
/// link_world.c.
#ifndef REPLAN_CLIENTS_ROS2_LINK_CALL_H
#define REPLAN_CLIENTS_ROS2_LINK_CALL_H

#include "clients/ros2/link.h"
#include "replan/client.h"

#define RP_ROS_LINK_RETRY_MS INT64_C(500) ///< after the daemon was away, or refused

struct rp_ros_link {
    const rp_ros_settings_t *settings;
    rp_ros_faults_t *faults;
    rp_client_t *client; ///< NULL: not connected yet
    int64_t retry_ms;    ///< not before
    // the world
    rp_ros_change_t pending; ///< RP_ROS_WORLD: the daemon may have anything
    rp_ros_rect_t rect;      ///< with RP_ROS_CELLS
    uint64_t epoch;
    uint64_t window;
    uint64_t version; ///< that the last request made
    uint8_t *portion; ///< a rectangle as one piece
    size_t portion_bytes;
    // the agent
    bool is_open;
    bool is_watched;
    uint32_t watch;   ///< 0: the daemon has none of ours
    uint64_t goal_id; ///< that it was told
    rp_planar_t pose; ///< that it was told
    int64_t pose_ms;  ///< when
};

/// What the daemon has is not known any more.
void rp_ros_link_forget(rp_ros_link_t *self);

/// Tell nothing for so long.
void rp_ros_link_wait(rp_ros_link_t *self, int64_t wait_ms);

/// @param status  written when it is refused; may be NULL
/// @return the reply, NULL on any failure: it was counted as a fault, and what it means for the
/// state is noted
const Replan__V1__Reply *rp_ros_link_ask(rp_ros_link_t *self, Replan__V1__Request *request,
                                         const char *what, Replan__V1__Status *status);

/// Make the world show the costmap. @return false when the daemon does not show it
bool rp_ros_link_sync_world(rp_ros_link_t *self, const rp_ros_costmap_t *costmap);

#endif
