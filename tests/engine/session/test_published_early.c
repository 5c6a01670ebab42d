/// What is published before the optimum is known, piece by piece: what it costs to find it, and
/// what is promised of it.
#include <string.h>

#include "engine/core.h"
#include "engine/session/decision.h"
#include "engine/session/endpoints.h"
#include "engine/session/provisional.h"
#include "tests/engine/scene.h"
#include "tests/support/suite.h"

/// As provisional.c has it.
#define LEAST_COST 64u

#define SIDE 128u

static rp_scene_t scene;
static uint8_t bytes[SIDE * SIDE];
static rp_session_t *session;

static void tear_down(void)
{
    rp_scene_close(&scene);
}

static void toggle(uint32_t place)
{
    bytes[place] ^= 1u;
    (void)rp_scene_set(&scene, place % SIDE, place / SIDE, bytes[place]);
}

/// A session on open ground at (30, 64) that has told nothing yet, bound for (120, 64).
static void set_out(const char *planner)
{
    memset(bytes, 1, sizeof bytes);
    const rp_world_options_t options = {
        .width = SIDE, .height = SIDE, .neighbors = 4, .data = bytes};
    rp_scene_open(&scene, &options);
    session = rp_engine_session(scene.engine, rp_scene_session(&scene, planner, 30, 64, 120, 64));
    rp_scene_derive(session->world);
}

static rp_cell_t cell(uint32_t x, uint32_t y)
{
    return rp_grid_cell(session->layer->grid, x, y);
}

// ---- at once

