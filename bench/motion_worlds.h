/// @file
/// Worlds of the suite `motion`.
#ifndef REPLAN_BENCH_MOTION_WORLDS_H
#define REPLAN_BENCH_MOTION_WORLDS_H

#include "replan/grid.h"

/// 1000 x 1000, rectangles of 3 to 25 cells over a quarter of it. @return owned by the caller
rp_grid_t *rp_motion_world_of_rectangles(uint64_t seed);

/// A shared map. @param maps  their folder
/// @return owned by the caller; NULL: it cannot be read, which is told on stderr
rp_grid_t *rp_motion_world_of_map(const char *maps, const char *name);

#endif
