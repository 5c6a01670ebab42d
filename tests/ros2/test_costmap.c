/// Grids and updates of a robot as bytes of a world: what they change, and what is refused.
#include "clients/ros2/costmap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

#define WIDTH  6u
#define HEIGHT 4u
#define CELLS  (WIDTH * HEIGHT)

static rp_ros_costmap_t costmap;
static rp_ros_faults_t faults;
static rp_ros_bytes_t raw;
static uint8_t data[CELLS];
static rp_ros_grid_t grid;
static rp_ros_rect_t rect;

static void begin(void)
{
    faults = (rp_ros_faults_t){.now_ms = 1000};
    raw = rp_ros_bytes_of(RP_ROS_COSTMAP_RAW, 65);
    memset(data, 0, sizeof data);
    grid = (rp_ros_grid_t){.frame_id = "map",
                           .stamp_ns = 5,
                           .resolution = 0.05f,
                           .width = WIDTH,
                           .height = HEIGHT,
                           .origin = {.x = -1.0, .y = 2.0, .qw = 1.0},
                           .data = data,
                           .size = CELLS};
}

static void tear_down(void)
{
    rp_ros_costmap_fini(&costmap);
}

static rp_ros_change_t take(void)
{
    return rp_ros_costmap_take(&costmap, &grid, &raw, "", &rect, &faults);
}

static int64_t update_stamp_ns = 6;

static rp_ros_change_t update(int64_t x, int64_t y, uint32_t width, uint32_t height,
                              const uint8_t *bytes, size_t size)
{
    const rp_ros_grid_update_t message = {.frame_id = "map",
                                          .stamp_ns = update_stamp_ns,
                                          .x = x,
                                          .y = y,
                                          .width = width,
                                          .height = height,
                                          .data = bytes,
                                          .size = size};
    return rp_ros_costmap_update(&costmap, &message, &raw, &rect, &faults);
}

static void check_rect(uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    ck_assert_uint_eq(rect.x, x);
    ck_assert_uint_eq(rect.y, y);
    ck_assert_uint_eq(rect.width, width);
    ck_assert_uint_eq(rect.height, height);
}

/// What is taken is refused, counted once and told by this sentence, and changes nothing.
static void check_refused(rp_ros_fault_kind_t kind, const char *sentence)
{
    const rp_ros_costmap_t before = costmap;
    const uint64_t count = faults.kinds[kind].count;
    ck_assert_int_eq(take(), RP_ROS_NOTHING);
    ck_assert_uint_eq(faults.kinds[kind].count, count + 1);
    ck_assert_str_eq(faults.kinds[kind].sentence, sentence);
    ck_assert_mem_eq(&costmap, &before, sizeof before);
}

START_TEST(the_first_grid_is_a_world)
{
    begin();
    data[7] = 254;
    ck_assert_int_eq(take(), RP_ROS_WORLD);
    ck_assert_str_eq(costmap.frame_id, "map");
    ck_assert_double_eq(costmap.resolution_m, 0.05); // and not 0.0500000007
    ck_assert_mem_eq(costmap.bytes, data, CELLS);
    ck_assert_uint_eq(costmap.grids, 1);
}
END_TEST

START_TEST(what_changed_is_the_least_rectangle)
{
    begin();
    take();
    ck_assert_int_eq(take(), RP_ROS_NOTHING);
    data[WIDTH + 2] = 1;
    data[2 * WIDTH + 4] = 253;
    ck_assert_int_eq(take(), RP_ROS_CELLS);
    check_rect(2, 1, 3, 2);
    ck_assert_mem_eq(costmap.bytes, data, CELLS);
    data[CELLS - 1] = 9;
    ck_assert_int_eq(take(), RP_ROS_CELLS);
    check_rect(WIDTH - 1, HEIGHT - 1, 1, 1);
}
END_TEST

START_TEST(another_origin_or_size_is_a_window)
{
    begin();
    take();
    grid.origin.x += 0.013;
    ck_assert_int_eq(take(), RP_ROS_WINDOW);
    ck_assert_double_eq(costmap.origin.x_m, -1.0 + 0.013);
    grid.width = HEIGHT;
    grid.height = WIDTH;
    data[3] = 77;
    ck_assert_int_eq(take(), RP_ROS_WINDOW);
    ck_assert_mem_eq(costmap.bytes, data, CELLS);
}
END_TEST

START_TEST(another_frame_resolution_or_yaw_is_a_world)
{
    begin();
    take();
    grid.frame_id = "odom";
    ck_assert_int_eq(take(), RP_ROS_WORLD);
    grid.resolution = 0.1f;
    ck_assert_int_eq(take(), RP_ROS_WORLD);
    grid.origin.qz = sin(0.1);
    grid.origin.qw = cos(0.1);
    ck_assert_int_eq(take(), RP_ROS_WORLD);
    ck_assert_double_eq_tol(costmap.origin.yaw, 0.2, 1e-12);
    ck_assert_int_eq(take(), RP_ROS_NOTHING);
}
END_TEST

