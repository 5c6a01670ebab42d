/// @file
/// A certificate: a proof, by geometry alone, that a path is still optimal after a batch of
/// changes. It is as legal and as cheap as it was, and no edge that became cheaper can be part of a
/// cheaper path: bound(start, u) + c(u, v) + bound(v, goal) >= cost (PSEUDOCODE 11). Edges are
/// judged, not cells: a freed cell also opens the diagonals that pass beside it.
///
/// It buys: without it an agent that walks in unknown terrain (P3, AR0602SR) takes 1.4 times as
/// long, and a footprint on BigGameHunters without idle time (P4) three times.
///
/// The bound is the heuristic, which is admissible on any map. So batches may be proven one after
/// the other, without remembering any of them.
#ifndef REPLAN_PLANNERS_PORTFOLIO_CERTIFICATE_H
#define REPLAN_PLANNERS_PORTFOLIO_CERTIFICATE_H

#include <string.h>

#include "planners/core/planner_ops.h"
#include "planners/grid/batch_summary.h"
#include "planners/grid/metric.h"

typedef struct rp_certificate {
    const rp_grid_t *grid;
    rp_metric_t metric;
    rp_path_t path; ///< borrowed; what is left of it: whoever walks it has passed other cells
    bool has_cost;  ///< `cost` is known; see rp_certificate_cost()
    rp_cost_t cost; ///< of the path
    rp_point_t start;
    rp_point_t goal;
} rp_certificate_t;

static inline void rp_certificate_init(rp_certificate_t *self, const rp_grid_t *grid)
{
    *self = (rp_certificate_t){.grid = grid, .metric = rp_metric_of(grid)};
}

/// Nothing is known any more, and the path is not borrowed.
static inline void rp_certificate_drop(rp_certificate_t *self)
{
    self->path.count = 0;
}

/// What the steps of the path cost now. Time: O(path)
static inline rp_cost_t rp_certificate_sum(const rp_certificate_t *self)
{
    rp_cost_t sum = 0;
    for (uint32_t i = 1; i < self->path.count; i++) {
        const rp_cell_t from = self->path.cells[i - 1u];
        const rp_cell_t to = self->path.cells[i];
        sum += rp_edge(&self->metric, from, to, rp_path_direction(self->grid, from, to));
    }
    return sum;
}

/// Cost of the path. Time: O(1) but for the first time, O(path) then
static inline rp_cost_t rp_certificate_cost(rp_certificate_t *self)
{
    const rp_metric_t *metric = &self->metric;
    if (!self->has_cost) {
        self->has_cost = true;
        self->cost = metric->factor == NULL && self->grid->shape.neighbors == 4
                         ? (rp_cost_t)(self->path.count - 1u) * metric->length[0]
                         : rp_certificate_sum(self);
    }
    return self->cost;
}

/// Take a path, after a drop; it is the best there is. On weighted ground its cost is summed at
/// once, for factors change; else it waits until somebody needs it.
/// @param path  its cells are borrowed until the next drop; without any nothing can be proven
/// Time: O(1); O(path) on weighted ground
static inline void rp_certificate_take(rp_certificate_t *self, const rp_path_t *path)
{
    self->path = *path;
    self->has_cost = false;
    if (path->count == 0) {
        return;
    }
    self->start = rp_point_of(self->grid, path->cells[0]);
    self->goal = rp_point_of(self->grid, path->cells[path->count - 1u]);
    if (self->metric.factor != NULL) {
        (void)rp_certificate_cost(self);
    }
}

/// Steps along the path that a start may take at once.
#define RP_CERTIFICATE_STRIDE (2u * RP_START_LAG_MAX)

/// Follow a start that moves along the path: the rest of an optimal path is optimal.
/// @return false when the start is not on the next cells of the path; nothing changes then
static inline bool rp_certificate_follow(rp_certificate_t *self, rp_cell_t start)
{
    const rp_grid_t *grid = self->grid;
    const uint32_t count = self->path.count;
    const uint32_t most = count < RP_CERTIFICATE_STRIDE ? count : RP_CERTIFICATE_STRIDE;
    rp_cost_t passed = 0;
    for (uint32_t i = 0; i < most; i++) {
        const rp_cell_t cell = self->path.cells[i];
        if (cell == start) {
            self->path = (rp_path_t){self->path.cells + i, count - i};
            self->cost -= self->has_cost ? passed : 0u;
            self->start = rp_point_of(grid, start);
            return true;
        }
        if (i + 1u < most && self->has_cost) {
            const rp_cell_t next = self->path.cells[i + 1u];
            passed += rp_edge(&self->metric, cell, next, rp_path_direction(grid, cell, next));
        }
    }
    return false;
}

/// True when no path over the edge between `u` and `v`, in either direction, is cheaper.
static inline bool rp_certificate_edge_is_idle(const rp_certificate_t *self, rp_point_t u,
                                               rp_point_t v, rp_cost_t edge)
{
    const rp_metric_t *metric = &self->metric;
    return rp_bound(metric, self->start, u) + edge + rp_bound(metric, v, self->goal) >=
               self->cost &&
           rp_bound(metric, self->start, v) + edge + rp_bound(metric, u, self->goal) >= self->cost;
}

