/// A list grows unordered, and is sorted once it is complete.
#include "engine/sharing/goal_list.h"

#include <stdlib.h>

#include "base/array.h"

void rp_goal_list_fini(rp_goal_list_t *self)
{
    free(self->goals);
    *self = (rp_goal_list_t){0};
}

rp_status_t rp_goal_list_add(rp_goal_list_t *self, rp_cell_t cell, uint32_t offset)
{
    if (!rp_array_reserve(&self->goals, &self->capacity, self->count + 1u, sizeof *self->goals)) {
        return RP_E_MEMORY;
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

// ---- components

static int by_number(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a;
    const uint64_t right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

rp_status_t rp_goal_parts_find(rp_goal_parts_t *self, const rp_components_t *components,
                               const rp_goal_t *goals, size_t count)
{
    *self = (rp_goal_parts_t){.numbers = malloc((count + 1u) * sizeof *self->numbers)};
    if (self->numbers == NULL) {
        return RP_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t number = rp_components_number(components, goals[i].cell);
        self->numbers[self->count] = number;
        self->count += number != 0;
    }
    qsort(self->numbers, self->count, sizeof *self->numbers, by_number);
    return RP_OK;
}

void rp_goal_parts_fini(rp_goal_parts_t *self)
{
    free(self->numbers);
    *self = (rp_goal_parts_t){0};
}

bool rp_goal_parts_hold(const rp_goal_parts_t *self, uint64_t number)
{
    return bsearch(&number, self->numbers, self->count, sizeof number, by_number) != NULL;
}

// ---- places

rp_status_t rp_places_of_goals(rp_places_t *self, const rp_goal_list_t *goals,
                               const rp_grid_t *grid)
{
    *self = (rp_places_t){.list = malloc((goals->count + 1u) * sizeof *self->list)};
    if (self->list == NULL) {
        return RP_E_MEMORY;
    }
    for (; self->count < goals->count; self->count++) {
        const rp_cell_t cell = goals->goals[self->count].cell;
        self->list[self->count] = (rp_place_t){rp_grid_x(grid, cell), rp_grid_y(grid, cell)};
    }
    return RP_OK;
}

void rp_places_fini(rp_places_t *self)
{
    free(self->list);
    *self = (rp_places_t){0};
}

static int by_row(const void *a, const void *b)
{
    const rp_place_t *left = a;
    const rp_place_t *right = b;
    if (left->y != right->y) {
        return left->y < right->y ? -1 : 1;
    }
    return left->x < right->x ? -1 : left->x > right->x;
}

void rp_places_tidy(rp_places_t *self)
{
    size_t kept = 0;
    qsort(self->list, self->count, sizeof self->list[0], by_row);
    for (size_t i = 0; i < self->count; i++) {
        if (kept == 0 || by_row(&self->list[i], &self->list[kept - 1u]) != 0) {
            self->list[kept++] = self->list[i];
        }
    }
    self->count = kept;
}

bool rp_places_hold(const rp_places_t *self, rp_place_t place)
{
    return bsearch(&place, self->list, self->count, sizeof place, by_row) != NULL;
}
