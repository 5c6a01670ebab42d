/// @file
/// Pictures of worlds: shapes in cells, layer upon layer, written as SVG or PNG.
///
/// A layer has one colour and one opacity. Its shapes are one area: where they overlap it is not
/// darker, so the poses of a vehicle become what it sweeps.
#ifndef REPLAN_TOOLS_DRAW_DRAWING_H
#define REPLAN_TOOLS_DRAW_DRAWING_H

#include "files/output.h"

typedef struct rp_drawing_spot {
    double x; ///< cells; whole numbers are centres of cells
    double y;
} rp_drawing_spot_t;

typedef enum rp_drawing_shape_kind {
    RP_SHAPE_POLYGON,
    RP_SHAPE_LINE, ///< with round ends
} rp_drawing_shape_kind_t;

typedef struct rp_drawing_shape {
    rp_drawing_shape_kind_t kind;
    double width; ///< of a line, cells
    size_t first; ///< of its spots
    size_t count;
} rp_drawing_shape_t;

typedef struct rp_drawing_layer {
    uint32_t colour; ///< 0xRRGGBB
    double opacity;  ///< 0..1
    size_t first;    ///< of its shapes; they end where the next layer's begin
} rp_drawing_layer_t;

typedef struct rp_drawing {
    uint32_t width; ///< cells
    uint32_t height;
    double scale;               ///< pixels a cell
    bool flips;                 ///< y grows upwards
    bool is_short;              ///< memory was lacking
    rp_drawing_layer_t *layers; ///< owned
    size_t layer_count;
    size_t layer_capacity;
    rp_drawing_shape_t *shapes; ///< owned
    size_t shape_count;
    size_t shape_capacity;
    rp_drawing_spot_t *spots; ///< owned
    size_t spot_count;
    size_t spot_capacity;
} rp_drawing_t;

void rp_drawing_fini(rp_drawing_t *self);

/// Shapes from here on belong to a new layer.
void rp_drawing_layer(rp_drawing_t *self, uint32_t colour, double opacity);

void rp_drawing_polygon(rp_drawing_t *self, const rp_drawing_spot_t *spots, size_t count);
void rp_drawing_line(rp_drawing_t *self, const rp_drawing_spot_t *spots, size_t count,
                     double width);
void rp_drawing_disc(rp_drawing_t *self, rp_drawing_spot_t middle, double radius);

/// Cells x .. x + width - 1 of row y.
void rp_drawing_cells(rp_drawing_t *self, uint32_t x, uint32_t y, uint32_t width);

/// From here on the newest shape grows by one spot a call. Lines and polygons of unknown length are
/// made so.
void rp_drawing_begin(rp_drawing_t *self, rp_drawing_shape_kind_t kind, double width);
void rp_drawing_spot(rp_drawing_t *self, rp_drawing_spot_t spot);

/// Pixels of a side.
uint32_t rp_drawing_pixels(const rp_drawing_t *self, uint32_t cells);

/// What a spot is in pixels from the upper left corner.
rp_drawing_spot_t rp_drawing_place(const rp_drawing_t *self, rp_drawing_spot_t spot);

/// @param out  added to; short when memory lacks
void rp_drawing_write_svg(const rp_drawing_t *self, rp_output_t *out);
void rp_drawing_write_png(const rp_drawing_t *self, rp_output_t *out);

#endif
