/// The engine: handles, whose turn it is, what settled means, and random worlds against the oracle.
#include <stdlib.h>
#include <string.h>

#include "msgs/codec.h"
#include "tests/engine/scene.h"
#include "tests/support/contestant.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_scene_t scene;

static void tear_down(void)
{
    rp_scene_close(&scene);
}

#define ROOM                                                                                       \
    "...............\n"                                                                            \
    ".#############.\n"                                                                            \
    "...............\n"                                                                            \
    "..............."

// ---- handles

START_TEST(what_does_not_exist_is_unknown)
{
    rp_scene_draw(&scene, ROOM);
    const rp_session_options_t nobody = {.planner = "nobody"};
    const rp_session_options_t known = {.planner = "astar"};
    const rp_edit_t edit = {.width = 1, .height = 1};
    const rp_destination_t goal = {1.5, 1.5, 0};
    const rp_cause_t cause = {0, 0};
    rp_session_id_t session;
    rp_answer_t answer;
    uint64_t version;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &nobody, &session), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_open(scene.engine, 9, &known, &session), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_apply(scene.engine, 9, &edit, cause, &version), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_close_world(scene.engine, 0), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_pose(scene.engine, 1, 1.0, 1.0, 0, cause), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_goals(scene.engine, 1, &goal, 1, 1, cause), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_answer(scene.engine, 1, &answer), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_close(scene.engine, UINT32_MAX), RP_E_UNKNOWN);
    ck_assert_uint_eq(rp_engine_version(scene.engine, 9), 0);
    ck_assert(!rp_engine_is_sure(scene.engine, 1));
}
END_TEST

START_TEST(a_session_closed_while_unsure_or_unheard_leaves_no_trace)
{
    rp_scene_draw(&scene, ROOM);
    const rp_session_id_t first = rp_scene_session(&scene, NULL, 0, 0, 14, 0);
    const rp_session_id_t second = rp_scene_session(&scene, NULL, 0, 0, 14, 0);
    const rp_session_id_t third = rp_scene_session(&scene, NULL, 0, 0, 14, 0);
    ck_assert_int_eq(rp_engine_close(scene.engine, second), RP_OK);
    rp_scene_settle(&scene);
    ck_assert_int_eq(rp_engine_close(scene.engine, third), RP_OK);
    ck_assert_int_eq(rp_engine_close(scene.engine, third), RP_E_UNKNOWN);
    ck_assert_uint_eq(rp_scene_answer(&scene).session, first);
}
END_TEST

START_TEST(a_world_takes_its_sessions_along)
{
    rp_scene_draw(&scene, ROOM);
    const rp_session_id_t published = rp_scene_session(&scene, NULL, 0, 0, 14, 0);
    rp_scene_settle(&scene);
    (void)rp_scene_session(&scene, NULL, 0, 0, 14, 0);
    ck_assert_int_eq(rp_engine_close_world(scene.engine, scene.world), RP_OK);
    rp_scene_expect_silence(&scene);
    ck_assert_int_eq(rp_engine_close(scene.engine, published), RP_E_UNKNOWN);
}
END_TEST

START_TEST(a_planner_without_goal_sets_refuses_them_and_keeps_its_goal)
{
    rp_scene_draw(&scene, ROOM);
    const rp_destination_t goals[] = {{0.5, 3.5, 0}, {1.5, 3.5, 0}};
    for (size_t i = 0; rp_planner_info(i) != NULL; i++) {
        const rp_planner_info_t *info = rp_planner_info(i);
        const rp_session_options_t options = {.planner = info->id};
        rp_session_id_t session;
        if ((info->capabilities & RP_CAN_GOAL_SET) != 0 ||
            rp_engine_open(scene.engine, scene.world, &options, &session) != RP_OK) {
            continue;
        }
        ck_assert_int_eq(rp_scene_pose(&scene, session, 0, 0), RP_OK);
        ck_assert_int_eq(rp_scene_goal(&scene, session, 14, 0), RP_OK);
        ck_assert_int_eq(rp_engine_goals(scene.engine, session, goals, 2, 5, (rp_cause_t){0, 0}),
                         RP_E_UNSUPPORTED);
        const rp_answer_t answer = rp_scene_answer(&scene);
        ck_assert_double_eq(answer.cost, 14.0);
        ck_assert_uint_eq(answer.goal_id, 0);
    }
}
END_TEST

