/// @file
/// Rendezvous: the common place of agents that were ordered to places near each other. One
/// cost-to-go field serves all of them, whatever their number: each follows it to where its own
/// goal is nearest, and a greedy search finds the rest.
///
///     start ~~~~~~~~~ way to the rendezvous ~~~~~~~~ leaves ~~~~~ rendezvous
///                                                  \__ rest __ goal
///
/// The way along the field is the cheapest one. By the triangle inequality no path to the goal
/// costs less than the part of the way that is used, less the rest: so the path found costs at
/// most twice the rest more than the best.
#ifndef REPLAN_ENGINE_SESSION_RENDEZVOUS_H
#define REPLAN_ENGINE_SESSION_RENDEZVOUS_H

#include "engine/session/session_state.h"

/// A path by way of the session's rendezvous.
/// @param policy  how good it must be; a goal that lies too far from the way for that is not
///                searched for. NULL: any will do
/// @param budget  expansions, counted down
/// @param path    written; borrowed until somebody else goes by way of the same rendezvous
/// @param excess  written: how much dearer than the best path it may be, in cell lengths
/// @return RP_MORE when the budget was spent first; RP_E_UNSUPPORTED when it leads nowhere, is
///         too dear for the policy, or nobody else gathers there; RP_E_MEMORY. Time, once the field
///         is there: O(steps)
rp_status_t rp_rendezvous_route(rp_session_t *self, const rp_policy_t *policy, uint64_t *budget,
                                rp_path_t *path, double *excess);

#endif
