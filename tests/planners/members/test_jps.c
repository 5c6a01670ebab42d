/// Jump point search from inside: costs across words of its map, by landmarks, and on all
/// processors; what it doubts. That paths are optimal in small worlds is the oracle's and the
/// contract's business, too. What it keeps of the ground: test_jps_ground.c.
#include <stdlib.h>

#include "tests/planners/members/jps_scene.h"

/// A world of the oracle's that is the grid's, from whose `start` all costs are known.
static rp_oracle_t *flood_from(rp_cell_t start)
{
    const uint32_t width = grid->shape.width;
    rp_oracle_t *oracle = rp_oracle_new(&grid->shape);
    ck_assert_ptr_nonnull(oracle);
    for (uint32_t place = 0; place < width * grid->shape.height; place++) {
        oracle->factors[place] = grid->factor[rp_grid_cell(grid, place % width, place / width)];
    }
    rp_oracle_flood(oracle, rp_grid_y(grid, start) * width + rp_grid_x(grid, start));
    return oracle;
}

/// Cost of the cheapest path, by the oracle; the greatest for none.
static rp_cost_t cheapest(rp_cell_t start, rp_cell_t goal)
{
    rp_oracle_t *oracle = flood_from(start);
    const uint32_t place = rp_grid_y(grid, goal) * grid->shape.width + rp_grid_x(grid, goal);
    const uint64_t twice = oracle->cost[place];
    rp_oracle_destroy(&oracle);
    return twice == RP_ORACLE_NO_PATH ? RP_COST_INF : (rp_cost_t)(twice / 2u);
}

// ---- search

/// Walk the path that was found. @return its cost, or the greatest
static rp_cost_t cost_of_path(rp_cell_t start, rp_cell_t goal)
{
    ck_assert(jps_check(&jps));
    const uint32_t count = jps_path(&jps, cells, &(rp_path_stands_t){0});
    if (count == 0) {
        return RP_COST_INF;
    }
    ck_assert_uint_eq(cells[0], start);
    ck_assert_uint_eq(cells[count - 1u], goal);
    rp_cost_t cost = 0;
    for (uint32_t i = 1; i < count; i++) {
        const unsigned direction = rp_path_direction(grid, cells[i - 1u], cells[i]);
        ck_assert_uint_ne(direction, RP_DIRECTIONS);
        ck_assert(((grid->moves[cells[i - 1u]] >> direction) & 1u) != 0);
        cost += (direction & 1u) != 0 ? RP_DIAGONAL : RP_STRAIGHT;
    }
    return cost;
}

/// Search between two free cells. @return the cost, or the greatest
static rp_cost_t cost_of(rp_cell_t start, rp_cell_t goal)
{
    rp_search_stats_t stats = {0};
    uint64_t budget = UINT64_MAX;
    begin_between(start, goal);
    ck_assert_int_eq(rp_jump_search(&jps.jump, &budget, &stats), RP_OK);
    return cost_of_path(start, goal);
}

/// The same of a first search, in slices; the map is as it was afterwards.
static rp_cost_t cost_of_first(rp_cell_t start, rp_cell_t goal, uint64_t slice)
{
    const rp_goal_t goals[1] = {{goal, 0}};
    rp_search_stats_t stats = {0};
    rp_status_t status = RP_MORE;
    jps_begin(&jps, start, goals, 1);
    while (status == RP_MORE) {
        uint64_t budget = slice;
        status = jps_search(&jps, &budget, &stats);
        ck_assert(jps_check(&jps));
    }
    const rp_cost_t cost = cost_of_path(start, goal);
    read_grid(&jps);
    return cost;
}

/// Between random cells, as a whole and in slices, against Dijkstra.
static void search_all_ways(uint32_t rounds, rp_random_t *random)
{
    for (uint32_t round = 0; round < rounds; round++) {
        const rp_cell_t start = draw_free_cell(random);
        const rp_cell_t goal = draw_free_cell(random);
        const rp_cost_t cost = cheapest(start, goal);
        ck_assert_uint_eq(cost_of(start, goal), cost);
        const uint64_t slice = round % 2u == 0 ? UINT64_MAX : rp_random_between(random, 1, 300);
        ck_assert_uint_eq(cost_of_first(start, goal, slice), cost);
    }
}

START_TEST(the_cheapest_path_is_found_across_words)
{
    rp_random_t random = {(uint64_t)_i + 7u};
    const uint32_t percent = rp_random_below(&random, 45);
    const uint32_t height = rp_random_between(&random, 60, 260);
    scatter(rp_random_between(&random, 60, 260), height, percent, &random);
    bind();
    search_all_ways(8, &random);
}
END_TEST

