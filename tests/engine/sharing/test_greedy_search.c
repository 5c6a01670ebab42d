/// Scouts: what they bring is legal by the oracle, leads to a goal where a small world has a way
/// there, and else to the cell that looks nearest; in slices as at once.
#include "engine/sharing/greedy_search.h"

#include <math.h>
#include <string.h>

#include "tests/support/oracle.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

enum {
    SIDE_MAX = 40, ///< all cells are less than RP_GREEDY_SEARCH_CELLS
    GOALS_MAX = 5,
    ROUNDS = 400,
};

static rp_random_t rng;
static rp_grid_t *grid;
static rp_oracle_t *oracle;
static rp_greedy_search_t greedy;
static rp_goal_t goals[GOALS_MAX];
static rp_oracle_goal_t goal_places[GOALS_MAX];
static size_t goal_count;

static void tear_down(void)
{
    rp_greedy_search_fini(&greedy);
    rp_grid_destroy(&grid);
    rp_oracle_destroy(&oracle);
}

static uint32_t place_of(rp_cell_t cell)
{
    return rp_grid_y(grid, cell) * grid->shape.width + rp_grid_x(grid, cell);
}

static rp_cell_t cell_of(uint32_t place)
{
    return rp_grid_cell(grid, place % grid->shape.width, place / grid->shape.width);
}

static uint32_t place_count(void)
{
    return grid->shape.width * grid->shape.height;
}

static void put(uint32_t place, uint8_t factor)
{
    (void)rp_grid_set(grid, cell_of(place), factor);
    oracle->factors[place] = factor;
}

static void begin(const rp_grid_shape_t *shape)
{
    ck_assert_int_eq(rp_grid_new(shape, &grid), RP_OK);
    oracle = rp_oracle_new(shape);
    ck_assert_ptr_nonnull(oracle);
}

static void begin_at_random(uint32_t blocked_percent)
{
    const bool is_weighted = rp_random_chance(&rng, 50);
    const rp_grid_shape_t shape = {.width = rp_random_between(&rng, 3, SIDE_MAX),
                                   .height = rp_random_between(&rng, 3, SIDE_MAX),
                                   .neighbors = rp_random_chance(&rng, 50) ? 8 : 4,
                                   .wraps = rp_random_chance(&rng, 30),
                                   .unit = is_weighted ? 3 : 1,
                                   .least = is_weighted ? 2 : 1};
    begin(&shape);
    for (uint32_t i = 0; i < place_count(); i++) {
        const uint8_t ground = is_weighted ? (uint8_t)rp_random_between(&rng, 2, 9) : 1;
        put(i, rp_random_chance(&rng, blocked_percent) ? 0 : ground);
    }
    goal_count = 0;
    for (uint32_t i = rp_random_between(&rng, 1, GOALS_MAX); i != 0; i--) {
        const uint32_t place = rp_random_below(&rng, place_count());
        bool is_there = false;
        for (size_t k = 0; k < goal_count; k++) {
            is_there |= goal_places[k].place == place;
        }
        if (!is_there) {
            goal_places[goal_count] = (rp_oracle_goal_t){place, rp_random_below(&rng, 4)};
            goals[goal_count] = (rp_goal_t){cell_of(place), goal_places[goal_count].offset};
            goal_count++;
        }
    }
}

static rp_cell_t free_cell(void)
{
    const uint32_t place = rp_random_below(&rng, place_count());
    put(place, oracle->factors[place] == 0 ? grid->shape.unit : oracle->factors[place]);
    return cell_of(place);
}

static bool is_a_goal(rp_cell_t cell)
{
    bool is_one = false;
    for (size_t i = 0; i < goal_count; i++) {
        is_one |= goals[i].cell == cell;
    }
    return is_one;
}

/// From the start, by legal steps, no cell twice.
static void check_path(const rp_path_t *path, rp_cell_t start)
{
    static uint32_t places[RP_GREEDY_SEARCH_FAR];
    uint64_t whole;
    double lengths;
    ck_assert_uint_ge(path->count, 1);
    ck_assert_uint_eq(path->cells[0], start);
    for (size_t i = 0; i < path->count; i++) {
        places[i] = place_of(path->cells[i]);
    }
    ck_assert(rp_oracle_measure(oracle, places, path->count, &whole, &lengths));
}

static double bound_of(rp_cell_t cell)
{
    return rp_greedy_search_bound(grid, cell, goals, goal_count);
}

