/// Answers that are optimal for a frozen version: what is said of them, and when.
#include <math.h>
#include <string.h>

#include "engine/core.h"
#include "engine/sharing/frozen_search.h"
#include "tests/engine/scene.h"
#include "tests/engine/session/changing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

// ---- the truth

/// The bytes as they were at an older version.
static const uint8_t *at_version(uint64_t version)
{
    static uint8_t old[CELLS];
    memcpy(old, bytes, sizeof old);
    for (uint64_t v = rp_engine_version(scene.engine, scene.world); v > version; v--) {
        old[toggled[v]] ^= 1u;
    }
    return old;
}

// ---- frozen versions

/// What comes out while changes fall between the slices of a search.
typedef struct churned {
    unsigned found;
    unsigned partial;
    unsigned sure; ///< slices after which an answer held for the newest version
} churned_t;

/// Hold an answer against the truth of the version that it names, and against the newest.
static void judge(const rp_answer_t *answer, churned_t *churned)
{
    const uint32_t end = walk(answer);
    const uint32_t truth = flood(at_version(answer->version), 64 * SIDE + 30, 64 * SIDE + 120);
    ck_assert_msg(end != FAR, "an illegal path was said");
    ck_assert_double_eq(answer->bound, truth);
    if (answer->outcome == RP_ANSWER_FOUND) {
        ck_assert_uint_eq(end, 64 * SIDE + 120);
        ck_assert_double_eq(answer->cost, truth);
        churned->found++;
    } else {
        ck_assert_int_eq(answer->outcome, RP_ANSWER_PARTIAL);
        ck_assert_double_eq(answer->cost, answer->step_count);
        churned->partial++;
    }
}

/// A search of some 40 slices, and a change each second slice that it would have to begin anew for.
/// @param rims  changes where the path turns round the cup
static churned_t play_churn(bool rims)
{
    churned_t churned = {0};
    uint64_t expansions = 0;
    begin(6);
    put_cup();
    rp_answer_t answer;
    const rp_session_id_t session = enter(0, "astar");
    const rp_session_t *patient = rp_engine_session(scene.engine, session);
    send(session, 30, 64, 120, 64);
    for (unsigned i = 0; i < 2000; i++) {
        if (i % 2 == 0) {
            toggle((40u + rp_random_below(&rng, 48)) * SIDE + 32u + rp_random_below(&rng, 8));
        }
        if (rims && i % 16 == 1) {
            toggle((rp_random_chance(&rng, 50) ? 19 : 109) * SIDE + 20u +
                   rp_random_below(&rng, 80));
        }
        (void)step();
        while (rp_engine_next_answer(scene.engine, &answer)) {
            judge(&answer, &churned);
            expansions += answer.expansions;
            ck_assert(rp_engine_is_sure(scene.engine, session));
            // The next search may take as long again.
            ck_assert_uint_eq(patient->schedule.frozen_expansions, 0);
        }
        churned.sure += rp_engine_is_sure(scene.engine, session);
    }
    ck_assert_uint_ge(patient->schedule.effort.expanded, expansions);
    ck_assert_uint_eq(rp_engine_effort(scene.engine).expanded, patient->schedule.effort.expanded);
    rp_scene_settle(&scene);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_double_eq(answer.cost, flood(bytes, 64 * SIDE + 30, 64 * SIDE + 120));
    ck_assert_double_eq(answer.bound, answer.cost);
    return churned;
}

START_TEST(a_search_that_changes_cut_off_again_and_again_endpoints_on_a_frozen_expansions_version)
{
    const churned_t churned = play_churn(false);
    ck_assert_uint_ge(churned.found, 1);
    ck_assert_uint_ge(churned.sure, 20);
}
END_TEST

START_TEST(what_a_frozen_expansions_search_found_is_held_against_the_newest_version)
{
    const churned_t churned = play_churn(true);
    ck_assert_uint_ge(churned.found, 1);
    ck_assert_uint_ge(churned.partial, 1);
    ck_assert_uint_ge(churned.sure, 20);
}
END_TEST

