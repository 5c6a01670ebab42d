/// @file
/// The first growth of a field (field.h) where every step costs the same: with 4 neighbours on
/// uniform ground. Lists take the place of the ring then:
///
///     aimed   a step towards the apex keeps the key, one away from it adds 2: two stacks, one a
///     key blind   a step adds 1: cells come in the order in which they were reached
///
/// and what a cell does is the same whatever its neighbours are, so little is guessed wrong on the
/// way. Three times as fast as growth by the ring.
#ifndef REPLAN_SEARCH_WAVE_H
#define REPLAN_SEARCH_WAVE_H

#include "planners/search/field.h"
#include "planners/search/open_stacks.h"

/// True when a wave is right: nothing happened yet but the beginning. Over a seam a step may keep
/// the distance to the apex, so an aimed one stays on this side.
static inline bool rp_wave_suits(const rp_field_t *field)
{
    const bool is_blind = field->metric.h_straight == 0;
    return field->metric.factor == NULL && field->hear == NULL &&
           field->grid->shape.neighbors == 4 && (is_blind || !field->grid->shape.wraps) &&
           field->nodes[field->root].mark == field->build && field->outside.count == 1u &&
           field->lowered.count == 0;
}

// ---- aimed

/// One step: a cell that is reached more cheaply than before goes onto a stack.
static inline __attribute__((always_inline)) void
rp_wave_step(rp_node_t *nodes, rp_stacks_t *stacks, rp_node_t reached, unsigned moves,
             unsigned direction, rp_cell_t next, bool is_away)
{
    rp_node_t *node = &nodes[next];
    if (((moves >> direction) & 1u) != 0 &&
        !(rp_node_is_of(node, reached.mark) && node->g <= reached.g)) {
        *node = reached;
        rp_stacks_push(stacks, is_away, next);
    }
}

/// What waits on a stack goes into the ring.
static inline void rp_wave_put_outside(rp_field_t *field, const rp_cell_t *cells, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const rp_node_t *node = &field->nodes[cells[i]];
        if (node->mark == field->build) { // else an older entry of a cell that waits no more
            const rp_point_t point = rp_point_of(field->grid, cells[i]);
            const rp_cost_t bound = rp_bound(&field->metric, point, field->apex_point);
            rp_field_put_outside(field, cells[i], node->g + bound + field->shift, node->g);
        }
    }
}

/// @param wave  empty
static inline void rp_wave_grow_aimed(rp_field_t *field, rp_stacks_t *wave, rp_cost_t slack,
                                      uint64_t *budget, rp_plan_stats_t *stats)
{
    const rp_grid_t *grid = field->grid;
    const rp_point_t apex = field->apex_point;
    const rp_cell_t stride = grid->stride;
    rp_node_t *nodes = field->nodes;
    rp_stacks_t stacks = *wave; // a copy of our own: no store to a node can reach it
    uint64_t left = *budget;
    rp_cost_t last = RP_FIELD_SHIFT_MAX;
    rp_cost_t key = rp_bound(&field->metric, rp_point_of(grid, field->root), apex) + field->shift;
    rp_stacks_push(&stacks, 0, field->root);
    while (left != 0) {
        key += stacks.count[stacks.now] == 0 ? 2u : 0u;
        if (key > last) {
            break;
        }
        const rp_cell_t cell = rp_stacks_pop(&stacks);
        if (cell == RP_NO_CELL) {
            break;
        }
        rp_node_t *node = &nodes[cell];
        if ((node->mark & RP_NODE_CLOSED) != 0) {
            continue;
        }
        const rp_node_t reached = {node->g + 1u, node->mark};
        node->mark |= RP_NODE_CLOSED;
        left--;
        last = cell == field->apex ? node->g + field->shift + slack : last;
        const rp_point_t at = rp_point_of(grid, cell);
        const unsigned moves = grid->moves[cell];
        rp_wave_step(nodes, &stacks, reached, moves, 0, cell + 1u, at.x >= apex.x);
        rp_wave_step(nodes, &stacks, reached, moves, 4, cell - 1u, at.x <= apex.x);
        rp_wave_step(nodes, &stacks, reached, moves, 2, cell + stride, at.y >= apex.y);
        rp_wave_step(nodes, &stacks, reached, moves, 6, cell - stride, at.y <= apex.y);
    }
    stats->expanded += *budget - left;
    *budget = left;
    field->limit = key > last ? last : key - 1u;
    if (stacks.count[0] == 0 && stacks.count[1] == 0) {
        field->limit = RP_FIELD_WHOLE;
    }
    rp_wave_put_outside(field, stacks.cells[0], stacks.count[0]);
    rp_wave_put_outside(field, stacks.cells[1], stacks.count[1]);
    *wave = stacks;
    rp_stacks_clear(wave);
}

// ---- blind

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

static inline void rp_wave_grow_blind(rp_field_t *field, rp_stacks_t *wave, rp_cost_t slack,
                                      uint64_t *budget, rp_plan_stats_t *stats)
{
    rp_cell_t *list = wave->cells[0];
    uint32_t first = 0;
    uint32_t count = 1;
    rp_cost_t last = RP_FIELD_SHIFT_MAX;
    list[0] = field->root;
    while (first < count && first < *budget && field->nodes[list[first]].g <= last) {
        const rp_cell_t cell = list[first++];
        field->nodes[cell].mark |= RP_NODE_CLOSED;
        last = cell == field->apex ? field->nodes[cell].g + slack : last;
        count = rp_wave_reach(field, cell, list, count);
    }
    wave->peak[0] = count > wave->peak[0] ? count : wave->peak[0];
    *budget -= first;
    stats->expanded += first;
    field->limit = first < count ? field->nodes[list[first]].g + field->shift - 1u : RP_FIELD_WHOLE;
    for (uint32_t i = first; i < count; i++) {
        const rp_cost_t d = field->nodes[list[i]].g;
        rp_field_put_outside(field, list[i], d + field->shift, d);
    }
}

// ---- both

/// Grow until `slack` beyond the apex, or until the budget is spent; what waits then goes into the
/// ring, and rp_field_grow() goes on from there.
/// @param wave  empty before and after
static inline void rp_wave_grow(rp_field_t *field, rp_stacks_t *wave, rp_cost_t slack,
                                uint64_t *budget, rp_plan_stats_t *stats)
{
    rp_buckets_clear(&field->outside);
    if (field->metric.h_straight == 0) {
        rp_wave_grow_blind(field, wave, slack, budget, stats);
    } else {
        rp_wave_grow_aimed(field, wave, slack, budget, stats);
    }
}

#endif
