/// Parameters of replan-ros2 as people write them.
#include "clients/ros2/settings.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"

static rp_ros_settings_t settings;
static rp_complaint_t complaint;

static rp_status_t parse(const char *yaml)
{
    const rp_text_t text = {.name = "p.yaml", .bytes = yaml, .size = strlen(yaml)};
    rp_ros_settings_init(&settings);
    return rp_ros_settings_parse(&settings, &text, &complaint);
}

static void check_refused(const char *yaml, const char *sentence)
{
    ck_assert_int_eq(parse(yaml), RP_E_INVALID);
    ck_assert_str_eq(complaint.sentence, sentence);
}

static void check_topic(const char *topic, const char *expected)
{
    char name[RP_ROS_NAME + 4u];
    ck_assert(rp_ros_settings_topic(&settings, topic, name));
    ck_assert_str_eq(name, expected);
}

START_TEST(what_is_left_out_has_a_default)
{
    ck_assert_int_eq(parse("# nothing\n"), RP_OK);
    ck_assert_str_eq(settings.map_topic, "global_costmap/costmap_raw");
    ck_assert_uint_eq(settings.map_kind, RP_ROS_COSTMAP_RAW);
    ck_assert(settings.map_subscribe_transient_local);
    ck_assert_str_eq(settings.robot_base_frame, "base_link");
    ck_assert_str_eq(settings.control, "tcp://127.0.0.1:7403");
    ck_assert(settings.allow_unknown);
    ck_assert(!settings.has_domain);
}
END_TEST

START_TEST(a_yaml_sets_what_it_names)
{
    ck_assert_int_eq(parse("domain: 7\nnamespace: robot1\nmap_topic: /map\nmap_kind: map\n"
                           "map_subscribe_transient_local: false\nlethal_cost_threshold: 50\n"
                           "footprint: \"[[0.3, 0.2], [0.3, -0.2], [-0.3, -0.2], [-0.3, 0.2]]\"\n"
                           "footprint_padding: 0.05\npose_source: odom\nallow_unknown: False\n"
                           "remap: goal_pose:=/goal\nremap: '/tf:=tf'\n"),
                     RP_OK);
    ck_assert_uint_eq(settings.domain, 7);
    ck_assert(settings.has_domain);
    ck_assert_uint_eq(settings.map_kind, RP_ROS_MAP);
    ck_assert_uint_eq(settings.pose_source, RP_ROS_POSE_ODOM);
    ck_assert(!settings.allow_unknown);
    ck_assert_double_eq_tol(rp_ros_settings_radius_m(&settings), 0.25, 1e-12);
    check_topic("goal_pose", "rt/goal");
    check_topic("/tf", "rt/robot1/tf");
    check_topic("/tf_static", "rt/tf_static");
    check_topic("replan/plan", "rt/robot1/replan/plan");
}
END_TEST

START_TEST(a_car_is_told_in_the_words_of_nav2)
{
    parse("domain: 0\n");
    ck_assert(!rp_ros_settings_is_car(&settings));
    ck_assert_int_eq(parse("minimum_turning_radius: 0.4\nreverse_penalty: 2.5\n"), RP_OK);
    ck_assert(rp_ros_settings_is_car(&settings));
    ck_assert_uint_eq(settings.motion_model_for_search, RP_ROS_CAR_DUBIN);
    ck_assert_double_eq(settings.reverse_penalty, 2.5);
    ck_assert_int_eq(parse("motion_model_for_search: \"REEDS_SHEPP\"\n"), RP_OK);
    ck_assert_uint_eq(settings.motion_model_for_search, RP_ROS_CAR_REEDS_SHEPP);
}
END_TEST

START_TEST(without_a_namespace_topics_are_absolute)
{
    parse("domain: 0\n");
    check_topic("goal_pose", "rt/goal_pose");
    check_topic("/diagnostics", "rt/diagnostics");
    parse("namespace: /robot1\n");
    check_topic("goal_pose", "rt/robot1/goal_pose");
}
END_TEST

START_TEST(a_footprint_may_stand_without_quotes)
{
    ck_assert_int_eq(parse("footprint: [[1, 1], [1, -1], [-1, 0]]\nfootprint_padding: 0\n"), RP_OK);
    ck_assert_uint_eq(settings.footprint.count, 3);
}
END_TEST