/// Their search has not been cut off yet, and may well come to its end by itself.
START_TEST(other_goals_are_searched_without_the_frozen_first)
{
    begin(6);
    put_cup();
    const rp_session_id_t id = enter(0, "astar");
    const rp_session_t *session = rp_engine_session(scene.engine, id);
    send(id, 30, 64, 120, 64);
    for (unsigned i = 0; i < 100 && session->schedule.cut_off < RP_FROZEN_SEARCH_FROM; i++) {
        toggle((40u + rp_random_below(&rng, 48)) * SIDE + 32u + rp_random_below(&rng, 8));
        (void)step();
    }
    ck_assert_uint_ge(session->schedule.cut_off, RP_FROZEN_SEARCH_FROM);
    send(id, 30, 64, 120, 60);
    ck_assert(step());
    ck_assert_uint_lt(session->schedule.cut_off, RP_FROZEN_SEARCH_FROM);
    ck_assert_ptr_ne(session->frozen->user, session);
}
END_TEST

/// A quarter of a million expansions: it is told something, and a search goes far for it.
START_TEST(whoever_waits_long_for_a_frozen_version_is_told_something)
{
    enum {
        PATIENCE = 1 << 18
    };
    rp_answer_t answer;
    begin(6);
    put_cup();
    const rp_session_id_t id = enter(0, "astar");
    rp_session_t *session = rp_engine_session(scene.engine, id);
    send(id, 30, 64, 120, 64);
    for (unsigned i = 0; i < 100 && session->frozen->user != session; i++) {
        toggle((40u + rp_random_below(&rng, 48)) * SIDE + 32u + rp_random_below(&rng, 8));
        (void)step();
    }
    ck_assert_ptr_eq(session->frozen->user, session);
    ck_assert(!rp_engine_next_answer(scene.engine, &answer));
    session->schedule.frozen_expansions = PATIENCE - 2u * STEP_BUDGET;
    ck_assert(step());
    ck_assert(!rp_engine_next_answer(scene.engine, &answer));
    ck_assert_ptr_ne(session->far->user, session);
    session->schedule.frozen_expansions = PATIENCE - 1u;
    ck_assert(step());
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_int_eq(answer.outcome, RP_ANSWER_PARTIAL);
    ck_assert_uint_eq(session->schedule.frozen_expansions, 0);
    ck_assert_ptr_eq(session->far->user, session);
    rp_scene_settle(&scene);
    ck_assert_ptr_null(session->far->user);
    ck_assert_ptr_null(session->frozen->user);
}
END_TEST

/// What was cut off before a search came to its end is not held against the next one.
START_TEST(a_search_that_came_to_its_end_has_not_been_cut_off)
{
    begin(6);
    put_cup();
    const rp_session_id_t id = enter(0, "astar");
    const rp_session_t *session = rp_engine_session(scene.engine, id);
    send(id, 30, 64, 120, 64);
    for (unsigned i = 0; i < 100 && session->schedule.cut_off == 0; i++) {
        toggle((40u + rp_random_below(&rng, 48)) * SIDE + 32u + rp_random_below(&rng, 8));
        (void)step();
    }
    ck_assert_uint_gt(session->schedule.cut_off, 0);
    rp_scene_settle(&scene);
    ck_assert_uint_eq(session->schedule.cut_off, 0);
}
END_TEST

/// A search for where it was ends when it is somewhere else.
START_TEST(who_walks_on_meanwhile_is_told_what_is_left_of_a_frozen_expansions_path)
{
    unsigned found = 0;
    unsigned walked = 0;
    begin(6);
    put_cup();
    for (uint32_t x = 28; x < 60; x++) { // one way out
        bytes[63 * SIDE + x] = bytes[65 * SIDE + x] = 0;
    }
    rp_answer_t answer;
    const rp_session_id_t session = enter(0, "astar");
    send(session, 30, 64, 120, 64);
    for (unsigned i = 0; i < 1500; i++) {
        if (i % 2 == 0) {
            toggle((40u + rp_random_below(&rng, 48)) * SIDE + 18u + rp_random_below(&rng, 8));
        }
        (void)step();
        while (rp_engine_next_answer(scene.engine, &answer)) {
            ck_assert_uint_ne(walk(&answer), FAR);
            found += answer.outcome == RP_ANSWER_FOUND;
        }
        ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
        if (i % 50 == 49 && answer.step_count > 1) {
            const uint32_t x = answer.start_x + (answer.steps[0] == 0) - (answer.steps[0] == 4);
            const uint32_t y = answer.start_y + (answer.steps[0] == 2) - (answer.steps[0] == 6);
            ck_assert_int_eq(rp_scene_pose(&scene, session, x, y), RP_OK);
            walked++;
        }
    }
    ck_assert_uint_ge(found, 1);
    ck_assert_uint_ge(walked, 20);
}
END_TEST

