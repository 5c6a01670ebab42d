/// OPEN as buckets: least key first, last in first out within one step, round the ring for ever;
/// what lies beyond the window, what comes early, and a pool full of stale entries.
#include "planners/open/buckets.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define CELLS 500u

/// The same in the plainest way: entries in the order they were put in.
typedef struct model {
    rp_cost_t f[2 * CELLS];
    rp_cell_t cell[2 * CELLS];
    uint32_t count;
} model_t;

static model_t model;

static void model_push(rp_cost_t f, rp_cell_t cell)
{
    model.f[model.count] = f;
    model.cell[model.count++] = cell;
}

/// The newest of the least; taken out. @return its f
static rp_cost_t model_pop(rp_cell_t *cell)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < model.count; i++) {
        best = model.f[i] <= model.f[best] ? i : best;
    }
    const rp_cost_t f = model.f[best];
    *cell = model.cell[best];
    model.count--;
    for (uint32_t i = best; i < model.count; i++) {
        model.f[i] = model.f[i + 1u];
        model.cell[i] = model.cell[i + 1u];
    }
    return f;
}

/// Make them where they stay: the arena reads their counters.
static void make_buckets(rp_buckets_t *buckets, rp_cost_t dearest)
{
    rp_buckets_init(buckets, CELLS, 0, 2u * dearest, &arena);
    model.count = 0;
}

/// As a search does: what is put in is at most twice the dearest edge above what was taken out.
static bool follows_model(rp_buckets_t *buckets, rp_cost_t dearest, rp_cost_t from, uint64_t seed)
{
    rp_random_t random = {seed};
    rp_cost_t least = from;
    for (uint32_t i = 0; i < 6000u; i++) {
        if (model.count == 0 || (model.count < CELLS && rp_random_chance(&random, 51))) {
            const rp_cost_t f = least + rp_random_below(&random, 2u * (uint32_t)dearest + 1u);
            rp_buckets_push(buckets, f, f + 1u, i);
            model_push(f, i);
            continue;
        }
        rp_cell_t cell;
        least = model_pop(&cell);
        const rp_cost_t top = rp_buckets_top(buckets);
        const rp_bucket_entry_t *entry = rp_buckets_pop(buckets);
        if (top != least || entry->cell != cell || entry->note != least + 1u ||
            buckets->count != model.count) {
            return false;
        }
    }
    return true;
}

START_TEST(a_search_takes_the_newest_of_the_least)
{
    static const uint32_t dearest[] = {1, 2, 16, 577, 577u * 14u, 577u * 510u};
    for (size_t i = 0; i < sizeof dearest / sizeof dearest[0]; i++) {
        rp_buckets_t buckets;
        make_buckets(&buckets, dearest[i]);
        ck_assert(follows_model(&buckets, dearest[i], 1000u, i + 1u));
        rp_arena_free(&arena, NULL);
    }
}
END_TEST

