/// @file
/// The goals of a planner: as they were given, and those that do not block, which are all that its
/// member knows.
#ifndef REPLAN_PLANNERS_CORE_GOAL_SET_H
#define REPLAN_PLANNERS_CORE_GOAL_SET_H

#include "replan/grid.h"

typedef struct rp_goal_set {
    rp_goal_t *given; ///< owned [count]
    rp_goal_t *free;  ///< owned; those that did not block at the last look [free_count]
    size_t count;
    size_t free_count;
    size_t capacity;          ///< of both
    uint32_t greatest_offset; ///< of all that were given
} rp_goal_set_t;

/// @param goals  borrowed until return [count]
/// @return RP_E_MEMORY, then nothing changes
rp_status_t rp_goal_set_give(rp_goal_set_t *self, const rp_goal_t *goals, size_t count);

/// True when these are the ones that were given last.
bool rp_goal_set_is(const rp_goal_set_t *self, const rp_goal_t *goals, size_t count);

/// True when this alone was given, without an offset.
static inline bool rp_goal_set_is_one(const rp_goal_set_t *self, rp_cell_t goal)
{
    return self->count == 1 && self->given[0].cell == goal && self->given[0].offset == 0;
}

/// As rp_goal_set_is_blocked(), after a look at each of them.
bool rp_goal_set_are_all_blocked(const rp_goal_set_t *self, const rp_grid_t *grid);

/// True when every goal blocks. At least one was given.
static inline bool rp_goal_set_is_blocked(const rp_goal_set_t *self, const rp_grid_t *grid)
{
    return grid->factor[self->given[0].cell] == 0 && rp_goal_set_are_all_blocked(self, grid);
}

/// True when one goal alone was given, and was free at the last look.
static inline bool rp_goal_set_is_settled(const rp_goal_set_t *self)
{
    return self->count == 1 && self->free_count == 1 && self->free[0].cell == self->given[0].cell &&
           self->free[0].offset == self->given[0].offset;
}

/// As rp_goal_set_look(), at each of them.
bool rp_goal_set_look_at_all(rp_goal_set_t *self, const rp_grid_t *grid);

/// Look which goals are free; one of them must be.
/// @return true when they are not those of the last look
static inline bool rp_goal_set_look(rp_goal_set_t *self, const rp_grid_t *grid)
{
    return !rp_goal_set_is_settled(self) && rp_goal_set_look_at_all(self, grid);
}

/// As rp_goal_set_offset(), after a look at each of them.
uint32_t rp_goal_set_find_offset(const rp_goal_set_t *self, rp_cell_t cell);

/// What it costs to stop on this cell; 0 when it is no free goal.
static inline uint32_t rp_goal_set_offset(const rp_goal_set_t *self, rp_cell_t cell)
{
    return self->greatest_offset == 0 ? 0 : rp_goal_set_find_offset(self, cell);
}

/// Forget all goals.
void rp_goal_set_clear(rp_goal_set_t *self);

void rp_goal_set_fini(rp_goal_set_t *self);

#endif