// ---- turns

/// Nothing that is done by the handle reaches anybody.
static void check_session_is_nobody(rp_session_id_t session)
{
    const rp_destination_t there = {1.5, 0.5, 0};
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 2.5, 1.5, 0, (rp_cause_t){0, 0}),
                     RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_goals(scene.engine, session, &there, 1, 0, (rp_cause_t){0, 0}),
                     RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_set_session_user(scene.engine, session, &scene), RP_E_UNKNOWN);
    ck_assert(!rp_engine_is_sure(scene.engine, session));
    ck_assert_int_eq(rp_engine_close(scene.engine, session), RP_E_UNKNOWN);
}

START_TEST(a_closed_session_is_not_whoever_has_its_place)
{
    rp_scene_draw(&scene, ROOM);
    const rp_session_id_t closed = rp_scene_session(&scene, NULL, 0, 0, 14, 0);
    rp_scene_settle(&scene);
    ck_assert_int_eq(rp_engine_close(scene.engine, closed), RP_OK);
    const rp_session_id_t next = rp_scene_session(&scene, NULL, 0, 0, 14, 0);
    ck_assert_uint_eq(rp_id_place(next), rp_id_place(closed));
    (void)rp_scene_answer(&scene);
    check_session_is_nobody(closed);
    rp_scene_expect_silence(&scene);
    ck_assert_ptr_null(rp_engine_session_user(scene.engine, next));
    ck_assert(rp_engine_is_sure(scene.engine, next));
}
END_TEST

START_TEST(a_closed_world_is_not_the_one_that_has_its_place)
{
    const rp_world_options_t options = rp_engine_world_defaults(4, 4);
    const rp_edit_t edit = {.width = 1, .height = 1};
    const rp_session_options_t point = rp_engine_session_defaults();
    rp_session_id_t session = 0;
    rp_world_id_t next;
    uint64_t version = 0;
    rp_scene_draw(&scene, ROOM);
    const rp_world_id_t closed = scene.world;
    ck_assert_int_eq(rp_engine_close_world(scene.engine, closed), RP_OK);
    ck_assert_int_eq(rp_engine_open_world(scene.engine, &options, &next), RP_OK);
    ck_assert_uint_eq(rp_id_place(next), rp_id_place(closed));
    ck_assert_int_eq(rp_engine_apply(scene.engine, closed, &edit, (rp_cause_t){0, 0}, &version),
                     RP_E_UNKNOWN);
    ck_assert_int_eq(rp_engine_open(scene.engine, closed, &point, &session), RP_E_UNKNOWN);
    ck_assert_ptr_null(rp_engine_bytes(scene.engine, closed));
    ck_assert_int_eq(rp_engine_close_world(scene.engine, closed), RP_E_UNKNOWN);
    ck_assert_uint_eq(rp_engine_version(scene.engine, closed), 0);
    ck_assert_uint_eq(rp_engine_version(scene.engine, next), 1);
}
END_TEST

START_TEST(answers_are_taken_in_the_order_in_which_sessions_spoke)
{
    rp_scene_draw(&scene, ROOM);
    const rp_session_id_t first = rp_scene_session(&scene, NULL, 0, 0, 14, 0);
    rp_scene_settle(&scene);
    const rp_session_id_t second = rp_scene_session(&scene, NULL, 0, 3, 14, 3);
    rp_scene_settle(&scene);
    (void)rp_scene_set(&scene, 7, 0, 0); // the first speaks again before anybody listened
    rp_scene_settle(&scene);
    rp_answer_t answer;
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_uint_eq(answer.session, first);
    ck_assert_uint_eq(answer.path_seq, 2);
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert_uint_eq(answer.session, second);
    ck_assert(!rp_engine_next_answer(scene.engine, &answer));
}
END_TEST

