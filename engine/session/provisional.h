/// @file
/// Provisional answer: what a session publishes before the optimum is known. The session stays
/// unsure, but its agent has a legal path to act on, with a bound on its cost.
#ifndef REPLAN_ENGINE_SESSION_PROVISIONAL_H
#define REPLAN_ENGINE_SESSION_PROVISIONAL_H

#include "engine/session/session_state.h"

/// Say something at once: the published path if it still leads to a goal, else one that a
/// greedy search finds, else what is left of the old path before it breaks, or where the greedy
/// search came nearest. What needs no search to be answered is left to rp_session_plan().
/// @param budget  counted down
/// @param is_new  written on RP_OK: the answer is another one
/// @return RP_E_MEMORY
rp_status_t rp_session_hasten(rp_session_t *self, uint64_t now_us, uint64_t *budget, bool *is_new);

/// What was published does not lead to a goal: send a greedy search that may go far, unless it goes
/// for another.
/// @return RP_E_MEMORY
rp_status_t rp_session_start_greedy_search(rp_session_t *self);

/// Let the greedy search that was sent go on, with half of the budget; when it is back from a goal,
/// say its path as far as it is legal, if it is better than what was published.
/// @param budget  counted down
/// @param is_new  written on RP_OK: the answer is another one
/// @return RP_E_MEMORY
rp_status_t rp_session_await_greedy_search(rp_session_t *self, uint64_t now_us, uint64_t *budget,
                                           bool *is_new);

/// Say what was found for an older version, as far as it is legal on the newest one.
/// @param plan    on a grid of the layer's shape
/// @param is_new  written on RP_OK: the answer is another one
/// @return RP_E_MEMORY
rp_status_t rp_session_publish_frozen(rp_session_t *self, const rp_plan_t *plan, uint64_t version,
                                      uint64_t now_us, bool *is_new);

/// The agent went on along a provisional path: what is left of it costs less.
void rp_session_shorten_provisional(rp_session_t *self);

#endif