/// Ground so uneven that a search sees nearly all of it, and a cup too deep for a greedy search
/// that must be back at once.
#define WIDE 900u

static void open_wide_scene(void)
{
    static uint8_t ground[WIDE * WIDE];
    const rp_world_options_t world = {
        .width = WIDE, .height = WIDE, .neighbors = 8, .data = ground};
    rng = (rp_random_t){9};
    for (uint32_t i = 0; i < WIDE * WIDE; i++) {
        ground[i] = (uint8_t)(3u + rp_random_below(&rng, 6));
    }
    for (uint32_t i = 0; i < 140; i++) {
        ground[(380u + i) * WIDE + 500u] = 0;
        ground[380u * WIDE + 360u + i] = 0;
        ground[520u * WIDE + 360u + i] = 0;
    }
    rp_scene_open(&scene, &world);
}

/// Of the steps of an answer, on weights as they are.
static double cost_on(const uint8_t *ground, const rp_answer_t *answer)
{
    static const int dx[] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
    uint32_t at = answer->start_y * SIDE + answer->start_x;
    double cost = 0.0;
    for (uint32_t i = 0; i < answer->step_count; i++) {
        const uint32_t next =
            (uint32_t)((int)at + dy[answer->steps[i]] * (int)SIDE + dx[answer->steps[i]]);
        cost += (ground[at] + ground[next]) / 2.0;
        at = next;
    }
    return cost;
}

/// A cell of a passage that the path leads through becomes dearer while its version is searched.
START_TEST(who_walks_on_along_a_path_of_an_older_version_is_told_the_cost_of_one_version)
{
    static uint8_t before[CELLS];
    rp_answer_t answer;
    begin(6);
    put_cup();
    for (uint32_t x = 30; x < 50; x++) {
        bytes[63 * SIDE + x] = bytes[65 * SIDE + x] = 0;
    }
    bytes[63 * SIDE + 29] = bytes[64 * SIDE + 29] = bytes[65 * SIDE + 29] = 0;
    bytes[0] = 2; // its layer has weights from the beginning
    const rp_session_id_t id = enter(0, "astar");
    const rp_session_t *session = rp_engine_session(scene.engine, id);
    send(id, 30, 64, 120, 64);
    bool is_dear = false;
    for (unsigned i = 0; !rp_engine_next_answer(scene.engine, &answer); i++) {
        ck_assert_uint_lt(i, 1000);
        if (!is_dear && session->frozen->user == session) {
            is_dear = true;
            memcpy(before, bytes, sizeof before);
            bytes[64 * SIDE + 45] = 3;
            (void)rp_scene_set(&scene, 45, 64, 3);
        }
        if (i % 2 == 0) {
            toggle((40u + rp_random_below(&rng, 20)) * SIDE + 32u + rp_random_below(&rng, 8));
        }
        (void)step();
    }
    ck_assert(is_dear);
    ck_assert_uint_lt(answer.version, rp_engine_version(scene.engine, scene.world));
    ck_assert_int_eq(rp_scene_pose(&scene, id, 40, 64), RP_OK);
    ck_assert_int_eq(rp_engine_answer(scene.engine, id, &answer), RP_OK);
    ck_assert(rp_engine_is_sure(scene.engine, id));
    ck_assert_uint_eq(answer.start_x, 40);
    const bool is_newest = answer.version == rp_engine_version(scene.engine, scene.world);
    ck_assert_double_eq_tol(answer.cost, cost_on(is_newest ? bytes : before, &answer), 1e-9);
    ck_assert_double_le(answer.bound, answer.cost);
}
END_TEST

