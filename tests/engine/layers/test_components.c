/// Components against a flood of the whole grid, after any walk of writes.
#include <stdlib.h>
#include <string.h>

#include "engine/layers/components.h"
#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_scene_t scene;
static rp_grid_t *grid;
static rp_components_t *components;
static rp_random_t rng;
static uint32_t *region; ///< by place; 0: blocked
static rp_cell_t *front;

static void tear_down(void)
{
    rp_scene_close(&scene);
    rp_components_destroy(&components);
    rp_grid_destroy(&grid);
    free(region);
    free(front);
    region = NULL;
    front = NULL;
}

static void begin(uint32_t width, uint32_t height, bool wraps, uint8_t neighbors)
{
    const rp_grid_shape_t shape = {.width = width,
                                   .height = height,
                                   .neighbors = neighbors,
                                   .wraps = wraps,
                                   .unit = 1,
                                   .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    components = rp_components_new(grid);
    ck_assert_ptr_nonnull(components);
    region = calloc(grid->cell_count, sizeof *region);
    front = calloc(grid->cell_count, sizeof *front);
    ck_assert(region != NULL && front != NULL);
}

static void set(uint32_t x, uint32_t y, uint8_t factor)
{
    const rp_cell_t cell = rp_grid_cell(grid, x, y);
    const uint8_t before = rp_grid_set(grid, cell, factor);
    if ((before == 0) != (factor == 0)) {
        rp_components_note(components, cell);
    }
}

/// Every legal move, diagonals too, joins.
static void flood_all(void)
{
    uint32_t regions = 0;
    memset(region, 0, grid->cell_count * sizeof *region);
    for (uint32_t i = 0; i < grid->shape.width * grid->shape.height; i++) {
        const rp_cell_t from = rp_grid_cell(grid, i % grid->shape.width, i / grid->shape.width);
        size_t count = 0;
        if (grid->factor[from] == 0 || region[from] != 0) {
            continue;
        }
        region[from] = ++regions;
        front[count++] = from;
        while (count != 0) {
            const rp_cell_t cell = front[--count];
            unsigned direction;
            rp_cell_t next;
            RP_FOR_MOVES (grid, cell, direction, next) {
                if (region[next] == 0) {
                    region[next] = regions;
                    front[count++] = next;
                }
            }
        }
    }
}

static rp_cell_t random_cell(void)
{
    const uint32_t y = rp_random_below(&rng, grid->shape.height);
    return rp_grid_cell(grid, rp_random_below(&rng, grid->shape.width), y);
}

START_TEST(after_any_walk_cells_are_connected_as_a_flood_says)
{
    rng = (rp_random_t){(uint64_t)_i};
    const uint32_t percent = rp_random_between(&rng, 25, 65);
    const uint8_t neighbours = rp_random_chance(&rng, 50) ? 4 : 8;
    const bool wraps = rp_random_chance(&rng, 40);
    const uint32_t rows = rp_random_between(&rng, 3, 150);
    begin(rp_random_between(&rng, 3, 200), rows, wraps, neighbours);
    for (uint32_t i = 0; i < grid->shape.width * grid->shape.height; i++) {
        set(i % grid->shape.width, i / grid->shape.width, rp_random_chance(&rng, percent) ? 0 : 1);
    }
    for (int round = 0; round < 12; round++) {
        while (rp_components_update(components, 1u + rp_random_below(&rng, 4)) == RP_MORE) {
            ck_assert(!rp_components_are_current(components));
        }
        ck_assert(rp_components_are_current(components));
        flood_all();
        for (int i = 0; i < 2000; i++) {
            const rp_cell_t a = random_cell();
            const rp_cell_t b = random_cell();
            const bool truth = region[a] != 0 && region[a] == region[b];
            ck_assert_msg(rp_components_connect(components, a, b) == truth, "round %d", round);
        }
        for (uint32_t writes = rp_random_below(&rng, 200); writes != 0; writes--) {
            const uint8_t factor = rp_random_chance(&rng, percent) ? 0 : 1;
            const uint32_t y = rp_random_below(&rng, grid->shape.height);
            set(rp_random_below(&rng, grid->shape.width), y, factor);
        }
    }
}
END_TEST

START_TEST(a_wall_across_all_tiles_cuts_and_a_gap_in_it_joins)
{
    begin(300, 200, false, 8);
    const rp_cell_t left = rp_grid_cell(grid, 5, 5);
    const rp_cell_t right = rp_grid_cell(grid, 299, 199);
    ck_assert_int_eq(rp_components_update(components, UINT32_MAX), RP_OK);
    ck_assert(rp_components_connect(components, left, right));
    for (uint32_t y = 0; y < 200; y++) {
        set(64, y, 0);
    }
    ck_assert_int_eq(rp_components_update(components, UINT32_MAX), RP_OK);
    ck_assert(!rp_components_connect(components, left, right));
    ck_assert(!rp_components_connect(components, left, rp_grid_cell(grid, 64, 5)));
    set(64, 150, 7);
    ck_assert_int_eq(rp_components_update(components, UINT32_MAX), RP_OK);
    ck_assert(rp_components_connect(components, left, right));
}
END_TEST

START_TEST(a_board_of_single_cells_has_room_for_all_its_labels)
{
    begin(128, 128, true, 8);
    for (uint32_t i = 0; i < 128u * 128u; i++) {
        set(i % 128u, i / 128u, (i % 128u + i / 128u) % 2u == 0 ? 1 : 0);
    }
    ck_assert_int_eq(rp_components_update(components, UINT32_MAX), RP_OK);
    ck_assert(
        !rp_components_connect(components, rp_grid_cell(grid, 0, 0), rp_grid_cell(grid, 1, 1)));
    ck_assert(
        rp_components_connect(components, rp_grid_cell(grid, 2, 2), rp_grid_cell(grid, 2, 2)));
}
END_TEST

START_TEST(who_was_cut_off_needs_no_search_to_know_that_it_still_is)
{
    const rp_world_options_t options = {.width = 200, .height = 200, .neighbors = 8};
    rp_scene_open(&scene, &options);
    uint64_t version = 0;
    rp_edit_t wall = {.x = 100, .width = 1, .height = 200, .fill = 0};
    ck_assert_int_eq(
        rp_engine_apply(scene.engine, scene.world, &wall, (rp_cause_t){0, 0}, &version), RP_OK);
    const rp_session_id_t session = rp_scene_session(&scene, "astar", 5, 5, 190, 190);
    rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_NO_PATH);
    ck_assert_uint_ge(answer.expansions, 100u * 200u);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 150, 3), RP_OK);
    answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_NO_PATH);
    ck_assert_uint_eq(answer.expansions, 0);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 90, 3), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 150, 3), RP_OK);
    ck_assert_uint_eq(rp_scene_answer(&scene).expansions, 0);
    (void)rp_scene_set(&scene, 100, 77, 1);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
}
END_TEST

