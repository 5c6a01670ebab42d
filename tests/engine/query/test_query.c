/// Questions: what is found is what sessions would be told, nothing of the world is touched, and
/// the work comes in slices.
#include <math.h>
#include <stdlib.h>

#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_scene_t scene;

static void tear_down(void)
{
    rp_scene_close(&scene);
}

#define MEADOW                                                                                     \
    "..........\n"                                                                                 \
    "..........\n"                                                                                 \
    "..........\n"                                                                                 \
    ".........."

static rp_destination_t middle(uint32_t x, uint32_t y)
{
    return (rp_destination_t){x + 0.5, y + 0.5, 0};
}

static const rp_query_result_t *ask(const rp_question_t *question, rp_query_id_t *id)
{
    ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, question, id), RP_OK);
    rp_scene_settle(&scene);
    const rp_query_result_t *result = rp_engine_query_result(scene.engine, *id);
    ck_assert_ptr_nonnull(result);
    return result;
}

START_TEST(a_matrix_holds_the_cost_of_each_pair)
{
    rp_scene_draw(&scene, "....#.....\n"
                          "....#.....\n"
                          "....#.....\n"
                          "....#....#\n"
                          "....#...#.");
    const rp_destination_t from[] = {middle(0, 0), middle(5, 0), middle(9, 4)};
    const rp_destination_t to[] = {middle(3, 0), middle(9, 0)};
    const rp_question_t question = {
        .kind = RP_QUERY_COSTS, .from = from, .from_count = 3, .to = to, .to_count = 2};
    rp_query_id_t id;
    const rp_query_result_t *result = ask(&question, &id);
    ck_assert_uint_eq(result->count, 6);
    ck_assert_double_eq(result->costs[0], 3.0);
    ck_assert_double_eq(result->costs[1], -1.0);
    ck_assert_double_eq(result->costs[2], -1.0); // its corner is closed on both sides
    ck_assert_double_eq(result->costs[3], -1.0);
    ck_assert_double_eq(result->costs[4], 4.0);
    rp_engine_forget(scene.engine, id);
    ck_assert_ptr_null(rp_engine_query_result(scene.engine, id));
}
END_TEST

START_TEST(who_asks_from_outside_puts_nobody_else_on_a_wrong_way)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_destination_t from[] = {{-5.0, 0.5, 0}, middle(0, 0)};
    const rp_destination_t to[] = {middle(3, 0), middle(9, 0)};
    const rp_question_t question = {
        .kind = RP_QUERY_COSTS, .from = from, .from_count = 2, .to = to, .to_count = 2};
    rp_query_id_t id;
    const rp_query_result_t *result = ask(&question, &id);
    ck_assert_double_eq(result->costs[1], 3.0);
    ck_assert_double_eq(result->costs[2], -1.0);
    ck_assert_double_eq(result->costs[3], 9.0);
}
END_TEST

START_TEST(a_probe_tells_who_loses_its_path_and_who_pays_more_and_changes_nothing)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t sessions[] = {rp_scene_session(&scene, NULL, 0, 0, 9, 0),
                                        rp_scene_session(&scene, NULL, 0, 3, 3, 3)};
    rp_scene_settle(&scene);
    rp_answer_t impact;
    while (rp_engine_next_answer(scene.engine, &impact)) {
    }
    const rp_edit_t wall = {.x = 5, .y = 0, .width = 1, .height = 4, .fill = 0};
    const rp_edit_t house = {.x = 5, .y = 0, .width = 1, .height = 1, .fill = 0};
    const rp_destination_t from = middle(0, 1);
    const rp_destination_t to = middle(9, 1);
    rp_question_t question = {.kind = RP_QUERY_PROBE,
                              .sessions = sessions,
                              .session_count = 2,
                              .from = &from,
                              .from_count = 1,
                              .to = &to,
                              .to_count = 1,
                              .edit = &wall};
    rp_query_id_t id;
    const rp_query_result_t *result = ask(&question, &id);
    ck_assert_double_eq(result->costs[0], 9.0);
    ck_assert_double_eq(result->after[0], -1.0);
    ck_assert_double_eq(result->costs[1], 3.0);
    ck_assert_double_eq(result->after[1], 3.0);
    ck_assert_double_eq(result->costs[2], 9.0);
    ck_assert_double_eq(result->after[2], -1.0);
    rp_engine_forget(scene.engine, id);
    question.edit = &house;
    result = ask(&question, &id);
    ck_assert_double_gt(result->after[0], 9.0);
    ck_assert_double_eq(result->after[2], 9.0);
    ck_assert_uint_eq(rp_engine_version(scene.engine, scene.world), 1);
    ck_assert_uint_eq(rp_engine_bytes(scene.engine, scene.world)[5], 1);
    ck_assert(!rp_engine_next_answer(scene.engine, &impact));
}
END_TEST

