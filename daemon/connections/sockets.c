/// Options, and one bind().
#include "daemon/connections/sockets.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <zmq.h>

#include "daemon/connections/ingress.h"
#include "msgs/limits.h"

/// How many messages may wait for one peer; a casual subscriber loses the rest sooner.
#define CONTROL_QUEUE 512
#define PATHS_QUEUE   256

/// How many messages of one peer may wait until they are read. Beyond it ZeroMQ reads no more from
/// that peer's connection alone; a request waits there then, and a publisher drops. ZeroMQ counts
/// messages where we care for bytes, so these are few: what is short and comes faster than it can
/// be handled stays below 64 times RP_STAGED_FROM_BYTES, and what is long is taken out at once.
#define REQUESTS_QUEUE  RP_LIMIT_WINDOW
#define PUBLISHED_QUEUE 256

/// What subscribers ask for goes into ZeroMQ's tree before it is told to us, as fast as they can
/// send it. So little of it comes at a time: what is on its way when one of them is cut off is
/// some hundred topics.
#define SUBSCRIPTIONS_QUEUE 2
#define SUBSCRIPTIONS_BYTES 4096

/// Who does not greet is gone after the first; who greeted is asked for a sign of life each
/// HEARTBEAT_MS, and is gone when none comes for HEARTBEAT_WAIT_MS. It is told to take us for gone
/// after HEARTBEAT_LIFE_MS of silence.
#define GREETING_MS       10000
#define HEARTBEAT_MS      10000
#define HEARTBEAT_WAIT_MS 20000
#define HEARTBEAT_LIFE_MS 60000

/// Connections that wait to be let in (accept_gate.h). Beyond them the system lets no one connect.
#define BACKLOG 1024

/// How long unsent messages may hold up the end.
#define LINGER_MS 100

static void set_int(void *socket, int option, int value)
{
    (void)zmq_setsockopt(socket, option, &value, sizeof value);
}

static void expect_signs_of_life(void *socket)
{
    set_int(socket, ZMQ_HANDSHAKE_IVL, GREETING_MS);
    set_int(socket, ZMQ_HEARTBEAT_IVL, HEARTBEAT_MS);
    set_int(socket, ZMQ_HEARTBEAT_TIMEOUT, HEARTBEAT_WAIT_MS);
    set_int(socket, ZMQ_HEARTBEAT_TTL, HEARTBEAT_LIFE_MS);
}

static void limit_subscribers(void *socket)
{
    set_int(socket, ZMQ_XPUB_VERBOSER, 1); // each is told, so that each is counted
    set_int(socket, ZMQ_RCVHWM, SUBSCRIPTIONS_QUEUE);
    set_int(socket, ZMQ_RCVBUF, SUBSCRIPTIONS_BYTES);
}

#define ADDRESS_BYTES 48u

static void name_monitor(char *address, const char *name)
{
    (void)snprintf(address, ADDRESS_BYTES, "inproc://monitor/%.16s", name);
}

void *rp_socket_bind(void *context, int type, const char *name, const char *endpoint,
                     rp_ipc_claim_t *claim, char *error, size_t size)
{
    char address[ADDRESS_BYTES];
    char reason[160];
    if (!rp_ipc_claim(endpoint, claim, reason, sizeof reason)) {
        (void)snprintf(error, size, "cannot bind \"%s\": %s", endpoint, reason);
        return NULL;
    }
    void *socket = rp_ingress_open() ? zmq_socket(context, type) : NULL;
    if (socket == NULL) {
        (void)snprintf(error, size, "no socket: %s", zmq_strerror(errno));
        return NULL;
    }
    const int64_t message_max = type == ZMQ_XPUB ? RP_LIMIT_TOPIC + 8 : RP_LIMIT_MESSAGE_BYTES;
    (void)zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &message_max, sizeof message_max);
    set_int(socket, ZMQ_LINGER, LINGER_MS);
    set_int(socket, ZMQ_BACKLOG, BACKLOG);
    set_int(socket, ZMQ_RCVHWM, type == ZMQ_ROUTER ? REQUESTS_QUEUE : PUBLISHED_QUEUE);
    set_int(socket, ZMQ_SNDHWM, type == ZMQ_XPUB ? PATHS_QUEUE : CONTROL_QUEUE);
    if (type == ZMQ_ROUTER) {
        set_int(socket, ZMQ_ROUTER_MANDATORY, 1);
        set_int(socket, ZMQ_ROUTER_HANDOVER, 1); // a client that reconnects is itself again
    }
    if (type == ZMQ_XPUB) {
        limit_subscribers(socket);
    }
    expect_signs_of_life(socket);
    name_monitor(address, name);
    if (zmq_socket_monitor(socket, address, ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED) != 0) {
        (void)snprintf(error, size, "%s: its connections cannot be watched: %s", name,
                       zmq_strerror(errno));
        (void)zmq_close(socket);
        return NULL;
    }
    if (zmq_bind(socket, endpoint) != 0) {
        (void)snprintf(error, size, "cannot bind \"%s\": %s", endpoint, zmq_strerror(errno));
        (void)zmq_close(socket);
        return NULL;
    }
    return socket;
}

void *rp_socket_monitor(void *context, const char *name)
{
    char address[ADDRESS_BYTES];
    void *monitor = zmq_socket(context, ZMQ_PAIR);
    if (monitor == NULL) {
        return NULL;
    }
    name_monitor(address, name);
    set_int(monitor, ZMQ_RCVHWM, 0); // nothing of it may be lost, however much it is
    set_int(monitor, ZMQ_LINGER, 0);
    if (zmq_connect(monitor, address) != 0) {
        (void)zmq_close(monitor);
        return NULL;
    }
    return monitor;
}

bool rp_socket_listen_to(void *socket, const char *endpoint, char *error, size_t size)
{
    if (endpoint[0] == '\0' || zmq_connect(socket, endpoint) == 0) {
        return true;
    }
    (void)snprintf(error, size, "cannot connect to \"%s\": %s", endpoint, zmq_strerror(errno));
    return false;
}
