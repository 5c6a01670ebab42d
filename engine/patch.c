/// A small layer of its own round the edit: the bytes of the world there with those of the edit on
/// top, as far around it as reaches what inflation can change and what it looks at to do so.
#include "engine/patch.h"

#include <stdlib.h>
#include <string.h>

/// The ground that is looked at. On a wrapped world it may reach across the seam, and hold a cell
/// twice.
typedef struct ground {
    const rp_world_t *world;
    uint8_t *bytes; ///< row by row, owned [width * height]
    int64_t x;      ///< of its first cell
    int64_t y;
    uint32_t width;
    uint32_t height;
} ground_t;

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

static rp_status_t read_ground(ground_t *self)
{
    const rp_grid_shape_t *shape = &self->world->layers[0]->grid->shape;
    self->bytes = malloc((size_t)self->width * self->height);
    if (self->bytes == NULL) {
        return RP_E_MEMORY;
    }
    for (uint32_t row = 0; row < self->height; row++) {
        const uint8_t *from =
            self->world->bytes + (size_t)folded(self->y + row, shape->height) * shape->width;
        for (uint32_t column = 0; column < self->width; column++) {
            self->bytes[(size_t)row * self->width + column] =
                from[folded(self->x + column, shape->width)];
        }
    }
    return RP_OK;
}

/// Write a byte of the edit, wherever the ground holds its cell.
static void put_byte(ground_t *self, uint32_t x, uint32_t y, uint8_t byte)
{
    const rp_grid_shape_t *shape = &self->world->layers[0]->grid->shape;
    for (uint32_t row = folded(y - self->y, shape->height); row < self->height;
         row += shape->height) {
        for (uint32_t column = folded(x - self->x, shape->width); column < self->width;
             column += shape->width) {
            self->bytes[(size_t)row * self->width + column] = byte;
        }
    }
}

static void put_edit(ground_t *self, const rp_edit_t *edit)
{
    const uint32_t width = self->world->layers[0]->grid->shape.width;
    const size_t area = (size_t)edit->width * (edit->width != 0 ? edit->height : 0);
    for (size_t i = 0; i < area; i++) {
        put_byte(self, edit->x + (uint32_t)(i % edit->width), edit->y + (uint32_t)(i / edit->width),
                 edit->data != NULL ? edit->data[i] : edit->fill);
    }
    for (size_t i = 0; i < edit->cell_count; i++) {
        put_byte(self, edit->cells[i] % width, edit->cells[i] / width,
                 edit->values != NULL ? edit->values[i] : edit->value);
    }
}

// ---- the patch

/// Take over the factors of a stretch of the ground, which lies deep enough in it.
static rp_status_t take_factors(rp_patch_t *self, const rp_layer_t *layer, const ground_t *ground,
                                const rp_layer_t *small, rp_box_t inner)
{
    const rp_grid_shape_t *shape = &layer->grid->shape;
    const size_t count = (size_t)inner.width * inner.height;
    self->changes = malloc(count * sizeof *self->changes);
    if (self->changes == NULL) {
        return RP_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t column = inner.x + (uint32_t)(i % inner.width);
        const uint32_t row = inner.y + (uint32_t)(i / inner.width);
        self->changes[i] = (rp_change_t){
            .cell = rp_grid_cell(layer->grid, folded(ground->x + column, shape->width),
                                 folded(ground->y + row, shape->height)),
            .after = small->grid->factor[rp_grid_cell(small->grid, column, row)],
        };
    }
    self->count = count;
    return RP_OK;
}

rp_status_t rp_patch_init(rp_patch_t *self, const rp_world_t *world, const rp_layer_t *layer,
                          const rp_edit_t *edit)
{
    const rp_grid_shape_t *shape = &layer->grid->shape;
    const rp_inflation_t *inflation = layer->inflated != NULL ? &layer->inflated->inflation : NULL;
    const uint32_t reach = inflation != NULL ? inflation->reach : 0;
    rp_box_t box;
    *self = (rp_patch_t){0};
    if (!rp_edit_box(edit, shape->width, &box)) {
        return RP_OK;
    }
    int64_t x = box.x;
    int64_t y = box.y;
    stretch(&x, &box.width, reach, shape->width, shape->wraps);
    stretch(&y, &box.height, reach, shape->height, shape->wraps);
    ground_t ground = {.world = world, .x = x, .y = y, .width = box.width, .height = box.height};
    stretch(&ground.x, &ground.width, reach, shape->width, shape->wraps);
    stretch(&ground.y, &ground.height, reach, shape->height, shape->wraps);
    rp_layer_t small = {0};
    const rp_grid_shape_t small_shape = {
        .width = ground.width, .height = ground.height, .neighbors = shape->neighbors};
    rp_status_t status = read_ground(&ground);
    if (status == RP_OK) {
        put_edit(&ground, edit);
        status = rp_layer_init(&small, &small_shape, &layer->profile, inflation, ground.bytes, 1);
    }
    if (status == RP_OK) {
        uint64_t budget = UINT64_MAX;
        status = rp_layer_lay(&small, 1, &budget);
    }
    if (status == RP_OK) {
        const rp_box_t inner = {(uint32_t)(x - ground.x), (uint32_t)(y - ground.y), box.width,
                                box.height};
        status = take_factors(self, layer, &ground, &small, inner);
    }
    rp_layer_fini(&small);
    free(ground.bytes);
    return status;
}

void rp_patch_fini(rp_patch_t *self)
{
    free(self->changes);
    *self = (rp_patch_t){0};
}
