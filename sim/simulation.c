/// What lives in the simulated world, step by step.
#include "sim/simulation.h"

#include <stdlib.h>
#include <string.h>

#include "sim/world/driving.h"
#include "sim/world/window.h"

#define BUILDINGS_A_BASE 14u

rp_grid_view_t rp_simulation_told(const rp_simulation_t *self)
{
    rp_grid_view_t grid = self->terrain.grid;
    grid.bytes = self->told;
    return grid;
}

static void tell(rp_simulation_t *self, const rp_edits_t *edits, size_t first)
{
    const uint8_t *bytes = self->terrain.bytes;
    const rp_terrain_box_t *box = &edits->box;
    for (size_t i = first; i < edits->count; i++) {
        self->told[edits->cells[i]] = bytes[edits->cells[i]];
    }
    for (uint32_t y = box->y; y < box->y + box->height; y++) {
        const size_t from = (size_t)y * self->terrain.grid.width + box->x;
        memcpy(self->told + from, bytes + from, box->width);
    }
}

// ---- where to go

/// Somewhere else: a base other than the nearest, or any free cell.
static uint32_t next_goal(rp_simulation_t *self, uint32_t from)
{
    const rp_terrain_t *terrain = &self->terrain;
    if (self->scenario.trips != RP_TRIP_BASES || terrain->base_count < 2) {
        return rp_terrain_any_free(terrain, &self->seeded);
    }
    uint32_t base;
    do {
        base = terrain->bases[rp_seeded_below(&self->seeded, terrain->base_count)];
    } while (base == from);
    return base;
}

static void leave(rp_simulation_t *self, uint32_t number)
{
    rp_sim_agent_t *agent = &self->agents[number];
    rp_sim_agent_aim(agent, next_goal(self, agent->cell), false);
    self->targets[number] = (rp_target_t){agent->goal, RP_NOWHERE};
}

// ---- eyes

/// Discover what lies around, as far as the window goes: no line of sight, as if seen from above.
static bool look(rp_simulation_t *self, const rp_sim_agent_t *agent, rp_edits_t *edits)
{
    const int sight = (int)self->scenario.sight;
    for (int dy = -sight; dy <= sight; dy++) {
        for (int dx = -sight; dx <= sight; dx++) {
            const uint32_t cell = rp_grid_view_offset(&self->terrain.grid, agent->cell, dx, dy);
            if (cell == RP_NOWHERE || dx * dx + dy * dy > sight * sight ||
                self->told[cell] != RP_UNKNOWN_BYTE ||
                rp_window_cell(&self->window, &self->terrain.grid, cell) == RP_NOWHERE) {
                continue;
            }
            if (!rp_edits_add(edits, cell)) {
                return false;
            }
            self->told[cell] = self->terrain.bytes[cell];
        }
    }
    return true;
}

// ---- a step

static bool is_there(const rp_simulation_t *self, const rp_sim_agent_t *agent)
{
    return rp_grid_view_distance(&self->terrain.grid, agent->cell, agent->goal) <=
           self->scenario.manner.tolerance_m;
}

static void wander(rp_simulation_t *self, uint32_t number)
{
    rp_target_t *target = &self->targets[number];
    const uint32_t before = target->cell;
    if (self->step % RP_TARGET_REST != 0) {
        rp_target_step(target, &self->terrain.grid, &self->seeded);
    }
    if (target->cell != before) {
        rp_sim_agent_aim(&self->agents[number], target->cell, true);
    }
}