START_TEST(a_probe_goes_by_the_body_of_each_agent)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_options_t wide = {.planner = "lpa", .body = {.radius_m = 1.0}};
    rp_session_id_t session;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &wide, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 0, 1), RP_OK);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 9, 1), RP_OK);
    rp_scene_settle(&scene);
    const rp_edit_t posts = {.x = 5, .y = 1, .width = 1, .height = 2, .fill = 0};
    const rp_destination_t from = middle(0, 1);
    const rp_destination_t to = middle(9, 1);
    const rp_question_t question = {.kind = RP_QUERY_PROBE,
                                    .sessions = &session,
                                    .session_count = 1,
                                    .from = &from,
                                    .from_count = 1,
                                    .to = &to,
                                    .to_count = 1,
                                    .edit = &posts};
    rp_query_id_t id;
    const rp_query_result_t *result = ask(&question, &id);
    ck_assert_double_eq(result->costs[0], 9.0);
    ck_assert_double_eq(result->after[0], -1.0); // the gaps above and below are too narrow
    ck_assert_double_gt(result->after[1], 9.0);  // not for a point
}
END_TEST

/// What it would cost an agent to go where it wants, in a world that stays as it is.
static double probed(rp_session_id_t session)
{
    const rp_edit_t nothing = {.x = 0, .y = 3, .width = 1, .height = 1, .fill = 1};
    const rp_question_t question = {
        .kind = RP_QUERY_PROBE, .sessions = &session, .session_count = 1, .edit = &nothing};
    rp_query_id_t id;
    const double cost = ask(&question, &id)->costs[0];
    rp_engine_forget(scene.engine, id);
    return cost;
}

START_TEST(who_asks_right_after_a_resize_is_not_told_that_there_is_no_path)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 9, 0);
    const rp_window_t window = {.x = -2, .y = -1, .width = 14, .height = 6};
    uint64_t version;
    rp_scene_settle(&scene);
    ck_assert_int_eq(
        rp_engine_resize(scene.engine, scene.world, &window, (rp_cause_t){0, 0}, &version), RP_OK);
    ck_assert_double_eq(probed(session), 9.0);
    const rp_window_t back = {.x = 2, .y = 1, .width = 10, .height = 4};
    ck_assert_int_eq(
        rp_engine_resize(scene.engine, scene.world, &back, (rp_cause_t){0, 0}, &version), RP_OK);
    const rp_question_t around = {
        .kind = RP_QUERY_FIELD, .sessions = &session, .session_count = 1, .reach = 1};
    rp_query_id_t id;
    const rp_query_result_t *result = ask(&around, &id);
    ck_assert_double_eq(result->costs[0], 9.0);
    ck_assert_double_eq(result->costs[1], 8.0);
}
END_TEST

START_TEST(a_probe_leads_to_where_a_target_is)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t prey = rp_scene_session(&scene, NULL, 9, 0, 9, 0);
    const rp_session_id_t hunter = rp_scene_session(&scene, NULL, 0, 0, 9, 0);
    const rp_aim_t chase = {.kind = RP_AIM_TARGET, .target = prey};
    ck_assert_int_eq(rp_engine_aim(scene.engine, hunter, &chase, (rp_cause_t){0, 0}), RP_OK);
    ck_assert_double_eq(probed(hunter), 9.0);
    ck_assert_int_eq(rp_scene_pose(&scene, prey, 4, 0), RP_OK);
    ck_assert_double_eq(probed(hunter), 4.0);
    ck_assert_int_eq(rp_engine_close(scene.engine, prey), RP_OK);
    ck_assert_double_eq(probed(hunter), -1.0);
}
END_TEST

