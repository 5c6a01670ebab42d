/// Twenty robots of some width that begin inside of obstacles, and on which crates keep falling:
/// each must be shown the shortest way out, and get out. No way leads out of the depth of an
/// obstacle, so crates are small.
#include "sim/scenes/scenes.h"

#define CRATE    2 ///< cells; the robot is in a corner
#define PILLARS  0.02
#define CRATE_US (RP_SCENE_SECOND_US / 5u)
#define CRATES   40u ///< that lie about; the oldest is taken away first

typedef struct stuck {
    uint32_t crates[CRATES]; ///< the last cells of each, a ring
    uint64_t crate_count;    ///< that ever fell
    uint64_t due_us;
    uint64_t out;
    bool is_in[RP_SIMULATION_AGENTS_MAX]; ///< a crate lies on it
    bool began_in[RP_SIMULATION_AGENTS_MAX];
} stuck_t;

static uint32_t roomy_place(rp_simulation_t *self)
{
    return rp_scene_roomy_place(self, CRATE / 2 + 1);
}

static rp_terrain_box_t crate_box(const rp_simulation_t *self, uint32_t cell)
{
    const uint32_t width = self->terrain.grid.width;
    return (rp_terrain_box_t){cell % width - CRATE / 2, cell / width - CRATE / 2, CRATE, CRATE};
}

/// One more crate; the oldest makes room for it.
static bool drop_crate(rp_simulation_t *self, uint32_t cell, rp_edits_t *edits)
{
    stuck_t *story = self->story;
    uint32_t *place = &story->crates[story->crate_count % CRATES];
    if (story->crate_count >= CRATES &&
        !rp_scene_write(self, crate_box(self, *place), RP_KIND_FLOOR, edits)) {
        return false;
    }
    *place = cell;
    story->crate_count++;
    return rp_scene_write(self, crate_box(self, cell), RP_KIND_BUILDING, edits);
}

static bool begin(rp_simulation_t *self)
{
    stuck_t *story = self->story;
    const uint32_t cell_count = (uint32_t)rp_terrain_cell_count(&self->terrain);
    rp_edits_t edits = {0};
    bool begun = self->agent_count <= CRATES / 2 && cell_count >= 1024u * CRATES / 8;
    for (uint32_t i = 0; begun && i < cell_count * PILLARS; i++) {
        rp_terrain_write(&self->terrain, rp_seeded_below(&self->seeded, cell_count), RP_KIND_WALL);
    }
    for (uint32_t i = 0; begun && i < self->agent_count; i++) {
        rp_scene_send(self, i, roomy_place(self), roomy_place(self));
    }
    for (uint32_t i = 0; begun && i < self->agent_count; i++) {
        story->is_in[i] = story->began_in[i] =
            rp_scene_is_roomy(self, self->agents[i].cell, CRATE / 2);
        begun = !story->is_in[i] || drop_crate(self, self->agents[i].cell, &edits);
    }
    rp_edits_fini(&edits);
    return begun;
}

/// Those that got out, and those that came to where they wanted.
static bool step(rp_simulation_t *self, rp_edits_t *edits)
{
    stuck_t *story = self->story;
    (void)edits;
    for (uint32_t i = 0; i < self->agent_count; i++) {
        const rp_sim_agent_t *agent = &self->agents[i];
        if (story->is_in[i] && rp_terrain_is_free(&self->terrain, agent->cell)) {
            story->is_in[i] = story->began_in[i] = false;
            story->out++;
        }
        if (agent->cell == agent->goal || agent->has_no_path) {
            rp_scene_send(self, i, agent->cell, roomy_place(self));
        }
    }
    return true;
}

/// A crate falls on somebody who is on his way.
static bool change(rp_simulation_t *self, rp_edits_t *edits)
{
    stuck_t *story = self->story;
    const uint32_t number = rp_seeded_below(&self->seeded, self->agent_count);
    const uint32_t cell = self->agents[number].cell;
    if (self->line.now_us < story->due_us || !rp_scene_has_time(self, RP_SCENE_SECOND_US / 2u) ||
        !rp_scene_is_roomy(self, cell, CRATE / 2)) {
        return true;
    }
    story->due_us = self->line.now_us + CRATE_US;
    story->is_in[number] = true;
    return drop_crate(self, cell, edits);
}

static void judge(const rp_simulation_t *self, rp_acceptance_t *acceptance)
{
    const stuck_t *story = self->story;
    uint32_t began_in = 0;
    uint32_t is_in = 0;
    for (uint32_t i = 0; i < self->agent_count; i++) {
        began_in += story->began_in[i];
        is_in += story->is_in[i];
    }
    rp_acceptance_add(acceptance, "robots that got out of a crate", (double)story->out,
                      self->agent_count, INFINITY);
    rp_acceptance_add(acceptance, "robots still where they began, in a crate", began_in, 0, 0);
    rp_acceptance_add(acceptance, "robots in a crate in the end", is_in, 0, 0);
}

static const rp_plot_t plot = {
    .size = sizeof(stuck_t), .begin = begin, .step = step, .change = change, .judge = judge};

const rp_scenario_t rp_scene_stuck20 = {
    .id = "stuck20",
    .about = "twenty robots start inside obstacles, and more obstacles fall on them",
    .terrain = {.sort = RP_TERRAIN_PLAIN, .width = 128, .height = 80, .neighbors = 8},
    .trips = RP_TRIP_ORDERS,
    .agents = 20,
    .rate = 20,
    .steps = 15,
    .body = {.radius_m = 1.5},
    .manner = {.escape_m = 6},
    .plot = &plot,
};
