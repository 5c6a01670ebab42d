/// What a session is to others: a member of its group, an interest of its layer, an answer.
#include "engine/session/session_state.h"

#include <math.h>

#include "engine/core.h"
#include "engine/session/endpoints.h"
#include "tests/engine/scene.h"
#include "tests/support/suite.h"

static rp_scene_t scene;
static rp_session_t *session;

static void tear_down(void)
{
    rp_scene_close(&scene);
}

#define MEADOW                                                                                     \
    "..........\n"                                                                                 \
    "..........\n"                                                                                 \
    "..........\n"                                                                                 \
    ".........."

static void begin(void)
{
    rp_scene_draw(&scene, MEADOW);
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 9, 0);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
    session = rp_engine_session(scene.engine, id);
}

// ---- groups

START_TEST(a_group_knows_how_many_of_it_are_unsure)
{
    begin();
    rp_goal_group_t *group = session->goal.group;
    ck_assert_uint_eq(group->unsure, 0);
    const rp_session_id_t other = rp_scene_session(&scene, NULL, 0, 1, 9, 0);
    ck_assert_ptr_eq(rp_engine_session(scene.engine, other)->goal.group, group);
    ck_assert_uint_eq(group->unsure, 1);
    ck_assert_int_eq(rp_scene_goal(&scene, other, 5, 0), RP_OK); // it is so in its new group
    ck_assert_uint_eq(group->unsure, 0);
    ck_assert_uint_eq(rp_engine_session(scene.engine, other)->goal.group->unsure, 1);
    ck_assert_int_eq(rp_scene_goal(&scene, other, 9, 0), RP_OK);
    ck_assert_uint_eq(group->unsure, 1);
    rp_session_enter_group(rp_engine_session(scene.engine, other), NULL);
    ck_assert_uint_eq(group->unsure, 0);
    rp_scene_settle(&scene);
    rp_session_enter_group(session, NULL);
    ck_assert_ptr_null(session->layer->audience->interests.list[session->interest].group);
}
END_TEST

/// Of a path that the search of its group called the cheapest that search may be asked.
START_TEST(what_its_group_knows_of_a_path_is_an_interest)
{
    begin();
    rp_goal_group_t *group = session->goal.group;
    const rp_interest_t *interest = &session->layer->audience->interests.list[session->interest];
    session->published.term = group->search.term = 7;
    session->published.units = 9;
    rp_session_note_interest(session);
    ck_assert_uint_eq(interest->term, 7);
    ck_assert_uint_eq(interest->units, 9);
    group->search.term = 8; // another search since
    rp_session_note_interest(session);
    ck_assert_uint_eq(interest->term, 0);
    group->search.term = 7;
    session->published.units = 0; // of a planner that does not tell
    rp_session_note_interest(session);
    ck_assert_uint_eq(interest->term, 0);
    session->published.units = 9;
    session->published.excess = 1.0;
    rp_session_note_interest(session);
    ck_assert_uint_eq(interest->term, 0);
    session->published.excess = 0.0;
    rp_session_note_interest(session);
    ck_assert_uint_eq(interest->term, 7);
    session->published.term = group->search.term = 0;
}
END_TEST

static bool asks(void)
{
    const rp_interest_index_t *interests = &session->layer->audience->interests;
    const rp_interest_block_t *block = &interests->blocks[session->interest / RP_INTEREST_BLOCK];
    return (block->asks >> (session->interest % RP_INTEREST_BLOCK) & 1u) != 0;
}

START_TEST(who_holds_a_cheapest_path_need_not_be_asked_of_each_version)
{
    begin();
    rp_session_note_interest(session);
    ck_assert(!asks());
    session->published.excess = 2.0;
    rp_session_note_interest(session);
    ck_assert(asks());
    session->published.is_at_rendezvous = true; // as dear as that may be
    rp_session_note_interest(session);
    ck_assert(!asks());
    session->published.excess = 0.0;
    session->published.is_at_rendezvous = false;
    session->goal.is_short = true;
    rp_session_note_interest(session);
    ck_assert(asks());
    session->goal.is_short = false;
    session->position.at++; // the end of a way
    rp_session_note_interest(session);
    ck_assert(asks());
    session->position.at--;
    session->position.is_beside = true;
    rp_session_note_interest(session);
    ck_assert(asks());
    session->position.is_beside = false;
    session->published.outcome = RP_ANSWER_NO_PATH;
    rp_session_note_interest(session);
    ck_assert(asks());
    session->published.outcome = RP_ANSWER_FOUND;
}
END_TEST

START_TEST(a_path_is_the_cheapest_of_goals_that_stay_if_nothing_is_open)
{
    begin();
    ck_assert(rp_session_has_cheapest(session));
    session->published.excess = 0.5;
    ck_assert(!rp_session_has_cheapest(session));
    session->published.excess = 0.0;
    session->published.is_provisional = true;
    ck_assert(!rp_session_has_cheapest(session));
    session->published.is_provisional = false;
    session->published.outcome = RP_ANSWER_PARTIAL;
    ck_assert(!rp_session_has_cheapest(session));
    session->published.outcome = RP_ANSWER_FOUND;
    ck_assert(rp_session_has_cheapest(session));
}
END_TEST

