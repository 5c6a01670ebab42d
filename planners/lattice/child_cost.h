/// @file
/// What children, and curves, cost on the ground that they run through.
#ifndef REPLAN_PLANNERS_LATTICE_CHILD_COST_H
#define REPLAN_PLANNERS_LATTICE_CHILD_COST_H

#include "planners/lattice/control_set.h"
#include "replan/grid.h"

/// A coordinate that may lie some way outside of a torus.
static inline uint32_t rp_child_cost_fold(int32_t at, uint32_t side)
{
    while (at < 0) {
        at += (int32_t)side;
    }
    return (uint32_t)at < side ? (uint32_t)at : (uint32_t)at % side;
}

/// A cell of the ground, by such coordinates.
static inline rp_cell_t rp_child_cost_cell(const rp_grid_t *ground, int32_t x, int32_t y)
{
    return rp_grid_cell(ground, rp_child_cost_fold(x, ground->shape.width),
                        rp_child_cost_fold(y, ground->shape.height));
}

/// What cells of a curve cost, that begins on a cell, turned by quarters.
/// @param cells  [count]
static inline uint32_t rp_child_cost_sum(const rp_grid_t *ground, uint32_t x, uint32_t y,
                                         const rp_swept_cell_t *cells, uint32_t count,
                                         uint32_t quarters)
{
    uint64_t cost = 0;
    for (uint32_t i = 0; i < count; i++) {
        int32_t dx = cells[i].x;
        int32_t dy = cells[i].y;
        rp_quarters_turn(&dx, &dy, quarters);
        const rp_cell_t cell = rp_child_cost_cell(ground, (int32_t)x + dx, (int32_t)y + dy);
        cost += (uint64_t)cells[i].cost * (ground->weighted ? ground->factor[cell] : 1u);
    }
    return cost < RP_LATTICE_COST_MOST ? (uint32_t)cost : RP_LATTICE_COST_MOST;
}

/// What a child costs from a cell: on weighted ground what its curve runs through.
static inline uint32_t rp_child_cost(const rp_control_set_t *set, const rp_grid_t *ground,
                                     uint32_t x, uint32_t y, uint32_t child)
{
    const rp_child_t *by = &set->children[child];
    if (!ground->weighted) {
        return by->cost;
    }
    const rp_move_parts_t *parts = &set->moves[set->parts[child].move];
    const uint32_t change = by->cost - parts->move.cost; // of gear
    return rp_child_cost_sum(ground, x, y, set->cells + parts->first_cell, parts->cell_count,
                             rp_control_set_quarters(set, by->from)) +
           change * ground->shape.unit;
}

#endif
