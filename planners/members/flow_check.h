/// @file
/// What FLOW must hold when it has an answer, for tests. Slow.
#ifndef REPLAN_PLANNERS_MEMBERS_FLOW_CHECK_H
#define REPLAN_PLANNERS_MEMBERS_FLOW_CHECK_H

#include "planners/field/affected.h"
#include "planners/field/suspects.h"

/// True when d of a cell that does not wait is no less than its neighbours offer, unless the cell
/// is in doubt.
static inline bool rp_flow_check_values(const rp_field_t *field, const rp_roots_t *roots,
                                        const rp_suspects_t *suspects)
{
    for (rp_cell_t cell = 0; cell < field->grid->cell_count; cell++) {
        const rp_node_t *node = &field->nodes[cell];
        if (!rp_node_is_closed(node, field->build) || node->g == RP_COST_INF) {
            continue;
        }
        if (node->g < rp_affected_offered(field, roots, cell) &&
            !rp_suspects_have(suspects, cell)) {
            return false;
        }
    }
    return true;
}

#endif
