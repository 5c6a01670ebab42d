/// @file
/// The bridge's side of DDS: one participant with its readers and writers. Its threads only ring a
/// bell; samples are taken and written by the one thread of the bridge. Nothing is ever written to
/// a topic of services or actions (`rq/`): vendors differ there, and a wrong request can harm a
/// robot.
#ifndef REPLAN_CLIENTS_ROS2_PEER_H
#define REPLAN_CLIENTS_ROS2_PEER_H

#include <dds/dds.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "clients/ros2/bridge.h"
#include "clients/ros2/faults.h"
#include "clients/ros2/settings.h"
#include "clients/ros2/topics.h"

/// After its start discovery and the first samples of volatile writers may take this long.
#define RP_ROS_SETTLE_MS INT64_C(3000)

typedef struct rp_ros_peer {
    const rp_ros_settings_t *settings;
    rp_ros_faults_t *faults;
    int bell; ///< an eventfd: something may be there to be taken
    dds_entity_t domain;
    dds_entity_t participant;
    dds_entity_t endpoints[RP_ROS_TOPICS];       ///< readers and writers; 0: not used
    char names[RP_ROS_TOPICS][RP_ROS_NAME + 4u]; ///< "rt/goal_pose"
    const dds_topic_descriptor_t *types[RP_ROS_TOPICS];
    dds_entity_t publications;  ///< who else writes
    dds_entity_t subscriptions; ///< who else reads
    int64_t opened_ms;
    pthread_mutex_t lock; ///< of the two below
    uint64_t lines;       ///< that Cyclone had to say
    char line[160];       ///< the newest
    uint64_t told_lines;  ///< counted as faults
} rp_ros_peer_t;

/// @param config  for dds_create_domain()
/// @return NULL, or what could not be made, for people; then it is closed again
const char *rp_ros_peer_open(rp_ros_peer_t *self, const rp_ros_settings_t *settings,
                             const char *config, rp_ros_faults_t *faults);

/// Accepts one that is not open.
void rp_ros_peer_close(rp_ros_peer_t *self);

/// Readers that a writer has, or writers that a reader has.
uint32_t rp_ros_peer_matches(const rp_ros_peer_t *self, rp_ros_topic_t topic);

/// Whether grid and pose have writers, and discovery has settled.
bool rp_ros_peer_is_ready(const rp_ros_peer_t *self);

/// Look for peers whose types or QoS do not fit, and count them as faults. Once a second is enough.
void rp_ros_peer_look(rp_ros_peer_t *self);

/// Hand all samples that came to the bridge.
void rp_ros_peer_take(rp_ros_peer_t *self, rp_ros_bridge_t *bridge);

/// Write one message of the topic's type. One that cannot be written is counted as a fault.
void rp_ros_peer_publish(rp_ros_peer_t *self, rp_ros_topic_t topic, const void *message);

/// Publish a plan, and markers that show it.
void rp_ros_peer_plan(rp_ros_peer_t *self, const rp_ros_news_t *news);

/// Publish how the bridge is.
void rp_ros_peer_diagnose(rp_ros_peer_t *self, const rp_ros_bridge_t *bridge);

#endif
