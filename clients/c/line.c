/// One socket, one monitor, polled together.
#include "line.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <time.h>

#define MONITOR "inproc://monitor"

/// How long closing waits for the last requests to leave.
#define LINGER_MS 200

/// A stopped daemon is noticed as a broken line, not as a silence.
#define HEARTBEAT_MS         1000
#define HEARTBEAT_TIMEOUT_MS 4000

// ---- time

int64_t rp_line_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

long rp_line_left_ms(int64_t deadline_ms)
{
    if (deadline_ms < 0) {
        return -1;
    }
    const int64_t left = deadline_ms - rp_line_now_ms();
    return left > 0 ? (long)left : 0;
}

// ---- frames

bool rp_line_look(rp_line_t *self)
{
    const uint32_t before = self->breaks;
    zmq_msg_t part;
    zmq_msg_init(&part);
    while (zmq_msg_recv(&part, self->monitor, ZMQ_DONTWAIT) >= 0) {
        uint16_t kind = 0;
        if (zmq_msg_size(&part) >= sizeof(kind) && zmq_msg_more(&part)) {
            memcpy(&kind, zmq_msg_data(&part), sizeof(kind));
            self->is_down = kind == ZMQ_EVENT_DISCONNECTED;
            self->breaks += self->is_down ? 1u : 0u;
        }
    }
    zmq_msg_close(&part);
    return self->breaks != before;
}

/// The next message off the socket: its last part, as an envelope is nothing to us.
/// @return false when there is none
static bool receive_now(rp_line_t *self, zmq_msg_t *frame)
{
    zmq_msg_init(frame);
    do {
        if (zmq_msg_recv(frame, self->socket, ZMQ_DONTWAIT) < 0) {
            zmq_msg_close(frame);
            return false;
        }
    } while (zmq_msg_more(frame));
    return true;
}

/// What ZeroMQ's own descriptors tell costs one call of the system; zmq_poll() and a look at the
/// monitor cost eight.
rp_line_event_t rp_line_receive(rp_line_t *self, int64_t deadline_ms, zmq_msg_t *frame)
{
    struct pollfd both[] = {{.fd = self->fd, .events = POLLIN},
                            {.fd = self->monitor_fd, .events = POLLIN}};
    for (;;) {
        if (receive_now(self, frame)) {
            return RP_LINE_FRAME;
        }
        const long left_ms = rp_line_left_ms(deadline_ms);
        if (poll(both, 2, left_ms < INT_MAX ? (int)left_ms : INT_MAX) <= 0) {
            return RP_LINE_NOTHING;
        }
        if (both[0].revents == 0 && rp_line_look(self)) {
            return RP_LINE_BROKE;
        }
    }
}

bool rp_line_settle(rp_line_t *self, uint32_t timeout_ms)
{
    const int64_t deadline = rp_line_now_ms() + timeout_ms;
    zmq_pollitem_t item = {.socket = self->monitor, .events = ZMQ_POLLIN};
    (void)rp_line_look(self);
    while (self->is_down) {
        if (zmq_poll(&item, 1, rp_line_left_ms(deadline)) <= 0 && rp_line_left_ms(deadline) == 0) {
            return false;
        }
        (void)rp_line_look(self);
    }
    uint32_t events; // a look at the socket makes it do what the other thread told it
    size_t size = sizeof events;
    return zmq_getsockopt(self->socket, ZMQ_EVENTS, &events, &size) == 0;
}

bool rp_line_send(rp_line_t *self, const void *bytes, size_t size, bool may_wait)
{
    while (zmq_send(self->socket, bytes, size, may_wait ? 0 : ZMQ_DONTWAIT) < 0) {
        if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

// ---- birth and death

static bool set_option(void *socket, int option, int value)
{
    return zmq_setsockopt(socket, option, &value, sizeof(value)) == 0;
}

static bool set_options(rp_line_t *self, uint32_t timeout_ms)
{
    return set_option(self->socket, ZMQ_IMMEDIATE, 1) && // nothing is queued for nobody
           set_option(self->socket, ZMQ_LINGER, LINGER_MS) &&
           set_option(self->socket, ZMQ_SNDTIMEO, (int)timeout_ms) &&
           set_option(self->socket, ZMQ_RCVHWM, 0) && // bounded by window and credit instead
           set_option(self->socket, ZMQ_HEARTBEAT_IVL, HEARTBEAT_MS) &&
           set_option(self->socket, ZMQ_HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT_MS);
}

bool rp_line_open(rp_line_t *self, uint32_t timeout_ms)
{
    self->context = zmq_ctx_new();
    if (self->context == NULL) {
        return false;
    }
    self->socket = zmq_socket(self->context, ZMQ_DEALER);
    self->monitor = zmq_socket(self->context, ZMQ_PAIR);
    size_t size = sizeof(self->fd);
    return self->socket != NULL && self->monitor != NULL && set_options(self, timeout_ms) &&
           zmq_socket_monitor(self->socket, MONITOR,
                              ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED) == 0 &&
           zmq_connect(self->monitor, MONITOR) == 0 &&
           zmq_getsockopt(self->socket, ZMQ_FD, &self->fd, &size) == 0 &&
           zmq_getsockopt(self->monitor, ZMQ_FD, &self->monitor_fd, &size) == 0;
}

/// Others lead to no daemon: what is at inproc:// is within this process.
static bool has_scheme(const char *endpoint)
{
    return strncmp(endpoint, "tcp://", strlen("tcp://")) == 0 ||
           strncmp(endpoint, "ipc://", strlen("ipc://")) == 0;
}

bool rp_line_connect(rp_line_t *self, const char *endpoint)
{
    return has_scheme(endpoint) && zmq_connect(self->socket, endpoint) == 0;
}

bool rp_line_await(rp_line_t *self, uint32_t timeout_ms)
{
    const int64_t deadline = rp_line_now_ms() + timeout_ms;
    zmq_pollitem_t item = {.socket = self->socket, .events = ZMQ_POLLOUT};
    while (zmq_poll(&item, 1, rp_line_left_ms(deadline)) <= 0) {
        if (rp_line_left_ms(deadline) == 0) {
            return false;
        }
    }
    return true;
}

void rp_line_close(rp_line_t *self)
{
    if (self->socket != NULL) {
        zmq_close(self->socket);
    }
    if (self->monitor != NULL) {
        zmq_close(self->monitor);
    }
    if (self->context != NULL) {
        zmq_ctx_term(self->context);
    }
    *self = (rp_line_t){0};
}
