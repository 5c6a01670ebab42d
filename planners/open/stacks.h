/// @file
/// OPEN for the ground where a step changes f by 0 or 2: a stack for the f that is searched now and
/// one for the next. Lazy deletion: a cell stands at most once in each.
#ifndef REPLAN_PLANNERS_OPEN_STACKS_H
#define REPLAN_PLANNERS_OPEN_STACKS_H

#include "base/arena.h"
#include "planners/grid/cost.h"

typedef struct rp_stacks {
    rp_cell_t *cells[2]; ///< [capacity] each
    uint32_t count[2];
    uint32_t peak[2];
    uint32_t now; ///< which of the two is searched: 0 or 1
    uint32_t capacity;
} rp_stacks_t;

/// @param cells  more than can be live at once
static inline void rp_stacks_init(rp_stacks_t *self, uint32_t cells, rp_arena_t *arena)
{
    *self = (rp_stacks_t){.capacity = cells};
    self->cells[0] = rp_arena_new(arena, cells, sizeof *self->cells[0]);
    self->cells[1] = rp_arena_new(arena, cells, sizeof *self->cells[1]);
}

static inline void rp_stacks_clear(rp_stacks_t *self)
{
    self->count[0] = 0;
    self->count[1] = 0;
}

/// @param later  0: to the stack that is searched now; 1: to the next
static inline void rp_stacks_push(rp_stacks_t *self, unsigned later, rp_cell_t cell)
{
    const uint32_t which = self->now ^ later;
    self->cells[which][self->count[which]++] = cell;
}

/// The same, or nothing: without a guess which.
static inline void rp_stacks_push_if(rp_stacks_t *self, unsigned later, rp_cell_t cell, bool is_in)
{
    const uint32_t which = self->now ^ later;
    self->cells[which][self->count[which]] = cell;
    self->count[which] += is_in;
}

static inline bool rp_stacks_is_empty(const rp_stacks_t *self)
{
    return self->count[0] == 0 && self->count[1] == 0;
}

/// True when the next pop is from the other stack.
static inline bool rp_stacks_turns(const rp_stacks_t *self)
{
    return self->count[self->now] == 0;
}

/// @return RP_NO_CELL when both are empty
static inline rp_cell_t rp_stacks_pop(rp_stacks_t *self)
{
    if (self->count[self->now] == 0) {
        self->peak[0] = self->count[0] > self->peak[0] ? self->count[0] : self->peak[0];
        self->peak[1] = self->count[1] > self->peak[1] ? self->count[1] : self->peak[1];
        self->now ^= 1u;
        if (self->count[self->now] == 0) {
            return RP_NO_CELL;
        }
    }
    return self->cells[self->now][--self->count[self->now]];
}

/// Most bytes that the stacks have taken, sampled whenever f rises.
static inline uint64_t rp_stacks_bytes(const rp_stacks_t *self)
{
    return ((uint64_t)self->peak[0] + self->peak[1]) * sizeof *self->cells[0];
}

#endif
