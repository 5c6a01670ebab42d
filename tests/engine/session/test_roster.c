/// The list of a world's sessions, held against an array in both directions.
#include "engine/session/roster.h"

#include "engine/session/session_state.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SESSIONS 7u

static rp_roster_t *roster;
static rp_world_t world;
static rp_session_t sessions[SESSIONS];
static bool is_in[SESSIONS];

static void tear_down(void)
{
    rp_roster_destroy(&roster);
}

/// Each that is in is found once, the newest first, and by its neighbours.
static void check(void)
{
    unsigned count = 0;
    unsigned found = 0;
    const rp_session_t *before = NULL;
    for (const rp_session_t *at = roster->sessions; at != NULL; at = at->world_next) {
        ck_assert_ptr_eq(at->world_previous, before);
        ck_assert(is_in[at - sessions]);
        ck_assert_uint_lt(found++, SESSIONS);
        before = at;
    }
    for (unsigned i = 0; i < SESSIONS; i++) {
        count += is_in[i];
    }
    ck_assert_uint_eq(found, count);
}

START_TEST(a_fresh_roster_has_nobody_and_tests_for_as_long_as_a_step)
{
    roster = rp_roster_new();
    ck_assert_ptr_nonnull(roster);
    ck_assert_ptr_null(roster->sessions);
    ck_assert_uint_eq(roster->unsure_count, 0);
    ck_assert_uint_eq(roster->tests_at_once, 8192);
    rp_roster_destroy(&roster);
    ck_assert_ptr_null(roster);
}
END_TEST

START_TEST(whoever_comes_and_goes_the_others_stay)
{
    rp_random_t rng = {3};
    roster = rp_roster_new();
    ck_assert_ptr_nonnull(roster);
    world.roster = roster;
    for (unsigned round = 0; round < 2000; round++) {
        const unsigned i = rp_random_below(&rng, SESSIONS);
        if (is_in[i]) {
            rp_roster_remove(&sessions[i]);
        } else {
            sessions[i] = (rp_session_t){.world = &world};
            rp_roster_add(&sessions[i]);
            ck_assert_ptr_eq(roster->sessions, &sessions[i]);
        }
        is_in[i] = !is_in[i];
        check();
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_fresh_roster_has_nobody_and_tests_for_as_long_as_a_step,
        whoever_comes_and_goes_the_others_stay,
    };
    return rp_suite_run("roster", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
