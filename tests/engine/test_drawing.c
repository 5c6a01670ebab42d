/// What a game asks of an engine beside plans: options to begin with, its own data, paths as
/// points, and debug drawing. Planners and scheduler are compiled with REPLAN_TRACE here.
#include <math.h>
#include <string.h>

#include "replan/engine.h"
#include "tests/support/suite.h"

#define SIDE 8u

static rp_engine_t *engine;
static rp_world_id_t world;
static rp_session_id_t session;
static const rp_cause_t cause = {0, 0};

/// What was drawn.
typedef struct canvas {
    uint8_t cells[SIDE][SIDE];
    unsigned cell_count;
    unsigned paths;
    size_t points;
    double last_x_m;
    double last_y_m;
    unsigned expansions;
    unsigned outside; ///< that are no middle of a cell of the world
} canvas_t;

static canvas_t canvas;

static bool is_middle(double at)
{
    return at > 0.0 && at < SIDE && at - floor(at) == 0.5;
}

static void take_cell(double x_m, double y_m, uint8_t value, void *user)
{
    canvas_t *self = user;
    self->cells[(unsigned)y_m][(unsigned)x_m] = value;
    self->cell_count++;
}

static void take_path(rp_session_id_t of, const double *x_m, const double *y_m, size_t count,
                      void *user)
{
    canvas_t *self = user;
    ck_assert_uint_eq(of, session);
    self->paths++;
    self->points = count;
    self->last_x_m = x_m[count - 1u];
    self->last_y_m = y_m[count - 1u];
}

static void take_expansion(rp_session_id_t of, double x_m, double y_m, rp_draw_kind_t kind,
                           void *user)
{
    canvas_t *self = user;
    ck_assert_uint_eq(of, session);
    self->expansions += kind == RP_DRAW_EXPANDED || kind == RP_DRAW_RAISED;
    self->outside += !is_middle(x_m) || !is_middle(y_m);
}

static const rp_draw_t all = {take_cell, take_path, take_expansion, &canvas};

static void open_scene(void)
{
    const rp_world_options_t options = rp_engine_world_defaults(SIDE, SIDE);
    rp_session_options_t body = rp_engine_session_defaults();
    const rp_destination_t goal = {7.5, 4.5, 0};
    body.planner = "dstar-lite";
    body.body.radius_m = 1.0;
    memset(&canvas, 0, sizeof canvas);
    ck_assert_int_eq(rp_engine_new(&engine), RP_OK);
    ck_assert_int_eq(rp_engine_open_world(engine, &options, &world), RP_OK);
    ck_assert_int_eq(rp_engine_open(engine, world, &body, &session), RP_OK);
    ck_assert_int_eq(rp_engine_pose(engine, session, 0.5, 4.5, 0, cause), RP_OK);
    ck_assert_int_eq(rp_engine_goals(engine, session, &goal, 1, 0, cause), RP_OK);
}

static void tear_down(void)
{
    rp_engine_destroy(&engine);
}

static void plan(void)
{
    while (rp_engine_step(engine, 0, UINT64_MAX)) {
    }
}

static void build_wall(void)
{
    const rp_edit_t wall = {.x = 4, .y = 4, .width = 1, .height = 1};
    uint64_t version;
    ck_assert_int_eq(rp_engine_apply(engine, world, &wall, cause, &version), RP_OK);
}

START_TEST(the_engine_keeps_what_the_caller_wants_to_find_again)
{
    int one;
    int other;
    open_scene();
    ck_assert_ptr_null(rp_engine_world_user(engine, world));
    ck_assert_ptr_null(rp_engine_session_user(engine, session));
    ck_assert_int_eq(rp_engine_set_world_user(engine, world, &one), RP_OK);
    ck_assert_int_eq(rp_engine_set_session_user(engine, session, &other), RP_OK);
    ck_assert_ptr_eq(rp_engine_world_user(engine, world), &one);
    ck_assert_ptr_eq(rp_engine_session_user(engine, session), &other);
    ck_assert_int_eq(rp_engine_set_world_user(engine, world + 1u, &one), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_set_session_user(NULL, session, &one), RP_E_UNKNOWN);
    ck_assert_ptr_null(rp_engine_world_user(NULL, world));
    ck_assert_ptr_null(rp_engine_session_user(engine, session + 1u));
    ck_assert_int_eq(rp_engine_close(engine, session), RP_OK);
    ck_assert_int_eq(rp_engine_open(engine, world, &(rp_session_options_t){0}, &session), RP_OK);
    ck_assert_ptr_null(rp_engine_session_user(engine, session));
}
END_TEST

START_TEST(a_path_becomes_points_by_one_call)
{
    rp_answer_t answer;
    double x_m[3] = {-1.0, -1.0, -1.0};
    double y_m[3];
    open_scene();
    ck_assert_int_eq(rp_engine_answer(engine, session, &answer), RP_OK);
    ck_assert_uint_eq(rp_engine_points(&answer, NULL, NULL, 0), 0);
    plan();
    ck_assert(rp_engine_next_answer(engine, &answer));
    ck_assert_uint_eq(rp_engine_points(&answer, NULL, NULL, 0), SIDE);
    ck_assert_uint_eq(rp_engine_points(&answer, x_m, y_m, 2), SIDE);
    ck_assert(x_m[0] == 0.5 && y_m[0] == 4.5 && x_m[1] == 1.5 && x_m[2] == -1.0);
    ck_assert_uint_eq(rp_engine_points(&answer, x_m, NULL, 2), 0);
    ck_assert_uint_eq(rp_engine_points(NULL, x_m, y_m, 2), 0);
}
END_TEST

