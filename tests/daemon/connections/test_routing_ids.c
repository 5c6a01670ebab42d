/// Connections behind routing ids, told by what their messages share.
#include "daemon/connections/routing_ids.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"

static void *context;
static void *router;
static char endpoint[128];
static rp_routing_ids_t ids;
static rp_peer_quota_t needed;

static void tear_down(void)
{
    rp_routing_ids_fini(&ids);
    rp_peer_quota_fini(&needed);
    if (context != NULL) {
        (void)zmq_close(router);
        (void)zmq_ctx_term(context);
        context = NULL;
    }
}

static void begin(void)
{
    const int on = 1;
    size_t room = sizeof endpoint;
    context = zmq_ctx_new();
    router = zmq_socket(context, ZMQ_ROUTER);
    ck_assert_int_eq(zmq_setsockopt(router, ZMQ_ROUTER_HANDOVER, &on, sizeof on), 0);
    ck_assert_int_eq(zmq_bind(router, "tcp://127.0.0.1:*"), 0);
    ck_assert_int_eq(zmq_getsockopt(router, ZMQ_LAST_ENDPOINT, endpoint, &room), 0);
}

/// A client of this routing id.
static void *client_of(const char *name)
{
    const int none = 0;
    void *client = zmq_socket(context, ZMQ_DEALER);
    ck_assert_int_eq(zmq_setsockopt(client, ZMQ_ROUTING_ID, name, strlen(name)), 0);
    ck_assert_int_eq(zmq_setsockopt(client, ZMQ_LINGER, &none, sizeof none), 0);
    ck_assert_int_eq(zmq_connect(client, endpoint), 0);
    return client;
}

/// Send a body, and receive it. @param body  written, to be closed
/// @return the number of its connection by its routing id
static uint64_t say(void *client, const char *text, zmq_msg_t *body)
{
    zmq_msg_t id;
    ck_assert_int_ge(zmq_send(client, text, strlen(text), 0), 0);
    (void)zmq_msg_init(&id);
    (void)zmq_msg_init(body);
    ck_assert_int_ge(zmq_msg_recv(&id, router, 0), 0);
    ck_assert_int_ge(zmq_msg_recv(body, router, 0), 0);
    const uint64_t number = rp_routing_ids_connection(&ids, &id, &needed);
    (void)zmq_msg_close(&id);
    return number;
}

static uint64_t number_of(void *client)
{
    zmq_msg_t body;
    const uint64_t number = say(client, "hello", &body);
    (void)zmq_msg_close(&body);
    return number;
}

START_TEST(a_connection_keeps_its_number_and_another_one_gets_another)
{
    begin();
    void *first = client_of("robot");
    void *other = client_of("crane");
    const uint64_t number = number_of(first);
    ck_assert_uint_ne(number, 0);
    ck_assert_uint_eq(number_of(first), number);
    ck_assert_uint_gt(number_of(other), number);
    ck_assert_uint_eq(number_of(first), number);
    void *second = client_of("robot"); // it takes the id over
    const uint64_t later = number_of(second);
    ck_assert_uint_gt(later, number);
    ck_assert_uint_eq(number_of(second), later);
    (void)zmq_close(first);
    (void)zmq_close(second);
    (void)zmq_close(other);
}
END_TEST

/// Descriptors and memory of those that went are used again.
START_TEST(each_of_many_that_come_and_go_has_a_number_of_its_own)
{
    uint64_t last = 0;
    begin();
    for (unsigned i = 0; i < 200; i++) {
        void *client = client_of("robot");
        const uint64_t number = number_of(client);
        ck_assert_uint_gt(number, last);
        last = number;
        (void)zmq_close(client);
    }
}
END_TEST

/// The connection is that of the body, which stands for a routing id here.
static uint64_t number_as(void *client, unsigned name)
{
    char text[32];
    zmq_msg_t body;
    (void)snprintf(text, sizeof text, "name %u", name);
    (void)say(client, text, &body);
    const uint64_t number = rp_routing_ids_connection(&ids, &body, &needed);
    (void)zmq_msg_close(&body);
    return number;
}

START_TEST(those_that_are_needed_are_not_forgotten)
{
    rp_peer_t peer = {0};
    begin();
    void *client = client_of("robot");
    const uint64_t first = number_as(client, 0);
    const uint64_t second = number_as(client, 1);
    ck_assert(rp_peer_add(&peer, "name 1", 6));
    ck_assert_ptr_nonnull(rp_peer_quota_take(&needed, &peer, 1));
    for (unsigned name = 2; name < RP_ROUTING_IDS_KNOWN + 10u; name++) {
        (void)number_as(client, name);
        ck_assert_uint_le(HASH_COUNT(ids.by_name), RP_ROUTING_IDS_KNOWN);
    }
    ck_assert_uint_eq(number_as(client, 1), second);
    ck_assert_uint_ne(number_as(client, 0), first);
    (void)zmq_close(client);
}
END_TEST

START_TEST(a_message_without_properties_has_no_number)
{
    zmq_msg_t message;
    ck_assert_int_eq(zmq_msg_init_size(&message, 3), 0);
    memcpy(zmq_msg_data(&message), "orc", 3);
    ck_assert_uint_eq(rp_routing_ids_connection(&ids, &message, &needed), 0);
    (void)zmq_msg_close(&message);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_connection_keeps_its_number_and_another_one_gets_another,
        each_of_many_that_come_and_go_has_a_number_of_its_own,
        those_that_are_needed_are_not_forgotten,
        a_message_without_properties_has_no_number,
    };
    return rp_suite_run("routing_ids", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
