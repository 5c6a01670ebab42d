/// Parts of something long, among other records.
#include "store/reassembly.h"

#include <string.h>

#include "tests/support/suite.h"

static rp_reassembly_t reassembly;
static rp_record_t whole;

static void tear_down(void)
{
    rp_reassembly_fini(&reassembly);
}

static rp_reassembly_look_t take(rp_record_kind_t kind, const char *text)
{
    const rp_record_t record = {
        .kind = kind, .wall_us = 5, .bytes = (const uint8_t *)text, .size = strlen(text)};
    return rp_reassembly_take(&reassembly, &record, &whole);
}

static void expect_whole(const char *text)
{
    ck_assert_uint_eq(whole.size, strlen(text));
    ck_assert_mem_eq(whole.bytes, text, whole.size);
    ck_assert_uint_eq(whole.wall_us, 5);
}

START_TEST(parts_are_whole_when_their_end_is_there)
{
    ck_assert_int_eq(take(RP_RECORD_LONG, "mar"), RP_REASSEMBLY_PART);
    ck_assert_int_eq(take(RP_RECORD_MORE, "sh"), RP_REASSEMBLY_PART);
    ck_assert_int_eq(take(RP_RECORD_MORE, "es"), RP_REASSEMBLY_PART);
    ck_assert_int_eq(take(RP_RECORD_DONE, "topic"), RP_REASSEMBLY_WHOLE);
    expect_whole("marshes");
}
END_TEST

START_TEST(parts_whose_first_is_lost_are_void)
{
    ck_assert_int_eq(take(RP_RECORD_LONG, "one"), RP_REASSEMBLY_PART);
    ck_assert_int_eq(take(RP_RECORD_DONE, ""), RP_REASSEMBLY_WHOLE);
    expect_whole("one");
    ck_assert_int_eq(take(RP_RECORD_DONE, ""), RP_REASSEMBLY_WHOLE);
    expect_whole("");
    ck_assert_int_eq(take(RP_RECORD_MORE, "other"), RP_REASSEMBLY_PART);
    ck_assert_int_eq(take(RP_RECORD_DONE, ""), RP_REASSEMBLY_WHOLE);
    expect_whole("");
}
END_TEST

START_TEST(other_records_may_stand_between)
{
    ck_assert_int_eq(take(RP_RECORD_LONG, "mar"), RP_REASSEMBLY_PART);
    ck_assert_int_eq(take(RP_RECORD_REQUEST, "pose"), RP_REASSEMBLY_WHOLE);
    expect_whole("pose");
    ck_assert_int_eq(take(RP_RECORD_MORE, "sh"), RP_REASSEMBLY_PART);
    ck_assert_int_eq(take(RP_RECORD_DONE, ""), RP_REASSEMBLY_WHOLE);
    expect_whole("marsh");
}
END_TEST

START_TEST(parts_without_an_end_are_void)
{
    ck_assert_int_eq(take(RP_RECORD_LONG, "refused"), RP_REASSEMBLY_PART);
    ck_assert_int_eq(take(RP_RECORD_LONG, "moor"), RP_REASSEMBLY_PART);
    ck_assert_int_eq(take(RP_RECORD_DONE, ""), RP_REASSEMBLY_WHOLE);
    expect_whole("moor");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        parts_are_whole_when_their_end_is_there,
        parts_whose_first_is_lost_are_void,
        other_records_may_stand_between,
        parts_without_an_end_are_void,
    };
    return rp_suite_run("reassembly", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
