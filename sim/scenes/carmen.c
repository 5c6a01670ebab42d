/// A recorded drive: each fourth step the next laser scan is cast into the map, and what it changed
/// is all that the daemon hears. The window grows as more of the building is seen. Agents go from
/// where the robot was to where it was at another time; what nobody has seen yet counts as free, so
/// their paths turn as walls appear.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/image/png_write.h"
#include "sim/scenes/scenes.h"
#include "sim/world/laser_map.h"
#include "sim/world/window.h"

#define GROWTH 128u ///< the window's edges lie on multiples of it
#define WAIT   80u  ///< steps that a growth waits for the daemon, at most
#define AHEAD  20u  ///< goals are poses of scans up to so many later
#define TRIES  32u

typedef struct carmen {
    rp_laser_map_t map;
    rp_edits_t changed;    ///< by the scan that is being cast
    rp_terrain_box_t seen; ///< all cells that ever changed
    uint64_t growths;
    uint32_t waited; ///< steps that the growth which is due has waited for
    bool is_held;    ///< what the last scan changed is told together with the growth
    uint64_t trips;
    uint8_t *marks; ///< what an agent did in a cell, MARK_*; owned [cells of the map]
} carmen_t;

enum {
    MARK_PLANNED = 1,
    MARK_WALKED = 2,
};

static uint32_t cell_of_scan(const rp_simulation_t *self, size_t number)
{
    const carmen_t *story = self->story;
    const rp_laser_scan_t *scan = &self->scenario.log->scans[number];
    return rp_laser_map_cell(&story->map, scan->x, scan->y);
}

// ---- the window

/// Down to a multiple of GROWTH, and up to one.
static void fit(uint32_t first, uint32_t end, uint32_t whole, uint32_t *from, uint32_t *size)
{
    const uint32_t up = (end + GROWTH - 1u) / GROWTH * GROWTH;
    *from = first / GROWTH * GROWTH;
    *size = (up < whole ? up : whole) - *from;
}

static void include(rp_terrain_box_t *box, const rp_grid_view_t *grid, uint32_t cell)
{
    const uint32_t x = cell % grid->width;
    const uint32_t y = cell / grid->width;
    const uint32_t right = box->x + box->width > x + 1 ? box->x + box->width : x + 1;
    const uint32_t below = box->y + box->height > y + 1 ? box->y + box->height : y + 1;
    if (box->width == 0) {
        *box = (rp_terrain_box_t){x, y, 1, 1};
        return;
    }
    box->x = x < box->x ? x : box->x;
    box->y = y < box->y ? y : box->y;
    box->width = right - box->x;
    box->height = below - box->y;
}

static rp_terrain_box_t window_for(const rp_terrain_box_t *seen, const rp_grid_view_t *grid)
{
    rp_terrain_box_t window;
    fit(seen->x, seen->x + seen->width, grid->width, &window.x, &window.width);
    fit(seen->y, seen->y + seen->height, grid->height, &window.y, &window.height);
    return window;
}

// ---- goals

/// A pose of the recorded robot, up to now or soon, that the daemon's window holds.
static uint32_t next_goal(rp_simulation_t *self, uint32_t from)
{
    const carmen_t *story = self->story;
    const size_t known = (size_t)story->map.scans + AHEAD;
    const size_t count = self->scenario.log->count;
    for (unsigned i = 0; i < TRIES; i++) {
        const uint32_t number =
            rp_seeded_below(&self->seeded, (uint32_t)(known < count ? known : count));
        const uint32_t cell = cell_of_scan(self, number);
        if (cell != from &&
            rp_window_cell(&self->window, &self->terrain.grid, cell) != RP_NOWHERE) {
            return cell;
        }
    }
    return from;
}

static void send(rp_simulation_t *self, uint32_t number, uint32_t cell)
{
    carmen_t *story = self->story;
    story->trips++;
    rp_scene_send(self, number, cell, next_goal(self, cell));
}

