/// @file
/// Acknowledging a version that a request made: at once, when the world is settled, when the disk
/// has it, or when planning keeps up (daemon/rules/pacing.h).
#ifndef REPLAN_DAEMON_REQUESTS_HANDLERS_ACKNOWLEDGE_H
#define REPLAN_DAEMON_REQUESTS_HANDLERS_ACKNOWLEDGE_H

#include "daemon/requests/handlers/call.h"

/// True when a request that makes a version may wait for what `wait` names; refuses the call when
/// not. To be asked before anything is done. @param field  "apply.wait"
bool rp_acknowledge_may_await(rp_call_t *call, const char *field, Replan__V1__Wait wait);

/// Reply with the version that was made, now or when what was awaited has come.
bool rp_acknowledge_version(rp_call_t *call, const rp_served_t *world, uint64_t version,
                            Replan__V1__Wait awaited);

/// The world is settled: reply with the agents whose answer became another.
void rp_acknowledge_settled(rp_call_t *call, const rp_served_t *world, uint64_t version);

/// What else was awaited has come: reply with the version alone.
void rp_acknowledge_late(rp_call_t *call, const rp_served_t *world, uint64_t version);

#endif
