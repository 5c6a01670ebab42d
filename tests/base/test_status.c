/// Sentences for the statuses.
#include "replan/status.h"

#include <string.h>

#include "tests/support/suite.h"

START_TEST(every_status_has_a_sentence_of_its_own)
{
    static const rp_status_t statuses[] = {
        RP_OK,        RP_MORE,     RP_E_INVALID, RP_E_MEMORY,     RP_E_UNSUPPORTED,
        RP_E_UNKNOWN, RP_E_EXISTS, RP_E_LIMIT,   (rp_status_t)99,
    };
    const size_t count = sizeof statuses / sizeof statuses[0];
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_gt(strlen(rp_status_text(statuses[i])), 3);
        for (size_t j = 0; j < i; j++) {
            ck_assert_str_ne(rp_status_text(statuses[i]), rp_status_text(statuses[j]));
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        every_status_has_a_sentence_of_its_own,
    };
    return rp_suite_run("status", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
