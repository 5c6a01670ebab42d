/// One DEALER, what it sent, and what came that nobody asked for yet.
///
///     rp_client_call(): socket --> its own reply      --> reply --> caller
///                              \-> everything else    --> inbox (frames, as they came)
///     rp_client_poll(): inbox, then socket            --> event --> caller
///
/// The inbox cannot grow without end: replies are bounded by the window, the rest by the credit of
/// the watches, which is renewed only as events are handed out.
#include "replan/client.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "frames.h"
#include "line.h"
#include "msgs/codec.h"
#include "msgs/limits.h"
#include "paths.h"
#include "portions.h"
#include "windows.h"

static_assert(RP_CLIENT_WINDOW < RP_LIMIT_WINDOW, "one place is left for rp_client_call()");

/// The daemon says TIMEOUT itself at the deadline; wait a little longer to hear it.
#define GRACE_MS 500u

typedef struct watch {
    uint32_t id;     ///< 0: free
    uint32_t credit; ///< granted; half of it spent is renewed
    uint32_t spent;  ///< handed out since the last renewal
    bool splices;    ///< its answers build upon each other
} watch_t;

/// A request of rp_client_send() without a polled reply.
typedef struct waiting {
    uint64_t id;
    rp_named_t named;
} waiting_t;

/// A message that is lent out, until the next one takes its place.
typedef struct loan {
    rp_arena_t arena;
    zmq_msg_t frame; ///< it came in this: long fields of bytes still lie there
} loan_t;

