/// @file
/// Sweeps: what a vehicle covers while it drives along a segment, tested against cells. Exact,
/// never sampled.
///
/// A cell is the square of side 1 round its centre; whole numbers are centres of cells. Squares are
/// closed and vehicles are open: touching is legal.
#ifndef REPLAN_PLANNERS_MOTION_SWEEP_H
#define REPLAN_PLANNERS_MOTION_SWEEP_H

#include "planners/motion/segment.h"

/// Least distance of the vehicle's middle, on its way along a segment, to the square of a cell; 0:
/// it comes to the square.
/// @param x,y  centre of the cell
double rp_sweep_distance(const rp_segment_t *segment, double x, double y);

#endif
