/// Workload: what is learnt of what happens, and when another trip begins.
#include <check.h>

#include "planners/portfolio/workload.h"
#include "tests/support/suite.h"

#define SIDE 200u

static rp_grid_t *grid;
static rp_metric_t metric;
static rp_workload_t workload;

static rp_cell_t at(uint32_t x, uint32_t y)
{
    return rp_grid_cell(grid, x, y);
}

static void begin(void)
{
    const rp_grid_shape_t shape = {SIDE, SIDE, 8, false, 1, 1};
    rp_grid_destroy(&grid); // of the world before
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    metric = rp_metric_of(grid);
    rp_workload_begin(&workload, at(10, 10), at(190, 190));
}

static void tear_down(void)
{
    rp_grid_destroy(&grid);
}

/// An update: the ends as they are then, and a batch round a place.
static bool note(rp_cell_t start, rp_cell_t goal, uint32_t x, uint32_t y, size_t count)
{
    rp_change_t changes[32];
    const rp_goal_t end = {.cell = goal};
    for (size_t i = 0; i < count; i++) {
        changes[i] = (rp_change_t){at(x + (uint32_t)i % 6u, y + (uint32_t)i / 6u), 1, 0};
    }
    const rp_update_t update = {
        .changes = changes,
        .change_count = count,
        .goals = &end,
        .goal_count = 1,
        .start = start,
        .start_moved = start != workload.start,
        .goals_changed = goal != workload.goal,
    };
    return rp_workload_note(&workload, grid, &metric, &update);
}

START_TEST(what_happens_for_the_first_time_is_a_habit)
{
    begin();
    ck_assert(note(at(11, 10), workload.goal, 0, 0, 0));
    ck_assert_uint_ge(workload.walking, RP_WORKLOAD_OFTEN);
    ck_assert_uint_lt(workload.hunting, RP_WORKLOAD_OFTEN);
}
END_TEST

START_TEST(what_happens_later_takes_some_times)
{
    begin();
    ck_assert(note(workload.start, workload.goal, 50, 50, 3));
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert(note(workload.start, at(190 - i % 2u, 189), 0, 0, 0));
        ck_assert_uint_lt(workload.hunting, RP_WORKLOAD_OFTEN);
    }
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert(note(workload.start, at(190 - i % 2u, 188), 0, 0, 0));
    }
    ck_assert_uint_ge(workload.hunting, RP_WORKLOAD_OFTEN);
}
END_TEST

START_TEST(what_does_not_happen_any_more_is_forgotten)
{
    begin();
    ck_assert(note(at(11, 10), workload.goal, 0, 0, 0));
    for (uint32_t i = 0; i < 12; i++) {
        ck_assert(note(workload.start, workload.goal, 50, 50, 3));
    }
    ck_assert_uint_lt(workload.walking, RP_WORKLOAD_OFTEN);
}
END_TEST

START_TEST(an_end_that_jumps_begins_another_trip)
{
    begin();
    ck_assert(!note(at(10 + RP_WORKLOAD_JUMP + 1u, 10), workload.goal, 0, 0, 0));
    ck_assert(note(at(10 + RP_WORKLOAD_JUMP + 2u, 10), workload.goal, 0, 0, 0));
    ck_assert(!note(workload.start, at(20, 20), 0, 0, 0));
}
END_TEST

/// It may come from far when it is heard of late: along what was shown, but not farther.
START_TEST(a_start_that_goes_on_along_its_path_does_not_jump)
{
    rp_cell_t cells[100];
    begin();
    for (uint32_t i = 0; i < 100; i++) {
        cells[i] = at(10 + i, 10);
    }
    for (uint32_t steps = 1; steps < 100; steps++) {
        begin();
        const rp_goal_t end = {.cell = workload.goal};
        const rp_update_t update = {.goals = &end,
                                    .goal_count = 1,
                                    .start = cells[steps],
                                    .start_moved = true,
                                    .shown = {cells, 100}};
        ck_assert_int_eq(rp_workload_note(&workload, grid, &metric, &update),
                         steps < RP_WORKLOAD_STRIDE);
    }
}
END_TEST

START_TEST(ends_that_come_near_once_after_a_jump_make_no_trip)
{
    begin();
    ck_assert(note(at(11, 10), workload.goal, 0, 0, 0));
    ck_assert(rp_workload_is_trip(&workload));
    ck_assert(!note(at(100, 100), at(110, 110), 0, 0, 0));
    for (uint32_t i = 1; i < RP_WORKLOAD_TRIP; i++) {
        ck_assert(note(at(100 + i, 100), at(110, 110 + i), 0, 0, 0));
        ck_assert(!rp_workload_is_trip(&workload));
    }
    ck_assert(note(workload.start, workload.goal, 100, 105, 1));
    ck_assert(rp_workload_is_trip(&workload));
}
END_TEST

START_TEST(trip_after_trip_is_a_habit_until_ends_walk_again)
{
    begin();
    for (uint32_t i = 0; i < 8; i++) {
        ck_assert_uint_eq(rp_workload_is_restless(&workload), i > 5);
        ck_assert(!note(at(10 + 40 * (i % 2), 10), at(180, 20 + 100 * (i % 2)), 0, 0, 0));
    }
    for (uint32_t i = 0; i < 8; i++) {
        ck_assert(note(at(50 + i, 10), workload.goal, 0, 0, 0));
    }
    ck_assert(!rp_workload_is_restless(&workload));
}
END_TEST

START_TEST(a_batch_near_the_goal_is_seen_and_a_small_one_is_not)
{
    begin();
    ck_assert(note(workload.start, workload.goal, 180, 180, RP_WORKLOAD_BATCH - 1u));
    ck_assert_uint_eq(workload.near_goal, 0);
    begin();
    ck_assert(note(workload.start, workload.goal, 180, 180, RP_WORKLOAD_BATCH));
    ck_assert_uint_ge(workload.near_goal, RP_WORKLOAD_MOSTLY);
    for (uint32_t i = 0; i < 8; i++) {
        ck_assert(note(workload.start, workload.goal, 20, 20, RP_WORKLOAD_BATCH));
    }
    ck_assert_uint_lt(workload.near_goal, RP_WORKLOAD_MOSTLY);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_happens_for_the_first_time_is_a_habit,
        what_happens_later_takes_some_times,
        what_does_not_happen_any_more_is_forgotten,
        an_end_that_jumps_begins_another_trip,
        a_start_that_goes_on_along_its_path_does_not_jump,
        ends_that_come_near_once_after_a_jump_make_no_trip,
        trip_after_trip_is_a_habit_until_ends_walk_again,
        a_batch_near_the_goal_is_seen_and_a_small_one_is_not,
    };
    return rp_suite_run("workload", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
