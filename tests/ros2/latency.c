/// How long from an update that blocks the path until a path on DDS that avoids it: a robot that
/// blocks 6 x 6 cells on its path, and waits for a plan that is free in its own copy of the map.
///
///     ros2_latency DOMAIN SIDE COUNT updates|grids
///
/// Prints one line: the number of plans, and microseconds as p50, p90, p99 and the greatest. Needs
/// a replan-ros2 with map_topic map, map_kind map, subscribe_to_updates true.
#include <dds/dds.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "messages.h"

#define CELL_M 0.05
#define BLOCK  6u

static dds_entity_t participant, grids, updates, transforms, goals, plans, waits;
static uint32_t side;
static int8_t *cells;  ///< as the robot knows them [side * side]
static uint32_t *path; ///< cells of the newest plan [length]
static uint32_t length;
static bool sends_grids;

static void fail(const char *what)
{
    fprintf(stderr, "ros2_latency: %s\n", what);
    exit(3);
}

static uint64_t now_us(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

static dds_qos_t *qos_of(bool is_latched, int depth)
{
    const dds_data_representation_id_t xcdr1 = DDS_DATA_REPRESENTATION_XCDR1;
    dds_qos_t *qos = dds_create_qos();
    dds_qset_data_representation(qos, 1, &xcdr1);
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(10));
    dds_qset_durability(qos, is_latched ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, depth);
    dds_qset_durability_service(qos, 0, DDS_HISTORY_KEEP_LAST, depth, -1, -1, -1);
    return qos;
}

static dds_entity_t open_endpoint(const char *topic, const dds_topic_descriptor_t *type,
                                  bool is_writer, bool is_latched)
{
    dds_qos_t *qos = qos_of(is_latched, is_latched ? 1 : 100);
    const dds_entity_t made = dds_create_topic(participant, type, topic, NULL, NULL);
    const dds_entity_t endpoint = is_writer ? dds_create_writer(participant, made, qos, NULL)
                                            : dds_create_reader(participant, made, qos, NULL);
    dds_delete_qos(qos);
    if (endpoint < 0) {
        fail(topic);
    }
    return endpoint;
}

static void open_all(int domain)
{
    participant = dds_create_participant((dds_domainid_t)domain, NULL, NULL);
    grids = open_endpoint("rt/map", &nav_msgs_msg_dds__OccupancyGrid__desc, true, true);
    updates =
        open_endpoint("rt/map_updates", &map_msgs_msg_dds__OccupancyGridUpdate__desc, true, false);
    transforms = open_endpoint("rt/tf", &tf2_msgs_msg_dds__TFMessage__desc, true, false);
    goals = open_endpoint("rt/goal_pose", &geometry_msgs_msg_dds__PoseStamped__desc, true, false);
    plans = open_endpoint("rt/replan/plan", &nav_msgs_msg_dds__Path__desc, false,
                          true); // also what comes before the bridge knows of this reader
    waits = dds_create_waitset(participant);
    (void)dds_set_status_mask(plans, DDS_DATA_AVAILABLE_STATUS);
    (void)dds_waitset_attach(waits, plans, 1);
}

static void await_matches(void)
{
    const dds_entity_t writers[] = {grids, updates, transforms, goals};
    const uint64_t until_us = now_us() + 60000000u;
    for (size_t i = 0; i < 4; i++) {
        while (dds_get_matched_subscriptions(writers[i], NULL, 0) < 1) {
            if (now_us() > until_us) {
                fail("no bridge was found");
            }
            dds_sleepfor(DDS_MSECS(5));
        }
    }
}

static std_msgs_msg_dds__Header_ header_of(const char *frame)
{
    static int32_t seconds = 1;
    return (std_msgs_msg_dds__Header_){.stamp = {.sec = seconds++}, .frame_id = (char *)frame};
}

static void write_grid(void)
{
    const uint32_t size = side * side;
    const nav_msgs_msg_dds__OccupancyGrid_ grid = {
        .header = header_of("map"),
        .info = {.resolution = (float)CELL_M,
                 .width = side,
                 .height = side,
                 .origin = {.orientation = {.w = 1.0}}},
        .data = {._buffer = cells, ._length = size, ._maximum = size}};
    if (dds_write(grids, &grid) != DDS_RETCODE_OK) {
        fail("a grid is not written");
    }
}

static void write_block(uint32_t x, uint32_t y, int8_t value)
{
    int8_t bytes[BLOCK * BLOCK];
    memset(bytes, value, sizeof bytes);
    for (uint32_t row = y; row < y + BLOCK; row++) {
        memset(cells + (size_t)row * side + x, value, BLOCK);
    }
    if (sends_grids) {
        write_grid();
        return;
    }
    const map_msgs_msg_dds__OccupancyGridUpdate_ update = {
        .header = header_of("map"),
        .x = (int32_t)x,
        .y = (int32_t)y,
        .width = BLOCK,
        .height = BLOCK,
        .data = {._buffer = bytes, ._length = sizeof bytes, ._maximum = sizeof bytes}};
    if (dds_write(updates, &update) != DDS_RETCODE_OK) {
        fail("an update is not written");
    }
}

