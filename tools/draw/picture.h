/// @file
/// Pictures of worlds: shapes in cells, layer upon layer, written as SVG or PNG.
///
/// A layer has one colour and one opacity. Its shapes are one area: where they overlap it is not
/// darker, so the poses of a vehicle become what it sweeps.
#ifndef REPLAN_TOOLS_DRAW_PICTURE_H
#define REPLAN_TOOLS_DRAW_PICTURE_H

#include "files/output.h"

typedef struct rp_spot {
    double x; ///< cells; whole numbers are centres of cells
    double y;
} rp_spot_t;

typedef enum rp_shape_kind {
    RP_SHAPE_POLYGON,
    RP_SHAPE_LINE, ///< with round ends
} rp_shape_kind_t;

typedef struct rp_shape {
    rp_shape_kind_t kind;
    double width; ///< of a line, cells
    size_t first; ///< of its spots
    size_t count;
} rp_shape_t;

typedef struct rp_picture_layer {
    uint32_t colour; ///< 0xRRGGBB
    double opacity;  ///< 0..1
    size_t first;    ///< of its shapes; they end where the next layer's begin
} rp_picture_layer_t;

typedef struct rp_picture {
    uint32_t width; ///< cells
    uint32_t height;
    double scale;               ///< pixels a cell
    bool flips;                 ///< y grows upwards
    bool is_short;              ///< memory was lacking
    rp_picture_layer_t *layers; ///< owned
    size_t layer_count;
    size_t layer_capacity;
    rp_shape_t *shapes; ///< owned
    size_t shape_count;
    size_t shape_capacity;
    rp_spot_t *spots; ///< owned
    size_t spot_count;
    size_t spot_capacity;
} rp_picture_t;

void rp_picture_fini(rp_picture_t *self);

/// Shapes from here on belong to a new layer.
void rp_picture_layer(rp_picture_t *self, uint32_t colour, double opacity);

void rp_picture_polygon(rp_picture_t *self, const rp_spot_t *spots, size_t count);
void rp_picture_line(rp_picture_t *self, const rp_spot_t *spots, size_t count, double width);
void rp_picture_disc(rp_picture_t *self, rp_spot_t middle, double radius);

/// Cells x .. x + width - 1 of row y.
void rp_picture_cells(rp_picture_t *self, uint32_t x, uint32_t y, uint32_t width);

/// From here on the newest shape grows by one spot a call. Lines and polygons of unknown length are
/// made so.
void rp_picture_begin(rp_picture_t *self, rp_shape_kind_t kind, double width);
void rp_picture_spot(rp_picture_t *self, rp_spot_t spot);

/// Pixels of a side.
uint32_t rp_picture_pixels(const rp_picture_t *self, uint32_t cells);

/// What a spot is in pixels from the upper left corner.
rp_spot_t rp_picture_place(const rp_picture_t *self, rp_spot_t spot);

/// @param out  added to; short when memory lacks
void rp_picture_write_svg(const rp_picture_t *self, rp_output_t *out);
void rp_picture_write_png(const rp_picture_t *self, rp_output_t *out);

#endif
