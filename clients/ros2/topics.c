#include "clients/ros2/topics.h"

#include <stdio.h>
#include <string.h>

#include "messages.h"

#define LATCHED  true
#define RELIABLE true

static const rp_ros_topic_kind_t kinds[RP_ROS_TOPICS] = {
    [RP_ROS_IN_GRID] = {NULL, &nav_msgs_msg_dds__OccupancyGrid__desc,
                        "RIHS01_8d348150c12913a31ee0ec170fbf25089e4745d17035792a1ba94d6f0bc0cfc7",
                        RELIABLE, LATCHED, 1},
    [RP_ROS_IN_UPDATES] =
        {NULL, &map_msgs_msg_dds__OccupancyGridUpdate__desc,
         "RIHS01_c4095b0be2e4363f8978a1570e0293ee093436f1e1c61d99b48502ac317025e8", RELIABLE,
         !LATCHED, 0},
    [RP_ROS_IN_TF] = {"/tf", &tf2_msgs_msg_dds__TFMessage__desc,
                      "RIHS01_e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087",
                      RELIABLE, !LATCHED, 100},
    [RP_ROS_IN_TF_STATIC] =
        {"/tf_static", &tf2_msgs_msg_dds__TFMessage__desc,
         "RIHS01_e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087", RELIABLE,
         LATCHED, 100},
    [RP_ROS_IN_ODOM] = {"odom", &nav_msgs_msg_dds__Odometry__desc,
                        "RIHS01_3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0",
                        !RELIABLE, !LATCHED, 5},
    [RP_ROS_IN_AMCL] = {"amcl_pose", &geometry_msgs_msg_dds__PoseWithCovarianceStamped__desc,
                        "RIHS01_26432f9803e43727d3c8f668d1fdb3c630f548af631e2f4e31382371bfea3b6e",
                        RELIABLE, LATCHED, 1},
    [RP_ROS_IN_GOAL] = {"goal_pose", &geometry_msgs_msg_dds__PoseStamped__desc,
                        "RIHS01_10f3786d7d40fd2b54367835614bff85d4ad3b5dab62bf8bca0cc232d73b4cd8",
                        RELIABLE, !LATCHED, 10},
    [RP_ROS_OUT_PLAN] = {"replan/plan", &nav_msgs_msg_dds__Path__desc,
                         "RIHS01_1957a5bb3cee5da65c4e52e52b65a93df227efce4c20f8458b36e73066ca334b",
                         RELIABLE, LATCHED, 1},
    [RP_ROS_OUT_MARKERS] =
        {"replan/markers", &visualization_msgs_msg_dds__MarkerArray__desc,
         "RIHS01_86cb8800b6fb05b5eff1abd7a56f62a5641d3ae9a1c29e78e67e704f1d067dcf", RELIABLE,
         LATCHED, 1},
    [RP_ROS_OUT_DIAGNOSTICS] =
        {"/diagnostics", &diagnostic_msgs_msg_dds__DiagnosticArray__desc,
         "RIHS01_5a8a36efb05fb25070fa0fb3810290c0e6cd4862b54a8fb975a1ee8dc55a333e", RELIABLE,
         !LATCHED, 10},
};

static const rp_ros_topic_kind_t raw_kinds[] = {
    [RP_ROS_IN_GRID] = {NULL, &nav2_msgs_msg_dds__Costmap__desc,
                        "RIHS01_d51bf7aecafdbb3f8f98215de648abe6d53f8db69156d6e143125d2ad2bf0027",
                        RELIABLE, LATCHED, 1},
    [RP_ROS_IN_UPDATES] =
        {NULL, &nav2_msgs_msg_dds__CostmapUpdate__desc,
         "RIHS01_b44706e1f0906a3f72a1640bc2153e85576ff8e8ad203ec48b78c187669168a2", RELIABLE,
         !LATCHED, 0},
};

bool rp_ros_topic_may_be_volatile(rp_ros_topic_t topic)
{
    return topic == RP_ROS_IN_GRID || topic == RP_ROS_IN_AMCL;
}

