/// @file
/// Pacing: publishers that keep their window are slowed down when planning falls behind, so that
/// changes never take all of the time.
#ifndef REPLAN_DAEMON_RULES_PACING_H
#define REPLAN_DAEMON_RULES_PACING_H

#include "daemon/serving/serving.h"

/// Take the right to acknowledge a change: a few for each slice of planning while some sessions
/// wait for one, fewer of large ones, else as many as come.
/// @param cells  that it wrote
/// @return false when the change must be acknowledged later
bool rp_pacing_may_acknowledge(rp_serving_t *self, uint64_t cells);

/// Slices came to their end: more may be acknowledged. What a large change took beyond that is paid
/// back first.
void rp_pacing_allow(rp_serving_t *self);

#endif
