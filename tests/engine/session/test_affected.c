/// Whether a version concerns a session, by what it was told last, and what it costs to know.
#include "engine/session/affected.h"

#include <string.h>

#include "engine/core.h"
#include "tests/engine/scene.h"
#include "tests/support/suite.h"

#define BUDGET 100000u

static rp_scene_t scene;
static rp_session_t *session;

static void tear_down(void)
{
    rp_scene_close(&scene);
}

/// One session on its way along the upper row, its answer said.
static rp_session_id_t arrange(const char *drawing, uint32_t goal_x, uint32_t goal_y,
                               rp_answer_outcome_t outcome)
{
    rp_scene_draw(&scene, drawing);
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, goal_x, goal_y);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, outcome);
    session = rp_engine_session(scene.engine, id);
    return id;
}

/// Write a cell, and ask the session. @return what it paid, 0: it is not concerned
static uint64_t asked(uint32_t x, uint32_t y, uint8_t byte)
{
    uint64_t budget = BUDGET;
    (void)rp_scene_set(&scene, x, y, byte);
    session->validity.is_intact = true;
    return rp_session_is_affected(session, true, &budget) ? BUDGET - budget : 0;
}

START_TEST(who_has_a_path_is_concerned_by_what_lies_on_it_or_could_be_cheaper)
{
    (void)arrange("......\n......\n.#####\n......", 5, 0, RP_ANSWER_FOUND);
    ck_assert_uint_eq(asked(3, 3, 0), 0); // dearer, and beside it
    ck_assert_uint_eq(asked(3, 3, 1), 0); // too far for a rival
    ck_assert_uint_ne(asked(3, 0, 0), 0);
    rp_scene_settle(&scene);
    ck_assert_uint_ne(asked(3, 0, 1), 0); // the shorter way is back
}
END_TEST

/// A path of a thousand cells along the upper border, and then a cell beside it that changes.
static void arrange_long(uint32_t y, uint8_t byte)
{
    const rp_world_options_t options = {.width = 1000, .height = 3, .neighbors = 8};
    rp_scene_open(&scene, &options);
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 999, 0);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
    session = rp_engine_session(scene.engine, id);
    (void)rp_scene_set(&scene, 7, y, byte);
    session->validity.is_intact = true;
}

/// The tiles let nobody off here, so the path itself is looked at.
START_TEST(whose_path_is_long_pays_for_a_look_at_it)
{
    arrange_long(2, 0);
    uint64_t budget = BUDGET;
    (void)rp_session_is_affected(session, false, &budget);
    ck_assert_uint_eq(budget, BUDGET - 1u);
    (void)rp_session_is_affected(session, true, &budget);
    ck_assert_uint_eq(budget, BUDGET - 2u - 999u / RP_SESSION_STEPS_EACH);
}
END_TEST

START_TEST(what_wrote_nothing_new_concerns_nobody)
{
    (void)arrange("......\n......", 5, 0, RP_ANSWER_FOUND);
    ck_assert_uint_eq(asked(3, 0, 1), 0);
    ck_assert(session->validity.is_intact);
}
END_TEST

START_TEST(who_has_no_path_is_concerned_by_what_joins_its_endpoints_alone)
{
    (void)arrange("...#..\n...#..\n...#..", 5, 0, RP_ANSWER_NO_PATH);
    ck_assert_uint_eq(asked(1, 2, 0), 0);
    ck_assert_uint_eq(asked(1, 2, 1), 0);
    ck_assert_uint_ne(asked(3, 1, 1), 0);
}
END_TEST

START_TEST(who_stands_in_a_wall_is_concerned_by_what_becomes_cheaper)
{
    (void)arrange("###...\n###...\n###...", 5, 0, RP_ANSWER_START_BLOCKED);
    ck_assert_uint_eq(asked(1, 2, 1), 1);
    ck_assert_uint_ne(asked(0, 0, 1), 0);
}
END_TEST

START_TEST(whose_goal_is_a_wall_is_concerned_when_it_is_freed)
{
    (void)arrange("....##\n....##", 5, 0, RP_ANSWER_GOAL_BLOCKED);
    ck_assert_uint_eq(asked(4, 0, 1), 0);
    ck_assert_uint_eq(asked(2, 0, 0), 0);
    ck_assert_uint_ne(asked(5, 0, 1), 0);
}
END_TEST

START_TEST(ground_does_not_concern_who_is_outside)
{
    const rp_session_id_t id = arrange("......\n......", 5, 0, RP_ANSWER_FOUND);
    ck_assert_int_eq(rp_scene_pose(&scene, id, 900, 900), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_OUTSIDE);
    ck_assert_uint_eq(asked(3, 0, 0), 0);
    ck_assert_uint_eq(asked(5, 0, 0), 0);
}
END_TEST

