/// Steps, walked on the grid as it is now: nothing about a cell is kept, so nothing can be stale.
#include "engine/said_path.h"

#include <math.h>
#include <stdlib.h>

rp_status_t rp_said_path_keep(rp_said_path_t *self, const rp_grid_t *grid, const rp_path_t *path)
{
    const uint32_t count = path->count - 1u;
    if (count > self->capacity) {
        const uint32_t capacity = count + count / 2u + 64u;
        uint8_t *steps = realloc(self->steps, capacity);
        if (steps == NULL) {
            return RP_E_MEMORY;
        }
        self->steps = steps;
        self->capacity = capacity;
    }
    for (uint32_t i = 0; i < count; i++) {
        self->steps[i] = (uint8_t)rp_path_direction(grid, path->cells[i], path->cells[i + 1u]);
    }
    self->count = count;
    self->first = 0;
    self->at = path->cells[0];
    return RP_OK;
}

void rp_said_path_clear(rp_said_path_t *self, rp_cell_t at)
{
    self->count = 0;
    self->first = 0;
    self->at = at;
}

bool rp_said_path_prune(rp_said_path_t *self, const rp_grid_t *grid, rp_cell_t at)
{
    rp_cell_t cell = self->at;
    uint32_t first = self->first;
    while (cell != at) {
        if (first == self->count) {
            return false;
        }
        cell = rp_grid_step(grid, cell, self->steps[first++]);
    }
    self->first = first;
    self->at = at;
    return true;
}

double rp_said_path_cost(const rp_said_path_t *self, const rp_grid_t *grid, rp_cell_t *end)
{
    uint64_t factors[2] = {0, 0}; // of straight and diagonal steps: exact in whole numbers
    rp_cell_t cell = self->at;
    for (uint32_t i = self->first; i < self->count; i++) {
        const unsigned direction = self->steps[i];
        if (((grid->moves[cell] >> direction) & 1u) == 0) {
            return -1.0;
        }
        const rp_cell_t next = rp_grid_step(grid, cell, direction);
        factors[direction & 1u] += (uint64_t)grid->factor[cell] + grid->factor[next];
        cell = next;
    }
    *end = cell;
    if (grid->factor[cell] == 0) {
        return -1.0;
    }
    return ((double)factors[0] + (double)factors[1] * sqrt(2.0)) / (2.0 * grid->shape.unit);
}

void rp_said_path_fini(rp_said_path_t *self)
{
    free(self->steps);
    *self = (rp_said_path_t){0};
}
