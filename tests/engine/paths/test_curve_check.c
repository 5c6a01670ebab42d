/// Curves from outside, against the checker that shares nothing with sweeps.
#include "tests/engine/session/driving_scene.h"
#include "tests/support/random.h"

#define PIECES 6u

static rp_curve_report_t judge(rp_session_id_t session, const rp_path_segment_t *segments,
                               size_t count, double radius)
{
    rp_curve_report_t report;
    ck_assert_int_eq(rp_engine_drive(scene.engine, session, segments, count, radius, NULL, &report),
                     RP_OK);
    return report;
}

static rp_segment_t cells_of(const rp_path_segment_t *told)
{
    return (rp_segment_t){.start = {told->x_m - 0.5, told->y_m - 0.5, told->yaw},
                          .curvature = told->curvature,
                          .length = fabs(told->length_m),
                          .turn = told->turn,
                          .gear = told->length_m < 0.0 ? -1 : 1};
}

/// Lines, arcs and turns in place, in both gears, which follow each other.
static void wander(rp_random_t *rng, rp_path_segment_t *segments)
{
    rp_motion_pose_t at = {20.0 + rp_random_below(rng, 10) * 0.37,
                           15.0 + rp_random_below(rng, 10) * 0.41, 0.1 * rp_random_below(rng, 63)};
    for (unsigned i = 0; i < PIECES; i++) {
        const uint32_t kind = rp_random_below(rng, 5);
        const double length = 0.1 * rp_random_between(rng, 1, 90);
        segments[i] = (rp_path_segment_t){.x_m = at.x + 0.5,
                                          .y_m = at.y + 0.5,
                                          .yaw = at.heading,
                                          .length_m = kind == 4 ? -length : length};
        if (kind == 0) {
            segments[i].length_m = 0.0;
            segments[i].turn = 0.1 * rp_random_below(rng, 40) - 2.05;
        } else if (kind > 1) {
            segments[i].curvature = 0.05 * rp_random_below(rng, 20) - 0.5;
        }
        const rp_segment_t segment = cells_of(&segments[i]);
        at = rp_segment_end(&segment);
    }
}

/// The curve up to some metres.
static rp_verdict_t verdict_up_to(const rp_path_segment_t *segments, double metres, double body)
{
    rp_segment_t cut[PIECES];
    uint32_t count = 0;
    for (unsigned i = 0; i < PIECES && metres > 0.0; i++) {
        rp_segment_t segment = cells_of(&segments[i]);
        segment.length = fmin(segment.length, metres);
        metres -= segment.length;
        cut[count++] = segment;
    }
    const rp_checked_world_t world = {blocks, rp_engine_bytes(scene.engine, scene.world)};
    const rp_checked_body_t checked = {.radius = body};
    return rp_checker_judge(&world, &checked, cut, count, 10000000);
}

START_TEST(the_first_contact_is_found)
{
    rp_random_t rng = {(uint64_t)_i + 1u};
    uint32_t met = 0;
    uint32_t was_free = 0;
    open_meadow(50, 40, _i % 2 == 1);
    const rp_session_id_t session = open_driver(&car, NULL);
    for (uint32_t i = 0; i < 40; i++) {
        const uint32_t y = rp_random_below(&rng, 40);
        (void)rp_scene_set(&scene, rp_random_below(&rng, 50), y, 0);
    }
    for (unsigned round = 0; round < RP_ROUNDS(60); round++) {
        rp_path_segment_t segments[PIECES];
        const double body = round % 2 == 0 ? BODY : 1.7;
        wander(&rng, segments);
        const rp_curve_report_t report =
            judge(session, segments, PIECES, round % 2 == 0 ? -1.0 : body);
        const rp_verdict_t verdict = verdict_up_to(segments, INFINITY, body);
        if (report.is_free) {
            was_free++;
            ck_assert_int_eq(verdict, RP_VERDICT_FREE);
            continue;
        }
        met++;
        ck_assert_int_ne(verdict, RP_VERDICT_FREE);
        ck_assert_int_eq(verdict_up_to(segments, report.at_m - 1e-5, body), RP_VERDICT_FREE);
        ck_assert_uint_lt(report.segment, PIECES);
        if (segments[report.segment].turn == 0.0) {
            ck_assert_int_ne(verdict_up_to(segments, report.at_m + 1e-5, body), RP_VERDICT_FREE);
        }
        for (uint32_t i = 0; i < report.cell_count; i++) {
            ck_assert_uint_eq(rp_engine_bytes(scene.engine, scene.world)[report.cells[i]], 0);
        }
        ck_assert(report.cell_count != 0 || _i % 2 == 0); // the edge
    }
    const uint32_t least = RP_ROUNDS(60u) / 15u; // of an eighth of the rounds all may be alike
    ck_assert_uint_ge(met, least);
    ck_assert_uint_ge(was_free, least);
}
END_TEST

