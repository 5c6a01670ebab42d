/// Journals on a disk that counts, and fails at what it is told to fail at.
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "store/journal.h"
#include "tests/store/journal_scene.h"
#include "tests/support/suite.h"

// ---- a disk that counts, and fails at what it is told to fail at

static rp_disk_t disk;
static off_t reserved_at[8]; ///< where room was asked for, in its order
static off_t reserved[8];    ///< and how much
static unsigned reserve_count;
static bool fails_sync;
static bool fails_folder_sync;
static bool fails_sync_data;
static unsigned sync_data_left;

static int count_reserve(int file, off_t at, off_t size)
{
    (void)file;
    reserved[reserve_count % 8u] = size;
    reserved_at[reserve_count++ % 8u] = at;
    return 0;
}

static int maybe_sync(int file)
{
    struct stat about;
    const bool is_file = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    errno = EIO;
    return (is_file ? fails_sync : fails_folder_sync) ? -1 : fsync(file);
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

static const char *fails_open; ///< names that hold this cannot be opened; NULL: all can

static int maybe_open(int in, const char *name, int flags)
{
    errno = EACCES;
    return fails_open != NULL && strstr(name, fails_open) != NULL
               ? -1
               : rp_disk_system.open(in, name, flags);
}

static void set_up_counted(void)
{
    set_up();
    rp_journal_close(&journal);
    disk = rp_disk_system;
    disk.open = maybe_open;
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

/// 4 MiB more than what is asked for, which lasts until that is used up.
START_TEST(room_is_asked_for_in_large_steps)
{
    const off_t step = (off_t)4 << 20;
    set_up_counted();
    ck_assert(rp_journal_reserve(journal, 100));
    ck_assert_uint_eq(reserve_count, 1);
    const off_t first = reserved[0];
    ck_assert_int_gt(first, step + 100);
    ck_assert_int_lt(first, step + 100 + 1000); // with the head of a record
    const size_t beside = (size_t)(first - step) - 100u;
    ck_assert(rp_journal_reserve(journal, (size_t)first - beside));
    ck_assert_uint_eq(reserve_count, 1);
    ck_assert(rp_journal_reserve(journal, (size_t)first - beside + 1u));
    ck_assert_uint_eq(reserve_count, 2);
    ck_assert_int_eq(reserved_at[1], reserved_at[0] + first);
    ck_assert_int_eq(reserved[1], step + 1);
}
END_TEST

/// Add one of so many bytes. @return bytes of the log that were written since `from`
static uint64_t add_large(char *body, size_t size, uint64_t from)
{
    const rp_record_t record = letter(body, size);
    ck_assert(rp_journal_add(journal, &record));
    return rp_journal_flushed(journal) - from;
}

/// What is added is gathered up to 256 KiB; a record as large is written at once.
START_TEST(records_gather_until_there_are_many)
{
    static char body[256u << 10];
    size_t gathered = 0;
    uint64_t written = 0;
    memset(body, 'x', sizeof body);
    set_up_counted();
    uint64_t from = rp_journal_flushed(journal);
    ck_assert_uint_eq(add_large(body, 1000, from), 0);
    flush();
    const size_t each = (size_t)(rp_journal_flushed(journal) - from); // with its head
    const size_t head = each - 1000u;
    from += each;
    while (written == 0) {
        ck_assert_uint_lt(gathered, sizeof body);
        written = add_large(body, 1000, from);
        gathered += each;
    }
    ck_assert_uint_ge(gathered, sizeof body);
    ck_assert_uint_eq(written, gathered);
    ck_assert_uint_eq(add_large(body, sizeof body, from), written + sizeof body + head);
    from += written + sizeof body + head;
    ck_assert_uint_eq(add_large(body, sizeof body - 1u - head, from), 0);
}
END_TEST

/// Where the standard input is closed the next file has number 0.
START_TEST(a_log_may_be_the_file_of_number_0)
{
    set_up_counted();
    add('b', 10);
    flush();
    const int kept = dup(STDIN_FILENO);
    ck_assert_int_eq(close(STDIN_FILENO), 0);
    ck_assert_msg(rp_journal_begin_checkpoint(journal), "%s", rp_journal_error(journal));
    add('c', 10);
    flush();
    write_base('z');
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    ck_assert(rp_journal_await_checkpoint(journal));
    rp_journal_close(&journal);
    ck_assert_int_eq(dup2(kept, STDIN_FILENO), STDIN_FILENO);
    (void)close(kept);
    open_journal();
    ck_assert_str_eq(read_all(), "z3c");
}
END_TEST

/// Begin a generation that fails: its log, or its base.
static void fail_to_begin(const char *name)
{
    const unsigned before = count_files();
    ck_assert(!rp_journal_begin_checkpoint(journal));
    ck_assert_msg(strstr(rp_journal_error(journal), name) != NULL, "%s", rp_journal_error(journal));
    ck_assert_uint_eq(count_files(), before);
    ck_assert(!rp_journal_is_broken(journal));
}

/// The log at hand goes on then.
START_TEST(a_generation_whose_files_cannot_be_made_is_not_begun)
{
    bool *const fails[] = {&fails_write, &fails_sync, &fails_folder_sync};
    set_up_counted();
    add('b', 10);
    flush();
    for (size_t i = 0; i < sizeof fails / sizeof fails[0]; i++) {
        *fails[i] = true;
        fail_to_begin("00000002.log: Input/output error");
        *fails[i] = false;
        add((char)('c' + i), 10);
        flush();
    }
    fails_open = ".log";
    fail_to_begin("00000002.log: Permission denied");
    fails_open = ".part";
    fail_to_begin("00000002.part: Permission denied");
    fails_open = NULL;
    add('f', 10);
    flush();
    ck_assert(is_there("00000002.log")); // without a record: it is none yet
    ck_assert_str_eq(read_all(), "3bcdef");
    begin_base();
    write_base('z');
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    add('g', 10);
    ck_assert_str_eq(read_all(), "z3g");
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

/// Of each size, as its end record may be what fills the memory in which records are gathered.
START_TEST(a_base_whose_end_cannot_be_written_has_not_ended)
{
    static char body[256u << 10];
    set_up_counted();
    add('b', 10);
    for (size_t size = sizeof body - 200; size < sizeof body; size += 4) {
        const rp_record_t record = letter(body, size);
        begin_base();
        fails_write = true;
        const bool is_taken = rp_journal_write_checkpoint(journal, &record);
        ck_assert(!is_taken || !rp_journal_end_checkpoint(journal, 0));
        fails_write = false;
    }
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
        room_is_asked_for_anew_in_each_generation,
        room_is_asked_for_in_large_steps,
        records_gather_until_there_are_many,
        a_log_may_be_the_file_of_number_0,
        a_generation_whose_files_cannot_be_made_is_not_begun,
        a_base_that_the_disk_does_not_take_stays_a_part,
        a_base_whose_end_cannot_be_written_has_not_ended,
        a_base_that_cannot_be_written_ends_there,
        nothing_follows_a_log_that_the_disk_did_not_take,
        a_log_whose_end_the_disk_did_not_take_is_followed_by_nothing,
        a_folder_that_was_moved_away_keeps_nothing,
        a_log_whose_name_is_gone_keeps_nothing,
        a_folder_stays_locked_when_its_lock_file_is_replaced,
        a_full_disk_is_told_before_anything_is_written,
        a_journal_that_broke_keeps_what_was_whole_and_begins_anew,
    };
    return rp_suite_run("journal_disk", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
