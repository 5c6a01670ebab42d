/// @file
/// What tables of papers need of a planner and users do not: fast expansion variants, and counts of
/// iterations and visits. For bench, tools and tests; not installed.
#ifndef REPLAN_PLANNERS_PAPERS_PAPERS_H
#define REPLAN_PLANNERS_PAPERS_PAPERS_H

#include "planners/grid/member_options.h"
#include "planners/grid/search_stats.h"
#include "replan/planner.h"

/// rp_planner_new() with all options of a member. @param options  borrowed
rp_status_t rp_papers_new(const char *id, const rp_member_options_t *options,
                          rp_planner_t **planner);

/// All counts of the last plan that the planner has told.
rp_search_stats_t rp_papers_stats(const rp_planner_t *planner);

#endif
