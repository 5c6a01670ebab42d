/// An agent that moves: what is left of its path, and whether somebody has to look.
#include "engine/core.h"
#include "engine/session/session_state.h"
#include "tests/engine/scene.h"
#include "tests/support/suite.h"

static rp_scene_t scene;
static rp_session_t *session;

static void tear_down(void)
{
    rp_scene_close(&scene);
}

#define MEADOW                                                                                     \
    "....................\n"                                                                       \
    "....................\n"                                                                       \
    "....................\n"                                                                       \
    "...................."

/// On its way along the upper row, nineteen steps.
static void begin(rp_session_options_t options)
{
    rp_session_id_t id;
    rp_scene_draw(&scene, MEADOW);
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &id), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, id, 0, 0), RP_OK);
    ck_assert_int_eq(rp_scene_goal(&scene, id, 19, 0), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
    session = rp_engine_session(scene.engine, id);
}

static bool move(double x, double y, uint64_t pose_seq)
{
    return rp_session_move(session, x, y, pose_seq);
}

static rp_cell_t cell(uint32_t x, uint32_t y)
{
    return rp_grid_cell(session->layer->grid, x, y);
}

static void expect_at(uint32_t x, uint32_t left)
{
    ck_assert_uint_eq(session->published.path.at, cell(x, 0));
    ck_assert_uint_eq(session->position.at, cell(x, 0));
    ck_assert_uint_eq(session->published.path.count - session->published.path.first, left);
    ck_assert_double_eq(session->published.cost, left);
}

START_TEST(along_its_path_an_agent_is_not_looked_at_before_the_end)
{
    begin((rp_session_options_t){.planner = "auto"});
    for (uint32_t x = 1; x < 19; x++) {
        session->position.is_escaping = true;
        ck_assert(!move(x + 0.5, 0.5, x));
        expect_at(x, 19u - x);
        ck_assert_uint_eq(session->published.pose_seq, x);
        ck_assert_uint_eq(session->position.pose_seq, x);
        ck_assert(!session->position.is_escaping);
        ck_assert(!session->position.is_beside);
        ck_assert_uint_eq(session->validity.due, 0);
    }
    ck_assert(move(19.5, 0.5, 19)); // it arrives
    expect_at(19, 0);
}
END_TEST

START_TEST(where_it_was_already_nothing_is_done_but_its_pose_is_the_newest)
{
    begin((rp_session_options_t){.planner = "auto"});
    ck_assert(!move(3.5, 0.5, 7));
    session->position.is_escaping = true;
    ck_assert(!move(3.5, 0.5, 8));
    ck_assert(session->position.is_escaping); // not even looked at
    ck_assert_uint_eq(session->position.pose_seq, 8);
    ck_assert(!move(3.25, 0.75, 9)); // elsewhere in its cell
    ck_assert(!session->position.is_escaping);
    ck_assert_double_eq(session->position.x_m, 3.25);
    ck_assert_double_eq(session->position.y_m, 0.75);
    expect_at(3, 16);
}
END_TEST

/// A kept path is dearer than the best by 4. The policy switches at a quarter.
START_TEST(who_has_gone_so_far_that_the_rest_could_be_a_quarter_cheaper_is_looked_at)
{
    begin((rp_session_options_t){.planner = "auto", .policy = {.switch_gain_percent = 25}});
    session->published.excess = 4.0;
    ck_assert(!move(2.5, 0.5, 0));
    ck_assert_double_eq(session->published.excess, 4.0);
    session->schedule.is_put_off = true;
    ck_assert(!move(3.5, 0.5, 0)); // it waits to switch anyway
    session->schedule.is_put_off = false;
    ck_assert(move(4.5, 0.5, 0));
    expect_at(4, 15);
    session->validity.state = RP_SESSION_UNSURE;
    ck_assert(!move(5.5, 0.5, 0)); // it is looked at
    session->validity.state = RP_SESSION_SURE;
    ck_assert(move(17.5, 0.5, 0));
    ck_assert_double_eq(session->published.cost, 2.0);
    ck_assert_double_eq(session->published.excess, 2.0); // no path costs less than nothing
    session->published.excess = 0.0;
    ck_assert(!move(18.5, 0.5, 0));
}
END_TEST

START_TEST(while_its_path_is_broken_the_cost_is_as_it_was)
{
    begin((rp_session_options_t){.planner = "auto"});
    (void)rp_scene_set(&scene, 9, 0, 0);
    rp_scene_derive(session->world);
    session->validity.is_intact = false;
    ck_assert(!move(4.5, 0.5, 0));
    ck_assert_double_eq(session->published.cost, 19.0);
    ck_assert_uint_eq(session->published.path.at, cell(4, 0));
}
END_TEST