/// True when no path is cheaper by a diagonal that a freed cell opened between its orthogonal
/// neighbours.
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

/// True when no edge that this change made cheaper can be part of a cheaper path. The grid holds
/// the new factors.
static inline bool rp_certificate_is_idle(rp_certificate_t *self, const rp_change_t *change)
{
    if (change->after == 0 || (change->before != 0 && change->after > change->before)) {
        return true;
    }
    (void)rp_certificate_cost(self);
    // A path over any edge of this cell leads through the cell, so one bound serves all of them.
    const rp_point_t point = rp_point_of(self->grid, change->cell);
    if (rp_bound(&self->metric, self->start, point) + rp_bound(&self->metric, point, self->goal) <
        self->cost) {
        return false;
    }
    return change->before != 0 || self->grid->shape.neighbors == 4 ||
           rp_certificate_corners_are_idle(self, change->cell);
}

/// True when the step from the cell at this place to the next is legal.
static inline bool rp_certificate_can_step(const rp_certificate_t *self, uint32_t place)
{
    const rp_cell_t cell = self->path.cells[place];
    const unsigned direction = rp_path_direction(self->grid, cell, self->path.cells[place + 1u]);
    return ((self->grid->moves[cell] >> direction) & 1u) != 0;
}

/// True when no step of the path was cut in a box of changes, on unweighted ground. Each step
/// brings a path nearer to the box by one cell at most, so far from it most cells are skipped.
/// Time: O(cells of the path in the box + log(path))
static inline bool rp_certificate_is_uncut(const rp_certificate_t *self, const rp_extent_t *extent)
{
    // In columns and rows, of which the first is the rim's.
    const rp_point_t low = {(int32_t)extent->left - 1, (int32_t)extent->top - 1};
    const rp_point_t high = {(int32_t)extent->right - 1, (int32_t)extent->bottom - 1};
    for (uint32_t i = 0; i + 1u < self->path.count;) {
        const rp_cell_t cell = self->path.cells[i];
        const rp_point_t at = rp_point_of(self->grid, cell);
        const int32_t across = low.x > at.x ? low.x - at.x : at.x - high.x;
        const int32_t down = low.y > at.y ? low.y - at.y : at.y - high.y;
        const int32_t distance = across > down ? across : down;
        if (distance > 1) {
            i += (uint32_t)distance - 1u;
            continue;
        }
        if (!rp_certificate_can_step(self, i)) {
            return false;
        }
        i++;
    }
    return true;
}

/// True when no step of the path was cut, nor costs more. It is looked along from both ends at
/// once, as changes lie near one of them as a rule. Time: O(path), up to the first cut
static inline bool rp_certificate_is_whole(const rp_certificate_t *self)
{
    for (uint32_t low = 0, high = self->path.count - 1u; low < high; low++, high--) {
        if (!rp_certificate_can_step(self, low) || !rp_certificate_can_step(self, high - 1u)) {
            return false;
        }
    }
    return self->metric.factor == NULL || rp_certificate_sum(self) == self->cost;
}

/// A look whether a step is legal costs so many times less than judging a change.
#define RP_CERTIFICATE_MANY 4u

/// True on unweighted ground that does not wrap.
static inline bool rp_certificate_is_plain(const rp_certificate_t *self)
{
    return self->metric.factor == NULL && !self->grid->shape.wraps;
}

/// True when changes are so many that it is cheaper to look along the path than to judge each.
static inline bool rp_certificate_are_many(const rp_certificate_t *self, size_t count)
{
    const uint32_t cells = self->path.count;
    return count > (rp_certificate_is_plain(self) ? cells / RP_CERTIFICATE_MANY : cells);
}

/// True when the path is proven to be optimal after these changes; false proves nothing. A small
/// batch is judged first, as that finds most that prove nothing without a look at the path; of a
/// large batch, the path is looked at first, as some change lies on it as a rule. Time: O(count),
/// and once a path O(path); if nothing became cheaper O(cells of the path in the box of the
/// changes).
/// @param summary  of the changes; NULL: not known, and there may be none
static inline bool rp_certificate_holds(rp_certificate_t *self, const rp_change_t *changes,
                                        size_t count, const rp_batch_summary_t *summary)
{
    if (self->path.count == 0) {
        return false;
    }
    const bool are_many = rp_certificate_are_many(self, count);
    if (are_many && !rp_certificate_is_whole(self)) {
        return false;
    }
    const size_t judged = are_many || summary == NULL || summary->has_cheaper ? count : 0;
    for (size_t i = 0; i < judged; i++) {
        if (!rp_certificate_is_idle(self, &changes[i])) {
            return false;
        }
    }
    if (are_many || count == 0) {
        return true;
    }
    if (!rp_certificate_is_plain(self)) {
        return rp_certificate_is_whole(self);
    }
    const rp_extent_t extent =
        summary != NULL ? summary->extent : rp_batch_extent(self->grid, changes, count);
    return rp_certificate_is_uncut(self, &extent);
}

#endif
