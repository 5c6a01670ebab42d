/// Events of monitors, one epoll, and a table by ZeroMQ's numbers.
#include "daemon/connections/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "daemon/connections/sockets.h"
#include "daemon/process/descriptors.h"
#include "daemon/process/log.h"

/// ZeroMQ does not tell of each connection that it closes itself. So all are asked in turn, one
/// each SWEEP_US.
#define SWEEP_US   250u
#define SWEEP_MOST 1024u
#define PAUSE_US   1000u
#define SECOND_US  1000000u

typedef struct watched {
    char name[16];
    char endpoint[RP_INGRESS_ENDPOINT]; ///< that it is bound to
    void *monitor;                      ///< owned
    int ingress;                        ///< its place there
    uint32_t open;
    uint64_t refused; ///< since it was logged
} watched_t;

struct rp_guard {
    rp_guard_options_t options;
    watched_t sockets[RP_GUARD_SOCKETS];
    unsigned socket_count;
    rp_guarded_t **by_number; ///< owned [number_count]
    size_t number_count;
    int epoll;
    int spare; ///< a descriptor to use for a moment when there is no other
    uint64_t now_us;
    uint64_t swept_us;
    uint64_t told_us; ///< of those that were refused
    size_t sweep_at;
    rp_guard_counts_t counts;
};

// ---- the table

static rp_guarded_t *find(const rp_guard_t *self, int number)
{
    return number >= 0 && (size_t)number < self->number_count ? self->by_number[number] : NULL;
}

