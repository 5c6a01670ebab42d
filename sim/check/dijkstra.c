/// Dijkstra's algorithm with a binary heap; an entry that was overtaken stays in the heap and is
/// skipped when it comes up. At most one entry a directed move, so the heap has a fixed bound.
#include "sim/check/dijkstra.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"

typedef struct entry {
    double cost;
    uint32_t cell;
} entry_t;

struct rp_dijkstra {
    double *costs;    ///< best so far, INFINITY when never seen [cell_count]
    uint32_t *before; ///< [cell_count]
    entry_t *heap;    ///< least cost first
    size_t heap_count;
    size_t heap_capacity;
    size_t cell_count;
};

// ---- the heap

static bool push(rp_dijkstra_t *self, entry_t entry)
{
    if (!rp_array_reserve(&self->heap, &self->heap_capacity, self->heap_count + 1u,
                          sizeof *self->heap)) {
        return false;
    }
    size_t hole = self->heap_count++;
    while (hole > 0 && self->heap[(hole - 1) / 2].cost > entry.cost) {
        self->heap[hole] = self->heap[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    self->heap[hole] = entry;
    return true;
}

static entry_t pop(rp_dijkstra_t *self)
{
    const entry_t top = self->heap[0];
    const entry_t last = self->heap[--self->heap_count];
    size_t hole = 0;
    for (;;) {
        size_t child = 2 * hole + 1;
        if (child >= self->heap_count) {
            break;
        }
        if (child + 1 < self->heap_count && self->heap[child + 1].cost < self->heap[child].cost) {
            child++;
        }
        if (self->heap[child].cost >= last.cost) {
            break;
        }
        self->heap[hole] = self->heap[child];
        hole = child;
    }
    self->heap[hole] = last;
    return top;
}

// ---- the search

static bool relax(rp_dijkstra_t *self, const rp_grid_view_t *grid, entry_t from)
{
    for (unsigned direction = 0; direction < RP_PLANE_DIRECTIONS; direction++) {
        const uint32_t to = rp_grid_view_move(grid, from.cell, direction);
        if (to == RP_NOWHERE) {
            continue;
        }
        const double cost = from.cost + rp_grid_view_move_cost(grid, from.cell, to, direction);
        if (cost < self->costs[to]) {
            self->costs[to] = cost;
            self->before[to] = from.cell;
            if (!push(self, (entry_t){cost, to})) {
                return false;
            }
        }
    }
    return true;
}

/// Search until the goal comes up; RP_NOWHERE: until nothing is left.
/// @return false without memory
static bool search(rp_dijkstra_t *self, const rp_grid_view_t *grid, uint32_t start, uint32_t goal)
{
    const size_t cell_count = rp_grid_view_cell_count(grid);
    assert(cell_count <= self->cell_count && start < cell_count);
    for (size_t cell = 0; cell < cell_count; cell++) {
        self->costs[cell] = INFINITY;
    }
    self->heap_count = 0;
    if (rp_grid_view_factor(grid, start) == 0) {
        return true;
    }
    self->costs[start] = 0;
    self->before[start] = RP_NOWHERE;
    push(self, (entry_t){0, start});
    while (self->heap_count > 0) {
        const entry_t next = pop(self);
        if (next.cost > self->costs[next.cell]) {
            continue;
        }
        if (next.cell == goal) {
            return true;
        }
        if (!relax(self, grid, next)) {
            return false;
        }
    }
    return true;
}

double rp_dijkstra_cost(rp_dijkstra_t *self, const rp_grid_view_t *grid, uint32_t start,
                        uint32_t goal)
{
    if (rp_grid_view_factor(grid, goal) == 0) {
        return INFINITY;
    }
    // Without memory nothing is known; a NaN equals no claim.
    return search(self, grid, start, goal) ? self->costs[goal] : NAN;
}

bool rp_dijkstra_flood(rp_dijkstra_t *self, const rp_grid_view_t *grid, uint32_t start)
{
    return search(self, grid, start, RP_NOWHERE);
}

double rp_dijkstra_cost_to(const rp_dijkstra_t *self, uint32_t cell)
{
    return self->costs[cell];
}

uint32_t rp_dijkstra_before(const rp_dijkstra_t *self, uint32_t cell)
{
    return self->before[cell];
}

// ---- birth and death

rp_dijkstra_t *rp_dijkstra_new(size_t cell_count)
{
    rp_dijkstra_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->cell_count = cell_count;
    self->heap_capacity = 1024;
    self->costs = malloc(cell_count * sizeof *self->costs);
    self->before = malloc(cell_count * sizeof *self->before);
    self->heap = malloc(self->heap_capacity * sizeof *self->heap);
    if (self->costs == NULL || self->before == NULL || self->heap == NULL) {
        rp_dijkstra_destroy(&self);
    }
    return self;
}

void rp_dijkstra_destroy(rp_dijkstra_t **self)
{
    if (*self == NULL) {
        return;
    }
    free((*self)->costs);
    free((*self)->before);
    free((*self)->heap);
    free(*self);
    *self = NULL;
}
