/// @file
/// The cells of a field that the newest batch of changes lowered, as long as they are few.
#ifndef REPLAN_PLANNERS_FIELD_RECENT_DECREASES_H
#define REPLAN_PLANNERS_FIELD_RECENT_DECREASES_H

#include "planners/field/field.h"

#define RP_RECENT_DECREASES_MOST 128u

typedef struct rp_recent_decreases {
    rp_cell_t cells[RP_RECENT_DECREASES_MOST];
    uint32_t count;  ///< RP_RECENT_DECREASES_MOST + 1: too many, `cells` does not hold all
    uint32_t spread; ///< cells that were spread since, of these and of those that they lowered
} rp_recent_decreases_t;

/// Take them for too many to be known.
static inline void rp_recent_decreases_lose(rp_recent_decreases_t *self)
{
    self->count = RP_RECENT_DECREASES_MOST + 1u;
}

/// Note a cell whose d fell. On plain ground a cell that does not wait can be left out: it was
/// blocked before, and can lower no neighbour, so only a path that starts on it could profit, and
/// there was none.
/// @param is_plain  rp_gather_is_plain()
static inline void rp_recent_decreases_note(rp_recent_decreases_t *self, const rp_field_t *field,
                                            bool is_plain, rp_cell_t cell)
{
    if (is_plain && rp_node_is_closed(&field->nodes[cell], field->build)) {
        return;
    }
    if (self->count < RP_RECENT_DECREASES_MOST) {
        self->cells[self->count] = cell;
    }
    self->count += self->count <= RP_RECENT_DECREASES_MOST;
}

static inline bool rp_recent_decreases_are_known(const rp_recent_decreases_t *self)
{
    return self->count <= RP_RECENT_DECREASES_MOST;
}

/// True when no path from a start through one of them can cost less than `cost`. Only while
/// rp_recent_decreases_are_known().
static inline bool rp_recent_decreases_are_far(const rp_recent_decreases_t *self,
                                               const rp_field_t *field, const rp_metric_t *metric,
                                               rp_point_t start, uint64_t cost)
{
    for (uint32_t i = 0; i < self->count; i++) {
        const rp_cell_t cell = self->cells[i];
        const rp_cost_t d = rp_field_at(field, cell);
        const rp_point_t point = rp_point_of(field->grid, cell);
        if (d != RP_COST_INF && d + rp_bound(metric, point, start) < cost) {
            return false;
        }
    }
    return true;
}

#endif
