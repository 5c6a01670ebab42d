/// How the bridge is, once a second: one sentence, and behind it counts and what was refused.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "clients/ros2/peer.h"
#include "messages.h"

#define VALUES  40u
#define ROOM    4096u
#define FULL_MS INT64_C(10000) ///< without a full grid: what updates left may be old

/// Keys and values while they are made. Their texts stand in `room`.
typedef struct sheet {
    diagnostic_msgs_msg_dds__KeyValue_ values[VALUES];
    uint32_t count;
    char room[ROOM];
    size_t used;
} sheet_t;

static void add(sheet_t *self, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(sheet_t *self, const char *key, const char *format, ...)
{
    va_list arguments;
    char *text = self->room + self->used;
    const size_t room = ROOM - self->used;
    va_start(arguments, format);
    const int length = vsnprintf(text, room, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < room && self->count < VALUES) {
        self->used += (size_t)length + 1u;
        self->values[self->count++] =
            (diagnostic_msgs_msg_dds__KeyValue_){.key = (char *)key, .value = text};
    }
}

static void add_state(sheet_t *sheet, const rp_ros_peer_t *self, const rp_ros_state_t *state)
{
    const rp_ros_costmap_t *costmap = state->costmap;
    const int64_t now_ms = self->faults->now_ms;
    const rp_ros_footprint_t *footprint = &self->settings->footprint;
    add(sheet, "ready", "%s", rp_ros_peer_is_ready(self) ? "true" : "false");
    add(sheet, "outcome", "%s", state->outcome);
    add(sheet, "reason", "%s", state->reason);
    add(sheet, "plans", "%llu", (unsigned long long)state->plans);
    add(sheet, "grids", "%llu", (unsigned long long)costmap->grids);
    add(sheet, "updates", "%llu", (unsigned long long)costmap->updates);
    add(sheet, "transforms", "%llu", (unsigned long long)state->transforms);
    add(sheet, "window", "%llu", (unsigned long long)state->window);
    if (costmap->grids != 0) {
        add(sheet, "grid age s", "%.1f", (double)(now_ms - costmap->full_ms) * 1e-3);
    }
    if (state->has_pose) {
        add(sheet, "pose age s", "%.1f", (double)(now_ms - state->pose_ms) * 1e-3);
    }
    if (rp_ros_settings_is_swept(self->settings)) {
        add(sheet, "footprint", "%zu corners, swept as they are", footprint->count);
    } else if (footprint->count != 0) {
        add(sheet, "footprint", "%zu corners, its inscribed radius %.3f m is used",
            footprint->count, rp_ros_settings_radius_m(self->settings));
    }
}

static void add_matches(sheet_t *sheet, const rp_ros_peer_t *self)
{
    for (unsigned topic = 0; topic < RP_ROS_TOPICS; topic++) {
        if (self->endpoints[topic] > 0) {
            add(sheet, self->names[topic], "%u %s",
                rp_ros_peer_matches(self, (rp_ros_topic_t)topic),
                topic < RP_ROS_OUT_PLAN ? "writers" : "readers");
        }
    }
}

static void add_faults(sheet_t *sheet, const rp_ros_faults_t *faults)
{
    for (unsigned i = 0; i < RP_ROS_FAULT_COUNT; i++) {
        const rp_ros_fault_t *fault = &faults->kinds[i];
        if (fault->count != 0) {
            add(sheet, rp_ros_fault_text((rp_ros_fault_kind_t)i), "%llu: %s",
                (unsigned long long)fault->count, fault->sentence);
        }
    }
}

/// Why it is not known where the robot is.
static void say_no_pose(const rp_ros_peer_t *self, const rp_ros_state_t *state, char *text,
                        size_t size)
{
    const bool is_tf = self->settings->pose_source == RP_ROS_POSE_TF;
    const char *topic = self->names[rp_ros_topic_of_pose(self->settings)];
    if (!is_tf && state->pose_frame[0] == '\0') {
        (void)snprintf(text, size, "no pose came yet on %s", topic);
    } else {
        (void)snprintf(text, size, "where the robot is, is not known by %s: %s in %s: %s", topic,
                       is_tf ? self->settings->robot_base_frame : state->pose_frame,
                       state->costmap->frame_id, state->pose_status);
    }
}

/// What the newest plan is, to a person before a robot that stands. @return the level
static uint8_t say_outcome(const rp_ros_state_t *state, char *text, size_t size)
{
    static const char *const troubles[][2] = {
        {"no_path", "no way leads from the robot to the goal"},
        {"start_blocked", "the robot stands where nothing may drive, and no way leads out"},
        {"goal_blocked", "the goal lies where nothing may drive"},
        {"outside", "the robot lies outside of the grid, or the goal does"},
    };
    for (size_t i = 0; i < sizeof troubles / sizeof troubles[0]; i++) {
        if (strcmp(state->outcome, troubles[i][0]) == 0) {
            (void)snprintf(text, size, "%s: %s", state->outcome, troubles[i][1]);
            return 1;
        }
    }
    if (state->short_m > 0.0) {
        (void)snprintf(text, size, "%s: the plan ends %.2f m before the goal, no way leads nearer",
                       state->outcome, state->short_m);
    } else {
        (void)snprintf(text, size, "%s", state->outcome);
    }
    return 0;
}

/// In one sentence, how it is. @return the level: 0 fine, 1 a warning
static uint8_t summarize(const rp_ros_peer_t *self, const rp_ros_state_t *state, char *text,
                         size_t size)
{
    const rp_ros_settings_t *settings = self->settings;
    const int64_t full_ms = self->faults->now_ms - state->costmap->full_ms;
    rp_ros_fault_kind_t newest;
    if (state->costmap->grids == 0) {
        (void)snprintf(text, size, "no grid came yet on %s", self->names[RP_ROS_IN_GRID]);
    } else if (!state->has_world) {
        (void)snprintf(text, size, "the daemon at %s does not show the grid", settings->control);
    } else if (!state->has_pose) {
        say_no_pose(self, state, text, size);
    } else if (settings->subscribe_to_updates && full_ms > FULL_MS) {
        (void)snprintf(text, size,
                       "no full grid for %.0f s: a lost update cannot be seen, set "
                       "always_send_full_costmap",
                       (double)full_ms * 1e-3);
    } else if (rp_ros_faults_are_new(self->faults, &newest)) {
        (void)snprintf(text, size, "%s: %s", rp_ros_fault_text(newest),
                       self->faults->kinds[newest].sentence);
    } else if (state->has_goal) {
        return say_outcome(state, text, size);
    } else {
        (void)snprintf(text, size, "no goal");
        return 0;
    }
    return 1;
}

void rp_ros_peer_diagnose(rp_ros_peer_t *self, const rp_ros_bridge_t *bridge)
{
    const rp_ros_state_t state = rp_ros_bridge_state(bridge);
    sheet_t sheet = {.count = 0};
    char message[300], name[RP_LIMIT_NAME * 2u + 16u];
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)snprintf(name, sizeof name, "replan: %s/%s", self->settings->world,
                   self->settings->agent);
    diagnostic_msgs_msg_dds__DiagnosticStatus_ status = {
        .level = summarize(self, &state, message, sizeof message),
        .name = name,
        .message = message,
        .hardware_id = (char *)"",
    };
    add_state(&sheet, self, &state);
    add_matches(&sheet, self);
    add_faults(&sheet, self->faults);
    status.values._buffer = sheet.values;
    status.values._length = status.values._maximum = sheet.count;
    const diagnostic_msgs_msg_dds__DiagnosticArray_ array = {
        .header = {.stamp = {.sec = (int32_t)now.tv_sec, .nanosec = (uint32_t)now.tv_nsec},
                   .frame_id = (char *)""},
        .status = {._buffer = &status, ._length = 1, ._maximum = 1},
    };
    rp_ros_peer_publish(self, RP_ROS_OUT_DIAGNOSTICS, &array);
}
