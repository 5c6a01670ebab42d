/// @file
/// The first growth of a blind field (field.h) where every step costs the same: with 4 neighbours
/// on uniform ground. Cells come in the order in which they were reached, so a list takes the place
/// of the ring; and what a cell does is the same whatever its neighbours are, so nothing is guessed
/// wrong on the way. Three times as fast as growth by the ring.
#ifndef REPLAN_SEARCH_WAVE_H
#define REPLAN_SEARCH_WAVE_H

#include "planners/search/field.h"

/// True when a wave is right for a field that has just begun.
static inline bool rp_wave_suits(const rp_field_t *field)
{
    return field->limit == 0 && field->metric.h_straight == 0 && field->metric.factor == NULL &&
           field->grid->shape.neighbors == 4;
}

/// A cell reaches its neighbours. @return the number of cells that are listed then
static inline uint32_t rp_wave_reach(const rp_field_t *field, rp_cell_t cell, rp_cell_t *list,
                                     uint32_t count)
{
    const rp_cost_t d_next = field->nodes[cell].g + field->metric.length[0];
    const unsigned moves = field->grid->moves[cell];
    for (unsigned straight = 0; straight < RP_DIRECTIONS; straight += 2u) {
        const rp_cell_t next = rp_grid_step(field->grid, cell, straight);
        rp_node_t *node = &field->nodes[next];
        const bool is_new = (((moves >> straight) & 1u) != 0) & !rp_node_is_of(node, field->build);
        node->g = is_new ? d_next : node->g;
        node->mark = is_new ? field->build : node->mark;
        list[count] = next;
        count += is_new;
    }
    return count;
}

/// Grow until `slack` beyond the apex, or until the budget is spent; what waits then goes into the
/// ring, and rp_field_grow() goes on from there.
/// @param list  room for cells [cells]
static inline void rp_wave_grow(rp_field_t *field, rp_cell_t *list, rp_cost_t slack,
                                uint64_t *budget, rp_plan_stats_t *stats)
{
    uint32_t first = 0;
    uint32_t count = 1;
    rp_cost_t last = RP_FIELD_SHIFT_MAX;
    list[0] = field->root;
    rp_buckets_clear(&field->outside);
    while (first < count && first < *budget && field->nodes[list[first]].g <= last) {
        const rp_cell_t cell = list[first++];
        field->nodes[cell].mark |= RP_NODE_CLOSED;
        last = cell == field->apex ? field->nodes[cell].g + slack : last;
        count = rp_wave_reach(field, cell, list, count);
    }
    *budget -= first;
    stats->expanded += first;
    for (uint32_t i = first; i < count; i++) {
        const rp_cost_t d = field->nodes[list[i]].g;
        rp_buckets_push(&field->outside, d + field->shift, d, list[i]);
    }
    field->limit = first < count ? field->nodes[list[first]].g + field->shift - 1u : RP_FIELD_WHOLE;
}

#endif
