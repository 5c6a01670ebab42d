/// @file
/// Shapes as cells: a disc or a polygon covers every cell that it touches. A side that runs along
/// the border between two cells touches only the one that the shape lies in, so a square from 1 to
/// 2 covers one cell; what so touches none at all, as a point or a line along a border, covers the
/// cells that its corners lie in. A polygon may cross itself: inside is where a line to the outside
/// meets an odd number of sides.
#ifndef REPLAN_ENGINE_SHAPE_H
#define REPLAN_ENGINE_SHAPE_H

#include "replan/world.h"

/// Cells side by side in a row.
typedef struct rp_span {
    uint32_t y;
    uint32_t x;
    uint32_t count; ///< ends within the row
} rp_span_t;

typedef struct rp_spans {
    rp_span_t *list; ///< by y, then x; they may overlap, owned [capacity]
    size_t count;
    size_t capacity;
} rp_spans_t;

/// A shape in cells: cell (x, y) is the square from (x, y) to (x + 1, y + 1).
typedef struct rp_outline {
    double x[RP_CORNERS_MAX];
    double y[RP_CORNERS_MAX];
    uint32_t corners; ///< 1: a disc; 3..RP_CORNERS_MAX: a polygon
    double radius;    ///< of the disc, in cells
} rp_outline_t;

/// The cells of a world that a shape covers; those outside are left out, or come in again from the
/// other side when the world wraps.
/// @param spans  written on RP_OK, to be given to rp_spans_fini()
/// @return RP_E_INVALID when the shape is larger than a world that wraps, RP_E_MEMORY
/// Time: O(rows covered * corners^2 + spans * log spans)
rp_status_t rp_outline_cover(const rp_outline_t *self, const rp_grid_shape_t *world,
                             rp_spans_t *spans);
void rp_spans_fini(rp_spans_t *self);

/// Number of cells, those that overlap counted each time.
size_t rp_spans_area(const rp_spans_t *self);

/// Place of the first span of row y; count when there is none from there on.
size_t rp_spans_row(const rp_spans_t *self, uint32_t y);

#endif