START_TEST(where_a_line_meets_a_wall_is_exact)
{
    const rp_path_segment_t line = {.x_m = 4.5, .y_m = 10.5, .length_m = 30.0};
    open_meadow(40, 20, false);
    const rp_session_id_t session = open_driver(&car, NULL);
    rp_curve_report_t report = judge(session, &line, 1, -1.0);
    ck_assert(report.is_free);
    ck_assert_double_eq_tol(report.cost, 30.0, 1e-9);
    for (uint32_t y = 5; y < 15; y++) {
        (void)rp_scene_set(&scene, 20, y, 0);
    }
    report = judge(session, &line, 1, -1.0);
    ck_assert(!report.is_free);
    ck_assert_double_eq_tol(report.at_m, 20.0 - BODY - 4.5, 1e-6);
    ck_assert_uint_eq(report.cell_count, 1);
    ck_assert_uint_eq(report.cells[0], 10 * 40 + 20);
    const rp_path_segment_t back = {.x_m = 24.5, .y_m = 10.5, .length_m = -20.0, .yaw = 0.0};
    report = judge(session, &back, 1, 0.0);
    ck_assert_double_eq_tol(report.at_m, 24.5 - 21.0, 1e-2); // a point is a thousandth of a cell
    const rp_path_segment_t out = {.x_m = 30.5, .y_m = 10.5, .length_m = 20.0};
    report = judge(session, &out, 1, -1.0);
    ck_assert_double_eq_tol(report.at_m, 40.0 - BODY - 30.5, 1e-6);
    ck_assert_uint_eq(report.cell_count, 0);
}
END_TEST

START_TEST(a_footprint_meets_what_its_corners_meet)
{
    const rp_polygon_body_t truck = {.x_m = {3.0, -1.0, -1.0, 3.0},
                                     .y_m = {1.0, 1.0, -1.0, -1.0},
                                     .corner_count = 4,
                                     .outline_count = 1};
    const rp_path_segment_t line = {.x_m = 4.5, .y_m = 10.5, .length_m = 30.0};
    const rp_path_segment_t turn = {.x_m = 20.5, .y_m = 10.5, .turn = 1.5};
    rp_curve_report_t report;
    open_meadow(40, 20, false);
    const rp_session_id_t session = open_driver(&car, NULL);
    (void)rp_scene_set(&scene, 22, 12, 0);
    ck_assert_int_eq(rp_engine_drive(scene.engine, session, &line, 1, -1.0, &truck, &report),
                     RP_OK);
    ck_assert(report.is_free); // half a cell beside it
    ck_assert_int_eq(rp_engine_drive(scene.engine, session, &turn, 1, -1.0, &truck, &report),
                     RP_OK);
    ck_assert(!report.is_free);
    ck_assert_uint_eq(report.cells[0], 12 * 40 + 22);
    (void)rp_scene_set(&scene, 25, 11, 0);
    ck_assert_int_eq(rp_engine_drive(scene.engine, session, &line, 1, -1.0, &truck, &report),
                     RP_OK);
    ck_assert_double_eq_tol(report.at_m, 25.0 - 3.0 - 4.5, 1e-6);
    const rp_polygon_body_t crossed = {.x_m = {1.0, -1.0, -1.0, 1.0},
                                       .y_m = {1.0, -1.0, 1.0, -1.0},
                                       .corner_count = 4,
                                       .outline_count = 1};
    ck_assert_int_eq(rp_engine_drive(scene.engine, session, &line, 1, -1.0, &crossed, &report),
                     RP_E_INVALID);
}
END_TEST

START_TEST(a_curve_that_breaks_off_is_told)
{
    rp_path_segment_t two[] = {{.x_m = 4.5, .y_m = 10.5, .length_m = 10.0},
                               {.x_m = 14.5, .y_m = 10.5, .length_m = 5.0}};
    open_meadow(40, 20, false);
    const rp_session_id_t session = open_driver(&car, NULL);
    ck_assert(judge(session, two, 2, -1.0).is_free);
    two[1].y_m += 0.01;
    const rp_curve_report_t report = judge(session, two, 2, -1.0);
    ck_assert(!report.is_free);
    ck_assert_uint_eq(report.segment, 1);
    ck_assert_uint_eq(report.cell_count, 0);
    ck_assert_double_eq_tol(report.at_m, 10.0, 1e-9);
    two[1].y_m -= 0.01;
    two[1].yaw = 0.01;
    ck_assert(!judge(session, two, 2, -1.0).is_free);
}
END_TEST

