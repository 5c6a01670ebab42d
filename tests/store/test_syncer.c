/// What is brought to the disk, in which order, and what is said of it when the disk does not take
/// it.
#include "store/syncer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/suite.h"

#define PATIENCE_MS 120000

static char path[64];
static rp_disk_t disk;
static rp_folder_t folder;
static rp_syncer_t syncer;
static rp_sync_log_t log_7;
static int base_7;
static char order[16]; ///< of what the disk was asked for
static bool log_fails;
static char fails_at; ///< what the disk does not take of a base, as in `order`; 0: all

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER; ///< the disk takes its time at a log
static atomic_uint waiting;                              ///< logs that came so far

static void note(char what)
{
    const size_t count = strlen(order);
    ck_assert_uint_lt(count, sizeof order - 1u);
    order[count] = what;
    order[count + 1u] = '\0';
}

static int sync_data(int file)
{
    (void)file;
    note('l');
    atomic_fetch_add(&waiting, 1);
    (void)pthread_mutex_lock(&gate);
    (void)pthread_mutex_unlock(&gate);
    errno = EIO;
    return log_fails ? -1 : 0;
}

static int take(char what)
{
    note(what);
    errno = EIO;
    return what == fails_at ? -1 : 0;
}

static int sync_all(int file)
{
    return take(file == folder.fd ? 'f' : 'b');
}

static int rename_file(int at, const char *from, const char *to)
{
    return take('r') == 0 ? renameat(at, from, at, to) : -1;
}

