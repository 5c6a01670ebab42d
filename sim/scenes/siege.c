/// A keep behind a wall with gates. Attackers run at it from all sides; gates shut and breaches are
/// mended until nobody can get in: then they are to go where the keep is nearest. Who comes to the
/// keep is thrown out and begins again.
#include "sim/scenes/scenes.h"

#define CASTLE  20u ///< cells from the keep to the wall
#define WALL    2u  ///< cells thick
#define GATE    3u  ///< cells wide
#define GATES   8u  ///< two a side
#define TREES   0.06
#define BEAT_US (RP_SCENE_SECOND_US / 4u)
#define COURSE  8u ///< beats from one storm to the next; the gates stay shut for a quarter of them

typedef struct siege {
    uint32_t keep; ///< cell
    rp_terrain_box_t gates[GATES];
    bool is_shut[GATES];
    uint64_t due_us;
    uint32_t beat;
    uint64_t shut_out; ///< answers that lead to the foot of the wall
    uint64_t let_in;   ///< answers that lead to the keep, to somebody who was shut out
    uint64_t stormed;  ///< times that somebody came to the keep
    bool is_out[RP_SIMULATION_AGENTS_MAX];
} siege_t;

// ---- the castle

static void build(rp_simulation_t *self, siege_t *story)
{
    const rp_grid_view_t *grid = &self->terrain.grid;
    const uint32_t left = grid->width / 2 - CASTLE;
    const uint32_t top = grid->height / 2 - CASTLE;
    const uint32_t side = 2 * CASTLE + 1;
    const uint32_t inner = side - 2 * WALL;
    rp_terrain_fill(&self->terrain, (rp_terrain_box_t){left, top, side, side}, RP_KIND_BUILDING);
    rp_terrain_fill(&self->terrain, (rp_terrain_box_t){left + WALL, top + WALL, inner, inner},
                    RP_KIND_ROAD);
    for (uint32_t i = 0; i < GATES; i++) {
        const uint32_t along = i % 2 == 0 ? side / 4 : side - side / 4 - GATE;
        const uint32_t across = i / 2 % 2 == 0 ? 0 : side - WALL;
        story->gates[i] = i < GATES / 2
                              ? (rp_terrain_box_t){left + along, top + across, GATE, WALL}
                              : (rp_terrain_box_t){left + across, top + along, WALL, GATE};
        rp_terrain_fill(&self->terrain, story->gates[i], RP_KIND_RAMP);
    }
}

/// A free cell at the edge of the world.
static uint32_t camp(rp_simulation_t *self)
{
    const rp_grid_view_t *grid = &self->terrain.grid;
    uint32_t cell;
    do {
        cell = rp_terrain_any_free(&self->terrain, &self->seeded);
    } while (cell % grid->width > 4 && cell % grid->width + 5 < grid->width);
    return cell;
}

static bool begin(rp_simulation_t *self)
{
    siege_t *story = self->story;
    const rp_grid_view_t *grid = &self->terrain.grid;
    const uint32_t cell_count = (uint32_t)rp_grid_view_cell_count(grid);
    if (grid->width < 3 * CASTLE || grid->height < 3 * CASTLE) {
        return false;
    }
    for (uint32_t cell = 0; cell < cell_count; cell++) {
        const bool is_tree = rp_seeded_chance(&self->seeded, TREES);
        rp_terrain_write(&self->terrain, cell, is_tree ? RP_KIND_TREE : RP_KIND_GRASS);
    }
    build(self, story);
    story->keep = grid->height / 2 * grid->width + grid->width / 2;
    for (uint32_t i = 0; i < self->agent_count; i++) {
        rp_scene_send(self, i, camp(self), story->keep);
    }
    return true;
}

// ---- gates

static bool is_manned(const rp_simulation_t *self, const rp_terrain_box_t *box)
{
    for (uint32_t i = 0; i < self->agent_count; i++) {
        const uint32_t x = self->agents[i].cell % self->terrain.grid.width;
        const uint32_t y = self->agents[i].cell / self->terrain.grid.width;
        if (x >= box->x && y >= box->y && x - box->x < box->width && y - box->y < box->height) {
            return true;
        }
    }
    return false;
}

static bool set_gate(rp_simulation_t *self, siege_t *story, uint32_t gate, bool is_shut,
                     rp_edits_t *edits)
{
    if (story->is_shut[gate] == is_shut || (is_shut && is_manned(self, &story->gates[gate]))) {
        return true;
    }
    story->is_shut[gate] = is_shut;
    return rp_scene_write(self, story->gates[gate], is_shut ? RP_KIND_BUILDING : RP_KIND_RAMP,
                          edits);
}

/// First all gates shut, then they open and shut by chance.
static bool change(rp_simulation_t *self, rp_edits_t *edits)
{
    siege_t *story = self->story;
    if (self->line.now_us < story->due_us) {
        return true;
    }
    const bool is_closed = story->beat++ % COURSE < COURSE / 4;
    story->due_us = self->line.now_us + BEAT_US;
    for (uint32_t i = 0; i < GATES; i++) {
        const bool is_shut = is_closed || rp_seeded_chance(&self->seeded, 0.6);
        if (!set_gate(self, story, i, is_shut, edits)) {
            return false;
        }
    }
    return true;
}

// ---- attackers

static bool step(rp_simulation_t *self, rp_edits_t *edits)
{
    siege_t *story = self->story;
    (void)edits;
    for (uint32_t i = 0; i < self->agent_count; i++) {
        if (self->agents[i].cell == story->keep) {
            rp_scene_send(self, i, camp(self), story->keep);
            story->stormed++;
            story->is_out[i] = false;
        }
    }
    return true;
}

static void hear(rp_simulation_t *self, uint32_t number, const Replan__V1__Answer *answer)
{
    siege_t *story = self->story;
    const bool is_out = answer->goal_distance_m > 0;
    story->shut_out += is_out;
    story->let_in += !is_out && story->is_out[number];
    story->is_out[number] = is_out;
}

static void judge(const rp_simulation_t *self, rp_acceptance_t *acceptance)
{
    const siege_t *story = self->story;
    rp_acceptance_add(acceptance, "answers to the foot of the wall", (double)story->shut_out, 1,
                      INFINITY);
    rp_acceptance_add(acceptance, "answers that let somebody in again", (double)story->let_in, 1,
                      INFINITY);
    rp_acceptance_add(acceptance, "times that the keep was stormed", (double)story->stormed, 0,
                      INFINITY);
}

static const rp_plot_t plot = {.size = sizeof(siege_t),
                               .begin = begin,
                               .step = step,
                               .change = change,
                               .hear = hear,
                               .judge = judge};

const rp_scenario_t rp_scene_siege = {
    .id = "siege",
    .about = "attackers run to a keep; while all gates are shut, to the nearest reachable cell",
    .terrain = {.sort = RP_TERRAIN_PLAIN, .width = 128, .height = 80, .neighbors = 8},
    .trips = RP_TRIP_ORDERS,
    .agents = 24,
    .rate = 20,
    .steps = 20,
    .manner = {.is_nearest = true},
    .plot = &plot,
};
