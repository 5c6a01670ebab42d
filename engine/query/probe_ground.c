/// The bytes come row by row, as those of a large world take longer to copy than a step may.
#include "engine/query/probe_ground.h"

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"

/// Cells that are copied in the time of an expansion, and that are written.
#define COPIED_EACH  64u
#define WRITTEN_EACH 8u

/// Times that copying begins anew because the world changed, before it is done in one go.
#define RESTARTS_MOST 2u

// ---- bytes

rp_status_t rp_probe_ground_copy(rp_probe_ground_t *self, const rp_world_t *world, uint64_t *budget)
{
    if (self->row != self->first && self->version != world->version) {
        self->row = self->first;
        self->restarts++;
    }
    self->version = world->version;
    for (; self->row < self->end; self->row++) {
        const size_t first = (size_t)self->row * self->width;
        if (*budget == 0 && self->restarts < RESTARTS_MOST) {
            return RP_MORE;
        }
        memcpy(self->bytes + first, world->bytes + first, self->width);
        rp_budget_pay(budget, self->width / COPIED_EACH + 1u);
    }
    return RP_OK;
}

static void write_byte(rp_probe_ground_t *self, uint32_t x, uint32_t y, uint8_t byte)
{
    uint8_t *to = &self->bytes[(size_t)y * self->width + x];
    for (uint32_t i = 0; i < self->count && *to != byte; i++) {
        rp_layer_t *view = &self->views[i];
        if (view->profile.is_obstacle[*to] != view->profile.is_obstacle[byte]) {
            rp_layer_note_toggled(view, rp_grid_cell(view->grid, x, y));
        }
    }
    *to = byte;
}

static void write_row(rp_probe_ground_t *self, const rp_edit_t *edit, uint32_t row)
{
    const uint8_t *data = rp_edit_row(edit, row);
    for (uint32_t i = 0; i < edit->width; i++) {
        write_byte(self, edit->x + i, edit->y + row, data != NULL ? data[i] : edit->fill);
    }
}

/// Something is to be looked at anew.
static void forget_components(rp_probe_ground_t *self)
{
    for (uint32_t i = 0; i < self->count && self->components != NULL; i++) {
        rp_components_destroy(&self->components[i]);
    }
}

rp_status_t rp_probe_ground_write(rp_probe_ground_t *self, const rp_edit_t *edit, uint64_t *budget)
{
    forget_components(self);
    for (; edit->width != 0 && self->edit_row < edit->height; self->edit_row++) {
        if (*budget == 0) {
            return RP_MORE;
        }
        write_row(self, edit, self->edit_row);
        rp_budget_pay(budget, edit->width / WRITTEN_EACH + 1u);
    }
    for (size_t i = 0; i < edit->cell_count; i++) {
        write_byte(self, edit->cells[i] % self->width, edit->cells[i] / self->width,
                   edit->values != NULL ? edit->values[i] : edit->value);
    }
    return RP_OK;
}

// ---- what is connected

rp_status_t rp_probe_ground_components(rp_probe_ground_t *self, uint32_t view,
                                       const rp_components_t **components, uint64_t *budget)
{
    rp_components_t **own = &self->components[view];
    if (*own == NULL) {
        *own = rp_components_new(self->views[view].grid);
    }
    rp_status_t status = *own != NULL ? RP_MORE : RP_E_MEMORY;
    while (status == RP_MORE) {
        status = rp_components_update(*own, RP_LAYER_TILES);
        rp_budget_pay(budget, (uint64_t)RP_LAYER_TILES * RP_LAYER_TILE_COST);
        if (status == RP_MORE && *budget == 0) {
            return RP_MORE;
        }
    }
    *components = *own;
    return status;
}

// ---- birth and death

rp_status_t rp_probe_ground_init(rp_probe_ground_t *self, const rp_world_t *world, uint32_t count)
{
    const rp_grid_shape_t *shape = &world->layers[0]->grid->shape;
    *self = (rp_probe_ground_t){.width = shape->width, .end = shape->height, .count = count};
    self->bytes = malloc(world->cells);
    self->views = calloc(count, sizeof *self->views);
    self->components = calloc(count, sizeof(rp_components_t *));
    return self->bytes != NULL && self->views != NULL && self->components != NULL ? RP_OK
                                                                                  : RP_E_MEMORY;
}

void rp_probe_ground_open(rp_probe_ground_t *self, const rp_world_t *world,
                          const rp_grid_snapshot_t *snapshots)
{
    for (uint32_t i = 0; i < self->count; i++) {
        self->views[i] = (rp_layer_t){.profile = snapshots[i].layer->profile,
                                      .bytes = self->bytes,
                                      .grid = snapshots[i].grid};
    }
    self->frame = (rp_world_t){.frame = world->frame,
                               .cosine = world->cosine,
                               .sine = world->sine,
                               .cells = world->cells,
                               .layers = {self->views},
                               .layer_count = 1};
}

void rp_probe_ground_fini(rp_probe_ground_t *self)
{
    forget_components(self);
    free(self->components);
    free(self->views);
    free(self->bytes);
    *self = (rp_probe_ground_t){0};
}
