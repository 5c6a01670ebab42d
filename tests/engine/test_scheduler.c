/// Whose turn it is, by what comes out of a step of a small budget.
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/engine/scene.h"
#include "tests/support/suite.h"

#define MS      1000u
#define SIDE    96u
#define HURRIED 24u
#define BUDGET  512u

static rp_scene_t scene;
static uint8_t bytes[SIDE * SIDE];

static void tear_down(void)
{
    rp_scene_close(&scene);
}

static bool step(uint64_t now_us, uint64_t budget)
{
    scene.now_us = now_us;
    return rp_engine_step(scene.engine, now_us, budget);
}

/// Open ground, but for a wall of three cells.
static void begin(void)
{
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        bytes[i] = i % SIDE == 3 && i / SIDE < 3 ? 0 : 1;
    }
    rp_scene_open(&scene, &(rp_world_options_t){
                              .width = SIDE, .height = SIDE, .neighbors = 8, .data = bytes});
}

/// Sessions that want something legal at once, on ways that take many steps to search.
static void hurry(void)
{
    scene.policy = (rp_policy_t){.starts_at_once = true};
    for (uint32_t i = 0; i < HURRIED; i++) {
        (void)rp_scene_session(&scene, "astar", 8, i, SIDE - 1u, SIDE - 1u - i);
    }
}

START_TEST(who_put_a_switch_off_has_its_time_however_many_are_in_a_hurry)
{
    begin();
    scene.policy = (rp_policy_t){.switch_gain_percent = 5, .min_interval_ms = 200};
    scene.now_us = 7 * MS;
    const rp_session_id_t robot = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    (void)rp_scene_answer(&scene);
    (void)rp_scene_set(&scene, 3, 0, 1);
    rp_scene_expect_silence(&scene);
    ck_assert_uint_eq(rp_engine_next_us(scene.engine), 207 * MS);
    hurry();
    ck_assert(step(207 * MS - 2u, BUDGET));
    ck_assert(rp_engine_is_sure(scene.engine, robot));
    ck_assert(step(207 * MS + 1u, BUDGET));
    ck_assert(!rp_engine_is_sure(scene.engine, robot)); // it waits for its turn as all others do
    rp_scene_settle(&scene);
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, robot, &answer), RP_OK);
    ck_assert_double_eq(answer.cost, 7.0);
}
END_TEST

// ---- how far all are

#define PATIENCE 20000u
#define LITTLE   80u ///< of a step: not enough for one session

/// Hold what is said to be settled but for some against each session that is not sure.
/// @return how many were left out
static size_t judge_settled(uint64_t *settled, const rp_session_id_t *sessions, size_t count)
{
    rp_session_id_t overdue[RP_OVERDUE_MAX];
    size_t overdue_count;
    const uint64_t now =
        rp_engine_settled_but(scene.engine, scene.world, PATIENCE, overdue, &overdue_count);
    ck_assert_uint_ge(now, *settled); // it never falls
    ck_assert_uint_ge(now, rp_engine_settled(scene.engine, scene.world));
    for (size_t i = 0; i < count; i++) {
        rp_answer_t answer;
        size_t place = 0;
        while (place < overdue_count && overdue[place] != sessions[i]) {
            place++;
        }
        (void)rp_engine_answer(scene.engine, sessions[i], &answer);
        ck_assert(place < overdue_count || answer.version >= now);
    }
    *settled = now;
    return overdue_count;
}

START_TEST(who_is_overdue_is_left_out_and_no_more_than_so_many)
{
    rp_session_id_t sessions[HURRIED];
    uint64_t settled = 0;
    size_t most = 0;
    begin();
    for (uint32_t i = 0; i < HURRIED; i++) {
        sessions[i] = rp_scene_session(&scene, "astar", 8, i, SIDE - 1u, SIDE - 1u - i);
    }
    rp_scene_settle(&scene);
    for (uint32_t i = 0; i < 600; i++) { // first more changes than can be followed, then none
        if (i % 2u == 0 && i < 300) {
            (void)rp_scene_set(&scene, 50, i % SIDE, i < SIDE ? 0 : 1);
        }
        (void)step(scene.now_us + 1000u, LITTLE);
        const size_t count = judge_settled(&settled, sessions, HURRIED);
        ck_assert(count == 0 || i >= PATIENCE / 1000u);
        most = count > most ? count : most;
    }
    ck_assert_uint_eq(most, RP_OVERDUE_MAX / 2u); // and the others hold it back
    rp_scene_settle(&scene);
    ck_assert_uint_eq(judge_settled(&settled, sessions, HURRIED), 0);
    ck_assert_uint_eq(settled, rp_engine_version(scene.engine, scene.world));
}
END_TEST

