/// Alarms against a plain search for the earliest one.
#include <stdlib.h>

#include "engine/alarms.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SESSIONS 50u

static rp_session_t sessions[SESSIONS];
static uint64_t due_us[SESSIONS]; ///< what each was set to

static rp_session_t *earliest(void)
{
    rp_session_t *first = NULL;
    for (uint32_t i = 0; i < SESSIONS; i++) {
        if (due_us[i] != RP_NEVER_US && (first == NULL || due_us[i] < due_us[first - sessions])) {
            first = &sessions[i];
        }
    }
    return first;
}

START_TEST(the_earliest_is_taken_first_whatever_was_set_before)
{
    rp_random_t rng = {7};
    rp_alarms_t alarms = {0};
    ck_assert_int_eq(rp_alarms_reserve(&alarms, SESSIONS), RP_OK);
    for (uint32_t i = 0; i < SESSIONS; i++) {
        sessions[i] = (rp_session_t){.look_us = RP_NEVER_US};
        due_us[i] = RP_NEVER_US;
    }
    for (uint32_t round = 0; round < 20000; round++) {
        const uint32_t i = rp_random_below(&rng, SESSIONS);
        if (rp_random_chance(&rng, 70)) {
            due_us[i] = rp_random_chance(&rng, 30) ? RP_NEVER_US : rp_random_below(&rng, 1000);
            rp_alarms_set(&alarms, &sessions[i], due_us[i]);
        }
        const rp_session_t *first = earliest();
        const uint64_t next_us = first != NULL ? due_us[first - sessions] : RP_NEVER_US;
        ck_assert_uint_eq(rp_alarms_next_us(&alarms), next_us);
        const uint64_t now_us = rp_random_below(&rng, 200);
        const rp_session_t *taken = rp_alarms_take(&alarms, now_us);
        ck_assert(next_us <= now_us ? taken != NULL : taken == NULL);
        if (taken != NULL) {
            ck_assert_uint_eq(due_us[taken - sessions], next_us); // another one, when equal
            due_us[taken - sessions] = RP_NEVER_US;
        }
    }
    rp_alarms_fini(&alarms);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {the_earliest_is_taken_first_whatever_was_set_before};
    return rp_suite_run("alarms", tests, 1, 1, NULL);
}
