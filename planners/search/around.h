/// @file
/// What stands round a cell of a field, read at once: eight places, and no guess which of them
/// count.
#ifndef REPLAN_SEARCH_AROUND_H
#define REPLAN_SEARCH_AROUND_H

#include "planners/search/field.h"

/// d by direction, RP_COST_INF where nothing is known or no step leads.
typedef struct rp_around {
    rp_cost_t d[RP_DIRECTIONS];
} rp_around_t;

#define RP_AROUND_INLINE static inline __attribute__((always_inline))

/// True where steps have two lengths, and lead over no seam: the ground that is met most.
static inline bool rp_around_is_plain(const rp_grid_t *grid)
{
    return !grid->weighted && grid->seam == NULL;
}

/// @param is_plain  a constant, here and below: one loop for plain ground, another for all other
RP_AROUND_INLINE rp_around_t rp_around_of(const rp_field_t *field, bool is_plain, rp_cell_t cell)
{
    const rp_grid_t *grid = field->grid;
    const unsigned moves = grid->moves[cell];
    rp_around_t around;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const rp_cell_t next = is_plain ? cell + (rp_cell_t)grid->offset[direction]
                                        : rp_grid_step(grid, cell, direction);
        const rp_node_t node = field->nodes[next];
        const bool is_known = ((moves >> direction) & 1u) & rp_node_is_of(&node, field->build);
        around.d[direction] = is_known ? node.g : RP_COST_INF;
    }
    return around;
}

/// Cost of a legal step.
RP_AROUND_INLINE rp_cost_t rp_around_edge(const rp_field_t *field, bool is_plain, rp_cell_t cell,
                                          unsigned direction)
{
    const rp_metric_t *metric = &field->metric;
    return is_plain ? metric->length[direction & 1u]
                    : rp_edge(metric, cell, rp_grid_step(field->grid, cell, direction), direction);
}

/// The least d that the neighbours offer; RP_COST_INF when none does.
RP_AROUND_INLINE rp_cost_t rp_around_offer(const rp_around_t *self, const rp_field_t *field,
                                           bool is_plain, rp_cell_t cell)
{
    rp_cost_t least = RP_COST_INF;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const rp_cost_t d = self->d[direction];
        const bool is_offer = d != RP_COST_INF;
        const rp_cost_t edge =
            is_plain || is_offer ? rp_around_edge(field, is_plain, cell, direction) : 0;
        least = is_offer && d + edge < least ? d + edge : least;
    }
    return least;
}

#endif
