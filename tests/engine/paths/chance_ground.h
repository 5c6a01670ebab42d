/// @file
/// Chance ground: a small random world, as the references see it and as a layer, without an engine.
/// A cell is one metre, the corner of cell (0, 0) the origin.
#ifndef REPLAN_TESTS_CHANCE_GROUND_H
#define REPLAN_TESTS_CHANCE_GROUND_H

#include "engine/layers/layer.h"
#include "tests/engine/paths/escape_reference.h"
#include "tests/support/random.h"

/// What random cells are, in percent; the others are normal ground.
typedef struct rp_chance_ground_options {
    uint32_t side_most; ///< at least 3
    uint32_t obstacles;
    uint32_t escape_ground;
} rp_chance_ground_options_t;

/// All zero: there is none.
typedef struct rp_chance_ground {
    rp_escape_world_t world;
    rp_layer_t layer; ///< grid, bytes and profile alone
    uint8_t bytes[RP_ESCAPE_CELLS_MAX];
} rp_chance_ground_t;

void rp_chance_ground_init(rp_chance_ground_t *self, rp_random_t *rng,
                           const rp_chance_ground_options_t *options);
void rp_chance_ground_fini(rp_chance_ground_t *self);

/// A cell of the references as one of the layer.
rp_cell_t rp_chance_ground_cell(const rp_chance_ground_t *self, uint32_t cell);

/// The other way round. @return RP_ESCAPE_NO_CELL when it is none
uint32_t rp_chance_ground_number(const rp_chance_ground_t *self, rp_cell_t cell);

/// Whether a way may take a step: the world has that move, and neither its end nor, on a diagonal,
/// a cell beside it is an obstacle.
bool rp_chance_ground_may_step(const rp_chance_ground_t *self, uint32_t from, unsigned direction);

/// A pose at a point, in metres.
rp_pose_t rp_chance_ground_pose(const rp_chance_ground_t *self, double x_m, double y_m);

/// Where an agent likes to stand within a cell: in the middle, on borders and corners, near them.
double rp_chance_ground_within(rp_random_t *rng);

#endif
