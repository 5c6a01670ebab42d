/// @file
/// Audits: one plan in so many is checked against a reference search, in slices like the plan.
#ifndef REPLAN_PLANNERS_CORE_AUDIT_H
#define REPLAN_PLANNERS_CORE_AUDIT_H

#include "planners/core/goal_set.h"
#include "planners/core/reference_search.h"

typedef struct rp_audit {
    const rp_grid_t *grid;            ///< borrowed
    rp_reference_search_t *reference; ///< owned; NULL when no plan is checked
    uint32_t every;                   ///< so many plans; 0: none
    uint32_t passed;                  ///< plans since one was checked
    bool is_under_way;                ///< the reference search has begun
} rp_audit_t;

/// Plans on this grid are to be checked; how many have passed stays.
/// @param grid  borrowed until closed
/// @return RP_E_MEMORY; none is checked then
rp_status_t rp_audit_open(rp_audit_t *self, const rp_grid_t *grid);

/// Accepts one that is not open.
void rp_audit_close(rp_audit_t *self);

/// True when the plan under way is to be checked.
static inline bool rp_audit_is_due(const rp_audit_t *self)
{
    return self->reference != NULL && self->passed + 1u >= self->every;
}

/// The ends or the grid of the plan changed: the reference search begins anew.
static inline void rp_audit_forget(rp_audit_t *self)
{
    self->is_under_way = false;
}

/// Hold a path against the reference search.
/// @param goals   looked at; what is free of them is borrowed until the end
/// @param budget  expansions, counted down
/// @param differs  written at the end: the path is not a cheapest one
/// @return RP_OK or RP_MORE
rp_status_t rp_audit_check(rp_audit_t *self, const rp_path_t *path, rp_cell_t start,
                           const rp_goal_set_t *goals, uint64_t *budget, bool *differs);

/// Note that a plan has ended.
static inline void rp_audit_note(rp_audit_t *self, bool was_checked)
{
    self->passed = was_checked ? 0 : self->passed + 1u;
}

#endif
