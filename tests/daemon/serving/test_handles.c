/// Handles that nobody had before: by the clock, by places, and over the lives of a daemon.
#include "daemon/serving/handles.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/random.h"
#include "tests/support/suite.h"

/// A day in 2026, and a tick of serial numbers.
#define NOW_US  ((uint64_t)1790000000 * 1000000u)
#define TICK_US 100u

static rp_handles_t handles;
static rp_handles_t later;
static int holders[64];
static uint64_t *all; ///< that were given [all_count]
static size_t all_count;

static void tear_down(void)
{
    rp_handles_fini(&handles);
    rp_handles_fini(&later);
    free(all);
    all = NULL;
    all_count = 0;
}

static uint64_t serial_of(uint64_t handle)
{
    return handle >> RP_HANDLE_PLACE_BITS;
}

static uint32_t place_of(uint64_t handle)
{
    return (uint32_t)(handle & (((uint64_t)1 << RP_HANDLE_PLACE_BITS) - 1u));
}

static uint64_t give(rp_handles_t *self, int *holder)
{
    const uint64_t handle = rp_handles_give(self, holder);
    ck_assert_uint_ne(handle, 0);
    ck_assert_ptr_eq(rp_handles_find(self, handle), holder);
    return handle;
}

START_TEST(a_handle_leads_to_its_holder_until_that_is_gone)
{
    rp_handles_set_clock(&handles, NOW_US, 1);
    const uint64_t orc = give(&handles, &holders[0]);
    const uint64_t elf = give(&handles, &holders[1]);
    ck_assert_uint_ne(orc, elf);
    rp_handles_free(&handles, orc);
    ck_assert_ptr_null(rp_handles_find(&handles, orc));
    ck_assert_ptr_eq(rp_handles_find(&handles, elf), &holders[1]);
    rp_handles_set_clock(&handles, NOW_US + TICK_US, 1 + TICK_US);
    const uint64_t fay = give(&handles, &holders[2]);
    ck_assert_uint_eq(place_of(fay), place_of(orc));
    ck_assert_ptr_null(rp_handles_find(&handles, orc));
}
END_TEST

START_TEST(what_was_never_given_leads_to_nobody)
{
    ck_assert_ptr_null(rp_handles_find(&handles, 0));
    ck_assert_ptr_null(rp_handles_find(&handles, 1));
    ck_assert_ptr_null(rp_handles_find(&handles, UINT64_MAX));
    rp_handles_set_clock(&handles, NOW_US, 1);
    const uint64_t handle = give(&handles, &holders[0]);
    ck_assert_ptr_null(rp_handles_find(&handles, 0));
    ck_assert_ptr_null(rp_handles_find(&handles, place_of(handle)));
    ck_assert_ptr_null(rp_handles_find(&handles, handle + 1u));
    ck_assert_ptr_null(rp_handles_find(&handles, handle + ((uint64_t)1 << RP_HANDLE_PLACE_BITS)));
    ck_assert_ptr_null(rp_handles_find(&handles, UINT64_MAX));
}
END_TEST

/// The serial is the clock's, in tenths of a millisecond since 2026: a run that begins a tick later
/// gives none of this run's.
START_TEST(no_serial_is_ahead_of_the_clock_however_fast_agents_come_and_go)
{
    const uint64_t year_us = (uint64_t)1767225600 * 1000000u;
    for (uint64_t tick = 0; tick < 50; tick++) {
        rp_handles_set_clock(&handles, NOW_US + tick * TICK_US, tick * TICK_US);
        for (unsigned i = 0; i < 20; i++) {
            const uint64_t handle = give(&handles, &holders[0]);
            ck_assert_uint_eq(serial_of(handle), (NOW_US - year_us) / TICK_US + tick);
            rp_handles_free(&handles, handle);
        }
    }
    ck_assert_uint_eq(handles.count, 20); // places are used again
}
END_TEST

