/// accept4() as libzmq is to see it: where no descriptor is left the connection was given up.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

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

int main(void)
{
    const TTest *const tests[] = {
        a_connection_is_accepted_with_its_flags,
        without_a_descriptor_the_connection_was_given_up_and_waits,
        whatever_else_fails_is_told_as_it_is,
    };
    return rp_suite_run("accept", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
