/// @file
/// Labels of a tile: which of its free cells are connected within it, run by run.
///
/// A run is a stretch of free cells of a row. Runs that touch in two rows are joined; a row is one
/// word of 64 bits, so ground of a few runs a row takes a few dozen operations a row.
#ifndef REPLAN_ENGINE_LAYERS_TILE_LABELS_H
#define REPLAN_ENGINE_LAYERS_TILE_LABELS_H

#include "replan/grid.h"

#define RP_TILE_SIDE 64u

/// The cells of a tile; in the last column and row there may be fewer.
typedef struct rp_tile_area {
    uint32_t left;
    uint32_t top;
    uint32_t width;
    uint32_t height;
} rp_tile_area_t;

/// True when no cell of the tile is blocked: all of them would get label 1.
bool rp_tile_is_open(const rp_grid_t *grid, const rp_tile_area_t *area);

/// Label the cells of a tile. Those which are connected within it get the same label, from 1 on; 0:
/// blocked. What reaches the border comes first: only that can meet labels of other tiles.
/// @param labels  written, of the first cell of the tile; rows are `stride` apart
/// @return the number of labels that reach the border
uint16_t rp_tile_labels_write(const rp_grid_t *grid, const rp_tile_area_t *area, uint16_t *labels,
                              size_t stride);

#endif
