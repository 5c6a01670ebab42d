/// @file
/// What a jump point search must hold, for tests. Slow.
#ifndef REPLAN_PLANNERS_JUMP_JUMP_CHECK_H
#define REPLAN_PLANNERS_JUMP_JUMP_CHECK_H

#include "planners/jump/jump.h"
#include "planners/jump/jump_path.h"

/// Each cell that this search met costs what the way from its parent does.
static inline bool rp_jump_check_nodes(const rp_jump_t *jump)
{
    for (uint32_t number = 1; number < jump->node_count; number++) {
        const rp_jump_node_t *node = &jump->nodes[number];
        const rp_jump_node_t *parent = &jump->nodes[node->parent];
        if (node->parent >= jump->node_count || parent->expanded == 0 ||
            parent->g + rp_jump_distance(parent->place, node->place) != node->g) {
            return false;
        }
    }
    return true;
}

#endif