START_TEST(when_not_all_that_changed_is_known_everybody_is_concerned)
{
    (void)arrange("......\n......\n.#####\n......", 5, 0, RP_ANSWER_FOUND);
    uint64_t budget = BUDGET;
    (void)rp_scene_set(&scene, 3, 3, 0);
    session->layer->lacks_newest = true;
    ck_assert(rp_session_is_affected(session, true, &budget));
    ck_assert_uint_eq(budget, BUDGET - 1u);
    ck_assert(!session->validity.is_intact);
    session->layer->lacks_newest = false;
}
END_TEST

// ---- how near

/// Who stands deep in an obstacle may find a way of five cells: what is farther off is none.
START_TEST(who_is_shut_in_is_concerned_by_what_is_near_enough_for_a_way)
{
    enum {
        SIDE = 41
    };
    static uint8_t walls[SIDE * SIDE];
    static const struct {
        uint32_t x, y;
        bool wraps, concerns;
    } rows[] = {
        {26, 20, false, true},  {27, 20, false, false}, {14, 20, false, true},
        {13, 20, false, false}, {20, 26, false, true},  {20, 27, false, false},
        {20, 14, false, true},  {20, 13, false, false}, {26, 14, false, true},
        {14, 27, false, false}, {27, 26, false, false}, {2, 2, false, false},
        {2, 2, true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rp_world_options_t options = {
            .width = SIDE, .height = SIDE, .neighbors = 8, .wraps = rows[i].wraps, .data = walls};
        const rp_session_options_t how = {.escape_m = 5.0};
        rp_session_id_t id;
        walls[0] = 1; // there is a goal
        rp_scene_open(&scene, &options);
        ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &how, &id), RP_OK);
        ck_assert_int_eq(rp_scene_pose(&scene, id, 20, 20), RP_OK);
        ck_assert_int_eq(rp_scene_goal(&scene, id, 0, 0), RP_OK);
        ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_START_BLOCKED);
        session = rp_engine_session(scene.engine, id);
        ck_assert_msg((asked(rows[i].x, rows[i].y, 1) != 0) == rows[i].concerns, "row %zu", i);
        rp_scene_settle(&scene);
        ck_assert_msg((asked(rows[i].x, rows[i].y, 0) != 0) == rows[i].concerns, "row %zu", i);
        rp_scene_close(&scene);
    }
    (void)arrange("......", 5, 0, RP_ANSWER_FOUND);
}
END_TEST

/// Inflation that goes is no obstacle that goes.
START_TEST(who_stands_in_inflation_alone_is_concerned_by_a_free_cell_near_enough)
{
    static uint8_t bytes[30];
    for (uint32_t cells = 6; cells <= 7; cells++) {
        memset(bytes, 253, sizeof bytes);
        const rp_world_options_t options = {
            .width = 30, .height = 1, .neighbors = 8, .profile = "costmap", .data = bytes};
        const rp_session_options_t how = {.escape_m = 5.0};
        rp_session_id_t id;
        rp_scene_open(&scene, &options);
        ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &how, &id), RP_OK);
        ck_assert_int_eq(rp_scene_pose(&scene, id, 10, 0), RP_OK);
        ck_assert_int_eq(rp_scene_goal(&scene, id, 29, 0), RP_OK);
        ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_START_BLOCKED);
        session = rp_engine_session(scene.engine, id);
        ck_assert_int_eq(asked(10 + cells, 0, 0) != 0, cells == 6);
        rp_scene_close(&scene);
    }
    (void)arrange("......", 5, 0, RP_ANSWER_FOUND);
}
END_TEST

/// Two metres and a half beside its path, so that what is within three and a half may part them.
START_TEST(who_is_beside_its_path_looks_again_when_an_obstacle_comes_near)
{
    static const struct {
        uint32_t x, y;
        uint8_t byte;
        bool is_near;
    } rows[] = {
        {13, 2, 0, true}, {14, 2, 0, false}, {7, 2, 0, true},
        {6, 2, 0, false}, {10, 5, 0, true},  {10, 6, 0, false},
        {13, 5, 0, true}, {14, 6, 0, false}, {13, 2, 5, false}, // dear, and no obstacle
    };
    const rp_world_options_t options = {.width = 40, .height = 8, .neighbors = 8};
    const rp_session_options_t how = {.follow_radius_m = 2.5};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rp_session_id_t id;
        rp_scene_open(&scene, &options);
        ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &how, &id), RP_OK);
        ck_assert_int_eq(rp_scene_pose(&scene, id, 0, 0), RP_OK);
        ck_assert_int_eq(rp_scene_goal(&scene, id, 39, 0), RP_OK);
        (void)rp_scene_answer(&scene);
        ck_assert_int_eq(rp_scene_pose(&scene, id, 10, 2), RP_OK);
        rp_scene_expect_silence(&scene);
        session = rp_engine_session(scene.engine, id);
        ck_assert(session->position.is_beside);
        (void)asked(rows[i].x, rows[i].y, rows[i].byte);
        ck_assert_msg((session->position.followed == session->world->version) == rows[i].is_near,
                      "row %zu", i);
        rp_scene_close(&scene);
    }
    (void)arrange("......", 5, 0, RP_ANSWER_FOUND);
}
END_TEST

