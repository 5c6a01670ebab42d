/// @file
/// Rules of movement, written from the description of the wire and without the planners' code, so
/// that the checker does not share their mistakes.
///
/// A cell is y * width + x, y grows downwards. A scale maps a byte to the factor of its cell: 0
/// blocks, 255 is unknown and counts as normal ground, anything else multiplies. Directions run 0 =
/// +x, 1 = +x+y, 2 = +y .. 7 = +x-y. A diagonal needs both cells beside it free. A move costs its
/// length (1 or sqrt 2) times the mean factor of its two cells, over that of normal ground.
#ifndef REPLAN_SIM_CHECK_GRID_VIEW_H
#define REPLAN_SIM_CHECK_GRID_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_NOWHERE          UINT32_MAX ///< no cell
#define RP_UNKNOWN_BYTE     255u
#define RP_PLANE_DIRECTIONS 8u

/// What a byte multiplies the cost of a move by.
typedef enum rp_scale {
    RP_SCALE_FACTOR,  ///< itself; normal ground is 1
    RP_SCALE_COSTMAP, ///< as ROS costmap_2d: 50 + 4/5 of it to 252, 253 and 254 block; normal is 50
    RP_SCALE_PERCENT, ///< itself; normal ground is 100
} rp_scale_t;

/// A view of somebody's bytes; copied freely.
typedef struct rp_grid_view {
    const uint8_t *bytes; ///< borrowed, row by row [width * height]
    uint32_t width;
    uint32_t height;
    uint8_t neighbors; ///< 4 or 8
    bool wraps;        ///< a torus
    rp_scale_t scale;
} rp_grid_view_t;

/// How far a direction leads, in cells.
int rp_grid_view_dx(unsigned direction);
int rp_grid_view_dy(unsigned direction);

size_t rp_grid_view_cell_count(const rp_grid_view_t *self);

/// Factor of normal ground.
unsigned rp_scale_unit(rp_scale_t scale);

/// 0 when blocked.
unsigned rp_grid_view_factor(const rp_grid_view_t *self, uint32_t cell);

/// True when the byte of a cell blocks, and not only since an obstacle is near: 253 of a costmap.
bool rp_grid_view_is_obstacle(const rp_grid_view_t *self, uint32_t cell);

/// The cell that far away; RP_NOWHERE beyond the edge of a plane that does not wrap.
uint32_t rp_grid_view_offset(const rp_grid_view_t *self, uint32_t cell, int dx, int dy);

/// The cell that a legal move leads to; RP_NOWHERE when the rules forbid it.
uint32_t rp_grid_view_move(const rp_grid_view_t *self, uint32_t cell, unsigned direction);

/// What a move between two neighbours costs.
double rp_grid_view_move_cost(const rp_grid_view_t *self, uint32_t from, uint32_t to,
                              unsigned direction);

/// Rows plus columns between two cells, the short way round on a torus.
uint32_t rp_grid_view_manhattan(const rp_grid_view_t *self, uint32_t a, uint32_t b);

#endif
