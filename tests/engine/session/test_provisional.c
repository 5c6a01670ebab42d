/// What is said before the optimum is known: in time, legal, no better than it claims, and the
/// optimum follows. Truth comes from a flood of the test's own, on 4 neighbours.

#include "engine/core.h"
#include "engine/session/provisional.h"
#include "tests/engine/scene.h"
#include "tests/engine/session/changing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

// ---- deadlines

START_TEST(a_deadline_brings_a_legal_beginning_and_the_optimum_follows)
{
    begin(1);
    put_cup();
    rp_answer_t answer;
    const rp_session_id_t session = enter(5, "astar");
    send(session, 30, 64, 120, 64);
    unsigned steps = 0;
    while (!rp_engine_next_answer(scene.engine, &answer)) {
        ck_assert(step());
        steps++;
    }
    const uint32_t truth = flood(bytes, 64 * SIDE + 30, 64 * SIDE + 120);
    ck_assert_uint_ge(steps, 5);
    ck_assert_uint_le(steps, 7);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_PARTIAL);
    ck_assert_int_eq(answer.reason, RP_REASON_FIRST);
    ck_assert_uint_gt(answer.step_count, 20);
    ck_assert_uint_ne(walk(&answer), FAR);
    ck_assert_double_eq(answer.cost, answer.step_count);
    ck_assert_double_le(answer.bound, truth);
    ck_assert(rp_engine_is_sure(scene.engine, session));
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world), 1);
    rp_scene_settle(&scene);
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_int_eq(answer.reason, RP_REASON_FIRST);
    ck_assert_double_eq(answer.cost, truth);
    ck_assert_double_eq(answer.bound, truth);
}
END_TEST

START_TEST(on_open_ground_the_answer_in_time_leads_to_the_goal)
{
    begin(2);
    for (unsigned i = 0; i < CELLS / 20u; i++) {
        bytes[rp_random_below(&rng, CELLS)] = 0;
    }
    bytes[0] = bytes[CELLS - 1u] = 1;
    rp_answer_t answer;
    const rp_session_id_t session = enter(5, "astar");
    send(session, 0, 0, SIDE - 1u, SIDE - 1u);
    while (!rp_engine_next_answer(scene.engine, &answer)) {
        ck_assert(step());
    }
    const uint32_t truth = flood(bytes, 0, CELLS - 1u);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_eq(walk(&answer), CELLS - 1u);
    ck_assert_double_eq(answer.cost, answer.step_count);
    ck_assert_double_ge(answer.cost, truth);
    ck_assert_double_le(answer.bound, truth);
    rp_scene_settle(&scene);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_double_eq(answer.cost, truth);
    ck_assert_double_eq(answer.bound, truth);
}
END_TEST

START_TEST(a_path_that_still_leads_there_is_kept_at_the_deadline_and_told_with_its_bound)
{
    begin(3);
    put_cup();
    rp_answer_t answer;
    const rp_session_id_t session = enter(5, "astar");
    send(session, 30, 64, 120, 64);
    rp_scene_settle(&scene);
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    const uint64_t path_seq = answer.path_seq;
    toggle(64 * SIDE + 100); // a gap in the cup: cheaper
    for (unsigned i = 0; i < 6; i++) {
        scene.now_us += STEP_US;
        ck_assert(rp_engine_step(scene.engine, scene.now_us, 1));
    }
    ck_assert(!rp_engine_next_answer(scene.engine, &answer));
    ck_assert(rp_engine_is_sure(scene.engine, session));
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_uint_eq(answer.path_seq, path_seq);
    ck_assert_uint_eq(answer.version, 2);
    ck_assert_double_le(answer.bound, 90.0);
    ck_assert_double_gt(answer.cost, 90.0);
    rp_scene_settle(&scene);
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_int_eq(answer.reason, RP_REASON_CHEAPER);
    ck_assert_double_eq(answer.cost, 90.0);
}
END_TEST

