/// Descriptors that an epoll does not hear of for a while: local connections in an epoll of the
/// system's.
#include "daemon/connections/paused_reads.h"

#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/suite.h"

#define COUNT 256u

static rp_paused_reads_t paused;
static int epoll;

static void tear_down(void)
{
    rp_paused_reads_fini(&paused);
    (void)close(epoll);
}

static int control(int operation, int descriptor, uint32_t events)
{
    const struct epoll_event event = {.events = events, .data.fd = descriptor};
    return rp_paused_reads_control(&paused, epoll, operation, descriptor, &event);
}

/// A connection whose first end is in the epoll, as ZeroMQ puts it there.
static void open_pair(int *pair)
{
    if (paused.polled == NULL) {
        epoll = epoll_create1(EPOLL_CLOEXEC);
        ck_assert(rp_paused_reads_init(&paused, COUNT));
    }
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    ck_assert_int_eq(control(EPOLL_CTL_ADD, pair[0], 0), 0);
    ck_assert_int_eq(control(EPOLL_CTL_MOD, pair[0], EPOLLIN), 0);
}

static void say(int descriptor)
{
    ck_assert_int_eq(write(descriptor, "x", 1), 1);
}

/// What the epoll tells of a descriptor; 0: nothing.
static uint32_t told(int descriptor)
{
    struct epoll_event events[4];
    const int count = epoll_wait(epoll, events, 4, 0);
    for (int i = 0; i < count; i++) {
        if (events[i].data.fd == descriptor) {
            return events[i].events;
        }
    }
    return 0;
}

START_TEST(what_comes_meanwhile_is_told_afterwards)
{
    int pair[2];
    open_pair(pair);
    say(pair[1]);
    ck_assert_uint_eq(told(pair[0]), EPOLLIN);
    rp_paused_reads_pause(&paused, pair[0]);
    ck_assert_uint_eq(told(pair[0]), 0);
    rp_paused_reads_resume(&paused, pair[0]);
    ck_assert_uint_eq(told(pair[0]), EPOLLIN);
    rp_paused_reads_resume(&paused, pair[0]);
    ck_assert_uint_eq(told(pair[0]), EPOLLIN);
}
END_TEST

START_TEST(an_end_is_told_afterwards_too)
{
    int pair[2];
    open_pair(pair);
    rp_paused_reads_pause(&paused, pair[0]);
    (void)close(pair[1]);
    ck_assert_uint_eq(told(pair[0]), 0);
    rp_paused_reads_resume(&paused, pair[0]);
    ck_assert_uint_eq(told(pair[0]), EPOLLIN | EPOLLHUP);
}
END_TEST

START_TEST(whoever_waits_to_write_is_told_that_it_can)
{
    int pair[2];
    open_pair(pair);
    say(pair[1]);
    rp_paused_reads_pause(&paused, pair[0]);
    ck_assert_int_eq(control(EPOLL_CTL_MOD, pair[0], EPOLLIN | EPOLLOUT), 0);
    ck_assert_uint_eq(told(pair[0]), EPOLLOUT);
    ck_assert_int_eq(control(EPOLL_CTL_MOD, pair[0], EPOLLIN), 0);
    ck_assert_uint_eq(told(pair[0]), 0);
    ck_assert_int_eq(control(EPOLL_CTL_MOD, pair[0], EPOLLOUT), 0);
    rp_paused_reads_resume(&paused, pair[0]);
    ck_assert_uint_eq(told(pair[0]), EPOLLOUT); // it does not want to read any more
}
END_TEST

START_TEST(one_that_is_taken_out_while_it_is_paused_is_out)
{
    int pair[2];
    open_pair(pair);
    say(pair[1]);
    rp_paused_reads_pause(&paused, pair[0]);
    ck_assert_int_eq(control(EPOLL_CTL_DEL, pair[0], 0), 0);
    rp_paused_reads_resume(&paused, pair[0]);
    ck_assert_uint_eq(told(pair[0]), 0);
    ck_assert_int_eq(control(EPOLL_CTL_ADD, pair[0], EPOLLIN), 0);
    ck_assert_uint_eq(told(pair[0]), EPOLLIN);
}
END_TEST

START_TEST(one_that_is_in_no_epoll_does_not_wait)
{
    int pair[2];
    open_pair(pair);
    ck_assert_int_eq(control(EPOLL_CTL_DEL, pair[0], 0), 0);
    rp_paused_reads_pause(&paused, pair[0]);
    ck_assert_int_eq(rp_paused_reads_first(&paused), -1);
}
END_TEST

START_TEST(a_number_that_is_given_again_begins_anew)
{
    int pair[2];
    open_pair(pair);
    const int number = pair[0];
    rp_paused_reads_pause(&paused, number);
    rp_paused_reads_forget(&paused, number);
    (void)close(number);
    ck_assert_int_eq(rp_paused_reads_first(&paused), -1);
    open_pair(pair);
    ck_assert_int_eq(pair[0], number);
    say(pair[1]);
    ck_assert_uint_eq(told(number), EPOLLIN);
}
END_TEST

START_TEST(they_wait_in_line)
{
    int pairs[4][2];
    for (int i = 0; i < 4; i++) {
        open_pair(pairs[i]);
        rp_paused_reads_pause(&paused, pairs[i][0]);
    }
    ck_assert_int_eq(rp_paused_reads_first(&paused), pairs[0][0]);
    rp_paused_reads_pause(&paused, pairs[0][0]);
    ck_assert_int_eq(rp_paused_reads_first(&paused), pairs[1][0]);
    rp_paused_reads_resume(&paused, pairs[2][0]);
    rp_paused_reads_resume(&paused, pairs[1][0]);
    ck_assert_int_eq(rp_paused_reads_first(&paused), pairs[3][0]);
    rp_paused_reads_forget(&paused, pairs[0][0]);
    rp_paused_reads_pause(&paused, pairs[1][0]);
    rp_paused_reads_resume(&paused, pairs[3][0]);
    ck_assert_int_eq(rp_paused_reads_first(&paused), pairs[1][0]);
    rp_paused_reads_resume(&paused, pairs[1][0]);
    ck_assert_int_eq(rp_paused_reads_first(&paused), -1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_comes_meanwhile_is_told_afterwards,
        an_end_is_told_afterwards_too,
        whoever_waits_to_write_is_told_that_it_can,
        one_that_is_taken_out_while_it_is_paused_is_out,
        one_that_is_in_no_epoll_does_not_wait,
        a_number_that_is_given_again_begins_anew,
        they_wait_in_line,
    };
    return rp_suite_run("paused_reads", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
