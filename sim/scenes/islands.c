/// Islands, and goals on other islands. Trees grow and fall, sandbanks come and go: nothing of that
/// can lead anybody to his goal, so nobody must be told anything and nothing must be searched. Then
/// a bridge opens.
#include "sim/scenes/scenes.h"

#define TILE    48u ///< cells; one island each
#define RADIUS  18  ///< of an island
#define BRIDGE  2u  ///< cells wide
#define CALM_US (RP_SCENE_SECOND_US / 2u)
#define TREE_US (RP_SCENE_SECOND_US / 50u)

typedef enum phase {
    PHASE_WAIT,     ///< until all is said
    PHASE_ASK,      ///< how much was searched so far
    PHASE_CALM,     ///< nothing that happens matters
    PHASE_ASK_MORE, ///< how much was searched meanwhile
    PHASE_BRIDGE,   ///< until those that it serves know
    PHASE_TORN,     ///< until those that it served know
} phase_t;

typedef struct islands {
    phase_t phase;
    uint64_t due_us; ///< end of the calm
    uint64_t tree_us;
    uint64_t work;      ///< what the daemon had searched before the calm
    uint64_t work_news; ///< number of the answer that is waited for
    uint64_t calms;
    uint64_t calm_changes;
    uint64_t calm_answers;
    uint64_t searched; ///< cells, in calms
    uint64_t served;   ///< by bridges
    uint64_t said;     ///< of these
    uint32_t bridge;   ///< number of the island on its left
} islands_t;

static uint32_t columns_of(const rp_simulation_t *self)
{
    return self->terrain.grid.width / TILE;
}

static uint32_t island_count(const rp_simulation_t *self)
{
    return columns_of(self) * (self->terrain.grid.height / TILE);
}

static uint32_t middle_of(const rp_simulation_t *self, uint32_t island)
{
    const uint32_t x = island % columns_of(self) * TILE + TILE / 2;
    const uint32_t y = island / columns_of(self) * TILE + TILE / 2;
    return y * self->terrain.grid.width + x;
}

/// Any cell of the middle of an island.
static uint32_t place_on(rp_simulation_t *self, uint32_t island)
{
    const int reach = RADIUS / 2;
    const int dx = (int)rp_seeded_below(&self->seeded, 2u * (unsigned)reach + 1u) - reach;
    const int dy = (int)rp_seeded_below(&self->seeded, 2u * (unsigned)reach + 1u) - reach;
    return rp_grid_view_offset(&self->terrain.grid, middle_of(self, island), dx, dy);
}

static bool begin(rp_simulation_t *self)
{
    rp_terrain_t *terrain = &self->terrain;
    const rp_grid_view_t *grid = &terrain->grid;
    const uint32_t count = columns_of(self) < 2 ? 0 : island_count(self);
    rp_terrain_fill(terrain, rp_box_of(grid), RP_KIND_WATER);
    for (uint32_t i = 0; i < count; i++) {
        for (int dy = -RADIUS; dy <= RADIUS; dy++) {
            for (int dx = -RADIUS; dx <= RADIUS; dx++) {
                const double off = hypot(dx, dy);
                if (off <= RADIUS) {
                    rp_terrain_write(terrain, rp_grid_view_offset(grid, middle_of(self, i), dx, dy),
                                     off > RADIUS - 2 ? RP_KIND_SAND : RP_KIND_GRASS);
                }
            }
        }
    }
    for (uint32_t i = 0; i < self->agent_count && count > 1; i++) {
        // The right neighbour for every other agent: somebody must need each bridge.
        const uint32_t home = i % count;
        const uint32_t far =
            home + (i % 2 == 0 ? 1 : 1 + rp_seeded_below(&self->seeded, count - 1));
        rp_scene_send(self, i, place_on(self, home), place_on(self, far % count));
    }
    return count > 1;
}

static bool is_somebodys(const rp_simulation_t *self, uint32_t cell)
{
    for (uint32_t i = 0; i < self->agent_count; i++) {
        if (self->agents[i].cell == cell || self->agents[i].goal == cell) {
            return true;
        }
    }
    return false;
}

/// A tree in the middle of an island, or a sandbank in the middle of the sea.
static bool pass_time(rp_simulation_t *self, islands_t *story, rp_edits_t *edits)
{
    const uint32_t island = rp_seeded_below(&self->seeded, island_count(self));
    uint32_t cell = place_on(self, island);
    rp_terrain_kind_t kind = RP_KIND_TREE;
    if (rp_seeded_chance(&self->seeded, 0.3)) {
        cell = rp_grid_view_offset(&self->terrain.grid, middle_of(self, island), 1 - (int)TILE / 2,
                                   1 - (int)TILE / 2);
        kind = RP_KIND_WATER;
    }
    if (self->line.now_us < story->tree_us || is_somebodys(self, cell)) {
        return true;
    }
    if (self->terrain.kinds[cell] == (uint8_t)kind) {
        kind = kind == RP_KIND_TREE ? RP_KIND_GRASS : RP_KIND_SAND;
    }
    story->tree_us = self->line.now_us + TREE_US;
    story->calm_changes++;
    const uint32_t width = self->terrain.grid.width;
    return rp_scene_write(self, (rp_terrain_box_t){cell % width, cell / width, 1, 1}, kind, edits);
}

