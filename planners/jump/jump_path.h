/// @file
/// Paths out of a jump point search that found its target: every cell, or only where it turns.
#ifndef REPLAN_PLANNERS_JUMP_JUMP_PATH_H
#define REPLAN_PLANNERS_JUMP_JUMP_PATH_H

#include "planners/jump/jump.h"
#include "planners/open/extract.h"

// ---- every cell

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

/// Write the cells from one place to before another, as they are on the way to it: a diagonal walk,
/// then a straight jump, either maybe none; or backwards the jump first.
/// @return their number
static inline uint32_t rp_jump_fill_leg(const rp_jump_t *self, rp_cell_t *cells, uint32_t from,
                                        uint32_t to, bool is_back)
{
    const int32_t dx = (int32_t)rp_jump_column(to) - (int32_t)rp_jump_column(from);
    const int32_t dy = (int32_t)rp_jump_row(to) - (int32_t)rp_jump_row(from);
    const uint32_t across = (uint32_t)(dx < 0 ? -dx : dx);
    const uint32_t down = (uint32_t)(dy < 0 ? -dy : dy);
    const uint32_t diagonals = across < down ? across : down;
    const uint32_t steps = across > down ? across : down;
    const uint32_t diagonal = rp_jump_step(self, dx, dy);
    const uint32_t straight = across > down ? rp_jump_step(self, dx, 0) : rp_jump_step(self, 0, dy);
    const uint32_t firsts = is_back ? steps - diagonals : diagonals;
    const rp_cell_t turn =
        rp_jump_fill(cells, rp_jump_cell(self, from), is_back ? straight : diagonal, firsts);
    (void)rp_jump_fill(cells + firsts, turn, is_back ? diagonal : straight, steps - firsts);
    return steps;
}

/// Along the parents, back from the target.
static inline uint32_t rp_jump_path_back(const rp_jump_t *self, rp_cell_t *cells)
{
    const rp_jump_node_t *node = &self->nodes[self->found];
    uint32_t count = 0;
    while (node->place != self->root) {
        const rp_jump_node_t *parent = &self->nodes[node->parent];
        count += rp_jump_fill_leg(self, cells + count, node->place, parent->place, true);
        node = parent;
    }
    cells[count++] = rp_jump_cell(self, self->root);
    return count;
}

/// The same in order, from the root on: the end is written first.
static inline uint32_t rp_jump_path_forth(const rp_jump_t *self, rp_cell_t *cells)
{
    uint32_t left = 0;
    for (uint32_t number = self->found; self->nodes[number].place != self->root;) {
        const uint32_t parent = self->nodes[number].parent;
        left += rp_jump_steps(self->nodes[number].place, self->nodes[parent].place);
        number = parent;
    }
    const uint32_t count = left + 1u;
    cells[left] = rp_jump_cell(self, self->target);
    for (uint32_t number = self->found; left != 0;) {
        const uint32_t parent = self->nodes[number].parent;
        left -= rp_jump_steps(self->nodes[number].place, self->nodes[parent].place);
        (void)rp_jump_fill_leg(self, cells + left, self->nodes[parent].place,
                               self->nodes[number].place, false);
        number = parent;
    }
    return count;
}

/// Where a way back stands.
typedef struct rp_jump_back {
    uint32_t column;
    uint32_t row;
    uint32_t g;
    int32_t x; ///< of a step
    int32_t y;
    uint32_t length;
} rp_jump_back_t;

static inline rp_jump_back_t rp_jump_back_from(const rp_jump_t *self, uint32_t place)
{
    const uint32_t column = rp_jump_column(place);
    const uint32_t row = rp_jump_row(place);
    const uint32_t credit = rp_jump_lazy_credit(self, rp_jump_cell(self, place));
    return (rp_jump_back_t){.column = column,
                            .row = row,
                            .g = self->base + self->lazy.ceiling - credit -
                                 rp_jump_bound(self, column, row)};
}

/// A step further back. @return the credit that a cell there has if it is on the way
static inline uint32_t rp_jump_back_credit(const rp_jump_t *self, rp_jump_back_t *back)
{
    back->column += (uint32_t)back->x;
    back->row += (uint32_t)back->y;
    back->g -= back->length;
    return self->lazy.ceiling -
           (back->g + rp_jump_bound(self, back->column, back->row) - self->base);
}

