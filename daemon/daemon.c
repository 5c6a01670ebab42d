/// The daemon without its sockets: what one round of work does, and what it sends.
#include "daemon/daemon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/process/log.h"
#include "daemon/requests/handlers.h"
#include "daemon/requests/leases.h"
#include "daemon/requests/staged_request.h"
#include "daemon/requests/state.h"
#include "daemon/requests/world_quota.h"
#include "daemon/serving/encode.h"
#include "daemon/serving/heartbeat.h"
#include "daemon/workers/hosts.h"
#include "daemon/workers/worker.h"

/// Changes that are acknowledged for each slice of planning, about a millisecond, while sessions
/// wait for theirs; and the cells by which a change weighs one more.
#define ACKS_A_SLICE    16
#define CELLS_OF_AN_ACK 2048u

/// What is long takes so many rounds for itself at the most, one to be handled and one to be given
/// back; then others have a turn, however many come.
#define FULL_MOST 2u

/// A peer whose queue is full is tried again after this long.
#define FULL_RETRY_US 2000u

// ---- maps

rp_status_t rp_daemon_open_map(rp_daemon_t *self, const char *name, uint32_t width, uint32_t height,
                               const uint8_t *factors)
{
    const rp_world_options_t options = {
        .width = width,
        .height = height,
        .neighbors = 8,
        .profile = "factor",
        .frame = {.resolution_m = 1.0},
        .data = factors,
        .cell_hash = rp_codec_cell_hash,
    };
    rp_served_t *world;
    if (!rp_world_quota_has_room(self, NULL, (uint64_t)width * height)) {
        return RP_E_MEMORY;
    }
    const rp_status_t status = rp_worlds_open(&self->worlds, self->host, name, "map", &options,
                                              NULL, self->now.wall_us, &world);
    if (status == RP_OK) {
        world->changed_us = self->now.steady_us;
    }
    return status;
}

// ---- work

/// Pack an answer as it is published: with its bends if they were asked for and fit in.
/// @return false when it does not fit in without them either
static bool pack_published(rp_daemon_t *self, const rp_agent_t *agent, Replan__V1__Answer *answer)
{
    if (agent->bends) {
        rp_arena_reset(&self->arena);
        rp_encode_bends(&self->arena, answer);
        if (rp_codec_pack(&self->packed, &answer->base) &&
            self->packed.size <= RP_LIMIT_PUB_BYTES) {
            return true;
        }
        answer->n_bend_x = answer->n_bend_y = answer->n_bend_at = 0;
    }
    return rp_codec_pack(&self->packed, &answer->base) && self->packed.size <= RP_LIMIT_PUB_BYTES;
}

/// Publish the answers that the engine has ready, and note them for the watches.
static void publish_answers(rp_daemon_t *self)
{
    rp_answer_t answer;
    while (rp_host_next_answer(self->host, &answer)) {
        rp_agent_t *agent = rp_worlds_agent_of(&self->worlds, answer.session);
        rp_worlds_note_said(agent, rp_engine_version(self->engine, agent->world->id));
        self->stats.answers_said++;
        rp_state_note_waypoint(self, agent, answer.waypoint);
        self->stats.watches_lost += rp_watches_note_answer(&self->watches, agent);
        if (self->stats.subscriptions == 0) {
            continue;
        }
        Replan__V1__Geometry geometry;
        Replan__V1__Answer message;
        rp_encode_answer(self, agent, &answer, &geometry, &message);
        char topic[RP_LIMIT_TOPIC];
        (void)snprintf(topic, sizeof topic, "path/%s/%s/", agent->world->name, agent->name);
        if (!pack_published(self, agent, &message)) {
            self->stats.answers_too_large++; // path_seq shows the gap; a watch gets it whole
            continue;
        }
        self->transport.publish(self->transport.user, topic, self->packed.bytes, self->packed.size);
    }
}

static bool is_behind(const rp_daemon_t *self)
{
    return self->is_work_left || rp_host_is_at_work(self->host);
}

bool rp_daemon_may_acknowledge(rp_daemon_t *self, uint64_t cells)
{
    if (is_behind(self)) {
        if (self->acks_left <= 0) {
            return false;
        }
        self->acks_left -= (int64_t)(1u + cells / CELLS_OF_AN_ACK);
    }
    return true;
}

/// Slices came to their end: more may be acknowledged. What a large change took beyond that is paid
/// back first.
static void allow_acks(rp_daemon_t *self)
{
    const uint64_t slices = rp_host_slices(self->host);
    const int64_t left = self->acks_left + (int64_t)(slices - self->slices) * ACKS_A_SLICE;
    self->acks_left = left > ACKS_A_SLICE || !is_behind(self) ? ACKS_A_SLICE : left;
    self->slices = slices;
}

/// True when a version is on the disk, or nothing comes there any more until somebody mends it.
static bool is_kept(const rp_daemon_t *self, const rp_pending_reply_t *wait,
                    const rp_served_t *world)
{
    return world->durable >= wait->version || rp_state_is_lost(self->state);
}

