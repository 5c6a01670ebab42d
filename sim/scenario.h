/// @file
/// What can be simulated, by name: a world, how it changes, and what its agents do.
#ifndef REPLAN_SIM_SCENARIO_H
#define REPLAN_SIM_SCENARIO_H

#include "sim/terrain.h"

typedef enum rp_churn_sort {
    RP_CHURN_NONE,
    RP_CHURN_BUILDINGS, ///< whole buildings near goals, `rate` a second
    RP_CHURN_CELLS,     ///< many single cells near one goal at once, `rate` times a second
    RP_CHURN_WALLS,     ///< `walls` cells freed and as many blocked, at each tenth step
} rp_churn_sort_t;

typedef enum rp_trip_sort {
    RP_TRIP_BASES,    ///< walk to a base; then to another
    RP_TRIP_ANYWHERE, ///< walk to any cell; then to another
    RP_TRIP_STAND,    ///< stand and want a path; start anew when there is none
    RP_TRIP_CHASE,    ///< follow a target that moves; then another
} rp_trip_sort_t;

typedef struct rp_scenario {
    const char *id;
    const char *about; ///< a sentence
    rp_terrain_options_t terrain;
    rp_churn_sort_t churn;
    rp_trip_sort_t trips;
    uint32_t agents;
    double rate;        ///< changes a second
    double steps;       ///< cells an agent walks in a second
    double closeness;   ///< of changes to a goal, as in churn.h
    double change_rate; ///< share of close cells in one change of single cells
    uint32_t walls;     ///< k of the moving-target protocol
    uint32_t sight;     ///< cells around an agent that it discovers; 0: the world is known
} rp_scenario_t;

#define RP_SCENARIO_DEFAULT "warcraft"

/// @return NULL when there is no such scenario
const rp_scenario_t *rp_scenario_find(const char *id);

/// All of them, the default first. @return NULL from the end on
const rp_scenario_t *rp_scenario_at(size_t index);

#endif