START_TEST(gears_and_turns_cost_what_motion_says)
{
    const rp_motion_t motion = {.drive = RP_MOTION_SPOT,
                                .body_radius_m = BODY,
                                .turning_radius_m = RADIUS,
                                .turn_m_per_rad = 0.5,
                                .reverse = true,
                                .reverse_factor = 3.0,
                                .gear_change_m = 2.0};
    const rp_path_segment_t segments[] = {{.x_m = 10.5, .y_m = 10.5, .length_m = -4.0},
                                          {.x_m = 6.5, .y_m = 10.5, .turn = 1.0},
                                          {.x_m = 6.5, .y_m = 10.5, .yaw = 1.0, .length_m = 3.0}};
    open_meadow(40, 20, false);
    const rp_curve_report_t report = judge(open_driver(&motion, NULL), segments, 3, -1.0);
    ck_assert(report.is_free);
    ck_assert_double_eq_tol(report.cost, 3.0 * 4.0 + 0.5 + 2.0 + 3.0, 1e-9);
    ck_assert_double_eq_tol(judge(open_driver(&car, NULL), segments, 3, 0.5).cost, 7.0, 1e-9);
}
END_TEST

START_TEST(what_is_published_is_legal_wherever_the_world_lies)
{
    const rp_world_options_t options = {
        .width = 50,
        .height = 40,
        .neighbors = 8,
        .frame = {
            .resolution_m = 0.05, .origin_x_m = 4e6 + 0.3, .origin_y_m = 5e5, .origin_yaw = 0.7}};
    rp_random_t rng = {7};
    rp_world_id_t world;
    rp_session_id_t session = 0;
    rp_answer_t answer;
    open_meadow(4, 4, false);
    ck_assert_int_eq(rp_engine_open_world(scene.engine, &options, &world), RP_OK);
    for (uint32_t i = 0; i < 25; i++) {
        uint64_t version;
        const rp_edit_t edit = {.x = rp_random_between(&rng, 8, 42),
                                .y = rp_random_below(&rng, 37),
                                .width = 2,
                                .height = 3};
        ck_assert_int_eq(rp_engine_apply(scene.engine, world, &edit, no_cause, &version), RP_OK);
    }
    rp_session_options_t asked = rp_engine_session_defaults();
    asked.motion = (rp_motion_t){
        .drive = RP_MOTION_CAR, .body_radius_m = 0.05 * BODY, .turning_radius_m = 0.1};
    ck_assert_int_eq(rp_engine_open(scene.engine, world, &asked, &session), RP_OK);
    const double turned[2] = {cos(0.7) * 0.05, sin(0.7) * 0.05};
    const double at[4] = {4.5, 20.5, 46.5, 20.5};
    const rp_destination_t goal = {4e6 + 0.3 + turned[0] * at[2] - turned[1] * at[3],
                                   5e5 + turned[1] * at[2] + turned[0] * at[3], 0};
    ck_assert_int_eq(rp_engine_pose_with_yaw(
                         scene.engine, session, 4e6 + 0.3 + turned[0] * at[0] - turned[1] * at[1],
                         5e5 + turned[1] * at[0] + turned[0] * at[1], 0.7, 0, no_cause),
                     RP_OK);
    ck_assert_int_eq(rp_engine_goals(scene.engine, session, &goal, 1, 0, no_cause), RP_OK);
    rp_scene_settle(&scene);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    const rp_curve_report_t report =
        judge(session, answer.curve.segments, answer.curve.count, -1.0);
    ck_assert_msg(report.is_free, "segment %u of %u at %g m", report.segment, answer.curve.count,
                  report.at_m);
    ck_assert_double_eq_tol(report.cost, answer.cost, 0.02 * answer.cost + 0.2);
}
END_TEST

