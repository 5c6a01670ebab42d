/// Handles: which one comes next, and that a closed one is nobody, for ever.
#include "engine/table.h"

#include "tests/support/suite.h"

static rp_table_t table;

static void tear_down(void)
{
    rp_table_fini(&table);
}

/// Take the next place. @return its handle
static uint64_t take(void *thing)
{
    uint32_t place;
    ck_assert_int_eq(rp_table_take(&table, &place), RP_OK);
    table.items[place] = thing;
    return rp_table_handle(&table, place);
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
    ck_assert_ptr_null(rp_table_get(&table, (uint64_t)1 << RP_ID_PLACE_BITS));
    ck_assert_ptr_null(rp_table_get(&table, (uint64_t)1 << RP_ID_PLACE_BITS | 1u));
    ck_assert_ptr_null(rp_table_get(&table, (uint64_t)1 << 53u | 1u));
    ck_assert_ptr_null(rp_table_get(&table, UINT64_MAX));
}
END_TEST

START_TEST(a_free_place_is_used_again_before_new_ones)
{
    int things[4];
    for (uint32_t i = 0; i < 4; i++) {
        (void)take(&things[i]);
    }
    rp_table_clear(&table, 3);
    rp_table_clear(&table, 2);
    ck_assert_uint_eq(rp_id_place(take(&things[1])), 2);
    ck_assert_uint_eq(rp_id_place(take(&things[2])), 3);
    ck_assert_uint_eq(rp_id_place(take(&things[0])), 5);
}
END_TEST

START_TEST(a_closed_handle_is_not_whoever_came_after_it)
{
    int things[2];
    uint64_t handles[100];
    for (uint32_t i = 0; i < 100; i++) {
        handles[i] = take(&things[0]);
        ck_assert_ptr_eq(rp_table_get(&table, handles[i]), &things[0]);
        rp_table_clear(&table, handles[i]);
    }
    const uint64_t newest = take(&things[1]);
    for (uint32_t i = 0; i < 100; i++) {
        ck_assert_uint_eq(rp_id_place(handles[i]), rp_id_place(newest));
        ck_assert_ptr_null(rp_table_get(&table, handles[i]));
    }
    ck_assert_ptr_eq(rp_table_get(&table, newest), &things[1]);
}
END_TEST

START_TEST(a_place_whose_handles_are_used_up_is_left)
{
    int thing;
    rp_table_clear(&table, take(&thing));
    table.freed[0] = INT32_MAX - 1;
    const uint64_t last = take(&thing);
    ck_assert_uint_eq(rp_id_place(last), 1);
    ck_assert_uint_lt(last, (uint64_t)1 << 53u);
    rp_table_clear(&table, last);
    ck_assert_ptr_null(rp_table_get(&table, last));
    ck_assert_uint_eq(take(&thing), 2);
}
END_TEST

START_TEST(there_is_an_end_to_places)
{
    int thing;
    uint32_t place = 7;
    (void)take(&thing);
    table.lowest_free = RP_ID_PLACES_MAX;
    ck_assert_int_eq(rp_table_take(&table, &place), RP_E_LIMIT);
    ck_assert_uint_eq(place, 7);
    rp_table_clear(&table, 1);
    ck_assert_int_eq(rp_table_take(&table, &place), RP_OK);
    ck_assert_uint_eq(place, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        handles_count_from_one_and_survive_growth,  what_was_never_given_is_nobody,
        a_free_place_is_used_again_before_new_ones, a_closed_handle_is_not_whoever_came_after_it,
        a_place_whose_handles_are_used_up_is_left,  there_is_an_end_to_places,
    };
    return rp_suite_run("table", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
