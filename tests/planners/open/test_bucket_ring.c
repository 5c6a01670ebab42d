/// A ring of lists: the next one that is not empty is found wherever it stands, round the ring for
/// ever.
#include "planners/open/bucket_ring.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

/// Rings of 64, 4096 and 32768 lists: a word, a word of the summary, several of them.
static const rp_cost_t lists[] = {2, 2500, 32768};
#define ROUNDS (sizeof lists / sizeof lists[0])

static rp_bucket_ring_t ring;

static void begin(int round)
{
    rp_bucket_ring_init(&ring, lists[round], &arena);
    ck_assert_uint_ge(ring.mask + 1u, lists[round]);
}

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
}

/// Take what stands first, alone in its list.
static uint32_t take(rp_cost_t f)
{
    const uint32_t place = rp_bucket_ring_place(&ring, f);
    const uint32_t first = ring.heads[place];
    ring.heads[place] = 0;
    rp_bucket_ring_note_empty(&ring, place);
    return first;
}

START_TEST(the_only_list_is_found_from_everywhere)
{
    rp_random_t random = {3};
    begin(_i);
    for (int i = 0; i < 4000; i++) {
        const rp_cost_t from = (rp_cost_t)rp_random_next(&random) >> 8;
        const uint32_t distance = rp_random_below(&random, ring.mask + 1u);
        ck_assert_uint_eq(
            rp_bucket_ring_push(&ring, rp_bucket_ring_place(&ring, from + distance), 7u), 0);
        ck_assert_uint_eq(rp_bucket_ring_seek(&ring, from), distance);
        ck_assert_uint_eq(take(from + distance), 7u);
    }
}
END_TEST

START_TEST(of_several_lists_the_nearest_is_found)
{
    rp_random_t random = {4};
    begin(_i);
    for (int i = 0; i < 400; i++) {
        const rp_cost_t from = (rp_cost_t)rp_random_next(&random) >> 8;
        uint32_t nearest = ring.mask + 1u;
        for (uint32_t count = rp_random_between(&random, 1, 9); count != 0; count--) {
            const uint32_t distance = rp_random_below(&random, ring.mask + 1u);
            rp_bucket_ring_push(&ring, rp_bucket_ring_place(&ring, from + distance), count);
            nearest = distance < nearest ? distance : nearest;
        }
        ck_assert_uint_eq(rp_bucket_ring_seek(&ring, from), nearest);
        rp_bucket_ring_clear(&ring);
    }
}
END_TEST

START_TEST(what_is_pushed_comes_first_and_names_the_second)
{
    begin(_i);
    ck_assert_uint_eq(rp_bucket_ring_push(&ring, 5, 11), 0);
    ck_assert_uint_eq(rp_bucket_ring_push(&ring, 5, 12), 11);
    ck_assert_uint_eq(ring.heads[5], 12);
    rp_bucket_ring_note_empty(&ring, 5); // it is not
    ck_assert_uint_eq(rp_bucket_ring_seek(&ring, 5), 0);
}
END_TEST

START_TEST(a_cleared_ring_is_empty_everywhere)
{
    begin(_i);
    ck_assert(rp_bucket_ring_is_empty(&ring));
    for (uint32_t place = 0; place <= ring.mask; place += 61u) {
        rp_bucket_ring_push(&ring, place, 1);
        ck_assert(!rp_bucket_ring_is_empty(&ring));
    }
    rp_bucket_ring_clear(&ring);
    ck_assert(rp_bucket_ring_is_empty(&ring));
    for (uint32_t place = 0; place <= ring.mask; place++) {
        ck_assert_uint_eq(ring.heads[place], 0);
    }
    rp_bucket_ring_push(&ring, ring.mask, 1);
    ck_assert_uint_eq(rp_bucket_ring_seek(&ring, 0), ring.mask);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_only_list_is_found_from_everywhere,
        of_several_lists_the_nearest_is_found,
        what_is_pushed_comes_first_and_names_the_second,
        a_cleared_ring_is_empty_everywhere,
    };
    return rp_suite_run("bucket_ring", tests, sizeof tests / sizeof tests[0], ROUNDS, tear_down);
}
