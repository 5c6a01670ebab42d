/// @file
/// Clutter for a driving robot: known walls, and stones near the robot that come, go and move.
/// Inflation is done elsewhere.
#ifndef REPLAN_BENCH_BEYOND_CLUTTER_H
#define REPLAN_BENCH_BEYOND_CLUTTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Cells to each side of the robot in which things happen.
#define RP_CLUTTER_WINDOW 49

/// Cells of robot and goal from the corners of the ground, which are clear at first.
#define RP_CLUTTER_MARGIN 20u

typedef struct rp_clutter_box {
    int32_t x;
    int32_t y;
    int32_t width;
    int32_t height;
} rp_clutter_box_t;

typedef struct rp_spot {
    int32_t x;
    int32_t y;
} rp_spot_t;

/// A cell on which something came or went.
typedef struct rp_clutter_mark {
    uint32_t index; ///< y * side + x
    bool is_solid;  ///< something stands there now
} rp_clutter_mark_t;

typedef struct rp_clutter {
    int32_t side;
    uint8_t *solid;           ///< by cell: boxes that lie there, owned [side * side]
    rp_clutter_box_t *stones; ///< that came and can go, owned [stone_count]
    size_t stone_count;
    size_t stone_capacity;
    rp_clutter_mark_t *marks; ///< in the order in which it happened, a cell maybe twice, owned
    size_t mark_count;        ///< whoever has read them may set this to 0
    size_t mark_capacity;
    rp_spot_t robot; ///< for the user to write, as goal
    rp_spot_t goal;
} rp_clutter_t;

/// Walls and stones over all of it, robot and goal in opposite corners; no marks.
void rp_clutter_init(rp_clutter_t *self, uint32_t side, uint64_t *random);
void rp_clutter_fini(rp_clutter_t *self);

/// One event near the robot: of 100, 40 stones come, 30 go, 20 move, and 10 times a piece of what
/// stands there was never true. Nothing comes near robot or goal.
void rp_clutter_happen(rp_clutter_t *self, uint64_t *random);

#endif
