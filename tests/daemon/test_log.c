/// One event, one line, whatever its length.
#include <string.h>

#include "daemon/log.h"
#include "tests/daemon/capture.h"
#include "tests/support/suite.h"

static char said[5000];

START_TEST(a_line_is_made_of_keys_and_values)
{
    rp_capture_t capture = rp_capture_begin();
    rp_log(RP_LOG_WARN, "gap", "world=%s sequence=%d", "marsh", 7);
    rp_log(RP_LOG_INFO, "stop", "signal=%u", 15u);
    rp_capture_end(&capture, said, sizeof said);
    ck_assert_ptr_nonnull(strstr(said, " level=warn event=gap world=marsh sequence=7\n"));
    ck_assert_ptr_nonnull(strstr(said, " level=info event=stop signal=15\n"));
    ck_assert_int_eq(strncmp(said, "time=", 5), 0);
}
END_TEST

START_TEST(what_lies_above_the_level_is_dropped)
{
    rp_capture_t capture = rp_capture_begin();
    rp_log(RP_LOG_DEBUG, "detail", "a=1");
    rp_log_set_level(RP_LOG_ERROR);
    rp_log(RP_LOG_WARN, "gap", "a=1");
    rp_log(RP_LOG_ERROR, "broken", "a=1");
    rp_capture_end(&capture, said, sizeof said);
    ck_assert_ptr_null(strstr(said, "detail"));
    ck_assert_ptr_null(strstr(said, "gap"));
    ck_assert_ptr_nonnull(strstr(said, "broken"));
}
END_TEST

START_TEST(a_line_that_is_too_long_is_cut_and_still_ends)
{
    char value[4000];
    memset(value, 'v', sizeof value - 1u);
    value[sizeof value - 1u] = '\0';
    rp_capture_t capture = rp_capture_begin();
    rp_log(RP_LOG_INFO, "long", "value=%s", value);
    rp_capture_end(&capture, said, sizeof said);
    const size_t length = strlen(said);
    ck_assert_uint_gt(length, 500);
    ck_assert_uint_lt(length, 2000);
    ck_assert_ptr_eq(strchr(said, '\n'), said + length - 1u);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_line_is_made_of_keys_and_values,
        what_lies_above_the_level_is_dropped,
        a_line_that_is_too_long_is_cut_and_still_ends,
    };
    return rp_suite_run("log", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
