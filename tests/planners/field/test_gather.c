/// What stands round a cell, four places in an instruction and one by one: both say the same.
#include "planners/field/gather.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE 20u

static rp_grid_t *grid;
static rp_field_t field;
static rp_random_t rng;

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
    rp_grid_destroy(&grid);
}

/// Every value that decides something: known and not, of this build and of another, and as far from
/// each other as a step or by one more or less.
static rp_node_t draw_node(rp_cost_t about)
{
    const rp_cost_t steps[] = {0, RP_STRAIGHT, RP_DIAGONAL};
    const rp_cost_t step = steps[rp_random_below(&rng, 3)];
    const rp_cost_t one = rp_random_below(&rng, 3);
    const rp_cost_t d = rp_random_chance(&rng, 50) ? about + step + one - 1u : about - step + one;
    const uint32_t builds[] = {field.build, field.build, 0, field.build - RP_NODE_SEARCH};
    const uint32_t marks[] = {0, RP_NODE_CLOSED};
    return (rp_node_t){rp_random_chance(&rng, 20) ? RP_COST_INF : d,
                       builds[rp_random_below(&rng, 4)] | marks[rp_random_below(&rng, 2)]};
}

static void make_world(uint64_t seed, uint8_t neighbors, rp_cost_t about)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = neighbors, .unit = 1, .least = 1};
    rng = (rp_random_t){seed};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
        const rp_cell_t cell = rp_grid_cell(grid, place % SIDE, place / SIDE);
        (void)rp_grid_set(grid, cell, !rp_random_chance(&rng, 30));
    }
    rp_field_init(&field, grid, &arena);
    field.build = 40u * RP_NODE_SEARCH;
    for (rp_cell_t cell = 0; cell < grid->cell_count; cell++) {
        field.nodes[cell] = draw_node(about);
    }
}

static void hold_against(rp_cell_t cell, rp_cost_t d)
{
    const rp_gather_t plain = rp_gather_of(&field, true, cell);
    const rp_gather_t any = rp_gather_of(&field, false, cell);
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        RP_EACH_EQ(plain.d[direction], any.d[direction]);
    }
    RP_EACH_EQ(plain.known, any.known);
    RP_EACH_EQ(rp_gather_leaning(&plain, &field, true, cell, d),
               rp_gather_leaning(&any, &field, false, cell, d));
    RP_EACH_EQ(rp_gather_better(&plain, &field, true, cell, d),
               rp_gather_better(&any, &field, false, cell, d));
    RP_EACH_EQ(rp_gather_offer(&plain, &field, true, cell),
               rp_gather_offer(&any, &field, false, cell));
    RP_EACH_EQ(rp_gather_vouches(&plain, &field, true, cell, d),
               rp_gather_vouches(&any, &field, false, cell, d));
}

static void hold_all_against(uint64_t seed, uint8_t neighbors, rp_cost_t about)
{
    make_world(seed, neighbors, about);
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
        const rp_cell_t cell = rp_grid_cell(grid, place % SIDE, place / SIDE);
        hold_against(cell, about + rp_random_below(&rng, 3) - 1u);
    }
    tear_down();
}

START_TEST(around_says_the_same_one_by_one)
{
    hold_all_against((uint64_t)_i + 1u, 8, 5000);
    hold_all_against((uint64_t)_i + 1u, 4, 5000);
}
END_TEST

START_TEST(around_says_the_same_where_costs_are_greatest)
{
    // A path may cost a quarter of all that there is, and a goal's offset half of that.
    hold_all_against((uint64_t)_i + 1u, 8, RP_COST_INF / 4u + RP_COST_INF / 8u);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {around_says_the_same_one_by_one,
                                  around_says_the_same_where_costs_are_greatest};
    return rp_suite_run("gather", tests, sizeof tests / sizeof tests[0], 8, tear_down);
}
