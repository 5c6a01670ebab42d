/// @file
/// Invalidation: which sessions a version of a world makes unsure. Only sessions that were sure
/// are asked.
#ifndef REPLAN_ENGINE_INVALIDATE_H
#define REPLAN_ENGINE_INVALIDATE_H

#include "engine/session/session_state.h"

/// A version was made: those of the world's sessions that it may concern are not sure any more, and
/// queue for a plan, group by group: what one looks at in the field that they share is near at hand
/// for the next.
void rp_world_invalidate(rp_world_t *world, rp_cause_t cause);

#endif
