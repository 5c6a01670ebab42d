/// @file
/// What a field (field.h) still remembers of cells that were blocked and are free again.
///
/// The memory dates from before the cell was blocked. It is of use where it agrees with what the
/// neighbours know now: no step between them could lower either end. Then the field needs no
/// repair. Where it does not agree, the neighbours may have been raised in the meantime, and the
/// old, smaller d would lower them again for nothing: it is better forgotten.
#ifndef REPLAN_PLANNERS_FIELD_STALE_VALUES_H
#define REPLAN_PLANNERS_FIELD_STALE_VALUES_H

#include "planners/field/field.h"

/// True when neither end of a step can be lowered from the other.
/// @param a, b  d of the two ends
static inline bool rp_stale_values_step_agrees(rp_cost_t a, rp_cost_t b, rp_cost_t edge)
{
    return (a < b ? b - a : a - b) <= edge;
}

/// rp_stale_values_agrees() on uniform ground that does not wrap. Whether a step is legal would be
/// mispredicted half of the time, so all eight are read, and the illegal ones masked out.
static inline bool rp_stale_values_agrees_uniform(const rp_field_t *field, rp_cell_t cell)
{
    const rp_grid_t *grid = field->grid;
    const bool has_diagonals = grid->shape.neighbors == 8;
    const unsigned each = has_diagonals ? 1u : 2u;
    const rp_cost_t d = rp_field_at(field, cell);
    const unsigned moves = grid->moves[cell];
    rp_cost_t around[RP_DIRECTIONS];
    unsigned differ = 0;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += each) {
        const rp_cost_t edge = field->metric.length[direction & 1u];
        around[direction] = rp_field_at(field, cell + (rp_cell_t)grid->offset[direction]);
        differ |= (unsigned)!rp_stale_values_step_agrees(d, around[direction], edge) &
                  (moves >> direction);
    }
    for (unsigned straight = 0; has_diagonals && straight < RP_DIRECTIONS; straight += 2u) {
        const unsigned from = grid->moves[cell + (rp_cell_t)grid->offset[straight]];
        const unsigned next = (straight + 2u) % RP_DIRECTIONS;
        differ |= (unsigned)!rp_stale_values_step_agrees(around[straight], around[next],
                                                         field->metric.length[1]) &
                  (from >> ((straight + 3u) % RP_DIRECTIONS));
    }
    return (differ & 1u) == 0;
}

/// True when the field needs no repair at a cell that became cheaper: its d agrees with those of
/// its neighbours, and theirs with each other along the diagonals that pass beside it. That is so,
/// too, where neither the cell nor any neighbour is known.
static inline bool rp_stale_values_agrees(const rp_field_t *field, rp_cell_t cell)
{
    const rp_grid_t *grid = field->grid;
    if (field->metric.factor == NULL && grid->seam == NULL) {
        return rp_stale_values_agrees_uniform(field, cell);
    }
    const rp_cost_t d = rp_field_at(field, cell);
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (grid, cell, direction, next) {
        if (!rp_stale_values_step_agrees(d, rp_field_at(field, next),
                                         rp_edge(&field->metric, cell, next, direction))) {
            return false;
        }
    }
    for (unsigned straight = 0; grid->shape.neighbors == 8 && straight < RP_DIRECTIONS;
         straight += 2u) {
        const rp_cell_t from = rp_grid_step(grid, cell, straight);
        const unsigned beside = (straight + 3u) % RP_DIRECTIONS;
        if (((grid->moves[from] >> beside) & 1u) == 0) {
            continue;
        }
        const rp_cell_t to = rp_grid_step(grid, from, beside);
        if (!rp_stale_values_step_agrees(rp_field_at(field, from), rp_field_at(field, to),
                                         rp_edge(&field->metric, from, to, beside))) {
            return false;
        }
    }
    return true;
}

/// Forget d of the freed cells of a batch that do not agree with their surroundings. For users that
/// raise d. Call it for the whole batch before rp_field_apply(): otherwise a cell would be compared
/// with a neighbour whose d is as old as its own.
static inline void rp_stale_values_forget(rp_field_t *field, const rp_change_t *changes,
                                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rp_field_prefetch_ahead(field, changes, i, count);
        rp_node_t *node = &field->nodes[changes[i].cell];
        if (changes[i].before == 0 && rp_node_is_of(node, field->build) &&
            !rp_stale_values_agrees(field, changes[i].cell)) {
            *node = (rp_node_t){RP_COST_INF, field->build | RP_NODE_CLOSED};
        }
    }
}

#endif
