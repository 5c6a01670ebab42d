/// @file
/// The eight neighbours of a cell of a field, read at once and without branches on which of them
/// can be reached.
#ifndef REPLAN_PLANNERS_FIELD_GATHER_H
#define REPLAN_PLANNERS_FIELD_GATHER_H

#include "planners/field/gather_simd.h"

typedef struct rp_gather {
    _Alignas(16) rp_cost_t d[RP_DIRECTIONS]; ///< by direction; RP_COST_INF where none is known
    unsigned known; ///< bit d set: a legal step leads in direction d, to a cell whose d is known
} rp_gather_t;

#define RP_GATHER_INLINE static inline __attribute__((always_inline))

/// True on plain ground: uniform and not a torus, which is the ground most worth loops of its own.
static inline bool rp_gather_is_plain(const rp_grid_t *grid)
{
    return !grid->weighted && grid->seam == NULL;
}

/// Read the neighbours.
/// @param is_plain  rp_gather_is_plain() as a constant, here and below: each case is compiled alone
RP_GATHER_INLINE rp_gather_t rp_gather_of(const rp_field_t *field, bool is_plain, rp_cell_t cell)
{
    const rp_grid_t *grid = field->grid;
    const unsigned moves = grid->moves[cell];
    rp_gather_t around;
#if RP_HAS_GATHER_SIMD
    if (is_plain) {
        rp_gather_simd_store(rp_gather_simd_of(field, cell, &around.known), around.d);
        return around;
    }
#endif
    around.known = 0;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const rp_cell_t next = is_plain ? cell + (rp_cell_t)grid->offset[direction]
                                        : rp_grid_step(grid, cell, direction);
        const rp_node_t node = field->nodes[next];
        const unsigned known = moves & (unsigned)rp_node_is_of(&node, field->build) << direction;
        around.d[direction] = known != 0 ? node.g : RP_COST_INF;
        around.known |= known;
    }
    return around;
}

/// Cost of a legal step.
RP_GATHER_INLINE rp_cost_t rp_gather_edge(const rp_field_t *field, bool is_plain, rp_cell_t cell,
                                          unsigned direction)
{
    const rp_metric_t *metric = &field->metric;
    return is_plain ? metric->length[direction & 1u]
                    : rp_edge(metric, cell, rp_grid_step(field->grid, cell, direction), direction);
}

/// Neighbours whose d a cell of this d vouches for: d + c <= theirs. One bit each by direction;
/// without branches, which would be mispredicted.
RP_GATHER_INLINE unsigned rp_gather_leaning(const rp_gather_t *self, const rp_field_t *field,
                                            bool is_plain, rp_cell_t cell, rp_cost_t d)
{
#if RP_HAS_GATHER_SIMD
    if (is_plain) {
        return rp_gather_simd_leaning(rp_gather_simd_load(self->d), field, d);
    }
#endif
    unsigned leaning = 0;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const rp_cost_t d_next = self->d[direction];
        const bool is_known = d_next != RP_COST_INF;
        const rp_cost_t edge =
            is_plain || is_known ? rp_gather_edge(field, is_plain, cell, direction) : 0;
        leaning |= (unsigned)(is_known & (d_next >= d + edge)) << direction;
    }
    return leaning;
}

/// Neighbours that a cell of this d can lower, one bit each by direction.
RP_GATHER_INLINE unsigned rp_gather_better(const rp_gather_t *self, const rp_field_t *field,
                                           bool is_plain, rp_cell_t cell, rp_cost_t d)
{
    const unsigned moves = field->grid->moves[cell];
#if RP_HAS_GATHER_SIMD
    if (is_plain) {
        return moves & rp_gather_simd_better(rp_gather_simd_load(self->d), field, d);
    }
#endif
    unsigned better = 0;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const bool is_legal = ((moves >> direction) & 1u) != 0;
        const rp_cost_t edge =
            is_plain || is_legal ? rp_gather_edge(field, is_plain, cell, direction) : 0;
        better |= (unsigned)(d + edge < self->d[direction]) << direction;
    }
    return better & moves;
}

/// The least d that the neighbours offer; RP_COST_INF when none does.
RP_GATHER_INLINE rp_cost_t rp_gather_offer(const rp_gather_t *self, const rp_field_t *field,
                                           bool is_plain, rp_cell_t cell)
{
    rp_cost_t least = RP_COST_INF;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const rp_cost_t d = self->d[direction];
        const bool is_offer = d != RP_COST_INF;
        const rp_cost_t edge =
            is_plain || is_offer ? rp_gather_edge(field, is_plain, cell, direction) : 0;
        least = is_offer && d + edge < least ? d + edge : least;
    }
    return least;
}

/// True when some neighbour offers this d or less.
RP_GATHER_INLINE bool rp_gather_vouches(const rp_gather_t *self, const rp_field_t *field,
                                        bool is_plain, rp_cell_t cell, rp_cost_t d)
{
    return rp_gather_offer(self, field, is_plain, cell) <= d;
}

#endif
