/// @file
/// Paths out of a jump point search that found its target.
#ifndef REPLAN_PLANNERS_JUMP_JUMP_PATH_H
#define REPLAN_PLANNERS_JUMP_JUMP_PATH_H

#include "planners/jump/jump.h"

/// How a cell moves by a step from one place towards another.
static inline uint32_t rp_jump_step(const rp_jump_t *self, int32_t dx, int32_t dy)
{
    return (uint32_t)((dx > 0) - (dx < 0)) + (uint32_t)((dy > 0) - (dy < 0)) * self->stride;
}

/// Steps between two places of which one was reached from the other: as many as on the longer side.
static inline uint32_t rp_jump_steps(uint32_t from, uint32_t to)
{
    const int32_t dx = (int32_t)rp_jump_column(to) - (int32_t)rp_jump_column(from);
    const int32_t dy = (int32_t)rp_jump_row(to) - (int32_t)rp_jump_row(from);
    const int32_t across = dx < 0 ? -dx : dx;
    const int32_t down = dy < 0 ? -dy : dy;
    return (uint32_t)(across > down ? across : down);
}

/// Write so many cells that follow each other at this step. @return the one after them
static inline rp_cell_t rp_jump_fill(rp_cell_t *cells, rp_cell_t cell, uint32_t step,
                                     uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        cells[i] = cell + i * step;
    }
    return cell + count * step;
}

/// Write the cells from one place to before its parent: back along the straight jump, then along
/// the diagonal walk, either maybe none.
/// @return their number
static inline uint32_t rp_jump_fill_leg(const rp_jump_t *self, rp_cell_t *cells, uint32_t from,
                                        uint32_t to)
{
    const int32_t dx = (int32_t)rp_jump_column(to) - (int32_t)rp_jump_column(from);
    const int32_t dy = (int32_t)rp_jump_row(to) - (int32_t)rp_jump_row(from);
    const uint32_t across = (uint32_t)(dx < 0 ? -dx : dx);
    const uint32_t down = (uint32_t)(dy < 0 ? -dy : dy);
    const uint32_t diagonals = across < down ? across : down;
    const uint32_t steps = across > down ? across : down;
    const uint32_t straight = across > down ? rp_jump_step(self, dx, 0) : rp_jump_step(self, 0, dy);
    const rp_cell_t turn =
        rp_jump_fill(cells, rp_jump_cell(self, from), straight, steps - diagonals);
    (void)rp_jump_fill(cells + (steps - diagonals), turn, rp_jump_step(self, dx, dy), diagonals);
    return steps;
}

/// Write the cells of a search that found its target, from there back to the root.
/// @param cells  [width * height]
/// @return their number
static inline uint32_t rp_jump_path(const rp_jump_t *self, rp_cell_t *cells)
{
    const rp_jump_node_t *node = &self->nodes[self->found];
    uint32_t count = 0;
    while (node->place != self->root) {
        const rp_jump_node_t *parent = &self->nodes[node->parent];
        count += rp_jump_fill_leg(self, cells + count, node->place, parent->place);
        node = parent;
    }
    cells[count++] = rp_jump_cell(self, self->root);
    return count;
}

#endif