START_TEST(no_path_costs_less_than_the_bound)
{
    for (unsigned round = 0; round < RP_ROUNDS(60); round++) {
        begin_at_random(10);
        const double length = (double)rp_oracle_offset(oracle, 1);
        const double same = 1.0 + 4e-6; // the oracle's sqrt 2 is 577 / 408
        rp_oracle_flood_goals(oracle, goal_places, goal_count);
        for (uint32_t i = 0; i < place_count(); i++) {
            RP_EACH(oracle->factors[i] == 0 || oracle->cost[i] == RP_ORACLE_NO_PATH ||
                    bound_of(cell_of(i)) * length <= (double)oracle->cost[i] * same);
        }
        tear_down();
    }
}
END_TEST

START_TEST(where_no_obstacle_stands_the_bound_is_the_cost)
{
    const rp_grid_shape_t shape = {20, 15, 8, true, 3, 2};
    begin(&shape);
    for (uint32_t i = 0; i < place_count(); i++) {
        put(i, 2);
    }
    const rp_goal_t goal = {cell_of(3), 5};
    const rp_oracle_goal_t place = {3, 5};
    rp_oracle_flood_goals(oracle, &place, 1);
    for (uint32_t i = 0; i < place_count(); i++) {
        const double cost = (double)oracle->cost[i] / (double)rp_oracle_offset(oracle, 1);
        RP_EACH(fabs(rp_greedy_search_bound(grid, cell_of(i), &goal, 1) - cost) < 1e-4);
    }
}
END_TEST

START_TEST(it_arrives_where_there_is_a_way_and_else_comes_as_near_as_it_can)
{
    rp_greedy_search_init(&greedy, RP_GREEDY_SEARCH_CELLS);
    unsigned arrivals = 0;
    for (unsigned round = 0; round < RP_ROUNDS(ROUNDS); round++) {
        begin_at_random(rp_random_between(&rng, 0, 55));
        const rp_cell_t start = free_cell();
        rp_path_t path;
        bool arrives;
        ck_assert_int_eq(
            rp_greedy_search_run(&greedy, grid, start, goals, goal_count, &path, &arrives), RP_OK);
        check_path(&path, start);
        const rp_cell_t end = path.cells[path.count - 1u];
        rp_oracle_flood(oracle, place_of(start));
        const bool is_there_a_way =
            rp_oracle_cheapest(oracle, goal_places, goal_count) != RP_ORACLE_NO_PATH;
        ck_assert_int_eq(arrives, is_there_a_way);
        ck_assert(!arrives || is_a_goal(end));
        for (uint32_t i = 0; i < place_count() && !arrives; i++) {
            const bool is_met = oracle->factors[i] != 0 && oracle->cost[i] != RP_ORACLE_NO_PATH;
            RP_EACH(!is_met || bound_of(end) <= bound_of(cell_of(i)));
        }
        arrivals += arrives;
        rp_grid_destroy(&grid);
        rp_oracle_destroy(&oracle);
    }
    ck_assert_uint_gt(arrivals, 10);
}
END_TEST

START_TEST(on_open_ground_it_goes_straight)
{
    const rp_grid_shape_t shape = {200, 200, 8, false, 1, 1};
    begin(&shape);
    rp_greedy_search_init(&greedy, RP_GREEDY_SEARCH_CELLS);
    for (unsigned round = 0; round < 100; round++) {
        const rp_cell_t start = free_cell();
        rp_path_t path;
        bool arrives;
        goals[0] = (rp_goal_t){free_cell(), 0};
        ck_assert_int_eq(rp_greedy_search_run(&greedy, grid, start, goals, 1, &path, &arrives),
                         RP_OK);
        ck_assert(arrives);
        ck_assert_uint_eq(greedy.expanded, path.count);
        uint32_t apart[] = {rp_grid_x(grid, start) - rp_grid_x(grid, goals[0].cell),
                            rp_grid_y(grid, start) - rp_grid_y(grid, goals[0].cell)};
        for (unsigned i = 0; i < 2; i++) {
            apart[i] = (int32_t)apart[i] < 0 ? 0u - apart[i] : apart[i];
        }
        ck_assert_uint_eq(path.count, 1u + (apart[0] > apart[1] ? apart[0] : apart[1]));
    }
}
END_TEST

