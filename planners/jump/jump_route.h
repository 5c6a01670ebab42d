/// @file
/// The route of a path out of an eager jump point search: the places where the search turned. What
/// lies between two of them follows from these. So routes tell what a path has in common with the
/// last one, and only the rest is written.
///
/// A search from the goal finds the same places again, as far as nothing happened there.
#ifndef REPLAN_PLANNERS_JUMP_JUMP_ROUTE_H
#define REPLAN_PLANNERS_JUMP_JUMP_ROUTE_H

#include "planners/jump/jump_path.h"

/// More places than most paths turn at.
#define RP_JUMP_ROUTE_MOST 62u

typedef struct rp_jump_route {
    uint32_t count;                      ///< 0: no path, or not known
    bool from_root;                      ///< the path is to lead from the root to the target
    uint32_t places[RP_JUMP_ROUTE_MOST]; ///< the target first, the root last [count]
} rp_jump_route_t;

/// Note the path of a search that has ended. Time: O(places).
static inline void rp_jump_route_note(rp_jump_route_t *self, const rp_jump_t *jump, bool from_root)
{
    self->count = 0;
    self->from_root = from_root;
    if (!jump->is_found || !jump->is_eager) {
        return;
    }
    uint32_t count = 0;
    const rp_jump_node_t *node = &jump->nodes[jump->found];
    self->places[count++] = node->place;
    while (node->place != jump->root && count < RP_JUMP_ROUTE_MOST) {
        node = &jump->nodes[node->parent];
        self->places[count++] = node->place;
    }
    self->count = node->place == jump->root ? count : 0;
}

/// A place, counted from the end of the path.
static inline uint32_t rp_jump_route_back(const rp_jump_route_t *self, uint32_t number)
{
    return self->places[self->from_root ? number : self->count - 1u - number];
}

/// How many places at their ends two routes have in common.
/// @param most   cells that they may have in common, at least 1
/// @param cells  written: those of these places, and between them
static inline uint32_t rp_jump_route_common(const rp_jump_route_t *self,
                                            const rp_jump_route_t *other, uint32_t most,
                                            uint32_t *cells)
{
    const uint32_t least = self->count < other->count ? self->count : other->count;
    uint32_t common = 0;
    *cells = 0;
    // A leg from the root on turns elsewhere than one towards it.
    while (common < least && self->from_root == other->from_root &&
           rp_jump_route_back(self, common) == rp_jump_route_back(other, common)) {
        const uint32_t leg = common == 0 ? 1u
                                         : rp_jump_steps(rp_jump_route_back(self, common),
                                                         rp_jump_route_back(self, common - 1u));
        if (*cells + leg > most) {
            break;
        }
        *cells += leg;
        common++;
    }
    return common;
}

/// Write the cells of a path up to its last places, or all.
/// @param common  so many places, and what lies between them, are left out
/// @return cells written
static inline uint32_t rp_jump_route_write(const rp_jump_route_t *self, const rp_jump_t *jump,
                                           uint32_t common, rp_cell_t *cells)
{
    const uint32_t last = common == 0 ? 0 : common - 1u; // legs lead up to it
    uint32_t count = 0;
    for (uint32_t number = self->count - 1u; number != last; number--) {
        count += rp_jump_fill_leg(jump, cells + count, rp_jump_route_back(self, number),
                                  rp_jump_route_back(self, number - 1u), !self->from_root);
    }
    if (common == 0) {
        cells[count++] = rp_jump_cell(jump, rp_jump_route_back(self, 0));
    }
    return count;
}

#endif
