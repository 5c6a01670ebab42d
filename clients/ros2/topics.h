/// @file
/// Topics of the bridge on DDS: names, types, QoS and type hashes. Ask for little, offer much: a
/// reader asks for no more than the writers of ROS offer, a writer offers what any reader may ask
/// for.
#ifndef REPLAN_CLIENTS_ROS2_TOPICS_H
#define REPLAN_CLIENTS_ROS2_TOPICS_H

#include <dds/dds.h>
#include <stdbool.h>
#include <stdint.h>

#include "clients/ros2/settings.h"

typedef enum rp_ros_topic {
    RP_ROS_IN_GRID,
    RP_ROS_IN_UPDATES, ///< where subscribe_to_updates says so
    RP_ROS_IN_TF,
    RP_ROS_IN_TF_STATIC,
    RP_ROS_IN_ODOM, ///< where pose_source says so
    RP_ROS_IN_AMCL, ///< the same
    RP_ROS_IN_GOAL,
    RP_ROS_OUT_PLAN, ///< readers come before writers
    RP_ROS_OUT_MARKERS,
    RP_ROS_OUT_DIAGNOSTICS,
    RP_ROS_TOPICS,
} rp_ros_topic_t;

/// Samples of a KEEP_ALL reader that wait to be taken. Beyond that a reliable writer waits.
#define RP_ROS_BACKLOG 4096

typedef struct rp_ros_topic_kind {
    const char *topic; ///< as ROS names it
    const dds_topic_descriptor_t *type;
    const char *hash; ///< RIHS01, of the type as ROS defines it
    bool is_reliable;
    bool is_latched; ///< transient_local
    int32_t depth;   ///< of the history; 0: all
} rp_ros_topic_kind_t;

/// @param topic  the name of the grid is written here, as map_topic and its updates have it
///               [RP_ROS_NAME + 16]
/// @return the row of a topic, by these settings; its name is borrowed from `topic` or static
rp_ros_topic_kind_t rp_ros_topic_kind(const rp_ros_settings_t *settings, rp_ros_topic_t topic,
                                      char *name);

/// False for a topic that these settings leave out.
bool rp_ros_topic_is_used(const rp_ros_settings_t *settings, rp_ros_topic_t topic);

/// Whether map_subscribe_transient_local: false takes it from volatile writers, too.
bool rp_ros_topic_may_be_volatile(rp_ros_topic_t topic);

/// The one that pose_source says.
rp_ros_topic_t rp_ros_topic_of_pose(const rp_ros_settings_t *settings);

/// QoS of a reader or a writer. @return to be ended by dds_delete_qos()
dds_qos_t *rp_ros_topic_qos(const rp_ros_topic_kind_t *kind, bool is_writer);

/// "durability", for a policy of DDS; "QoS" for one that the bridge does not set.
const char *rp_ros_policy_text(uint32_t policy);

#endif
