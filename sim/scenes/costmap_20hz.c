/// A robot drives through a hall full of people with a costmap of ROS around it: twenty times a
/// second it sees the 100 x 100 cells around itself anew. Its body is inflated, hard and soft.
#include "sim/scenes/scenes.h"
#include "sim/world/window.h"

#define VIEW      100u ///< cells seen, each way
#define SHELVES   0.016
#define PEOPLE    1500u
#define PERSON    1   ///< cells around the middle
#define ROOM      6   ///< people keep so far from the robot
#define FUZZ      40u ///< costs of open ground as the sensors see it: 0 to this
#define REFUSALS  20u ///< goals without a path, until somebody carries the robot off
#define UPDATE_US (RP_SCENE_SECOND_US / 20u)

typedef struct hall {
    rp_target_t people[PEOPLE];
    uint64_t due_us;
    uint64_t updates;
    uint32_t refusals[RP_SIMULATION_AGENTS_MAX]; ///< since it last came to a goal
} hall_t;

/// Where the robot may want to go: its whole body fits.
static uint32_t wide_place(rp_simulation_t *self)
{
    const int reach = (int)ceil(self->scenario.body.inscribed_radius_m) + 1;
    for (;;) {
        const uint32_t cell = rp_terrain_any_free(&self->terrain, &self->seeded);
        bool is_wide = true;
        for (int i = 0; i < (2 * reach + 1) * (2 * reach + 1) && is_wide; i++) {
            const uint32_t near =
                rp_grid_view_offset(&self->terrain.grid, cell, i % (2 * reach + 1) - reach,
                                    i / (2 * reach + 1) - reach);
            is_wide = near != RP_NOWHERE && rp_terrain_is_free(&self->terrain, near);
        }
        if (is_wide) {
            return cell;
        }
    }
}

static bool begin(rp_simulation_t *self)
{
    hall_t *story = self->story;
    rp_terrain_t *terrain = &self->terrain;
    const rp_grid_view_t *grid = &terrain->grid;
    const uint32_t cell_count = (uint32_t)rp_grid_view_cell_count(grid);
    if (grid->width < 2 * VIEW || grid->height < 2 * VIEW) {
        return false;
    }
    for (uint32_t i = 0; i < cell_count * SHELVES / 8; i++) {
        const bool lies = rp_seeded_chance(&self->seeded, 0.5);
        const rp_terrain_box_t shelf = {rp_seeded_below(&self->seeded, grid->width - 16),
                                        rp_seeded_below(&self->seeded, grid->height - 16),
                                        lies ? 16 : 2, lies ? 2 : 16};
        rp_terrain_fill(terrain, shelf, RP_KIND_WALL);
    }
    for (uint32_t i = 0; i < PEOPLE; i++) {
        story->people[i] = (rp_target_t){rp_terrain_any_free(terrain, &self->seeded), RP_NOWHERE};
    }
    for (uint32_t i = 0; i < self->agent_count; i++) {
        rp_scene_send(self, i, wide_place(self), wide_place(self));
    }
    return true;
}

// ---- what is seen

/// The part of the world around the robot, shifted inside of it.
static rp_terrain_box_t view_of(const rp_simulation_t *self)
{
    const rp_grid_view_t *grid = &self->terrain.grid;
    const uint32_t x = self->agents[0].cell % grid->width;
    const uint32_t y = self->agents[0].cell / grid->width;
    const uint32_t left = x < VIEW / 2 ? 0 : x - VIEW / 2;
    const uint32_t top = y < VIEW / 2 ? 0 : y - VIEW / 2;
    return (rp_terrain_box_t){left + VIEW > grid->width ? grid->width - VIEW : left,
                              top + VIEW > grid->height ? grid->height - VIEW : top, VIEW, VIEW};
}

static bool is_in_box(const rp_terrain_box_t *box, const rp_grid_view_t *grid, uint32_t cell)
{
    return rp_window_cell(box, grid, cell) != RP_NOWHERE;
}

