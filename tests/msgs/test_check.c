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
#include "tests/msgs/samples.h"

#define LONG_NAME  "abcdefghijklmnopqrstuvwxyz0123456" // 33 characters
#define LONG_FRAME LONG_NAME LONG_NAME                 // 66
#define MANY       70000u                              // more than any limit on a count

typedef rp_samples_t S;

static char *text(const char *words)
{
    return rp_sample_text(words);
}

static double many_doubles[MANY];
static uint32_t many_numbers[MANY];
static char *many_names[MANY];

static Replan__V1__Profile **many_profiles(S *s)
{
    static Replan__V1__Profile *profiles[17];
    for (size_t i = 0; i < 17; i++) {
        profiles[i] = &s->wheels;
    }
    return profiles;
}

// ---- spoilt requests

/// X(kind of request, what is wrong, a word of the sentence, how to spoil)
#define BAD_CHANGES(X)                                                                             \
    X(APPLY, no_change, "apply.change", s->apply.change = NULL)                                    \
    X(APPLY, unknown_wait, "apply.wait is 7", s->apply.wait = 7)                                   \
    X(APPLY, negative_wait, "apply.wait is -1", s->apply.wait = -1)                                \
    X(APPLY, no_world, "change.world is empty", s->change.world = text(""))                        \
    X(APPLY, long_world, "change.world is longer than 32", s->change.world = text(LONG_NAME))      \
    X(APPLY, slash_in_world, "change.world has the byte 0x2f", s->change.world = text("a/b"))      \
    X(APPLY, escape_in_world, "0x1b at 1", s->change.world = text("a\x1b[2J"))                     \
    X(APPLY, bad_utf8_in_world, "0xff at 0", s->change.world = text("\xff\xfe"))                   \
    X(APPLY, space_in_publisher, "change.publisher", s->change.publisher = text("a b"))            \
    X(APPLY, no_incarnation, "change.incarnation is 0", s->change.incarnation = 0)                 \
    X(APPLY, no_sequence, "change.sequence is 0", s->change.sequence = 0)                          \
    X(APPLY, sequence_of_nobody, "change.publisher is empty", s->change.publisher = text(""))      \
    X(APPLY, repairs_the_future, "change.repairs_through is 13", s->change.repairs_through = 13)   \
    X(APPLY, no_width, "change.width is 0", s->change.width = 0)                                   \
    X(APPLY, no_height, "change.height is 0", s->change.height = 0)                                \
    X(APPLY, no_sides, "change.width is 0", s->change.width = 0; s->change.height = 0)             \
    X(APPLY, wide_rectangle, "change.width is 16385", s->change.width = 16385)                     \
    X(APPLY, huge_rectangle, "at most 67108864", s->change.width = s->change.height = 16384)       \
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
      s->change.cells = many_numbers;                                                              \
      s->change.n_cells = 3)                                                                       \
    X(APPLY, empty, "change is empty", s->change.rect_case = REPLAN__V1__CHANGE__RECT__NOT_SET;    \
      s->change.width = s->change.height = 0; s->change.n_cells = 0; s->change.values.len = 0)

