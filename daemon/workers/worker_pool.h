/// @file
/// Worker pool: the threads that plan, the commands that are on their way to them, and what the
/// loop knows of the sessions and queries that they work on. Of the files of threaded_host.c alone.
#ifndef REPLAN_DAEMON_WORKERS_WORKER_POOL_H
#define REPLAN_DAEMON_WORKERS_WORKER_POOL_H

#include "daemon/workers/assignment.h"
#include "daemon/workers/command_batch.h"
#include "daemon/workers/host.h"
#include "daemon/workers/worker.h"

/// A worker as the loop sees it.
typedef struct rp_worker_proxy {
    rp_worker_t *worker;
    rp_command_batch_t *batch; ///< commands of this round, owned; NULL: none yet
    uint64_t sent;             ///< batches
    uint64_t done;             ///< of these, reported
    uint64_t sent_bytes;       ///< of messages that commands point into
    uint64_t done_bytes;       ///< of these, reported
    bool is_busy;
    uint64_t next_us;   ///< when it wants to be told the time
    uint64_t tick_us;   ///< when it was told last
    rp_effort_t effort; ///< as it reported last
    rp_progress_t
        progress[RP_LIMIT_WORLDS + 1u];       ///< by world's place, as it reported last; left out:
    rp_overdue_t *overdue;                    ///< owned
    uint64_t opened_at[RP_LIMIT_WORLDS + 1u]; ///< by world's place, `sent` when it came to be
} rp_worker_proxy_t;

/// It is a host (threaded_host.c); its authority judges, and never plans.
typedef struct rp_worker_pool {
    rp_host_t host; ///< the first member
    unsigned count;
    rp_mailbox_t reports;
    rp_worker_proxy_t proxies[RP_WORKERS_MAX];
    rp_assignment_t assignment;
    struct rp_session_entry **entries; ///< by session's place, owned [entry_capacity]
    size_t entry_capacity;
    uint32_t last_number;
    uint64_t last_ticket;
    struct rp_session_entry *news;    ///< whose answer nobody has taken, oldest first
    struct rp_pending_query *queries; ///< owned [RP_QUERIES_MAX] (pending_queries.h)
    rp_query_id_t last_query;
    uint64_t now_us;
    uint64_t settled[RP_LIMIT_WORLDS + 1u]; ///< by world's place, as it was told last
    uint64_t slices;                        ///< of planning so far
} rp_worker_pool_t;

static inline rp_worker_pool_t *rp_worker_pool_of(rp_host_t *host)
{
    return (rp_worker_pool_t *)host;
}

static inline const rp_worker_pool_t *rp_worker_pool_at(const rp_host_t *host)
{
    return (const rp_worker_pool_t *)host;
}

/// Start the workers.
/// @param memory_bytes  of all of them together
/// @return RP_E_MEMORY, also when there can be no thread; rp_worker_pool_stop() ends what began
rp_status_t rp_worker_pool_start(rp_worker_pool_t *self, unsigned count, uint64_t memory_bytes);

/// Stop them; their last reports are still to be taken in.
void rp_worker_pool_stop(rp_worker_pool_t *self);

void rp_worker_pool_fini(rp_worker_pool_t *self);

/// True while one of them has not done everything that it was told.
bool rp_worker_pool_is_at_work(const rp_host_t *host);

/// True while one of them has more of long messages before it than it should.
bool rp_worker_pool_lags(const rp_host_t *host);

/// Send the commands of this round, and the time to workers that want to be told it.
void rp_worker_pool_flush(rp_host_t *host, uint64_t now_us);

/// Send them to all, who settle before they look at any later command.
void rp_worker_pool_flush_settled(rp_host_t *host, uint64_t now_us);

/// When a worker is to be told the time; RP_NEVER_US: none needs it.
uint64_t rp_worker_pool_next_us(const rp_worker_pool_t *self);

/// Commands to several workers that are sent together or not at all.
typedef struct rp_fanout {
    unsigned workers[2u * RP_WORKERS_MAX];
    rp_command_t *commands[2u * RP_WORKERS_MAX]; ///< NULL: there was no memory
    unsigned count;
    bool lacks_memory;
} rp_fanout_t;

/// Add a copy of a command.
void rp_fanout_add(rp_worker_pool_t *self, rp_fanout_t *fanout, unsigned worker,
                   const rp_command_t *command);

/// Add one for each worker.
void rp_fanout_add_all(rp_worker_pool_t *self, rp_fanout_t *fanout, const rp_command_t *command);

/// They go out with the batches of this round.
void rp_fanout_send(rp_worker_pool_t *self, const rp_fanout_t *fanout);

#endif