START_TEST(a_ring_serves_search_after_search)
{
    rp_buckets_t buckets;
    make_buckets(&buckets, 577);
    for (uint32_t round = 0; round < 20; round++) {
        ck_assert(follows_model(&buckets, 577, 12345u * round, round + 1u));
        rp_buckets_clear(&buckets); // with entries left in it
        model.count = 0;
        ck_assert_uint_eq(buckets.count, 0);
    }
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(great_costs_lie_in_the_ring_as_small_ones)
{
    const rp_cost_t great = RP_COST_INF / 2u;
    rp_buckets_t buckets;
    make_buckets(&buckets, 1000);
    ck_assert(follows_model(&buckets, 1000, great, 8));
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(roots_may_be_put_in_with_a_lesser_f)
{
    rp_buckets_t buckets;
    make_buckets(&buckets, 100);
    rp_buckets_push(&buckets, 150, 0, 1);
    rp_buckets_push(&buckets, 60, 0, 2);
    rp_buckets_push(&buckets, 140, 0, 3);
    ck_assert_uint_eq(rp_buckets_pop(&buckets)->cell, 2);
    ck_assert_uint_eq(rp_buckets_pop(&buckets)->cell, 3);
    ck_assert_uint_eq(rp_buckets_pop(&buckets)->cell, 1);
    ck_assert_uint_eq(buckets.count, 0);
    rp_arena_free(&arena, NULL);
}
END_TEST

// ---- keys from anywhere

#define STEP     256u ///< the greatest power of two that is no more than CHEAPEST
#define CHEAPEST 408u

static rp_buckets_t steps;
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

/// A window of 64 steps: most of what is put in lies beyond.
static void begin(void)
{
    const unsigned shift = rp_buckets_shift_below(CHEAPEST);
    rp_buckets_init(&steps, CELLS, shift, 60u << shift, &arena);
    forget();
}

static bool is_live(const void *owner, const rp_bucket_entry_t *entry)
{
    (void)owner;
    return waiting[entry->cell] == entry->key;
}

static void push(rp_cell_t cell, rp_cost_t key)
{
    waiting[cell] = key;
    if (rp_buckets_is_full(&steps)) {
        rp_buckets_sweep(&steps, is_live, NULL);
    }
    ck_assert(!rp_buckets_is_full(&steps));
    rp_buckets_push(&steps, key, cell + 1u, cell);
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
        const rp_cost_t top = rp_buckets_top(&steps);
        const rp_bucket_entry_t entry = *rp_buckets_pop(&steps);
        ck_assert_uint_eq(top, entry.key / STEP * STEP);
        ck_assert_uint_eq(entry.note, entry.cell + 1u);
        if (is_live(NULL, &entry)) {
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
        ck_assert_uint_eq(rp_buckets_shift_below(cheapest[i]), shifts[i]);
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
    ck_assert(rp_bucket_ring_is_empty(&steps.ring));
}
END_TEST

START_TEST(what_is_less_than_the_last_one_taken_out_comes_next)
{
    begin();
    push(1, 110 * STEP);
    push(2, 120 * STEP);
    push(3, 130 * STEP);
    ck_assert_uint_eq(pop(), 110 * STEP);
    push(4, 105 * STEP); // the window moves back
    push(5, 125 * STEP);
    push(6, 2 * STEP); // so far back the window cannot move
    static const rp_cost_t order[] = {2, 105, 120, 125, 130};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        ck_assert_uint_eq(pop(), order[i] * STEP);
    }
}
END_TEST

/// As searches do: keys fall, entries become stale, and now and then something early comes. With
/// far more pushes than there is room for.
START_TEST(a_long_run_takes_every_cell_out_in_order)
{
    rp_random_t random = {17};
    rp_cost_t last = 0;
    begin();
    push(0, 0);
    for (uint32_t round = 0; round < 12000; round++) {
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
            rp_buckets_clear(&steps);
            forget();
        }
    }
    while (least_waiting() != RP_COST_INF) {
        (void)pop();
    }
}
END_TEST

START_TEST(a_full_pool_loses_only_what_is_stale)
{
    begin();
    for (rp_cost_t key = 90000; key > 90000u - 50u; key--) {
        for (uint32_t cell = 0; cell < CELLS; cell++) {
            push(cell, key);
        }
    }
    ck_assert_uint_le(steps.fresh, steps.capacity);
    for (uint32_t i = 0; i < CELLS; i++) {
        ck_assert_uint_eq(pop(), 90000u - 49u);
    }
    ck_assert_uint_eq(least_waiting(), RP_COST_INF);
}
END_TEST

START_TEST(a_pool_full_of_live_entries_stays_full)
{
    begin();
    waiting[3] = 7;
    while (!rp_buckets_is_full(&steps)) {
        rp_buckets_push(&steps, 7, 4, 3);
    }
    rp_buckets_sweep(&steps, is_live, NULL);
    ck_assert(rp_buckets_is_full(&steps));
    ck_assert_uint_eq(pop(), 7);
    rp_buckets_sweep(&steps, is_live, NULL);
    ck_assert_uint_eq(steps.count, 0);
    push(5, 9);
    ck_assert_uint_eq(pop(), 9);
}
END_TEST

START_TEST(bytes_count_entries_at_their_most)
{
    rp_buckets_t buckets;
    make_buckets(&buckets, 10);
    for (uint32_t i = 0; i < 100; i++) {
        rp_buckets_push(&buckets, 5, 0, i);
    }
    const uint64_t bytes = rp_arena_bytes(&arena);
    ck_assert_uint_ge(bytes, 100u * sizeof(rp_bucket_entry_t));
    rp_buckets_clear(&buckets);
    ck_assert_uint_eq(rp_arena_bytes(&arena), bytes);
    rp_arena_free(&arena, NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_search_takes_the_newest_of_the_least,
        a_ring_serves_search_after_search,
        great_costs_lie_in_the_ring_as_small_ones,
        roots_may_be_put_in_with_a_lesser_f,
        a_step_is_no_longer_than_the_cheapest_edge,
        the_least_step_comes_out_first_and_of_it_the_last_put_in,
        what_is_less_than_the_last_one_taken_out_comes_next,
        a_long_run_takes_every_cell_out_in_order,
        a_full_pool_loses_only_what_is_stale,
        a_pool_full_of_live_entries_stays_full,
        bytes_count_entries_at_their_most,
    };
    return rp_suite_run("buckets", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
