/// What a robot says to replan-ros2, message after message: a byte tells the kind, its fields
/// follow as they lie in the input, texts and cells with a length before them.
#include <stdlib.h>
#include <string.h>

#include "clients/ros2/bridge.h"
#include "tests/fuzz/text.h"

typedef struct input {
    const uint8_t *bytes;
    size_t left;
} input_t;

/// What is missing at the end is 0.
static void take(input_t *self, void *to, size_t size)
{
    const size_t taken = size < self->left ? size : self->left;
    memset(to, 0, size);
    memcpy(to, self->bytes, taken);
    self->bytes += taken;
    self->left -= taken;
}

static uint8_t take_byte(input_t *self)
{
    uint8_t byte;
    take(self, &byte, sizeof byte);
    return byte;
}

/// Small numbers often, any number sometimes.
static uint32_t take_number(input_t *self)
{
    uint32_t number = take_byte(self);
    if (number >= 250) {
        take(self, &number, sizeof number);
    }
    return number;
}

/// Metres in small steps often, any double sometimes.
static double take_double(input_t *self)
{
    const uint8_t byte = take_byte(self);
    double number = ((double)byte - 100.0) / 10.0;
    if (byte >= 250) {
        take(self, &number, sizeof number);
    }
    return number;
}

static rp_ros_pose_t take_pose(input_t *self)
{
    rp_ros_pose_t pose = {.x = take_double(self), .y = take_double(self), .qw = 1.0};
    if (take_byte(self) >= 128) {
        pose.z = take_double(self);
        pose.qx = take_double(self);
        pose.qy = take_double(self);
        pose.qz = take_double(self);
        pose.qw = take_double(self);
    }
    return pose;
}

/// @param text  written [300]
static const char *take_text(input_t *self, char *text)
{
    static const char *const frames[] = {"map", "odom", "base_link", "/map", ""};
    const uint8_t kind = take_byte(self);
    if (kind < 240) {
        return frames[kind % (sizeof frames / sizeof frames[0])];
    }
    const uint8_t length = take_byte(self);
    take(self, text, length);
    text[length] = '\0';
    return text;
}

/// @param size  written
/// @return borrowed from the input
static const uint8_t *take_cells(input_t *self, size_t wanted, size_t *size)
{
    const uint8_t *cells = self->bytes;
    *size = wanted < self->left ? wanted : self->left;
    self->bytes += *size;
    self->left -= *size;
    return cells;
}

static void take_grid(input_t *self, rp_ros_bridge_t *bridge)
{
    char text[300];
    rp_ros_grid_t grid = {.frame_id = take_text(self, text),
                          .stamp_ns = take_number(self),
                          .resolution = (float)take_double(self),
                          .width = take_number(self),
                          .height = take_number(self)};
    grid.origin = take_pose(self);
    grid.data = take_cells(self, (size_t)grid.width * grid.height, &grid.size);
    rp_ros_bridge_grid(bridge, &grid);
}

static void take_update(input_t *self, rp_ros_bridge_t *bridge)
{
    char text[300];
    rp_ros_grid_update_t update = {.frame_id = take_text(self, text),
                                   .stamp_ns = take_number(self),
                                   .x = (int32_t)take_number(self),
                                   .y = (int32_t)take_number(self),
                                   .width = take_number(self),
                                   .height = take_number(self)};
    update.data = take_cells(self, (size_t)update.width * update.height, &update.size);
    rp_ros_bridge_update(bridge, &update);
}

static void take_transform(input_t *self, rp_ros_bridge_t *bridge, bool is_static)
{
    char parent[300], child[300];
    rp_ros_transform_t transform = {.frame_id = take_text(self, parent),
                                    .child_frame_id = take_text(self, child),
                                    .stamp_ns = take_number(self),
                                    .pose = take_pose(self)};
    rp_ros_bridge_transform(bridge, &transform, is_static);
}

static void take_stamped(input_t *self, rp_ros_bridge_t *bridge, bool is_goal)
{
    char text[300];
    const rp_ros_stamped_t stamped = {
        .frame_id = take_text(self, text), .stamp_ns = take_number(self), .pose = take_pose(self)};
    if (is_goal) {
        rp_ros_bridge_goal(bridge, &stamped);
    } else {
        rp_ros_bridge_pose(bridge, &stamped);
    }
}

static void take_message(input_t *self, rp_ros_bridge_t *bridge)
{
    switch (take_byte(self) % 6) {
    case 0:
        take_grid(self, bridge);
        break;
    case 1:
        take_update(self, bridge);
        break;
    case 2:
    case 3:
        take_transform(self, bridge, take_byte(self) % 2 == 0);
        break;
    case 4:
        take_stamped(self, bridge, true);
        break;
    default:
        take_stamped(self, bridge, false);
    }
}

/// What was taken in is whole, and within the limits of a world.
static void check(const rp_ros_bridge_t *bridge)
{
    const rp_ros_costmap_t *costmap = rp_ros_bridge_state(bridge).costmap;
    const uint64_t cells = (uint64_t)costmap->width * costmap->height;
    if (costmap->frame_id[0] != '\0' &&
        (costmap->bytes == NULL || cells == 0 || cells != costmap->capacity ||
         costmap->width > RP_LIMIT_SIDE || costmap->height > RP_LIMIT_SIDE)) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    input_t input = {bytes, size};
    rp_ros_settings_t settings;
    rp_ros_faults_t faults = {.now_ms = 1};
    rp_ros_settings_init(&settings);
    const uint8_t kind = take_byte(&input);
    settings.map_kind = kind % 3;
    settings.pose_source = kind / 3 % 3;
    for (unsigned i = 0; i < RP_ROS_FAULT_COUNT; i++) {
        faults.kinds[i].told_ms = 1; // and not told again within ten seconds
    }
    rp_ros_bridge_t *bridge = rp_ros_bridge_new(&settings, &faults);
    while (bridge != NULL && input.left != 0) {
        take_message(&input, bridge);
        check(bridge);
    }
    rp_ros_bridge_destroy(&bridge);
    return 0;
}
