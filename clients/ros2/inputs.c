/// Samples of DDS as the plain structs of the bridge.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/ros2/peer.h"
#include "messages.h"

typedef void take_t(rp_ros_bridge_t *bridge, const void *sample);

static int64_t stamp_of(const std_msgs_msg_dds__Header_ *header)
{
    return (int64_t)header->stamp.sec * 1000000000 + header->stamp.nanosec;
}

static rp_ros_pose_t pose_of(const geometry_msgs_msg_dds__Pose_ *pose)
{
    return (rp_ros_pose_t){
        .x = pose->position.x,
        .y = pose->position.y,
        .z = pose->position.z,
        .qx = pose->orientation.x,
        .qy = pose->orientation.y,
        .qz = pose->orientation.z,
        .qw = pose->orientation.w,
    };
}

static rp_ros_stamped_t stamped_of(const std_msgs_msg_dds__Header_ *header,
                                   const geometry_msgs_msg_dds__Pose_ *pose)
{
    return (rp_ros_stamped_t){
        .frame_id = header->frame_id, .stamp_ns = stamp_of(header), .pose = pose_of(pose)};
}

static void take_occupancy(rp_ros_bridge_t *bridge, const void *sample)
{
    const nav_msgs_msg_dds__OccupancyGrid_ *grid = sample;
    const rp_ros_grid_t plain = {
        .frame_id = grid->header.frame_id,
        .stamp_ns = stamp_of(&grid->header),
        .resolution = grid->info.resolution,
        .width = grid->info.width,
        .height = grid->info.height,
        .origin = pose_of(&grid->info.origin),
        .data = (const uint8_t *)grid->data._buffer,
        .size = grid->data._length,
    };
    rp_ros_bridge_grid(bridge, &plain);
}

static void take_costmap(rp_ros_bridge_t *bridge, const void *sample)
{
    const nav2_msgs_msg_dds__Costmap_ *grid = sample;
    const rp_ros_grid_t plain = {
        .frame_id = grid->header.frame_id,
        .stamp_ns = stamp_of(&grid->header),
        .resolution = grid->metadata.resolution,
        .width = grid->metadata.size_x,
        .height = grid->metadata.size_y,
        .origin = pose_of(&grid->metadata.origin),
        .data = grid->data._buffer,
        .size = grid->data._length,
    };
    rp_ros_bridge_grid(bridge, &plain);
}

static void take_occupancy_update(rp_ros_bridge_t *bridge, const void *sample)
{
    const map_msgs_msg_dds__OccupancyGridUpdate_ *update = sample;
    const rp_ros_grid_update_t plain = {
        .frame_id = update->header.frame_id,
        .stamp_ns = stamp_of(&update->header),
        .x = update->x,
        .y = update->y,
        .width = update->width,
        .height = update->height,
        .data = (const uint8_t *)update->data._buffer,
        .size = update->data._length,
    };
    rp_ros_bridge_update(bridge, &plain);
}

static void take_costmap_update(rp_ros_bridge_t *bridge, const void *sample)
{
    const nav2_msgs_msg_dds__CostmapUpdate_ *update = sample;
    const rp_ros_grid_update_t plain = {
        .frame_id = update->header.frame_id,
        .stamp_ns = stamp_of(&update->header),
        .x = update->x,
        .y = update->y,
        .width = update->size_x,
        .height = update->size_y,
        .data = update->data._buffer,
        .size = update->data._length,
    };
    rp_ros_bridge_update(bridge, &plain);
}

static void take_transforms(rp_ros_bridge_t *bridge, const void *sample, bool is_static)
{
    const tf2_msgs_msg_dds__TFMessage_ *message = sample;
    for (uint32_t i = 0; i < message->transforms._length; i++) {
        const geometry_msgs_msg_dds__TransformStamped_ *at = &message->transforms._buffer[i];
        const rp_ros_transform_t plain = {
            .frame_id = at->header.frame_id,
            .child_frame_id = at->child_frame_id,
            .stamp_ns = stamp_of(&at->header),
            .pose = {.x = at->transform.translation.x,
                     .y = at->transform.translation.y,
                     .z = at->transform.translation.z,
                     .qx = at->transform.rotation.x,
                     .qy = at->transform.rotation.y,
                     .qz = at->transform.rotation.z,
                     .qw = at->transform.rotation.w},
        };
        rp_ros_bridge_transform(bridge, &plain, is_static);
    }
}

static void take_tf(rp_ros_bridge_t *bridge, const void *sample)
{
    take_transforms(bridge, sample, false);
}

static void take_tf_static(rp_ros_bridge_t *bridge, const void *sample)
{
    take_transforms(bridge, sample, true);
}

static void take_odom(rp_ros_bridge_t *bridge, const void *sample)
{
    const nav_msgs_msg_dds__Odometry_ *odom = sample;
    const rp_ros_stamped_t plain = stamped_of(&odom->header, &odom->pose.pose);
    rp_ros_bridge_pose(bridge, &plain);
}

static void take_amcl(rp_ros_bridge_t *bridge, const void *sample)
{
    const geometry_msgs_msg_dds__PoseWithCovarianceStamped_ *pose = sample;
    const rp_ros_stamped_t plain = stamped_of(&pose->header, &pose->pose.pose);
    rp_ros_bridge_pose(bridge, &plain);
}

static void take_goal(rp_ros_bridge_t *bridge, const void *sample)
{
    const geometry_msgs_msg_dds__PoseStamped_ *goal = sample;
    const rp_ros_stamped_t plain = stamped_of(&goal->header, &goal->pose);
    rp_ros_bridge_goal(bridge, &plain);
}

static take_t *taker_of(const rp_ros_peer_t *self, rp_ros_topic_t topic)
{
    const bool is_raw = self->settings->map_kind == RP_ROS_COSTMAP_RAW;
    switch (topic) {
    case RP_ROS_IN_GRID:
        return is_raw ? take_costmap : take_occupancy;
    case RP_ROS_IN_UPDATES:
        return is_raw ? take_costmap_update : take_occupancy_update;
    case RP_ROS_IN_TF:
        return take_tf;
    case RP_ROS_IN_TF_STATIC:
        return take_tf_static;
    case RP_ROS_IN_ODOM:
        return take_odom;
    case RP_ROS_IN_AMCL:
        return take_amcl;
    default:
        return take_goal;
    }
}

/// One by one, each freed at once: a sample that Cyclone lends stays with it, and a grid may be
/// large.
static void take_all(rp_ros_peer_t *self, rp_ros_topic_t topic, rp_ros_bridge_t *bridge)
{
    take_t *take = taker_of(self, topic);
    const dds_topic_descriptor_t *type = self->types[topic];
    void *sample = calloc(1, type->m_size);
    dds_sample_info_t info;
    while (sample != NULL && dds_take(self->endpoints[topic], &sample, &info, 1, 1) == 1) {
        if (info.valid_data) {
            take(bridge, sample);
        }
        dds_sample_free(sample, type, DDS_FREE_CONTENTS);
        memset(sample, 0, type->m_size);
    }
    free(sample);
}

void rp_ros_peer_take(rp_ros_peer_t *self, rp_ros_bridge_t *bridge)
{
    uint64_t rings;
    if (read(self->bell, &rings, sizeof rings) < 0) {
        return; // nothing came
    }
    for (unsigned topic = 0; topic < RP_ROS_OUT_PLAN; topic++) {
        if (self->endpoints[topic] > 0) {
            take_all(self, (rp_ros_topic_t)topic, bridge);
        }
    }
}
