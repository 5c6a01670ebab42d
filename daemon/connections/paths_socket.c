/// One socket, two threads, a mutex. ZeroMQ does what its I/O thread asks of it in any call on the
/// socket, a send too; its descriptor says when there is such a thing. So who publishes sends by
/// itself only while there is none, and leaves the rest to the thread.
#include "daemon/connections/paths_socket.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#include "daemon/connections/guard.h"
#include "daemon/connections/sockets.h"
#include "daemon/connections/subscriptions.h"
#include "daemon/net/frames.h"
#include "msgs/limits.h"

/// A send may swallow what the descriptor had to say, so after one the thread looks by itself.
#define LOOK_MS 10

/// A topic takes a node of ZeroMQ's tree for each byte, and a table where it parts from others.
/// ZeroMQ puts topics into its tree before it tells us of them, all that have come. So what has
/// come and was not told yet is little.
#define TOPIC_BYTES    (RP_TOPIC_NODE_BYTES + sizeof(void *) * 256u + 128u)
#define UNFINISHED_ONE ((uint64_t)1 << 20)
#define UNREAD         ((uint64_t)1 << 20)
#define PIECE          256u

/// Some thirty topics of a subscriber are taken in as usual, whatever others did.
#define TRUSTED ((uint64_t)64 << 10)

#define ENDPOINT_BYTES 256u

/// A message that waits for the thread.
typedef struct entry {
    struct entry *next;
    size_t size;
    zmq_msg_t topic;
    zmq_msg_t body;
} entry_t;

struct rp_paths_socket {
    void *socket;
    int descriptor; ///< ZeroMQ's
    int wake;       ///< for the thread
    char endpoint[ENDPOINT_BYTES];
    pthread_t thread;
    bool is_started;
    pthread_mutex_t socket_mutex; ///< who holds it may use the socket
    pthread_mutex_t queue_mutex;  ///< of what follows
    entry_t *first;
    entry_t **last;
    size_t queued_bytes;

    rp_guard_t *guard;                ///< of the thread
    rp_subscriptions_t subscriptions; ///< the same

    atomic_bool is_stopping;
    atomic_bool is_asleep;   ///< the thread waits until somebody speaks
    atomic_bool is_doubtful; ///< a send was made since the thread looked
    atomic_uint_fast64_t subscription_count;
    atomic_uint_fast64_t dropped;
    atomic_uint_fast64_t open;
    atomic_uint_fast64_t refused;
    atomic_uint_fast64_t cut;
};

static uint64_t steady_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

// ---- what is published

static void wake(rp_paths_socket_t *self)
{
    const uint64_t one = 1;
    (void)!write(self->wake, &one, sizeof one);
}

/// Under the mutex of the socket. @return false when the thread has to go first
static bool may_send(rp_paths_socket_t *self)
{
    struct pollfd spoken = {.fd = self->descriptor, .events = POLLIN};
    (void)pthread_mutex_lock(&self->queue_mutex);
    const bool is_first = self->first == NULL;
    (void)pthread_mutex_unlock(&self->queue_mutex);
    return is_first && poll(&spoken, 1, 0) == 0;
}

/// @return NULL without memory
static entry_t *make_entry(const char *topic, const void *bytes, size_t size)
{
    entry_t *entry = calloc(1, sizeof *entry);
    const size_t topic_size = strlen(topic);
    if (entry == NULL || zmq_msg_init_size(&entry->topic, topic_size) != 0) {
        free(entry);
        return NULL;
    }
    if (zmq_msg_init_size(&entry->body, size) != 0) {
        (void)zmq_msg_close(&entry->topic);
        free(entry);
        return NULL;
    }
    memcpy(zmq_msg_data(&entry->topic), topic, topic_size);
    memcpy(zmq_msg_data(&entry->body), bytes, size);
    entry->size = sizeof *entry + topic_size + size;
    return entry;
}

static void destroy_entry(entry_t *entry)
{
    (void)zmq_msg_close(&entry->topic);
    (void)zmq_msg_close(&entry->body);
    free(entry);
}

static void enqueue(rp_paths_socket_t *self, const char *topic, const void *bytes, size_t size)
{
    entry_t *entry = make_entry(topic, bytes, size);
    if (entry == NULL) {
        atomic_fetch_add(&self->dropped, 1);
        return;
    }
    (void)pthread_mutex_lock(&self->queue_mutex);
    const bool is_full = entry->size > RP_PATHS_SOCKET_QUEUE - self->queued_bytes;
    if (!is_full) {
        *self->last = entry;
        self->last = &entry->next;
        self->queued_bytes += entry->size;
    }
    (void)pthread_mutex_unlock(&self->queue_mutex);
    if (is_full) {
        destroy_entry(entry);
        atomic_fetch_add(&self->dropped, 1);
    }
}

