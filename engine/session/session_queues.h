/// @file
/// Queues of sessions: those that wait for a plan, because their answer may no longer hold, and
/// those with a new answer to be taken. First in, first out, but for the sessions of a goal group
/// that join between two steps, which stand together; a session leaves in O(1).
#ifndef REPLAN_ENGINE_SESSION_SESSION_QUEUES_H
#define REPLAN_ENGINE_SESSION_SESSION_QUEUES_H

#include "engine/session/roster.h"

/// Sessions with an answer that nobody has taken yet, by `published.next`.
typedef struct rp_answer_queue {
    rp_session_t *first;
    rp_session_t *last;
} rp_answer_queue_t;

/// Let a session wait for a plan, unless it does already or has no goal.
/// @param true_until  the newest version for which its answer holds: that of the world or the one
///                    before. So it is never less than that of a session that waits already, and
///                    the queue is in its order
/// @param cause       kept, unless the session has put a switch off and keeps the cause of that
void rp_plan_queue_add(rp_session_t *session, uint64_t true_until, rp_cause_t cause);

/// A step has seen that the session waits: who joins its group's sessions from now on comes behind
/// all others.
void rp_plan_queue_see_new(rp_session_t *session);

/// Let it wait no more, as its answer is true or it ends. Nothing happens if it does not wait, here
/// and below.
void rp_plan_queue_remove(rp_session_t *session);

void rp_answer_queue_add(rp_answer_queue_t *self, rp_session_t *session);
void rp_answer_queue_remove(rp_answer_queue_t *self, rp_session_t *session);

#endif
