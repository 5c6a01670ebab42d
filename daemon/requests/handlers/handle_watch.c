/// Watches: Watch, Credit, Unwatch, and what flows to them.
#include "daemon/requests/handlers/handle_watch.h"

#include <stdio.h>
#include <stdlib.h>

#include "daemon/requests/handlers/handle_query.h"
#include "daemon/serving/encode.h"

/// Messages to one watch in one round: the sockets must be read again soon. It is more than one
/// round can bring in changes, from control and from publishers: with less, a reader of the map
/// would fall behind for as long as they come, and hear no answer, which follows the deltas.
#define SENT_MOST 640u

/// Answers of a watch that takes many at a time wait so long for others while the loop plans: each
/// message wakes a thread here and one there, which those who are planned for wait for, too.
#define GATHER_US 2000u

// ---- requests

/// Tell a reader that its watch is over, whatever credit it gave and however much waits for it: a
/// reader that did not hear of it would take silence for what is still true. The watch is still to
/// be removed.
/// @param peer  who has its routing id now
static void tell_end(rp_serving_t *self, const rp_watch_t *watch, const rp_peer_t *peer,
                     char *sentence)
{
    Replan__V1__ToClient message;
    Replan__V1__Ended ended;
    replan__v1__to_client__init(&message);
    replan__v1__ended__init(&ended);
    ended.sentence = sentence;
    message.watch = watch->id;
    message.body_case = REPLAN__V1__TO_CLIENT__BODY_ENDED;
    message.ended = &ended;
    if (rp_codec_pack(&self->packed, &message.base) &&
        self->transport.control(self->transport.user, peer, self->packed.bytes,
                                self->packed.size) == RP_SENT_FULL) {
        const bool is_owed =
            rp_outbox_add(&self->outbox, peer, self->packed.bytes, self->packed.size) == RP_OK;
        self->is_peer_full = self->is_peer_full || is_owed;
        self->stats.replies_dropped += !is_owed;
    }
}

/// The watch that gives way for another one of this peer. @param sentence  written: why [room]
/// @return NULL when none does
static rp_watch_t *find_yielder(const rp_serving_t *self, const rp_peer_t *peer, char *sentence,
                                size_t room)
{
    const uint64_t dry_us = (uint64_t)RP_LIMIT_YIELD_MS * 1000u;
    rp_watch_t *yielder =
        self->now.steady_us >= dry_us
            ? rp_watches_driest(&self->watches, peer, self->now.steady_us - dry_us)
            : NULL;
    if (yielder != NULL) {
        (void)snprintf(sentence, room,
                       "it had no credit for %u ms, and another watch needed its place",
                       RP_LIMIT_YIELD_MS);
        return yielder;
    }
    yielder = rp_watches_yielder(&self->watches, peer);
    if (yielder != NULL) {
        (void)snprintf(sentence, room,
                       "of the %u watches that the daemon serves you had %zu, the most of all, and "
                       "another peer needed one",
                       RP_LIMIT_WATCHES, yielder->share->held);
    }
    return yielder;
}

/// Where there are as many as there may be, one whose reader is perhaps gone gives way, or one of
/// who has most.
static void make_room(rp_serving_t *self, const rp_peer_t *peer)
{
    char sentence[160];
    rp_watch_t *yielder = self->watches.count == RP_LIMIT_WATCHES
                              ? find_yielder(self, peer, sentence, sizeof sentence)
                              : NULL;
    if (yielder != NULL) {
        tell_end(self, yielder, &yielder->peer, sentence);
        rp_watches_remove(&self->watches, yielder);
        self->stats.watches_gave_way++;
    }
}

