/// Records on disk: whole, in order, whatever is torn, flipped or in the way.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "store/journal.h"
#include "tests/support/suite.h"

#define PATIENCE 20000u ///< milliseconds for the disk
#define RECORDS  5u

static char folder[64];
static rp_journal_t *journal;
static char error[256];
static rp_state_found_t found;

/// What was read last: the first byte of each record, or the kind of one without bytes.
static char letters[256];

// ---- a disk that fails when it is told to: these two stand before those of the C library

static atomic_bool disk_fails;
static atomic_uint folder_syncs;

int fdatasync(int file)
{
    errno = EIO;
    return atomic_load(&disk_fails) ? -1 : (int)syscall(SYS_fdatasync, file);
}

int fsync(int file)
{
    struct stat about;
    atomic_fetch_add(&folder_syncs, fstat(file, &about) == 0 && S_ISDIR(about.st_mode));
    return (int)syscall(SYS_fsync, file);
}

// ---- a journal in a folder of its own

static void open_journal(void)
{
    journal = rp_journal_open(folder, NULL, error, sizeof error);
    ck_assert_msg(journal != NULL, "%s", error);
}

static void set_up(void)
{
    strcpy(folder, "/tmp/replan-journal-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    open_journal();
}

static void tear_down(void)
{
    char command[128];
    rp_journal_close(&journal);
    (void)umount(folder);
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    (void)!system(command);
}

static rp_record_t letter(const char *text, size_t size)
{
    return (rp_record_t){.kind = RP_RECORD_REQUEST,
                         .wall_us = 1000u + (uint64_t)text[0],
                         .bytes = (const uint8_t *)text,
                         .size = size};
}

/// A record that begins with this letter, `size` bytes long.
static void add_unsure(char first, size_t size)
{
    char text[64];
    memset(text, first, sizeof text);
    const rp_record_t record = letter(text, size);
    ck_assert(rp_journal_add(journal, &record));
}

/// The same where it is sure to last.
static void add(char first, size_t size)
{
    ck_assert_msg(rp_journal_reserve(journal, size), "%s", rp_journal_error(journal));
    add_unsure(first, size);
}

static void flush(void)
{
    ck_assert_msg(rp_journal_flush(journal), "%s", rp_journal_error(journal));
}

static bool visit(void *user, const rp_record_t *record)
{
    char *end = letters + strlen(letters);
    (void)user;
    ck_assert_uint_lt(strlen(letters), sizeof letters - 1u);
    if (record->size != 0) {
        ck_assert_uint_eq(record->wall_us, 1000u + record->bytes[0]);
        for (size_t i = 0; i < record->size; i++) {
            ck_assert_int_eq(record->bytes[i], record->bytes[0]);
        }
        *end++ = (char)record->bytes[0];
    } else {
        *end++ = (char)('0' + record->kind);
    }
    *end = '\0';
    return true;
}

/// What a process would read that came after.
static bool try_read(void)
{
    rp_journal_close(&journal);
    open_journal();
    letters[0] = '\0';
    return rp_journal_read(journal, false, visit, NULL, &found, error, sizeof error);
}

static const char *read_all(void)
{
    ck_assert_msg(try_read(), "%s", error);
    return letters;
}

static void begin_base(void)
{
    for (unsigned waited = 0; !rp_journal_begin_checkpoint(journal); waited++) {
        ck_assert_msg(waited < PATIENCE, "%s", rp_journal_error(journal));
        (void)usleep(1000);
    }
}

static void write_base(char first)
{
    const rp_record_t record = letter(&first, 1);
    ck_assert(rp_journal_write_checkpoint(journal, &record));
}

static void path_of(char path[128], const char *name)
{
    (void)snprintf(path, 128, "%s/%s", folder, name);
}

static bool is_there(const char *name)
{
    char path[128];
    path_of(path, name);
    return access(path, F_OK) == 0;
}

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

// ---- a disk that counts, and fails at what it is told to fail at

static rp_disk_t disk;
static off_t reserved_at[8]; ///< where room was asked for, in its order
static unsigned reserve_count;
static bool fails_sync;
static bool fails_sync_data;
static unsigned sync_data_left;

static int count_reserve(int file, off_t at, off_t size)
{
    (void)file;
    (void)size;
    reserved_at[reserve_count++ % 8u] = at;
    return 0;
}

static int maybe_sync(int file)
{
    struct stat about;
    const bool is_file = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    errno = EIO;
    return fails_sync && is_file ? -1 : fsync(file);
}

/// Fails when `sync_data_left` have succeeded.
static int maybe_sync_data(int file)
{
    errno = EIO;
    const bool fails = fails_sync_data && sync_data_left == 0;
    sync_data_left -= sync_data_left != 0;
    return fails ? -1 : fdatasync(file);
}

static bool fails_write;

static ssize_t maybe_write(int file, const void *bytes, size_t size)
{
    errno = EIO;
    return fails_write ? -1 : write(file, bytes, size);
}

static void set_up_counted(void)
{
    set_up();
    rp_journal_close(&journal);
    disk = rp_disk_system;
    disk.reserve = count_reserve;
    disk.write = maybe_write;
    disk.sync = maybe_sync;
    disk.sync_data = maybe_sync_data;
    journal = rp_journal_open(folder, &disk, error, sizeof error);
    ck_assert_ptr_nonnull(journal);
    begin_base();
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    ck_assert(rp_journal_await_checkpoint(journal));
}

START_TEST(room_is_asked_for_anew_in_each_generation)
{
    set_up_counted();
    add('b', 10);
    add('c', 10);
    ck_assert_uint_eq(reserve_count, 1); // it was more than that
    begin_base();
    add('d', 10);
    ck_assert_uint_eq(reserve_count, 2);
    ck_assert_int_eq(reserved_at[1], reserved_at[0]);
}
END_TEST

START_TEST(a_base_that_the_disk_does_not_take_stays_a_part)
{
    set_up_counted();
    add('b', 10);
    begin_base();
    write_base('z');
    fails_sync = true;
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    ck_assert(rp_journal_await_checkpoint(journal)); // the log goes on without it
    fails_sync = false;
    ck_assert(is_there("00000002.part"));
    ck_assert(!is_there("00000002.base"));
    add('c', 10);
    ck_assert_str_eq(read_all(), "3bc");
}
END_TEST

/// Whoever writes it is told at once, not when all of it was made.
START_TEST(a_base_that_cannot_be_written_ends_there)
{
    static const char body[1024];
    const rp_record_t record = letter(body, sizeof body);
    unsigned written = 0;
    set_up_counted();
    add('b', 10);
    begin_base();
    fails_write = true;
    while (written < 4096 && rp_journal_write_checkpoint(journal, &record)) {
        written++;
    }
    fails_write = false;
    ck_assert_uint_lt(written, 4096);
    ck_assert(!is_there("00000002.part"));
    begin_base();
    write_base('z');
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    add('c', 10);
    ck_assert_str_eq(read_all(), "z3c");
}
END_TEST

START_TEST(nothing_follows_a_log_that_the_disk_did_not_take)
{
    set_up_counted();
    add('b', 10);
    flush();
    fails_sync_data = true;
    begin_base();
    fails_sync_data = false;
    ck_assert(!rp_journal_reserve(journal, 10));
    add_unsure('c', 10);
    ck_assert_str_eq(read_all(), "3b"); // it was promised to nobody
}
END_TEST

START_TEST(a_log_whose_end_the_disk_did_not_take_is_followed_by_nothing)
{
    set_up_counted();
    add('b', 10);
    flush();
    fails_sync_data = true;
    sync_data_left = 1; // the log, and not its end
    ck_assert(!rp_journal_begin_checkpoint(journal));
    ck_assert(rp_journal_is_broken(journal));
    ck_assert(!rp_journal_reserve(journal, 10));
    fails_sync_data = false;
    begin_base();
    add_unsure('c', 10);
    ck_assert_str_eq(read_all(), "3b"); // of the next log nothing was promised
    begin_base();
    add('d', 10);
    ck_assert_str_eq(read_all(), "3bd");
    begin_base();
    write_base('z');
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    ck_assert(rp_journal_await_checkpoint(journal));
    add('e', 10);
    ck_assert_str_eq(read_all(), "z3e");
}
END_TEST

START_TEST(a_folder_that_was_moved_away_keeps_nothing)
{
    char command[256];
    set_up_counted();
    add('b', 10);
    flush();
    (void)snprintf(command, sizeof command, "mv %s %s.moved", folder, folder);
    ck_assert_int_eq(system(command), 0);
    const uint64_t before = rp_journal_synced(journal);
    rp_journal_sync(journal);
    for (unsigned waited = 0; !rp_journal_is_broken(journal); waited++) {
        ck_assert_uint_lt(waited, PATIENCE);
        ck_assert_uint_eq(rp_journal_synced(journal), before);
        (void)usleep(1000);
    }
    ck_assert_ptr_nonnull(strstr(rp_journal_error(journal), folder));
    ck_assert(!rp_journal_begin_checkpoint(journal));
    (void)snprintf(command, sizeof command, "mv %s.moved %s", folder, folder);
    ck_assert_int_eq(system(command), 0);
    begin_base(); // it is back
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    ck_assert(rp_journal_await_checkpoint(journal));
    add('c', 10);
    flush();
}
END_TEST

START_TEST(a_log_whose_name_is_gone_keeps_nothing)
{
    char path[128];
    set_up_counted();
    add('b', 10);
    flush();
    path_of(path, "00000001.log");
    ck_assert_int_eq(unlink(path), 0);
    rp_journal_sync(journal);
    for (unsigned waited = 0; !rp_journal_is_broken(journal); waited++) {
        ck_assert_uint_lt(waited, PATIENCE);
        ck_assert_uint_lt(rp_journal_synced(journal), rp_journal_flushed(journal));
        (void)usleep(1000);
    }
}
END_TEST

START_TEST(a_folder_stays_locked_when_its_lock_file_is_replaced)
{
    char path[128];
    set_up();
    path_of(path, "lock");
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_ptr_null(rp_journal_open(folder, NULL, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "is in use by another process"));
}
END_TEST

static void limit_files(rlim_t bytes)
{
    const struct rlimit limit = {bytes, RLIM_INFINITY};
    (void)signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/// A disk of a megabyte, if this process may have one.
static bool set_up_small(void)
{
    strcpy(folder, "/tmp/replan-journal-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    const bool is_small =
        (unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
        mount("tmpfs", folder, "tmpfs", 0, "size=1m") == 0;
    open_journal();
    return is_small;
}

START_TEST(a_full_disk_is_told_before_anything_is_written)
{
    if (!set_up_small()) {
        (void)fprintf(stderr, "skipped: this process may not mount a small disk\n");
        return;
    }
    begin_base();
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    ck_assert(!rp_journal_reserve(journal, 10));
    ck_assert_ptr_nonnull(strstr(rp_journal_error(journal), "no room for the journal: No space"));
    ck_assert(!rp_journal_is_broken(journal));
    ck_assert_str_eq(read_all(), "3");
}
END_TEST

START_TEST(a_journal_that_broke_keeps_what_was_whole_and_begins_anew)
{
    char text[64];
    set_up();
    begin_base();
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    add('b', 10);
    flush();
    memset(text, 'c', sizeof text);
    limit_files(80);
    const rp_record_t record = letter(text, sizeof text);
    ck_assert(rp_journal_add(journal, &record));
    ck_assert(!rp_journal_flush(journal));
    ck_assert(rp_journal_is_broken(journal));
    ck_assert(!rp_journal_reserve(journal, 1));
    ck_assert(!rp_journal_add(journal, &record)); // it would be gathered without end
    limit_files(RLIM_INFINITY);
    ck_assert(!rp_journal_flush(journal)); // what came after would stand behind a hole
    ck_assert_str_eq(read_all(), "3b");
    begin_base();
    write_base('c');
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    ck_assert(rp_journal_await_checkpoint(journal));
    add('d', 10);
    ck_assert(!is_there("00000001.base"));
    ck_assert_str_eq(read_all(), "c3d");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        records_come_back_in_order,
        nothing_was_kept_yet,
        what_was_not_flushed_is_written_when_the_journal_is_closed,
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
        room_is_asked_for_anew_in_each_generation,
        a_base_that_the_disk_does_not_take_stays_a_part,
        a_base_that_cannot_be_written_ends_there,
        nothing_follows_a_log_that_the_disk_did_not_take,
        a_log_whose_end_the_disk_did_not_take_is_followed_by_nothing,
        a_folder_that_was_moved_away_keeps_nothing,
        a_log_whose_name_is_gone_keeps_nothing,
        a_folder_stays_locked_when_its_lock_file_is_replaced,
        a_full_disk_is_told_before_anything_is_written,
        a_journal_that_broke_keeps_what_was_whole_and_begins_anew,
    };
    return rp_suite_run("journal", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