/// @return true when the wait is over, one way or the other
static bool is_over(rp_daemon_t *self, const rp_pending_reply_t *wait, const rp_served_t *world)
{
    if (wait->gave_way || world == NULL || world->epoch != wait->epoch ||
        wait->deadline_us <= self->now.steady_us) {
        return true;
    }
    rp_left_out_t left_out;
    switch (wait->kind) {
    case RP_PENDING_AFTER:
        return rp_daemon_is_after(self, world, wait->publisher, wait->version, wait->sequence);
    case RP_PENDING_SETTLED:
        return rp_host_settled(self->host, world->id, &left_out) >= wait->version &&
               (!rp_state_is_disk(self->state) || is_kept(self, wait, world));
    case RP_PENDING_DURABLE:
        return is_kept(self, wait, world);
    case RP_PENDING_PACE:
        return rp_daemon_may_acknowledge(self, wait->cells);
    case RP_PENDING_ASK:
        return rp_host_query_report(self->host, wait->ask) != NULL;
    case RP_PENDING_SURE:
        break;
    }
    const rp_agent_t *agent = rp_worlds_find_agent(world, wait->agent);
    return agent == NULL || rp_host_has_looked(self->host, agent->session, wait->ticket);
}

static void finish_wait(rp_daemon_t *self, const rp_pending_reply_t *wait, const rp_served_t *world)
{
    rp_call_t call = rp_call_of(self, &wait->peer, wait->key.id);
    call.key = wait->key;
    call.is_mute = wait->is_mute;
    call.window = wait->window;
    call.dropped = wait->dropped;
    if (world == NULL || world->epoch != wait->epoch) {
        (void)rp_call_refuse(&call, REPLAN__V1__STATUS__UNKNOWN,
                             "world \"%s\" was removed while the request waited", wait->world);
    } else if (wait->kind == RP_PENDING_PACE ||
               (wait->kind == RP_PENDING_DURABLE && is_kept(self, wait, world))) {
        rp_finish_pace(&call, world, wait->version);
        return;
    } else if (wait->is_left) {
        self->stats.requests_gave_way++;
        (void)rp_call_refuse(&call, REPLAN__V1__STATUS__TIMEOUT,
                             "request: you were gone while it waited, and it waits no longer");
    } else if (wait->gave_way) {
        self->stats.requests_gave_way++;
        (void)rp_call_refuse(&call, REPLAN__V1__STATUS__TIMEOUT,
                             "request: it waited for %llu ms and gave way to another peer's, as no "
                             "peer had more waiting (limit %u requests of all, %u questions)",
                             (unsigned long long)(self->now.steady_us - wait->began_us) / 1000u,
                             RP_PENDING_REPLIES_MAX, RP_LIMIT_QUESTIONS);
    } else if (wait->deadline_us <= self->now.steady_us) {
        self->stats.requests_timed_out++;
        (void)rp_call_refuse(&call, REPLAN__V1__STATUS__TIMEOUT,
                             "request.deadline_ms passed before the request could be answered");
    } else if (wait->kind == RP_PENDING_AFTER) {
        const rp_inbound_t inbound = {.kind = RP_INBOUND_REQUEST,
                                      .peer = &wait->peer,
                                      .body = wait->request,
                                      .size = wait->request_size,
                                      .is_met = true,
                                      .is_mute = wait->is_mute,
                                      .deadline_us = wait->deadline_us};
        rp_request_take(self, &inbound);
        return;
    } else if (wait->kind == RP_PENDING_SETTLED) {
        rp_finish_apply(&call, world, wait->version);
        return;
    } else if (wait->kind == RP_PENDING_ASK) {
        rp_finish_query(&call, world, wait);
        return;
    } else {
        rp_arena_reset(&self->arena);
        rp_finish_answer(&call, rp_worlds_find_agent(world, wait->agent), wait->bends);
        return;
    }
    rp_call_reply(&call);
}

/// The time of who waits for an answer is half over.
static void hasten(rp_daemon_t *self, rp_pending_reply_t *wait, const rp_served_t *world)
{
    const rp_agent_t *agent = world != NULL ? rp_worlds_find_agent(world, wait->agent) : NULL;
    if (wait->kind == RP_PENDING_SURE && wait->hasten_us <= self->now.steady_us && agent != NULL) {
        wait->hasten_us = RP_NEVER_US;
        rp_host_hasten(self->host, agent->session);
    }
}

static void serve_waits(rp_daemon_t *self)
{
    for (uint32_t place = 0; place < self->waits.count;) {
        rp_pending_reply_t *candidate = self->waits.list[place];
        const rp_served_t *world = rp_worlds_find(&self->worlds, candidate->world);
        hasten(self, candidate, world);
        if (!is_over(self, candidate, world)) {
            place++;
            continue;
        }
        rp_pending_reply_t *wait = rp_pending_replies_take(&self->waits, place);
        finish_wait(self, wait, world);
        rp_host_forget(self->host, wait->ask);
        rp_pending_reply_destroy(&wait);
    }
}

