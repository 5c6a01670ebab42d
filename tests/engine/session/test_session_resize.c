/// A session when its world takes another window: what it stands on, follows and was told.
#include "engine/core.h"
#include "engine/session/session_state.h"
#include "tests/engine/scene.h"
#include "tests/support/suite.h"

static rp_scene_t scene;
static const rp_cause_t nothing = {0, 0};

static void tear_down(void)
{
    rp_scene_close(&scene);
}

#define MEADOW                                                                                     \
    "............\n"                                                                               \
    "............\n"                                                                               \
    "............\n"                                                                               \
    "............"

static void shift(int32_t x, int32_t y, uint32_t width, uint32_t height)
{
    const rp_window_t window = {.x = x, .y = y, .width = width, .height = height, .fill = 1};
    uint64_t version;
    ck_assert_int_eq(rp_engine_resize(scene.engine, scene.world, &window, nothing, &version),
                     RP_OK);
}

/// What is said of it before anybody has planned again.
static rp_answer_t told(rp_session_id_t session)
{
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    return answer;
}

static rp_cell_t cell_of(const rp_session_t *session, uint32_t x, uint32_t y)
{
    return rp_grid_cell(session->layer->grid, x, y);
}

START_TEST(a_cell_moves_with_the_window_or_is_outside)
{
    static const struct {
        int32_t x, y;     // of the window
        uint32_t from[2]; // 7 x 5 before
        int64_t to[2];    // 6 x 4 then; -1: outside
    } rows[] = {
        {0, 0, {0, 0}, {0, 0}},     {0, 0, {5, 3}, {5, 3}},     {0, 0, {6, 3}, {-1, -1}},
        {0, 0, {5, 4}, {-1, -1}},   {2, 1, {2, 1}, {0, 0}},     {2, 1, {1, 1}, {-1, -1}},
        {2, 1, {2, 0}, {-1, -1}},   {-2, -1, {0, 0}, {2, 1}},   {-2, -1, {3, 2}, {5, 3}},
        {-2, -1, {4, 2}, {-1, -1}}, {-2, -1, {3, 3}, {-1, -1}}, {1, 2, {6, 4}, {5, 2}},
    };
    const rp_grid_shape_t sides[] = {
        {.width = 7, .height = 5, .neighbors = 8, .unit = 1, .least = 1},
        {.width = 6, .height = 4, .neighbors = 8, .unit = 1, .least = 1}};
    rp_grid_t *before = NULL;
    rp_grid_t *grid = NULL;
    ck_assert_int_eq(rp_grid_new(&sides[0], &before), RP_OK);
    ck_assert_int_eq(rp_grid_new(&sides[1], &grid), RP_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rp_window_t window = {.x = rows[i].x, .y = rows[i].y, .width = 6, .height = 4};
        const rp_cell_t cell = rp_grid_cell(before, rows[i].from[0], rows[i].from[1]);
        const rp_cell_t moved = rp_session_moved_cell(before, grid, &window, cell);
        ck_assert_uint_eq(moved, rows[i].to[0] < 0 ? RP_NO_CELL
                                                   : rp_grid_cell(grid, (uint32_t)rows[i].to[0],
                                                                  (uint32_t)rows[i].to[1]));
        ck_assert_uint_eq(rp_session_moved_cell(before, grid, &window, RP_NO_CELL), RP_NO_CELL);
    }
    rp_grid_destroy(&before);
    rp_grid_destroy(&grid);
}
END_TEST

START_TEST(whose_path_stays_inside_is_told_where_it_lies_now)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 2, 1, 9, 1);
    (void)rp_scene_answer(&scene);
    shift(1, 1, 11, 3);
    const rp_answer_t answer = told(session);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_eq(answer.start_x, 1);
    ck_assert_uint_eq(answer.start_y, 0);
    ck_assert_uint_eq(answer.step_count, 7);
    rp_scene_expect_silence(&scene); // it is the best still
    ck_assert_double_eq(told(session).cost, 7.0);
}
END_TEST

/// Of a robot in inflation, by a way out: it has neither way nor path before it has planned again.
START_TEST(whose_path_leaves_the_window_has_neither_path_nor_way)
{
    static uint8_t bytes[48];
    for (uint32_t i = 0; i < 48; i++) {
        bytes[i] = i % 12 < 3 ? 253 : 0;
    }
    const rp_world_options_t world = {
        .width = 12, .height = 4, .neighbors = 8, .profile = "costmap", .data = bytes};
    for (unsigned cut = 0; cut < 3; cut++) { // the goal, the end of the way, or the agent
        rp_scene_open(&scene, &world);
        const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 1, 10, 1);
        ck_assert_uint_eq(rp_scene_answer(&scene).way_count, 3);
        if (cut == 0) {
            shift(0, 0, 8, 4);
        } else {
            shift(cut == 1 ? 4 : 1, 0, 8, 4);
        }
        const rp_answer_t answer = told(session);
        ck_assert_int_eq(answer.outcome, RP_ANSWER_NONE);
        ck_assert_uint_eq(answer.step_count, 0);
        ck_assert_uint_eq(answer.way_count, 0);
        ck_assert_double_eq(answer.escape_m, 0.0);
        ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_OUTSIDE);
        rp_scene_close(&scene);
    }
}
END_TEST

