/// Layers, shapes and spots, each in one array.
#include "tools/draw/drawing.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "planners/motion/trig.h"

#define DISC_CORNERS 32u

void rp_drawing_fini(rp_drawing_t *self)
{
    free(self->layers);
    free(self->shapes);
    free(self->spots);
    *self = (rp_drawing_t){0};
}

void rp_drawing_layer(rp_drawing_t *self, uint32_t colour, double opacity)
{
    if (!rp_array_reserve(&self->layers, &self->layer_capacity, self->layer_count + 1u,
                          sizeof *self->layers)) {
        self->is_short = true;
        return;
    }
    self->layers[self->layer_count++] = (rp_drawing_layer_t){colour, opacity, self->shape_count};
}

void rp_drawing_begin(rp_drawing_t *self, rp_drawing_shape_kind_t kind, double width)
{
    if (!rp_array_reserve(&self->shapes, &self->shape_capacity, self->shape_count + 1u,
                          sizeof *self->shapes)) {
        self->is_short = true;
        return;
    }
    self->shapes[self->shape_count++] =
        (rp_drawing_shape_t){.kind = kind, .width = width, .first = self->spot_count};
}

void rp_drawing_spot(rp_drawing_t *self, rp_drawing_spot_t spot)
{
    self->is_short =
        self->is_short || !rp_array_reserve(&self->spots, &self->spot_capacity,
                                            self->spot_count + 1u, sizeof *self->spots);
    if (!self->is_short) {
        self->spots[self->spot_count++] = spot;
        self->shapes[self->shape_count - 1u].count++;
    }
}

static void add(rp_drawing_t *self, rp_drawing_shape_kind_t kind, const rp_drawing_spot_t *spots,
                size_t count, double width)
{
    rp_drawing_begin(self, kind, width);
    for (size_t i = 0; i < count; i++) {
        rp_drawing_spot(self, spots[i]);
    }
}

void rp_drawing_polygon(rp_drawing_t *self, const rp_drawing_spot_t *spots, size_t count)
{
    add(self, RP_SHAPE_POLYGON, spots, count, 0.0);
}

void rp_drawing_line(rp_drawing_t *self, const rp_drawing_spot_t *spots, size_t count, double width)
{
    add(self, RP_SHAPE_LINE, spots, count, width);
}

void rp_drawing_disc(rp_drawing_t *self, rp_drawing_spot_t middle, double radius)
{
    rp_drawing_begin(self, RP_SHAPE_POLYGON, 0.0);
    for (uint32_t i = 0; i < DISC_CORNERS; i++) {
        const rp_trig_unit_t unit = rp_trig_unit(i * RP_TRIG_TURN / DISC_CORNERS);
        rp_drawing_spot(
            self, (rp_drawing_spot_t){middle.x + radius * unit.cos, middle.y + radius * unit.sin});
    }
}

void rp_drawing_cells(rp_drawing_t *self, uint32_t x, uint32_t y, uint32_t width)
{
    const double left = x - 0.5;
    const double top = y - 0.5;
    const rp_drawing_spot_t corners[] = {
        {left, top}, {left + width, top}, {left + width, top + 1.0}, {left, top + 1.0}};
    rp_drawing_polygon(self, corners, 4);
}

uint32_t rp_drawing_pixels(const rp_drawing_t *self, uint32_t cells)
{
    return (uint32_t)ceil(cells * self->scale);
}

rp_drawing_spot_t rp_drawing_place(const rp_drawing_t *self, rp_drawing_spot_t spot)
{
    const double y = spot.y + 0.5;
    return (rp_drawing_spot_t){self->scale * (spot.x + 0.5),
                               self->scale * (self->flips ? self->height - y : y)};
}
