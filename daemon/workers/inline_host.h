/// @file
/// Inline host: the authority plans itself, in the loop that calls it.
#ifndef REPLAN_DAEMON_WORKERS_INLINE_HOST_H
#define REPLAN_DAEMON_WORKERS_INLINE_HOST_H

#include "daemon/workers/host.h"

/// @param memory_bytes  as rp_engine_limit_memory()
/// @return RP_E_MEMORY
rp_status_t rp_inline_host_new(uint64_t memory_bytes, rp_host_t **host);

#endif