/// A jump away from the goal makes f greater by twice its length. Where OPEN had no room for that,
/// a far gap in the wall between the ends would come up before a near one.
START_TEST(of_two_long_ways_round_the_shorter_is_found)
{
    enum {
        START = 500,
        FARTHER = 30
    };
    for (uint32_t near = 100; near < 480; near += 19u) {
        scatter(1100, 3, 0, &(rp_random_t){1});
        for (uint32_t x = 0; x < grid->shape.width; x++) {
            const bool is_gap = x == START - near || x == START + near + FARTHER;
            rp_grid_set(grid, rp_grid_cell(grid, x, 1), is_gap);
        }
        bind();
        const rp_cell_t start = rp_grid_cell(grid, START, 0);
        const rp_cell_t goal = rp_grid_cell(grid, START, 2);
        const rp_cost_t cost = (2u * near + 2u) * RP_STRAIGHT;
        ck_assert_uint_eq(cost_of(start, goal), cost);
        tear_down();
    }
}
END_TEST

/// Long walls on open ground.
static void build_walls(uint32_t side, uint32_t walls, rp_random_t *random)
{
    scatter(side, side, 0, random);
    for (uint32_t wall = 0; wall < walls; wall++) {
        const uint32_t length = rp_random_between(random, side / 8u, side / 2u);
        const uint32_t along = rp_random_below(random, side - length);
        const uint32_t across = rp_random_below(random, side);
        const bool is_row = rp_random_chance(random, 50);
        for (uint32_t i = along; i < along + length; i++) {
            rp_grid_set(grid, rp_grid_cell(grid, is_row ? i : across, is_row ? across : i), 0);
        }
    }
}

START_TEST(walks_that_were_put_off_are_taken_up_behind_long_walls)
{
    rp_random_t random = {(uint64_t)_i + 30u};
    build_walls(rp_random_between(&random, 150, 400), 12, &random);
    bind();
    search_all_ways(8, &random);
}
END_TEST

/// Where what moves are worth it goes wrong, small worlds show it.
START_TEST(the_cheapest_path_is_found_in_small_worlds)
{
    rp_random_t random = {(uint64_t)_i + 400u};
    for (int world = 0; world < 400; world++) {
        const uint32_t percent = rp_random_between(&random, 10, 45);
        const uint32_t height = rp_random_between(&random, 4, 16);
        scatter(rp_random_between(&random, 4, 16), height, percent, &random);
        bind();
        search_all_ways(4, &random);
        tear_down();
    }
}
END_TEST

/// With bounds by landmarks as without, while cells come and go.
START_TEST(the_cheapest_path_is_found_by_landmarks)
{
    rp_random_t random = {(uint64_t)_i + 600u};
    const uint32_t percent = rp_random_below(&random, 45);
    const uint32_t rows = rp_random_between(&random, 20, 160);
    scatter(rp_random_between(&random, 20, 160), rows, percent, &random);
    bind();
    for (unsigned round = 0; round < 6; round++) {
        uint64_t budget = UINT64_MAX;
        ck_assert(rp_landmarks_make(&jps.landmarks, draw_free_cell(&random), &budget));
        ck_assert_ptr_nonnull(rp_landmarks_bounds_to(&jps.landmarks, 0).cells);
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t y = rp_random_below(&random, grid->shape.height);
            const rp_cell_t cell =
                rp_grid_cell(grid, rp_random_below(&random, grid->shape.width), y);
            const uint8_t after = grid->factor[cell] == 0;
            const rp_change_t change = {cell, rp_grid_set(grid, cell, after), after};
            take_changes(&jps, &(rp_update_t){.changes = &change, .change_count = 1});
        }
        jps.is_ready = true;
        read_grid(&jps);
        search_all_ways(2, &random);
    }
}
END_TEST

/// The gap is reached from above and from below at the same cost, and each way has moves of its
/// own.
START_TEST(arrivals_of_equal_cost_are_all_kept)
{
    const unsigned both = 1u << 2 | 1u << 6;
    const uint32_t gap = rp_jump_place(3, 2);
    draw("...#.\n"
         ".#...\n"
         "...#.");
    const rp_cell_t goal = rp_grid_cell(grid, 0, 1);
    (void)cost_of(rp_grid_cell(grid, 3, 1), goal);
    const rp_jump_node_t *node = &jps.jump.nodes[rp_jump_loop_node(&jps.jump, gap)];
    ck_assert_uint_eq(node->waiting | node->expanded, both);
}
END_TEST

