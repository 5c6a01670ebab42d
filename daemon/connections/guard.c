/// Events of monitors, one epoll, and a table by ZeroMQ's numbers.
///
/// The epoll holds the monitors, and each connection until it speaks once (EPOLLONESHOT): then the
/// connection is listed, and is let speak again after the look. So who sends without pause costs a
/// look each RP_GUARD_LOOK_US, and who is silent costs nothing.
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

/// With many to look at they are looked at less often: a look takes a few of these.
#define LOOK_PART_US 20u

/// ZeroMQ does not tell of each connection that it closes itself, and the epoll not of bytes that
/// ZeroMQ has read by the time that we ask. So all are asked in turn, one each SWEEP_US.
#define SWEEP_US   250u
#define SWEEP_MOST 1024u
#define PAUSE_US   1000u
#define SECOND_US  1000000u

/// Who has so much that is certain, or was looked at so often, may be to blame for memory.
#define SUSPECT_BYTES ((uint64_t)64 << 10)
#define SUSPECT_LOOKS 3u

/// What a local socket is taken to have brought between two looks, beside others.
#define LOCAL_BYTES ((uint64_t)64 << 10)

#define EVENTS_AT_ONCE 64

typedef struct watched {
    char name[16];
    void *monitor; ///< owned
    uint16_t port; ///< that it is bound to; 0: a local socket
    uint64_t turn;
    uint32_t taken; ///< messages since the turn before
    uint32_t open;
    uint64_t refused; ///< since it was logged
} watched_t;

