/// Memory: what the engine says it holds is what is resident, and what had to go costs no answer.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/sharing/planner_cache.h"

#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE    40u
#define MEMBERS 12u

static rp_scene_t scene;
static rp_random_t rng;
static rp_session_id_t members[MEMBERS];
static rp_scene_goal_spec_t goal_specs[MEMBERS];

static void tear_down(void)
{
    rp_scene_close(&scene);
}

static void open_world(uint64_t seed, uint32_t side)
{
    uint8_t *data = malloc((size_t)side * side);
    const rp_world_options_t options = {
        .width = side, .height = side, .neighbors = 8, .data = data};
    ck_assert_ptr_nonnull(data);
    rng = (rp_random_t){seed};
    for (uint32_t i = 0; i < side * side; i++) {
        data[i] = !rp_random_chance(&rng, 20);
    }
    rp_scene_open(&scene, &options);
    free(data);
}

static uint64_t total(void)
{
    const rp_memory_t memory = rp_engine_memory(scene.engine);
    return memory.ground_bytes + memory.session_bytes + memory.search_bytes + memory.rubble_bytes;
}

// ---- slices

/// Steps until the engine has nothing left to do.
static uint64_t count_steps(uint64_t budget)
{
    uint64_t steps = 1;
    while (rp_engine_step(scene.engine, 0, budget)) {
        steps++;
    }
    return steps;
}

/// A world whose corners are free.
static void open_between_corners(uint64_t seed, uint32_t side)
{
    open_world(seed, side);
    for (uint32_t corner = 0; corner < 4; corner++) {
        (void)rp_scene_set(&scene, (corner & 1u) != 0 ? side - 10u : 10u,
                           (corner & 2u) != 0 ? side - 10u : 10u, 1);
    }
}

START_TEST(a_search_that_meets_its_memory_makes_smaller_steps)
{
    enum {
        SIDE_VAST = 2100, // more than four million cells
        BUDGET = 4096
    };
    rp_answer_t answer;
    open_between_corners(5, SIDE_VAST);
    const rp_session_id_t session =
        rp_scene_session(&scene, "dstar-lite", 10, 10, SIDE_VAST - 10, SIDE_VAST - 10);
    const uint64_t first = count_steps(BUDGET);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_gt(first, 8u * answer.expansions / BUDGET);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 10, SIDE_VAST - 10), RP_OK);
    const uint64_t second = count_steps(BUDGET);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_gt(second, answer.expansions / BUDGET);
    ck_assert_uint_lt(second, 8u * answer.expansions / BUDGET);
}
END_TEST

/// Idle calls until nothing is left to do.
static uint64_t count_idle_calls(uint32_t side, uint64_t budget)
{
    uint64_t calls = 0;
    open_between_corners(11, side);
    (void)rp_scene_session(&scene, NULL, 10, 10, side - 10u, side - 10u);
    (void)count_steps(1000);
    while (rp_engine_idle(scene.engine, budget)) {
        calls++;
    }
    rp_scene_close(&scene);
    return calls;
}

START_TEST(idle_time_in_a_large_world_goes_in_smaller_slices)
{
    const uint64_t in_small = count_idle_calls(1000, 4096);
    const uint64_t in_large = count_idle_calls(1100, 4096);
    ck_assert_uint_gt(in_small, 0);
    ck_assert_uint_gt(in_large, 4u * in_small);
}
END_TEST

START_TEST(in_a_small_world_a_step_expands_what_it_may)
{
    enum {
        BUDGET = 500
    };
    rp_answer_t answer;
    open_between_corners(6, 300);
    const rp_session_id_t session = rp_scene_session(&scene, "astar", 10, 10, 290, 290);
    const uint64_t steps = count_steps(BUDGET);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_uint_gt(answer.expansions, 4u * BUDGET);
    ck_assert_uint_ge(steps, answer.expansions / (BUDGET + 1u));
}
END_TEST

START_TEST(a_path_that_is_written_counts)
{
    const rp_grid_shape_t shape = {.width = 8, .height = 8, .neighbors = 8, .unit = 1, .least = 1};
    rp_planner_t *planner = NULL;
    rp_grid_t *grid = NULL;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_int_eq(rp_planner_new("astar", NULL, &planner), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, grid), RP_OK);
    rp_plan_t plan = {.path = {.count = 4000}, .stats = {.expanded = 500}};
    uint64_t budget = 2000;
    ck_assert_uint_eq(rp_cached_planner_expansions(planner, budget), 2001);
    rp_cached_planner_pay(planner, &plan, &budget);
    ck_assert_uint_eq(budget, 500);
    rp_cached_planner_pay(planner, &plan, &budget);
    ck_assert_uint_eq(budget, 0);
    rp_planner_destroy(&planner);
    rp_grid_destroy(&grid);
}
END_TEST