static void walk(rp_simulation_t *self, uint32_t number)
{
    rp_sim_agent_t *agent = &self->agents[number];
    const rp_trip_sort_t trips = self->scenario.trips;
    if (trips == RP_TRIP_POST || agent->is_away) {
        return;
    }
    if (trips == RP_TRIP_STAND) {
        // The paper goes on with the next world when there is no path; here the agent moves.
        if (agent->has_no_path) {
            rp_sim_agent_place(agent, rp_terrain_any_free(&self->terrain, &self->seeded));
            leave(self, number);
        }
        return;
    }
    if (rp_drive_is_on(&self->scenario.drive)) {
        self->walked += rp_driving_go(agent, &self->scenario.drive, &self->terrain.grid, 1.0);
    } else {
        self->walked += rp_sim_agent_step(agent, &self->terrain.grid);
    }
    if (trips == RP_TRIP_ORDERS) {
        return;
    }
    if (is_there(self, agent)) {
        self->arrivals++;
        leave(self, number);
    } else if (trips == RP_TRIP_ANYWHERE && agent->has_no_path && self->scenario.sight > 0) {
        leave(self, number); // what was discovered says that it cannot be reached
    } else if (trips == RP_TRIP_CHASE) {
        wander(self, number);
    }
}

static bool shift_walls(rp_simulation_t *self, rp_edits_t *edits)
{
    for (uint32_t i = 0; i < self->agent_count; i++) {
        self->chases[i] = (rp_chase_t){self->agents[i].cell, self->agents[i].goal};
    }
    return rp_targets_shift_walls(&self->terrain, self->chases, self->agent_count,
                                  self->scenario.walls, &self->flood, &self->seeded, edits);
}

bool rp_simulation_step(rp_simulation_t *self, rp_edits_t *edits)
{
    const size_t first = edits->count;
    self->step++;
    for (uint32_t i = 0; i < self->agent_count; i++) {
        walk(self, i);
        if (self->scenario.sight > 0 && !look(self, &self->agents[i], edits)) {
            return false;
        }
    }
    if (self->scenario.churn == RP_CHURN_WALLS && self->step % RP_TARGET_REST == 0 &&
        !shift_walls(self, edits)) {
        return false;
    }
    const rp_plot_t *plot = self->scenario.plot;
    if (plot != NULL && plot->step != NULL && !plot->step(self, edits)) {
        return false;
    }
    tell(self, edits, first);
    return true;
}

// ---- churn

bool rp_simulation_churn(rp_simulation_t *self, rp_edits_t *edits)
{
    const size_t first = edits->count;
    for (uint32_t i = 0; i < self->agent_count; i++) {
        self->kept[2 * i] = self->agents[i].cell;
        self->kept[2 * i + 1] = self->agents[i].goal;
    }
    const rp_sim_agent_t *attacker =
        &self->agents[rp_seeded_below(&self->seeded, self->agent_count)];
    const rp_front_t front = {.start = attacker->home,
                              .goal = attacker->goal,
                              .closeness = self->scenario.closeness,
                              .kept = self->kept,
                              .kept_count = 2 * (size_t)self->agent_count,
                              .route = attacker->path,
                              .route_count = attacker->path_count};
    bool done = true;
    if (self->scenario.churn == RP_CHURN_BUILDINGS) {
        done = rp_churn_building(&self->churn, &self->terrain, &front, edits);
    } else if (self->scenario.churn == RP_CHURN_CELLS) {
        done =
            rp_churn_cells(&self->churn, &self->terrain, &front, self->scenario.change_rate, edits);
    }
    tell(self, edits, first);
    return done;
}

// ---- the plot

bool rp_simulation_change(rp_simulation_t *self, rp_edits_t *edits)
{
    const rp_plot_t *plot = self->scenario.plot;
    const size_t first = edits->count;
    const bool done = plot == NULL || plot->change == NULL || plot->change(self, edits);
    tell(self, edits, first);
    return done;
}

bool rp_simulation_hear(rp_simulation_t *self, uint32_t number, const Replan__V1__Answer *answer)
{
    const rp_plot_t *plot = self->scenario.plot;
    rp_sim_agent_t *agent = &self->agents[number];
    agent->stirred_us = self->line.now_us;
    if (!rp_sim_agent_hear(agent, &self->terrain.grid, answer) || !rp_driving_hear(agent, answer)) {
        return false;
    }
    if (plot != NULL && plot->hear != NULL) {
        plot->hear(self, number, answer);
    }
    return true;
}

