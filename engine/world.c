/// Bytes of a world and how an edit is written into them.
#include "engine/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- edits

static bool edit_is_inside(const rp_edit_t *edit, const rp_grid_shape_t *shape)
{
    if (edit->width != 0 &&
        (edit->height == 0 || edit->width > shape->width || edit->height > shape->height ||
         edit->x > shape->width - edit->width || edit->y > shape->height - edit->height)) {
        return false;
    }
    const uint64_t cells = (uint64_t)shape->width * shape->height;
    for (size_t i = 0; i < edit->cell_count; i++) {
        if (edit->cells[i] >= cells) {
            return false;
        }
    }
    return true;
}

static inline void write_byte(rp_world_t *self, uint64_t index, rp_cell_t cell, uint8_t byte)
{
    const uint8_t before = self->bytes[index];
    if (before == byte) {
        return;
    }
    self->bytes[index] = byte;
    if (self->cell_hash != NULL) {
        self->hash ^= self->cell_hash(index, before) ^ self->cell_hash(index, byte);
    }
    rp_layer_write(&self->layer, cell, byte);
}

static void write_rectangle(rp_world_t *self, const rp_edit_t *edit)
{
    const rp_grid_t *grid = self->layer.grid;
    for (uint32_t row = 0; row < edit->height; row++) {
        const uint64_t index = (uint64_t)(edit->y + row) * grid->shape.width + edit->x;
        const uint8_t *data = edit->data != NULL ? edit->data + (size_t)row * edit->width : NULL;
        const rp_cell_t first = rp_grid_cell(grid, edit->x, edit->y + row);
        for (uint32_t column = 0; column < edit->width; column++) {
            const uint8_t byte = data != NULL ? data[column] : edit->fill;
            write_byte(self, index + column, first + column, byte);
        }
    }
}

rp_status_t rp_world_write(rp_world_t *self, const rp_edit_t *edit)
{
    const rp_grid_t *grid = self->layer.grid;
    if (!edit_is_inside(edit, &grid->shape)) {
        return RP_E_INVALID;
    }
    const size_t area = edit->width != 0 ? (size_t)edit->width * edit->height : 0;
    const rp_status_t status = rp_layer_begin(&self->layer, area + edit->cell_count);
    if (status != RP_OK) {
        return status;
    }
    if (area != 0) {
        write_rectangle(self, edit);
    }
    for (size_t i = 0; i < edit->cell_count; i++) {
        const uint32_t index = edit->cells[i];
        const uint8_t byte = edit->values != NULL ? edit->values[i] : edit->value;
        const uint32_t y = index / grid->shape.width;
        write_byte(self, index, rp_grid_cell(grid, index - y * grid->shape.width, y), byte);
    }
    self->version++;
    rp_layer_commit(&self->layer, self->version);
    return RP_OK;
}

// ---- frame

static bool frame_is_legal(const rp_frame_t *frame)
{
    return isfinite(frame->resolution_m) && frame->resolution_m > 0.0 &&
           isfinite(frame->origin_x_m) && isfinite(frame->origin_y_m) &&
           isfinite(frame->origin_yaw);
}

static double wrapped(double value, double side)
{
    const double rest = fmod(value, side);
    return rest < 0.0 ? rest + side : rest;
}

bool rp_world_cell_at(const rp_world_t *self, double x_m, double y_m, rp_cell_t *cell)
{
    const rp_grid_t *grid = self->layer.grid;
    const double dx = x_m - self->frame.origin_x_m;
    const double dy = y_m - self->frame.origin_y_m;
    double x = floor((dx * self->cosine + dy * self->sine) / self->frame.resolution_m);
    double y = floor((dy * self->cosine - dx * self->sine) / self->frame.resolution_m);
    if (grid->shape.wraps) {
        x = wrapped(x, grid->shape.width);
        y = wrapped(y, grid->shape.height);
    }
    if (!(x >= 0.0 && y >= 0.0 && x < grid->shape.width && y < grid->shape.height)) {
        return false;
    }
    *cell = rp_grid_cell(grid, (uint32_t)x, (uint32_t)y);
    return true;
}

// ---- birth and death

rp_status_t rp_world_new(const rp_world_options_t *options, rp_world_id_t id, rp_world_t **world)
{
    rp_profile_t profile;
    if (!rp_profile_find(options->profile, &profile)) {
        return RP_E_UNKNOWN;
    }
    if (options->width == 0 || options->height == 0 || options->width > RP_GRID_SIDE_MAX ||
        options->height > RP_GRID_SIDE_MAX || !frame_is_legal(&options->frame)) {
        return RP_E_INVALID;
    }
    const size_t count = (size_t)options->width * options->height;
    const rp_grid_shape_t shape = {
        .width = options->width,
        .height = options->height,
        .neighbors = options->neighbors,
        .wraps = options->wraps,
    };
    rp_world_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    rp_status_t status = RP_E_MEMORY;
    self->bytes = malloc(count);
    if (self->bytes == NULL) {
        goto fail;
    }
    if (options->data != NULL) {
        memcpy(self->bytes, options->data, count);
    } else {
        memset(self->bytes, profile.normal, count);
    }
    self->cell_hash = options->cell_hash;
    for (size_t i = 0; i < count && self->cell_hash != NULL; i++) {
        self->hash ^= self->cell_hash(i, self->bytes[i]);
    }
    self->id = id;
    self->version = 1;
    self->frame = options->frame;
    self->cosine = cos(options->frame.origin_yaw);
    self->sine = sin(options->frame.origin_yaw);
    status = rp_layer_init(&self->layer, &shape, &profile, self->bytes, self->version);
    if (status != RP_OK) {
        goto fail;
    }
    *world = self;
    return RP_OK;
fail:
    rp_world_destroy(&self);
    return status;
}

void rp_world_destroy(rp_world_t **self)
{
    rp_world_t *world = *self;
    if (world == NULL) {
        return;
    }
    rp_layer_fini(&world->layer);
    free(world->bytes);
    free(world);
    *self = NULL;
}