static int compare(const void *a, const void *b)
{
    const uint64_t first = *(const uint64_t *)a;
    const uint64_t second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

static void note(uint64_t handle)
{
    all = realloc(all, (all_count + 1u) * sizeof *all);
    ck_assert_ptr_nonnull(all);
    all[all_count++] = handle;
}

static void expect_all_differ(void)
{
    qsort(all, all_count, sizeof *all, compare);
    for (size_t i = 1; i < all_count; i++) {
        ck_assert_uint_ne(all[i - 1], all[i]);
    }
}

/// The wall clock stands, runs, and is set back by up to an hour; sixteen agents come and go.
static void live(rp_handles_t *self, rp_random_t *random, uint64_t *wall_us, uint64_t *steady_us,
                 unsigned rounds)
{
    uint64_t held[16] = {0};
    for (unsigned i = 0; i < rounds; i++) {
        const uint32_t which = rp_random_below(random, 16);
        const uint64_t passed_us = rp_random_below(random, 3) * rp_random_below(random, 400);
        *steady_us += passed_us;
        *wall_us += passed_us;
        *wall_us -= rp_random_chance(random, 1) ? rp_random_below(random, 3600u * 1000000u) : 0u;
        rp_handles_set_clock(self, *wall_us, *steady_us);
        if (held[which] != 0) {
            ck_assert_ptr_eq(rp_handles_find(self, held[which]), &holders[which]);
            rp_handles_free(self, held[which]);
        }
        held[which] = give(self, &holders[which]);
        note(held[which]);
    }
}

START_TEST(none_is_given_twice_though_the_clock_is_set_back)
{
    rp_random_t random = {20260101u + (uint64_t)_i};
    uint64_t wall_us = NOW_US;
    uint64_t steady_us = 5;
    live(&handles, &random, &wall_us, &steady_us, 5000);
    expect_all_differ();
}
END_TEST

/// What a state tells a later run: who has which handle, and how far serials went.
START_TEST(a_later_run_with_a_state_goes_on_though_the_clock_was_set_back)
{
    rp_random_t random = {20270101u + (uint64_t)_i};
    uint64_t wall_us = NOW_US;
    uint64_t steady_us = 5;
    live(&handles, &random, &wall_us, &steady_us, 500);
    const uint64_t kept = give(&handles, &holders[20]);
    note(kept);
    rp_handles_set_clock(&later, wall_us - 1000u * 1000000u, 7);
    rp_handles_want(&later, rp_handles_mark(&handles));
    rp_handles_want(&later, kept);
    ck_assert_uint_eq(give(&later, &holders[20]), kept);
    rp_handles_want(&later, rp_handles_mark(&handles)); // opens nothing
    rp_handles_restored(&later, wall_us);
    wall_us -= 1000u * 1000000u;
    steady_us = 7;
    live(&later, &random, &wall_us, &steady_us, 500);
    ck_assert_ptr_eq(rp_handles_find(&later, kept), &holders[20]);
    expect_all_differ();
}
END_TEST

START_TEST(a_handle_that_is_wanted_is_given_once_and_only_where_its_place_is_free)
{
    rp_handles_set_clock(&handles, NOW_US, 1);
    const uint64_t wanted = ((uint64_t)77 << RP_HANDLE_PLACE_BITS) | 5u;
    rp_handles_want(&handles, wanted);
    ck_assert_uint_eq(give(&handles, &holders[0]), wanted);
    const uint64_t next = give(&handles, &holders[1]);
    ck_assert_uint_ne(place_of(next), 5);
    rp_handles_want(&handles, wanted);
    ck_assert_uint_ne(give(&handles, &holders[2]), wanted); // somebody has it
    ck_assert_ptr_eq(rp_handles_find(&handles, wanted), &holders[0]);
    rp_handles_free(&handles, wanted);
    rp_handles_want(&handles, wanted);
    ck_assert_uint_ne(give(&handles, &holders[3]), wanted); // somebody had it
}
END_TEST

/// On a machine whose clock was never set, too.
START_TEST(a_clock_that_was_never_set_gives_serials_below_those_of_one_that_was)
{
    for (unsigned i = 0; i < 3; i++) {
        (void)give(&handles, &holders[i]); // nobody told the time
    }
    rp_handles_set_clock(&handles, 60u * 1000000u, 1);
    ck_assert_uint_eq(serial_of(give(&handles, &holders[3])), 600000);
    rp_handles_set_clock(&handles, (uint64_t)1700000000 * 1000000u, 2); // 2023
    const uint64_t wrong = serial_of(give(&handles, &holders[4]));
    ck_assert_uint_gt(wrong, 600000);
    rp_handles_set_clock(&handles, NOW_US, 3);
    ck_assert_uint_gt(serial_of(give(&handles, &holders[5])), wrong);
}
END_TEST

START_TEST(when_serials_have_run_out_each_place_has_one_more)
{
    rp_handles_set_clock(&handles, UINT64_MAX, 1);
    const uint64_t last = give(&handles, &holders[0]);
    ck_assert_uint_eq(serial_of(last), ((uint64_t)1 << RP_HANDLE_SERIAL_BITS) - 1u);
    rp_handles_free(&handles, last);
    const uint32_t places = (uint32_t)1 << RP_HANDLE_PLACE_BITS;
    for (uint32_t i = 1; i < places; i++) {
        const uint64_t handle = rp_handles_give(&handles, &holders[0]);
        RP_EACH_EQ(place_of(handle), i);
        rp_handles_free(&handles, handle);
    }
    ck_assert_uint_eq(rp_handles_give(&handles, &holders[0]), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_handle_leads_to_its_holder_until_that_is_gone,
        what_was_never_given_leads_to_nobody,
        no_serial_is_ahead_of_the_clock_however_fast_agents_come_and_go,
        none_is_given_twice_though_the_clock_is_set_back,
        a_later_run_with_a_state_goes_on_though_the_clock_was_set_back,
        a_handle_that_is_wanted_is_given_once_and_only_where_its_place_is_free,
        a_clock_that_was_never_set_gives_serials_below_those_of_one_that_was,
        when_serials_have_run_out_each_place_has_one_more,
    };
    return rp_suite_run("handles", tests, sizeof tests / sizeof tests[0], 4, tear_down);
}
