/// Refusals in the log: one line each, few a second, and only for who asks for debug.
#include "daemon/net/refusal_log.h"

#include <stdio.h>
#include <string.h>

#include "daemon/process/log.h"
#include "tests/daemon/capture.h"
#include "tests/support/suite.h"

#define SECOND_US 1000000u

static char said[100000];

static rp_refusal_t refusal_of(const char *sentence)
{
    rp_refusal_t refusal = {.status = REPLAN__V1__STATUS__UNKNOWN};
    (void)snprintf(refusal.sentence, sizeof refusal.sentence, "%s", sentence);
    return refusal;
}

static unsigned count_lines(void)
{
    unsigned count = 0;
    for (const char *at = said; (at = strchr(at, '\n')) != NULL; at++) {
        count++;
    }
    return count;
}

START_TEST(a_refusal_is_a_line_of_its_sentence)
{
    rp_refusal_log_t refusals = {.logged = 0};
    const rp_refusal_t refusal = refusal_of("world: there is no world \"a\nb\"");
    rp_capture_t capture = rp_capture_begin();
    rp_log_set_level(RP_LOG_DEBUG);
    rp_refusal_log_add(&refusals, "control", 7, &refusal, 5u * SECOND_US);
    rp_capture_end(&capture, said, sizeof said);
    ck_assert_ptr_nonnull(
        strstr(said, " level=debug event=refused socket=control id=7 status=UNKNOWN skipped=0 "
                     "sentence=\"world: there is no world 'a?b'\"\n"));
    ck_assert_uint_eq(count_lines(), 1);
}
END_TEST

START_TEST(beyond_the_most_of_a_second_they_are_counted)
{
    rp_refusal_log_t refusals = {.logged = 0};
    const rp_refusal_t refusal = refusal_of("no");
    rp_capture_t capture = rp_capture_begin();
    rp_log_set_level(RP_LOG_DEBUG);
    for (unsigned i = 0; i < 3u * RP_REFUSAL_LOG_EACH_SECOND; i++) {
        rp_refusal_log_add(&refusals, "changes", 0, &refusal, 5u * SECOND_US + i);
    }
    rp_refusal_log_add(&refusals, "changes", 0, &refusal, 6u * SECOND_US);
    rp_refusal_log_add(&refusals, "changes", 0, &refusal, 6u * SECOND_US);
    rp_capture_end(&capture, said, sizeof said);
    ck_assert_uint_eq(count_lines(), RP_REFUSAL_LOG_EACH_SECOND + 2u);
    const char *next = strstr(said, "skipped=100 ");
    ck_assert_ptr_nonnull(next);
    ck_assert_ptr_nonnull(strstr(next, "skipped=0 "));
}
END_TEST

START_TEST(nothing_is_said_at_info)
{
    rp_refusal_log_t refusals = {.logged = 0};
    const rp_refusal_t refusal = refusal_of("no");
    rp_capture_t capture = rp_capture_begin();
    rp_log_set_level(RP_LOG_INFO);
    rp_refusal_log_add(&refusals, "poses", 0, &refusal, SECOND_US);
    rp_capture_end(&capture, said, sizeof said);
    ck_assert_str_eq(said, "");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_refusal_is_a_line_of_its_sentence,
        beyond_the_most_of_a_second_they_are_counted,
        nothing_is_said_at_info,
    };
    return rp_suite_run("refusal_log", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