/// Search once as old processors do, then as each does that this one includes.
static void search_on_each(rp_cell_t start, rp_cell_t goal, rp_cell_t *old)
{
    const size_t bytes = grid->cell_count * sizeof *old;
    memset(cells, 0, bytes);
    jps.jump.simd = RP_SIMD_NONE;
    const rp_cost_t cost = cost_of(start, goal);
    const uint32_t nodes = jps.jump.node_count;
    memcpy(old, cells, bytes);
    for (rp_simd_t simd = RP_SIMD_AVX2; simd <= rp_simd_best(); simd++) {
        memset(cells, 0, bytes);
        jps.jump.simd = simd;
        ck_assert_uint_eq(cost_of(start, goal), cost);
        ck_assert(memcmp(old, cells, bytes) == 0);
        ck_assert_uint_eq(jps.jump.node_count, nodes);
    }
}

START_TEST(all_processors_find_the_same)
{
    rp_random_t random = {(uint64_t)_i + 70u};
    scatter(150, 130, 30, &random);
    bind();
    jps.jump.simd = RP_SIMD_NONE;
    search_all_ways(8, &random);
    rp_cell_t *old = calloc(grid->cell_count, sizeof *old);
    ck_assert_ptr_nonnull(old);
    for (int round = 0; round < 8; round++) {
        const rp_cell_t start = draw_free_cell(&random);
        search_on_each(start, draw_free_cell(&random), old);
    }
    free(old);
}
END_TEST

/// The table by hash is full in the middle of a search that floods all, as its goal is walled in.
START_TEST(a_search_meets_more_cells_than_its_table_names)
{
    rp_random_t random = {(uint64_t)_i + 20u};
    scatter(400, 400, 25, &random);
    for (uint32_t i = 0; i < 9; i++) {
        rp_grid_set(grid, rp_grid_cell(grid, 200u + i % 3u, 200u + i / 3u), i == 4);
    }
    bind();
    ck_assert(jps.jump.slots != NULL);
    const rp_cell_t goal = rp_grid_cell(grid, 201, 201);
    ck_assert_uint_eq(cost_of(goal, draw_free_cell(&random)), RP_COST_INF);
    ck_assert_uint_gt(jps.jump.node_count, RP_JUMP_SLOTS_FULL);
    ck_assert(jps.jump.is_by_cell);
    search_all_ways(2, &random);
}
END_TEST

START_TEST(a_path_that_is_not_is_told_without_a_flood)
{
    rp_random_t random = {(uint64_t)_i + 31u};
    scatter(500, 400, 25, &random);
    for (uint32_t y = 0; y < 400; y++) {
        rp_grid_set(grid, rp_grid_cell(grid, 250, y), 0);
    }
    const rp_cell_t start = rp_grid_cell(grid, 10, 10);
    const rp_cell_t goal = rp_grid_cell(grid, 490, 390);
    const rp_cell_t door = rp_grid_cell(grid, 250, 200);
    for (uint32_t x = 240; x <= 260; x++) {
        rp_grid_set(grid, rp_grid_cell(grid, x, 200), x != 250);
    }
    rp_grid_set(grid, start, 1);
    rp_grid_set(grid, goal, 1);
    bind();
    const rp_goal_t goals[1] = {{goal, 0}};
    uint64_t slices;
    const uint64_t most = grid->cell_count / DOUBT_FROM + ROW_BUDGET * grid->shape.height + 64u;
    jps_begin(&jps, start, goals, 1);
    ck_assert_uint_le(expanded_to_the_end(UINT64_MAX, &slices), most);
    ck_assert(!jps.jump.is_found);
    // In slices. What is known of the regions is told at once, the other way round too.
    jps_begin(&jps, start, goals, 1);
    ck_assert_uint_le(expanded_to_the_end(50, &slices), most);
    ck_assert_uint_gt(slices, most / 50u);
    ck_assert(!jps.jump.is_found);
    tell(goal, start, NULL, 0);
    ck_assert_uint_eq(expanded_to_the_end(UINT64_MAX, &slices), 0);
    ck_assert(!jps.jump.is_found);
    rp_grid_set(grid, door, 1);
    tell(start, goal, &(rp_change_t){door, 0, 1}, 1);
    (void)expanded_to_the_end(100, &slices);
    ck_assert(jps.jump.is_found == (cheapest(start, goal) != RP_COST_INF));
}
END_TEST