/// A policy that lets a path stand for a minute is about paths that were the best. In another
/// window the path still leads there.
START_TEST(what_was_said_in_time_gives_way_to_the_best_though_the_window_moved)
{
    begin(2);
    for (unsigned i = 0; i < CELLS / 20u; i++) {
        bytes[rp_random_below(&rng, CELLS)] = 0;
    }
    bytes[0] = bytes[CELLS - 1u] = 1;
    const uint32_t truth = flood(bytes, 0, CELLS - 1u);
    const rp_world_options_t world = {.width = SIDE, .height = SIDE, .neighbors = 4, .data = bytes};
    const rp_session_options_t options = {
        .planner = "astar", .policy = {.answer_within_ms = 5, .min_interval_ms = 60000}};
    const rp_window_t window = {.y = -1, .width = SIDE, .height = SIDE + 1u, .fill = 0};
    rp_session_id_t session;
    rp_answer_t answer;
    uint64_t version;
    rp_scene_open(&scene, &world);
    scene.now_us = 1000000000u; // the engine is at work for longer than that
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    send(session, 0, 0, SIDE - 1u, SIDE - 1u);
    while (!rp_engine_next_answer(scene.engine, &answer)) {
        ck_assert(step());
    }
    ck_assert_double_gt(answer.cost, truth);
    ck_assert_int_eq(
        rp_engine_resize(scene.engine, scene.world, &window, (rp_cause_t){0, 0}, &version), RP_OK);
    rp_scene_settle(&scene);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_double_eq(answer.cost, truth);
}
END_TEST

/// Of a path that is the best although nobody knows it yet, in steps of 1 and of the root of 2. The
/// agent goes on to most of its cells in one go.
START_TEST(along_a_path_that_was_said_at_once_the_bound_never_exceeds_the_cost)
{
    static const int dx[] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
    const rp_world_options_t world = {.width = 40, .height = 40, .neighbors = 8};
    rp_scene_open(&scene, &world);
    for (uint32_t goal = 0; goal < 40 * 39; goal += 7) {
        rp_answer_t answer;
        const rp_session_id_t session =
            rp_scene_session(&scene, "astar", 0, 0, 1 + goal % 39, goal / 39);
        rp_scene_derive(rp_engine_world(scene.engine, scene.world));
        ck_assert_int_eq(rp_engine_hasten(scene.engine, session), RP_OK);
        ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
        ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
        uint32_t x = 0;
        uint32_t y = 0;
        for (uint32_t i = 0; i < answer.step_count * 3u / 4u; i++) {
            x += (uint32_t)dx[answer.steps[i]];
            y += (uint32_t)dy[answer.steps[i]];
        }
        ck_assert_int_eq(rp_scene_pose(&scene, session, x, y), RP_OK);
        ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
        ck_assert_msg(answer.bound <= answer.cost, "%.17g, %.17g", answer.bound, answer.cost);
        ck_assert_int_eq(rp_engine_close(scene.engine, session), RP_OK);
    }
}
END_TEST

START_TEST(who_leaves_what_it_was_told_in_time_is_not_sure_of_it)
{
    begin(1);
    put_cup();
    rp_answer_t answer;
    const rp_session_id_t session = enter(5, "astar");
    send(session, 30, 64, 120, 64);
    while (!rp_engine_next_answer(scene.engine, &answer)) {
        ck_assert(step());
    }
    ck_assert_int_eq(answer.outcome, RP_ANSWER_PARTIAL);
    ck_assert(rp_engine_is_sure(scene.engine, session));
    ck_assert_int_eq(rp_scene_pose(&scene, session, 5, 5), RP_OK);
    ck_assert(!rp_engine_is_sure(scene.engine, session));
}
END_TEST

START_TEST(whoever_is_hastened_says_what_is_left_of_its_broken_path)
{
    begin(4);
    put_cup();
    rp_answer_t answer;
    const rp_session_id_t session = enter(0, "astar");
    send(session, 30, 64, 120, 64);
    rp_scene_settle(&scene);
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    const uint32_t count = answer.step_count;
    toggle(64 * SIDE + 120 - 1); // right before the goal, where every cheapest path may come from
    toggle(65 * SIDE + 120);
    toggle(63 * SIDE + 120);
    ck_assert(step());
    ck_assert(!rp_engine_is_sure(scene.engine, session));
    ck_assert_int_eq(rp_engine_hasten(scene.engine, session), RP_OK);
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_int_eq(answer.outcome, RP_ANSWER_PARTIAL);
    ck_assert_int_eq(answer.reason, RP_REASON_INVALID);
    ck_assert_uint_ge(answer.step_count, count - 2u);
    ck_assert_uint_lt(answer.step_count, count);
    ck_assert_uint_ne(walk(&answer), FAR);
    // It is walked along meanwhile, and silence means that it still holds.
    ck_assert_int_eq(rp_scene_pose(&scene, session, answer.start_x, answer.start_y), RP_OK);
    ck_assert_int_eq(rp_engine_hasten(scene.engine, 99), RP_E_UNKNOWN);
    rp_scene_settle(&scene);
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_double_eq(answer.cost, flood(bytes, 64 * SIDE + 30, 64 * SIDE + 120));
}
END_TEST