// ---- eviction

/// Half of them by planners that were asked for, some in a goal group.
static void open_members(void)
{
    static const char *const planners[] = {NULL, "dstar-lite", "gaa", NULL};
    for (uint32_t i = 0; i < MEMBERS; i++) {
        const uint32_t x = rp_random_below(&rng, SIDE);
        const uint32_t y = rp_random_below(&rng, SIDE);
        const uint32_t goal_x = i % 2u == 0 ? 20u : rp_random_below(&rng, SIDE);
        const uint32_t goal_y = i % 2u == 0 ? 20u : rp_random_below(&rng, SIDE);
        members[i] = rp_scene_session(&scene, planners[i % 4u], x, y, goal_x, goal_y);
        goal_specs[i] = (rp_scene_goal_spec_t){
            .start = y * SIDE + x, .goals = {{goal_y * SIDE + goal_x, 0}}, .goal_count = 1};
    }
}

static void move_member(uint32_t member)
{
    const uint32_t x = rp_random_below(&rng, SIDE);
    const uint32_t y = rp_random_below(&rng, SIDE);
    ck_assert_int_eq(rp_scene_pose(&scene, members[member], x, y), RP_OK);
    goal_specs[member].start = y * SIDE + x;
}

static void change_something(void)
{
    if (rp_random_chance(&rng, 30)) {
        move_member(rp_random_below(&rng, MEMBERS));
        return;
    }
    const uint32_t x = rp_random_below(&rng, SIDE);
    const uint8_t factor = (uint8_t)rp_random_below(&rng, 3);
    (void)rp_scene_set(&scene, x, rp_random_below(&rng, SIDE), factor);
}

static void judge_all(void)
{
    rp_scene_settle(&scene);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        rp_answer_t answer;
        ck_assert_int_eq(rp_engine_answer(scene.engine, members[i], &answer), RP_OK);
        const char *complaint = rp_scene_judge(&scene, &answer, &goal_specs[i]);
        ck_assert_msg(complaint == NULL, "member %u: %s", i, complaint);
    }
}

START_TEST(answers_are_the_cheapest_paths_whatever_had_to_go)
{
    open_world(300u + (unsigned)_i, SIDE);
    rp_engine_limit_memory(scene.engine, _i % 2 == 0 ? 0 : 250000);
    open_members();
    for (unsigned i = 0; i < 40; i++) {
        change_something();
        // Some searches are cut in the middle, and go with what they had found.
        (void)rp_engine_step(scene.engine, 0, rp_random_between(&rng, 1, 300));
        change_something();
        judge_all();
    }
    ck_assert_uint_gt(rp_engine_memory(scene.engine).evicted, 4);
}
END_TEST

START_TEST(a_limit_holds_and_is_kept_full)
{
    const uint64_t limit = 6000000;
    open_world(7, 256);
    rp_engine_limit_memory(scene.engine, limit);
    for (uint32_t i = 0; i < 30; i++) {
        const uint32_t goal_y = rp_random_below(&rng, 256);
        const uint32_t goal_x = rp_random_below(&rng, 256);
        const uint32_t y = rp_random_below(&rng, 256);
        (void)rp_scene_session(&scene, "dstar-lite", rp_random_below(&rng, 256), y, goal_x, goal_y);
        rp_scene_settle(&scene);
        ck_assert_uint_le(total(), limit + 20000); // steps that were said come on top
    }
    ck_assert_uint_gt(total(), limit / 2u);
    ck_assert_uint_gt(rp_engine_memory(scene.engine).evicted, 10);
}
END_TEST

START_TEST(room_is_made_until_there_is_no_search_left_and_answers_stay_right)
{
    open_world(9, SIDE);
    open_members();
    rp_scene_settle(&scene);
    ck_assert_uint_gt(rp_engine_memory(scene.engine).search_bytes, 0);
    unsigned made = 0;
    while (rp_engine_make_room(scene.engine)) {
        made++;
        ck_assert_uint_le(made, MEMBERS + 1u);
    }
    ck_assert_uint_gt(made, 1);
    ck_assert_uint_eq(rp_engine_memory(scene.engine).search_bytes, 0);
    change_something();
    judge_all();
}
END_TEST

