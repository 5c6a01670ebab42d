/// @file
/// Obstacle maps: a bit a cell, 1 where it is an obstacle. What lies outside is one too, or on a
/// torus the cells of the far side.
#ifndef REPLAN_PLANNERS_MOTION_OBSTACLE_MAP_H
#define REPLAN_PLANNERS_MOTION_OBSTACLE_MAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rp_obstacle_map {
    const uint64_t
        *bits; ///< borrowed: cell x of a row is bit x % 64 of its word x / 64 [height * stride]
    uint32_t stride; ///< words a row
    uint32_t width;  ///< cells
    uint32_t height;
    bool wraps;
} rp_obstacle_map_t;

/// The cells x .. x + 63 of a row, that of x as the lowest bit. Time: O(1); at the border of the
/// world O(64).
uint64_t rp_obstacle_map_row(const rp_obstacle_map_t *self, int64_t x, int64_t y);

#endif
