/// A request being handled: refused with a sentence, kept waiting, replied to.
#include "daemon/requests/handlers/call.h"

#include <stdarg.h>
#include <stdio.h>

#include "daemon/net/send_window.h"
#include "daemon/rules/leases.h"
#include "daemon/rules/state.h"
#include "daemon/rules/window_shift.h"
#include "daemon/serving/encode.h"

rp_call_t rp_call_of(rp_serving_t *self, const rp_peer_t *peer, uint64_t request_id)
{
    rp_call_t call = {.serving = self, .peer = peer};
    replan__v1__reply__init(&call.reply);
    call.reply.id = request_id;
    return call;
}

bool rp_call_refuse(rp_call_t *call, Replan__V1__Status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    call->refusal.status = status;
    (void)vsnprintf(call->refusal.sentence, sizeof call->refusal.sentence, format, arguments);
    va_end(arguments);
    return true;
}

bool rp_call_refuse_status(rp_call_t *call, rp_status_t status, const char *what)
{
    return rp_call_refuse(call, rp_encode_status(status), "%s: %s", what, rp_status_text(status));
}

bool rp_call_refuse_window(rp_call_t *call, const char *name)
{
    rp_message_arena_t *arena = &call->serving->arena;
    const rp_served_t *world = rp_worlds_find(&call->serving->worlds, name);
    Replan__V1__Window *present = rp_message_arena_take(arena, sizeof *present);
    Replan__V1__Geometry *geometry = rp_message_arena_take(arena, sizeof *geometry);
    if (call->refusal.status == REPLAN__V1__STATUS__GONE && world != NULL && present != NULL &&
        geometry != NULL) {
        rp_encode_window(call->serving, world, geometry, present);
        call->reply.present = present;
    }
    return true;
}

bool rp_call_may_wait(rp_call_t *call)
{
    if (call->peer == NULL || rp_pending_replies_may_add(&call->serving->pending, call->peer,
                                                         call->serving->now.steady_us)) {
        return true;
    }
    (void)rp_call_refuse(call, REPLAN__V1__STATUS__LIMIT,
                         "request: too many are waiting already (limit %u of yours, %u of all)",
                         RP_LIMIT_WINDOW, RP_PENDING_REPLIES_MAX);
    return false;
}

bool rp_call_wait(rp_call_t *call, rp_pending_reply_t *wait)
{
    wait->key = call->key;
    wait->is_mute = call->is_mute;
    wait->began_us = call->serving->now.steady_us;
    wait->deadline_us = call->deadline_us;
    rp_peer_copy(&wait->peer, call->peer);
    const bool keeps_request = wait->kind == RP_PENDING_AFTER;
    const rp_status_t status = rp_pending_replies_add(
        &call->serving->pending, wait, keeps_request ? call->bytes : NULL, call->size);
    if (status == RP_E_LIMIT) {
        return !rp_call_may_wait(call) ||
               rp_call_refuse(call, REPLAN__V1__STATUS__LIMIT,
                              "request: it has %zu bytes, and those of yours that wait have too "
                              "many (limit %zu, or one request; %zu of all)",
                              call->size, RP_PENDING_REPLIES_PEER, RP_PENDING_REPLIES_BYTES);
    }
    return status != RP_OK && rp_call_refuse_status(call, status, "request");
}

rp_served_t *rp_call_world(rp_call_t *call, const char *name)
{
    rp_served_t *world = rp_worlds_find(&call->serving->worlds, name);
    if (world == NULL) {
        (void)rp_call_refuse(call, REPLAN__V1__STATUS__UNKNOWN, "world: there is no world \"%s\"",
                             name);
    }
    return world;
}

rp_agent_t *rp_call_agent(rp_call_t *call, const char *world_name, const char *name)
{
    const rp_served_t *world = rp_call_world(call, world_name);
    if (world == NULL) {
        return NULL;
    }
    rp_agent_t *agent = rp_worlds_find_agent(world, name);
    if (agent == NULL) {
        (void)rp_call_refuse(call, REPLAN__V1__STATUS__UNKNOWN,
                             "agent: there is no agent \"%s\" in world \"%s\"", name, world_name);
        return NULL;
    }
    rp_lease_renew(call->serving, agent);
    return agent;
}