/// Two halves and a wall between them, with buildings on both sides.
static void open_halves(void)
{
    const rp_world_options_t options = {.width = 200, .height = 200, .neighbors = 8};
    uint64_t version = 0;
    const rp_edit_t wall = {.x = 100, .width = 1, .height = 200, .fill = 0};
    const rp_edit_t building = {.x = 20, .y = 60, .width = 5, .height = 5, .fill = 0};
    rp_scene_open(&scene, &options);
    ck_assert_int_eq(
        rp_engine_apply(scene.engine, scene.world, &wall, (rp_cause_t){0, 0}, &version), RP_OK);
    ck_assert_int_eq(
        rp_engine_apply(scene.engine, scene.world, &building, (rp_cause_t){0, 0}, &version), RP_OK);
}

START_TEST(once_one_was_cut_off_the_others_need_no_search)
{
    open_halves();
    (void)rp_scene_session(&scene, NULL, 5, 5, 190, 190);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_NO_PATH);
    for (uint32_t i = 0; i < 20; i++) {
        (void)rp_scene_session(&scene, NULL, 5, 5u + i, 190, 170);
        const rp_answer_t answer = rp_scene_answer(&scene);
        ck_assert_int_eq(answer.outcome, RP_ANSWER_NO_PATH);
        ck_assert_uint_eq(answer.expansions, 0);
    }
    (void)rp_scene_session(&scene, NULL, 5, 5, 90, 170);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
}
END_TEST

START_TEST(who_has_no_path_sleeps_until_a_change_joins_the_endpoints)
{
    open_halves();
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 5, 5, 190, 190);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_NO_PATH);
    for (uint32_t i = 0; i < 5; i++) { // freed on its own side; a hole in the wall that is no way
        (void)rp_scene_set(&scene, 20u + i, 60, 1);
        ck_assert(rp_engine_is_sure(scene.engine, session));
        (void)rp_scene_set(&scene, 101, 60u + i, 0);
        ck_assert(rp_engine_is_sure(scene.engine, session));
    }
    (void)rp_scene_set(&scene, 100, 62, 1);
    ck_assert(rp_engine_is_sure(scene.engine, session));
    (void)rp_scene_set(&scene, 101, 62, 1);
    ck_assert(!rp_engine_is_sure(scene.engine, session));
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
}
END_TEST

START_TEST(who_cannot_begin_or_end_sleeps_until_that_changes)
{
    open_halves();
    const rp_edit_t sides = {.x = 99, .y = 8, .width = 3, .height = 3};
    uint64_t version;
    ck_assert_int_eq(
        rp_engine_apply(scene.engine, scene.world, &sides, (rp_cause_t){0, 0}, &version), RP_OK);
    const rp_session_id_t walled_in = rp_scene_session(&scene, NULL, 100, 9, 5, 5);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_START_BLOCKED);
    const rp_session_id_t barred = rp_scene_session(&scene, NULL, 5, 5, 100, 190);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_GOAL_BLOCKED);
    const rp_session_id_t outside = rp_scene_session(&scene, NULL, 5, 5, 300, 190);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_OUTSIDE);
    (void)rp_scene_set(&scene, 20, 180, 0);
    ck_assert(rp_engine_is_sure(scene.engine, walled_in));
    ck_assert(rp_engine_is_sure(scene.engine, barred));
    (void)rp_scene_set(&scene, 100, 190, 1);
    ck_assert(!rp_engine_is_sure(scene.engine, barred));
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
    (void)rp_scene_set(&scene, 99, 9, 1);
    ck_assert(!rp_engine_is_sure(scene.engine, walled_in));
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
    ck_assert(rp_engine_is_sure(scene.engine, outside));
}
END_TEST

int main(void)
{
    const TTest *const walks[] = {after_any_walk_cells_are_connected_as_a_flood_says};
    const TTest *const tests[] = {
        a_wall_across_all_tiles_cuts_and_a_gap_in_it_joins,
        a_board_of_single_cells_has_room_for_all_its_labels,
        who_was_cut_off_needs_no_search_to_know_that_it_still_is,
        once_one_was_cut_off_the_others_need_no_search,
        who_has_no_path_sleeps_until_a_change_joins_the_endpoints,
        who_cannot_begin_or_end_sleeps_until_that_changes,
    };
    const int failed = rp_suite_run("components: walks", walks, 1, 20, tear_down);
    return rp_suite_run("components", tests, sizeof tests / sizeof tests[0], 1, tear_down) + failed;
}
