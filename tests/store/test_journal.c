/// Records on disk: whole, in order, whatever is torn, flipped or in the way.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "store/journal.h"
#include "tests/store/journal_scene.h"
#include "tests/support/suite.h"

// ---- a journal in a folder of its own

/// A base is brought to the disk, and what it replaces goes, by and by.
static void await_gone(const char *name)
{
    for (unsigned waited = 0; is_there(name); waited++) {
        ck_assert_uint_lt(waited, PATIENCE);
        (void)usleep(1000);
    }
}

/// A log of five records behind a base of one.
static void write_five(void)
{
    set_up();
    begin_base();
    write_base('a');
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    for (unsigned i = 0; i < RECORDS; i++) {
        add((char)('b' + i), 1u + 7u * i);
    }
    flush();
    ck_assert_str_eq(read_all(), "a3bcdef");
}

START_TEST(records_come_back_in_order)
{
    write_five();
    ck_assert_uint_eq(found.records, 7);
    ck_assert_uint_eq(found.torn_bytes, 0);
}
END_TEST

START_TEST(nothing_was_kept_yet)
{
    set_up();
    ck_assert_str_eq(read_all(), "");
    ck_assert_uint_eq(found.records, 0);
}
END_TEST

START_TEST(what_was_not_flushed_is_written_when_the_journal_is_closed)
{
    set_up();
    begin_base();
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    add('b', 3);
    ck_assert_str_eq(read_all(), "3b");
}
END_TEST

START_TEST(a_journal_that_is_closed_holds_no_file)
{
    set_up();
    rp_journal_close(&journal);
    const unsigned before = count_files();
    open_journal();
    begin_base();
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    add('b', 3);
    flush();
    ck_assert_uint_gt(count_files(), before);
    rp_journal_close(&journal);
    ck_assert_uint_eq(count_files(), before);
}
END_TEST

START_TEST(a_base_replaces_what_was_before)
{
    write_five();
    begin_base();
    write_base('g');
    add('h', 2);
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    flush();
    await_gone("00000001.base");
    await_gone("00000001.log");
    ck_assert_str_eq(read_all(), "g3h");
}
END_TEST

START_TEST(until_a_base_is_whole_the_older_one_and_both_logs_count)
{
    write_five();
    begin_base();
    write_base('g');
    add('h', 2);
    flush();
    ck_assert_str_eq(read_all(), "a3bcdefh"); // it was dropped
    begin_base();
    ck_assert(is_there("00000003.part"));
    write_base('g');
    add('i', 2);
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    flush();
    await_gone("00000002.log");
    ck_assert_str_eq(read_all(), "g3i");
}
END_TEST

START_TEST(what_was_left_of_a_base_that_was_begun_is_written_over)
{
    char path[128];
    write_five();
    path_of(path, "00000002.part");
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    (void)fputs("a head, and part of a record", file);
    (void)fclose(file);
    begin_base();
    write_base('z');
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    await_gone("00000001.log");
    ck_assert_str_eq(read_all(), "z3");
}
END_TEST

START_TEST(a_foreign_file_is_no_journal)
{
    char path[128];
    write_five();
    path_of(path, "00000002.log");
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    (void)fputs("something of somebody else", file);
    (void)fclose(file);
    ck_assert(!try_read());
    ck_assert_ptr_nonnull(strstr(error, "00000002.log: damaged, or of another version"));
}
END_TEST

START_TEST(a_folder_is_for_one_process)
{
    set_up();
    ck_assert_ptr_null(rp_journal_open(folder, NULL, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "is in use by another process"));
    ck_assert_ptr_null(rp_journal_open("/proc/no/such", NULL, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "No such file"));
}
END_TEST

/// They lock the file alone.
START_TEST(a_folder_that_an_earlier_version_holds_is_in_use)
{
    char path[128];
    set_up();
    rp_journal_close(&journal);
    path_of(path, "lock");
    const int held = open(path, O_RDWR | O_CLOEXEC);
    ck_assert_int_ge(held, 0);
    ck_assert_int_eq(flock(held, LOCK_EX | LOCK_NB), 0);
    ck_assert_ptr_null(rp_journal_open(folder, NULL, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "is in use by another process"));
    (void)close(held);
    open_journal();
}
END_TEST

