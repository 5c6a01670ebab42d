/// What the bridge keeps of what a robot says, without a daemon.
#include "clients/ros2/bridge.h"

#include "tests/support/suite.h"

#define SIDE    4u
#define SECOND  INT64_C(1000000000)
#define WRONG   true ///< does not fit, and is refused
#define DYNAMIC false

static rp_ros_settings_t settings;
static rp_ros_faults_t faults;
static rp_ros_bridge_t *bridge;
static uint8_t data[SIDE * SIDE];

static void begin(void)
{
    faults = (rp_ros_faults_t){.now_ms = 1000};
    rp_ros_settings_init(&settings);
    settings.pose_source = RP_ROS_POSE_ODOM;
    bridge = rp_ros_bridge_new(&settings, &faults);
    ck_assert_ptr_nonnull(bridge);
}

static void tear_down(void)
{
    rp_ros_bridge_destroy(&bridge);
}

static void tell_grid(int64_t stamp_s, bool is_wrong)
{
    const rp_ros_grid_t grid = {.frame_id = "map",
                                .stamp_ns = stamp_s * SECOND,
                                .resolution = 0.05f,
                                .width = SIDE,
                                .height = SIDE,
                                .origin = {.qw = 1.0},
                                .data = data,
                                .size = sizeof data - is_wrong};
    rp_ros_bridge_grid(bridge, &grid);
}

static void tell_update(int64_t stamp_s, bool is_wrong)
{
    const rp_ros_grid_update_t update = {.frame_id = "map",
                                         .stamp_ns = stamp_s * SECOND,
                                         .width = 2,
                                         .height = 2,
                                         .data = data,
                                         .size = 4u - is_wrong};
    rp_ros_bridge_update(bridge, &update);
}

static void tell_transform(int64_t stamp_s, bool is_wrong)
{
    const rp_ros_transform_t transform = {.frame_id = "map",
                                          .child_frame_id = is_wrong ? "map" : "odom",
                                          .stamp_ns = stamp_s * SECOND,
                                          .pose = {.qw = 1.0}};
    rp_ros_bridge_transform(bridge, &transform, DYNAMIC);
}

static void tell_pose(int64_t stamp_s, bool is_wrong)
{
    const rp_ros_stamped_t pose = {
        .frame_id = "map", .stamp_ns = stamp_s * SECOND, .pose = {.qw = is_wrong ? 0.0 : 1.0}};
    rp_ros_bridge_pose(bridge, &pose);
}

/// Of a plan that were made now.
static int64_t stamp_s(void)
{
    rp_ros_news_t news;
    ck_assert(!rp_ros_bridge_plan(bridge, &news));
    return news.stamp_ns / SECOND;
}

typedef void tell_t(int64_t stamp_s, bool is_wrong);

static tell_t *const tells[] = {tell_grid, tell_update, tell_transform, tell_pose};

#define TELLS (sizeof tells / sizeof tells[0])

START_TEST(a_plan_has_the_newest_stamp_of_what_was_taken)
{
    begin();
    tell_grid(100, !WRONG);
    for (unsigned i = 0; i < TELLS; i++) {
        tells[i](101 + i, !WRONG);
        ck_assert_int_eq(stamp_s(), 101 + i);
        tells[i](100 + i, !WRONG);
        ck_assert_int_eq(stamp_s(), 101 + i);
    }
}
END_TEST

START_TEST(a_stamp_of_0_is_none)
{
    begin();
    tell_grid(100, !WRONG);
    for (unsigned i = 0; i < TELLS; i++) {
        tells[i](0, !WRONG);
        ck_assert_int_eq(stamp_s(), 100);
    }
}
END_TEST

START_TEST(a_clock_that_was_set_back_begins_anew)
{
    begin();
    for (unsigned i = 0; i < TELLS; i++) {
        tell_grid(100, !WRONG);
        tells[i](50, !WRONG);
        ck_assert_int_eq(stamp_s(), 50);
    }
}
END_TEST

START_TEST(what_is_refused_moves_no_stamp)
{
    begin();
    tell_grid(100, !WRONG);
    for (unsigned i = 0; i < TELLS; i++) {
        tells[i](200, WRONG);
        tells[i](50, WRONG);
        ck_assert_int_eq(stamp_s(), 100);
    }
}
END_TEST

START_TEST(what_has_no_stamp_lets_nothing_late_in)
{
    begin();
    tell_grid(100, !WRONG);
    tell_grid(0, !WRONG);
    tell_update(99, !WRONG);
    ck_assert_uint_eq(faults.kinds[RP_ROS_FAULT_OLD].count, 1);
    tell_pose(100, !WRONG);
    tell_pose(0, !WRONG);
    tell_pose(99, !WRONG);
    ck_assert_uint_eq(faults.kinds[RP_ROS_FAULT_OLD].count, 2);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_plan_has_the_newest_stamp_of_what_was_taken, a_stamp_of_0_is_none,
        a_clock_that_was_set_back_begins_anew,         what_is_refused_moves_no_stamp,
        what_has_no_stamp_lets_nothing_late_in,
    };
    return rp_suite_run("ros2_bridge", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
