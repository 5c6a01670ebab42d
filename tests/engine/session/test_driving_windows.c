/// Driving: the window of the world moves, grows or shrinks.
#include "tests/engine/session/driving_scene.h"

/// The whole of a row.
static void write_row(uint32_t y, uint8_t byte)
{
    uint64_t version;
    const rp_edit_t edit = {.y = y, .width = width_of(), .height = 1, .fill = byte};
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &edit, no_cause, &version), RP_OK);
}

/// What one that was not there before would be told.
static double fresh_cost(double x, double y, uint32_t goal_x, uint32_t goal_y)
{
    const rp_session_id_t fresh = drive(&exact_car, x, y, 0.0, goal_x, goal_y);
    const double cost = answer_of(fresh).cost;
    ck_assert_int_eq(rp_engine_close(scene.engine, fresh), RP_OK);
    return cost;
}

START_TEST(in_another_window_a_curve_costs_what_its_own_cells_do)
{
    static const rp_window_t windows[] = {
        {.y = 5, .width = 60, .height = 40},         // rows below, in place
        {.x = 3, .y = 5, .width = 57, .height = 35}, // fewer
        {.x = -6, .y = -5, .width = 70, .height = 48},
        {.x = 12, .y = 15, .width = 40, .height = 10}, // what it has passed lies outside
    };
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        open_meadow(60, 40, false);
        write_row(25, 9);
        write_row(15, 9);
        const rp_session_id_t session = drive(&exact_car, 9.5, 20.5, 0.0, 45, 20);
        (void)last_answer();
        place(session, 14.5, 20.5, 0.0);
        rp_scene_expect_silence(&scene);
        take_window(&windows[i]);
        place(session, 18.7, 20.5, 0.0);
        rp_scene_expect_silence(&scene);
        const rp_answer_t after = answer_of(session);
        ck_assert_uint_eq(after.start_x, (uint32_t)(18 - windows[i].x));
        ck_assert_uint_eq(after.step_count, 45 - 18);
        const double cost = after.cost;
        ck_assert_double_eq_tol(cost, fresh_cost(18.7, 20.5, 45, 20), 0.3);
        rp_scene_close(&scene);
    }
    open_meadow(4, 4, false);
}
END_TEST

START_TEST(a_weighted_world_that_shrinks_leaves_the_curve_legal)
{
    open_meadow(400, 400, false);
    write_row(397, 2);
    const rp_session_id_t session = drive(&car, 380.5, 380.5, 0.0, 390, 390);
    (void)last_answer();
    take_window(&(rp_window_t){.x = 376, .y = 376, .width = 24, .height = 24});
    place(session, 381.5, 380.5, 0.0);
    const rp_answer_t kept = answer_of(session);
    ck_assert_int_eq(kept.outcome, RP_ANSWER_FOUND);
    take_window(&(rp_window_t){.width = 8, .height = 8}); // its goal lies outside
    const rp_answer_t lost = answer_of(session);
    ck_assert_int_eq(lost.outcome, RP_ANSWER_OUTSIDE);
    ck_assert_uint_eq(lost.curve.count, 0);
}
END_TEST

START_TEST(a_window_that_moves_leaves_the_curve_where_it_is)
{
    open_meadow(40, 30, false);
    const rp_session_id_t session = drive(&car, 14.5, 14.5, 0.0, 30, 24);
    const rp_answer_t first = last_answer();
    const double x = first.curve.segments[0].x_m;
    const double cost = first.cost;
    take_window(&(rp_window_t){.x = 4, .y = -3, .width = 44, .height = 40});
    rp_scene_settle(&scene);
    const rp_answer_t after = answer_of(session);
    ck_assert_int_eq(after.outcome, RP_ANSWER_FOUND);
    ck_assert_double_eq_tol(after.curve.segments[0].x_m, x, 1e-9);
    ck_assert_double_eq_tol(after.cost, cost, 0.2);
    ck_assert_uint_eq(after.start_x, 10);
    ck_assert_uint_eq(after.start_y, 17);
}
END_TEST

/// Sides of a world that is too large for 64 headings, just so.
#define CROWDED 5793u

START_TEST(a_window_that_is_too_large_for_motion_is_refused)
{
    uint64_t version = 0;
    rp_motion_t motion = tank;
    motion.headings = motion.headings_most = 64;
    open_meadow(40, 30, false);
    (void)open_driver(&motion, NULL);
    const uint64_t before = rp_engine_version(scene.engine, scene.world);
    const rp_window_t window = {.width = CROWDED, .height = CROWDED};
    ck_assert_int_eq(rp_engine_resize(scene.engine, scene.world, &window, no_cause, &version),
                     RP_E_LIMIT);
    ck_assert_uint_eq(rp_engine_version(scene.engine, scene.world), before);
    ck_assert_uint_eq(rp_engine_window(scene.engine, scene.world, 0)->number, 1);
}
END_TEST

START_TEST(what_was_accepted_once_finds_no_path_where_it_is_too_large)
{
    rp_session_options_t options = rp_engine_session_defaults();
    rp_session_id_t session;
    options.motion = tank;
    options.motion.headings = options.motion.headings_most = 64;
    open_meadow(40, 30, false);
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    place(session, 4.5, 4.5, 0.0);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 20, 20), RP_OK);
    ck_assert_int_eq(last_answer().outcome, RP_ANSWER_FOUND);
    take_window(&(rp_window_t){.width = CROWDED, .height = CROWDED, .is_judged = true});
    ck_assert_int_eq(last_answer().outcome, RP_ANSWER_NO_PATH);
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_E_INVALID);
    options.is_judged = true;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    options.motion.headings = 12;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_E_INVALID);
    take_window(&(rp_window_t){.x = 1, .width = CROWDED, .height = CROWDED}); // no larger
    take_window(&(rp_window_t){.x = -1, .width = 40, .height = 30});
    ck_assert_int_eq(last_answer().outcome, RP_ANSWER_FOUND);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        in_another_window_a_curve_costs_what_its_own_cells_do,
        a_weighted_world_that_shrinks_leaves_the_curve_legal,
        a_window_that_moves_leaves_the_curve_where_it_is,
        a_window_that_is_too_large_for_motion_is_refused,
        what_was_accepted_once_finds_no_path_where_it_is_too_large,
    };
    return rp_suite_run("driving windows", tests, sizeof tests / sizeof *tests, 1, tear_down);
}