START_TEST(points_lie_in_the_turned_frame_and_run_on_beyond_the_edge_of_a_torus)
{
    rp_world_options_t options = rp_engine_world_defaults(SIDE, SIDE);
    const rp_destination_t goal = {10.0 - 13.0, 20.0 + 1.0, 0}; // cell (0, 6)
    rp_world_id_t torus;
    rp_session_id_t walker;
    rp_answer_t answer;
    double x_m[4];
    double y_m[4];
    open_scene();
    options.wraps = true;
    options.frame = (rp_frame_t){2.0, 10.0, 20.0, acos(0.0)};
    ck_assert_int_eq(rp_engine_open_world(engine, &options, &torus), RP_OK);
    ck_assert_int_eq(rp_engine_open(engine, torus, &(rp_session_options_t){0}, &walker), RP_OK);
    ck_assert_int_eq(rp_engine_pose(engine, walker, 10.0 - 1.0, 20.0 + 1.0, 0, cause), RP_OK);
    ck_assert_int_eq(rp_engine_goals(engine, walker, &goal, 1, 0, cause), RP_OK);
    plan();
    ck_assert_int_eq(rp_engine_answer(engine, walker, &answer), RP_OK);
    ck_assert_uint_eq(rp_engine_points(&answer, x_m, y_m, 4), 3);
    ck_assert_double_eq_tol(x_m[0], 9.0, 1e-9);
    ck_assert_double_eq_tol(x_m[2], 13.0, 1e-9); // two rows below the first one
    ck_assert_double_eq_tol(y_m[2], 21.0, 1e-9);
}
END_TEST

START_TEST(a_world_draws_its_bytes_and_all_paths)
{
    const rp_draw_t cells = {.cell = take_cell, .user = &canvas};
    open_scene();
    build_wall();
    plan();
    ck_assert_int_eq(rp_engine_draw_world(engine, world, &all), RP_OK);
    ck_assert_uint_eq(canvas.cell_count, SIDE * SIDE);
    ck_assert_uint_eq(canvas.cells[4][4], 0);
    ck_assert_uint_eq(canvas.cells[4][3], 1);
    ck_assert_uint_eq(canvas.paths, 1);
    ck_assert(canvas.last_x_m == 7.5 && canvas.last_y_m == 4.5);
    ck_assert_int_eq(rp_engine_draw_world(engine, world, &cells), RP_OK);
    ck_assert_uint_eq(canvas.paths, 1);
    ck_assert_int_eq(rp_engine_draw_world(engine, world + 1u, &all), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_draw_world(engine, world, NULL), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_draw_world(NULL, world, &all), RP_E_UNKNOWN);
}
END_TEST

START_TEST(a_session_draws_what_its_planner_sees)
{
    open_scene();
    build_wall();
    ck_assert_int_eq(rp_engine_draw_session(engine, session, &all), RP_OK);
    ck_assert_uint_eq(canvas.paths, 0); // none was planned yet
    ck_assert_uint_eq(canvas.cells[4][4], 0);
    ck_assert_uint_eq(canvas.cells[4][3], 0); // the body
    ck_assert_uint_eq(canvas.cells[4][1], 1);
    plan();
    ck_assert_int_eq(rp_engine_draw_session(engine, session, &all), RP_OK);
    ck_assert_uint_eq(canvas.paths, 1);
    ck_assert_uint_ge(canvas.points, SIDE);
    ck_assert_int_eq(rp_engine_draw_session(engine, session + 1u, &all), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_draw_session(engine, session, NULL), RP_E_INVALID);
}
END_TEST

START_TEST(searches_are_drawn_cell_by_cell_as_often_as_they_count)
{
    rp_answer_t answer;
    open_scene();
    ck_assert_int_eq(rp_engine_draw_searches(engine, &all), RP_OK);
    plan();
    ck_assert(rp_engine_next_answer(engine, &answer));
    ck_assert_uint_gt(canvas.expansions, 0);
    ck_assert_uint_eq(canvas.expansions, answer.expansions);
    ck_assert_uint_eq(canvas.outside, 0);
    ck_assert_int_eq(rp_engine_draw_searches(engine, NULL), RP_OK);
    build_wall();
    plan();
    ck_assert_uint_eq(canvas.expansions, answer.expansions);
    ck_assert_int_eq(rp_engine_draw_searches(NULL, &all), RP_E_INVALID);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_engine_keeps_what_the_caller_wants_to_find_again,
        a_path_becomes_points_by_one_call,
        points_lie_in_the_turned_frame_and_run_on_beyond_the_edge_of_a_torus,
        a_world_draws_its_bytes_and_all_paths,
        a_session_draws_what_its_planner_sees,
        searches_are_drawn_cell_by_cell_as_often_as_they_count,
    };
    return rp_suite_run("drawing", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
