/// @file
/// Window: the part of the simulated plane that the daemon knows. On the wire cells count from the
/// window's corner; metres mean the same place on both sides.
#ifndef REPLAN_SIM_WORLD_WINDOW_H
#define REPLAN_SIM_WORLD_WINDOW_H

#include "sim/world/terrain.h"

/// A cell of the grid as the window counts it. @return RP_NOWHERE outside
static inline uint32_t rp_window_cell(const rp_terrain_box_t *window, const rp_grid_view_t *grid,
                                      uint32_t cell)
{
    const uint32_t x = cell % grid->width;
    const uint32_t y = cell / grid->width;
    if (cell == RP_NOWHERE || x < window->x || y < window->y || x - window->x >= window->width ||
        y - window->y >= window->height) {
        return RP_NOWHERE;
    }
    return (y - window->y) * window->width + (x - window->x);
}

/// A cell of the window as the grid counts it.
static inline uint32_t rp_window_place(const rp_terrain_box_t *window, const rp_grid_view_t *grid,
                                       uint32_t cell)
{
    return (window->y + cell / window->width) * grid->width + window->x + cell % window->width;
}

static inline bool rp_window_is(const rp_terrain_box_t *a, const rp_terrain_box_t *b)
{
    return a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height;
}

#endif