rp_ros_topic_kind_t rp_ros_topic_kind(const rp_ros_settings_t *settings, rp_ros_topic_t topic,
                                      char *name)
{
    const bool is_grid = topic == RP_ROS_IN_GRID || topic == RP_ROS_IN_UPDATES;
    const bool is_raw = settings->map_kind == RP_ROS_COSTMAP_RAW;
    rp_ros_topic_kind_t kind = is_grid && is_raw ? raw_kinds[topic] : kinds[topic];
    if (is_grid) {
        (void)snprintf(name, RP_ROS_NAME + 16u, "%s%s", settings->map_topic,
                       topic == RP_ROS_IN_UPDATES ? "_updates" : "");
        kind.topic = name;
    }
    if (rp_ros_topic_may_be_volatile(topic)) {
        kind.is_latched = settings->map_subscribe_transient_local;
    }
    return kind;
}

bool rp_ros_topic_is_used(const rp_ros_settings_t *settings, rp_ros_topic_t topic)
{
    switch (topic) {
    case RP_ROS_IN_UPDATES:
        return settings->subscribe_to_updates;
    case RP_ROS_IN_ODOM:
        return settings->pose_source == RP_ROS_POSE_ODOM;
    case RP_ROS_IN_AMCL:
        return settings->pose_source == RP_ROS_POSE_AMCL;
    default:
        return true;
    }
}

rp_ros_topic_t rp_ros_topic_of_pose(const rp_ros_settings_t *settings)
{
    static const rp_ros_topic_t sources[] = {
        [RP_ROS_POSE_TF] = RP_ROS_IN_TF,
        [RP_ROS_POSE_ODOM] = RP_ROS_IN_ODOM,
        [RP_ROS_POSE_AMCL] = RP_ROS_IN_AMCL,
    };
    return sources[settings->pose_source];
}

dds_qos_t *rp_ros_topic_qos(const rp_ros_topic_kind_t *kind, bool is_writer)
{
    static const dds_data_representation_id_t xcdr1[] = {DDS_DATA_REPRESENTATION_XCDR1};
    char user_data[96];
    dds_qos_t *qos = dds_create_qos();
    const dds_history_kind_t history =
        kind->depth != 0 ? DDS_HISTORY_KEEP_LAST : DDS_HISTORY_KEEP_ALL;
    const int32_t depth = kind->depth != 0 ? kind->depth : 1;
    dds_qset_data_representation(qos, 1, xcdr1);
    dds_qset_reliability(qos,
                         kind->is_reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                         DDS_MSECS(100));
    dds_qset_durability(qos, kind->is_latched ? DDS_DURABILITY_TRANSIENT_LOCAL
                                              : DDS_DURABILITY_VOLATILE);
    dds_qset_history(qos, history, depth);
    if (kind->depth == 0) {
        dds_qset_resource_limits(qos, RP_ROS_BACKLOG, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
    }
    if (is_writer && kind->is_latched) { // Cyclone keeps for late readers what this says
        dds_qset_durability_service(qos, 0, history, depth, DDS_LENGTH_UNLIMITED,
                                    DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
    }
    const int length = snprintf(user_data, sizeof user_data, "typehash=%s;", kind->hash);
    dds_qset_userdata(qos, user_data, (size_t)length);
    return qos;
}

const char *rp_ros_policy_text(uint32_t policy)
{
    switch (policy) {
    case DDS_DURABILITY_QOS_POLICY_ID:
        return "durability";
    case DDS_RELIABILITY_QOS_POLICY_ID:
        return "reliability";
    case DDS_DEADLINE_QOS_POLICY_ID:
        return "deadline";
    case DDS_LIVELINESS_QOS_POLICY_ID:
        return "liveliness";
    case DDS_DATA_REPRESENTATION_QOS_POLICY_ID:
        return "data representation";
    default:
        return "QoS";
    }
}
