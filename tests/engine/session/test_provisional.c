/// What is said before the optimum is known: in time, legal, no better than it claims, and the
/// optimum follows. Truth comes from a flood of the test's own, on 4 neighbours.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core.h"
#include "engine/sharing/frozen_search.h"
#include "engine/sharing/greedy_search.h"
#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE        128u
#define CELLS       (SIDE * SIDE)
#define FAR         UINT32_MAX
#define STEP_BUDGET 256u
#define STEP_US     1000u
#define VERSIONS    6000u

static rp_scene_t scene;
static uint8_t bytes[CELLS];
static uint32_t toggled[VERSIONS]; ///< by the version that it made
static rp_random_t rng;

static void tear_down(void)
{
    rp_scene_close(&scene);
}

// ---- the truth

/// Steps from `from` to `to` on these bytes; FAR: none.
static uint32_t flood(const uint8_t *ground, uint32_t from, uint32_t to)
{
    static uint32_t steps[CELLS];
    static uint32_t queue[CELLS];
    size_t first = 0;
    size_t count = 1;
    memset(steps, 0xff, sizeof steps);
    steps[from] = 0;
    queue[0] = from;
    while (first < count) {
        const uint32_t at = queue[first++];
        const uint32_t x = at % SIDE;
        const uint32_t next[] = {x + 1u < SIDE ? at + 1u : at, x != 0 ? at - 1u : at,
                                 at + SIDE < CELLS ? at + SIDE : at, at >= SIDE ? at - SIDE : at};
        for (unsigned i = 0; i < 4; i++) {
            if (ground[next[i]] != 0 && steps[next[i]] == FAR) {
                steps[next[i]] = steps[at] + 1u;
                queue[count++] = next[i];
            }
        }
    }
    return steps[to];
}

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

/// Where the steps lead; FAR when one is illegal on the newest bytes.
static uint32_t walk(const rp_answer_t *answer)
{
    uint32_t at = answer->start_y * SIDE + answer->start_x;
    for (uint32_t i = 0; i < answer->step_count; i++) {
        static const int dx[] = {1, 1, 0, -1, -1, -1, 0, 1};
        static const int dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
        const int64_t x = (int64_t)(at % SIDE) + dx[answer->steps[i]];
        const int64_t y = (int64_t)(at / SIDE) + dy[answer->steps[i]];
        if (x < 0 || y < 0 || x >= SIDE || y >= SIDE || bytes[y * SIDE + x] == 0) {
            return FAR;
        }
        at = (uint32_t)(y * SIDE + x);
    }
    return at;
}

// ---- the stage

static void begin(uint64_t seed)
{
    rng = (rp_random_t){seed};
    memset(bytes, 1, sizeof bytes);
}

/// Walls like a cup, open towards the start: who is greedy walks into it.
static void put_cup(void)
{
    for (uint32_t i = 20; i < 108; i++) {
        bytes[i * SIDE + 100] = 0;
        bytes[20 * SIDE + i - 8] = 0;
        bytes[108 * SIDE + i - 8] = 0;
    }
}

static rp_session_id_t enter(uint32_t answer_within_ms, const char *planner)
{
    const rp_world_options_t world = {.width = SIDE, .height = SIDE, .neighbors = 4, .data = bytes};
    const rp_session_options_t options = {.planner = planner,
                                          .policy = {.answer_within_ms = answer_within_ms}};
    rp_session_id_t session;
    rp_scene_open(&scene, &world);
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    return session;
}

static void send(rp_session_id_t session, uint32_t x, uint32_t y, uint32_t goal_x, uint32_t goal_y)
{
    ck_assert_int_eq(rp_scene_pose(&scene, session, x, y), RP_OK);
    ck_assert_int_eq(rp_scene_goal(&scene, session, goal_x, goal_y), RP_OK);
}

static void toggle(uint32_t place)
{
    bytes[place] ^= 1u;
    const uint64_t version = rp_scene_set(&scene, place % SIDE, place / SIDE, bytes[place]);
    ck_assert_uint_lt(version, VERSIONS);
    toggled[version] = place;
}

static bool step(void)
{
    scene.now_us += STEP_US;
    return rp_engine_step(scene.engine, scene.now_us, STEP_BUDGET);
}

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
    ck_assert_int_eq(rp_engine_hasten(scene.engine, session), RP_OK);
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_int_eq(answer.reason, RP_REASON_INVALID);
    ck_assert_uint_eq(answer.start_x, 32);
    ck_assert_uint_eq(answer.start_y, 65);
    ck_assert_uint_ne(walk(&answer), FAR);
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
            ck_assert(rp_engine_is_sure(scene.engine, session));
            // The next search may take as long again.
            ck_assert_uint_eq(patient->schedule.frozen_expansions, 0);
        }
        churned.sure += rp_engine_is_sure(scene.engine, session);
    }
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
        a_deadline_brings_a_legal_beginning_and_the_optimum_follows,
        on_open_ground_the_answer_in_time_leads_to_the_goal,
        a_path_that_still_leads_there_is_kept_at_the_deadline_and_told_with_its_bound,
        who_leaves_what_it_was_told_in_time_is_not_sure_of_it,
        whoever_is_hastened_says_what_is_left_of_its_broken_path,
        what_is_left_of_a_part_is_published_as_far_as_it_goes,
        whoever_is_beside_its_broken_path_is_told_that_it_broke,
        what_is_published_in_time_names_what_it_answers,
        what_was_published_in_time_is_not_the_answer_for_other_goals,
        what_was_published_in_time_is_not_the_answer_beyond_its_waypoint,
        who_cannot_start_at_once_is_tried_once_a_step,
        before_it_is_known_what_can_be_reached_no_bound_is_promised,
        who_needs_little_does_not_wait_for_the_largest_search,
        a_search_that_changes_cut_off_again_and_again_endpoints_on_a_frozen_expansions_version,
        what_a_frozen_expansions_search_found_is_held_against_the_newest_version,
        other_goals_are_searched_without_the_frozen_first,
        who_walks_on_meanwhile_is_told_what_is_left_of_a_frozen_expansions_path,
        a_greedy_goes_far_for_whom_the_frozen_expansions_search_takes_long,
        a_greedy_is_given_back_by_whom_it_serves_no_longer,
        a_frozen_is_given_back_with_its_session_and_with_its_world,
    };
    return rp_suite_run("provisional", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
