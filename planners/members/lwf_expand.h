/// @file
/// Expansion of LWF on ground without a seam: a cell's neighbours go into OPEN without a branch for
/// each.
#ifndef REPLAN_PLANNERS_MEMBERS_LWF_EXPAND_H
#define REPLAN_PLANNERS_MEMBERS_LWF_EXPAND_H

#include "planners/field/field_search.h"
#include "planners/grid/search_stats.h"

/// Directions in which a cell may be left, one after the other: from two to the left of straight on
/// to two to the right. Its parent, and the two neighbours between both, are reached from the
/// parent for less, by a step that is legal if those over the cell are.
#define RP_LWF_ONWARD 5u

/// What leads from a cell to its neighbours, twice round.
typedef struct rp_lwf_around {
    rp_cell_t offset[2u * RP_DIRECTIONS];
} rp_lwf_around_t;

static inline rp_lwf_around_t rp_lwf_around_of(const rp_grid_t *grid)
{
    rp_lwf_around_t self;
    for (unsigned i = 0; i < 2u * RP_DIRECTIONS; i++) {
        self.offset[i] = (rp_cell_t)grid->offset[i % RP_DIRECTIONS];
    }
    return self;
}

/// The neighbours of a closed cell go into OPEN, as rp_field_search_expand() has it, on ground
/// without a seam: which of them are worth it is found out without a branch for each, for nobody
/// could foretell any. Answers are gathered bit by bit, the last first: a comparison and an
/// addition with its carry each.
/// @param is_weighted  a constant: one plain loop for each
/// @param first, count  directions that are looked at; the count is a constant
RP_SEARCH_LOOP void rp_lwf_leave(rp_field_search_t *field_search, const rp_lwf_around_t *around,
                                 bool is_weighted, rp_cell_t cell, unsigned first, unsigned count,
                                 rp_search_stats_t *stats)
{
    const rp_grid_t *grid = field_search->grid;
    const rp_node_t *field = field_search->field->nodes;
    const rp_cell_t *offset = around->offset + first;
    rp_node_t *nodes = field_search->nodes;
    const uint32_t search = field_search->search;
    const rp_cost_t ceiling = field_search->ceiling;
    const rp_cost_t g = nodes[cell].g;
    const rp_cost_t factor = is_weighted ? grid->factor[cell] : 1u;
    const rp_cost_t lengths[2] = {field_search->metric.length[first & 1u],
                                  field_search->metric.length[~first & 1u]};
    const rp_cost_t so_far[2] = {g + lengths[0] * factor, g + lengths[1] * factor};
    const unsigned moves = grid->moves[cell];
    rp_cost_t g_next[RP_DIRECTIONS];
    rp_cost_t f_next[RP_DIRECTIONS];
    unsigned better = 0;
    unsigned beyond = 0;
    for (unsigned i = count; i-- > 0;) {
        const rp_cell_t next = cell + offset[i];
        const rp_node_t *node = &nodes[next];
        const rp_cost_t sum =
            so_far[i & 1u] + (is_weighted ? lengths[i & 1u] * grid->factor[next] : 0u);
        const rp_cost_t f = sum + field[next].g; // known, if the move is legal: `cell` has told it
        const bool is_new = node->mark < search; // no mark is later
        const rp_cost_t known = node->g | (0u - (rp_cost_t)is_new); // RP_COST_INF, if new
        g_next[i] = sum;
        f_next[i] = f;
        better = better + better + (sum < known);
        beyond = beyond + beyond + (ceiling < f);
    }
    better &= (moves | moves << RP_DIRECTIONS) >> first;
    field_search->is_pruned |= (better & beyond) != 0;
    for (unsigned left = better & ~beyond; left != 0; left &= left - 1u) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const unsigned direction = (first + i) % RP_DIRECTIONS;
        const rp_cell_t next = cell + offset[i];
        nodes[next] = (rp_node_t){g_next[i], search | rp_direction_back(direction)};
        rp_field_search_push(field_search, next, f_next[i], g_next[i]);
        stats->generated++;
    }
}

RP_SEARCH_LOOP void rp_lwf_expand(rp_field_search_t *field_search, const rp_lwf_around_t *around,
                                  bool is_weighted, rp_cell_t cell, rp_search_stats_t *stats)
{
    const uint32_t mark = field_search->nodes[cell].mark;
    if ((mark & RP_NODE_ROOT) != 0) {
        rp_lwf_leave(field_search, around, is_weighted, cell, 0, RP_DIRECTIONS, stats);
        return;
    }
    const unsigned back = mark & RP_NODE_DIRECTION;
    rp_lwf_leave(field_search, around, is_weighted, cell, (back + 2u) % RP_DIRECTIONS,
                 RP_LWF_ONWARD, stats);
}

#endif
