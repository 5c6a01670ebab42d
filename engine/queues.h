/// @file
/// Who waits: for a plan, because its answer may not be true any more, and for somebody to take
/// what it has to say. First come, first served; whoever leaves does so in O(1).
#ifndef REPLAN_ENGINE_QUEUES_H
#define REPLAN_ENGINE_QUEUES_H

#include "engine/session.h"

/// Sessions with an answer that nobody has taken yet, by their `said` links.
typedef struct rp_said_queue {
    rp_session_t *first;
    rp_session_t *last;
} rp_said_queue_t;

/// Queue for a plan of its world, unless the session waits already or has nowhere to go.
/// @param true_until  the newest version for which what it said holds: the world's, or the one
///                    before, so that those who wait stand in its order: never less than that of
///                    who waits already
/// @param cause       kept, unless the session put a switch off and waits for the cause of that
void rp_unsure_add(rp_session_t *session, uint64_t true_until, rp_cause_t cause);

/// Its answer is true, or it ends. Who does not wait is left alone, here and below.
void rp_unsure_remove(rp_session_t *session);

void rp_said_add(rp_said_queue_t *self, rp_session_t *session);
void rp_said_remove(rp_said_queue_t *self, rp_session_t *session);

#endif
