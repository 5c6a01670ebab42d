/// @file
/// What a field must hold, looked at by plain means: for the members' own checks, and for tests.
#ifndef REPLAN_PLANNERS_FIELD_FIELD_CHECK_H
#define REPLAN_PLANNERS_FIELD_FIELD_CHECK_H

#include <stdlib.h>

#include "planners/field/field.h"

/// True when a path within the limit can pass this cell, as far as bounds tell.
static inline bool rp_field_reaches(const rp_field_t *self, rp_cell_t cell)
{
    const rp_point_t point = rp_point_of(self->grid, cell);
    const rp_cost_t way = rp_bound(&self->metric, self->root_point, point) +
                          rp_bound(&self->metric, point, self->apex_point);
    return rp_field_covers(self, way);
}

/// The first invariant, step by step. Time: O(cells).
/// @param within  only where a path within the limit can pass: what is outside may be out of date
static inline bool rp_field_check(const rp_field_t *self, bool within)
{
    for (rp_cell_t cell = 0; cell < self->grid->cell_count; cell++) {
        const rp_node_t *node = &self->nodes[cell];
        if (!rp_node_is_closed(node, self->build) || node->g == RP_COST_INF ||
            (within && !rp_field_reaches(self, cell))) {
            continue;
        }
        unsigned direction;
        rp_cell_t next;
        RP_FOR_MOVES (self->grid, cell, direction, next) {
            const rp_cost_t edge = rp_edge(&self->metric, cell, next, direction);
            const bool counts = !within || rp_field_reaches(self, next);
            if (counts && rp_field_at(self, next) > node->g + edge) {
                return false;
            }
        }
    }
    return true;
}

/// What each cell costs to one, by a plain Dijkstra that knows nothing of the field.
/// @param grid  the field's, or one whose steps are as dear or dearer
/// @return NULL without memory; free() it
static inline rp_cost_t *rp_field_truth(const rp_grid_t *grid, rp_cell_t from)
{
    const rp_metric_t metric = rp_metric_of(grid);
    rp_heap_t heap;
    rp_arena_t arena = {0};
    rp_cost_t *truth = malloc(grid->cell_count * sizeof *truth);
    rp_heap_init(&heap, RP_DIRECTIONS * grid->cell_count, &arena);
    if (truth == NULL || arena.is_short) {
        rp_arena_free(&arena, NULL);
        free(truth);
        return NULL;
    }
    for (rp_cell_t cell = 0; cell < grid->cell_count; cell++) {
        truth[cell] = RP_COST_INF;
    }
    truth[from] = 0;
    rp_heap_push(&heap, rp_key(0, 0), from);
    while (heap.count != 0) {
        const rp_heap_entry_t top = rp_heap_pop(&heap);
        const rp_cost_t cost = rp_key_first(top.key);
        unsigned direction;
        rp_cell_t next;
        if (cost != truth[top.cell]) {
            continue;
        }
        RP_FOR_MOVES (grid, top.cell, direction, next) {
            const rp_cost_t sum = cost + rp_edge(&metric, top.cell, next, direction);
            if (sum < truth[next]) {
                truth[next] = sum;
                rp_heap_push(&heap, rp_key(sum, 0), next);
            }
        }
    }
    rp_arena_free(&arena, NULL);
    return truth;
}

/// With nothing lowered left: seen from a cell, d rises nowhere by more than the truth where it is
/// used.
/// @param truth  what each cell costs to that one
static inline bool rp_field_is_admissible(const rp_field_t *self, rp_cell_t from,
                                          const rp_cost_t *truth)
{
    const rp_cost_t d_from = rp_field_at(self, from);
    if (d_from == RP_COST_INF) {
        return true;
    }
    for (rp_cell_t cell = 0; cell < self->grid->cell_count; cell++) {
        if (truth[cell] == RP_COST_INF) {
            continue;
        }
        const rp_point_t point = rp_point_of(self->grid, cell);
        const rp_cost_t most = d_from + truth[cell];
        const rp_cost_t through = most + rp_bound(&self->metric, point, self->apex_point);
        if (rp_field_covers(self, through) && rp_field_at(self, cell) > most) {
            return false;
        }
    }
    return true;
}

#endif
