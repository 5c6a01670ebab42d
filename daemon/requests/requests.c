/// Requests: from their bytes to their handlers, at once or, when they are long, by way of the
/// queue.
#include "daemon/requests/requests.h"

#include <string.h>

#include "daemon/requests/handlers/handle_watch.h"
#include "daemon/requests/request_table.h"
#include "daemon/requests/staged_request.h"
#include "daemon/rules/state.h"
#include "daemon/serving/encode.h"
#include "msgs/duplicates.h"

/// A request without a deadline waits at most this long.
#define WAIT_MOST_MS 60000u

// ---- on the way to them

/// True when what the request wants to come first has happened.
bool rp_requests_is_after(const rp_serving_t *self, const rp_served_t *world, const char *publisher,
                          uint64_t version, uint64_t sequence)
{
    return publisher[0] != '\0' ? rp_publishers_has(&world->publishers, publisher, sequence)
                                : rp_engine_version(self->engine, world->id) >= version;
}

/// Let a request with `after` wait. @return true when it can be handled, or was refused
static bool pass_after(rp_call_t *call, bool *is_refused)
{
    const Replan__V1__After *after = call->request->after;
    *is_refused = false;
    if (after == NULL) {
        return true;
    }
    const rp_served_t *world = rp_call_world(call, after->world);
    *is_refused = world == NULL;
    if (world == NULL || rp_requests_is_after(call->serving, world, after->publisher,
                                              after->version, after->sequence)) {
        return true;
    }
    rp_pending_reply_t wait = {
        .kind = RP_PENDING_AFTER,
        .epoch = world->epoch,
        .version = after->version,
        .sequence = after->sequence,
    };
    memcpy(wait.world, world->name, sizeof wait.world);
    memcpy(wait.publisher, after->publisher, strlen(after->publisher));
    *is_refused = rp_call_wait(call, &wait);
    return *is_refused;
}

/// The world that a message names, or that a message in it does; "": none.
static const char *world_of(const ProtobufCMessage *message)
{
    const char *const names[] = {"world", "change"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const ProtobufCFieldDescriptor *field =
            protobuf_c_message_descriptor_get_field_by_name(message->descriptor, names[i]);
        const void *const *place =
            field != NULL ? (const void *const *)((const uint8_t *)message + field->offset) : NULL;
        if (place != NULL && *place != NULL) {
            return field->type == PROTOBUF_C_TYPE_STRING ? *place : world_of(*place);
        }
    }
    return "";
}

const char *rp_requests_world(const Replan__V1__Request *request)
{
    const bool has_body = request->body_case != REPLAN__V1__REQUEST__BODY__NOT_SET;
    return has_body ? world_of((const ProtobufCMessage *)request->apply) : ""; // they share a place
}

/// What a request is about.
static void address(rp_inbound_t *inbound, const Replan__V1__Request *request)
{
    const char *world = rp_requests_world(request);
    inbound->world = strlen(world) <= RP_LIMIT_NAME ? world : ""; // it will be refused
    inbound->touches = rp_request_table_find(request)->touches;
}

/// True when the request may be handled: it changes nothing that is kept, or there is room to keep
/// it. Refuses the call when not.
static bool has_room(rp_call_t *call)
{
    return !rp_request_table_find(call->request)->is_persisted ||
           rp_state_has_room(call->serving, call->size) ||
           !rp_call_refuse(call, REPLAN__V1__STATUS__LIMIT, "nothing was done: %s",
                           rp_state_reason(call->serving));
}

/// Handle a request that may be, and is not to be staged.
static void conclude(rp_call_t *call, bool is_refused)
{
    bool is_ready = is_refused || (!call->is_noted && !has_room(call));
    if (!is_ready) {
        is_ready = rp_request_table_handle(call);
        if (call->refusal.status == REPLAN__V1__STATUS__OK && !call->is_noted &&
            rp_request_table_find(call->request)->is_persisted) {
            rp_state_note(call->serving, call->request, call->bytes, call->size);
        }
    }
    if (is_ready) {
        rp_call_reply(call);
    }
}

/// Unpack a request, of a long one with its arrays where they stand; refuse bytes that are none.
/// @return of the arena; NULL when it was refused
static const Replan__V1__Request *unpack(rp_intake_t *self, const rp_inbound_t *inbound)
{
    ProtobufCMessage *(*how)(rp_message_arena_t *, const ProtobufCMessageDescriptor *, const void *,
                             size_t) =
        inbound->size >= self->long_from ? rp_codec_unpack_in_place : rp_codec_unpack;
    const ProtobufCMessage *message =
        how(&self->serving->arena, &replan__v1__request__descriptor, inbound->body, inbound->size);
    if (message == NULL) {
        self->serving->stats.frames_malformed++;
        rp_call_t call = rp_call_of(self->serving, inbound->peer, 0);
        (void)rp_call_refuse(&call, REPLAN__V1__STATUS__INVALID,
                             "request: these %zu bytes are not a replan.v1.Request", inbound->size);
        rp_call_reply(&call);
    }
    return (const Replan__V1__Request *)message;
}

