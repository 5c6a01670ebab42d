/// A cut: it is flooded, parts who is inside from who is outside, and is forgotten whole.
#include "planners/field/disconnection.h"

#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE 40u
#define WALL                                                                                       \
    4u ///< its column; what lies before it are SIDE * WALL cells, more than one in
       ///< RP_DISCONNECTION_FEW

static rp_grid_t *grid;
static rp_disconnection_t cut;

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
    rp_grid_destroy(&grid);
}

static rp_cell_t at(uint32_t x, uint32_t y)
{
    return rp_grid_cell(grid, x, y);
}

/// A wall from the top to the bottom, and one that cuts off the last cell of the first row.
static void begin(void)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = 8, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_disconnection_init(&cut, grid, &arena);
    for (uint32_t y = 0; y < SIDE; y++) {
        rp_grid_set(grid, at(WALL, y), 0);
    }
    rp_grid_set(grid, at(SIDE - 2u, 0), 0);
    rp_grid_set(grid, at(SIDE - 1u, 1), 0);
}

static void flood_from(rp_cell_t root)
{
    rp_disconnection_begin(&cut, root);
    while (cut.state == RP_DISCONNECTION_GROWING) {
        rp_disconnection_grow(&cut, grid, 7, NULL, 0);
    }
    ck_assert_int_eq(cut.state, RP_DISCONNECTION_CLOSED);
}

/// True when the set is what `is_in` says of each cell.
static bool is_all(bool (*is_in)(uint32_t x, uint32_t y))
{
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            if (rp_disconnection_has(&cut, at(x, y)) != is_in(x, y)) {
                return false;
            }
        }
    }
    return true;
}

static bool is_before_the_wall(uint32_t x, uint32_t y)
{
    (void)y;
    return x < WALL;
}

static bool is_in_the_corner(uint32_t x, uint32_t y)
{
    return x == SIDE - 1u && y == 0;
}

START_TEST(a_closed_set_parts_who_is_inside_from_who_is_outside)
{
    begin();
    flood_from(at(0, 9));
    ck_assert_uint_eq(cut.count, WALL * SIDE);
    ck_assert(is_all(is_before_the_wall));
    ck_assert(rp_disconnection_parts(&cut, at(1, 1), at(WALL + 1u, 1)));
    ck_assert(!rp_disconnection_parts(&cut, at(1, 1), at(2, 2)));
}
END_TEST

START_TEST(the_next_set_knows_nothing_of_one_that_was_large_or_small)
{
    begin();
    flood_from(at(0, 9));
    ck_assert_uint_gt(cut.count, cut.capacity / RP_DISCONNECTION_FEW);
    flood_from(at(SIDE - 1u, 0));
    ck_assert_uint_le(cut.count, cut.capacity / RP_DISCONNECTION_FEW);
    ck_assert(is_all(is_in_the_corner));
    flood_from(at(0, 0));
    ck_assert(is_all(is_before_the_wall));
}
END_TEST

START_TEST(a_set_is_void_once_a_cell_beside_it_was_freed)
{
    begin();
    flood_from(at(0, 9));
    rp_change_t change = {.cell = at(2, 2), .before = 1, .after = 0};
    rp_grid_set(grid, change.cell, 0);
    rp_disconnection_apply(&cut, grid, &change, 1);
    ck_assert_int_eq(cut.state, RP_DISCONNECTION_CLOSED);
    change = (rp_change_t){.cell = at(WALL, 3), .before = 0, .after = 1};
    rp_grid_set(grid, change.cell, 1);
    rp_disconnection_apply(&cut, grid, &change, 1);
    ck_assert_int_eq(cut.state, RP_DISCONNECTION_NONE);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_closed_set_parts_who_is_inside_from_who_is_outside,
                                  the_next_set_knows_nothing_of_one_that_was_large_or_small,
                                  a_set_is_void_once_a_cell_beside_it_was_freed};
    return rp_suite_run("disconnection", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
