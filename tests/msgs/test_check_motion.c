/// What is refused of motion, and in which words; and that the limits themselves are accepted.
#include <math.h>

#include "msgs/limits.h"
#include "tests/msgs/spoilt.h"
#include "tests/support/suite.h"

/// A footprint of so many corners.
#define DRAW(s, corners)                                                                           \
    rp_samples_drive(s);                                                                           \
    s->body.radius_m = 0;                                                                          \
    s->body.n_footprint_at = 0;                                                                    \
    s->body.footprint_x = s->body.footprint_y = rp_many_doubles;                                   \
    s->body.n_footprint_x = s->body.n_footprint_y = corners

/// Its polygons.
#define CUT(s, first, second)                                                                      \
    static uint32_t at[2] = {first, second};                                                       \
    s->body.footprint_at = at;                                                                     \
    s->body.n_footprint_at = 2

#define DRIVERS(X)                                                                                 \
    X(OPEN_AGENT, car, NULL, rp_samples_drive(s))                                                  \
    X(OPEN_AGENT, spot, NULL, rp_samples_drive(s); s->motion.drive = REPLAN__V1__DRIVE__SPOT;      \
      s->motion.turning_radius_m = 0)                                                              \
    X(OPEN_AGENT, by_auto, NULL, rp_samples_drive(s);                                              \
      s->open_agent.planner = rp_sample_text("auto"))                                              \
    X(OPEN_AGENT, by_nobody, NULL, rp_samples_drive(s);                                            \
      s->open_agent.planner = rp_sample_text(""))                                                  \
    X(OPEN_AGENT, defaults, NULL, rp_samples_drive(s); s->motion.headings = 0;                     \
      s->motion.turn_case = REPLAN__V1__MOTION__TURN__NOT_SET;                                     \
      s->motion.bound_case = REPLAN__V1__MOTION__BOUND__NOT_SET)                                   \
    X(OPEN_AGENT, widest_bound, NULL, rp_samples_drive(s); s->motion.bound_percent = 50)           \
    X(OPEN_AGENT, exact, NULL, rp_samples_drive(s); s->motion.bound_percent = 0)                   \
    X(OPEN_AGENT, most_headings, NULL, rp_samples_drive(s); s->motion.headings = 64)               \
    X(OPEN_AGENT, omni, NULL, rp_samples_drive(s); s->motion.drive = REPLAN__V1__DRIVE__OMNI;      \
      s->motion.turning_radius_m = 0)                                                              \
    X(OPEN_AGENT, turning_omni, "motion.turning_radius_m is 2, OMNI moves on lines",               \
      rp_samples_drive(s);                                                                         \
      s->motion.drive = REPLAN__V1__DRIVE__OMNI; s->motion.turning_radius_m = 2)                   \
    X(OPEN_AGENT, backing_omni, "motion.reverse: OMNI has no gears", rp_samples_drive(s);          \
      s->motion.drive = REPLAN__V1__DRIVE__OMNI; s->motion.turning_radius_m = 0;                   \
      s->motion.reverse = 1)                                                                       \
    X(OPEN_AGENT, hover, "motion.drive is 3, it must be CAR, SPOT or OMNI", rp_samples_drive(s);   \
      s->motion.drive = (Replan__V1__Drive)3)                                                      \
    X(OPEN_AGENT, no_drive, "motion.drive is -1", rp_samples_drive(s);                             \
      s->motion.drive = (Replan__V1__Drive)(-1))                                                   \
    X(OPEN_AGENT, on_the_spot, "motion.turning_radius_m is 0, a CAR's", rp_samples_drive(s);       \
      s->motion.turning_radius_m = 0)                                                              \
    X(OPEN_AGENT, inside_out, "motion.turning_radius_m is -1, it must", rp_samples_drive(s);       \
      s->motion.turning_radius_m = -1.0)                                                           \
    X(OPEN_AGENT, nowhere_near, "motion.turning_radius_m is nan", rp_samples_drive(s);             \
      s->motion.turning_radius_m = NAN)                                                            \
    X(OPEN_AGENT, straight_only, "motion.turning_radius_m is inf", rp_samples_drive(s);            \
      s->motion.turning_radius_m = INFINITY)                                                       \
    X(OPEN_AGENT, backwards, NULL, rp_samples_drive(s); s->motion.reverse = 1)                     \
    X(OPEN_AGENT, dear_backwards, NULL, rp_samples_drive(s); s->motion.reverse = 1;                \
      s->motion.factor_case = REPLAN__V1__MOTION__FACTOR_REVERSE_FACTOR;                           \
      s->motion.reverse_factor = RP_LIMIT_REVERSE; s->motion.gear_change_m = RP_LIMIT_RADIUS_M)    \
    X(OPEN_AGENT, free_backwards, "motion.reverse_factor is 0, it must lie within 1 and 100",      \
      rp_samples_drive(s);                                                                         \
      s->motion.factor_case = REPLAN__V1__MOTION__FACTOR_REVERSE_FACTOR;                           \
      s->motion.reverse_factor = 0)                                                                \
    X(OPEN_AGENT, too_dear_backwards, "motion.reverse_factor is 100.5", rp_samples_drive(s);       \
      s->motion.factor_case = REPLAN__V1__MOTION__FACTOR_REVERSE_FACTOR;                           \
      s->motion.reverse_factor = 100.5)                                                            \
    X(OPEN_AGENT, nan_backwards, "motion.reverse_factor is nan", rp_samples_drive(s);              \
      s->motion.factor_case = REPLAN__V1__MOTION__FACTOR_REVERSE_FACTOR;                           \
      s->motion.reverse_factor = NAN)                                                              \
    X(OPEN_AGENT, paid_change, "motion.gear_change_m is -1, it must lie", rp_samples_drive(s);     \
      s->motion.gear_change_m = -1.0)                                                              \
    X(OPEN_AGENT, nan_change, "motion.gear_change_m is nan", rp_samples_drive(s);                  \
      s->motion.gear_change_m = NAN)                                                               \
    X(OPEN_AGENT, polygon, NULL, DRAW(s, 4))                                                       \
    X(OPEN_AGENT, walking_polygon, NULL, DRAW(s, 16); s->open_agent.motion = NULL;                 \
      s->open_agent.planner = rp_sample_text(""))                                                  \
    X(OPEN_AGENT, two_polygons, NULL, DRAW(s, 6); CUT(s, 0, 3))                                    \
    X(OPEN_AGENT, line, "body.footprint_x has 2 entries, it must have 3 to 16", DRAW(s, 2))        \
    X(OPEN_AGENT, too_many_corners, "body.footprint_x has 17 entries", DRAW(s, 17))                \
    X(OPEN_AGENT, uneven_polygon, "body.footprint_y has 3 entries, body.footprint_x has 4",        \
      DRAW(s, 4);                                                                                  \
      s->body.n_footprint_y = 3)                                                                   \
    X(OPEN_AGENT, only_y, "body.footprint_y has 3 entries, body.footprint_x has 0", DRAW(s, 3);    \
      s->body.n_footprint_x = 0)                                                                   \
    X(OPEN_AGENT, nan_corner, "body.footprint_x[0] is nan", DRAW(s, 3); s->shape_x[0] = NAN;       \
      s->body.footprint_x = s->shape_x)                                                            \
    X(OPEN_AGENT, far_corner, "body.footprint_y[1] is inf", DRAW(s, 3);                            \
      s->body.n_footprint_x = s->body.n_footprint_y = 3; s->shape_y[1] = INFINITY;                 \
      s->body.footprint_y = s->shape_y)                                                            \
    X(OPEN_AGENT, round_polygon, "body.radius_m must be 0 with body.footprint_x", DRAW(s, 4);      \
      s->body.radius_m = 0.5)                                                                      \
    X(OPEN_AGENT, square_polygon, "body.cells must be 0 with body.footprint_x", DRAW(s, 4);        \
      s->body.cells = 2)                                                                           \
    X(OPEN_AGENT, late_polygon, "body.footprint_at[0] is 3, the first polygon begins at 0",        \
      DRAW(s, 6);                                                                                  \
      CUT(s, 3, 3))                                                                                \
    X(OPEN_AGENT, short_polygon, "body.footprint_at[0] is 0, its polygon ends at 2 of 6",          \
      DRAW(s, 6);                                                                                  \
      CUT(s, 0, 2))                                                                                \
    X(OPEN_AGENT, polygon_behind, "body.footprint_at[1] is 4, its polygon ends at 6 of 6",         \
      DRAW(s, 6);                                                                                  \
      CUT(s, 0, 4))                                                                                \
    X(OPEN_AGENT, padded_polygon, NULL, DRAW(s, 4); s->body.padding_m = 0.1)                       \
    X(OPEN_AGENT, hollow_polygon, "body.padding_m is -0.1", DRAW(s, 4); s->body.padding_m = -0.1)  \
    X(OPEN_AGENT, nan_padding, "body.padding_m is nan", DRAW(s, 4); s->body.padding_m = NAN)       \
    X(OPEN_AGENT, padded_disc, "body.footprint_x is missing, body.padding_m needs it",             \
      s->body.padding_m = 0.1)                                                                     \
    X(OPEN_AGENT, odd_headings, "motion.headings is 12, it must be 0, 8, 16, 32 or 64",            \
      rp_samples_drive(s);                                                                         \
      s->motion.headings = 12)                                                                     \
    X(OPEN_AGENT, too_many_headings, "motion.headings is 128", rp_samples_drive(s);                \
      s->motion.headings = 128)                                                                    \
    X(OPEN_AGENT, few_most, NULL, rp_samples_drive(s); s->motion.headings = 0;                     \
      s->motion.headings_most = 16)                                                                \
    X(OPEN_AGENT, odd_most, "motion.headings_most is 48, it must be 0, 8", rp_samples_drive(s);    \
      s->motion.headings_most = 48)                                                                \
    X(OPEN_AGENT, less_most, "motion.headings_most is 8, motion.headings is more, 16",             \
      rp_samples_drive(s);                                                                         \
      s->motion.headings = 0; s->motion.headings_most = 8)                                         \
    X(OPEN_AGENT, free_turns, "motion.turn_m_per_rad is 0", rp_samples_drive(s);                   \
      s->motion.turn_m_per_rad = 0)                                                                \
    X(OPEN_AGENT, paid_turns, "motion.turn_m_per_rad is -0.1", rp_samples_drive(s);                \
      s->motion.turn_m_per_rad = -0.1)                                                             \
    X(OPEN_AGENT, nan_turns, "motion.turn_m_per_rad is nan", rp_samples_drive(s);                  \
      s->motion.turn_m_per_rad = NAN)                                                              \
    X(OPEN_AGENT, long_hold, NULL, rp_samples_drive(s);                                            \
      s->motion.hold_case = REPLAN__V1__MOTION__HOLD_HOLD_M; s->motion.hold_m = RP_LIMIT_RADIUS_M) \
    X(OPEN_AGENT, nan_hold, "motion.hold_m is nan", rp_samples_drive(s);                           \
      s->motion.hold_case = REPLAN__V1__MOTION__HOLD_HOLD_M; s->motion.hold_m = NAN)               \
    X(OPEN_AGENT, any_yaw, NULL, rp_samples_drive(s);                                              \
      s->motion.follow_case = REPLAN__V1__MOTION__FOLLOW_FOLLOW_YAW;                               \
      s->motion.follow_yaw = RP_LIMIT_FOLLOW_YAW)                                                  \
    X(OPEN_AGENT, no_yaw, "motion.follow_yaw is 0, it must be above 0", rp_samples_drive(s);       \
      s->motion.follow_case = REPLAN__V1__MOTION__FOLLOW_FOLLOW_YAW; s->motion.follow_yaw = 0)     \
    X(OPEN_AGENT, more_than_any_yaw, "motion.follow_yaw is 3.2", rp_samples_drive(s);              \
      s->motion.follow_case = REPLAN__V1__MOTION__FOLLOW_FOLLOW_YAW; s->motion.follow_yaw = 3.2)   \
    X(OPEN_AGENT, loose_bound, "motion.bound_percent is 51, at most 50", rp_samples_drive(s);      \
      s->motion.bound_percent = 51)                                                                \
    X(OPEN_AGENT, by_another, "open_agent.planner is \"astar\", with motion", rp_samples_drive(s); \
      s->open_agent.planner = rp_sample_text("astar"))                                             \
    X(OPEN_AGENT, soft_driver, "body.inflation_radius_m: agents with motion", rp_samples_drive(s); \
      s->body.inflation_radius_m = 1.0)                                                            \
    X(OPEN_AGENT, inscribed_driver, "body.inscribed_radius_m: agents with", rp_samples_drive(s);   \
      s->body.inscribed_radius_m = s->body.inflation_radius_m = 1.0)                               \
    X(OPEN_AGENT, square_driver, "body.cells: agents with motion", rp_samples_drive(s);            \
      s->body.radius_m = 0; s->body.cells = 2)                                                     \
    X(OPEN_AGENT, hasty_driver, "policy.immediate_start: agents with", rp_samples_drive(s);        \
      s->policy.immediate_start = 1)                                                               \
    X(OPEN_AGENT, timed_driver, "policy.answer_within_ms: agents with", rp_samples_drive(s);       \
      s->policy.answer_within_ms = 1)                                                              \
    X(OPEN_AGENT, escaping_driver, NULL, rp_samples_drive(s);                                      \
      s->policy.escape_case = REPLAN__V1__POLICY__ESCAPE_ESCAPE_M; s->policy.escape_m = 2.0)       \
                                                                                                   \
    X(SET_GOAL, goal_with_yaw, NULL, s->goal.yaw = s->x; s->goal.n_yaw = 1)                        \
    X(SET_GOAL, goals_with_yaws, NULL, s->goal.yaw = s->x; s->goal.n_yaw = 2)                      \
    X(SET_GOAL, either_way, NULL, s->goal.yaw = s->x; s->goal.n_yaw = 1;                           \
      s->goal.heading = REPLAN__V1__GOAL_HEADING__EITHER_WAY; s->goal.yaw_tolerance = 0.3)         \
    X(SET_GOAL, uneven_goal_yaws, "goal.yaw has 3 entries, goal.x has 2",                          \
      s->goal.yaw = rp_many_doubles;                                                               \
      s->goal.n_yaw = 3)                                                                           \
    X(SET_GOAL, goal_yaw_nan, "goal.yaw is nan", s->goal.yaw = s->x; s->goal.n_yaw = 1;            \
      s->goal.x = s->goal.y = rp_many_doubles; s->x[0] = NAN)                                      \
    X(SET_GOAL, odd_heading, "goal.heading is 4, it must be",                                      \
      s->goal.heading = (Replan__V1__GoalHeading)4)                                                \
    X(SET_GOAL, heading_without_yaw, "goal.yaw is missing",                                        \
      s->goal.heading = REPLAN__V1__GOAL_HEADING__FIXED)                                           \
    X(SET_GOAL, backward_tolerance, "goal.yaw_tolerance is -1", s->goal.yaw_tolerance = -1.0)      \
    X(SET_GOAL, nan_tolerance, "goal.yaw_tolerance is nan", s->goal.yaw_tolerance = NAN)           \
    X(ORDER, order_with_yaw, NULL, s->order.yaw = s->x; s->order.n_yaw = 1)                        \
    X(ORDER, order_with_yaws, NULL, s->order.yaw = s->x; s->order.n_yaw = 2;                       \
      s->order.heading = REPLAN__V1__GOAL_HEADING__EITHER_WAY)                                     \
    X(ORDER, uneven_order_yaws, "order.yaw has 3 entries, the order has 2 agents",                 \
      s->order.yaw = rp_many_doubles;                                                              \
      s->order.n_yaw = 3)                                                                          \
    X(ORDER, order_yaw_nan, "order.yaw is nan", s->order.yaw = s->y; s->order.n_yaw = 1;           \
      s->order.x = s->order.y = rp_many_doubles; s->y[0] = NAN)                                    \
    X(ORDER, order_heading, "order.heading is 4, it must be",                                      \
      s->order.heading = (Replan__V1__GoalHeading)4)                                               \
    X(ORDER, order_without_yaw, "order.yaw is missing",                                            \
      s->order.heading = REPLAN__V1__GOAL_HEADING__FIXED)                                          \
    X(ORDER, order_tolerance, "order.yaw_tolerance is -1", s->order.yaw_tolerance = -1.0)          \
    X(SET_POSES, poses_with_yaw, NULL, s->poses.yaw = s->x; s->poses.n_yaw = 2)                    \
    X(SET_POSES, uneven_yaw, "poses.yaw has 1 entries, poses.handles has 2", s->poses.yaw = s->x;  \
      s->poses.n_yaw = 1)                                                                          \
    X(SET_POSES, infinite_yaw, "poses.yaw is inf", s->poses.yaw = s->x; s->poses.n_yaw = 2;        \
      s->poses.x = s->poses.y = rp_many_doubles; s->x[1] = INFINITY)

DRIVERS(RP_SPOILER)

static const rp_spoilt_t spoilt[] = {DRIVERS(RP_SPOILT)};

START_TEST(motion_is_refused_for_what_is_wrong_with_it)
{
    rp_spoilt_judge(&spoilt[_i]);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {motion_is_refused_for_what_is_wrong_with_it};
    return rp_suite_run("check_motion", tests, 1, sizeof spoilt / sizeof spoilt[0], NULL);
}
