/// Batches of commands to the workers, and when each wants to be told the time.
#include "daemon/workers/worker_pool.h"

#include <stdlib.h>

/// A worker that plans is told the time at least this often.
#define TICK_US 10000u

/// A worker with as many bytes of messages before it gets no more that are long.
#define LAG_BYTES (8u << 20)

// ---- commands

static rp_command_batch_t *batch_of(rp_worker_proxy_t *proxy)
{
    if (proxy->batch == NULL) {
        proxy->batch = rp_command_batch_new();
    }
    return proxy->batch;
}

void rp_fanout_add(rp_worker_pool_t *self, rp_fanout_t *fanout, unsigned worker,
                   const rp_command_t *command)
{
    rp_command_batch_t *batch = batch_of(&self->proxies[worker]);
    rp_command_t *draft = batch != NULL ? rp_command_batch_draft(batch, command) : NULL;
    fanout->lacks_memory = fanout->lacks_memory || draft == NULL;
    fanout->workers[fanout->count] = worker;
    fanout->commands[fanout->count++] = draft;
}

void rp_fanout_add_all(rp_worker_pool_t *self, rp_fanout_t *fanout, const rp_command_t *command)
{
    for (unsigned i = 0; i < self->count; i++) {
        rp_fanout_add(self, fanout, i, command);
    }
}

void rp_fanout_send(rp_worker_pool_t *self, const rp_fanout_t *fanout)
{
    for (unsigned i = 0; i < fanout->count; i++) {
        rp_worker_proxy_t *proxy = &self->proxies[fanout->workers[i]];
        const rp_command_t *command = fanout->commands[i];
        if (command != NULL) {
            const uint64_t bytes = command->buffer != NULL ? command->buffer->size : 0;
            rp_command_batch_add(proxy->batch, fanout->commands[i]);
            proxy->batch->buffer_bytes += bytes;
            proxy->sent_bytes += bytes;
        }
    }
}

static void give_batch(rp_worker_pool_t *self, rp_worker_proxy_t *proxy, bool settles)
{
    rp_command_batch_t *batch = batch_of(proxy);
    if (batch == NULL) {
        return; // it is told the time later
    }
    batch->now_us = self->now_us;
    batch->settles = settles;
    proxy->batch = NULL;
    proxy->sent++;
    proxy->next_us = RP_NEVER_US; // its report will say
    proxy->tick_us = self->now_us;
    rp_worker_give(proxy->worker, batch);
}

static bool is_at_work(const rp_worker_proxy_t *proxy)
{
    return proxy->sent != proxy->done || proxy->is_busy;
}

void rp_worker_pool_flush(rp_host_t *host, uint64_t now_us)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    self->now_us = now_us;
    for (unsigned i = 0; i < self->count; i++) {
        rp_worker_proxy_t *proxy = &self->proxies[i];
        const bool has_commands = proxy->batch != NULL && proxy->batch->first != NULL;
        const bool is_tick_due = is_at_work(proxy) && proxy->tick_us + TICK_US <= now_us;
        if (has_commands || is_tick_due || proxy->next_us <= now_us) {
            give_batch(self, proxy, false);
        }
    }
}

void rp_worker_pool_flush_settled(rp_host_t *host, uint64_t now_us)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    self->now_us = now_us;
    for (unsigned i = 0; i < self->count; i++) {
        give_batch(self, &self->proxies[i], true);
    }
}

uint64_t rp_worker_pool_next_us(const rp_worker_pool_t *self)
{
    uint64_t next_us = RP_NEVER_US;
    for (unsigned i = 0; i < self->count; i++) {
        const rp_worker_proxy_t *proxy = &self->proxies[i];
        const uint64_t tick_us = is_at_work(proxy) ? proxy->tick_us + TICK_US : RP_NEVER_US;
        next_us = proxy->next_us < next_us ? proxy->next_us : next_us;
        next_us = tick_us < next_us ? tick_us : next_us;
    }
    return next_us;
}

bool rp_worker_pool_is_at_work(const rp_host_t *host)
{
    const rp_worker_pool_t *self = rp_worker_pool_at(host);
    for (unsigned i = 0; i < self->count; i++) {
        if (is_at_work(&self->proxies[i])) {
            return true;
        }
    }
    return false;
}

bool rp_worker_pool_lags(const rp_host_t *host)
{
    const rp_worker_pool_t *self = rp_worker_pool_at(host);
    for (unsigned i = 0; i < self->count; i++) {
        if (self->proxies[i].sent_bytes - self->proxies[i].done_bytes >= LAG_BYTES) {
            return true;
        }
    }
    return false;
}

// ---- birth and death

rp_status_t rp_worker_pool_start(rp_worker_pool_t *self, unsigned count, uint64_t memory_bytes)
{
    const uint64_t part = memory_bytes == UINT64_MAX ? memory_bytes : memory_bytes / count;
    if (!rp_mailbox_init(&self->reports, true)) {
        return RP_E_MEMORY;
    }
    for (unsigned i = 0; i < count; i++) {
        if (rp_worker_start(i, part, &self->reports, &self->proxies[i].worker) != RP_OK) {
            return RP_E_MEMORY;
        }
        self->proxies[i].next_us = RP_NEVER_US;
        self->count++;
    }
    self->assignment.worker_count = count;
    return RP_OK;
}

void rp_worker_pool_stop(rp_worker_pool_t *self)
{
    for (unsigned i = 0; i < self->count; i++) {
        rp_worker_stop(&self->proxies[i].worker);
        rp_command_batch_destroy(&self->proxies[i].batch);
    }
}

void rp_worker_pool_fini(rp_worker_pool_t *self)
{
    for (unsigned i = 0; i < self->count; i++) {
        rp_overdue_destroy(&self->proxies[i].overdue);
    }
    rp_mailbox_fini(&self->reports);
    rp_assignment_fini(&self->assignment);
}
