/// @file
/// Cutting an outline into convex parts: ears are cut off, and triangles put together again while
/// they stay convex.
#ifndef REPLAN_PLANNERS_MOTION_CONVEX_CUT_H
#define REPLAN_PLANNERS_MOTION_CONVEX_CUT_H

#include <stdbool.h>

#include "planners/motion/segment.h"

#define RP_CONVEX_CORNERS_MAX 16u ///< of an outline
#define RP_CONVEX_PARTS_MAX   14u ///< what an outline is cut into at most

/// A convex part by numbers of corners, to the left round it.
typedef struct rp_convex_part {
    uint8_t count;
    uint8_t corners[RP_CONVEX_CORNERS_MAX];
} rp_convex_part_t;

/// Cut an outline that does not touch itself, to the left round it, no three corners in a row on a
/// line.
/// @param corners  [count], at most RP_CONVEX_CORNERS_MAX
/// @param parts    written [RP_CONVEX_PARTS_MAX]
/// @return how many; 0 when rounding finds no ear, which an outline with some clearance to itself
/// always has
uint32_t rp_convex_cut(const rp_motion_vector_t *corners, uint32_t count, rp_convex_part_t *parts);

#endif
