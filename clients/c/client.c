/// One DEALER, what it sent, and what came that nobody asked for yet.
///
///     rp_client_call(): socket --> its own reply      --> reply_arena --> caller
///                              \-> everything else    --> inbox (frames, as they came)
///     rp_client_poll(): inbox, then socket            --> event_arena --> caller
///
/// The inbox cannot grow without end: replies are bounded by the window, the rest by the credit of
/// the watches, which is renewed only as events are handed out.
#include "replan/client.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <zmq.h>

#include "frames.h"
#include "msgs/codec.h"
#include "msgs/limits.h"
#include "paths.h"

static_assert(RP_CLIENT_WINDOW < RP_LIMIT_WINDOW, "one place is left for rp_client_call()");

#define MONITOR "inproc://monitor"

/// The daemon says TIMEOUT itself at the deadline; wait a little longer to hear it.
#define GRACE_MS 500u

/// How long closing waits for the last requests to leave.
#define LINGER_MS 200

/// A stopped daemon is noticed as a broken line, not as a silence.
#define HEARTBEAT_MS         1000
#define HEARTBEAT_TIMEOUT_MS 4000

typedef struct watch {
    uint32_t id;     ///< 0: free
    uint32_t credit; ///< granted; half of it spent is renewed
    uint32_t spent;  ///< handed out since the last renewal
    bool splices;    ///< its answers build upon each other
} watch_t;

struct rp_client {
    void *context;
    void *socket;
    void *monitor; ///< tells when the line breaks
    int fd;
    uint32_t connect_ms;
    uint64_t next_id; ///< starts at random: the daemon answers a repeated id with the old reply
    uint64_t waiting[RP_CLIENT_WINDOW]; ///< ids of rp_client_send() without a polled reply
    uint32_t waiting_count;
    watch_t watches[RP_CLIENT_WATCHES];
    rp_frames_t inbox;
    rp_paths_t paths;                 ///< of watches with splices
    const Replan__V1__Answers *batch; ///< answers that are handed out one by one; NULL: none
    size_t batch_next;
    uint32_t batch_watch;
    bool is_lost; ///< the line broke, and the owner was not told yet
    rp_arena_t event_arena;
    rp_arena_t reply_arena;
    rp_buffer_t packed;
    char sentence[300];
};

/// @return status, so that a failure is one line
static rp_client_status_t fail(rp_client_t *self, rp_client_status_t status, const char *format,
                               ...) __attribute__((format(printf, 3, 4)));

