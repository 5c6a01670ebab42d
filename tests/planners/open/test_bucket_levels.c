/// OPEN with long steps: order, last in first out, the ring, and a pool full of stale entries.
#include "planners/open/bucket_levels.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define CELLS 200u
#define RAISE 100000u

#define NO_CELL UINT32_MAX

static rp_bucket_levels_t levels;
static rp_cost_t waiting[CELLS]; ///< f that a cell waits for, or RP_COST_INF

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
}

static void begin(void)
{
    rp_bucket_levels_init(&levels, CELLS, RAISE, &arena);
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        waiting[cell] = RP_COST_INF;
    }
}

static bool is_live(const void *owner, const rp_bucket_entry_t *entry)
{
    (void)owner;
    return waiting[entry->cell] == entry->key;
}

static void push(uint32_t cell, rp_cost_t f)
{
    waiting[cell] = f;
    ck_assert(rp_bucket_levels_push(&levels, f, cell, cell + 1u, is_live, NULL));
}

/// The next cell that waits for the f of its entry, which is left in `*f`; or NO_CELL.
static uint32_t pop(rp_cost_t *f)
{
    for (;;) {
        const rp_bucket_entry_t *entry = rp_bucket_levels_pop(&levels);
        if (entry == NULL) {
            return NO_CELL;
        }
        *f = entry->key;
        ck_assert_uint_eq(*f >> RP_BUCKET_LEVELS_SHIFT, levels.block);
        ck_assert_uint_eq(entry->note, entry->cell + 1u);
        if (is_live(NULL, entry)) {
            waiting[entry->cell] = RP_COST_INF;
            return entry->cell;
        }
    }
}

START_TEST(least_f_comes_out_first_and_of_these_the_last_put_in)
{
    rp_cost_t f = 0;
    begin();
    push(1, 0);
    push(2, 90000);
    push(3, 5);
    push(4, RP_BUCKET_LEVELS_STEPS - 1u);
    push(5, RP_BUCKET_LEVELS_STEPS);
    push(6, 5);
    push(7, 90001);
    static const uint32_t order[] = {1, 6, 3, 4, 5, 2, 7};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        ck_assert_uint_eq(pop(&f), order[i]);
    }
    ck_assert_uint_eq(pop(&f), NO_CELL);
    ck_assert_uint_eq(pop(&f), NO_CELL);
}
END_TEST

/// As a search does: what is put in lies between the f taken out last and RAISE beyond it.
START_TEST(a_long_run_takes_every_cell_out_in_order)
{
    rp_random_t random = {(uint64_t)_i + 1u};
    rp_cost_t last = 0;
    uint32_t taken = 0;
    begin();
    push(0, 0);
    for (uint32_t round = 0; round < 20000; round++) {
        rp_cost_t f = 0;
        const uint32_t cell = pop(&f);
        ck_assert_uint_ne(cell, NO_CELL);
        ck_assert_uint_ge(f, last);
        last = f;
        taken++;
        for (uint32_t i = rp_random_below(&random, 5) + 1u; i != 0; i--) {
            const uint32_t next = rp_random_below(&random, CELLS);
            const rp_cost_t next_f = last + rp_random_below(&random, RAISE);
            if (next_f < waiting[next]) {
                push(next, next_f);
            }
        }
    }
    ck_assert_uint_eq(taken, 20000);
    ck_assert_uint_le(levels.fresh, levels.capacity);
}
END_TEST

START_TEST(a_full_pool_loses_only_what_is_stale)
{
    begin();
    for (rp_cost_t f = RAISE; f > RAISE - 50u; f--) {
        for (uint32_t cell = 0; cell < CELLS; cell++) {
            push(cell, f);
        }
    }
    ck_assert_uint_le(levels.fresh, levels.capacity);
    bool seen[CELLS] = {false};
    for (uint32_t i = 0; i < CELLS; i++) {
        rp_cost_t f = 0;
        const uint32_t cell = pop(&f);
        ck_assert_uint_lt(cell, CELLS);
        ck_assert(!seen[cell]);
        ck_assert_uint_eq(f, RAISE - 49u);
        seen[cell] = true;
    }
    rp_cost_t f = 0;
    ck_assert_uint_eq(pop(&f), NO_CELL);
}
END_TEST

START_TEST(a_pool_full_of_live_entries_takes_no_more)
{
    begin();
    waiting[3] = 7;
    while (rp_bucket_levels_push(&levels, 7, 3, 4, is_live, NULL)) {
        ck_assert_uint_le(levels.fresh, levels.capacity);
    }
    ck_assert_uint_eq(levels.fresh, levels.capacity);
    rp_cost_t f = 0;
    ck_assert_uint_eq(pop(&f), 3);
    ck_assert(rp_bucket_levels_push(&levels, 9, 5, 6, is_live, NULL));
}
END_TEST

START_TEST(a_cleared_levels_begins_anew)
{
    rp_cost_t f = 0;
    begin();
    push(1, 77777);
    push(2, 3);
    ck_assert_uint_eq(pop(&f), 2);
    waiting[1] = RP_COST_INF;
    rp_bucket_levels_clear(&levels);
    ck_assert_uint_eq(pop(&f), NO_CELL);
    rp_bucket_levels_clear(&levels);
    push(4, 0);
    ck_assert_uint_eq(pop(&f), 4);
    ck_assert_uint_gt(rp_arena_bytes(&arena), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        least_f_comes_out_first_and_of_these_the_last_put_in,
        a_long_run_takes_every_cell_out_in_order,
        a_full_pool_loses_only_what_is_stale,
        a_pool_full_of_live_entries_takes_no_more,
        a_cleared_levels_begins_anew,
    };
    return rp_suite_run("bucket_levels", tests, sizeof tests / sizeof tests[0], 3, tear_down);
}
