/// Cells are kept in a hash table, so the memory of a greedy search does not grow with the world.
#include "engine/sharing/greedy_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Places of the table for each cell that is expanded: one meets seven new cells at most, often
/// two.
#define PLACES_EACH 16u

#define NO_NODE UINT32_MAX

// ---- bound

static double along(uint32_t a, uint32_t b, uint32_t side, bool wraps)
{
    const uint32_t apart = a < b ? b - a : a - b;
    return wraps && side - apart < apart ? side - apart : apart;
}

double rp_greedy_search_bound(const rp_grid_t *grid, rp_cell_t from, const rp_goal_t *goals,
                              size_t count)
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

// ---- cells that were met, and cells that wait

/// The node of a cell, made if it is not there.
/// @param is_fresh  written: it was not there
/// @return its number
static uint32_t node_of(rp_greedy_search_t *self, rp_cell_t cell, bool *is_fresh)
{
    const uint32_t last = PLACES_EACH * self->most - 1u;
    uint32_t place = (cell * 0x9e3779b1u) & last;
    while (self->nodes[place].search == self->search && self->nodes[place].cell != cell) {
        place = (place + 1u) & last;
    }
    *is_fresh = self->nodes[place].search != self->search;
    return place;
}

static void push(rp_greedy_search_t *self, uint32_t node, double left)
{
    uint32_t place = self->count++;
    while (place != 0 && left < self->waiting[(place - 1u) / 2u].left) {
        self->waiting[place] = self->waiting[(place - 1u) / 2u];
        place = (place - 1u) / 2u;
    }
    self->waiting[place] = (rp_greedy_search_entry_t){left, node};
}

static rp_greedy_search_entry_t pop(rp_greedy_search_t *self)
{
    const rp_greedy_search_entry_t top = self->waiting[0];
    const rp_greedy_search_entry_t last = self->waiting[--self->count];
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

static bool is_a_goal(const rp_greedy_search_t *self, rp_cell_t cell)
{
    size_t i = 0;
    while (i < self->goal_count && self->goals[i].cell != cell) {
        i++;
    }
    return i < self->goal_count;
}

static void meet(rp_greedy_search_t *self, rp_cell_t cell, uint32_t parent)
{
    bool is_fresh;
    const uint32_t node = node_of(self, cell, &is_fresh);
    if (is_fresh) {
        self->nodes[node] = (rp_greedy_search_node_t){cell, self->search, parent};
        push(self, node, rp_greedy_search_bound(self->grid, cell, self->goals, self->goal_count));
    }
}

/// Expand the cell that looks best. @return true when it is a goal
static bool expand(rp_greedy_search_t *self)
{
    const rp_greedy_search_entry_t entry = pop(self);
    const rp_cell_t cell = self->nodes[entry.node].cell;
    const bool arrives = is_a_goal(self, cell);
    self->expanded++;
    if (entry.left < self->least || arrives) {
        self->least = entry.left;
        self->best = entry.node;
    }
    if (arrives) {
        return true;
    }
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        meet(self, next, entry.node);
    }
    return false;
}

/// The way back to the start, turned round.
static rp_path_t path_to(rp_greedy_search_t *self, uint32_t node)
{
    uint32_t count = 0;
    for (uint32_t at = node; at != NO_NODE; at = self->nodes[at].parent) {
        self->cells[self->most - count++] = self->nodes[at].cell;
    }
    return (rp_path_t){&self->cells[self->most + 1u - count], count};
}

static bool make_room(rp_greedy_search_t *self)
{
    const size_t places = (size_t)PLACES_EACH * self->most;
    if (self->nodes == NULL) {
        self->nodes = calloc(places, sizeof *self->nodes);
        self->waiting = malloc(places * sizeof *self->waiting);
        self->cells = malloc((self->most + 1u) * sizeof *self->cells);
    }
    if (self->nodes == NULL || self->waiting == NULL || self->cells == NULL) {
        rp_greedy_search_fini(self);
        return false;
    }
    return true;
}

rp_status_t rp_greedy_search_begin(rp_greedy_search_t *self, const rp_grid_t *grid, rp_cell_t start,
                                   const rp_goal_t *goals, size_t count)
{
    if (!make_room(self)) {
        return RP_E_MEMORY;
    }
    if (++self->search == 0) { // once in four billion runs an old node might look like a new one
        memset(self->nodes, 0, (size_t)PLACES_EACH * self->most * sizeof *self->nodes);
        self->search = 1;
    }
    self->grid = grid;
    self->goal_count = count < RP_GREEDY_SEARCH_GOALS ? count : RP_GREEDY_SEARCH_GOALS;
    memcpy(self->goals, goals, self->goal_count * sizeof *goals);
    self->count = 0;
    self->expanded = 0;
    meet(self, start, NO_NODE);
    self->best = self->waiting[0].node;
    self->least = self->waiting[0].left;
    return RP_OK;
}

rp_status_t rp_greedy_search_go(rp_greedy_search_t *self, uint64_t *budget, rp_path_t *path,
                                bool *arrives)
{
    *arrives = false;
    while (!*arrives && self->count != 0 && self->expanded < self->most) {
        if (*budget == 0) {
            return RP_MORE;
        }
        --*budget;
        *arrives = expand(self);
    }
    *path = path_to(self, self->best);
    return RP_OK;
}

rp_status_t rp_greedy_search_run(rp_greedy_search_t *self, const rp_grid_t *grid, rp_cell_t start,
                                 const rp_goal_t *goals, size_t count, rp_path_t *path,
                                 bool *arrives)
{
    uint64_t budget = UINT64_MAX;
    const rp_status_t status = rp_greedy_search_begin(self, grid, start, goals, count);
    return status == RP_OK ? rp_greedy_search_go(self, &budget, path, arrives) : status;
}

void rp_greedy_search_init(rp_greedy_search_t *self, uint32_t most)
{
    *self = (rp_greedy_search_t){.most = most};
}

void rp_greedy_search_fini(rp_greedy_search_t *self)
{
    free(self->nodes);
    free(self->waiting);
    free(self->cells);
    *self = (rp_greedy_search_t){.most = self->most};
}