START_TEST(the_smallest_budget_comes_to_an_end)
{
    rp_scene_draw(&scene, ROOM);
    (void)rp_scene_session(&scene, NULL, 0, 0, 14, 3);
    (void)rp_scene_session(&scene, "astar", 0, 3, 14, 0);
    int steps = 0;
    while (rp_engine_step(scene.engine, 0, 1)) {
        ck_assert_int_lt(++steps, 10000);
    }
    rp_answer_t answer;
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
}
END_TEST

START_TEST(a_step_looks_at_no_more_sessions_than_its_budget_pays_for)
{
    rp_session_id_t sessions[50];
    rp_scene_draw(&scene, ROOM);
    for (size_t i = 0; i < 50; i++) {
        sessions[i] = rp_scene_session(&scene, NULL, 0, 0, 3, 0);
    }
    rp_scene_settle(&scene);
    (void)rp_scene_set(&scene, 1, 0, 0); // on everybody's path
    ck_assert(rp_engine_step(scene.engine, 0, 1000));
    size_t sure = 0;
    for (size_t i = 0; i < 50; i++) {
        sure += rp_engine_is_sure(scene.engine, sessions[i]);
    }
    ck_assert_uint_gt(sure, 0);
    ck_assert_uint_lt(sure, 25);
}
END_TEST

START_TEST(no_world_starves_another)
{
    rp_scene_draw(&scene, ROOM);
    const rp_world_options_t options = {
        .width = 64, .height = 64, .neighbors = 8, .frame = {.resolution_m = 1.0}};
    rp_world_id_t large;
    ck_assert_int_eq(rp_engine_open_world(scene.engine, &options, &large), RP_OK);
    const rp_session_options_t plain = {.planner = "astar"};
    rp_session_id_t searching;
    ck_assert_int_eq(rp_engine_open(scene.engine, large, &plain, &searching), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, searching, 0, 0), RP_OK);
    ck_assert_int_eq(rp_scene_goal(&scene, searching, 63, 63), RP_OK);
    const rp_session_id_t small = rp_scene_session(&scene, "astar", 0, 0, 3, 0);
    int steps = 0;
    while (!rp_engine_is_sure(scene.engine, small)) {
        const rp_edit_t edit = {.x = 32, .y = 32, .width = 1, .height = 1, .fill = steps % 2 + 1};
        uint64_t version; // the large world is never done
        ck_assert_int_eq(rp_engine_apply(scene.engine, large, &edit, (rp_cause_t){0, 0}, &version),
                         RP_OK);
        (void)rp_engine_step(scene.engine, 0, 100);
        ck_assert_int_lt(++steps, 10);
    }
}
END_TEST

// ---- settled

START_TEST(settled_waits_for_the_session_that_is_behind)
{
    rp_scene_draw(&scene, ROOM);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 14, 0);
    rp_scene_settle(&scene);
    const uint64_t version = rp_scene_set(&scene, 7, 0, 0);
    (void)rp_scene_set(&scene, 7, 3, 0);
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world), version - 1u);
    ck_assert(!rp_engine_is_sure(scene.engine, session));
    rp_scene_settle(&scene);
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world), version + 1u);
}
END_TEST

START_TEST(settled_never_falls_when_agents_come_turn_and_leave_their_path)
{
    rp_scene_draw(&scene, ROOM);
    const rp_session_id_t old = rp_scene_session(&scene, NULL, 0, 0, 14, 0);
    rp_scene_settle(&scene);
    uint64_t version = 0;
    for (int i = 0; i < 5; i++) {
        version = rp_scene_set(&scene, 3, 3, 1); // rewrites what stood there
    }
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world), version);
    ck_assert_int_eq(rp_scene_pose(&scene, old, 5, 3), RP_OK);
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world), version);
    const rp_session_id_t young = rp_scene_session(&scene, NULL, 0, 0, 14, 0);
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world), version);
    rp_scene_settle(&scene);
    ck_assert_int_eq(rp_scene_goal(&scene, young, 0, 3), RP_OK);
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world), version);
}
END_TEST

