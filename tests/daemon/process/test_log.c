/// One event, one line, whatever its length; and whoever reads it or does not, nobody waits.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "daemon/process/log.h"
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

// ---- by the thread

static char error[512];
static char folder[] = "/tmp/test_log_XXXXXX";
static char file[64];
static char moved[64];

static void open_log(const char *name)
{
    ck_assert_msg(rp_log_open(name, error, sizeof error), "%s", error);
}

static void make_folder(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    (void)snprintf(file, sizeof file, "%s/log", folder);
    (void)snprintf(moved, sizeof moved, "%s/log.1", folder);
}

static void remove_folder(void)
{
    (void)unlink(file);
    (void)unlink(moved);
    (void)rmdir(folder);
}

static const char *read_file(const char *name)
{
    FILE *stream = fopen(name, "r");
    ck_assert_ptr_nonnull(stream);
    said[fread(said, 1, sizeof said - 1u, stream)] = '\0';
    (void)fclose(stream);
    return said;
}

/// Until it exists, and has something in it.
static void wait_for(const char *name)
{
    struct stat found = {.st_size = 0};
    while (stat(name, &found) != 0 || found.st_size == 0) {
        (void)usleep(1000);
    }
}

/// stderr is a pipe of one page. @return its other end
static int use_small_pipe(void)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(fcntl(ends[1], F_SETPIPE_SZ, 4096), 4096);
    ck_assert_int_eq(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
    (void)close(ends[1]);
    return ends[0];
}

/// Log so many lines of about a hundred bytes.
static void log_lines(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        rp_log(RP_LOG_INFO, "line", "number=%u %s", i,
               "text=................................................................");
    }
}

START_TEST(lines_are_written_in_their_order_before_the_log_is_closed)
{
    make_folder();
    open_log(file);
    log_lines(30);
    rp_log_close();
    const char *at = read_file(file);
    for (unsigned i = 0; i < 30; i++) {
        char word[32];
        (void)snprintf(word, sizeof word, "number=%u ", i);
        at = strstr(at, word);
        ck_assert_ptr_nonnull(at);
    }
    ck_assert_uint_eq(rp_log_lost(), 0);
}
END_TEST

START_TEST(a_file_is_appended_to)
{
    make_folder();
    for (int i = 0; i < 2; i++) {
        open_log(file);
        rp_log(RP_LOG_INFO, i == 0 ? "first" : "second", "a=1");
        rp_log_close();
    }
    ck_assert_ptr_nonnull(strstr(read_file(file), "event=first"));
    ck_assert_ptr_nonnull(strstr(said, "event=second"));
}
END_TEST

START_TEST(a_file_that_was_moved_away_is_made_anew)
{
    make_folder();
    open_log(file);
    rp_log(RP_LOG_INFO, "first", "a=1");
    wait_for(file);
    ck_assert_int_eq(rename(file, moved), 0);
    rp_log_reopen();
    rp_log(RP_LOG_INFO, "second", "a=1");
    rp_log_close();
    ck_assert_ptr_null(strstr(read_file(moved), "event=second"));
    ck_assert_ptr_nonnull(strstr(said, "event=first"));
    ck_assert_ptr_nonnull(strstr(read_file(file), "event=second"));
}
END_TEST

/// The old one stays, and holds why.
START_TEST(a_file_that_cannot_be_made_anew_stays)
{
    make_folder();
    open_log(file);
    rp_log(RP_LOG_INFO, "first", "a=1");
    wait_for(file);
    ck_assert_int_eq(rename(file, moved), 0);
    ck_assert_int_eq(mkdir(file, 0700), 0);
    rp_log_reopen();
    rp_log(RP_LOG_INFO, "second", "a=1");
    rp_log_close();
    ck_assert_int_eq(rmdir(file), 0);
    ck_assert_ptr_nonnull(strstr(read_file(moved), "level=warn event=log file="));
    ck_assert_ptr_nonnull(strstr(said, "event=second"));
}
END_TEST

START_TEST(a_file_that_cannot_be_opened_is_named)
{
    ck_assert(!rp_log_open("/nowhere/at/all", error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "--log-file"));
    ck_assert_ptr_nonnull(strstr(error, "/nowhere/at/all"));
}
END_TEST

START_TEST(a_pipe_that_nobody_reads_holds_nobody_up)
{
    const int reader = use_small_pipe();
    open_log("");
    log_lines(10000);
    ck_assert_uint_gt(rp_log_lost(), 5000); // the pipe and the queue take some 2,700
    rp_log_close();
    (void)close(reader);
}
END_TEST

