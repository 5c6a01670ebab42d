/// What is refused, and in which words. Each case spoils one field of a request that is accepted
/// otherwise, and sends it through packing and unpacking, as a stranger's bytes would come.
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msgs/check.h"
#include "msgs/codec.h"
#include "msgs/limits.h"
#include "tests/msgs/spoilt.h"

// ---- spoilt requests

/// X(kind of request, what is wrong, a word of the sentence, how to spoil)
#define BAD_CHANGES(X)                                                                             \
    X(APPLY, no_change, "apply.change", s->apply.change = NULL)                                    \
    X(APPLY, window_of_no_epoch, "change.epoch is missing, change.window is 2",                    \
      s->change.window = 2)                                                                        \
    X(APPLY, newest_of_an_epoch, NULL, s->change.epoch = 7)                                        \
    X(APPLY, unknown_wait, "apply.wait is 7", s->apply.wait = 7)                                   \
    X(APPLY, negative_wait, "apply.wait is -1", s->apply.wait = -1)                                \
    X(APPLY, no_world, "change.world is empty", s->change.world = rp_sample_text(""))              \
    X(APPLY, long_world, "change.world is longer than 32",                                         \
      s->change.world = rp_sample_text(RP_LONG_NAME))                                              \
    X(APPLY, slash_in_world, "change.world has the byte 0x2f",                                     \
      s->change.world = rp_sample_text("a/b"))                                                     \
    X(APPLY, escape_in_world, "0x1b at 1", s->change.world = rp_sample_text("a\x1b[2J"))           \
    X(APPLY, bad_utf8_in_world, "0xff at 0", s->change.world = rp_sample_text("\xff\xfe"))         \
    X(APPLY, space_in_publisher, "change.publisher", s->change.publisher = rp_sample_text("a b"))  \
    X(APPLY, no_incarnation, "change.incarnation is 0", s->change.incarnation = 0)                 \
    X(APPLY, no_sequence, "change.sequence is 0", s->change.sequence = 0)                          \
    X(APPLY, sequence_of_nobody, "change.publisher is empty",                                      \
      s->change.publisher = rp_sample_text(""))                                                    \
    X(APPLY, repairs_the_future, "change.repairs_through is 13", s->change.repairs_through = 13)   \
    X(APPLY, no_width, "change.width is 0", s->change.width = 0)                                   \
    X(APPLY, no_height, "change.height is 0", s->change.height = 0)                                \
    X(APPLY, no_sides, "change.width is 0", s->change.width = 0; s->change.height = 0)             \
    X(APPLY, wide_rectangle, "change.width is 16385", s->change.width = 16385)                     \
    X(APPLY, huge_rectangle, "at most 267911424", s->change.width = s->change.height = 16384)      \
    X(APPLY, overflowing_sides, "change.width is 65536",                                           \
      s->change.width = s->change.height = 65536)                                                  \
    X(APPLY, overflowing_corner, "change.x is 4294967295", s->change.x = UINT32_MAX)               \
    X(APPLY, overflowing_row, "change.y is 16383", s->change.y = 16383)                            \
    X(APPLY, short_data, "change.data has 5 bytes, the rectangle of 3 x 2 needs 6",                \
      s->change.data.len = 5)                                                                      \
    X(APPLY, no_data, "change.data has 0 bytes", s->change.data.len = 0)                           \
    X(APPLY, long_data, "change.data has 6 bytes, the rectangle of 1 x 2 needs 2",                 \
      s->change.width = 1)                                                                         \
    X(APPLY, no_rect_bytes, "neither change.fill nor change.data",                                 \
      s->change.rect_case = REPLAN__V1__CHANGE__RECT__NOT_SET)                                     \
    X(APPLY, large_fill, "change.fill is 256",                                                     \
      s->change.rect_case = REPLAN__V1__CHANGE__RECT_FILL;                                         \
      s->change.fill = 256)                                                                        \
    X(APPLY, cells_without_values, "change.values has 0 bytes for 2 change.cells",                 \
      s->change.values.len = 0)                                                                    \
    X(APPLY, values_without_cells, "change.values has 2 bytes for 0", s->change.n_cells = 0)       \
    X(APPLY, one_value_without_cells, "change.values has 1 bytes for 0", s->change.n_cells = 0;    \
      s->change.values.len = 1)                                                                    \
    X(APPLY, two_values_for_many, "change.values has 2 bytes for 3",                               \
      s->change.cells = rp_many_numbers;                                                           \
      s->change.n_cells = 3)                                                                       \
    X(APPLY, empty, "change is empty", s->change.rect_case = REPLAN__V1__CHANGE__RECT__NOT_SET;    \
      s->change.width = s->change.height = 0; s->change.n_cells = 0; s->change.values.len = 0)

