/// @file
/// What tests of sessions with motion share: a scene of its own, and what a curve must be. The
/// checker shares nothing with the sweeps, the second lattice nothing with the engine.
#ifndef REPLAN_TESTS_DRIVING_SCENE_H
#define REPLAN_TESTS_DRIVING_SCENE_H

#include <math.h>

#include "planners/lattice/lattice.h"
#include "tests/engine/scene.h"
#include "tests/planners/motion/checker.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static const rp_cause_t no_cause = {0, 0};
static rp_scene_t scene;

static inline void tear_down(void)
{
    rp_scene_close(&scene);
}

#define RADIUS 2.0
#define BODY   0.8

static const rp_motion_t car = {.drive = RP_MOTION_CAR,
                                .headings_most = 16,
                                .body_radius_m = BODY,
                                .turning_radius_m = RADIUS,
                                .bound_percent = 10};
static const rp_motion_t exact_car = {
    .drive = RP_MOTION_CAR, .headings_most = 16, .body_radius_m = BODY, .turning_radius_m = RADIUS};
static const rp_motion_t tank = {.drive = RP_MOTION_SPOT,
                                 .headings_most = 16,
                                 .body_radius_m = BODY,
                                 .turning_radius_m = RADIUS,
                                 .turn_m_per_rad = 0.7,
                                 .headings = 16,
                                 .bound_percent = 10};
static const rp_motion_t backing_car = {.drive = RP_MOTION_CAR,
                                        .headings_most = 16,
                                        .body_radius_m = BODY,
                                        .turning_radius_m = RADIUS,
                                        .reverse = true,
                                        .reverse_factor = 1.5,
                                        .gear_change_m = 2.0};
static const rp_motion_t backing_tank = {.drive = RP_MOTION_SPOT,
                                         .headings_most = 16,
                                         .body_radius_m = BODY,
                                         .turning_radius_m = RADIUS,
                                         .turn_m_per_rad = 0.7,
                                         .bound_percent = 10,
                                         .reverse = true};

static const rp_motion_t mover = {.drive = RP_MOTION_OMNI,
                                  .headings_most = 16,
                                  .body_radius_m = BODY,
                                  .turn_m_per_rad = 0.7,
                                  .bound_percent = 10};

/// A tractor with a trailer behind it, which overlap; and an L.
static const rp_polygon_body_t train_body = {
    .x_m = {1.4, -0.5, -0.5, 1.4, -0.3, -1.5, -1.5, -0.3},
    .y_m = {0.6, 0.6, -0.6, -0.6, -0.4, -0.4, 0.4, 0.4},
    .corner_count = 8,
    .first = {0, 4},
    .outline_count = 2,
};
static const rp_polygon_body_t l_body = {
    .x_m = {1.2, 1.2, 0.4, 0.4, -0.6, -0.6},
    .y_m = {-0.5, 0.9, 0.9, 0.3, 0.3, -0.5},
    .corner_count = 6,
    .outline_count = 1,
    .padding_m = 0.1,
};
static const rp_motion_t train = {.drive = RP_MOTION_CAR,
                                  .headings_most = 16,
                                  .footprint = &train_body,
                                  .turning_radius_m = RADIUS,
                                  .bound_percent = 10,
                                  .reverse = true,
                                  .gear_change_m = 1.0};
static const rp_motion_t forklift = {.drive = RP_MOTION_SPOT,
                                     .headings_most = 16,
                                     .footprint = &l_body,
                                     .turning_radius_m = RADIUS,
                                     .turn_m_per_rad = 0.7,
                                     .bound_percent = 10};
static const rp_motion_t wide_mover = {.drive = RP_MOTION_OMNI,
                                       .headings_most = 16,
                                       .footprint = &l_body,
                                       .turn_m_per_rad = 0.7,
                                       .bound_percent = 10};

static inline void open_meadow(uint32_t width, uint32_t height, bool wraps)
{
    const rp_world_options_t options = {
        .width = width, .height = height, .neighbors = 8, .wraps = wraps};
    rp_scene_open(&scene, &options);
}

static inline rp_session_id_t open_driver(const rp_motion_t *motion, const rp_policy_t *policy)
{
    rp_session_options_t options = rp_engine_session_defaults();
    rp_session_id_t session = 0;
    options.motion = *motion;
    options.policy = policy != NULL ? *policy : (rp_policy_t){0};
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    return session;
}

/// An agent tells where it is. Metres and radians.
static inline void place(rp_session_id_t session, double x, double y, double yaw)
{
    ck_assert_int_eq(rp_engine_pose_with_yaw(scene.engine, session, x, y, yaw, 0, no_cause), RP_OK);
}