#define BAD_WORLDS(X)                                                                              \
    X(CREATE_WORLD, world_without_name, "create_world.world", s->create_world.world = text(""))    \
    X(CREATE_WORLD, no_geometry, "create_world.geometry", s->create_world.geometry = NULL)         \
    X(CREATE_WORLD, world_without_width, "geometry.width is 0", s->geometry.width = 0)             \
    X(CREATE_WORLD, world_without_height, "geometry.height is 0", s->geometry.height = 0)          \
    X(CREATE_WORLD, overflowing_world, "geometry.width is 65536",                                  \
      s->geometry.width = s->geometry.height = 65536)                                              \
    X(CREATE_WORLD, high_world, "geometry.height is 4294967295", s->geometry.height = UINT32_MAX)  \
    X(CREATE_WORLD, huge_world, "geometry.width times geometry.height is 268435456",               \
      s->geometry.width = s->geometry.height = 16384)                                              \
    X(CREATE_WORLD, resolution_zero, "geometry.resolution is 0", s->geometry.resolution = 0)       \
    X(CREATE_WORLD, resolution_negative, "geometry.resolution is -1", s->geometry.resolution = -1) \
    X(CREATE_WORLD, resolution_nan, "geometry.resolution is", s->geometry.resolution = NAN)        \
    X(CREATE_WORLD, resolution_inf, "geometry.resolution is inf",                                  \
      s->geometry.resolution = INFINITY)                                                           \
    X(CREATE_WORLD, resolution_tiny, "within 0.0001", s->geometry.resolution = 1e-5)               \
    X(CREATE_WORLD, resolution_large, "and 10000 metres", s->geometry.resolution = 1e5)            \
    X(CREATE_WORLD, origin_nan, "geometry.origin_x", s->geometry.origin_x = NAN)                   \
    X(CREATE_WORLD, origin_far, "geometry.origin_y is 2e+09", s->geometry.origin_y = 2e9)          \
    X(CREATE_WORLD, origin_inf, "geometry.origin_yaw is -inf", s->geometry.origin_yaw = -INFINITY) \
    X(CREATE_WORLD, frame_newline, "geometry.frame_id has the byte 0x0a at 3",                     \
      s->geometry.frame_id = text("map\n"))                                                        \
    X(CREATE_WORLD, frame_latin, "geometry.frame_id has the byte 0xc3",                            \
      s->geometry.frame_id = text("\xc3\xa9"))                                                     \
    X(CREATE_WORLD, frame_long, "geometry.frame_id is longer than 64",                             \
      s->geometry.frame_id = text(LONG_FRAME))                                                     \
    X(CREATE_WORLD, neighbors_6, "create_world.neighbors is 6", s->create_world.neighbors = 6)     \
    X(CREATE_WORLD, wrapped_flat, "geometry.height is 2, a world that wraps",                      \
      s->create_world.wraps = 1)                                                                   \
    X(CREATE_WORLD, wrapped_thin, "geometry.width is 2, a world that wraps",                       \
      s->create_world.wraps = 1;                                                                   \
      s->geometry.width = 2; s->geometry.height = 3)                                               \
    X(CREATE_WORLD, unknown_profile, "create_world.profile",                                       \
      s->create_world.profile = text("\x1b[31mfactor"))                                            \
    X(CREATE_WORLD, profile_without_name, "profile.name is empty", s->wheels.name = text(""))      \
    X(CREATE_WORLD, profile_of_the_house, "there is a profile \"costmap\" already",                \
      s->wheels.name = text("costmap"))                                                            \
    X(CREATE_WORLD, profile_twice, "there is a profile \"careful\" already",                       \
      s->profiles[0] = &s->careful)                                                                \
    X(CREATE_WORLD, short_table, "profile.factors has 255 bytes", s->wheels.factors.len = 255)     \
    X(CREATE_WORLD, no_unit, "profile.unit is 0", s->wheels.unit = 0)                              \
    X(CREATE_WORLD, large_unit, "profile.unit is 266", s->wheels.unit = 266)                       \
    X(CREATE_WORLD, unit_of_nothing, "profile.unit is 11, no byte", s->wheels.unit = 11)           \
    X(CREATE_WORLD, like_nothing, "profile.like must be", s->careful.like = text("wheels"))        \
    X(CREATE_WORLD, unknown_unknown, "profile.unknown is 9", s->careful.unknown = 9)               \
    X(CREATE_WORLD, unknown_for_nothing, "profile.unknown_factor is 0",                            \
      s->careful.unknown_factor = 0)                                                               \
    X(CREATE_WORLD, many_profiles, "create_world.profiles has 17 entries, at most 16",             \
      s->create_world.profiles = many_profiles(s);                                                 \
      s->create_world.n_profiles = 17)                                                             \
    X(CREATE_WORLD, short_world, "create_world.data has 1 bytes", s->create_world.data.len = 1)    \
    X(CREATE_WORLD, large_world_fill, "create_world.fill is 4294967295",                           \
      s->create_world.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_FILL;                       \
      s->create_world.fill = UINT32_MAX)                                                           \
    X(REMOVE_WORLD, remove_nothing, "remove_world.world", s->remove_world.world = text(""))        \
    X(DELTAS_SINCE, deltas_of_nothing, "deltas_since.world", s->deltas_since.world = text("?"))    \
    X(GET_SNAPSHOT, snapshot_of_nothing, "get_snapshot.world", s->get_snapshot.world = text(""))   \
    X(GET_SNAPSHOT, snapshot_below, "get_snapshot.first_row is 16384",                             \
      s->get_snapshot.first_row = 16384)                                                           \
    X(FORGIVE, forgive_nowhere, "forgive.world", s->forgive.world = text(""))                      \
    X(FORGIVE, forgive_nobody, "forgive.publisher", s->forgive.publisher = text(""))