#define BAD_AGENTS(X)                                                                              \
    X(OPEN_AGENT, agent_without_world, "open_agent.world",                                         \
      s->open_agent.world = rp_sample_text(""))                                                    \
    X(OPEN_AGENT, agent_without_name, "open_agent.agent",                                          \
      s->open_agent.agent = rp_sample_text(""))                                                    \
    X(OPEN_AGENT, odd_planner, "open_agent.planner", s->open_agent.planner = rp_sample_text("a*")) \
    X(OPEN_AGENT, pose_elsewhere, "pose.world differs", s->pose.world = rp_sample_text("hill"))    \
    X(OPEN_AGENT, pose_of_another, "pose.agent differs", s->pose.agent = rp_sample_text("elf"))    \
    X(OPEN_AGENT, opened_at_nan, "pose.x", s->pose.x = NAN)                                        \
    X(OPEN_AGENT, goal_elsewhere, "goal.world differs", s->goal.world = rp_sample_text("hill"))    \
    X(OPEN_AGENT, goal_of_another, "goal.agent differs", s->goal.agent = rp_sample_text("elf"))    \
    X(OPEN_AGENT, opened_without_goals, "goal.x has 0",                                            \
      s->goal.n_x = s->goal.n_y = s->goal.n_offsets = 0)                                           \
    X(OPEN_AGENT, gain_of_all, "policy.switch_gain_percent is 101, at most 100",                   \
      s->policy.switch_gain_percent = 101)                                                         \
    X(OPEN_AGENT, rare_switches, "policy.min_interval_ms is 86400001",                             \
      s->policy.min_interval_ms = 86400001)                                                        \
    X(OPEN_AGENT, old_paths, "policy.max_age_ms is 4294967295", s->policy.max_age_ms = UINT32_MAX) \
    X(OPEN_AGENT, patient, "policy.answer_within_ms is 86400001",                                  \
      s->policy.answer_within_ms = 86400001)                                                       \
    X(OPEN_AGENT, wide_follower, "policy.follow_radius_m is nan",                                  \
      s->policy.follow_case = REPLAN__V1__POLICY__FOLLOW_FOLLOW_RADIUS_M;                          \
      s->policy.follow_radius_m = NAN)                                                             \
    X(OPEN_AGENT, negative_follower, "within 0 and 1e+06 metres",                                  \
      s->policy.follow_case = REPLAN__V1__POLICY__FOLLOW_FOLLOW_RADIUS_M;                          \
      s->policy.follow_radius_m = -0.1)                                                            \
    X(OPEN_AGENT, long_lease, "policy.lease_s is 86401, at most 86400",                            \
      s->policy.lease_case = REPLAN__V1__POLICY__LEASE_LEASE_S;                                    \
      s->policy.lease_s = 86401)                                                                   \
    X(CREATE_WORLD, patient_world, "create_world.expect_every_ms is 86400001",                     \
      s->create_world.expect_every_ms = 86400001)                                                  \
    X(CLOSE_AGENT, close_nowhere, "close_agent.world", s->close_agent.world = rp_sample_text(""))  \
    X(CLOSE_AGENT, close_nobody, "close_agent.agent",                                              \
      s->close_agent.agent = rp_sample_text(RP_LONG_NAME))                                         \
    X(GET_ANSWER, answer_nowhere, "get_answer.world", s->get_answer.world = rp_sample_text(""))    \
    X(GET_ANSWER, answer_of_nobody, "get_answer.agent", s->get_answer.agent = rp_sample_text(""))  \
    X(SET_POSE, pose_nowhere, "pose.world is empty", s->pose.world = rp_sample_text(""))           \
    X(SET_POSE, pose_of_nobody, "pose.agent is empty", s->pose.agent = rp_sample_text(""))         \
    X(SET_POSE, pose_nan, "pose.y", s->pose.y = NAN)                                               \
    X(SET_POSE, pose_inf, "pose.x is inf", s->pose.x = INFINITY)                                   \
    X(SET_POSE, pose_far, "within -1e+09 and 1e+09", s->pose.x = -1.1e9)                           \
    X(SET_POSE, yaw_nan, "pose.yaw", s->pose.yaw = NAN)                                            \
    X(SET_POSES, poses_nowhere, "poses.world", s->poses.world = rp_sample_text(""))                \
    X(SET_POSES, no_handles, "poses.handles has 0", s->poses.n_handles = 0)                        \
    X(SET_POSES, short_handles, "poses.handles32 has 2", s->poses.handles32 = s->cells;            \
      s->poses.n_handles32 = 2)                                                                    \
    X(ORDER, order_to_short_handles, "order.handles32 has 1", s->order.handles32 = s->cells;       \
      s->order.n_handles32 = 1)                                                                    \
    X(SET_POSES, uneven_x, "poses.x has 1", s->poses.n_x = 1)                                      \
    X(SET_POSES, uneven_y, "poses.y 1", s->poses.n_y = 1)                                          \
    X(SET_POSES, too_many_poses, "poses.handles has 140000", s->poses.handles = rp_many_handles;   \
      s->poses.n_handles = RP_MANY)                                                                \
    X(SET_POSES, second_pose_nan, "poses.y", s->y[1] = NAN)                                        \
    X(ORDER, order_nowhere, "order.world is empty", s->order.world = rp_sample_text(""))           \
    X(ORDER, order_to_nobody, "order.handles and order.agents have 0",                             \
      s->order.n_handles = s->order.n_agents = 0)                                                  \
    X(ORDER, order_to_no_place, "order.x has 0", s->order.n_x = s->order.n_y = 0)                  \
    X(ORDER, uneven_places, "order.x has 2 entries and order.y 1", s->order.n_y = 1)               \
    X(ORDER, places_for_some, "order.x has 2 entries, the order has 3", s->order.n_agents = 2)     \
    X(ORDER, goal_ids_for_some, "order.goal_ids has 2", s->order.n_agents = 2;                     \
      s->order.n_x = s->order.n_y = 1)                                                             \
    X(ORDER, order_to_no_name, "order.agents", s->agents[0] = rp_sample_text("a/b"))               \
    X(ORDER, order_inf, "order.x is inf", s->x[1] = INFINITY)                                      \
    X(SET_GOAL, goal_nowhere, "goal.world is empty", s->goal.world = rp_sample_text(""))           \
    X(SET_GOAL, goal_of_nobody, "goal.agent is empty", s->goal.agent = rp_sample_text(""))         \
    X(SET_GOAL, no_goals, "goal.x has 0", s->goal.n_x = s->goal.n_y = s->goal.n_offsets = 0)       \
    X(SET_GOAL, uneven_goals, "goal.y has 1", s->goal.n_y = 1)                                     \
    X(SET_GOAL, uneven_offsets, "goal.offsets has 1", s->goal.n_offsets = 1)                       \
    X(SET_GOAL, large_offset, "goal.offsets has 1000001", s->offsets[1] = 1000001)                 \
    X(SET_GOAL, first_of_points, "goal.first_waypoint is 1, goal has 0 waypoints",                 \
      s->goal.first_waypoint = 1)                                                                  \
    X(SET_GOAL, first_beyond, "goal.first_waypoint is 2, goal has 2 waypoints",                    \
      s->goal.kind = REPLAN__V1__GOAL_KIND__WAYPOINTS;                                             \
      s->goal.first_waypoint = 2)                                                                  \
    X(SET_GOAL, goal_inf, "goal.x is inf", s->x[1] = INFINITY)                                     \
    X(SET_GOAL, unknown_goal_kind, "goal.kind is 3", s->goal.kind = 3)                             \
    X(SET_GOAL, region_with_offsets, "goal.kind REGION has 2 points and 2 goal.offsets",           \
      s->goal.kind = REPLAN__V1__GOAL_KIND__REGION)                                                \
    X(SET_GOAL, region_of_one_corner, "goal.kind REGION has 1 points",                             \
      s->goal.kind = REPLAN__V1__GOAL_KIND__REGION;                                                \
      s->goal.n_x = s->goal.n_y = 1; s->goal.n_offsets = 0)                                        \
    X(SET_GOAL, target_and_points, "goal.target excludes goal.x",                                  \
      s->goal.target = rp_sample_text("elf"))                                                      \
    X(SET_GOAL, odd_target, "goal.target has the byte 0x20",                                       \
      s->goal.target = rp_sample_text("el f");                                                     \
      s->goal.n_x = s->goal.n_y = s->goal.n_offsets = 0)                                           \
    X(SET_GOAL, vague_goal, "goal.tolerance_m is -1", s->goal.tolerance_m = -1.0)                  \
    X(OPEN_AGENT, far_escape, "policy.escape_m is inf",                                            \
      s->policy.escape_case = REPLAN__V1__POLICY__ESCAPE_ESCAPE_M;                                 \
      s->policy.escape_m = INFINITY)                                                               \
    X(SET_GOAL, too_many_goals, "1 to 4096", s->goal.x = s->goal.y = rp_many_doubles;              \
      s->goal.n_x = s->goal.n_y = 4097; s->goal.n_offsets = 0)

