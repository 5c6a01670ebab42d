/// @file
/// Where ways may end: the goals of a field, which come into it by their offsets, when it has grown
/// so far.
#ifndef REPLAN_SEARCH_ENDINGS_H
#define REPLAN_SEARCH_ENDINGS_H

#include <stdlib.h>
#include <string.h>

#include "planners/search/bits.h"
#include "planners/search/cost.h"
#include "replan/planner.h"

typedef struct rp_endings {
    uint8_t *is_goal; ///< one bit a cell, owned
    rp_goal_t *goals; ///< owned [RP_GOALS_MAX]
    uint32_t count;
    rp_cost_t next;   ///< goals of this offset and more are not in the field yet
    rp_cost_t length; ///< what an offset counts in
} rp_endings_t;

static inline void rp_endings_fini(rp_endings_t *self, uint32_t cells, rp_rubble_t *rubble)
{
    rp_bits_free(self->is_goal, cells, rubble);
    free(self->goals);
    *self = (rp_endings_t){0};
}

/// @param length  of a cell
/// @return RP_E_MEMORY; to be ended all the same
static inline rp_status_t rp_endings_init(rp_endings_t *self, uint32_t cells, rp_cost_t length)
{
    *self = (rp_endings_t){.is_goal = rp_bits_new(cells),
                           .goals = malloc(RP_GOALS_MAX * sizeof *self->goals),
                           .length = length};
    return self->is_goal != NULL && self->goals != NULL ? RP_OK : RP_E_MEMORY;
}

static inline rp_cost_t rp_endings_offset(const rp_endings_t *self, uint32_t goal)
{
    return self->goals[goal].offset * self->length;
}

/// Other goals; none of them is in the field.
static inline void rp_endings_set(rp_endings_t *self, const rp_goal_t *goals, size_t count)
{
    for (uint32_t i = 0; i < self->count; i++) {
        rp_bits_set(self->is_goal, self->goals[i].cell, false);
    }
    memcpy(self->goals, goals, count * sizeof *goals);
    self->count = (uint32_t)count;
    self->next = RP_COST_INF;
    for (uint32_t i = 0; i < self->count; i++) {
        const rp_cost_t offset = rp_endings_offset(self, i);
        self->next = offset < self->next ? offset : self->next;
        rp_bits_set(self->is_goal, goals[i].cell, true);
    }
}

/// What it costs to end in this cell; RP_COST_INF when it is no goal of the field.
static inline rp_cost_t rp_endings_cost(const rp_endings_t *self, rp_cell_t cell)
{
    rp_cost_t least = RP_COST_INF;
    for (uint32_t i = 0; rp_bits_has(self->is_goal, cell) && i < self->count; i++) {
        const rp_cost_t offset = rp_endings_offset(self, i);
        const bool ends_here = self->goals[i].cell == cell && offset < self->next;
        least = ends_here && offset < least ? offset : least;
    }
    return least;
}

/// The goals of the offset that is next have come into the field.
static inline void rp_endings_note_next(rp_endings_t *self)
{
    const rp_cost_t offset = self->next;
    self->next = RP_COST_INF;
    for (uint32_t i = 0; i < self->count; i++) {
        const rp_cost_t later = rp_endings_offset(self, i);
        self->next = later > offset && later < self->next ? later : self->next;
    }
}

#endif
