/// Breadth first, so that what waits is a front and not an area.
#include "engine/reach.h"

#include <stdlib.h>
#include <string.h>

/// A cell has four straight neighbours; one is where we came from, but for the first.
#define FRESH_MOST 4u

static bool reserve(rp_reach_t *self, uint32_t count)
{
    if (count <= self->capacity) {
        return true;
    }
    const uint32_t capacity = 2u * count + 1024u;
    rp_cell_t *front = realloc(self->front, capacity * sizeof *front);
    self->front = front != NULL ? front : self->front;
    rp_cell_t *next = realloc(self->next, capacity * sizeof *next);
    self->next = next != NULL ? next : self->next;
    if (front == NULL || next == NULL) {
        return false;
    }
    self->capacity = capacity;
    return true;
}

static bool clear(rp_reach_t *self, uint32_t cell_count)
{
    if (cell_count != self->cell_count) {
        uint8_t *bits = realloc(self->bits, cell_count / 8u + 1u);
        if (bits == NULL) {
            return false;
        }
        self->bits = bits;
        self->cell_count = cell_count;
    }
    memset(self->bits, 0, cell_count / 8u + 1u);
    return true;
}

static inline void mark(rp_reach_t *self, rp_cell_t cell)
{
    self->bits[cell >> 3] |= (uint8_t)(1u << (cell & 7u));
}

/// @return number of cells in `next`
static uint32_t advance(rp_reach_t *self, const rp_grid_t *grid, uint32_t count)
{
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += 2u) {
            if (((grid->moves[self->front[i]] >> direction) & 1u) == 0) {
                continue;
            }
            const rp_cell_t cell = rp_grid_step(grid, self->front[i], direction);
            if (!rp_reach_has(self, cell)) {
                mark(self, cell);
                self->next[fresh++] = cell;
            }
        }
    }
    return fresh;
}

rp_status_t rp_reach_from(rp_reach_t *self, const rp_grid_t *grid, uint64_t version, rp_cell_t from)
{
    if (self->grid == grid && self->version == version && rp_reach_has(self, from)) {
        return RP_OK;
    }
    self->grid = NULL;
    if (!clear(self, grid->cell_count) || !reserve(self, 1)) {
        return RP_E_MEMORY;
    }
    mark(self, from);
    self->front[0] = from;
    for (uint32_t count = 1; count != 0;) {
        if (!reserve(self, FRESH_MOST * count)) {
            return RP_E_MEMORY;
        }
        count = advance(self, grid, count);
        rp_cell_t *next = self->front;
        self->front = self->next;
        self->next = next;
    }
    self->grid = grid;
    self->version = version;
    return RP_OK;
}

void rp_reach_forget(rp_reach_t *self)
{
    self->grid = NULL;
}

void rp_reach_fini(rp_reach_t *self)
{
    free(self->bits);
    free(self->front);
    free(self->next);
    *self = (rp_reach_t){0};
}