static bool make_room(rp_guard_t *self, int number)
{
    if ((size_t)number < self->number_count) {
        return true;
    }
    const size_t count = 2u * (size_t)number + 64u;
    rp_guarded_t **grown = realloc(self->by_number, count * sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    memset(grown + self->number_count, 0, (count - self->number_count) * sizeof *grown);
    self->by_number = grown;
    self->number_count = count;
    return true;
}

static void forget(rp_guard_t *self, rp_guarded_t *connection)
{
    if (self->options.has_left != NULL) {
        self->options.has_left(self->options.user, connection);
    }
    self->by_number[connection->number] = NULL;
    self->sockets[connection->socket].open--;
    self->counts.open--;
    (void)close(connection->descriptor);
    free(connection);
}

/// @param descriptor  given @return false without memory: it is closed then
static bool add(rp_guard_t *self, unsigned socket, int number, int descriptor)
{
    rp_guarded_t *connection = make_room(self, number) ? calloc(1, sizeof *connection) : NULL;
    if (connection == NULL) {
        (void)close(descriptor);
        return false;
    }
    connection->cookie = rp_descriptor_cookie(descriptor);
    connection->number = number;
    connection->descriptor = descriptor;
    connection->socket = socket;
    connection->came_us = self->now_us;
    self->by_number[number] = connection;
    self->sockets[socket].open++;
    self->counts.open++;
    return true;
}

// ---- coming and going

/// There are enough: it is told to go. A descriptor of its own is not needed for that, so that it
/// can be done when there is none left.
static void refuse(rp_guard_t *self, watched_t *socket, int number)
{
    if (dup3(number, self->spare, O_CLOEXEC) < 0) {
        return; // it is gone
    }
    if (rp_descriptor_is_to(self->spare, socket->endpoint)) {
        rp_descriptor_end(self->spare);
        self->counts.refused++;
        socket->refused++;
    }
    (void)dup3(self->epoll, self->spare, O_CLOEXEC);
}

static void come(rp_guard_t *self, unsigned which, int number)
{
    watched_t *socket = &self->sockets[which];
    rp_guarded_t *before = find(self, number);
    if (before != NULL) {
        forget(self, before); // ZeroMQ did not tell of its end
    }
    if (socket->open >= self->options.most_each || self->counts.open >= self->options.most_all) {
        refuse(self, socket, number);
        return;
    }
    const int descriptor = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (descriptor < 0) {
        refuse(self, socket, number);
    } else if (!rp_descriptor_is_to(descriptor, socket->endpoint)) {
        (void)close(descriptor); // it is gone, and its number another's
    } else if (!add(self, which, number, descriptor)) {
        refuse(self, socket, number);
    }
}

/// @return false when there is no event
static bool receive_event(void *monitor, uint16_t *event, uint32_t *value)
{
    zmq_msg_t frame;
    (void)zmq_msg_init(&frame);
    if (zmq_msg_recv(&frame, monitor, ZMQ_DONTWAIT) < 0) {
        (void)zmq_msg_close(&frame);
        return false;
    }
    const uint8_t *bytes = zmq_msg_data(&frame);
    memcpy(event, bytes, sizeof *event);
    memcpy(value, bytes + sizeof *event, sizeof *value);
    while (zmq_msg_more(&frame) != 0 && zmq_msg_recv(&frame, monitor, ZMQ_DONTWAIT) >= 0) {
    }
    (void)zmq_msg_close(&frame);
    return true;
}

static void hear(rp_guard_t *self)
{
    uint16_t event;
    uint32_t value;
    for (unsigned which = 0; which < self->socket_count; which++) {
        while (receive_event(self->sockets[which].monitor, &event, &value)) {
            rp_guarded_t *connection = find(self, (int)value);
            if (event == ZMQ_EVENT_ACCEPTED) {
                come(self, which, (int)value);
            } else if (connection != NULL && connection->socket == which) {
                forget(self, connection);
            }
        }
    }
}

/// Told once a second at most, however many they are.
static void log_refused(rp_guard_t *self)
{
    for (unsigned which = 0; which < self->socket_count; which++) {
        watched_t *socket = &self->sockets[which];
        if (socket->refused != 0) {
            rp_log(RP_LOG_WARN, "refused", "socket=%s connections=%llu open=%u most=%u",
                   socket->name, (unsigned long long)socket->refused, socket->open,
                   self->options.most_each < self->options.most_all ? self->options.most_each
                                                                    : self->options.most_all);
            socket->refused = 0;
        }
    }
}

// ---- work

void rp_guard_cut(rp_guard_t *self, rp_guarded_t *connection, const char *reason)
{
    if (connection->is_cut) {
        return;
    }
    connection->is_cut = true;
    self->counts.cut++;
    rp_ingress_offended(self->sockets[connection->socket].ingress);
    rp_log(RP_LOG_WARN, "cut", "socket=%s reason=%s", self->sockets[connection->socket].name,
           reason);
    if (rp_descriptor_cookie(connection->number) == connection->cookie) {
        rp_descriptor_end(connection->descriptor);
    }
}

static void sweep(rp_guard_t *self, uint64_t count)
{
    for (uint64_t i = 0; i < count && i < SWEEP_MOST && i < self->number_count; i++) {
        rp_guarded_t *connection = self->by_number[self->sweep_at++ % self->number_count];
        if (connection != NULL && rp_descriptor_cookie(connection->number) != connection->cookie) {
            forget(self, connection);
        }
    }
}

/// What the ingress wakes us for is done by whoever takes messages.
static void be_woken(const rp_guard_t *self)
{
    uint64_t count;
    for (unsigned which = 0; which < self->socket_count; which++) {
        (void)!read(rp_ingress_descriptor(self->sockets[which].ingress), &count, sizeof count);
    }
}

void rp_guard_work(rp_guard_t *self, uint64_t now_us, bool has_spoken)
{
    self->now_us = now_us;
    if (!has_spoken && now_us < self->swept_us + PAUSE_US) {
        return;
    }
    be_woken(self);
    hear(self);
    if (now_us >= self->swept_us + SWEEP_US) {
        sweep(self, (now_us - self->swept_us) / SWEEP_US);
        self->swept_us = now_us;
    }
    if (now_us >= self->told_us + SECOND_US) {
        self->told_us = now_us;
        log_refused(self);
    }
}

int rp_guard_descriptor(const rp_guard_t *self)
{
    return self->epoll;
}

// ---- messages

void rp_guard_turn(rp_guard_t *self, unsigned socket)
{
    rp_ingress_drained(self->sockets[socket].ingress);
}

void rp_guard_done(rp_guard_t *self, unsigned socket, size_t frames, size_t bytes)
{
    rp_ingress_taken(self->sockets[socket].ingress, frames, bytes);
}

rp_guarded_t *rp_guard_sender(rp_guard_t *self, unsigned socket, rp_frames_t *message)
{
    const int number = zmq_msg_get(&message->frames[0], ZMQ_SRCFD);
    rp_guarded_t *connection = find(self, number);
    if (connection == NULL || rp_descriptor_cookie(number) != connection->cookie) {
        hear(self); // who came is told before it sends, and its number may have been another's
        connection = find(self, number);
    }
    return connection != NULL && connection->socket == socket ? connection : NULL;
}

rp_guard_counts_t rp_guard_counts(const rp_guard_t *self)
{
    rp_guard_counts_t counts = self->counts;
    for (unsigned which = 0; which < self->socket_count; which++) {
        counts.cut += rp_ingress_cut(self->sockets[which].ingress);
    }
    return counts;
}

const rp_guarded_t *rp_guard_next(const rp_guard_t *self, size_t *at)
{
    while (*at < self->number_count) {
        const rp_guarded_t *connection = self->by_number[(*at)++];
        if (connection != NULL) {
            return connection;
        }
    }
    return NULL;
}

// ---- birth and death

/// @return false when it cannot be heard
static bool listen_to(const rp_guard_t *self, int descriptor)
{
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(self->epoll, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

bool rp_guard_watch(rp_guard_t *self, void *context, const char *name, const char *endpoint)
{
    watched_t *socket = &self->sockets[self->socket_count];
    int descriptor;
    size_t size = sizeof descriptor;
    socket->ingress = rp_ingress_listen(self, name, endpoint, &self->options.ingress);
    socket->monitor = socket->ingress >= 0 ? rp_socket_monitor(context, name) : NULL;
    if (socket->monitor == NULL) {
        return false;
    }
    self->socket_count++;
    (void)snprintf(socket->name, sizeof socket->name, "%s", name);
    (void)snprintf(socket->endpoint, sizeof socket->endpoint, "%s", endpoint);
    if (zmq_getsockopt(socket->monitor, ZMQ_FD, &descriptor, &size) != 0 ||
        !listen_to(self, descriptor) || !listen_to(self, rp_ingress_descriptor(socket->ingress))) {
        return false;
    }
    hear(self); // only a monitor that was found empty speaks by its descriptor
    return true;
}

rp_guard_t *rp_guard_new(const rp_guard_options_t *options)
{
    rp_guard_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->options = *options;
    self->epoll = epoll_create1(EPOLL_CLOEXEC);
    self->spare = self->epoll >= 0 ? fcntl(self->epoll, F_DUPFD_CLOEXEC, 0) : -1;
    if (self->spare < 0) {
        rp_guard_destroy(&self);
    }
    return self;
}

void rp_guard_destroy(rp_guard_t **self)
{
    rp_guard_t *connections = *self;
    if (connections == NULL) {
        return;
    }
    for (size_t number = 0; number < connections->number_count; number++) {
        if (connections->by_number[number] != NULL) {
            forget(connections, connections->by_number[number]);
        }
    }
    for (unsigned which = 0; which < connections->socket_count; which++) {
        (void)zmq_close(connections->sockets[which].monitor);
    }
    if (connections->spare >= 0) {
        (void)close(connections->spare);
    }
    if (connections->epoll >= 0) {
        (void)close(connections->epoll);
    }
    free(connections->by_number);
    free(connections);
    *self = NULL;
}
