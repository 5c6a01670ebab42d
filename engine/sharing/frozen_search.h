/// @file
/// Frozen search: a search on one version of a layer that comes to its end although the world goes
/// on changing. It serves a session whose searches were interrupted by changes again and again; an
/// engine has one.
#ifndef REPLAN_ENGINE_SHARING_FROZEN_SEARCH_H
#define REPLAN_ENGINE_SHARING_FROZEN_SEARCH_H

#include "replan/planner.h"

#include "engine/sharing/grid_snapshot.h"

/// A search that changes fell into so often goes to the frozen search.
#define RP_FROZEN_SEARCH_FROM 2u

typedef struct rp_session rp_session_t;

typedef struct rp_frozen_search {
    const rp_session_t *user;    ///< the session that it serves, or served last; NULL: none
    bool is_busy;                ///< with a search for its user
    rp_grid_snapshot_t snapshot; ///< of the user's layer
    rp_planner_t *planner;       ///< owned, bound to the snapshot; NULL until that is whole
    uint64_t version;            ///< that is searched; 0: the snapshot is being copied
    uint64_t planner_bytes;      ///< that the planner held when it was done last
} rp_frozen_search_t;

/// What to search, as the session has it now.
typedef struct rp_frozen_search_job {
    const rp_session_t *user;
    rp_layer_t *layer; ///< borrowed until forgotten
    uint64_t world_version;
    const rp_planner_info_t *planner; ///< which one is to search
    rp_cell_t start;                  ///< counts when the search begins
    const rp_goal_t *goals;
    size_t goal_count;
} rp_frozen_search_job_t;

/// True when the frozen search serves this session, or is not busy with another one.
bool rp_frozen_search_is_for(const rp_frozen_search_t *self, const rp_session_t *user);

/// Copy and search, as far as the budget goes; only for a session that may use it
/// (rp_frozen_search_is_for()).
/// @param budget   expansions, counted down
/// @param plan     written on RP_OK, on the snapshot's grid; its path is borrowed until the next
/// call,
///                 which begins anew
/// @param version  written on RP_OK: of the world, for which the plan is right
/// @return RP_MORE when the budget was spent first; RP_E_MEMORY, or RP_E_UNSUPPORTED when the
///         planner cannot do with these goals or this grid: then all memory is given back
rp_status_t rp_frozen_search_work(rp_frozen_search_t *self, const rp_frozen_search_job_t *job,
                                  uint64_t *budget, rp_plan_t *plan, uint64_t *version);

/// Bytes that it holds.
uint64_t rp_frozen_search_bytes(const rp_frozen_search_t *self);

/// This session needs it no more, or its layer goes: all memory is given back.
void rp_frozen_search_forget(rp_frozen_search_t *self, const rp_session_t *user);
void rp_frozen_search_fini(rp_frozen_search_t *self);

#endif
