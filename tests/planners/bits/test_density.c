/// What a sample of the ground takes for clutter.
#include "planners/bits/density.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE 300u

static rp_grid_t *grid;
static rp_random_t chance;

static void tear_down(void)
{
    rp_grid_destroy(&grid);
}

static void scatter(uint32_t percent)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = 8, .unit = 1, .least = 1};
    chance.state = percent;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            rp_grid_set(grid, rp_grid_cell(grid, x, y), !rp_random_chance(&chance, percent));
        }
    }
}

START_TEST(scattered_cells_are_clutter_when_there_are_enough)
{
    static const struct {
        uint32_t percent;
        bool is_clutter;
    } grounds[] = {{0, false}, {5, false}, {20, true}, {25, true}, {30, true}, {40, false}};
    scatter(grounds[_i].percent);
    ck_assert_int_eq(rp_density_covers(grid), grounds[_i].is_clutter);
}
END_TEST

START_TEST(corridors_are_none)
{
    scatter(0);
    for (uint32_t y = 1; y < SIDE; y += 2) { // a comb whose gaps are one cell wide, and rungs
        for (uint32_t x = 0; x < SIDE; x++) {
            rp_grid_set(grid, rp_grid_cell(grid, x, y), rp_random_chance(&chance, 15));
        }
    }
    ck_assert(!rp_density_covers(grid));
}
END_TEST

int main(void)
{
    const TTest *const grounds[] = {scattered_cells_are_clutter_when_there_are_enough};
    const TTest *const once[] = {corridors_are_none};
    const int failed = rp_suite_run("clutter: grounds", grounds, 1, 6, tear_down);
    return rp_suite_run("density", once, 1, 1, tear_down) + failed;
}
