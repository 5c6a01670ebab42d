/// @file
/// Narrow phase of a change: does a version of the world affect a session? A session that it does
/// not affect need not plan.
#ifndef REPLAN_ENGINE_SESSION_AFFECTED_H
#define REPLAN_ENGINE_SESSION_AFFECTED_H

#include "engine/session/session_state.h"

/// A version was made while the answer was sure for the one before.
/// @param may_be_worse  false: no sector of its path has something that became dearer
/// @param budget  counted down, in expansions that take as long
/// @return false when the answer is certainly true for this one, too
bool rp_session_is_affected(rp_session_t *self, bool may_be_worse, uint64_t *budget);

#endif