START_TEST(a_probe_begins_where_an_agent_stands_when_it_is_free_again)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_options_t options = {.planner = "astar", .escape_m = 2.0};
    rp_session_id_t session;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 1, 1), RP_OK);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 9, 1), RP_OK);
    (void)rp_scene_set(&scene, 1, 1, 0);
    rp_scene_settle(&scene);
    ck_assert_double_ne(probed(session), 8.0); // from where it gets out
    (void)rp_scene_set(&scene, 1, 1, 1);
    ck_assert_double_eq(probed(session), 8.0);
}
END_TEST

START_TEST(a_field_leads_each_cell_around_an_agent_downhill)
{
    rp_scene_draw(&scene, "..........\n"
                          "....#.....\n"
                          "....#.....\n"
                          "..........");
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 2, 1, 9, 1);
    rp_scene_settle(&scene);
    const rp_question_t question = {
        .kind = RP_QUERY_FIELD, .sessions = &session, .session_count = 1, .reach = 3};
    rp_query_id_t id;
    const rp_query_result_t *result = ask(&question, &id);
    ck_assert_uint_eq(result->x, 0);
    ck_assert_uint_eq(result->y, 0);
    ck_assert_uint_eq(result->width, 6);
    ck_assert_uint_eq(result->height, 4);
    for (uint32_t i = 0; i < result->count; i++) {
        static const int dx[] = {1, 1, 0, -1, -1, -1, 0, 1};
        static const int dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
        const bool is_wall = i % 6u == 4 && (i / 6u == 1 || i / 6u == 2);
        ck_assert_int_eq(result->costs[i] < 0.0, is_wall);
        ck_assert_int_eq(result->steps[i] == RP_NO_STEP, is_wall);
        const uint32_t x = is_wall ? 99u : i % 6u + (uint32_t)dx[result->steps[i]];
        if (x < 6u) { // it leads to a cell of the tile
            const uint32_t next = x + (i / 6u + (uint32_t)dy[result->steps[i]]) * 6u;
            ck_assert_double_lt(result->costs[next], result->costs[i]);
        }
    }
}
END_TEST

/// A plan is told the rim of such an area, or the agent's own cell; the cells around it are
/// neither.
START_TEST(a_field_endpoints_anywhere_in_a_region_too_large_to_be_named)
{
    const rp_world_options_t options = {.width = 200, .height = 200, .neighbors = 8};
    const uint32_t x = _i % 2 == 0 ? 45u : 55u; // outside, and inside
    rp_scene_open(&scene, &options);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, x, 100, 1, 1);
    const rp_destination_t corners[] = {{50.0, 50.0, 0}, {150.0, 150.0, 0}};
    const rp_aim_t aim = {.kind = RP_AIM_REGION, .points = corners, .count = 2};
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, &aim, (rp_cause_t){0, 0}), RP_OK);
    for (uint32_t i = 0; i < 9u; i++) { // a free cell in it that nobody can come to
        rp_scene_set(&scene, 51u + i % 3u, 99u + i / 3u, i == 4u);
    }
    rp_scene_settle(&scene);
    const rp_question_t question = {
        .kind = RP_QUERY_FIELD, .sessions = &session, .session_count = 1, .reach = 10};
    rp_query_id_t id;
    const rp_query_result_t *result = ask(&question, &id);
    for (uint32_t i = 0; i < result->count; i++) {
        const uint32_t at = result->x + i % result->width;
        const uint32_t up = result->y + i / result->width;
        const bool is_blocked =
            at >= 51u && at < 54u && up >= 99u && up < 102u && (at != 52u || up != 100u);
        const double cost = is_blocked ? -1.0 : at < 50u ? 50.0 - at : 0.0;
        ck_assert_double_eq(result->costs[i], cost);
        ck_assert_int_eq(result->steps[i] == RP_NO_STEP, cost <= 0.0);
    }
}
END_TEST

START_TEST(a_field_in_a_region_that_holds_the_whole_world_is_0)
{
    const rp_world_options_t options = {.width = 100, .height = 100, .neighbors = 8};
    rp_scene_open(&scene, &options);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 5, 5, 1, 1);
    const rp_destination_t corners[] = {{-5.0, -5.0, 0},
                                        {900.0, 900.0, 0}}; // its middle is outside
    const rp_aim_t aim = {.kind = RP_AIM_REGION, .points = corners, .count = 2};
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, &aim, (rp_cause_t){0, 0}), RP_OK);
    rp_scene_settle(&scene);
    const rp_question_t question = {
        .kind = RP_QUERY_FIELD, .sessions = &session, .session_count = 1, .reach = 2};
    rp_query_id_t id;
    const rp_query_result_t *result = ask(&question, &id);
    for (uint32_t i = 0; i < result->count; i++) {
        ck_assert_double_eq(result->costs[i], 0.0);
    }
}
END_TEST

