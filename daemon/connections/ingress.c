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
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "daemon/connections/accept_gate.h"
#include "daemon/connections/paused_reads.h"
#include "daemon/connections/zmtp_reader.h"
#include "daemon/process/descriptors.h"
#include "daemon/process/log.h"

/// Descriptors beyond are not needed for what is served.
#define MOST_DESCRIPTORS 65536u

/// libzmq reads frames that are no longer into a buffer, which lives as long as a part that lies
/// in it as a whole.
#define BUFFER_READ   8192u
#define BUFFER_WEIGHT 20480u

/// So often it is asked who may go on, of so many at a time, and an owner is woken.
#define LOOK_US    1000u
#define LOOKS_MOST 64u
#define WAKE_US    200u

/// Read at a time of those without trust; how far ahead of their rate they may be; and how much of
/// the time in which they brought nothing they may make up for: the thread is not always on time.
#define SUSPECT_PIECE ((size_t)16 << 10)
#define AHEAD_US      1000u
#define BEHIND_US     20000u

/// Leaving so much without its end, in terms of what is trusted, is an offence.
#define LEFT_MOST 8u

/// Those that were cut off hold what they held until ZeroMQ has closed them.
#define LEAVING_MOST ((uint64_t)8 << 20)

#define NO_SOCKET (-1)

typedef struct connection {
    atomic_bool is_counted;
    bool is_cut;
    bool is_proven; ///< a whole message came
    int8_t socket;
    uint32_t buffers; ///< that hold parts of the message without end
    rp_zmtp_reader_t reader;
    uint64_t held;     ///< bytes of memory
    uint64_t since_us; ///< when it began to hold something
    uint64_t kept;     ///< bytes of memory of whole messages that stay
    uint64_t earned;   ///< of those that do not
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
    atomic_uint_fast64_t offended_us; ///< when it was last; 0: never
} counted_socket_t;