START_TEST(who_has_a_new_goal_since_the_newest_version_needs_not_be_left_out)
{
    rp_session_id_t overdue[RP_OVERDUE_MAX];
    size_t count;
    begin();
    const rp_session_id_t session = rp_scene_session(&scene, "astar", 8, 0, SIDE - 1u, SIDE - 1u);
    rp_scene_settle(&scene);
    (void)rp_scene_goal(&scene, session, 0, SIDE - 1u);
    ck_assert(step(scene.now_us + 1000u, 1));
    ck_assert(step(scene.now_us + PATIENCE, 1));
    ck_assert_uint_eq(rp_engine_settled_but(scene.engine, scene.world, PATIENCE, overdue, &count),
                      1);
    ck_assert_uint_eq(count, 0);
    (void)rp_scene_set(&scene, 90, 90, 0);
    ck_assert_uint_eq(rp_engine_settled_but(scene.engine, scene.world, PATIENCE, overdue, &count),
                      2);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(overdue[0], session);
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world), 1);
}
END_TEST

/// Step until nothing is left, with a budget that is less than what looking at a session costs.
static void settle_by(uint64_t budget)
{
    for (uint32_t steps = 0; step(0, budget); steps++) {
        ck_assert_uint_lt(steps, 1000000);
    }
}

/// Changes between the first steps have the search begin anew, then on a frozen version.
START_TEST(steps_of_the_smallest_budgets_come_to_an_end_after_changes_between_them)
{
    static const uint64_t budgets[] = {1, 2, 3, 7, 63, 64, 65};
    rp_answer_t answer;
    begin();
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 0, 40, 40);
    for (uint32_t x = 10; x < 15; x++) {
        (void)step(0, budgets[_i % 7]);
        (void)rp_scene_set(&scene, x, 20, 0);
    }
    settle_by(budgets[_i % 7]);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_eq(answer.version, 6);
}
END_TEST

START_TEST(steps_of_the_smallest_budgets_answer_questions_and_count)
{
    const rp_world_options_t wide = {.width = 400, .height = 400, .neighbors = 4};
    const rp_destination_t from = {3.5, 3.5, 0};
    const rp_destination_t to = {9.5, 3.5, 0};
    const rp_question_t question = {
        .kind = RP_QUERY_COSTS, .from = &from, .from_count = 1, .to = &to, .to_count = 1};
    rp_query_id_t ask;
    rp_scene_open(&scene, &wide);
    ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &question, &ask), RP_OK);
    settle_by(1u + (uint64_t)_i);
    const rp_query_result_t *result = rp_engine_query_result(scene.engine, ask);
    ck_assert_ptr_nonnull(result);
    ck_assert_double_eq(result->costs[0], 6.0);
}
END_TEST

START_TEST(steps_of_the_smallest_budgets_count_while_an_answer_waits_to_be_taken)
{
    const rp_world_options_t wide = {.width = 400, .height = 400, .neighbors = 4};
    rp_answer_t answer;
    rp_scene_open(&scene, &wide);
    (void)rp_scene_session(&scene, "astar", 3, 3, 9, 3);
    settle_by(1u + (uint64_t)_i);
    ck_assert(!rp_engine_count(scene.engine, 0));
    ck_assert(rp_engine_next_answer(scene.engine, &answer));
}
END_TEST

// ---- planners that are shared

#define CITY     1024u ///< side of a world in which most steps of so many expansions end early
#define UNITS    60u
#define A_FRAME  4000u
#define PLANNERS 4u           ///< that units make on uniform ground, by the bytes of one, at most
#define MOST     (UNITS / 4u) ///< frames, for each that one unit takes alone

static uint8_t city[CITY * CITY];
static rp_session_id_t units[UNITS];

/// Blocks with streets between them, and units with goals of their own.
static void begin_city(uint8_t neighbors, uint32_t count)
{
    for (uint32_t i = 0; i < CITY * CITY; i++) {
        city[i] = i % 16u < 3u || i / CITY % 12u < 3u;
    }
    rp_scene_open(&scene, &(rp_world_options_t){
                              .width = CITY, .height = CITY, .neighbors = neighbors, .data = city});
    for (uint32_t i = 0; i < count; i++) {
        units[i] = rp_scene_session(&scene, NULL, 16u * i, 1, CITY / 2u + 2u * i, 12u * i + 1u);
    }
}

/// Frames until all are sure. A unit takes with it what it holds when it goes.
static uint32_t play(uint32_t leaving)
{
    uint32_t frames = 1;
    while (step(0, A_FRAME)) {
        if (frames <= leaving) {
            ck_assert_int_eq(rp_engine_close(scene.engine, units[frames - 1u]), RP_OK);
        }
        frames++;
    }
    return frames;
}

static uint64_t search_bytes(void)
{
    return rp_engine_memory(scene.engine).search_bytes;
}