/// True when the bytes of a request say one thing, and that may be said.
static bool is_right(const rp_inbound_t *inbound, const Replan__V1__Request *request,
                     rp_refusal_t *refusal)
{
    return rp_check_duplicates("request", &replan__v1__request__descriptor, inbound->body,
                               inbound->size, refusal) &&
           rp_check_request(request, refusal);
}

// ---- repeats

static bool is_long(const rp_intake_t *self, const Replan__V1__Request *request, size_t size)
{
    const rp_request_kind_t *kind = rp_request_table_find(request);
    return kind->is_long != NULL && kind->is_long(self->serving, request, size, self->long_from);
}

/// What a request is known by. A long one that is to be staged is hashed in slices.
static rp_request_key_t key_of(const rp_intake_t *self, const rp_inbound_t *inbound,
                               const Replan__V1__Request *request)
{
    rp_request_key_t key = {.id = request->id,
                            .life = request->life,
                            .changes = rp_request_table_find(request)->is_persisted};
    const bool is_staged =
        inbound->size >= self->long_from && is_long(self, request, inbound->size);
    if (rp_request_key_is_kept(&key) && !is_staged) {
        key.body = rp_request_body_of(&self->hash_key, inbound->body, inbound->size);
        key.is_hashed = true;
    }
    return key;
}

/// A request came whose id is taken. @param is_same  it has the body of the first one
/// @param kept  the reply to that; NULL: it is on its way
static void answer_repeat(rp_intake_t *self, const rp_inbound_t *inbound, bool is_same,
                          const rp_kept_reply_t *kept)
{
    rp_call_t call =
        rp_call_of(self->serving, inbound->peer, inbound->key.id); // its reply is not kept
    if (!is_same) {
        (void)rp_call_refuse(&call, REPLAN__V1__STATUS__INVALID,
                             "request.id: %llu was another request of yours, within %u s; ids of "
                             "several runs are told apart by request.life",
                             (unsigned long long)inbound->key.id, RP_LIMIT_REPEAT_MS / 1000u);
        rp_call_reply(&call);
        return;
    }
    self->serving->stats.requests_repeated++;
    if (kept != NULL && kept->bytes == NULL) {
        (void)rp_call_refuse(&call, REPLAN__V1__STATUS__LIMIT,
                             "request.id: %llu was done, its reply of %zu bytes is no longer kept "
                             "(limit %zu of all)",
                             (unsigned long long)inbound->key.id, kept->size,
                             RP_REPLIES_LARGE_MOST);
        rp_call_reply(&call);
    } else if (kept != NULL) {
        (void)rp_send_reply(self->serving, inbound->peer, kept->bytes, kept->size);
    }
}

/// True when a request has the body of one in the queue. The bytes of one that was hashed may have
/// been moved since.
static bool is_like(const rp_intake_t *self, const rp_inbound_t *inbound, const rp_queued_t *queued)
{
    if (!queued->inbound.key.is_hashed) {
        return rp_request_body_is_same(queued->buffer->bytes, queued->buffer->size, inbound->body,
                                       inbound->size);
    }
    const rp_hash128_t body =
        inbound->key.is_hashed ? inbound->key.body
                               : rp_request_body_of(&self->hash_key, inbound->body, inbound->size);
    return rp_hash128_is_same(queued->inbound.key.body, body);
}

/// True when a request is a repeat, or takes the id of another one: then it is over with. What is
/// only asked is asked anew.
bool rp_requests_is_repeat(rp_intake_t *self, const rp_inbound_t *inbound)
{
    const rp_request_key_t *key = &inbound->key;
    if (!rp_request_key_is_kept(key)) {
        return false;
    }
    const rp_queued_t *queued =
        inbound->queued == NULL ? rp_request_queue_find(&self->queue, inbound->peer, key) : NULL;
    if (queued != NULL && queued->inbound.key.is_hashed && !key->is_hashed &&
        rp_request_queue_has_room(&self->queue, inbound)) {
        return false; // it is hashed, in slices, when its turn comes
    }
    const rp_pending_reply_t *wait =
        rp_pending_replies_find(&self->serving->pending, inbound->peer, key);
    const rp_kept_reply_t *kept = key->is_hashed
                                      ? rp_reply_cache_find(&self->serving->replies, inbound->peer,
                                                            key, self->serving->now.steady_us)
                                      : NULL;
    bool is_same;
    if (queued != NULL) {
        is_same = is_like(self, inbound, queued);
    } else if (wait != NULL && wait->request != NULL) {
        is_same = rp_request_body_is_same(wait->request, wait->request_size, inbound->body,
                                          inbound->size);
    } else if (wait != NULL && key->is_hashed) {
        is_same = rp_hash128_is_same(wait->key.body, key->body);
    } else if (kept != NULL) {
        is_same = rp_hash128_is_same(kept->body, key->body);
    } else {
        return false;
    }
    answer_repeat(self, inbound, is_same, kept);
    return true;
}

