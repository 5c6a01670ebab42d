/// What a flood tells of itself, and the path that is laid through it: told to whoever hears, each
/// cell is reached once, at its own g and f; laid again, what stands of a path is not written.
#include "planners/bits/bit_bfs.h"
#include "planners/bits/bit_bfs_path.h"

#include <stdlib.h>
#include <string.h>

#include "replan/path.h"
#include "tests/support/oracle.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define EDGE (408u * 2u) ///< what the oracle takes for a step
#define MORE 2u          ///< layers that are heard of beyond the goal's

enum {
    WIDTH = 200, ///< some tiles on each side of the goal
    HEIGHT = 150,
};

static rp_random_t rng;
static rp_grid_t *grid;
static rp_oracle_t *oracle;
static rp_bit_bfs_t bfs;
static uint32_t start_x;
static uint32_t start_y;
static uint32_t goal_x;
static uint32_t goal_y;

/// What was heard, by cell of the grid.
static uint32_t *heard_g; ///< UINT32_MAX: nothing
static uint32_t *heard_f;
static bool *heard_last;

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
    rp_grid_destroy(&grid);
    rp_oracle_destroy(&oracle);
    free(heard_g);
    free(heard_f);
    free(heard_last);
    heard_g = heard_f = NULL;
    heard_last = NULL;
}

static void put(uint32_t x, uint32_t y, bool is_free)
{
    rp_grid_set(grid, rp_grid_cell(grid, x, y), is_free ? 1 : 0);
    oracle->factors[y * WIDTH + x] = is_free ? 1 : 0;
    rp_free_map_set(&bfs.map, x, y, is_free);
}

/// A world with so many per cent blocked, the goal in its midst or at a side, by the number.
static void open_world(uint32_t blocked, unsigned number)
{
    const rp_grid_shape_t shape = {
        .width = WIDTH, .height = HEIGHT, .neighbors = 4, .unit = 1, .least = 1};
    rng = (rp_random_t){number};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    oracle = rp_oracle_new(&shape);
    heard_g = malloc(grid->cell_count * sizeof *heard_g);
    heard_f = calloc(grid->cell_count, sizeof *heard_f);
    heard_last = calloc(grid->cell_count, sizeof *heard_last);
    ck_assert(oracle != NULL && heard_g != NULL && heard_f != NULL && heard_last != NULL);
    memset(heard_g, 0xff, grid->cell_count * sizeof *heard_g);
    rp_bit_bfs_init(&bfs, WIDTH, HEIGHT, rp_simd_best(), &arena);
    for (uint32_t y = 0; y < HEIGHT; y++) {
        for (uint32_t x = 0; x < WIDTH; x++) {
            put(x, y, !rp_random_chance(&rng, blocked));
        }
    }
    goal_x = number % 3u == 0 ? WIDTH - 1u : rp_random_below(&rng, WIDTH);
    goal_y = number % 5u == 0 ? 0u : rp_random_below(&rng, HEIGHT);
    start_x = rp_random_below(&rng, WIDTH);
    start_y = rp_random_below(&rng, HEIGHT);
    put(goal_x, goal_y, true);
    put(start_x, start_y, true);
}

static uint32_t distance(uint32_t x, uint32_t y, uint32_t to_x, uint32_t to_y)
{
    return (x > to_x ? x - to_x : to_x - x) + (y > to_y ? y - to_y : to_y - y);
}

static void search(void)
{
    rp_bit_bfs_count_t count = {0};
    uint64_t budget = UINT64_MAX;
    ck_assert_int_eq(rp_bit_bfs_search(&bfs, &budget, &count), RP_OK);
}

// ---- who hears of it

static void hear(void *owner, const rp_bit_bfs_news_t *news)
{
    ck_assert_ptr_eq(owner, &bfs);
    for (uint32_t row = 0; row < 64; row++) {
        ck_assert_int_eq(news->words[row] != 0, (news->rows >> row & 1u) != 0);
        for (uint64_t left = news->words[row]; left != 0; left &= left - 1u) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(left);
            const rp_cell_t cell =
                news->corner + row * (uint32_t)news->row_step + bit * (uint32_t)news->bit_step;
            ck_assert_uint_lt(cell, grid->cell_count);
            ck_assert_uint_eq(heard_g[cell], UINT32_MAX); // once
            heard_g[cell] = news->g + row + bit;
            heard_f[cell] = news->f;
            heard_last[cell] = news->is_last;
        }
    }
}

