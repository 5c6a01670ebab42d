/// The scenarios, and where the numbers of those come from that follow a paper. The others have a
/// plot, and a file each in scenes/.
#include "sim/scenario.h"

#include <string.h>

#include "sim/scenes/scenes.h"

static const rp_scenario_t classics[] = {
    {
        .id = "warcraft",
        .about = "agents walk from base to base while buildings near their goals fall and rise",
        .terrain = {.sort = RP_TERRAIN_WARCRAFT, .width = 512, .height = 256, .neighbors = 8},
        .churn = RP_CHURN_BUILDINGS,
        .trips = RP_TRIP_BASES,
        .agents = 8,
        .rate = 20,
        .steps = 14,
        .closeness = 0.2,
    },
    {
        .id = "warcraft-roads",
        .about = "the same where roads are cheap, and sand and rubble are dear",
        .terrain = {.sort = RP_TERRAIN_WARCRAFT,
                    .width = 256,
                    .height = 192,
                    .neighbors = 8,
                    .weighted = true},
        .churn = RP_CHURN_BUILDINGS,
        .trips = RP_TRIP_BASES,
        .agents = 6,
        .rate = 10,
        .steps = 14,
        .closeness = 0.2,
    },
    // "Fringe-Saving A*", section 7: density 0.25, the least closeness and change rate of table 1.
    {
        .id = "fsa-churn",
        .about = "standing agents among random obstacles; cells near a goal change (FSA*)",
        .terrain = {.sort = RP_TERRAIN_RANDOM,
                    .width = 1000,
                    .height = 1000,
                    .neighbors = 4,
                    .density = 0.25},
        .churn = RP_CHURN_CELLS,
        .trips = RP_TRIP_STAND,
        .agents = 4,
        .rate = 10,
        .steps = 10,
        .closeness = 0.1,
        .change_rate = 0.02,
    },
    // "Simple Optimization Techniques for A*-Based Search", section 5, on its 200 x 200 torus.
    {
        .id = "moving-target",
        .about = "agents chase targets in a torus maze whose walls shift each tenth step (GAA*)",
        .terrain = {.sort = RP_TERRAIN_MAZE, .width = 200, .height = 200, .neighbors = 4},
        .churn = RP_CHURN_WALLS,
        .trips = RP_TRIP_CHASE,
        .agents = 4,
        .steps = 10,
        .walls = 10,
    },
    {
        .id = "stationary-target",
        .about = "an agent explores a torus maze, seeing only its four neighbours (GAA*)",
        .terrain = {.sort = RP_TERRAIN_MAZE, .width = 200, .height = 200, .neighbors = 4},
        .churn = RP_CHURN_NONE,
        .trips = RP_TRIP_ANYWHERE,
        .agents = 1,
        .steps = 30,
        .sight = 1,
    },
    {
        .id = "unknown-terrain",
        .about = "agents explore a Warcraft world; cells that they have not seen count as free",
        .terrain = {.sort = RP_TERRAIN_WARCRAFT, .width = 256, .height = 128, .neighbors = 8},
        .churn = RP_CHURN_NONE,
        .trips = RP_TRIP_ANYWHERE,
        .agents = 4,
        .steps = 15,
        .sight = 7,
    },
};

#define CLASSICS (sizeof classics / sizeof classics[0])

static const rp_scenario_t *const scenes[] = {
    &rp_scene_corridors,    &rp_scene_siege,     &rp_scene_doors,       &rp_scene_islands,
    &rp_scene_stuck20,      &rp_scene_crowd,     &rp_scene_hunter_prey, &rp_scene_rolling_window,
    &rp_scene_costmap_20hz, &rp_scene_overload,  &rp_scene_group,       &rp_scene_harbour,
    &rp_scene_parking,      &rp_scene_warehouse, &rp_scene_convoy,
};

#define SCENES (sizeof scenes / sizeof scenes[0])

const rp_scenario_t *rp_scenario_at(size_t index)
{
    if (index < CLASSICS) {
        return &classics[index];
    }
    return index < CLASSICS + SCENES ? scenes[index - CLASSICS] : NULL;
}

const rp_scenario_t *rp_scenario_find(const char *id)
{
    for (size_t i = 0; rp_scenario_at(i) != NULL; i++) {
        if (strcmp(rp_scenario_at(i)->id, id) == 0) {
            return rp_scenario_at(i);
        }
    }
    return NULL;
}