/// A cell that is free is written as it is: no more than that, but the regions are not known any
/// more.
static void touch(rp_cell_t start, rp_cell_t goal, rp_cell_t cell)
{
    uint64_t slices;
    tell(start, goal, &(rp_change_t){cell, 1, 1}, 1);
    (void)expanded_to_the_end(UINT64_MAX, &slices);
}

START_TEST(a_doubt_that_was_needless_comes_later_the_next_time)
{
    rp_random_t random = {(uint64_t)_i + 61u};
    scatter(300, 300, 8, &random);
    const rp_cell_t start = rp_grid_cell(grid, 5, 5);
    const rp_goal_t goal = {rp_grid_cell(grid, 290, 290), 0};
    rp_grid_set(grid, start, 1);
    rp_grid_set(grid, goal.cell, 1);
    ck_assert(cheapest(start, goal.cell) != RP_COST_INF);
    bind();
    jps_begin(&jps, start, &goal, 1);
    read_grid(&jps);
    for (unsigned suspects = 1; suspects <= NEEDLESS_MOST; suspects++) {
        touch(start, goal.cell, start);
        ck_assert(jps.jump.is_found);
        if (!jps.regions.is_found) {
            break;
        }
        ck_assert_uint_eq(jps.needless, suspects);
    }
    ck_assert_uint_gt(jps.needless, 0);
    touch(start, goal.cell, start);
    ck_assert(!jps.regions.is_found); // it was not in doubt
    for (uint32_t x = 0; x < grid->shape.width; x++) {
        const rp_change_t walled = {rp_grid_cell(grid, x, 150), 1, 0};
        rp_grid_set(grid, walled.cell, 0);
        tell(start, goal.cell, &walled, 1);
    }
    touch(start, goal.cell, start);
    ck_assert(!jps.jump.is_found);
    ck_assert_uint_eq(jps.needless, 0);
}
END_TEST

/// Another goal; the search to it, and all the idle time it wants. @return cells expanded
static uint64_t go_to(rp_cell_t start, rp_cell_t cell, uint64_t *idle)
{
    const rp_goal_t goal = {.cell = cell};
    const rp_update_t update = {
        .goals = &goal, .goal_count = 1, .start = start, .goals_changed = true};
    uint64_t slices;
    uint64_t budget = UINT64_MAX;
    ck_assert(jps_update(&jps, &update));
    const uint64_t expanded = expanded_to_the_end(UINT64_MAX, &slices);
    ck_assert_int_eq(jps_idle(&jps, &budget), RP_OK);
    *idle = UINT64_MAX - budget;
    return expanded;
}

START_TEST(landmarks_are_made_when_ends_move_and_spare_most_of_a_search)
{
    rp_random_t random = {(uint64_t)_i + 60u};
    scatter(300, 300, 40, &random);
    bind();
    const rp_cell_t start = draw_free_cell(&random);
    rp_cell_t goals[40];
    uint64_t without = 0;
    uint64_t with = 0;
    uint64_t idle;
    for (unsigned i = 0; i < 40; i++) {
        goals[i] = draw_free_cell(&random);
    }
    for (unsigned i = 0; i < 40; i++) {
        jps.trips = 0; // nothing is made
        without += go_to(start, goals[i], &idle);
        ck_assert_uint_eq(idle, 0);
    }
    jps.trips = LANDMARKS_FROM - 1u;
    (void)go_to(start, start, &idle);
    ck_assert_uint_gt(idle, grid->free_count);
    for (unsigned i = 0; i < 40; i++) {
        with += go_to(start, goals[i], &idle);
        ck_assert_uint_eq(idle, 0);
    }
    ck_assert_uint_lt(2 * with, without);
    ck_assert(jps_check(&jps));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_cheapest_path_is_found_across_words,
        of_two_long_ways_round_the_shorter_is_found,
        walks_that_were_put_off_are_taken_up_behind_long_walls,
        the_cheapest_path_is_found_in_small_worlds,
        the_cheapest_path_is_found_by_landmarks,
        arrivals_of_equal_cost_are_all_kept,
        all_processors_find_the_same,
        a_search_meets_more_cells_than_its_table_names,
        a_path_that_is_not_is_told_without_a_flood,
        a_doubt_that_was_needless_comes_later_the_next_time,
        landmarks_are_made_when_ends_move_and_spare_most_of_a_search,
    };
    return rp_suite_run("jps", tests, sizeof tests / sizeof tests[0], 6, tear_down);
}
