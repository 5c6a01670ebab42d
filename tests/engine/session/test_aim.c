/// A session is sent elsewhere: what is begun anew then, and which aims its planner cannot do.
#include <math.h>
#include <stdlib.h>

#include "engine/core.h"
#include "engine/session/endpoints.h"
#include "tests/engine/scene.h"
#include "tests/support/suite.h"

static rp_scene_t scene;
static const rp_cause_t nothing = {0, 0};
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

static void begin(const char *planner)
{
    rp_scene_draw(&scene, MEADOW);
    session = rp_engine_session(scene.engine, rp_scene_session(&scene, planner, 0, 0, 9, 0));
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
}

static rp_status_t send_to(const rp_aim_t *aim)
{
    return rp_engine_aim(scene.engine, session->id, aim, nothing);
}

START_TEST(whoever_is_sent_elsewhere_begins_anew)
{
    const rp_destination_t place = {.x_m = 5.5, .y_m = 2.5};
    const rp_aim_t aim = {.points = &place, .count = 1, .goal_id = 12};
    begin(NULL);
    const rp_goal_group_t *group = session->goal.group;
    session->schedule.is_long = true;
    session->schedule.cut_off = 4;
    session->goal.is_short = true;
    session->goal.is_stale = true;
    session->goal.is_given = false;
    session->position.is_escaping = true;
    session->published.stands_for = 3;
    session->goal.nearest = calloc(1, sizeof *session->goal.nearest);
    session->far->user = session;
    ck_assert_int_eq(send_to(&aim), RP_OK);
    ck_assert(!session->schedule.is_long);
    ck_assert_uint_eq(session->schedule.cut_off, 0);
    ck_assert(!session->goal.is_short);
    ck_assert(!session->goal.is_stale); // its cells are known
    ck_assert(session->goal.is_given);
    ck_assert(!session->position.is_escaping);
    ck_assert_uint_eq(session->published.stands_for, 0);
    ck_assert_ptr_null(session->goal.nearest);
    ck_assert_ptr_null(session->far->user);
    ck_assert_uint_eq(session->goal.id, 12);
    ck_assert_uint_eq(session->goal.count, 1);
    ck_assert_uint_eq(session->goal.cells[0].cell, rp_grid_cell(session->layer->grid, 5, 2));
    ck_assert_ptr_ne(session->goal.group, group);
    ck_assert_uint_eq(session->goal.group->users, 1);
    ck_assert(rp_session_is_due(session, RP_DUE_GOALS));
    ck_assert(rp_session_is_unsure(session));
}
END_TEST

START_TEST(whose_goals_lie_outside_looks_for_them_later)
{
    const rp_destination_t place = {.x_m = -5.5, .y_m = 2.5};
    const rp_aim_t aim = {.points = &place, .count = 1};
    begin(NULL);
    ck_assert_int_eq(send_to(&aim), RP_OK);
    ck_assert_uint_eq(session->goal.count, 0);
    ck_assert(session->goal.is_stale);
    ck_assert_ptr_null(session->goal.group);
}
END_TEST

START_TEST(an_aim_that_is_refused_changes_nothing)
{
    const rp_destination_t place = {.x_m = 5.5, .y_m = 2.5};
    const rp_destination_t nowhere = {.x_m = NAN, .y_m = 2.5};
    const rp_aim_t aims[] = {
        {.points = &place, .count = 0, .goal_id = 12},
        {.points = &nowhere, .count = 1, .goal_id = 12},
        {.points = &place, .count = 1, .goal_id = 12, .heading = RP_AIM_HEADING},
    };
    begin(NULL);
    const rp_goal_group_t *group = session->goal.group;
    for (size_t i = 0; i < sizeof aims / sizeof aims[0]; i++) {
        ck_assert_int_ne(send_to(&aims[i]), RP_OK);
        ck_assert_uint_eq(session->goal.id, 0);
        ck_assert_ptr_eq(session->goal.group, group);
        ck_assert_uint_eq(session->goal.group->users, 1);
        ck_assert_uint_eq(session->validity.due, 0);
        rp_scene_expect_silence(&scene);
    }
}
END_TEST

