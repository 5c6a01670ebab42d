/// @file
/// Threaded host: engines on threads of their own. The authority judges every verb and never plans.
/// What it accepts goes to the workers as commands: what happens to worlds to all of them, what
/// happens to a session to the one that plans for it. Their answers come back in reports, and the
/// newest answer of each session is kept here.
///
///                             +--> commands --> worker 0 --+
///     verbs --> authority (judges)                         +--> reports --> newest answers
///                             +--> commands --> worker 1 --+
#ifndef REPLAN_DAEMON_WORKERS_THREADED_HOST_H
#define REPLAN_DAEMON_WORKERS_THREADED_HOST_H

#include "daemon/workers/host.h"

/// @param count  threads, from 1 to RP_WORKERS_MAX
/// @param memory_bytes  of the authority; each worker gets its part of as much
/// @return RP_E_MEMORY, also when there can be no thread
rp_status_t rp_threaded_host_new(unsigned count, uint64_t memory_bytes, rp_host_t **host);

#endif
