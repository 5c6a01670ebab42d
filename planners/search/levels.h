/// @file
/// How low dearer cells lie in a field: their number by level, a level being d in coarse steps.
///
/// A field of low water keeps d for the least factors that cells have had. A cell whose factor is
/// greater now is raised, and its level says that no cell of a lower one leans on it. So below the
/// lowest level of all raised cells d is exact, and attained by walking down it.
#ifndef REPLAN_SEARCH_LEVELS_H
#define REPLAN_SEARCH_LEVELS_H

#include <string.h>

#include "planners/search/field.h"

/// The last level is for all beyond; none is that of no cell.
#define RP_LEVELS      4096u
#define RP_LEVELS_LAST (RP_LEVELS - 1u)

/// Cells that a way round something may be longer, however near the ends are.
#define RP_LEVELS_SLACK 12u

typedef struct rp_levels {
    uint32_t *counts; ///< of raised cells by level [RP_LEVELS]
    uint32_t count;   ///< of all raised cells
    uint32_t lowest;  ///< no raised cell has a lower level
    unsigned shift;   ///< from costs to levels
} rp_levels_t;

static inline uint32_t rp_levels_of(const rp_levels_t *self, rp_cost_t d)
{
    const rp_cost_t level = d >> self->shift;
    return level < RP_LEVELS_LAST ? (uint32_t)level : RP_LEVELS_LAST;
}

/// True when all cells of this d and less lie below the raised ones.
static inline bool rp_levels_are_above(const rp_levels_t *self, rp_cost_t d)
{
    return rp_levels_of(self, d) < self->lowest;
}

/// The lowest level that may lean on what a raised cell was. A blocked one closes the diagonals
/// beside it too, between its straight neighbours.
static inline uint32_t rp_levels_at(const rp_levels_t *self, const rp_field_t *field,
                                    rp_cell_t cell, bool is_blocked)
{
    rp_cost_t least = rp_field_at(field, cell);
    if (is_blocked && field->grid->shape.neighbors == 8) {
        for (unsigned straight = 0; straight < RP_DIRECTIONS; straight += 2u) {
            const rp_cost_t d = rp_field_at(field, rp_grid_step(field->grid, cell, straight));
            least = d < least ? d : least;
        }
    }
    return rp_levels_of(self, least);
}

static inline void rp_levels_add(rp_levels_t *self, uint32_t level)
{
    self->counts[level]++;
    self->count++;
    self->lowest = level < self->lowest ? level : self->lowest;
}

static inline void rp_levels_drop(rp_levels_t *self, uint32_t level)
{
    self->counts[level]--;
    self->count--;
}

/// A cell of this level was raised or not, and is now or not.
static inline void rp_levels_change(rp_levels_t *self, uint32_t level, bool was, bool is)
{
    const uint32_t more = (uint32_t)is - (uint32_t)was;
    const uint32_t least = level < self->lowest ? level : self->lowest;
    self->counts[level] += more;
    self->count += more;
    self->lowest = is ? least : self->lowest;
}

/// Bring `lowest` up to what is left.
static inline void rp_levels_settle(rp_levels_t *self)
{
    while (self->lowest < RP_LEVELS && self->counts[self->lowest] == 0) {
        self->lowest++;
    }
}

/// Nothing is raised. Levels are as fine as they can be while a path several times as long as the
/// shortest between root and apex has its own.
static inline void rp_levels_begin(rp_levels_t *self, const rp_field_t *field)
{
    const rp_metric_t *metric = &field->metric;
    const rp_point_t root = rp_point_of(field->grid, field->root);
    const uint64_t steps = rp_bound(metric, root, field->apex_point) / metric->h_straight;
    const uint64_t most = 4u * (steps + RP_LEVELS_SLACK) * metric->cell_length;
    memset(self->counts, 0, RP_LEVELS * sizeof *self->counts);
    self->count = 0;
    self->lowest = RP_LEVELS;
    self->shift = 0;
    while ((most >> self->shift) >= RP_LEVELS) {
        self->shift++;
    }
}

static inline void rp_levels_fini(rp_levels_t *self, rp_rubble_t *rubble)
{
    rp_memory_free(self->counts, RP_LEVELS, sizeof *self->counts, rubble);
    *self = (rp_levels_t){0};
}

/// @return RP_E_MEMORY
static inline rp_status_t rp_levels_init(rp_levels_t *self)
{
    *self = (rp_levels_t){.counts = rp_memory_new(RP_LEVELS, sizeof *self->counts)};
    return self->counts != NULL ? RP_OK : RP_E_MEMORY;
}

static inline uint64_t rp_levels_bytes(void)
{
    return RP_LEVELS * sizeof(uint32_t);
}

#endif