/// Paths of cells have none; what is no heading is told first.
START_TEST(a_heading_is_a_number_and_its_tolerance_half_a_turn_at_most)
{
    static const double yaws[] = {0.5, 1.5, NAN};
    static const struct {
        rp_aim_heading_t heading;
        double yaw;
        const double *yaws;
        size_t count;
        double tolerance;
        rp_status_t status;
    } rows[] = {
        {RP_AIM_ANY_HEADING, NAN, yaws, 3, -1.0, RP_OK},
        {RP_AIM_HEADING, 0.5, NULL, 1, 0.0, RP_E_UNSUPPORTED},
        {RP_AIM_EITHER_WAY, 0.5, NULL, 1, 3.1415926535897931, RP_E_UNSUPPORTED},
        {RP_AIM_HEADING, 0.5, NULL, 1, 3.1415926535897936, RP_E_INVALID},
        {RP_AIM_HEADING, 0.5, NULL, 1, -0.1, RP_E_INVALID},
        {RP_AIM_HEADING, 0.5, NULL, 1, NAN, RP_E_INVALID},
        {RP_AIM_HEADING, NAN, NULL, 1, 0.0, RP_E_INVALID},
        {RP_AIM_HEADING, 0.5, yaws, 2, 0.0, RP_E_UNSUPPORTED},
        {RP_AIM_HEADING, 0.5, yaws, 3, 0.0, RP_E_INVALID},
        {(rp_aim_heading_t)7, 0.5, NULL, 1, 0.0, RP_E_INVALID},
    };
    const rp_destination_t places[] = {{5.5, 2.5, 0}, {6.5, 2.5, 0}, {7.5, 2.5, 0}};
    begin(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rp_aim_t aim = {.points = places,
                              .count = rows[i].count,
                              .heading = rows[i].heading,
                              .yaw = rows[i].yaw,
                              .yaws = rows[i].yaws,
                              .yaw_tolerance = rows[i].tolerance};
        ck_assert_msg(send_to(&aim) == rows[i].status, "%zu", i);
    }
}
END_TEST

START_TEST(a_planner_of_one_goal_cell_takes_what_leads_to_one_cell_at_a_time)
{
    static const rp_destination_t places[] = {{5.5, 2.5, 0}, {6.5, 2.5, 0}, {7.5, 2.5, 3}};
    static const struct {
        rp_aim_t aim;
        bool can;
    } rows[] = {
        {{.kind = RP_AIM_POINTS, .points = places, .count = 1}, true},
        {{.kind = RP_AIM_POINTS, .points = places, .count = 2}, false},
        {{.kind = RP_AIM_POINTS, .points = places + 2, .count = 1}, false},
        {{.kind = RP_AIM_POINTS, .points = places, .count = 1, .tolerance_m = 0.1}, false},
        {{.kind = RP_AIM_POINTS, .points = places, .count = 1, .is_nearest = true}, false},
        {{.kind = RP_AIM_WAYPOINTS, .points = places, .count = 2}, true},
        {{.kind = RP_AIM_WAYPOINTS, .points = places, .count = 3}, false}, // one has an offset
        {{.kind = RP_AIM_WAYPOINTS, .points = places, .count = 2, .is_nearest = true}, false},
        {{.kind = RP_AIM_REGION, .points = places, .count = 2}, false},
        {{.kind = RP_AIM_TARGET}, true},
        {{.kind = RP_AIM_TARGET, .tolerance_m = 1.0}, false},
    };
    for (unsigned is_able = 0; is_able < 2; is_able++) {
        begin(is_able ? "astar" : "jps");
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const rp_status_t should = is_able || rows[i].can ? RP_OK : RP_E_UNSUPPORTED;
            ck_assert_msg(send_to(&rows[i].aim) == should, "%u, %zu", is_able, i);
        }
        rp_scene_close(&scene);
    }
    begin(NULL);
}
END_TEST

/// It is for those who share planners, and inside.
START_TEST(a_rendezvous_is_joined_and_left)
{
    const rp_destination_t place = {.x_m = 5.5, .y_m = 2.5};
    const rp_destination_t inside = {.x_m = 4.5, .y_m = 1.5};
    const rp_destination_t outside = {.x_m = 4.5, .y_m = -1.5};
    const rp_aim_t by_it = {.points = &place, .count = 1, .rendezvous = &inside};
    const rp_aim_t by_none = {.points = &place, .count = 1, .rendezvous = &outside};
    begin("astar");
    ck_assert_int_eq(send_to(&by_it), RP_OK);
    ck_assert_ptr_null(session->goal.rendezvous);
    ck_assert_ptr_null(session->goal.group);
    rp_scene_close(&scene);
    begin(NULL);
    ck_assert_int_eq(send_to(&by_none), RP_OK);
    ck_assert_ptr_null(session->goal.rendezvous);
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(send_to(&by_it), RP_OK);
        ck_assert_ptr_nonnull(session->goal.rendezvous);
        ck_assert_uint_eq(session->goal.rendezvous->users, 1);
        ck_assert_uint_eq(session->goal.rendezvous->goals[0].cell,
                          rp_grid_cell(session->layer->grid, 4, 1));
    }
    ck_assert_int_eq(send_to(&by_none), RP_OK);
    ck_assert_ptr_null(session->goal.rendezvous);
}
END_TEST

