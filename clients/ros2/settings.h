/// @file
/// Parameters of replan-ros2: one flat YAML, in Nav2's words where it has them, and a flag for
/// each.
#ifndef REPLAN_CLIENTS_ROS2_SETTINGS_H
#define REPLAN_CLIENTS_ROS2_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "clients/ros2/costmap.h"
#include "clients/ros2/footprint.h"
#include "files/text.h"

#define RP_ROS_NAME     128u ///< bytes of a topic, with its end
#define RP_ROS_ENDPOINT 256u
#define RP_ROS_REMAPS   16u

/// Where the robot's pose comes from.
typedef enum rp_ros_pose_source {
    RP_ROS_POSE_TF,
    RP_ROS_POSE_ODOM,
    RP_ROS_POSE_AMCL,
} rp_ros_pose_source_t;

/// How a car drives.
typedef enum rp_ros_car {
    RP_ROS_CAR_DUBIN,       ///< forwards
    RP_ROS_CAR_REEDS_SHEPP, ///< backwards, too
} rp_ros_car_t;

/// Reads as a number of the enums above.
typedef unsigned rp_ros_choice_t;

/// X(key, type of the member, how its text is read, least, most, default, "help")
/// least and most: of a number; of a text: most bytes with its end; of a choice: unused.
#define RP_ROS_SETTINGS(X)                                                                         \
    X(domain, uint32_t, take_count, 0, 232, "0", "DDS domain; ROS_DOMAIN_ID where it is set")      \
    X(namespace, char[RP_ROS_NAME], take_text, 0, RP_ROS_NAME, "", "before relative topics")       \
    X(control, char[RP_ROS_ENDPOINT], take_text, 1, RP_ROS_ENDPOINT, "tcp://127.0.0.1:7403",       \
      "endpoint of repland")                                                                       \
    X(world, char[RP_LIMIT_NAME + 1], take_name, 1, RP_LIMIT_NAME + 1, "nav2", "its world")        \
    X(agent, char[RP_LIMIT_NAME + 1], take_name, 1, RP_LIMIT_NAME + 1, "robot", "its agent")       \
    X(map_topic, char[RP_ROS_NAME], take_text, 1, RP_ROS_NAME, "global_costmap/costmap_raw",       \
      "the grid; updates come on the same name with _updates")                                     \
    X(map_kind, rp_ros_choice_t, take_kind, 0, 0, "costmap_raw",                                   \
      "costmap_raw (nav2_msgs/Costmap), costmap or map (OccupancyGrid)")                           \
    X(map_subscribe_transient_local, bool, take_bool, 0, 0, "true",                                \
      "false: from volatile writers")                                                              \
    X(subscribe_to_updates, bool, take_bool, 0, 0, "false", "take map_topic_updates, too")         \
    X(lethal_cost_threshold, uint32_t, take_count, 1, 100, "65",                                   \
      "of a map: occupied from here on")                                                           \
    X(global_frame, char[RP_LIMIT_FRAME_ID + 1], take_frame, 0, RP_LIMIT_FRAME_ID + 1, "",         \
      "refuse grids of other frames; empty: take any")                                             \
    X(robot_base_frame, char[RP_LIMIT_FRAME_ID + 1], take_frame, 1, RP_LIMIT_FRAME_ID + 1,         \
      "base_link", "the robot in tf")                                                              \
    X(pose_source, rp_ros_choice_t, take_source, 0, 0, "tf", "tf, odom or amcl_pose")              \
    X(robot_radius, double, take_metres, 0, 1e6, "0", "metres; 0: the grid is inflated already")   \
    X(footprint, rp_ros_footprint_t, take_footprint, 0, 0, "[]",                                   \
      "\"[[x, y], ...]\": its inscribed radius is used; of a car it is swept")                     \
    X(footprint_padding, double, take_metres, 0, 1e6, "0.01", "metres")                            \
    X(inflation_radius, double, take_metres, 0, 1e6, "0", "metres; 0: none")                       \
    X(cost_scaling_factor, double, take_metres, 0, 1e6, "10", "of the inflation, per metre")       \
    X(allow_unknown, bool, take_bool, 0, 0, "true", "false: unknown cells block")                  \
    X(minimum_turning_radius, double, take_metres, 0, 1e6, "0",                                    \
      "metres, of a car: the plan is a curve that it can drive; 0: it turns on the spot")          \
    X(motion_model_for_search, rp_ros_choice_t, take_car, 0, 0, "DUBIN",                           \
      "of a car: DUBIN, or REEDS_SHEPP, which drives backwards, too")                              \
    X(reverse_penalty, double, take_factor, 1, 100, "2",                                           \
      "a metre backwards costs as much as so many forwards")                                       \
    X(tolerance, double, take_metres, 0, 1e6, "0", "metres: any cell this near the goal will do")  \
    X(follow_radius, double, take_metres, 0, 1e6, "0",                                             \
      "metres that the robot may be off its path; 0: two cells")                                   \
    X(switch_gain_percent, uint32_t, take_count, 0, 100, "5", "see docs/policy.md, as the next")   \
    X(min_interval_ms, uint32_t, take_count, 0, 86400000, "1000", "between two better paths")      \
    X(max_age_ms, uint32_t, take_count, 0, 86400000, "0", "0: never")                              \
    X(answer_within_ms, uint32_t, take_count, 0, 86400000, "50", "0: wait for the optimum")