/// Wall a cell in. Who goes there has no path; when a corner opens, through which no step leads,
/// components say that there is none still.
static void shut_in(uint32_t x, uint32_t y)
{
    for (uint32_t i = 0; i < 9u; i++) {
        (void)rp_scene_set(&scene, x + i % 3u - 1u, y + i / 3u - 1u, i == 4u);
    }
    rp_scene_settle(&scene);
    (void)rp_scene_set(&scene, x - 1u, y - 1u, 1);
    rp_scene_settle(&scene);
}

START_TEST(what_is_beyond_the_limit_goes_when_nobody_has_planned_for_ten_seconds)
{
    const uint64_t last_us = 5000000;
    open_world(11, SIDE);
    rp_engine_limit_memory(scene.engine, 0);
    scene.now_us = last_us;
    open_members();
    rp_scene_settle(&scene);
    shut_in(20, 20);
    const uint64_t ground = rp_engine_memory(scene.engine).ground_bytes;
    ck_assert_uint_eq(rp_engine_next_us(scene.engine), last_us + 10000000u);
    scene.now_us = last_us + 9999999u;
    rp_scene_settle(&scene);
    ck_assert_uint_gt(rp_engine_memory(scene.engine).search_bytes, 0);
    scene.now_us = last_us + 10000000u;
    rp_scene_settle(&scene);
    ck_assert_uint_eq(rp_engine_memory(scene.engine).search_bytes, 0);
    ck_assert_uint_lt(rp_engine_memory(scene.engine).ground_bytes, ground);
    ck_assert_uint_eq(rp_engine_next_us(scene.engine), RP_NEVER_US);
    change_something();
    judge_all();
}
END_TEST

START_TEST(what_is_within_the_limit_stays_however_long_nobody_plans)
{
    open_world(12, SIDE);
    rp_engine_limit_memory(scene.engine, 100000000);
    open_members();
    rp_scene_settle(&scene);
    ck_assert_uint_eq(rp_engine_next_us(scene.engine), RP_NEVER_US);
    scene.now_us = UINT64_C(1) << 40;
    rp_scene_settle(&scene);
    ck_assert_uint_gt(rp_engine_memory(scene.engine).search_bytes, 0);
}
END_TEST

START_TEST(who_was_useful_longest_ago_goes_first)
{
    const rp_grid_shape_t shape = {16, 16, 8, false, 1, 1};
    rp_grid_t *grid = NULL;
    rp_planner_cache_t searches = {0};
    rp_cached_planner_t search[4] = {0};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_int_eq(rp_cached_planner_make(&search[i], &searches, "astar", NULL, grid, 1),
                         RP_OK);
    }
    const uint64_t each = search[0].bytes;
    ck_assert_uint_eq(searches.bytes, 3u * each);
    const uint64_t term = search[0].term;
    rp_cached_planner_note_use(&search[0], false);
    ck_assert_uint_eq(search[0].term, term);
    rp_cached_planner_take(&search[3], &search[2]);
    rp_planner_cache_trim(&searches, 3u * each);
    ck_assert_uint_eq(searches.evicted, 0);
    rp_planner_cache_trim(&searches, 3u * each - 1u);
    ck_assert_ptr_null(search[1].planner);
    ck_assert_ptr_nonnull(search[0].planner);
    rp_planner_cache_trim(&searches, 0);
    ck_assert_ptr_null(search[0].planner);
    ck_assert_ptr_nonnull(search[3].planner); // the newest stays
    ck_assert_uint_eq(searches.evicted, 2);
    rp_cached_planner_drop(&search[3]);
    ck_assert_uint_eq(searches.bytes, 0);
    ck_assert_ptr_null(searches.newest);
    rp_grid_destroy(&grid);
}
END_TEST

// ---- what is resident

// Sanitizers hold more than they are asked for, an emulator does not tell of pages.
#if !defined RP_SANITIZED && !defined RP_EMULATED
static uint64_t resident_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long whole = 0;
    unsigned long resident = 0;
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%lu %lu", &whole, &resident), 2);
    (void)fclose(file);
    return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static const char *const kinds_counted[] = {"auto", "herd", "astar", "dstar-lite"};

