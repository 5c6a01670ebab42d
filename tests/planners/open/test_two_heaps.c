/// OPEN in two heaps, held against a plain table of keys: the least key first, on whichever side of
/// the bar it stands.
#include "planners/open/two_heaps.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define CELLS  300u
#define STEPS  20000
#define FIRSTS 40u

static rp_two_heaps_t open;
static uint32_t places[CELLS];
static rp_key_t keys[CELLS]; ///< of the cells that are in; 0 for others
static uint32_t count;
static rp_random_t randoms;

static void begin(uint64_t seed)
{
    randoms = (rp_random_t){seed};
    memset(keys, 0, sizeof keys);
    count = 0;
    rp_two_heaps_init(&open, CELLS, places, 1, &arena);
}

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
}

static void put(rp_cell_t cell, uint32_t least)
{
    const rp_key_t key =
        rp_key(least + rp_random_below(&randoms, FIRSTS) + 1u, rp_random_below(&randoms, FIRSTS));
    if (keys[cell] != 0) {
        rp_two_heaps_move(&open, key, cell);
    } else {
        rp_two_heaps_push(&open, key, cell);
        count++;
    }
    keys[cell] = key;
}

static void take_out(rp_cell_t cell)
{
    rp_two_heaps_remove(&open, cell);
    keys[cell] = 0;
    count--;
}

static rp_key_t least_key(void)
{
    rp_key_t least = ~(rp_key_t)0;
    for (rp_cell_t cell = 0; cell < CELLS; cell++) {
        least = keys[cell] != 0 && keys[cell] < least ? keys[cell] : least;
    }
    return least;
}

static bool is_true_to_the_table(void)
{
    for (rp_cell_t cell = 0; cell < CELLS; cell++) {
        if (keys[cell] != 0 && !rp_two_heaps_holds(&open, cell, keys[cell])) {
            return false;
        }
    }
    return rp_two_heaps_count(&open) == count &&
           (count == 0 || rp_two_heaps_top(&open).key == least_key());
}

/// Cells come and go, and sometimes the top gives way to who comes next.
static void stir(uint32_t steps, uint32_t least)
{
    for (uint32_t i = 0; i < steps; i++) {
        const rp_cell_t cell = rp_random_between(&randoms, 1, CELLS - 1u);
        if (keys[cell] == 0 || rp_random_chance(&randoms, 50)) {
            put(cell, least);
        } else if (rp_random_chance(&randoms, 50)) {
            take_out(cell);
        } else {
            const rp_cell_t leaver = rp_two_heaps_top(&open).cell;
            rp_two_heaps_leave(&open, leaver);
            keys[leaver] = 0;
            count--;
            if (cell != leaver) {
                put(cell, least);
            }
            rp_two_heaps_close(&open);
        }
    }
}

START_TEST(the_least_key_comes_first_wherever_the_bar_stands)
{
    begin((uint64_t)_i);
    for (uint32_t round = 0; round < STEPS / 20u; round++) {
        stir(rp_random_below(&randoms, 40), rp_random_below(&randoms, FIRSTS));
        ck_assert(is_true_to_the_table());
        const uint32_t limit = rp_random_below(&randoms, 2u * FIRSTS);
        while (!rp_two_heaps_is_empty(&open) && rp_key_first(rp_two_heaps_top(&open).key) < limit) {
            take_out(rp_two_heaps_top(&open).cell);
        }
        if (rp_random_chance(&randoms, 70)) {
            rp_two_heaps_part(&open, rp_key(limit, 0));
        }
        ck_assert(is_true_to_the_table());
    }
}
END_TEST

START_TEST(what_is_left_at_the_limit_stands_apart_from_what_comes_below)
{
    begin(7);
    for (rp_cell_t cell = 1; cell < 100; cell++) {
        rp_two_heaps_push(&open, rp_key(20u, cell), cell);
    }
    rp_two_heaps_part(&open, rp_key(20u, 0));
    ck_assert(rp_indexed_heap_is_empty(&open.near));
    rp_two_heaps_push(&open, rp_key(21u, 0), 100);
    rp_two_heaps_push(&open, rp_key(19u, 0), 101);
    rp_two_heaps_move(&open, rp_key(18u, 0), 50);
    ck_assert_uint_eq(rp_indexed_heap_count(&open.near), 2);
    ck_assert_uint_eq(rp_indexed_heap_count(&open.far), 99);
    ck_assert_uint_eq(rp_two_heaps_top(&open).cell, 50);
}
END_TEST

START_TEST(a_cleared_one_knows_nobody_and_has_no_bar)
{
    begin(5);
    stir(100, 0);
    rp_two_heaps_part(&open, least_key());
    rp_two_heaps_clear(&open);
    ck_assert(rp_two_heaps_is_empty(&open));
    rp_two_heaps_push(&open, rp_key(1000u, 0), 3);
    ck_assert_uint_eq(rp_indexed_heap_count(&open.near), 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_least_key_comes_first_wherever_the_bar_stands,
        what_is_left_at_the_limit_stands_apart_from_what_comes_below,
        a_cleared_one_knows_nobody_and_has_no_bar,
    };
    return rp_suite_run("two_heaps", tests, sizeof tests / sizeof tests[0], 4, tear_down);
}