static struct {
    counted_socket_t sockets[RP_INGRESS_SOCKETS];
    atomic_int socket_count;
    connection_t *connections; ///< owned [count]
    size_t count;
    size_t end;       ///< no connection was accepted at this descriptor, or beyond
    uint64_t held;    ///< of those that are not cut off
    uint64_t leaving; ///< of those that are
    uint64_t woken_us;
    rp_paused_reads_t paused;
    rp_accept_gate_t gate; ///< of the listeners
    atomic_int epoll;      ///< that connections are in
    uint64_t looked_us;    ///< when it was asked who may go on
    uint64_t settled_us;   ///< at their rate, what those without trust brought took until then
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
    atomic_store(&ingress.epoll, -1);
    if (rp_paused_reads_init(&ingress.paused, ingress.count) &&
        rp_accept_gate_init(&ingress.gate, ingress.count)) {
        ingress.connections = calloc(ingress.count, sizeof *ingress.connections);
    }
    if (ingress.connections == NULL) {
        rp_paused_reads_fini(&ingress.paused);
        rp_accept_gate_fini(&ingress.gate);
    }
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

void rp_ingress_offended(int socket)
{
    atomic_store(&ingress.sockets[socket].offended_us, steady_us());
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

/// Bytes of memory that it brought, beyond what it has earned.
static uint64_t charge_of(const connection_t *connection)
{
    const uint64_t brought = connection->held + connection->kept;
    return brought > connection->earned ? brought - connection->earned : 0;
}

void rp_ingress_closed(int descriptor)
{
    connection_t *connection = find(descriptor);
    if (connection == NULL) {
        return;
    }
    counted_socket_t *socket = socket_of(connection);
    if (charge_of(connection) > LEFT_MOST * socket->limits.trusted) {
        atomic_store(&socket->offended_us, steady_us());
    }
    *(connection->is_cut ? &ingress.leaving : &ingress.held) -= connection->held;
    rp_paused_reads_forget(&ingress.paused, descriptor);
    atomic_store_explicit(&connection->is_counted, false, memory_order_relaxed);
}

bool rp_ingress_accepted(int descriptor)
{
    if (ingress.connections == NULL) {
        return true;
    }
    rp_accept_gate_came(&ingress.gate, steady_us());
    if ((size_t)descriptor >= ingress.count || rp_descriptor_is_left(descriptor)) {
        return false;
    }
    connection_t *connection = &ingress.connections[descriptor];
    rp_ingress_closed(descriptor); // should its end have been missed
    connection->is_cut = false;
    connection->is_proven = false;
    connection->socket = NO_SOCKET;
    connection->buffers = 0;
    connection->reader = (rp_zmtp_reader_t){0};
    connection->held = 0;
    connection->kept = 0;
    connection->earned = 0;
    ingress.end = (size_t)descriptor >= ingress.end ? (size_t)descriptor + 1u : ingress.end;
    atomic_store_explicit(&connection->is_counted, true, memory_order_relaxed);
    return true;
}

void rp_ingress_end_turn(int listener)
{
    if (rp_accept_gate_has(&ingress.gate, listener)) {
        rp_accept_gate_end_turn(&ingress.gate, listener, steady_us());
    }
}

// ---- cutting off

static void cut(connection_t *connection, const char *reason)
{
    counted_socket_t *socket = socket_of(connection);
    connection->is_cut = true;
    ingress.held -= connection->held;
    ingress.leaving += connection->held;
    atomic_fetch_add(&socket->cut, 1);
    atomic_store(&socket->offended_us, steady_us());
    rp_log(RP_LOG_WARN, "cut", "socket=%s reason=%s unfinished_bytes=%llu held_bytes=%llu",
           socket->name, reason, (unsigned long long)connection->reader.unfinished.bytes,
           (unsigned long long)connection->held);
    rp_descriptor_end(number_of(connection));
    rp_paused_reads_resume(&ingress.paused, number_of(connection));
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

/// While too much waits for it.
static void wake_owner(const counted_socket_t *socket)
{
    const uint64_t now_us = steady_us();
    const uint64_t one = 1;
    if (now_us >= ingress.woken_us + WAKE_US) {
        ingress.woken_us = now_us;
        (void)!write(socket->wake, &one, sizeof one);
    }
}

/// It brings more than it has earned, and there was an offence lately.
static bool is_suspect(const connection_t *connection, const counted_socket_t *socket,
                       uint64_t now_us)
{
    const uint64_t offended_us = atomic_load(&socket->offended_us);
    return charge_of(connection) > socket->limits.trusted && offended_us != 0 &&
           now_us < offended_us + RP_INGRESS_SUSPECT_MS * 1000u;
}

/// Those without trust have had what they may have by now.
static bool is_slow(uint64_t now_us)
{
    return ingress.settled_us > now_us + AHEAD_US;
}

/// They brought so many bytes of memory.
static void note_slow(uint64_t bytes, uint64_t now_us)
{
    const uint64_t least_us = now_us > BEHIND_US ? now_us - BEHIND_US : 0;
    const uint64_t from_us = ingress.settled_us > least_us ? ingress.settled_us : least_us;
    ingress.settled_us = from_us + bytes * 1000000u / RP_INGRESS_SUSPECT_RATE;
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
    const uint64_t parts_before =
        connection->reader.unfinished.frames + rp_zmtp_reader_is_within(&connection->reader);
    rp_zmtp_size_t ended = {0};
    rp_zmtp_reader_take(&connection->reader, bytes, size, &ended);
    const uint64_t parts = connection->reader.unfinished.frames;
    connection->buffers = parts == 0 ? 0 : connection->buffers;
    connection->buffers += is_buffer && parts > (ended.frames == 0 ? parts_before : 0);
    weigh(connection, &socket->limits);
    const uint64_t weight = waiting_weight(&socket->limits, &ended);
    if (weight != 0) {
        atomic_fetch_add(&socket->unread, weight);
    }
    *(socket->limits.keeps_wholes ? &connection->kept : &connection->earned) +=
        weight_of(&socket->limits, &ended);
    if (ended.frames != 0 && !connection->is_proven) {
        connection->is_proven = true;
        rp_accept_gate_repay(&ingress.gate);
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

/// Its bytes stay in the system for now. @return as recv()
static ssize_t put_off(const connection_t *connection)
{
    rp_paused_reads_pause(&ingress.paused, number_of(connection));
    return end(EAGAIN);
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
        wake_owner(socket);
        return put_off(connection);
    }
    const uint64_t now_us = steady_us();
    const uint64_t charge = charge_of(connection);
    const bool is_suspected = is_suspect(connection, socket, now_us);
    if (is_suspected && is_slow(now_us)) {
        return put_off(connection);
    }
    const size_t most =
        is_suspected && socket->limits.piece > SUSPECT_PIECE ? SUSPECT_PIECE : socket->limits.piece;
    const ssize_t count = recvfrom(descriptor, bytes, size < most ? size : most, flags, NULL, NULL);
    if (count <= 0) {
        return count;
    }
    take(connection, socket, bytes, (size_t)count, size <= BUFFER_READ);
    if (is_suspected && charge_of(connection) > charge) {
        note_slow(charge_of(connection) - charge, now_us);
    }
    return judge(connection, &socket->limits) ? count : end(ECONNRESET);
}

// ---- the epoll

/// ZeroMQ's, which it puts into its epoll.
static bool is_listener(int operation, int descriptor)
{
    return rp_accept_gate_has(&ingress.gate, descriptor) ||
           (operation == EPOLL_CTL_ADD && (size_t)descriptor < ingress.count &&
            rp_descriptor_listens(descriptor));
}

int rp_ingress_control(int epoll, int operation, int descriptor, struct epoll_event *event)
{
    if (find(descriptor) != NULL) {
        atomic_store(&ingress.epoll, epoll);
        return rp_paused_reads_control(&ingress.paused, epoll, operation, descriptor, event);
    }
    if (is_listener(operation, descriptor)) {
        atomic_store(&ingress.epoll, epoll);
        return rp_accept_gate_control(&ingress.gate, epoll, operation, descriptor, event);
    }
    return (int)syscall(SYS_epoll_ctl, epoll, operation, descriptor, event);
}

/// Look at those that wait, each once at most. Of those without trust one goes on, as it takes what
/// all of them may have.
static void look(uint64_t now_us)
{
    bool is_open = !is_slow(now_us);
    const int last = ingress.paused.last;
    int descriptor = -1;
    for (unsigned i = 0; i < LOOKS_MOST && descriptor != last; i++) {
        descriptor = rp_paused_reads_first(&ingress.paused);
        connection_t *connection = &ingress.connections[descriptor];
        counted_socket_t *socket = socket_of(connection);
        const bool is_suspected = is_suspect(connection, socket, now_us);
        if (must_wait(connection, socket) || (is_suspected && !is_open)) {
            rp_paused_reads_pause(&ingress.paused, descriptor);
        } else {
            is_open = is_open && !is_suspected;
            rp_paused_reads_resume(&ingress.paused, descriptor);
        }
    }
}

int rp_ingress_go_on(int epoll, int timeout_ms)
{
    if (epoll != atomic_load(&ingress.epoll) ||
        (rp_paused_reads_first(&ingress.paused) < 0 && !rp_accept_gate_is_waiting(&ingress.gate))) {
        return timeout_ms;
    }
    const uint64_t now_us = steady_us();
    const int most_ms = rp_accept_gate_go_on(&ingress.gate, now_us, timeout_ms);
    if (rp_paused_reads_first(&ingress.paused) >= 0 && now_us >= ingress.looked_us + LOOK_US) {
        ingress.looked_us = now_us;
        look(now_us);
    }
    return rp_paused_reads_first(&ingress.paused) < 0 || most_ms == 0 ? most_ms : 1;
}