START_TEST(what_is_improvised_is_paid_for)
{
    uint64_t budget = 10000;
    bool is_new;
    set_out(NULL);
    ck_assert_int_eq(rp_session_hasten(session, 7, &budget, &is_new), RP_OK);
    ck_assert(is_new);
    ck_assert_uint_ge(session->greedy->expanded, 90);
    ck_assert_uint_eq(budget, 10000u - LEAST_COST - session->greedy->expanded);
    ck_assert_int_eq(session->published.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_eq(session->published.expansions, session->greedy->expanded);
    ck_assert_uint_eq(session->published.at_us, 7);
    ck_assert_double_eq(session->published.cost, 90.0);
    ck_assert_double_eq(session->published.excess, 0.0);
    ck_assert(session->published.is_provisional);
    ck_assert_uint_eq(session->published.stands_for, session->world->version);
    ck_assert_uint_eq(session->validity.version, session->world->version);
    ck_assert_uint_eq(session->validity.due, 0);
    budget = 10000;
    ck_assert_int_eq(rp_session_hasten(session, 8, &budget, &is_new), RP_OK);
    ck_assert(!is_new); // it stands
    ck_assert_uint_eq(budget, 10000u - LEAST_COST - 90u / RP_SESSION_MEASURED_EACH);
    ck_assert_uint_eq(session->published.path_seq, 1);
}
END_TEST

/// Where several ways out of an obstacle are as short, the best path is not known by its bound.
START_TEST(a_bound_is_promised_where_one_way_leads_out_and_none_where_several_do)
{
    for (unsigned ways = 1; ways <= 4; ways += 3) {
        uint64_t budget = 10000;
        bool is_new;
        set_out(NULL);
        for (uint32_t place = 0; place < 6; place++) { // the agent's cell, and those behind it
            const bool is_its_own = place == 3;
            if (is_its_own || ways == 1) {
                toggle((63u + place / 2u) * SIDE + 29u + place % 2u);
            }
        }
        rp_scene_derive(session->world);
        ck_assert_int_eq(rp_session_hasten(session, 7, &budget, &is_new), RP_OK);
        ck_assert(is_new);
        ck_assert_uint_eq(rp_session_escape(session)->end_count, ways);
        ck_assert_int_eq(session->published.outcome, RP_ANSWER_FOUND);
        ck_assert_double_eq(session->published.excess, ways == 1 ? 0.0 : session->published.cost);
        rp_scene_close(&scene);
    }
    set_out(NULL);
}
END_TEST

START_TEST(who_cannot_be_told_anything_is_looked_at_and_no_more)
{
    for (unsigned i = 0; i < 4; i++) {
        uint64_t budget = 10000;
        bool is_new = true;
        set_out(NULL);
        if (i == 0) { // there is no curve before the search is done
            session->driver = (rp_driver_t *)&budget;
        } else if (i == 1) { // which goals stand for it is itself a search
            session->goal.is_short = true;
        } else if (i == 2) {
            for (uint32_t place = 0; place < 25; place++) { // deep in an obstacle
                toggle((62u + place / 5u) * SIDE + 28u + place % 5u);
            }
            rp_scene_derive(session->world);
        } else {
            ck_assert_int_eq(rp_scene_pose(&scene, session->id, SIDE + 4u, 64), RP_OK);
        }
        ck_assert_int_eq(rp_session_hasten(session, 7, &budget, &is_new), RP_OK);
        ck_assert_msg(!is_new, "%u", i);
        ck_assert_uint_eq(session->published.path_seq, 0);
        ck_assert_msg(i == 2 || budget == 10000u - (i == 0 ? 1u : LEAST_COST), "%u", i);
        session->driver = NULL;
        rp_scene_close(&scene);
    }
    set_out(NULL);
}
END_TEST

/// Only what is left of a path to the same goals, from where the agent is.
START_TEST(the_legal_beginning_of_the_old_path_is_kept_where_the_new_one_leads_nowhere)
{
    for (unsigned i = 0; i < 2; i++) {
        uint64_t budget = 10000;
        bool is_new;
        set_out("astar");
        rp_scene_settle(&scene);
        ck_assert_uint_eq(session->published.path.count, 90);
        for (uint32_t y = 0; y < SIDE; y++) { // no way leads on
            toggle(y * SIDE + 100);
        }
        rp_scene_derive(session->world);
        session->validity.is_intact = false;
        session->validity.due = i == 0 ? 0 : RP_DUE_GOALS;
        ck_assert_int_eq(rp_session_hasten(session, 7, &budget, &is_new), RP_OK);
        ck_assert(is_new);
        ck_assert_int_eq(session->published.outcome, RP_ANSWER_PARTIAL);
        const uint32_t left = session->published.path.count - session->published.path.first;
        ck_assert(i == 1 || left == 69);
        ck_assert_double_eq(session->published.cost, left);
        ck_assert_double_eq(session->published.cost - session->published.excess, 90.0);
        ck_assert_int_eq(session->published.reason, i == 0 ? RP_REASON_INVALID : RP_REASON_GOAL);
        rp_scene_close(&scene);
    }
    set_out(NULL);
}
END_TEST

/// Its ends lie inside, and its middle, round a wall, does not.
START_TEST(in_another_window_a_path_is_read_before_it_is_held_to_stand)
{
    const rp_window_t window = {.y = 50, .width = SIDE, .height = SIDE - 50, .fill = 1};
    uint64_t version;
    uint64_t budget = 10000;
    bool is_new;
    set_out("astar");
    for (uint32_t y = 40; y < SIDE; y++) {
        toggle(y * SIDE + 75);
    }
    rp_scene_settle(&scene);
    ck_assert_double_eq(session->published.cost, 90.0 + 2.0 * 25.0);
    ck_assert_int_eq(
        rp_engine_resize(scene.engine, scene.world, &window, (rp_cause_t){0, 0}, &version), RP_OK);
    ck_assert(session->validity.is_strayed);
    rp_scene_derive(session->world);
    ck_assert_int_eq(rp_session_hasten(session, 7, &budget, &is_new), RP_OK);
    ck_assert(!session->validity.is_strayed);
    ck_assert(is_new);
    ck_assert_int_eq(session->published.outcome, RP_ANSWER_PARTIAL);
    ck_assert_double_eq(session->published.cost, 74.0 - 30.0); // up to the wall
}
END_TEST

// ---- for an older version

/// As if a frozen search had found the straight way, on the ground of now.
static bool publish_straight(double cost, uint64_t version)
{
    static rp_cell_t cells[91];
    bool is_new;
    rp_plan_t plan = {.outcome = RP_OUTCOME_FOUND, .cost = cost, .stats = {.expanded = 21}};
    for (uint32_t i = 0; i < 91; i++) {
        cells[i] = cell(30u + i, 64);
    }
    plan.path = (rp_path_t){cells, 91};
    rp_grid_t *own = session->frozen->snapshot.grid;
    session->frozen->snapshot.grid = session->layer->grid;
    ck_assert_int_eq(rp_session_publish_frozen(session, &plan, version, 7, &is_new), RP_OK);
    session->frozen->snapshot.grid = own;
    return is_new;
}

/// The agent went on meanwhile, and an obstacle may have come on what is left.
START_TEST(of_a_path_of_an_older_version_that_is_said_which_lies_ahead_and_is_legal)
{
    static const struct {
        uint32_t x;     // of the agent
        uint32_t wall;  // 0: there is none
        uint32_t steps; // 0: nothing is said
    } rows[] = {
        {30, 0, 90}, {31, 0, 89}, {35, 0, 85}, {120, 0, 0}, {29, 0, 0}, {35, 100, 64}, {35, 36, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_out("astar");
        toggle(10); // another version
        if (rows[i].wall != 0) {
            toggle(64 * SIDE + rows[i].wall);
        }
        ck_assert_int_eq(rp_scene_pose(&scene, session->id, rows[i].x, 64), RP_OK);
        rp_scene_derive(session->world);
        uint64_t budget = 10000;
        ck_assert_int_eq(rp_endpoints_prepare(session, &budget), RP_OK);
        const bool is_new = publish_straight(90.0, 1);
        if (rows[i].x == 29) {
            ck_assert(!is_new);
        } else if (rows[i].steps != 0) {
            ck_assert_msg(is_new, "%zu", i);
            ck_assert_int_eq(session->published.outcome,
                             rows[i].wall == 0 ? RP_ANSWER_FOUND : RP_ANSWER_PARTIAL);
            ck_assert_uint_eq(session->published.path.count - session->published.path.first,
                              rows[i].steps);
            ck_assert_double_eq(session->published.cost, rows[i].steps);
            ck_assert_double_eq(session->published.cost - session->published.excess,
                                120.0 - rows[i].x); // the best then
            ck_assert_uint_eq(session->validity.version, 1);
            ck_assert_uint_eq(session->published.stands_for, session->world->version);
            ck_assert_uint_eq(session->published.expansions, 21);
        }
        rp_scene_close(&scene);
    }
    set_out(NULL);
}
END_TEST

/// A path that stands is kept unless the policy switches, or the other one is cut.
START_TEST(a_path_that_stands_gives_way_to_one_of_an_older_version_as_the_policy_says)
{
    static const struct {
        uint32_t percent;
        double kept; // of the path at hand
        bool is_new;
    } rows[] = {{0, 90.0, false}, {0, 92.0, true}, {5, 92.0, false}, {5, 100.0, true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t budget = 10000;
        set_out("astar");
        const uint32_t aside = (uint32_t)(rows[i].kept - 90.0) / 2u; // rows off the straight one
        for (uint32_t y = 64; y < 64u + aside; y++) {
            toggle(y * SIDE + 75);
        }
        for (uint32_t y = 64; y > 64u - aside; y--) {
            toggle((y - 1u) * SIDE + 75);
        }
        rp_scene_settle(&scene);
        ck_assert_double_eq(session->published.cost, rows[i].kept);
        for (uint32_t y = 64u - aside; y < 64u + aside; y++) {
            toggle(y * SIDE + 75); // and it is free again
        }
        rp_scene_derive(session->world);
        session->policy.switch_gain_percent = rows[i].percent;
        session->validity.is_intact = false;
        ck_assert_int_eq(rp_endpoints_prepare(session, &budget), RP_OK);
        ck_assert_msg(publish_straight(90.0, 1) == rows[i].is_new, "%zu", i);
        ck_assert_double_eq(session->published.cost, rows[i].is_new ? 90.0 : rows[i].kept);
        ck_assert(session->published.is_provisional);
        rp_scene_close(&scene);
    }
    set_out(NULL);
}
END_TEST

START_TEST(that_an_older_version_had_no_path_is_told_to_nobody)
{
    bool is_new = true;
    const rp_plan_t plan = {.outcome = RP_OUTCOME_NO_PATH};
    set_out("astar");
    ck_assert_int_eq(rp_session_publish_frozen(session, &plan, 1, 7, &is_new), RP_OK);
    ck_assert(!is_new);
    ck_assert_uint_eq(session->published.path_seq, 0);
}
END_TEST

// ---- as the agent goes on

START_TEST(as_far_as_it_went_its_excess_stays_and_is_no_more_than_the_cost)
{
    static const struct {
        bool is_older;     // the answer is of an older version
        bool is_of_newest; // and was held against the newest
        double excess;
        double shortened;
    } rows[] = {
        {false, false, 3.0, 3.0}, {false, true, 3.0, 3.0},    {true, false, 3.0, 3.0},
        {true, true, 3.0, 80.0},  {false, false, 85.0, 80.0}, {false, false, 80.0, 80.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_out("astar");
        rp_scene_settle(&scene);
        toggle(10);
        toggle(11);
        rp_scene_derive(session->world);
        const uint64_t newest = session->world->version;
        session->published.path.first = 10;
        session->published.path.at = cell(40, 64);
        session->position.at = session->position.from = cell(40, 64);
        session->validity.version = newest - (rows[i].is_older ? 1u : 0u);
        session->published.stands_for = newest - (rows[i].is_of_newest ? 0u : 1u);
        session->published.excess = rows[i].excess;
        rp_session_shorten_provisional(session);
        ck_assert_double_eq(session->published.cost, 80.0);
        ck_assert_msg(session->published.excess == rows[i].shortened, "%zu: %g", i,
                      session->published.excess);
        ck_assert_uint_eq(session->validity.version,
                          newest - (rows[i].is_older && !rows[i].is_of_newest ? 1u : 0u));
        rp_scene_close(&scene);
    }
    set_out(NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_improvised_is_paid_for,
        a_bound_is_promised_where_one_way_leads_out_and_none_where_several_do,
        who_cannot_be_told_anything_is_looked_at_and_no_more,
        the_legal_beginning_of_the_old_path_is_kept_where_the_new_one_leads_nowhere,
        in_another_window_a_path_is_read_before_it_is_held_to_stand,
        of_a_path_of_an_older_version_that_is_said_which_lies_ahead_and_is_legal,
        a_path_that_stands_gives_way_to_one_of_an_older_version_as_the_policy_says,
        that_an_older_version_had_no_path_is_told_to_nobody,
        as_far_as_it_went_its_excess_stays_and_is_no_more_than_the_cost,
    };
    return rp_suite_run("published_early", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
