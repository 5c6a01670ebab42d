/// @file
/// A proof, from geometry alone, that a path is still the best after a batch of changes (DESIGN 6,
/// PSEUDOCODE 11): it is as legal and as cheap as it was, and nothing that became cheaper can be
/// part of a better one. By edges, not by cells: the diagonals beside a freed cell included.
///
/// A bound here is the heuristic: admissible whatever the map looks like, so batches may be proven
/// one after the other without remembering any of them.
#ifndef REPLAN_SEARCH_CERTIFICATE_H
#define REPLAN_SEARCH_CERTIFICATE_H

#include <string.h>

#include "planners/planner_ops.h"
#include "planners/search/memory.h"
#include "planners/search/metric.h"

typedef struct rp_certificate {
    const rp_grid_t *grid;
    rp_metric_t metric;
    uint8_t *marks;   ///< one bit a cell: on the path, or beside one of its diagonals
    rp_cell_t *cells; ///< the path [count]
    uint32_t count;   ///< 0: no path is known
    rp_cost_t cost;   ///< of the path
    rp_point_t start;
    rp_point_t goal;
} rp_certificate_t;

/// @return RP_E_MEMORY; fini is right then too
static inline rp_status_t rp_certificate_init(rp_certificate_t *self, const rp_grid_t *grid)
{
    *self = (rp_certificate_t){.grid = grid, .metric = rp_metric_of(grid)};
    self->marks = rp_memory_new(grid->cell_count / 8u + 1u, 1);
    self->cells = rp_memory_new(grid->cell_count, sizeof *self->cells);
    return self->marks != NULL && self->cells != NULL ? RP_OK : RP_E_MEMORY;
}

static inline void rp_certificate_fini(rp_certificate_t *self)
{
    if (self->grid != NULL) {
        rp_memory_free(self->marks, self->grid->cell_count / 8u + 1u, 1);
        rp_memory_free(self->cells, self->grid->cell_count, sizeof *self->cells);
    }
    *self = (rp_certificate_t){0};
}

static inline bool rp_certificate_is_marked(const rp_certificate_t *self, rp_cell_t cell)
{
    return ((self->marks[cell >> 3] >> (cell & 7u)) & 1u) != 0;
}

/// Set or clear the marks of the path's cells and of the corners of its diagonals.
static inline void rp_certificate_mark(rp_certificate_t *self, bool is_set)
{
    for (uint32_t i = 0; i < self->count; i++) {
        rp_cell_t marked[3] = {self->cells[i], self->cells[i], self->cells[i]};
        if (i + 1u < self->count) {
            const unsigned direction =
                rp_path_direction(self->grid, self->cells[i], self->cells[i + 1u]);
            if (rp_direction_is_diagonal(direction)) {
                marked[1] = rp_grid_step(self->grid, self->cells[i], (direction + 1u) & 7u);
                marked[2] = rp_grid_step(self->grid, self->cells[i], (direction + 7u) & 7u);
            }
        }
        for (unsigned j = 0; j < 3; j++) {
            const uint8_t bit = (uint8_t)(1u << (marked[j] & 7u));
            uint8_t *byte = &self->marks[marked[j] >> 3];
            *byte = is_set ? (uint8_t)(*byte | bit) : (uint8_t)(*byte & ~bit);
        }
    }
}

/// Nothing is known any more. Time: O(path).
static inline void rp_certificate_drop(rp_certificate_t *self)
{
    rp_certificate_mark(self, false);
    self->count = 0;
}

/// Take the path that now stands in `cells`, after a drop; it is the best there is.
/// @param count  0: there is none, and nothing can be proven
/// Time: O(path).
static inline void rp_certificate_take(rp_certificate_t *self, uint32_t count)
{
    self->count = count;
    self->cost = 0;
    if (count == 0) {
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        const rp_cell_t from = self->cells[i - 1u];
        const rp_cell_t to = self->cells[i];
        self->cost += rp_edge(&self->metric, from, to, rp_path_direction(self->grid, from, to));
    }
    self->start = rp_point_of(self->grid, self->cells[0]);
    self->goal = rp_point_of(self->grid, self->cells[count - 1u]);
    rp_certificate_mark(self, true);
}

/// True when no path over the edge from `u` to `v`, either way, beats the path at hand.
static inline bool rp_certificate_edge_is_idle(const rp_certificate_t *self, rp_point_t u,
                                               rp_point_t v, rp_cost_t edge)
{
    const rp_metric_t *metric = &self->metric;
    return rp_bound(metric, self->start, u) + edge + rp_bound(metric, v, self->goal) >=
               self->cost &&
           rp_bound(metric, self->start, v) + edge + rp_bound(metric, u, self->goal) >= self->cost;
}

/// The diagonals that a freed cell opened between its orthogonal neighbours.
static inline bool rp_certificate_corners_are_idle(const rp_certificate_t *self, rp_cell_t freed)
{
    const rp_grid_t *grid = self->grid;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += 2u) {
        const rp_cell_t from = rp_grid_step(grid, freed, direction);
        const unsigned diagonal = (direction + 3u) & 7u; // from that neighbour past `freed`
        if (grid->factor[from] == 0 || ((grid->moves[from] >> diagonal) & 1u) == 0) {
            continue;
        }
        const rp_cell_t to = rp_grid_step(grid, from, diagonal);
        if (!rp_certificate_edge_is_idle(self, rp_point_of(grid, from), rp_point_of(grid, to),
                                         rp_edge(&self->metric, from, to, diagonal))) {
            return false;
        }
    }
    return true;
}

/// True when one change proves harmless. The grid holds the new factors.
static inline bool rp_certificate_allows(const rp_certificate_t *self, const rp_change_t *change)
{
    if (rp_certificate_is_marked(self, change->cell)) {
        return false; // the path itself, or the corner of one of its diagonals
    }
    if (change->after == 0 || (change->before != 0 && change->after > change->before)) {
        return true;
    }
    // Each path over an edge of this cell runs through the cell.
    const rp_point_t point = rp_point_of(self->grid, change->cell);
    if (rp_bound(&self->metric, self->start, point) + rp_bound(&self->metric, point, self->goal) <
        self->cost) {
        return false;
    }
    return change->before != 0 || self->grid->shape.neighbors == 4 ||
           rp_certificate_corners_are_idle(self, change->cell);
}

/// True when the path stands after all of these. False proves nothing. Time: O(count) at most.
static inline bool rp_certificate_holds(const rp_certificate_t *self, const rp_change_t *changes,
                                        size_t count)
{
    if (self->count == 0) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!rp_certificate_allows(self, &changes[i])) {
            return false;
        }
    }
    return true;
}

#endif