#define BAD_OVERLAYS(X)                                                                            \
    X(RESIZE, resize_nothing, "resize.world is empty", s->resize.world = text(""))                 \
    X(RESIZE, resize_to_nothing, "resize.height is 0", s->resize.height = 0)                       \
    X(RESIZE, resize_wide, "resize.width is 16385", s->resize.width = 16385)                       \
    X(RESIZE, resize_huge, "at most 67108864", s->resize.width = s->resize.height = 16384)         \
    X(RESIZE, resize_fill, "resize.fill is 256", s->resize.fill = 256)                             \
    X(RESIZE, resize_wait, "resize.wait is 9", s->resize.wait = 9)                                 \
    X(OVERLAY, overlay_nowhere, "overlay.world is empty", s->overlay.world = text(""))             \
    X(OVERLAY, overlay_wait, "overlay.wait is 9", s->overlay.wait = 9)                             \
    X(OVERLAY, many_shapes, "overlay.ids has 70000 entries", s->overlay.ids = many_numbers;        \
      s->overlay.n_ids = MANY)                                                                     \
    X(OVERLAY, many_removed, "overlay.removed 70000", s->overlay.removed = many_numbers;           \
      s->overlay.n_removed = MANY)                                                                 \
    X(OVERLAY, empty_overlay, "overlay is empty", s->overlay.n_ids = s->overlay.n_removed = 0)     \
    X(OVERLAY, corners_of_one, "overlay.corners has 1 entries, overlay.ids has 2",                 \
      s->overlay.n_corners = 1)                                                                    \
    X(OVERLAY, two_corners, "overlay.corners has 2, it must be", s->shape_corners[1] = 2)          \
    X(OVERLAY, no_corner, "overlay.corners has 0", s->shape_corners[0] = 0)                        \
    X(OVERLAY, many_corners, "overlay.corners has 65", s->shape_corners[1] = 65)                   \
    X(OVERLAY, corner_missing, "overlay.x has 4 entries and overlay.y 3, the corners are 4",       \
      s->overlay.n_y = 3)                                                                          \
    X(OVERLAY, corner_nowhere, "overlay.y is nan", s->shape_y[2] = NAN)                            \
    X(OVERLAY, far_corner, "overlay.x is 2e+09", s->shape_x[0] = 2e9)                              \
    X(OVERLAY, radii_of_one, "overlay.radii_m has 1 entries", s->overlay.n_radii_m = 1)            \
    X(OVERLAY, negative_disc, "overlay.radii_m has -1", s->shape_radii[0] = -1.0)                  \
    X(OVERLAY, ttl_of_one, "overlay.ttl_ms has 1 entries", s->overlay.n_ttl_ms = 1)                \
    X(OVERLAY, no_values, "overlay.values has 0 bytes for 2", s->overlay.values.len = 0)

