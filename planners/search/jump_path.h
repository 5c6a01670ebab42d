/// @file
/// Paths out of a jump point search that found its target: every cell, or only where it turns.
#ifndef REPLAN_SEARCH_JUMP_PATH_H
#define REPLAN_SEARCH_JUMP_PATH_H

#include "planners/search/jump.h"

// ---- every cell

/// How a cell moves by a step from one place towards another.
static inline uint32_t rp_jump_step(const rp_jump_t *self, int32_t dx, int32_t dy)
{
    return (uint32_t)((dx > 0) - (dx < 0)) + (uint32_t)((dy > 0) - (dy < 0)) * self->stride;
}

/// Along the parents: each time the straight jump back, then the diagonal walk.
static inline uint32_t rp_jump_path_eager(const rp_jump_t *self, rp_cell_t *cells)
{
    uint32_t place = self->target;
    rp_cell_t cell = rp_jump_cell(self, place);
    uint32_t count = 0;
    cells[count++] = cell;
    while (place != self->root) {
        const uint32_t parent = self->nodes[cell].parent;
        const int32_t dx = (int32_t)rp_jump_column(parent) - (int32_t)rp_jump_column(place);
        const int32_t dy = (int32_t)rp_jump_row(parent) - (int32_t)rp_jump_row(place);
        const uint32_t across = (uint32_t)(dx < 0 ? -dx : dx);
        const uint32_t down = (uint32_t)(dy < 0 ? -dy : dy);
        const uint32_t straight =
            across > down ? rp_jump_step(self, dx, 0) : rp_jump_step(self, 0, dy);
        for (uint32_t i = across > down ? across - down : down - across; i != 0; i--) {
            cell += straight;
            cells[count++] = cell;
        }
        const uint32_t diagonal = rp_jump_step(self, dx, dy);
        for (uint32_t i = across < down ? across : down; i != 0; i--) {
            cell += diagonal;
            cells[count++] = cell;
        }
        place = parent;
    }
    return count;
}

/// A direction in which a cell was reached at its g: that back along it lies its parent.
static inline unsigned rp_jump_came(const rp_jump_t *self, rp_cell_t cell)
{
    const rp_arrivals_t arrivals = self->arrivals[cell];
    return (unsigned)__builtin_ctz((unsigned)arrivals.waiting | arrivals.expanded);
}

static inline int32_t rp_jump_back_x(unsigned direction)
{
    static const int8_t back[RP_DIRECTIONS] = {-1, -1, 0, 1, 1, 1, 0, -1};
    return back[direction];
}

static inline int32_t rp_jump_back_y(unsigned direction)
{
    static const int8_t back[RP_DIRECTIONS] = {0, -1, -1, -1, 0, 1, 1, 1};
    return back[direction];
}

/// Back against the direction of arrival, until a cell is met that costs just so much less.
static inline uint32_t rp_jump_path_lazy(const rp_jump_t *self, rp_cell_t *cells)
{
    const rp_cell_t root = rp_jump_cell(self, self->root);
    rp_cell_t cell = rp_jump_cell(self, self->target);
    uint32_t count = 0;
    cells[count++] = cell;
    while (cell != root) {
        const unsigned direction = rp_jump_came(self, cell);
        const uint32_t step =
            rp_jump_step(self, rp_jump_back_x(direction), rp_jump_back_y(direction));
        rp_cost_t credit = self->credit[cell];
        do {
            cell += step;
            credit += (direction & 1u) != 0 ? RP_DIAGONAL : RP_STRAIGHT;
            cells[count++] = cell;
        } while (self->credit[cell] != credit);
    }
    return count;
}

/// Write the cells from the target to the root of a search that found it.
/// @param cells  [width * height]
/// @return their number
static inline uint32_t rp_jump_path(const rp_jump_t *self, rp_cell_t *cells)
{
    return self->is_eager ? rp_jump_path_eager(self, cells) : rp_jump_path_lazy(self, cells);
}

// ---- turns

/// Places from here to the next one that the search knows, on the way to the root: that one, and
/// before it the corner between a straight jump and a diagonal walk, if there is one.
/// @param places  [2]
/// @return 1 or 2
static inline uint32_t rp_jump_hop_eager(const rp_jump_t *self, uint32_t place, uint32_t *places)
{
    const uint32_t parent = self->nodes[rp_jump_cell(self, place)].parent;
    const int32_t dx = (int32_t)rp_jump_column(parent) - (int32_t)rp_jump_column(place);
    const int32_t dy = (int32_t)rp_jump_row(parent) - (int32_t)rp_jump_row(place);
    const int32_t across = dx < 0 ? -dx : dx;
    const int32_t down = dy < 0 ? -dy : dy;
    if (across == down || across == 0 || down == 0) {
        places[0] = parent;
        return 1;
    }
    // From the corner on the way is diagonal: as far as the shorter side is long.
    const int32_t diagonals = across < down ? across : down;
    places[0] = rp_jump_place(rp_jump_column(parent) - (uint32_t)(dx < 0 ? -diagonals : diagonals),
                              rp_jump_row(parent) - (uint32_t)(dy < 0 ? -diagonals : diagonals));
    places[1] = parent;
    return 2;
}

static inline uint32_t rp_jump_hop_lazy(const rp_jump_t *self, uint32_t place, uint32_t *places)
{
    rp_cell_t cell = rp_jump_cell(self, place);
    const unsigned direction = rp_jump_came(self, cell);
    const int32_t x = rp_jump_back_x(direction);
    const int32_t y = rp_jump_back_y(direction);
    const uint32_t step = rp_jump_step(self, x, y);
    uint32_t column = rp_jump_column(place);
    uint32_t row = rp_jump_row(place);
    rp_cost_t credit = self->credit[cell];
    do {
        cell += step;
        column += (uint32_t)x;
        row += (uint32_t)y;
        credit += (direction & 1u) != 0 ? RP_DIAGONAL : RP_STRAIGHT;
    } while (self->credit[cell] != credit);
    places[0] = rp_jump_place(column, row);
    return 1;
}

static inline uint32_t rp_jump_hop(const rp_jump_t *self, uint32_t place, uint32_t *places)
{
    return self->is_eager ? rp_jump_hop_eager(self, place, places)
                          : rp_jump_hop_lazy(self, place, places);
}

#endif