/// A question in slices, while the world changes.
static rp_query_result_t ask_in_slices(rp_session_id_t session, const rp_path_segment_t *segments,
                                       size_t count, double radius, uint64_t budget,
                                       uint32_t *steps)
{
    const rp_question_t question = {.kind = RP_QUERY_DRIVE,
                                    .sessions = &session,
                                    .session_count = 1,
                                    .segments = segments,
                                    .segment_count = count,
                                    .radius_m = radius};
    const rp_query_result_t *found = NULL;
    rp_query_id_t id;
    ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &question, &id), RP_OK);
    for (*steps = 0; found == NULL; ++*steps) {
        (void)rp_scene_set(&scene, 0, 0, *steps % 2u); // beside the curve
        (void)rp_engine_step(scene.engine, scene.now_us, budget);
        found = rp_engine_query_result(scene.engine, id);
    }
    const rp_query_result_t result = *found;
    const double cost = found->costs[0];
    rp_engine_forget(scene.engine, id);
    ck_assert_double_eq(cost, result.curve.is_free ? result.curve.cost : -1.0);
    return result;
}

START_TEST(in_slices_it_comes_to_the_same)
{
    rp_random_t rng = {(uint64_t)_i + 40u};
    open_meadow(60, 50, _i % 3 == 2);
    const rp_session_id_t session = open_driver(&car, NULL);
    for (uint32_t i = 0; i < 40; i++) {
        const uint32_t x = rp_random_below(&rng, 60);
        (void)rp_scene_set(&scene, x, rp_random_below(&rng, 50), 0);
    }
    for (unsigned round = 0; round < 20; round++) {
        rp_path_segment_t segments[PIECES];
        uint32_t steps;
        wander(&rng, segments);
        const double radius = 0.1 * rp_random_between(&rng, 1, 20);
        (void)rp_scene_set(&scene, 0, 0, 1);
        const rp_curve_report_t whole = judge(session, segments, PIECES, radius);
        const rp_curve_report_t part =
            ask_in_slices(session, segments, PIECES, radius, 1, &steps).curve;
        ck_assert(whole.is_free == part.is_free && whole.segment == part.segment);
        ck_assert_double_eq(whole.at_m, part.at_m);
        ck_assert_double_eq(whole.cost, part.cost);
        ck_assert_uint_eq(whole.cell_count, part.cell_count);
        ck_assert_mem_eq(whole.cells, part.cells, whole.cell_count * sizeof whole.cells[0]);
    }
}
END_TEST

START_TEST(a_long_curve_keeps_nobody_waiting)
{
    rp_path_segment_t line = {.x_m = 70.5, .y_m = 100.5, .length_m = 1500.0};
    uint32_t steps;
    open_meadow(1650, 200, false);
    const rp_session_id_t session = open_driver(&car, NULL);
    const rp_query_result_t result = ask_in_slices(session, &line, 1, 60.0, 2000, &steps);
    ck_assert_int_eq(result.status, RP_OK);
    ck_assert(result.curve.is_free);
    ck_assert_uint_ge(steps, 50); // of 1,000 expansions each: 60,000 and more are 12 ms
    line.length_m = 1e5;
    ck_assert_int_eq(ask_in_slices(session, &line, 1, 60.0, 2000, &steps).status, RP_E_LIMIT);
}
END_TEST

START_TEST(what_cannot_be_checked_is_refused)
{
    const rp_path_segment_t line = {.x_m = 4.5, .y_m = 10.5, .length_m = 1e8};
    const rp_path_segment_t whirl = {.x_m = 4.5, .y_m = 10.5, .length_m = 10.0, .curvature = 1e9};
    const rp_path_segment_t far = {.x_m = 1e300, .y_m = 10.5, .length_m = 1.0};
    rp_curve_report_t report;
    open_meadow(40, 20, false);
    const rp_session_id_t driver = open_driver(&car, NULL);
    const rp_session_id_t walker = rp_scene_session(&scene, "auto", 1, 1, 5, 5);
    ck_assert_int_eq(rp_engine_drive(scene.engine, driver, &line, 1, -1.0, NULL, &report),
                     RP_E_LIMIT);
    ck_assert_int_eq(rp_engine_drive(scene.engine, driver, &whirl, 1, -1.0, NULL, &report),
                     RP_E_LIMIT);
    ck_assert_int_eq(rp_engine_drive(scene.engine, driver, &far, 1, -1.0, NULL, &report),
                     RP_E_LIMIT);
    ck_assert_int_eq(rp_engine_drive(scene.engine, driver, &line, 1, 65.0, NULL, &report),
                     RP_E_INVALID);
    ck_assert_int_eq(rp_engine_drive(scene.engine, driver, &line, 1, NAN, NULL, &report),
                     RP_E_INVALID);
    ck_assert_int_eq(rp_engine_drive(scene.engine, walker, &line, 1, -1.0, NULL, &report),
                     RP_E_UNSUPPORTED);
    ck_assert_int_eq(rp_engine_drive(scene.engine, 12345, &line, 1, 1.0, NULL, &report),
                     RP_E_UNKNOWN);
    ck_assert(judge(walker, &(rp_path_segment_t){.x_m = 4.5, .y_m = 4.5, .length_m = 3.0}, 1, 1.0)
                  .is_free);
}
END_TEST

