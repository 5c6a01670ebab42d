/// Layers, shapes and spots, each in one array.
#include "tools/draw/picture.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "planners/motion/trig.h"

#define DISC_CORNERS 32u

void rp_picture_fini(rp_picture_t *self)
{
    free(self->layers);
    free(self->shapes);
    free(self->spots);
    *self = (rp_picture_t){0};
}

void rp_picture_layer(rp_picture_t *self, uint32_t colour, double opacity)
{
    if (!rp_array_reserve(&self->layers, &self->layer_capacity, self->layer_count + 1u,
                          sizeof *self->layers)) {
        self->is_short = true;
        return;
    }
    self->layers[self->layer_count++] = (rp_picture_layer_t){colour, opacity, self->shape_count};
}

void rp_picture_begin(rp_picture_t *self, rp_shape_kind_t kind, double width)
{
    if (!rp_array_reserve(&self->shapes, &self->shape_capacity, self->shape_count + 1u,
                          sizeof *self->shapes)) {
        self->is_short = true;
        return;
    }
    self->shapes[self->shape_count++] =
        (rp_shape_t){.kind = kind, .width = width, .first = self->spot_count};
}

void rp_picture_spot(rp_picture_t *self, rp_spot_t spot)
{
    self->is_short =
        self->is_short || !rp_array_reserve(&self->spots, &self->spot_capacity,
                                            self->spot_count + 1u, sizeof *self->spots);
    if (!self->is_short) {
        self->spots[self->spot_count++] = spot;
        self->shapes[self->shape_count - 1u].count++;
    }
}

static void add(rp_picture_t *self, rp_shape_kind_t kind, const rp_spot_t *spots, size_t count,
                double width)
{
    rp_picture_begin(self, kind, width);
    for (size_t i = 0; i < count; i++) {
        rp_picture_spot(self, spots[i]);
    }
}

void rp_picture_polygon(rp_picture_t *self, const rp_spot_t *spots, size_t count)
{
    add(self, RP_SHAPE_POLYGON, spots, count, 0.0);
}

void rp_picture_line(rp_picture_t *self, const rp_spot_t *spots, size_t count, double width)
{
    add(self, RP_SHAPE_LINE, spots, count, width);
}

void rp_picture_disc(rp_picture_t *self, rp_spot_t middle, double radius)
{
    rp_picture_begin(self, RP_SHAPE_POLYGON, 0.0);
    for (uint32_t i = 0; i < DISC_CORNERS; i++) {
        const rp_trig_unit_t unit = rp_trig_unit(i * RP_TRIG_TURN / DISC_CORNERS);
        rp_picture_spot(self,
                        (rp_spot_t){middle.x + radius * unit.cos, middle.y + radius * unit.sin});
    }
}

void rp_picture_cells(rp_picture_t *self, uint32_t x, uint32_t y, uint32_t width)
{
    const double left = x - 0.5;
    const double top = y - 0.5;
    const rp_spot_t corners[] = {
        {left, top}, {left + width, top}, {left + width, top + 1.0}, {left, top + 1.0}};
    rp_picture_polygon(self, corners, 4);
}

uint32_t rp_picture_pixels(const rp_picture_t *self, uint32_t cells)
{
    return (uint32_t)ceil(cells * self->scale);
}

rp_spot_t rp_picture_place(const rp_picture_t *self, rp_spot_t spot)
{
    const double y = spot.y + 0.5;
    return (rp_spot_t){self->scale * (spot.x + 0.5),
                       self->scale * (self->flips ? self->height - y : y)};
}
