/// @file
/// What the daemon has of the robot: a world that shows the costmap, and an agent with the robot's
/// pose and goal. rp_ros_link_sync() compares that with what the robot wants and tells the daemon
/// the difference, whatever was lost: a daemon that was away, or began anew, or a world that others
/// removed or shifted.
#ifndef REPLAN_CLIENTS_ROS2_LINK_H
#define REPLAN_CLIENTS_ROS2_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "clients/ros2/costmap.h"
#include "clients/ros2/settings.h"
#include "replan.pb-c.h"

/// A goal in the costmap's frame.
typedef struct rp_ros_goal {
    rp_planar_t pose;
    uint64_t id; ///< of this goal alone, from 1
} rp_ros_goal_t;

/// What the daemon should have. Borrowed during the call.
typedef struct rp_ros_wish {
    const rp_ros_costmap_t *costmap; ///< its frame_id is empty: none yet
    const rp_planar_t *pose;         ///< of the robot in the costmap's frame; NULL: not known
    const rp_ros_goal_t *goal;       ///< NULL: none
} rp_ros_wish_t;

typedef struct rp_ros_link rp_ros_link_t;

/// Connects by itself, now or later.
/// @param settings, faults  borrowed until the end
/// @return NULL without memory
rp_ros_link_t *rp_ros_link_new(const rp_ros_settings_t *settings, rp_ros_faults_t *faults);

/// Accepts NULL. The agent stays open for its lease.
void rp_ros_link_destroy(rp_ros_link_t **self);

/// The costmap changed; told with the next sync.
void rp_ros_link_note(rp_ros_link_t *self, rp_ros_change_t change, const rp_ros_rect_t *rect);

/// Tell the daemon what it does not have. Waits for its replies: some 0.1 ms each where it is well,
/// up to 2 s each where it hangs; not at all within half a second after it was away.
/// @return false when something is left to be told
bool rp_ros_link_sync(rp_ros_link_t *self, const rp_ros_wish_t *wish);

/// The next answer, for the newest goal or an older one.
/// @return NULL when there is none; borrowed until the next call
const Replan__V1__Answer *rp_ros_link_answer(rp_ros_link_t *self);

/// True when the daemon may say something that is older than what it was told last.
bool rp_ros_link_is_older(const rp_ros_link_t *self, const Replan__V1__Answer *answer);

/// A descriptor to wait for, -1 while there is none. Edge-triggered: rp_ros_link_answer() until it
/// is NULL after each other call.
int rp_ros_link_fd(const rp_ros_link_t *self);

/// When rp_ros_link_sync() is to be called even if nothing happens, by the clock of the faults;
/// INT64_MAX: never.
int64_t rp_ros_link_due_ms(const rp_ros_link_t *self, const rp_ros_wish_t *wish);

/// Whether the daemon shows the costmap.
bool rp_ros_link_has_world(const rp_ros_link_t *self);

/// The number of the window that it shows. 0: none
uint64_t rp_ros_link_window(const rp_ros_link_t *self);

#endif
