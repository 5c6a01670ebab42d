/// OPEN as a ring of buckets: least f first, last in first out within one f, round the ring for
/// ever.
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

static rp_buckets_t new_buckets(rp_cost_t dearest)
{
    rp_buckets_t buckets;
    rp_buckets_init(&buckets, CELLS, dearest, &arena);
    model.count = 0;
    return buckets;
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
        const rp_bucket_entry_t entry = rp_buckets_pop(buckets);
        if (top != least || entry.cell != cell || entry.g != least + 1u ||
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
        rp_buckets_t buckets = new_buckets(dearest[i]);
        ck_assert(follows_model(&buckets, dearest[i], 1000u, i + 1u));
        rp_arena_free(&arena, NULL);
    }
}
END_TEST

START_TEST(a_ring_serves_search_after_search)
{
    rp_buckets_t buckets = new_buckets(577);
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
    rp_buckets_t buckets = new_buckets(1000);
    ck_assert(follows_model(&buckets, 1000, great, 8));
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(roots_may_be_put_in_with_a_lesser_f)
{
    rp_buckets_t buckets = new_buckets(100);
    rp_buckets_push(&buckets, 150, 0, 1);
    rp_buckets_push(&buckets, 60, 0, 2);
    rp_buckets_push(&buckets, 140, 0, 3);
    ck_assert_uint_eq(rp_buckets_pop(&buckets).cell, 2);
    ck_assert_uint_eq(rp_buckets_pop(&buckets).cell, 3);
    ck_assert_uint_eq(rp_buckets_pop(&buckets).cell, 1);
    ck_assert_uint_eq(buckets.count, 0);
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(a_full_pool_is_swept_by_dropping_entries)
{
    rp_buckets_t buckets = new_buckets(10);
    uint32_t count = 0;
    while (!rp_buckets_is_full(&buckets)) {
        rp_buckets_push(&buckets, 100u + count % 20u, 0, count);
        count++;
    }
    ck_assert_uint_gt(count, CELLS);
    for (uint32_t bucket = 0; bucket <= buckets.ring.mask; bucket++) {
        for (uint32_t *link = &buckets.ring.heads[bucket]; *link != 0;) {
            if (buckets.entries[*link].cell % 3u != 0) {
                rp_buckets_drop(&buckets, link);
            } else {
                link = &buckets.entries[*link].next;
            }
        }
        rp_bucket_ring_note_empty(&buckets.ring, bucket);
    }
    ck_assert_uint_eq(buckets.count, (count + 2u) / 3u);
    ck_assert(!rp_buckets_is_full(&buckets));
    bool is_right = true;
    rp_cost_t last = 0;
    for (uint32_t left = buckets.count; left != 0; left--) {
        const rp_cost_t f = rp_buckets_top(&buckets);
        is_right = is_right && f >= last && rp_buckets_pop(&buckets).cell % 3u == 0;
        last = f;
    }
    ck_assert(is_right);
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(bytes_count_entries_at_their_most)
{
    rp_buckets_t buckets = new_buckets(10);
    for (uint32_t i = 0; i < 100; i++) {
        rp_buckets_push(&buckets, 5, 0, i);
    }
    const uint64_t bytes = rp_buckets_bytes(&buckets);
    ck_assert_uint_ge(bytes, 100u * sizeof(rp_bucket_entry_t));
    rp_buckets_clear(&buckets);
    ck_assert_uint_eq(rp_buckets_bytes(&buckets), bytes);
    rp_arena_free(&arena, NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_search_takes_the_newest_of_the_least,    a_ring_serves_search_after_search,
        great_costs_lie_in_the_ring_as_small_ones, roots_may_be_put_in_with_a_lesser_f,
        a_full_pool_is_swept_by_dropping_entries,  bytes_count_entries_at_their_most,
    };
    return rp_suite_run("buckets", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