#define BAD_WATCHES(X)                                                                             \
    X(WATCH, watch_nowhere, "watch.world", s->watch.world = rp_sample_text(""))                    \
    X(WATCH, watch_nothing, "watch has nothing", s->watch.n_agents = 0; s->watch.map = 0)          \
    X(WATCH, watch_all_and_some, "watch.all and 2 watch.agents", s->watch.all = 1)                 \
    X(WATCH, watch_odd_name, "watch.agents", s->agents[1] = rp_sample_text("el f"))                \
    X(WATCH, watch_too_many, "watch.agents has 140000", s->watch.agents = rp_many_names;           \
      s->watch.n_agents = RP_MANY)                                                                 \
    X(WATCH, large_credit, "watch.credit is 65537", s->watch.credit = 65537)                       \
    X(CREDIT, credit_for_none, "credit.watch is 0", s->credit.watch = 0)                           \
    X(CREDIT, more_credit, "credit.credit is 65537, at most 65536", s->credit.credit = 65537)      \
    X(UNWATCH, unwatch_none, "unwatch.watch is 0", s->unwatch.watch = 0)                           \
    X(GET_STATS, no_body, "request.body",                                                          \
      s->request.body_case = REPLAN__V1__REQUEST__BODY__NOT_SET)                                   \
    X(GET_STATS, late_deadline, "request.deadline_ms is 3600001",                                  \
      s->request.deadline_ms = 3600001)                                                            \
    X(GET_STATS, after_nowhere, "after.world", s->request.after = &s->after;                       \
      s->after.world = rp_sample_text(""))                                                         \
    X(GET_STATS, after_nothing, "either after.version or", s->request.after = &s->after;           \
      s->after.version = 0)                                                                        \
    X(GET_STATS, after_both, "either after.version or", s->request.after = &s->after;              \
      s->after.publisher = rp_sample_text("scout"); s->after.sequence = 1)                         \
    X(GET_STATS, after_odd_publisher, "after.publisher has the byte 0x2b",                         \
      s->request.after = &s->after;                                                                \
      s->after.publisher = rp_sample_text("+"))                                                    \
    X(GET_STATS, after_no_sequence, "after.sequence", s->request.after = &s->after;                \
      s->after.version = 0; s->after.publisher = rp_sample_text("scout"))                          \
    X(GET_STATS, after_sequence_of_nobody, "after.publisher and", s->request.after = &s->after;    \
      s->after.sequence = 1)

