/// What a checkpoint says, and the reader tells again.
#include "msgs/request.h"
#include "store/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

static char folder[64];
static char error[320];
static rp_checkpoint_t checkpoint;
static rp_record_kind_t kinds[16];
static uint64_t times[16];
static uint64_t numbers[16]; ///< of records of such a size
static size_t count;

static void set_up(void)
{
    count = 0;
    strcpy(folder, "/tmp/replan-checkpoint-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    checkpoint.journal = rp_journal_open(folder, NULL, error, sizeof error);
    ck_assert_msg(checkpoint.journal != NULL, "%s", error);
    ck_assert(rp_journal_begin_checkpoint(checkpoint.journal));
}

static void tear_down(void)
{
    char command[128];
    rp_journal_close(&checkpoint.journal);
    rp_checkpoint_fini(&checkpoint);
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    (void)!system(command);
}

static bool visit(void *user, const rp_record_t *record)
{
    (void)user;
    ck_assert_uint_lt(count, 16);
    kinds[count] = record->kind;
    times[count] = record->wall_us;
    if (record->size == sizeof numbers[0]) {
        memcpy(&numbers[count], record->bytes, sizeof numbers[0]);
    }
    count++;
    return record->is_of_base;
}

static void read_back(void)
{
    rp_state_found_t found;
    ck_assert(rp_journal_end_checkpoint(checkpoint.journal, 9));
    ck_assert(rp_journal_await_checkpoint(checkpoint.journal));
    rp_journal_close(&checkpoint.journal);
    checkpoint.journal = rp_journal_open(folder, NULL, error, sizeof error);
    ck_assert_msg(
        rp_journal_read(checkpoint.journal, false, visit, NULL, &found, error, sizeof error), "%s",
        error);
}

START_TEST(a_world_is_told_by_its_version_its_windows_and_its_request)
{
    const uint64_t windows[] = {77};
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    set_up();
    ck_assert(rp_checkpoint_handle(&checkpoint, 5));
    ck_assert(rp_checkpoint_world(&checkpoint, 123, 42, windows, 1, &request));
    read_back();
    ck_assert_uint_eq(count, 5);
    ck_assert_int_eq(kinds[0], RP_RECORD_HANDLE);
    ck_assert_uint_eq(numbers[0], 5);
    ck_assert_int_eq(kinds[1], RP_RECORD_VERSION);
    ck_assert_uint_eq(numbers[1], 42);
    ck_assert_int_eq(kinds[2], RP_RECORD_WINDOWS);
    ck_assert_uint_eq(numbers[2], 77);
    ck_assert_int_eq(kinds[3], RP_RECORD_REQUEST);
    ck_assert_uint_eq(times[3], 123);
    ck_assert_int_eq(kinds[4], RP_RECORD_END);
    ck_assert_uint_eq(times[4], 9);
}
END_TEST

START_TEST(a_request_that_was_not_kept_is_not_written)
{
    const rp_last_request_t none = {NULL, 0};
    uint8_t bytes[] = {1, 2, 3};
    const rp_last_request_t kept = {bytes, sizeof bytes};
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    set_up();
    ck_assert(rp_checkpoint_last(&checkpoint, 1, &none));
    ck_assert(rp_checkpoint_last(&checkpoint, 2, &kept));
    ck_assert(rp_checkpoint_lost(&checkpoint, 3, &change));
    read_back();
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(kinds[0], RP_RECORD_REQUEST);
    ck_assert_uint_eq(times[0], 2);
    ck_assert_int_eq(kinds[1], RP_RECORD_LOST);
    ck_assert_uint_eq(times[1], 3);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_world_is_told_by_its_version_its_windows_and_its_request,
        a_request_that_was_not_kept_is_not_written,
    };
    return rp_suite_run("checkpoint", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
