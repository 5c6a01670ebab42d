/// A guided search, held against Dijkstra on ground of every kind, in slices.
#include "planners/jump/guided.h"

#include <stdlib.h>

#include "planners/jump/jump.h"
#include "planners/jump/jump_path.h"
#include "tests/support/drawing.h"
#include "tests/support/oracle.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;
static rp_grid_t *grid;
static rp_oracle_t *oracle; ///< the same ground
static rp_jump_t jump;
static rp_guided_t lead;
static rp_random_t chance;

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
    rp_oracle_destroy(&oracle);
    rp_grid_destroy(&grid);
}

/// The grid is there: the same ground for the oracle, and a search on it.
static void open_ground(void)
{
    const uint32_t width = grid->shape.width;
    const uint32_t height = grid->shape.height;
    oracle = rp_oracle_new(&grid->shape);
    ck_assert_ptr_nonnull(oracle);
    for (uint32_t place = 0; place < width * height; place++) {
        oracle->factors[place] = grid->factor[rp_grid_cell(grid, place % width, place / width)];
    }
    rp_jump_init_nodes(&jump, height, grid->stride, &arena);
    rp_guided_init(&lead, grid, &arena);
    rp_free_map_read(&lead.bfs.map, grid, lead.bfs.simd);
}

static void scatter(uint32_t width, uint32_t height, uint32_t percent)
{
    const rp_grid_shape_t shape = {
        .width = width, .height = height, .neighbors = 8, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (uint32_t place = 0; place < width * height; place++) {
        rp_grid_set(grid, rp_grid_cell(grid, place % width, place / width),
                    !rp_random_chance(&chance, percent));
    }
    open_ground();
}

static void draw(const char *text)
{
    grid = rp_drawing_grid(text, 8, false);
    ck_assert_ptr_nonnull(grid);
    open_ground();
}

static uint32_t place_at(uint32_t x, uint32_t y)
{
    return y * grid->shape.width + x;
}

/// A free place, row by row.
static uint32_t draw_free_place(void)
{
    uint32_t place;
    do {
        place = rp_random_below(&chance, grid->shape.width * grid->shape.height);
    } while (oracle->factors[place] == 0);
    return place;
}

static uint32_t jump_place(uint32_t place)
{
    return rp_jump_place(place % grid->shape.width + 1u, place / grid->shape.width + 1u);
}

/// Twice what the cells cost that were found, as the oracle counts.
static uint64_t cost_of_path(uint32_t root, uint32_t target)
{
    const uint32_t width = grid->shape.width;
    rp_cell_t *cells = calloc(grid->cell_count, sizeof *cells);
    uint32_t *places = calloc(grid->cell_count, sizeof *places);
    uint64_t cost;
    double lengths;
    ck_assert(cells != NULL && places != NULL);
    const uint32_t count = rp_jump_path(&jump, cells);
    for (uint32_t i = 0; i < count; i++) {
        places[i] = rp_grid_y(grid, cells[i]) * width + rp_grid_x(grid, cells[i]);
    }
    ck_assert(rp_oracle_measure(oracle, places, count, &cost, &lengths));
    ck_assert_uint_eq(places[0], target);
    ck_assert_uint_eq(places[count - 1u], root);
    free(cells);
    free(places);
    return cost;
}

/// Search in slices of so many expansions.
static void search(uint32_t root, uint32_t target, uint64_t slice)
{
    rp_search_stats_t stats = {0};
    rp_status_t status = RP_MORE;
    rp_guided_begin(&lead, &jump, jump_place(root), jump_place(target));
    while (status == RP_MORE) {
        uint64_t budget = slice;
        status = rp_guided_search(&lead, &jump, &budget, &stats);
    }
}

static void check_answer(uint32_t root, uint32_t target)
{
    rp_oracle_flood(oracle, root);
    ck_assert(jump.is_found == (oracle->cost[target] != RP_ORACLE_NO_PATH));
    if (jump.is_found) {
        ck_assert_uint_eq(cost_of_path(root, target), oracle->cost[target]);
    }
}

/// Between two places that are drawn by lot.
static void compare(uint64_t slice)
{
    const uint32_t root = draw_free_place();
    const uint32_t target = draw_free_place();
    search(root, target, slice);
    check_answer(root, target);
}

START_TEST(a_path_is_a_cheapest_one_whatever_the_ground)
{
    chance.state = (uint64_t)_i + 1u;
    for (int world = 0; world < 10; world++) {
        const uint32_t percent = rp_random_below(&chance, 45);
        const uint32_t height = rp_random_between(&chance, 2, 200);
        scatter(rp_random_between(&chance, 2, 200), height, percent);
        for (int round = 0; round < 10; round++) {
            compare(round % 2 == 0 ? UINT64_MAX : rp_random_between(&chance, 1, 300));
        }
        tear_down();
    }
}
END_TEST

/// Fewest lines lead over the wall, fewest moves below it. If rings were cut off by less than what
/// the walk costs, they would meet the root over the wall only: it would seem to have more moves,
/// and that way, which is dearer, no detour at all.
START_TEST(hops_are_counted_on_the_way_with_more_lines)
{
    draw("................\n"
         "................\n"
         "................\n"
         "..............#.\n"
         ".............#..\n"
         ".............#..\n"
         "............#...\n"
         "................");
    const uint32_t root = place_at(0, 0);
    const uint32_t target = place_at(15, 5);
    search(root, target, UINT64_MAX);
    check_answer(root, target);
}
END_TEST

/// The root is in a trap. Were rings cut off at what its hops and lines come to, as soon as these
/// are known, they would meet a dearer way out, and not all of the cheapest.
START_TEST(rings_go_on_to_meet_the_detours_that_are_looked_at)
{
    draw("........................\n"
         "........................\n"
         ".......#................\n"
         "......#.................\n"
         ".....#..................\n"
         ".....#..................\n"
         "..#.#...................\n"
         "..##....................\n"
         ".#............#.........\n"
         "........................\n"
         "..#.....................\n"
         "........................\n"
         "........................\n"
         "........................\n"
         "........................\n"
         "........................");
    search(place_at(1, 5), place_at(22, 15), UINT64_MAX);
    check_answer(place_at(1, 5), place_at(22, 15));
}
END_TEST

/// Odd, as the layer of a place is taken to be.
static bool is_odd(uint32_t x, uint32_t y)
{
    const int parity = rp_bit_bfs_parity(&lead.bfs, x, y);
    return ((parity < 0 ? lead.beyond : (uint32_t)parity) & 1u) != 0;
}

/// Half the lines that a step costs beyond what it gains. It gains one, if it leads towards the
/// root, and loses one if it leads away, unless the layer changes.
static unsigned lines_of_step(uint32_t x, uint32_t y, uint32_t to_x, uint32_t to_y)
{
    const int32_t root_x = (int32_t)lead.root_x;
    const int32_t root_y = (int32_t)lead.root_y;
    const bool is_away = abs((int32_t)to_x - root_x) + abs((int32_t)to_y - root_y) >
                         abs((int32_t)x - root_x) + abs((int32_t)y - root_y);
    return (is_odd(x, y) != is_odd(to_x, to_y)) == is_away;
}

static void check_lines(uint32_t x, uint32_t y)
{
    const rp_guided_lines_t lines = rp_guided_lines(&lead.bfs, lead.beyond, x, y);
    unsigned legal = grid->moves[rp_grid_cell(grid, x, y)];
    for (; legal != 0; legal &= legal - 1u) {
        const unsigned direction = (unsigned)__builtin_ctz(legal);
        const uint32_t to_x = x + rp_guided_right(direction);
        const uint32_t to_y = y + rp_guided_down(direction);
        const unsigned twice = (to_x != x ? lines_of_step(x, y, to_x, y) : 0u) +
                               (to_y != y ? lines_of_step(to_x, y, to_x, to_y) : 0u);
        ck_assert_uint_eq((lines.some >> direction & 1u) + (lines.four >> direction & 1u), twice);
    }
}

START_TEST(the_lines_of_all_moves_are_those_of_each)
{
    chance.state = (uint64_t)_i + 300u;
    scatter(200, 150, rp_random_between(&chance, 15, 35));
    for (int round = 0; round < 4; round++) {
        const uint32_t to = draw_free_place();
        search(draw_free_place(), to, UINT64_MAX);
        if (!jump.is_found) {
            continue;
        }
        for (uint32_t place = 0; place < 200u * 150u; place++) {
            if (oracle->factors[place] != 0) {
                check_lines(place % 200u, place / 200u);
            }
        }
    }
}
END_TEST

/// Names of nodes begin again: those that searches before left in the table and by cell mean
/// nothing then.
START_TEST(names_of_nodes_are_used_again)
{
    chance.state = (uint64_t)_i + 500u;
    const uint32_t side = _i % 2 == 0 ? 60u : 200u; // by cell; by hash
    scatter(side, side, 25);
    for (int round = 0; round < 10; round++) {
        const uint32_t root = draw_free_place();
        const uint32_t target = draw_free_place();
        for (int way = 0; way < 2; way++) { // there, then back over the same cells
            jump.names = RP_JUMP_NAMES_MOST;
            search(way == 0 ? root : target, way == 0 ? target : root, UINT64_MAX);
            check_answer(way == 0 ? root : target, way == 0 ? target : root);
            ck_assert_uint_le(jump.names, RP_JUMP_NAMES_MOST);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_path_is_a_cheapest_one_whatever_the_ground,
        hops_are_counted_on_the_way_with_more_lines,
        rings_go_on_to_meet_the_detours_that_are_looked_at,
        the_lines_of_all_moves_are_those_of_each,
        names_of_nodes_are_used_again,
    };
    return rp_suite_run("guided", tests, sizeof tests / sizeof tests[0], 6, tear_down);
}
