/// @file
/// The oracle: Dijkstra's algorithm written apart from the planners, to be asked for the truth.
///
/// It shares nothing with what it judges: places are y * width + x, the rule of neighbours and the
/// sum of a path stand here once more, and no planner code is called. Costs are whole numbers
/// (a straight step 408, a diagonal one 577, times the sum of both factors), so that "optimal" is
/// an equality. Under the true sqrt 2 another path may be better by 1e-6 of its length; which of
/// the two is meant is part of the contract, and it is this one.
#ifndef REPLAN_TESTS_ORACLE_H
#define REPLAN_TESTS_ORACLE_H

#include "replan/grid.h"

#define RP_ORACLE_NO_PATH  UINT64_MAX
#define RP_ORACLE_NO_PLACE UINT32_MAX

/// One goal: where, and what it costs to stop there, in cell lengths on normal ground.
typedef struct rp_oracle_goal {
    uint32_t place;
    uint32_t offset;
} rp_oracle_goal_t;

typedef struct rp_oracle_entry {
    uint64_t cost;
    uint32_t place;
} rp_oracle_entry_t;

typedef struct rp_oracle {
    rp_grid_shape_t shape;
    uint8_t *factors; ///< row by row; the user writes them [width * height]
    uint64_t *cost;   ///< from the place flooded last [width * height]
    rp_oracle_entry_t *heap;
    uint32_t heap_count;
} rp_oracle_t;

/// A world of normal ground, or NULL without memory.
rp_oracle_t *rp_oracle_new(const rp_grid_shape_t *shape);
void rp_oracle_destroy(rp_oracle_t **self);

/// The place that one step leads to, or RP_ORACLE_NO_PLACE when that step is illegal.
/// @param dx,dy  -1, 0 or 1, not both 0
uint32_t rp_oracle_step(const rp_oracle_t *self, uint32_t place, int dx, int dy);

/// Cheapest cost from one free place to every other: fills `cost`.
void rp_oracle_flood(rp_oracle_t *self, uint32_t from);

/// Cheapest cost from every place to any of the goals, offset included; blocked ones count for
/// nothing. Steps cost the same both ways. @param goals  no place twice
void rp_oracle_flood_goals(rp_oracle_t *self, const rp_oracle_goal_t *goals, size_t count);

/// Cheapest cost from the place flooded last to any of the goals, offset included.
/// @return RP_ORACLE_NO_PATH when none can be reached
uint64_t rp_oracle_cheapest(const rp_oracle_t *self, const rp_oracle_goal_t *goals, size_t count);

/// Sum of the steps of a path, as whole number and in cell lengths.
/// @return false when a place blocks or a step is illegal
bool rp_oracle_measure(const rp_oracle_t *self, const uint32_t *places, size_t count,
                       uint64_t *whole, double *lengths);

/// An offset as whole number.
uint64_t rp_oracle_offset(const rp_oracle_t *self, uint32_t offset);

#endif
