/// A picture as PNG. Each layer is drawn into a mask of how much of each pixel it covers; then the
/// mask is laid on the pixels, so that opacity counts once. A pixel has four lines of samples,
/// exact across.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files/image/png_write.h"
#include "planners/motion/trig.h"
#include "tools/draw/drawing.h"

#define LINES      4
#define ROUND_ENDS 24u

typedef struct canvas {
    const rp_drawing_t *picture;
    uint32_t width; ///< pixels
    uint32_t height;
    uint8_t *pixels;   ///< [width * height * 3]
    float *mask;       ///< of the layer, 0..1 [width * height]
    float *row;        ///< of the shape, in one row of pixels [width + 1]
    double *crossings; ///< of one line of samples [room]
    size_t room;
} canvas_t;

/// The part of a row from `low` to `high` is covered by one line of samples.
static void cover(canvas_t *self, double low, double high)
{
    const double left = fmin(fmax(low, 0.0), self->width);
    const double right = fmin(high, self->width);
    for (uint32_t x = (uint32_t)left; x < right; x++) {
        self->row[x] += (float)((fmin(right, x + 1.0) - fmax(left, x)) / LINES);
    }
}

static int by_value(const void *a, const void *b)
{
    const double one = *(const double *)a;
    const double two = *(const double *)b;
    return (one > two) - (one < two);
}

static void cover_line(canvas_t *self, const rp_drawing_spot_t *corners, size_t count, double y)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const rp_drawing_spot_t a = corners[i];
        const rp_drawing_spot_t b = corners[(i + 1u) % count];
        if ((a.y <= y) != (b.y <= y)) {
            self->crossings[found++] = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
        }
    }
    qsort(self->crossings, found, sizeof *self->crossings, by_value);
    for (size_t i = 0; i + 1u < found; i += 2u) {
        cover(self, self->crossings[i], self->crossings[i + 1u]);
    }
}

/// @param corners  in pixels, at most `room`
static void fill(canvas_t *self, const rp_drawing_spot_t *corners, size_t count)
{
    double top = self->height;
    double bottom = 0.0;
    for (size_t i = 0; i < count; i++) {
        top = fmin(top, corners[i].y);
        bottom = fmax(bottom, corners[i].y);
    }
    const double end = fmin(bottom, self->height);
    for (uint32_t y = (uint32_t)fmax(top, 0.0); y < end; y++) {
        memset(self->row, 0, self->width * sizeof *self->row);
        for (int line = 0; line < LINES; line++) {
            cover_line(self, corners, count, y + (line + 0.5) / LINES);
        }
        float *mask = self->mask + (size_t)y * self->width;
        for (uint32_t x = 0; x < self->width; x++) {
            mask[x] = fmaxf(mask[x], fminf(self->row[x], 1.0f));
        }
    }
}

static void fill_polygon(canvas_t *self, const rp_drawing_shape_t *shape,
                         rp_drawing_spot_t *corners)
{
    for (size_t i = 0; i < shape->count; i++) {
        corners[i] = rp_drawing_place(self->picture, self->picture->spots[shape->first + i]);
    }
    fill(self, corners, shape->count);
}

static void fill_round(canvas_t *self, rp_drawing_spot_t middle, double radius)
{
    rp_drawing_spot_t corners[ROUND_ENDS];
    for (uint32_t i = 0; i < ROUND_ENDS; i++) {
        const rp_trig_unit_t unit = rp_trig_unit(i * RP_TRIG_TURN / ROUND_ENDS);
        corners[i] =
            (rp_drawing_spot_t){middle.x + radius * unit.cos, middle.y + radius * unit.sin};
    }
    fill(self, corners, ROUND_ENDS);
}

static void fill_piece(canvas_t *self, rp_drawing_spot_t a, rp_drawing_spot_t b, double radius)
{
    const double length = hypot(b.x - a.x, b.y - a.y);
    const double x = length > 0.0 ? radius * (b.y - a.y) / length : 0.0;
    const double y = length > 0.0 ? radius * (a.x - b.x) / length : 0.0;
    const rp_drawing_spot_t corners[] = {
        {a.x + x, a.y + y}, {b.x + x, b.y + y}, {b.x - x, b.y - y}, {a.x - x, a.y - y}};
    fill(self, corners, 4);
}

static void fill_line(canvas_t *self, const rp_drawing_shape_t *shape)
{
    const double radius = 0.5 * shape->width * self->picture->scale;
    const rp_drawing_spot_t *spots = self->picture->spots + shape->first;
    for (size_t i = 0; i < shape->count; i++) {
        const rp_drawing_spot_t place = rp_drawing_place(self->picture, spots[i]);
        fill_round(self, place, radius);
        if (i > 0) {
            fill_piece(self, rp_drawing_place(self->picture, spots[i - 1u]), place, radius);
        }
    }
}

static void lay_mask(canvas_t *self, const rp_drawing_layer_t *layer)
{
    const uint8_t colour[] = {(uint8_t)(layer->colour >> 16), (uint8_t)(layer->colour >> 8),
                              (uint8_t)layer->colour};
    for (size_t i = 0; i < (size_t)self->width * self->height; i++) {
        const double share = layer->opacity * (double)self->mask[i];
        for (size_t j = 0; j < 3u && share > 0.0; j++) {
            uint8_t *pixel = &self->pixels[3u * i + j];
            *pixel = (uint8_t)lrint(*pixel + share * (colour[j] - *pixel));
        }
    }
}

static void draw_layer(canvas_t *self, size_t index, rp_drawing_spot_t *corners)
{
    const rp_drawing_t *picture = self->picture;
    const rp_drawing_layer_t *layer = &picture->layers[index];
    const size_t end = index + 1u < picture->layer_count ? picture->layers[index + 1u].first
                                                         : picture->shape_count;
    memset(self->mask, 0, (size_t)self->width * self->height * sizeof *self->mask);
    for (size_t i = layer->first; i < end; i++) {
        if (picture->shapes[i].kind == RP_SHAPE_LINE) {
            fill_line(self, &picture->shapes[i]);
        } else {
            fill_polygon(self, &picture->shapes[i], corners);
        }
    }
    lay_mask(self, layer);
}

void rp_drawing_write_png(const rp_drawing_t *self, rp_output_t *out)
{
    canvas_t canvas = {
        .picture = self,
        .width = rp_drawing_pixels(self, self->width),
        .height = rp_drawing_pixels(self, self->height),
        .room = ROUND_ENDS,
    };
    for (size_t i = 0; i < self->shape_count; i++) {
        canvas.room = self->shapes[i].count > canvas.room ? self->shapes[i].count : canvas.room;
    }
    const size_t count = (size_t)canvas.width * canvas.height;
    canvas.pixels = malloc(3u * count);
    canvas.mask = malloc(count * sizeof *canvas.mask);
    canvas.row = malloc((canvas.width + 1u) * sizeof *canvas.row);
    canvas.crossings = malloc(canvas.room * sizeof *canvas.crossings);
    rp_drawing_spot_t *corners = malloc(canvas.room * sizeof *corners);
    if (canvas.pixels == NULL || canvas.mask == NULL || canvas.row == NULL ||
        canvas.crossings == NULL || corners == NULL) {
        out->is_short = true;
    } else {
        memset(canvas.pixels, 255, 3u * count);
        for (size_t i = 0; i < self->layer_count; i++) {
            draw_layer(&canvas, i, corners);
        }
        rp_png_write(canvas.width, canvas.height, 3, canvas.pixels, out);
    }
    free(corners);
    free(canvas.crossings);
    free(canvas.row);
    free(canvas.mask);
    free(canvas.pixels);
}
