/// How much is served, birth and death.
#include "daemon/serving/serving.h"

#include <stdlib.h>
#include <string.h>

#include "daemon/workers/hosts.h"

void rp_serving_count(rp_serving_t *self)
{
    self->stats.worlds = self->worlds.count;
    self->stats.watches = self->watches.count;
    self->stats.unsent_bytes =
        self->transport.unsent != NULL ? self->transport.unsent(self->transport.user, NULL) : 0;
    const rp_effort_t effort = rp_host_effort(self->host);
    self->stats.expansions = effort.expanded;
    self->stats.checked = effort.checked;
    self->stats.differed = effort.differed;
}

void rp_serving_note_change(rp_serving_t *self, rp_served_t *world, uint64_t cells)
{
    self->stats.changes_applied++;
    self->stats.cells_written += cells;
    world->changes++;
    world->cells += cells;
}

void rp_serving_latency(const rp_serving_t *self, rp_served_t *world, rp_histogram_t *sum)
{
    rp_recent_histogram_sum(&world->latency_us, self->now.steady_us, RP_LATENCY_PERIOD_US, sum);
}

void rp_serving_measure(rp_serving_t *self)
{
    rp_histogram_t all = {.count = 0};
    rp_histogram_t one;
    for (rp_served_t *world = self->worlds.by_name; world != NULL; world = world->hh.next) {
        rp_serving_latency(self, world, &one);
        rp_histogram_merge(&all, &one);
    }
    self->stats.latency_p50_us = rp_histogram_percentile(&all, 50);
    self->stats.latency_p90_us = rp_histogram_percentile(&all, 90);
    self->stats.latency_p99_us = rp_histogram_percentile(&all, 99);
    self->stats.latency_max_us = all.most;
    const uint64_t started_us = self->started_us != 0 ? self->started_us : self->now.steady_us;
    self->stats.uptime_ms = (self->now.steady_us - started_us) / 1000u;
    self->stats.clock_us = self->now.wall_us;
    self->stats.memory_limit_bytes = self->memory_bytes;
    self->stats.resident_bytes = self->transport.resident != NULL ? self->transport.resident() : 0;
}

// ---- birth and death

rp_status_t rp_serving_init(rp_serving_t *self, const rp_transport_t *transport,
                            const char *default_planner, unsigned worker_count,
                            uint64_t memory_bytes)
{
    *self = (rp_serving_t){
        .transport = *transport, .lease_us = RP_NEVER_US, .memory_bytes = memory_bytes};
    if (rp_planner_find(default_planner) == NULL) {
        return RP_E_UNKNOWN;
    }
    memcpy(self->default_planner, default_planner, strlen(default_planner));
    rp_message_arena_init(&self->arena, RP_LIMIT_ARENA_BYTES);
    self->chunk = malloc(RP_LIMIT_CHUNK_BYTES);
    if (self->chunk == NULL || rp_hosts_new(worker_count, memory_bytes, &self->host) != RP_OK) {
        rp_serving_fini(self);
        return RP_E_MEMORY;
    }
    self->engine = rp_host_authority(self->host);
    return RP_OK;
}

void rp_serving_fini(rp_serving_t *self)
{
    rp_watches_fini(&self->watches);
    rp_pending_replies_fini(&self->pending);
    rp_reply_cache_fini(&self->replies);
    rp_outbox_fini(&self->outbox);
    rp_known_peers_fini(&self->peers);
    rp_worlds_fini(&self->worlds, self->host);
    rp_host_destroy(&self->host);
    rp_message_arena_fini(&self->arena);
    rp_buffer_fini(&self->packed);
    rp_buffer_fini(&self->wrapped);
    free(self->chunk);
    *self = (rp_serving_t){0};
}
