/// @file
/// A worker: one engine on a thread of its own. Batches of commands go in, reports come out; it
/// shares nothing else with anybody.
///
///     commands -> every batch that waits is carried out -> rp_engine_step() -> a report
///                 ^                                                            |
///                 +---- at once while work is left, else when a batch comes ---+
#ifndef REPLAN_DAEMON_WORKERS_WORKER_H
#define REPLAN_DAEMON_WORKERS_WORKER_H

#include "daemon/workers/command_batch.h"
#include "daemon/workers/report.h"

/// Expansions of one step of an engine, a worker's or that of the loop: about a millisecond, then
/// what came meanwhile is taken in.
#define RP_WORKER_STEP 8192u

/// The same where nobody waits for what comes of it: some tens of microseconds, so that what comes
/// meanwhile hardly waits.
#define RP_WORKER_IDLE 256u

typedef struct rp_worker rp_worker_t;

/// Start one.
/// @param number        echoed in its reports
/// @param memory_bytes  of its engine, as rp_engine_limit_memory()
/// @param reports       borrowed until it is stopped: where its reports go
/// @return RP_E_MEMORY, also when there can be no thread
rp_status_t rp_worker_start(unsigned number, uint64_t memory_bytes, rp_mailbox_t *reports,
                            rp_worker_t **worker);

/// @param batch  given
void rp_worker_give(rp_worker_t *self, rp_command_batch_t *batch);

/// Processor time that the thread has used, in nanoseconds.
uint64_t rp_worker_cpu_ns(const rp_worker_t *self);

/// End the thread after what it was given, but for plans, and wait for that. Accepts NULL.
void rp_worker_stop(rp_worker_t **self);

#endif
