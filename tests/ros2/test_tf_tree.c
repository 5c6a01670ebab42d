/// A tree of frames, as robots fill it and as they should not.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clients/ros2/tf_tree.h"
#include "tests/support/suite.h"

static rp_tf_tree_t *tree;

static void tear_down(void)
{
    rp_tf_tree_destroy(&tree);
}

static rp_tf_status_t put(const char *parent, const char *child, int64_t stamp_ns, double x,
                          double y, double yaw)
{
    const rp_planar_t pose = {x, y, yaw};
    tree = tree != NULL ? tree : rp_tf_tree_new();
    ck_assert_ptr_nonnull(tree);
    return rp_tf_tree_put(tree, parent, child, false, stamp_ns, &pose);
}

static rp_tf_status_t put_static(const char *parent, const char *child, double x, double y,
                                 double yaw)
{
    const rp_planar_t pose = {x, y, yaw};
    tree = tree != NULL ? tree : rp_tf_tree_new();
    ck_assert_ptr_nonnull(tree);
    return rp_tf_tree_put(tree, parent, child, true, 0, &pose);
}

static void check_pose(const char *in, const char *of, int64_t at_ns, double x, double y,
                       double yaw)
{
    rp_planar_t pose = {0};
    ck_assert_int_eq(rp_tf_tree_find(tree, in, of, at_ns, &pose), RP_TF_OK);
    ck_assert_double_eq_tol(pose.x_m, x, 1e-12);
    ck_assert_double_eq_tol(pose.y_m, y, 1e-12);
    ck_assert_double_eq_tol(remainder(pose.yaw - yaw, 2.0 * M_PI), 0.0, 1e-12);
}

static rp_tf_status_t status_of(const char *in, const char *of, int64_t at_ns)
{
    rp_planar_t pose;
    return rp_tf_tree_find(tree, in, of, at_ns, &pose);
}

START_TEST(poses_are_composed_along_the_tree)
{
    put("map", "odom", 1, 10.0, 0.0, M_PI / 2.0);
    put("odom", "base_link", 1, 2.0, 1.0, 0.0);
    put_static("base_link", "laser", 0.5, 0.0, M_PI);
    check_pose("map", "base_link", RP_TF_LATEST, 9.0, 2.0, M_PI / 2.0);
    check_pose("map", "laser", RP_TF_LATEST, 9.0, 2.5, -M_PI / 2.0);
    check_pose("base_link", "map", RP_TF_LATEST, -2.0, 9.0, -M_PI / 2.0);
}
END_TEST

START_TEST(frames_of_two_branches_meet_in_their_common_parent)
{
    put_static("base", "left", 0.0, 1.0, 0.0);
    put_static("base", "right", 0.0, -1.0, M_PI / 2.0);
    check_pose("left", "right", RP_TF_LATEST, 0.0, -2.0, M_PI / 2.0);
    check_pose("right", "left", RP_TF_LATEST, 2.0, 0.0, -M_PI / 2.0);
}
END_TEST

START_TEST(a_frame_is_at_its_own_origin_even_when_it_is_not_known)
{
    put("a", "b", 1, 0.0, 0.0, 0.0);
    check_pose("map", "map", 7, 0.0, 0.0, 0.0);
    check_pose("/map", "map", RP_TF_LATEST, 0.0, 0.0, 0.0);
}
END_TEST

START_TEST(a_slash_before_a_name_does_not_count)
{
    put("/map", "/base_link", 1, 1.0, 2.0, 0.0);
    check_pose("map", "base_link", RP_TF_LATEST, 1.0, 2.0, 0.0);
}
END_TEST

START_TEST(between_two_times_the_pose_is_in_between_and_turns_the_short_way)
{
    put("map", "base_link", 100, 0.0, 0.0, 3.0);
    put("map", "base_link", 200, 1.0, 2.0, -3.0);
    check_pose("map", "base_link", 150, 0.5, 1.0, M_PI);
    check_pose("map", "base_link", 100, 0.0, 0.0, 3.0);
    check_pose("map", "base_link", 999, 1.0, 2.0, -3.0); // the newest counts on
    ck_assert_int_eq(status_of("map", "base_link", 99), RP_TF_OLD);
}
END_TEST

START_TEST(poses_that_come_late_take_their_place_in_time)
{
    put("map", "base_link", 300, 3.0, 0.0, 0.0);
    put("map", "base_link", 100, 1.0, 0.0, 0.0);
    put("map", "base_link", 200, 2.5, 0.0, 0.0);
    put("map", "base_link", 200, 2.0, 0.0, 0.0); // the later of the same time
    check_pose("map", "base_link", 250, 2.5, 0.0, 0.0);
    check_pose("map", "base_link", 150, 1.5, 0.0, 0.0);
    check_pose("map", "base_link", RP_TF_LATEST, 3.0, 0.0, 0.0);
}
END_TEST

