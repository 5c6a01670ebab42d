/// @file
/// The way down an exact field, from a cell to where a path ends.
#ifndef REPLAN_SEARCH_DOWNHILL_H
#define REPLAN_SEARCH_DOWNHILL_H

#include "planners/search/field.h"

/// Steps between a cell and the one straight on that is sent for: most ways lead straight on, and a
/// long one comes from memory.
#define RP_DOWNHILL_AHEAD 8u

/// The neighbour that vouches for the d of this cell, straight on where it can.
/// @param ahead  direction of the last step, rewritten
static inline rp_cell_t rp_field_downhill(const rp_field_t *field, rp_cell_t cell, unsigned *ahead)
{
    const rp_cost_t d = rp_field_at(field, cell);
    const rp_cell_t sent = cell + RP_DOWNHILL_AHEAD * (rp_cell_t)field->grid->offset[*ahead];
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
