/// Connections of a real socket: they come and go, and those that must go are told to.
#include "daemon/connections/guard.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "daemon/connections/sockets.h"
#include "daemon/process/log.h"
#include "tests/support/suite.h"

#define ONE ((uint64_t)1 << 20)
#define ALL ((uint64_t)3 << 20)

static void *context;
static void *server;
static rp_guard_t *guard;
static rp_ipc_claim_t claim = RP_NO_IPC_CLAIM;
static char endpoint[256];
static unsigned left;

static void has_left(void *user, rp_guarded_t *connection)
{
    (void)user;
    (void)connection;
    left++;
}

static void tear_down(void)
{
    rp_guard_destroy(&guard);
    if (server != NULL) {
        (void)zmq_close(server);
    }
    (void)zmq_ctx_term(context);
    rp_ipc_claim_release(&claim);
}

static void open_server(const char *where, uint32_t most)
{
    const rp_guard_options_t options = {.most_each = most,
                                        .most_all = most,
                                        .ingress = {.unfinished_one = ONE,
                                                    .unfinished_all = ALL,
                                                    .unread = ALL,
                                                    .frame_weight = 64,
                                                    .byte_weight = 1,
                                                    .piece = 64 << 10},
                                        .has_left = has_left};
    char error[256];
    size_t room = sizeof endpoint;
    rp_log_set_level(RP_LOG_ERROR);
    context = zmq_ctx_new();
    guard = rp_guard_new(&options);
    ck_assert_ptr_nonnull(guard);
    server = rp_socket_bind(context, ZMQ_ROUTER, "control", where, &claim, error, sizeof error);
    ck_assert_msg(server != NULL, "%s", error);
    (void)zmq_getsockopt(server, ZMQ_LAST_ENDPOINT, endpoint, &room);
    ck_assert(rp_guard_watch(guard, context, "control", endpoint));
}

static uint64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

/// One round, as a loop that has nothing else to do plays it: whole messages are taken out.
static void work(void)
{
    struct pollfd spoken = {.fd = rp_guard_descriptor(guard), .events = POLLIN};
    (void)poll(&spoken, 1, 1);
    rp_frames_t message;
    while (rp_frames_receive(server, &message)) {
        (void)rp_guard_sender(guard, 0, &message);
        rp_guard_done(guard, 0, message.count, message.size);
        rp_frames_close(&message);
    }
    rp_guard_turn(guard, 0);
    rp_guard_work(guard, now_us(), true);
}

static uint64_t open_count(void)
{
    return rp_guard_counts(guard).open;
}

static uint64_t cut_count(void)
{
    return rp_guard_counts(guard).cut;
}

/// A connection by hand.
static int dial(void)
{
    union {
        struct sockaddr any;
        struct sockaddr_in ip4;
        struct sockaddr_un local;
    } name = {.any.sa_family = AF_UNSPEC};
    const bool is_local = strncmp(endpoint, "ipc://", 6) == 0;
    if (is_local) {
        name.local.sun_family = AF_UNIX;
        (void)snprintf(name.local.sun_path, sizeof name.local.sun_path, "%.100s", endpoint + 6);
    } else {
        name.ip4.sin_family = AF_INET;
        name.ip4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        name.ip4.sin_port = htons((uint16_t)strtoul(strrchr(endpoint, ':') + 1, NULL, 10));
    }
    const int line = socket(name.any.sa_family, SOCK_STREAM, 0);
    ck_assert_int_eq(connect(line, &name.any, is_local ? sizeof name.local : sizeof name.ip4), 0);
    return line;
}

static void say(int line, const void *bytes, size_t size)
{
    ck_assert_int_eq(send(line, bytes, size, MSG_NOSIGNAL), (ssize_t)size);
}

static void hear(int line, size_t size)
{
    char bytes[256];
    ck_assert_uint_le(size, sizeof bytes);
    ck_assert_int_eq(recv(line, bytes, size, MSG_WAITALL), (ssize_t)size);
}

/// And it greets, as a DEALER. What comes before the server's answer is none of its messages.
static int greet(void)
{
    char head[2];
    static const char greeting[64] = "\xff\0\0\0\0\0\0\0\1\x7f\3\0NULL";
    static const char ready[] = "\4\x1c\5READY\x0bSocket-Type\0\0\0\6DEALER";
    const int line = dial();
    say(line, greeting, sizeof greeting);
    say(line, ready, sizeof ready - 1u);
    hear(line, sizeof greeting);
    ck_assert_int_eq(recv(line, head, sizeof head, MSG_WAITALL), (ssize_t)sizeof head);
    hear(line, (size_t)head[1]);
    return line;
}

