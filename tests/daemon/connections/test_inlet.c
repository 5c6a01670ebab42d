/// A ROUTER that messages come in by: what is known of whoever sent them, and when there are none.
#include "daemon/connections/inlet.h"

#include <poll.h>
#include <string.h>

#include "daemon/connections/sockets.h"
#include "tests/support/suite.h"

static void *context;
static void *client;
static void *monitor; ///< without one ZeroMQ waits for somebody who hears of connections
static rp_inlet_t inlet;
static rp_ipc_claim_t claim = RP_NO_IPC_CLAIM;

static void tear_down(void)
{
    const int at_once = 0;
    (void)zmq_setsockopt(client, ZMQ_LINGER, &at_once, sizeof at_once);
    (void)zmq_close(client);
    (void)zmq_close(monitor);
    rp_inlet_close(&inlet);
    (void)zmq_ctx_term(context);
    rp_ipc_claim_release(&claim);
}

static void open_both(void)
{
    char error[256];
    context = zmq_ctx_new();
    ck_assert_msg(rp_inlet_open(&inlet, context, ZMQ_ROUTER, "control", "tcp://127.0.0.1:*", &claim,
                                error, sizeof error),
                  "%s", error);
    monitor = rp_socket_monitor(context, "control");
    ck_assert_ptr_nonnull(monitor);
    client = zmq_socket(context, ZMQ_DEALER);
    ck_assert_int_eq(zmq_connect(client, inlet.endpoint), 0);
}

static void ask(const char *text)
{
    ck_assert_int_eq(zmq_send(client, text, strlen(text), 0), (int)strlen(text));
}

/// Whether something waits is asked as after a send, until something does.
static void settle(void)
{
    while (!rp_inlet_settle(&inlet)) {
        struct pollfd spoken = {.fd = inlet.descriptor, .events = POLLIN};
        (void)poll(&spoken, 1, 10);
        inlet.is_doubtful = true;
    }
}

static void expect(const char *text)
{
    rp_frames_t message;
    ck_assert(rp_inlet_receive(&inlet, &message));
    ck_assert_uint_eq(message.count, 2);
    ck_assert_uint_eq(zmq_msg_size(&message.frames[1]), strlen(text));
    ck_assert_mem_eq(zmq_msg_data(&message.frames[1]), text, strlen(text));
    ck_assert_str_eq(zmq_msg_gets(&message.frames[0], "Socket-Type"), "DEALER");
    ck_assert_int_gt(zmq_msg_get(&message.frames[0], ZMQ_SRCFD), 0);
    rp_frames_close(&message);
}

START_TEST(whoever_asks_is_known_by_its_connection_after_a_doubt_too)
{
    open_both();
    ask("one");
    settle();
    ask("two");
    expect("one");
    inlet.may_hold_input = false;
    inlet.is_doubtful = true;
    settle();
    expect("two");
}
END_TEST

START_TEST(only_a_receive_that_finds_nothing_makes_it_empty)
{
    rp_frames_t message;
    open_both();
    ck_assert(!rp_inlet_is_empty(&inlet));
    ck_assert(!rp_inlet_settle(&inlet));
    ck_assert(rp_inlet_is_empty(&inlet));
    ask("one");
    settle();
    ck_assert(!rp_inlet_is_empty(&inlet));
    expect("one");
    ck_assert(!rp_inlet_is_empty(&inlet));
    ck_assert(!rp_inlet_receive(&inlet, &message));
    ck_assert(rp_inlet_is_empty(&inlet));
}
END_TEST

START_TEST(what_was_received_ahead_goes_with_it)
{
    open_both();
    ask("one");
    settle();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        whoever_asks_is_known_by_its_connection_after_a_doubt_too,
        only_a_receive_that_finds_nothing_makes_it_empty,
        what_was_received_ahead_goes_with_it,
    };
    return rp_suite_run("inlet", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
