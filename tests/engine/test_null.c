/// NULL where none may be: each public call of the engine refuses it, and nothing happens.
#include <math.h>
#include <string.h>

#include "replan/engine.h"
#include "tests/engine/scene.h"
#include "tests/support/suite.h"

static rp_scene_t scene;
static rp_session_id_t session;
static const rp_cause_t cause = {0, 0};

static void tear_down(void)
{
    rp_scene_close(&scene);
}

static void open_scene(void)
{
    rp_scene_draw(&scene, ".....\n"
                          ".....");
    session = rp_scene_session(&scene, NULL, 0, 0, 4, 1);
    (void)rp_scene_answer(&scene);
}

/// Neither a version nor a session nor impact came of it.
static void check_nothing_happened(void)
{
    ck_assert_uint_eq(rp_engine_version(scene.engine, scene.world), 1);
    rp_scene_expect_silence(&scene);
}

START_TEST(engines_and_worlds_need_options_and_room_for_the_handle)
{
    const rp_world_options_t good = {
        .width = 3, .height = 3, .neighbors = 8, .frame = {.resolution_m = 1.0}};
    rp_profile_options_t unnamed = {.unit = 1};
    rp_world_options_t bad = good;
    rp_world_id_t world = 0;
    open_scene();
    ck_assert_int_eq(rp_engine_new(NULL), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_open_world(NULL, &good, &world), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_open_world(scene.engine, NULL, &world), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_open_world(scene.engine, &good, NULL), RP_E_INVALID);
    bad.profile_count = 1;
    ck_assert_int_eq(rp_engine_open_world(scene.engine, &bad, &world), RP_E_INVALID);
    bad.profiles = &unnamed;
    ck_assert_int_eq(rp_engine_open_world(scene.engine, &bad, &world), RP_E_INVALID);
    ck_assert_uint_eq(world, 0);
    check_nothing_happened();
    rp_engine_destroy(NULL);
    rp_engine_destroy(&(rp_engine_t *){NULL});
}
END_TEST

START_TEST(changes_need_what_they_count_and_room_for_the_version)
{
    const rp_edit_t edit = {.width = 1, .height = 1};
    const rp_edit_t cells = {.cell_count = 1};
    const rp_overlay_edit_t overlay = {.clears = true};
    const rp_overlay_edit_t removed = {.removed_count = 1};
    const rp_overlay_edit_t shapes = {.shape_count = 1};
    const rp_shape_t shape = {.id = 1, .corners = 1};
    const rp_overlay_edit_t cornerless = {.shapes = &shape, .shape_count = 1};
    const rp_window_t window = {.width = 2, .height = 2};
    uint64_t version = 7;
    open_scene();
    rp_engine_t *engine = scene.engine;
    ck_assert_int_eq(rp_engine_apply(engine, scene.world, NULL, cause, &version), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_apply(engine, scene.world, &edit, cause, NULL), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_apply(engine, scene.world, &cells, cause, &version), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_overlay(engine, scene.world, NULL, cause, &version), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_overlay(engine, scene.world, &overlay, cause, NULL), RP_E_INVALID);
    const rp_overlay_edit_t *bad[] = {&removed, &shapes, &cornerless};
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(rp_engine_overlay(engine, scene.world, bad[i], cause, &version),
                         RP_E_INVALID);
    }
    ck_assert_int_eq(rp_engine_resize(engine, scene.world, NULL, cause, &version), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_resize(engine, scene.world, &window, cause, NULL), RP_E_INVALID);
    const rp_window_t unstated = {.width = 2, .height = 2, .rect_count = 1};
    rp_known_window_t known;
    uint32_t x = 9;
    ck_assert_int_eq(rp_engine_resize(engine, scene.world, &unstated, cause, &version),
                     RP_E_INVALID);
    ck_assert_int_eq(rp_engine_place(engine, scene.world, NULL, &known), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_place(engine, scene.world, &window, NULL), RP_E_INVALID);
    ck_assert(!rp_engine_find_unstated(engine, scene.world, NULL, &x, &x));
    ck_assert(!rp_engine_find_unstated(engine, scene.world, &window, NULL, &x));
    ck_assert(!rp_engine_find_unstated(engine, scene.world, &window, &x, NULL));
    ck_assert_uint_eq(x, 9);
    ck_assert_uint_eq(version, 7);
    check_nothing_happened();
}
END_TEST

START_TEST(a_shape_expires_when_there_is_room_to_say_so)
{
    const double at = 2.5;
    const rp_shape_t shape = {
        .id = 1, .corners = 1, .x_m = &at, .y_m = &at, .radius_m = 0.1, .expires_us = 5};
    const rp_overlay_edit_t put = {.shapes = &shape, .shape_count = 1};
    uint64_t version;
    open_scene();
    ck_assert_int_eq(rp_engine_overlay(scene.engine, scene.world, &put, cause, &version), RP_OK);
    ck_assert(!rp_engine_expire(scene.engine, scene.world, 9, cause, NULL));
    ck_assert_uint_eq(rp_engine_version(scene.engine, scene.world), 2);
    ck_assert(!rp_engine_rewritten(scene.engine, scene.world, NULL));
    ck_assert(rp_engine_expire(scene.engine, scene.world, 9, cause, &version));
}
END_TEST

