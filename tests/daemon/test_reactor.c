/// The loop over real sockets, run in a thread: it answers whether it sleeps or stays awake, sleeps
/// when nothing comes, and ends when told to.
#include "daemon/reactor.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <zmq.h>

#include "msgs/request.h"
#include "tests/daemon/capture.h"
#include "tests/support/suite.h"

#define REQUESTS   50u
#define PATIENT_MS 120000

static rp_reactor_t *reactor;
static pthread_t loop;
static void *context;
static void *line; ///< a DEALER to the reactor's control socket
static char said[2000];
static char error[512];

static void tear_down(void)
{
    if (line != NULL) {
        (void)zmq_close(line);
    }
    if (context != NULL) {
        (void)zmq_ctx_term(context);
    }
    rp_reactor_close(&reactor);
}

static rp_config_t config_of(const char *control, unsigned awake_us)
{
    rp_config_t config = {.planner = "lpa",
                          .log_level = RP_LOG_INFO,
                          .awake_us = awake_us,
                          .memory_bytes = (uint64_t)64 << 20};
    (void)snprintf(config.control, sizeof config.control, "%s", control);
    (void)snprintf(config.changes, sizeof config.changes, "tcp://127.0.0.1:*");
    (void)snprintf(config.paths, sizeof config.paths, "tcp://127.0.0.1:*");
    (void)snprintf(config.poses, sizeof config.poses, "tcp://127.0.0.1:*");
    return config;
}

/// Where it listens for requests, from the line that it logs.
static void open_reactor(unsigned awake_us, char control[256])
{
    const rp_config_t config = config_of("tcp://127.0.0.1:*", awake_us);
    rp_log_set_level(RP_LOG_INFO);
    rp_capture_t capture = rp_capture_begin();
    const bool is_open = rp_reactor_open(&config, &reactor, error, sizeof error);
    if (is_open) {
        rp_reactor_say_ready(reactor);
    }
    rp_capture_end(&capture, said, sizeof said);
    ck_assert_msg(is_open, "%s", error);
    const char *found = strstr(said, "control=");
    ck_assert_ptr_nonnull(found);
    ck_assert_int_eq(sscanf(found, "control=%255s", control), 1);
}

static void *run(void *user)
{
    rp_reactor_run(user);
    return NULL;
}

static void start(unsigned awake_us)
{
    char control[256];
    const int patience = PATIENT_MS;
    const int linger = 0;
    open_reactor(awake_us, control);
    context = zmq_ctx_new();
    line = zmq_socket(context, ZMQ_DEALER);
    ck_assert_ptr_nonnull(line);
    (void)zmq_setsockopt(line, ZMQ_RCVTIMEO, &patience, sizeof patience);
    (void)zmq_setsockopt(line, ZMQ_LINGER, &linger, sizeof linger);
    ck_assert_int_eq(zmq_connect(line, control), 0);
    ck_assert_int_eq(pthread_create(&loop, NULL, run, reactor), 0);
}

static void stop(void)
{
    ck_assert_int_eq(kill(getpid(), SIGTERM), 0);
    ck_assert_int_eq(pthread_join(loop, NULL), 0);
}

static void ask(uint64_t id)
{
    Replan__V1__GetStats get = REPLAN__V1__GET_STATS__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    uint8_t bytes[64];
    uint8_t reply[4096];
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_GET_STATS;
    request.get_stats = &get;
    ck_assert_uint_le(protobuf_c_message_get_packed_size(&request.base), sizeof bytes);
    const size_t size = protobuf_c_message_pack(&request.base, bytes);
    ck_assert_int_eq(zmq_send(line, bytes, size, 0), (int)size);
    const int got = zmq_recv(line, reply, sizeof reply, 0);
    ck_assert_int_gt(got, 0);
    ck_assert_int_le(got, (int)sizeof reply);
    Replan__V1__ToClient *message = replan__v1__to_client__unpack(NULL, (size_t)got, reply);
    ck_assert_ptr_nonnull(message);
    ck_assert_ptr_nonnull(message->reply);
    ck_assert_uint_eq(message->reply->id, id);
    replan__v1__to_client__free_unpacked(message, NULL);
}

static uint64_t cpu_us(void)
{
    clockid_t clock;
    struct timespec used;
    ck_assert_int_eq(pthread_getcpuclockid(loop, &clock), 0);
    ck_assert_int_eq(clock_gettime(clock, &used), 0);
    return (uint64_t)used.tv_sec * 1000000u + (uint64_t)used.tv_nsec / 1000u;
}

START_TEST(requests_are_answered_asleep_and_awake)
{
    static const unsigned awake_us[] = {0, 500, RP_CONFIG_AWAKE};
    start(awake_us[_i]);
    for (uint64_t id = 1; id <= REQUESTS; id++) {
        ask(id);
    }
    stop();
}
END_TEST

