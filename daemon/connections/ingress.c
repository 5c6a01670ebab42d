/// A table by descriptor. The I/O thread alone looks into what belongs to a connection; of a socket
/// the numbers are atomic that its owner changes.
#include "daemon/connections/ingress.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "daemon/connections/zmtp_reader.h"
#include "daemon/process/descriptors.h"
#include "daemon/process/log.h"

/// Descriptors beyond are not needed for what is served.
#define MOST_DESCRIPTORS 65536u

/// libzmq reads frames that are no longer into a buffer, which lives as long as a part in it.
#define BUFFER_READ   8192u
#define BUFFER_WEIGHT 20480u

/// While something waits for an owner the I/O thread does not ask without pause.
#define PAUSE_US      50u
#define PAUSE_EACH_US 200u

/// Those that were cut off hold what they held until ZeroMQ has closed them.
#define LEAVING_MOST ((uint64_t)8 << 20)

#define NO_SOCKET (-1)

typedef struct connection {
    atomic_bool is_counted;
    bool is_cut;
    int8_t socket;
    uint32_t buffers; ///< reads that brought parts of the message without end
    rp_zmtp_reader_t reader;
    uint64_t held;     ///< bytes of memory
    uint64_t since_us; ///< when it began to hold something
} connection_t;

typedef struct counted_socket {
    const void *owner;
    char name[16];
    char endpoint[RP_INGRESS_ENDPOINT];
    rp_ingress_limits_t limits;
    bool is_waiting; ///< too much waited for the owner, and half of it has not been taken since
    int wake;        ///< for the owner; never closed, as the I/O thread may be about to use it
    atomic_uint_fast64_t unread;
    atomic_uint_fast64_t cut;
} counted_socket_t;

static struct {
    counted_socket_t sockets[RP_INGRESS_SOCKETS];
    atomic_int socket_count;
    connection_t *connections; ///< owned [count]
    size_t count;
    size_t end;       ///< no connection was accepted at this descriptor, or beyond
    uint64_t held;    ///< of those that are not cut off
    uint64_t leaving; ///< of those that are
    uint64_t paused_us;
} ingress;

static uint64_t steady_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

// ---- sockets

bool rp_ingress_open(void)
{
    struct rlimit limit;
    if (ingress.connections != NULL) {
        return true;
    }
    ingress.count = MOST_DESCRIPTORS;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < ingress.count) {
        ingress.count = (size_t)limit.rlim_cur;
    }
    ingress.connections = calloc(ingress.count, sizeof *ingress.connections);
    return ingress.connections != NULL;
}

static int place_of(const char *name, int count)
{
    int place = 0;
    while (place < count && strcmp(ingress.sockets[place].name, name) != 0) {
        place++;
    }
    return place;
}

int rp_ingress_listen(const void *owner, const char *name, const char *endpoint,
                      const rp_ingress_limits_t *limits)
{
    const int count = atomic_load(&ingress.socket_count);
    const int place = place_of(name, count);
    const int wake = place < count                ? ingress.sockets[place].wake
                     : place < RP_INGRESS_SOCKETS ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)
                                                  : -1;
    if (wake < 0) {
        return -1;
    }
    counted_socket_t *socket = &ingress.sockets[place];
    *socket = (counted_socket_t){.owner = owner, .limits = *limits, .wake = wake};
    (void)snprintf(socket->name, sizeof socket->name, "%s", name);
    (void)snprintf(socket->endpoint, sizeof socket->endpoint, "%s", endpoint);
    atomic_store(&ingress.socket_count, place < count ? count : count + 1);
    return place;
}

int rp_ingress_descriptor(int socket)
{
    return ingress.sockets[socket].wake;
}

static uint64_t weight_of(const rp_ingress_limits_t *limits, const rp_zmtp_size_t *size)
{
    return limits->frame_weight * size->frames + limits->byte_weight * size->bytes;
}

/// What it counts for while it waits for the owner.
static uint64_t waiting_weight(const rp_ingress_limits_t *limits, const rp_zmtp_size_t *size)
{
    return size->frames != 0 && size->bytes >= limits->long_bytes ? weight_of(limits, size) : 0;
}

