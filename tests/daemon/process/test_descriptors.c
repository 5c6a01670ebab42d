/// What the system says of sockets, and of what is none.
#include "daemon/process/descriptors.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/suite.h"

static int client;
static int server;
static uint16_t port; ///< of the server's end

static void connect_both(void)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof name;
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&name, size), 0);
    ck_assert_int_eq(listen(listener, 1), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&name, &size), 0);
    port = ntohs(name.sin_port);
    client = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(connect(client, (struct sockaddr *)&name, size), 0);
    server = accept(listener, NULL, NULL);
    ck_assert_int_ge(server, 0);
    (void)close(listener);
}

START_TEST(a_cookie_is_a_sockets_own)
{
    connect_both();
    const uint64_t cookie = rp_descriptor_cookie(server);
    ck_assert_uint_ne(cookie, 0);
    ck_assert_uint_ne(cookie, rp_descriptor_cookie(client));
    ck_assert_uint_eq(cookie, rp_descriptor_cookie(dup(server)));
    (void)close(server);
    ck_assert_uint_eq(rp_descriptor_cookie(server), 0);
    ck_assert_uint_eq(rp_descriptor_cookie(open("/", O_RDONLY)), 0);
}
END_TEST

START_TEST(a_connection_is_to_a_port_of_ours)
{
    int pair[2];
    connect_both();
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    ck_assert(rp_descriptor_is_to(server, port));
    ck_assert(!rp_descriptor_is_to(server, 0));
    ck_assert(!rp_descriptor_is_to(client, port));
    ck_assert(rp_descriptor_is_to(pair[0], 0));
    ck_assert(!rp_descriptor_is_to(pair[0], port));
    ck_assert(!rp_descriptor_is_to(open("/", O_RDONLY), 0));
}
END_TEST

START_TEST(what_came_and_what_waits_are_told_apart)
{
    char bytes[300] = {0};
    connect_both();
    ck_assert_int_eq(write(client, bytes, sizeof bytes), (int)sizeof bytes);
    struct pollfd spoken = {.fd = server, .events = POLLIN};
    ck_assert_int_eq(poll(&spoken, 1, -1), 1);
    ck_assert_int_eq(read(server, bytes, 100), 100);
    ck_assert_uint_eq(rp_descriptor_received(server), 300);
    ck_assert_uint_eq(rp_descriptor_waiting(server), 200);
    ck_assert_uint_eq(rp_descriptor_received(open("/", O_RDONLY)), 0);
}
END_TEST

START_TEST(a_peer_that_sends_on_hears_of_the_end)
{
    char byte = 0;
    connect_both();
    rp_descriptor_end(server);
    ck_assert_int_eq(read(server, &byte, 1), 0);
    (void)close(server);
    struct pollfd spoken = {.fd = client, .events = 0};
    ck_assert_int_eq(poll(&spoken, 1, -1), 1); // reset
    ck_assert_int_lt(send(client, &byte, 1, MSG_NOSIGNAL), 0);
}
END_TEST

START_TEST(a_port_is_read_from_an_endpoint)
{
    ck_assert_uint_eq(rp_descriptor_port("tcp://127.0.0.1:7403"), 7403);
    ck_assert_uint_eq(rp_descriptor_port("tcp://[::1]:80"), 80);
    ck_assert_uint_eq(rp_descriptor_port("ipc:///tmp/a:7"), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_cookie_is_a_sockets_own,
        a_connection_is_to_a_port_of_ours,
        what_came_and_what_waits_are_told_apart,
        a_peer_that_sends_on_hears_of_the_end,
        a_port_is_read_from_an_endpoint,
    };
    return rp_suite_run("descriptors", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
