/// @file
/// Leases: an agent that no message names for as long as it asked for is closed, with a notice.
/// Requests, topics and watches that name it keep it.
#ifndef REPLAN_DAEMON_RULES_LEASES_H
#define REPLAN_DAEMON_RULES_LEASES_H

#include "daemon/serving/serving.h"

/// @param lease_s  0: it stays until it is closed
void rp_lease_begin(rp_serving_t *self, rp_agent_t *agent, uint32_t lease_s);

/// Somebody spoke of it: its lease begins anew.
void rp_lease_renew(const rp_serving_t *self, rp_agent_t *agent);

/// End the leases that are over, and tell all. Time: all agents, but only when one may be.
/// @param close  called for each of their agents, which is to be closed
void rp_leases_end(rp_serving_t *self, void (*close)(rp_serving_t *self, rp_agent_t *agent));

#endif
