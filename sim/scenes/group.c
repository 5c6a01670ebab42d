/// One order for many units: each gets a place of its own around the goal. All of them must hear of
/// each order before the next one is given.
#include <stdlib.h>

#include "sim/scenes/scenes.h"

#define SPACING  2  ///< cells between places
#define REACH    16 ///< cells around the goal where places are looked for
#define MARCH_US RP_SCENE_SECOND_US

typedef struct group {
    uint64_t due_us;
    uint64_t orders;
    uint64_t places; ///< told to units, over all orders
    uint64_t heard;  ///< first answers to these
    uint64_t heard_goal[RP_SIMULATION_AGENTS_MAX];
} group_t;

/// Places around a cell that can be reached from there, the nearest rings first.
/// @return how many; at most one a unit
static uint32_t form_up(rp_simulation_t *self, uint32_t middle, uint32_t *places)
{
    const rp_grid_view_t *grid = &self->terrain.grid;
    uint32_t count = 0;
    rp_flood_reset(&self->flood);
    rp_flood_from(&self->flood, grid, middle, 1);
    for (int ring = 0; ring <= REACH; ring += SPACING) {
        for (int dy = -ring; dy <= ring; dy += SPACING) {
            for (int dx = -ring; dx <= ring; dx += SPACING) {
                const uint32_t cell = rp_grid_view_offset(grid, middle, dx, dy);
                const bool is_on_ring = abs(dx) == ring || abs(dy) == ring;
                if (is_on_ring && cell != RP_NOWHERE && self->flood.labels[cell] != 0 &&
                    count < self->agent_count) {
                    places[count++] = cell;
                }
            }
        }
    }
    return count;
}

static void order(rp_simulation_t *self, group_t *story)
{
    uint32_t places[RP_SIMULATION_AGENTS_MAX];
    const uint32_t middle = rp_terrain_any_free(&self->terrain, &self->seeded);
    const uint32_t count = form_up(self, middle, places);
    if (count < self->agent_count) {
        return; // too narrow for all: another place, the next time
    }
    story->orders++;
    for (uint32_t i = 0; i < self->agent_count; i++) {
        if (self->agents[i].goal != places[i]) {
            rp_sim_agent_aim(&self->agents[i], places[i], false);
            story->places++;
        }
    }
}

/// They land together.
static bool begin(rp_simulation_t *self)
{
    group_t *story = self->story;
    uint32_t places[RP_SIMULATION_AGENTS_MAX];
    uint32_t count = 0;
    for (unsigned tries = 0; tries < 1000 && count < self->agent_count; tries++) {
        count = form_up(self, rp_terrain_any_free(&self->terrain, &self->seeded), places);
    }
    for (uint32_t i = 0; i < self->agent_count && count == self->agent_count; i++) {
        rp_scene_send(self, i, places[i], places[i]);
        story->heard_goal[i] = self->agents[i].goal_id;
    }
    return count == self->agent_count;
}

static bool change(rp_simulation_t *self, rp_edits_t *edits)
{
    group_t *story = self->story;
    (void)edits;
    if (self->line.now_us >= story->due_us && self->line.is_quiet) {
        story->due_us = self->line.now_us + MARCH_US;
        order(self, story);
    }
    return true;
}

static void hear(rp_simulation_t *self, uint32_t number, const Replan__V1__Answer *answer)
{
    group_t *story = self->story;
    if (answer->goal_id == self->agents[number].goal_id &&
        answer->goal_id != story->heard_goal[number]) {
        story->heard_goal[number] = answer->goal_id;
        story->heard++;
    }
}

static void judge(const rp_simulation_t *self, rp_acceptance_t *acceptance)
{
    const group_t *story = self->story;
    rp_acceptance_add(acceptance, "orders to all units", (double)story->orders, 1, INFINITY);
    rp_acceptance_add(acceptance, "answers to the units' places", (double)story->heard,
                      (double)story->places, (double)story->places);
}

static const rp_plot_t plot = {
    .size = sizeof(group_t), .begin = begin, .change = change, .hear = hear, .judge = judge};

const rp_scenario_t rp_scene_group = {
    .id = "group",
    .about = "one order sends forty units, each to its own place around the goal",
    .terrain = {.sort = RP_TERRAIN_WARCRAFT, .width = 192, .height = 128, .neighbors = 8},
    .churn = RP_CHURN_BUILDINGS,
    .trips = RP_TRIP_ORDERS,
    .agents = 40,
    .rate = 10,
    .steps = 14,
    .closeness = 0.2,
    .manner = {.has_orders = true, .switch_gain_percent = 10},
    .plot = &plot,
};
