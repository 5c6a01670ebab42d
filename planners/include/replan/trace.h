/// @file
/// What a search does, cell by cell: for pages that show it, and for tests that hold it to its own
/// counts. Who compiles planners with REPLAN_TRACE defines rp_trace(), which is called where a cell
/// is expanded. Without REPLAN_TRACE nothing of this is compiled: no call, no slot, no state.
///
/// Between the beginning of rp_planner_plan() and its end, the calls with EXPANDED and RAISED are
/// as many as `expanded` of rp_plan_stats_t says, but where whole words of cells are searched at
/// once: there the count is of words, and cells are told by level (LEVEL). Jump point search is
/// told at its jump points. What is done beside plans (`stands` and `idle` of core/planner_ops.h)
/// calls it, too, and is counted nowhere.
#ifndef REPLAN_TRACE_H
#define REPLAN_TRACE_H

#ifdef REPLAN_TRACE

#include "replan/types.h"

typedef enum rp_trace_kind {
    RP_TRACE_EXPANDED,
    RP_TRACE_REUSED, ///< kept from an earlier plan, and leaned on without being expanded in this
                     ///< one; told when the search ends. LPA*, D* Lite, FSA*, iA*: its g is right.
                     ///< Adaptive A*: it has learnt its h. Fields: it has a cost to the goal
    RP_TRACE_RAISED, ///< expanded to take back a cost that was too small
    RP_TRACE_LEVEL,  ///< reached together with others, level by level; RP_NO_CELL: the next level
} rp_trace_kind_t;

/// @param cell  RP_NO_CELL, REUSED: it is asked whether anybody wants to hear of these
/// @return false when nobody does, where it was asked
bool rp_trace(rp_cell_t cell, rp_trace_kind_t kind);

#define RP_TRACE(cell, kind) rp_trace(cell, RP_TRACE_##kind)

/// What only a traced build has: a member of a struct with its semicolon, or a call.
#define RP_TRACE_ONLY(...) __VA_ARGS__

#else

#define RP_TRACE(cell, kind)
#define RP_TRACE_ONLY(...)

#endif

#endif
