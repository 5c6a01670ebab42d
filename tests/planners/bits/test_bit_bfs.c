/// The flood from inside: which cells are reached in which layer, by every kind of instructions.
/// The truth is g + h, with g from the oracle.
#include "planners/bits/bit_bfs.h"
#include "planners/bits/bit_bfs_path.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/drawing.h"
#include "tests/support/oracle.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define EDGE (408u * 2u) ///< what the oracle takes for a step

/// Sides at which words and tiles begin and end.
static const uint32_t sides[] = {1, 2, 31, 63, 64, 65, 66, 127, 128, 129, 130, 191, 192, 193};
#define ROUNDS (sizeof sides / sizeof sides[0])

static rp_grid_t *grid;
static rp_oracle_t *oracle;
static rp_bit_bfs_t bfs;
static rp_bit_bfs_count_t count;
static rp_cell_t *cells; ///< a path
static uint32_t laid;    ///< cells of it that may stand

typedef struct place {
    uint32_t x;
    uint32_t y;
} place_t;

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
    rp_grid_destroy(&grid);
    rp_oracle_destroy(&oracle);
    free(cells);
    cells = NULL;
    laid = 0;
}

// ---- worlds

static void open_world(uint32_t width, uint32_t height)
{
    const rp_grid_shape_t shape = {
        .width = width, .height = height, .neighbors = 4, .unit = 1, .least = 1};
    tear_down();
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    oracle = rp_oracle_new(&shape);
    cells = calloc(grid->cell_count, sizeof *cells);
    ck_assert(oracle != NULL && cells != NULL);
}

static void put(uint32_t x, uint32_t y, bool is_free)
{
    rp_grid_set(grid, rp_grid_cell(grid, x, y), is_free ? 1 : 0);
    oracle->factors[y * grid->shape.width + x] = is_free ? 1 : 0;
}

static void scatter(uint32_t blocked, rp_random_t *random)
{
    for (uint32_t y = 0; y < grid->shape.height; y++) {
        for (uint32_t x = 0; x < grid->shape.width; x++) {
            put(x, y, !rp_random_chance(random, blocked));
        }
    }
}

/// Rows of corridors: walls with one gap each, at the ends by turns.
static void lay_corridors(void)
{
    const uint32_t width = grid->shape.width;
    for (uint32_t y = 1; y < grid->shape.height; y += 2) {
        for (uint32_t x = 0; x < width; x++) {
            put(x, y, x == (y % 4u == 1u ? width - 1u : 0));
        }
    }
}

static void use(rp_simd_t simd)
{
    rp_arena_free(&arena, NULL);
    rp_bit_bfs_init(&bfs, grid->shape.width, grid->shape.height, simd, &arena);
    rp_free_map_read(&bfs.map, grid, simd);
}

static void search(place_t start, place_t goal, uint64_t slice)
{
    count = (rp_bit_bfs_count_t){0};
    rp_bit_bfs_begin(&bfs, start.x, start.y, goal.x, goal.y);
    uint64_t budget = slice;
    while (rp_bit_bfs_search(&bfs, &budget, &count) == RP_MORE) {
        budget = slice;
    }
}

// ---- laws

static uint32_t distance(place_t a, place_t b)
{
    return (a.x > b.x ? a.x - b.x : b.x - a.x) + (a.y > b.y ? a.y - b.y : b.y - a.y);
}

static place_t place_of(uint32_t number)
{
    const uint32_t width = grid->shape.width;
    ck_assert(width != 0);
    return (place_t){number % width, number / width};
}

static uint32_t place_number(place_t place)
{
    return place.y * grid->shape.width + place.x;
}

/// Each cell was reached in the layer of its f, or lies in a later one.
static void check_layers(place_t start, place_t goal)
{
    const uint32_t least = distance(start, goal);
    rp_oracle_flood(oracle, place_number(start));
    const uint64_t cost = oracle->cost[place_number(goal)];
    ck_assert_int_eq(bfs.is_found, cost != RP_ORACLE_NO_PATH);
    ck_assert(rp_bit_bfs_check(&bfs));
    if (bfs.is_found) {
        ck_assert_uint_eq(cost / EDGE, least + 2u * bfs.goal_layer);
    }
    for (uint32_t y = 0; y < grid->shape.height; y++) {
        for (uint32_t x = 0; x < grid->shape.width; x++) {
            const place_t place = {x, y};
            const uint64_t g = oracle->cost[place_number(place)];
            int parity = -1;
            if (g != RP_ORACLE_NO_PATH) {
                const uint64_t layer = (g / EDGE + distance(place, goal) - least) / 2u;
                const bool is_kept = bfs.is_again && rp_bit_bfs_parity(&bfs, x, y) != -1;
                const uint32_t last = is_kept ? bfs.reuse.last_layer : bfs.layer;
                parity = layer <= last ? (int)(layer & 1u) : -1;
            }
            RP_EACH_EQ(rp_bit_bfs_parity(&bfs, x, y), parity);
        }
    }
}

