/// Paths are walked where something may have changed.
#include "bench/measure/path_check.h"

#include <stdlib.h>
#include <string.h>

#include "bench/measure/harness.h"
#include "planners/grid/cost.h"

/// Of the steps between these cells.
static uint64_t cost_of(const rp_grid_t *grid, const rp_cell_t *cells, uint32_t count)
{
    uint64_t cost = 0;
    for (uint32_t i = 1; i < count; i++) {
        const unsigned direction = rp_path_direction(grid, cells[i - 1], cells[i]);
        const uint64_t length = rp_direction_is_diagonal(direction) ? RP_DIAGONAL : RP_STRAIGHT;
        cost += length * ((uint64_t)grid->factor[cells[i - 1]] + grid->factor[cells[i]]);
    }
    return cost;
}

static void mark(rp_path_check_t *self, uint8_t mark)
{
    const rp_grid_t *grid = self->grid;
    for (uint32_t i = 0; i < self->count; i++) {
        self->near[self->cells[i]] = mark;
        for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
            self->near[rp_grid_step(grid, self->cells[i], direction)] = mark;
        }
    }
}

void rp_path_check_begin(rp_path_check_t *self, const rp_grid_t *grid)
{
    rp_path_check_fini(self);
    self->grid = grid;
    self->near = rp_bench_memory(NULL, grid->cell_count, 1);
    memset(self->near, 0, grid->cell_count);
}

void rp_path_check_fini(rp_path_check_t *self)
{
    free(self->near);
    free(self->cells);
    *self = (rp_path_check_t){0};
}

void rp_path_check_changes(rp_path_check_t *self, const rp_change_t *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        self->is_met |= self->near[changes[i].cell] != 0;
    }
}

/// True when this is what is left of the path that was walked, and as it was.
static bool is_rest(const rp_path_check_t *self, const rp_path_t *path)
{
    return !self->is_met && path->count <= self->count - self->first &&
           memcmp(self->cells + self->count - path->count, path->cells,
                  path->count * sizeof *path->cells) == 0;
}

static void keep(rp_path_check_t *self, const rp_path_t *path, uint64_t cost)
{
    mark(self, 0);
    if (path->count > self->capacity) {
        self->capacity = 2u * path->count;
        self->cells = rp_bench_memory(self->cells, self->capacity, sizeof *self->cells);
    }
    memcpy(self->cells, path->cells, path->count * sizeof *path->cells);
    self->first = 0;
    self->count = path->count;
    self->cost = cost;
    self->is_met = false;
    mark(self, 1);
}

uint64_t rp_path_check_cost(rp_path_check_t *self, const rp_path_t *path, rp_cell_t start,
                            rp_cell_t goal)
{
    if (path->cells[0] != start || path->cells[path->count - 1] != goal) {
        return RP_PATH_CHECK_ILLEGAL;
    }
    if (is_rest(self, path)) {
        const uint32_t first = self->count - path->count;
        self->cost -= cost_of(self->grid, self->cells + self->first, first - self->first + 1u);
        self->first = first;
    } else if (rp_path_cost(path, self->grid) < 0.0) {
        return RP_PATH_CHECK_ILLEGAL;
    } else {
        keep(self, path, cost_of(self->grid, path->cells, path->count));
    }
    return self->cost;
}