// ---- random worlds

#define SESSIONS_MOST 5u
#define ROUNDS        60u

typedef struct actor {
    rp_session_id_t session; ///< 0: none
    rp_scene_goal_spec_t goal_spec;
    bool takes_sets;
    uint64_t heard_seq; ///< of the newest answer that was taken
} actor_t;

static rp_random_t rng;
static int seed; ///< of the world at hand
static actor_t actors[SESSIONS_MOST];

static uint32_t width(void)
{
    return scene.oracle->shape.width;
}

static uint32_t height(void)
{
    return scene.oracle->shape.height;
}

static uint8_t random_byte(void)
{
    static const uint8_t bytes[] = {0, 0, 0, 1, 1, 1, 1, 2, 5, 9, 253, 254, 255};
    const bool is_heavy = scene.is_costmap;
    return bytes[rp_random_below(&rng, is_heavy ? sizeof bytes : 10u)];
}

/// A place, or now and then a point outside.
static uint32_t random_point(double *x, double *y)
{
    const uint32_t column = rp_random_below(&rng, width());
    const uint32_t row = rp_random_below(&rng, height());
    *x = column + 0.01 + rp_random_below(&rng, 98) / 100.0;
    *y = row + 0.01 + rp_random_below(&rng, 98) / 100.0;
    if (!rp_random_chance(&rng, 8)) {
        return row * width() + column;
    }
    *x -= 3.0 * width(); // outside, or three times round the torus
    return scene.oracle->shape.wraps ? row * width() + column : RP_ORACLE_NO_PLACE;
}

static void act_pose(actor_t *actor)
{
    double x;
    double y;
    rp_answer_t answer;
    const rp_cause_t cause = {0, 0};
    ck_assert_int_eq(rp_engine_answer(scene.engine, actor->session, &answer), RP_OK);
    actor->goal_spec.start = random_point(&x, &y);
    actor->goal_spec.off_x = x - floor(x) - 0.5;
    actor->goal_spec.off_y = y - floor(y) - 0.5;
    if (answer.step_count != 0 && rp_random_chance(&rng, 70)) {
        static const int dx[] = {1, 1, 0, -1, -1, -1, 0, 1};
        static const int dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
        uint32_t column = answer.start_x; // some steps along what it said
        uint32_t row = answer.start_y;
        for (uint32_t i = 0; i < answer.step_count && i < 1u + rp_random_below(&rng, 3); i++) {
            column = (column + width() + (uint32_t)dx[answer.steps[i]]) % width();
            row = (row + height() + (uint32_t)dy[answer.steps[i]]) % height();
        }
        actor->goal_spec.start = row * width() + column;
        x = column + 0.5;
        y = row + 0.5;
        actor->goal_spec.off_x = actor->goal_spec.off_y = 0.0;
    }
    ck_assert_int_eq(rp_engine_pose(scene.engine, actor->session, x, y, 0, cause), RP_OK);
}

static void act_goals(actor_t *actor)
{
    rp_destination_t goals[RP_SCENE_GOALS_MAX];
    const size_t count = actor->takes_sets ? 1u + rp_random_below(&rng, RP_SCENE_GOALS_MAX) : 1u;
    actor->goal_spec.goal_count = 0;
    for (size_t i = 0; i < count; i++) {
        goals[i].offset = actor->takes_sets ? rp_random_below(&rng, 6) : 0;
        const uint32_t place = random_point(&goals[i].x_m, &goals[i].y_m);
        if (place != RP_ORACLE_NO_PLACE) {
            actor->goal_spec.goals[actor->goal_spec.goal_count++] =
                (rp_oracle_goal_t){.place = place, .offset = goals[i].offset};
        }
    }
    ck_assert_int_eq(
        rp_engine_goals(scene.engine, actor->session, goals, count, 1, (rp_cause_t){0, 0}), RP_OK);
}