#define BAD_REQUESTS(X) BAD_CHANGES(X) BAD_AGENTS(X) BAD_WATCHES(X)
BAD_REQUESTS(RP_SPOILER)

static const rp_spoilt_t bads[] = {BAD_REQUESTS(RP_SPOILT)};

// ---- one request through the wire and the check

START_TEST(a_valid_request_is_accepted)
{
    rp_samples_t s;
    rp_samples_init(&s);
    const char *name = NULL;
    rp_samples_choose(&s, rp_sample_kind((size_t)_i, &name));
    rp_refusal_t refusal = {0};
    ck_assert_msg(rp_sample_is_accepted(&s.request, &refusal), "%s: %s", name, refusal.sentence);
    s.request.after = &s.after;
    ck_assert_msg(rp_sample_is_accepted(&s.request, &refusal), "%s: %s", name, refusal.sentence);
}
END_TEST

START_TEST(a_spoilt_request_is_refused_by_name)
{
    rp_spoilt_judge(&bads[_i]);
}
END_TEST

// ---- the edges of what is allowed

START_TEST(the_limits_themselves_are_accepted)
{
    rp_samples_t s;
    rp_samples_init(&s);
    rp_refusal_t refusal = {0};
    s.change.rect_case = REPLAN__V1__CHANGE__RECT_FILL;
    s.change.fill = 255;
    s.change.x = 0;
    s.change.y = 16384 - 4096;
    s.change.width = 16384;
    s.change.height = 4096;
    s.change.values.len = 1;
    s.change.repairs_through = s.change.sequence;
    s.change.world = rp_sample_text("abcdefghijklmnopqrstuvwxyz_.-019");
    ck_assert_msg(rp_sample_is_accepted(&s.request, &refusal), "%s", refusal.sentence);

    rp_samples_choose(&s, REPLAN__V1__REQUEST__BODY_SET_GOAL);
    s.goal.x = s.goal.y = rp_many_doubles;
    s.goal.offsets = rp_many_numbers;
    s.goal.n_x = s.goal.n_y = s.goal.n_offsets = RP_LIMIT_GOALS;
    ck_assert_msg(rp_sample_is_accepted(&s.request, &refusal), "%s", refusal.sentence);
}
END_TEST