void rp_paths_socket_publish(rp_paths_socket_t *self, const char *topic, const void *bytes,
                             size_t size)
{
    bool is_sent = false;
    if (self == NULL) {
        return;
    }
    if (pthread_mutex_trylock(&self->socket_mutex) == 0) {
        is_sent = may_send(self);
        if (is_sent &&
            zmq_send(self->socket, topic, strlen(topic), ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0) {
            (void)zmq_send(self->socket, bytes, size, ZMQ_DONTWAIT);
        }
        (void)pthread_mutex_unlock(&self->socket_mutex);
    }
    if (!is_sent) {
        enqueue(self, topic, bytes, size);
    }
    atomic_store(&self->is_doubtful, true);
    if (atomic_exchange(&self->is_asleep, false) || !is_sent) {
        wake(self);
    }
}

rp_paths_counts_t rp_paths_socket_counts(const rp_paths_socket_t *self)
{
    return (rp_paths_counts_t){.subscriptions = atomic_load(&self->subscription_count),
                               .dropped = atomic_load(&self->dropped),
                               .connections = atomic_load(&self->open),
                               .refused = atomic_load(&self->refused),
                               .cut = atomic_load(&self->cut)};
}

const char *rp_paths_socket_endpoint(const rp_paths_socket_t *self)
{
    return self->endpoint;
}

// ---- the thread: subscribers

static void cut(rp_paths_socket_t *self, rp_guarded_t *connection)
{
    rp_subscriptions_leave(&self->subscriptions, connection);
    rp_guard_cut(self->guard, connection, "subscriptions");
}

/// One was asked for. Where it is one too many, whoever holds most goes; who asks goes itself while
/// much is still to be given back by others that had to go.
static void make_room(rp_paths_socket_t *self, rp_guarded_t *connection)
{
    const size_t held = rp_subscriptions_held(&self->subscriptions, connection);
    if (held > RP_LIMIT_SUBSCRIPTIONS_PEER) {
        cut(self, connection);
        return;
    }
    const size_t bytes = self->subscriptions.tree.bytes;
    if (bytes + self->subscriptions.leaving_bytes > RP_LIMIT_SUBSCRIPTIONS_LEAVING) {
        cut(self, connection);
    } else if (self->subscriptions.count > RP_LIMIT_SUBSCRIPTIONS ||
               bytes > RP_LIMIT_SUBSCRIPTIONS_TREE) {
        cut(self, rp_subscriptions_greatest(&self->subscriptions));
    }
}

/// @param bytes  1 or 0, then the topic: it is asked for, or given back [size]
static void take_subscription(rp_paths_socket_t *self, rp_guarded_t *connection,
                              const uint8_t *bytes, size_t size)
{
    if (size == 0 || connection == NULL || connection->is_cut) {
        return;
    }
    if (bytes[0] == 0) {
        rp_subscriptions_remove(&self->subscriptions, connection, bytes + 1, size - 1u);
    } else if (bytes[0] == 1) {
        if (!rp_subscriptions_add(&self->subscriptions, connection, bytes + 1, size - 1u)) {
            cut(self, connection);
        }
        make_room(self, connection);
    }
}

/// Under the mutex of the socket.
static void read_subscriptions(rp_paths_socket_t *self)
{
    rp_frames_t message;
    while (rp_frames_receive(self->socket, &message)) {
        zmq_msg_t *frame = &message.frames[0];
        rp_guarded_t *connection = rp_guard_sender(self->guard, 0, &message);
        take_subscription(self, connection, zmq_msg_data(frame), zmq_msg_size(frame));
        rp_guard_done(self->guard, 0, message.count, message.size);
        rp_frames_close(&message);
    }
    rp_guard_turn(self->guard, 0);
}

static void has_left(void *user, rp_guarded_t *connection)
{
    rp_paths_socket_t *self = user;
    rp_subscriptions_drop(&self->subscriptions, connection);
}

static void publish_counts(rp_paths_socket_t *self)
{
    const rp_guard_counts_t counts = rp_guard_counts(self->guard);
    atomic_store(&self->subscription_count, self->subscriptions.count);
    atomic_store(&self->open, counts.open);
    atomic_store(&self->refused, counts.refused);
    atomic_store(&self->cut, counts.cut);
}

// ---- the thread: the queue

/// @return owned; NULL when it is empty
static entry_t *take_queue(rp_paths_socket_t *self)
{
    (void)pthread_mutex_lock(&self->queue_mutex);
    entry_t *first = self->first;
    self->first = NULL;
    self->last = &self->first;
    self->queued_bytes = 0;
    (void)pthread_mutex_unlock(&self->queue_mutex);
    return first;
}

/// Under the mutex of the socket.
static void send_queue(rp_paths_socket_t *self)
{
    entry_t *entry = take_queue(self);
    while (entry != NULL) {
        entry_t *next = entry->next;
        if (zmq_msg_send(&entry->topic, self->socket, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0) {
            (void)zmq_msg_send(&entry->body, self->socket, ZMQ_DONTWAIT);
        }
        destroy_entry(entry);
        entry = next;
    }
}

// ---- the thread

/// While much is published the thread is not woken for each message, but looks by itself.
static void wait_for_work(rp_paths_socket_t *self, bool may_be_doubtful)
{
    struct pollfd spoken[] = {
        {.fd = self->descriptor, .events = POLLIN},
        {.fd = rp_guard_descriptor(self->guard), .events = POLLIN},
        {.fd = self->wake, .events = POLLIN},
    };
    uint64_t count;
    atomic_store(&self->is_asleep, !may_be_doubtful);
    const bool is_late = !may_be_doubtful && atomic_load(&self->is_doubtful);
    (void)poll(spoken, sizeof spoken / sizeof spoken[0],
               is_late           ? 0
               : may_be_doubtful ? LOOK_MS
                                 : -1);
    atomic_store(&self->is_asleep, false);
    (void)!read(self->wake, &count, sizeof count);
}

static void *run(void *user)
{
    rp_paths_socket_t *self = user;
    bool was_doubtful = true;
    while (!atomic_load(&self->is_stopping)) {
        wait_for_work(self, was_doubtful);
        was_doubtful = atomic_exchange(&self->is_doubtful, false);
        (void)pthread_mutex_lock(&self->socket_mutex);
        read_subscriptions(self);
        send_queue(self);
        (void)pthread_mutex_unlock(&self->socket_mutex);
        rp_guard_work(self->guard, steady_us(), true);
        publish_counts(self);
    }
    send_queue(self);
    return NULL;
}

// ---- birth and death

static bool start(rp_paths_socket_t *self, uint32_t most_connections, char *error, size_t size)
{
    const rp_guard_options_t options = {
        .most_each = most_connections,
        .most_all = most_connections,
        .ingress = {.unfinished_one = UNFINISHED_ONE,
                    .unfinished_all = RP_LIMIT_UNFINISHED,
                    .unread = UNREAD,
                    .frame_weight = TOPIC_BYTES,
                    .byte_weight = RP_TOPIC_NODE_BYTES,
                    .piece = PIECE,
                    .trusted = TRUSTED,
                    .keeps_wholes = true},
        .has_left = has_left,
        .user = self,
    };
    self->guard = rp_guard_new(&options);
    self->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (self->guard == NULL || self->wake < 0) {
        (void)snprintf(error, size, "no memory or no descriptor");
        return false;
    }
    return true;
}

static bool open_socket(rp_paths_socket_t *self, void *context, const char *endpoint,
                        rp_ipc_claim_t *claim, char *error, size_t size)
{
    size_t room = sizeof self->endpoint;
    self->socket = rp_socket_bind(context, ZMQ_XPUB, "paths", endpoint, claim, error, size);
    if (self->socket == NULL) {
        return false;
    }
    (void)zmq_getsockopt(self->socket, ZMQ_LAST_ENDPOINT, self->endpoint, &room);
    room = sizeof self->descriptor;
    (void)zmq_getsockopt(self->socket, ZMQ_FD, &self->descriptor, &room);
    if (!rp_guard_watch(self->guard, context, "paths", self->endpoint)) {
        (void)snprintf(error, size, "its connections cannot be watched");
        return false;
    }
    self->is_started = pthread_create(&self->thread, NULL, run, self) == 0;
    if (!self->is_started) {
        (void)snprintf(error, size, "no thread");
    }
    return self->is_started;
}

rp_paths_socket_t *rp_paths_socket_open(void *context, const char *endpoint, rp_ipc_claim_t *claim,
                                        uint32_t most_connections, char *error, size_t size)
{
    rp_paths_socket_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        (void)snprintf(error, size, "no memory");
        return NULL;
    }
    self->wake = -1;
    self->last = &self->first;
    (void)pthread_mutex_init(&self->socket_mutex, NULL);
    (void)pthread_mutex_init(&self->queue_mutex, NULL);
    if (!start(self, most_connections, error, size) ||
        !open_socket(self, context, endpoint, claim, error, size)) {
        rp_paths_socket_close(&self);
    }
    return self;
}

void rp_paths_socket_close(rp_paths_socket_t **self)
{
    rp_paths_socket_t *paths = *self;
    if (paths == NULL) {
        return;
    }
    if (paths->is_started) {
        atomic_store(&paths->is_stopping, true);
        wake(paths);
        (void)pthread_join(paths->thread, NULL);
    }
    rp_guard_destroy(&paths->guard);
    rp_subscriptions_fini(&paths->subscriptions);
    if (paths->socket != NULL) {
        (void)zmq_close(paths->socket);
    }
    if (paths->wake >= 0) {
        (void)close(paths->wake);
    }
    (void)pthread_mutex_destroy(&paths->queue_mutex);
    (void)pthread_mutex_destroy(&paths->socket_mutex);
    free(paths);
    *self = NULL;
}
