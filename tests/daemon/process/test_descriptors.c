/// What the system says of sockets, and of what is none.
#include "daemon/process/descriptors.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/suite.h"

static int client;
static int server;
static char endpoint[64]; ///< of the server's end

static void connect_both(void)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof name;
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&name, size), 0);
    ck_assert_int_eq(listen(listener, 1), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&name, &size), 0);
    (void)snprintf(endpoint, sizeof endpoint, "tcp://127.0.0.1:%u", ntohs(name.sin_port));
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

START_TEST(a_listener_is_where_connections_are_accepted)
{
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    connect_both();
    ck_assert_int_eq(bind(listener, &(struct sockaddr){.sa_family = AF_UNIX}, sizeof(sa_family_t)),
                     0);
    ck_assert(!rp_descriptor_listens(listener));
    ck_assert_int_eq(listen(listener, 1), 0);
    ck_assert(rp_descriptor_listens(listener));
    ck_assert(!rp_descriptor_listens(server));
    ck_assert(!rp_descriptor_listens(open("/", O_RDONLY)));
}
END_TEST

START_TEST(a_connection_is_left_when_its_other_end_is_closed)
{
    int pair[2];
    connect_both();
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    const int ours[] = {server, pair[0]};
    const int theirs[] = {client, pair[1]};
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(write(theirs[i], "x", 1), 1);
        ck_assert(!rp_descriptor_is_left(ours[i]));
        (void)close(theirs[i]);
        struct pollfd spoken = {.fd = ours[i], .events = POLLRDHUP};
        ck_assert_int_eq(poll(&spoken, 1, -1), 1); // over tcp it takes a moment
        ck_assert(rp_descriptor_is_left(ours[i]));
    }
}
END_TEST

START_TEST(the_other_end_has_an_address)
{
    struct sockaddr_in name;
    socklen_t size = sizeof name;
    char wanted[64];
    char address[64];
    int pair[2];
    connect_both();
    ck_assert_int_eq(getsockname(client, (struct sockaddr *)&name, &size), 0);
    (void)snprintf(wanted, sizeof wanted, "127.0.0.1:%u", ntohs(name.sin_port));
    rp_descriptor_peer(server, address, sizeof address);
    ck_assert_str_eq(address, wanted);
    rp_descriptor_peer(server, address, 6);
    ck_assert_str_eq(address, "127.0");
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    (void)snprintf(wanted, sizeof wanted, "pid %d", (int)getpid());
    rp_descriptor_peer(pair[0], address, sizeof address);
    ck_assert_str_eq(address, wanted);
    rp_descriptor_peer(open("/", O_RDONLY), address, sizeof address);
    ck_assert_str_eq(address, "");
}
END_TEST

START_TEST(a_connection_is_to_an_endpoint_of_ours)
{
    connect_both();
    ck_assert(rp_descriptor_is_to(server, endpoint));
    ck_assert(!rp_descriptor_is_to(server, "tcp://127.0.0.1:1"));
    ck_assert(!rp_descriptor_is_to(server, "ipc:///tmp/a"));
    ck_assert(!rp_descriptor_is_to(client, endpoint));
    ck_assert(!rp_descriptor_is_to(open("/", O_RDONLY), endpoint));
}
END_TEST

/// @param name  written to sun_path [size] @return the accepting end of a connection
static int accept_local(const char *name, size_t size)
{
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    memcpy(local.sun_path, name, size);
    const socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size);
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&local, length), 0);
    ck_assert_int_eq(listen(listener, 1), 0);
    ck_assert_int_eq(connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&local, length),
                     0);
    return accept(listener, NULL, NULL);
}

START_TEST(a_local_connection_is_to_the_path_that_was_bound)
{
    char path[64];
    char abstract[64];
    (void)snprintf(path, sizeof path, "ipc:///tmp/test_descriptors.%d", (int)getpid());
    (void)snprintf(abstract, sizeof abstract, "ipc://@test_descriptors.%d", (int)getpid());
    const int named = accept_local(path + 6, strlen(path + 6) + 1u);
    (void)unlink(path + 6);
    ck_assert(rp_descriptor_is_to(named, path));
    ck_assert(!rp_descriptor_is_to(named, "ipc:///tmp/test_descriptors"));
    ck_assert(!rp_descriptor_is_to(named, abstract));
    ck_assert(!rp_descriptor_is_to(named, "tcp://127.0.0.1:1"));
    abstract[6] = '\0';
    const int nameless = accept_local(abstract + 6, 1u + strlen(abstract + 7));
    abstract[6] = '@';
    ck_assert(rp_descriptor_is_to(nameless, abstract));
    ck_assert(!rp_descriptor_is_to(nameless, path));
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

int main(void)
{
    const TTest *const tests[] = {
        a_cookie_is_a_sockets_own,
        a_listener_is_where_connections_are_accepted,
        a_connection_is_left_when_its_other_end_is_closed,
        the_other_end_has_an_address,
        a_connection_is_to_an_endpoint_of_ours,
        a_local_connection_is_to_the_path_that_was_bound,
        a_peer_that_sends_on_hears_of_the_end,
    };
    return rp_suite_run("descriptors", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
