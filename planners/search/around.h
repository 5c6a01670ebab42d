/// @file
/// The eight neighbours of a cell of a field, read at once and without branches on which of them
/// can be reached.
#ifndef REPLAN_SEARCH_AROUND_H
#define REPLAN_SEARCH_AROUND_H

#include "planners/search/abreast.h"

typedef struct rp_around {
    _Alignas(16) rp_cost_t d[RP_DIRECTIONS]; ///< by direction; RP_COST_INF where none is known
    unsigned known; ///< bit d set: a legal step leads in direction d, to a cell whose d is known
} rp_around_t;

#define RP_AROUND_INLINE static inline __attribute__((always_inline))

/// True on plain ground: uniform and not a torus, which is the ground most worth loops of its own.
static inline bool rp_around_is_plain(const rp_grid_t *grid)
{
    return !grid->weighted && grid->seam == NULL;
}

/// Read the neighbours.
/// @param is_plain  rp_around_is_plain() as a constant, here and below: each case is compiled alone
RP_AROUND_INLINE rp_around_t rp_around_of(const rp_field_t *field, bool is_plain, rp_cell_t cell)
{
    const rp_grid_t *grid = field->grid;
    const unsigned moves = grid->moves[cell];
    rp_around_t around;
#if RP_HAS_ABREAST
    if (is_plain) {
        rp_abreast_store(rp_abreast_of(field, cell, &around.known), around.d);
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
RP_AROUND_INLINE rp_cost_t rp_around_edge(const rp_field_t *field, bool is_plain, rp_cell_t cell,
                                          unsigned direction)
{
    const rp_metric_t *metric = &field->metric;
    return is_plain ? metric->length[direction & 1u]
                    : rp_edge(metric, cell, rp_grid_step(field->grid, cell, direction), direction);
}

/// Neighbours whose d a cell of this d vouches for: d + c <= theirs. One bit each by direction;
/// without branches, which would be mispredicted.
RP_AROUND_INLINE unsigned rp_around_leaning(const rp_around_t *self, const rp_field_t *field,
                                            bool is_plain, rp_cell_t cell, rp_cost_t d)
{
#if RP_HAS_ABREAST
    if (is_plain) {
        return rp_abreast_leaning(rp_abreast_load(self->d), field, d);
    }
#endif
    unsigned leaning = 0;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const rp_cost_t d_next = self->d[direction];
        const bool is_known = d_next != RP_COST_INF;
        const rp_cost_t edge =
            is_plain || is_known ? rp_around_edge(field, is_plain, cell, direction) : 0;
        leaning |= (unsigned)(is_known & (d_next >= d + edge)) << direction;
    }
    return leaning;
}

/// Neighbours that a cell of this d can lower, one bit each by direction.
RP_AROUND_INLINE unsigned rp_around_better(const rp_around_t *self, const rp_field_t *field,
                                           bool is_plain, rp_cell_t cell, rp_cost_t d)
{
    const unsigned moves = field->grid->moves[cell];
#if RP_HAS_ABREAST
    if (is_plain) {
        return moves & rp_abreast_better(rp_abreast_load(self->d), field, d);
    }
#endif
    unsigned better = 0;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const bool is_legal = ((moves >> direction) & 1u) != 0;
        const rp_cost_t edge =
            is_plain || is_legal ? rp_around_edge(field, is_plain, cell, direction) : 0;
        better |= (unsigned)(d + edge < self->d[direction]) << direction;
    }
    return better & moves;
}

/// The least d that the neighbours offer; RP_COST_INF when none does.
RP_AROUND_INLINE rp_cost_t rp_around_offer(const rp_around_t *self, const rp_field_t *field,
                                           bool is_plain, rp_cell_t cell)
{
#if RP_HAS_ABREAST
    if (is_plain) {
        return rp_abreast_offer(rp_abreast_load(self->d), field);
    }
#endif
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

/// True when some neighbour offers this d or less.
RP_AROUND_INLINE bool rp_around_vouches(const rp_around_t *self, const rp_field_t *field,
                                        bool is_plain, rp_cell_t cell, rp_cost_t d)
{
#if RP_HAS_ABREAST
    if (is_plain) {
        return rp_abreast_vouch(rp_abreast_load(self->d), field, d);
    }
#endif
    return rp_around_offer(self, field, is_plain, cell) <= d;
}

#endif
