/// The member itself, with its hook, and a way to its g.
#include "planners/members/fsa.c" // NOLINT(bugprone-suspicious-include)

#include "planners/core/planner/state.h"
#include "tests/planners/trace_members.h"

rp_cost_t rp_trace_fsa_g(const rp_planner_t *planner, rp_cell_t cell)
{
    const fsa_t *self = planner->instance.state;
    return self->reuse.nodes[cell].g;
}