#define BAD_AGENTS(X)                                                                              \
    X(OPEN_AGENT, agent_without_world, "open_agent.world", s->open_agent.world = text(""))         \
    X(OPEN_AGENT, agent_without_name, "open_agent.agent", s->open_agent.agent = text(""))          \
    X(OPEN_AGENT, odd_planner, "open_agent.planner", s->open_agent.planner = text("a*"))           \
    X(OPEN_AGENT, odd_body_profile, "body.profile has the byte", s->body.profile = text("a b"))    \
    X(OPEN_AGENT, negative_radius, "body.radius_m is -1", s->body.radius_m = -1.0)                 \
    X(OPEN_AGENT, infinite_radius, "body.inflation_radius_m is inf",                               \
      s->body.inflation_radius_m = INFINITY)                                                       \
    X(OPEN_AGENT, nan_scaling, "body.cost_scaling_factor is", s->body.cost_scaling_factor = NAN)   \
    X(OPEN_AGENT, inscribed_beyond, "body.inscribed_radius_m is 0.6, at most",                     \
      s->body.inscribed_radius_m = 0.6)                                                            \
    X(OPEN_AGENT, pose_elsewhere, "pose.world differs", s->pose.world = text("hill"))              \
    X(OPEN_AGENT, pose_of_another, "pose.agent differs", s->pose.agent = text("elf"))              \
    X(OPEN_AGENT, opened_at_nan, "pose.x", s->pose.x = NAN)                                        \
    X(OPEN_AGENT, goal_elsewhere, "goal.world differs", s->goal.world = text("hill"))              \
    X(OPEN_AGENT, goal_of_another, "goal.agent differs", s->goal.agent = text("elf"))              \
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
    X(CLOSE_AGENT, close_nowhere, "close_agent.world", s->close_agent.world = text(""))            \
    X(CLOSE_AGENT, close_nobody, "close_agent.agent", s->close_agent.agent = text(LONG_NAME))      \
    X(GET_ANSWER, answer_nowhere, "get_answer.world", s->get_answer.world = text(""))              \
    X(GET_ANSWER, answer_of_nobody, "get_answer.agent", s->get_answer.agent = text(""))            \
    X(SET_POSE, pose_nowhere, "pose.world is empty", s->pose.world = text(""))                     \
    X(SET_POSE, pose_of_nobody, "pose.agent is empty", s->pose.agent = text(""))                   \
    X(SET_POSE, pose_nan, "pose.y", s->pose.y = NAN)                                               \
    X(SET_POSE, pose_inf, "pose.x is inf", s->pose.x = INFINITY)                                   \
    X(SET_POSE, pose_far, "within -1e+09 and 1e+09", s->pose.x = -1.1e9)                           \
    X(SET_POSE, yaw_nan, "pose.yaw", s->pose.yaw = NAN)                                            \
    X(SET_POSES, poses_nowhere, "poses.world", s->poses.world = text(""))                          \
    X(SET_POSES, no_handles, "poses.handles has 0", s->poses.n_handles = 0)                        \
    X(SET_POSES, uneven_x, "poses.x has 1", s->poses.n_x = 1)                                      \
    X(SET_POSES, uneven_y, "poses.y 1", s->poses.n_y = 1)                                          \
    X(SET_POSES, too_many_poses, "poses.handles has 70000", s->poses.handles = many_numbers;       \
      s->poses.n_handles = MANY)                                                                   \
    X(SET_POSES, second_pose_nan, "poses.y", s->y[1] = NAN)                                        \
    X(ORDER, order_nowhere, "order.world is empty", s->order.world = text(""))                     \
    X(ORDER, order_to_nobody, "order.handles and order.agents have 0",                             \
      s->order.n_handles = s->order.n_agents = 0)                                                  \
    X(ORDER, order_to_no_place, "order.x has 0", s->order.n_x = s->order.n_y = 0)                  \
    X(ORDER, uneven_places, "order.x has 2 entries and order.y 1", s->order.n_y = 1)               \
    X(ORDER, places_for_some, "order.x has 2 entries, the order has 3", s->order.n_agents = 2)     \
    X(ORDER, goal_ids_for_some, "order.goal_ids has 2", s->order.n_agents = 2;                     \
      s->order.n_x = s->order.n_y = 1)                                                             \
    X(ORDER, order_to_no_name, "order.agents", s->agents[0] = text("a/b"))                         \
    X(ORDER, order_inf, "order.x is inf", s->x[1] = INFINITY)                                      \
    X(SET_GOAL, goal_nowhere, "goal.world is empty", s->goal.world = text(""))                     \
    X(SET_GOAL, goal_of_nobody, "goal.agent is empty", s->goal.agent = text(""))                   \
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
    X(SET_GOAL, target_and_points, "goal.target excludes goal.x", s->goal.target = text("elf"))    \
    X(SET_GOAL, odd_target, "goal.target has the byte 0x20", s->goal.target = text("el f");        \
      s->goal.n_x = s->goal.n_y = s->goal.n_offsets = 0)                                           \
    X(SET_GOAL, vague_goal, "goal.tolerance_m is -1", s->goal.tolerance_m = -1.0)                  \
    X(OPEN_AGENT, far_escape, "policy.escape_m is inf",                                            \
      s->policy.escape_case = REPLAN__V1__POLICY__ESCAPE_ESCAPE_M;                                 \
      s->policy.escape_m = INFINITY)                                                               \
    X(SET_GOAL, too_many_goals, "1 to 4096", s->goal.x = s->goal.y = many_doubles;                 \
      s->goal.n_x = s->goal.n_y = 4097; s->goal.n_offsets = 0)