static void check_path(place_t start, place_t goal)
{
    if (!bfs.is_found) {
        return;
    }
    const uint32_t length = rp_bit_bfs_path_count(&bfs);
    const uint32_t stands = rp_bit_bfs_path(&bfs, grid->stride, cells, laid);
    ck_assert_uint_lt(stands, length);
    const rp_path_t path = {cells, length};
    ck_assert_uint_eq(length, distance(start, goal) + 2u * bfs.goal_layer + 1u);
    ck_assert_uint_eq(cells[0], rp_grid_cell(grid, start.x, start.y));
    ck_assert_uint_eq(cells[length - 1u], rp_grid_cell(grid, goal.x, goal.y));
    ck_assert_double_eq(rp_path_cost(&path, grid), (double)(length - 1u));
}

static place_t draw_free(rp_random_t *random)
{
    for (;;) {
        const place_t place = {rp_random_below(random, grid->shape.width),
                               rp_random_below(random, grid->shape.height)};
        if (grid->factor[rp_grid_cell(grid, place.x, place.y)] != 0) {
            return place;
        }
    }
}

/// A goal in the middle, in each corner, and at each side.
static place_t draw_goal(unsigned kind, rp_random_t *random)
{
    const uint32_t last_x = grid->shape.width - 1u;
    const uint32_t last_y = grid->shape.height - 1u;
    place_t goal = draw_free(random);
    goal.x = (kind & 3u) == 1 ? 0 : (kind & 3u) == 2 ? last_x : goal.x;
    goal.y = (kind >> 2 & 3u) == 1 ? 0 : (kind >> 2 & 3u) == 2 ? last_y : goal.y;
    put(goal.x, goal.y, true);
    return goal;
}

// ---- layers

/// What was reached in layers of even number is 0, of odd number 1.
static void check_drawing(const char *world, const char *layers)
{
    rp_drawing_t drawing;
    ck_assert(rp_drawing_read(&drawing, world));
    open_world(drawing.width, drawing.height);
    for (uint32_t y = 0; y < drawing.height; y++) {
        for (uint32_t x = 0; x < drawing.width; x++) {
            put(x, y, drawing.factors[y * drawing.width + x] != 0);
        }
    }
    for (rp_simd_t simd = RP_SIMD_NONE; simd <= rp_simd_best(); simd++) {
        use(simd);
        search(place_of(drawing.start), place_of(drawing.goals[0]), UINT64_MAX);
        for (uint32_t y = 0; y < drawing.height; y++) {
            for (uint32_t x = 0; x < drawing.width; x++) {
                const char drawn = layers[y * (drawing.width + 1u) + x];
                const int parity = drawn == '0' ? 0 : drawn == '1' ? 1 : -1;
                ck_assert_int_eq(rp_bit_bfs_parity(&bfs, x, y), parity);
            }
        }
    }
}

START_TEST(one_layer_is_what_steps_towards_the_goal_reach)
{
    check_drawing("S..\n"
                  "...\n"
                  "..G\n",
                  "000\n"
                  "000\n"
                  "000\n");
    check_drawing("......\n"
                  ".S..#.\n"
                  "...#..\n"
                  "....G.\n"
                  "......\n",
                  "......\n"
                  ".000#.\n"
                  ".00#..\n"
                  ".0000.\n"
                  "......\n");
    check_drawing("..G..\n"
                  "....S\n"
                  ".....\n",
                  "..000\n"
                  "..000\n"
                  ".....\n");
    check_drawing("....S\n"
                  ".G...\n",
                  ".0000\n"
                  ".0000\n");
    check_drawing("G....\n"
                  ".#...\n"
                  "...S.\n",
                  "0000.\n"
                  "0#00.\n"
                  "0000.\n");
}
END_TEST

