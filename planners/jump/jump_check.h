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

/// No cell that this search met has more credit than the root, and none but free ones has any.
static inline bool rp_jump_check_credit(const rp_jump_t *jump)
{
    const uint32_t floor = jump->lazy.ceiling - jump->lazy.room;
    for (uint32_t row = 1; row <= jump->map.height; row++) {
        for (uint32_t column = 1; column <= jump->map.width; column++) {
            const uint32_t credit = rp_jump_lazy_credit(jump, row * jump->stride + column);
            if (credit > jump->lazy.ceiling ||
                (credit > floor && !rp_jump_map_is_free(&jump->map, column, row))) {
                return false;
            }
        }
    }
    return true;
}

#endif
