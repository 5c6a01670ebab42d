/// @file
/// Binding: the instance of a member that suits the grid, and what is bound with it.
#ifndef REPLAN_PLANNERS_CORE_PLANNER_BINDING_H
#define REPLAN_PLANNERS_CORE_PLANNER_BINDING_H

#include "planners/core/planner/state.h"

/// Accepts a planner that is not bound. Memory goes where the grid says.
void rp_binding_drop(rp_planner_t *self);

/// Bind without touching start and goals: they mean the same on a grid that was only rescaled.
/// @return RP_E_UNSUPPORTED, RP_E_MEMORY; then nothing is bound
rp_status_t rp_binding_make(rp_planner_t *self, const rp_grid_t *grid);

/// Bind anew when the grid's costs were rescaled, or no more fit the instance.
rp_status_t rp_binding_renew(rp_planner_t *self);

/// True while the instance bound is the one for the grid as it is now.
static inline bool rp_binding_is_right(const rp_planner_t *self)
{
    return rp_instance_fits(&self->instance, self->goals.greatest_offset);
}

#endif
