/// @file
/// Each so many plans one is held against a referee. Between two slices of a plan its search waits.
#ifndef REPLAN_PLANNERS_AUDIT_H
#define REPLAN_PLANNERS_AUDIT_H

#include "planners/goal_set.h"
#include "planners/referee.h"

typedef struct rp_audit {
    const rp_grid_t *grid; ///< borrowed
    rp_referee_t *referee; ///< owned; NULL when no plan is checked
    uint32_t every;        ///< so many plans; 0: none
    uint32_t passed;       ///< plans since one was checked
    bool is_under_way;     ///< the referee is searching
} rp_audit_t;

/// Plans on this grid are to be checked; how many have passed stays.
/// @param grid  borrowed until closed
/// @return RP_E_MEMORY; none is checked then
rp_status_t rp_audit_open(rp_audit_t *self, const rp_grid_t *grid);

/// Accepts one that is not open.
void rp_audit_close(rp_audit_t *self);

/// It is the turn of the plan under way.
static inline bool rp_audit_is_due(const rp_audit_t *self)
{
    return self->referee != NULL && self->passed + 1u >= self->every;
}

/// The plan is for other ends or another grid now: the referee begins anew.
static inline void rp_audit_forget(rp_audit_t *self)
{
    self->is_under_way = false;
}

/// Hold a path against the referee.
/// @param goals   looked at; what is free of them is borrowed until the end
/// @param budget  expansions, counted down
/// @param differs  written at the end: the path is not a cheapest one
/// @return RP_OK or RP_MORE
rp_status_t rp_audit_check(rp_audit_t *self, const rp_path_t *path, rp_cell_t start,
                           const rp_goal_set_t *goals, uint64_t *budget, bool *differs);

/// A plan has ended.
static inline void rp_audit_note(rp_audit_t *self, bool was_checked)
{
    self->passed = was_checked ? 0 : self->passed + 1u;
}

#endif
