/// First it is measured how many changes a second are applied and settled, one after the other.
/// Then ten times as many are sent, then none. Nothing may get lost, and a second later all that
/// was sent must be applied and every agent answered for it. Meanwhile there must be answers each
/// second, and who may wait must not get more of them than the others.
#include <math.h>

#include "sim/scenes/scenes.h"
#include "sim/world/window.h"

#define TIMES       10u
#define OVERLOAD    2    ///< times as many must get through; beyond, control may slow us down
#define MEASURE     0.25 ///< share of the run, at most MEASURE_S
#define MEASURE_S   2.0
#define CALM        0.35 ///< share of the run, at least CALM_S
#define CALM_S      1.2
#define OPEN_RUN_S  66.0 ///< length of the run when no end is set
#define RECOVERY_MS 1000
#define SILENCE_MS  1000
#define PATCH       8u  ///< cells, each way
#define PATIENT     4u  ///< each so manieth agent may wait
#define ANSWERS     200 ///< while overloaded: of fewer, who got more of them is chance

typedef struct overload {
    uint64_t measured;     ///< changes that were settled one after the other
    uint64_t measured_us;  ///< the time that took
    uint64_t sent;         ///< in the overload
    uint64_t began_us;     ///< of the overload; 0: not yet
    uint64_t last_us;      ///< when the last of them was sent
    uint64_t most_behind;  ///< changes that waited to be settled at the same time
    uint64_t heard_us;     ///< when the newest answer came
    uint64_t silent_us;    ///< the longest time without any, in the overload
    uint64_t recovered_us; ///< when all was settled; 0: not yet
    uint64_t said[2];      ///< answers in the overload, to who may not wait, and to who may
} overload_t;

typedef struct plan {
    uint64_t overload_us; ///< when it begins, by the clock of the line
    uint64_t calm_us;
} plan_t;

static plan_t plan_of(const rp_link_state_t *line)
{
    const double run_s =
        line->end_us == 0 ? OPEN_RUN_S : (double)(line->end_us - line->begun_us) / 1e6;
    const double measure_s = fmin(MEASURE * run_s, MEASURE_S);
    const double calm_s = fmax(fmin(CALM * run_s, 2 * CALM_S), CALM_S);
    return (plan_t){line->begun_us + (uint64_t)(measure_s * 1e6),
                    line->begun_us + (uint64_t)((run_s - calm_s) * 1e6)};
}

/// Some ground is blocked or freed: eight by eight cells where nobody stands.
static bool write_patch(rp_simulation_t *self, rp_edits_t *edits)
{
    const rp_grid_view_t *grid = &self->terrain.grid;
    for (unsigned tries = 0; tries < 100; tries++) {
        const rp_terrain_box_t box = {rp_seeded_below(&self->seeded, grid->width / PATCH) * PATCH,
                                      rp_seeded_below(&self->seeded, grid->height / PATCH) * PATCH,
                                      PATCH, PATCH};
        bool is_free = true;
        for (uint32_t i = 0; i < self->agent_count && is_free; i++) {
            is_free = rp_window_cell(&box, grid, self->agents[i].cell) == RP_NOWHERE &&
                      rp_window_cell(&box, grid, self->agents[i].goal) == RP_NOWHERE;
        }
        const uint32_t corner = box.y * grid->width + box.x;
        const bool blocks = rp_terrain_is_free(&self->terrain, corner);
        if (is_free && (!blocks || rp_seeded_chance(&self->seeded, 0.2))) {
            return rp_scene_write(self, box, blocks ? RP_KIND_BUILDING : RP_KIND_FLOOR, edits);
        }
    }
    return true;
}

static bool measure(rp_simulation_t *self, overload_t *story, rp_edits_t *edits)
{
    if (!self->line.is_quiet) {
        return true;
    }
    if (story->measured_us == 0) {
        story->last_us = self->line.now_us; // all have their first path
        story->measured_us = 1;
        return write_patch(self, edits);
    }
    story->measured++;
    story->measured_us = self->line.now_us - story->last_us;
    return write_patch(self, edits);
}

