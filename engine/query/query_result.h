/// @file
/// Query result: the arrays of an answer to a question, and what is known before anything is
/// searched.
#ifndef REPLAN_ENGINE_QUERY_QUERY_RESULT_H
#define REPLAN_ENGINE_QUERY_QUERY_RESULT_H

#include "replan/planner.h"
#include "replan/question.h"

/// Of a field: a tile around a cell, cut to the world.
/// @param reach  cells each way
void rp_query_result_frame(rp_query_result_t *self, const rp_grid_t *grid, rp_cell_t cell,
                           uint32_t reach);

/// Room for `count` answers, none of which has a path yet.
/// @return RP_E_MEMORY; fini is right then too
rp_status_t rp_query_result_init(rp_query_result_t *self, rp_query_kind_t kind);
void rp_query_result_fini(rp_query_result_t *self);

/// What one search found.
/// @param is_second  of a probe: with the change
/// @param cost  -1 without a path
void rp_query_result_note(rp_query_result_t *self, size_t at, bool is_second, double cost,
                          rp_answer_outcome_t outcome);

/// As an answer of a session has it.
rp_answer_outcome_t rp_query_result_outcome(rp_outcome_t outcome);

#endif
