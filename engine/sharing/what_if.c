/// The small layer holds the world's bytes with the edit on top, as far around the edit as
/// inflation can change factors, and as far beyond as inflation reads.
#include "engine/sharing/what_if.h"

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"

/// Cells of a row that are written in the time of an expansion.
#define CELLS_EACH 16u

// ---- where

/// Reach out from a stretch on both sides; not beyond the edge of a world that has one.
static void stretch(int64_t *first, uint32_t *length, uint32_t reach, uint32_t side, bool wraps)
{
    int64_t low = *first - reach;
    int64_t high = *first + *length + reach;
    low = low < 0 && !wraps ? 0 : low;
    high = high > side && !wraps ? side : high;
    *first = low;
    *length = (uint32_t)(high - low);
}

// ---- the ground

static uint32_t folded(int64_t place, uint32_t side)
{
    return (uint32_t)((place % side + side) % side);
}

static void read_ground(rp_what_if_t *self, const rp_world_t *world)
{
    const rp_grid_shape_t *shape = &self->shape;
    for (uint32_t row = 0; row < self->ground.height; row++) {
        const uint8_t *from =
            world->bytes + (size_t)folded(self->y + row, shape->height) * shape->width;
        uint8_t *to = self->bytes + (size_t)row * self->ground.width;
        for (uint32_t done = 0; done < self->ground.width;) { // on a torus it may go round
            const uint32_t column = folded(self->x + done, shape->width);
            const uint32_t left = self->ground.width - done;
            const uint32_t count = shape->width - column < left ? shape->width - column : left;
            memcpy(to + done, from + column, count);
            done += count;
        }
    }
}

/// Write bytes of a row of the edit, wherever the ground holds their cells.
/// @param data  NULL: `fill`
static void put_row(rp_what_if_t *self, uint32_t x, uint32_t y, uint32_t width, const uint8_t *data,
                    uint8_t fill)
{
    const rp_grid_shape_t *shape = &self->shape;
    for (uint32_t row = folded(y - self->y, shape->height); row < self->ground.height;
         row += shape->height) {
        uint8_t *to = self->bytes + (size_t)row * self->ground.width;
        for (uint32_t i = 0; i < width; i++) {
            for (uint32_t column = folded(x + i - self->x, shape->width);
                 column < self->ground.width; column += shape->width) {
                to[column] = data != NULL ? data[i] : fill;
            }
        }
    }
}

static void put_edit(rp_what_if_t *self, const rp_edit_t *edit)
{
    const uint32_t width = self->shape.width;
    for (uint32_t row = 0; edit->width != 0 && row < edit->height; row++) {
        const uint8_t *data = rp_edit_row(edit, row);
        put_row(self, edit->x, edit->y + row, edit->width, data, edit->fill);
    }
    for (size_t i = 0; i < edit->cell_count; i++) {
        put_row(self, edit->cells[i] % width, edit->cells[i] / width, 1, NULL,
                edit->values != NULL ? edit->values[i] : edit->value);
    }
}

// ---- the patch

rp_status_t rp_what_if_init(rp_what_if_t *self, const rp_world_t *world, const rp_layer_t *layer,
                            const rp_edit_t *edit)
{
    const rp_grid_shape_t *shape = &layer->grid->shape;
    const rp_inflation_t *inflation = rp_layer_inflation(layer);
    const uint32_t reach = inflation != NULL ? inflation->reach : 0;
    rp_box_t box;
    *self = (rp_what_if_t){.shape = *shape};
    if (!rp_edit_box(edit, shape->width, &box)) {
        return RP_OK;
    }
    int64_t x = box.x;
    int64_t y = box.y;
    stretch(&x, &box.width, reach, shape->width, shape->wraps);
    stretch(&y, &box.height, reach, shape->height, shape->wraps);
    self->x = x;
    self->y = y;
    self->ground = box;
    stretch(&self->x, &self->ground.width, reach, shape->width, shape->wraps);
    stretch(&self->y, &self->ground.height, reach, shape->height, shape->wraps);
    self->inner =
        (rp_box_t){(uint32_t)(x - self->x), (uint32_t)(y - self->y), box.width, box.height};
    self->bytes = malloc((size_t)self->ground.width * self->ground.height);
    if (self->bytes == NULL) {
        return RP_E_MEMORY;
    }
    read_ground(self, world);
    put_edit(self, edit);
    const rp_grid_shape_t small = {
        .width = self->ground.width, .height = self->ground.height, .neighbors = shape->neighbors};
    const rp_status_t status =
        rp_layer_init(&self->small, &small, &layer->profile, inflation, self->bytes, 1);
    self->is_laid_out = status == RP_OK;
    return status;
}

/// The next row of the inner box. On a torus it may be written in two pieces.
static void write_row(const rp_what_if_t *self, rp_grid_t *grid)
{
    const rp_grid_t *small = self->small.grid;
    const uint32_t row = self->inner.y + self->row;
    const uint32_t width = self->shape.width;
    for (uint32_t done = 0; done < self->inner.width;) {
        const uint32_t x = folded(self->x + self->inner.x + done, width);
        const uint32_t left = self->inner.width - done;
        const uint32_t count = width - x < left ? width - x : left;
        rp_grid_fill_box(grid, x, folded(self->y + row, self->shape.height), count, 1,
                         small->factor + rp_grid_cell(small, self->inner.x + done, row));
        done += count;
    }
}

rp_status_t rp_what_if_write(rp_what_if_t *self, rp_grid_t *grid, uint64_t *budget)
{
    if (self->is_laid_out && rp_layer_derive(&self->small, 1, budget) != RP_OK) {
        return RP_MORE;
    }
    for (; self->is_laid_out && self->row < self->inner.height; self->row++) {
        const uint64_t price = self->inner.width / CELLS_EACH + 1u;
        if (*budget == 0) {
            return RP_MORE;
        }
        write_row(self, grid);
        rp_budget_pay(budget, price);
    }
    return RP_OK;
}

void rp_what_if_fini(rp_what_if_t *self)
{
    if (self->is_laid_out) {
        rp_layer_fini(&self->small);
    }
    free(self->bytes);
    *self = (rp_what_if_t){0};
}
