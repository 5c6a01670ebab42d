/// Tours while cells are blocked, freed and made dearer or cheaper between small steps: what is
/// published, also in the midst of looking for the cheapest path, against searches of its own.

#include "tests/engine/session/driving_scene.h"

#define STOPS 3u

/// What a lattice of the test's own finds.
typedef struct expected {
    double least;
    uint32_t legs; ///< of a chain: so many have a path, one after the other
} expected_t;

typedef struct course {
    rp_destination_t points[STOPS];
    double yaws[STOPS]; ///< of a chain
    size_t count;
    bool is_chain;
    uint64_t id;
} course_t;

static rp_control_set_t *set;
static const uint32_t start_x = 4;
static const uint32_t start_y = 11;

static void fini(void)
{
    rp_control_set_destroy(&set);
    tear_down();
}

static void make_set(void)
{
    const rp_lattice_shape_t shape = {
        .turning_radius = RADIUS, .body_radius = BODY, .headings = 16, .drive = RP_DRIVE_CAR};
    ck_assert_int_eq(rp_control_set_new(&shape, &set), RP_OK);
    ck_assert_int_eq(rp_control_set_build(set, &(uint64_t){UINT64_MAX}), RP_OK);
}

/// What the cheapest path from a pose to a stop costs; infinite: there is none.
static double cost_of(rp_lattice_t *lattice, rp_cell_t from, double yaw,
                      const rp_lattice_goal_t *goal)
{
    rp_lattice_plan_t plan;
    ck_assert_int_eq(rp_lattice_set_start(lattice, from, yaw), RP_OK);
    ck_assert_int_eq(rp_lattice_set_goal_pose(lattice, goal), RP_OK);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    return plan.outcome == RP_OUTCOME_FOUND ? plan.cost : INFINITY;
}

/// On the ground as it is now. Each waypoint has one heading, so that the cheapest legs make the
/// cheapest tour.
static expected_t expect(const course_t *course)
{
    rp_grid_t *grid = NULL;
    rp_lattice_t *lattice = NULL;
    expected_t expected = {.least = course->is_chain ? 0.0 : INFINITY};
    ck_assert_int_eq(rp_grid_new(&scene.oracle->shape, &grid), RP_OK);
    rp_grid_fill(grid, rp_engine_bytes(scene.engine, scene.world));
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    ck_assert_int_eq(rp_lattice_set_percent(lattice, 0), RP_OK);
    rp_cell_t from = rp_grid_cell(grid, start_x, start_y);
    double yaw = 0.0;
    for (size_t i = 0; i < course->count; i++) {
        const rp_destination_t *point = &course->points[i];
        const rp_lattice_goal_t goal = {
            .cell = rp_grid_cell(grid, (uint32_t)point->x_m, (uint32_t)point->y_m),
            .heading = course->is_chain ? RP_GOAL_FIXED : RP_GOAL_FREE,
            .yaw = course->yaws[i]};
        const double cost = cost_of(lattice, from, yaw, &goal);
        if (!course->is_chain) {
            expected.least = fmin(expected.least, cost);
        } else if (isinf(cost)) {
            break;
        } else {
            expected.least += cost;
            expected.legs++;
            from = goal.cell;
            yaw = goal.yaw;
        }
    }
    rp_lattice_destroy(&lattice);
    rp_grid_destroy(&grid);
    return expected;
}

/// The least and the most that cells cost about a point: a curve beside a border counts as on
/// either side of it.
static void prices_at(double x, double y, double *least, double *most)
{
    const uint8_t *bytes = rp_engine_bytes(scene.engine, scene.world);
    *least = INFINITY;
    *most = 0.0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t column = (uint32_t)(x + (i % 2u == 0 ? -0.07 : 0.07));
        const uint32_t row = (uint32_t)(y + (i < 2u ? -0.07 : 0.07));
        const double price = fmax(bytes[row * width_of() + column], 1.0);
        *least = fmin(*least, price);
        *most = fmax(*most, price);
    }
}

/// The least and the most that a curve costs on the ground as it is now, in short pieces.
static void count_curve(const rp_answer_t *answer, double *least, double *most)
{
    *least = *most = 0.0;
    for (uint32_t i = 0; i < answer->curve.count; i++) {
        const rp_path_segment_t *segment = &answer->curve.segments[i];
        const double extent = extent_of(segment);
        const uint32_t pieces = 1u + (uint32_t)(extent / 0.01);
        for (uint32_t k = 0; k < pieces; k++) {
            double low;
            double high;
            const pose_t at = pose_on(segment, extent * (k + 0.5) / pieces);
            prices_at(at.x, at.y, &low, &high);
            *least += extent / pieces * low;
            *most += extent / pieces * high;
        }
    }
}

/// What is told of a path is true on the ground as it is now.
/// @param is_settled  nothing is left to be looked for
static void check(const course_t *course, const rp_answer_t *answer, const expected_t *expected,
                  bool is_settled)
{
    const bool is_found = answer->outcome == RP_ANSWER_FOUND;
    const bool has_path = course->is_chain ? expected->legs != 0 : isfinite(expected->least);
    ck_assert(!is_settled || is_found == has_path);
    if (!is_found) {
        return;
    }
    (void)check_driven(answer, &car);
    double least;
    double most;
    count_curve(answer, &least, &most);
    ck_assert_msg(answer->cost >= 0.99 * least - 0.1 && answer->cost <= 1.01 * most + 0.1,
                  "%f is told, the curve costs %f to %f", answer->cost, least, most);
    const bool is_as_far = !course->is_chain || answer->curve.leg_count == expected->legs;
    ck_assert(is_as_far || !is_settled);
    if (is_as_far) {
        ck_assert_msg(answer->bound <= expected->least + 0.05, "cost %f, bound %f, %f is the least",
                      answer->cost, answer->bound, expected->least);
        ck_assert_msg(!is_settled || answer->bound >= answer->cost - 0.05,
                      "cost %f, bound %f when all is done, %f is the least", answer->cost,
                      answer->bound, expected->least);
    }
}

