/// The ring of deltas: what is kept follows without a hole, and is bounded in bytes.
#include <string.h>

#include "daemon/serving/deltas.h"
#include "tests/support/suite.h"

static rp_deltas_t deltas;

static void tear_down(void)
{
    rp_deltas_fini(&deltas);
}

/// Keep `count` deltas of this size, each filled with its version.
static void add(size_t count, size_t size)
{
    static uint8_t bytes[4096];
    for (size_t i = 0; i < count; i++) {
        memset(bytes, (int)((deltas.newest + 1u) & 0xff), sizeof bytes);
        rp_deltas_add(&deltas, bytes, size);
    }
}

START_TEST(a_fresh_ring_reaches_from_its_version_on)
{
    rp_deltas_init(&deltas, 7, 1000);
    ck_assert(rp_deltas_reach(&deltas, 7, false));
    ck_assert(!rp_deltas_reach(&deltas, 6, false));
    ck_assert(!rp_deltas_reach(&deltas, 8, false));
    ck_assert_ptr_null(rp_deltas_get(&deltas, 7));
}
END_TEST

START_TEST(what_fits_is_kept_by_version)
{
    rp_deltas_init(&deltas, 1, 100000);
    add(500, 10);
    ck_assert(rp_deltas_reach(&deltas, 1, false));
    for (uint64_t version = 2; version <= 501; version++) {
        const rp_delta_t *delta = rp_deltas_get(&deltas, version);
        ck_assert_uint_eq(delta->size, 10);
        ck_assert_uint_eq(delta->bytes[9], version & 0xff);
    }
    ck_assert_ptr_null(rp_deltas_get(&deltas, 1));
    ck_assert_ptr_null(rp_deltas_get(&deltas, 502));
}
END_TEST

START_TEST(beyond_the_limit_the_oldest_go)
{
    rp_deltas_init(&deltas, 1, 1000);
    add(300, 100);
    ck_assert_uint_eq(deltas.size_bytes, 1000);
    ck_assert_uint_eq(deltas.oldest, 292);
    ck_assert(rp_deltas_reach(&deltas, 291, false));
    ck_assert(!rp_deltas_reach(&deltas, 290, false));
    ck_assert_uint_eq(rp_deltas_get(&deltas, 292)->bytes[0], 292 & 0xff);
}
END_TEST

START_TEST(one_that_is_too_large_empties_the_ring_and_counts_as_a_version)
{
    rp_deltas_init(&deltas, 1, 1000);
    add(5, 100);
    add(1, 1001);
    ck_assert_uint_eq(deltas.newest, 7);
    ck_assert_uint_eq(deltas.size_bytes, 0);
    ck_assert(!rp_deltas_reach(&deltas, 6, false));
    ck_assert(rp_deltas_reach(&deltas, 7, false));
    add(1, 1000);
    ck_assert_uint_eq(rp_deltas_get(&deltas, 8)->bytes[999], 8);
    ck_assert(rp_deltas_reach(&deltas, 7, false));
}
END_TEST

START_TEST(an_empty_delta_is_one_too)
{
    rp_deltas_init(&deltas, 1, 1000);
    add(3, 0);
    ck_assert(rp_deltas_reach(&deltas, 1, false));
    ck_assert_uint_eq(rp_deltas_get(&deltas, 3)->size, 0);
}
END_TEST

START_TEST(the_end_of_numbers_is_not_reached)
{
    rp_deltas_init(&deltas, 1, 1000);
    add(3, 1);
    ck_assert(!rp_deltas_reach(&deltas, UINT64_MAX, false));
    ck_assert(!rp_deltas_reach(&deltas, 0, false));
    ck_assert_ptr_null(rp_deltas_get(&deltas, UINT64_MAX));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_fresh_ring_reaches_from_its_version_on,
        what_fits_is_kept_by_version,
        beyond_the_limit_the_oldest_go,
        one_that_is_too_large_empties_the_ring_and_counts_as_a_version,
        an_empty_delta_is_one_too,
        the_end_of_numbers_is_not_reached,
    };
    return rp_suite_run("deltas", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
