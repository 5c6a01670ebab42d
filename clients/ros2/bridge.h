/// @file
/// The bridge without its two networks' sides: takes what the robot says, as plain structs, keeps
/// the daemon told by a link, and has a plan to publish whenever the path is another one. Nothing
/// in it knows DDS.
#ifndef REPLAN_CLIENTS_ROS2_BRIDGE_H
#define REPLAN_CLIENTS_ROS2_BRIDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "clients/ros2/costmap.h"
#include "clients/ros2/faults.h"
#include "clients/ros2/link.h"
#include "clients/ros2/plan.h"
#include "clients/ros2/settings.h"

/// A pose that came in a frame.
typedef struct rp_ros_stamped {
    const char *frame_id;
    int64_t stamp_ns;
    rp_ros_pose_t pose;
} rp_ros_stamped_t;

/// One transform of tf or tf_static.
typedef struct rp_ros_transform {
    const char *frame_id; ///< the parent
    const char *child_frame_id;
    int64_t stamp_ns;
    rp_ros_pose_t pose;
} rp_ros_transform_t;

/// The newest plan, and what is known of it.
typedef struct rp_ros_news {
    const rp_ros_plan_t *plan;
    const char *frame_id;
    int64_t stamp_ns;    ///< the newest stamp of what was taken in; 0: none had one
    const char *outcome; ///< "found"
    const char *reason;  ///< "broken"
    double cost;
    rp_planar_t goal;    ///< in that frame
    bool is_broken;      ///< the plan before is blocked now
    rp_planar_t blocked; ///< with is_broken: where
} rp_ros_news_t;

typedef struct rp_ros_bridge rp_ros_bridge_t;

/// @param settings, faults  borrowed until the end
/// @return NULL without memory
rp_ros_bridge_t *rp_ros_bridge_new(const rp_ros_settings_t *settings, rp_ros_faults_t *faults);

/// Accepts NULL.
void rp_ros_bridge_destroy(rp_ros_bridge_t **self);

// ---- what the robot says; all is borrowed during the call, and refused as a fault when it does
// not fit

void rp_ros_bridge_grid(rp_ros_bridge_t *self, const rp_ros_grid_t *grid);
void rp_ros_bridge_update(rp_ros_bridge_t *self, const rp_ros_grid_update_t *update);
void rp_ros_bridge_transform(rp_ros_bridge_t *self, const rp_ros_transform_t *transform,
                             bool is_static);

/// Of odom or amcl_pose, where pose_source says so.
void rp_ros_bridge_pose(rp_ros_bridge_t *self, const rp_ros_stamped_t *pose);

/// One that came before a grid waits for it. Of one that is refused nothing remains: the goal
/// before stays.
void rp_ros_bridge_goal(rp_ros_bridge_t *self, const rp_ros_stamped_t *goal);

// ---- the loop

/// Tell the daemon what it does not have yet.
void rp_ros_bridge_sync(rp_ros_bridge_t *self);

/// Take in what the daemon said.
/// @param news  written when there is a plan to publish; borrowed until the next call
/// @return false when there is none
bool rp_ros_bridge_plan(rp_ros_bridge_t *self, rp_ros_news_t *news);

/// See rp_ros_link_fd().
int rp_ros_bridge_fd(const rp_ros_bridge_t *self);

/// When rp_ros_bridge_sync() has something to do even if nothing happens; INT64_MAX: never.
int64_t rp_ros_bridge_due_ms(const rp_ros_bridge_t *self);

// ---- for diagnostics

typedef struct rp_ros_state {
    const rp_ros_costmap_t *costmap;
    bool has_pose;
    const char *pose_frame;  ///< of odom or amcl_pose; empty: none came
    const char *pose_status; ///< of the last look into tf
    bool has_goal;
    bool has_world;      ///< the daemon shows the costmap
    uint64_t window;     ///< its number
    const char *outcome; ///< of the newest answer; "" before
    const char *reason;
    double short_m;      ///< how far from the goal the newest plan ends; 0: at it
    uint64_t plans;      ///< published so far
    uint64_t transforms; ///< taken in so far
    int64_t pose_ms;     ///< when the newest pose came
} rp_ros_state_t;

rp_ros_state_t rp_ros_bridge_state(const rp_ros_bridge_t *self);

#endif