START_TEST(the_next_layer_begins_with_steps_away)
{
    check_drawing("S#G.\n"
                  "....\n"
                  "....\n",
                  "0#1.\n"
                  "111.\n"
                  "....\n");
    check_drawing("......\n"
                  ".S#.G.\n"
                  "......\n",
                  ".1111.\n"
                  "10#11.\n"
                  ".1111.\n");
    check_drawing("#S###\n"
                  "#.#..\n"
                  "#...G\n",
                  "#0###\n"
                  "#0#..\n"
                  "#0000\n");
}
END_TEST

START_TEST(layers_are_those_of_f_on_every_side_of_every_goal)
{
    for (uint64_t seed = 0; seed < 4; seed++) {
        rp_random_t random = {seed * ROUNDS + (uint64_t)_i};
        const size_t other = rp_random_below(&random, ROUNDS);
        open_world(sides[_i], sides[other]);
        if (seed % 3u == 2u) {
            lay_corridors();
        } else {
            scatter(rp_random_below(&random, 45), &random);
            put(sides[_i] / 2u, sides[other] / 2u, true);
        }
        const place_t goal = draw_goal((unsigned)rp_random_below(&random, 16), &random);
        const place_t start = draw_free(&random);
        for (rp_simd_t simd = RP_SIMD_NONE; simd <= rp_simd_best(); simd++) {
            use(simd);
            search(start, goal, UINT64_MAX);
            check_layers(start, goal);
            check_path(start, goal);
        }
    }
}
END_TEST

START_TEST(start_and_goal_may_be_one)
{
    rp_random_t random = {(uint64_t)_i};
    open_world(sides[_i], 70);
    scatter(30, &random);
    const place_t goal = draw_goal((unsigned)_i, &random);
    use(rp_simd_best());
    search(goal, goal, UINT64_MAX);
    ck_assert(bfs.is_found);
    check_layers(goal, goal);
    check_path(goal, goal);
}
END_TEST

// ---- one search after the other

static void go_on(uint64_t slice)
{
    count = (rp_bit_bfs_count_t){0};
    uint64_t budget = slice;
    while (rp_bit_bfs_search(&bfs, &budget, &count) == RP_MORE) {
        budget = slice;
    }
}

/// Rewrite a free or blocked place at most so far from the goal. @return how far from the start
static uint32_t rewrite_near(place_t start, place_t goal, uint32_t radius, rp_random_t *random)
{
    for (;;) {
        const place_t place = {goal.x + rp_random_below(random, 2u * radius + 1u) - radius,
                               goal.y + rp_random_below(random, 2u * radius + 1u) - radius};
        const bool is_inside = place.x < grid->shape.width && place.y < grid->shape.height;
        if (is_inside && distance(place, goal) <= radius && distance(place, goal) != 0 &&
            distance(place, start) != 0) {
            const bool is_free = !rp_random_chance(random, 25);
            put(place.x, place.y, is_free);
            rp_free_map_set(&bfs.map, place.x, place.y, is_free);
            return distance(place, start);
        }
    }
}

START_TEST(what_lies_far_from_all_changes_is_not_searched_again)
{
    rp_random_t random = {(uint64_t)_i};
    open_world(200u + sides[_i], 100);
    scatter(25, &random);
    const place_t goal = {grid->shape.width - 30u, 60};
    const place_t start = {5, 20u + (uint32_t)_i};
    put(goal.x, goal.y, true);
    put(start.x, start.y, true);
    use(rp_simd_best());
    search(start, goal, UINT64_MAX);
    uint64_t visits_of_whole = 0;
    uint64_t visits_of_part = 0;
    unsigned parts = 0;
    unsigned wholes = 0;
    for (unsigned round = 0; round < 24; round++) {
        const uint32_t radius = round % 10u == 9u ? 150u : 25u;
        uint32_t nearest = UINT32_MAX;
        for (unsigned i = 0; i < 40; i++) {
            const uint32_t steps = rewrite_near(start, goal, radius, &random);
            nearest = steps < nearest ? steps : nearest;
        }
        rp_bit_bfs_begin_again(&bfs, nearest);
        if (round % 7u == 3u) { // changes come before it is over
            uint64_t budget = 20;
            (void)rp_bit_bfs_search(&bfs, &budget, &count);
            rp_bit_bfs_begin_again(&bfs, rewrite_near(start, goal, radius, &random));
        }
        go_on(round % 3u == 0 ? 30u : UINT64_MAX);
        check_layers(start, goal);
        laid = bfs.is_again ? laid : 0;
        check_path(start, goal);
        laid = bfs.is_found ? rp_bit_bfs_path_count(&bfs) : 0;
        if (bfs.is_again) {
            visits_of_part += count.visits;
            parts++;
        } else {
            visits_of_whole += count.visits;
            wholes++;
        }
    }
    ck_assert(parts > 5 && wholes != 0);
    ck_assert(visits_of_part / parts < visits_of_whole / wholes);
}
END_TEST