START_TEST(grids_whose_sizes_do_not_fit_are_refused)
{
    begin();
    take();
    grid.size = CELLS - 1;
    check_refused(RP_ROS_FAULT_GRID, "6 x 4 cells, but 23 bytes");
    grid.size = CELLS + 1;
    check_refused(RP_ROS_FAULT_GRID, "6 x 4 cells, but 25 bytes");
    grid.size = 0;
    grid.width = grid.height = 0;
    check_refused(RP_ROS_FAULT_GRID, "0 x 0 cells");
    grid.width = 16385;
    grid.height = 1;
    grid.size = 16385;
    check_refused(RP_ROS_FAULT_GRID, "16385 x 1 cells, at most 16384 a side and 267911424 in all");
    grid.width = grid.height = UINT32_MAX; // their product is 1 modulo 2^32
    grid.size = 1;
    check_refused(RP_ROS_FAULT_GRID,
                  "4294967295 x 4294967295 cells, at most 16384 a side and 267911424 in all");
}
END_TEST

START_TEST(grids_without_a_place_are_refused)
{
    begin();
    take();
    const rp_ros_grid_t good = grid;
    grid.resolution = NAN;
    check_refused(RP_ROS_FAULT_GRID, "resolution nan m is outside 0.0001..10000");
    grid.resolution = 0.0f;
    check_refused(RP_ROS_FAULT_GRID, "resolution 0 m is outside 0.0001..10000");
    grid = good;
    grid.origin.x = NAN;
    check_refused(RP_ROS_FAULT_GRID, "its origin has a position that is not finite");
    grid.origin.x = -1e10;
    check_refused(RP_ROS_FAULT_GRID, "its origin has a position beyond 1e9 m");
    grid = good;
    grid.origin.qw = 0.0;
    check_refused(RP_ROS_FAULT_GRID, "its origin has a quaternion of length 0");
    grid.origin.qw = 1.1;
    check_refused(RP_ROS_FAULT_GRID, "its origin has a quaternion whose length is not 1");
    grid.origin.qw = INFINITY;
    check_refused(RP_ROS_FAULT_GRID, "its origin has a quaternion that is not finite");
    grid = good;
    grid.frame_id = "";
    check_refused(RP_ROS_FAULT_GRID, "frame_id \"\" is not 1..64 printable characters");
    grid.frame_id = "a\nb";
    check_refused(RP_ROS_FAULT_GRID, "frame_id \"a?b\" is not 1..64 printable characters");
}
END_TEST

START_TEST(a_grid_of_another_frame_than_was_asked_for_is_refused)
{
    begin();
    ck_assert_int_eq(rp_ros_costmap_take(&costmap, &grid, &raw, "odom", &rect, &faults),
                     RP_ROS_NOTHING);
    ck_assert_str_eq(faults.kinds[RP_ROS_FAULT_GRID].sentence,
                     "it is in frame map, global_frame is odom");
    ck_assert_int_eq(rp_ros_costmap_take(&costmap, &grid, &raw, "map", &rect, &faults),
                     RP_ROS_WORLD);
}
END_TEST

START_TEST(an_update_changes_its_cells)
{
    const uint8_t bytes[4] = {0, 254, 0, 253};
    begin();
    take();
    ck_assert_int_eq(update(3, 1, 2, 2, bytes, 4), RP_ROS_CELLS);
    check_rect(4, 1, 1, 2);
    ck_assert_uint_eq(costmap.bytes[WIDTH + 4], 254);
    ck_assert_uint_eq(costmap.bytes[2 * WIDTH + 4], 253);
    ck_assert_int_eq(update(3, 1, 2, 2, bytes, 4), RP_ROS_NOTHING);
    ck_assert_int_eq(update(6, 4, 0, 0, bytes, 0), RP_ROS_NOTHING); // of nothing, inside
    ck_assert_uint_eq(faults.kinds[RP_ROS_FAULT_UPDATE].count, 0);
}
END_TEST

START_TEST(updates_that_do_not_fit_are_refused)
{
    static const struct {
        int64_t x, y;
        uint32_t width, height;
        size_t size;
    } bad[] = {
        {-1, 0, 2, 2, 4},        {0, -1, 2, 2, 4},         {5, 0, 2, 2, 4},
        {0, 3, 2, 2, 4},         {0, 0, 2, 2, 3},          {0, 0, 2, 2, 5},
        {INT32_MAX, 0, 2, 2, 4}, {UINT32_MAX, 0, 2, 2, 4}, {1, 1, UINT32_MAX, UINT32_MAX, 1},
    };
    const uint8_t bytes[5] = {9, 9, 9, 9, 9};
    begin();
    ck_assert_int_eq(update(0, 0, 2, 2, bytes, 4), RP_ROS_NOTHING); // before any grid
    ck_assert_str_eq(faults.kinds[RP_ROS_FAULT_UPDATE].sentence, "no full grid came yet");
    take();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(
            update(bad[i].x, bad[i].y, bad[i].width, bad[i].height, bytes, bad[i].size),
            RP_ROS_NOTHING);
        ck_assert_uint_eq(faults.kinds[RP_ROS_FAULT_UPDATE].count, i + 2);
    }
    ck_assert_mem_eq(costmap.bytes, data, CELLS);
}
END_TEST