#define BAD_WATCHES(X)                                                                             \
    X(WATCH, watch_nowhere, "watch.world", s->watch.world = text(""))                              \
    X(WATCH, watch_nothing, "watch has nothing", s->watch.n_agents = 0; s->watch.map = 0)          \
    X(WATCH, watch_all_and_some, "watch.all and 2 watch.agents", s->watch.all = 1)                 \
    X(WATCH, watch_odd_name, "watch.agents", s->agents[1] = text("el f"))                          \
    X(WATCH, watch_too_many, "watch.agents has 70000", s->watch.agents = many_names;               \
      s->watch.n_agents = MANY)                                                                    \
    X(WATCH, large_credit, "watch.credit is 65537", s->watch.credit = 65537)                       \
    X(CREDIT, credit_for_none, "credit.watch is 0", s->credit.watch = 0)                           \
    X(CREDIT, more_credit, "credit.credit is 65537, at most 65536", s->credit.credit = 65537)      \
    X(UNWATCH, unwatch_none, "unwatch.watch is 0", s->unwatch.watch = 0)                           \
    X(GET_STATS, no_body, "request.body",                                                          \
      s->request.body_case = REPLAN__V1__REQUEST__BODY__NOT_SET)                                   \
    X(GET_STATS, late_deadline, "request.deadline_ms is 3600001",                                  \
      s->request.deadline_ms = 3600001)                                                            \
    X(GET_STATS, after_nowhere, "after.world", s->request.after = &s->after;                       \
      s->after.world = text(""))                                                                   \
    X(GET_STATS, after_nothing, "either after.version or", s->request.after = &s->after;           \
      s->after.version = 0)                                                                        \
    X(GET_STATS, after_both, "either after.version or", s->request.after = &s->after;              \
      s->after.publisher = text("scout"); s->after.sequence = 1)                                   \
    X(GET_STATS, after_odd_publisher, "after.publisher has the byte 0x2b",                         \
      s->request.after = &s->after;                                                                \
      s->after.publisher = text("+"))                                                              \
    X(GET_STATS, after_no_sequence, "after.sequence", s->request.after = &s->after;                \
      s->after.version = 0; s->after.publisher = text("scout"))                                    \
    X(GET_STATS, after_sequence_of_nobody, "after.publisher and", s->request.after = &s->after;    \
      s->after.sequence = 1)

#define BAD_QUESTIONS(X)                                                                           \
    X(ASK_COSTS, costs_nowhere, "ask_costs.world", s->ask_costs.world = text(""))                  \
    X(ASK_COSTS, costs_of_nothing, "ask_costs.from_x times ask_costs.to_x is 0",                   \
      s->ask_costs.n_to_x = s->ask_costs.n_to_y = 0)                                               \
    X(ASK_COSTS, costs_uneven, "ask_costs.from_x has 2 entries, ask_costs.from_y has 1",           \
      s->ask_costs.n_from_y = 1)                                                                   \
    X(ASK_COSTS, costs_from_nan, "ask_costs.to.x", s->ask_costs.n_from_x = 1;                      \
      s->ask_costs.n_from_y = 1; s->x[1] = NAN)                                                    \
    X(ASK_COSTS, costs_of_too_many, "is 140000, it must be 1 to 16641",                            \
      s->ask_costs.from_x = s->ask_costs.from_y = many_doubles;                                    \
      s->ask_costs.n_from_x = s->ask_costs.n_from_y = MANY)                                        \
    X(ASK_PROBE, probe_of_nothing, "ask_probe.change is missing", s->ask_probe.change = NULL)      \
    X(ASK_PROBE, probe_nowhere, "change.world is empty", s->change.world = text(""))               \
    X(ASK_PROBE, probe_for_nobody, "ask_probe.agents and ask_probe.from_x together is 0",          \
      s->ask_probe.n_agents = 0;                                                                   \
      s->ask_probe.n_from_x = s->ask_probe.n_from_y = s->ask_probe.n_to_x = 0;                     \
      s->ask_probe.n_to_y = 0)                                                                     \
    X(ASK_PROBE, probe_of_halves, "ask_probe.to_x has 1 entries, ask_probe.from_x has 2",          \
      s->ask_probe.n_to_x = s->ask_probe.n_to_y = 1)                                               \
    X(ASK_PROBE, probe_odd_name, "ask_probe.agents has the byte", s->agents[1] = text("el f"))     \
    X(ASK_FIELD, wide_field, "ask_field.reach is 65, at most 64", s->ask_field.reach = 65)         \
    X(ASK_FIELD, field_of_nobody, "ask_field.agent", s->ask_field.agent = text(""))                \
    X(ASK_VALID, odd_step, "ask_valid.steps has 254 at 4", s->ask_valid.steps.len = 6;             \
      s->data[3] = 7)                                                                              \
    X(ASK_WHY, why_nowhere, "ask_why.world", s->ask_why.world = text("/"))