static void act_open(actor_t *actor)
{
    rp_contestant_t contestant;
    rp_status_t status = RP_E_UNSUPPORTED;
    const uint32_t percent = rp_random_chance(&rng, 50) ? rp_random_below(&rng, 30) : 0;
    *actor = (actor_t){.goal_spec = {.switch_gain_percent = percent}};
    while (status != RP_OK) { // some planners cannot do this world
        const uint32_t index = rp_random_below(&rng, (uint32_t)rp_contestant_count());
        ck_assert(rp_contestant_at(index, &contestant));
        const rp_session_options_t options = {
            .planner = contestant.info->id,
            .planner_options = {.open = contestant.options.open == RP_OPEN_BUCKETS ? RP_OPEN_BUCKETS
                                                                                   : RP_OPEN_HEAP},
            .policy = {.switch_gain_percent = percent}};
        status = rp_engine_open(scene.engine, scene.world, &options, &actor->session);
        ck_assert(status == RP_OK || status == RP_E_UNSUPPORTED);
    }
    actor->takes_sets = (contestant.info->capabilities & RP_CAN_GOAL_SET) != 0;
    act_pose(actor);
    act_goals(actor);
}

static void act_edit(void)
{
    uint32_t cells[6];
    uint8_t values[6];
    uint8_t data[16];
    rp_edit_t edit = {
        .width = rp_random_below(&rng, 4),
        .fill = random_byte(),
        .value = random_byte(),
        .cells = cells,
        .cell_count = rp_random_below(&rng, 7),
    };
    for (size_t i = 0; i < 6; i++) {
        cells[i] = rp_random_below(&rng, width() * height());
        values[i] = random_byte();
    }
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = random_byte();
    }
    edit.height = edit.width == 0 ? 0 : 1u + rp_random_below(&rng, 3);
    edit.x = rp_random_below(&rng, width() - edit.width + 1u);
    edit.y = rp_random_below(&rng, height() - edit.height + 1u);
    edit.data = rp_random_chance(&rng, 50) ? data : NULL;
    edit.values = rp_random_chance(&rng, 50) ? values : NULL;
    uint64_t version;
    ck_assert_int_eq(
        rp_engine_apply(scene.engine, scene.world, &edit, (rp_cause_t){0, 0}, &version), RP_OK);
}

static void act(void)
{
    actor_t *actor = &actors[rp_random_below(&rng, SESSIONS_MOST)];
    if (rp_random_chance(&rng, 50)) {
        act_edit();
    } else if (actor->session == 0) {
        act_open(actor);
    } else if (rp_random_chance(&rng, 70)) {
        act_pose(actor);
    } else if (rp_random_chance(&rng, 70)) {
        act_goals(actor);
    } else {
        ck_assert_int_eq(rp_engine_close(scene.engine, actor->session), RP_OK);
        actor->session = 0;
    }
}

static void listen(void)
{
    rp_answer_t answer;
    while (rp_engine_next_answer(scene.engine, &answer)) {
        actor_t *actor = actors;
        while (actor->session != answer.session) {
            ck_assert_ptr_ne(++actor, actors + SESSIONS_MOST);
        }
        ck_assert_uint_gt(answer.path_seq, actor->heard_seq);
        actor->heard_seq = answer.path_seq;
    }
}

static uint64_t hash_of_world(void)
{
    const uint8_t *bytes = rp_engine_bytes(scene.engine, scene.world);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < width() * height(); i++) {
        hash ^= rp_codec_cell_hash(i, bytes[i]);
    }
    return hash;
}

static void judge_all(uint32_t round)
{
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world),
                      rp_engine_version(scene.engine, scene.world));
    ck_assert_uint_eq(rp_engine_hash(scene.engine, scene.world), hash_of_world());
    for (actor_t *actor = actors; actor < actors + SESSIONS_MOST; actor++) {
        rp_answer_t answer;
        if (actor->session == 0) {
            continue;
        }
        ck_assert(rp_engine_is_sure(scene.engine, actor->session));
        ck_assert_int_eq(rp_engine_answer(scene.engine, actor->session, &answer), RP_OK);
        ck_assert_uint_eq(answer.path_seq, actor->heard_seq);
        const char *complaint = rp_scene_judge(&scene, &answer, &actor->goal_spec);
        ck_assert_msg(complaint == NULL, "seed %d, round %u, session %u: %s", seed, round,
                      rp_id_place(actor->session), complaint);
    }
}

