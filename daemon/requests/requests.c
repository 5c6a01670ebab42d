/// Requests: from their bytes to their handlers, at once or in slices; and what waits in the queue
/// for what is long.
#include <string.h>

#include "daemon/requests/handlers.h"
#include "daemon/requests/staged_request.h"
#include "daemon/requests/state.h"
#include "daemon/serving/encode.h"
#include "msgs/duplicates.h"

/// A request without a deadline waits at most this long.
#define WAIT_MOST_MS 60000u

/// Bytes that are hashed in the time of an expansion.
#define HASHED_EACH 128u

/// Messages that have their turn in a round, after they waited in the queue.
#define SERVED_MOST 256u

// ---- who handles which

bool rp_daemon_dispatch(rp_call_t *call)
{
    const Replan__V1__Request *request = call->request;
    switch (request->body_case) {
    case REPLAN__V1__REQUEST__BODY_APPLY:
        return rp_handle_apply(call, request->apply);
    case REPLAN__V1__REQUEST__BODY_CREATE_WORLD:
        return rp_handle_create_world(call, request->create_world);
    case REPLAN__V1__REQUEST__BODY_RESIZE:
        return rp_handle_resize(call, request->resize);
    case REPLAN__V1__REQUEST__BODY_OVERLAY:
        return rp_handle_overlay(call, request->overlay);
    case REPLAN__V1__REQUEST__BODY_REMOVE_WORLD:
        return rp_handle_remove_world(call, request->remove_world);
    case REPLAN__V1__REQUEST__BODY_LIST_WORLDS:
        return rp_handle_list_worlds(call);
    case REPLAN__V1__REQUEST__BODY_OPEN_AGENT:
        return rp_handle_open_agent(call, request->open_agent);
    case REPLAN__V1__REQUEST__BODY_CLOSE_AGENT:
        return rp_handle_close_agent(call, request->close_agent);
    case REPLAN__V1__REQUEST__BODY_SET_POSE:
        return rp_handle_set_pose(call, request->set_pose);
    case REPLAN__V1__REQUEST__BODY_SET_POSES:
        return rp_handle_set_poses(call, request->set_poses);
    case REPLAN__V1__REQUEST__BODY_SET_GOAL:
        return rp_handle_set_goal(call, request->set_goal);
    case REPLAN__V1__REQUEST__BODY_ORDER:
        return rp_handle_order(call, request->order);
    case REPLAN__V1__REQUEST__BODY_GET_ANSWER:
        return rp_handle_get_answer(call, request->get_answer);
    case REPLAN__V1__REQUEST__BODY_WATCH:
        return rp_handle_watch(call, request->watch);
    case REPLAN__V1__REQUEST__BODY_CREDIT:
        return rp_handle_credit(call, request->credit);
    case REPLAN__V1__REQUEST__BODY_UNWATCH:
        return rp_handle_unwatch(call, request->unwatch);
    case REPLAN__V1__REQUEST__BODY_DELTAS_SINCE:
        return rp_handle_deltas_since(call, request->deltas_since);
    case REPLAN__V1__REQUEST__BODY_GET_SNAPSHOT:
        return rp_handle_get_snapshot(call, request->get_snapshot);
    case REPLAN__V1__REQUEST__BODY_GET_STATS:
        return rp_handle_get_stats(call);
    case REPLAN__V1__REQUEST__BODY_FORGIVE:
        return rp_handle_forgive(call, request->forgive);
    case REPLAN__V1__REQUEST__BODY_ASK_COSTS:
        return rp_handle_ask_costs(call, request->ask_costs);
    case REPLAN__V1__REQUEST__BODY_ASK_PROBE:
        return rp_handle_ask_probe(call, request->ask_probe);
    case REPLAN__V1__REQUEST__BODY_ASK_FIELD:
        return rp_handle_ask_field(call, request->ask_field);
    case REPLAN__V1__REQUEST__BODY_ASK_VALID:
        return rp_handle_ask_valid(call, request->ask_valid);
    case REPLAN__V1__REQUEST__BODY_ASK_WHY:
        return rp_handle_ask_why(call, request->ask_why);
    case REPLAN__V1__REQUEST__BODY__NOT_SET:
    default:
        return rp_call_refuse(call, REPLAN__V1__STATUS__INVALID, "request.body is missing");
    }
}

