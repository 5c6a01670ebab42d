/// Two corridors that are equally long, on ground that the sensors see anew all the time, 3 % up
/// and down: nobody may be sent from one to the other. Then one becomes a fifth cheaper: everybody
/// who is in the other must be told so, once, and soon.
#include "sim/scenes/scenes.h"

#define HALL     20u ///< cells from either end
#define WALL     4u  ///< rows above and below
#define ROWS     5u  ///< of a corridor
#define NOISE    3u  ///< percent
#define NORMAL   100u
#define CHEAP    80u
#define SOON_MS  300
#define NOISE_US (RP_SCENE_SECOND_US / 20u)
#define PHASE_US (RP_SCENE_SECOND_US * 3u / 4u)
#define NEVER    UINT64_MAX

typedef struct corridors {
    uint64_t noise_us;
    uint64_t phase_us;
    bool is_open;       ///< one corridor is cheap now
    unsigned cheap;     ///< which one was last: 0 the upper, 1 the lower
    uint64_t opened_us; ///< when it was told
    uint64_t openings;
    bool must_switch[RP_SIMULATION_AGENTS_MAX];
    uint64_t wanted; ///< switches that openings call for
    uint64_t good;   ///< of these, said
    uint64_t vain;   ///< said without need
    uint64_t slowest_us;
} corridors_t;

static rp_terrain_box_t corridor(const rp_simulation_t *self, unsigned number)
{
    const rp_grid_view_t *grid = &self->terrain.grid;
    const uint32_t y = number == 0 ? WALL : grid->height - WALL - ROWS;
    return (rp_terrain_box_t){HALL, y, grid->width - 2 * HALL, ROWS};
}

static bool begin(rp_simulation_t *self)
{
    corridors_t *story = self->story;
    const rp_grid_view_t *grid = &self->terrain.grid;
    if (grid->width < 4 * HALL || grid->height < 4 * (WALL + ROWS)) {
        return false;
    }
    const rp_terrain_box_t middle = {HALL, 0, grid->width - 2 * HALL, grid->height};
    rp_terrain_fill(&self->terrain, middle, RP_KIND_WALL);
    rp_terrain_fill(&self->terrain, corridor(self, 0), RP_KIND_FLOOR);
    rp_terrain_fill(&self->terrain, corridor(self, 1), RP_KIND_FLOOR);
    const uint32_t row = grid->height / 2 * grid->width;
    for (uint32_t i = 0; i < self->agent_count; i++) {
        const uint32_t left = row + 1 + i % (HALL - 2);
        const uint32_t right = row + grid->width - 2 - i % (HALL - 2);
        rp_scene_send(self, i, i % 2 == 0 ? left : right, i % 2 == 0 ? right : left);
    }
    story->phase_us = NEVER;
    return true;
}

static bool make_noise(rp_simulation_t *self, unsigned number, rp_edits_t *edits)
{
    const corridors_t *story = self->story;
    const rp_terrain_box_t box = corridor(self, number);
    const bool is_cheap = story->is_open && story->cheap == number;
    const unsigned ground = is_cheap ? CHEAP : NORMAL;
    for (uint32_t i = 0; i < box.width * box.height; i++) {
        const uint32_t cell =
            (box.y + i / box.width) * self->terrain.grid.width + box.x + i % box.width;
        const unsigned percent = rp_seeded_between(&self->seeded, 100u - NOISE, 100u + NOISE);
        rp_terrain_grade(&self->terrain, cell, (uint8_t)(ground * percent / 100u));
        if (!rp_edits_add(edits, cell)) {
            return false;
        }
    }
    return true;
}

/// Which corridor an agent's path leads through.
static unsigned corridor_of(const rp_simulation_t *self, const rp_sim_agent_t *agent)
{
    const rp_grid_view_t *grid = &self->terrain.grid;
    for (size_t i = 0; i < agent->path_count; i++) {
        if (agent->path[i] % grid->width == grid->width / 2) {
            return agent->path[i] / grid->width > grid->height / 2;
        }
    }
    return 0;
}

static void turn(rp_simulation_t *self, corridors_t *story)
{
    story->phase_us = self->line.now_us + PHASE_US;
    story->is_open = !story->is_open && rp_scene_has_time(self, PHASE_US);
    for (uint32_t i = 0; i < self->agent_count; i++) {
        story->must_switch[i] = false;
    }
    if (!story->is_open) {
        return;
    }
    story->cheap = corridor_of(self, &self->agents[0]) == 0; // where the first one is not
    story->opened_us = self->line.now_us;
    story->openings++;
    for (uint32_t i = 0; i < self->agent_count; i++) {
        story->must_switch[i] = corridor_of(self, &self->agents[i]) != story->cheap;
        story->wanted += story->must_switch[i];
    }
}

static bool change(rp_simulation_t *self, rp_edits_t *edits)
{
    corridors_t *story = self->story;
    const uint64_t now_us = self->line.now_us;
    if (story->phase_us == NEVER && self->line.is_quiet) {
        story->phase_us = now_us + PHASE_US; // all have their first path
    }
    if (now_us < story->noise_us) {
        return true;
    }
    story->noise_us = now_us + NOISE_US;
    if (story->phase_us != NEVER && now_us >= story->phase_us) {
        turn(self, story);
    }
    return make_noise(self, 0, edits) && make_noise(self, 1, edits);
}

static void hear(rp_simulation_t *self, uint32_t number, const Replan__V1__Answer *answer)
{
    corridors_t *story = self->story;
    if (answer->reason == REPLAN__V1__REASON__FIRST) {
        return;
    }
    if (!story->must_switch[number]) {
        story->vain++;
        return;
    }
    const uint64_t took_us = self->line.now_us - story->opened_us;
    story->must_switch[number] = false;
    story->good++;
    story->slowest_us = took_us > story->slowest_us ? took_us : story->slowest_us;
}

static void judge(const rp_simulation_t *self, rp_acceptance_t *acceptance)
{
    const corridors_t *story = self->story;
    rp_acceptance_add(acceptance, "switches for the sake of noise", (double)story->vain, 0, 0);
    rp_acceptance_add(acceptance, "times that a corridor became a fifth cheaper",
                      (double)story->openings, 1, INFINITY);
    rp_acceptance_add(acceptance, "switches to it", (double)story->good, (double)story->wanted,
                      (double)story->wanted);
    rp_acceptance_add(acceptance, "ms until the slowest of these", (double)story->slowest_us / 1000,
                      0, SOON_MS);
}

static const rp_plot_t plot = {
    .size = sizeof(corridors_t), .begin = begin, .change = change, .hear = hear, .judge = judge};

const rp_scenario_t rp_scene_corridors = {
    .id = "corridors",
    .about = "two equal corridors: noise of 3 % causes no switch, a gain of 20 % causes one",
    .terrain = {.sort = RP_TERRAIN_PLAIN,
                .width = 140,
                .height = 41,
                .neighbors = 8,
                .scale = RP_SCALE_PERCENT},
    .trips = RP_TRIP_POST,
    .agents = 4,
    .rate = 20,
    .steps = 5,
    .manner = {.switch_gain_percent = 5, .min_interval_ms = 200},
    .plot = &plot,
};
