/// @file
/// Telling a member what happened, or to begin anew when it cannot take that in.
#ifndef REPLAN_PLANNERS_CORE_PLANNER_TELLING_H
#define REPLAN_PLANNERS_CORE_PLANNER_TELLING_H

#include "planners/core/planner/state.h"

void rp_telling_begin(rp_planner_t *self);

/// Tell the member what happened: merged changes, and ends that moved since it was told last.
/// @param natives  native capabilities that the changes need
void rp_telling_tell(rp_planner_t *self, const rp_change_t *changes, size_t count,
                     uint32_t natives);

/// Tell it all that it was not told yet, or begin its first search.
void rp_telling_bring_up_to_date(rp_planner_t *self);

#endif
