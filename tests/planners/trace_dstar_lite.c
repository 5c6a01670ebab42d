/// The member itself, with its hook, and a way to its g.
#include "planners/members/dstar_lite.c" // NOLINT(bugprone-suspicious-include)

#include "planners/core/planner/state.h"
#include "tests/planners/trace_members.h"

rp_cost_t rp_trace_dstar_lite_g(const rp_planner_t *planner, rp_cell_t cell)
{
    const dstar_lite_t *self = planner->instance.state;
    return rp_lpa_core_g(&self->look, cell);
}