bool rp_handle_watch(rp_call_t *call)
{
    const Replan__V1__Watch *asked = call->request->watch;
    rp_serving_t *self = call->serving;
    rp_served_t *world = rp_call_world(call, asked->world);
    if (world == NULL) {
        return true;
    }
    Replan__V1__Watching *watching = rp_message_arena_take(&self->arena, sizeof *watching);
    const rp_watch_options_t options = {
        .all = asked->all,
        .names = asked->agents,
        .name_count = asked->n_agents,
        .map = asked->map,
        .splices = asked->splices,
        .bends = asked->bends,
        .segments = asked->segments,
        .splices_curves = asked->splice_segments,
        .follows = asked->follows,
        .batch = asked->batch,
        .credit = asked->credit,
    };
    if (rp_peer_quota_held(&self->watches.shares, call->peer) >= RP_LIMIT_WATCHES_PEER) {
        return rp_call_refuse(call, REPLAN__V1__STATUS__LIMIT,
                              "watch: you have %u, which is the limit of a peer (%u of all)",
                              RP_LIMIT_WATCHES_PEER, RP_LIMIT_WATCHES);
    }
    make_room(self, call->peer);
    rp_watch_t *watch =
        watching == NULL ? NULL : rp_watches_add(&self->watches, call->peer, world, &options);
    if (watch == NULL) {
        return rp_call_refuse(call, REPLAN__V1__STATUS__LIMIT,
                              "watch: the daemon serves at most %u watches, and nobody has two "
                              "more than you",
                              RP_LIMIT_WATCHES);
    }
    watch->fed_us = self->now.steady_us;
    replan__v1__watching__init(watching);
    watching->watch = watch->id;
    call->reply.body_case = REPLAN__V1__REPLY__BODY_WATCHING;
    call->reply.watching = watching;
    return true;
}

static rp_watch_t *watch_of(rp_call_t *call, uint32_t id, const char *field)
{
    rp_watch_t *watch = rp_watches_find(&call->serving->watches, call->peer, id);
    if (watch == NULL) {
        (void)rp_call_refuse(call, REPLAN__V1__STATUS__UNKNOWN, "%s: you have no watch %u", field,
                             id);
    }
    return watch;
}

bool rp_handle_credit(rp_call_t *call)
{
    const Replan__V1__Credit *credit = call->request->credit;
    rp_watch_t *watch = watch_of(call, credit->watch, "credit.watch");
    if (watch == NULL) {
        return true;
    }
    if (watch->credit + credit->credit > RP_LIMIT_CREDIT) {
        return rp_call_refuse(call, REPLAN__V1__STATUS__LIMIT,
                              "credit.credit: %llu are left, %u more pass the limit of %u",
                              (unsigned long long)watch->credit, credit->credit, RP_LIMIT_CREDIT);
    }
    watch->credit += credit->credit;
    watch->fed_us = call->serving->now.steady_us;
    for (size_t i = 0; i < credit->n_whole; i++) { // an agent that is gone needs none
        const rp_agent_t *agent = rp_worlds_find_agent(watch->world, credit->whole[i]);
        if (agent != NULL && rp_watch_wants(watch, agent->name)) {
            rp_watch_note_had(watch, agent->session, 0);
            (void)rp_watch_set_dirty(watch, agent->session, true);
        }
    }
    return call->request->id != 0; // unnumbered credit is not answered: it comes often
}

bool rp_handle_unwatch(rp_call_t *call)
{
    const Replan__V1__Unwatch *unwatch = call->request->unwatch;
    rp_watch_t *watch = watch_of(call, unwatch->watch, "unwatch.watch");
    if (watch != NULL) {
        rp_watches_remove(&call->serving->watches, watch);
    }
    return true;
}

/// Tell the watches of a world that it goes, and end them.
void rp_end_watches(rp_serving_t *self, const rp_served_t *world)
{
    char sentence[96];
    (void)snprintf(sentence, sizeof sentence, "world \"%s\" was removed", world->name);
    for (uint32_t i = 0; i < self->watches.count; i++) {
        if (self->watches.list[i]->world == world) {
            const rp_watch_t *watch = self->watches.list[i];
            tell_end(self, watch, &watch->peer, sentence);
        }
    }
    rp_watches_remove_world(&self->watches, world);
}

