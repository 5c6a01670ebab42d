/// @file
/// A storm over one world of an engine: how it blows in a round, and all that happens to the world.
#ifndef REPLAN_TESTS_STORM_H
#define REPLAN_TESTS_STORM_H

#include "tests/engine/witness.h"
#include "tests/support/random.h"

#define RP_STORM_POOL 6u ///< places that many go to, and that are changed often

typedef struct rp_spot {
    double x_m;
    double y_m;
} rp_spot_t;

/// What a round is like.
typedef struct rp_weather {
    uint32_t side_x;
    uint32_t side_y;
    bool is_costmap;
    bool has_weights;
    bool has_unknown;
    uint32_t density;  ///< percent of cells that are blocked
    uint32_t agents;   ///< at most
    uint32_t common;   ///< percent of goals that are places of the pool
    uint32_t named;    ///< percent of agents that name a planner
    uint32_t bodies;   ///< percent of agents that are not points
    uint32_t patience; ///< percent of policies that are not all zero
    uint32_t awkward;  ///< percent of goals that are not one point
    uint32_t moves;    ///< percent of events that are poses and goals
    uint32_t looks;    ///< percent of agents that are judged after an event
    uint32_t at_rest;  ///< percent of events that are left to settle
    uint64_t budget;   ///< of a step, at most
    uint64_t asked;    ///< of a version that asks
    uint32_t events;
    bool is_resized;
} rp_weather_t;

typedef struct rp_storm {
    rp_engine_t *engine; ///< owned
    rp_world_id_t world;
    rp_witness_t witness;
    rp_random_t rng;
    rp_weather_t weather;
    uint32_t regions; ///< percent of goals that are regions of most of a world, which is large then
    rp_spot_t pool[RP_STORM_POOL];
    uint64_t seed;
    uint32_t event; ///< number, from 0
    bool is_traced; ///< each event is a line on stderr
} rp_storm_t;

bool rp_storm_chance(rp_storm_t *self, uint32_t percent);
uint32_t rp_storm_below(rp_storm_t *self, uint32_t limit);
void rp_storm_trace(const rp_storm_t *self, const char *what, double a, double b, double c);

/// What this round is like.
void rp_storm_choose(rp_storm_t *self);

/// The engine and its world, with kinds of movers, and the witness.
void rp_storm_open(rp_storm_t *self);

/// A point of the world; now and then outside.
rp_spot_t rp_storm_place(rp_storm_t *self);

/// One where agents want to go.
rp_spot_t rp_storm_wanted(rp_storm_t *self);

/// Make a version.
void rp_storm_change(rp_storm_t *self);

#endif
