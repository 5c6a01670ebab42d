/// What ZeroMQ's I/O thread may read: by hand, over local connections to two sockets.
#include "daemon/connections/ingress.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/process/log.h"
#include "tests/support/suite.h"

#define ONE    2000u
#define ALL    5000u
#define UNREAD 1000u
#define LONG   100u
#define FRAME  10u

static const uint8_t greeting[64] = "\xff\0\0\0\0\0\0\0\1\x7f\3\1NULL";
static int sockets[2];
static char owner;

typedef struct line {
    int ours;
    int theirs;
} line_t;

static void endpoint_of(int which, char *endpoint, size_t size)
{
    (void)snprintf(endpoint, size, "ipc://@test_ingress.%d.%d", (int)getpid(), which);
}

static void open_ingress(void)
{
    static const char *const names[] = {"first", "second"};
    char endpoint[64];
    const rp_ingress_limits_t limits = {.unfinished_one = ONE,
                                        .unfinished_all = ALL,
                                        .unread = UNREAD,
                                        .long_bytes = LONG,
                                        .frame_weight = FRAME,
                                        .byte_weight = 1,
                                        .piece = 16384};
    rp_log_set_level(RP_LOG_ERROR);
    ck_assert(rp_ingress_open());
    for (int which = 0; which < 2; which++) {
        endpoint_of(which, endpoint, sizeof endpoint);
        sockets[which] = rp_ingress_listen(&owner, names[which], endpoint, &limits);
        ck_assert_int_eq(sockets[which], which);
    }
}

static line_t connect_to(int which)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    char endpoint[64];
    endpoint_of(which, endpoint, sizeof endpoint);
    const size_t length = strlen(endpoint + 7);
    memcpy(name.sun_path + 1, endpoint + 7, length);
    const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1u + length);
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    const line_t line = {.theirs = socket(AF_UNIX, SOCK_STREAM, 0)};
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&name, size), 0);
    ck_assert_int_eq(listen(listener, 1), 0);
    ck_assert_int_eq(connect(line.theirs, (struct sockaddr *)&name, size), 0);
    const int ours = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    ck_assert_int_ge(ours, 0);
    (void)close(listener);
    return (line_t){.ours = ours, .theirs = line.theirs};
}

/// Send, and let it be read. @return as recv()
static ssize_t bring(line_t line, const void *bytes, size_t size)
{
    static uint8_t read[65536];
    ck_assert_int_eq(send(line.theirs, bytes, size, MSG_NOSIGNAL), (ssize_t)size);
    return recv(line.ours, read, sizeof read, 0);
}

static line_t greet(int which)
{
    const line_t line = connect_to(which);
    ck_assert_int_eq(bring(line, greeting, sizeof greeting), (ssize_t)sizeof greeting);
    return line;
}

/// One frame of so many bytes. @return as recv()
static ssize_t bring_frame(line_t line, bool is_last, size_t size)
{
    uint8_t frame[4096] = {is_last ? 2 : 3};
    ck_assert_uint_lt(9u + size, sizeof frame);
    frame[7] = (uint8_t)(size >> 8);
    frame[8] = (uint8_t)size;
    return bring(line, frame, 9u + size);
}

#define IS_OVER(call) ck_assert(((call) < 0) && errno == ECONNRESET)
#define WAITS(call)   ck_assert(((call) < 0) && errno == EAGAIN)

START_TEST(what_was_not_accepted_is_read_as_it_is)
{
    int pair[2];
    open_ingress();
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    for (int i = 0; i < 5; i++) {
        ck_assert_int_gt(bring_frame((line_t){pair[0], pair[1]}, false, 1900), 1900);
    }
}
END_TEST

START_TEST(a_connection_that_holds_too_much_is_cut_off)
{
    char byte;
    open_ingress();
    const line_t good = greet(0);
    const line_t bad = greet(1);
    ck_assert_int_gt(bring_frame(good, false, 1500), 0);
    ck_assert_int_gt(bring_frame(bad, false, 1500), 0);
    IS_OVER(bring_frame(bad, false, 1500));
    IS_OVER(recv(bad.ours, &byte, 1, 0));
    ck_assert_int_eq(recv(bad.theirs, &byte, 1, 0), 0);
    ck_assert_uint_eq(rp_ingress_cut(sockets[0]), 0);
    ck_assert_uint_eq(rp_ingress_cut(sockets[1]), 1);
    ck_assert_int_gt(bring_frame(good, true, 300), 0);
}
END_TEST

START_TEST(parts_of_no_bytes_take_memory)
{
    uint8_t parts[2u * ONE / FRAME];
    open_ingress();
    const line_t line = greet(0);
    for (size_t i = 0; i < sizeof parts; i += 2) {
        parts[i] = 1;
        parts[i + 1] = 0;
    }
    ck_assert_int_gt(bring(line, parts, sizeof parts), 0);
    IS_OVER(bring(line, parts, 2));
}
END_TEST