// ---- bridges

static rp_terrain_box_t bridge_box(const rp_simulation_t *self, uint32_t island)
{
    const uint32_t width = self->terrain.grid.width;
    const uint32_t middle = middle_of(self, island);
    return (rp_terrain_box_t){middle % width + RADIUS - 1, middle / width, TILE - 2 * RADIUS + 2,
                              BRIDGE};
}

static bool open_bridge(rp_simulation_t *self, islands_t *story, rp_edits_t *edits)
{
    do {
        story->bridge = rp_seeded_below(&self->seeded, island_count(self));
    } while (story->bridge % columns_of(self) == columns_of(self) - 1);
    if (!rp_scene_write(self, bridge_box(self, story->bridge), RP_KIND_BRIDGE, edits)) {
        return false;
    }
    rp_scene_label(self);
    for (uint32_t i = 0; i < self->agent_count; i++) {
        story->served += rp_scene_is_connected(self, &self->agents[i]);
    }
    return true;
}

static bool tear_bridge(rp_simulation_t *self, const islands_t *story, rp_edits_t *edits)
{
    rp_terrain_box_t box = bridge_box(self, story->bridge);
    box.x++; // its ends are land
    box.width -= 2;
    return rp_scene_write(self, box, RP_KIND_WATER, edits);
}

// ---- the course of things

static void ask_work(rp_simulation_t *self, islands_t *story)
{
    story->work_news = self->line.work_news + 1;
    self->line.wants_work = true;
}

static bool change(rp_simulation_t *self, rp_edits_t *edits)
{
    islands_t *story = self->story;
    const bool has_work = self->line.work_news >= story->work_news;
    switch (story->phase) {
    case PHASE_WAIT:
        if (self->line.is_quiet) {
            ask_work(self, story);
            story->phase = PHASE_ASK;
        }
        return true;
    case PHASE_ASK:
        if (has_work) {
            story->work = self->line.work;
            story->due_us = self->line.now_us + CALM_US;
            story->phase = PHASE_CALM;
        }
        return true;
    case PHASE_CALM:
        if (self->line.now_us < story->due_us) {
            return pass_time(self, story, edits);
        }
        if (self->line.is_quiet) {
            ask_work(self, story);
            story->phase = PHASE_ASK_MORE;
        }
        return true;
    case PHASE_ASK_MORE:
        if (has_work) {
            story->searched += self->line.work - story->work;
            story->calms++;
            story->phase = PHASE_BRIDGE;
            return open_bridge(self, story, edits);
        }
        return true;
    case PHASE_BRIDGE:
        if (self->line.is_quiet) {
            story->phase = PHASE_TORN;
            return tear_bridge(self, story, edits);
        }
        return true;
    case PHASE_TORN:
        story->phase = self->line.is_quiet ? PHASE_WAIT : PHASE_TORN;
        return true;
    }
    return true;
}

static void hear(rp_simulation_t *self, uint32_t number, const Replan__V1__Answer *answer)
{
    islands_t *story = self->story;
    (void)number;
    story->calm_answers += story->phase == PHASE_CALM || story->phase == PHASE_ASK_MORE;
    story->said += answer->outcome == REPLAN__V1__OUTCOME__FOUND;
}

static void judge(const rp_simulation_t *self, rp_acceptance_t *acceptance)
{
    const islands_t *story = self->story;
    rp_acceptance_add(acceptance, "changes that could not matter", (double)story->calm_changes, 1,
                      INFINITY);
    rp_acceptance_add(acceptance, "answers to these", (double)story->calm_answers, 0, 0);
    rp_acceptance_add(acceptance, "times that nothing could matter", (double)story->calms, 1,
                      INFINITY);
    rp_acceptance_add(acceptance, "cells searched in them", (double)story->searched, 0, 0);
    rp_acceptance_add(acceptance, "ways that bridges opened", (double)story->served, 1, INFINITY);
    rp_acceptance_add(acceptance, "of these said", (double)story->said, (double)story->served,
                      (double)story->served);
}

static const rp_plot_t plot = {
    .size = sizeof(islands_t), .begin = begin, .change = change, .hear = hear, .judge = judge};

const rp_scenario_t rp_scene_islands = {
    .id = "islands",
    .about = "unreachable goals on islands; nothing is searched until a bridge opens",
    .terrain = {.sort = RP_TERRAIN_PLAIN, .width = 288, .height = 192, .neighbors = 8},
    .trips = RP_TRIP_POST,
    .agents = 200,
    .rate = 50,
    .steps = 5,
    .plot = &plot,
};