static bool lies_near(const rp_edit_t *edit, double x, double y, double room)
{
    return fabs(edit->x + 1.5 - x) < room && fabs(edit->y + 1.5 - y) < room;
}

/// Rewrite some cells, but not those where the course begins and its stops lie.
static uint64_t stir(rp_random_t *rng, const course_t *course, uint64_t version)
{
    static const uint8_t fills[] = {0, 0, 0, 1, 1, 2, 4, 8};
    const rp_edit_t edit = {.x = rp_random_below(rng, width_of() - 4u),
                            .y = rp_random_below(rng, scene.oracle->shape.height - 4u),
                            .width = rp_random_between(rng, 1, 4),
                            .height = rp_random_between(rng, 1, 4),
                            .fill = fills[rp_random_below(rng, sizeof fills)]};
    bool is_kept = lies_near(&edit, start_x, start_y, 5.0);
    for (size_t i = 0; i < course->count; i++) {
        is_kept = is_kept || lies_near(&edit, course->points[i].x_m, course->points[i].y_m, 4.0);
    }
    if (!is_kept) {
        ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &edit, no_cause, &version),
                         RP_OK);
    }
    return version;
}

static course_t course_by_chance(rp_random_t *rng, size_t count, bool is_chain)
{
    course_t course = {.count = count, .is_chain = is_chain && count > 1};
    for (size_t i = 0; i < count; i++) {
        course.points[i].x_m = rp_random_between(rng, 14, 26) + 0.5;
        course.points[i].y_m = rp_random_between(rng, 3, 18) + 0.5;
        course.yaws[i] = M_PI / 2.0 * rp_random_below(rng, 4);
    }
    return course;
}

static void begin(rp_session_id_t session, const course_t *course)
{
    place(session, start_x + 0.5, start_y + 0.5, 0.0);
    aim(session, &(rp_aim_t){.kind = course->is_chain ? RP_AIM_WAYPOINTS : RP_AIM_POINTS,
                             .goal_id = course->id,
                             .points = course->points,
                             .count = course->count,
                             .heading = course->is_chain ? RP_AIM_HEADING : RP_AIM_ANY_HEADING,
                             .yaws = course->is_chain ? course->yaws : NULL});
}

/// Go on in small steps, and look at what is told in between.
static void go_on(rp_random_t *rng, rp_session_id_t session, const course_t *course,
                  uint64_t version)
{
    const expected_t expected = expect(course);
    bool is_left = true;
    for (uint32_t i = rp_random_below(rng, 12); i != 0 && is_left; i--) {
        rp_answer_t answer;
        is_left = rp_engine_step(scene.engine, scene.now_us, rp_random_between(rng, 1, 3000));
        ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
        if (answer.version == version && answer.goal_id == course->id) {
            check(course, &answer, &expected, false);
        }
    }
    if (rp_random_chance(rng, 20)) {
        const rp_answer_t answer = answer_of(session);
        check(course, &answer, &expected, true);
    }
}

START_TEST(what_is_told_is_true_whatever_changes_meanwhile)
{
    rp_random_t rng = {(uint64_t)_i + 1u};
    uint64_t version = 0;
    make_set();
    open_meadow(30, 22, false);
    const course_t course = course_by_chance(&rng, 1u + (size_t)_i % STOPS, _i % 2 == 0);
    const rp_session_id_t session = open_driver(_i % 8 < 4 ? &car : &exact_car, NULL);
    begin(session, &course);
    for (unsigned round = 0; round < RP_ROUNDS(40); round++) {
        version = stir(&rng, &course, version);
        scene.now_us += 50000;
        go_on(&rng, session, &course, version);
    }
}
END_TEST

/// Each round goes elsewhere, so that changes come before the first answer, too.
START_TEST(what_is_told_is_true_whatever_changes_before_it_is_found)
{
    rp_random_t rng = {(uint64_t)_i + 1000u};
    uint64_t version = 0;
    make_set();
    open_meadow(30, 22, false);
    const rp_session_id_t session = open_driver(_i % 8 < 4 ? &car : &exact_car, NULL);
    for (unsigned round = 0; round < RP_ROUNDS(20); round++) {
        course_t course = course_by_chance(&rng, 2u + (size_t)_i % 2u, _i % 4 < 2);
        course.id = round + 1u;
        begin(session, &course);
        for (uint32_t i = rp_random_below(&rng, 6); i != 0; i--) {
            (void)rp_engine_step(scene.engine, scene.now_us, rp_random_between(&rng, 1, 600));
            version = stir(&rng, &course, version);
            version = stir(&rng, &course, version);
        }
        go_on(&rng, session, &course, version);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_told_is_true_whatever_changes_meanwhile,
        what_is_told_is_true_whatever_changes_before_it_is_found,
    };
    return rp_suite_run("tour changes", tests, 2, RP_ROUNDS(20), fini);
}
