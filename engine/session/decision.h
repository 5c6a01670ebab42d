/// @file
/// Decision: after a plan, whether the published path is kept or another answer is published, and
/// why.
#ifndef REPLAN_ENGINE_SESSION_DECISION_H
#define REPLAN_ENGINE_SESSION_DECISION_H

#include "engine/session/session_state.h"

/// What follows from a plan.
typedef struct rp_decision {
    bool is_new;        ///< another answer is published
    bool is_kept;       ///< the path stays, also when the answer is another one
    rp_reason_t reason; ///< of another answer
    double cost;        ///< of the path that is kept or published
    double excess;      ///< cost that a kept path may have above the best
    uint64_t look_us;   ///< when to decide again though nothing happens meanwhile
} rp_decision_t;

/// Walk what is left of the path; on uniform ground its steps are counted while it is intact.
/// @param offset  written with true: what it costs to stop at its end
/// @return false when it is broken, or ends at no goal
bool rp_session_walk(const rp_session_t *self, rp_walk_t *walk, uint32_t *offset);

/// Cost of what is left of the path, with what it costs to stop at its end.
/// @return -1 when it is broken, or ends at no goal
double rp_session_remaining_cost(const rp_session_t *self);

/// Compare what was published with what is known now.
/// @param plan  NULL when nobody searched; without cells when what was published is as cheap as any
/// @param excess  how much dearer than the best path the plan's may be
/// @param decision  written
/// @return RP_MORE when the path must be another one, and should begin where the agent stands;
///         RP_E_MEMORY
rp_status_t rp_session_decide(rp_session_t *self, rp_answer_outcome_t outcome,
                              const rp_plan_t *plan, double excess, uint64_t now_us,
                              rp_decision_t *decision);

// ---- for what is said before the optimum is known

/// True when something asks for another answer whatever became of the path.
/// @param reason  written when it returns true
bool rp_session_has_cause(const rp_session_t *self, rp_reason_t *reason);

/// What asked for another answer got it.
void rp_session_clear_causes(rp_session_t *self);

/// One more answer: outcome and path are there already.
void rp_session_note_published(rp_session_t *self, rp_reason_t reason, double cost,
                               uint64_t expansions, uint64_t now_us);

#endif
