/// Sockets with their limits; why one cannot be had; who comes and goes.
#include "daemon/connections/sockets.h"

#include <stdint.h>
#include <string.h>
#include <zmq.h>

#include "msgs/limits.h"
#include "tests/support/suite.h"

#define PATIENCE_MS 120000

static void *context;
static void *opened; ///< the socket of a test; NULL: none
static rp_ipc_claim_t claim = RP_NO_IPC_CLAIM;
static char error[256];

static void tear_down(void)
{
    if (opened != NULL) {
        (void)zmq_close(opened);
    }
    opened = NULL;
    (void)zmq_ctx_term(context);
    rp_ipc_claim_release(&claim);
}

static void open_socket(int type, const char *endpoint)
{
    context = zmq_ctx_new();
    opened = rp_socket_bind(context, type, "control", endpoint, &claim, error, sizeof error);
    ck_assert_msg(opened != NULL, "%s", error);
}

static int option(int which)
{
    int value = 0;
    size_t size = sizeof value;
    ck_assert_int_eq(zmq_getsockopt(opened, which, &value, &size), 0);
    return value;
}

static int64_t message_most(void)
{
    int64_t value = 0;
    size_t size = sizeof value;
    ck_assert_int_eq(zmq_getsockopt(opened, ZMQ_MAXMSGSIZE, &value, &size), 0);
    return value;
}

static void expect_signs_of_life(void)
{
    ck_assert_int_eq(option(ZMQ_HANDSHAKE_IVL), 10000);
    ck_assert_int_eq(option(ZMQ_HEARTBEAT_IVL), 10000);
    ck_assert_int_eq(option(ZMQ_HEARTBEAT_TIMEOUT), 20000);
    ck_assert_int_eq(option(ZMQ_HEARTBEAT_TTL), 60000);
}

START_TEST(requests_wait_by_the_window_of_a_peer_and_are_as_long_as_may_be)
{
    open_socket(ZMQ_ROUTER, "tcp://127.0.0.1:*");
    ck_assert_int_eq(option(ZMQ_RCVHWM), RP_LIMIT_WINDOW);
    ck_assert_int_eq(option(ZMQ_SNDHWM), 512);
    ck_assert_int_eq(message_most(), RP_LIMIT_MESSAGE_BYTES);
    expect_signs_of_life();
}
END_TEST

START_TEST(of_what_is_published_256_messages_wait)
{
    open_socket(ZMQ_SUB, "tcp://127.0.0.1:*");
    ck_assert_int_eq(option(ZMQ_RCVHWM), 256);
    ck_assert_int_eq(message_most(), RP_LIMIT_MESSAGE_BYTES);
    expect_signs_of_life();
}
END_TEST

START_TEST(a_subscriber_says_topics_and_a_few_at_a_time)
{
    open_socket(ZMQ_XPUB, "tcp://127.0.0.1:*");
    ck_assert_int_eq(message_most(), RP_LIMIT_TOPIC + 8);
    ck_assert_int_eq(option(ZMQ_RCVHWM), 2);
    ck_assert_int_eq(option(ZMQ_RCVBUF), 4096);
    ck_assert_int_eq(option(ZMQ_SNDHWM), 256);
    expect_signs_of_life();
}
END_TEST

/// The number of the next event of a monitor. @return 0 when none comes
static int next_event(void *monitor)
{
    uint16_t event = 0;
    zmq_pollitem_t item = {.socket = monitor, .events = ZMQ_POLLIN};
    zmq_msg_t part;
    ck_assert_int_eq(zmq_msg_init(&part), 0);
    if (zmq_poll(&item, 1, PATIENCE_MS) == 1 && zmq_msg_recv(&part, monitor, 0) >= 2) {
        memcpy(&event, zmq_msg_data(&part), sizeof event);
        ck_assert_int_ge(zmq_msg_recv(&part, monitor, 0), 0); // the endpoint
    }
    (void)zmq_msg_close(&part);
    return event;
}

START_TEST(its_monitor_tells_who_comes_and_goes)
{
    char endpoint[64];
    size_t size = sizeof endpoint;
    open_socket(ZMQ_ROUTER, "tcp://127.0.0.1:*");
    void *monitor = rp_socket_monitor(context, "control");
    ck_assert_ptr_nonnull(monitor);
    ck_assert_int_eq(zmq_getsockopt(opened, ZMQ_LAST_ENDPOINT, endpoint, &size), 0);
    void *client = zmq_socket(context, ZMQ_DEALER);
    ck_assert_int_eq(zmq_connect(client, endpoint), 0);
    ck_assert_int_eq(next_event(monitor), ZMQ_EVENT_ACCEPTED);
    (void)zmq_close(client);
    ck_assert_int_eq(next_event(monitor), ZMQ_EVENT_DISCONNECTED);
    (void)zmq_close(monitor);
}
END_TEST

START_TEST(a_port_that_is_taken_is_told_by_its_endpoint)
{
    char endpoint[64];
    size_t size = sizeof endpoint;
    rp_ipc_claim_t other = RP_NO_IPC_CLAIM;
    open_socket(ZMQ_ROUTER, "tcp://127.0.0.1:*");
    ck_assert_int_eq(zmq_getsockopt(opened, ZMQ_LAST_ENDPOINT, endpoint, &size), 0);
    ck_assert_ptr_null(
        rp_socket_bind(context, ZMQ_SUB, "changes", endpoint, &other, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "cannot bind \"tcp://127.0.0.1:"));
    ck_assert_ptr_nonnull(strstr(error, "in use"));
    rp_ipc_claim_release(&other);
}
END_TEST

START_TEST(what_cannot_be_listened_to_is_told_by_its_endpoint)
{
    open_socket(ZMQ_SUB, "tcp://127.0.0.1:*");
    ck_assert(rp_socket_listen_to(opened, "", error, sizeof error));
    ck_assert(rp_socket_listen_to(opened, "tcp://127.0.0.1:9", error, sizeof error));
    ck_assert(!rp_socket_listen_to(opened, "nonsense", error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "cannot connect to \"nonsense\": "));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        requests_wait_by_the_window_of_a_peer_and_are_as_long_as_may_be,
        of_what_is_published_256_messages_wait,
        a_subscriber_says_topics_and_a_few_at_a_time,
        its_monitor_tells_who_comes_and_goes,
        a_port_that_is_taken_is_told_by_its_endpoint,
        what_cannot_be_listened_to_is_told_by_its_endpoint,
    };
    return rp_suite_run("sockets", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
