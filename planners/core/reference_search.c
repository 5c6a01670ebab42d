/// The reference search: Dijkstra's algorithm on a heap with lazy deletion.
#include "planners/core/reference_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "planners/grid/cost.h"

typedef struct entry {
    uint64_t cost;
    rp_cell_t cell;
} entry_t;

struct rp_reference_search {
    const rp_grid_t *grid;
    uint64_t *cost; ///< by cell: least known; RP_REFERENCE_SEARCH_NONE: not met
    entry_t *heap;  ///< least first; each cell at most once from each side
    size_t heap_count;
    const rp_goal_t *goals; ///< borrowed [goal_count]
    size_t goal_count;
    uint64_t best; ///< over goals that were met
};

// ---- costs

static uint64_t step_cost(const rp_grid_t *grid, rp_cell_t from, rp_cell_t to, unsigned direction)
{
    const uint64_t length = rp_direction_is_diagonal(direction) ? RP_DIAGONAL : RP_STRAIGHT;
    return length * ((uint64_t)grid->factor[from] + grid->factor[to]);
}

/// @return RP_REFERENCE_SEARCH_NONE when the cell is no goal
static uint64_t offset_of(const rp_grid_t *grid, rp_cell_t cell, const rp_goal_t *goals,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (goals[i].cell == cell) {
            return 2u * (uint64_t)RP_STRAIGHT * grid->shape.unit * goals[i].offset;
        }
    }
    return RP_REFERENCE_SEARCH_NONE;
}

uint64_t rp_reference_search_cost(const rp_grid_t *grid, const rp_path_t *path, rp_cell_t start,
                                  const rp_goal_t *goals, size_t count)
{
    if (path->count == 0) {
        return RP_REFERENCE_SEARCH_NONE;
    }
    const uint64_t offset = offset_of(grid, path->cells[path->count - 1u], goals, count);
    if (path->cells[0] != start || offset == RP_REFERENCE_SEARCH_NONE) {
        return RP_REFERENCE_SEARCH_NONE - 1u;
    }
    uint64_t cost = offset;
    for (uint32_t i = 1; i < path->count; i++) {
        const rp_cell_t from = path->cells[i - 1u];
        const unsigned direction = rp_path_direction(grid, from, path->cells[i]);
        if (((grid->moves[from] >> direction) & 1u) == 0) {
            return RP_REFERENCE_SEARCH_NONE - 1u;
        }
        cost += step_cost(grid, from, path->cells[i], direction);
    }
    return cost;
}

// ---- OPEN

static void push(rp_reference_search_t *self, uint64_t cost, rp_cell_t cell)
{
    size_t place = self->heap_count++;
    while (place != 0 && cost < self->heap[(place - 1u) / 2u].cost) {
        self->heap[place] = self->heap[(place - 1u) / 2u];
        place = (place - 1u) / 2u;
    }
    self->heap[place] = (entry_t){cost, cell};
}

static entry_t pop(rp_reference_search_t *self)
{
    const entry_t least = self->heap[0];
    const entry_t last = self->heap[--self->heap_count];
    size_t place = 0;
    for (;;) {
        size_t child = 2u * place + 1u;
        if (child >= self->heap_count) {
            break;
        }
        if (child + 1u < self->heap_count && self->heap[child + 1u].cost < self->heap[child].cost) {
            child++;
        }
        if (last.cost <= self->heap[child].cost) {
            break;
        }
        self->heap[place] = self->heap[child];
        place = child;
    }
    self->heap[place] = last;
    return least;
}

// ---- search

static void reach(rp_reference_search_t *self, rp_cell_t cell, uint64_t cost)
{
    if (cost < self->cost[cell]) {
        self->cost[cell] = cost;
        push(self, cost, cell);
    }
}

void rp_reference_search_begin(rp_reference_search_t *self, rp_cell_t start, const rp_goal_t *goals,
                               size_t count)
{
    memset(self->cost, 0xff, self->grid->cell_count * sizeof *self->cost);
    self->heap_count = 0;
    self->goals = goals;
    self->goal_count = count;
    self->best = RP_REFERENCE_SEARCH_NONE;
    reach(self, start, 0);
}

static void expand(rp_reference_search_t *self, entry_t entry)
{
    const rp_grid_t *grid = self->grid;
    const uint64_t offset = offset_of(grid, entry.cell, self->goals, self->goal_count);
    if (offset != RP_REFERENCE_SEARCH_NONE && entry.cost + offset < self->best) {
        self->best = entry.cost + offset;
    }
    for (unsigned moves = grid->moves[entry.cell]; moves != 0; moves &= moves - 1u) {
        const unsigned direction = (unsigned)__builtin_ctz(moves);
        const rp_cell_t next = rp_grid_step(grid, entry.cell, direction);
        reach(self, next, entry.cost + step_cost(grid, entry.cell, next, direction));
    }
}

rp_status_t rp_reference_search_run(rp_reference_search_t *self, uint64_t *budget, uint64_t *cost)
{
    while (self->heap_count != 0 && self->heap[0].cost < self->best) {
        if (*budget == 0) {
            return RP_MORE;
        }
        const entry_t entry = pop(self);
        if (entry.cost == self->cost[entry.cell]) {
            --*budget;
            expand(self, entry);
        }
    }
    *cost = self->best;
    return RP_OK;
}

// ---- birth and death

void rp_reference_search_destroy(rp_reference_search_t **self)
{
    rp_reference_search_t *reference = *self;
    if (reference == NULL) {
        return;
    }
    const size_t cells = reference->grid->cell_count;
    rp_memory_free(reference->cost, cells, sizeof *reference->cost, NULL);
    rp_memory_free(reference->heap, cells * RP_DIRECTIONS + 1u, sizeof *reference->heap, NULL);
    free(reference);
    *self = NULL;
}

rp_reference_search_t *rp_reference_search_new(const rp_grid_t *grid)
{
    rp_reference_search_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->grid = grid;
    self->cost = rp_memory_new(grid->cell_count, sizeof *self->cost);
    self->heap = rp_memory_new((size_t)grid->cell_count * RP_DIRECTIONS + 1u, sizeof *self->heap);
    if (self->cost == NULL || self->heap == NULL) {
        rp_reference_search_destroy(&self);
    }
    return self;
}
