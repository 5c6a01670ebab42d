/// Handles: which one comes next, and that a closed one is nobody.
#include "engine/table.h"

#include "tests/support/suite.h"

static rp_table_t table;

static void tear_down(void)
{
    rp_table_fini(&table);
}

/// Take the next place. @return its handle
static uint32_t take(void *thing)
{
    const uint32_t place = rp_table_place(&table);
    ck_assert_uint_ne(place, UINT32_MAX);
    table.items[place] = thing;
    return place + 1u;
}

START_TEST(handles_count_from_one_and_survive_growth)
{
    static int things[100];
    for (uint32_t i = 0; i < 100; i++) {
        ck_assert_uint_eq(take(&things[i]), i + 1u);
    }
    for (uint32_t i = 0; i < 100; i++) {
        ck_assert_ptr_eq(rp_table_get(&table, i + 1u), &things[i]);
    }
}
END_TEST

START_TEST(what_was_never_given_is_nobody)
{
    ck_assert_ptr_null(rp_table_get(&table, 0));
    ck_assert_ptr_null(rp_table_get(&table, 1));
    int thing;
    (void)take(&thing);
    ck_assert_ptr_null(rp_table_get(&table, 2));
    ck_assert_ptr_null(rp_table_get(&table, UINT32_MAX));
}
END_TEST

START_TEST(a_closed_handle_is_used_again_before_new_ones)
{
    int things[4];
    for (uint32_t i = 0; i < 4; i++) {
        (void)take(&things[i]);
    }
    rp_table_clear(&table, 3);
    rp_table_clear(&table, 2);
    ck_assert_ptr_null(rp_table_get(&table, 2));
    ck_assert_uint_eq(take(&things[1]), 2);
    ck_assert_uint_eq(take(&things[2]), 3);
    ck_assert_uint_eq(take(&things[0]), 5);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        handles_count_from_one_and_survive_growth,
        what_was_never_given_is_nobody,
        a_closed_handle_is_used_again_before_new_ones,
    };
    return rp_suite_run("table", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