static void write_robot(void)
{
    geometry_msgs_msg_dds__TransformStamped_ transform = {
        .header = header_of("map"),
        .child_frame_id = (char *)"base_link",
        .transform = {.translation = {10.5 * CELL_M, 10.5 * CELL_M, 0.0}, .rotation = {.w = 1.0}}};
    const tf2_msgs_msg_dds__TFMessage_ message = {
        .transforms = {._buffer = &transform, ._length = 1, ._maximum = 1}};
    const double end = (side - 10.5) * CELL_M;
    const geometry_msgs_msg_dds__PoseStamped_ goal = {
        .header = {.frame_id = (char *)"map"},
        .pose = {.position = {end, end, 0.0}, .orientation = {.w = 1.0}}};
    if (dds_write(transforms, &message) != DDS_RETCODE_OK ||
        dds_write(goals, &goal) != DDS_RETCODE_OK) {
        fail("robot or goal are not written");
    }
}

/// @return whether it leads to the goal and is free in the robot's own map
static bool take_path(const nav_msgs_msg_dds__Path_ *plan)
{
    length = plan->poses._length;
    bool is_free = length > 1;
    for (uint32_t i = 0; i < length; i++) {
        const geometry_msgs_msg_dds__Point_ *at = &plan->poses._buffer[i].pose.position;
        path[i] = (uint32_t)(at->y / CELL_M) * side + (uint32_t)(at->x / CELL_M);
        is_free = is_free && cells[path[i]] == 0;
    }
    return is_free && path[length - 1] == (side - 11u) * side + side - 11u;
}

static void await_path(void)
{
    const uint64_t until_us = now_us() + 60000000u;
    for (;;) {
        void *samples[1] = {NULL};
        dds_sample_info_t info[1];
        dds_attach_t woken;
        bool is_right = false;
        while (dds_take(plans, samples, info, 1, 1) == 1) {
            is_right = info[0].valid_data && take_path(samples[0]);
            (void)dds_return_loan(plans, samples, 1);
            samples[0] = NULL;
        }
        if (is_right) {
            return;
        }
        if (now_us() > until_us) {
            fail("no plan came");
        }
        (void)dds_waitset_wait(waits, &woken, 1, DDS_SECS(1));
    }
}

/// Free ground, and short walls by chance.
static void make_map(void)
{
    cells = calloc((size_t)side * side, 1);
    path = calloc((size_t)side * side, sizeof *path);
    if (cells == NULL || path == NULL) {
        fail("no memory");
    }
    for (uint32_t wall = 0; wall < side / 10u; wall++) {
        const uint32_t x = 20u + (uint32_t)rand() % (side - 60u);
        const uint32_t y = 20u + (uint32_t)rand() % (side - 60u);
        const bool is_upright = (rand() & 1) != 0;
        for (uint32_t i = 0; i < 20u; i++) {
            cells[is_upright ? (y + i) * side + x : y * side + x + i] = 100;
        }
    }
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fail("usage: ros2_latency DOMAIN SIDE COUNT updates|grids");
    }
    const uint32_t count = (uint32_t)atoi(argv[3]);
    side = (uint32_t)atoi(argv[2]);
    sends_grids = strcmp(argv[4], "grids") == 0;
    uint64_t *times_us = calloc(count + 1u, sizeof *times_us);
    srand(34);
    make_map();
    open_all(atoi(argv[1]));
    await_matches();
    write_grid();
    write_robot();
    await_path();
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = path[length / 5u + (uint32_t)rand() % (length * 3u / 5u)];
        const uint32_t x = at % side - BLOCK / 2u, y = at / side - BLOCK / 2u;
        int8_t before[BLOCK * BLOCK];
        for (uint32_t row = 0; row < BLOCK; row++) {
            memcpy(before + row * BLOCK, cells + (size_t)(y + row) * side + x, BLOCK);
        }
        const uint64_t began_us = now_us();
        write_block(x, y, 100);
        await_path();
        times_us[i] = now_us() - began_us;
        if (memchr(before, 100, sizeof before) == NULL) { // walls stay
            write_block(x, y, 0);
        }
        dds_sleepfor(DDS_MSECS(5)); // so that each plan has one cause
    }
    qsort(times_us, count, sizeof *times_us, compare);
    printf("plans %" PRIu32 " p50 %" PRIu64 " p90 %" PRIu64 " p99 %" PRIu64 " max %" PRIu64 "\n",
           count, times_us[count / 2u], times_us[count * 9u / 10u], times_us[count * 99u / 100u],
           times_us[count - 1u]);
    (void)dds_delete(DDS_CYCLONEDDS_HANDLE);
    return 0;
}
