/// Rooms whose doors open and close, one after the other: each way that is cut must be said to be
/// cut, and each that comes back must be said to be back, once.
#include "sim/scenes/scenes.h"

#define ROOM      16u ///< cells from wall to wall
#define DOOR      2u  ///< cells wide
#define DOORS_MAX 256u

typedef struct doors {
    rp_terrain_box_t doors[DOORS_MAX];
    bool is_shut[DOORS_MAX];
    uint32_t count;
    bool is_cut[RP_SIMULATION_AGENTS_MAX];   ///< by a flood of ours
    bool says_cut[RP_SIMULATION_AGENTS_MAX]; ///< by the newest answer
    uint64_t cut;
    uint64_t restored;
    uint64_t said_cut;
    uint64_t said_restored;
} doors_t;

/// All rooms of a row are joined; rows are joined at their ends.
static void add_doors(const rp_simulation_t *self, doors_t *story)
{
    const rp_grid_view_t *grid = &self->terrain.grid;
    const uint32_t columns = grid->width / ROOM;
    for (uint32_t y = 0; y + ROOM <= grid->height; y += ROOM) {
        for (uint32_t x = 0; x + ROOM <= grid->width && story->count + 2 < DOORS_MAX; x += ROOM) {
            const bool is_end = x == 0 || x / ROOM == columns - 1;
            if (x > 0) {
                story->doors[story->count++] = (rp_terrain_box_t){x, y + ROOM / 2, 1, DOOR};
            }
            if (y > 0 && is_end) {
                story->doors[story->count++] = (rp_terrain_box_t){x + ROOM / 2, y, DOOR, 1};
            }
        }
    }
}

static bool begin(rp_simulation_t *self)
{
    doors_t *story = self->story;
    rp_terrain_t *terrain = &self->terrain;
    const uint32_t width = terrain->grid.width;
    const uint32_t height = terrain->grid.height;
    for (uint32_t x = ROOM; x < width; x += ROOM) {
        rp_terrain_fill(terrain, (rp_terrain_box_t){x, 0, 1, height}, RP_KIND_WALL);
    }
    for (uint32_t y = ROOM; y < height; y += ROOM) {
        rp_terrain_fill(terrain, (rp_terrain_box_t){0, y, width, 1}, RP_KIND_WALL);
    }
    add_doors(self, story);
    for (uint32_t i = 0; i < story->count; i++) {
        rp_terrain_fill(terrain, story->doors[i], RP_KIND_FLOOR);
    }
    for (uint32_t i = 0; i < self->agent_count; i++) {
        rp_terrain_box_t post = {0};
        do { // nobody stands in a door
            post.x = rp_terrain_any_free(terrain, &self->seeded);
            post.y = rp_terrain_any_free(terrain, &self->seeded);
        } while (post.x % width % ROOM == 0 || post.x / width % ROOM == 0 ||
                 post.y % width % ROOM == 0 || post.y / width % ROOM == 0);
        rp_scene_send(self, i, post.x, post.y);
    }
    return story->count > 0;
}

static void count_ways(rp_simulation_t *self, doors_t *story)
{
    rp_scene_label(self);
    for (uint32_t i = 0; i < self->agent_count; i++) {
        const bool is_cut = !rp_scene_is_connected(self, &self->agents[i]);
        story->cut += is_cut && !story->is_cut[i];
        story->restored += !is_cut && story->is_cut[i];
        story->is_cut[i] = is_cut;
    }
}

/// Most doors stand open.
static bool change(rp_simulation_t *self, rp_edits_t *edits)
{
    doors_t *story = self->story;
    if (!self->line.is_quiet) {
        return true;
    }
    const uint32_t i = rp_seeded_below(&self->seeded, story->count);
    if (!story->is_shut[i] && rp_seeded_chance(&self->seeded, 0.6)) {
        return true;
    }
    story->is_shut[i] = !story->is_shut[i];
    if (!rp_scene_write(self, story->doors[i], story->is_shut[i] ? RP_KIND_WALL : RP_KIND_FLOOR,
                        edits)) {
        return false;
    }
    count_ways(self, story);
    return true;
}

static void hear(rp_simulation_t *self, uint32_t number, const Replan__V1__Answer *answer)
{
    doors_t *story = self->story;
    const bool says_cut = answer->outcome == REPLAN__V1__OUTCOME__NO_PATH;
    story->said_cut += says_cut && !story->says_cut[number];
    story->said_restored += !says_cut && story->says_cut[number];
    story->says_cut[number] = says_cut;
}

static void judge(const rp_simulation_t *self, rp_acceptance_t *acceptance)
{
    const doors_t *story = self->story;
    rp_acceptance_add(acceptance, "ways that were cut", (double)story->cut, 1, INFINITY);
    rp_acceptance_add(acceptance, "of these said to be cut", (double)story->said_cut,
                      (double)story->cut, (double)story->cut);
    rp_acceptance_add(acceptance, "of these said to be back", (double)story->said_restored,
                      (double)story->restored, (double)story->restored);
}

static const rp_plot_t plot = {
    .size = sizeof(doors_t), .begin = begin, .change = change, .hear = hear, .judge = judge};

const rp_scenario_t rp_scene_doors = {
    .id = "doors",
    .about = "doors between rooms open and close; paths are cut and come back",
    .terrain = {.sort = RP_TERRAIN_PLAIN, .width = 128, .height = 80, .neighbors = 8},
    .trips = RP_TRIP_POST,
    .agents = 16,
    .rate = 50,
    .steps = 5,
    .plot = &plot,
};
