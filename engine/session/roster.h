/// @file
/// Roster: the sessions of a world, and among them those that wait for a plan.
#ifndef REPLAN_ENGINE_SESSION_ROSTER_H
#define REPLAN_ENGINE_SESSION_ROSTER_H

#include "replan/session.h"

#include "engine/ground/world_state.h"
#include "engine/session/session_state.h"

/// Whose turn comes first.
typedef enum rp_rank {
    RP_RANK_FIRST,   ///< sessions that may not wait
    RP_RANK_PATIENT, ///< those that may (rp_policy_t.may_wait)
    RP_RANKS,
} rp_rank_t;

/// Sessions of one rank that wait for a plan, by their schedule.next.
typedef struct rp_waiting {
    rp_session_t *first; ///< waits longest, was sure of the least
    rp_session_t *last;
    rp_session_t *first_new; ///< from here on they became unsure since the last step
} rp_waiting_t;

struct rp_roster {
    rp_session_t *sessions;        ///< all of them, by rp_session.world_next
    rp_waiting_t unsure[RP_RANKS]; ///< those that wait for a plan
    uint32_t unsure_count;         ///< sessions that are not sure (rp_session_is_unsure()), of all
                                   ///< ranks; session_queues.c counts. None without pose or goal
    uint64_t tests_at_once;        ///< what a version may take that tests sessions one by one
                                   ///< whether it affects them, in expansions; those
                                   ///< left are RP_SESSION_UNTESTED until their turn
    rp_invalidations_t invalidations;
};

/// A roster without sessions. @return NULL without memory
rp_roster_t *rp_roster_new(void);

/// All its sessions are closed.
void rp_roster_destroy(rp_roster_t **self);

/// Enter a session in the roster of its world.
void rp_roster_add(rp_session_t *session);

/// Take it out again, when it waits for no plan.
void rp_roster_remove(rp_session_t *session);

#endif
