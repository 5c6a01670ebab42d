/// @file
/// An incumbent: a path that the caller has already, and that may still be optimal. If it is, it is
/// the answer, and no path need be written.
#ifndef REPLAN_PLANNERS_CORE_INCUMBENT_H
#define REPLAN_PLANNERS_CORE_INCUMBENT_H

#include "planners/core/goal_set.h"
#include "planners/core/instance.h"

typedef struct rp_incumbent {
    const rp_walk_t *walk; ///< borrowed
    bool was_cheapest;     ///< before the newest changes
} rp_incumbent_t;

/// True when the walk costs what the search has found, which has ended. Here and below, the
/// instance is bound and has RP_KNOWS_COST.
bool rp_incumbent_holds(const rp_incumbent_t *self, const rp_instance_t *instance,
                        const rp_goal_set_t *goals);

/// True when the walk was optimal, and nothing since can have made another path cheaper: no search
/// is needed.
/// @param start  where the walk begins
bool rp_incumbent_stands(const rp_incumbent_t *self, const rp_instance_t *instance,
                         const rp_goal_set_t *goals, rp_cell_t start);

/// The walk as an answer: found at this cost, without a path, its stats zeroed.
rp_plan_t rp_incumbent_plan(const rp_incumbent_t *self, const rp_instance_t *instance,
                            const rp_goal_set_t *goals);

#endif