static int make(const char *name)
{
    const int file = openat(folder.fd, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ck_assert_int_ge(file, 0);
    return file;
}

static bool is_there(const char *name)
{
    return faccessat(folder.fd, name, F_OK, 0) == 0;
}

static void set_up(void)
{
    char error[256];
    strcpy(path, "/tmp/replan-syncer-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(path));
    disk = rp_disk_system;
    disk.sync = sync_all;
    disk.sync_data = sync_data;
    disk.rename = rename_file;
    order[0] = '\0';
    log_fails = false;
    fails_at = 0;
    ck_assert_msg(rp_folder_open(&folder, path, RP_FOLDER_WRITE, &disk, error, sizeof error), "%s",
                  error);
    ck_assert(rp_syncer_open(&syncer, &folder));
    (void)close(make("00000006.log"));
    (void)close(make("00000006.base"));
    log_7 =
        (rp_sync_log_t){.file = make("00000007.log"), .generation = 7, .bytes = 100, .number = 3};
    base_7 = make("00000007.part");
}

static void tear_down(void)
{
    char command[128];
    rp_syncer_close(&syncer);
    (void)close(log_7.file);
    rp_folder_close(&folder);
    (void)snprintf(command, sizeof command, "rm -rf %s", path);
    (void)!system(command);
}

static void expect_synced(uint64_t bytes, uint64_t number)
{
    char reason[256];
    uint64_t is_bytes;
    uint64_t is_number;
    ck_assert(rp_syncer_ask(&syncer, &is_bytes, &is_number, reason, sizeof reason));
    ck_assert_uint_eq(is_bytes, bytes);
    ck_assert_uint_eq(is_number, number);
}

START_TEST(a_bell_rings_when_a_log_is_on_the_disk)
{
    set_up();
    struct pollfd bell = {.fd = syncer.bell, .events = POLLIN};
    expect_synced(0, 0);
    rp_syncer_take_log(&syncer, &log_7);
    ck_assert_int_eq(poll(&bell, 1, PATIENCE_MS), 1);
    ck_assert(rp_syncer_drain(&syncer));
    expect_synced(100, 3);
    ck_assert_int_eq(poll(&bell, 1, 0), 0); // it is answered
    ck_assert_str_eq(order, "l");
}
END_TEST

START_TEST(a_base_follows_its_log_and_ends_older_files)
{
    set_up();
    rp_syncer_take_base(&syncer, base_7, &log_7);
    rp_syncer_await_base(&syncer);
    ck_assert(rp_syncer_is_free(&syncer));
    ck_assert_str_eq(order, "lbrf");
    ck_assert(is_there("00000007.base") && is_there("00000007.log"));
    ck_assert(!is_there("00000006.base") && !is_there("00000006.log"));
}
END_TEST

START_TEST(a_base_is_none_when_the_disk_did_not_take_its_log)
{
    char reason[256];
    uint64_t bytes;
    uint64_t number;
    set_up();
    log_fails = true;
    rp_syncer_take_base(&syncer, base_7, &log_7);
    ck_assert(!rp_syncer_drain(&syncer));
    ck_assert(!rp_syncer_ask(&syncer, &bytes, &number, reason, sizeof reason));
    ck_assert_msg(strstr(reason, path) != NULL, "%s", reason);
    ck_assert_uint_eq(bytes, 0);
    ck_assert(!is_there("00000007.base"));
    ck_assert(is_there("00000006.base") && is_there("00000006.log"));
}
END_TEST

START_TEST(a_log_that_follows_nothing_lasts_when_its_base_does)
{
    set_up();
    rp_syncer_begin(&syncer, true);
    rp_syncer_take_log(&syncer, &log_7);
    ck_assert(!rp_syncer_drain(&syncer));
    ck_assert(rp_syncer_is_mending(&syncer));
    expect_synced(0, 0);
    log_7.number++;
    rp_syncer_take_base(&syncer, base_7, &log_7);
    ck_assert(rp_syncer_drain(&syncer));
    ck_assert(!rp_syncer_is_mending(&syncer));
    expect_synced(100, 4);
}
END_TEST

START_TEST(a_log_whose_name_leads_elsewhere_is_not_on_the_disk)
{
    set_up();
    ck_assert_int_eq(unlinkat(folder.fd, "00000007.log", 0), 0);
    rp_syncer_take_log(&syncer, &log_7);
    ck_assert(!rp_syncer_drain(&syncer));
    ck_assert_str_eq(order, "");
    (void)close(base_7);
}
END_TEST

/// Wait until the disk is asked for so many logs.
static void await_logs(unsigned count)
{
    for (int waited = 0; atomic_load(&waiting) < count; waited++) {
        ck_assert_int_lt(waited, PATIENCE_MS);
        (void)usleep(1000);
    }
}

/// Marks add no bytes, and their number tells.
START_TEST(what_comes_while_the_disk_is_busy_is_brought_there_too)
{
    set_up();
    const unsigned before = atomic_load(&waiting);
    (void)pthread_mutex_lock(&gate);
    rp_syncer_take_log(&syncer, &log_7);
    await_logs(before + 1u);
    rp_syncer_take_log(&syncer, &log_7); // the same
    (void)pthread_mutex_unlock(&gate);
    ck_assert(rp_syncer_drain(&syncer));
    ck_assert_str_eq(order, "l");
    (void)pthread_mutex_lock(&gate);
    rp_syncer_take_log(&syncer, &log_7);
    await_logs(before + 2u);
    log_7.number++;
    rp_syncer_take_base(&syncer, base_7, &log_7);
    ck_assert(!rp_syncer_is_free(&syncer));
    (void)pthread_mutex_unlock(&gate);
    rp_syncer_await_base(&syncer);
    ck_assert_str_eq(order, "lllbrf");
    ck_assert(rp_syncer_is_free(&syncer));
    expect_synced(100, 3); // no more bytes
}
END_TEST

START_TEST(no_less_is_on_the_disk_than_was)
{
    set_up();
    rp_syncer_take_log(&syncer, &log_7);
    ck_assert(rp_syncer_drain(&syncer));
    log_7.bytes = 60;
    log_7.number = 9;
    rp_syncer_take_log(&syncer, &log_7);
    ck_assert(rp_syncer_drain(&syncer));
    expect_synced(100, 3);
    log_7.bytes = 101;
    rp_syncer_take_log(&syncer, &log_7);
    ck_assert(rp_syncer_drain(&syncer));
    expect_synced(101, 9);
    (void)close(base_7);
}
END_TEST

/// The log goes on without it, unless it counts by that base alone.
START_TEST(a_base_that_the_disk_does_not_take_stays_a_part)
{
    static const char *const orders[] = {"lb", "lbr", "lbrf"};
    for (unsigned i = 0; i < 6; i++) {
        const bool is_mending = i >= 3;
        char reason[256];
        uint64_t bytes;
        uint64_t number;
        set_up();
        fails_at = "brf"[i % 3u];
        rp_syncer_begin(&syncer, is_mending);
        rp_syncer_take_base(&syncer, base_7, &log_7);
        ck_assert_int_eq(rp_syncer_drain(&syncer), !is_mending);
        ck_assert(rp_syncer_is_free(&syncer));
        ck_assert_int_eq(rp_syncer_is_mending(&syncer), is_mending);
        ck_assert_int_eq(rp_syncer_ask(&syncer, &bytes, &number, reason, sizeof reason),
                         !is_mending);
        ck_assert_uint_eq(bytes, is_mending ? 0 : 100);
        ck_assert_str_eq(order, orders[i % 3u]);
        ck_assert(is_there("00000006.base") && is_there("00000006.log"));
        ck_assert_int_eq(fcntl(base_7, F_GETFD), -1);
        if (is_mending) { // another base mends it
            fails_at = 0;
            base_7 = make("00000007.part");
            rp_syncer_begin(&syncer, true);
            log_7.number++;
            rp_syncer_take_base(&syncer, base_7, &log_7);
            ck_assert(rp_syncer_drain(&syncer));
            expect_synced(100, 4);
        }
        tear_down();
    }
    set_up();
    (void)close(base_7);
}
END_TEST

START_TEST(a_base_of_a_generation_that_failed_stays_a_part)
{
    set_up();
    log_fails = true;
    rp_syncer_take_log(&syncer, &log_7);
    ck_assert(!rp_syncer_drain(&syncer));
    log_fails = false;
    log_7.number++;
    rp_syncer_take_base(&syncer, base_7, &log_7); // which tells of what the log lacks
    ck_assert(!rp_syncer_drain(&syncer));
    ck_assert_str_eq(order, "ll");
    ck_assert(is_there("00000007.part") && is_there("00000006.base"));
    rp_syncer_begin(&syncer, false);
    rp_syncer_take_log(&syncer, &log_7);
    ck_assert(rp_syncer_drain(&syncer));
    expect_synced(100, 4);
}
END_TEST

START_TEST(what_was_given_is_brought_to_the_disk_before_the_end)
{
    set_up();
    rp_syncer_take_base(&syncer, base_7, &log_7);
    rp_syncer_close(&syncer);
    ck_assert_str_eq(order, "lbrf");
    ck_assert(is_there("00000007.base"));
    rp_syncer_close(&syncer); // once more is nothing
}
END_TEST

/// Where the standard input is closed one of them has its number.
START_TEST(any_of_its_files_may_have_number_0)
{
    const int kept = dup(STDIN_FILENO);
    for (unsigned i = 0; i < 3; i++) {
        set_up();
        if (i == 0) { // the bell
            rp_syncer_close(&syncer);
            (void)close(STDIN_FILENO);
            ck_assert(rp_syncer_open(&syncer, &folder));
            ck_assert_int_eq(syncer.bell, STDIN_FILENO);
        } else {
            int *file = i == 1 ? &log_7.file : &base_7;
            ck_assert_int_eq(dup2(*file, STDIN_FILENO), STDIN_FILENO);
            (void)close(*file);
            *file = STDIN_FILENO;
        }
        rp_syncer_take_base(&syncer, base_7, &log_7);
        ck_assert(rp_syncer_drain(&syncer));
        ck_assert_str_eq(order, "lbrf");
        ck_assert(is_there("00000007.base"));
        tear_down();
        ck_assert_int_eq(fcntl(STDIN_FILENO, F_GETFD), -1);
        (void)dup2(kept, STDIN_FILENO);
    }
    (void)close(kept);
    set_up();
    (void)close(base_7);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_bell_rings_when_a_log_is_on_the_disk,
        a_base_follows_its_log_and_ends_older_files,
        a_base_is_none_when_the_disk_did_not_take_its_log,
        a_log_that_follows_nothing_lasts_when_its_base_does,
        a_log_whose_name_leads_elsewhere_is_not_on_the_disk,
        what_comes_while_the_disk_is_busy_is_brought_there_too,
        no_less_is_on_the_disk_than_was,
        a_base_that_the_disk_does_not_take_stays_a_part,
        a_base_of_a_generation_that_failed_stays_a_part,
        what_was_given_is_brought_to_the_disk_before_the_end,
        any_of_its_files_may_have_number_0,
    };
    return rp_suite_run("syncer", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