static bool begin(rp_simulation_t *self)
{
    carmen_t *story = self->story;
    const rp_grid_view_t *grid = &self->terrain.grid;
    if (self->scenario.log == NULL ||
        !rp_laser_map_init(&story->map, self->scenario.log, RP_SCENE_CARMEN_RESOLUTION) ||
        grid->width != story->map.width || grid->height != story->map.height) {
        return false;
    }
    story->marks = calloc(rp_terrain_cell_count(&self->terrain), sizeof *story->marks);
    if (story->marks == NULL) {
        return false;
    }
    include(&story->seen, grid, cell_of_scan(self, 0));
    self->window = window_for(&story->seen, grid);
    for (uint32_t i = 0; i < self->agent_count; i++) {
        send(self, i, cell_of_scan(self, 0));
    }
    return true;
}

// ---- a step

/// Cast the next scan, if one is left. @return false without memory
static bool cast(rp_simulation_t *self)
{
    carmen_t *story = self->story;
    const rp_carmen_t *log = self->scenario.log;
    rp_edits_clear(&story->changed);
    if (story->map.scans == log->count) {
        return true;
    }
    if (!rp_laser_map_take(&story->map, log, &log->scans[story->map.scans], &story->changed)) {
        return false;
    }
    for (size_t i = 0; i < story->changed.count; i++) {
        const uint32_t cell = story->changed.cells[i];
        const bool is_free = story->map.states[cell] == RP_LASER_FREE;
        rp_terrain_write(&self->terrain, cell, is_free ? RP_KIND_FLOOR : RP_KIND_WALL);
        include(&story->seen, &self->terrain.grid, cell);
    }
    return true;
}

/// Tell what the scan changed. A growth waits until nothing is under way: what was asked in the
/// window before could not be checked any more. @return false without memory
static bool publish(rp_simulation_t *self, rp_edits_t *edits)
{
    carmen_t *story = self->story;
    const rp_terrain_box_t window = window_for(&story->seen, &self->terrain.grid);
    const bool grows = !rp_window_is(&window, &self->window);
    story->is_held = grows && !self->line.is_quiet && story->waited++ < WAIT;
    if (story->is_held) {
        return true;
    }
    story->waited = 0;
    story->growths += grows;
    self->window = window;
    for (size_t i = 0; i < story->changed.count; i++) {
        if (!rp_edits_add(edits, story->changed.cells[i])) {
            return false;
        }
    }
    rp_edits_clear(&story->changed);
    return true;
}

static bool step(rp_simulation_t *self, rp_edits_t *edits)
{
    carmen_t *story = self->story;
    const bool is_due = self->step % RP_SCENE_CARMEN_STEPS == 1;
    if ((is_due && !story->is_held && !cast(self)) || !publish(self, edits)) {
        return false;
    }
    for (uint32_t i = 0; i < self->agent_count; i++) {
        rp_sim_agent_t *agent = &self->agents[i];
        story->marks[agent->cell] |= MARK_WALKED;
        if (agent->cell == agent->goal || agent->has_no_path) {
            self->arrivals += agent->cell == agent->goal;
            send(self, i, agent->cell);
        }
    }
    return true;
}

static void hear(rp_simulation_t *self, uint32_t number, const Replan__V1__Answer *answer)
{
    carmen_t *story = self->story;
    const rp_sim_agent_t *agent = &self->agents[number];
    (void)answer;
    for (size_t i = 0; i < agent->path_count; i++) {
        story->marks[agent->path[i]] |= MARK_PLANNED;
    }
}

// ---- the end

static bool has_more(const rp_simulation_t *self)
{
    const carmen_t *story = self->story;
    return story->map.scans < self->scenario.log->count || story->is_held;
}

