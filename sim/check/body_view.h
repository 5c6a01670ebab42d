/// @file
/// Inflation of the world for a body: cells near a blocked one are blocked for it, and dearer
/// around that. Written from the description of ROS costmap_2d, obstacle by obstacle, without the
/// engine's code, so that the checker does not share the engine's mistakes.
#ifndef REPLAN_SIM_CHECK_BODY_VIEW_H
#define REPLAN_SIM_CHECK_BODY_VIEW_H

#include "sim/world/terrain.h"

/// A body, in metres; cells of the simulator are a metre wide. All 0: a point.
typedef struct rp_body_view_options {
    double radius_m;           ///< blocked: each cell whose centre is this near to a blocked one's
    double inscribed_radius_m; ///< of the dear part, as the next two
    double inflation_radius_m;
    double cost_scaling; ///< per metre
} rp_body_view_options_t;

#define RP_BODY_VIEW_REACH_MAX 16u ///< cells

typedef struct rp_body_view {
    rp_body_view_options_t options;
    uint32_t reach; ///< cells; 0: a point's
    uint8_t *bytes; ///< owned; NULL for a point
    size_t cell_count;
    uint8_t stamp[2 * RP_BODY_VIEW_REACH_MAX + 1]
                 [2 * RP_BODY_VIEW_REACH_MAX + 1]; ///< by dy, dx + reach
} rp_body_view_t;

/// @return false without memory, or for a reach beyond RP_BODY_VIEW_REACH_MAX
bool rp_body_view_init(rp_body_view_t *self, const rp_body_view_options_t *options,
                       size_t cell_count);
void rp_body_view_fini(rp_body_view_t *self);

/// The world as the body finds it. A point gets the grid itself.
/// @param grid  does not wrap unless for a point; at most `cell_count` cells
/// @param box    the part that is wanted; what lies outside of it is undefined
/// @return borrows from this and from the grid, until the next call
/// Time: O(blocked cells in and around the box * reach^2)
rp_grid_view_t rp_body_view_see(rp_body_view_t *self, const rp_grid_view_t *grid,
                                rp_terrain_box_t box);

/// All of a plane.
static inline rp_terrain_box_t rp_box_of(const rp_grid_view_t *grid)
{
    return (rp_terrain_box_t){0, 0, grid->width, grid->height};
}

#endif
