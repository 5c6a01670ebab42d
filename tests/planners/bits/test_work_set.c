/// The agenda against an array of flags, through many rounds of its cursor.
#include "planners/bits/work_set.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define LIMIT_MAX 10000u ///< more than two groups of words
#define STEPS     20000

static rp_work_set_t work_set;
static bool flags[LIMIT_MAX];

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
}

static uint32_t take_from_flags(uint32_t limit, uint32_t cursor)
{
    for (; cursor < limit; cursor++) {
        if (flags[cursor]) {
            flags[cursor] = false;
            return cursor;
        }
    }
    return RP_WORK_SET_END;
}

START_TEST(it_gives_what_was_put_in_in_order_round_after_round)
{
    static const uint32_t limits[] = {1, 63, 64, 65, 130, 4096, 4097, LIMIT_MAX};
    rp_random_t random = {(uint64_t)_i};
    const uint32_t limit = limits[_i];
    rp_work_set_init(&work_set, limit, &arena);
    uint32_t cursor = 0;
    for (int step = 0; step < STEPS; step++) {
        const uint32_t number = rp_random_below(&random, limit);
        if (rp_random_chance(&random, 45)) {
            rp_work_set_add(&work_set, number);
            flags[number] = true;
        }
        const uint32_t taken = rp_work_set_take(&work_set, cursor);
        ck_assert_uint_eq(taken, take_from_flags(limit, cursor));
        cursor = taken == RP_WORK_SET_END ? 0 : taken + 1u;
    }
}
END_TEST

START_TEST(a_cleared_agenda_is_empty)
{
    rp_random_t random = {(uint64_t)_i};
    rp_work_set_init(&work_set, LIMIT_MAX, &arena);
    for (int i = 0; i < 50; i++) {
        rp_work_set_add(&work_set, rp_random_below(&random, LIMIT_MAX));
    }
    rp_work_set_clear(&work_set);
    ck_assert_uint_eq(rp_work_set_take(&work_set, 0), RP_WORK_SET_END);
    rp_work_set_add(&work_set, LIMIT_MAX - 1u);
    ck_assert_uint_eq(rp_work_set_take(&work_set, 17), LIMIT_MAX - 1u);
    ck_assert_uint_eq(rp_work_set_take(&work_set, 0), RP_WORK_SET_END);
}
END_TEST

START_TEST(a_cursor_beyond_the_end_finds_nothing)
{
    rp_work_set_init(&work_set, 64, &arena);
    rp_work_set_add(&work_set, 63);
    ck_assert_uint_eq(rp_work_set_take(&work_set, 64), RP_WORK_SET_END);
    ck_assert_uint_eq(rp_work_set_take(&work_set, 63), 63);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        it_gives_what_was_put_in_in_order_round_after_round,
        a_cleared_agenda_is_empty,
        a_cursor_beyond_the_end_finds_nothing,
    };
    return rp_suite_run("work_set", tests, sizeof tests / sizeof tests[0], 8, tear_down);
}