// ---- answers

START_TEST(an_answer_without_a_path_has_none_of_its_figures)
{
    rp_scene_draw(&scene, "..#..\n"
                          "..#..");
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 1, 4, 0);
    rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_NO_PATH);
    ck_assert_uint_eq(answer.start_x, 0);
    ck_assert_uint_eq(answer.start_y, 1);
    ck_assert_uint_eq(answer.step_count, 0);
    ck_assert_uint_eq(answer.valid_through, 0);
    ck_assert_uint_eq(answer.way_count, 0);
    ck_assert_uint_eq(answer.way_x, 0);
    ck_assert_uint_eq(answer.way_y, 0);
    ck_assert_ptr_null(answer.way);
    ck_assert_uint_eq(answer.waypoint, 0);
    ck_assert_double_eq(answer.cost, 0.0);
    ck_assert_double_eq(answer.bound, 0.0);
    const rp_cause_t cause = {0, 0};
    ck_assert_int_eq(rp_engine_pose(scene.engine, id, 77.0, 0.5, 0, cause), RP_OK);
    answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_OUTSIDE);
    ck_assert_uint_eq(answer.start_x, 0);
    ck_assert_uint_eq(answer.start_y, 0);
}
END_TEST

START_TEST(while_it_is_unsure_an_answer_is_of_the_version_for_which_it_is_known_to_be_true)
{
    rp_answer_t answer;
    begin();
    const uint64_t known = session->world->version;
    const uint64_t version = rp_scene_set(&scene, 5, 0, 0);
    ck_assert(rp_session_is_unsure(session));
    rp_session_answer(session, &answer);
    ck_assert_uint_eq(answer.version, known);
    ck_assert_uint_eq(answer.window.number, 1);
    ck_assert_uint_eq(answer.window.width, 10);
    ck_assert_uint_eq(answer.window.height, 4);
    rp_scene_settle(&scene);
    rp_session_answer(session, &answer);
    ck_assert_uint_eq(answer.version, version);
}
END_TEST

// ---- birth and death

static rp_status_t open_with(rp_session_options_t options)
{
    rp_session_id_t id;
    const rp_status_t status = rp_engine_open(scene.engine, scene.world, &options, &id);
    if (status == RP_OK) {
        ck_assert_int_eq(rp_engine_close(scene.engine, id), RP_OK);
    }
    return status;
}

