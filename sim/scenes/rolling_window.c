/// A robot that knows a window around itself, as a rolling costmap does: when it comes away from
/// the middle the window's origin moves with it, by whole cells. What leaves is forgotten, what
/// comes in is unknown until it is seen.
#include "sim/scenes/scenes.h"
#include "sim/world/window.h"

#define AWAY   12u ///< cells from the middle before the window moves
#define MARGIN 6u  ///< goals lie so far inside of it

typedef struct rolling {
    uint64_t shifts;
    uint64_t resizes;
    uint64_t trips;
} rolling_t;

static uint32_t place(uint32_t middle, uint32_t side, uint32_t whole)
{
    const uint32_t first = middle < side / 2 ? 0 : middle - side / 2;
    return first + side > whole ? whole - side : first;
}

/// The window that has the robot in its middle, as far as the world goes.
static rp_terrain_box_t window_around(const rp_simulation_t *self, uint32_t cell, uint32_t width,
                                      uint32_t height)
{
    const rp_grid_view_t *grid = &self->terrain.grid;
    return (rp_terrain_box_t){place(cell % grid->width, width, grid->width),
                              place(cell / grid->width, height, grid->height), width, height};
}

/// Somewhere else in the window.
static uint32_t next_goal(rp_simulation_t *self)
{
    const rp_grid_view_t *grid = &self->terrain.grid;
    const rp_terrain_box_t *window = &self->window;
    uint32_t cell;
    do {
        const uint32_t x =
            window->x + rp_seeded_between(&self->seeded, MARGIN, window->width - MARGIN - 1);
        const uint32_t y =
            window->y + rp_seeded_between(&self->seeded, MARGIN, window->height - MARGIN - 1);
        cell = y * grid->width + x;
    } while (!rp_terrain_is_free(&self->terrain, cell) || cell == self->agents[0].cell);
    return cell;
}

static bool begin(rp_simulation_t *self)
{
    const rp_grid_view_t *grid = &self->terrain.grid;
    const uint32_t side = self->scenario.window;
    if (grid->width < 2 * side || grid->height < side || self->agent_count != 1) {
        return false;
    }
    self->window = window_around(self, self->agents[0].cell, side, side);
    rp_scene_send(self, 0, self->agents[0].cell, next_goal(self));
    return true;
}

// ---- rolling

/// Forget what left.
static void roll(rp_simulation_t *self, rp_terrain_box_t to)
{
    const rp_grid_view_t *grid = &self->terrain.grid;
    const rp_terrain_box_t from = self->window;
    for (uint32_t cell = 0; cell < from.width * from.height; cell++) {
        const uint32_t at = rp_window_place(&from, grid, cell);
        if (rp_window_cell(&to, grid, at) == RP_NOWHERE) {
            self->told[at] = RP_UNKNOWN_BYTE;
        }
    }
    self->window = to;
}

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/// Each fourth time the window changes its size as well.
static void follow(rp_simulation_t *self)
{
    rolling_t *story = self->story;
    const rp_terrain_box_t *window = &self->window;
    const uint32_t cell = self->agents[0].cell;
    const uint32_t side = self->scenario.window;
    const rp_terrain_box_t centred = window_around(self, cell, window->width, window->height);
    if (apart(centred.x, window->x) < AWAY && apart(centred.y, window->y) < AWAY) {
        return;
    }
    const bool is_resize = story->shifts++ % 4 == 3;
    const uint32_t wanted = window->width == side ? side * 3 / 4 : side;
    story->resizes += is_resize;
    roll(self, is_resize ? window_around(self, cell, wanted, wanted) : centred);
}

static bool step(rp_simulation_t *self, rp_edits_t *edits)
{
    rolling_t *story = self->story;
    const rp_sim_agent_t *agent = &self->agents[0];
    (void)edits;
    follow(self);
    const bool is_inside =
        rp_window_cell(&self->window, &self->terrain.grid, agent->goal) != RP_NOWHERE;
    if (agent->cell == agent->goal || agent->has_no_path || !is_inside) {
        self->arrivals += agent->cell == agent->goal;
        story->trips++;
        rp_scene_send(self, 0, agent->cell, next_goal(self));
    }
    return true;
}

static void judge(const rp_simulation_t *self, rp_acceptance_t *acceptance)
{
    const rolling_t *story = self->story;
    rp_acceptance_add(acceptance, "times that the window moved", (double)story->shifts, 1,
                      INFINITY);
    rp_acceptance_add(acceptance, "of these with another size", (double)story->resizes, 0,
                      INFINITY);
    rp_acceptance_add(acceptance, "cells that the robot drove", (double)self->walked, 1, INFINITY);
}

static const rp_plot_t plot = {
    .size = sizeof(rolling_t), .begin = begin, .step = step, .judge = judge};

const rp_scenario_t rp_scene_rolling_window = {
    .id = "rolling-window",
    .about = "a window on the world moves and changes its size as the robot drives",
    .terrain = {.sort = RP_TERRAIN_WARCRAFT, .width = 512, .height = 128, .neighbors = 8},
    .trips = RP_TRIP_ORDERS,
    .agents = 1,
    .steps = 30,
    .sight = 16,
    .window = 96,
    .plot = &plot,
};