// ---- on the way to them

/// True when what the request wants to come first has happened.
bool rp_daemon_is_after(const rp_daemon_t *self, const rp_served_t *world, const char *publisher,
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
    if (world == NULL || rp_daemon_is_after(call->daemon, world, after->publisher, after->version,
                                            after->sequence)) {
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

const char *rp_request_world(const Replan__V1__Request *request)
{
    const bool has_body = request->body_case != REPLAN__V1__REQUEST__BODY__NOT_SET;
    return has_body ? world_of((const ProtobufCMessage *)request->apply) : ""; // they share a place
}

/// What a request is about.
static void address(rp_inbound_t *inbound, const Replan__V1__Request *request)
{
    const char *world = rp_request_world(request);
    inbound->world = strlen(world) <= RP_LIMIT_NAME ? world : ""; // it will be refused
    switch (request->body_case) {
    case REPLAN__V1__REQUEST__BODY_APPLY:
    case REPLAN__V1__REQUEST__BODY_OVERLAY:
    case REPLAN__V1__REQUEST__BODY_FORGIVE:
    case REPLAN__V1__REQUEST__BODY_RESIZE: // poses and goals are metres, which stay
        inbound->touches = RP_TOUCHES_MAP;
        break;
    case REPLAN__V1__REQUEST__BODY_CREATE_WORLD:
    case REPLAN__V1__REQUEST__BODY_REMOVE_WORLD:
        inbound->touches = RP_TOUCHES_MAP | RP_TOUCHES_AGENTS;
        break;
    default:
        inbound->touches = RP_TOUCHES_AGENTS;
    }
}

/// Handle a request that may be, and is not to be staged.
static void conclude(rp_call_t *call, bool is_refused)
{
    bool is_ready = is_refused || !rp_state_has_room(call);
    if (!is_ready) {
        is_ready = rp_daemon_dispatch(call);
        if (call->refusal.status == REPLAN__V1__STATUS__OK) {
            rp_state_note(call->daemon, call->request, call->bytes, call->size);
        }
    }
    if (is_ready) {
        rp_call_reply(call);
    }
}

/// Unpack a request, of a long one with its arrays where they stand; refuse bytes that are none.
/// @return of the arena; NULL when it was refused
static const Replan__V1__Request *unpack(rp_daemon_t *self, const rp_inbound_t *inbound)
{
    ProtobufCMessage *(*how)(rp_arena_t *, const ProtobufCMessageDescriptor *, const void *,
                             size_t) =
        inbound->size >= self->long_from ? rp_codec_unpack_in_place : rp_codec_unpack;
    const ProtobufCMessage *message =
        how(&self->arena, &replan__v1__request__descriptor, inbound->body, inbound->size);
    if (message == NULL) {
        self->stats.frames_malformed++;
        rp_call_t call = rp_call_of(self, inbound->peer, 0);
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

/// What a request is known by. A long one that is to be staged is hashed in slices.
static rp_request_key_t key_of(const rp_daemon_t *self, const rp_inbound_t *inbound,
                               const Replan__V1__Request *request)
{
    rp_request_key_t key = {
        .id = request->id, .life = request->life, .changes = rp_state_keeps(request)};
    const bool is_staged =
        inbound->size >= self->long_from && rp_request_is_long(self, request, inbound->size);
    if (rp_request_key_is_kept(&key) && !is_staged) {
        key.body = rp_request_body_of(&self->hash_key, inbound->body, inbound->size);
        key.is_hashed = true;
    }
    return key;
}

/// A request came whose id is taken. @param is_same  it has the body of the first one
/// @param kept  the reply to that; NULL: it is on its way
static void answer_repeat(rp_daemon_t *self, const rp_inbound_t *inbound, bool is_same,
                          const rp_kept_reply_t *kept)
{
    rp_call_t call = rp_call_of(self, inbound->peer, inbound->key.id); // its reply is not kept
    if (!is_same) {
        (void)rp_call_refuse(&call, REPLAN__V1__STATUS__INVALID,
                             "request.id: %llu was another request of yours, within %u s; ids of "
                             "several runs are told apart by request.life",
                             (unsigned long long)inbound->key.id, RP_LIMIT_REPEAT_MS / 1000u);
        rp_call_reply(&call);
        return;
    }
    self->stats.requests_repeated++;
    if (kept != NULL && kept->bytes == NULL) {
        (void)rp_call_refuse(&call, REPLAN__V1__STATUS__LIMIT,
                             "request.id: %llu was done, its reply of %zu bytes is no longer kept "
                             "(limit %zu of all)",
                             (unsigned long long)inbound->key.id, kept->size,
                             RP_REPLIES_LARGE_MOST);
        rp_call_reply(&call);
    } else if (kept != NULL) {
        (void)rp_send_reply(self, inbound->peer, kept->bytes, kept->size);
    }
}

/// True when a request has the body of one in the queue. The bytes of one that was hashed may have
/// been moved since.
static bool is_like(const rp_daemon_t *self, const rp_inbound_t *inbound, const rp_queued_t *queued)
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
static bool is_repeat(rp_daemon_t *self, const rp_inbound_t *inbound)
{
    const rp_request_key_t *key = &inbound->key;
    if (!rp_request_key_is_kept(key)) {
        return false;
    }
    const rp_queued_t *queued =
        inbound->queued == NULL ? rp_request_queue_find(&self->line, inbound->peer, key) : NULL;
    if (queued != NULL && queued->inbound.key.is_hashed && !key->is_hashed &&
        rp_request_queue_has_room(&self->line, inbound)) {
        return false; // it is hashed, in slices, when its turn comes
    }
    const rp_pending_reply_t *wait = rp_pending_replies_find(&self->waits, inbound->peer, key);
    const rp_kept_reply_t *kept =
        key->is_hashed
            ? rp_reply_cache_find(&self->replies, inbound->peer, key, self->now.steady_us)
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
static void meet(rp_daemon_t *self, const rp_peer_t *peer)
{
    if (rp_known_peers_note(&self->peers, peer)) {
        rp_end_foreign_watches(self, peer);
        rp_pending_replies_mute(&self->waits, peer);
        rp_request_queue_mute(&self->line, peer);
        rp_outbox_forget(&self->owed, peer);
    }
}

// ---- from their bytes

void rp_request_take(rp_daemon_t *self, const rp_inbound_t *inbound)
{
    rp_inbound_t lasting = *inbound;
    rp_peer_t peer;
    rp_arena_reset(&self->arena);
    const Replan__V1__Request *request = unpack(self, inbound);
    if (request == NULL) {
        return;
    }
    rp_peer_copy(&peer, inbound->peer);
    peer.life = request->life;
    lasting.peer = &peer;
    lasting.key = key_of(self, inbound, request);
    lasting.is_met = true;
    if (!inbound->is_met) {
        meet(self, &peer);
    }
    if ((inbound->is_mute && !lasting.key.changes) || is_repeat(self, &lasting)) {
        return;
    }
    rp_call_t call = rp_call_of(self, &peer, request->id);
    call.request = request;
    call.bytes = inbound->body;
    call.size = inbound->size;
    call.key = lasting.key;
    call.is_mute = inbound->is_mute;
    const uint32_t most_ms = request->deadline_ms != 0 ? request->deadline_ms : WAIT_MOST_MS;
    call.deadline_us = inbound->deadline_us != 0 ? inbound->deadline_us
                                                 : self->now.steady_us + (uint64_t)most_ms * 1000u;
    lasting.deadline_us = call.deadline_us;
    address(&lasting, request);
    if (rp_daemon_enqueue(self, &lasting, &call.refusal)) {
        return;
    }
    bool is_refused =
        call.refusal.status != REPLAN__V1__STATUS__OK || !is_right(inbound, request, &call.refusal);
    if (!is_refused && !pass_after(&call, &is_refused)) {
        return;
    }
    if (!is_refused && rp_request_is_long(self, request, inbound->size)) {
        is_refused = !rp_daemon_stage(self, &lasting, &call.refusal);
        if (!is_refused) {
            return;
        }
    }
    if (!is_refused && inbound->size >= self->long_from) { // long arrays may stand anywhere
        call.request = (const Replan__V1__Request *)rp_codec_unpack(
            &self->arena, &replan__v1__request__descriptor, inbound->body, inbound->size);
        is_refused = call.request == NULL && rp_call_refuse_status(&call, RP_E_MEMORY, "request");
    }
    conclude(&call, is_refused);
}

void rp_daemon_request(rp_daemon_t *self, const rp_peer_t *peer, const void *body, size_t size)
{
    const rp_inbound_t inbound = {
        .kind = RP_INBOUND_REQUEST, .peer = peer, .body = body, .size = size};
    self->stats.requests_taken++;
    rp_request_take(self, &inbound);
}

void rp_daemon_malformed(rp_daemon_t *self, const char *socket, const char *sentence)
{
    rp_refusal_t refusal;
    self->stats.frames_malformed++;
    (void)rp_refuse(&refusal, REPLAN__V1__STATUS__INVALID, "%s: %s", socket, sentence);
    rp_refusal_log_add(&self->refusals, socket, 0, &refusal, self->now.steady_us);
    rp_publish_notice(self, "", &refusal, NULL, false);
}

// ---- what waits in the queue

/// The bytes of a message that is to stay.
static rp_shared_buffer_t *keep(rp_daemon_t *self, const rp_inbound_t *inbound)
{
    rp_shared_buffer_t *buffer = self->transport.keep != NULL
                                     ? self->transport.keep(self->transport.user, inbound->body)
                                     : NULL;
    return buffer != NULL ? buffer : rp_shared_buffer_copy(inbound->body, inbound->size);
}

/// @return false
static bool refuse_memory(rp_refusal_t *refusal)
{
    return rp_refuse(refusal, rp_encode_status(RP_E_MEMORY), "message: %s",
                     rp_status_text(RP_E_MEMORY));
}

/// @return NULL with the refusal filled in
static rp_queued_t *add_to_queue(rp_daemon_t *self, const rp_inbound_t *inbound,
                                 rp_refusal_t *refusal)
{
    if (!rp_request_queue_has_room(&self->line, inbound)) {
        (void)rp_refuse(refusal, REPLAN__V1__STATUS__LIMIT,
                        "message: it has %zu bytes, and %zu of its sender wait behind what is long "
                        "(limit %zu, or one message; %zu of all)",
                        inbound->size, rp_request_queue_held(&self->line, inbound),
                        RP_REQUEST_QUEUE_SENDER, RP_REQUEST_QUEUE_BYTES);
        return NULL;
    }
    rp_shared_buffer_t *buffer = keep(self, inbound);
    rp_queued_t *queued = rp_request_queue_add(&self->line, inbound, &buffer);
    if (queued == NULL) {
        (void)refuse_memory(refusal);
    }
    return queued;
}

bool rp_daemon_enqueue(rp_daemon_t *self, const rp_inbound_t *inbound, rp_refusal_t *refusal)
{
    if (inbound->queued != NULL || !rp_request_queue_holds(&self->line, inbound, NULL)) {
        return false;
    }
    return add_to_queue(self, inbound, refusal) != NULL;
}

bool rp_daemon_stage(rp_daemon_t *self, const rp_inbound_t *inbound, rp_refusal_t *refusal)
{
    rp_queued_t *queued =
        inbound->queued != NULL ? inbound->queued : add_to_queue(self, inbound, refusal);
    if (queued == NULL) {
        return false;
    }
    queued->staged = rp_staged_request_new(queued);
    if (queued->staged != NULL) {
        return true;
    }
    if (inbound->queued == NULL) {
        rp_request_queue_remove(&self->line, queued);
    }
    return refuse_memory(refusal);
}

/// All of a request that took time is done.
static void finish_request(rp_daemon_t *self, const rp_queued_t *queued)
{
    const Replan__V1__Request *request = (const Replan__V1__Request *)queued->staged->message;
    rp_call_t call = rp_call_of(self, &queued->peer, request->id);
    call.request = request;
    call.bytes = queued->buffer->bytes;
    call.size = queued->buffer->size;
    call.key = queued->inbound.key;
    call.is_mute = queued->inbound.is_mute;
    call.deadline_us = queued->inbound.deadline_us;
    call.refusal = queued->staged->refusal;
    call.queued = queued;
    rp_arena_reset(&self->arena);
    if (!rp_staged_request_is_in_parts(queued->staged)) {
        conclude(&call, call.refusal.status != REPLAN__V1__STATUS__OK);
        return;
    }
    const bool is_ready =
        call.refusal.status != REPLAN__V1__STATUS__OK || rp_daemon_dispatch(&call);
    if (call.refusal.status == REPLAN__V1__STATUS__OK) {
        rp_state_note_done(self, request, "");
    } else {
        rp_state_note_nothing(self);
    }
    if (is_ready) {
        rp_call_reply(&call);
    }
}

/// Serve a message whose turn has come.
/// @return false when it is long, and staging it was begun
static bool take_turn(rp_daemon_t *self, const rp_queued_t *queued)
{
    if (queued->inbound.kind == RP_INBOUND_REQUEST) {
        rp_request_take(self, &queued->inbound);
    } else {
        rp_topics_take(self, &queued->inbound);
    }
    return queued->staged == NULL;
}

/// Hash a long change, to know it when it is repeated. @return true when its hash is known
static bool hash(rp_daemon_t *self, rp_queued_t *queued, uint64_t *budget)
{
    rp_inbound_t *inbound = &queued->inbound;
    rp_staged_request_t *staged = queued->staged;
    const bool is_due = inbound->kind == RP_INBOUND_REQUEST && !inbound->key.is_hashed &&
                        rp_request_key_is_kept(&inbound->key);
    if (!is_due) {
        return true;
    }
    if (staged->body.at == NULL) {
        rp_request_body_init(&staged->body, &self->hash_key, inbound->body, inbound->size);
    }
    const uint64_t price = inbound->size / HASHED_EACH + 1u;
    const uint64_t spent = *budget < price ? *budget : price;
    *budget -= spent;
    if (rp_request_body_hash(&staged->body, (size_t)spent * HASHED_EACH)) {
        return false;
    }
    inbound->key.body = rp_siphash_end(&staged->body.hash);
    inbound->key.is_hashed = true;
    staged->is_repeat = is_repeat(self, inbound);
    return true;
}

/// Go on with the first that is long. What is ready is handled in one go, in a round of its own if
/// most of this one's time was spent. @return true when it was served
static bool staged(rp_daemon_t *self, rp_queued_t *queued, uint64_t *budget)
{
    const uint64_t given = *budget;
    if (!hash(self, queued, budget)) {
        return false;
    }
    if (queued->staged->is_repeat) {
        return true;
    }
    if (!rp_staged_request_work(self, queued, budget) || *budget < given / 2u) {
        return false;
    }
    if (queued->inbound.kind == RP_INBOUND_REQUEST) {
        finish_request(self, queued);
    } else {
        rp_topics_finish(self, queued);
    }
    return true;
}

bool rp_serve_queue(rp_daemon_t *self, uint64_t budget)
{
    unsigned served = 0;
    bool has_staged = rp_request_queue_clear(&self->line);
    bool is_dear = has_staged;
    for (rp_queued_t *queued = self->line.first; queued != NULL && served < SERVED_MOST;) {
        bool is_over = false;
        if (!rp_request_queue_holds(&self->line, &queued->inbound, queued)) {
            const bool is_new = queued->staged == NULL;
            served += is_new;
            is_over = is_new && take_turn(self, queued);
            if (!is_over && !has_staged) {
                has_staged = true;
                is_over = staged(self, queued, &budget);
                is_dear = is_over;
            }
        }
        rp_queued_t *next = queued->next;
        if (is_over) {
            rp_request_queue_remove(&self->line, queued);
        }
        queued = next;
    }
    return is_dear;
}
