/// @file
/// How DDS is set up: the environment of ROS as a configuration of Cyclone DDS.
#ifndef REPLAN_CLIENTS_ROS2_DOMAIN_H
#define REPLAN_CLIENTS_ROS2_DOMAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the environment says. Any may be NULL.
typedef struct rp_ros_environment {
    const char *domain_id;       ///< ROS_DOMAIN_ID
    const char *localhost_only;  ///< ROS_LOCALHOST_ONLY, up to Humble
    const char *discovery_range; ///< ROS_AUTOMATIC_DISCOVERY_RANGE, from Iron on
    const char *static_peers;    ///< ROS_STATIC_PEERS, separated by semicolons
    const char *uri;             ///< CYCLONEDDS_URI: comes last, so it counts
} rp_ros_environment_t;

rp_ros_environment_t rp_ros_environment_read(void);

/// @param text  written: XML, and what CYCLONEDDS_URI says [size]
/// @return NULL, or what is wrong, for people
const char *rp_ros_domain_config(const rp_ros_environment_t *environment, char *text, size_t size);

/// @param domain  written where ROS_DOMAIN_ID is set
/// @return false when it is no number of 0..232
bool rp_ros_domain_id(const rp_ros_environment_t *environment, uint32_t *domain);

#endif
