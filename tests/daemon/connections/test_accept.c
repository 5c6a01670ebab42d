/// accept4() as libzmq is to see it: where no descriptor is left the connection was given up, those
/// that were given up are dropped, and whoever comes again and again comes by rounds.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/connections/ingress.h"
#include "tests/support/suite.h"

static int listener;
static int client;
static struct rlimit before;

/// Somebody waits to be accepted.
static void set_up(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(listen(listener, 4), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    ck_assert_int_eq(connect(client, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
}

static void tear_down(void)
{
    (void)setrlimit(RLIMIT_NOFILE, &before);
    (void)close(client);
    (void)close(listener);
}

/// From here on no descriptor is to be had.
static void use_up(void)
{
    const int next = dup(listener);
    const struct rlimit none = {(rlim_t)next, before.rlim_max};
    (void)close(next);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
}

START_TEST(a_connection_is_accepted_with_its_flags)
{
    set_up();
    const int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    ck_assert_int_ge(accepted, 0);
    ck_assert_int_ne(fcntl(accepted, F_GETFD) & FD_CLOEXEC, 0);
    (void)close(accepted);
}
END_TEST

START_TEST(without_a_descriptor_the_connection_was_given_up_and_waits)
{
    set_up();
    use_up();
    const int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    const int reason = errno;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    ck_assert_int_lt(accepted, 0);
    ck_assert_int_eq(reason, ECONNABORTED);
    const int later = accept4(listener, NULL, NULL, SOCK_CLOEXEC); // it is still there
    ck_assert_int_ge(later, 0);
    (void)close(later);
}
END_TEST

START_TEST(whatever_else_fails_is_told_as_it_is)
{
    set_up();
    const int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    ck_assert_int_ge(accepted, 0);
    ck_assert_int_lt(accept4(listener, NULL, NULL, SOCK_CLOEXEC), 0); // nobody waits
    ck_assert_int_eq(errno, EAGAIN);
    ck_assert_int_lt(accept4(accepted, NULL, NULL, 0), 0); // nobody can
    ck_assert_int_eq(errno, EINVAL);
    (void)close(accepted);
}
END_TEST

// ---- newcomers to a local listener, which are counted

static struct sockaddr_un local;
static socklen_t local_size;

static void set_up_local(void)
{
    static char owner;
    const rp_ingress_limits_t limits = {.unfinished_one = 4096,
                                        .unfinished_all = 4096,
                                        .unread = 4096,
                                        .long_bytes = 4096,
                                        .byte_weight = 1,
                                        .piece = 4096};
    set_up();
    ck_assert(rp_ingress_open());
    ck_assert_int_ge(rp_ingress_listen(&owner, "accept", "ipc://accept", &limits), 0);
    (void)close(listener);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    local.sun_family = AF_UNIX;
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&local, sizeof(sa_family_t)), 0);
    ck_assert_int_eq(listen(listener, 4), 0);
    local_size = sizeof local;
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&local, &local_size), 0);
}

/// @return the client's end of a connection that nobody has accepted yet
static int come(void)
{
    const int newcomer = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(connect(newcomer, (struct sockaddr *)&local, local_size), 0);
    return newcomer;
}

/// As ZeroMQ puts it into its epoll. @return that
static int hear_of_listener(void)
{
    struct epoll_event event = {.events = 0};
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    ck_assert_int_eq(epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event), 0);
    event = (struct epoll_event){.events = EPOLLIN, .data.fd = listener};
    ck_assert_int_eq(epoll_ctl(epoll, EPOLL_CTL_MOD, listener, &event), 0);
    return epoll;
}

/// A greeting, and a message of no bytes.
static const char said[64 + 2] = "\xff\0\0\0\0\0\0\0\1\x7f\3\1NULL";

/// A client that waits is accepted, says so many bytes, and leaves. @return the next, that came
/// before
static int visit(int newcomer, size_t bytes)
{
    char heard[sizeof said];
    const int next = come();
    const int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    ck_assert_int_ge(accepted, 0);
    ck_assert_int_eq(write(newcomer, said, bytes), (ssize_t)bytes);
    ck_assert_int_eq(recv(accepted, heard, sizeof heard, 0), (ssize_t)bytes);
    (void)close(newcomer);
    (void)close(accepted);
    return next;
}

