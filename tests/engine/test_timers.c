/// Timers against a plain search for the earliest one.
#include <stdlib.h>

#include "engine/timers.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SESSIONS 50u
#define SURE     20u

static rp_session_t sessions[SESSIONS];
static uint64_t due_us[SESSIONS]; ///< what each was set to

/// When the first timer of this kind is due. The first sessions are sure, the others are not.
static uint64_t earliest(rp_timer_kind_t kind)
{
    const uint32_t begin = kind == RP_TIMER_LOOK ? 0 : SURE;
    const uint32_t end = kind == RP_TIMER_LOOK ? SURE : SESSIONS;
    uint64_t first_us = RP_NEVER_US;
    for (uint32_t i = begin; i < end; i++) {
        first_us = due_us[i] < first_us ? due_us[i] : first_us;
    }
    return first_us;
}

START_TEST(the_earliest_is_taken_first_whatever_was_set_before)
{
    rp_random_t rng = {7};
    rp_timers_t timers = {0};
    ck_assert_int_eq(rp_timers_reserve(&timers, SESSIONS), RP_OK);
    for (uint32_t i = 0; i < SESSIONS; i++) {
        sessions[i] =
            (rp_session_t){.schedule.look_us = RP_NEVER_US,
                           .validity.state = i >= SURE ? RP_SESSION_UNSURE : RP_SESSION_SURE};
        due_us[i] = RP_NEVER_US;
    }
    for (uint32_t round = 0; round < 20000; round++) {
        const uint32_t i = rp_random_below(&rng, SESSIONS);
        if (rp_random_chance(&rng, 70)) {
            due_us[i] = rp_random_chance(&rng, 30) ? RP_NEVER_US : rp_random_below(&rng, 1000);
            rp_timers_set(&timers, &sessions[i], due_us[i]);
        }
        const uint64_t looks_us = earliest(RP_TIMER_LOOK);
        const uint64_t deadlines_us = earliest(RP_TIMER_DEADLINE);
        const uint64_t next_us = looks_us < deadlines_us ? looks_us : deadlines_us;
        ck_assert_uint_eq(rp_timers_next_us(&timers), next_us);
        const uint64_t now_us = rp_random_below(&rng, 200);
        const rp_timer_kind_t kind = rp_random_chance(&rng, 50) ? RP_TIMER_LOOK : RP_TIMER_DEADLINE;
        const uint64_t first_us = kind == RP_TIMER_LOOK ? looks_us : deadlines_us;
        const rp_session_t *taken = rp_timers_take(&timers, kind, now_us);
        ck_assert(first_us <= now_us ? taken != NULL : taken == NULL);
        if (taken != NULL) {
            ck_assert_uint_eq(due_us[taken - sessions], first_us); // another one, when equal
            ck_assert_int_eq(rp_session_is_unsure(taken), kind == RP_TIMER_DEADLINE);
            due_us[taken - sessions] = RP_NEVER_US;
        }
    }
    rp_timers_fini(&timers);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {the_earliest_is_taken_first_whatever_was_set_before};
    return rp_suite_run("timers", tests, 1, 1, NULL);
}