START_TEST(a_parameter_is_refused_by_line_key_and_reason)
{
    check_refused("domain: 233\n",
                  "p.yaml:1: domain: \"233\" is no whole number within its limits");
    check_refused("domain: 1\nspeed: 3\n",
                  "p.yaml:2: speed: \"3\" is for a parameter that is not known");
    check_refused("map_kind: costmap2\n",
                  "p.yaml:1: map_kind: \"costmap2\" is none of costmap_raw, costmap, map");
    check_refused("allow_unknown: maybe\n",
                  "p.yaml:1: allow_unknown: \"maybe\" is neither true nor false");
    check_refused("robot_radius: -1\n",
                  "p.yaml:1: robot_radius: \"-1\" is no number from 0 to 1e6");
    check_refused("robot_radius: nan\n",
                  "p.yaml:1: robot_radius: \"nan\" is no number from 0 to 1e6");
    check_refused("world: a b\n",
                  "p.yaml:1: world: \"a b\" has characters other than A-Z a-z 0-9 _ . -");
    check_refused("world: ''\n", "p.yaml:1: world: \"\" is too short or too long");
    check_refused(
        "world: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
        "p.yaml:1: world: \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" is too short or too long");
    check_refused("minimum_turning_radius: tight\n",
                  "p.yaml:1: minimum_turning_radius: \"tight\" is no number from 0 to 1e6");
    check_refused(
        "motion_model_for_search: BICYCLE\n",
        "p.yaml:1: motion_model_for_search: \"BICYCLE\" is neither DUBIN nor REEDS_SHEPP");
    check_refused("reverse_penalty: 0.5\n",
                  "p.yaml:1: reverse_penalty: \"0.5\" is no number from 1 to 100");
    check_refused("remap: goal_pose\n",
                  "p.yaml:1: remap: \"goal_pose\" is not of the form from:=to");
    check_refused("footprint: \"[[1, 1], [1, -1]]\"\n",
                  "p.yaml:1: footprint: \"[[1, 1], [1, -1]]\" has fewer than 3 corners");
    check_refused("footprint: \"[[1, 1], [1, -1], [1]]\"\n",
                  "p.yaml:1: footprint: \"[[1, 1], [1, -1], [1]]\" is not of the form [[x, y], [x, "
                  "y], ...]");
}
END_TEST

START_TEST(a_file_that_is_refused_sets_nothing)
{
    ck_assert_int_eq(parse("domain: 5\nagent: r2\nspeed: 3\n"), RP_E_INVALID);
    ck_assert_uint_eq(settings.domain, 0);
    ck_assert_str_eq(settings.agent, "robot");
}
END_TEST

START_TEST(names_that_become_too_long_are_refused)
{
    char yaml[300], name[RP_ROS_NAME + 4u];
    (void)snprintf(yaml, sizeof yaml, "namespace: %0100d\n", 1);
    ck_assert_int_eq(parse(yaml), RP_OK);
    ck_assert(rp_ros_settings_topic(&settings, "goal_pose", name));
    ck_assert(!rp_ros_settings_topic(&settings, "a_name_that_has_thirty_characters", name));
}
END_TEST

static double inscribed(const char *text)
{
    rp_ros_footprint_t footprint;
    ck_assert_ptr_null(rp_ros_footprint_parse(text, &footprint));
    return rp_ros_footprint_inscribed_m(&footprint);
}

START_TEST(a_footprint_has_an_inscribed_radius)
{
    ck_assert_double_eq(inscribed("[]"), 0.0);
    ck_assert_double_eq(inscribed(""), 0.0);
    ck_assert_double_eq_tol(inscribed("[[2,1],[-1,1],[-1,-1],[2,-1]]"), 1.0, 1e-12);
    ck_assert_double_eq_tol(inscribed(" [ [ 1 , 0 ] , [ 0 , 1 ] , [ -1 , 0 ] , [ 0 , -1 ] ] "),
                            0.70710678118654757, 1e-12);
    ck_assert_double_eq(inscribed("[[1,1],[3,1],[3,3]]"), 0.0); // the origin is outside
}
END_TEST

START_TEST(a_footprint_is_padded_away_from_the_axes)
{
    rp_ros_footprint_t footprint;
    ck_assert_ptr_null(rp_ros_footprint_parse("[[1, 2], [-1, 0], [0, -2]]", &footprint));
    rp_ros_footprint_pad(&footprint, 0.5);
    const double x[] = {1.5, -1.5, 0.0}, y[] = {2.5, 0.0, -2.5};
    ck_assert_mem_eq(footprint.x_m, x, sizeof x);
    ck_assert_mem_eq(footprint.y_m, y, sizeof y);
}
END_TEST

START_TEST(texts_that_are_no_footprint_are_refused)
{
    static const char *const bad[] = {
        "[",
        "[[",
        "[[1,2],[3,4],[5,6]",
        "[[1,2],[3,4],[5,6]]x",
        "[[1,2][3,4]",
        "[[1,2],[3,4],[5,nan]]",
        "[[1,2],[3,4],[5,1e99]]",
        "[[1,2,3],[3,4],[5,6]]",
        "square",
        "[[,],[,],[,]]",
        "[[1,2],[3,4],[--5,6]]",
        "[[1,2],[3,4],[00000000000000000000000000000000000000001,6]]",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rp_ros_footprint_t footprint;
        ck_assert_msg(rp_ros_footprint_parse(bad[i], &footprint) != NULL, "%s", bad[i]);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_left_out_has_a_default,          a_yaml_sets_what_it_names,
        a_car_is_told_in_the_words_of_nav2,      without_a_namespace_topics_are_absolute,
        a_footprint_may_stand_without_quotes,    a_parameter_is_refused_by_line_key_and_reason,
        a_file_that_is_refused_sets_nothing,     names_that_become_too_long_are_refused,
        a_footprint_has_an_inscribed_radius,     a_footprint_is_padded_away_from_the_axes,
        texts_that_are_no_footprint_are_refused,
    };
    return rp_suite_run("ros2_settings", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