START_TEST(what_is_left_of_a_part_is_published_as_far_as_it_goes)
{
    begin(4);
    put_cup();
    rp_answer_t answer;
    const rp_session_id_t session = enter(0, "astar");
    send(session, 30, 64, 120, 64);
    ck_assert(rp_engine_step(scene.engine, scene.now_us, 1));
    ck_assert_int_eq(rp_engine_hasten(scene.engine, session), RP_OK);
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_int_eq(answer.outcome, RP_ANSWER_PARTIAL);
    const uint32_t end = walk(&answer);
    const uint32_t count = answer.step_count;
    ck_assert_uint_gt(count, 12);
    for (uint32_t i = 1; i <= 10; i++) {
        ck_assert_int_eq(rp_scene_pose(&scene, session, 30 + i, 64), RP_OK);
    }
    toggle(5 * SIDE + 5); // far off, so that it must think again
    ck_assert(rp_engine_step(scene.engine, scene.now_us, 1));
    ck_assert_int_eq(rp_engine_hasten(scene.engine, session), RP_OK);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_PARTIAL);
    ck_assert_uint_eq(answer.start_x, 40);
    ck_assert_uint_eq(answer.step_count, count - 10u);
    ck_assert_uint_eq(walk(&answer), end);
}
END_TEST

/// It follows its path from beside, which what is new does not begin on.
START_TEST(whoever_is_beside_its_broken_path_is_told_that_it_broke)
{
    begin(4);
    const rp_world_options_t world = {.width = SIDE, .height = SIDE, .neighbors = 4, .data = bytes};
    const rp_session_options_t options = {.planner = "astar", .follow_radius_m = 2.0};
    rp_session_id_t session;
    rp_answer_t answer;
    rp_scene_open(&scene, &world);
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    send(session, 30, 64, 120, 64);
    rp_scene_settle(&scene);
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_int_eq(rp_scene_pose(&scene, session, 32, 65), RP_OK);
    toggle(64 * SIDE + 60);
    ck_assert(rp_engine_step(scene.engine, scene.now_us, 1));
    rp_engine_session(scene.engine, session)->position.is_escaping = true; // from where it was
    ck_assert_int_eq(rp_engine_hasten(scene.engine, session), RP_OK);
    ck_assert(!rp_engine_session(scene.engine, session)->position.is_escaping);
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_int_eq(answer.reason, RP_REASON_INVALID);
    ck_assert_uint_eq(answer.start_x, 32);
    ck_assert_uint_eq(answer.start_y, 65);
    ck_assert_uint_ne(walk(&answer), FAR);
    ck_assert(!rp_engine_session(scene.engine, session)->position.is_beside);
}
END_TEST

START_TEST(what_is_published_in_time_names_what_it_answers)
{
    begin(4);
    put_cup();
    rp_answer_t answer;
    rp_session_id_t prey;
    const rp_session_id_t hunter = enter(0, "astar");
    const rp_session_options_t plain = {.planner = "astar"};
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &plain, &prey), RP_OK);
    ck_assert_int_eq(rp_engine_pose(scene.engine, prey, 120.5, 64.5, 17, (rp_cause_t){0}), RP_OK);
    ck_assert_int_eq(rp_engine_pose(scene.engine, hunter, 30.5, 64.5, 23, (rp_cause_t){0}), RP_OK);
    const rp_aim_t aim = {.kind = RP_AIM_TARGET, .target = prey, .goal_id = 5};
    ck_assert_int_eq(rp_engine_aim(scene.engine, hunter, &aim, (rp_cause_t){0}), RP_OK);
    ck_assert(rp_engine_step(scene.engine, scene.now_us, 1));
    ck_assert_int_eq(rp_engine_hasten(scene.engine, hunter), RP_OK);
    ck_assert_int_eq(rp_engine_answer(scene.engine, hunter, &answer), RP_OK);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_PARTIAL);
    ck_assert_uint_eq(answer.target_pose_seq, 17);
    ck_assert_uint_eq(answer.pose_seq, 23);
    ck_assert_uint_eq(answer.goal_id, 5);
}
END_TEST

