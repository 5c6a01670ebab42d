/// Where batches lie: the box round them, held against a look at each.
#include "planners/grid/batch_summary.h"

#include <string.h>

#include "planners/grid/metric.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define CHANGES 20u

static rp_grid_t *new_grid(rp_random_t *random)
{
    const rp_grid_shape_t shape = {
        .width = rp_random_between(random, 3, 300),
        .height = rp_random_between(random, 3, 300),
        .neighbors = rp_random_chance(random, 50) ? 8 : 4,
        .wraps = rp_random_chance(random, 25),
        .unit = 1,
        .least = 1,
    };
    rp_grid_t *grid;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    return grid;
}

/// Places anywhere, the rim's and those behind the last row included, or real cells close together.
static void draw(const rp_grid_t *grid, rp_random_t *random, rp_change_t *changes, size_t count)
{
    const bool are_close = rp_random_chance(random, 50);
    const uint32_t x = rp_random_below(random, grid->shape.width);
    const uint32_t y = rp_random_below(random, grid->shape.height);
    for (size_t i = 0; i < count; i++) {
        const uint32_t across = (x + rp_random_below(random, 5)) % grid->shape.width;
        const uint32_t down = (y + rp_random_below(random, 5)) % grid->shape.height;
        changes[i].cell = are_close ? rp_grid_cell(grid, across, down)
                                    : rp_random_below(random, grid->cell_count + grid->stride);
    }
}

START_TEST(a_site_is_the_box_round_all_places_of_a_batch)
{
    rp_random_t random = {5};
    for (unsigned round = 0; round < 2000; round++) {
        rp_grid_t *grid = new_grid(&random);
        rp_change_t changes[CHANGES] = {0};
        const size_t count = rp_random_between(&random, 1, CHANGES);
        draw(grid, &random, changes, count);
        const rp_extent_t extent =
            rp_extent_builder_extent(grid, rp_extent_of(grid, changes, count));
        rp_extent_t expected = {UINT32_MAX, 0, UINT32_MAX, 0};
        bool are_inside = true;
        for (size_t i = 0; i < count; i++) {
            const uint32_t row = changes[i].cell / grid->stride;
            const uint32_t column = changes[i].cell % grid->stride;
            expected.left = column < expected.left ? column : expected.left;
            expected.right = column > expected.right ? column : expected.right;
            expected.top = row < expected.top ? row : expected.top;
            expected.bottom = row > expected.bottom ? row : expected.bottom;
            are_inside = are_inside && rp_grid_holds(grid, changes[i].cell);
        }
        ck_assert_mem_eq(&extent, &expected, sizeof extent);
        ck_assert_int_eq(rp_extent_is_inside(&extent, grid), are_inside);
        rp_grid_destroy(&grid);
    }
}
END_TEST

START_TEST(no_cell_of_a_site_is_nearer_than_the_site)
{
    rp_random_t random = {6};
    for (unsigned round = 0; round < 2000; round++) {
        rp_grid_t *grid = new_grid(&random);
        const rp_metric_t metric = rp_metric_of(grid);
        rp_change_t changes[CHANGES] = {0};
        const size_t count = rp_random_between(&random, 1, CHANGES);
        for (size_t i = 0; i < count; i++) {
            const uint32_t y = rp_random_below(&random, grid->shape.height);
            changes[i].cell = rp_grid_cell(grid, rp_random_below(&random, grid->shape.width), y);
        }
        const rp_extent_t extent =
            rp_extent_builder_extent(grid, rp_extent_of(grid, changes, count));
        const rp_point_t from = {(int32_t)rp_random_below(&random, grid->shape.width),
                                 (int32_t)rp_random_below(&random, grid->shape.height)};
        const rp_cost_t bound = rp_bound_to_extent(&metric, from, &extent);
        for (size_t i = 0; i < count; i++) {
            const rp_cost_t each = rp_bound(&metric, from, rp_point_of(grid, changes[i].cell));
            ck_assert_uint_le(bound, each);
            ck_assert(count != 1 || grid->shape.wraps || bound == each);
        }
        rp_grid_destroy(&grid);
    }
}
END_TEST

START_TEST(a_gist_is_known_of_what_the_grid_wrote_last_and_looked_up_else)
{
    rp_random_t random = {7};
    for (unsigned round = 0; round < 2000; round++) {
        rp_grid_t *grid = new_grid(&random);
        rp_change_t changes[CHANGES] = {0};
        const size_t count = rp_random_between(&random, 1, CHANGES);
        for (size_t i = 0; i < count; i++) {
            const uint32_t y = rp_random_below(&random, grid->shape.height);
            changes[i].cell = rp_grid_cell(grid, rp_random_below(&random, grid->shape.width), y);
            changes[i].after = (uint8_t)rp_random_below(&random, 3);
        }
        rp_grid_write(grid, changes, count);
        const rp_batch_summary_t looked_up = rp_batch_summary_of(grid, changes, count);
        rp_change_t copy[CHANGES];
        memcpy(copy, changes, count * sizeof *copy);
        rp_batch_summary_t room;
        const rp_batch_summary_t *known = rp_batch_summary_take(grid, changes, count, true, &room);
        ck_assert_ptr_eq(known, rp_batch_summary_take(grid, copy, count, true, &room));
        ck_assert_mem_eq(&known->extent, &looked_up.extent, sizeof known->extent);
        ck_assert_int_eq(known->has_cheaper, looked_up.has_cheaper);
        ck_assert_int_eq(known->has_same, looked_up.has_same);
        ck_assert_ptr_eq(rp_batch_summary_take(grid, changes, count, false, &room), &room);
        ck_assert_mem_eq(&room.extent, &looked_up.extent, sizeof room.extent);
        copy[count - 1u].cell = 0; // on the rim, whoever says that the grid wrote it
        ck_assert_ptr_null(rp_batch_summary_take(grid, copy, count, true, &room));
        ck_assert_ptr_null(rp_batch_summary_take(grid, copy, count, false, &room));
        rp_grid_destroy(&grid);
    }
}
END_TEST

START_TEST(a_gist_is_not_taken_from_an_older_batch)
{
    const rp_grid_shape_t shape = {.width = 9, .height = 9, .neighbors = 8, .unit = 1, .least = 1};
    rp_grid_t *grid;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_change_t older = {.cell = rp_grid_cell(grid, 7, 7), .after = 0};
    rp_change_t newer = {.cell = rp_grid_cell(grid, 1, 1), .after = 0};
    rp_batch_summary_t room;
    rp_grid_write(grid, &older, 1);
    rp_grid_write(grid, &newer, 1);
    const rp_batch_summary_t *summary =
        rp_batch_summary_take(grid, &older, 1, false, &room); // two were written since
    ck_assert_ptr_nonnull(summary);
    ck_assert_uint_eq(summary->extent.left, 8);
    rp_change_t both[] = {older, newer};
    summary = rp_batch_summary_take(grid, both, 2, true, &room);
    ck_assert_ptr_nonnull(summary);
    ck_assert_uint_eq(summary->extent.left, 2);
    ck_assert_uint_eq(summary->extent.right, 8);
    rp_grid_destroy(&grid);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_site_is_the_box_round_all_places_of_a_batch,
        no_cell_of_a_site_is_nearer_than_the_site,
        a_gist_is_known_of_what_the_grid_wrote_last_and_looked_up_else,
        a_gist_is_not_taken_from_an_older_batch,
    };
    return rp_suite_run("batch_summary", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