START_TEST(in_slices_it_brings_what_it_brings_at_once)
{
    static rp_cell_t kept[RP_GREEDY_SEARCH_CELLS];
    rp_greedy_search_init(&greedy, RP_GREEDY_SEARCH_CELLS);
    for (unsigned round = 0; round < RP_ROUNDS(60); round++) {
        begin_at_random(30);
        const rp_cell_t start = free_cell();
        rp_path_t path;
        bool arrives[2];
        ck_assert_int_eq(
            rp_greedy_search_run(&greedy, grid, start, goals, goal_count, &path, &arrives[0]),
            RP_OK);
        const uint32_t expanded = greedy.expanded;
        const size_t count = path.count;
        memcpy(kept, path.cells, count * sizeof *kept);
        const uint64_t slice = rp_random_between(&rng, 1, 20);
        uint64_t budget = slice;
        uint64_t spent = 0;
        ck_assert_int_eq(rp_greedy_search_begin(&greedy, grid, start, goals, goal_count), RP_OK);
        while (rp_greedy_search_go(&greedy, &budget, &path, &arrives[1]) == RP_MORE) {
            ck_assert_uint_eq(budget, 0);
            budget = slice;
            spent += slice;
        }
        ck_assert_uint_eq(spent + slice - budget, expanded);
        ck_assert_int_eq(arrives[0], arrives[1]);
        ck_assert_uint_eq(path.count, count);
        ck_assert_mem_eq(path.cells, kept, count * sizeof *kept);
        rp_grid_destroy(&grid);
        rp_oracle_destroy(&oracle);
    }
}
END_TEST

/// The goal lies behind a wall that takes more cells to get round than it may expand.
START_TEST(it_goes_no_farther_than_it_may)
{
    const rp_grid_shape_t shape = {300, 200, 8, false, 1, 1};
    rp_path_t path;
    bool arrives;
    begin(&shape);
    for (uint32_t y = 0; y < 199; y++) {
        put(y * 300 + 150, 0);
    }
    goals[0] = (rp_goal_t){rp_grid_cell(grid, 299, 0), 0};
    const rp_cell_t start = rp_grid_cell(grid, 0, 0);
    rp_greedy_search_init(&greedy, RP_GREEDY_SEARCH_CELLS);
    ck_assert_int_eq(rp_greedy_search_run(&greedy, grid, start, goals, 1, &path, &arrives), RP_OK);
    ck_assert(!arrives);
    ck_assert_uint_eq(greedy.expanded, RP_GREEDY_SEARCH_CELLS);
    check_path(&path, start);
    ck_assert_uint_eq(path.cells[path.count - 1u], rp_grid_cell(grid, 149, 0)); // at the wall
    rp_greedy_search_fini(&greedy);
    rp_greedy_search_init(&greedy, RP_GREEDY_SEARCH_FAR);
    ck_assert_int_eq(rp_greedy_search_run(&greedy, grid, start, goals, 1, &path, &arrives), RP_OK);
    ck_assert(arrives);
    check_path(&path, start);
}
END_TEST

/// What it met before a write may be illegal after it; the rest of the search is not led astray.
START_TEST(writes_between_its_slices_do_it_no_harm)
{
    rp_greedy_search_init(&greedy, RP_GREEDY_SEARCH_CELLS);
    for (unsigned round = 0; round < RP_ROUNDS(200); round++) {
        begin_at_random(20);
        const rp_cell_t start = free_cell();
        uint64_t budget = 5;
        rp_path_t path;
        bool arrives;
        ck_assert_int_eq(rp_greedy_search_begin(&greedy, grid, start, goals, goal_count), RP_OK);
        while (rp_greedy_search_go(&greedy, &budget, &path, &arrives) == RP_MORE) {
            put(rp_random_below(&rng, place_count()), grid->shape.unit);
            put(rp_random_below(&rng, place_count()), 0);
            budget = 5;
        }
        ck_assert_uint_eq(path.cells[0], start);
        ck_assert(!arrives || is_a_goal(path.cells[path.count - 1u]));
        for (size_t i = 1; i < path.count; i++) {
            unsigned direction = 0;
            while (direction < RP_DIRECTIONS &&
                   rp_grid_step(grid, path.cells[i - 1u], direction) != path.cells[i]) {
                direction++;
            }
            RP_EACH(direction < RP_DIRECTIONS); // from cell to cell, whether it is legal still
        }
        rp_grid_destroy(&grid);
        rp_oracle_destroy(&oracle);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        no_path_costs_less_than_the_bound,
        where_no_obstacle_stands_the_bound_is_the_cost,
        it_arrives_where_there_is_a_way_and_else_comes_as_near_as_it_can,
        on_open_ground_it_goes_straight,
        in_slices_it_brings_what_it_brings_at_once,
        it_goes_no_farther_than_it_may,
        writes_between_its_slices_do_it_no_harm,
    };
    rng = (rp_random_t){1};
    return rp_suite_run("greedy_search", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
