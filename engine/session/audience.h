/// @file
/// Audience of a layer: the sessions that plan on it, what they share, and what the newest version
/// of the world may mean to them. The layer itself knows no session: it keeps its audience as a
/// pointer, and has it freed when it ends.
#ifndef REPLAN_ENGINE_SESSION_AUDIENCE_H
#define REPLAN_ENGINE_SESSION_AUDIENCE_H

#include "engine/layers/layer.h"
#include "engine/paths/change_impact.h"
#include "engine/session/interest_index.h"
#include "engine/sharing/goal_group.h"
#include "engine/sharing/shared_planner.h"

struct rp_audience {
    rp_interest_index_t interests; ///< of all its sessions
    rp_change_impact_t
        impact; ///< of the newest version; void while the layer lacks the newest changes
    rp_goal_groups_t groups;    ///< its sessions with the same goals
    rp_shared_planner_t shared; ///< of sessions that have no planner of their own
};

/// Give a layer an audience, unless it has one. It ends with the layer.
/// @return RP_E_MEMORY
rp_status_t rp_audience_open(rp_layer_t *layer);

/// Read what the newest version changed in the layer. Call it after each one. Nothing happens
/// without an audience. Time: O(changes)
void rp_audience_read(const rp_layer_t *layer);

/// The layer's grid is another one now: nothing that is bound to the old one stays.
void rp_audience_rebind(const rp_layer_t *layer);

#endif
