/// @file
/// Worlds that change while sessions plan, and the truth about each version.
#ifndef REPLAN_TESTS_ENGINE_SESSION_CHANGING_H
#define REPLAN_TESTS_ENGINE_SESSION_CHANGING_H

#include <string.h>

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

#endif
