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
    bool is_marked;   ///< the marks are those of this path; else there are none
    rp_cell_t *cells; ///< the path [count]
    uint32_t first;   ///< place of its first cell that is left: whoever walks it has passed others
    uint32_t count;   ///< 0: no path is known
    rp_cost_t cost;   ///< of what is left of it
    rp_point_t start;
    rp_point_t goal;
} rp_certificate_t;

/// @return RP_E_MEMORY; fini is right then too
static inline rp_status_t rp_certificate_init(rp_certificate_t *self, const rp_grid_t *grid)
{
    *self = (rp_certificate_t){.grid = grid, .metric = rp_metric_of(grid)};
    self->marks = rp_memory_new(grid->cell_count / 8u + 1u, 1);
    self->cells = rp_memory_new_sparse(grid->cell_count, sizeof *self->cells);
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

static inline void rp_certificate_mark_cell(rp_certificate_t *self, rp_cell_t cell, bool is_set)
{
    const uint8_t bit = (uint8_t)(1u << (cell & 7u));
    uint8_t *byte = &self->marks[cell >> 3];
    *byte = is_set ? (uint8_t)(*byte | bit) : (uint8_t)(*byte & ~bit);
}

/// Set or clear the marks of the path's cells in these places, and of the corners of the diagonals
/// that begin there.
static inline void rp_certificate_mark(rp_certificate_t *self, uint32_t begin, uint32_t end,
                                       bool is_set)
{
    const rp_grid_t *grid = self->grid;
    const bool has_diagonals = grid->shape.neighbors == 8;
    for (uint32_t i = begin; i < end; i++) {
        const rp_cell_t cell = self->cells[i];
        rp_certificate_mark_cell(self, cell, is_set);
        if (!has_diagonals || i + 1u >= self->count) {
            continue;
        }
        const unsigned direction = rp_path_direction(grid, cell, self->cells[i + 1u]);
        if (rp_direction_is_diagonal(direction)) {
            const rp_cell_t left = rp_grid_step(grid, cell, (direction + 7u) & 7u);
            const rp_cell_t right = rp_grid_step(grid, cell, (direction + 1u) & 7u);
            rp_certificate_mark_cell(self, left, is_set);
            rp_certificate_mark_cell(self, right, is_set);
        }
    }
}

/// Nothing is known any more. Time: O(path) when it was marked.
static inline void rp_certificate_drop(rp_certificate_t *self)
{
    if (self->is_marked) {
        rp_certificate_mark(self, self->first, self->count, false);
    }
    self->is_marked = false;
    self->first = 0;
    self->count = 0;
}

/// Take the path that now stands in `cells`, after a drop; it is the best there is. Its cost is
/// summed at once, for factors change, but the marks wait until somebody needs them.
/// @param count  0: there is none, and nothing can be proven
/// Time: O(path); O(1) where each step costs 1.
static inline void rp_certificate_take(rp_certificate_t *self, uint32_t count)
{
    const rp_metric_t *metric = &self->metric;
    self->first = 0;
    self->count = count;
    if (count == 0) {
        return;
    }
    self->start = rp_point_of(self->grid, self->cells[0]);
    self->goal = rp_point_of(self->grid, self->cells[count - 1u]);
    if (metric->factor == NULL && self->grid->shape.neighbors == 4) {
        self->cost = (rp_cost_t)(count - 1u) * metric->length[0];
        return;
    }
    self->cost = 0;
    for (uint32_t i = 1; i < count; i++) {
        const rp_cell_t from = self->cells[i - 1u];
        const rp_cell_t to = self->cells[i];
        self->cost += rp_edge(metric, from, to, rp_path_direction(self->grid, from, to));
    }
}

/// Steps after a diagonal that may share a corner with it: the others that go round the same cell.
#define RP_CERTIFICATE_ROUND 3u

/// Steps that whoever walks the path may take at once.
#define RP_CERTIFICATE_STRIDE 16u

/// The start moves on along the path: what is left of the best path is the best.
/// @return false when the start is not a little further on along the path; nothing changes then
static inline bool rp_certificate_follow(rp_certificate_t *self, rp_cell_t start)
{
    const rp_grid_t *grid = self->grid;
    const uint32_t last = self->first + RP_CERTIFICATE_STRIDE;
    const uint32_t end = last < self->count ? last : self->count;
    rp_cost_t passed = 0;
    for (uint32_t i = self->first; i < end; i++) {
        const rp_cell_t cell = self->cells[i];
        if (cell == start) {
            const uint32_t round = i + RP_CERTIFICATE_ROUND;
            if (self->is_marked) {
                rp_certificate_mark(self, self->first, i, false);
                rp_certificate_mark(self, i, round < self->count ? round : self->count, true);
            }
            self->first = i;
            self->cost -= passed;
            self->start = rp_point_of(grid, start);
            return true;
        }
        if (i + 1u < end) {
            const rp_cell_t next = self->cells[i + 1u];
            passed += rp_edge(&self->metric, cell, next, rp_path_direction(grid, cell, next));
        }
    }
    return false;
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

/// True when nothing that this change made cheaper can be part of a better path. The grid holds the
/// new factors.
static inline bool rp_certificate_is_idle(const rp_certificate_t *self, const rp_change_t *change)
{
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

/// True when one of these changes the path itself, or the corner of one of its diagonals.
static inline bool rp_certificate_is_hit(rp_certificate_t *self, const rp_change_t *changes,
                                         size_t count)
{
    if (!self->is_marked) {
        rp_certificate_mark(self, self->first, self->count, true);
        self->is_marked = true;
    }
    size_t i = 0;
    while (i < count && !rp_certificate_is_marked(self, changes[i].cell)) {
        i++;
    }
    return i != count;
}

/// True when the path stands after all of these. False proves nothing. The marks come last: most
/// small batches that prove nothing are found out without them, but of many changes one soon lies
/// on the path. Time: O(count), and once a path O(path).
static inline bool rp_certificate_holds(rp_certificate_t *self, const rp_change_t *changes,
                                        size_t count)
{
    if (self->count == 0) {
        return false;
    }
    const bool are_many = count > self->count - self->first;
    if (are_many && rp_certificate_is_hit(self, changes, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!rp_certificate_is_idle(self, &changes[i])) {
            return false;
        }
    }
    return are_many || !rp_certificate_is_hit(self, changes, count);
}

#endif
