/// Woods over a fifth of the world, goals in clearings; buildings come and go near the goals, and
/// each agent says at every second tick where it is: now and then a cell farther along its path.
#include "bench/wire/event_log.h"

#include <stdlib.h>
#include <string.h>

#include "bench/measure/harness.h"

#define TICK_US     50000u
#define STEP_BUDGET 8192u
#define FOOTPRINT   3u
#define NEAR        40u ///< cells between a goal and the buildings around it
#define MARGIN      8u  ///< between a goal and the edge
#define STEP_CHANCE 30u ///< percent of the poses

typedef struct maker {
    rp_event_log_t *log;
    const rp_event_form_t *form;
    rp_engine_t *engine;
    rp_world_id_t world;
    uint8_t *bytes;            ///< as they are now [side * side]
    rp_session_id_t *sessions; ///< [agents]
    uint32_t *places;          ///< of the agents [agents]
    uint32_t *goals;           ///< places [goals]
    uint32_t *buildings;       ///< corners of those that stand [building_count]
    uint32_t building_count;
    uint64_t random;
} maker_t;

// ---- the world

static void stamp(rp_event_log_t *log, uint32_t place, int64_t radius, uint8_t byte)
{
    const int64_t side = log->side;
    for (int64_t dy = -radius; dy <= radius; dy++) {
        for (int64_t dx = -radius; dx <= radius; dx++) {
            const int64_t x = place % log->side + dx;
            const int64_t y = place / log->side + dy;
            if (dx * dx + dy * dy <= radius * radius && x >= 0 && y >= 0 && x < side && y < side) {
                log->bytes[y * side + x] = byte;
            }
        }
    }
}

static void grow_world(maker_t *self)
{
    rp_event_log_t *log = self->log;
    const uint32_t cells = log->side * log->side;
    memset(log->bytes, 1, cells);
    for (uint32_t i = 0; i < cells / 1000u; i++) {
        const uint32_t side = 3 + rp_bench_below(&self->random, 9);
        stamp(log, rp_bench_below(&self->random, cells), side, 0);
    }
    for (uint32_t i = 0; i < self->form->goals; i++) {
        const uint32_t inside = log->side - 2u * MARGIN;
        const uint32_t x = MARGIN + rp_bench_below(&self->random, inside);
        const uint32_t y = MARGIN + rp_bench_below(&self->random, inside);
        self->goals[i] = y * log->side + x;
        stamp(log, self->goals[i], 5, 1);
    }
    memcpy(self->bytes, log->bytes, cells);
}

// ---- events

static void note(maker_t *self, rp_event_t event)
{
    rp_event_log_t *log = self->log;
    if (log->event_count == log->event_capacity) {
        log->event_capacity = 2u * log->event_capacity + 1024u;
        log->events = rp_bench_memory(log->events, log->event_capacity, sizeof *log->events);
    }
    log->events[log->event_count++] = event;
}

static void move(maker_t *self, uint32_t agent)
{
    const uint32_t place = self->places[agent];
    const rp_destination_t at = rp_event_log_point(self->log, place);
    note(self, (rp_event_t){.kind = RP_EVENT_POSE, .agent = agent, .place = place});
    (void)rp_engine_pose(self->engine, self->sessions[agent], at.x_m, at.y_m, 0,
                         (rp_cause_t){0, 0});
}

static void aim(maker_t *self, uint32_t agent, uint32_t goal)
{
    const rp_destination_t to = rp_event_log_point(self->log, self->goals[goal]);
    note(self, (rp_event_t){.kind = RP_EVENT_AIM, .agent = agent, .place = self->goals[goal]});
    (void)rp_engine_goals(self->engine, self->sessions[agent], &to, 1, 0, (rp_cause_t){0, 0});
}

static void walk(maker_t *self, uint32_t agent)
{
    static const int dx[] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
    rp_answer_t answer;
    if (rp_engine_answer(self->engine, self->sessions[agent], &answer) != RP_OK) {
        return;
    }
    if (answer.outcome == RP_ANSWER_ARRIVED) {
        aim(self, agent, rp_bench_below(&self->random, self->form->goals));
    } else if (answer.step_count != 0 && rp_bench_below(&self->random, 100) < STEP_CHANCE) {
        self->places[agent] = (uint32_t)((int64_t)self->places[agent] + dx[answer.steps[0]] +
                                         (int64_t)dy[answer.steps[0]] * self->log->side);
    }
    move(self, agent);
}

/// Where a building may come, near some goal. @return its corner
static uint32_t choose_site(maker_t *self)
{
    const uint32_t side = self->log->side;
    const uint32_t most = side - FOOTPRINT - 1u;
    const uint32_t goal = self->goals[rp_bench_below(&self->random, self->form->goals)];
    uint32_t x = goal % side + rp_bench_below(&self->random, 2u * NEAR);
    uint32_t y = goal / side + rp_bench_below(&self->random, 2u * NEAR);
    x = x < NEAR + 1u ? 1u : x - NEAR;
    y = y < NEAR + 1u ? 1u : y - NEAR;
    return (y < most ? y : most) * side + (x < most ? x : most);
}