/// @return what came, unpacked, to be freed
static Replan__V1__ToClient *hear(void)
{
    zmq_msg_t frame;
    (void)zmq_msg_init(&frame);
    ck_assert_int_ge(zmq_msg_recv(&frame, line, 0), 0);
    Replan__V1__ToClient *message =
        replan__v1__to_client__unpack(NULL, zmq_msg_size(&frame), zmq_msg_data(&frame));
    ck_assert_ptr_nonnull(message);
    (void)zmq_msg_close(&frame);
    return message;
}

static void send_request(Replan__V1__Request *request, uint64_t id)
{
    zmq_msg_t frame;
    request->id = id;
    (void)zmq_msg_init_size(&frame, protobuf_c_message_get_packed_size(&request->base));
    (void)protobuf_c_message_pack(&request->base, zmq_msg_data(&frame));
    ck_assert_int_ge(zmq_msg_send(&frame, line, 0), 0);
}

START_TEST(what_is_long_is_taken_over_from_its_socket)
{
    enum {
        SIDE = 1024,
        COUNT = SIDE * SIDE / 3
    };
    static uint8_t cells_before[SIDE * SIDE];
    static uint8_t values[COUNT];
    static uint32_t cells[COUNT];
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    Replan__V1__GetSnapshot get = REPLAN__V1__GET_SNAPSHOT__INIT;
    static char name[] = "marsh";
    memset(cells_before, 7, sizeof cells_before);
    memset(values, 9, sizeof values);
    for (uint32_t i = 0; i < COUNT; i++) {
        cells[i] = 3u * i;
    }
    start(200);
    geometry.width = geometry.height = SIDE;
    geometry.resolution = 1.0;
    create.world = change.world = get.world = name;
    create.geometry = &geometry;
    create.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    create.data = (ProtobufCBinaryData){sizeof cells_before, cells_before};
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    send_request(&request, 1);
    change.n_cells = COUNT;
    change.cells = cells;
    change.values = (ProtobufCBinaryData){COUNT, values};
    apply.change = &change;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &apply;
    send_request(&request, 2);
    request.body_case = REPLAN__V1__REQUEST__BODY_GET_SNAPSHOT;
    request.get_snapshot = &get;
    send_request(&request, 3);
    for (uint64_t id = 1; id <= 3; id++) {
        Replan__V1__ToClient *message = hear();
        ck_assert_uint_eq(message->reply->id, id);
        ck_assert_msg(message->reply->status == 0, "%s", message->reply->sentence);
        for (size_t i = 0; id == 3 && i < SIDE; i++) {
            ck_assert_int_eq(message->reply->chunk->data.data[i], i % 3u == 0 ? 9 : 7);
        }
        replan__v1__to_client__free_unpacked(message, NULL);
    }
    stop();
}
END_TEST

/// It waits awake once at most; then it sleeps, although the messages before came close together.
START_TEST(it_sleeps_when_messages_stop_coming)
{
    const long quiet_ms = 500;
    start(RP_CONFIG_AWAKE);
    for (uint64_t id = 1; id <= REQUESTS; id++) {
        ask(id);
    }
    const uint64_t before = cpu_us();
    zmq_pollitem_t item = {.socket = line, .events = ZMQ_POLLIN};
    ck_assert_int_eq(zmq_poll(&item, 1, quiet_ms), 0);
    ck_assert_uint_lt(cpu_us() - before, 5u * RP_CONFIG_AWAKE); // awake all the time it is 50
    stop();
}
END_TEST

START_TEST(an_endpoint_that_is_taken_is_named)
{
    char control[256];
    rp_reactor_t *second = NULL;
    open_reactor(0, control);
    const rp_config_t config = config_of(control, 0);
    ck_assert(!rp_reactor_open(&config, &second, error, sizeof error));
    ck_assert_ptr_null(second);
    ck_assert_msg(strstr(error, control) != NULL, "%s", error);
}
END_TEST

START_TEST(an_unknown_planner_is_named)
{
    rp_config_t config = config_of("tcp://127.0.0.1:*", 0);
    (void)snprintf(config.planner, sizeof config.planner, "none-such");
    ck_assert(!rp_reactor_open(&config, &reactor, error, sizeof error));
    ck_assert_ptr_null(reactor);
    ck_assert_msg(strstr(error, "none-such") != NULL, "%s", error);
}
END_TEST

int main(void)
{
    const TTest *const awake[] = {requests_are_answered_asleep_and_awake};
    const TTest *const plain[] = {
        what_is_long_is_taken_over_from_its_socket,
        it_sleeps_when_messages_stop_coming,
        an_endpoint_that_is_taken_is_named,
        an_unknown_planner_is_named,
    };
    const int failed = rp_suite_run("reactor: awake", awake, 1, 3, tear_down);
    return rp_suite_run("reactor", plain, sizeof plain / sizeof plain[0], 1, tear_down) + failed;
}
