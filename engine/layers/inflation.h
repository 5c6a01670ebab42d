/// @file
/// Inflation: the cost of cells near a blocked cell. Within the body's radius cells are blocked;
/// around that they cost more, by costmap_2d's formula in costmap bytes.
///
/// A cell's cost depends only on its squared distance to the nearest obstacle.
#ifndef REPLAN_ENGINE_LAYERS_INFLATION_H
#define REPLAN_ENGINE_LAYERS_INFLATION_H

#include "replan/world.h"

/// A cost beyond all of costmap_2d's: too near for the body, blocked whatever the byte.
#define RP_INFLATION_BLOCKED 255u

/// costmap_2d's cost within the inscribed radius.
#define RP_INFLATION_INSCRIBED 253u

typedef struct rp_inflation {
    uint32_t side;  ///< of a square body, cells; then nothing else counts but `reach`, side - 1; 0:
                    ///< there is none
    uint32_t reach; ///< cells; farther off nothing changes, in x or in y; 0: nothing at all
    bool is_soft;   ///< some cost is one of costmap_2d's
    uint8_t cost[RP_REACH_MAX * RP_REACH_MAX + 1u]; ///< by squared distance in cells; 0: none
} rp_inflation_t;

/// @param self  written on RP_OK only
/// @return RP_E_INVALID when a number is negative or not finite, or a radius larger than
///         RP_REACH_MAX cells, or a square body has a radius, too
rp_status_t rp_inflation_make(rp_inflation_t *self, const rp_body_t *body, double resolution_m);

/// True when both give every cell the same cost.
bool rp_inflation_equals(const rp_inflation_t *self, const rp_inflation_t *other);

/// @param near  how near the next obstacle is (distance_transform.h)
/// @return what a cell gets from it; 0: nothing
static inline uint8_t rp_inflation_cost(const rp_inflation_t *self, uint32_t near)
{
    return near != 0 ? self->cost[self->reach * self->reach + 1u - near] : 0u;
}

#endif
