/// @file
/// What AUTO holds beside its members.
#ifndef REPLAN_PLANNERS_PORTFOLIO_AUTO_STATE_H
#define REPLAN_PLANNERS_PORTFOLIO_AUTO_STATE_H

#include "planners/portfolio/certificate.h"
#include "planners/portfolio/choice.h"
#include "planners/portfolio/late_changes.h"
#include "planners/portfolio/warmup.h"

/// After so many batches that leave the first path as it is, before anything was heard of an end,
/// the ends are thought to stay.
#define RP_AUTO_STAYS_FROM 4u

/// Hot members first: what a batch asks for that leaves the path as it is.
typedef struct rp_auto {
    uint64_t quiet;    ///< batches since the last update that left a repair nothing to do
    bool is_doubtful;  ///< since some batch the path has not proven itself
    bool is_beginning; ///< the search begins anew
    bool is_proven;    ///< the path has proven itself, so no member searches
    bool is_walked;    ///< and the start has left cells of it
    bool is_done;      ///< the search is over
    bool is_set;       ///< several goals, or one with an offset
    bool has_idled;    ///< idle time was used to the end since the last update
    rp_warmup_t warmup;
    rp_late_changes_t late; ///< changes that the search from scratch has not heard of yet
    rp_choice_t choice;
    const rp_grid_t *grid;
    rp_arena_t *arena;            ///< its own; counts what members hold, too
    rp_certificate_t certificate; ///< of the search from scratch's path, where the planner shows it
    uint32_t stood;  ///< batches since it began that left the search from scratch's path as it was
    uint32_t left;   ///< cells of the path that stand when it has proven itself
    size_t changes;  ///< in the plan under way
    const char *why; ///< static text: why the current member
    rp_path_t shown; ///< the path that was shown when the last update came
} rp_auto_t;

/// Count the bytes of its members.
static inline void rp_auto_count_bytes(rp_auto_t *self)
{
    rp_portfolio_member_note_bytes(&self->choice.members[self->choice.current]);
    self->arena->beside = rp_portfolio_bytes(self->choice.members);
}

/// An update without any event, at the present ends.
/// @param goal  written: room for the goal of the update
static inline rp_update_t rp_auto_nothing_new(const rp_auto_t *self, rp_goal_t *goal)
{
    const rp_workload_t *workload = &self->choice.workload;
    *goal = (rp_goal_t){.cell = workload->goal};
    return (rp_update_t){
        .goals = goal, .goal_count = 1, .start = workload->start, .shown = self->shown};
}

#endif