START_TEST(a_question_is_answered_for_its_version_in_slices_while_the_world_goes_on)
{
    const rp_world_options_t options = {.width = 64, .height = 64, .neighbors = 8};
    rp_scene_open(&scene, &options);
    const rp_destination_t from[] = {middle(0, 0), middle(63, 63)};
    const rp_question_t question = {
        .kind = RP_QUERY_COSTS, .from = from, .from_count = 2, .to = from, .to_count = 2};
    rp_query_id_t id;
    ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &question, &id), RP_OK);
    uint32_t steps = 0;
    while (rp_engine_step(scene.engine, 0, 500)) {
        (void)rp_scene_set(&scene, 30, steps++ % 64, 0);
        ck_assert_uint_lt(steps, 10000);
    }
    ck_assert_uint_gt(steps, 5);
    const rp_query_result_t *result = rp_engine_query_result(scene.engine, id);
    ck_assert_ptr_nonnull(result);
    ck_assert_uint_eq(result->version, 1);
    ck_assert_double_eq(result->costs[0], 0.0);
    ck_assert_double_eq_tol(result->costs[1], 63.0 * 1.4142135623730951, 1e-9);
}
END_TEST

/// The copy of a large world takes many slices, and what was written meanwhile is in it.
START_TEST(a_world_that_changes_while_it_is_copied_is_asked_at_a_later_version)
{
    const rp_world_options_t options = {.width = 32, .height = 4800, .neighbors = 8};
    rp_scene_open(&scene, &options);
    const rp_destination_t from = middle(0, 0);
    const rp_destination_t to = middle(31, 0);
    const rp_question_t question = {
        .kind = RP_QUERY_COSTS, .from = &from, .from_count = 1, .to = &to, .to_count = 1};
    rp_query_id_t id;
    ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &question, &id), RP_OK);
    (void)rp_engine_step(scene.engine, 0, 20); // a few rows
    const rp_edit_t wall = {.x = 20, .y = 0, .width = 1, .height = 4800, .fill = 0};
    uint64_t version;
    ck_assert_int_eq(
        rp_engine_apply(scene.engine, scene.world, &wall, (rp_cause_t){0, 0}, &version), RP_OK);
    while (rp_engine_step(scene.engine, 0, 20)) {
    }
    const rp_query_result_t *result = rp_engine_query_result(scene.engine, id);
    ck_assert_uint_eq(result->version, version);
    ck_assert_double_eq(result->costs[0], -1.0);
}
END_TEST

START_TEST(a_question_outlives_the_world_that_it_still_copies)
{
    const rp_world_options_t options = {.width = 32, .height = 4800, .neighbors = 8};
    rp_scene_open(&scene, &options);
    const rp_destination_t points[] = {middle(0, 0), middle(31, 0)};
    const rp_edit_t wall = {.x = 20, .y = 0, .width = 1, .height = 4800, .fill = 0};
    const rp_question_t question = {.kind = RP_QUERY_PROBE,
                                    .from = points,
                                    .from_count = 1,
                                    .to = points + 1,
                                    .to_count = 1,
                                    .edit = &wall};
    rp_query_id_t id;
    ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &question, &id), RP_OK);
    (void)rp_engine_step(scene.engine, 0, 20);
    ck_assert_int_eq(rp_engine_close_world(scene.engine, scene.world), RP_OK);
    rp_scene_settle(&scene);
    const rp_query_result_t *result = rp_engine_query_result(scene.engine, id);
    ck_assert_ptr_nonnull(result);
    ck_assert_double_eq(result->costs[0], 31.0);
    ck_assert_double_eq(result->after[0], -1.0);
}
END_TEST