START_TEST(an_update_older_than_the_grid_is_in_it_already)
{
    const uint8_t bytes[1] = {9};
    begin();
    grid.stamp_ns = 1000;
    take();
    ck_assert_int_eq(update(0, 0, 1, 1, bytes, 1), RP_ROS_NOTHING);
    ck_assert_uint_eq(faults.kinds[RP_ROS_FAULT_OLD].count, 1);
    update_stamp_ns = 0; // that is none
    ck_assert_int_eq(update(0, 0, 1, 1, bytes, 1), RP_ROS_CELLS);
    update_stamp_ns = 6;
    grid.stamp_ns = INT64_C(20000000000); // the clock is set back between them
    take();
    ck_assert_int_eq(update(0, 0, 1, 1, bytes, 1), RP_ROS_CELLS);
}
END_TEST

START_TEST(occupancies_of_a_costmap_are_its_bytes_again)
{
    begin();
    raw = rp_ros_bytes_of(RP_ROS_COSTMAP, 65);
    const int8_t told[CELLS] = {-1, 0, 1, 98, 99, 100};
    memcpy(data, told, CELLS);
    ck_assert_int_eq(take(), RP_ROS_WORLD);
    const uint8_t expected[6] = {255, 0, 1, 252, 253, 254};
    ck_assert_mem_eq(costmap.bytes, expected, 6);
}
END_TEST

START_TEST(a_map_is_occupied_from_its_threshold_on)
{
    begin();
    raw = rp_ros_bytes_of(RP_ROS_MAP, 65);
    const int8_t told[CELLS] = {-1, 0, 64, 65, 99, 100};
    memcpy(data, told, CELLS);
    ck_assert_int_eq(take(), RP_ROS_WORLD);
    const uint8_t expected[6] = {255, 0, 0, 254, 254, 254};
    ck_assert_mem_eq(costmap.bytes, expected, 6);
}
END_TEST

START_TEST(an_occupancy_that_is_none_is_refused)
{
    const uint8_t bytes[1] = {(uint8_t)-2};
    begin();
    raw = rp_ros_bytes_of(RP_ROS_MAP, 65);
    take();
    data[11] = 101;
    check_refused(RP_ROS_FAULT_GRID, "cell 11 is 101, not -1 or 0..100");
    ck_assert_int_eq(update(0, 0, 1, 1, bytes, 1), RP_ROS_NOTHING);
    ck_assert_str_eq(faults.kinds[RP_ROS_FAULT_UPDATE].sentence, "cell 0 is -2, not -1 or 0..100");
}
END_TEST

START_TEST(a_place_in_metres_has_a_byte)
{
    uint8_t byte = 0;
    begin();
    data[2 * WIDTH + 1] = 200;
    take();
    ck_assert(rp_ros_costmap_byte_at(&costmap, -1.0 + 0.07, 2.0 + 0.12, &byte));
    ck_assert_uint_eq(byte, 200);
    ck_assert(!rp_ros_costmap_byte_at(&costmap, -1.01, 2.0, &byte));
    ck_assert(!rp_ros_costmap_byte_at(&costmap, -1.0 + 0.31, 2.0, &byte));
    ck_assert(!rp_ros_costmap_byte_at(&costmap, NAN, 2.0, &byte));
}
END_TEST

START_TEST(floats_are_the_decimals_that_were_meant)
{
    ck_assert_double_eq(rp_ros_shortest_decimal(0.05f), 0.05);
    ck_assert_double_eq(rp_ros_shortest_decimal(0.1f), 0.1);
    ck_assert_double_eq(rp_ros_shortest_decimal(1.0f), 1.0);
    ck_assert_double_eq(rp_ros_shortest_decimal(0.025f), 0.025);
    srand(34);
    for (int i = 0; i < 1000; i++) {
        const float value = (float)rand() / 1e9f;
        ck_assert_float_eq((float)rp_ros_shortest_decimal(value), value);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_first_grid_is_a_world,
        what_changed_is_the_least_rectangle,
        another_origin_or_size_is_a_window,
        another_frame_resolution_or_yaw_is_a_world,
        grids_whose_sizes_do_not_fit_are_refused,
        grids_without_a_place_are_refused,
        a_grid_of_another_frame_than_was_asked_for_is_refused,
        an_update_changes_its_cells,
        updates_that_do_not_fit_are_refused,
        an_update_older_than_the_grid_is_in_it_already,
        occupancies_of_a_costmap_are_its_bytes_again,
        a_map_is_occupied_from_its_threshold_on,
        an_occupancy_that_is_none_is_refused,
        a_place_in_metres_has_a_byte,
        floats_are_the_decimals_that_were_meant,
    };
    return rp_suite_run("ros2_costmap", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
