/// Many agents and few goals, while the town is being built: nobody may be left without an answer.
#include "sim/scenes/scenes.h"

static void judge(const rp_simulation_t *self, rp_acceptance_t *acceptance)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < self->agent_count; i++) {
        waiting += self->agents[i].heard_goal != self->agents[i].goal_id;
    }
    rp_acceptance_add(acceptance, "agents without an answer in the end", waiting, 0, 0);
    rp_acceptance_add(acceptance, "agents to a goal",
                      (double)self->agent_count / self->terrain.base_count, 8, INFINITY);
}

static const rp_plot_t plot = {.judge = judge};

const rp_scenario_t rp_scene_crowd = {
    .id = "crowd",
    .about = "three hundred agents walk between a few bases; within four cells is near enough",
    .terrain = {.sort = RP_TERRAIN_WARCRAFT, .width = 256, .height = 192, .neighbors = 8},
    .churn = RP_CHURN_BUILDINGS,
    .trips = RP_TRIP_BASES,
    .agents = 300,
    .rate = 10,
    .steps = 8,
    .closeness = 0.2,
    .manner = {.tolerance_m = 4},
    .plot = &plot,
};