static void open_random_world(void)
{
    uint8_t data[20 * 20];
    rng = (rp_random_t){(uint64_t)seed};
    rp_world_options_t options = {
        .width = rp_random_between(&rng, 5, 20),
        .height = rp_random_between(&rng, 5, 20),
        .neighbors = rp_random_chance(&rng, 50) ? 4 : 8,
        .wraps = rp_random_chance(&rng, 30),
        .profile = rp_random_chance(&rng, 30) ? "costmap" : "factor",
        .data = data,
        .cells_hash = rp_codec_cells_hash,
    };
    scene.is_costmap = strcmp(options.profile, "costmap") == 0;
    for (uint32_t i = 0; i < options.width * options.height; i++) {
        data[i] = random_byte();
    }
    rp_scene_open(&scene, &options);
    memset(actors, 0, sizeof actors);
}

START_TEST(every_session_is_right_in_random_worlds_whenever_no_work_is_left)
{
    for (seed = _i * 15; seed < _i * 15 + 15; seed++) {
        open_random_world();
        for (uint32_t round = 0; round < ROUNDS; round++) {
            for (uint32_t i = rp_random_below(&rng, 6); i-- != 0;) {
                act();
                // Slices of any size between events: searches go on where they stopped.
                (void)rp_engine_step(scene.engine, 0, rp_random_below(&rng, 200));
                if (rp_random_chance(&rng, 30)) {
                    listen();
                }
            }
            rp_scene_settle(&scene);
            listen();
            judge_all(round);
        }
        rp_scene_close(&scene);
    }
}
END_TEST

START_TEST(the_right_outcome_is_the_one_of_the_judge)
{
    rp_scene_draw(&scene, ROOM);
    (void)rp_scene_session(&scene, NULL, 0, 0, 14, 0);
    rp_answer_t answer = rp_scene_answer(&scene);
    rp_scene_goal_spec_t goal_spec = {.start = 0, .goals = {{.place = 14}}, .goal_count = 1};
    ck_assert_ptr_null(rp_scene_judge(&scene, &answer, &goal_spec));
    answer.step_count--;
    ck_assert_ptr_nonnull(rp_scene_judge(&scene, &answer, &goal_spec));
    answer.step_count++;
    answer.cost += 0.001;
    ck_assert_ptr_nonnull(rp_scene_judge(&scene, &answer, &goal_spec));
    answer.cost -= 0.001;
    goal_spec.start = 1;
    ck_assert_ptr_nonnull(rp_scene_judge(&scene, &answer, &goal_spec));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_does_not_exist_is_unknown,
        a_session_closed_while_unsure_or_unheard_leaves_no_trace,
        a_world_takes_its_sessions_along,
        a_closed_session_is_not_whoever_has_its_place,
        a_closed_world_is_not_the_one_that_has_its_place,
        a_planner_without_goal_sets_refuses_them_and_keeps_its_goal,
        answers_are_taken_in_the_order_in_which_sessions_spoke,
        the_smallest_budget_comes_to_an_end,
        a_step_looks_at_no_more_sessions_than_its_budget_pays_for,
        no_world_starves_another,
        settled_waits_for_the_session_that_is_behind,
        settled_never_falls_when_agents_come_turn_and_leave_their_path,
        the_right_outcome_is_the_one_of_the_judge,
    };
    const TTest *const random_tests[] = {
        every_session_is_right_in_random_worlds_whenever_no_work_is_left,
    };
    const int code = rp_suite_run("engine", tests, sizeof tests / sizeof tests[0], 1, tear_down);
    return rp_suite_run("random worlds", random_tests, 1, 20, NULL) | code;
}