/// Changes that are due by now.
static uint64_t due(const rp_simulation_t *self, const overload_t *story)
{
    const double passed_us = (double)(self->line.now_us - story->began_us);
    return (uint64_t)(passed_us * TIMES * (double)story->measured / (double)story->measured_us);
}

static bool change(rp_simulation_t *self, rp_edits_t *edits)
{
    overload_t *story = self->story;
    const plan_t plan = plan_of(&self->line);
    const uint64_t now_us = self->line.now_us;
    self->line.is_timed = story->recovered_us == 0;
    if (now_us < plan.overload_us || story->measured == 0) {
        return measure(self, story, edits);
    }
    story->began_us = story->began_us == 0 ? now_us : story->began_us;
    if (now_us < plan.calm_us) {
        const uint64_t since_us =
            story->heard_us > story->began_us ? story->heard_us : story->began_us;
        const uint64_t silent_us = now_us - since_us;
        story->silent_us = silent_us > story->silent_us ? silent_us : story->silent_us;
        const uint64_t behind = self->line.told - self->line.settled;
        story->most_behind = behind > story->most_behind ? behind : story->most_behind;
        if (story->sent >= due(self, story)) {
            return true;
        }
        story->sent++;
        story->last_us = now_us;
        return write_patch(self, edits);
    }
    if (story->recovered_us == 0 && self->line.is_quiet) {
        story->recovered_us = now_us;
    }
    return true;
}

static void hear(rp_simulation_t *self, uint32_t number, const Replan__V1__Answer *answer)
{
    overload_t *story = self->story;
    (void)answer;
    story->heard_us = self->line.now_us;
    if (story->began_us != 0 && self->line.now_us < plan_of(&self->line).calm_us) {
        story->said[number % PATIENT == 0]++;
    }
}

static void judge(const rp_simulation_t *self, rp_acceptance_t *acceptance)
{
    const overload_t *story = self->story;
    const double took_us = (double)(story->last_us - story->began_us);
    const double settled_us =
        story->measured == 0 ? NAN : (double)story->measured_us / (double)story->measured;
    const double recovery_us =
        story->recovered_us == 0 ? INFINITY : (double)(story->recovered_us - story->last_us);
    rp_acceptance_add(acceptance, "changes settled one by one, a second", 1e6 / settled_us, 1,
                      INFINITY);
    rp_acceptance_add(acceptance, "times as many that were sent then",
                      (double)story->sent / took_us * settled_us, OVERLOAD, INFINITY);
    rp_acceptance_add(acceptance, "changes that waited to be settled, at worst",
                      (double)story->most_behind, TIMES, INFINITY);
    rp_acceptance_add(acceptance, "changes that were sent", (double)self->line.told, 1, INFINITY);
    rp_acceptance_add(acceptance, "of these acknowledged", (double)self->line.applied,
                      (double)self->line.told, (double)self->line.told);
    const double said = (double)story->said[0] + (double)story->said[1];
    rp_acceptance_add(acceptance, "answers meanwhile", said, ANSWERS, INFINITY);
    if (said >= ANSWERS) {
        const double deviation = sqrt(PATIENT * PATIENT / (PATIENT - 1.0) / said);
        rp_acceptance_add(acceptance, "answers to an agent that may wait, for each to another one",
                          (double)story->said[1] * (PATIENT - 1u) / (double)story->said[0], 0,
                          1.1 + 3.0 * deviation);
    }
    rp_acceptance_add(acceptance, "ms without an answer to anybody, at worst",
                      (double)story->silent_us / 1000, 0, SILENCE_MS);
    rp_acceptance_add(acceptance, "ms from the last one until all was settled", recovery_us / 1000,
                      0, RECOVERY_MS);
}

static const rp_plot_t plot = {
    .size = sizeof(overload_t), .change = change, .hear = hear, .judge = judge};

const rp_scenario_t rp_scene_overload = {
    .id = "overload",
    .about = "ten times more changes than the daemon can settle, then calm; nothing is lost",
    .terrain =
        {.sort = RP_TERRAIN_RANDOM, .width = 256, .height = 192, .neighbors = 8, .density = 0.1},
    .trips = RP_TRIP_POST,
    .agents = 100,
    .rate = 1000,
    .steps = 5,
    .manner = {.patient = PATIENT},
    .plot = &plot,
};
