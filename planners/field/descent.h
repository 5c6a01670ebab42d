/// @file
/// A walk down an exact field, from a cell to the goals.
#ifndef REPLAN_PLANNERS_FIELD_DESCENT_H
#define REPLAN_PLANNERS_FIELD_DESCENT_H

#include "planners/field/field.h"

/// How many steps straight on nodes are prefetched: most paths lead straight on, and the nodes of a
/// long one are not in the cache.
#define RP_DESCENT_AHEAD 8u

/// The next cell of the walk: a neighbour n with d(n) + c <= d(cell), straight on if it is one of
/// several.
/// @param ahead  direction of the last step; written: that of this one
static inline rp_cell_t rp_descent_next(const rp_field_t *field, rp_cell_t cell, unsigned *ahead)
{
    const rp_cost_t d = rp_field_at(field, cell);
    const rp_cell_t sent = cell + RP_DESCENT_AHEAD * (rp_cell_t)field->grid->offset[*ahead];
    __builtin_prefetch(&field->nodes[sent]);
    __builtin_prefetch(&field->grid->moves[sent]);
    for (unsigned turn = 0; turn < RP_DIRECTIONS; turn++) {
        const unsigned direction = (*ahead + turn) % RP_DIRECTIONS;
        if (((field->grid->moves[cell] >> direction) & 1u) == 0) {
            continue;
        }
        const rp_cell_t next = rp_grid_step(field->grid, cell, direction);
        const rp_cost_t d_next = rp_field_at(field, next);
        if (d_next < d && d_next + rp_edge(&field->metric, cell, next, direction) == d) {
            *ahead = direction;
            return next;
        }
    }
    return RP_NO_CELL;
}

#endif