START_TEST(each_cell_up_to_the_last_layer_is_told_once_with_its_g_and_f)
{
    open_world(10u + (uint32_t)_i % 30u, (unsigned)_i);
    rp_bit_bfs_begin(&bfs, start_x, start_y, goal_x, goal_y);
    rp_bit_bfs_tell(&bfs, grid->stride, MORE, hear, &bfs);
    search();
    rp_oracle_flood(oracle, start_y * WIDTH + start_x);
    const uint64_t cost = oracle->cost[goal_y * WIDTH + goal_x];
    const uint64_t last_f = cost == RP_ORACLE_NO_PATH ? UINT64_MAX : cost / EDGE + 2u * MORE;
    ck_assert_int_eq(bfs.is_found, cost != RP_ORACLE_NO_PATH);
    for (uint32_t y = 0; y < HEIGHT; y++) {
        for (uint32_t x = 0; x < WIDTH; x++) {
            const rp_cell_t cell = rp_grid_cell(grid, x, y);
            const uint64_t to_here = oracle->cost[y * WIDTH + x];
            const uint64_t g = to_here / EDGE;
            const uint64_t f = g + distance(x, y, goal_x, goal_y);
            if (to_here == RP_ORACLE_NO_PATH || f > last_f) {
                RP_EACH_EQ(heard_g[cell], UINT32_MAX);
                continue;
            }
            RP_EACH_EQ(heard_g[cell], g);
            RP_EACH_EQ(heard_f[cell], f);
            RP_EACH_EQ(heard_last[cell], f == last_f);
        }
    }
}
END_TEST

// ---- the path

/// Lay the path over what stands. Behind that lies what tempts to take it for more: what is to be
/// written. @return as rp_bit_bfs_path()
static uint32_t lay(rp_cell_t *cells, uint32_t known)
{
    const uint32_t count = rp_bit_bfs_path_count(&bfs);
    rp_cell_t *before = malloc(grid->cell_count * sizeof *before);
    ck_assert_ptr_nonnull(before);
    (void)rp_bit_bfs_path(&bfs, grid->stride, before, 0);
    for (uint32_t i = known; i < grid->cell_count; i++) {
        cells[i] = i < count ? before[i] : RP_NO_CELL;
    }
    memcpy(before, cells, grid->cell_count * sizeof *before);
    const uint32_t stands = rp_bit_bfs_path(&bfs, grid->stride, cells, known);
    ck_assert_uint_le(stands, known);
    ck_assert_mem_eq(cells, before, stands * sizeof *cells);
    ck_assert_mem_eq(cells + count, before + count, (grid->cell_count - count) * sizeof *cells);
    ck_assert_uint_eq(cells[0], rp_grid_cell(grid, start_x, start_y));
    ck_assert_uint_eq(cells[count - 1u], rp_grid_cell(grid, goal_x, goal_y));
    ck_assert_double_eq(rp_path_cost(&(rp_path_t){cells, count}, grid), (double)(count - 1u));
    free(before);
    return stands;
}

/// Changes round the goal, far from the start: the tiles between them are still.
START_TEST(what_lies_in_still_tiles_stands_as_it_was_laid)
{
    open_world(20u, (unsigned)_i);
    goal_x = WIDTH - 20u;
    goal_y = HEIGHT / 2u;
    start_x = 3;
    start_y = 10;
    put(goal_x, goal_y, true);
    put(start_x, start_y, true);
    rp_cell_t *cells = calloc(grid->cell_count, sizeof *cells);
    ck_assert_ptr_nonnull(cells);
    uint32_t known = 0;
    uint32_t stood = 0;
    uint32_t laid = 0;
    rp_bit_bfs_begin(&bfs, start_x, start_y, goal_x, goal_y);
    search();
    for (unsigned round = 0; round < 20; round++) {
        if (bfs.is_found) {
            const uint32_t stands = lay(cells, bfs.is_again ? known : 0);
            ck_assert(bfs.is_again || stands == 0);
            known = rp_bit_bfs_path_count(&bfs);
            stood += bfs.is_again ? stands : 0;
            laid += bfs.is_again ? known : 0;
        } else {
            known = 0;
        }
        uint32_t nearest = UINT32_MAX;
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t x = goal_x - 6u + rp_random_below(&rng, 13);
            const uint32_t y = goal_y - 6u + rp_random_below(&rng, 13);
            const uint32_t steps = distance(x, y, start_x, start_y);
            if (x != goal_x || y != goal_y) {
                put(x, y, !rp_random_chance(&rng, 20));
                nearest = steps < nearest ? steps : nearest;
            }
        }
        rp_bit_bfs_begin_again(&bfs, nearest);
        search();
    }
    ck_assert_uint_ne(laid, 0);
    ck_assert_uint_gt(2u * stood, laid); // as a rule it meets the old one soon
    free(cells);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_cell_up_to_the_last_layer_is_told_once_with_its_g_and_f,
        what_lies_in_still_tiles_stands_as_it_was_laid,
    };
    return rp_suite_run("bit_bfs_path", tests, sizeof tests / sizeof tests[0], 12, tear_down);
}