/// A topic that has another name on this robot, as `from:=to`.
typedef struct rp_ros_remap {
    char from[RP_ROS_NAME];
    char to[RP_ROS_NAME];
} rp_ros_remap_t;

#define RP_ROS_MEMBER(key, type, take, least, most, value, help) __typeof__(type) key;
typedef struct rp_ros_settings {
    RP_ROS_SETTINGS(RP_ROS_MEMBER)
    rp_ros_remap_t remaps[RP_ROS_REMAPS]; ///< by the key `remap`, which may come more than once
    uint32_t remap_count;
    bool has_domain; ///< it was given
} rp_ros_settings_t;

/// The defaults.
void rp_ros_settings_init(rp_ros_settings_t *self);

/// Take in one setting. @param name  for the complaint: of the file, or "command line"
/// @return RP_E_INVALID with a complaint
rp_status_t rp_ros_settings_take(rp_ros_settings_t *self, const char *key, const char *value,
                                 const char *name, uint32_t line, rp_complaint_t *complaint);

/// Take in a YAML of `key: value` lines. What it leaves out stays.
rp_status_t rp_ros_settings_parse(rp_ros_settings_t *self, const rp_text_t *text,
                                  rp_complaint_t *complaint);

/// The radius of the body that the agent gets: robot_radius, or the disc in the padded footprint.
double rp_ros_settings_radius_m(const rp_ros_settings_t *self);

/// True when the plans are curves of a car.
static inline bool rp_ros_settings_is_car(const rp_ros_settings_t *self)
{
    return self->minimum_turning_radius > 0.0;
}

/// True when the footprint is swept as it is: that of a car, with as many corners as the daemon
/// takes.
static inline bool rp_ros_settings_is_swept(const rp_ros_settings_t *self)
{
    return rp_ros_settings_is_car(self) && self->footprint.count != 0 &&
           self->footprint.count <= RP_LIMIT_FOOTPRINT;
}

/// The name of a topic on DDS: "rt/robot1/goal_pose" for "goal_pose" in namespace robot1.
/// @param topic  a name that begins with a slash is no relative one
/// @param name   written [RP_ROS_NAME + 4]
/// @return false when it is too long
bool rp_ros_settings_topic(const rp_ros_settings_t *self, const char *topic, char *name);

/// One line for each setting, for --help.
void rp_ros_settings_print(void);

#endif