static inline rp_session_id_t drive(const rp_motion_t *motion, double x, double y, double yaw,
                                    uint32_t goal_x, uint32_t goal_y)
{
    const rp_session_id_t session = open_driver(motion, NULL);
    place(session, x, y, yaw);
    ck_assert_int_eq(rp_scene_goal(&scene, session, goal_x, goal_y), RP_OK);
    return session;
}

/// The newest of what was said; what was said before it is dropped.
static inline rp_answer_t last_answer(void)
{
    rp_answer_t answer = {.session = 0};
    rp_answer_t next;
    rp_scene_settle(&scene);
    while (rp_engine_next_answer(scene.engine, &next)) {
        answer = next;
    }
    ck_assert_msg(answer.session != 0, "nothing was said");
    return answer;
}

static inline rp_answer_t answer_of(rp_session_id_t session)
{
    rp_answer_t answer;
    rp_scene_settle(&scene);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    return answer;
}

static inline void take_window(const rp_window_t *window)
{
    uint64_t version;
    ck_assert_int_eq(rp_engine_resize(scene.engine, scene.world, window, no_cause, &version),
                     RP_OK);
}

static inline void aim(rp_session_id_t session, const rp_aim_t *aim)
{
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, aim, no_cause), RP_OK);
}

/// Crates all over the meadow, but not at its rim.
static inline void scatter_crates(rp_random_t *rng, uint32_t blocks)
{
    for (uint32_t i = 0; i < blocks; i++) {
        uint64_t version;
        const uint32_t x = rp_random_between(rng, 8, scene.oracle->shape.width - 6u);
        const uint32_t y = rp_random_between(rng, 1, scene.oracle->shape.height - 5u);
        const rp_edit_t edit = {.x = x, .y = y, .width = 2, .height = 3, .fill = 0};
        ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &edit, no_cause, &version),
                         RP_OK);
    }
}

/// Another goal, always the same, with a heading.
static inline void aim_at(rp_session_id_t session, rp_aim_heading_t heading, double yaw)
{
    const rp_destination_t place = {.x_m = 30.5, .y_m = 24.5};
    const rp_aim_t aim = {.points = &place, .count = 1, .heading = heading, .yaw = yaw};
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, &aim, no_cause), RP_OK);
}

// ---- what a curve is

typedef struct pose {
    double x;
    double y;
    double yaw;
} pose_t;

/// The pose after a part of a segment, by libm.
static inline pose_t pose_on(const rp_path_segment_t *segment, double part)
{
    pose_t pose = {segment->x_m, segment->y_m, segment->yaw};
    part = copysign(part, segment->length_m);
    if (segment->turn != 0.0) {
        pose.yaw += copysign(part, segment->turn);
    } else if (segment->curvature == 0.0) {
        pose.x += part * cos(pose.yaw + segment->course);
        pose.y += part * sin(pose.yaw + segment->course);
    } else {
        const double after = pose.yaw + part * segment->curvature;
        pose.x += (sin(after) - sin(pose.yaw)) / segment->curvature;
        pose.y -= (cos(after) - cos(pose.yaw)) / segment->curvature;
        pose.yaw = after;
    }
    return pose;
}

static inline double extent_of(const rp_path_segment_t *segment)
{
    return segment->turn != 0.0 ? fabs(segment->turn) : fabs(segment->length_m);
}

/// Where an agent is when it has gone on by some metres, of a turn radians: over the end of the
/// first segment onto the next one.
static inline pose_t pose_ahead(const rp_answer_t *answer, double metres)
{
    const rp_path_segment_t *first = &answer->curve.segments[0];
    const double left = metres - extent_of(first);
    return left < 0.0 || answer->curve.count == 1
               ? pose_on(first, fmin(metres, extent_of(first)))
               : pose_on(first + 1, fmin(left, extent_of(first + 1)));
}

static inline bool is_near(const pose_t *a, const pose_t *b)
{
    return hypot(a->x - b->x, a->y - b->y) < 1e-6 &&
           fabs(remainder(a->yaw - b->yaw, 2.0 * M_PI)) < 1e-6;
}

static uint32_t width_of(void)
{
    return scene.oracle->shape.width;
}

static inline bool blocks(const void *user, int64_t x, int64_t y)
{
    const uint8_t *bytes = user;
    const int64_t width = width_of();
    const int64_t height = scene.oracle->shape.height;
    if (scene.oracle->shape.wraps) {
        x = ((x % width) + width) % width;
        y = ((y % height) + height) % height;
    }
    return x < 0 || y < 0 || x >= width || y >= height || bytes[y * width + x] == 0;
}

/// Cells that the body may lie in an obstacle, as far as planning widens it: a curve stays where an
/// obstacle comes that only touches it, and the checker cannot prove that by halving.
#define TOUCH 1e-6

