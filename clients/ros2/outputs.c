/// A plan as the messages of ROS. They borrow the texts that they name: none is freed here.
#include <stdio.h>
#include <stdlib.h>

#include "clients/ros2/peer.h"
#include "messages.h"

/// Of visualization_msgs/Marker.
enum {
    MARKER_ARROW = 0,
    MARKER_SPHERE = 2,
    MARKER_LINE_STRIP = 4,
    MARKER_TEXT = 9
};
enum {
    MARKER_ADD = 0,
    MARKER_DELETE = 2
};

#define LINE_M    0.05
#define BLOCK_M   0.3
#define TEXT_M    0.25
#define ABOVE_M   0.5 ///< the text above the robot
#define GOAL_M    0.6
#define NAMESPACE "replan"

static char empty[] = "";
static char marker_namespace[] = NAMESPACE;

static std_msgs_msg_dds__Header_ header_of(const rp_ros_news_t *news)
{
    return (std_msgs_msg_dds__Header_){
        .stamp = {.sec = (int32_t)(news->stamp_ns / 1000000000),
                  .nanosec = (uint32_t)(news->stamp_ns % 1000000000)},
        .frame_id = (char *)news->frame_id,
    };
}

static geometry_msgs_msg_dds__Pose_ pose_of(const rp_planar_t *planar)
{
    geometry_msgs_msg_dds__Pose_ pose = {.position = {planar->x_m, planar->y_m, 0.0}};
    rp_planar_turn(planar->yaw, &pose.orientation.z, &pose.orientation.w);
    return pose;
}

static void publish_path(rp_ros_peer_t *self, const rp_ros_news_t *news)
{
    const rp_ros_plan_t *plan = news->plan;
    nav_msgs_msg_dds__Path_ path = {.header = header_of(news)};
    path.poses._buffer = malloc((plan->count + 1u) * sizeof *path.poses._buffer);
    if (path.poses._buffer == NULL) {
        rp_ros_fault(self->faults, RP_ROS_FAULT_WRITE, "no memory for %zu poses", plan->count);
        return;
    }
    path.poses._length = path.poses._maximum = (uint32_t)plan->count;
    geometry_msgs_msg_dds__Pose_ pose = {.orientation.w = 1.0};
    for (size_t i = 0; i < plan->count; i++) {
        const rp_planar_t *at = &plan->poses[i];
        if (i == 0 || at->yaw != plan->poses[i - 1].yaw) { // most go straight on
            rp_planar_turn(at->yaw, &pose.orientation.z, &pose.orientation.w);
        }
        pose.position = (geometry_msgs_msg_dds__Point_){at->x_m, at->y_m, 0.0};
        path.poses._buffer[i].header = path.header;
        path.poses._buffer[i].pose = pose;
    }
    rp_ros_peer_publish(self, RP_ROS_OUT_PLAN, &path);
    free(path.poses._buffer);
}

// ---- markers

static visualization_msgs_msg_dds__Marker_ marker_of(const rp_ros_news_t *news, int32_t id,
                                                     int32_t type, const rp_planar_t *at)
{
    visualization_msgs_msg_dds__Marker_ marker = {
        .header = header_of(news),
        .ns = marker_namespace,
        .id = id,
        .type = type,
        .action = MARKER_ADD,
        .pose = pose_of(at),
        .color = {0.1f, 0.6f, 1.0f, 1.0f},
        .texture_resource = empty,
        .texture = {.header = {.frame_id = empty}, .format = empty},
        .text = empty,
        .mesh_resource = empty,
        .mesh_file = {.filename = empty},
    };
    return marker;
}

/// The path as a line. @param points  [count of the plan]
static visualization_msgs_msg_dds__Marker_ line_of(const rp_ros_news_t *news,
                                                   geometry_msgs_msg_dds__Point_ *points)
{
    const rp_planar_t none = {0};
    visualization_msgs_msg_dds__Marker_ marker = marker_of(news, 0, MARKER_LINE_STRIP, &none);
    for (size_t i = 0; i < news->plan->count; i++) {
        points[i] = (geometry_msgs_msg_dds__Point_){news->plan->poses[i].x_m,
                                                    news->plan->poses[i].y_m, 0.0};
    }
    marker.scale.x = LINE_M;
    marker.points._buffer = points;
    marker.points._length = marker.points._maximum = (uint32_t)news->plan->count;
    marker.action = news->plan->count > 1 ? MARKER_ADD : MARKER_DELETE;
    return marker;
}

/// Where the path before is blocked.
static visualization_msgs_msg_dds__Marker_ block_of(const rp_ros_news_t *news)
{
    visualization_msgs_msg_dds__Marker_ marker = marker_of(news, 1, MARKER_SPHERE, &news->blocked);
    marker.color = (std_msgs_msg_dds__ColorRGBA_){1.0f, 0.2f, 0.1f, 0.8f};
    marker.scale = (geometry_msgs_msg_dds__Vector3_){BLOCK_M, BLOCK_M, BLOCK_M};
    marker.action = news->is_broken ? MARKER_ADD : MARKER_DELETE;
    return marker;
}

static visualization_msgs_msg_dds__Marker_ goal_of(const rp_ros_news_t *news)
{
    visualization_msgs_msg_dds__Marker_ marker = marker_of(news, 2, MARKER_ARROW, &news->goal);
    marker.scale = (geometry_msgs_msg_dds__Vector3_){GOAL_M, LINE_M * 2.0, LINE_M * 2.0};
    return marker;
}

/// Why this plan came, where it begins.
static visualization_msgs_msg_dds__Marker_ text_of(const rp_ros_news_t *news, char *text)
{
    const rp_planar_t *at = news->plan->count != 0 ? &news->plan->poses[0] : &news->goal;
    visualization_msgs_msg_dds__Marker_ marker = marker_of(news, 3, MARKER_TEXT, at);
    marker.pose.position.z = ABOVE_M;
    marker.scale.z = TEXT_M;
    marker.text = text;
    return marker;
}

static void publish_markers(rp_ros_peer_t *self, const rp_ros_news_t *news)
{
    char text[100];
    geometry_msgs_msg_dds__Point_ *points = malloc((news->plan->count + 1u) * sizeof *points);
    if (points == NULL) {
        rp_ros_fault(self->faults, RP_ROS_FAULT_WRITE, "no memory for markers");
        return;
    }
    (void)snprintf(text, sizeof text, "%s, %s, cost %.2f", news->outcome, news->reason, news->cost);
    visualization_msgs_msg_dds__Marker_ markers[] = {line_of(news, points), block_of(news),
                                                     goal_of(news), text_of(news, text)};
    const uint32_t count = sizeof markers / sizeof markers[0];
    const visualization_msgs_msg_dds__MarkerArray_ array = {
        .markers = {._buffer = markers, ._length = count, ._maximum = count}};
    rp_ros_peer_publish(self, RP_ROS_OUT_MARKERS, &array);
    free(points);
}

void rp_ros_peer_plan(rp_ros_peer_t *self, const rp_ros_news_t *news)
{
    publish_path(self, news);
    if (rp_ros_peer_matches(self, RP_ROS_OUT_MARKERS) != 0) {
        publish_markers(self, news);
    }
}
