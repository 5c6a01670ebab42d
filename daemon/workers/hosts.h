/// @file
/// The hosts that there are, and which one is taken.
#ifndef REPLAN_DAEMON_WORKERS_HOSTS_H
#define REPLAN_DAEMON_WORKERS_HOSTS_H

#include "daemon/workers/host.h"

/// @param count  threads that plan, at most RP_WORKERS_MAX; 0: the caller's plans
/// @param memory_bytes  as rp_engine_limit_memory(); each thread gets its part of it
/// @return RP_E_MEMORY, also when there can be no thread
rp_status_t rp_hosts_new(unsigned count, uint64_t memory_bytes, rp_host_t **host);

#endif
