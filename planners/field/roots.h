/// @file
/// The goals of a field with many roots. A goal is a root whose d is its offset, so it joins the
/// field when that has grown as far as the offset.
#ifndef REPLAN_PLANNERS_FIELD_ROOTS_H
#define REPLAN_PLANNERS_FIELD_ROOTS_H

#include <string.h>

#include "base/bits.h"
#include "planners/field/field.h"

typedef struct rp_roots {
    uint8_t *is_goal; ///< one bit a cell, owned
    rp_goal_t *goals; ///< owned [RP_GOALS_MAX]
    uint32_t count;
    rp_cost_t next; ///< least offset of the goals that are not in the field yet; RP_COST_INF: none
    rp_cost_t length; ///< cost of a cell length: the unit of offsets
} rp_roots_t;

/// @param cells   places of the grid
/// @param length  cost of a cell length
static inline void rp_roots_init(rp_roots_t *self, uint32_t cells, rp_cost_t length,
                                 rp_arena_t *arena)
{
    *self = (rp_roots_t){.is_goal = rp_bits_new(arena, cells),
                         .goals = rp_arena_new(arena, RP_GOALS_MAX, sizeof *self->goals),
                         .length = length};
    rp_arena_note(arena, &self->count, &self->count, sizeof *self->goals);
}

/// Offset of a goal, as a cost.
static inline rp_cost_t rp_roots_offset(const rp_roots_t *self, uint32_t goal)
{
    return self->goals[goal].offset * self->length;
}

/// Replace the goals. None of the new ones is in the field yet.
static inline void rp_roots_set(rp_roots_t *self, const rp_goal_t *goals, size_t count)
{
    for (uint32_t i = 0; i < self->count; i++) {
        rp_bits_set(self->is_goal, self->goals[i].cell, false);
    }
    memcpy(self->goals, goals, count * sizeof *goals);
    self->count = (uint32_t)count;
    self->next = RP_COST_INF;
    for (uint32_t i = 0; i < self->count; i++) {
        const rp_cost_t offset = rp_roots_offset(self, i);
        self->next = offset < self->next ? offset : self->next;
        rp_bits_set(self->is_goal, goals[i].cell, true);
    }
}

/// What it costs to stop on this cell; RP_COST_INF when it is no goal, or not in the field yet.
static inline rp_cost_t rp_roots_cost(const rp_roots_t *self, rp_cell_t cell)
{
    rp_cost_t least = RP_COST_INF;
    for (uint32_t i = 0; rp_bits_has(self->is_goal, cell) && i < self->count; i++) {
        const rp_cost_t offset = rp_roots_offset(self, i);
        const bool ends_here = self->goals[i].cell == cell && offset < self->next;
        least = ends_here && offset < least ? offset : least;
    }
    return least;
}

/// Let the goals with the next offset join a field that has grown as far as that.
static inline void rp_roots_join(rp_roots_t *self, rp_field_t *field)
{
    const rp_cost_t offset = self->next;
    field->limit = offset > field->limit ? offset : field->limit;
    self->next = RP_COST_INF;
    for (uint32_t i = 0; i < self->count; i++) {
        const rp_cost_t its = rp_roots_offset(self, i);
        const rp_cell_t cell = self->goals[i].cell;
        if (its == offset) {
            rp_field_lower(field, cell, rp_point_of(field->grid, cell), offset);
        } else if (its > offset && its < self->next) {
            self->next = its;
        }
    }
}

#endif
