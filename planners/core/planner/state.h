/// @file
/// What a planner holds, for the files of this folder.
#ifndef REPLAN_PLANNERS_CORE_PLANNER_STATE_H
#define REPLAN_PLANNERS_CORE_PLANNER_STATE_H

#include "planners/core/audit.h"
#include "planners/core/change_log.h"
#include "planners/core/goal_set.h"
#include "planners/core/instance.h"
#include "planners/core/result_path.h"
#include "planners/grid/search_stats.h"
#include "replan/planner.h"

/// How far the member is.
typedef enum rp_planner_phase {
    RP_PLANNER_IDLE,      ///< it holds no search
    RP_PLANNER_SEARCHING, ///< it holds one, which does not have the answer to all that it was told
    RP_PLANNER_DONE,      ///< it has that answer
    RP_PLANNER_SHOWN,     ///< and its path is shown
} rp_planner_phase_t;

/// What becomes of the last answer.
typedef enum rp_planner_answer {
    RP_PLANNER_OLD,    ///< something happened since
    RP_PLANNER_HOLDS,  ///< nothing did, but for moves of the start
    RP_PLANNER_STANDS, ///< and what happens next may leave it as it is, by the member's word
} rp_planner_answer_t;

struct rp_planner {
    rp_instance_t instance; ///< the member
    const rp_grid_t *grid;  ///< borrowed; NULL when not bound

    rp_cell_t start;
    rp_goal_set_t goals;

    rp_change_log_t change_log; ///< since the last update
    uint64_t heard; ///< of the cells that the grid has written: those of the last update

    rp_planner_phase_t phase;
    rp_planner_answer_t answer;
    rp_cell_t known_start;    ///< the start that the member was told
    bool goals_changed;       ///< since the last update
    bool was_asked;           ///< for a plan, or what it keeps, since the last update with changes
    bool is_split;            ///< they came in several updates: no path is confirmed
    rp_cell_t answered_start; ///< where the start was in that answer
    rp_result_path_t shown;   ///< what the member found last
    rp_outcome_t outcome;     ///< of the last plan
    double cost;              ///< of its path; infinite without one
    uint64_t units;           ///< the same as the member counts, if it does
    rp_search_stats_t stats;  ///< of the plan under way; between two the counts are 0
    rp_search_stats_t told;   ///< of the last plan that was told

    rp_audit_t audit;
};

/// A planner that is bound to nothing yet.
/// @return RP_E_UNKNOWN (no such id), RP_E_UNSUPPORTED (options), RP_E_MEMORY
rp_status_t rp_state_new(const char *id, const rp_member_options_t *options,
                         rp_planner_t **planner);

/// Name the member as the planner that searches, until it says otherwise.
static inline void rp_planner_name_member(rp_planner_t *self)
{
    self->stats.planner = self->instance.ops->info.id;
    self->stats.why = "";
}

/// Zero the counts, which were reported; keep who searched, and why.
static inline void rp_planner_forget_counts(rp_planner_t *self)
{
    const rp_search_stats_t *stats = &self->stats;
    self->stats =
        (rp_search_stats_t){.bytes = stats->bytes, .planner = stats->planner, .why = stats->why};
}

static inline rp_path_t rp_planner_shown_path(const rp_planner_t *self)
{
    return (rp_path_t){self->shown.cells + self->shown.first, self->shown.count};
}

/// The member has the answer to all that it was told.
static inline bool rp_planner_is_done(const rp_planner_t *self)
{
    return self->phase >= RP_PLANNER_DONE;
}

static inline bool rp_planner_knows_cost(const rp_planner_t *self)
{
    return rp_instance_can(&self->instance, RP_KNOWS_COST);
}

/// True when an end is blocked, which decides the outcome.
static inline bool rp_planner_is_blocked(const rp_planner_t *self, rp_outcome_t *outcome)
{
    if (self->grid->factor[self->start] == 0) {
        *outcome = RP_OUTCOME_START_BLOCKED;
        return true;
    }
    *outcome = RP_OUTCOME_GOAL_BLOCKED;
    return rp_goal_set_is_blocked(&self->goals, self->grid);
}

/// True when this plan is to be checked by the reference search, and was not yet.
static inline bool rp_planner_is_check_due(const rp_planner_t *self)
{
    return self->stats.checked == 0 && rp_audit_is_due(&self->audit);
}

/// The last answer is that to what is asked now, in units that the grid still has.
static inline bool rp_planner_is_current(const rp_planner_t *self)
{
    return self->answer != RP_PLANNER_OLD && self->answered_start == self->start &&
           self->instance.scale == self->grid->scale;
}

/// True when the grid has written no more cells since the member was told last than this batch has.
static inline bool rp_planner_has_heard_all_but(const rp_planner_t *self, size_t count)
{
    return self->grid->written - self->heard == count;
}

#endif
