/// Whether a version concerns a session, by what it was told last, and what it costs to know.
#include "engine/session/affected.h"

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

/// The tiles let nobody off here, so the path itself is looked at.
START_TEST(whose_path_is_long_pays_for_a_look_at_it)
{
    const rp_world_options_t options = {.width = 1000, .height = 3, .neighbors = 8};
    rp_scene_open(&scene, &options);
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 999, 0);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
    session = rp_engine_session(scene.engine, id);
    (void)rp_scene_set(&scene, 7, 2, 0);
    session->validity.is_intact = true;
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
    };
    return rp_suite_run("affected", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
