/// Lazy fill: bytes: written when somebody needs them, all of them in the end.
#include "engine/ground/lazy_fill.h"

#include <stdlib.h>
#include <string.h>

#include "tests/engine/scene.h"
#include "tests/support/suite.h"

#define SIDE  1100u // more than a million cells
#define CELLS ((uint64_t)SIDE * SIDE)

static rp_scene_t scene;
static uint8_t *bytes;
static rp_lazy_fill_t unfilled;

static void tear_down(void)
{
    rp_scene_close(&scene);
    free(bytes);
    bytes = NULL;
}

/// Cells that are still as they were.
static uint64_t count_unwritten(uint64_t begin, uint64_t end)
{
    uint64_t count = 0;
    for (uint64_t i = begin; i < end; i++) {
        count += bytes[i] == 0xee;
    }
    return count;
}

static void begin(uint64_t cells)
{
    bytes = malloc(cells + 1u);
    ck_assert_ptr_nonnull(bytes);
    memset(bytes, 0xee, cells + 1u);
    rp_lazy_fill_init(&unfilled, bytes, cells, 7);
}

START_TEST(a_small_one_is_written_at_once)
{
    begin(100);
    ck_assert_uint_eq(count_unwritten(0, 100), 0);
    ck_assert_uint_eq(bytes[100], 0xee);
    ck_assert_uint_eq(unfilled.parts, 0);
}
END_TEST

START_TEST(a_large_one_is_written_where_it_is_needed)
{
    begin(CELLS);
    ck_assert_uint_eq(count_unwritten(0, CELLS), CELLS);
    rp_lazy_fill_need(&unfilled, bytes, 500000, 600000);
    ck_assert_uint_eq(count_unwritten(500000, 600000), 0);
    ck_assert_uint_gt(count_unwritten(0, CELLS), CELLS - 150000u);
    bytes[550000] = 9; // what was written since stays
    rp_lazy_fill_need(&unfilled, bytes, CELLS - 1u, CELLS);
    ck_assert_uint_eq(bytes[CELLS - 1u], 7);
    uint64_t budget = 1;
    ck_assert(rp_lazy_fill_work(&unfilled, bytes, &budget));
    ck_assert_uint_eq(budget, 0);
    budget = UINT64_MAX;
    ck_assert(!rp_lazy_fill_work(&unfilled, bytes, &budget));
    ck_assert_uint_eq(count_unwritten(0, CELLS), 0);
    ck_assert_uint_eq(bytes[550000], 9);
    ck_assert_uint_eq(bytes[CELLS], 0xee);
}
END_TEST

static rp_session_id_t open_session(void)
{
    const rp_world_options_t options = {
        .width = SIDE, .height = SIDE, .neighbors = 8, .is_filled = true, .fill = 3};
    rp_scene_open(&scene, &options);
    return rp_scene_session(&scene, NULL, 5, 5, 5, 400);
}

START_TEST(who_plans_waits_and_is_told_the_truth)
{
    rp_answer_t answer;
    const rp_session_id_t session = open_session();
    (void)rp_scene_set(&scene, 5, 200, 0); // before its part is written
    unsigned steps = 1;
    while (rp_engine_step(scene.engine, 0, 500)) {
        steps++;
    }
    ck_assert_uint_gt(steps, 5);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert(answer.cost > 3.0 * 395.0 && answer.cost < 3.0 * 397.0);
    ck_assert_uint_eq(rp_engine_bytes(scene.engine, scene.world)[0], 3);
    ck_assert_uint_eq(rp_engine_bytes(scene.engine, scene.world)[200 * SIDE + 5], 0);
}
END_TEST

/// Whatever else happens to a world first.
START_TEST(who_asks_for_all_bytes_has_them)
{
    const double middle_m = 9.0;
    const rp_shape_t disc = {
        .id = 1, .corners = 1, .x_m = &middle_m, .y_m = &middle_m, .radius_m = 1};
    const rp_overlay_edit_t overlay = {.shapes = &disc, .shape_count = 1};
    const rp_window_t window = {.x = -1, .width = SIDE + 1u, .height = SIDE};
    const rp_cause_t cause = {0, 0};
    uint64_t version;
    (void)open_session();
    if (_i == 0) {
        ck_assert_int_eq(rp_engine_overlay(scene.engine, scene.world, &overlay, cause, &version),
                         RP_OK);
    } else if (_i == 1) {
        ck_assert_int_eq(rp_engine_resize(scene.engine, scene.world, &window, cause, &version),
                         RP_OK);
    }
    const uint8_t *all = rp_engine_bytes(scene.engine, scene.world);
    for (uint64_t i = 50u * SIDE; i < CELLS; i++) {
        RP_EACH_EQ(all[i], _i == 1 && i % (SIDE + 1u) == 0 ? 1 : 3);
    }
}
END_TEST

START_TEST(bytes_that_were_given_are_the_worlds)
{
    const rp_world_options_t bad = {.width = 0, .height = 2, .given = malloc(4)};
    const rp_world_options_t good = {
        .width = 2, .height = 2, .neighbors = 8, .frame = {.resolution_m = 1}, .given = bad.given};
    rp_engine_t *engine;
    rp_world_id_t world;
    ck_assert_ptr_nonnull(bad.given);
    memcpy(bad.given, "\1\2\3\0", 4);
    ck_assert_int_eq(rp_engine_new(&engine), RP_OK);
    ck_assert_int_eq(rp_engine_open_world(engine, &bad, &world), RP_E_INVALID);
    ck_assert_int_eq(rp_engine_open_world(engine, &good, &world), RP_OK);
    ck_assert_ptr_eq(rp_engine_bytes(engine, world), bad.given);
    rp_engine_destroy(&engine);
}
END_TEST

int main(void)
{
    const TTest *const parts[] = {
        a_small_one_is_written_at_once,
        a_large_one_is_written_where_it_is_needed,
        who_plans_waits_and_is_told_the_truth,
        bytes_that_were_given_are_the_worlds,
    };
    const TTest *const all[] = {who_asks_for_all_bytes_has_them};
    int failed = rp_suite_run("lazy_fill", parts, sizeof parts / sizeof parts[0], 1, tear_down);
    failed += rp_suite_run("lazy_fill: all", all, 1, 3, tear_down);
    return failed;
}