static void judge(const rp_simulation_t *self, rp_acceptance_t *acceptance)
{
    const carmen_t *story = self->story;
    const double all = (double)self->scenario.log->count;
    const bool is_whole =
        self->line.end_us == 0 ||
        (double)(self->line.end_us - self->line.begun_us) * self->scenario.steps >=
            all * (double)RP_SCENE_SECOND_US;
    rp_acceptance_add(acceptance, "scans of the log that were cast", story->map.scans,
                      is_whole ? all : 1, all);
    rp_acceptance_add(acceptance, "times that the window grew", (double)story->growths, 0,
                      INFINITY);
    rp_acceptance_add(acceptance, "cells that agents walked", (double)self->walked, 1, INFINITY);
}

typedef struct colour {
    uint8_t red, green, blue;
} colour_t;

static const colour_t ground[] = {
    [RP_LASER_UNKNOWN] = {205, 205, 205},
    [RP_LASER_FREE] = {255, 255, 255},
    [RP_LASER_OCCUPIED] = {30, 30, 30},
};
static const colour_t planned_colour = {250, 200, 120};
static const colour_t walked_colour = {210, 60, 30};
static const colour_t drive_colour = {40, 90, 200};

static void fill_picture(const rp_simulation_t *self, colour_t *pixels)
{
    const carmen_t *story = self->story;
    const rp_grid_view_t *grid = &self->terrain.grid;
    const rp_carmen_t *log = self->scenario.log;
    for (uint32_t cell = 0; cell < grid->width * grid->height; cell++) {
        const uint8_t marks = story->marks[cell];
        const uint32_t row =
            grid->height - 1u - cell / grid->width; // y grows upwards on the ground
        pixels[row * grid->width + cell % grid->width] = (marks & MARK_WALKED) != 0 ? walked_colour
                                                         : (marks & MARK_PLANNED) != 0
                                                             ? planned_colour
                                                             : ground[story->map.states[cell]];
    }
    for (size_t i = 0; i < log->count; i++) {
        const uint32_t cell = cell_of_scan(self, i);
        const uint32_t row = grid->height - 1u - cell / grid->width;
        pixels[row * grid->width + cell % grid->width] = drive_colour;
    }
}

rp_status_t rp_scene_carmen_draw(const rp_simulation_t *self, const char *path,
                                 rp_complaint_t *complaint)
{
    const rp_grid_view_t *grid = &self->terrain.grid;
    colour_t *pixels = malloc(rp_terrain_cell_count(&self->terrain) * sizeof *pixels);
    rp_output_t out = {.is_short = pixels == NULL};
    rp_status_t status = RP_OK;
    if (pixels != NULL) {
        fill_picture(self, pixels);
        rp_png_write(grid->width, grid->height, sizeof *pixels, &pixels->red, &out);
    }
    FILE *file = out.is_short ? NULL : fopen(path, "wb");
    const bool is_written = file != NULL && fwrite(out.bytes, 1, out.size, file) == out.size;
    if ((file != NULL && fclose(file) != 0) || !is_written) {
        status = out.is_short ? rp_complain_memory(complaint, path)
                              : rp_complain(complaint, path, 0, "%s", strerror(errno));
    }
    rp_output_fini(&out);
    free(pixels);
    return status;
}

static void end(rp_simulation_t *self)
{
    carmen_t *story = self->story;
    rp_laser_map_fini(&story->map);
    rp_edits_fini(&story->changed);
    free(story->marks);
}

static const rp_plot_t plot = {.size = sizeof(carmen_t),
                               .begin = begin,
                               .step = step,
                               .hear = hear,
                               .has_more = has_more,
                               .judge = judge,
                               .end = end,
                               .is_blind = true};

const rp_scenario_t rp_scene_carmen = {
    .id = "carmen",
    .about = "a recorded drive of a robot with a laser scanner builds the map",
    .terrain = {.sort = RP_TERRAIN_PLAIN, .neighbors = 8},
    .trips = RP_TRIP_ORDERS,
    .agents = 8,
    .rate = 20,
    .steps = 20 * RP_SCENE_CARMEN_STEPS,
    .manner = {.escape_m = 20},
    .plot = &plot,
};