void rp_end_watches_of_connection(rp_serving_t *self, uint64_t connection)
{
    char sentence[] = "its connection is gone";
    for (uint32_t i = self->watches.count; i-- > 0;) {
        rp_watch_t *watch = self->watches.list[i];
        if (watch->peer.connection == connection) {
            tell_end(self, watch, &watch->peer, sentence);
            rp_watches_remove(&self->watches, watch);
        }
    }
}

void rp_end_foreign_watches(rp_serving_t *self, const rp_peer_t *peer)
{
    char connection[] = "its peer came over another connection";
    char life[] = "another life of its client began";
    for (uint32_t i = self->watches.count; i-- > 0;) {
        rp_watch_t *watch = self->watches.list[i];
        const bool is_other_connection =
            rp_peer_is_same(&watch->peer, peer) && rp_peer_connections_differ(&watch->peer, peer);
        const bool is_other_life =
            rp_peer_is_equal(&watch->peer, peer) && rp_peer_lives_differ(&watch->peer, peer);
        if (is_other_connection || is_other_life) {
            tell_end(self, watch, peer, is_other_connection ? connection : life);
            rp_watches_remove(&self->watches, watch);
        }
    }
}

// ---- what flows

static rp_sent_t send_message(rp_serving_t *self, rp_watch_t *watch, Replan__V1__ToClient *message)
{
    message->watch = watch->id;
    if (!rp_codec_pack(&self->packed, &message->base)) {
        return RP_SENT_FULL;
    }
    const rp_sent_t sent = self->transport.control(self->transport.user, &watch->peer,
                                                   self->packed.bytes, self->packed.size);
    self->stats.watch_bytes += sent == RP_SENT ? self->packed.size : 0u;
    return sent;
}

static rp_sent_t send_head(rp_serving_t *self, rp_watch_t *watch)
{
    Replan__V1__Head head;
    Replan__V1__ToClient message;
    char *names[RP_LEFT_OUT_MAX];
    rp_encode_head(self, watch->world, names, &head);
    replan__v1__to_client__init(&message);
    message.body_case = REPLAN__V1__TO_CLIENT__BODY_HEAD;
    message.head = &head;
    return send_message(self, watch, &message);
}

static rp_sent_t send_chunk(rp_serving_t *self, rp_watch_t *watch)
{
    Replan__V1__Chunk chunk;
    Replan__V1__Geometry geometry;
    Replan__V1__ToClient message;
    rp_encode_chunk(self, watch->world, watch->next_row, &geometry, &chunk);
    replan__v1__to_client__init(&message);
    message.body_case = REPLAN__V1__TO_CLIENT__BODY_CHUNK;
    message.chunk = &chunk;
    const rp_sent_t sent = send_message(self, watch, &message);
    if (sent == RP_SENT) {
        watch->mirrored = chunk.version;
        watch->next_row += chunk.rows;
        watch->snapshot_is_under_way = !chunk.last;
    }
    return sent;
}

static rp_sent_t send_delta(rp_serving_t *self, rp_watch_t *watch)
{
    const rp_delta_t *delta = rp_deltas_get(&watch->world->deltas, watch->mirrored + 1u);
    const unsigned delta_field = 5; // ToClient.delta
    if (!rp_codec_wrap(&self->wrapped, watch->id, delta_field, delta->bytes, delta->size)) {
        return RP_SENT_FULL;
    }
    const rp_sent_t sent = self->transport.control(self->transport.user, &watch->peer,
                                                   self->wrapped.bytes, self->wrapped.size);
    watch->mirrored += sent == RP_SENT;
    self->stats.watch_bytes += sent == RP_SENT ? self->wrapped.size : 0u;
    return sent;
}