bool rp_send_reply(rp_serving_t *self, const rp_peer_t *peer, const void *bytes, size_t size)
{
    const rp_sent_t sent = self->transport.control(self->transport.user, peer, bytes, size);
    const bool is_owed =
        sent == RP_SENT_FULL && rp_outbox_add(&self->outbox, peer, bytes, size) == RP_OK;
    self->is_peer_full = self->is_peer_full || is_owed;
    if (sent != RP_SENT && !is_owed) {
        self->stats.replies_dropped++;
        rp_known_peers_note_dropped(&self->peers, peer);
    }
    if (sent == RP_SENT_GONE) {
        rp_pending_replies_yield_all(&self->pending, peer);
    }
    return sent != RP_SENT_FULL || is_owed;
}

/// True when the reply says that something was done which must survive a crash. The call of a wait
/// has no request any more.
static bool promises(const rp_call_t *call)
{
    return call->reply.body_case == REPLAN__V1__REPLY__BODY_APPLIED || call->key.changes;
}

Replan__V1__Applied *rp_call_put_applied(rp_call_t *call, const rp_served_t *world,
                                         uint64_t version)
{
    Replan__V1__Applied *applied = rp_message_arena_take(&call->serving->arena, sizeof *applied);
    if (applied == NULL) {
        (void)rp_call_refuse_status(call, RP_E_MEMORY, "applied");
        return NULL;
    }
    replan__v1__applied__init(applied);
    applied->epoch = world->epoch;
    applied->version = version;
    applied->window = call->window != 0
                          ? call->window
                          : rp_engine_window(call->serving->engine, world->id, 0)->number;
    applied->dropped = call->dropped;
    call->reply.body_case = REPLAN__V1__REPLY__BODY_APPLIED;
    call->reply.applied = applied;
    return applied;
}

/// @return false without memory
static bool pack_reply(rp_call_t *call)
{
    rp_serving_t *self = call->serving;
    if (call->refusal.status != REPLAN__V1__STATUS__OK) {
        self->stats.requests_refused++;
        rp_known_peers_note_refusal(&self->peers, call->peer, call->refusal.sentence,
                                    self->now.steady_us);
        rp_refusal_log_add(&self->refusals, "control", call->reply.id, &call->refusal,
                           self->now.steady_us);
        call->reply.body_case = REPLAN__V1__REPLY__BODY__NOT_SET;
        call->reply.status = call->refusal.status;
        call->reply.sentence = call->refusal.sentence;
    }
    Replan__V1__ToClient message;
    replan__v1__to_client__init(&message);
    message.body_case = REPLAN__V1__TO_CLIENT__BODY_REPLY;
    message.reply = &call->reply;
    const bool is_packed = rp_codec_pack(&self->packed, &message.base);
    self->stats.replies_dropped += !is_packed;
    return is_packed;
}

/// Send the packed reply; a long one that finds no room gives way to a short one that says so.
/// @return false without memory
static bool send_packed(rp_call_t *call)
{
    rp_serving_t *self = call->serving;
    if (call->is_mute || rp_send_reply(self, call->peer, self->packed.bytes, self->packed.size) ||
        self->packed.size < RP_SEND_WINDOW_COUNTED_FROM) {
        return true;
    }
    // It was something to read, which may be asked for again: that much finds room.
    (void)rp_call_refuse(call, REPLAN__V1__STATUS__LIMIT,
                         "reply: it has %zu bytes, and too many wait that you did not read "
                         "(limit %zu)",
                         self->packed.size, RP_OUTBOX_PEER);
    if (!pack_reply(call)) {
        return false;
    }
    (void)rp_send_reply(self, call->peer, self->packed.bytes, self->packed.size);
    return true;
}

void rp_call_reply(rp_call_t *call)
{
    rp_serving_t *self = call->serving;
    const char *reason;
    if (!rp_state_flush(self, &reason) && promises(call) && call->refusal.status == 0) {
        (void)rp_call_refuse(call, REPLAN__V1__STATUS__LIMIT,
                             "it was done, but a restart will undo it: %s", reason);
    }
    if (pack_reply(call) && send_packed(call)) {
        rp_reply_cache_keep(&self->replies, call->peer, &call->key, self->packed.bytes,
                            self->packed.size, self->now.steady_us);
    }
}
