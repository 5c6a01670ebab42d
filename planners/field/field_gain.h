/// @file
/// What cells that became cheaper can gain for the path from a field's apex, by its lower bounds.
#ifndef REPLAN_PLANNERS_FIELD_FIELD_GAIN_H
#define REPLAN_PLANNERS_FIELD_FIELD_GAIN_H

#include "planners/field/field.h"
#include "planners/grid/batch_summary.h"

/// True when a path through this cell, which became cheaper, may cost less than `cost`. Up to the
/// first cheaper step such a path costs what it did before, so d bounds that part.
static inline bool rp_field_gain_is_possible(const rp_field_t *field, const rp_grid_t *grid,
                                             const rp_change_t *change, rp_cost_t cost)
{
    const rp_cell_t cell = change->cell;
    const rp_cost_t d = rp_field_at(field, cell);
    if (d != RP_COST_INF &&
        d + rp_bound(&field->metric, rp_point_of(grid, cell), field->apex_point) < cost) {
        return true;
    }
    if (change->before != 0 || grid->shape.neighbors == 4) {
        return false;
    }
    for (unsigned straight = 0; straight < RP_DIRECTIONS; straight += 2u) {
        const rp_cell_t beside = rp_grid_step(grid, cell, straight);
        const rp_cost_t d_beside = rp_field_at(field, beside);
        const rp_point_t point = rp_point_of(grid, beside);
        if (d_beside != RP_COST_INF &&
            d_beside + rp_bound(&field->metric, point, field->apex_point) < cost) {
            return true;
        }
    }
    return false;
}

/// True when none of these changes can have made a path cheaper than `cost`.
static inline bool rp_field_gain_is_none(const rp_field_t *field, const rp_grid_t *grid,
                                         const rp_change_t *changes, size_t count, rp_cost_t cost)
{
    size_t i = 0;
    while (i < count && !(rp_change_is_cheaper(&changes[i]) &&
                          rp_field_gain_is_possible(field, grid, &changes[i], cost))) {
        i++;
    }
    return i == count;
}

#endif