START_TEST(who_follows_from_beside_goes_on_beside)
{
    const rp_session_options_t options = {.follow_radius_m = 1.5};
    rp_session_id_t id;
    rp_scene_draw(&scene, MEADOW);
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &id), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, id, 2, 1), RP_OK);
    ck_assert_int_eq(rp_scene_goal(&scene, id, 9, 1), RP_OK);
    (void)rp_scene_answer(&scene);
    ck_assert_int_eq(rp_scene_pose(&scene, id, 4, 2), RP_OK);
    rp_scene_expect_silence(&scene);
    const rp_session_t *session = rp_engine_session(scene.engine, id);
    ck_assert(session->position.is_beside);
    ck_assert_uint_eq(session->position.from, cell_of(session, 4, 1));
    shift(1, -1, 11, 5);
    ck_assert(session->position.is_beside);
    ck_assert_uint_eq(session->position.from, cell_of(session, 3, 2));
    ck_assert_uint_eq(session->position.at, cell_of(session, 3, 2));
    ck_assert_uint_eq(session->position.cell, cell_of(session, 3, 3));
    rp_scene_expect_silence(&scene);
    shift(0, 3, 11, 4); // the agent stays inside, the path does not
    ck_assert(!session->position.is_beside);
    ck_assert_uint_eq(session->position.from, session->position.cell);
    ck_assert_uint_eq(session->position.cell, cell_of(session, 3, 0));
}
END_TEST

START_TEST(who_stands_outside_of_the_window_stands_nowhere)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 2, 1, 9, 1);
    (void)rp_scene_answer(&scene);
    shift(4, 0, 8, 4);
    const rp_session_t *session = rp_engine_session(scene.engine, id);
    ck_assert_uint_eq(session->position.cell, RP_NO_CELL);
    ck_assert_uint_eq(session->position.from, RP_NO_CELL);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_OUTSIDE);
    shift(-4, 0, 12, 4);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
}
END_TEST

START_TEST(searches_of_the_window_before_are_given_up)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 2, 1, 9, 1);
    (void)rp_scene_answer(&scene);
    rp_session_t *session = rp_engine_session(scene.engine, id);
    session->frozen->user = session;
    session->far->user = session;
    session->position.is_escaping = true;
    shift(1, 0, 11, 4);
    ck_assert_ptr_null(session->frozen->user);
    ck_assert_ptr_null(session->far->user);
    ck_assert(!session->position.is_escaping);
    ck_assert(!session->validity.is_intact);
    ck_assert(session->goal.is_stale);
}
END_TEST

START_TEST(groups_of_the_window_before_are_left)
{
    const rp_destination_t rendezvous = {.x_m = 6.5, .y_m = 1.5};
    const rp_destination_t place = {.x_m = 9.5, .y_m = 1.5};
    const rp_aim_t aim = {.points = &place, .count = 1, .rendezvous = &rendezvous};
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 2, 1, 9, 1);
    ck_assert_int_eq(rp_engine_aim(scene.engine, id, &aim, nothing), RP_OK);
    rp_scene_settle(&scene);
    const rp_session_t *session = rp_engine_session(scene.engine, id);
    ck_assert_uint_eq(session->layer->audience->groups.count, 2);
    shift(1, 0, 11, 4);
    ck_assert_ptr_null(session->goal.group);
    ck_assert_ptr_null(session->goal.rendezvous);
    ck_assert_uint_eq(session->layer->audience->groups.count, 0);
    rp_scene_settle(&scene);
    ck_assert_uint_eq(session->layer->audience->groups.count, 1);
}
END_TEST

/// Neither planner nor group is of use in another window, and each is left once.
START_TEST(who_goes_by_a_rendezvous_forgets_it)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 11, 0);
    const rp_destination_t place = {.x_m = 11.5, .y_m = 0.5};
    const rp_destination_t rendezvous = {.x_m = 10.5, .y_m = 1.5};
    const rp_aim_t aim = {.points = &place, .count = 1, .rendezvous = &rendezvous};
    ck_assert_int_eq(rp_engine_aim(scene.engine, id, &aim, nothing), RP_OK);
    rp_scene_settle(&scene);
    const rp_session_t *session = rp_engine_session(scene.engine, id);
    ck_assert_ptr_nonnull(session->goal.group);
    ck_assert_ptr_nonnull(session->goal.rendezvous);
    rp_session_forget(rp_engine_session(scene.engine, id));
    ck_assert_ptr_null(session->goal.group);
    ck_assert_ptr_null(session->goal.rendezvous);
    ck_assert_ptr_null(session->own.planner);
    shift(1, 0, 12, 4);
    (void)rp_scene_pose(&scene, id, 1, 0);
    (void)rp_scene_goal(&scene, id, 5, 0);
    rp_scene_settle(&scene);
    ck_assert_int_eq(told(id).outcome, RP_ANSWER_FOUND);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_cell_moves_with_the_window_or_is_outside,
        whose_path_stays_inside_is_told_where_it_lies_now,
        whose_path_leaves_the_window_has_neither_path_nor_way,
        who_follows_from_beside_goes_on_beside,
        who_stands_outside_of_the_window_stands_nowhere,
        searches_of_the_window_before_are_given_up,
        groups_of_the_window_before_are_left,
        who_goes_by_a_rendezvous_forgets_it,
    };
    return rp_suite_run("session_resize", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