START_TEST(only_the_last_poses_are_kept)
{
    for (int i = 1; i <= 3 * (int)RP_TF_HISTORY; i++) {
        ck_assert_int_eq(put("map", "base_link", i, i, 0.0, 0.0), RP_TF_OK);
    }
    const int oldest = 2 * (int)RP_TF_HISTORY + 1;
    check_pose("map", "base_link", oldest, oldest, 0.0, 0.0);
    ck_assert_int_eq(status_of("map", "base_link", oldest - 1), RP_TF_OLD);
    ck_assert_int_eq(put("map", "base_link", 1, 1.0, 0.0, 0.0), RP_TF_OLD);
    ck_assert_int_eq(put("map", "base_link", oldest + 1, -5.0, 0.0, 0.0), RP_TF_OK);
    check_pose("map", "base_link", oldest + 1, -5.0, 0.0, 0.0);
}
END_TEST

START_TEST(a_clock_that_is_set_back_begins_anew)
{
    put("map", "base_link", 20 * RP_TF_JUMP_NS, 20.0, 0.0, 0.0);
    put("map", "base_link", 5, 5.0, 0.0, 0.0);
    check_pose("map", "base_link", RP_TF_LATEST, 5.0, 0.0, 0.0);
}
END_TEST

START_TEST(a_frame_that_changes_its_parent_hangs_on_the_new_one)
{
    put("a", "base_link", 1, 1.0, 0.0, 0.0);
    put("b", "base_link", 1, 2.0, 0.0, 0.0);
    check_pose("b", "base_link", RP_TF_LATEST, 2.0, 0.0, 0.0);
    ck_assert_int_eq(status_of("a", "base_link", RP_TF_LATEST), RP_TF_UNKNOWN);
    put_static("b", "base_link", 3.0, 0.0, 0.0); // and is static from now on
    check_pose("b", "base_link", 0, 3.0, 0.0, 0.0);
}
END_TEST

START_TEST(loops_are_refused_and_change_nothing)
{
    put("a", "b", 1, 1.0, 0.0, 0.0);
    put("b", "c", 1, 1.0, 0.0, 0.0);
    ck_assert_int_eq(put("c", "a", 1, 1.0, 0.0, 0.0), RP_TF_LOOP);
    ck_assert_int_eq(put("a", "a", 1, 1.0, 0.0, 0.0), RP_TF_LOOP);
    check_pose("a", "c", RP_TF_LATEST, 2.0, 0.0, 0.0);
}
END_TEST

START_TEST(names_that_are_none_are_refused)
{
    char longest[66] = {0};
    memset(longest, 'x', 65);
    ck_assert_int_eq(put("", "b", 1, 0.0, 0.0, 0.0), RP_TF_BAD_NAME);
    ck_assert_int_eq(put("a", "/", 1, 0.0, 0.0, 0.0), RP_TF_BAD_NAME);
    ck_assert_int_eq(put("a", "b c", 1, 0.0, 0.0, 0.0), RP_TF_BAD_NAME);
    ck_assert_int_eq(put("a", "b\n", 1, 0.0, 0.0, 0.0), RP_TF_BAD_NAME);
    ck_assert_int_eq(put("a", "\xc3\xa4", 1, 0.0, 0.0, 0.0), RP_TF_BAD_NAME);
    ck_assert_int_eq(put("a", longest, 1, 0.0, 0.0, 0.0), RP_TF_BAD_NAME);
    longest[64] = '\0';
    ck_assert_int_eq(put("a", longest, 1, 0.0, 0.0, 0.0), RP_TF_OK);
}
END_TEST

START_TEST(what_is_not_connected_is_unknown)
{
    put("map", "odom", 1, 0.0, 0.0, 0.0);
    put("earth", "moon", 1, 0.0, 0.0, 0.0);
    ck_assert_int_eq(status_of("map", "moon", RP_TF_LATEST), RP_TF_UNKNOWN);
    ck_assert_int_eq(status_of("map", "nobody", RP_TF_LATEST), RP_TF_UNKNOWN);
    ck_assert_int_eq(status_of("nobody", "map", RP_TF_LATEST), RP_TF_UNKNOWN);
}
END_TEST

START_TEST(frames_beyond_the_limit_are_refused_and_the_others_go_on)
{
    char name[16];
    for (unsigned i = 0; i + 1 < RP_TF_FRAMES; i++) {
        snprintf(name, sizeof name, "f%u", i);
        ck_assert_int_eq(put_static("root", name, i, 0.0, 0.0), RP_TF_OK);
    }
    ck_assert_int_eq(put_static("root", "more", 1.0, 0.0, 0.0), RP_TF_FULL);
    ck_assert_int_eq(put_static("root", "f7", 70.0, 0.0, 0.0), RP_TF_OK);
    check_pose("root", "f7", RP_TF_LATEST, 70.0, 0.0, 0.0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        poses_are_composed_along_the_tree,
        frames_of_two_branches_meet_in_their_common_parent,
        a_frame_is_at_its_own_origin_even_when_it_is_not_known,
        a_slash_before_a_name_does_not_count,
        between_two_times_the_pose_is_in_between_and_turns_the_short_way,
        poses_that_come_late_take_their_place_in_time,
        only_the_last_poses_are_kept,
        a_clock_that_is_set_back_begins_anew,
        a_frame_that_changes_its_parent_hangs_on_the_new_one,
        loops_are_refused_and_change_nothing,
        names_that_are_none_are_refused,
        what_is_not_connected_is_unknown,
        frames_beyond_the_limit_are_refused_and_the_others_go_on,
    };
    return rp_suite_run("tf_tree", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
