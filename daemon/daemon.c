/// The daemon without its sockets: what one round of work does, and what it sends.
#include "daemon/daemon.h"

#include <stdio.h>

#include "daemon/requests/handlers/handle_overlay.h"
#include "daemon/requests/handlers/handle_watch.h"
#include "daemon/requests/pending_server.h"
#include "daemon/requests/queue_server.h"
#include "daemon/requests/requests.h"
#include "daemon/requests/topics.h"
#include "daemon/rules/agents.h"
#include "daemon/rules/leases.h"
#include "daemon/rules/pacing.h"
#include "daemon/rules/state.h"
#include "daemon/rules/world_deltas.h"
#include "daemon/rules/world_quota.h"
#include "daemon/serving/encode.h"
#include "daemon/serving/heartbeat.h"
#include "daemon/workers/worker.h"

/// What is long takes so many rounds for itself at the most, one to be handled and one to be given
/// back; then others have a turn, however many come.
#define FULL_MOST 2u

/// A peer whose queue is full is tried again after this long.
#define FULL_RETRY_US 2000u

// ---- maps

rp_status_t rp_daemon_open_map(rp_daemon_t *self, const char *name, const rp_world_options_t *map)
{
    rp_serving_t *serving = &self->serving;
    const rp_world_options_t options = {
        .width = map->width,
        .height = map->height,
        .neighbors = 8,
        .profile = map->profile,
        .frame = map->frame,
        .data = map->data,
        .cells_hash = rp_codec_cells_hash,
    };
    rp_served_t *world;
    if (!rp_world_quota_has_room(serving, NULL, (uint64_t)map->width * map->height)) {
        return RP_E_MEMORY;
    }
    const rp_status_t status = rp_worlds_open(&serving->worlds, serving->host, name, "map",
                                              &options, NULL, serving->now.wall_us, &world);
    if (status == RP_OK) {
        world->changed_us = serving->now.steady_us;
    }
    return status;
}

// ---- messages

void rp_daemon_request(rp_daemon_t *self, const rp_peer_t *peer, const void *body, size_t size)
{
    rp_requests_receive(&self->intake, peer, body, size);
}

void rp_daemon_change(rp_daemon_t *self, const void *topic, size_t topic_size, const void *body,
                      size_t size)
{
    rp_topics_change(&self->intake, topic, topic_size, body, size);
}

void rp_daemon_pose(rp_daemon_t *self, const void *topic, size_t topic_size, const void *body,
                    size_t size)
{
    rp_topics_pose(&self->intake, topic, topic_size, body, size);
}

void rp_daemon_left(rp_daemon_t *self, uint64_t connection)
{
    rp_end_watches_of_connection(&self->serving, connection);
}

void rp_daemon_malformed(rp_daemon_t *self, const char *socket, const char *sentence)
{
    rp_requests_malformed(&self->intake, socket, sentence);
}

// ---- work

/// Pack an answer as it is published. @return false when it does not fit in
static bool fits(rp_serving_t *self, const Replan__V1__Answer *answer)
{
    return rp_codec_pack(&self->packed, &answer->base) && self->packed.size <= RP_LIMIT_PUB_BYTES;
}

/// The same with its bends if they were asked for and fit in, and as many of its segments as do.
/// @return false when it does not fit in without them either
static bool pack_published(rp_serving_t *self, const rp_agent_t *agent, const rp_answer_t *said,
                           Replan__V1__Answer *answer)
{
    rp_message_arena_reset(&self->arena);
    if (agent->bends) {
        rp_encode_bends(&self->arena, answer);
    }
    if (agent->segments) {
        rp_encode_segments(&self->arena, said, answer);
    }
    if (fits(self, answer)) {
        return true;
    }
    answer->n_bend_x = answer->n_bend_y = answer->n_bend_at = 0;
    for (size_t left = answer->n_segment_x; left != 0; left /= 2u) {
        rp_encode_first_segments(said, left, answer);
        if (fits(self, answer)) {
            return true;
        }
    }
    rp_encode_first_segments(said, 0, answer);
    return fits(self, answer);
}

/// @param wall_us  0: it was not read yet
static void note_latency(rp_serving_t *self, rp_served_t *world, const rp_cause_t *cause,
                         uint64_t *wall_us)
{
    world->answers++;
    if (cause->arrival_us == 0) {
        return;
    }
    *wall_us = *wall_us == 0 ? self->transport.wall_us(self->transport.user) : *wall_us;
    const uint64_t took_us = *wall_us > cause->arrival_us ? *wall_us - cause->arrival_us : 0;
    rp_recent_histogram_add(&world->latency_us, took_us, self->now.steady_us, RP_LATENCY_PERIOD_US);
}