void rp_ingress_taken(int socket, uint64_t frames, uint64_t bytes)
{
    counted_socket_t *taken = &ingress.sockets[socket];
    const rp_zmtp_size_t size = {.frames = frames, .bytes = bytes};
    const uint64_t weight = waiting_weight(&taken->limits, &size);
    uint_fast64_t before = atomic_load(&taken->unread);
    while (weight != 0 && !atomic_compare_exchange_weak(&taken->unread, &before,
                                                        before > weight ? before - weight : 0)) {
    }
}

void rp_ingress_drained(int socket)
{
    if (atomic_load(&ingress.sockets[socket].unread) != 0) {
        atomic_store(&ingress.sockets[socket].unread, 0);
    }
}

uint64_t rp_ingress_cut(int socket)
{
    return atomic_load(&ingress.sockets[socket].cut);
}

// ---- connections

static connection_t *find(int descriptor)
{
    if (descriptor < 0 || (size_t)descriptor >= ingress.count) {
        return NULL;
    }
    connection_t *connection = &ingress.connections[descriptor];
    return atomic_load_explicit(&connection->is_counted, memory_order_relaxed) ? connection : NULL;
}

static int number_of(const connection_t *connection)
{
    return (int)(connection - ingress.connections);
}

/// @return its socket; as long as that does not listen, the first one, whose limits hold for it
static counted_socket_t *socket_of(connection_t *connection)
{
    const int count = atomic_load(&ingress.socket_count);
    for (int i = 0; connection->socket == NO_SOCKET && i < count; i++) {
        if (rp_descriptor_is_to(number_of(connection), ingress.sockets[i].endpoint)) {
            connection->socket = (int8_t)i;
        }
    }
    return &ingress.sockets[connection->socket != NO_SOCKET ? connection->socket : 0];
}

void rp_ingress_closed(int descriptor)
{
    connection_t *connection = find(descriptor);
    if (connection != NULL) {
        *(connection->is_cut ? &ingress.leaving : &ingress.held) -= connection->held;
        atomic_store_explicit(&connection->is_counted, false, memory_order_relaxed);
    }
}

bool rp_ingress_accepted(int descriptor)
{
    if ((size_t)descriptor >= ingress.count) {
        return ingress.connections == NULL;
    }
    connection_t *connection = &ingress.connections[descriptor];
    rp_ingress_closed(descriptor); // should its end have been missed
    connection->is_cut = false;
    connection->socket = NO_SOCKET;
    connection->buffers = 0;
    connection->reader = (rp_zmtp_reader_t){0};
    connection->held = 0;
    ingress.end = (size_t)descriptor >= ingress.end ? (size_t)descriptor + 1u : ingress.end;
    atomic_store_explicit(&connection->is_counted, true, memory_order_relaxed);
    return true;
}

// ---- cutting off

static void cut(connection_t *connection, const char *reason)
{
    counted_socket_t *socket = socket_of(connection);
    connection->is_cut = true;
    ingress.held -= connection->held;
    ingress.leaving += connection->held;
    atomic_fetch_add(&socket->cut, 1);
    rp_log(RP_LOG_WARN, "cut", "socket=%s reason=%s unfinished_bytes=%llu held_bytes=%llu",
           socket->name, reason, (unsigned long long)connection->reader.unfinished.bytes,
           (unsigned long long)connection->held);
    rp_descriptor_end(number_of(connection));
}

/// Who goes first where all hold too much: bytes by time, so that a message that has just begun
/// stays before one that others wait for.
static connection_t *heaviest(void)
{
    const uint64_t now_us = steady_us();
    connection_t *found = NULL;
    double greatest = 0;
    for (size_t i = 0; i < ingress.end; i++) {
        connection_t *other = find((int)i);
        const double weight = other == NULL || other->is_cut
                                  ? 0
                                  : (double)other->held * (double)(now_us - other->since_us + 1u);
        if (weight > greatest) {
            greatest = weight;
            found = other;
        }
    }
    return found;
}

// ---- bytes