/// Send parts without end, until the connection is over or so much was sent. @return bytes sent
static size_t send_parts(int line, size_t most)
{
    static char part[9 + (64 << 10)] = {3, 0, 0, 0, 0, 0, 1, 0, 0};
    size_t sent = 0;
    while (sent < most) {
        const ssize_t count = send(line, part + sent % sizeof part,
                                   sizeof part - sent % sizeof part, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno != EAGAIN) {
            break;
        }
        sent += count > 0 ? (size_t)count : 0u;
        work();
    }
    return sent;
}

START_TEST(they_are_counted_as_they_come_and_go)
{
    open_server("tcp://127.0.0.1:*", 10);
    const int lines[] = {dial(), dial(), dial()};
    while (open_count() != 3) {
        work();
    }
    (void)close(lines[1]);
    while (open_count() != 2) {
        work();
    }
    ck_assert_uint_eq(left, 1);
    ck_assert_uint_eq(rp_guard_counts(guard).refused, 0);
    size_t at = 0;
    const rp_guarded_t *first = rp_guard_next(guard, &at);
    const rp_guarded_t *second = rp_guard_next(guard, &at);
    ck_assert(first != NULL && second != NULL && first->cookie != second->cookie);
    ck_assert_uint_le(first->came_us, now_us());
    ck_assert_ptr_null(rp_guard_next(guard, &at));
}
END_TEST

START_TEST(newcomers_are_refused_when_there_are_enough)
{
    open_server("tcp://127.0.0.1:*", 2);
    const int lines[] = {dial(), dial()};
    while (open_count() != 2) {
        work();
    }
    const int newcomer = dial();
    while (rp_guard_counts(guard).refused != 1) {
        work();
    }
    struct pollfd spoken = {.fd = newcomer, .events = POLLIN};
    ck_assert_int_eq(poll(&spoken, 1, -1), 1);
    ck_assert_uint_eq(open_count(), 2);
    (void)close(lines[0]);
    while (open_count() != 1) {
        work();
    }
    (void)dial();
    while (open_count() != 2) {
        work();
    }
}
END_TEST

static const char *const transports[] = {"tcp://127.0.0.1:*", "ipc:///tmp/test_guard.%d"};

static void open_transport(int which, uint32_t most)
{
    char where[64];
    (void)snprintf(where, sizeof where, "%s", transports[which]);
    char *at = strstr(where, "%d");
    if (at != NULL) {
        (void)snprintf(at, 16, "%d", (int)getpid());
    }
    open_server(where, most);
}

/// Each is looked at alone, and whose message is without end is cut off.
START_TEST(only_the_offender_is_cut_off)
{
    open_transport(_i, 10);
    const int good = greet();
    const int bad = greet();
    while (open_count() != 2) {
        work();
    }
    (void)send_parts(bad, (size_t)200 << 20);
    while (open_count() != 1) {
        work();
    }
    ck_assert_uint_eq(cut_count(), 1);
    say(good, "\0\1x", 3); // a whole message
    for (int i = 0; i < 20; i++) {
        work();
    }
    ck_assert_uint_eq(open_count(), 1);
}
END_TEST

START_TEST(together_they_may_hold_so_much)
{
    open_server("tcp://127.0.0.1:*", 10);
    int lines[5];
    for (int i = 0; i < 5; i++) {
        lines[i] = greet();
        (void)send_parts(lines[i], (size_t)900 << 10); // less than one may hold
    }
    while (cut_count() < 2) {
        work();
    }
    for (int i = 0; i < 50; i++) {
        work();
    }
    ck_assert_uint_eq(cut_count(), 2); // three hold less than ALL
    for (int i = 0; i < 5; i++) {
        (void)close(lines[i]);
    }
}
END_TEST

START_TEST(whole_messages_are_nobodys_fault)
{
    static char message[9 + (200 << 10)] = {2, 0, 0, 0, 0, 0, 3, 0x20, 0};
    open_server("tcp://127.0.0.1:*", 10);
    const int line = greet();
    for (size_t sent = 0; sent < 50u * sizeof message;) {
        const ssize_t count =
            send(line, message + sent % sizeof message, sizeof message - sent % sizeof message,
                 MSG_NOSIGNAL | MSG_DONTWAIT);
        sent += count > 0 ? (size_t)count : 0u;
        work();
    }
    ck_assert_uint_eq(cut_count(), 0);
    ck_assert_uint_eq(open_count(), 1);
}
END_TEST

int main(void)
{
    const TTest *const both[] = {only_the_offender_is_cut_off};
    const TTest *const tests[] = {
        they_are_counted_as_they_come_and_go,
        newcomers_are_refused_when_there_are_enough,
        together_they_may_hold_so_much,
        whole_messages_are_nobodys_fault,
    };
    const int failed = rp_suite_run("guard: tcp and local", both, 1, 2, tear_down);
    return rp_suite_run("guard", tests, sizeof tests / sizeof tests[0], 1, tear_down) + failed;
}
