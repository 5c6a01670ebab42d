/// @file
/// Footprint: what a square body of several cells needs of the ground. The factor of a cell is that
/// of the dearest of the side x side cells that the body covers when its lowest x and y are there;
/// it blocks when one of them does, or lies outside.
///
/// Nothing is kept but where bytes were written. Time: side / 16 vector operations a cell.
#ifndef REPLAN_ENGINE_LAYERS_FOOTPRINT_H
#define REPLAN_ENGINE_LAYERS_FOOTPRINT_H

#include "replan/grid.h"

#include "engine/layers/inflation.h"
#include "engine/layers/stirred.h"

typedef struct rp_footprint {
    rp_inflation_t inflation; ///< with a side
    uint32_t width;
    uint32_t height;
    bool wraps;
    uint8_t dearness[256]; ///< of a byte: its factor less one, so that what blocks is the dearest
    const uint8_t *bytes;  ///< the world's, borrowed [width * height]
    rp_stirred_list_t stirred; ///< where factors changed since the last run
    uint8_t *line;             ///< dearness of a row of cells, owned [width + side]
    uint8_t *rows;             ///< dearest of `side` cells in a row, of the last `side` rows, owned
                               ///< [side * width]
    uint8_t *factors;          ///< of a row, owned [width]
} rp_footprint_t;

/// @param factor  by byte, read until return
/// @param inflation  copied; with a side
/// @param bytes  row by row [width * height], borrowed until it is destroyed
/// @return NULL without memory
rp_footprint_t *rp_footprint_new(const rp_grid_shape_t *shape, const uint8_t factor[256],
                                 const rp_inflation_t *inflation, const uint8_t *bytes);
void rp_footprint_destroy(rp_footprint_t **self);

/// The factors of a box. @param factors  written, row by row
void rp_footprint_read(rp_footprint_t *self, rp_box_t box, uint8_t *factors);

/// What reading a box takes, in cells without a footprint.
uint64_t rp_footprint_price(const rp_footprint_t *self, const rp_box_t *box);

/// A byte was written.
void rp_footprint_note(rp_footprint_t *self, uint32_t x, uint32_t y, uint8_t before, uint8_t after);

/// Told of each cell whose factor may have changed.
typedef void rp_footprint_changed_fn(void *user, uint32_t x, uint32_t y, uint8_t factor);

/// Bring the cells around those that were written up to date.
void rp_footprint_run(rp_footprint_t *self, rp_footprint_changed_fn *hear, void *user);

uint64_t rp_footprint_bytes(const rp_footprint_t *self);

#endif