/// Publish the answers that the engine has ready, and note them for the watches.
static void publish_answers(rp_serving_t *self)
{
    rp_answer_t answer;
    uint64_t wall_us = 0;
    while (rp_host_next_answer(self->host, &answer)) {
        rp_agent_t *agent = rp_worlds_agent_of(&self->worlds, answer.session);
        rp_worlds_note_answered(agent, rp_engine_version(self->engine, agent->world->id));
        self->stats.answers_said++;
        note_latency(self, agent->world, &answer.cause, &wall_us);
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
        if (!pack_published(self, agent, &answer, &message)) {
            self->stats.answers_too_large++; // path_seq shows the gap; a watch gets it whole
            continue;
        }
        self->transport.publish(self->transport.user, topic, self->packed.bytes, self->packed.size);
    }
}

/// Give the queue its share of the round. @return what is left of the budget
static uint64_t serve_queue(rp_daemon_t *self, uint64_t budget)
{
    const bool is_empty = rp_request_queue_is_empty(&self->intake.queue);
    const uint64_t share = is_empty ? 0 : (budget + 1u) / 2u;
    const bool is_dear = rp_queue_serve(&self->intake, share);
    self->full_rounds = is_dear && self->full_rounds < FULL_MOST ? self->full_rounds + 1u : 0u;
    return self->full_rounds != 0 ? 0 : budget - share;
}

/// Publish what is new, and give the replies whose wait is over.
static void publish(rp_daemon_t *self)
{
    rp_serving_t *serving = &self->serving;
    publish_answers(serving);
    for (rp_served_t *world = serving->worlds.by_name; world != NULL; world = world->hh.next) {
        rp_message_arena_reset(&serving->arena);
        rp_world_deltas_publish(serving, world);
    }
    rp_pending_serve(&self->intake);
    rp_heartbeat_publish(serving);
}

/// True when somebody has a use for time that nobody needs.
static bool idle(rp_daemon_t *self)
{
    rp_serving_t *serving = &self->serving;
    return rp_worlds_clear(&serving->worlds) || self->intake.queue.first != NULL ||
           rp_state_is_busy(serving) ||
           (!serving->is_work_left && !serving->is_delivery_left &&
            rp_host_idle(serving->host, RP_WORKER_IDLE));
}

void rp_daemon_work(rp_daemon_t *self, uint64_t budget)
{
    rp_serving_t *serving = &self->serving;
    serving->started_us = serving->started_us == 0 ? serving->now.steady_us : serving->started_us;
    rp_expire_shapes(serving);
    rp_leases_end(serving, rp_agents_expire);
    rp_state_work(serving); // what was published, and what went by itself, is written now
    const uint64_t rest = serve_queue(self, budget);
    const bool is_full = self->full_rounds != 0;
    serving->is_work_left = rp_host_step(serving->host, serving->now.steady_us, rest) ||
                            !rp_request_queue_is_empty(&self->intake.queue);
    rp_pacing_allow(serving);
    publish(self);
    serving->is_delivery_left = is_full;
    serving->is_peer_full =
        rp_outbox_send(&serving->outbox, &serving->transport, &serving->stats.replies_dropped);
    if (!is_full) {
        rp_serve_watches(serving);
    }
    rp_host_flush(serving->host, serving->now.steady_us);
    self->is_idling = idle(self);
    rp_serving_count(serving);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t rp_daemon_next_us(const rp_daemon_t *self)
{
    const rp_serving_t *serving = &self->serving;
    const uint64_t retry_us =
        serving->is_peer_full ? serving->now.steady_us + FULL_RETRY_US : RP_NEVER_US;
    uint64_t next_us = least(rp_host_next_us(serving->host), rp_state_next_us(serving));
    next_us = least(least(next_us, retry_us), rp_heartbeat_next_us(serving));
    next_us = least(next_us, serving->lease_us);
    return least(next_us, rp_pending_next_us(serving));
}

// ---- birth and death

rp_status_t rp_daemon_init(rp_daemon_t *self, const rp_transport_t *transport,
                           const char *default_planner, unsigned worker_count,
                           uint64_t memory_bytes)
{
    *self = (rp_daemon_t){.is_idling = false};
    const rp_status_t status =
        rp_serving_init(&self->serving, transport, default_planner, worker_count, memory_bytes);
    if (status == RP_OK) {
        rp_intake_init(&self->intake, &self->serving);
        self->serving.queue = &self->intake.queue;
    }
    return status;
}

void rp_daemon_fini(rp_daemon_t *self)
{
    rp_state_close(&self->serving.state);
    rp_intake_fini(&self->intake);
    rp_serving_fini(&self->serving);
    *self = (rp_daemon_t){.is_idling = false};
}