START_TEST(units_whose_searches_are_stopped_share_a_few_planners)
{
    const uint8_t neighbors = _i == 0 ? 4 : 8;
    begin_city(neighbors, 1);
    const uint32_t frames = play(0);
    const uint64_t alone = search_bytes();
    rp_scene_close(&scene);
    begin_city(neighbors, UNITS);
    const uint32_t all = play(0);
    const uint64_t held = search_bytes();
    ck_assert_uint_le(held, PLANNERS * alone);
    ck_assert_uint_le(all, MOST * frames);
}
END_TEST

START_TEST(who_holds_a_shared_planner_may_leave)
{
    begin_city(_i == 0 ? 4 : 8, UNITS);
    (void)play(UNITS / 2u);
    for (uint32_t i = UNITS / 2u; i < UNITS; i++) {
        ck_assert(rp_engine_is_sure(scene.engine, units[i]));
    }
}
END_TEST

// ---- memory that ends

#ifndef RP_SANITIZED // these reserve more addresses than any limit
#define LARGE ((uint32_t)600)
#define ROOM  ((rlim_t)40 << 20) ///< holds the state of one search on LARGE x LARGE, not of two

/// Leave this process so many bytes of address space beside those that it has.
static void limit_memory(rlim_t more)
{
    unsigned long pages;
    FILE *file = fopen("/proc/self/statm", "r");
    ck_assert(file != NULL && fscanf(file, "%lu", &pages) == 1);
    (void)fclose(file);
    const rlim_t now = pages * (rlim_t)sysconf(_SC_PAGESIZE);
    const struct rlimit limit = {now + more, now + more};
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
}

static void open_large(void)
{
    rp_scene_open(&scene, &(rp_world_options_t){.width = LARGE, .height = LARGE, .neighbors = 8});
}

START_TEST(without_memory_for_all_planners_sessions_plan_one_after_the_other)
{
    rp_session_id_t sessions[6];
    rp_answer_t answer;
    open_large();
    (void)step(1, UINT64_MAX);
    limit_memory(ROOM);
    for (uint32_t i = 0; i < 6; i++) {
        sessions[i] = rp_scene_session(&scene, "gaa", i, 0, LARGE - 1u - i, LARGE - 1u);
    }
    for (unsigned round = 0; round < 4; round++) {
        (void)rp_scene_set(&scene, LARGE / 2u, LARGE / 2u, (uint8_t)(round % 2u));
        rp_scene_settle(&scene);
        ck_assert(!rp_engine_is_short(scene.engine));
    }
    for (uint32_t i = 0; i < 6; i++) {
        ck_assert_int_eq(rp_engine_answer(scene.engine, sessions[i], &answer), RP_OK);
        ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    }
}
END_TEST

#ifndef RP_EMULATED // an emulator holds nobody to a limit of memory
START_TEST(a_session_without_memory_waits_and_the_engine_says_so)
{
    open_large();
    (void)step(1, UINT64_MAX);
    limit_memory((rlim_t)4 << 20);
    const rp_session_id_t session = rp_scene_session(&scene, "gaa", 0, 0, LARGE - 1u, LARGE - 1u);
    ck_assert(step(2, UINT64_MAX));
    ck_assert(rp_engine_is_short(scene.engine));
    ck_assert(!rp_engine_is_sure(scene.engine, session));
    ck_assert_int_eq(rp_engine_close(scene.engine, session), RP_OK);
    ck_assert(!step(3, UINT64_MAX));
    ck_assert(!rp_engine_is_short(scene.engine));
}
END_TEST
#endif
#endif

int main(void)
{
    const TTest *const tests[] = {
        who_put_a_switch_off_has_its_time_however_many_are_in_a_hurry,
        who_is_overdue_is_left_out_and_no_more_than_so_many,
        who_has_a_new_goal_since_the_newest_version_needs_not_be_left_out,
#ifndef RP_SANITIZED
        without_memory_for_all_planners_sessions_plan_one_after_the_other,
#ifndef RP_EMULATED
        a_session_without_memory_waits_and_the_engine_says_so,
#endif
#endif
    };
    const TTest *const small[] = {
        steps_of_the_smallest_budgets_come_to_an_end_after_changes_between_them,
        steps_of_the_smallest_budgets_answer_questions_and_count,
        steps_of_the_smallest_budgets_count_while_an_answer_waits_to_be_taken,
    };
    const TTest *const shared[] = {
        units_whose_searches_are_stopped_share_a_few_planners,
        who_holds_a_shared_planner_may_leave,
    };
    int failed = rp_suite_run("scheduler", tests, sizeof tests / sizeof tests[0], 1, tear_down);
    failed += rp_suite_run("scheduler: shared planners", shared, sizeof shared / sizeof shared[0],
                           2, tear_down);
    failed += rp_suite_run("scheduler: small budgets", small, sizeof small / sizeof small[0], 7,
                           tear_down);
    return failed;
}