START_TEST(an_unnumbered_change_needs_no_publisher)
{
    rp_samples_t s;
    rp_samples_init(&s);
    s.change.publisher = rp_sample_text("");
    s.change.incarnation = s.change.sequence = 0;
    rp_refusal_t refusal = {0};
    ck_assert_msg(rp_sample_is_accepted(&s.request, &refusal), "%s", refusal.sentence);
}
END_TEST

START_TEST(names_inside_open_agent_may_be_left_out)
{
    rp_samples_t s;
    rp_samples_init(&s);
    rp_samples_choose(&s, REPLAN__V1__REQUEST__BODY_OPEN_AGENT);
    s.pose.world = s.pose.agent = s.goal.world = s.goal.agent = rp_sample_text("");
    s.open_agent.planner = rp_sample_text("");
    rp_refusal_t refusal = {0};
    ck_assert_msg(rp_sample_is_accepted(&s.request, &refusal), "%s", refusal.sentence);
    s.open_agent.pose = NULL;
    s.open_agent.goal = NULL;
    ck_assert_msg(rp_sample_is_accepted(&s.request, &refusal), "%s", refusal.sentence);
}
END_TEST

START_TEST(a_refusal_is_cut_and_cleaned)
{
    rp_refusal_t refusal = {0};
    char words[400];
    memset(words, '\n', sizeof(words) - 1);
    words[sizeof(words) - 1] = '\0';
    ck_assert(!rp_refuse(&refusal, REPLAN__V1__STATUS__UNKNOWN, "%s", words));
    ck_assert_int_eq(refusal.status, REPLAN__V1__STATUS__UNKNOWN);
    ck_assert_uint_eq(strlen(refusal.sentence), sizeof(refusal.sentence) - 1);
    ck_assert_ptr_null(strchr(refusal.sentence, '\n'));
}
END_TEST

