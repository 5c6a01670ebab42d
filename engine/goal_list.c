/// A list that grows, and is put in order once it is whole.
#include "engine/goal_list.h"

#include <stdlib.h>

void rp_goal_list_fini(rp_goal_list_t *self)
{
    free(self->goals);
    *self = (rp_goal_list_t){0};
}

rp_status_t rp_goal_list_add(rp_goal_list_t *self, rp_cell_t cell, uint32_t offset)
{
    if (self->count == self->capacity) {
        const size_t capacity = 2u * self->capacity + 16u;
        rp_goal_t *goals = realloc(self->goals, capacity * sizeof *goals);
        if (goals == NULL) {
            return RP_E_MEMORY;
        }
        self->goals = goals;
        self->capacity = capacity;
    }
    self->goals[self->count++] = (rp_goal_t){.cell = cell, .offset = offset};
    return RP_OK;
}

static int by_cell(const void *a, const void *b)
{
    const rp_goal_t *left = a;
    const rp_goal_t *right = b;
    if (left->cell != right->cell) {
        return left->cell < right->cell ? -1 : 1;
    }
    return left->offset < right->offset ? -1 : left->offset > right->offset;
}

void rp_goal_list_tidy(rp_goal_list_t *self)
{
    if (self->count < 2) {
        return;
    }
    qsort(self->goals, self->count, sizeof self->goals[0], by_cell);
    size_t kept = 1;
    for (size_t i = 1; i < self->count; i++) {
        if (self->goals[i].cell != self->goals[kept - 1u].cell) {
            self->goals[kept++] = self->goals[i];
        }
    }
    self->count = kept;
}

bool rp_goal_list_is_reached(const rp_goal_list_t *self, const rp_components_t *components,
                             rp_cell_t from)
{
    for (size_t i = 0; i < self->count; i++) {
        if (rp_components_connect(components, from, self->goals[i].cell)) {
            return true;
        }
    }
    return false;
}
