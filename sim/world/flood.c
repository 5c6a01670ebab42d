/// A breadth-first flood gives each connected group of free cells a label.
#include "sim/world/flood.h"

#include <stdlib.h>
#include <string.h>

uint32_t rp_flood_from(rp_flood_t *self, const rp_grid_view_t *grid, uint32_t cell, uint32_t label)
{
    uint32_t head = 0;
    uint32_t tail = 0;
    self->labels[cell] = label;
    self->queue[tail++] = cell;
    while (head < tail) {
        const uint32_t from = self->queue[head++];
        for (unsigned direction = 0; direction < RP_PLANE_DIRECTIONS; direction += 2) {
            const uint32_t to = rp_grid_view_move(grid, from, direction);
            if (to != RP_NOWHERE && self->labels[to] == 0) {
                self->labels[to] = label;
                self->queue[tail++] = to;
            }
        }
    }
    return tail;
}

void rp_flood_reset(rp_flood_t *self)
{
    memset(self->labels, 0, self->cell_count * sizeof *self->labels);
}

bool rp_flood_init(rp_flood_t *self, size_t cell_count)
{
    self->cell_count = cell_count;
    self->labels = calloc(cell_count, sizeof *self->labels);
    self->queue = malloc(cell_count * sizeof *self->queue);
    if (self->labels == NULL || self->queue == NULL) {
        rp_flood_fini(self);
        return false;
    }
    return true;
}

void rp_flood_fini(rp_flood_t *self)
{
    free(self->labels);
    free(self->queue);
    self->labels = NULL;
    self->queue = NULL;
}