static bool is_free(const maker_t *self, uint32_t corner)
{
    for (uint32_t i = 0; i < FOOTPRINT * FOOTPRINT; i++) {
        if (self->bytes[corner + i / FOOTPRINT * self->log->side + i % FOOTPRINT] == 0) {
            return false;
        }
    }
    return true;
}

/// A building comes where there is room, or one goes.
static void build(maker_t *self)
{
    uint32_t corner = choose_site(self);
    const bool comes = is_free(self, corner) &&
                       (self->building_count == 0 || rp_bench_below(&self->random, 2) == 0);
    if (!comes && self->building_count == 0) {
        return;
    }
    if (comes) {
        self->buildings[self->building_count++] = corner;
    } else {
        const uint32_t which = rp_bench_below(&self->random, self->building_count);
        corner = self->buildings[which];
        self->buildings[which] = self->buildings[--self->building_count];
    }
    for (uint32_t i = 0; i < FOOTPRINT * FOOTPRINT; i++) {
        self->bytes[corner + i / FOOTPRINT * self->log->side + i % FOOTPRINT] = !comes;
    }
    const rp_event_t event = {.kind = RP_EVENT_BUILD, .place = corner, .byte = !comes};
    const rp_edit_t edit = rp_event_log_edit(self->log, &event);
    uint64_t version;
    note(self, event);
    (void)rp_engine_apply(self->engine, self->world, &edit, (rp_cause_t){0, 0}, &version);
}

static void tick(maker_t *self)
{
    note(self, (rp_event_t){.kind = RP_EVENT_TICK});
    self->log->ticks++;
    while (rp_engine_step(self->engine, (uint64_t)self->log->ticks * TICK_US, STEP_BUDGET)) {
    }
}

// ---- the log

static bool open_all(maker_t *self)
{
    const rp_world_options_t world = rp_event_log_world(self->log);
    const rp_session_options_t options = {.planner = NULL};
    const uint32_t cells = self->log->side * self->log->side;
    if (rp_engine_new(&self->engine) != RP_OK ||
        rp_engine_open_world(self->engine, &world, &self->world) != RP_OK) {
        return false;
    }
    for (uint32_t i = 0; i < self->form->agents; i++) {
        if (rp_engine_open(self->engine, self->world, &options, &self->sessions[i]) != RP_OK) {
            return false;
        }
        do {
            self->places[i] = rp_bench_below(&self->random, cells);
        } while (self->bytes[self->places[i]] == 0);
        move(self, i);
        aim(self, i, i % self->form->goals);
    }
    return true;
}

static bool play(maker_t *self)
{
    if (!open_all(self)) {
        return false;
    }
    tick(self);
    while (self->log->ticks <= self->form->ticks) {
        if (self->log->ticks % 20u == 0) {
            rp_bench_progress("event log: tick %u of %u", self->log->ticks, self->form->ticks);
        }
        for (uint32_t i = self->log->ticks & 1u; i < self->form->agents; i += 2u) {
            walk(self, i);
        }
        for (uint32_t i = 0; i < self->form->builds; i++) {
            build(self);
        }
        tick(self);
    }
    return true;
}

bool rp_event_log_make(rp_event_log_t *self, const rp_event_form_t *form, uint64_t seed)
{
    const size_t cells = (size_t)form->side * form->side;
    *self = (rp_event_log_t){.side = form->side, .agents = form->agents};
    self->bytes = rp_bench_memory(NULL, cells, 1);
    maker_t maker = {.log = self, .form = form, .random = seed};
    maker.bytes = rp_bench_memory(NULL, cells, 1);
    maker.sessions = rp_bench_memory(NULL, form->agents, sizeof *maker.sessions);
    maker.places = rp_bench_memory(NULL, form->agents, sizeof *maker.places);
    maker.goals = rp_bench_memory(NULL, form->goals, sizeof *maker.goals);
    maker.buildings =
        rp_bench_memory(NULL, (size_t)form->ticks * form->builds + 1u, sizeof *maker.buildings);
    grow_world(&maker);
    const bool is_made = play(&maker);
    rp_engine_destroy(&maker.engine);
    free(maker.bytes);
    free(maker.sessions);
    free(maker.places);
    free(maker.goals);
    free(maker.buildings);
    return is_made;
}

void rp_event_log_fini(rp_event_log_t *self)
{
    free(self->bytes);
    free(self->events);
    *self = (rp_event_log_t){0};
}

rp_world_options_t rp_event_log_world(const rp_event_log_t *self)
{
    return (rp_world_options_t){.width = self->side,
                                .height = self->side,
                                .neighbors = 8,
                                .frame = {.resolution_m = 1.0},
                                .data = self->bytes};
}

rp_destination_t rp_event_log_point(const rp_event_log_t *self, uint32_t place)
{
    const uint32_t row = place / self->side;
    return (rp_destination_t){.x_m = place % self->side + 0.5, .y_m = row + 0.5};
}

rp_edit_t rp_event_log_edit(const rp_event_log_t *self, const rp_event_t *event)
{
    return (rp_edit_t){.x = event->place % self->side,
                       .y = event->place / self->side,
                       .width = FOOTPRINT,
                       .height = FOOTPRINT,
                       .fill = event->byte};
}