#define BAD_REQUESTS(X)                                                                            \
    BAD_CHANGES(X) BAD_WORLDS(X) BAD_OVERLAYS(X) BAD_AGENTS(X) BAD_WATCHES(X) BAD_QUESTIONS(X)

#define SPOILER(kind, name, word, ...)                                                             \
    static void spoil_##name(S *s)                                                                 \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
BAD_REQUESTS(SPOILER)

static const struct bad {
    Replan__V1__Request__BodyCase kind;
    const char *name;
    const char *word;
    void (*spoil)(S *s);
} bads[] = {
#define ROW(kind, name, word, ...) {REPLAN__V1__REQUEST__BODY_##kind, #name, word, spoil_##name},
    BAD_REQUESTS(ROW)};

#define BADS ((int)(sizeof(bads) / sizeof(bads[0])))

// ---- one request through the wire and the check

static bool is_accepted(const Replan__V1__Request *request, rp_refusal_t *refusal)
{
    rp_buffer_t buffer = {0};
    ck_assert(rp_codec_pack(&buffer, &request->base));
    rp_arena_t arena;
    rp_arena_init(&arena, RP_LIMIT_ARENA_BYTES);
    ProtobufCMessage *came =
        rp_codec_unpack(&arena, &replan__v1__request__descriptor, buffer.bytes, buffer.size);
    ck_assert_ptr_nonnull(came);
    bool accepted = rp_check_request((const Replan__V1__Request *)came, refusal);
    rp_arena_fini(&arena);
    rp_buffer_fini(&buffer);
    return accepted;
}

START_TEST(a_valid_request_is_accepted)
{
    S s;
    rp_samples_init(&s);
    const char *name = NULL;
    rp_samples_choose(&s, rp_sample_kind((size_t)_i, &name));
    rp_refusal_t refusal = {0};
    ck_assert_msg(is_accepted(&s.request, &refusal), "%s: %s", name, refusal.sentence);
    s.request.after = &s.after;
    ck_assert_msg(is_accepted(&s.request, &refusal), "%s: %s", name, refusal.sentence);
}
END_TEST

START_TEST(a_spoilt_request_is_refused_by_name)
{
    S s;
    rp_samples_init(&s);
    rp_samples_choose(&s, bads[_i].kind);
    bads[_i].spoil(&s);
    rp_refusal_t refusal = {0};
    ck_assert_msg(!is_accepted(&s.request, &refusal), "%s is accepted", bads[_i].name);
    ck_assert_int_eq(refusal.status, REPLAN__V1__STATUS__INVALID);
    ck_assert_msg(strstr(refusal.sentence, bads[_i].word) != NULL, "%s: \"%s\" lacks \"%s\"",
                  bads[_i].name, refusal.sentence, bads[_i].word);
    for (const char *at = refusal.sentence; *at != '\0'; at++) {
        ck_assert_msg(*at >= ' ' && *at <= '~', "%s echoes a byte", bads[_i].name);
    }
}
END_TEST

// ---- the edges of what is allowed

