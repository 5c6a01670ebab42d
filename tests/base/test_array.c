/// A growing array: what it holds survives each growth, new room may be zero, and what does not fit
/// into memory leaves it as it is.
#include <stdlib.h>

#include "base/array.h"
#include "tests/support/suite.h"

static uint64_t *list;
static size_t capacity;

static void tear_down(void)
{
    free(list);
}

START_TEST(entries_survive_growth_which_at_least_doubles_the_room)
{
    unsigned growths = 0;
    for (size_t count = 0; count < 5000; count++) {
        const size_t before = capacity;
        ck_assert(rp_array_reserve(&list, &capacity, count + 1u, sizeof *list));
        ck_assert_uint_gt(capacity, count);
        ck_assert(capacity == before || capacity >= 2u * before);
        growths += capacity != before;
        list[count] = count;
    }
    ck_assert_uint_le(growths, 10);
    for (size_t i = 0; i < 5000; i++) {
        RP_EACH_EQ(list[i], i);
    }
}
END_TEST

START_TEST(what_was_never_reserved_is_nothing)
{
    ck_assert(rp_array_reserve(&list, &capacity, 0, sizeof *list));
    ck_assert_ptr_null(list);
    ck_assert_uint_eq(capacity, 0);
}
END_TEST

START_TEST(a_large_step_is_taken_at_once)
{
    ck_assert(rp_array_reserve(&list, &capacity, 3, sizeof *list));
    ck_assert_uint_eq(capacity, RP_ARRAY_LEAST);
    ck_assert(rp_array_reserve(&list, &capacity, 1000, sizeof *list));
    ck_assert_uint_eq(capacity, 1000);
    ck_assert(rp_array_reserve(&list, &capacity, 1000, sizeof *list));
    ck_assert_uint_eq(capacity, 1000);
}
END_TEST

START_TEST(new_room_may_be_zero_and_what_was_there_stays)
{
    for (size_t count = 1; count <= 300; count += 7) {
        ck_assert(rp_array_reserve_zeroed(&list, &capacity, count, sizeof *list));
        for (size_t i = 0; i < capacity; i++) {
            RP_EACH_EQ(list[i], i + 7u < count ? 9u : 0u);
        }
        for (size_t i = 0; i < count; i++) {
            list[i] = 9;
        }
    }
}
END_TEST

START_TEST(what_memory_cannot_hold_changes_nothing)
{
    ck_assert(rp_array_reserve(&list, &capacity, 3, sizeof *list));
    list[2] = 7;
    const uint64_t *before = list;
    ck_assert(!rp_array_reserve(&list, &capacity, SIZE_MAX / sizeof *list + 1u, sizeof *list));
    ck_assert(!rp_array_reserve_zeroed(&list, &capacity, SIZE_MAX, sizeof *list));
    ck_assert_ptr_eq(list, before);
    ck_assert_uint_eq(capacity, RP_ARRAY_LEAST);
    ck_assert_uint_eq(list[2], 7);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        entries_survive_growth_which_at_least_doubles_the_room,
        what_was_never_reserved_is_nothing,
        a_large_step_is_taken_at_once,
        new_room_may_be_zero_and_what_was_there_stays,
        what_memory_cannot_hold_changes_nothing,
    };
    return rp_suite_run("array", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