static rp_client_status_t fail(rp_client_t *self, rp_client_status_t status, const char *format,
                               ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(self->sentence, sizeof(self->sentence), format, arguments);
    va_end(arguments);
    return status;
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// @return milliseconds until the deadline, as zmq_poll() wants them: at least 0, -1 for never
static long left_ms(int64_t deadline_ms)
{
    if (deadline_ms < 0) {
        return -1;
    }
    const int64_t left = deadline_ms - now_ms();
    return left > 0 ? (long)left : 0;
}

// ---- the line

/// @return true when the line broke since the last look
static bool look_at_line(rp_client_t *self)
{
    bool broke = false;
    zmq_msg_t part;
    zmq_msg_init(&part);
    while (zmq_msg_recv(&part, self->monitor, ZMQ_DONTWAIT) >= 0) {
        uint16_t kind = 0;
        if (zmq_msg_size(&part) >= sizeof(kind) && zmq_msg_more(&part)) {
            memcpy(&kind, zmq_msg_data(&part), sizeof(kind));
            broke = broke || kind == ZMQ_EVENT_DISCONNECTED;
        }
    }
    zmq_msg_close(&part);
    self->is_lost = self->is_lost || broke;
    return broke;
}

/// The next message off the socket: its last part, as an envelope is nothing to us.
/// @return false when there is none
static bool receive_now(rp_client_t *self, zmq_msg_t *frame)
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

typedef enum arrival {
    ARRIVED_FRAME,
    ARRIVED_NOTHING, ///< the deadline, or a signal
    ARRIVED_BREAK,   ///< the line broke
} arrival_t;

/// What came before the line broke is read before the break is told.
static arrival_t receive(rp_client_t *self, int64_t deadline_ms, zmq_msg_t *frame)
{
    for (;;) {
        if (receive_now(self, frame)) {
            return ARRIVED_FRAME;
        }
        if (look_at_line(self)) {
            return ARRIVED_BREAK;
        }
        zmq_pollitem_t items[] = {
            {.socket = self->socket, .events = ZMQ_POLLIN},
            {.socket = self->monitor, .events = ZMQ_POLLIN},
        };
        if (zmq_poll(items, 2, left_ms(deadline_ms)) <= 0) {
            return ARRIVED_NOTHING;
        }
    }
}

// ---- requests

static const Replan__V1__ToClient *unpack(rp_arena_t *arena, zmq_msg_t *frame)
{
    rp_arena_reset(arena);
    return (const Replan__V1__ToClient *)rp_codec_unpack(arena, &replan__v1__to_client__descriptor,
                                                         zmq_msg_data(frame), zmq_msg_size(frame));
}

/// @return its place in `waiting`, waiting_count when it is not there
static uint32_t find_waiting(const rp_client_t *self, uint64_t id)
{
    uint32_t at = 0;
    while (at < self->waiting_count && self->waiting[at] != id) {
        at++;
    }
    return at;
}

static rp_client_status_t send_packed(rp_client_t *self, Replan__V1__Request *request, int flags)
{
    if (request->deadline_ms == 0) {
        request->deadline_ms = RP_CLIENT_DEADLINE_MS;
    }
    if (!rp_codec_pack(&self->packed, &request->base)) {
        return fail(self, RP_CLIENT_E_MEMORY, "no memory to pack the request");
    }
    if (self->packed.size > RP_LIMIT_MESSAGE_BYTES) {
        return fail(self, RP_CLIENT_E_INVALID, "the request has %zu bytes, a message at most %u",
                    self->packed.size, RP_LIMIT_MESSAGE_BYTES);
    }
    while (zmq_send(self->socket, self->packed.bytes, self->packed.size, flags) < 0) {
        if (errno != EINTR) {
            return fail(self, RP_CLIENT_E_NO_DAEMON, "no daemon took the request in %" PRIu32 " ms",
                        self->connect_ms);
        }
    }
    return RP_CLIENT_OK;
}

static rp_client_status_t judge(rp_client_t *self, const Replan__V1__Reply *reply)
{
    if (reply->status == REPLAN__V1__STATUS__OK) {
        return RP_CLIENT_OK;
    }
    return fail(self, RP_CLIENT_E_REFUSED, "%s", reply->sentence);
}

static rp_client_status_t await_reply(rp_client_t *self, uint64_t id, uint32_t deadline_ms,
                                      const Replan__V1__Reply **reply)
{
    const int64_t deadline = now_ms() + deadline_ms + GRACE_MS;
    for (;;) {
        zmq_msg_t frame;
        switch (receive(self, deadline, &frame)) {
        case ARRIVED_BREAK:
            return fail(self, RP_CLIENT_E_NO_DAEMON, "the daemon went away before it replied");
        case ARRIVED_NOTHING:
            if (left_ms(deadline) == 0) {
                return fail(self, RP_CLIENT_E_NO_DAEMON, "no reply within %" PRIu32 " ms",
                            deadline_ms);
            }
            continue;
        case ARRIVED_FRAME:
            break;
        }
        const Replan__V1__ToClient *news = unpack(&self->reply_arena, &frame);
        const bool is_reply = news != NULL && news->body_case == REPLAN__V1__TO_CLIENT__BODY_REPLY;
        if (is_reply && news->reply->id == id) {
            zmq_msg_close(&frame);
            *reply = news->reply;
            return judge(self, news->reply);
        }
        const bool is_late = is_reply && find_waiting(self, news->reply->id) == self->waiting_count;
        if (news == NULL || is_late) {
            zmq_msg_close(&frame);
        } else if (!rp_frames_put(&self->inbox, &frame)) {
            return fail(self, RP_CLIENT_E_MEMORY, "no memory to keep an event");
        }
    }
}

rp_client_status_t rp_client_call(rp_client_t *self, Replan__V1__Request *request,
                                  const Replan__V1__Reply **reply)
{
    const Replan__V1__Reply *ignored;
    look_at_line(self); // an older break says nothing about this request
    request->id = self->next_id++;
    const rp_client_status_t status = send_packed(self, request, 0);
    if (status != RP_CLIENT_OK) {
        return status;
    }
    return await_reply(self, request->id, request->deadline_ms, reply == NULL ? &ignored : reply);
}

rp_client_status_t rp_client_send(rp_client_t *self, Replan__V1__Request *request, uint64_t *id)
{
    if (self->waiting_count == RP_CLIENT_WINDOW) {
        return fail(self, RP_CLIENT_E_FULL, "%u replies were not polled yet", RP_CLIENT_WINDOW);
    }
    request->id = self->next_id++;
    const rp_client_status_t status = send_packed(self, request, 0);
    if (status != RP_CLIENT_OK) {
        return status;
    }
    self->waiting[self->waiting_count++] = request->id;
    if (id != NULL) {
        *id = request->id;
    }
    return RP_CLIENT_OK;
}

uint32_t rp_client_pending(const rp_client_t *self)
{
    return self->waiting_count;
}

// ---- watches

/// @param id  0 finds a free place
static watch_t *find_watch(rp_client_t *self, uint32_t id)
{
    for (size_t i = 0; i < RP_CLIENT_WATCHES; i++) {
        if (self->watches[i].id == id) {
            return &self->watches[i];
        }
    }
    return NULL;
}

rp_client_status_t rp_client_watch(rp_client_t *self, Replan__V1__Watch *watch, uint32_t *id)
{
    watch_t *place = find_watch(self, 0);
    if (place == NULL) {
        return fail(self, RP_CLIENT_E_FULL, "%u watches are open", RP_CLIENT_WATCHES);
    }
    if (watch->credit == 0) {
        watch->credit = RP_CLIENT_CREDIT;
    }
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    request.body_case = REPLAN__V1__REQUEST__BODY_WATCH;
    request.watch = watch;
    const Replan__V1__Reply *reply;
    const rp_client_status_t status = rp_client_call(self, &request, &reply);
    if (status != RP_CLIENT_OK) {
        return status;
    }
    if (reply->body_case != REPLAN__V1__REPLY__BODY_WATCHING || reply->watching->watch == 0) {
        return fail(self, RP_CLIENT_E_REFUSED, "the reply to a watch names no watch");
    }
    *place = (watch_t){
        .id = reply->watching->watch, .credit = watch->credit, .splices = watch->splices != 0};
    *id = place->id;
    return RP_CLIENT_OK;
}

rp_client_status_t rp_client_unwatch(rp_client_t *self, uint32_t id)
{
    watch_t *watch = id == 0 ? NULL : find_watch(self, id);
    if (watch == NULL) {
        return fail(self, RP_CLIENT_E_INVALID, "this client has no watch %" PRIu32, id);
    }
    *watch = (watch_t){0};
    rp_paths_forget(&self->paths, id);
    Replan__V1__Unwatch unwatch = REPLAN__V1__UNWATCH__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    unwatch.watch = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_UNWATCH;
    request.unwatch = &unwatch;
    return rp_client_call(self, &request, NULL);
}

/// An event was handed out. The request keeps id 0, so that it is not replied to; a credit that
/// cannot leave now is tried again with the next event.
static void renew_credit(rp_client_t *self, watch_t *watch)
{
    watch->spent++;
    if (2 * (uint64_t)watch->spent < watch->credit) {
        return;
    }
    Replan__V1__Credit credit = REPLAN__V1__CREDIT__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    credit.watch = watch->id;
    credit.credit = watch->spent;
    request.body_case = REPLAN__V1__REQUEST__BODY_CREDIT;
    request.credit = &credit;
    if (send_packed(self, &request, ZMQ_DONTWAIT) == RP_CLIENT_OK) {
        watch->spent = 0;
    }
}

// ---- events

static void hand_out_reply(rp_client_t *self, const Replan__V1__Reply *reply,
                           rp_client_event_t *event)
{
    const uint32_t at = find_waiting(self, reply->id);
    if (at < self->waiting_count) {
        self->waiting[at] = self->waiting[--self->waiting_count];
        *event = (rp_client_event_t){.kind = RP_CLIENT_REPLY, .reply = reply};
    }
}

/// An answer builds upon a path that is not here: have it sent whole. A request that cannot leave
/// now is not missed for long: the agent's next answer does not fit either.
static void ask_for_whole(rp_client_t *self, const watch_t *watch, char *agent)
{
    Replan__V1__Credit credit = REPLAN__V1__CREDIT__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    credit.watch = watch->id;
    credit.whole = &agent;
    credit.n_whole = 1;
    request.body_case = REPLAN__V1__REQUEST__BODY_CREDIT;
    request.credit = &credit;
    (void)send_packed(self, &request, ZMQ_DONTWAIT);
}

static void hand_out_answer(rp_client_t *self, const watch_t *watch, Replan__V1__Answer *answer,
                            rp_client_event_t *event)
{
    if (!watch->splices || rp_paths_take(&self->paths, watch->id, answer)) {
        *event = (rp_client_event_t){.kind = RP_CLIENT_ANSWER, .answer = answer};
    } else {
        ask_for_whole(self, watch, answer->agent);
    }
}

/// The next answer of the batch at hand.
static void hand_out_next(rp_client_t *self, rp_client_event_t *event)
{
    watch_t *watch = find_watch(self, self->batch_watch);
    if (watch == NULL || self->batch_next == self->batch->n_answers) {
        self->batch = NULL; // read, or its watch ended meanwhile
        return;
    }
    hand_out_answer(self, watch, self->batch->answers[self->batch_next++], event);
    event->watch = event->kind != RP_CLIENT_NOTHING ? watch->id : 0;
    renew_credit(self, watch);
}

/// What nobody waits for leaves the event as it is: malformed, late, of a watch that ended.
static void hand_out(rp_client_t *self, const Replan__V1__ToClient *news, rp_client_event_t *event)
{
    if (news == NULL) {
        return;
    }
    if (news->body_case == REPLAN__V1__TO_CLIENT__BODY_REPLY) {
        hand_out_reply(self, news->reply, event);
        return;
    }
    watch_t *watch = news->watch == 0 ? NULL : find_watch(self, news->watch);
    if (watch == NULL) {
        return;
    }
    switch (news->body_case) {
    case REPLAN__V1__TO_CLIENT__BODY_ANSWER:
        hand_out_answer(self, watch, news->answer, event);
        break;
    case REPLAN__V1__TO_CLIENT__BODY_ANSWERS:
        self->batch = news->answers;
        self->batch_next = 0;
        self->batch_watch = watch->id;
        return;
    case REPLAN__V1__TO_CLIENT__BODY_HEAD:
        *event = (rp_client_event_t){.kind = RP_CLIENT_HEAD, .head = news->head};
        break;
    case REPLAN__V1__TO_CLIENT__BODY_DELTA:
        *event = (rp_client_event_t){.kind = RP_CLIENT_DELTA, .delta = news->delta};
        break;
    case REPLAN__V1__TO_CLIENT__BODY_CHUNK:
        *event = (rp_client_event_t){.kind = RP_CLIENT_CHUNK, .chunk = news->chunk};
        break;
    case REPLAN__V1__TO_CLIENT__BODY_ENDED:
        *event =
            (rp_client_event_t){.kind = RP_CLIENT_ENDED, .watch = watch->id, .ended = news->ended};
        rp_paths_forget(&self->paths, watch->id);
        *watch = (watch_t){0};
        return;
    default:
        return;
    }
    event->watch = event->kind != RP_CLIENT_NOTHING ? watch->id : 0;
    renew_credit(self, watch);
}

/// What came before the break has been handed out; nothing else belongs to the old line.
static void hand_out_break(rp_client_t *self, rp_client_event_t *event)
{
    self->is_lost = false;
    self->waiting_count = 0;
    memset(self->watches, 0, sizeof(self->watches));
    rp_paths_forget(&self->paths, 0);
    event->kind = RP_CLIENT_LOST;
}

bool rp_client_poll(rp_client_t *self, int timeout_ms, rp_client_event_t *event)
{
    const int64_t deadline = timeout_ms < 0 ? -1 : now_ms() + timeout_ms;
    *event = (rp_client_event_t){.kind = RP_CLIENT_NOTHING};
    while (event->kind == RP_CLIENT_NOTHING) {
        zmq_msg_t frame;
        if (self->batch != NULL) {
            hand_out_next(self, event);
            continue;
        }
        if (!rp_frames_take(&self->inbox, &frame)) {
            if (self->is_lost) {
                hand_out_break(self, event);
                return true;
            }
            const arrival_t arrival = receive(self, deadline, &frame);
            if (arrival == ARRIVED_NOTHING) {
                return false;
            }
            if (arrival == ARRIVED_BREAK) {
                continue;
            }
        }
        hand_out(self, unpack(&self->event_arena, &frame), event);
        zmq_msg_close(&frame);
    }
    return true;
}

int rp_client_fd(const rp_client_t *self)
{
    return self->fd;
}

const char *rp_client_sentence(const rp_client_t *self)
{
    return self->sentence;
}

const char *rp_client_status_text(rp_client_status_t status)
{
    switch (status) {
    case RP_CLIENT_OK:
        return "fine";
    case RP_CLIENT_E_NO_DAEMON:
        return "no daemon";
    case RP_CLIENT_E_REFUSED:
        return "refused";
    case RP_CLIENT_E_FULL:
        return "the window is full";
    case RP_CLIENT_E_INVALID:
        return "not an endpoint, or too large to send";
    case RP_CLIENT_E_MEMORY:
        return "no memory";
    }
    return "not a status";
}

// ---- birth and death

static bool set_option(void *socket, int option, int value)
{
    return zmq_setsockopt(socket, option, &value, sizeof(value)) == 0;
}

static bool set_options(rp_client_t *self)
{
    return set_option(self->socket, ZMQ_IMMEDIATE, 1) && // nothing is queued for nobody
           set_option(self->socket, ZMQ_LINGER, LINGER_MS) &&
           set_option(self->socket, ZMQ_SNDTIMEO, (int)self->connect_ms) &&
           set_option(self->socket, ZMQ_RCVHWM, 0) && // bounded by window and credit instead
           set_option(self->socket, ZMQ_HEARTBEAT_IVL, HEARTBEAT_MS) &&
           set_option(self->socket, ZMQ_HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT_MS);
}

static bool open_sockets(rp_client_t *self)
{
    self->context = zmq_ctx_new();
    if (self->context == NULL) {
        return false;
    }
    self->socket = zmq_socket(self->context, ZMQ_DEALER);
    self->monitor = zmq_socket(self->context, ZMQ_PAIR);
    size_t size = sizeof(self->fd);
    return self->socket != NULL && self->monitor != NULL && set_options(self) &&
           zmq_socket_monitor(self->socket, MONITOR, ZMQ_EVENT_DISCONNECTED) == 0 &&
           zmq_connect(self->monitor, MONITOR) == 0 &&
           zmq_getsockopt(self->socket, ZMQ_FD, &self->fd, &size) == 0;
}

/// With ZMQ_IMMEDIATE a socket can send only once the other side shook hands.
static bool await_daemon(rp_client_t *self)
{
    const int64_t deadline = now_ms() + self->connect_ms;
    zmq_pollitem_t item = {.socket = self->socket, .events = ZMQ_POLLOUT};
    while (zmq_poll(&item, 1, left_ms(deadline)) <= 0) {
        if (left_ms(deadline) == 0) {
            return false;
        }
    }
    return true;
}

rp_client_status_t rp_client_open(const char *control, uint32_t timeout_ms, rp_client_t **client)
{
    rp_client_t *self = calloc(1, sizeof(*self));
    if (self == NULL) {
        return RP_CLIENT_E_MEMORY;
    }
    rp_client_status_t status = RP_CLIENT_E_MEMORY;
    self->connect_ms = timeout_ms;
    rp_arena_init(&self->event_arena, RP_LIMIT_ARENA_BYTES);
    rp_arena_init(&self->reply_arena, RP_LIMIT_ARENA_BYTES);
    uint32_t incarnation = (uint32_t)now_ms();
    if (getrandom(&incarnation, sizeof(incarnation), GRND_NONBLOCK) < 0) {
        incarnation ^= (uint32_t)(uintptr_t)self; // early at boot; the clock tells most runs apart
    }
    self->next_id = (uint64_t)incarnation << 32 | 1;
    if (!open_sockets(self)) {
        goto fail;
    }
    status = RP_CLIENT_E_INVALID;
    if (zmq_connect(self->socket, control) != 0) {
        goto fail;
    }
    status = RP_CLIENT_E_NO_DAEMON;
    if (!await_daemon(self)) {
        goto fail;
    }
    *client = self;
    return RP_CLIENT_OK;
fail:
    rp_client_close(&self);
    return status;
}

void rp_client_close(rp_client_t **self)
{
    rp_client_t *client = *self;
    if (client == NULL) {
        return;
    }
    rp_frames_fini(&client->inbox);
    if (client->socket != NULL) {
        zmq_close(client->socket);
    }
    if (client->monitor != NULL) {
        zmq_close(client->monitor);
    }
    if (client->context != NULL) {
        zmq_ctx_term(client->context);
    }
    rp_paths_forget(&client->paths, 0);
    rp_arena_fini(&client->event_arena);
    rp_arena_fini(&client->reply_arena);
    rp_buffer_fini(&client->packed);
    free(client);
    *self = NULL;
}