void rp_simulation_judge(const rp_simulation_t *self, rp_acceptance_t *acceptance)
{
    const rp_plot_t *plot = self->scenario.plot;
    if (plot != NULL && plot->judge != NULL) {
        plot->judge(self, acceptance);
    }
}

bool rp_simulation_is_answered(const rp_simulation_t *self)
{
    for (uint32_t i = 0; i < self->agent_count; i++) {
        const rp_sim_agent_t *agent = &self->agents[i];
        if (!agent->is_away && agent->heard_goal != agent->goal_id) {
            return false;
        }
    }
    return true;
}

// ---- birth and death

static bool allocate(rp_simulation_t *self)
{
    const size_t cell_count = rp_terrain_cell_count(&self->terrain);
    const uint32_t count = self->scenario.agents;
    self->told = malloc(cell_count);
    self->agents = calloc(count, sizeof *self->agents);
    self->targets = calloc(count, sizeof *self->targets);
    self->chases = calloc(count, sizeof *self->chases);
    self->kept = calloc(2 * (size_t)count, sizeof *self->kept);
    return self->told != NULL && self->agents != NULL && self->targets != NULL &&
           self->chases != NULL && self->kept != NULL && rp_flood_init(&self->flood, cell_count) &&
           rp_churn_init(&self->churn, cell_count, rp_seeded_split(&self->seeded));
}

static bool settle_agents(rp_simulation_t *self)
{
    const rp_terrain_t *terrain = &self->terrain;
    for (uint32_t i = 0; i < self->scenario.agents; i++) {
        const bool at_base = self->scenario.trips == RP_TRIP_BASES && i < terrain->base_count;
        const uint32_t cell =
            at_base ? terrain->bases[i] : rp_terrain_any_free(terrain, &self->seeded);
        if (!rp_sim_agent_init(&self->agents[i], i + 1, cell, next_goal(self, cell))) {
            return false;
        }
        self->agent_count++;
        self->targets[i] = (rp_target_t){self->agents[i].goal, RP_NOWHERE};
    }
    return true;
}

static bool begin_plot(rp_simulation_t *self)
{
    const rp_plot_t *plot = self->scenario.plot;
    if (plot == NULL) {
        return true;
    }
    self->story = calloc(1, plot->size + 1u);
    return self->story != NULL && (plot->begin == NULL || plot->begin(self));
}

bool rp_simulation_init(rp_simulation_t *self, const rp_scenario_t *scenario)
{
    *self = (rp_simulation_t){.scenario = *scenario, .seeded = {scenario->terrain.seed ^ 0x5eed}};
    if (!rp_terrain_init(&self->terrain, &scenario->terrain) || !allocate(self)) {
        goto fail;
    }
    if (scenario->terrain.sort == RP_TERRAIN_WARCRAFT &&
        !rp_churn_found_bases(&self->churn, &self->terrain, BUILDINGS_A_BASE)) {
        goto fail;
    }
    if (!settle_agents(self)) {
        goto fail;
    }
    self->window = rp_box_of(&self->terrain.grid);
    if (!begin_plot(self)) {
        goto fail;
    }
    memset(self->told, RP_UNKNOWN_BYTE, rp_terrain_cell_count(&self->terrain));
    const bool is_blind = scenario->plot != NULL && scenario->plot->is_blind;
    if (scenario->sight == 0 && !is_blind) {
        const rp_edits_t all = {.box = self->window};
        tell(self, &all, 0);
    }
    return true;
fail:
    rp_simulation_fini(self);
    return false;
}

void rp_simulation_fini(rp_simulation_t *self)
{
    if (self->story != NULL && self->scenario.plot->end != NULL) {
        self->scenario.plot->end(self);
    }
    for (uint32_t i = 0; i < self->agent_count; i++) {
        rp_sim_agent_fini(&self->agents[i]);
    }
    free(self->story);
    free(self->agents);
    free(self->targets);
    free(self->chases);
    free(self->kept);
    free(self->told);
    rp_flood_fini(&self->flood);
    rp_churn_fini(&self->churn);
    rp_terrain_fini(&self->terrain);
    *self = (rp_simulation_t){0};
}
