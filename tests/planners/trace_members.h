/// @file
/// What the three members know that tell which cells they reuse: their g, from inside.
#ifndef REPLAN_TESTS_TRACE_MEMBERS_H
#define REPLAN_TESTS_TRACE_MEMBERS_H

#include "planners/grid/cost.h"
#include "replan/planner.h"

/// The g of a cell after a plan. @param planner  of this id, bound, with costs of 32 bits
typedef rp_cost_t rp_trace_g_t(const rp_planner_t *planner, rp_cell_t cell);

rp_trace_g_t rp_trace_dstar_lite_g;
rp_trace_g_t rp_trace_fsa_g;

#endif
