/// @file
/// The family as a whole: who is in it by id, and what each may be asked for.
#ifndef REPLAN_PLANNERS_CORE_FAMILY_H
#define REPLAN_PLANNERS_CORE_FAMILY_H

#include "planners/core/registry.h"
#include "planners/grid/member_options.h"

/// @return NULL when no member has this id
const rp_planner_member_t *rp_family_find(const char *id);

/// True when a member with these capabilities has what the options choose.
bool rp_family_fits(uint32_t capabilities, const rp_member_options_t *options);

/// What a grid of this kind needs of a member (enum rp_capability).
uint32_t rp_family_needs(const rp_grid_t *grid);

#endif
