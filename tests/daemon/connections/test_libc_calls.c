/// Calls of the C library as libzmq is to see them, but accept4() (test_accept.c): they do what
/// they are asked for, and the end of a connection is something to read.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/suite.h"

static int ends[2];
static int epoll;

static void tear_down(void)
{
    (void)close(ends[0]);
    (void)close(ends[1]);
    (void)close(epoll);
}

static void begin(void)
{
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    epoll = epoll_create1(EPOLL_CLOEXEC);
    ck_assert_int_ge(epoll, 0);
}

static void hear_of(int operation, int descriptor, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.fd = descriptor};
    ck_assert_int_eq(epoll_ctl(epoll, operation, descriptor, &event), 0);
}

/// What is told of the only descriptor; 0 when it is named for nothing.
static uint32_t told(void)
{
    struct epoll_event events[4] = {{.events = 0}};
    ck_assert_int_eq(epoll_wait(epoll, events, 4, 0), 1);
    ck_assert_int_eq(events[0].data.fd, ends[0]);
    return events[0].events;
}

static int count_told(void)
{
    struct epoll_event events[4];
    return epoll_wait(epoll, events, 4, 0);
}

START_TEST(who_is_heard_of_and_who_not_any_more)
{
    begin();
    ck_assert_int_eq(count_told(), 0);
    hear_of(EPOLL_CTL_ADD, ends[0], EPOLLIN);
    ck_assert_int_eq(count_told(), 0);
    ck_assert_int_eq(write(ends[1], "x", 1), 1);
    ck_assert_uint_eq(told(), EPOLLIN);
    hear_of(EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLOUT);
    ck_assert_uint_eq(told(), EPOLLIN | EPOLLOUT);
    hear_of(EPOLL_CTL_DEL, ends[0], 0);
    ck_assert_int_eq(count_told(), 0);
}
END_TEST

START_TEST(as_many_are_told_as_were_asked_for)
{
    struct epoll_event events[2] = {{.events = 0}};
    begin();
    hear_of(EPOLL_CTL_ADD, ends[0], EPOLLOUT);
    hear_of(EPOLL_CTL_ADD, ends[1], EPOLLOUT);
    ck_assert_int_eq(epoll_wait(epoll, events, 2, -1), 2);
    ck_assert_uint_eq(events[0].events, EPOLLOUT);
    ck_assert_uint_eq(events[1].events, EPOLLOUT);
    events[1] = (struct epoll_event){.events = 0};
    ck_assert_int_eq(epoll_wait(epoll, events, 1, -1), 1);
    ck_assert_uint_eq(events[1].events, 0);
}
END_TEST

START_TEST(the_end_of_a_connection_is_something_to_read_and_nothing_else)
{
    char byte;
    begin();
    hear_of(EPOLL_CTL_ADD, ends[0], EPOLLIN);
    (void)close(ends[1]);
    ck_assert_uint_eq(told(), EPOLLIN); // the system tells EPOLLHUP, too
    ck_assert_int_eq(recv(ends[0], &byte, 1, 0), 0);
    hear_of(EPOLL_CTL_MOD, ends[0], 0);
    ck_assert_uint_eq(told(), 0); // whoever does not read does not hear of it
}
END_TEST

START_TEST(an_error_of_a_connection_is_something_to_read_and_nothing_else)
{
    int pipe_ends[2];
    begin();
    ck_assert_int_eq(pipe(pipe_ends), 0);
    (void)close(ends[0]);
    ends[0] = pipe_ends[1];
    hear_of(EPOLL_CTL_ADD, ends[0], EPOLLOUT);
    (void)close(pipe_ends[0]);
    ck_assert_uint_eq(told(), EPOLLOUT); // the system tells EPOLLERR, too
}
END_TEST

START_TEST(what_fails_fails_as_the_system_says)
{
    struct epoll_event event;
    char byte;
    begin();
    ck_assert_int_eq(epoll_wait(ends[0], &event, 1, 0), -1); // no epoll
    ck_assert_int_eq(errno, EINVAL);
    ck_assert_int_eq(epoll_ctl(epoll, EPOLL_CTL_DEL, ends[0], &event), -1);
    ck_assert_int_eq(errno, ENOENT);
    ck_assert_int_eq(recv(ends[0], &byte, 1, MSG_DONTWAIT), -1);
    ck_assert_int_eq(errno, EAGAIN);
    const int gone = dup(ends[0]);
    ck_assert_int_eq(close(gone), 0);
    ck_assert_int_eq(fcntl(gone, F_GETFD), -1);
    ck_assert_int_eq(close(gone), -1);
    ck_assert_int_eq(errno, EBADF);
}
END_TEST

START_TEST(bytes_come_as_they_are_asked_for)
{
    char bytes[4] = "";
    begin();
    ck_assert_int_eq(write(ends[1], "abc", 3), 3);
    ck_assert_int_eq(recv(ends[0], bytes, 2, MSG_PEEK), 2);
    ck_assert_int_eq(recv(ends[0], bytes, 2, 0), 2);
    ck_assert_str_eq(bytes, "ab");
    ck_assert_int_eq(recv(ends[0], bytes, sizeof bytes, 0), 1);
    ck_assert_int_eq(bytes[0], 'c');
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        who_is_heard_of_and_who_not_any_more,
        as_many_are_told_as_were_asked_for,
        the_end_of_a_connection_is_something_to_read_and_nothing_else,
        an_error_of_a_connection_is_something_to_read_and_nothing_else,
        what_fails_fails_as_the_system_says,
        bytes_come_as_they_are_asked_for,
    };
    return rp_suite_run("libc_calls", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
