/// The map of free bits is the grid, read in one go by any instructions or written bit by bit.
#include "planners/bits/free_map.h"

#include "planners/grid/batch_summary.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;
static const uint32_t sides[] = {1, 2, 7, 63, 64, 65, 100, 127, 128, 129, 200};
#define ROUNDS (sizeof sides / sizeof sides[0])

static rp_grid_t *grid;
static rp_free_map_t map;

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
    rp_grid_destroy(&grid);
}

static void open_world(uint32_t width, uint32_t height, rp_random_t *random)
{
    const rp_grid_shape_t shape = {
        .width = width, .height = height, .neighbors = 4, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_free_map_init(&map, width, height, &arena);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            static const uint8_t factors[] = {0, 1, 0, 128, 255, 0, 2, 127};
            rp_grid_set(grid, rp_grid_cell(grid, x, y), factors[rp_random_below(random, 8)]);
        }
    }
}

/// What lies round the world blocks, too.
static void check_map(void)
{
    const int32_t width = (int32_t)map.width;
    const int32_t height = (int32_t)map.height;
    for (int32_t y = -64; y < height + 64; y++) {
        for (int32_t x = -64; x < width + 64; x++) {
            const bool is_free = ((*rp_free_map_word(&map, x, y) >> ((uint32_t)x & 63u)) & 1u) != 0;
            const bool is_inside = rp_grid_contains(grid, x, y);
            RP_EACH_EQ(is_free,
                       is_inside &&
                           grid->factor[rp_grid_cell(grid, (uint32_t)x, (uint32_t)y)] != 0);
        }
    }
}

START_TEST(a_map_that_was_read_is_the_grid)
{
    rp_random_t random = {(uint64_t)_i};
    open_world(sides[_i], sides[ROUNDS - 1u - (size_t)_i], &random);
    for (rp_simd_t simd = RP_SIMD_NONE; simd <= rp_simd_best(); simd++) {
        rp_free_map_read(&map, grid, simd);
        check_map();
        rp_grid_set(grid, rp_grid_cell(grid, 0, 0), simd == RP_SIMD_NONE ? 0 : 1);
    }
}
END_TEST

START_TEST(a_map_that_was_written_bit_by_bit_is_the_grid)
{
    rp_random_t random = {(uint64_t)_i};
    open_world(sides[_i], 40, &random);
    rp_free_map_read(&map, grid, RP_SIMD_NONE);
    for (int i = 0; i < 500; i++) {
        const uint32_t x = rp_random_below(&random, sides[_i]);
        const uint32_t y = rp_random_below(&random, 40);
        const bool is_free = rp_random_chance(&random, 50);
        rp_grid_set(grid, rp_grid_cell(grid, x, y), is_free ? 1 : 0);
        rp_free_map_set(&map, x, y, is_free);
        ck_assert_int_eq(rp_free_map_is_free(&map, x, y), is_free);
    }
    check_map();
}
END_TEST

/// Cells inside a box, its corners among them. @return the least number of steps from (x, y) to one
/// that differs now
static uint32_t change_box(rp_random_t *random, const rp_extent_t *box, uint32_t x, uint32_t y,
                           rp_change_t *changes, size_t *count)
{
    uint32_t nearest = UINT32_MAX;
    *count = 0;
    for (uint32_t row = box->top - 1u; row < box->bottom; row++) {
        for (uint32_t column = box->left - 1u; column < box->right; column++) {
            const bool is_corner = (row + 1u == box->top && column + 1u == box->left) ||
                                   (row + 1u == box->bottom && column + 1u == box->right);
            const rp_cell_t cell = rp_grid_cell(grid, column, row);
            if (!is_corner && !rp_random_chance(random, 2)) {
                continue;
            }
            const uint8_t before = grid->factor[cell];
            const uint8_t after = rp_random_chance(random, 50) ? 0 : 3;
            const uint32_t steps =
                (column < x ? x - column : column - x) + (row < y ? y - row : row - y);
            nearest = (before != 0) != (after != 0) && steps < nearest ? steps : nearest;
            rp_grid_set(grid, cell, after);
            changes[(*count)++] = (rp_change_t){cell, before, after};
        }
    }
    return nearest;
}

START_TEST(a_box_that_was_renewed_is_the_grid)
{
    rp_random_t random = {(uint64_t)_i};
    const uint32_t width = sides[_i];
    const uint32_t height = 50;
    static rp_change_t changes[200 * 50];
    open_world(width, height, &random);
    rp_free_map_read(&map, grid, RP_SIMD_NONE);
    for (int round = 0; round < 60; round++) {
        const uint32_t left = rp_random_between(&random, 1, width);
        const uint32_t top = rp_random_between(&random, 1, height);
        const rp_extent_t box = {left, rp_random_between(&random, left, width), top,
                                 rp_random_between(&random, top, height)};
        const uint32_t x = rp_random_below(&random, width);
        const uint32_t y = rp_random_below(&random, height);
        size_t count;
        const uint32_t nearest = change_box(&random, &box, x, y, changes, &count);
        const rp_extent_t found = rp_batch_extent(grid, changes, count);
        ck_assert_mem_eq(&found, &box, sizeof box);
        const rp_simd_t simd = round % 2 == 0 ? RP_SIMD_NONE : rp_simd_best();
        ck_assert_uint_eq(rp_free_map_renew(&map, grid, &box, x, y, simd), nearest);
        ck_assert_uint_eq(rp_free_map_renew(&map, grid, &box, x, y, simd), UINT32_MAX);
        check_map();
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_map_that_was_read_is_the_grid,
        a_map_that_was_written_bit_by_bit_is_the_grid,
        a_box_that_was_renewed_is_the_grid,
    };
    return rp_suite_run("free_map", tests, sizeof tests / sizeof tests[0], ROUNDS, tear_down);
}
