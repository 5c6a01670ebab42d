/// What ZeroMQ's I/O thread may read: by hand, over local connections to two sockets.
#include "daemon/connections/ingress.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
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
    ck_assert_int_gt(bring_frame(lines[2], false, 100), 0);
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

// ---- after an offence

#define TRUSTED 20000u

#define WIDE       7000000u
#define WIDE_FRAME 192u

/// A socket where one may hold WIDE.
static int listen_wide(const char *name, int which, bool keeps_wholes)
{
    char endpoint[64];
    const rp_ingress_limits_t limits = {.unfinished_one = WIDE,
                                        .unfinished_all = 64u << 20,
                                        .unread = 64u << 20,
                                        .frame_weight = WIDE_FRAME,
                                        .byte_weight = 1,
                                        .piece = 65536,
                                        .trusted = TRUSTED,
                                        .keeps_wholes = keeps_wholes};
    endpoint_of(which, endpoint, sizeof endpoint);
    return rp_ingress_listen(&owner, name, endpoint, &limits);
}

/// Such a third one.
static int open_wide(bool keeps_wholes)
{
    open_ingress();
    return listen_wide("third", 2, keeps_wholes);
}

#define PART 60000u

/// Send a frame of PART bytes, and let it be read. @return how often it had to wait
static unsigned bring_part(line_t line, bool is_last)
{
    static uint8_t read[65536];
    static uint8_t frame[9 + PART] = {[7] = PART >> 8, [8] = PART & 255u};
    unsigned waits = 0;
    frame[0] = is_last ? 2 : 3;
    ck_assert_int_eq(send(line.theirs, frame, sizeof frame, MSG_NOSIGNAL), sizeof frame);
    for (size_t left = sizeof frame; left != 0;) {
        const ssize_t count = recv(line.ours, read, sizeof read, 0);
        ck_assert(count > 0 || errno == EAGAIN);
        left -= count > 0 ? (size_t)count : 0;
        waits += count < 0;
        (void)poll(NULL, 0, count < 0);
    }
    return waits;
}

/// So many of them. @return as bring_part()
static unsigned bring_parts(line_t line, bool are_last, unsigned count)
{
    unsigned waits = 0;
    for (unsigned i = 0; i < count; i++) {
        waits += bring_part(line, are_last);
    }
    return waits;
}

/// What a connection may hold takes some hundred milliseconds then, and some milliseconds to send.
static bool has_to_wait(line_t line, bool are_last)
{
    bool waits = false;
    for (unsigned i = 0; i < 100 && !waits; i++) {
        waits = bring_part(line, are_last) != 0;
    }
    return waits;
}

START_TEST(without_an_offence_nobody_waits)
{
    (void)open_wide(false);
    ck_assert_uint_eq(bring_parts(greet(2), false, 100), 0);
}
END_TEST

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

START_TEST(after_an_offence_messages_without_end_come_slowly)
{
    const int third = open_wide(false);
    rp_ingress_offended(third);
    const line_t lines[] = {greet(2), greet(2)};
    const double from_s = now_s();
    (void)bring_parts(lines[0], false, 40);
    (void)bring_parts(lines[1], false, 40);
    const double least_s = 2.0 * (40 * PART - TRUSTED - PART) / RP_INGRESS_SUSPECT_RATE;
    ck_assert_double_ge(now_s() - from_s, least_s - 0.022); // some may come ahead
    ck_assert_uint_eq(rp_ingress_cut(third), 0);
}
END_TEST

START_TEST(parts_of_no_bytes_come_slowly_too)
{
    uint8_t parts[8192];
    const int third = open_wide(false);
    rp_ingress_offended(third);
    const line_t line = greet(2);
    for (size_t i = 0; i < sizeof parts; i += 2) {
        parts[i] = 1;
        parts[i + 1] = 0;
    }
    ssize_t count = 1;
    for (int i = 0; i < 8 && count > 0; i++) { // 0.8 MB of memory each, which is 47 ms
        count = bring(line, parts, sizeof parts);
    }
    WAITS(count);
}
END_TEST

START_TEST(whoever_sends_whole_messages_does_not_wait)
{
    rp_ingress_offended(open_wide(false));
    const line_t line = greet(2);
    ck_assert_uint_eq(bring_parts(line, true, 50), 0);
    ck_assert_uint_eq(bring_parts(line, false, 50), 0);
    ck_assert(has_to_wait(line, false));
}
END_TEST

START_TEST(whole_messages_that_are_kept_earn_nothing)
{
    rp_ingress_offended(open_wide(true));
    ck_assert(has_to_wait(greet(2), true));
}
END_TEST

START_TEST(whoever_brings_little_does_not_wait)
{
    rp_ingress_offended(open_wide(false));
    const line_t bad = greet(2);
    const line_t good = greet(2);
    (void)bring_parts(bad, false, 10);
    ck_assert_uint_eq(bring_part(good, false), 0);
}
END_TEST

