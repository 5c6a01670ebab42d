/// @file
/// Shapes as cells: a disc or a polygon covers the cells whose open square its closed set meets. So
/// a square from 1 to 2 covers one cell, and a disc covers none that it only touches from outside.
/// What meets no open square at all, a point or a line on borders, covers for each of its points
/// the cell of the greater index, so that a wall drawn along a border blocks on its whole length.
/// What touches a world only on its closing border covers nothing, unless the world wraps. A
/// polygon may cross itself: inside is where a line to the outside meets an odd number of sides.
#ifndef REPLAN_ENGINE_GROUND_SHAPE_H
#define REPLAN_ENGINE_GROUND_SHAPE_H

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

/// A shape in cells, or in metres: cell (x, y) is the square from (x, y) to (x + 1, y + 1). Corners
/// are snapped to borders; where sides and circles cross borders is computed from them, and snapped
/// alike.
typedef struct rp_outline {
    double x[RP_CORNERS_MAX];
    double y[RP_CORNERS_MAX];
    uint32_t corners; ///< 1: a disc; 3..RP_CORNERS_MAX: a polygon
    double radius;    ///< of the disc
    double snap;      ///< in cells: how near a border counts as on it
} rp_outline_t;

/// The cells of a world that a shape covers; those outside are left out, or come in again from the
/// other side when the world wraps, as often as the shape goes round it.
/// @param spans  written on RP_OK, to be given to rp_spans_fini()
/// @return RP_E_INVALID when the world wraps and the shape is wider or higher than
///         RP_GRID_SIDE_MAX cells, RP_E_MEMORY
/// Time: O(rows covered * corners^2 + spans * log spans)
rp_status_t rp_outline_cover(const rp_outline_t *self, const rp_grid_shape_t *world,
                             rp_spans_t *spans);
void rp_spans_fini(rp_spans_t *self);

/// Number of cells, those that overlap counted each time.
size_t rp_spans_area(const rp_spans_t *self);

/// Place of the first span of row y; count when there is none from there on.
size_t rp_spans_row(const rp_spans_t *self, uint32_t y);

#endif