// ---- topics

static const struct topic {
    const char *bytes;
    size_t size;
    const char *world; ///< NULL: refused
    const char *agent; ///< the word of the sentence when refused
} topics[] = {
#define TOPIC(text, world, agent)                                                                  \
    {                                                                                              \
        text, sizeof(text) - 1, world, agent                                                       \
    }
    TOPIC("pose/marsh/", "marsh", ""),
    TOPIC("pose/marsh/orc/", "marsh", "orc"),
    TOPIC("pose/-/", "-", ""),
    TOPIC("", NULL, "1 to 128"),
    TOPIC("pose", NULL, "pose/"),
    TOPIC("poses/marsh/", NULL, "pose/"),
    TOPIC("pos/marsh/", NULL, "pose/"),
    TOPIC("/marsh/", NULL, "pose/"),
    TOPIC("pose/", NULL, "world"),
    TOPIC("pose/marsh", NULL, "world"),
    TOPIC("pose//", NULL, "topic.world is empty"),
    TOPIC("pose//orc/", NULL, "topic.world is empty"),
    TOPIC("pose/ma rsh/", NULL, "topic.world has the byte 0x20"),
    TOPIC("pose/ma\0rsh/", NULL, "topic.world has the byte 0x00"),
    TOPIC("pose/" RP_LONG_NAME "/", NULL, "topic.world is longer"),
    TOPIC("pose/marsh/orc", NULL, "agent"),
    TOPIC("pose/marsh//", NULL, "topic.agent is empty"),
    TOPIC("pose/marsh/o\xff/", NULL, "topic.agent has the byte 0xff"),
    TOPIC("pose/marsh/orc/x", NULL, "agent"),
    TOPIC("pose/marsh/orc/x/", NULL, "agent"),
    TOPIC("pose/marsh/orc/" RP_LONG_FRAME RP_LONG_FRAME, NULL, "1 to 128"),
};

START_TEST(a_topic_is_taken_apart_or_refused)
{
    char world[RP_LIMIT_NAME + 1] = "as before";
    char agent[RP_LIMIT_NAME + 1] = "as before";
    rp_refusal_t refusal = {0};
    // A copy without a terminator, so that a sanitizer sees any reading beyond the size.
    char *bytes = malloc(topics[_i].size + 1);
    memcpy(bytes + 1, topics[_i].bytes, topics[_i].size);
    bool accepted = rp_check_topic(bytes + 1, topics[_i].size, "pose", world, agent, &refusal);
    free(bytes);
    ck_assert_msg(accepted == (topics[_i].world != NULL), "%s", topics[_i].bytes);
    if (accepted) {
        ck_assert_str_eq(world, topics[_i].world);
        ck_assert_str_eq(agent, topics[_i].agent);
    } else {
        ck_assert_msg(strstr(refusal.sentence, topics[_i].agent) != NULL, "\"%s\": \"%s\"",
                      topics[_i].bytes, refusal.sentence);
        ck_assert_str_eq(world, "as before");
        ck_assert_str_eq(agent, "as before");
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("check");
    TCase *requests = tcase_create("requests");
    tcase_add_loop_test(requests, a_valid_request_is_accepted, 0, RP_SAMPLE_KINDS);
    tcase_add_loop_test(requests, a_spoilt_request_is_refused_by_name, 0,
                        (int)(sizeof bads / sizeof bads[0]));
    tcase_add_test(requests, the_limits_themselves_are_accepted);
    tcase_add_test(requests, an_unnumbered_change_needs_no_publisher);
    tcase_add_test(requests, names_inside_open_agent_may_be_left_out);
    tcase_add_test(requests, a_refusal_is_cut_and_cleaned);
    suite_add_tcase(suite, requests);
    TCase *strings = tcase_create("topics");
    tcase_add_loop_test(strings, a_topic_is_taken_apart_or_refused, 0,
                        (int)(sizeof(topics) / sizeof(topics[0])));
    suite_add_tcase(suite, strings);
    return suite;
}

int main(void)
{
    SRunner *runner = srunner_create(suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
