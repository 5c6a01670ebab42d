/// What lies nearest to goals and can be reached, held against a look at every cell.
#include "engine/sharing/nearest_reachable.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/random.h"
#include "tests/support/suite.h"

enum {
    SIDE_MAX = 200,
    GOALS = 5
};

static rp_random_t rng;
static rp_grid_t *grid;
static rp_components_t *components;
static bool is_met[SIDE_MAX * SIDE_MAX]; ///< by y * width + x
static rp_cell_t front[SIDE_MAX * SIDE_MAX];

static void tear_down(void)
{
    rp_components_destroy(&components);
    rp_grid_destroy(&grid);
}

static void begin(uint32_t width, uint32_t height, bool wraps)
{
    const rp_grid_shape_t shape = {
        .width = width, .height = height, .neighbors = 8, .wraps = wraps, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_grid_new_blank(&shape, &grid), RP_OK);
}

static void label(void)
{
    components = rp_components_new(grid);
    ck_assert_ptr_nonnull(components);
    ck_assert_int_eq(rp_components_update(components, UINT32_MAX), RP_OK);
}

static rp_cell_t cell_of(uint32_t place)
{
    return rp_grid_cell(grid, place % grid->shape.width, place / grid->shape.width);
}

static uint32_t place_of(rp_cell_t cell)
{
    return rp_grid_y(grid, cell) * grid->shape.width + rp_grid_x(grid, cell);
}

/// All cells that straight steps lead to, by a stack of this test's own.
static void flood(rp_cell_t from)
{
    size_t count = 1;
    memset(is_met, 0, sizeof is_met);
    is_met[place_of(from)] = true;
    front[0] = from;
    while (count != 0) {
        const rp_cell_t cell = front[--count];
        for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += 2u) {
            const rp_cell_t next = rp_grid_step(grid, cell, direction);
            if (grid->factor[next] != 0 && !is_met[place_of(next)]) {
                is_met[place_of(next)] = true;
                front[count++] = next;
            }
        }
    }
}

/// Squared distance of two places, on a torus the shorter way round.
static uint64_t square_of(uint32_t a, uint32_t b)
{
    const uint32_t width = grid->shape.width;
    const uint32_t height = grid->shape.height;
    uint64_t dx = (uint64_t)llabs((int64_t)(a % width) - (int64_t)(b % width));
    uint64_t dy = (uint64_t)llabs((int64_t)(a / width) - (int64_t)(b / width));
    dx = grid->shape.wraps && width - dx < dx ? width - dx : dx;
    dy = grid->shape.wraps && height - dy < dy ? height - dy : dy;
    return dx * dx + dy * dy;
}

/// Let a search for the nearest reachable goal come to its end. @return slices
static unsigned replace(rp_goal_list_t *list, rp_cell_t from)
{
    rp_nearest_reachable_t nearest = {.is_begun = false};
    rp_places_t places;
    unsigned slices = 1;
    rp_status_t status;
    ck_assert_int_eq(rp_places_of_goals(&places, list, grid), RP_OK);
    rp_nearest_reachable_begin(&nearest, &places, from, 1, true);
    while ((status = rp_nearest_reachable_go(&nearest, &places, grid, components)) == RP_MORE) {
        slices++;
        rp_nearest_reachable_begin(&nearest, &places, from, 1, true); // under way: it goes on
    }
    ck_assert_int_eq(status, RP_OK);
    rp_places_fini(&places);
    ck_assert_int_eq(rp_nearest_reachable_tell(&nearest, list), RP_OK);
    rp_nearest_reachable_fini(&nearest);
    return slices;
}

/// The list now holds each cell that was met and is as near to a goal as any, and no other.
static void check(const rp_goal_list_t *list, const uint32_t *goals, size_t goal_count)
{
    const uint32_t places = grid->shape.width * grid->shape.height;
    uint64_t least = UINT64_MAX;
    size_t nearest = 0;
    static uint64_t squares[SIDE_MAX * SIDE_MAX];
    for (uint32_t i = 0; i < places; i++) {
        squares[i] = UINT64_MAX;
        for (size_t k = 0; k < goal_count && is_met[i]; k++) {
            const uint64_t square = square_of(i, goals[k]);
            squares[i] = square < squares[i] ? square : squares[i];
        }
        nearest = squares[i] < least ? 0 : nearest;
        least = squares[i] < least ? squares[i] : least;
        nearest += squares[i] == least && least != UINT64_MAX;
    }
    ck_assert_uint_eq(list->count, nearest);
    for (size_t i = 0; i < list->count; i++) {
        RP_EACH_EQ(squares[place_of(list->goals[i].cell)], least);
        ck_assert(i == 0 || list->goals[i - 1u].cell < list->goals[i].cell);
    }
}

/// The places of a plus, from its middle on; the middle again where it sticks out.
static uint32_t beside(uint32_t place, size_t i)
{
    const uint32_t x = place % grid->shape.width;
    const uint32_t y = place / grid->shape.width;
    if (x == 0 || y == 0 || x + 1u == grid->shape.width || y + 1u == grid->shape.height) {
        return place;
    }
    const uint32_t places[GOALS] = {place, place + 1u, place - 1u, place + grid->shape.width,
                                    place - grid->shape.width};
    return places[i];
}