START_TEST(drafts_need_one_thing_that_they_are_of)
{
    const rp_edit_t cells = {.cell_count = 1};
    const rp_overlay_edit_t shapes = {.shape_count = 1};
    const rp_staged_kind_t bad[] = {{.edit = NULL}, {.edit = &cells}, {.overlay = &shapes}};
    const rp_edit_t edit = {.width = 5, .height = 2, .fill = 2};
    const rp_staged_kind_t good = {.edit = &edit};
    rp_staged_edit_t *staged_edit = NULL;
    uint64_t budget = UINT64_MAX;
    open_scene();
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(rp_engine_stage(scene.engine, scene.world, &bad[i], &staged_edit),
                         RP_E_INVALID);
    }
    ck_assert_int_eq(rp_engine_stage(scene.engine, scene.world, NULL, &staged_edit), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_stage(scene.engine, scene.world, &good, NULL), RP_E_INVALID);
    ck_assert_ptr_null(staged_edit);
    ck_assert_int_eq(rp_engine_stage(scene.engine, scene.world, &good, &staged_edit), RP_OK);
    ck_assert(!rp_staged_edit_work(NULL, &budget));
    ck_assert(!rp_staged_edit_work(staged_edit, NULL));
    ck_assert(!rp_staged_edit_is_ready(NULL));
    ck_assert(!rp_staged_edit_is_ready(staged_edit));
    rp_staged_edit_destroy(&staged_edit);
    rp_staged_edit_destroy(NULL);
    check_nothing_happened();
}
END_TEST

START_TEST(sessions_need_options_aims_and_room)
{
    const rp_session_options_t options = {.planner = NULL};
    const rp_aim_t pointless = {.count = 1};
    rp_session_id_t opened = 0;
    rp_answer_t answer;
    open_scene();
    rp_engine_t *engine = scene.engine;
    ck_assert_int_eq(rp_engine_open(engine, scene.world, NULL, &opened), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_open(engine, scene.world, &options, NULL), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_aim(engine, session, NULL, cause), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_aim(engine, session, &pointless, cause), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_goals(engine, session, NULL, 1, 0, cause), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_answer(engine, session, NULL), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_judge_body(engine, scene.world, NULL), RP_E_INVALID);
    ck_assert_uint_eq(rp_engine_layer_key(engine, scene.world, NULL), 0);
    ck_assert_uint_eq(rp_engine_middle(NULL, 3), 0);
    ck_assert_uint_eq(opened, 0);
    check_nothing_happened();
    (void)rp_scene_set(&scene, 2, 0, 0);
    rp_scene_settle(&scene);
    ck_assert(!rp_engine_next_answer(engine, NULL));
    ck_assert(rp_engine_next_answer(engine, &answer)); // it was not lost
}
END_TEST

START_TEST(what_is_asked_needs_room_for_what_is_told)
{
    uint32_t width = 0;
    uint32_t height = 0;
    rp_frame_t frame;
    size_t count = 9;
    rp_session_id_t overdue[RP_OVERDUE_MAX];
    open_scene();
    const rp_engine_t *engine = scene.engine;
    ck_assert(!rp_engine_invalidations(engine, scene.world, NULL));
    ck_assert(!rp_engine_shape(engine, scene.world, NULL, &height, &frame));
    ck_assert(!rp_engine_shape(engine, scene.world, &width, NULL, &frame));
    ck_assert(!rp_engine_shape(engine, scene.world, &width, &height, NULL));
    ck_assert_uint_eq(width + height, 0);
    ck_assert(!rp_engine_own_profile(engine, scene.world, 0, NULL));
    ck_assert_uint_eq(rp_engine_settled_but(engine, scene.world, 0, NULL, &count), 0);
    ck_assert_uint_eq(rp_engine_settled_but(engine, scene.world, 0, overdue, NULL), 0);
    ck_assert_uint_eq(count, 9);
    ck_assert_uint_eq(rp_engine_past(engine, session, NULL), 0);
}
END_TEST

START_TEST(questions_need_the_places_and_sessions_that_they_count)
{
    const rp_destination_t place = {.x_m = 0.5, .y_m = 0.5};
    const rp_edit_t cells = {.cell_count = 1};
    const rp_question_t bad[] = {
        {.kind = RP_QUERY_COSTS, .from_count = 1, .to = &place, .to_count = 1},
        {.kind = RP_QUERY_COSTS, .from = &place, .from_count = 1, .to_count = 1},
        {.kind = RP_QUERY_FIELD, .session_count = 1},
        {.kind = RP_QUERY_PROBE, .sessions = &session, .session_count = 1},
        {.kind = RP_QUERY_PROBE, .sessions = &session, .session_count = 1, .edit = &cells},
    };
    rp_query_id_t ask = 0;
    open_scene();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &bad[i], &ask),
                         RP_E_INVALID);
    }
    ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, NULL, &ask), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &bad[0], NULL), RP_E_INVALID);
    ck_assert_uint_eq(ask, 0);
}
END_TEST

