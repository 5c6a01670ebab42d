/// OPEN as a heap on top of buckets: the same order as the heap alone, range after range, and what
/// is not asked for never enters the heap.
#include "planners/open/hot_queue.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define CELLS 500u

/// Both queues hold the same entries; no two entries have the same key.
typedef struct pair {
    rp_hot_queue_t hot;
    rp_heap_t heap;
    rp_cell_t put_in; ///< so far; also the cell of the next entry
} pair_t;

static void pair_init(pair_t *self, rp_cost_t dearest)
{
    *self = (pair_t){0};
    rp_hot_queue_init(&self->hot, CELLS, dearest, &arena);
    rp_heap_init(&self->heap, CELLS, &arena);
}

static void put(pair_t *self, rp_cost_t f)
{
    const rp_key_t key = rp_key(f, RP_COST_INF - self->put_in);
    rp_hot_queue_push(&self->hot, key, self->put_in);
    rp_heap_push(&self->heap, key, self->put_in);
    self->put_in++;
}

/// Take one out of both. @return true when they agree; then `f` is its f
static bool take(pair_t *self, rp_cost_t *f)
{
    const rp_heap_entry_t expected = rp_heap_pop(&self->heap);
    *f = rp_key_first(expected.key);
    const bool knows_least = rp_hot_queue_top(&self->hot) == *f;
    const rp_heap_entry_t entry = rp_hot_queue_pop(&self->hot);
    return knows_least && entry.key == expected.key && entry.cell == expected.cell;
}

/// As a search does: what is put in is at most twice the dearest edge above what was taken out.
static bool searches_alike(pair_t *self, rp_cost_t dearest, rp_cost_t from, uint64_t seed)
{
    rp_random_t random = {seed};
    rp_cost_t least = from;
    for (uint32_t i = 0; i < 6000u; i++) {
        const bool is_empty = self->heap.count == 0;
        if (is_empty != rp_hot_queue_is_empty(&self->hot)) {
            return false;
        }
        if (is_empty || (self->heap.count < CELLS && rp_random_chance(&random, 51))) {
            put(self, least + rp_random_below(&random, 2u * (uint32_t)dearest + 1u));
        } else if (!take(self, &least)) {
            return false;
        }
    }
    return true;
}

START_TEST(entries_leave_in_the_order_of_the_heap_alone)
{
    static const uint32_t dearest[] = {1, 2, 31, 32, 577, 577u * 14u, 577u * 510u};
    for (size_t i = 0; i < sizeof dearest / sizeof dearest[0]; i++) {
        pair_t pair;
        pair_init(&pair, dearest[i]);
        ck_assert(searches_alike(&pair, dearest[i], 1000u, i + 1u));
        rp_arena_free(&arena, NULL);
    }
}
END_TEST

START_TEST(the_farthest_step_from_anywhere_in_a_range_stays_apart)
{
    for (rp_cost_t dearest = 1; dearest <= 300; dearest++) {
        pair_t pair;
        pair_init(&pair, dearest);
        put(&pair, 7000);
        for (rp_cost_t least = 7000; pair.put_in < CELLS - 2u;) {
            ck_assert(take(&pair, &least));
            put(&pair, least + 2u * dearest);
            put(&pair, least + 1u);
        }
        for (rp_cost_t f; pair.heap.count != 0;) {
            ck_assert(take(&pair, &f));
        }
        ck_assert(rp_hot_queue_is_empty(&pair.hot));
        rp_arena_free(&arena, NULL);
    }
}
END_TEST

START_TEST(a_queue_serves_search_after_search)
{
    pair_t pair;
    pair_init(&pair, 577);
    for (uint32_t round = 0; round < 20; round++) {
        ck_assert(searches_alike(&pair, 577, 12345u * ((round * 7u) % 20u), round + 1u));
        rp_hot_queue_clear(&pair.hot); // with entries left in it
        pair.heap.count = 0;
        ck_assert(rp_hot_queue_is_empty(&pair.hot));
    }
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(great_costs_lie_in_ranges_as_small_ones)
{
    pair_t pair;
    pair_init(&pair, 1000);
    ck_assert(searches_alike(&pair, 1000, RP_COST_INF / 2u, 8));
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(what_is_not_asked_for_never_enters_the_heap)
{
    rp_hot_queue_t hot;
    rp_cell_t cell = 1;
    rp_hot_queue_init(&hot, CELLS, 577, &arena);
    rp_hot_queue_push(&hot, rp_key(1000, 0), cell++);
    while (cell < CELLS) {
        rp_hot_queue_push(&hot, rp_key(1000u + 300u + cell, 0), cell);
        cell++;
    }
    ck_assert_uint_eq(hot.top.count, 1);
    ck_assert_uint_eq(rp_hot_queue_pop(&hot).cell, 1);
    ck_assert_uint_eq(hot.top.count, 0);
    ck_assert_uint_eq(rp_hot_queue_pop(&hot).cell, 2);
    ck_assert_uint_lt(hot.top.count, CELLS / 8u);
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(roots_may_be_put_in_with_a_lesser_f)
{
    rp_hot_queue_t hot;
    rp_hot_queue_init(&hot, CELLS, 100, &arena);
    rp_hot_queue_push(&hot, rp_key(150, 0), 1);
    rp_hot_queue_push(&hot, rp_key(60, 0), 2);
    rp_hot_queue_push(&hot, rp_key(140, 0), 3);
    ck_assert_uint_eq(rp_hot_queue_pop(&hot).cell, 2);
    ck_assert_uint_eq(rp_hot_queue_pop(&hot).cell, 3);
    ck_assert_uint_eq(rp_hot_queue_pop(&hot).cell, 1);
    ck_assert(rp_hot_queue_is_empty(&hot));
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(bytes_count_entries_at_their_most)
{
    rp_hot_queue_t hot;
    rp_hot_queue_init(&hot, CELLS, 10, &arena);
    rp_hot_queue_push(&hot, rp_key(5, 0), 1);
    for (rp_cell_t cell = 2; cell < 100; cell++) {
        rp_hot_queue_push(&hot, rp_key(9, 0), cell);
    }
    const uint64_t bytes = rp_hot_queue_bytes(&hot);
    ck_assert_uint_ge(bytes, 98u * sizeof(rp_hot_queue_entry_t) + sizeof(rp_heap_entry_t));
    rp_hot_queue_clear(&hot);
    ck_assert_uint_eq(rp_hot_queue_bytes(&hot), bytes);
    rp_arena_free(&arena, NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        entries_leave_in_the_order_of_the_heap_alone,
        the_farthest_step_from_anywhere_in_a_range_stays_apart,
        a_queue_serves_search_after_search,
        great_costs_lie_in_ranges_as_small_ones,
        what_is_not_asked_for_never_enters_the_heap,
        roots_may_be_put_in_with_a_lesser_f,
        bytes_count_entries_at_their_most,
    };
    return rp_suite_run("hot_queue", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
