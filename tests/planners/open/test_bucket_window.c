/// OPEN as a ring of steps: steps in order, what comes early, a pool full of stale entries.
#include "planners/open/bucket_window.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define CELLS    200u
#define STEP     256u ///< the greatest power of two that is no more than CHEAPEST
#define CHEAPEST 408u

static rp_bucket_window_t steps;
static rp_cost_t waiting[CELLS]; ///< key that a cell waits for, or RP_COST_INF

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
}

static void forget(void)
{
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        waiting[cell] = RP_COST_INF;
    }
}

static void begin(void)
{
    rp_bucket_window_init(&steps, CELLS, CHEAPEST, &arena);
    forget();
}

static bool is_live(const void *owner, rp_cell_t cell, rp_cost_t key)
{
    (void)owner;
    return waiting[cell] == key;
}

static void push(rp_cell_t cell, rp_cost_t key)
{
    waiting[cell] = key;
    if (rp_bucket_window_is_full(&steps)) {
        rp_bucket_window_sweep(&steps, is_live, NULL);
    }
    ck_assert(!rp_bucket_window_is_full(&steps));
    rp_bucket_window_push(&steps, key, cell);
}

static rp_cost_t least_waiting(void)
{
    rp_cost_t least = RP_COST_INF;
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        least = waiting[cell] < least ? waiting[cell] : least;
    }
    return least;
}

/// Take out the next live entry, and hold it against all that wait. @return its key
static rp_cost_t pop(void)
{
    for (;;) {
        ck_assert_uint_ne(steps.count, 0);
        const rp_bucket_window_entry_t entry = *rp_bucket_window_pop(&steps);
        if (is_live(NULL, entry.cell, entry.key)) {
            ck_assert_uint_eq(entry.key / STEP, least_waiting() / STEP);
            waiting[entry.cell] = RP_COST_INF;
            return entry.key;
        }
    }
}

START_TEST(a_step_is_no_longer_than_the_cheapest_edge)
{
    static const rp_cost_t cheapest[] = {1, 2, 3, 255, 256, 408, 512};
    static const unsigned shifts[] = {0, 1, 1, 7, 8, 8, 9};
    for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
        rp_bucket_window_init(&steps, CELLS, cheapest[i], &arena);
        ck_assert_uint_eq(steps.shift, shifts[i]);
        rp_arena_free(&arena, NULL);
    }
}
END_TEST

START_TEST(the_least_step_comes_out_first_and_of_it_the_last_put_in)
{
    begin();
    push(1, 100 * STEP);
    push(2, 3 * STEP + 7u);
    push(3, 3 * STEP);
    push(4, 50000 * STEP);
    static const rp_cost_t order[] = {3 * STEP, 3 * STEP + 7u, 100 * STEP, 50000 * STEP};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        ck_assert_uint_eq(pop() / STEP, order[i] / STEP);
    }
    ck_assert_uint_eq(steps.count, 0);
    ck_assert_uint_eq(steps.summary, 0);
}
END_TEST

START_TEST(what_is_less_than_the_last_one_taken_out_comes_next)
{
    begin();
    push(1, 10 * STEP);
    push(2, 20 * STEP);
    push(3, 30 * STEP);
    ck_assert_uint_eq(pop(), 10 * STEP);
    push(4, 5 * STEP);
    push(5, 25 * STEP);
    push(6, 2 * STEP);
    static const rp_cost_t order[] = {2, 5, 20, 25, 30};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        ck_assert_uint_eq(pop(), order[i] * STEP);
    }
}
END_TEST

/// As searches do: keys fall, entries become stale, and now and then something early comes. With
/// far more pushes than there is room for.
START_TEST(a_long_run_takes_every_cell_out_in_order)
{
    rp_random_t random = {(uint64_t)_i + 1u};
    rp_cost_t last = 0;
    begin();
    push(0, 0);
    for (uint32_t round = 0; round < 20000; round++) {
        if (steps.count != 0 && least_waiting() != RP_COST_INF) {
            last = pop();
        }
        const bool is_early = rp_random_chance(&random, 2);
        for (uint32_t i = 0; i < 3; i++) {
            const rp_cell_t cell = rp_random_below(&random, CELLS);
            const rp_cost_t key = is_early ? rp_random_below(&random, (uint32_t)last + 1u)
                                           : last + rp_random_below(&random, 100000);
            if (key < waiting[cell]) {
                push(cell, key);
            }
        }
        if (round % 5000u == 4999u) {
            rp_bucket_window_clear(&steps);
            forget();
        }
    }
    while (least_waiting() != RP_COST_INF) {
        (void)pop();
    }
}
END_TEST

int main(void)
{
    const TTest *const once[] = {
        a_step_is_no_longer_than_the_cheapest_edge,
        the_least_step_comes_out_first_and_of_it_the_last_put_in,
        what_is_less_than_the_last_one_taken_out_comes_next,
    };
    const TTest *const rounds[] = {a_long_run_takes_every_cell_out_in_order};
    const int failed = rp_suite_run("bucket_window", once, 3, 1, tear_down);
    return rp_suite_run("bucket_window", rounds, 1, 5, tear_down) + failed;
}
