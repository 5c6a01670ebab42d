/// @file
/// Levels: how far down a field its dearer cells lie. A level is d in coarse steps; this counts the
/// raised cells of each.
///
/// A low-water field computes d by the least factor that each cell has had since it was built. A
/// cell whose factor is greater than that now is raised. No path down d from a cell of a lower
/// level leads through it. So below the lowest level of all raised cells d is exact, and a walk
/// down d is a shortest path.
#ifndef REPLAN_PLANNERS_FIELD_CHANGE_LEVELS_H
#define REPLAN_PLANNERS_FIELD_CHANGE_LEVELS_H

#include <string.h>

#include "planners/field/field.h"

/// The last level is that of all greater d. RP_CHANGE_LEVELS itself means no level.
#define RP_CHANGE_LEVELS      4096u
#define RP_CHANGE_LEVELS_LAST (RP_CHANGE_LEVELS - 1u)

/// Cell lengths that a detour may take, however near the ends are.
#define RP_CHANGE_LEVELS_SLACK 12u

typedef struct rp_change_levels {
    uint32_t *counts; ///< of raised cells by level [RP_CHANGE_LEVELS]
    uint32_t count;   ///< of all raised cells
    uint32_t lowest;  ///< no raised cell has a lower level
    unsigned shift;   ///< from costs to levels
} rp_change_levels_t;

static inline uint32_t rp_change_levels_of(const rp_change_levels_t *self, rp_cost_t d)
{
    const rp_cost_t level = d >> self->shift;
    return level < RP_CHANGE_LEVELS_LAST ? (uint32_t)level : RP_CHANGE_LEVELS_LAST;
}

/// True when a cell of this d lies below all raised ones.
static inline bool rp_change_levels_are_above(const rp_change_levels_t *self, rp_cost_t d)
{
    return rp_change_levels_of(self, d) < self->lowest;
}

/// The level of a raised cell: the least from which a path down d may lead through it. A blocked
/// cell also closes the diagonals that pass beside it, between its straight neighbours.
static inline uint32_t rp_change_levels_at(const rp_change_levels_t *self, const rp_field_t *field,
                                           rp_cell_t cell, bool is_blocked)
{
    rp_cost_t least = rp_field_at(field, cell);
    if (is_blocked && field->grid->shape.neighbors == 8) {
        for (unsigned straight = 0; straight < RP_DIRECTIONS; straight += 2u) {
            const rp_cost_t d = rp_field_at(field, rp_grid_step(field->grid, cell, straight));
            least = d < least ? d : least;
        }
    }
    return rp_change_levels_of(self, least);
}

static inline void rp_change_levels_add(rp_change_levels_t *self, uint32_t level)
{
    self->counts[level]++;
    self->count++;
    self->lowest = level < self->lowest ? level : self->lowest;
}

static inline void rp_change_levels_drop(rp_change_levels_t *self, uint32_t level)
{
    self->counts[level]--;
    self->count--;
}

/// Count a cell of this level in or out, without a branch.
/// @param was, is  whether it was raised, and whether it is now
static inline void rp_change_levels_change(rp_change_levels_t *self, uint32_t level, bool was,
                                           bool is)
{
    const uint32_t more = (uint32_t)is - (uint32_t)was;
    const uint32_t least = level < self->lowest ? level : self->lowest;
    self->counts[level] += more;
    self->count += more;
    self->lowest = is ? least : self->lowest;
}

/// Raise `lowest` to the lowest level that has a raised cell.
static inline void rp_change_levels_settle(rp_change_levels_t *self)
{
    while (self->lowest < RP_CHANGE_LEVELS && self->counts[self->lowest] == 0) {
        self->lowest++;
    }
}

/// Begin with no raised cells. Levels are as fine as possible, but all d up to four times the bound
/// between root and apex have levels of their own.
static inline void rp_change_levels_begin(rp_change_levels_t *self, const rp_field_t *field)
{
    const rp_metric_t *metric = &field->metric;
    const rp_point_t root = rp_point_of(field->grid, field->root);
    const uint64_t steps = rp_bound(metric, root, field->apex_point) / metric->h_straight;
    const uint64_t most = 4u * (steps + RP_CHANGE_LEVELS_SLACK) * metric->cell_length;
    memset(self->counts, 0, RP_CHANGE_LEVELS * sizeof *self->counts);
    self->count = 0;
    self->lowest = RP_CHANGE_LEVELS;
    self->shift = 0;
    while ((most >> self->shift) >= RP_CHANGE_LEVELS) {
        self->shift++;
    }
}

static inline void rp_change_levels_init(rp_change_levels_t *self, rp_arena_t *arena)
{
    *self =
        (rp_change_levels_t){.counts = rp_arena_new(arena, RP_CHANGE_LEVELS, sizeof *self->counts)};
}

#endif