struct rp_client {
    rp_line_t line;
    uint32_t connect_ms;
    uint64_t next_id; ///< starts at random, too
    uint64_t life;    ///< random: ids of another run are not taken for this one's
    waiting_t waiting[RP_CLIENT_WINDOW];
    uint32_t waiting_count;
    watch_t watches[RP_CLIENT_WATCHES];
    rp_frames_t inbox;
    rp_paths_t paths; ///< of watches with splices
    rp_heard_windows_t windows;
    const Replan__V1__Answers *batch; ///< answers that are handed out one by one; NULL: none
    size_t batch_next;
    uint32_t batch_watch;
    bool is_lost; ///< the line broke, and the owner was not told yet
    loan_t event;
    loan_t reply;
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

static rp_client_status_t refuse_null(rp_client_t *self, const char *argument)
{
    return fail(self, RP_CLIENT_E_INVALID, "%s is NULL", argument);
}

// ---- requests

/// A break is told by rp_client_poll(), whoever notices it.
static rp_line_event_t receive(rp_client_t *self, int64_t deadline_ms, zmq_msg_t *frame)
{
    const rp_line_event_t arrival = rp_line_receive(&self->line, deadline_ms, frame);
    self->is_lost = self->is_lost || arrival == RP_LINE_BROKE;
    return arrival;
}

/// @param frame  given
static const Replan__V1__ToClient *unpack(loan_t *loan, zmq_msg_t *frame)
{
    rp_arena_reset(&loan->arena);
    zmq_msg_move(&loan->frame, frame);
    return (const Replan__V1__ToClient *)rp_codec_unpack(
        &loan->arena, &replan__v1__to_client__descriptor, zmq_msg_data(&loan->frame),
        zmq_msg_size(&loan->frame));
}

/// @return its place in `waiting`, waiting_count when it is not there
static uint32_t find_waiting(const rp_client_t *self, uint64_t id)
{
    uint32_t at = 0;
    while (at < self->waiting_count && self->waiting[at].id != id) {
        at++;
    }
    return at;
}

/// @param named  written: whose window it names, or makes
static rp_client_status_t send_packed(rp_client_t *self, Replan__V1__Request *request,
                                      bool may_wait, rp_named_t *named)
{
    request->life = self->life;
    if (request->deadline_ms == 0) {
        request->deadline_ms = RP_CLIENT_DEADLINE_MS;
    }
    *named = rp_windows_name(&self->windows, request);
    const bool is_packed = rp_codec_pack(&self->packed, &request->base);
    rp_windows_unname(named);
    if (!is_packed) {
        return fail(self, RP_CLIENT_E_MEMORY, "no memory to pack the request");
    }
    if (self->packed.size > RP_LIMIT_MESSAGE_BYTES) {
        return fail(self, RP_CLIENT_E_INVALID, "the request has %zu bytes, a message at most %u",
                    self->packed.size, RP_LIMIT_MESSAGE_BYTES);
    }
    if (!rp_line_send(&self->line, self->packed.bytes, self->packed.size, may_wait)) {
        return fail(self, RP_CLIENT_E_NO_DAEMON, "no daemon took the request in %" PRIu32 " ms",
                    self->connect_ms);
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

/// Put what came instead of a reply into the inbox. @return false without memory
static bool put_by(rp_client_t *self)
{
    const bool has_room = rp_frames_put(&self->inbox, &self->reply.frame);
    zmq_msg_init(&self->reply.frame);
    return has_room;
}

static rp_client_status_t await_reply(rp_client_t *self, uint64_t id, uint32_t deadline_ms,
                                      const rp_named_t *named, const Replan__V1__Reply **reply)
{
    const int64_t deadline = rp_line_now_ms() + deadline_ms + GRACE_MS;
    for (;;) {
        zmq_msg_t frame;
        switch (receive(self, deadline, &frame)) {
        case RP_LINE_BROKE:
            return fail(self, RP_CLIENT_E_NO_DAEMON, "the daemon went away before it replied");
        case RP_LINE_NOTHING:
            if (rp_line_left_ms(deadline) == 0) {
                return fail(self, RP_CLIENT_E_NO_DAEMON, "no reply within %" PRIu32 " ms",
                            deadline_ms);
            }
            continue;
        case RP_LINE_FRAME:
            break;
        }
        const Replan__V1__ToClient *news = unpack(&self->reply, &frame);
        const bool is_reply = news != NULL && news->body_case == REPLAN__V1__TO_CLIENT__BODY_REPLY;
        if (is_reply && news->reply->id == id) {
            *reply = news->reply;
            rp_windows_reply(&self->windows, news->reply, named);
            return judge(self, news->reply);
        }
        const bool is_late = is_reply && find_waiting(self, news->reply->id) == self->waiting_count;
        if (news != NULL && !is_late && !put_by(self)) {
            return fail(self, RP_CLIENT_E_MEMORY, "no memory to keep an event");
        }
    }
}

rp_client_status_t rp_client_call(rp_client_t *self, Replan__V1__Request *request,
                                  const Replan__V1__Reply **reply)
{
    const Replan__V1__Reply *ignored;
    rp_named_t named;
    if (request == NULL) {
        return refuse_null(self, "request");
    }
    if (rp_portions_are_needed(request)) {
        return rp_portions_call(self, request, reply);
    }
    // An older break says nothing about this request.
    self->is_lost = rp_line_look(&self->line) || self->is_lost;
    request->id = self->next_id++;
    rp_client_status_t status = send_packed(self, request, true, &named);
    if (status == RP_CLIENT_OK) {
        status = await_reply(self, request->id, request->deadline_ms, &named,
                             reply == NULL ? &ignored : reply);
    }
    rp_windows_give_up(&named, request->id);
    return status;
}

rp_client_status_t rp_client_send(rp_client_t *self, Replan__V1__Request *request, uint64_t *id)
{
    rp_named_t named;
    if (request == NULL) {
        return refuse_null(self, "request");
    }
    if (self->waiting_count == RP_CLIENT_WINDOW) {
        return fail(self, RP_CLIENT_E_FULL, "%u replies were not polled yet", RP_CLIENT_WINDOW);
    }
    request->id = self->next_id++;
    const rp_client_status_t status = send_packed(self, request, true, &named);
    if (status != RP_CLIENT_OK) {
        rp_windows_give_up(&named, request->id);
        return status;
    }
    self->waiting[self->waiting_count++] = (waiting_t){request->id, named};
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
    if (watch == NULL || id == NULL) {
        return refuse_null(self, watch == NULL ? "watch" : "id");
    }
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
    rp_named_t named;
    if (send_packed(self, &request, false, &named) == RP_CLIENT_OK) {
        watch->spent = 0;
    }
}

// ---- events

static void hand_out_reply(rp_client_t *self, const Replan__V1__Reply *reply,
                           rp_client_event_t *event)
{
    const uint32_t at = find_waiting(self, reply->id);
    if (at < self->waiting_count) {
        rp_windows_reply(&self->windows, reply, &self->waiting[at].named);
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
    rp_named_t named;
    (void)send_packed(self, &request, false, &named);
}

static void hand_out_answer(rp_client_t *self, const watch_t *watch, Replan__V1__Answer *answer,
                            rp_client_event_t *event)
{
    if (!watch->splices || rp_paths_take(&self->paths, watch->id, answer)) {
        *event = (rp_client_event_t){.kind = RP_CLIENT_ANSWER, .answer = answer};
        rp_windows_hear(&self->windows, answer->world, answer->epoch, answer->window,
                        answer->geometry);
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
        rp_windows_hear(&self->windows, news->delta->world, news->delta->epoch, news->delta->window,
                        news->delta->geometry);
        break;
    case REPLAN__V1__TO_CLIENT__BODY_CHUNK:
        *event = (rp_client_event_t){.kind = RP_CLIENT_CHUNK, .chunk = news->chunk};
        rp_windows_hear(&self->windows, news->chunk->world, news->chunk->epoch, news->chunk->window,
                        news->chunk->geometry);
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
    rp_windows_forget(&self->windows);
    memset(self->watches, 0, sizeof(self->watches));
    rp_paths_forget(&self->paths, 0);
    event->kind = RP_CLIENT_LOST;
}

bool rp_client_poll(rp_client_t *self, int timeout_ms, rp_client_event_t *event)
{
    const int64_t deadline = timeout_ms < 0 ? -1 : rp_line_now_ms() + timeout_ms;
    if (event == NULL) {
        return false;
    }
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
            const rp_line_event_t arrival = receive(self, deadline, &frame);
            if (arrival == RP_LINE_NOTHING) {
                return false;
            }
            if (arrival == RP_LINE_BROKE) {
                continue;
            }
        }
        hand_out(self, unpack(&self->event, &frame), event);
    }
    return true;
}

int rp_client_fd(const rp_client_t *self)
{
    return self->line.fd;
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

static void loan_init(loan_t *self)
{
    rp_arena_init(&self->arena, RP_LIMIT_ARENA_BYTES);
    zmq_msg_init(&self->frame);
}

static void loan_fini(loan_t *self)
{
    zmq_msg_close(&self->frame);
    rp_arena_fini(&self->arena);
}

rp_client_status_t rp_client_open(const char *control, uint32_t timeout_ms, rp_client_t **client)
{
    if (control == NULL || client == NULL) {
        return RP_CLIENT_E_INVALID;
    }
    rp_client_t *self = calloc(1, sizeof(*self));
    if (self == NULL) {
        return RP_CLIENT_E_MEMORY;
    }
    rp_client_status_t status = RP_CLIENT_E_MEMORY;
    self->connect_ms = timeout_ms;
    loan_init(&self->event);
    loan_init(&self->reply);
    uint32_t incarnation = (uint32_t)rp_line_now_ms();
    if (getrandom(&incarnation, sizeof(incarnation), GRND_NONBLOCK) < 0) {
        incarnation ^= (uint32_t)(uintptr_t)self; // early at boot; the clock tells most runs apart
    }
    self->next_id = (uint64_t)incarnation << 32 | 1;
    if (getrandom(&self->life, sizeof(self->life), GRND_NONBLOCK) < 0) {
        self->life = self->next_id;
    }
    self->life |= 1u; // 0 would be none
    if (!rp_line_open(&self->line, timeout_ms)) {
        goto fail;
    }
    status = RP_CLIENT_E_INVALID;
    if (!rp_line_connect(&self->line, control)) {
        goto fail;
    }
    status = RP_CLIENT_E_NO_DAEMON;
    if (!rp_line_await(&self->line, timeout_ms)) {
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
    rp_client_t *client = self != NULL ? *self : NULL;
    if (client == NULL) {
        return;
    }
    rp_frames_fini(&client->inbox);
    rp_line_close(&client->line);
    rp_paths_forget(&client->paths, 0);
    loan_fini(&client->event);
    loan_fini(&client->reply);
    rp_buffer_fini(&client->packed);
    free(client);
    *self = NULL;
}