/// Each link of the list of those who go after one.
START_TEST(whoever_turns_away_leaves_the_others_behind_their_target)
{
    enum {
        HUNTERS = 4
    };
    for (unsigned order = 0; order < 24; order++) {
        rp_session_t *hunters[HUNTERS];
        bool hunts[HUNTERS] = {true, true, true, true};
        unsigned rest = order;
        begin(NULL);
        for (uint32_t i = 0; i < HUNTERS; i++) {
            hunters[i] =
                rp_engine_session(scene.engine, rp_scene_session(&scene, NULL, i, 3, 9, 3));
            rp_session_chase(hunters[i], session);
        }
        for (unsigned left = HUNTERS; left > 0; left--) {
            unsigned which = rest % left;
            rest /= left;
            unsigned i = 0;
            while (!hunts[i] || which-- > 0) {
                i++;
            }
            hunts[i] = false;
            rp_session_chase(hunters[i], NULL);
            ck_assert_ptr_null(hunters[i]->goal.target);
            unsigned count = 0;
            for (const rp_session_t *each = session->goal.chasers; each != NULL;
                 each = each->goal.chase_next) {
                ck_assert_ptr_eq(each->goal.target, session);
                ck_assert_ptr_ne(each, hunters[i]);
                ck_assert_uint_lt(++count, left);
            }
            ck_assert_uint_eq(count, left - 1u);
        }
        rp_scene_close(&scene);
    }
    begin(NULL);
}
END_TEST

// ---- where its path begins and ends

START_TEST(who_stands_on_a_waypoint_goes_on_to_the_next)
{
    const rp_destination_t places[] = {
        {.x_m = 0.5, .y_m = 0.5}, {.x_m = 5.5, .y_m = 2.5}, {.x_m = 7.5, .y_m = 2.5}};
    for (size_t first = 0; first < 3; first++) {
        const rp_aim_t aim = {
            .kind = RP_AIM_WAYPOINTS, .points = places, .count = 3, .first = first};
        uint64_t budget = 10000;
        begin(NULL);
        if (first == 2) { // it stands on the last one
            ck_assert_int_eq(rp_scene_pose(&scene, session->id, 7, 2), RP_OK);
        }
        ck_assert_int_eq(send_to(&aim), RP_OK);
        session->published.stands_for = 5;
        session->validity.due = 0;
        ck_assert_int_eq(rp_endpoints_prepare(session, &budget), RP_OK);
        ck_assert_uint_eq(session->goal.spec.next, first == 0 ? 1 : first);
        ck_assert_uint_eq(session->validity.due, first == 0 ? RP_DUE_LEG : 0);
        ck_assert_uint_eq(session->published.stands_for, first == 0 ? 0 : 5);
        ck_assert_uint_eq(session->goal.count, 1);
        ck_assert_uint_eq(session->goal.cells[0].cell,
                          rp_grid_cell(session->layer->grid, first == 2 ? 7 : 5, 2));
        ck_assert(!session->goal.is_stale);
        ck_assert_ptr_nonnull(rp_endpoints_goal_at(session, session->goal.cells[0].cell));
        ck_assert_ptr_null(rp_endpoints_goal_at(session, rp_grid_cell(session->layer->grid, 0, 0)));
        rp_scene_close(&scene);
    }
    begin(NULL);
}
END_TEST

/// As if it stood in the middle of the cell that it follows from, where a wall is now: either side
/// of that is as near.
START_TEST(who_is_beside_its_path_leaves_a_wall_on_that_from_its_middle)
{
    static const struct {
        double x_m, y_m; // where it is
        bool is_lying;   // the wall: along x
    } rows[] = {{4.5, 2.4, true}, {4.5, 0.6, true}, {5.4, 1.5, false}, {3.6, 1.5, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t budget = 10000;
        begin(NULL);
        for (uint32_t place = 0; place < 3; place++) {
            (void)rp_scene_set(&scene, rows[i].is_lying ? 3u + place : 4u,
                               rows[i].is_lying ? 1u : place, 0);
        }
        rp_scene_derive(session->world);
        session->position.x_m = rows[i].x_m;
        session->position.y_m = rows[i].y_m;
        session->position.from = rp_grid_cell(session->layer->grid, 4, 1);
        session->position.is_beside = true;
        session->position.followed = session->world->version; // that was asked already
        ck_assert_int_eq(rp_endpoints_prepare(session, &budget), RP_OK);
        ck_assert_uint_eq(rp_session_escape(session)->end_count, 2);
        ck_assert_uint_ne(session->position.at, session->position.from);
        session->position.is_beside = false;
        rp_scene_close(&scene);
    }
    begin(NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        whoever_is_sent_elsewhere_begins_anew,
        whose_goals_lie_outside_looks_for_them_later,
        an_aim_that_is_refused_changes_nothing,
        a_heading_is_a_number_and_its_tolerance_half_a_turn_at_most,
        a_planner_of_one_goal_cell_takes_what_leads_to_one_cell_at_a_time,
        a_rendezvous_is_joined_and_left,
        whoever_turns_away_leaves_the_others_behind_their_target,
        who_stands_on_a_waypoint_goes_on_to_the_next,
        who_is_beside_its_path_leaves_a_wall_on_that_from_its_middle,
    };
    return rp_suite_run("aim", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
