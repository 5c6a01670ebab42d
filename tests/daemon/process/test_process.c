/// What a process finds itself in does not end it.
#include "daemon/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/suite.h"

START_TEST(closed_descriptors_are_taken_before_anything_of_ours_gets_them)
{
    (void)close(STDIN_FILENO);
    (void)close(STDERR_FILENO);
    rp_process_begin();
    const int next = open("/", O_RDONLY);
    ck_assert_int_gt(next, STDERR_FILENO);
    ck_assert_int_eq(write(STDERR_FILENO, "x", 1), 1);
}
END_TEST

START_TEST(descriptors_that_are_open_stay_what_they_are)
{
    int pipe_ends[2];
    char byte = 0;
    ck_assert_int_eq(pipe(pipe_ends), 0);
    ck_assert_int_eq(dup2(pipe_ends[1], STDERR_FILENO), STDERR_FILENO);
    rp_process_begin();
    ck_assert_int_eq(write(STDERR_FILENO, "x", 1), 1);
    ck_assert_int_eq(read(pipe_ends[0], &byte, 1), 1);
    ck_assert_int_eq(byte, 'x');
}
END_TEST

START_TEST(a_pipe_without_reader_ends_nobody)
{
    int pipe_ends[2];
    ck_assert_int_eq(pipe(pipe_ends), 0);
    (void)close(pipe_ends[0]);
    rp_process_begin();
    ck_assert_int_lt(write(pipe_ends[1], "x", 1), 0);
    ck_assert_int_eq(errno, EPIPE);
}
END_TEST

START_TEST(a_file_as_long_as_it_may_be_ends_nobody)
{
    char name[] = "/tmp/test_process_XXXXXX";
    const int file = mkstemp(name);
    const struct rlimit none = {.rlim_cur = 0, .rlim_max = 0};
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(unlink(name), 0);
    rp_process_begin();
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    ck_assert_int_lt(write(file, "x", 1), 0);
    ck_assert_int_eq(errno, EFBIG);
}
END_TEST

START_TEST(the_end_of_a_terminal_ends_nobody)
{
    rp_process_begin();
    ck_assert_int_eq(raise(SIGHUP), 0);
}
END_TEST

static volatile sig_atomic_t heard;

static void hear(int signal)
{
    heard = signal;
}

START_TEST(signals_that_were_blocked_end_it_again_when_they_may)
{
    const struct sigaction action = {.sa_handler = hear};
    sigset_t ends;
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGTERM);
    ck_assert_int_eq(sigprocmask(SIG_BLOCK, &ends, NULL), 0);
    ck_assert_int_eq(sigaction(SIGTERM, &action, NULL), 0);
    ck_assert_int_eq(raise(SIGTERM), 0);
    ck_assert_int_eq(heard, 0);
    rp_process_let_end();
    ck_assert_int_eq(heard, SIGTERM);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        closed_descriptors_are_taken_before_anything_of_ours_gets_them,
        descriptors_that_are_open_stay_what_they_are,
        a_pipe_without_reader_ends_nobody,
        a_file_as_long_as_it_may_be_ends_nobody,
        the_end_of_a_terminal_ends_nobody,
        signals_that_were_blocked_end_it_again_when_they_may,
    };
    return rp_suite_run("process", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