/// What waits for the owner, in all its sockets.
static uint64_t unread_by(const void *owner)
{
    const int count = atomic_load(&ingress.socket_count);
    uint64_t unread = 0;
    for (int i = 0; i < count; i++) {
        unread += ingress.sockets[i].owner == owner ? atomic_load(&ingress.sockets[i].unread) : 0;
    }
    return unread;
}

/// While the owner has something to do, messages without end have half of what they may hold. Who
/// had to wait waits until there is room for more than a message, so that the owner is given many
/// at once.
static bool must_wait(const connection_t *connection, counted_socket_t *socket)
{
    const rp_ingress_limits_t *limits = &socket->limits;
    if (connection->reader.unfinished.bytes < limits->long_bytes) {
        return false;
    }
    const uint64_t unread = unread_by(socket->owner);
    socket->is_waiting = unread > (socket->is_waiting ? limits->unread / 2u : limits->unread);
    return socket->is_waiting || ingress.leaving > LEAVING_MOST ||
           (unread != 0 && unread + ingress.held > limits->unfinished_all / 2u);
}

/// The owner is woken, and the core is left to it.
static void wait_for(const counted_socket_t *socket)
{
    const uint64_t now_us = steady_us();
    if (now_us < ingress.paused_us + PAUSE_EACH_US) {
        return;
    }
    const uint64_t one = 1;
    const struct timespec pause = {.tv_nsec = PAUSE_US * 1000L};
    (void)!write(socket->wake, &one, sizeof one);
    (void)nanosleep(&pause, NULL);
    ingress.paused_us = now_us + PAUSE_US;
}

static void weigh(connection_t *connection, const rp_ingress_limits_t *limits)
{
    const uint64_t held = weight_of(limits, &connection->reader.unfinished) +
                          (uint64_t)BUFFER_WEIGHT * connection->buffers;
    if (connection->held == 0 && held != 0) {
        connection->since_us = steady_us();
    }
    ingress.held += held - connection->held;
    connection->held = held;
}

/// @param bytes  [size] @param is_buffer  they came into the buffer for short frames
static void take(connection_t *connection, counted_socket_t *socket, const uint8_t *bytes,
                 size_t size, bool is_buffer)
{
    const uint64_t frames_before = connection->reader.unfinished.frames;
    rp_zmtp_size_t ended = {0};
    rp_zmtp_reader_take(&connection->reader, bytes, size, &ended);
    const uint64_t frames = connection->reader.unfinished.frames;
    connection->buffers = frames == 0 ? 0 : connection->buffers;
    connection->buffers += is_buffer && frames != 0 && frames != frames_before;
    weigh(connection, &socket->limits);
    const uint64_t weight = waiting_weight(&socket->limits, &ended);
    if (weight != 0) {
        atomic_fetch_add(&socket->unread, weight);
    }
}

/// @return false when it is the connection's own end
static bool judge(connection_t *connection, const rp_ingress_limits_t *limits)
{
    if (connection->held > limits->unfinished_one) {
        cut(connection, "unfinished");
    }
    while (ingress.held > limits->unfinished_all) {
        cut(heaviest(), "unfinished_all");
    }
    return !connection->is_cut;
}

static ssize_t end(int error)
{
    errno = error;
    return -1;
}

ssize_t rp_ingress_receive(int descriptor, void *bytes, size_t size, int flags)
{
    connection_t *connection = find(descriptor);
    if (connection == NULL) {
        return recvfrom(descriptor, bytes, size, flags, NULL, NULL);
    }
    if (connection->is_cut) {
        return end(ECONNRESET);
    }
    counted_socket_t *socket = socket_of(connection);
    if (must_wait(connection, socket)) {
        wait_for(socket);
        return end(EAGAIN);
    }
    const size_t piece = size < socket->limits.piece ? size : socket->limits.piece;
    const ssize_t count = recvfrom(descriptor, bytes, piece, flags, NULL, NULL);
    if (count <= 0) {
        return count;
    }
    take(connection, socket, bytes, (size_t)count, size <= BUFFER_READ);
    return judge(connection, &socket->limits) ? count : end(ECONNRESET);
}