START_TEST(who_is_on_its_path_does_not_look_again)
{
    (void)arrange("........\n........\n........\n........", 7, 0, RP_ANSWER_FOUND);
    session->position.followed = 0;
    (void)asked(1, 1, 0);
    ck_assert_uint_eq(session->position.followed, 0);
}
END_TEST

/// In inflation, with ways out of it, but none to the goal: wherever something changes.
START_TEST(who_is_on_a_blocked_cell_is_concerned_by_whatever_changes)
{
    static uint8_t bytes[] = {253, 0, 254, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const rp_world_options_t options = {
        .width = 14, .height = 1, .neighbors = 8, .profile = "costmap", .data = bytes};
    rp_scene_open(&scene, &options);
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 5, 0);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_NO_PATH);
    session = rp_engine_session(scene.engine, id);
    ck_assert_uint_ne(asked(12, 0, 99), 0);
}
END_TEST

// ---- what it costs

START_TEST(what_became_cheaper_is_held_against_each_goal_and_paid_for)
{
    const rp_world_options_t options = {.width = 100, .height = 40, .neighbors = 8};
    const rp_edit_t dear = {.x = 20, .y = 20, .width = 8, .height = 8, .fill = 5};
    const rp_edit_t cheap = {.x = 20, .y = 20, .width = 8, .height = 8, .fill = 1};
    const rp_cause_t cause = {0, 0};
    uint64_t version;
    uint64_t budget = BUDGET;
    rp_scene_open(&scene, &options);
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 9, 0);
    (void)rp_scene_answer(&scene);
    session = rp_engine_session(scene.engine, id);
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &dear, cause, &version), RP_OK);
    (void)rp_session_is_affected(session, false, &budget);
    ck_assert_uint_eq(budget, BUDGET - 1u);
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &cheap, cause, &version), RP_OK);
    budget = BUDGET;
    (void)rp_session_is_affected(session, false, &budget);
    ck_assert_uint_eq(budget, BUDGET - 1u - 64u / RP_SESSION_STEPS_EACH);
}
END_TEST

START_TEST(whose_path_became_dearer_pays_for_measuring_it)
{
    arrange_long(0, 5);
    uint64_t budget = BUDGET;
    ck_assert(rp_session_is_affected(session, true, &budget));
    ck_assert_uint_eq(budget,
                      BUDGET - 1u - 999u / RP_SESSION_STEPS_EACH - 999u / RP_SESSION_MEASURED_EACH);
    ck_assert(!session->validity.is_intact);
}
END_TEST

START_TEST(of_who_drives_its_planner_alone_knows)
{
    const rp_world_options_t options = {.width = 40, .height = 40, .neighbors = 8};
    const rp_session_options_t how = {
        .motion = {.drive = RP_MOTION_SPOT, .body_radius_m = 0.4, .turn_m_per_rad = 1.0}};
    rp_session_id_t id;
    rp_scene_open(&scene, &options);
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &how, &id), RP_OK);
    session = rp_engine_session(scene.engine, id);
    ck_assert_uint_eq(asked(30, 30, 0), 1); // wherever it is
    ck_assert(!session->validity.is_intact);
    uint64_t budget = BUDGET;
    (void)rp_scene_set(&scene, 30, 30, 0); // nothing new
    ck_assert(!rp_session_is_affected(session, true, &budget));
    ck_assert_uint_eq(budget, BUDGET - 1u);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        who_has_a_path_is_concerned_by_what_lies_on_it_or_could_be_cheaper,
        whose_path_is_long_pays_for_a_look_at_it,
        what_wrote_nothing_new_concerns_nobody,
        who_has_no_path_is_concerned_by_what_joins_its_endpoints_alone,
        who_stands_in_a_wall_is_concerned_by_what_becomes_cheaper,
        whose_goal_is_a_wall_is_concerned_when_it_is_freed,
        ground_does_not_concern_who_is_outside,
        when_not_all_that_changed_is_known_everybody_is_concerned,
        who_is_shut_in_is_concerned_by_what_is_near_enough_for_a_way,
        who_stands_in_inflation_alone_is_concerned_by_a_free_cell_near_enough,
        who_is_beside_its_path_looks_again_when_an_obstacle_comes_near,
        who_is_on_its_path_does_not_look_again,
        who_is_on_a_blocked_cell_is_concerned_by_whatever_changes,
        what_became_cheaper_is_held_against_each_goal_and_paid_for,
        whose_path_became_dearer_pays_for_measuring_it,
        of_who_drives_its_planner_alone_knows,
    };
    return rp_suite_run("affected", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