START_TEST(what_was_published_in_time_is_not_the_answer_for_other_goals)
{
    begin(4);
    rp_answer_t answer;
    const rp_session_id_t session = enter(0, "astar");
    send(session, 30, 64, 120, 64);
    ck_assert(step());
    ck_assert_int_eq(rp_engine_hasten(scene.engine, session), RP_OK);
    ck_assert(rp_engine_is_sure(scene.engine, session));
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_uint_eq(answer.target_pose_seq, 0); // it has no target
    ck_assert_int_eq(rp_scene_goal(&scene, session, 30, 120), RP_OK);
    ck_assert(!rp_engine_is_sure(scene.engine, session));
    rp_scene_settle(&scene);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_double_eq(answer.cost, 56.0);
}
END_TEST

START_TEST(what_was_published_in_time_is_not_the_answer_beyond_its_waypoint)
{
    begin(4);
    put_cup();
    const rp_destination_t route[] = {{.x_m = 40.5, .y_m = 64.5}, {.x_m = 120.5, .y_m = 64.5}};
    const rp_aim_t aim = {.kind = RP_AIM_WAYPOINTS, .points = route, .count = 2, .goal_id = 1};
    const rp_session_id_t session = enter(0, "astar");
    ck_assert_int_eq(rp_scene_pose(&scene, session, 30, 64), RP_OK);
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, &aim, (rp_cause_t){0, 0}), RP_OK);
    ck_assert(rp_engine_step(scene.engine, scene.now_us, 1)); // no time for the search
    ck_assert_int_eq(rp_engine_hasten(scene.engine, session), RP_OK);
    ck_assert(rp_engine_is_sure(scene.engine, session));
    ck_assert_int_eq(rp_scene_pose(&scene, session, 40, 64), RP_OK);
    ck_assert(step()); // it looks at where to go from here, and the search takes long
    ck_assert(!rp_engine_is_sure(scene.engine, session));
    rp_scene_settle(&scene);
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_uint_eq(walk(&answer), 64 * SIDE + 120);
}
END_TEST

/// It is kept, and what breaks it later is noticed.
START_TEST(what_was_published_in_time_and_is_the_best_is_watched_like_any_path)
{
    begin(4);
    rp_answer_t answer;
    const rp_session_id_t session = enter(0, "astar");
    send(session, 30, 64, 120, 64);
    ck_assert(rp_engine_step(scene.engine, scene.now_us, 1));
    ck_assert_int_eq(rp_engine_hasten(scene.engine, session), RP_OK);
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    rp_scene_expect_silence(&scene); // no other path is cheaper
    toggle(64 * SIDE + 120 - 1);
    toggle(65 * SIDE + 120);
    toggle(63 * SIDE + 120); // three of the four cells before the goal
    rp_scene_settle(&scene);
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_int_eq(answer.reason, RP_REASON_INVALID);
    ck_assert_uint_ne(walk(&answer), FAR);
}
END_TEST

/// A step must end, however many are in a hurry: each of them is paid for.
START_TEST(whoever_is_hastened_is_paid_for)
{
    rp_scene_draw(&scene, ".....\n.....\n.....");
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 4, 2);
    rp_scene_settle(&scene);
    rp_session_t *session = rp_engine_session(scene.engine, id);
    uint64_t budget = 1000;
    bool is_new;
    ck_assert_int_eq(rp_session_hasten(session, 0, &budget, &is_new), RP_OK);
    ck_assert_uint_lt(budget, 1000);
    ck_assert(!is_new); // what was said still stands
    uint64_t little = 1;
    ck_assert_int_eq(rp_session_hasten(session, 0, &little, &is_new), RP_OK);
    ck_assert_uint_eq(little, 0);
}
END_TEST

/// Only for a session that has but a part of a path, and for one at a time; the other half of the
/// budget is for the search beside it.
START_TEST(a_greedy_search_that_goes_far_takes_half_of_the_budget)
{
    static const struct {
        bool is_provisional;
        rp_answer_outcome_t outcome;
        bool is_busy; // for another session
        bool goes;
    } rows[] = {
        {false, RP_ANSWER_PARTIAL, false, false},
        {true, RP_ANSWER_FOUND, false, false},
        {true, RP_ANSWER_PARTIAL, true, false},
        {true, RP_ANSWER_PARTIAL, false, true},
    };
    begin(4);
    const rp_session_id_t id = enter(0, "astar");
    rp_session_t *session = rp_engine_session(scene.engine, id);
    send(id, 30, 64, 120, 64);
    rp_scene_settle(&scene);
    uint64_t budget = 20;
    bool is_new;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        session->published.is_provisional = rows[i].is_provisional;
        session->published.outcome = rows[i].outcome;
        session->far->user = rows[i].is_busy ? &scene : NULL;
        ck_assert_int_eq(rp_session_start_greedy_search(session), RP_OK);
        ck_assert_int_eq(session->far->user == session, rows[i].goes);
        if (!rows[i].goes) {
            ck_assert_int_eq(rp_session_await_greedy_search(session, 0, &budget, &is_new), RP_OK);
            ck_assert_uint_eq(budget, 20);
        }
    }
    for (budget = 21; budget > 1; budget -= budget / 3u) {
        const uint64_t before = budget;
        ck_assert_int_eq(rp_session_await_greedy_search(session, 0, &budget, &is_new), RP_OK);
        ck_assert_uint_eq(budget, before - before / 2u);
        ck_assert(!is_new);
        ck_assert_ptr_eq(session->far->user, session);
    }
    rp_session_stop_greedy_search(session);
    ck_assert_ptr_null(session->far->user);
}
END_TEST

