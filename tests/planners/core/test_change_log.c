/// Changes of many batches as one: what a cell was first, what it is last.
#include "planners/core/change_log.h"

#include "planners/core/planner_ops.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define CELLS 40u

static rp_grid_t *grid;
static rp_cell_t first; ///< of the cells that are named

static void begin(void)
{
    const rp_grid_shape_t shape = {
        .width = CELLS, .height = 3, .neighbors = 4, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    first = rp_grid_cell(grid, 0, 1);
}

static void tear_down(void)
{
    rp_grid_destroy(&grid);
}

START_TEST(a_cell_that_is_as_it_was_drops_out)
{
    begin();
    const rp_change_t there[] = {{first + 7u, 1, 0}, {first + 3u, 1, 5}};
    const rp_change_t back[] = {{first + 7u, 0, 1}};
    rp_change_log_t pending = {0};
    rp_change_log_clear(&pending);
    ck_assert_int_eq(rp_change_log_add(&pending, grid, there, 2), RP_OK);
    ck_assert_int_eq(rp_change_log_add(&pending, grid, back, 1), RP_OK);
    rp_change_log_merge(&pending);
    ck_assert_uint_eq(pending.count, 1);
    ck_assert_uint_eq(pending.changes[0].cell, first + 3u);
    ck_assert_uint_eq(pending.changes[0].before, 1);
    ck_assert_uint_eq(pending.changes[0].after, 5);
    ck_assert_uint_eq(pending.natives, RP_NATIVE_DEARER);
    rp_change_log_clear(&pending);
    rp_change_log_merge(&pending);
    ck_assert_uint_eq(pending.count, 0);
    ck_assert_uint_eq(pending.natives, 0);
    rp_change_log_fini(&pending);
}
END_TEST

START_TEST(batches_come_together_as_if_they_were_one)
{
    begin();
    rp_random_t random = {6};
    rp_change_log_t pending = {0};
    for (unsigned round = 0; round < 300; round++) {
        uint8_t before[CELLS];
        uint8_t now[CELLS];
        for (rp_cell_t cell = 0; cell < CELLS; cell++) {
            before[cell] = now[cell] = (uint8_t)rp_random_below(&random, 3);
        }
        rp_change_log_clear(&pending);
        const uint32_t batches = rp_random_between(&random, 1, 6);
        for (uint32_t batch = 0; batch < batches; batch++) {
            rp_change_t changes[CELLS];
            size_t count = 0;
            for (rp_cell_t i = 0; i < CELLS; i++) { // backwards in every second round
                const rp_cell_t cell = round % 2u == 0 ? i : CELLS - 1u - i;
                if (rp_random_chance(&random, 30)) {
                    const uint8_t after = (uint8_t)rp_random_below(&random, 3);
                    changes[count++] = (rp_change_t){first + cell, now[cell], after};
                    now[cell] = after;
                }
            }
            ck_assert_int_eq(rp_change_log_add(&pending, grid, changes, count), RP_OK);
        }
        rp_change_log_merge(&pending);
        size_t differ = 0;
        for (rp_cell_t cell = 0; cell < CELLS; cell++) {
            differ += before[cell] != now[cell];
        }
        ck_assert_uint_eq(pending.count, differ);
        for (size_t i = 0; i < pending.count; i++) {
            const rp_change_t change = pending.changes[i];
            ck_assert_uint_eq(change.before, before[change.cell - first]);
            ck_assert_uint_eq(change.after, now[change.cell - first]);
        }
    }
    rp_change_log_fini(&pending);
}
END_TEST

START_TEST(a_batch_with_a_cell_outside_the_grid_is_not_taken_in)
{
    begin();
    const rp_change_t legal[] = {{first, 1, 0}};
    const rp_change_t on_the_rim[] = {{first + 1u, 1, 0}, {first - 1u, 1, 0}};
    rp_change_log_t pending = {0};
    rp_change_log_clear(&pending);
    for (size_t count = 0; count < 2; count++) {
        ck_assert_int_eq(rp_change_log_add(&pending, grid, on_the_rim, 2), RP_E_INVALID);
        ck_assert_uint_eq(pending.count, count);
        ck_assert_int_eq(rp_change_log_add(&pending, grid, legal, 1), RP_OK);
    }
    rp_change_log_merge(&pending);
    ck_assert_uint_eq(pending.count, 1);
    ck_assert_uint_eq(pending.natives, RP_NATIVE_DEARER);
    rp_change_log_fini(&pending);
}
END_TEST

/// Large batches go through wide instructions where there are any.
#define MANY_SIDE 40u
#define MANY      (MANY_SIDE * MANY_SIDE)

static size_t draw_many(rp_random_t *random, bool all_differ, rp_change_t *changes)
{
    size_t count = 0;
    for (rp_cell_t i = 0; i < MANY; i++) {
        if (rp_random_chance(random, 60)) {
            const uint8_t before = (uint8_t)rp_random_below(random, 256);
            const uint8_t other = (uint8_t)(before + rp_random_between(random, 1, 255));
            const bool differs = all_differ || rp_random_chance(random, 90);
            const rp_cell_t cell = rp_grid_cell(grid, i % MANY_SIDE, i / MANY_SIDE);
            changes[count++] = (rp_change_t){cell, before, differs ? other : before};
        }
    }
    return count;
}

START_TEST(a_large_batch_is_taken_in_as_a_small_one_is)
{
    const rp_grid_shape_t shape = {
        .width = MANY_SIDE, .height = MANY_SIDE, .neighbors = 4, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_random_t random = {7};
    rp_change_log_t whole = {0};
    rp_change_log_t pieces = {0};
    static rp_change_t changes[MANY];
    for (unsigned round = 0; round < 40; round++) {
        const size_t count = draw_many(&random, round % 2u == 0, changes);
        rp_change_log_clear(&whole);
        rp_change_log_clear(&pieces);
        ck_assert_int_eq(rp_change_log_add(&whole, grid, changes, count), RP_OK);
        for (size_t i = 0; i < count; i++) {
            ck_assert_int_eq(rp_change_log_add(&pieces, grid, &changes[i], 1), RP_OK);
        }
        rp_change_log_merge(&whole);
        rp_change_log_merge(&pieces);
        ck_assert_uint_eq(whole.count, pieces.count);
        ck_assert_uint_eq(whole.natives, pieces.natives);
        for (size_t i = 0; i < whole.count; i++) {
            ck_assert_uint_eq(whole.changes[i].cell, pieces.changes[i].cell);
            ck_assert_uint_eq(whole.changes[i].before, pieces.changes[i].before);
            ck_assert_uint_eq(whole.changes[i].after, pieces.changes[i].after);
        }
    }
    rp_change_log_fini(&whole);
    rp_change_log_fini(&pieces);
}
END_TEST

START_TEST(one_cell_outside_the_grid_spoils_a_large_batch)
{
    const rp_grid_shape_t shape = {
        .width = MANY_SIDE, .height = MANY_SIDE, .neighbors = 4, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_random_t random = {8};
    rp_change_log_t pending = {0};
    static rp_change_t changes[MANY];
    const size_t count = draw_many(&random, true, changes);
    for (rp_cell_t cell = 0; cell < 2u * grid->cell_count; cell++) {
        const size_t place = cell % count;
        const rp_change_t legal = changes[place];
        changes[place].cell = cell < grid->cell_count ? cell : UINT32_MAX - cell;
        rp_change_log_clear(&pending);
        ck_assert_int_eq(rp_change_log_add(&pending, grid, changes, count),
                         rp_grid_holds(grid, changes[place].cell) ? RP_OK : RP_E_INVALID);
        changes[place] = legal;
    }
    rp_change_log_fini(&pending);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_cell_that_is_as_it_was_drops_out,
        batches_come_together_as_if_they_were_one,
        a_batch_with_a_cell_outside_the_grid_is_not_taken_in,
        a_large_batch_is_taken_in_as_a_small_one_is,
        one_cell_outside_the_grid_spoils_a_large_batch,
    };
    return rp_suite_run("change_log", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