static void play(uint32_t width, uint32_t height, uint32_t blocked_percent)
{
    uint32_t goals[GOALS];
    size_t goal_count = 0;
    rp_goal_list_t list = {0};
    begin(width, height, rp_random_chance(&rng, 50));
    for (uint32_t i = 0; i < width * height; i++) {
        (void)rp_grid_set(grid, cell_of(i), rp_random_chance(&rng, blocked_percent) ? 0 : 1);
    }
    const rp_cell_t from = cell_of(rp_random_below(&rng, width * height));
    (void)rp_grid_set(grid, from, 1);
    label();
    flood(from);
    const uint32_t first = rp_random_below(&rng, width * height);
    const bool is_block = rp_random_chance(&rng, 50); // a goal amid others, or far from them
    for (size_t i = 0; i < GOALS; i++) {
        const uint32_t goal = is_block ? beside(first, i) : rp_random_below(&rng, width * height);
        if (!is_met[goal]) {
            goals[goal_count++] = goal;
            ck_assert_int_eq(rp_goal_list_add(&list, cell_of(goal), 0), RP_OK);
        }
    }
    rp_goal_list_tidy(&list);
    (void)replace(&list, from);
    check(&list, goals, goal_count);
    rp_goal_list_fini(&list);
    tear_down();
}

START_TEST(the_nearest_cells_that_can_be_reached_are_found)
{
    for (unsigned round = 0; round < 300; round++) {
        const uint32_t height = rp_random_between(&rng, 3, 40);
        play(rp_random_between(&rng, 3, 40), height, 45);
    }
    for (unsigned round = 0; round < 120; round++) { // of several tiles, to small islands
        const uint32_t percent = rp_random_between(&rng, 20, 70);
        const uint32_t rows = rp_random_between(&rng, 60, SIDE_MAX);
        play(rp_random_between(&rng, 60, SIDE_MAX), rows, percent);
    }
}
END_TEST

/// Goals at the left, an island far to the right of them.
static void put_island(rp_goal_list_t *list, size_t goals)
{
    begin(SIDE_MAX, SIDE_MAX, false);
    for (uint32_t y = 0; y < SIDE_MAX; y++) {
        (void)rp_grid_set(grid, rp_grid_cell(grid, SIDE_MAX - 1u, y), 1);
    }
    label();
    for (uint32_t i = 0; i < goals; i++) {
        const rp_cell_t cell = rp_grid_cell(grid, i / SIDE_MAX, i % SIDE_MAX);
        ck_assert_int_eq(rp_goal_list_add(list, cell, 0), RP_OK);
    }
    rp_goal_list_tidy(list);
}

START_TEST(around_many_goals_it_is_found_in_slices)
{
    enum {
        GOAL_COUNT = 20 * SIDE_MAX
    };
    rp_goal_list_t list = {0};
    put_island(&list, GOAL_COUNT);
    ck_assert_uint_gt(replace(&list, rp_grid_cell(grid, SIDE_MAX - 1u, 0)), 1);
    ck_assert_uint_eq(list.count, SIDE_MAX);
    for (uint32_t y = 0; y < SIDE_MAX; y++) {
        ck_assert_uint_eq(list.goals[y].cell, rp_grid_cell(grid, SIDE_MAX - 1u, y));
    }
    rp_goal_list_fini(&list);
}
END_TEST

START_TEST(from_a_pocket_inside_one_tile_only_that_is_looked_at)
{
    rp_goal_list_t list = {0};
    put_island(&list, 1);
    (void)rp_grid_set(grid, rp_grid_cell(grid, 100, 100), 1); // a cell alone
    rp_components_destroy(&components);
    label();
    ck_assert_uint_eq(replace(&list, rp_grid_cell(grid, 100, 100)), 1);
    ck_assert_uint_eq(list.count, 1);
    ck_assert_uint_eq(list.goals[0].cell, rp_grid_cell(grid, 100, 100));
    rp_goal_list_fini(&list);
}
END_TEST

START_TEST(without_a_goal_nothing_is_found)
{
    rp_goal_list_t list = {0};
    put_island(&list, 0);
    ck_assert_uint_eq(replace(&list, rp_grid_cell(grid, SIDE_MAX - 1u, 0)), 1);
    ck_assert_uint_eq(list.count, 0);
    rp_goal_list_fini(&list);
}
END_TEST

START_TEST(it_does_not_begin_anew_forever)
{
    rp_place_t place = {7, 7};
    const rp_places_t list = {.list = &place, .count = 1};
    rp_nearest_reachable_t nearest = {.is_begun = false};
    for (uint64_t version = 1; version <= 5; version++) {
        rp_nearest_reachable_begin(&nearest, &list, 3, version, false);
        ck_assert_uint_eq(nearest.restarts, version - 1u);
        ck_assert_uint_eq(nearest.version, version);
    }
    rp_nearest_reachable_begin(&nearest, &list, 4, 6, false); // from elsewhere: another one
    ck_assert_uint_eq(nearest.restarts, 0);
    rp_nearest_reachable_fini(&nearest);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_nearest_cells_that_can_be_reached_are_found,
        around_many_goals_it_is_found_in_slices,
        from_a_pocket_inside_one_tile_only_that_is_looked_at,
        without_a_goal_nothing_is_found,
        it_does_not_begin_anew_forever,
    };
    rng = (rp_random_t){5};
    return rp_suite_run("nearest_reachable", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