/// The agent whose answer is sent next. One that is not sure is left out: its answer is about to
/// be replaced, and what is sent always names the newest version.
static const rp_agent_t *next_agent(const rp_serving_t *self, rp_watch_t *watch)
{
    for (uint32_t tries = watch->dirty.count; tries != 0; tries--) {
        const rp_agent_t *agent = rp_worlds_agent_at(&self->worlds, rp_watch_next_dirty(watch));
        if (rp_host_last_published(self->host, agent->session) == 0) {
            (void)rp_watch_set_dirty(watch, agent->session, false); // it said nothing yet
        } else if (rp_host_is_current(self->host, agent->session)) {
            return agent;
        }
    }
    return NULL;
}

/// Answers that go out in one message.
typedef struct batch {
    const rp_agent_t *agents[RP_LIMIT_BATCH];
    Replan__V1__Answer answers[RP_LIMIT_BATCH];
    Replan__V1__Answer *list[RP_LIMIT_BATCH];
    Replan__V1__Geometry geometries[RP_LIMIT_BATCH];
    uint32_t count;
    size_t steps; ///< bytes of paths
} batch_t;

static void add_answer(rp_serving_t *self, rp_watch_t *watch, const rp_agent_t *agent,
                       batch_t *batch)
{
    rp_answer_t answer;
    Replan__V1__Answer *said = &batch->answers[batch->count];
    (void)rp_host_answer(self->host, agent->session, &answer);
    rp_encode_answer(self, agent, &answer, &batch->geometries[batch->count], said);
    if (watch->bends) {
        rp_encode_bends(&self->arena, said);
    }
    if (watch->segments) {
        rp_encode_segments(&self->arena, &answer, said);
    }
    if (watch->splices && rp_watch_had(watch, agent->session) + 1u == answer.path_seq) {
        rp_encode_splice(&answer, said);
        if (watch->splices_curves) {
            rp_encode_curve_splice(&answer, said);
        }
    }
    (void)rp_watch_set_dirty(watch, agent->session, false);
    batch->agents[batch->count] = agent;
    batch->list[batch->count++] = said;
    batch->steps += said->steps.len;
}

/// What became of the message: it is owed still, or the reader has these paths now.
static void note_batch(rp_serving_t *self, rp_watch_t *watch, const batch_t *batch, bool is_sent)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const Replan__V1__Answer *said = &batch->answers[i];
        const rp_session_id_t session = batch->agents[i]->session;
        if (!is_sent) {
            (void)rp_watch_set_dirty(watch, session, true);
        } else if (watch->splices) {
            rp_watch_note_had(watch, session, said->path_seq);
            self->stats.splices += said->base_seq != 0;
            self->stats.steps_spared += said->kept_head + said->kept_tail;
        }
    }
}

/// Send the answers of dirty agents, as many as may share a message.
/// @param count  written: how many
static rp_sent_t send_answers(rp_serving_t *self, rp_watch_t *watch, uint32_t *count)
{
    batch_t batch;
    Replan__V1__Answers answers;
    Replan__V1__ToClient message;
    const uint64_t most = watch->credit < watch->batch ? watch->credit : watch->batch;
    const rp_agent_t *agent;
    batch.count = 0;
    batch.steps = 0;
    rp_message_arena_reset(&self->arena);
    while (batch.count < most && batch.steps < RP_LIMIT_CHUNK_BYTES &&
           (agent = next_agent(self, watch)) != NULL) {
        add_answer(self, watch, agent, &batch);
    }
    *count = batch.count;
    if (batch.count == 0) {
        return RP_SENT;
    }
    replan__v1__to_client__init(&message);
    if (watch->batch == 1) {
        message.body_case = REPLAN__V1__TO_CLIENT__BODY_ANSWER;
        message.answer = batch.list[0];
    } else {
        replan__v1__answers__init(&answers);
        answers.n_answers = batch.count;
        answers.answers = batch.list;
        message.body_case = REPLAN__V1__TO_CLIENT__BODY_ANSWERS;
        message.answers = &answers;
    }
    const rp_sent_t sent = send_message(self, watch, &message);
    watch->answered_us = self->now.steady_us;
    note_batch(self, watch, &batch, sent == RP_SENT);
    return sent;
}