START_TEST(a_walk_needs_its_steps_and_room_for_offenders_and_cost)
{
    const uint8_t steps[] = {0, 6};
    uint32_t offenders[2];
    double cost = 3.0;
    open_scene();
    rp_engine_t *engine = scene.engine;
    ck_assert_uint_eq(rp_engine_walk(engine, session, 0, 0, steps, 2, NULL, 0, NULL), 0);
    ck_assert_uint_eq(rp_engine_walk(engine, session, 0, 0, NULL, 2, NULL, 0, &cost), 0);
    ck_assert_uint_eq(rp_engine_walk(engine, session, 0, 0, steps, 2, NULL, 2, &cost), 0);
    ck_assert(cost == 3.0);
    ck_assert_uint_eq(rp_engine_walk(engine, session, 0, 0, steps, 2, offenders, 2, &cost), 1);
    ck_assert_uint_eq(rp_engine_walk(engine, session, 0, 0, NULL, 0, NULL, 0, &cost), 0);
    ck_assert_uint_eq(rp_engine_walk_way(engine, session, 0, 0, NULL, 1, 0, 0, offenders, 2), 1);
    ck_assert_uint_eq(rp_engine_walk_way(engine, session, 0, 0, steps, 1, 9, 9, NULL, 0), 1);
    ck_assert(cost == 0.0);
}
END_TEST

START_TEST(in_no_engine_nothing_is_open)
{
    const rp_edit_t edit = {.width = 1, .height = 1};
    const rp_body_t body = {.profile = NULL};
    const rp_question_t question = {.kind = RP_QUERY_FIELD};
    rp_answer_t answer;
    uint64_t version;
    rp_query_id_t ask;
    ck_assert_int_eq(rp_engine_close_world(NULL, 1), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_apply(NULL, 1, &edit, cause, &version), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_pose(NULL, 1, 0.5, 0.5, 0, cause), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_pose_with_yaw(NULL, 1, 0.5, 0.5, 0.0, 0, cause), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_judge_motion(NULL, 1, NULL), RP_MOTION_NO_SUCH_WORLD);
    ck_assert_int_eq(rp_engine_close(NULL, 1), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_retarget(NULL, 1, 0, cause), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_hasten(NULL, 1), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_judge_body(NULL, 1, &body), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_start_query(NULL, 1, &question, &ask), RP_E_UNKNOWN);
    ck_assert_ptr_null(rp_engine_query_result(NULL, 1));
    ck_assert_ptr_null(rp_engine_window(NULL, 1, 0));
    ck_assert_ptr_null(rp_engine_windows(NULL, 1));
    ck_assert_ptr_null(rp_engine_bytes(NULL, 1));
    ck_assert_ptr_null(rp_engine_beneath(NULL, 1));
    ck_assert_ptr_null(rp_engine_profile(NULL, 1));
    ck_assert(!rp_engine_has_shapes(NULL, 1) && !rp_engine_is_sure(NULL, 1));
    ck_assert_uint_eq(rp_engine_version(NULL, 1) + rp_engine_settled(NULL, 1), 0);
    ck_assert_uint_eq(rp_engine_hash(NULL, 1) + rp_engine_layers(NULL, 1), 0);
    ck_assert(!rp_engine_placed_shape(NULL, 1, 0, &(rp_shape_t){.id = 0}));
    ck_assert(!rp_engine_newest_pose(NULL, 1, &(double){0.0}, &(double){0.0}));
    ck_assert_uint_eq(rp_engine_last_published(NULL, 1), 0);
    ck_assert(!rp_engine_step(NULL, 1, 100) && !rp_engine_idle(NULL, 100));
    ck_assert(!rp_engine_is_short(NULL) && !rp_engine_make_room(NULL));
    ck_assert(!rp_engine_count(NULL, 100) && !rp_engine_next_answer(NULL, &answer));
    ck_assert_uint_eq(rp_engine_effort(NULL).expanded + rp_engine_memory(NULL).ground_bytes, 0);
    ck_assert_uint_eq(rp_engine_next_us(NULL), RP_NEVER_US);
    rp_engine_limit_memory(NULL, 1);
    rp_engine_forget(NULL, 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        engines_and_worlds_need_options_and_room_for_the_handle,
        changes_need_what_they_count_and_room_for_the_version,
        a_shape_expires_when_there_is_room_to_say_so,
        drafts_need_one_thing_that_they_are_of,
        sessions_need_options_aims_and_room,
        what_is_asked_needs_room_for_what_is_told,
        questions_need_the_places_and_sessions_that_they_count,
        a_walk_needs_its_steps_and_room_for_offenders_and_cost,
        in_no_engine_nothing_is_open,
    };
    return rp_suite_run("null", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
