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

#include "caller.h"
#include "msgs/limits.h"
#include "own_watches.h"
#include "portions.h"

static_assert(RP_CLIENT_WINDOW < RP_LIMIT_WINDOW, "one place is left for rp_client_call()");

rp_client_status_t rp_caller_fail(rp_client_t *self, rp_client_status_t status, const char *format,
                                  ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(self->sentence, sizeof(self->sentence), format, arguments);
    va_end(arguments);
    return status;
}

rp_client_status_t rp_caller_refuse_null(rp_client_t *self, const char *argument)
{
    return rp_caller_fail(self, RP_CLIENT_E_INVALID, "%s is NULL", argument);
}

// ---- requests

static void note_break(rp_client_t *self)
{
    if (!self->is_lost) {
        self->is_lost = true;
        self->before_break = self->inbox.count;
    }
}

bool rp_caller_look(rp_client_t *self)
{
    const bool broke = rp_line_look(&self->line);
    if (broke) {
        note_break(self);
    }
    return broke;
}

rp_line_event_t rp_caller_receive(rp_client_t *self, int64_t deadline_ms, zmq_msg_t *frame)
{
    const rp_line_event_t arrival = rp_line_receive(&self->line, deadline_ms, frame);
    if (arrival == RP_LINE_BROKE) {
        note_break(self);
    }
    return arrival;
}

/// @param frame  given
const Replan__V1__ToClient *rp_caller_unpack(rp_loan_t *loan, zmq_msg_t *frame)
{
    rp_message_arena_reset(&loan->arena);
    zmq_msg_move(&loan->frame, frame);
    return (const Replan__V1__ToClient *)rp_codec_unpack(
        &loan->arena, &replan__v1__to_client__descriptor, zmq_msg_data(&loan->frame),
        zmq_msg_size(&loan->frame));
}

/// @return its place in `waiting`, waiting_count when it is not there
uint32_t rp_caller_find_waiting(const rp_client_t *self, uint64_t id)
{
    uint32_t at = 0;
    while (at < self->waiting_count && self->waiting[at].id != id) {
        at++;
    }
    return at;
}

/// Notice what there is to notice. @return false when no line is there in time
static bool settle(rp_client_t *self, uint32_t timeout_ms)
{
    const uint32_t before = self->line.breaks;
    const bool is_there = rp_line_settle(&self->line, timeout_ms);
    if (self->line.breaks != before) {
        note_break(self);
    }
    return is_there;
}

/// @param named  written: whose window it names, or makes
rp_client_status_t rp_caller_send(rp_client_t *self, Replan__V1__Request *request, bool may_wait,
                                  rp_named_t *named)
{
    request->life = self->life;
    if (request->deadline_ms == 0) {
        request->deadline_ms = RP_CLIENT_DEADLINE_MS;
    }
    *named = rp_windows_name(&self->windows, request);
    const bool is_packed = rp_codec_pack(&self->packed, &request->base);
    rp_windows_unname(named);
    if (!is_packed) {
        return rp_caller_fail(self, RP_CLIENT_E_MEMORY, "no memory to pack the request");
    }
    if (self->packed.size > RP_LIMIT_MESSAGE_BYTES) {
        return rp_caller_fail(self, RP_CLIENT_E_INVALID,
                              "the request has %zu bytes, a message at most %u", self->packed.size,
                              RP_LIMIT_MESSAGE_BYTES);
    }
    // An older break says nothing about this request.
    const bool is_there = settle(self, may_wait ? self->connect_ms : 0);
    self->sent_on = self->line.breaks;
    if (!is_there || !rp_line_send(&self->line, self->packed.bytes, self->packed.size, may_wait)) {
        return rp_caller_fail(self, RP_CLIENT_E_NO_DAEMON,
                              "no daemon took the request in %" PRIu32 " ms", self->connect_ms);
    }
    return RP_CLIENT_OK;
}

static rp_client_status_t judge(rp_client_t *self, const Replan__V1__Reply *reply)
{
    if (reply->status == REPLAN__V1__STATUS__OK) {
        return RP_CLIENT_OK;
    }
    return rp_caller_fail(self, RP_CLIENT_E_REFUSED, "%s", reply->sentence);
}