void rp_daemon_count(rp_daemon_t *self)
{
    self->stats.worlds = self->worlds.count;
    self->stats.watches = self->watches.count;
    self->stats.line_bytes = self->line.shares.total;
    self->stats.unsent_bytes =
        self->transport.unsent != NULL ? self->transport.unsent(self->transport.user) : 0;
    const rp_effort_t effort = rp_host_effort(self->host);
    self->stats.expansions = effort.expanded;
    self->stats.checked = effort.checked;
    self->stats.differed = effort.differed;
}

void rp_daemon_work(rp_daemon_t *self, uint64_t budget)
{
    rp_expire_shapes(self);
    rp_leases_end(self);
    rp_state_work(self); // what was published, and what went by itself, is written now
    const uint64_t share = rp_request_queue_is_empty(&self->line) ? 0 : (budget + 1u) / 2u;
    const bool is_dear = rp_serve_queue(self, share);
    self->full_rounds = is_dear && self->full_rounds < FULL_MOST ? self->full_rounds + 1u : 0u;
    const bool is_full = self->full_rounds != 0;
    const uint64_t rest = is_full ? 0 : budget - share;
    self->is_work_left = rp_host_step(self->host, self->now.steady_us, rest) ||
                         !rp_request_queue_is_empty(&self->line);
    allow_acks(self);
    publish_answers(self);
    for (rp_served_t *world = self->worlds.by_name; world != NULL; world = world->hh.next) {
        rp_arena_reset(&self->arena);
        rp_publish_deltas(self, world);
    }
    serve_waits(self);
    rp_heartbeat_publish(self);
    self->is_delivery_left = is_full;
    self->is_peer_full =
        rp_outbox_send(&self->owed, &self->transport, &self->stats.replies_dropped);
    if (!is_full) {
        rp_serve_watches(self);
    }
    rp_host_flush(self->host, self->now.steady_us);
    self->is_idling = rp_worlds_clear(&self->worlds) || self->line.first != NULL ||
                      rp_state_is_busy(self) ||
                      (!self->is_work_left && !self->is_delivery_left &&
                       rp_host_idle(self->host, RP_WORKER_IDLE));
    rp_daemon_count(self);
}

uint64_t rp_daemon_next_us(const rp_daemon_t *self)
{
    uint64_t next_us = rp_host_next_us(self->host);
    const uint64_t state_us = rp_state_next_us(self);
    next_us = state_us < next_us ? state_us : next_us;
    if (self->is_peer_full && self->now.steady_us + FULL_RETRY_US < next_us) {
        next_us = self->now.steady_us + FULL_RETRY_US;
    }
    const uint64_t heads_us = rp_heartbeat_next_us(self);
    next_us = heads_us < next_us ? heads_us : next_us;
    next_us = self->lease_us < next_us ? self->lease_us : next_us;
    for (uint32_t i = 0; i < self->waits.count; i++) {
        const rp_pending_reply_t *wait = self->waits.list[i];
        const bool hastens = wait->kind == RP_PENDING_SURE && wait->hasten_us < wait->deadline_us;
        const uint64_t due_us = hastens ? wait->hasten_us : wait->deadline_us;
        next_us = due_us < next_us ? due_us : next_us;
    }
    return next_us;
}

// ---- birth and death

rp_status_t rp_daemon_init(rp_daemon_t *self, const rp_transport_t *transport,
                           const char *default_planner, unsigned worker_count,
                           uint64_t memory_bytes)
{
    *self = (rp_daemon_t){.transport = *transport,
                          .lease_us = RP_NEVER_US,
                          .long_from = RP_STAGED_FROM_BYTES,
                          .memory_bytes = memory_bytes};
    if (rp_planner_find(default_planner) == NULL) {
        return RP_E_UNKNOWN;
    }
    memcpy(self->default_planner, default_planner, strlen(default_planner));
    rp_arena_init(&self->arena, RP_LIMIT_ARENA_BYTES);
    self->chunk = malloc(RP_LIMIT_CHUNK_BYTES);
    if (self->chunk == NULL || rp_hosts_new(worker_count, memory_bytes, &self->host) != RP_OK) {
        rp_daemon_fini(self);
        return RP_E_MEMORY;
    }
    self->engine = rp_host_ground(self->host);
    return RP_OK;
}

void rp_daemon_fini(rp_daemon_t *self)
{
    rp_state_close(&self->state);
    rp_request_queue_fini(&self->line);
    rp_watches_fini(&self->watches);
    rp_pending_replies_fini(&self->waits);
    rp_reply_cache_fini(&self->replies);
    rp_known_peers_fini(&self->peers);
    rp_outbox_fini(&self->owed);
    rp_worlds_fini(&self->worlds, self->host);
    rp_host_destroy(&self->host);
    rp_arena_fini(&self->arena);
    rp_buffer_fini(&self->packed);
    rp_buffer_fini(&self->wrapped);
    free(self->chunk);
    *self = (rp_daemon_t){0};
}