struct rp_guard {
    rp_guard_options_t options;
    watched_t sockets[RP_GUARD_SOCKETS];
    unsigned socket_count;
    rp_guarded_t **by_number; ///< owned [number_count]
    size_t number_count;
    rp_guarded_t *listed;
    uint32_t listed_count;
    int epoll;
    int spare; ///< a descriptor to use for a moment when there is no other
    uint64_t looked_us;
    uint64_t swept_us;
    uint64_t told_us; ///< of those that were refused
    uint64_t now_us;
    size_t sweep_at;
    uint64_t held; ///< bytes of messages without end, of all
    rp_memory_blame_t blame;
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

static void unlist(rp_guard_t *self, rp_guarded_t *connection)
{
    rp_guarded_t **at = &self->listed;
    while (*at != connection) {
        at = &(*at)->next;
    }
    *at = connection->next;
    connection->is_listed = false;
    self->listed_count--;
}

static void list(rp_guard_t *self, rp_guarded_t *connection)
{
    if (!connection->is_listed) {
        connection->is_listed = true;
        connection->next = self->listed;
        self->listed = connection;
        self->listed_count++;
    }
}

/// Bytes of a message without end: of a local connection, memory that it is to blame for.
static uint64_t held_by(const rp_guarded_t *connection)
{
    return connection->is_cut     ? 0
           : connection->is_local ? connection->unfinished.blamed
                                  : connection->unfinished.certain;
}

static void forget(rp_guard_t *self, rp_guarded_t *connection)
{
    if (self->options.has_left != NULL) {
        self->options.has_left(self->options.user, connection);
    }
    if (connection->is_listed) {
        unlist(self, connection);
    }
    self->held -= held_by(connection);
    self->by_number[connection->number] = NULL;
    self->sockets[connection->socket].open--;
    self->counts.open--;
    // As long as ZeroMQ's own is open the epoll does not forget it by itself.
    (void)epoll_ctl(self->epoll, EPOLL_CTL_DEL, connection->descriptor, NULL);
    (void)close(connection->descriptor);
    free(connection);
}

/// Let it speak once. @param operation  of epoll_ctl()
static bool arm(const rp_guard_t *self, rp_guarded_t *connection, int operation)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT,
                                .data.ptr = connection};
    return epoll_ctl(self->epoll, operation, connection->descriptor, &event) == 0;
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
    connection->is_local = self->sockets[socket].port == 0;
    if (!arm(self, connection, EPOLL_CTL_ADD)) {
        (void)close(descriptor);
        free(connection);
        return false;
    }
    self->by_number[number] = connection;
    self->sockets[socket].open++;
    self->counts.open++;
    list(self, connection); // something may have come before it could speak
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
    if (rp_descriptor_is_to(self->spare, socket->port)) {
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
    } else if (!rp_descriptor_is_to(descriptor, socket->port)) {
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

// ---- looks

void rp_guard_cut(rp_guard_t *self, rp_guarded_t *connection, const char *reason)
{
    if (connection->is_cut) {
        return;
    }
    self->held -= held_by(connection);
    connection->is_cut = true;
    self->counts.cut++;
    rp_log(RP_LOG_WARN, "cut", "socket=%s reason=%s unfinished_bytes=%llu blamed_bytes=%llu",
           self->sockets[connection->socket].name, reason,
           (unsigned long long)connection->unfinished.certain,
           (unsigned long long)connection->unfinished.blamed);
    if (rp_descriptor_cookie(connection->number) == connection->cookie) {
        rp_descriptor_end(connection->descriptor);
    }
}

static bool is_suspect(const rp_guarded_t *connection)
{
    const rp_partial_message_t *unfinished = &connection->unfinished;
    return !connection->is_cut && (unfinished->certain >= SUSPECT_BYTES ||
                                   (connection->is_local && unfinished->active >= SUSPECT_LOOKS));
}

/// Bytes that ZeroMQ has read of it, as far as that is known.
static uint64_t received_by(const rp_guarded_t *connection)
{
    const uint64_t waiting = rp_descriptor_waiting(connection->descriptor);
    const uint64_t came = connection->is_local ? 0 : rp_descriptor_received(connection->descriptor);
    return came > waiting ? came - waiting : 0;
}

static void sweep(rp_guard_t *self, uint64_t count)
{
    for (uint64_t i = 0; i < count && i < SWEEP_MOST && i < self->number_count; i++) {
        rp_guarded_t *connection = self->by_number[self->sweep_at++ % self->number_count];
        if (connection == NULL) {
            continue;
        }
        if (rp_descriptor_cookie(connection->number) != connection->cookie) {
            forget(self, connection);
        } else if (received_by(connection) != connection->received_before) {
            list(self, connection);
        }
    }
}

/// @return bytes that came since the look before
static uint64_t look(rp_guard_t *self, rp_guarded_t *connection)
{
    const uint64_t received = received_by(connection);
    const uint64_t more = received - connection->received_before;
    const uint64_t held_before = held_by(connection);
    const rp_partial_message_look_t found = {.received = received,
                                             .is_waiting =
                                                 rp_descriptor_waiting(connection->descriptor) != 0,
                                             .turn = self->sockets[connection->socket].turn,
                                             .now_us = self->now_us};
    connection->received_before = received;
    (void)rp_partial_message_take(&connection->unfinished, &found);
    self->held += held_by(connection) - held_before;
    return connection->is_local ? LOCAL_BYTES : more;
}

/// What the process grew by, but for what came over tcp, is put down to the suspects.
/// @param more  bytes that came over each of those listed, in their order
static void blame(rp_guard_t *self, const uint64_t *more)
{
    uint64_t explained = 0;
    uint64_t suspected = 0;
    const rp_guarded_t *connection = self->listed;
    for (uint32_t i = 0; connection != NULL; i++, connection = connection->next) {
        explained += connection->is_local ? 0 : more[i];
        suspected += is_suspect(connection) ? more[i] : 0;
    }
    const uint64_t growth = rp_memory_blame_growth(&self->blame, self->now_us);
    if (growth <= explained || suspected == 0) {
        return;
    }
    rp_guarded_t *suspect = self->listed;
    for (uint32_t i = 0; suspect != NULL; i++, suspect = suspect->next) {
        const uint64_t held_before = held_by(suspect);
        if (is_suspect(suspect)) {
            suspect->unfinished.blamed +=
                (uint64_t)((double)(growth - explained) * (double)more[i] / (double)suspected);
        }
        self->held += held_by(suspect) - held_before;
    }
}

/// @return why it has to go; NULL: it stays
static const char *judge(const rp_guard_t *self, const rp_guarded_t *connection)
{
    const rp_partial_message_t *unfinished = &connection->unfinished;
    const uint64_t one = self->options.unfinished_one;
    const uint64_t may_blame = RP_MEMORY_BLAME_MOST + (connection->is_local ? one : 0);
    if (unfinished->certain > one) {
        return "unfinished";
    }
    if (unfinished->blamed > may_blame) {
        return "memory";
    }
    const bool may_be_long = rp_memory_blame_is_possible(&self->blame) && unfinished->blamed <= one;
    return connection->is_local && unfinished->waiting >= RP_PARTIAL_MESSAGE_LOOKS && !may_be_long
               ? "unfinished"
               : NULL;
}

/// Together they hold too much: the heaviest go.
static void cut_heaviest(rp_guard_t *self)
{
    while (self->held > self->options.unfinished_all) {
        rp_guarded_t *heaviest = NULL;
        double greatest = 0;
        for (size_t number = 0; number < self->number_count; number++) {
            rp_guarded_t *other = self->by_number[number];
            const double weight =
                other != NULL
                    ? rp_partial_message_weight(&other->unfinished, held_by(other), self->now_us)
                    : 0;
            if (weight > greatest) {
                greatest = weight;
                heaviest = other;
            }
        }
        rp_guard_cut(self, heaviest, "unfinished_all");
    }
}

/// Those of whom all is known speak again by themselves: of what came before they could, nothing
/// may be missed.
static void rearm(rp_guard_t *self)
{
    rp_guarded_t *next;
    for (rp_guarded_t *connection = self->listed; connection != NULL; connection = next) {
        next = connection->next;
        if (!connection->unfinished.has_more_to_say && arm(self, connection, EPOLL_CTL_MOD) &&
            received_by(connection) == connection->received_before) {
            unlist(self, connection);
        }
    }
}

static void look_at_all(rp_guard_t *self)
{
    uint64_t *more = calloc(self->listed_count, sizeof *more);
    bool is_anyone_suspect = false;
    uint32_t i = 0;
    if (more == NULL) {
        return; // at the next look
    }
    for (rp_guarded_t *connection = self->listed; connection != NULL;
         connection = connection->next) {
        more[i++] = look(self, connection);
        is_anyone_suspect = is_anyone_suspect || is_suspect(connection);
    }
    if (is_anyone_suspect) {
        blame(self, more);
    }
    free(more);
    for (rp_guarded_t *connection = self->listed; connection != NULL;
         connection = connection->next) {
        const char *reason = connection->is_cut ? NULL : judge(self, connection);
        if (reason != NULL) {
            rp_guard_cut(self, connection, reason);
        }
    }
    cut_heaviest(self);
    rearm(self);
}

/// Those that spoke are listed.
static void gather(rp_guard_t *self)
{
    struct epoll_event events[EVENTS_AT_ONCE];
    int count;
    do {
        count = epoll_wait(self->epoll, events, EVENTS_AT_ONCE, 0);
        for (int i = 0; i < count; i++) {
            if (events[i].data.ptr != NULL) { // not a monitor
                list(self, events[i].data.ptr);
            }
        }
    } while (count == EVENTS_AT_ONCE);
}

void rp_guard_work(rp_guard_t *self, uint64_t now_us, bool has_spoken)
{
    if (!has_spoken && now_us < rp_guard_next_us(self) && now_us < self->swept_us + PAUSE_US) {
        return;
    }
    self->now_us = now_us;
    hear(self);
    gather(self);
    if (now_us >= self->swept_us + SWEEP_US) {
        sweep(self, (now_us - self->swept_us) / SWEEP_US);
        self->swept_us = now_us;
    }
    if (now_us >= self->told_us + SECOND_US) {
        self->told_us = now_us;
        log_refused(self);
    }
    if (self->listed != NULL && now_us >= rp_guard_next_us(self)) {
        self->looked_us = now_us;
        look_at_all(self);
    }
}

uint64_t rp_guard_next_us(const rp_guard_t *self)
{
    const uint64_t pause_us = (uint64_t)LOOK_PART_US * self->listed_count;
    return self->listed == NULL
               ? UINT64_MAX
               : self->looked_us + (pause_us > RP_GUARD_LOOK_US ? pause_us : RP_GUARD_LOOK_US);
}

int rp_guard_descriptor(const rp_guard_t *self)
{
    return self->epoll;
}

// ---- messages

void rp_guard_turn(rp_guard_t *self, unsigned socket)
{
    self->sockets[socket].turn++;
    self->sockets[socket].taken = 0;
}

rp_guarded_t *rp_guard_finish(rp_guard_t *self, unsigned socket, zmq_msg_t *frame)
{
    const int number = zmq_msg_get(frame, ZMQ_SRCFD);
    if (++self->sockets[socket].taken > self->sockets[socket].open) {
        rp_guard_turn(self, socket); // as ZeroMQ takes of each in turn
    }
    rp_guarded_t *connection = find(self, number);
    if (connection == NULL) {
        hear(self);
        connection = find(self, number);
    }
    if (connection == NULL || connection->socket != socket) {
        return NULL;
    }
    connection->unfinished.finished++;
    return connection;
}

rp_guard_counts_t rp_guard_counts(const rp_guard_t *self)
{
    return self->counts;
}

// ---- birth and death

bool rp_guard_watch(rp_guard_t *self, void *context, const char *name, const char *endpoint)
{
    watched_t *socket = &self->sockets[self->socket_count];
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    int descriptor;
    size_t size = sizeof descriptor;
    socket->monitor = rp_socket_monitor(context, name);
    if (socket->monitor == NULL) {
        return false;
    }
    self->socket_count++;
    (void)snprintf(socket->name, sizeof socket->name, "%s", name);
    socket->port = rp_descriptor_port(endpoint);
    if (zmq_getsockopt(socket->monitor, ZMQ_FD, &descriptor, &size) != 0 ||
        epoll_ctl(self->epoll, EPOLL_CTL_ADD, descriptor, &event) != 0) {
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
    rp_memory_blame_init(&self->blame);
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
    rp_memory_blame_fini(&connections->blame);
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