/// More answers are about to come, and may share a message with those that are due.
static bool gathers(const rp_serving_t *self, const rp_watch_t *watch)
{
    return self->is_work_left && watch->dirty.count != 0 && watch->dirty.count < watch->batch &&
           self->now.steady_us < watch->answered_us + GATHER_US;
}

/// False when the deltas that the reader lacks are gone, or the next one is so large that rows,
/// which come in small pieces, spare the queue of a reader that does not read.
static bool next_delta_serves(const rp_watch_t *watch)
{
    const rp_deltas_t *deltas = &watch->world->deltas;
    const rp_delta_t *next = rp_deltas_get(deltas, watch->mirrored + 1u);
    const bool follows = watch->follows && !watch->snapshot_is_under_way; // whole mirrors move
    return rp_deltas_reach(deltas, watch->mirrored, follows) &&
           (next == NULL || next->size <= 2u * RP_LIMIT_CHUNK_BYTES);
}

/// A head says that what was sent holds: it comes when nothing else is due, but from agents that it
/// leaves out.
static bool may_send_head(const rp_serving_t *self, const rp_watch_t *watch)
{
    uint32_t due = watch->dirty.count;
    if (due != 0 && watch->head_is_dirty) {
        rp_left_out_t left_out;
        (void)rp_host_progress(self->host, watch->world->id, &left_out);
        for (size_t i = 0; i < left_out.count; i++) {
            due -= rp_watch_is_dirty(watch, left_out.sessions[i]);
        }
    }
    return watch->head_is_dirty && due == 0;
}

/// Send one message of what is due: rows and deltas first, then answers, a head when none is left.
/// @param price  written: in credit; 0 when nothing is due
static rp_sent_t send_next(rp_serving_t *self, rp_watch_t *watch, uint32_t *price)
{
    const rp_served_t *world = watch->world;
    *price = 1;
    if (watch->map && !(watch->snapshot_is_under_way && watch->next_row == 0) &&
        !next_delta_serves(watch)) {
        watch->snapshot_is_under_way = true; // rows again, as credit allows
        watch->next_row = 0;
    }
    if (watch->map && (!watch->snapshot_is_under_way || watch->next_row != 0) &&
        watch->mirrored < world->deltas.newest) {
        return send_delta(self, watch);
    }
    if (watch->snapshot_is_under_way) {
        return send_chunk(self, watch);
    }
    if (gathers(self, watch)) {
        *price = 0;
        return RP_SENT;
    }
    const rp_sent_t sent = send_answers(self, watch, price);
    if (*price == 0 && may_send_head(self, watch)) {
        const rp_sent_t head_sent = send_head(self, watch);
        watch->head_is_dirty = head_sent != RP_SENT;
        *price = 1;
        return head_sent;
    }
    return sent;
}

/// @return false when the peer is gone
static bool serve(rp_serving_t *self, rp_watch_t *watch)
{
    for (unsigned i = 0; i < SENT_MOST && watch->credit != 0; i++) {
        uint32_t price;
        const rp_sent_t sent = send_next(self, watch, &price);
        if (sent == RP_SENT_GONE) {
            return false;
        }
        if (price == 0) {
            return true;
        }
        if (sent == RP_SENT_FULL) {
            self->is_peer_full = true;
            return true;
        }
        watch->credit -= price;
        self->stats.watch_messages++;
        if (i + 1u == SENT_MOST) {
            self->is_delivery_left = true;
        }
    }
    return true;
}

void rp_serve_watches(rp_serving_t *self)
{
    for (uint32_t i = self->watches.count; i-- > 0;) {
        rp_watch_t *watch = self->watches.list[i];
        if (!serve(self, watch)) {
            const rp_peer_t peer = watch->peer;
            rp_watches_remove_peer(&self->watches, &peer);
            rp_forget_queries(self, &peer);
            rp_pending_replies_yield_all(&self->pending, &peer);
            i = i < self->watches.count ? i : self->watches.count;
        }
    }
}