START_TEST(the_limits_themselves_are_accepted)
{
    S s;
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
    s.change.world = text("abcdefghijklmnopqrstuvwxyz_.-019");
    ck_assert_msg(is_accepted(&s.request, &refusal), "%s", refusal.sentence);

    rp_samples_choose(&s, REPLAN__V1__REQUEST__BODY_CREATE_WORLD);
    s.create_world.content_case = REPLAN__V1__CREATE_WORLD__CONTENT__NOT_SET;
    s.create_world.neighbors = 0;
    s.create_world.profile = text("");
    s.geometry.width = 4096;
    s.geometry.height = 16384;
    s.geometry.resolution = RP_LIMIT_RESOLUTION_MIN;
    s.geometry.origin_x = RP_LIMIT_COORDINATE;
    s.geometry.frame_id = text("");
    ck_assert_msg(is_accepted(&s.request, &refusal), "%s", refusal.sentence);

    rp_samples_choose(&s, REPLAN__V1__REQUEST__BODY_SET_GOAL);
    s.goal.x = s.goal.y = many_doubles;
    s.goal.offsets = many_numbers;
    s.goal.n_x = s.goal.n_y = s.goal.n_offsets = RP_LIMIT_GOALS;
    ck_assert_msg(is_accepted(&s.request, &refusal), "%s", refusal.sentence);
}
END_TEST

START_TEST(a_torus_of_three_is_accepted)
{
    S s;
    rp_samples_init(&s);
    rp_samples_choose(&s, REPLAN__V1__REQUEST__BODY_CREATE_WORLD);
    s.create_world.wraps = 1;
    s.geometry.width = s.geometry.height = 3;
    s.create_world.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_FILL;
    s.create_world.fill = 0;
    rp_refusal_t refusal = {0};
    ck_assert_msg(is_accepted(&s.request, &refusal), "%s", refusal.sentence);
}
END_TEST

START_TEST(an_unnumbered_change_needs_no_publisher)
{
    S s;
    rp_samples_init(&s);
    s.change.publisher = text("");
    s.change.incarnation = s.change.sequence = 0;
    rp_refusal_t refusal = {0};
    ck_assert_msg(is_accepted(&s.request, &refusal), "%s", refusal.sentence);
}
END_TEST

START_TEST(names_inside_open_agent_may_be_left_out)
{
    S s;
    rp_samples_init(&s);
    rp_samples_choose(&s, REPLAN__V1__REQUEST__BODY_OPEN_AGENT);
    s.pose.world = s.pose.agent = s.goal.world = s.goal.agent = text("");
    s.open_agent.planner = text("");
    rp_refusal_t refusal = {0};
    ck_assert_msg(is_accepted(&s.request, &refusal), "%s", refusal.sentence);
    s.open_agent.pose = NULL;
    s.open_agent.goal = NULL;
    ck_assert_msg(is_accepted(&s.request, &refusal), "%s", refusal.sentence);
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
#define TOPIC(text, world, agent) {text, sizeof(text) - 1, world, agent},
    TOPIC("pose/marsh/", "marsh", "") TOPIC("pose/marsh/orc/", "marsh", "orc")
        TOPIC("pose/-/", "-", "") TOPIC("", NULL, "1 to 128") TOPIC("pose", NULL, "pose/")
            TOPIC("poses/marsh/", NULL, "pose/") TOPIC("pos/marsh/", NULL, "pose/")
                TOPIC("/marsh/", NULL, "pose/") TOPIC("pose/", NULL, "world")
                    TOPIC("pose/marsh", NULL, "world") TOPIC("pose//", NULL, "topic.world is empty")
                        TOPIC("pose//orc/", NULL, "topic.world is empty")
                            TOPIC("pose/ma rsh/", NULL, "topic.world has the byte 0x20")
                                TOPIC("pose/ma\0rsh/", NULL, "topic.world has the byte 0x00") TOPIC(
                                    "pose/" LONG_NAME "/", NULL,
                                    "topic.world is longer") TOPIC("pose/marsh/orc", NULL, "agent")
                                    TOPIC("pose/marsh//", NULL, "topic.agent is empty") TOPIC(
                                        "pose/marsh/o\xff/", NULL, "topic.agent has the byte 0xff")
                                        TOPIC("pose/marsh/orc/x", NULL, "agent")
                                            TOPIC("pose/marsh/orc/x/", NULL, "agent")
                                                TOPIC("pose/marsh/orc/" LONG_FRAME LONG_FRAME, NULL,
                                                      "1 to 128")};

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
    tcase_add_loop_test(requests, a_spoilt_request_is_refused_by_name, 0, BADS);
    tcase_add_test(requests, the_limits_themselves_are_accepted);
    tcase_add_test(requests, a_torus_of_three_is_accepted);
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
    for (size_t i = 0; i < MANY; i++) {
        many_names[i] = text("orc");
    }
    SRunner *runner = srunner_create(suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
