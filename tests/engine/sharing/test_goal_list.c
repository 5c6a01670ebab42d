/// Lists of goals, held against an array with an offset for each cell.
#include "engine/sharing/goal_list.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

#define NO_OFFSET UINT32_MAX

enum {
    SIDE = 80, ///< several tiles of components
};

static rp_random_t rng;
static rp_goal_list_t list;
static rp_grid_t *grid;
static rp_components_t *components;

static void tear_down(void)
{
    rp_goal_list_fini(&list);
    rp_components_destroy(&components);
    rp_grid_destroy(&grid);
}

START_TEST(each_cell_stands_once_in_order_with_its_least_offset)
{
    for (unsigned round = 0; round < RP_ROUNDS(200); round++) {
        static uint32_t least[64];
        const uint32_t cells = rp_random_between(&rng, 1, 64);
        const uint32_t adds = rp_random_below(&rng, 100);
        size_t count = 0;
        for (uint32_t i = 0; i < cells; i++) {
            least[i] = NO_OFFSET;
        }
        for (uint32_t i = 0; i < adds; i++) {
            const uint32_t cell = rp_random_below(&rng, cells);
            const uint32_t offset = rp_random_below(&rng, 9);
            ck_assert_int_eq(rp_goal_list_add(&list, cell, offset), RP_OK);
            least[cell] = offset < least[cell] ? offset : least[cell];
            if (rp_random_chance(&rng, 5)) { // in between, too
                rp_goal_list_tidy(&list);
            }
        }
        rp_goal_list_tidy(&list);
        for (uint32_t i = 0; i < cells; i++) {
            if (least[i] != NO_OFFSET) {
                RP_EACH(count < list.count);
                RP_EACH_EQ(list.goals[count].cell, i);
                RP_EACH_EQ(list.goals[count].offset, least[i]);
                count++;
            }
        }
        ck_assert_uint_eq(list.count, count);
        rp_goal_list_fini(&list);
        ck_assert_uint_eq(list.count, 0);
    }
}
END_TEST

static rp_cell_t random_cell(void)
{
    const uint32_t x = rp_random_below(&rng, SIDE);
    return rp_grid_cell(grid, x, rp_random_below(&rng, SIDE));
}

/// Walls from one edge to the other part the world into strips; the strip of a cell is known.
START_TEST(it_is_reached_when_one_goal_lies_in_the_same_part)
{
    const rp_grid_shape_t shape = {SIDE, SIDE, 8, false, 1, 1};
    const uint32_t walls[] = {20, 45, 70};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (uint32_t i = 0; i < 3 * SIDE; i++) {
        (void)rp_grid_set(grid, rp_grid_cell(grid, walls[i / SIDE], i % SIDE), 0);
    }
    components = rp_components_new(grid);
    ck_assert_ptr_nonnull(components);
    ck_assert_int_eq(rp_components_update(components, UINT32_MAX), RP_OK);
    for (unsigned round = 0; round < 300; round++) {
        const rp_cell_t from = random_cell();
        const uint32_t goals = rp_random_below(&rng, 3);
        bool is_reached = false;
        for (uint32_t i = 0; i < goals; i++) {
            const rp_cell_t goal = random_cell();
            const uint32_t x[] = {rp_grid_x(grid, from), rp_grid_x(grid, goal)};
            bool is_parted = false;
            for (unsigned wall = 0; wall < 3; wall++) {
                is_parted |= (x[0] <= walls[wall] && x[1] >= walls[wall]) ||
                             (x[1] <= walls[wall] && x[0] >= walls[wall]);
            }
            is_reached |= !is_parted;
            ck_assert_int_eq(rp_goal_list_add(&list, goal, 0), RP_OK);
        }
        rp_goal_list_tidy(&list);
        RP_EACH_EQ(rp_goal_list_is_reached(&list, components, from), is_reached);
        rp_goal_list_fini(&list);
    }
}
END_TEST

// ---- places

START_TEST(places_are_those_of_the_goals)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = 8, .unit = 1, .least = 1};
    rp_places_t places;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_int_eq(rp_places_of_goals(&places, &list, grid), RP_OK);
    ck_assert_uint_eq(places.count, 0);
    rp_places_fini(&places);
    ck_assert_int_eq(rp_goal_list_add(&list, rp_grid_cell(grid, 70, 3), 5), RP_OK);
    ck_assert_int_eq(rp_goal_list_add(&list, rp_grid_cell(grid, 0, SIDE - 1u), 0), RP_OK);
    ck_assert_int_eq(rp_places_of_goals(&places, &list, grid), RP_OK);
    ck_assert_uint_eq(places.count, 2);
    ck_assert_int_eq(places.list[0].x, 70);
    ck_assert_int_eq(places.list[0].y, 3);
    ck_assert_int_eq(places.list[1].x, 0);
    ck_assert_int_eq(places.list[1].y, SIDE - 1);
    rp_places_fini(&places);
    ck_assert_uint_eq(places.count, 0);
}
END_TEST

/// Also outside of every grid: held against a look at all that were put in.
START_TEST(tidy_places_stand_once_in_order_and_are_found)
{
    for (unsigned round = 0; round < RP_ROUNDS(200); round++) {
        bool is_in[8][8] = {{false}};
        rp_place_t all[40];
        rp_places_t places = {.list = all, .count = rp_random_below(&rng, 40)};
        for (size_t i = 0; i < places.count; i++) {
            all[i] = (rp_place_t){(int64_t)rp_random_below(&rng, 8) - 4,
                                  (int64_t)rp_random_below(&rng, 8) - 4};
            is_in[all[i].y + 4][all[i].x + 4] = true;
        }
        rp_places_tidy(&places);
        size_t count = 0;
        for (int64_t y = -4; y < 4; y++) {
            for (int64_t x = -4; x < 4; x++) {
                const bool is_held = is_in[y + 4][x + 4];
                RP_EACH_EQ(rp_places_hold(&places, (rp_place_t){x, y}), is_held);
                if (is_held) {
                    RP_EACH(count < places.count);
                    RP_EACH_EQ(all[count].x, x);
                    RP_EACH_EQ(all[count].y, y);
                    count++;
                }
            }
        }
        ck_assert_uint_eq(places.count, count);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_cell_stands_once_in_order_with_its_least_offset,
        it_is_reached_when_one_goal_lies_in_the_same_part,
        places_are_those_of_the_goals,
        tidy_places_stand_once_in_order_and_are_found,
    };
    rng = (rp_random_t){1};
    return rp_suite_run("goal_list", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
