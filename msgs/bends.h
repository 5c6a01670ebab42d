/// @file
/// Bends of a path: the points where it changes direction, in metres of the world's frame. Turns
/// steps from cell to cell into a polyline that a controller can follow.
#ifndef REPLAN_MSGS_BENDS_H
#define REPLAN_MSGS_BENDS_H

#include <stddef.h>
#include <stdint.h>

#include "replan.pb-c.h"

#define RP_STEP_DIRECTIONS 8u

/// Columns and rows that a step leads on, by direction: 0 = +x, then from +x towards +y.
extern const int8_t rp_wire_step_x[RP_STEP_DIRECTIONS];
extern const int8_t rp_wire_step_y[RP_STEP_DIRECTIONS];

/// The middle of a cell. @param column, row  may lie outside of the world
void rp_cell_middle(const Replan__V1__Geometry *geometry, int64_t column, int64_t row, double *x_m,
                    double *y_m);

/// The bends of a path: the middle of its first cell, of each cell at which its direction changes,
/// and of its last; between two of them it is a straight line. In a world that wraps it runs on
/// beyond the edge, so that it stays one line.
/// @param start  y * width + x
/// @param steps  directions [count]
/// @param x_m, y_m, at  written, `at` with the number of steps before the bend; at most `capacity`
///                      of each, 0 takes NULL
/// @return their number: 1 without steps. Time: O(count)
size_t rp_bends_of(const Replan__V1__Geometry *geometry, uint32_t start, const uint8_t *steps,
                   size_t count, double *x_m, double *y_m, uint32_t *at, size_t capacity);

#endif
