/// Options, and one bind().
#include "daemon/sockets.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <zmq.h>

#include "msgs/limits.h"

/// How many messages may wait for one peer; a casual subscriber loses the rest sooner.
#define CONTROL_QUEUE 512
#define PATHS_QUEUE   256

/// How many messages of one peer may wait until they are read. Beyond it ZeroMQ reads no more from
/// that peer's connection alone; a request waits there then, and a publisher drops. ZeroMQ counts
/// messages where we care for bytes, so these are few: what is short and comes faster than it can
/// be handled stays below 64 times RP_LONG_BYTES, and what is long is taken out at once.
#define REQUESTS_QUEUE  RP_LIMIT_WINDOW
#define PUBLISHED_QUEUE 256

/// How long unsent messages may hold up the end.
#define LINGER_MS 100

static void set_int(void *socket, int option, int value)
{
    (void)zmq_setsockopt(socket, option, &value, sizeof value);
}

void *rp_socket_bind(void *context, int type, const char *endpoint, char *error, size_t size)
{
    void *socket = zmq_socket(context, type);
    if (socket == NULL) {
        (void)snprintf(error, size, "no socket: %s", zmq_strerror(errno));
        return NULL;
    }
    const int64_t message_max = type == ZMQ_XPUB ? RP_LIMIT_TOPIC + 8 : RP_LIMIT_MESSAGE_BYTES;
    (void)zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &message_max, sizeof message_max);
    set_int(socket, ZMQ_LINGER, LINGER_MS);
    set_int(socket, ZMQ_RCVHWM, type == ZMQ_ROUTER ? REQUESTS_QUEUE : PUBLISHED_QUEUE);
    set_int(socket, ZMQ_SNDHWM, type == ZMQ_XPUB ? PATHS_QUEUE : CONTROL_QUEUE);
    if (type == ZMQ_ROUTER) {
        set_int(socket, ZMQ_ROUTER_MANDATORY, 1);
        set_int(socket, ZMQ_ROUTER_HANDOVER, 1); // a client that reconnects is itself again
    }
    if (type == ZMQ_XPUB) {
        set_int(socket, ZMQ_XPUB_VERBOSER, 0);
    }
    if (zmq_bind(socket, endpoint) != 0) {
        (void)snprintf(error, size, "cannot bind \"%s\": %s", endpoint, zmq_strerror(errno));
        (void)zmq_close(socket);
        return NULL;
    }
    return socket;
}

bool rp_socket_listen_to(void *socket, const char *endpoint, char *error, size_t size)
{
    if (endpoint[0] == '\0' || zmq_connect(socket, endpoint) == 0) {
        return true;
    }
    (void)snprintf(error, size, "cannot connect to \"%s\": %s", endpoint, zmq_strerror(errno));
    return false;
}