START_TEST(who_asks_for_a_planner_by_name_gets_one_that_can_do_the_world)
{
    static const uint8_t weighted[] = {1, 1, 1, 1, 5, 1, 1, 1, 1};
    static const struct {
        uint32_t neighbors;
        bool wraps;
        const uint8_t *data;
        const char *planner;
        rp_status_t status;
    } rows[] = {
        {8, false, NULL, "jps", RP_OK},
        {4, false, NULL, "jps", RP_E_UNSUPPORTED},
        {8, true, NULL, "jps", RP_E_UNSUPPORTED},
        {8, false, weighted, "jps", RP_E_UNSUPPORTED},
        {8, true, weighted, "astar", RP_OK},
        {4, true, weighted, "dstar-lite", RP_OK},
        {8, false, NULL, "no-such", RP_E_UNKNOWN},
        {4, true, weighted, "auto", RP_OK},
        {4, true, weighted, NULL, RP_OK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rp_world_options_t options = {.width = 3,
                                            .height = 3,
                                            .neighbors = rows[i].neighbors,
                                            .wraps = rows[i].wraps,
                                            .data = rows[i].data};
        const rp_status_t judged =
            rows[i].status == RP_E_UNSUPPORTED ? RP_OK : rows[i].status; // once before
        rp_scene_open(&scene, &options);
        ck_assert_msg(open_with((rp_session_options_t){.planner = rows[i].planner}) ==
                          rows[i].status,
                      "row %zu", i);
        ck_assert_int_eq(
            open_with((rp_session_options_t){.planner = rows[i].planner, .is_judged = true}),
            judged);
        rp_scene_close(&scene);
    }
    begin();
}
END_TEST

START_TEST(for_other_goals_nothing_is_under_way)
{
    begin();
    session->far->user = session;
    session->schedule.is_long = true;
    session->schedule.cut_off = 9;
    session->goal.is_short = true;
    session->published.stands_for = 3;
    ck_assert_int_eq(rp_scene_goal(&scene, session->id, 3, 3), RP_OK);
    ck_assert_ptr_null(session->far->user);
    ck_assert(!session->schedule.is_long);
    ck_assert_uint_eq(session->schedule.cut_off, 0);
    ck_assert(!session->goal.is_short);
    ck_assert_uint_eq(session->published.stands_for, 0);
    ck_assert_uint_ne(session->validity.due & RP_DUE_GOALS, 0);
    ck_assert(session->goal.is_given);
}
END_TEST

START_TEST(what_it_wants_of_another_is_where_that_is_now)
{
    rp_destination_t place = {.x_m = -1.0};
    const rp_cause_t cause = {0, 0};
    begin();
    rp_goal_spec_t spec = rp_endpoints_goal_spec(session, &place);
    ck_assert_ptr_eq(spec.points, session->goal.spec.points);
    ck_assert_double_eq(place.x_m, -1.0);
    const rp_session_id_t prey = rp_scene_session(&scene, NULL, 5, 2, 0, 2);
    const rp_aim_t aim = {.kind = RP_AIM_TARGET, .target = prey};
    ck_assert_int_eq(rp_engine_aim(scene.engine, session->id, &aim, cause), RP_OK);
    ck_assert_int_eq(rp_engine_pose(scene.engine, prey, 6.25, 3.75, 0, cause), RP_OK);
    spec = rp_endpoints_goal_spec(session, &place);
    ck_assert_ptr_eq(spec.points, &place);
    ck_assert_double_eq(place.x_m, 6.25);
    ck_assert_double_eq(place.y_m, 3.75);
}
END_TEST

START_TEST(a_heading_that_is_none_is_refused_whoever_asks)
{
    static const struct {
        int heading;
        double yaw, tolerance;
        rp_status_t status;
    } rows[] = {
        {RP_AIM_HEADING, 1.5, 0.0, RP_E_UNSUPPORTED},
        {RP_AIM_HEADING, NAN, 0.0, RP_E_INVALID},
        {RP_AIM_HEADING, INFINITY, 0.5, RP_E_INVALID},
        {RP_AIM_HEADING, 1.5, -0.1, RP_E_INVALID},
        {RP_AIM_HEADING, 1.5, 3.15, RP_E_INVALID},
        {RP_AIM_HEADING, 1.5, NAN, RP_E_INVALID},
        {RP_AIM_EITHER_WAY, 1.5, 3.14, RP_E_UNSUPPORTED},
        {RP_AIM_EITHER_WAY, NAN, 1.0, RP_E_INVALID},
        {99, 1.5, 0.1, RP_E_INVALID},
        {RP_AIM_ANY_HEADING, NAN, -7.0, RP_OK},
    };
    const rp_destination_t there = {4.5, 1.5, 0};
    begin();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rp_aim_t how = {.points = &there,
                              .count = 1,
                              .heading = rows[i].heading,
                              .yaw = rows[i].yaw,
                              .yaw_tolerance = rows[i].tolerance};
        ck_assert_int_eq(rp_engine_aim(scene.engine, session->id, &how, (rp_cause_t){0, 0}),
                         rows[i].status);
    }
}
END_TEST

START_TEST(what_a_session_holds_counts_with_its_goals_and_its_share_of_their_group)
{
    const rp_destination_t goals[] = {{.x_m = 9.5, .y_m = 0.5}, {.x_m = 9.5, .y_m = 3.5}};
    const rp_cause_t cause = {0, 0};
    begin();
    const uint64_t one = rp_session_bytes(session);
    ck_assert_int_eq(rp_engine_goals(scene.engine, session->id, goals, 2, 0, cause), RP_OK);
    ck_assert_uint_eq(session->goal.count, 2);
    const uint64_t two = rp_session_bytes(session);
    ck_assert_uint_eq(two - one, 2u * sizeof(rp_goal_t) + sizeof(rp_destination_t));
    const rp_session_id_t other = rp_scene_session(&scene, NULL, 0, 1, 3, 3);
    ck_assert_int_eq(rp_engine_goals(scene.engine, other, goals, 2, 0, cause), RP_OK);
    const uint64_t group = sizeof(rp_goal_group_t) + 2u * sizeof(rp_goal_t);
    ck_assert_uint_eq(two - rp_session_bytes(session), group - group / 2u);
    session->published.path.capacity += 100;
    ck_assert_uint_eq(rp_session_bytes(session), two - (group - group / 2u) + 100u);
    session->published.path.capacity -= 100;
    ck_assert_uint_ge(one, sizeof(rp_session_t) + 8u * 16u + sizeof(rp_goal_group_t));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_group_knows_how_many_of_it_are_unsure,
        what_its_group_knows_of_a_path_is_an_interest,
        who_holds_a_cheapest_path_need_not_be_asked_of_each_version,
        a_path_is_the_cheapest_of_goals_that_stay_if_nothing_is_open,
        an_answer_without_a_path_has_none_of_its_figures,
        while_it_is_unsure_an_answer_is_of_the_version_for_which_it_is_known_to_be_true,
        who_asks_for_a_planner_by_name_gets_one_that_can_do_the_world,
        for_other_goals_nothing_is_under_way,
        what_it_wants_of_another_is_where_that_is_now,
        a_heading_that_is_none_is_refused_whoever_asks,
        what_a_session_holds_counts_with_its_goals_and_its_share_of_their_group,
    };
    return rp_suite_run("session_state", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
