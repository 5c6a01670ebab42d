/// @file
/// Shared planner: the one that the sessions of a layer plan with, one after the other, while a
/// planner of their own would not pay. A session whose search was stopped by the budget takes it
/// along, so that nobody disturbs what is under way. To make another takes as long as many
/// searches, as it has to read the ground. So only a few may be lent at a time, and who is done
/// with one gives it back when somebody needs it.
#ifndef REPLAN_ENGINE_SHARING_SHARED_PLANNER_H
#define REPLAN_ENGINE_SHARING_SHARED_PLANNER_H

#include "engine/sharing/planner_cache.h"

/// Planners that are lent at a time. Two: a long search of one session does not keep the others
/// from theirs.
#define RP_LENT_MAX 2u

typedef struct rp_shared_planner {
    rp_cached_planner_t common;             ///< without a planner while that is lent
    rp_cached_planner_t *lent[RP_LENT_MAX]; ///< of sessions that hold one; NULL: nobody
} rp_shared_planner_t;

/// Lend it to a session whose search with it is under way. With as many lent it is the session's
/// own from here on.
/// @param to  the session's, without a planner
void rp_shared_planner_lend(rp_shared_planner_t *self, rp_cached_planner_t *to);

/// Have it back, if one is lent with which no search is under way.
void rp_shared_planner_recall(rp_shared_planner_t *self);

/// What was lent is its holder's own from here on.
void rp_shared_planner_give(rp_cached_planner_t *lent);

/// True when all that may be lent are, and at work: who needs one had better wait.
bool rp_shared_planner_is_out(const rp_shared_planner_t *self);

#endif