START_TEST(who_cannot_start_at_once_is_tried_once_a_step)
{
    begin(4);
    rp_scene_open(&scene, &(rp_world_options_t){
                              .width = SIDE, .height = SIDE, .neighbors = 4, .data = bytes});
    scene.policy = (rp_policy_t){.starts_at_once = true};
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 30, 64, 120, 64);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 30, SIDE + 9u), RP_OK); // outside
    ck_assert(!rp_engine_step(scene.engine, 7, UINT64_MAX));
    rp_answer_t answer;
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_int_eq(answer.outcome, RP_ANSWER_OUTSIDE);
}
END_TEST

START_TEST(before_it_is_known_what_can_be_reached_no_bound_is_promised)
{
    begin(4);
    for (uint32_t i = 0; i < 25; i++) {
        bytes[(62 + i / 5) * SIDE + 118 + i % 5] = i == 12;
    }
    rp_answer_t answer;
    const rp_destination_t goal = {120.5, 64.5, 0};
    const rp_session_id_t session = enter(0, "astar");
    ck_assert_int_eq(rp_scene_pose(&scene, session, 30, 64), RP_OK);
    ck_assert_int_eq(rp_engine_aim(scene.engine, session,
                                   &(rp_aim_t){.points = &goal, .count = 1, .is_nearest = true},
                                   (rp_cause_t){0}),
                     RP_OK);
    ck_assert(step());
    ck_assert_int_eq(rp_engine_hasten(scene.engine, session), RP_OK);
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_int_eq(answer.outcome, RP_ANSWER_PARTIAL);
    const double bound = answer.bound;
    rp_scene_settle(&scene);
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_double_eq(answer.goal_distance_m, 3.0);
    ck_assert_double_eq(answer.cost, 87.0);
    ck_assert_double_le(bound, answer.cost);
}
END_TEST

START_TEST(who_needs_little_does_not_wait_for_the_largest_search)
{
    begin(5);
    put_cup();
    rp_answer_t answer;
    const rp_session_id_t long_one = enter(0, "astar");
    const rp_session_options_t options = {.planner = "astar"};
    rp_session_id_t short_one;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &short_one), RP_OK);
    send(long_one, 30, 64, 120, 64);
    ck_assert(step());
    send(short_one, 3, 3, 5, 3);
    ck_assert(step());
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_uint_eq(answer.session, short_one);
    ck_assert(!rp_engine_is_sure(scene.engine, long_one));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_deadline_brings_a_legal_beginning_and_the_optimum_follows,
        on_open_ground_the_answer_in_time_leads_to_the_goal,
        a_path_that_still_leads_there_is_kept_at_the_deadline_and_told_with_its_bound,
        what_was_said_in_time_gives_way_to_the_best_though_the_window_moved,
        along_a_path_that_was_said_at_once_the_bound_never_exceeds_the_cost,
        who_leaves_what_it_was_told_in_time_is_not_sure_of_it,
        whoever_is_hastened_says_what_is_left_of_its_broken_path,
        what_is_left_of_a_part_is_published_as_far_as_it_goes,
        whoever_is_beside_its_broken_path_is_told_that_it_broke,
        what_is_published_in_time_names_what_it_answers,
        what_was_published_in_time_is_not_the_answer_for_other_goals,
        what_was_published_in_time_is_not_the_answer_beyond_its_waypoint,
        what_was_published_in_time_and_is_the_best_is_watched_like_any_path,
        whoever_is_hastened_is_paid_for,
        a_greedy_search_that_goes_far_takes_half_of_the_budget,
        who_cannot_start_at_once_is_tried_once_a_step,
        before_it_is_known_what_can_be_reached_no_bound_is_promised,
        who_needs_little_does_not_wait_for_the_largest_search,
    };
    return rp_suite_run("provisional", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