/// The verdict on all outlines of a body: it is free where each of them is.
static inline rp_verdict_t judge_among(const rp_checked_world_t *world, const rp_motion_t *motion,
                                       const rp_segment_t *segments, size_t count)
{
    const rp_polygon_body_t *body = motion->footprint;
    rp_checked_body_t checked = {.radius = motion->body_radius_m, .slack = TOUCH};
    rp_verdict_t verdict = RP_VERDICT_FREE;
    double x[RP_FOOTPRINT_CORNERS_MAX];
    double y[RP_FOOTPRINT_CORNERS_MAX];
    if (body == NULL) {
        return rp_checker_judge(world, &checked, segments, count, 10000000);
    }
    for (uint32_t i = 0; i < body->corner_count; i++) {
        x[i] = body->x_m[i] + copysign(body->padding_m, body->x_m[i]);
        y[i] = body->y_m[i] + copysign(body->padding_m, body->y_m[i]);
    }
    for (uint32_t i = 0; i < body->outline_count && verdict == RP_VERDICT_FREE; i++) {
        const bool is_last = i + 1u == body->outline_count;
        checked.x = x + body->first[i];
        checked.y = y + body->first[i];
        checked.count = (is_last ? body->corner_count : body->first[i + 1u]) - body->first[i];
        verdict = rp_checker_judge(world, &checked, segments, count, 10000000);
    }
    return verdict;
}

static inline rp_verdict_t judge_curve(const rp_motion_t *motion, const rp_segment_t *segments,
                                       size_t count)
{
    const rp_checked_world_t world = {blocks, rp_engine_bytes(scene.engine, scene.world)};
    return judge_among(&world, motion, segments, count);
}

/// A body that leaves obstacles, where it stands.
typedef struct leaving {
    const rp_motion_t *motion;
    rp_segment_t rest;
} leaving_t;

static inline bool is_there(const void *user, int64_t x, int64_t y)
{
    const int64_t *cell = user;
    return cell[0] == x && cell[1] == y;
}

/// An obstacle that the body does not overlap already.
static inline bool blocks_leaving(const void *user, int64_t x, int64_t y)
{
    const leaving_t *leaving = user;
    const int64_t cell[2] = {x, y};
    const rp_checked_world_t alone = {is_there, cell};
    return blocks(rp_engine_bytes(scene.engine, scene.world), x, y) &&
           judge_among(&alone, leaving->motion, &leaving->rest, 1) != RP_VERDICT_MEETS;
}

/// On the way out of obstacles the body meets no other; behind it it meets none.
/// @param leaving  segments of the way out
static inline void check_free(const rp_motion_t *motion, const rp_segment_t *segments, size_t count,
                              size_t leaving)
{
    const leaving_t from = {motion, {.start = segments[0].start, .gear = 1}};
    const rp_checked_world_t others = {blocks_leaving, &from};
    ck_assert_int_eq(judge_among(&others, motion, segments, leaving), RP_VERDICT_FREE);
    ck_assert_int_eq(judge_curve(motion, segments + leaving, count - leaving), RP_VERDICT_FREE);
}

/// What a segment costs that is driven in a gear. @param gear  of the segments before; 0: of none
static inline double price_of(const rp_motion_t *motion, const rp_path_segment_t *told,
                              double *gear)
{
    const double back = motion->reverse_factor > 0.0 ? motion->reverse_factor : 1.0;
    double cost = fabs(told->turn) * motion->turn_m_per_rad;
    if (told->turn == 0.0) {
        const double next = copysign(1.0, told->length_m);
        cost += *gear * next < 0.0 ? motion->gear_change_m : 0.0;
        cost += fabs(told->length_m) * (next < 0.0 ? back : 1.0);
        *gear = next;
    }
    return cost;
}