START_TEST(off_its_path_it_begins_where_it_stands)
{
    begin((rp_session_options_t){.planner = "auto"});
    session->published.is_provisional = true;
    session->validity.state = RP_SESSION_UNTESTED;
    ck_assert(move(4.5, 2.5, 5));
    ck_assert_int_eq(session->validity.state, RP_SESSION_UNSURE); // whatever the version changed
    ck_assert_uint_eq(session->validity.due, RP_DUE_OFF_PATH);
    ck_assert_uint_eq(session->position.at, cell(4, 2));
    ck_assert_uint_eq(session->position.from, cell(4, 2));
    ck_assert(!session->position.is_beside);
    ck_assert(!session->published.is_provisional);
    ck_assert_uint_eq(session->published.pose_seq, 0); // which it was not told for
    ck_assert(move(5.5, 0.5, 6)); // back on the old path, which does not count any more
    ck_assert_uint_eq(session->validity.due, RP_DUE_OFF_PATH);
    ck_assert(move(-3.0, 0.5, 7));
    ck_assert_uint_eq(session->position.cell, RP_NO_CELL);
    session->goal.is_given = false;
    ck_assert(!move(4.5, 2.5, 8)); // it has nowhere to go
    session->goal.is_given = true;
    session->validity.state = RP_SESSION_SURE;
}
END_TEST

START_TEST(beside_its_path_it_asks_of_each_version_whether_something_came_between)
{
    begin((rp_session_options_t){.planner = "auto", .follow_radius_m = 1.5});
    const rp_interest_index_t *interests = &session->layer->audience->interests;
    const uint32_t bit = 1u << (session->interest % RP_INTEREST_BLOCK);
    ck_assert_uint_eq(interests->blocks[session->interest / RP_INTEREST_BLOCK].asks & bit, 0);
    session->goal.is_rim = true;
    ck_assert(!move(4.5, 1.5, 3));
    ck_assert(session->goal.is_stale);
    ck_assert(session->position.is_beside);
    ck_assert_uint_ne(interests->blocks[session->interest / RP_INTEREST_BLOCK].asks & bit, 0);
    ck_assert_uint_eq(session->position.cell, cell(4, 1));
    ck_assert_uint_eq(session->position.from, session->published.path.at);
    ck_assert_uint_eq(session->validity.due, 0);
    ck_assert_uint_eq(session->position.followed, session->world->version);
    ck_assert(rp_session_follow_on(session)); // of this version it is known
    session->goal.is_rim = session->goal.is_stale = false;
    for (uint32_t x = 0; x < 20; x++) {
        (void)rp_scene_set(&scene, x, 1, x != 4 ? 0 : 1);
    }
    (void)rp_scene_set(&scene, 3, 0, 0);
    rp_scene_derive(session->world);
    ck_assert(rp_session_follow_on(session)); // straight up
    ck_assert_uint_eq(session->position.followed, session->world->version);
    ck_assert(!move(6.5, 0.5, 4)); // on it
    ck_assert(!session->position.is_beside);
    ck_assert(rp_session_follow_on(session));
}
END_TEST

START_TEST(who_is_parted_from_its_path_follows_it_no_more)
{
    begin((rp_session_options_t){.planner = "auto", .follow_radius_m = 2.5});
    ck_assert(!move(4.5, 2.5, 3));
    ck_assert(session->position.is_beside);
    for (uint32_t x = 0; x < 20; x++) {
        (void)rp_scene_set(&scene, x, 1, 0);
    }
    rp_scene_derive(session->world);
    (void)rp_session_follow_on(session); // or it was asked when the wall came
    ck_assert_uint_eq(session->validity.due, RP_DUE_OFF_PATH);
    ck_assert(!session->position.is_beside);
    ck_assert_uint_eq(session->position.from, cell(4, 2));
}
END_TEST

START_TEST(who_has_no_path_has_not_left_it)
{
    rp_scene_draw(&scene, "..#..\n"
                          "..#..");
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 4, 0);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_NO_PATH);
    session = rp_engine_session(scene.engine, id);
    (void)rp_scene_set(&scene, 1, 1, 0);
    rp_scene_derive(session->world);
    ck_assert(rp_session_follow_on(session));
    ck_assert_uint_eq(session->validity.due, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        along_its_path_an_agent_is_not_looked_at_before_the_end,
        where_it_was_already_nothing_is_done_but_its_pose_is_the_newest,
        who_has_gone_so_far_that_the_rest_could_be_a_quarter_cheaper_is_looked_at,
        while_its_path_is_broken_the_cost_is_as_it_was,
        off_its_path_it_begins_where_it_stands,
        beside_its_path_it_asks_of_each_version_whether_something_came_between,
        who_is_parted_from_its_path_follows_it_no_more,
        who_has_no_path_has_not_left_it,
    };
    return rp_suite_run("move", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