START_TEST(a_message_that_ends_is_held_no_more)
{
    open_ingress();
    const line_t line = greet(0);
    for (int i = 0; i < 20; i++) {
        ck_assert_int_gt(bring_frame(line, false, 1500), 0);
        ck_assert_int_gt(bring_frame(line, true, 100), 0);
        rp_ingress_taken(sockets[0], 2, 1600);
    }
    ck_assert_uint_eq(rp_ingress_cut(sockets[0]), 0);
}
END_TEST

START_TEST(of_all_the_heaviest_goes)
{
    char byte;
    open_ingress();
    const line_t lines[] = {greet(0), greet(0), greet(1), greet(1)};
    ck_assert_int_gt(bring_frame(lines[0], false, 500), 0);
    ck_assert_int_gt(bring_frame(lines[1], false, 1900), 0);
    (void)poll(NULL, 0, 20); // what came now is young
    ck_assert_int_gt(bring_frame(lines[2], false, 1500), 0);
    ck_assert_int_gt(bring_frame(lines[3], false, 1500), 0); // too much
    IS_OVER(recv(lines[1].ours, &byte, 1, 0));
    for (int i = 0; i < 4; i++) {
        if (i != 1) {
            ck_assert_int_gt(bring_frame(lines[i], true, 1), 0);
            rp_ingress_drained(sockets[i / 2]);
        }
    }
}
END_TEST

START_TEST(what_a_connection_held_goes_with_it)
{
    open_ingress();
    for (int i = 0; i < 20; i++) {
        const line_t line = greet(i % 2);
        ck_assert_int_gt(bring_frame(line, false, 1900), 0);
        (void)close(line.ours);
    }
    ck_assert_uint_eq(rp_ingress_cut(sockets[0]) + rp_ingress_cut(sockets[1]), 0);
}
END_TEST

START_TEST(long_messages_wait_while_much_waits_for_the_owner)
{
    char byte;
    open_ingress();
    const line_t lines[] = {greet(0), greet(1), greet(0)};
    ck_assert_int_gt(bring_frame(lines[2], false, 200), 0);
    ck_assert_int_gt(bring_frame(lines[0], true, 700), 0);
    ck_assert_int_gt(bring_frame(lines[1], true, 700), 0);
    WAITS(bring_frame(lines[2], true, 700));
    struct pollfd spoken = {.fd = rp_ingress_descriptor(sockets[0]), .events = POLLIN};
    ck_assert_int_eq(poll(&spoken, 1, 0), 1);
    rp_ingress_taken(sockets[1], 1, 700);
    WAITS(recv(lines[2].ours, &byte, 1, 0)); // it is given more at once
    rp_ingress_taken(sockets[0], 1, 700);
    ck_assert_int_eq(recv(lines[2].ours, &byte, 1, 0), 1);
}
END_TEST

START_TEST(short_messages_do_not_wait)
{
    open_ingress();
    const line_t line = greet(0);
    ck_assert_int_gt(bring_frame(line, true, 1900), 0);
    for (int i = 0; i < 100; i++) {
        ck_assert_int_gt(bring_frame(line, i % 2 != 0, LONG / 2u - 1u), 0);
    }
    (void)greet(1);
}
END_TEST

START_TEST(an_owner_that_finds_nothing_lets_go_on)
{
    open_ingress();
    const line_t line = greet(0);
    ck_assert_int_gt(bring_frame(line, true, 1900), 0);
    ck_assert_int_gt(bring_frame(line, false, LONG), 0);
    WAITS(bring_frame(line, true, 10));
    rp_ingress_drained(sockets[0]);
    ck_assert_int_gt(bring_frame(line, true, 10), 0);
}
END_TEST

START_TEST(before_its_socket_is_known_a_connection_is_counted)
{
    char endpoint[64];
    const rp_ingress_limits_t limits = {.unfinished_one = 4000,
                                        .unfinished_all = 4000,
                                        .unread = 4000,
                                        .byte_weight = 1,
                                        .piece = 8192};
    open_ingress();
    const line_t line = connect_to(2);
    ck_assert_int_gt(bring(line, greeting, sizeof greeting), 0);
    ck_assert_int_gt(bring_frame(line, false, 1500), 0);
    endpoint_of(2, endpoint, sizeof endpoint);
    const int third = rp_ingress_listen(&owner, "third", endpoint, &limits);
    ck_assert_int_gt(bring_frame(line, false, 1500), 0);
    IS_OVER(bring_frame(line, false, 1500));
    ck_assert_uint_eq(rp_ingress_cut(third), 1);
}
END_TEST

START_TEST(little_is_read_at_a_time)
{
    static uint8_t much[60000];
    open_ingress();
    const line_t line = greet(0);
    ck_assert_int_eq(bring(line, much, sizeof much), 16384);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_was_not_accepted_is_read_as_it_is,
        a_connection_that_holds_too_much_is_cut_off,
        parts_of_no_bytes_take_memory,
        a_message_that_ends_is_held_no_more,
        of_all_the_heaviest_goes,
        what_a_connection_held_goes_with_it,
        long_messages_wait_while_much_waits_for_the_owner,
        short_messages_do_not_wait,
        an_owner_that_finds_nothing_lets_go_on,
        before_its_socket_is_known_a_connection_is_counted,
        little_is_read_at_a_time,
    };
    return rp_suite_run("ingress", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