/// A direction in which a cell was reached at its g: that back along it lies its parent.
static inline unsigned rp_jump_came(const rp_jump_t *self, rp_cell_t cell)
{
    return (unsigned)__builtin_ctz(self->by_cell[cell]);
}

/// Step back against this direction from here on.
static inline void rp_jump_back_turn(rp_jump_back_t *self, unsigned direction)
{
    static const int32_t x[RP_DIRECTIONS] = {-1, -1, 0, 1, 1, 1, 0, -1};
    static const int32_t y[RP_DIRECTIONS] = {0, -1, -1, -1, 0, 1, 1, 1};
    self->x = x[direction];
    self->y = y[direction];
    self->length = (direction & 1u) != 0 ? RP_DIAGONAL : RP_STRAIGHT;
}

/// Back against the direction of arrival, until a cell is met that costs just so much less.
static inline uint32_t rp_jump_path_lazy(const rp_jump_t *self, rp_cell_t *cells)
{
    const rp_cell_t root = rp_jump_cell(self, self->root);
    rp_cell_t cell = rp_jump_cell(self, self->target);
    rp_jump_back_t back = rp_jump_back_from(self, self->target);
    uint32_t count = 0;
    cells[count++] = cell;
    while (cell != root) {
        rp_jump_back_turn(&back, rp_jump_came(self, cell));
        const uint32_t step = rp_jump_step(self, back.x, back.y);
        do {
            cell += step;
            cells[count++] = cell;
        } while (rp_jump_back_credit(self, &back) != rp_jump_lazy_credit(self, cell));
    }
    return count;
}

/// Write the cells of a search that found its target.
/// @param cells      [width * height]
/// @param from_root  from the root to the target; else the other way round
/// @return their number
static inline uint32_t rp_jump_path(const rp_jump_t *self, rp_cell_t *cells, bool from_root)
{
    if (self->is_eager) {
        return from_root ? rp_jump_path_forth(self, cells) : rp_jump_path_back(self, cells);
    }
    const uint32_t count = rp_jump_path_lazy(self, cells);
    if (from_root) {
        rp_extract_reverse(cells, count);
    }
    return count;
}

// ---- turns

/// Where a way from the target to the root stands.
typedef struct rp_jump_way {
    uint32_t place;
    uint32_t node; ///< eager
} rp_jump_way_t;

static inline rp_jump_way_t rp_jump_way_back(const rp_jump_t *self)
{
    return (rp_jump_way_t){.place = self->target, .node = self->found};
}

static inline uint32_t rp_jump_hop_eager(const rp_jump_t *self, rp_jump_way_t *way,
                                         uint32_t *places)
{
    const uint32_t place = way->place;
    way->node = self->nodes[way->node].parent;
    way->place = self->nodes[way->node].place;
    const uint32_t parent = way->place;
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

static inline uint32_t rp_jump_hop_lazy(const rp_jump_t *self, rp_jump_way_t *way, uint32_t *places)
{
    rp_cell_t cell = rp_jump_cell(self, way->place);
    rp_jump_back_t back = rp_jump_back_from(self, way->place);
    rp_jump_back_turn(&back, rp_jump_came(self, cell));
    const uint32_t step = rp_jump_step(self, back.x, back.y);
    do {
        cell += step;
    } while (rp_jump_back_credit(self, &back) != rp_jump_lazy_credit(self, cell));
    way->place = rp_jump_place(back.column, back.row);
    places[0] = way->place;
    return 1;
}

/// Go on to the next place that the search knows, unless the way stands at the root: write that
/// one, and before it the corner between a straight jump and a diagonal walk, if there is one.
/// @param places  [2]
/// @return 1 or 2
static inline uint32_t rp_jump_hop(const rp_jump_t *self, rp_jump_way_t *way, uint32_t *places)
{
    return self->is_eager ? rp_jump_hop_eager(self, way, places)
                          : rp_jump_hop_lazy(self, way, places);
}

#endif