/// Open ground is never twice the same; who stood there has gone.
static void see_ground(rp_simulation_t *self, rp_terrain_box_t view)
{
    rp_terrain_t *terrain = &self->terrain;
    for (uint32_t y = view.y; y < view.y + view.height; y++) {
        for (uint32_t x = view.x; x < view.x + view.width; x++) {
            const uint32_t cell = y * terrain->grid.width + x;
            if (terrain->kinds[cell] == RP_KIND_BUILDING) {
                rp_terrain_write(terrain, cell, RP_KIND_FLOOR);
            }
            if (rp_terrain_is_free(terrain, cell)) {
                rp_terrain_grade(terrain, cell, (uint8_t)rp_seeded_below(&self->seeded, FUZZ + 1u));
            }
        }
    }
}

/// People stand on the floor, not too near to the robot.
static void see_person(rp_simulation_t *self, rp_terrain_box_t view, uint32_t middle)
{
    rp_terrain_t *terrain = &self->terrain;
    if (rp_grid_view_distance(&terrain->grid, middle, self->agents[0].cell) < ROOM) {
        return;
    }
    for (int dy = -PERSON; dy <= PERSON; dy++) {
        for (int dx = -PERSON; dx <= PERSON; dx++) {
            const uint32_t cell = rp_grid_view_offset(&terrain->grid, middle, dx, dy);
            if (cell != RP_NOWHERE && is_in_box(&view, &terrain->grid, cell) &&
                rp_terrain_is_free(terrain, cell)) {
                rp_terrain_write(terrain, cell, RP_KIND_BUILDING);
            }
        }
    }
}

static bool change(rp_simulation_t *self, rp_edits_t *edits)
{
    hall_t *story = self->story;
    if (self->line.now_us < story->due_us) {
        return true;
    }
    const uint64_t late_us = self->line.now_us - story->due_us;
    story->due_us = late_us < UPDATE_US ? story->due_us + UPDATE_US : self->line.now_us + UPDATE_US;
    story->updates++;
    const rp_terrain_box_t view = view_of(self);
    see_ground(self, view);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        if (is_in_box(&view, &self->terrain.grid, story->people[i].cell)) {
            rp_target_step(&story->people[i], &self->terrain.grid, &self->seeded);
            see_person(self, view, story->people[i].cell);
        }
    }
    edits->box = view;
    return true;
}

/// The robot wants to go on, also from a goal that somebody stands on; shelves may shut it in.
static bool step(rp_simulation_t *self, rp_edits_t *edits)
{
    (void)edits;
    hall_t *story = self->story;
    for (uint32_t i = 0; i < self->agent_count; i++) {
        const rp_sim_agent_t *agent = &self->agents[i];
        if (agent->cell == agent->goal) {
            self->arrivals++;
            story->refusals[i] = 0;
            rp_scene_send(self, i, agent->cell, wide_place(self));
        } else if (agent->has_no_path) {
            const bool is_shut_in = ++story->refusals[i] % REFUSALS == 0;
            rp_scene_send(self, i, is_shut_in ? wide_place(self) : agent->cell, wide_place(self));
        }
    }
    return true;
}

static void judge(const rp_simulation_t *self, rp_acceptance_t *acceptance)
{
    const hall_t *story = self->story;
    rp_acceptance_add(acceptance, "updates of 100 x 100 cells", (double)story->updates, 1,
                      INFINITY);
    rp_acceptance_add(acceptance, "cells that the robot drove", (double)self->walked, 1, INFINITY);
}

static const rp_plot_t plot = {
    .size = sizeof(hall_t), .begin = begin, .step = step, .change = change, .judge = judge};

const rp_scenario_t rp_scene_costmap_20hz = {
    .id = "costmap-20hz",
    .about = "a robot on an inflated costmap; 100 x 100 cells are rewritten 20 times a second",
    .terrain = {.sort = RP_TERRAIN_PLAIN,
                .width = 500,
                .height = 300,
                .neighbors = 8,
                .scale = RP_SCALE_COSTMAP},
    .trips = RP_TRIP_ORDERS,
    .agents = 1,
    .rate = 40,
    .steps = 20,
    .body = {.radius_m = 2, .inscribed_radius_m = 2, .inflation_radius_m = 6, .cost_scaling = 0.3},
    .manner = {.switch_gain_percent = 5, .min_interval_ms = 200, .escape_m = 8},
    .plot = &plot,
};
