/// Two lists side by side: all goals, and the free ones among them in the same order.
#include "planners/core/goal_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static rp_status_t reserve(rp_goal_set_t *self, size_t count)
{
    if (count <= self->capacity) {
        return RP_OK;
    }
    rp_goal_t *given = realloc(self->given, count * sizeof *given);
    if (given == NULL) {
        return RP_E_MEMORY;
    }
    self->given = given;
    rp_goal_t *free_goals = realloc(self->free, count * sizeof *free_goals);
    if (free_goals == NULL) {
        return RP_E_MEMORY;
    }
    self->free = free_goals;
    self->capacity = count;
    return RP_OK;
}

static uint32_t greatest_offset_of(const rp_goal_set_t *self)
{
    uint32_t greatest = 0;
    for (size_t i = 0; i < self->count; i++) {
        greatest = self->given[i].offset > greatest ? self->given[i].offset : greatest;
    }
    return greatest;
}

rp_status_t rp_goal_set_give(rp_goal_set_t *self, const rp_goal_t *goals, size_t count)
{
    const rp_status_t status = reserve(self, count);
    if (status == RP_OK) {
        memcpy(self->given, goals, count * sizeof *goals);
        self->count = count;
        self->greatest_offset = greatest_offset_of(self);
    }
    return status;
}

static bool is_same(const rp_goal_t *a, const rp_goal_t *b)
{
    return a->cell == b->cell && a->offset == b->offset;
}

bool rp_goal_set_is(const rp_goal_set_t *self, const rp_goal_t *goals, size_t count)
{
    if (count != self->count) {
        return false;
    }
    size_t i = 0;
    while (i < count && is_same(&self->given[i], &goals[i])) {
        i++;
    }
    return i == count;
}

bool rp_goal_set_are_all_blocked(const rp_goal_set_t *self, const rp_grid_t *grid)
{
    size_t i = 0;
    while (i < self->count && grid->factor[self->given[i].cell] == 0) {
        i++;
    }
    return i == self->count;
}

bool rp_goal_set_look_at_all(rp_goal_set_t *self, const rp_grid_t *grid)
{
    size_t count = 0;
    bool differs = false;
    for (size_t i = 0; i < self->count; i++) {
        if (grid->factor[self->given[i].cell] == 0) {
            continue;
        }
        differs =
            differs || count >= self->free_count || !is_same(&self->free[count], &self->given[i]);
        self->free[count++] = self->given[i];
    }
    assert(count != 0);
    differs = differs || count != self->free_count;
    self->free_count = count;
    return differs;
}

uint32_t rp_goal_set_find_offset(const rp_goal_set_t *self, rp_cell_t cell)
{
    for (size_t i = 0; i < self->free_count; i++) {
        if (self->free[i].cell == cell) {
            return self->free[i].offset;
        }
    }
    return 0;
}

void rp_goal_set_clear(rp_goal_set_t *self)
{
    self->count = 0;
    self->free_count = 0;
    self->greatest_offset = 0;
}

void rp_goal_set_fini(rp_goal_set_t *self)
{
    free(self->given);
    free(self->free);
    *self = (rp_goal_set_t){0};
}