START_TEST(a_forgotten_question_is_not_the_one_that_has_its_place)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_destination_t points[] = {middle(0, 0), middle(9, 0)};
    const rp_question_t question = {
        .kind = RP_QUERY_COSTS, .from = points, .from_count = 1, .to = points + 1, .to_count = 1};
    rp_query_id_t forgotten;
    rp_query_id_t next;
    (void)ask(&question, &forgotten);
    rp_engine_forget(scene.engine, forgotten);
    const rp_query_result_t *result = ask(&question, &next);
    ck_assert_uint_eq(rp_id_place(next), rp_id_place(forgotten));
    ck_assert_ptr_null(rp_engine_query_result(scene.engine, forgotten));
    rp_engine_forget(scene.engine, forgotten);
    ck_assert_ptr_eq(rp_engine_query_result(scene.engine, next), result);
}
END_TEST

START_TEST(what_makes_no_sense_is_refused_and_so_is_too_much)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_options_t options = {.planner = "lpa"};
    const rp_destination_t point = middle(1, 1);
    const rp_edit_t outside = {.x = 9, .y = 0, .width = 2, .height = 1};
    rp_session_id_t ghost;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &ghost), RP_OK);
    const rp_session_id_t nobody = 77;
    const rp_question_t costs = {
        .kind = RP_QUERY_COSTS, .from = &point, .from_count = 1, .to = &point, .to_count = 1};
    const struct {
        rp_question_t question;
        rp_status_t status;
    } cases[] = {
        {{.kind = RP_QUERY_COSTS, .from = &point, .from_count = 1}, RP_E_INVALID},
        {{.kind = RP_QUERY_FIELD, .sessions = &ghost, .session_count = 1}, RP_E_INVALID},
        {{.kind = RP_QUERY_FIELD, .sessions = &nobody, .session_count = 1}, RP_E_UNKNOWN},
        {{.kind = RP_QUERY_PROBE, .sessions = &ghost, .session_count = 1}, RP_E_INVALID},
        {{.kind = RP_QUERY_PROBE, .sessions = &ghost, .session_count = 1, .edit = &outside},
         RP_E_INVALID},
    };
    rp_query_id_t id;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &cases[i].question, &id),
                         cases[i].status);
    }
    ck_assert_int_eq(rp_engine_start_query(scene.engine, 9, &costs, &id), RP_E_UNKNOWN);
    for (uint32_t i = 0; i < RP_QUERIES_MAX; i++) {
        ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &costs, &id), RP_OK);
    }
    ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &costs, &id), RP_E_LIMIT);
    rp_engine_forget(scene.engine, 1);
    ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &costs, &id), RP_OK);
}
END_TEST

START_TEST(a_walk_names_the_steps_that_offend)
{
    rp_scene_draw(&scene, "...#......\n"
                          "..........");
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 9, 1);
    const uint8_t steps[] = {0, 0, 0, 0, 1, 6};
    uint32_t offenders[8];
    double cost;
    ck_assert_uint_eq(rp_engine_walk(scene.engine, session, 0, 0, steps, 6, offenders, 8, &cost),
                      2);
    ck_assert_uint_eq(offenders[0], 2); // into the wall
    ck_assert_uint_eq(offenders[1], 3); // and out of it
    ck_assert_double_eq(cost, -1.0);
    ck_assert_uint_eq(rp_engine_walk(scene.engine, session, 4, 0, steps, 4, offenders, 8, &cost),
                      0);
    ck_assert_double_eq(cost, 4.0);
    const uint8_t bend[] = {0, 1, 0};
    ck_assert_uint_eq(rp_engine_walk(scene.engine, session, 4, 0, bend, 3, offenders, 8, &cost), 0);
    ck_assert_double_eq_tol(cost, 2.0 + sqrt(2.0), 1e-9);
    const uint8_t over_the_edge[] = {6, 0, 0};
    ck_assert_uint_eq(
        rp_engine_walk(scene.engine, session, 0, 0, over_the_edge, 3, offenders, 1, &cost), 3);
    ck_assert_uint_eq(rp_engine_walk(scene.engine, session, 3, 0, steps, 0, offenders, 8, &cost),
                      0);
    ck_assert_double_eq(cost, -1.0); // it starts in the wall
}
END_TEST