/// @return the number behind lost= in what the pipe holds until its end
static unsigned read_lost(int reader, unsigned *lines)
{
    FILE *stream = fdopen(reader, "r");
    char line[1200];
    unsigned lost = 0;
    ck_assert_ptr_nonnull(stream);
    while (fgets(line, sizeof line, stream) != NULL) {
        const char *word = strstr(line, "event=log lost=");
        lost += word != NULL ? (unsigned)strtoul(word + strlen("event=log lost="), NULL, 10) : 0u;
        *lines += word == NULL;
    }
    (void)fclose(stream);
    return lost;
}

static void *log_and_close(void *user)
{
    (void)user;
    log_lines(10000);
    rp_log(RP_LOG_INFO, "last", "a=1");
    rp_log_close();
    (void)close(STDERR_FILENO);
    return NULL;
}

/// The reader comes late.
START_TEST(every_line_is_written_or_counted)
{
    pthread_t logs;
    unsigned lines = 0;
    const int reader = use_small_pipe();
    open_log("");
    ck_assert_int_eq(pthread_create(&logs, NULL, log_and_close, NULL), 0);
    while (rp_log_lost() == 0) {
        (void)usleep(1000);
    }
    const unsigned lost = read_lost(reader, &lines);
    ck_assert_int_eq(pthread_join(logs, NULL), 0);
    ck_assert_uint_gt(lost, 0);
    ck_assert_uint_eq(lines + lost, 10001);
    ck_assert_uint_eq(lost, rp_log_lost());
}
END_TEST

START_TEST(a_pipe_whose_reader_left_is_counted)
{
    const int reader = use_small_pipe();
    (void)signal(SIGPIPE, SIG_IGN);
    (void)close(reader);
    open_log("");
    log_lines(10);
    rp_log_close();
    ck_assert_uint_eq(rp_log_lost(), 10);
}
END_TEST

/// As on a full disk: what fits of a line is there, the rest is not, and the next begins anew.
START_TEST(a_file_that_is_full_is_told_of_when_it_has_room)
{
    const struct rlimit full = {.rlim_cur = 150, .rlim_max = RLIM_INFINITY};
    const struct rlimit free = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    (void)signal(SIGXFSZ, SIG_IGN);
    make_folder();
    open_log(file);
    const int is_set = setrlimit(RLIMIT_FSIZE, &full); // for Check's file, too: nothing is asserted
    log_lines(4);
    while (rp_log_lost() < 3) {
        (void)usleep(1000);
    }
    const int is_reset = setrlimit(RLIMIT_FSIZE, &free);
    ck_assert_int_eq(is_set + is_reset, 0);
    rp_log(RP_LOG_INFO, "room", "a=1");
    rp_log_close();
    const char *lost = strstr(read_file(file), "level=warn event=log lost=3\n");
    ck_assert_ptr_nonnull(strstr(said, "number=0"));
    ck_assert_ptr_nonnull(lost);
    ck_assert_ptr_nonnull(strstr(lost, "event=room"));
    while (lost[-1] != '\n') {
        lost--;
    }
    ck_assert_int_eq(strncmp(lost, "time=", 5), 0);
}
END_TEST

START_TEST(an_end_waits_for_no_reader)
{
    struct timespec before;
    struct timespec after;
    const int reader = use_small_pipe();
    open_log("");
    log_lines(100);
    clock_gettime(CLOCK_MONOTONIC, &before);
    rp_log_close();
    clock_gettime(CLOCK_MONOTONIC, &after);
    ck_assert_int_ge((after.tv_sec - before.tv_sec) * 1000 +
                         (after.tv_nsec - before.tv_nsec) / 1000000,
                     RP_LOG_CLOSE_MS - 1);
    rp_log(RP_LOG_INFO, "late", "a=1"); // is dropped, and does not wait either
    (void)close(reader);
}
END_TEST

int main(void)
{
    const TTest *const threaded[] = {
        lines_are_written_in_their_order_before_the_log_is_closed,
        a_file_is_appended_to,
        a_file_that_was_moved_away_is_made_anew,
        a_file_that_cannot_be_made_anew_stays,
        a_file_that_cannot_be_opened_is_named,
        a_pipe_that_nobody_reads_holds_nobody_up,
        every_line_is_written_or_counted,
        a_pipe_whose_reader_left_is_counted,
        a_file_that_is_full_is_told_of_when_it_has_room,
        an_end_waits_for_no_reader,
    };
    const TTest *const tests[] = {
        a_line_is_made_of_keys_and_values,
        what_lies_above_the_level_is_dropped,
        a_line_that_is_too_long_is_cut_and_still_ends,
    };
    const int failed = rp_suite_run("log: by a thread", threaded,
                                    sizeof threaded / sizeof threaded[0], 1, remove_folder);
    return rp_suite_run("log", tests, sizeof tests / sizeof tests[0], 1, NULL) + failed;
}