/// Put what came instead of a reply into the inbox. @return false without memory
static bool put_by(rp_client_t *self)
{
    const bool has_room = rp_frame_queue_put(&self->inbox, &self->reply.frame);
    zmq_msg_init(&self->reply.frame);
    return has_room;
}

static rp_client_status_t await_reply(rp_client_t *self, uint64_t id, uint32_t deadline_ms,
                                      const rp_named_t *named, const Replan__V1__Reply **reply)
{
    const int64_t deadline = rp_line_now_ms() + deadline_ms + RP_CALLER_GRACE_MS;
    for (;;) {
        zmq_msg_t frame;
        switch (rp_caller_receive(self, deadline, &frame)) {
        case RP_LINE_BROKE:
            return rp_caller_fail(self, RP_CLIENT_E_NO_DAEMON,
                                  "the daemon went away before it replied");
        case RP_LINE_NOTHING:
            if (rp_line_left_ms(deadline) == 0) {
                return rp_caller_fail(self, RP_CLIENT_E_NO_DAEMON, "no reply within %" PRIu32 " ms",
                                      deadline_ms);
            }
            continue;
        case RP_LINE_FRAME:
            break;
        }
        const Replan__V1__ToClient *news = rp_caller_unpack(&self->reply, &frame);
        const bool is_reply = news != NULL && news->body_case == REPLAN__V1__TO_CLIENT__BODY_REPLY;
        if (is_reply && news->reply->id == id) {
            *reply = news->reply;
            rp_windows_reply(&self->windows, news->reply, named);
            rp_own_watches_note_reply(self, news->reply, named);
            return judge(self, news->reply);
        }
        const bool is_late = is_reply &&
                             rp_caller_find_waiting(self, news->reply->id) == self->waiting_count &&
                             !rp_own_watches_await(self, news->reply->id);
        if (is_late) {
            rp_own_watches_end_late(self, news->reply);
        } else if (news != NULL && !put_by(self)) {
            return rp_caller_fail(self, RP_CLIENT_E_MEMORY, "no memory to keep an event");
        }
    }
}

rp_client_status_t rp_client_call(rp_client_t *self, Replan__V1__Request *request,
                                  const Replan__V1__Reply **reply)
{
    const Replan__V1__Reply *ignored;
    rp_named_t named;
    if (request == NULL) {
        return rp_caller_refuse_null(self, "request");
    }
    if (rp_portions_are_needed(request)) {
        return rp_portions_call(self, request, reply);
    }
    request->id = self->next_id++;
    rp_client_status_t status = rp_caller_send(self, request, true, &named);
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
        return rp_caller_refuse_null(self, "request");
    }
    if (self->waiting_count == RP_CLIENT_WINDOW) {
        return rp_caller_fail(self, RP_CLIENT_E_FULL, "%u replies were not polled yet",
                              RP_CLIENT_WINDOW);
    }
    request->id = self->next_id++;
    const rp_client_status_t status = rp_caller_send(self, request, true, &named);
    if (status != RP_CLIENT_OK) {
        rp_windows_give_up(&named, request->id);
        return status;
    }
    self->waiting[self->waiting_count++] = (rp_sent_request_t){request->id, named};
    if (id != NULL) {
        *id = request->id;
    }
    return RP_CLIENT_OK;
}

uint32_t rp_client_pending(const rp_client_t *self)
{
    return self->waiting_count;
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
    case RP_CLIENT_E_TIMEOUT:
        return "nothing came in time";
    }
    return "not a status";
}

// ---- birth and death

static void loan_init(rp_loan_t *self)
{
    rp_message_arena_init(&self->arena, RP_LIMIT_ARENA_BYTES);
    zmq_msg_init(&self->frame);
}

static void loan_fini(rp_loan_t *self)
{
    zmq_msg_close(&self->frame);
    rp_message_arena_fini(&self->arena);
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
    rp_frame_queue_fini(&client->inbox);
    rp_frame_queue_fini(&client->early);
    rp_line_close(&client->line);
    for (size_t i = 0; i < RP_CLIENT_WATCHES; i++) {
        rp_own_watches_drop(client, &client->watches[i]);
    }
    loan_fini(&client->event);
    loan_fini(&client->reply);
    rp_buffer_fini(&client->packed);
    free(client->points_m);
    free(client);
    *self = NULL;
}