START_TEST(the_factors_of_a_session_are_those_of_its_profile_and_body)
{
    rp_scene_draw(&scene, ".......\n"
                          "...#...\n"
                          ".......");
    (void)rp_scene_set(&scene, 6, 2, 9);
    const rp_session_options_t wide = {.body = {.radius_m = 1.0}};
    const rp_session_id_t thin = rp_scene_session(&scene, NULL, 0, 0, 6, 0);
    rp_session_id_t broad;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &wide, &broad), RP_OK);
    const uint8_t of_thin[21] = {1, 1, 1, 1, 1, 1, 1, //
                                 1, 1, 1, 0, 1, 1, 1, //
                                 1, 1, 1, 1, 1, 1, 9};
    const uint8_t of_broad[21] = {1, 1, 1, 0, 1, 1, 1, //
                                  1, 1, 0, 0, 0, 1, 1, //
                                  1, 1, 1, 0, 1, 1, 9};
    uint8_t factors[21];
    ck_assert_int_eq(rp_engine_factors(scene.engine, thin, factors), RP_OK);
    ck_assert_mem_eq(factors, of_thin, sizeof factors);
    ck_assert_int_eq(rp_engine_factors(scene.engine, broad, factors), RP_OK);
    ck_assert_mem_eq(factors, of_broad, sizeof factors);
    (void)rp_scene_set(&scene, 3, 1, 1);
    ck_assert_int_eq(rp_engine_factors(scene.engine, broad, factors), RP_OK);
    ck_assert_uint_eq(factors[10], 1);
    ck_assert_int_eq(rp_engine_factors(scene.engine, 99, factors), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_factors(scene.engine, thin, NULL), RP_E_INVALID);
}
END_TEST

START_TEST(the_past_tells_the_answers_and_between_which_versions_a_path_was_cut)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 9, 0);
    rp_scene_settle(&scene);
    (void)rp_scene_set(&scene, 0, 3, 2);
    rp_scene_settle(&scene);
    const rp_edit_t wall = {.x = 5, .y = 0, .width = 1, .height = 4, .fill = 0};
    uint64_t version;
    ck_assert_int_eq(
        rp_engine_apply(scene.engine, scene.world, &wall, (rp_cause_t){77, 78}, &version), RP_OK);
    rp_scene_settle(&scene);
    rp_past_answer_t published[RP_PAST_MAX];
    ck_assert_uint_eq(rp_engine_past(scene.engine, session, published), 2);
    ck_assert_int_eq(published[0].outcome, RP_ANSWER_NO_PATH);
    ck_assert_uint_eq(published[0].sure_until, version - 1u);
    ck_assert_uint_eq(published[0].version, version);
    ck_assert_uint_eq(published[0].cause.source_us, 77);
    ck_assert_int_eq(published[1].reason, RP_REASON_FIRST);
    for (uint32_t i = 0; i < 20; i++) {
        ck_assert_int_eq(rp_scene_goal(&scene, session, 1, i % 2), RP_OK);
        rp_scene_settle(&scene);
    }
    ck_assert_uint_eq(rp_engine_past(scene.engine, session, published), RP_PAST_MAX);
    ck_assert_uint_eq(published[0].path_seq, 22);
    ck_assert_uint_eq(published[RP_PAST_MAX - 1u].path_seq, 22 - RP_PAST_MAX + 1u);
    ck_assert_uint_eq(rp_engine_past(scene.engine, 99, published), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_matrix_holds_the_cost_of_each_pair,
        who_asks_from_outside_puts_nobody_else_on_a_wrong_way,
        a_probe_tells_who_loses_its_path_and_who_pays_more_and_changes_nothing,
        a_probe_goes_by_the_body_of_each_agent,
        who_asks_right_after_a_resize_is_not_told_that_there_is_no_path,
        a_probe_leads_to_where_a_target_is,
        a_probe_begins_where_an_agent_stands_when_it_is_free_again,
        a_field_leads_each_cell_around_an_agent_downhill,
        a_field_endpoints_anywhere_in_a_region_too_large_to_be_named,
        a_field_in_a_region_that_holds_the_whole_world_is_0,
        a_question_is_answered_for_its_version_in_slices_while_the_world_goes_on,
        a_world_that_changes_while_it_is_copied_is_asked_at_a_later_version,
        a_question_outlives_the_world_that_it_still_copies,
        a_forgotten_question_is_not_the_one_that_has_its_place,
        what_makes_no_sense_is_refused_and_so_is_too_much,
        a_walk_names_the_steps_that_offend,
        the_factors_of_a_session_are_those_of_its_profile_and_body,
        the_past_tells_the_answers_and_between_which_versions_a_path_was_cut,
    };
    return rp_suite_run("query", tests, sizeof tests / sizeof tests[0], 2, tear_down);
}