/// A peer speaks: what is held in the name of who had its routing id before is not for it.
static void meet(rp_intake_t *self, const rp_peer_t *peer)
{
    rp_serving_t *serving = self->serving;
    if (rp_known_peers_note(&serving->peers, peer, serving->now.steady_us)) {
        rp_end_foreign_watches(self->serving, peer);
        rp_pending_replies_mute(&self->serving->pending, peer);
        rp_request_queue_mute(&self->queue, peer);
        rp_outbox_forget(&self->serving->outbox, peer);
    }
}

// ---- from their bytes

static rp_call_t call_for(const rp_intake_t *self, const rp_inbound_t *inbound,
                          const Replan__V1__Request *request)
{
    rp_call_t call = rp_call_of(self->serving, inbound->peer, request->id);
    call.request = request;
    call.bytes = inbound->body;
    call.size = inbound->size;
    call.key = inbound->key;
    call.is_mute = inbound->is_mute;
    call.deadline_us = inbound->deadline_us;
    return call;
}

/// Unpack a request whose long arrays stand anywhere once more, for a handler that reads them.
/// @return false when the call is refused for want of memory
static bool unpack_again(const rp_intake_t *self, rp_call_t *call)
{
    if (call->size >= self->long_from) {
        call->request = (const Replan__V1__Request *)rp_codec_unpack(
            &self->serving->arena, &replan__v1__request__descriptor, call->bytes, call->size);
    }
    return call->request != NULL || !rp_call_refuse_status(call, RP_E_MEMORY, "request");
}

/// Let a request wait in the queue or for what must come first, stage it, or handle it.
/// @param inbound  known: with its key, its deadline, and what it is about
static void go_on(rp_intake_t *self, const rp_inbound_t *inbound,
                  const Replan__V1__Request *request)
{
    rp_call_t call = call_for(self, inbound, request);
    if (rp_intake_enqueue(self, inbound, &call.refusal)) {
        return;
    }
    bool is_refused =
        call.refusal.status != REPLAN__V1__STATUS__OK || !is_right(inbound, request, &call.refusal);
    if (!is_refused && !pass_after(&call, &is_refused)) {
        return;
    }
    if (!is_refused && is_long(self, request, inbound->size)) {
        is_refused = !rp_intake_stage(self, inbound, &call.refusal);
        if (!is_refused) {
            return;
        }
    }
    conclude(&call, is_refused || !unpack_again(self, &call));
}

void rp_requests_take(rp_intake_t *self, const rp_inbound_t *inbound)
{
    rp_inbound_t known = *inbound;
    rp_peer_t peer;
    rp_message_arena_reset(&self->serving->arena);
    const Replan__V1__Request *request = unpack(self, inbound);
    if (request == NULL) {
        return;
    }
    rp_peer_copy(&peer, inbound->peer);
    peer.life = request->life;
    known.peer = &peer;
    known.key = key_of(self, inbound, request);
    known.is_met = true;
    if (!inbound->is_met) {
        meet(self, &peer);
    }
    if ((inbound->is_mute && !known.key.changes) || rp_requests_is_repeat(self, &known)) {
        return;
    }
    if (inbound->deadline_us == 0) {
        const uint32_t most_ms = request->deadline_ms != 0 ? request->deadline_ms : WAIT_MOST_MS;
        known.deadline_us = self->serving->now.steady_us + (uint64_t)most_ms * 1000u;
    }
    address(&known, request);
    go_on(self, &known, request);
}

/// All of a request that took time is done.
void rp_requests_finish_staged(rp_intake_t *self, const rp_queued_t *queued)
{
    const Replan__V1__Request *request = (const Replan__V1__Request *)queued->staged->message;
    rp_call_t call = call_for(self, &queued->inbound, request);
    call.refusal = queued->staged->refusal;
    call.prepared = &queued->staged->prepared;
    call.is_noted = queued->staged->order != NULL;
    rp_message_arena_reset(&self->serving->arena);
    const bool is_refused = call.refusal.status != REPLAN__V1__STATUS__OK;
    if (!rp_staged_request_is_in_parts(queued->staged)) {
        conclude(&call, is_refused);
        return;
    }
    const bool is_ready = is_refused || rp_request_table_handle(&call);
    if (call.refusal.status == REPLAN__V1__STATUS__OK) {
        rp_state_note_done(self->serving, request, "");
    } else {
        rp_state_note_nothing(self->serving);
    }
    if (is_ready) {
        rp_call_reply(&call);
    }
}

void rp_requests_receive(rp_intake_t *self, const rp_peer_t *peer, const void *body, size_t size)
{
    const rp_inbound_t inbound = {
        .kind = RP_INBOUND_REQUEST, .peer = peer, .body = body, .size = size};
    self->serving->stats.requests_taken++;
    rp_requests_take(self, &inbound);
}

void rp_requests_malformed(rp_intake_t *self, const char *socket, const char *sentence)
{
    rp_refusal_t refusal;
    self->serving->stats.frames_malformed++;
    (void)rp_refuse(&refusal, REPLAN__V1__STATUS__INVALID, "%s: %s", socket, sentence);
    rp_refusal_log_add(&self->serving->refusals, socket, 0, &refusal, self->serving->now.steady_us);
    rp_publish_notice(self->serving, "", &refusal, NULL, false);
}
