/// Agents that drive: ships in a harbour, cars that park, a robot among shelves, a convoy. Crates
/// come and go round them. Each curve is held against a checker of its own.
#include "sim/world/driving.h"
#include "sim/scenes/scenes.h"

#define CRATES   24u
#define ROOM     8 ///< cells that are free round where somebody stands or goes
#define CRATE_US (RP_SCENE_SECOND_US / 8u)

typedef struct drivers {
    uint32_t crates[CRATES]; ///< a ring
    uint64_t crate_count;
    uint64_t due_us;
} drivers_t;

static int room_of(const rp_simulation_t *self)
{
    const rp_drive_options_t *drive = &self->scenario.drive;
    return (int)ceil(fmax(drive->radius_m, hypot(drive->ahead_m, drive->aside_m))) + 1;
}

static uint32_t roomy_place(rp_simulation_t *self)
{
    return rp_scene_roomy_place(self, room_of(self));
}

/// Another goal; in a convoy that of the one ahead.
static void send(rp_simulation_t *self, uint32_t number)
{
    const bool leads = !self->scenario.manner.has_orders || number == 0; // else they follow
    const uint32_t goal = leads ? roomy_place(self) : self->agents[number - 1u].goal;
    rp_sim_agent_aim(&self->agents[number], goal, false);
}

static bool begin(rp_simulation_t *self)
{
    rp_terrain_t *terrain = &self->terrain;
    const uint32_t cells = (uint32_t)rp_terrain_cell_count(terrain);
    if (terrain->grid.width < 60u || terrain->grid.height < 50u) {
        return false;
    }
    for (uint32_t i = 0; i < cells / 600u; i++) {
        const bool lies = rp_seeded_chance(&self->seeded, 0.5);
        const rp_terrain_box_t block = {rp_seeded_below(&self->seeded, terrain->grid.width - 8u),
                                        rp_seeded_below(&self->seeded, terrain->grid.height - 8u),
                                        lies ? 6u : 2u, lies ? 2u : 6u};
        rp_terrain_fill(terrain, block, RP_KIND_WALL);
    }
    for (uint32_t i = 0; i < self->agent_count; i++) {
        const uint32_t cell = roomy_place(self);
        const rp_drive_pose_t pose = {cell % terrain->grid.width + 0.5,
                                      cell / terrain->grid.width + 0.5,
                                      0.1 * rp_seeded_below(&self->seeded, 63)};
        if (!rp_driving_seat(&self->agents[i], &terrain->grid, &pose)) {
            return false;
        }
        send(self, i);
    }
    return true;
}

static bool step(rp_simulation_t *self, rp_edits_t *edits)
{
    (void)edits;
    for (uint32_t i = 0; i < self->agent_count; i++) {
        const rp_sim_agent_t *agent = &self->agents[i];
        const bool has_come =
            agent->heard_goal == agent->goal_id && agent->outcome == REPLAN__V1__OUTCOME__ARRIVED;
        self->arrivals += has_come;
        if (has_come || agent->has_no_path) {
            send(self, i);
        }
    }
    return true;
}

static bool is_far(const rp_simulation_t *self, uint32_t cell)
{
    const rp_grid_view_t *grid = &self->terrain.grid;
    bool far = true;
    for (uint32_t i = 0; i < self->agent_count && far; i++) {
        far = rp_grid_view_manhattan(grid, cell, self->agents[i].cell) > 2u * ROOM &&
              rp_grid_view_manhattan(grid, cell, self->agents[i].goal) > 2u * ROOM;
    }
    return far;
}

static rp_terrain_box_t crate_at(const rp_simulation_t *self, uint32_t cell)
{
    const uint32_t width = self->terrain.grid.width;
    return (rp_terrain_box_t){cell % width, cell / width, 2, 2};
}

/// A crate more, and the oldest goes.
static bool change(rp_simulation_t *self, rp_edits_t *edits)
{
    drivers_t *story = self->story;
    const rp_grid_view_t *grid = &self->terrain.grid;
    const uint32_t cell = rp_seeded_below(&self->seeded, grid->height - 2u) * grid->width +
                          rp_seeded_below(&self->seeded, grid->width - 2u);
    uint32_t *place = &story->crates[story->crate_count % CRATES];
    if (self->line.now_us < story->due_us || !is_far(self, cell) ||
        !rp_scene_is_roomy(self, cell, 2)) {
        return true;
    }
    story->due_us = self->line.now_us + CRATE_US;
    if (story->crate_count >= CRATES &&
        !rp_scene_write(self, crate_at(self, *place), RP_KIND_FLOOR, edits)) {
        return false;
    }
    *place = cell;
    story->crate_count++;
    return rp_scene_write(self, crate_at(self, cell), RP_KIND_BUILDING, edits);
}

static void judge(const rp_simulation_t *self, rp_acceptance_t *acceptance)
{
    rp_acceptance_add(acceptance, "metres driven", (double)self->walked, 1, INFINITY);
}

static const rp_plot_t plot = {
    .size = sizeof(drivers_t), .begin = begin, .step = step, .change = change, .judge = judge};

const rp_scenario_t rp_scene_harbour = {
    .id = "harbour",
    .about = "ships that turn on six metres go from berth to berth, past what drifts about",
    .terrain = {.sort = RP_TERRAIN_PLAIN, .width = 140, .height = 100, .neighbors = 8},
    .trips = RP_TRIP_ORDERS,
    .agents = 4,
    .rate = 10,
    .steps = 6,
    .drive = {.turning_radius_m = 6, .radius_m = 2.5},
    .manner = {.switch_gain_percent = 5},
    .plot = &plot,
};

const rp_scenario_t rp_scene_parking = {
    .id = "parking",
    .about = "cars with a footprint go from gap to gap, backwards, too",
    .terrain = {.sort = RP_TERRAIN_PLAIN, .width = 90, .height = 60, .neighbors = 8},
    .trips = RP_TRIP_ORDERS,
    .agents = 3,
    .rate = 10,
    .steps = 5,
    .drive =
        {.turning_radius_m = 3, .ahead_m = 1.9, .behind_m = 0.8, .aside_m = 0.7, .reverses = true},
    .manner = {.switch_gain_percent = 5},
    .plot = &plot,
};

const rp_scenario_t rp_scene_warehouse = {
    .id = "warehouse",
    .about = "robots that turn in place carry loads, longer than they are wide, between shelves",
    .terrain = {.sort = RP_TERRAIN_PLAIN, .width = 100, .height = 70, .neighbors = 8},
    .trips = RP_TRIP_ORDERS,
    .agents = 4,
    .rate = 10,
    .steps = 8,
    .drive = {.turning_radius_m = 2,
              .ahead_m = 1.4,
              .behind_m = 1.0,
              .aside_m = 0.6,
              .turns_in_place = true},
    .manner = {.switch_gain_percent = 5},
    .plot = &plot,
};

const rp_scenario_t rp_scene_convoy = {
    .id = "convoy",
    .about = "six trucks follow each other from goal to goal",
    .terrain = {.sort = RP_TERRAIN_PLAIN, .width = 120, .height = 80, .neighbors = 8},
    .trips = RP_TRIP_ORDERS,
    .agents = 6,
    .rate = 10,
    .steps = 8,
    .drive = {.turning_radius_m = 4, .radius_m = 1.4},
    .manner = {.switch_gain_percent = 5, .has_orders = true},
    .plot = &plot,
};
