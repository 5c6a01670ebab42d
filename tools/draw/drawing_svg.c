/// A picture as SVG: a group a layer, so that opacity counts once.
#include "tools/draw/drawing.h"

static void write_path(const rp_drawing_t *self, const rp_drawing_shape_t *shape, rp_output_t *out)
{
    rp_output_format(out, "<path d=\"");
    for (size_t i = 0; i < shape->count; i++) {
        const rp_drawing_spot_t place = rp_drawing_place(self, self->spots[shape->first + i]);
        rp_output_format(out, "%c%.6g %.6g", i == 0 ? 'M' : 'L', place.x, place.y);
    }
    if (shape->kind == RP_SHAPE_LINE) {
        rp_output_format(out, "\" fill=\"none\" stroke-width=\"%.6g\"/>\n",
                         shape->width * self->scale);
    } else {
        rp_output_format(out, "Z\" stroke=\"none\"/>\n");
    }
}

static void write_layer(const rp_drawing_t *self, size_t index, rp_output_t *out)
{
    const rp_drawing_layer_t *layer = &self->layers[index];
    const size_t end =
        index + 1u < self->layer_count ? self->layers[index + 1u].first : self->shape_count;
    rp_output_format(out, "<g fill=\"#%06x\" stroke=\"#%06x\" opacity=\"%.3g\">\n", layer->colour,
                     layer->colour, layer->opacity);
    for (size_t i = layer->first; i < end; i++) {
        write_path(self, &self->shapes[i], out);
    }
    rp_output_format(out, "</g>\n");
}

void rp_drawing_write_svg(const rp_drawing_t *self, rp_output_t *out)
{
    const uint32_t width = rp_drawing_pixels(self, self->width);
    const uint32_t height = rp_drawing_pixels(self, self->height);
    rp_output_format(out,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                     "viewBox=\"0 0 %u %u\" "
                     "stroke-linecap=\"round\" stroke-linejoin=\"round\">\n"
                     "<rect width=\"%u\" height=\"%u\" fill=\"#ffffff\"/>\n",
                     width, height, width, height, width, height);
    for (size_t i = 0; i < self->layer_count; i++) {
        write_layer(self, i, out);
    }
    rp_output_format(out, "</svg>\n");
}
