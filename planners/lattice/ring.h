/// @file
/// Ring: how far the moves of a lattice reach, in cells. It must be so wide that a vehicle can turn
/// from each heading to the next by one move that turns no further, and that each heading has a
/// straight move.
#ifndef REPLAN_PLANNERS_LATTICE_RING_H
#define REPLAN_PLANNERS_LATTICE_RING_H

#include "planners/lattice/headings.h"

/// Moves reach no further than so many cells in x or y.
#define RP_RING_MOST 8u

/// @param radius  of the smallest circle, cells; 0 asks for straight moves only
/// @return a ring that gives some choice, up to RP_RING_MOST; 0 when the vehicle cannot turn in
/// that
///         either. Time: O(headings * ring^2)
uint32_t rp_ring_for(const rp_headings_t *headings, double radius);

#endif
