/// @file
/// Inflation: what stands near a blocked cell. Within the body's radius the ground is blocked,
/// around that it is dearer, by costmap_2d's formula in costmap bytes.
///
/// A cell's cost follows from its squared distance to the nearest obstacle alone, and distances are
/// transformed anew wherever an obstacle came or went. Nothing is counted or remembered, so what is
/// added and removed again leaves the same bytes.
#ifndef REPLAN_ENGINE_INFLATION_H
#define REPLAN_ENGINE_INFLATION_H

#include "replan/engine.h"

/// A cost beyond all of costmap_2d's: too near for the body, blocked whatever the byte.
#define RP_INFLATION_BLOCKED 255u

/// costmap_2d's cost within the inscribed radius.
#define RP_INFLATION_INSCRIBED 253u

typedef struct rp_inflation {
    uint32_t reach; ///< cells; farther off nothing changes, in x or in y; 0: nothing at all
    bool is_soft;   ///< some cost is one of costmap_2d's
    uint8_t cost[RP_REACH_MAX * RP_REACH_MAX + 1u]; ///< by squared distance in cells; 0: none
} rp_inflation_t;

/// Cells of a world; they may not reach across its edge.
typedef struct rp_box {
    uint32_t x;
    uint32_t y;
    uint32_t width;
    uint32_t height;
} rp_box_t;

/// Where obstacles stand.
typedef struct rp_obstacles {
    const uint8_t *bytes; ///< row by row, borrowed [width * height]
    uint32_t width;
    uint32_t height;
    bool wraps;
    uint8_t is_obstacle[256]; ///< by byte: 1 or 0
} rp_obstacles_t;

/// What a run needs to write into. Owned by who runs, so that a run cannot fail.
typedef struct rp_inflation_room {
    int16_t *rows; ///< squared distances within a row, a ring of 2 * reach + 1 rows, owned
} rp_inflation_room_t;

/// Takes the costs of a piece of a row. @param costs  borrowed until return [count]
typedef void (*rp_inflation_take_t)(void *user, uint32_t x, uint32_t y, const uint8_t *costs,
                                    uint32_t count);

/// @param self  written on RP_OK only
/// @return RP_E_INVALID when a number is negative or not finite, or a radius larger than
///         RP_REACH_MAX cells
rp_status_t rp_inflation_make(rp_inflation_t *self, const rp_body_t *body, double resolution_m);

/// True when both give every cell the same cost.
bool rp_inflation_equals(const rp_inflation_t *self, const rp_inflation_t *other);

/// @return RP_E_MEMORY
rp_status_t rp_inflation_room_init(rp_inflation_room_t *room, const rp_inflation_t *self);
void rp_inflation_room_fini(rp_inflation_room_t *room);

/// Costs of all cells of a box, row by row, each row in pieces. Reads obstacles up to `reach` cells
/// outside the box. Time: O(cells of the box * reach), a few cells a nanosecond and step of reach.
void rp_inflation_run(const rp_inflation_t *self, rp_inflation_room_t *room,
                      const rp_obstacles_t *obstacles, rp_box_t box, rp_inflation_take_t take,
                      void *user);

#endif
