/// @file
/// Query: a question about a world, answered in slices on copies of the world's layers. So changes
/// neither disturb it nor wait for it. The copies are made in slices, too.
#ifndef REPLAN_ENGINE_QUERY_QUERY_H
#define REPLAN_ENGINE_QUERY_QUERY_H

#include "replan/question.h"

#include "engine/ground/world_state.h"
#include "engine/query/departure.h"
#include "engine/query/driven_check.h"
#include "engine/query/driven_probe.h"
#include "engine/session/session_state.h"
#include "engine/sharing/grid_snapshot.h"
#include "engine/sharing/what_if.h"

/// One search of a question.
typedef struct rp_query_job {
    uint32_t layer;    ///< number of the copy
    rp_cell_t start;   ///< RP_NO_CELL: nowhere. An agent of a probe has its departure
    size_t goals;      ///< place of the first in rp_query.goals
    size_t goal_count; ///< 0: nothing to search for
    uint32_t
        offset; ///< of the start, when it is a goal that is not listed; else RP_GOAL_SPEC_OUTSIDE
} rp_query_job_t;

typedef struct rp_query {
    rp_query_kind_t kind;
    rp_world_t *world;                           ///< borrowed until all is copied, then NULL
    rp_layer_t *layers[RP_LAYERS_MAX];           ///< borrowed until then [layer_count]
    rp_grid_snapshot_t snapshots[RP_LAYERS_MAX]; ///< their copies, owned
    rp_what_if_t patches[RP_LAYERS_MAX]; ///< of a probe: what its change makes of them, owned
    uint32_t layer_count;
    rp_edit_t edit;             ///< of a probe; its arrays are owned
    rp_probe_ground_t ground;   ///< of a probe of agents; of a drive its bytes
    rp_driven_check_t *check;   ///< of a drive, owned
    rp_departure_t *departures; ///< where these begin: the first jobs, owned [departure_count]
    size_t departure_count;
    rp_driven_probe_t *drives;   ///< of those of them with motion, owned [departure_count]
    rp_planner_t *planner;       ///< owned
    uint32_t bound_to;           ///< layer; layer_count: to none
    rp_query_job_t *jobs;        ///< owned [job_count]
    const rp_query_job_t *aimed; ///< whose goals the planner has; NULL: nobody's
    size_t job_count;
    rp_goal_t *goals; ///< of all jobs, owned
    size_t goal_count;
    size_t goal_capacity;
    size_t at;      ///< jobs done in this pass
    bool is_second; ///< of a probe: with the change
    bool is_answered;
    rp_query_result_t result; ///< its arrays are owned
} rp_query_t;

/// @param sessions  those that the question names [session_count]
/// @param world  borrowed until all is copied
/// @return RP_E_INVALID, RP_E_LIMIT, RP_E_MEMORY
rp_status_t rp_query_new(rp_world_t *world, const rp_question_t *question,
                         rp_session_t *const *sessions, rp_query_t **ask);
void rp_query_destroy(rp_query_t **self);

/// True when a question is complete. @param sessions  as above
bool rp_query_is_legal(const rp_question_t *question, rp_session_t *const *sessions);

/// Take in a legal question. @return RP_E_INVALID, RP_E_LIMIT, RP_E_MEMORY; destroy is right then
/// too
rp_status_t rp_query_take(rp_query_t *self, rp_world_t *world, const rp_question_t *question,
                          rp_session_t *const *sessions);

/// The world is to go, or becomes another window: copy at once what is not copied yet.
/// Time: O(cells)
void rp_query_part(rp_query_t *self);

/// @param budget  counted down
/// @return RP_MORE when it was spent first; RP_E_MEMORY
rp_status_t rp_query_work(rp_query_t *self, uint64_t *budget);

#endif
