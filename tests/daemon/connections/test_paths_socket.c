/// What is published reaches those who asked for it, whatever subscribers do meanwhile.
#include "daemon/connections/paths_socket.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <zmq.h>

#include "daemon/process/log.h"
#include "msgs/limits.h"
#include "tests/support/suite.h"

#define PATIENT_MS 120000

static void *context;
static void *subscriber;
static rp_paths_socket_t *paths;
static rp_ipc_claim_t claim = RP_NO_IPC_CLAIM;
static char error[256];

static void tear_down(void)
{
    if (subscriber != NULL) {
        (void)zmq_close(subscriber);
    }
    rp_paths_socket_close(&paths);
    (void)zmq_ctx_term(context);
}

static void open_paths(uint32_t most)
{
    rp_log_set_level(RP_LOG_ERROR);
    context = zmq_ctx_new();
    paths = rp_paths_socket_open(context, "tcp://127.0.0.1:*", &claim, most, error, sizeof error);
    ck_assert_msg(paths != NULL, "%s", error);
}

static void *subscribe(const char *topic)
{
    const int patience = PATIENT_MS;
    const int linger = 0;
    void *socket = zmq_socket(context, ZMQ_SUB);
    (void)zmq_setsockopt(socket, ZMQ_RCVTIMEO, &patience, sizeof patience);
    (void)zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    (void)zmq_setsockopt(socket, ZMQ_SNDHWM, &linger, sizeof linger); // all topics are asked for
    (void)zmq_setsockopt(socket, ZMQ_SUBSCRIBE, topic, strlen(topic));
    ck_assert_int_eq(zmq_connect(socket, rp_paths_socket_endpoint(paths)), 0);
    return socket;
}

static void wait_for_subscriptions(uint64_t count)
{
    while (rp_paths_socket_counts(paths).subscriptions != count) {
        (void)poll(NULL, 0, 1);
    }
}

START_TEST(what_is_published_comes_whole_and_in_order)
{
    char topic[32];
    char body[16];
    unsigned last = 0;
    open_paths(10);
    subscriber = subscribe("path/");
    wait_for_subscriptions(1);
    for (unsigned i = 1; i <= 200; i++) {
        (void)snprintf(topic, sizeof topic, i % 2u == 0 ? "path/fen/" : "head/fen/");
        rp_paths_socket_publish(paths, topic, &i, sizeof i);
    }
    for (unsigned i = 2; i <= 200; i += 2) {
        ck_assert_int_eq(zmq_recv(subscriber, topic, sizeof topic, 0), 9);
        ck_assert_mem_eq(topic, "path/fen/", 9);
        ck_assert_int_eq(zmq_recv(subscriber, body, sizeof body, 0), sizeof last);
        memcpy(&last, body, sizeof last);
        ck_assert_uint_eq(last, i);
    }
}
END_TEST

START_TEST(topics_are_counted_until_they_are_given_back)
{
    open_paths(10);
    subscriber = subscribe("path/");
    void *other = subscribe("path/");
    wait_for_subscriptions(2);
    (void)zmq_setsockopt(other, ZMQ_SUBSCRIBE, "head/", 5);
    wait_for_subscriptions(3);
    (void)zmq_setsockopt(other, ZMQ_UNSUBSCRIBE, "head/", 5);
    wait_for_subscriptions(2);
    (void)zmq_close(other);
    wait_for_subscriptions(1);
}
END_TEST

/// ZeroMQ's own connects again, and asks for all of them again: it is cut off again.
START_TEST(a_subscriber_with_too_many_topics_goes)
{
    char topic[32];
    open_paths(10);
    subscriber = subscribe("path/");
    wait_for_subscriptions(1);
    void *greedy = subscribe("path/");
    for (unsigned i = 0; i <= RP_LIMIT_SUBSCRIPTIONS_PEER; i++) {
        const int length = snprintf(topic, sizeof topic, "head/%u/", i);
        (void)zmq_setsockopt(greedy, ZMQ_SUBSCRIBE, topic, (size_t)length);
    }
    while (rp_paths_socket_counts(paths).cut == 0) {
        (void)poll(NULL, 0, 1);
    }
    (void)zmq_close(greedy);
    wait_for_subscriptions(1);
    rp_paths_socket_publish(paths, "path/fen/", "x", 1);
    ck_assert_int_eq(zmq_recv(subscriber, topic, sizeof topic, 0), 9);
}
END_TEST

START_TEST(newcomers_beyond_are_refused)
{
    open_paths(1);
    subscriber = subscribe("path/");
    wait_for_subscriptions(1);
    void *other = subscribe("path/");
    while (rp_paths_socket_counts(paths).refused == 0) {
        (void)poll(NULL, 0, 1);
    }
    ck_assert_uint_eq(rp_paths_socket_counts(paths).connections, 1);
    (void)zmq_close(other);
}
END_TEST

START_TEST(an_endpoint_that_cannot_be_is_named)
{
    context = zmq_ctx_new();
    paths = rp_paths_socket_open(context, "tcp://nowhere:at:all", &claim, 1, error, sizeof error);
    ck_assert_ptr_null(paths);
    ck_assert_ptr_nonnull(strstr(error, "nowhere"));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_published_comes_whole_and_in_order, topics_are_counted_until_they_are_given_back,
        a_subscriber_with_too_many_topics_goes,     newcomers_beyond_are_refused,
        an_endpoint_that_cannot_be_is_named,
    };
    return rp_suite_run("paths_socket", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
