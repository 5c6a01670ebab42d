/// Rings in which everybody hunts the next one: all goals move all the time. Who is caught starts
/// anew elsewhere. Now and then one hides: his hunter must be told, and told again when he is back.
#include "sim/scenes/scenes.h"

#define RING    6u ///< hunters to a ring
#define HIDE_US (RP_SCENE_SECOND_US * 2u / 5u)
#define NOBODY  UINT32_MAX

typedef struct hunt {
    uint64_t due_us;
    uint32_t hidden;     ///< number of who hides; NOBODY
    uint32_t hunter;     ///< of who hid last
    bool is_lost;        ///< the hunter knows
    bool has_begun;      ///< all have their first path: before, some wait for others to be there
    uint64_t hides;      ///< that his hunter could hear of
    uint64_t said_lost;  ///< of these
    uint64_t said_found; ///< after these
    uint64_t caught;
} hunt_t;

static bool begin(rp_simulation_t *self)
{
    hunt_t *story = self->story;
    story->hidden = NOBODY;
    for (uint32_t i = 0; i < self->agent_count; i++) {
        const uint32_t first = i - i % RING;
        const uint32_t length =
            first + RING <= self->agent_count ? RING : self->agent_count - first;
        self->agents[i].prey = first + (i - first + 1) % length;
    }
    return self->agent_count % RING != 1; // nobody hunts himself
}

/// Who stands where his prey is has caught it.
static bool step(rp_simulation_t *self, rp_edits_t *edits)
{
    hunt_t *story = self->story;
    (void)edits;
    for (uint32_t i = 0; i < self->agent_count; i++) {
        rp_sim_agent_t *prey = &self->agents[self->agents[i].prey];
        self->agents[i].goal = prey->cell; // for the eye, and for walls that must not part them
        if (self->agents[i].is_away || prey->is_away || self->agents[i].cell != prey->cell) {
            continue;
        }
        story->caught++;
        rp_sim_agent_place(prey, rp_terrain_any_free(&self->terrain, &self->seeded));
        prey->path_count = 0;
        prey->at = 0;
    }
    return true;
}

static uint32_t hunter_of(const rp_simulation_t *self, uint32_t prey)
{
    for (uint32_t i = 0; i < self->agent_count; i++) {
        if (self->agents[i].prey == prey) {
            return i;
        }
    }
    return NOBODY;
}

static bool all_hunt(const rp_simulation_t *self)
{
    for (uint32_t i = 0; i < self->agent_count; i++) {
        if (self->agents[i].outcome != REPLAN__V1__OUTCOME__FOUND) {
            return false;
        }
    }
    return true;
}

/// Somebody hides, or comes back; never before the one before was noticed.
static bool change(rp_simulation_t *self, rp_edits_t *edits)
{
    hunt_t *story = self->story;
    (void)edits;
    if (self->line.now_us < story->due_us) {
        return true;
    }
    if (!story->has_begun) {
        story->has_begun = all_hunt(self);
        return true;
    }
    if (story->hidden != NOBODY && story->is_lost) {
        self->agents[story->hidden].is_away = false;
        story->hidden = NOBODY;
        story->due_us = self->line.now_us + HIDE_US;
    } else if (story->hidden == NOBODY && !story->is_lost &&
               rp_scene_has_time(self, 2u * HIDE_US)) {
        story->hidden = rp_seeded_below(&self->seeded, self->agent_count);
        self->agents[story->hidden].is_away = true;
        self->agents[story->hidden].path_count = 0;
        self->agents[story->hidden].at = 0;
        story->hunter = hunter_of(self, story->hidden);
        story->hides++;
        story->is_lost = false;
        story->due_us = self->line.now_us + HIDE_US;
    }
    return true;
}

static void hear(rp_simulation_t *self, uint32_t number, const Replan__V1__Answer *answer)
{
    hunt_t *story = self->story;
    const bool says_lost = answer->outcome == REPLAN__V1__OUTCOME__TARGET_LOST;
    if (!story->has_begun || story->hides == 0 || number != story->hunter ||
        says_lost == story->is_lost) {
        return;
    }
    story->said_lost += says_lost;
    story->said_found += !says_lost;
    story->is_lost = says_lost;
}

static void judge(const rp_simulation_t *self, rp_acceptance_t *acceptance)
{
    const hunt_t *story = self->story;
    const uint64_t back = story->hides - (story->hidden != NOBODY);
    rp_acceptance_add(acceptance, "times that somebody hid", (double)story->hides, 1, INFINITY);
    rp_acceptance_add(acceptance, "of these said to the hunter", (double)story->said_lost,
                      (double)story->hides, (double)story->hides);
    rp_acceptance_add(acceptance, "times that somebody came back, said to the hunter",
                      (double)story->said_found, (double)back, (double)back);
    rp_acceptance_add(acceptance, "times that somebody was caught", (double)story->caught, 0,
                      INFINITY);
}

static const rp_plot_t plot = {.size = sizeof(hunt_t),
                               .begin = begin,
                               .step = step,
                               .change = change,
                               .hear = hear,
                               .judge = judge};

const rp_scenario_t rp_scene_hunter_prey = {
    .id = "hunter-prey",
    .about = "rings of agents, each hunting the next; some hide and come back",
    .terrain =
        {.sort = RP_TERRAIN_RANDOM, .width = 128, .height = 80, .neighbors = 8, .density = 0.15},
    .churn = RP_CHURN_WALLS,
    .trips = RP_TRIP_ORDERS,
    .agents = 12,
    .rate = 20,
    .steps = 20,
    .walls = 10,
    .plot = &plot,
};