/// All that a search shows.
static uint64_t fingerprint(void)
{
    uint64_t hash = count.steps * 31u + count.visits * 7u + count.layers + bfs.layer;
    for (uint32_t y = 0; y < grid->shape.height; y++) {
        for (uint32_t x = 0; x < grid->shape.width; x++) {
            hash = hash * 3u + (uint64_t)(rp_bit_bfs_parity(&bfs, x, y) + 1);
        }
    }
    const uint32_t length = bfs.is_found ? rp_bit_bfs_path_count(&bfs) : 0;
    if (bfs.is_found) {
        (void)rp_bit_bfs_path(&bfs, grid->stride, cells, 0);
    }
    for (uint32_t i = 0; i < length; i++) {
        hash = hash * UINT64_C(0x100000001b3) ^ cells[i];
    }
    return hash;
}

START_TEST(wide_instructions_give_what_narrow_ones_give)
{
    rp_random_t random = {(uint64_t)_i};
    open_world(sides[_i] + 100u, 150);
    scatter(25, &random);
    for (int query = 0; query < 6; query++) {
        const place_t start = draw_free(&random);
        const place_t goal = draw_free(&random);
        use(RP_SIMD_NONE);
        search(start, goal, UINT64_MAX);
        const uint64_t narrow = fingerprint();
        for (rp_simd_t simd = RP_SIMD_AVX2; simd <= rp_simd_best(); simd++) {
            use(simd);
            search(start, goal, UINT64_MAX);
            ck_assert_uint_eq(fingerprint(), narrow);
        }
    }
}
END_TEST

START_TEST(slices_find_what_one_go_finds)
{
    static const uint64_t slices[] = {1, 2, 3, 17, 64, 65, 1000};
    rp_random_t random = {(uint64_t)_i};
    open_world(sides[_i] + 30u, 140);
    scatter(35, &random);
    use(rp_simd_best());
    const place_t start = draw_free(&random);
    const place_t goal = draw_free(&random);
    search(start, goal, UINT64_MAX);
    const uint64_t expected = fingerprint();
    for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++) {
        search(start, goal, slices[i]);
        ck_assert_uint_eq(fingerprint(), expected);
    }
}
END_TEST

START_TEST(a_search_knows_nothing_of_the_one_before)
{
    rp_random_t random = {(uint64_t)_i};
    open_world(sides[_i] + 64u, 130);
    scatter(30, &random);
    use(rp_simd_best());
    for (int query = 0; query < 8; query++) {
        if (query == 4) {
            bfs.search = UINT32_MAX; // the numbers are used up
        }
        const uint32_t x = rp_random_below(&random, grid->shape.width);
        const uint32_t y = rp_random_below(&random, grid->shape.height);
        put(x, y, !rp_free_map_is_free(&bfs.map, x, y));
        rp_free_map_set(&bfs.map, x, y, !rp_free_map_is_free(&bfs.map, x, y));
        const place_t start = draw_free(&random);
        const place_t goal = draw_free(&random);
        if (query % 3 == 2) { // left in the midst
            uint64_t budget = 20;
            rp_bit_bfs_begin(&bfs, goal.x, goal.y, start.x, start.y);
            (void)rp_bit_bfs_search(&bfs, &budget, &count);
        }
        search(start, goal, UINT64_MAX);
        check_layers(start, goal);
        check_path(start, goal);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        one_layer_is_what_steps_towards_the_goal_reach,
        the_next_layer_begins_with_steps_away,
        layers_are_those_of_f_on_every_side_of_every_goal,
        start_and_goal_may_be_one,
        wide_instructions_give_what_narrow_ones_give,
        slices_find_what_one_go_finds,
        a_search_knows_nothing_of_the_one_before,
        what_lies_far_from_all_changes_is_not_searched_again,
    };
    return rp_suite_run("bit_bfs", tests, sizeof tests / sizeof tests[0], ROUNDS, tear_down);
}
