/// Best first by the bound alone. Cells stand in a table by hash: a scout's memory does not grow
/// with the world.
#include "engine/scout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Places of the table, a power of two: each expansion meets seven new cells at most, often two.
#define PLACES (16u * RP_SCOUT_CELLS)

/// Goals that are looked at for each cell: to go for one of these is good enough.
#define GOALS_LOOKED_AT 16u

#define NO_NODE UINT32_MAX

// ---- bound

static double along(uint32_t a, uint32_t b, uint32_t side, bool wraps)
{
    const uint32_t apart = a < b ? b - a : a - b;
    return wraps && side - apart < apart ? side - apart : apart;
}

double rp_scout_bound(const rp_grid_t *grid, rp_cell_t from, const rp_goal_t *goals, size_t count)
{
    const rp_grid_shape_t *shape = &grid->shape;
    const uint32_t x = rp_grid_x(grid, from);
    const uint32_t y = rp_grid_y(grid, from);
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const double dx = along(x, rp_grid_x(grid, goals[i].cell), shape->width, shape->wraps);
        const double dy = along(y, rp_grid_y(grid, goals[i].cell), shape->height, shape->wraps);
        const double lengths =
            shape->neighbors == 8 ? fmax(dx, dy) + (sqrt(2.0) - 1.0) * fmin(dx, dy) : dx + dy;
        least = fmin(least, lengths * shape->least / shape->unit + goals[i].offset);
    }
    return least;
}

// ---- who was met, and who waits

/// The node of a cell, made if it is not there.
/// @param is_fresh  written: it was not there
/// @return its number
static uint32_t node_of(rp_scout_t *self, rp_cell_t cell, bool *is_fresh)
{
    uint32_t place = (cell * 0x9e3779b1u) & (PLACES - 1u);
    while (self->nodes[place].search == self->search && self->nodes[place].cell != cell) {
        place = (place + 1u) & (PLACES - 1u);
    }
    *is_fresh = self->nodes[place].search != self->search;
    return place;
}

static void push(rp_scout_t *self, uint32_t node, double left)
{
    uint32_t place = self->count++;
    while (place != 0 && left < self->waiting[(place - 1u) / 2u].left) {
        self->waiting[place] = self->waiting[(place - 1u) / 2u];
        place = (place - 1u) / 2u;
    }
    self->waiting[place] = (rp_scout_entry_t){left, node};
}

static rp_scout_entry_t pop(rp_scout_t *self)
{
    const rp_scout_entry_t top = self->waiting[0];
    const rp_scout_entry_t last = self->waiting[--self->count];
    uint32_t place = 0;
    for (uint32_t child = 1; child < self->count; child = 2u * place + 1u) {
        child +=
            child + 1u < self->count && self->waiting[child + 1u].left < self->waiting[child].left;
        if (self->waiting[child].left >= last.left) {
            break;
        }
        self->waiting[place] = self->waiting[child];
        place = child;
    }
    self->waiting[place] = last;
    return top;
}

// ---- the search

static bool is_a_goal(rp_cell_t cell, const rp_goal_t *goals, size_t count)
{
    size_t i = 0;
    while (i < count && goals[i].cell != cell) {
        i++;
    }
    return i < count;
}

static void meet(rp_scout_t *self, const rp_grid_t *grid, rp_cell_t cell, uint32_t parent,
                 const rp_goal_t *goals, size_t count)
{
    bool is_fresh;
    const uint32_t node = node_of(self, cell, &is_fresh);
    if (is_fresh) {
        self->nodes[node] = (rp_scout_node_t){cell, self->search, parent};
        push(self, node, rp_scout_bound(grid, cell, goals, count));
    }
}

/// @return the node of a goal, or of the cell that was nearest to one
static uint32_t search(rp_scout_t *self, const rp_grid_t *grid, const rp_goal_t *goals,
                       size_t count, bool *arrives)
{
    uint32_t best = self->waiting[0].node;
    double least = self->waiting[0].left;
    *arrives = false;
    for (self->expanded = 0; self->count != 0 && self->expanded < RP_SCOUT_CELLS;
         self->expanded++) {
        const rp_scout_entry_t entry = pop(self);
        const rp_cell_t cell = self->nodes[entry.node].cell;
        if (is_a_goal(cell, goals, count)) {
            *arrives = true;
            return entry.node;
        }
        if (entry.left < least) {
            least = entry.left;
            best = entry.node;
        }
        unsigned direction;
        rp_cell_t next;
        RP_FOR_MOVES (grid, cell, direction, next) {
            meet(self, grid, next, entry.node, goals, count);
        }
    }
    return best;
}

/// The way back to the start, turned round.
static rp_path_t path_to(rp_scout_t *self, uint32_t node)
{
    uint32_t count = 0;
    for (uint32_t at = node; at != NO_NODE; at = self->nodes[at].parent) {
        self->cells[RP_SCOUT_CELLS - count++] = self->nodes[at].cell;
    }
    return (rp_path_t){&self->cells[RP_SCOUT_CELLS + 1u - count], count};
}

static bool make_room(rp_scout_t *self)
{
    if (self->nodes == NULL) {
        self->nodes = calloc(PLACES, sizeof *self->nodes);
        self->waiting = malloc(PLACES * sizeof *self->waiting);
        self->cells = malloc((RP_SCOUT_CELLS + 1u) * sizeof *self->cells);
    }
    if (self->nodes == NULL || self->waiting == NULL || self->cells == NULL) {
        rp_scout_fini(self);
        return false;
    }
    return true;
}

rp_status_t rp_scout_run(rp_scout_t *self, const rp_grid_t *grid, rp_cell_t start,
                         const rp_goal_t *goals, size_t count, rp_path_t *path, bool *arrives)
{
    if (!make_room(self)) {
        return RP_E_MEMORY;
    }
    if (++self->search == 0) { // once in four billion runs an old node might look like a new one
        memset(self->nodes, 0, PLACES * sizeof *self->nodes);
        self->search = 1;
    }
    count = count < GOALS_LOOKED_AT ? count : GOALS_LOOKED_AT;
    self->count = 0;
    meet(self, grid, start, NO_NODE, goals, count);
    *path = path_to(self, search(self, grid, goals, count, arrives));
    return RP_OK;
}

void rp_scout_fini(rp_scout_t *self)
{
    free(self->nodes);
    free(self->waiting);
    free(self->cells);
    *self = (rp_scout_t){0};
}