START_TEST(a_greedy_goes_far_for_whom_the_frozen_expansions_search_takes_long)
{
    unsigned partial = 0;
    unsigned found = 0;
    rp_answer_t answer;
    uint32_t offender;
    double cost;
    open_wide_scene();
    const rp_session_id_t session = rp_scene_session(&scene, "astar", 450, 450, WIDE - 3u, 450);
    for (unsigned i = 0; found == 0; i++) {
        ck_assert_uint_lt(i, 1000);
        (void)rp_scene_set(&scene, 5, 5, 3u + i % 2u); // into the search, each time
        scene.now_us += STEP_US;
        ck_assert(rp_engine_step(scene.engine, scene.now_us, 8192));
        if (rp_engine_next_answer(scene.engine, &answer)) {
            partial += answer.outcome == RP_ANSWER_PARTIAL;
            found += answer.outcome == RP_ANSWER_FOUND;
            ck_assert(rp_engine_is_sure(scene.engine, session));
            ck_assert_uint_eq(rp_engine_walk(scene.engine, session, answer.start_x, answer.start_y,
                                             answer.steps, answer.step_count, &offender, 1, &cost),
                              0);
        }
    }
    ck_assert_uint_eq(partial, 1); // what could be said at once
    ck_assert_double_lt(fabs(answer.cost - cost), 1e-6);
    const double rough = answer.cost;
    const double bound = answer.bound;
    rp_scene_settle(&scene);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_double_lt(answer.cost, rough); // it was the greedy search's
    ck_assert_double_ge(answer.cost, bound);
}
END_TEST

/// All agents of an engine share it.
START_TEST(a_greedy_is_given_back_by_whom_it_serves_no_longer)
{
    open_wide_scene();
    const rp_session_id_t id = rp_scene_session(&scene, "astar", 450, 450, WIDE - 3u, 450);
    const rp_session_t *session = rp_engine_session(scene.engine, id);
    for (unsigned i = 0; session->far->user != session; i++) {
        ck_assert_uint_lt(i, 1000);
        (void)rp_scene_set(&scene, 5, 5, 3u + i % 2u); // into the search, each time
        scene.now_us += STEP_US;
        ck_assert(rp_engine_step(scene.engine, scene.now_us, 8192));
    }
    ck_assert_int_eq(rp_scene_pose(&scene, id, WIDE + 9u, 450), RP_OK); // outside
    rp_scene_settle(&scene);
    ck_assert_ptr_null(session->far->user);
}
END_TEST

START_TEST(a_frozen_is_given_back_with_its_session_and_with_its_world)
{
    begin(7);
    put_cup();
    const rp_session_id_t session = enter(0, "astar");
    send(session, 30, 64, 120, 64);
    for (unsigned i = 0; i < 20; i++) {
        toggle(60 * SIDE + 32 + i % 8);
        ck_assert(step());
    }
    const rp_window_t window = {.x = 1, .y = 1, .width = SIDE, .height = SIDE};
    uint64_t version;
    ck_assert_int_eq(
        rp_engine_resize(scene.engine, scene.world, &window, (rp_cause_t){0, 0}, &version), RP_OK);
    for (unsigned i = 0; i < 20; i++) {
        (void)rp_scene_set(&scene, 32 + i % 8, 60, i % 2);
        ck_assert(step());
    }
    ck_assert_int_eq(rp_engine_close(scene.engine, session), RP_OK);
    ck_assert(!step());
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_search_that_changes_cut_off_again_and_again_endpoints_on_a_frozen_expansions_version,
        what_a_frozen_expansions_search_found_is_held_against_the_newest_version,
        other_goals_are_searched_without_the_frozen_first,
        whoever_waits_long_for_a_frozen_version_is_told_something,
        a_search_that_came_to_its_end_has_not_been_cut_off,
        who_walks_on_meanwhile_is_told_what_is_left_of_a_frozen_expansions_path,
        who_walks_on_along_a_path_of_an_older_version_is_told_the_cost_of_one_version,
        a_greedy_goes_far_for_whom_the_frozen_expansions_search_takes_long,
        a_greedy_is_given_back_by_whom_it_serves_no_longer,
        a_frozen_is_given_back_with_its_session_and_with_its_world,
    };
    return rp_suite_run("frozen_version", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
