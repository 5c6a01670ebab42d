/// Deferred decreases: each cell of a batch that became cheaper sleeps, no other does, and each is
/// listed once, whatever was put to sleep before.
#include "planners/field/deferred_decreases.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE 40u

static rp_grid_t *grid;
static rp_deferred_decreases_t deferred;
static rp_change_t batch[64];
static size_t count;

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
    rp_grid_destroy(&grid);
}

static void begin(void)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = 4, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_deferred_decreases_init(&deferred, grid, &arena);
    count = 0;
}

static void change(uint32_t x, uint32_t y, uint8_t before, uint8_t after)
{
    batch[count++] = (rp_change_t){rp_grid_cell(grid, x, y), before, after};
}

static bool sleeps(uint32_t x, uint32_t y)
{
    return rp_deferred_decreases_have(&deferred, rp_grid_cell(grid, x, y));
}

static void put_to_sleep(void)
{
    rp_deferred_decreases_add_cheaper(&deferred, batch, count);
    count = 0;
}

/// Free the cells of a box, but for some.
static void free_box(uint32_t left, uint32_t top, uint32_t columns, uint32_t rows, uint32_t but)
{
    for (uint32_t i = 0; i < columns * rows; i++) {
        if (((but >> i) & 1u) == 0) {
            change(left + i % columns, top + i / columns, 0, 1);
        }
    }
    put_to_sleep();
}

static uint32_t asleep(void)
{
    uint32_t all = 0;
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
        all += sleeps(place % SIDE, place / SIDE);
    }
    return all;
}

/// What the list says is what the bits say, each cell once.
static void hold_list_against_bits(void)
{
    for (uint32_t i = 0; i < deferred.count; i++) {
        ck_assert(rp_deferred_decreases_have(&deferred, deferred.cells[i]));
    }
    ck_assert_uint_eq(deferred.count, asleep());
}

START_TEST(cells_that_are_cleared_sleep_no_more)
{
    begin();
    free_box(7, 9, 3, 3, 1u << 4); // its middle was free before
    ck_assert_uint_eq(asleep(), 8);
    hold_list_against_bits();
    free_box(30, 30, 4, 4, 0x7ffe); // two corners
    ck_assert_uint_eq(asleep(), 10);
    hold_list_against_bits();
    rp_deferred_decreases_clear(&deferred);
    ck_assert_uint_eq(asleep(), 0);
}
END_TEST

START_TEST(what_became_dearer_does_not_sleep_by_itself)
{
    begin();
    change(3, 3, 1, 0);
    change(13, 3, 0, 1);
    put_to_sleep();
    ck_assert(!sleeps(3, 3) && sleeps(13, 3));
    ck_assert_uint_eq(asleep(), 1);
}
END_TEST

START_TEST(a_cell_that_is_freed_twice_is_listed_once)
{
    rp_random_t random = {(uint64_t)_i + 1u};
    bool is_freed[SIDE][SIDE] = {{false}};
    begin();
    for (unsigned i = 0; i < 200; i++) {
        const uint32_t columns = rp_random_between(&random, 1, 5);
        const uint32_t rows = rp_random_between(&random, 1, 5);
        const uint32_t left = rp_random_below(&random, SIDE + 1u - columns);
        const uint32_t top = rp_random_below(&random, SIDE + 1u - rows);
        const uint32_t but = rp_random_below(&random, 1u << 25) & 0xfffffffeu;
        free_box(left, top, columns, rows, but);
        for (uint32_t k = 0; k < columns * rows; k++) {
            is_freed[top + k / columns][left + k % columns] |= ((but >> k) & 1u) == 0;
        }
        hold_list_against_bits();
    }
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
        ck_assert(is_freed[place / SIDE][place % SIDE] == sleeps(place % SIDE, place / SIDE));
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {cells_that_are_cleared_sleep_no_more,
                                  what_became_dearer_does_not_sleep_by_itself,
                                  a_cell_that_is_freed_twice_is_listed_once};
    return rp_suite_run("deferred_decreases", tests, sizeof tests / sizeof tests[0], 8, tear_down);
}