START_TEST(a_body_at_rest_meets_what_it_covers)
{
    rp_path_segment_t rest[] = {{.x_m = 4.5, .y_m = 10.5, .length_m = 6.0},
                                {.x_m = 10.5, .y_m = 10.5}};
    open_meadow(40, 20, false);
    const rp_session_id_t session = open_driver(&car, NULL);
    (void)rp_scene_set(&scene, 20, 10, 0);
    ck_assert(judge(session, rest, 2, -1.0).is_free);
    ck_assert(judge(session, &rest[1], 1, -1.0).is_free);
    rest[1].x_m = 21.5;
    rp_curve_report_t report = judge(session, &rest[1], 1, -1.0);
    ck_assert(!report.is_free);
    ck_assert_uint_eq(report.cell_count, 1);
    ck_assert_uint_eq(report.cells[0], 10 * 40 + 20);
    ck_assert_double_eq(report.at_m, 0.0);
    ck_assert(judge(session, &rest[1], 1, 0.4).is_free); // beside it
    rest[1].x_m = 39.9;
    report = judge(session, &rest[1], 1, -1.0);
    ck_assert(!report.is_free); // the edge
    ck_assert_uint_eq(report.cell_count, 0);
}
END_TEST

/// A body that is long and thin, in a passage: most of what is near it is blocked, and not met.
START_TEST(obstacles_near_a_curve_count_more_than_free_cells)
{
    const rp_polygon_body_t pole = {.x_m = {50.0, -50.0, -50.0, 50.0},
                                    .y_m = {0.4, 0.4, -0.4, -0.4},
                                    .corner_count = 4,
                                    .outline_count = 1};
    rp_path_segment_t line = {.x_m = 55.5, .y_m = 100.5, .length_m = 180.0};
    rp_curve_report_t report;
    open_meadow(300, 200, false);
    const rp_session_id_t session = open_driver(&car, NULL);
    ck_assert_int_eq(rp_engine_drive(scene.engine, session, &line, 1, -1.0, &pole, &report), RP_OK);
    ck_assert(report.is_free);
    for (uint32_t y = 0; y < 200; y++) {
        for (uint32_t x = 0; x < 300 && y != 100; x++) {
            (void)rp_scene_set(&scene, x, y, 0);
        }
    }
    ck_assert_int_eq(rp_engine_drive(scene.engine, session, &line, 1, -1.0, &pole, &report),
                     RP_E_LIMIT);
    line.length_m = 8.0;
    ck_assert_int_eq(rp_engine_drive(scene.engine, session, &line, 1, -1.0, &pole, &report), RP_OK);
    ck_assert(report.is_free);
    line.yaw = 0.1; // it stands in the walls already, and is told so
    ck_assert_int_eq(rp_engine_drive(scene.engine, session, &line, 1, -1.0, &pole, &report), RP_OK);
    ck_assert(!report.is_free);
    ck_assert_double_eq(report.at_m, 0.0);
    ck_assert_uint_eq(report.cell_count, RP_CURVE_OFFENDERS_MAX);
    report = judge(session, &line, 1, 64.0);
    ck_assert(!report.is_free);
    ck_assert_uint_eq(report.cell_count, RP_CURVE_OFFENDERS_MAX);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_first_contact_is_found,
        where_a_line_meets_a_wall_is_exact,
        a_footprint_meets_what_its_corners_meet,
        a_curve_that_breaks_off_is_told,
        gears_and_turns_cost_what_motion_says,
        what_is_published_is_legal_wherever_the_world_lies,
        in_slices_it_comes_to_the_same,
        a_long_curve_keeps_nobody_waiting,
        what_cannot_be_checked_is_refused,
        a_body_at_rest_meets_what_it_covers,
        obstacles_near_a_curve_count_more_than_free_cells,
    };
    return rp_suite_run("curve_check", tests, sizeof tests / sizeof *tests, 4, tear_down);
}
