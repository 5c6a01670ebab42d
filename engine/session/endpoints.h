/// @file
/// Endpoints of a session's path: the cell where it begins, which is not the agent's cell when
/// that is blocked; and the cells that its goal specification makes goals now.
#ifndef REPLAN_ENGINE_SESSION_ENDPOINTS_H
#define REPLAN_ENGINE_SESSION_ENDPOINTS_H

#include "engine/session/session_state.h"

/// @param target  of the goal specification; NULL: there is none
/// @return RP_E_INVALID, RP_E_LIMIT, RP_E_MEMORY, RP_E_UNSUPPORTED; nothing is changed then
rp_status_t rp_session_aim(rp_session_t *self, const rp_aim_t *aim, rp_session_t *target);

/// Its goals moved: nothing that it said for those before stands for it now.
void rp_session_lose_goals(rp_session_t *self);

/// Find start and goals for the world as it is now; a waypoint that was reached gives way to the
/// next. @param budget  for the search of a way out of a blocked cell, counted down
/// @return RP_MORE when it must be called again to find out what is connected; RP_E_LIMIT,
/// RP_E_MEMORY
rp_status_t rp_endpoints_prepare(rp_session_t *self, uint64_t *budget);

/// Length of the longest way out of a blocked cell that it may go, in cells.
double rp_endpoints_longest_way(const rp_session_t *self);

/// A path to the goals, from where the session would begin now, costs so much.
/// @return false when another way out of a blocked cell is to be tried first: plan again
bool rp_endpoints_weigh(rp_session_t *self, double cost);

/// True when the session begins where the cheapest path does: there is one way out, or none is
/// needed, or all that are as short were weighed.
bool rp_endpoints_are_weighed(const rp_session_t *self);

/// True when the published way is legal and as short as any, or none is needed: the path may
/// begin where it does.
bool rp_endpoints_keep_start(const rp_session_t *self);

/// Say a path that begins at `at`, and the way that leads there.
/// @param path  NULL: the one that was said stays, as it begins there too
/// @return RP_E_MEMORY; nothing is changed then
rp_status_t rp_endpoints_publish(rp_session_t *self, const rp_path_t *path);

/// What the session wants, of a target where that is now.
/// @param place  written for a target, and borrowed by the goal specification, as is what the
/// session owns
rp_goal_spec_t rp_endpoints_goal_spec(const rp_session_t *self, rp_destination_t *place);

/// True when there is no target to go after.
bool rp_endpoints_are_lost(const rp_session_t *self);

/// Metres from the end of the path to what was asked for.
double rp_endpoints_distance_m(const rp_session_t *self);

/// The goal that a cell is; NULL when it is none.
const rp_goal_t *rp_endpoints_goal_at(const rp_session_t *self, rp_cell_t cell);

#endif