START_TEST(whoever_has_left_before_it_is_accepted_is_none)
{
    set_up_local();
    const int gone[] = {come(), come()};
    const int stays = come();
    (void)close(gone[0]);
    (void)close(gone[1]);
    const int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    ck_assert_int_ge(accepted, 0);
    ck_assert_int_eq(write(stays, "x", 1), 1);
    ck_assert_int_eq(read(accepted, &(char){0}, 1), 1);
    (void)close(stays);
    (void)close(accepted);
}
END_TEST

/// A call ends, however many of them there are.
START_TEST(of_those_who_have_left_128_are_dropped_at_a_time)
{
    set_up_local();
    ck_assert_int_eq(listen(listener, 512), 0);
    for (unsigned gone = 127; gone <= 128; gone++) {
        for (unsigned i = 0; i < gone; i++) {
            (void)close(come());
        }
        const int stays = come();
        int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (gone == 128) {
            ck_assert_int_eq(accepted, -1);
            ck_assert_int_eq(errno, ECONNABORTED);
            accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        }
        ck_assert_int_ge(accepted, 0);
        ck_assert_int_eq(write(stays, "x", 1), 1);
        ck_assert_int_eq(read(accepted, &(char){0}, 1), 1);
        (void)close(stays);
        (void)close(accepted);
    }
}
END_TEST

/// The first one has left, and had no name.
START_TEST(the_address_of_a_connection_is_whole_whoever_came_before)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct sockaddr_un told;
    socklen_t address_size = sizeof address;
    unsigned told_size = sizeof told;
    set_up_local();
    (void)close(come());
    const int named = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(named, (struct sockaddr *)&address, sizeof(sa_family_t)), 0);
    ck_assert_int_eq(getsockname(named, (struct sockaddr *)&address, &address_size), 0);
    ck_assert_int_eq(connect(named, (struct sockaddr *)&local, local_size), 0);
    memset(&told, 0, sizeof told);
    const int accepted = accept4(listener, (struct sockaddr *)&told, &told_size, SOCK_CLOEXEC);
    ck_assert_int_ge(accepted, 0);
    ck_assert_uint_eq(told_size, address_size);
    ck_assert_mem_eq(&told, &address, address_size);
    (void)close(named);
    (void)close(accepted);
}
END_TEST

START_TEST(whoever_comes_again_and_again_is_let_in_by_rounds)
{
    struct epoll_event event;
    set_up_local();
    const int epoll = hear_of_listener();
    int newcomer = come();
    do {
        newcomer = visit(newcomer, 20);
    } while (epoll_wait(epoll, &event, 1, 0) == 1);
    while (epoll_wait(epoll, &event, 1, -1) == 0) { // until the next round
    }
    ck_assert_int_eq(event.data.fd, listener);
    (void)close(newcomer);
    (void)close(epoll);
}
END_TEST

START_TEST(whoever_brings_messages_is_let_in_at_once)
{
    struct epoll_event event;
    set_up_local();
    const int epoll = hear_of_listener();
    int newcomer = come();
    for (unsigned i = 0; i < 2000; i++) {
        newcomer = visit(newcomer, sizeof said);
        ck_assert_int_eq(epoll_wait(epoll, &event, 1, 0), 1);
    }
    (void)close(newcomer);
    (void)close(epoll);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_connection_is_accepted_with_its_flags,
        without_a_descriptor_the_connection_was_given_up_and_waits,
        whatever_else_fails_is_told_as_it_is,
        whoever_has_left_before_it_is_accepted_is_none,
        of_those_who_have_left_128_are_dropped_at_a_time,
        the_address_of_a_connection_is_whole_whoever_came_before,
        whoever_comes_again_and_again_is_let_in_by_rounds,
        whoever_brings_messages_is_let_in_at_once,
    };
    return rp_suite_run("accept", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