START_TEST(a_folder_that_is_not_there_is_made_its_parent_is_not)
{
    char inner[128];
    set_up();
    path_of(inner, "inner");
    errno = 0;
    rp_journal_t *other = rp_journal_open(inner, NULL, error, sizeof error);
    ck_assert_msg(other != NULL, "%s", error);
    rp_journal_close(&other);
    path_of(inner, "none/inner");
    ck_assert_ptr_null(rp_journal_open(inner, NULL, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "No such file"));
}
END_TEST

/// Have all that was flushed brought to the disk.
static void sync_all(void)
{
    rp_journal_sync(journal);
    for (unsigned waited = 0; rp_journal_synced(journal) < rp_journal_flushed(journal); waited++) {
        ck_assert_uint_lt(waited, PATIENCE);
        (void)usleep(1000);
    }
}

START_TEST(what_was_flushed_comes_to_the_disk)
{
    set_up();
    begin_base();
    add('b', 30);
    ck_assert_uint_eq(rp_journal_flushed(journal), 0);
    flush();
    ck_assert_uint_gt(rp_journal_flushed(journal), 30);
    sync_all();
    begin_base();
    add('c', 30);
    flush();
    ck_assert_uint_gt(rp_journal_flushed(journal), rp_journal_synced(journal));
}
END_TEST

START_TEST(what_is_on_the_disk_has_its_name_there)
{
    set_up();
    begin_base();
    add('b', 30);
    flush();
    sync_all();
    const unsigned first = atomic_load(&folder_syncs);
    ck_assert_uint_ge(first, 1); // no base is whole yet that would have seen to it
    add('c', 30);
    flush();
    sync_all();
    ck_assert_uint_eq(atomic_load(&folder_syncs), first);
}
END_TEST

START_TEST(one_base_mends_what_the_disk_did_not_take)
{
    set_up();
    begin_base();
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    add('b', 10);
    flush();
    sync_all();
    add('c', 10);
    flush();
    const uint64_t before = rp_journal_synced(journal);
    atomic_store(&disk_fails, true);
    rp_journal_sync(journal);
    for (unsigned waited = 0; !rp_journal_is_broken(journal); waited++) {
        ck_assert_uint_lt(waited, PATIENCE);
        ck_assert_uint_eq(rp_journal_synced(journal), before);
        (void)usleep(1000);
    }
    atomic_store(&disk_fails, false);
    begin_base();
    ck_assert(!rp_journal_reserve(journal, 10)); // a hole lies before it
    ck_assert_ptr_nonnull(strstr(rp_journal_error(journal), "its base is not on the disk yet"));
    add_unsure('d', 10);
    ck_assert(!rp_journal_flush(journal));
    ck_assert(!rp_journal_is_broken(journal));
    ck_assert_uint_eq(rp_journal_synced(journal), before);
    write_base('c');
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    ck_assert(rp_journal_await_checkpoint(journal));
    flush();
    ck_assert_uint_eq(rp_journal_synced(journal), rp_journal_flushed(journal));
    ck_assert(!rp_journal_is_broken(journal));
    ck_assert_str_eq(read_all(), "c3d");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        records_come_back_in_order,
        nothing_was_kept_yet,
        what_was_not_flushed_is_written_when_the_journal_is_closed,
        a_journal_that_is_closed_holds_no_file,
        a_base_replaces_what_was_before,
        until_a_base_is_whole_the_older_one_and_both_logs_count,
        what_was_left_of_a_base_that_was_begun_is_written_over,
        a_foreign_file_is_no_journal,
        a_folder_is_for_one_process,
        a_folder_that_an_earlier_version_holds_is_in_use,
        a_folder_that_is_not_there_is_made_its_parent_is_not,
        what_was_flushed_comes_to_the_disk,
        what_is_on_the_disk_has_its_name_there,
        one_base_mends_what_the_disk_did_not_take,
    };
    return rp_suite_run("journal", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