/// Sessions of one kind, each of which has been in all corners of the world.
START_TEST(what_is_counted_is_resident_within_a_tenth)
{
    const char *planner = _i < 2 ? NULL : kinds_counted[_i];
    const uint32_t side = 360; // from some size on arrays come in huge pages
    const uint32_t count = _i == 0 ? 2000 : _i == 1 ? 80 : 6;
    uint64_t before = resident_bytes();
    uint64_t counted = 0;
    open_world(9, side);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 1u + count / 16u) { // what a process needs only once is there now
            before = resident_bytes();
            counted = total();
        }
        const uint32_t goal_x = _i == 1 ? 5u + i / 8u * 17u : side - 3u - i % 200u;
        const uint32_t goal_y = _i == 1 ? side - 9u : side - 3u - i / 200u;
        const rp_session_id_t session = rp_scene_session(&scene, planner, 2, 2, goal_x, goal_y);
        rp_scene_settle(&scene);
        for (uint32_t corner = 1; planner != NULL && corner < 4; corner++) {
            ck_assert_int_eq(rp_scene_pose(&scene, session, (corner & 1u) * (side - 1u),
                                           corner / 2u * (side - 1u)),
                             RP_OK);
            ck_assert_int_eq(rp_scene_goal(&scene, session, (corner & 1u) == 0 ? side - 1u : 0,
                                           corner / 2u == 0 ? side - 1u : 0),
                             RP_OK);
            rp_scene_settle(&scene);
        }
    }
    const double held = (double)(total() - counted);
    const double ratio = (double)(resident_bytes() - before) / held;
    ck_assert_msg(ratio > 0.9 && ratio < 1.1, "%s: %.0f counted, resident %.3f of it",
                  kinds_counted[_i], held, ratio);
}
END_TEST

START_TEST(what_was_closed_counts_until_it_is_given_back)
{
    open_between_corners(8, 1100);
    const rp_session_id_t session = rp_scene_session(&scene, "dstar-lite", 10, 10, 1090, 1090);
    rp_scene_settle(&scene);
    const uint64_t resident = resident_bytes();
    const uint64_t searches = rp_engine_memory(scene.engine).search_bytes;
    ck_assert_int_eq(rp_engine_close(scene.engine, session), RP_OK);
    rp_memory_t memory = rp_engine_memory(scene.engine);
    ck_assert_uint_eq(memory.search_bytes, 0);
    ck_assert_uint_le(memory.rubble_bytes, searches);
    ck_assert_uint_gt(memory.rubble_bytes, searches - searches / 20u);
    ck_assert_uint_gt(resident_bytes(), resident - resident / 20u);
    unsigned calls = 0;
    while (rp_engine_idle(scene.engine, 256)) {
        const uint64_t left = memory.rubble_bytes;
        memory = rp_engine_memory(scene.engine);
        ck_assert_uint_lt(memory.rubble_bytes, left);
        calls++;
    }
    ck_assert_uint_gt(calls, 10);
    ck_assert_uint_eq(memory.rubble_bytes, 0);
    ck_assert_uint_lt(resident_bytes(), resident - searches);
}
END_TEST
#endif

int main(void)
{
    const TTest *const walks[] = {answers_are_the_cheapest_paths_whatever_had_to_go};
    const TTest *const once[] = {
        a_limit_holds_and_is_kept_full,
        room_is_made_until_there_is_no_search_left_and_answers_stay_right,
        what_is_beyond_the_limit_goes_when_nobody_has_planned_for_ten_seconds,
        what_is_within_the_limit_stays_however_long_nobody_plans,
        who_was_useful_longest_ago_goes_first,
        a_search_that_meets_its_memory_makes_smaller_steps,
        in_a_small_world_a_step_expands_what_it_may,
        idle_time_in_a_large_world_goes_in_smaller_slices,
        a_path_that_is_written_counts,
    };
    int failed = rp_suite_run("planner_cache: eviction", walks, 1, 4, tear_down);
    failed += rp_suite_run("planner_cache", once, sizeof once / sizeof once[0], 1, tear_down);
#if !defined RP_SANITIZED && !defined RP_EMULATED
    const TTest *const kinds[] = {what_is_counted_is_resident_within_a_tenth};
    failed += rp_suite_run("planner_cache: resident", kinds, 1, 4, tear_down);
    const TTest *const closed[] = {what_was_closed_counts_until_it_is_given_back};
    failed += rp_suite_run("planner_cache: closed", closed, 1, 1, tear_down);
#endif
    return failed;
}