START_TEST(to_be_cut_off_is_an_offence)
{
    (void)open_wide(false);
    const line_t bad = greet(2);
    ck_assert_uint_eq(bring_parts(bad, false, WIDE / (PART + WIDE_FRAME)), 0);
    ssize_t count = 1;
    while (count > 0) {
        count = bring_frame(bad, false, 4000);
    }
    IS_OVER(count);
    ck_assert(has_to_wait(greet(2), false));
}
END_TEST

START_TEST(an_offence_is_that_of_its_socket)
{
    rp_ingress_offended(open_wide(false));
    (void)listen_wide("fourth", 3, false);
    ck_assert_uint_eq(bring_parts(greet(3), false, 100), 0);
    ck_assert(has_to_wait(greet(2), false));
}
END_TEST

START_TEST(to_leave_much_without_its_end_is_an_offence)
{
    (void)open_wide(false);
    const line_t little = greet(2);
    ck_assert_uint_eq(bring_parts(little, false, 2), 0);
    (void)close(little.ours);
    ck_assert_uint_eq(bring_parts(greet(2), false, 100), 0);
    const line_t much = greet(2);
    ck_assert_uint_eq(bring_parts(much, false, 100), 0);
    (void)close(much.ours);
    ck_assert(has_to_wait(greet(2), false));
}
END_TEST

// ---- the epoll

/// One in which a connection is, as ZeroMQ puts it there.
static int poll_for(line_t line)
{
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = line.ours};
    ck_assert_int_eq(epoll_ctl(epoll, EPOLL_CTL_ADD, line.ours, &event), 0);
    return epoll;
}

START_TEST(whoever_waits_is_not_told_of_until_it_may_go_on)
{
    struct epoll_event event;
    open_ingress();
    const line_t line = greet(0);
    const int epoll = poll_for(line);
    ck_assert_int_gt(bring_frame(line, true, 1900), 0);
    ck_assert_int_gt(bring_frame(line, false, LONG), 0);
    WAITS(bring_frame(line, true, 10));
    ck_assert_int_eq(epoll_wait(epoll, &event, 1, 50), 0);
    rp_ingress_drained(sockets[0]);
    while (epoll_wait(epoll, &event, 1, -1) == 0) { // each millisecond
    }
    ck_assert_int_eq(event.data.fd, line.ours);
}
END_TEST

START_TEST(those_without_trust_take_turns)
{
    line_t lines[3];
    unsigned reads[3] = {0};
    struct epoll_event events[3];
    uint8_t read[65536];
    static uint8_t much[200000] = {3, [6] = 3};
    rp_ingress_offended(open_wide(false));
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < 3; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
        lines[i] = greet(2);
        ck_assert_int_eq(epoll_ctl(epoll, EPOLL_CTL_ADD, lines[i].ours, &event), 0);
        ck_assert_int_gt(send(lines[i].theirs, much, sizeof much, MSG_DONTWAIT), 150000);
    }
    for (unsigned sum = 0; sum < 24;) {
        const int count = epoll_wait(epoll, events, 3, -1);
        for (int i = 0; i < count; i++) {
            const uint32_t which = events[i].data.u32;
            const bool is_read = recv(lines[which].ours, read, sizeof read, 0) > 0;
            reads[which] += is_read;
            sum += is_read;
        }
    }
    for (int i = 0; i < 3; i++) {
        ck_assert_uint_ge(reads[i], 6);
        ck_assert_uint_le(reads[i], 10);
    }
}
END_TEST

/// By others, which hold too much together with it.
START_TEST(whoever_is_cut_off_while_it_waits_is_told_of)
{
    struct epoll_event event;
    char byte;
    open_ingress();
    const line_t heavy = greet(0);
    const int epoll = poll_for(heavy);
    ck_assert_int_gt(bring_frame(heavy, false, 1900), 0);
    ck_assert_int_gt(bring_frame(greet(1), true, 1900), 0);
    WAITS(bring_frame(heavy, false, 10));
    ck_assert_int_eq(epoll_wait(epoll, &event, 1, 0), 0);
    for (uint32_t i = 0; i < ALL / LONG && rp_ingress_cut(sockets[0]) == 0; i++) {
        ck_assert_int_gt(bring_frame(greet(0), false, LONG - 10u), 0);
    }
    ck_assert_int_eq(epoll_wait(epoll, &event, 1, 0), 1);
    IS_OVER(recv(heavy.ours, &byte, 1, 0));
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
        without_an_offence_nobody_waits,
        after_an_offence_messages_without_end_come_slowly,
        parts_of_no_bytes_come_slowly_too,
        whoever_sends_whole_messages_does_not_wait,
        whole_messages_that_are_kept_earn_nothing,
        whoever_brings_little_does_not_wait,
        to_be_cut_off_is_an_offence,
        an_offence_is_that_of_its_socket,
        to_leave_much_without_its_end_is_an_offence,
        whoever_waits_is_not_told_of_until_it_may_go_on,
        those_without_trust_take_turns,
        whoever_is_cut_off_while_it_waits_is_told_of,
    };
    return rp_suite_run("ingress", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