/// Turns no tighter than it may, hangs together, and is free behind its way out. @return what it
/// costs
static inline double check_driven(const rp_answer_t *answer, const rp_motion_t *motion)
{
    rp_segment_t segments[512];
    double cost = 0.0;
    double gear = 0.0;
    ck_assert_uint_le(answer->curve.count, 512);
    for (uint32_t i = 0; i < answer->curve.count; i++) {
        const rp_path_segment_t *told = &answer->curve.segments[i];
        ck_assert_double_le(fabs(told->curvature), 1.0 / motion->turning_radius_m + 1e-9);
        ck_assert(told->turn == 0.0 || motion->drive != RP_MOTION_CAR);
        ck_assert(told->course == 0.0 || (motion->drive == RP_MOTION_OMNI && told->turn == 0.0));
        ck_assert(told->curvature == 0.0 || motion->drive != RP_MOTION_OMNI);
        ck_assert(told->length_m >= 0.0 || motion->reverse);
        if (i + 1u < answer->curve.count) {
            const pose_t end = pose_on(told, extent_of(told));
            const rp_path_segment_t *next = &answer->curve.segments[i + 1u];
            const pose_t begin = {next->x_m, next->y_m, next->yaw};
            ck_assert_msg(is_near(&end, &begin), "segment %u does not end where the next begins",
                          i);
        }
        segments[i] = (rp_segment_t){.start = {told->x_m - 0.5, told->y_m - 0.5, told->yaw},
                                     .curvature = told->curvature,
                                     .length = fabs(told->length_m),
                                     .turn = told->turn,
                                     .course = told->course,
                                     .gear = told->length_m < 0.0 ? -1 : 1};
        cost += price_of(motion, told, &gear);
    }
    check_free(motion, segments, answer->curve.count, answer->curve.escape_count);
    return cost;
}

/// That, and its length is its cost.
static inline void check_curve(const rp_answer_t *answer, const rp_motion_t *motion)
{
    const double cost = check_driven(answer, motion);
    // Each move costs its length in 1/408 of a cell, rounded up; and the agent may stand where it
    // is to change its gear.
    ck_assert_double_ge(answer->cost, cost - 1e-6 - cost / 100.0);
    ck_assert_double_le(answer->cost, cost * 1.01 + 0.2 + motion->gear_change_m);
}

/// A point lies in a cell, or so near to it as cells of a curve are told apart.
static inline bool is_in(int cell, double at)
{
    return fabs(cell + 0.5 - at) <= 0.5 + 1.0 / 16.0 + 1e-9;
}

/// The cells are those under the curve.
static inline void check_cells(const rp_answer_t *answer)
{
    static const int step_x[8] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int step_y[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    const rp_path_segment_t *last = &answer->curve.segments[answer->curve.count - 1u];
    const pose_t end = pose_on(last, extent_of(last));
    int x = (int)answer->start_x;
    int y = (int)answer->start_y;
    ck_assert(is_in(x, answer->curve.segments[0].x_m) && is_in(y, answer->curve.segments[0].y_m));
    for (uint32_t i = 0; i < answer->step_count; i++) {
        x += step_x[answer->steps[i]];
        y += step_y[answer->steps[i]];
    }
    ck_assert_int_eq(x, (int)floor(end.x));
    ck_assert_int_eq(y, (int)floor(end.y));
}

/// What the cheapest curve from a pose costs, by a lattice that has nothing to do with the engine.
static inline double cheapest(const rp_motion_t *motion, uint32_t x, uint32_t y, double yaw,
                              uint32_t goal_x, uint32_t goal_y)
{
    const rp_lattice_shape_t shape = {
        .turning_radius = motion->turning_radius_m,
        .body_radius = motion->body_radius_m,
        .turn_price = motion->turn_m_per_rad,
        .headings = motion->headings != 0 ? motion->headings : 16u,
        .drive = motion->drive == RP_MOTION_SPOT   ? RP_DRIVE_SPOT
                 : motion->drive == RP_MOTION_OMNI ? RP_DRIVE_OMNI
                                                   : RP_DRIVE_CAR,
        .reverse = motion->reverse,
        .reverse_factor = motion->reverse_factor,
        .gear_change = motion->gear_change_m,
    };
    const uint8_t *bytes = rp_engine_bytes(scene.engine, scene.world);
    const rp_grid_shape_t *sides = &scene.oracle->shape;
    static rp_control_set_t *set; // one shape a process
    rp_lattice_t *lattice = NULL;
    rp_grid_t *grid = NULL;
    rp_lattice_plan_t plan;
    uint64_t budget = UINT64_MAX;
    if (set == NULL) {
        ck_assert_int_eq(rp_control_set_new(&shape, &set), RP_OK);
        ck_assert_int_eq(rp_control_set_build(set, &budget), RP_OK);
    }
    ck_assert_int_eq(rp_grid_new(sides, &grid), RP_OK);
    rp_grid_fill(grid, bytes);
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    ck_assert_int_eq(rp_lattice_set_percent(lattice, 0), RP_OK);
    ck_assert_int_eq(rp_lattice_set_start(lattice, rp_grid_cell(grid, x, y), yaw), RP_OK);
    ck_assert_int_eq(rp_lattice_set_goal(lattice, rp_grid_cell(grid, goal_x, goal_y)), RP_OK);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    const double cost = plan.outcome == RP_OUTCOME_FOUND ? plan.cost : INFINITY;
    rp_lattice_destroy(&lattice);
    rp_grid_destroy(&grid);
    return cost;
}

#endif
