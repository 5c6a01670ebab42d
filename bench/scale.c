/// Armies and robots on the engine alone, without sockets: what a game's own loop would see.
///
///   army   agents walk to shared goals (or each to its own) on a 512 x 512 world of forests, while
///          20 buildings a second come and go near the goals; poses at 10 Hz
///   lost   agents ordered to where no path leads
///   robot  one agent drives over a costmap with inflation, 100 x 100 cells of it rewritten at 20
///   Hz:
///          obstacles come, go and move
///
/// Time is made up: a tick of 50 ms follows the other without waiting, so CPU time says what share
/// of a core the load takes. Change to settled is the time from applying a change until every
/// session is sure. Each tick one agent's answer is held against an A* of its own.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/beyond/clutter.h"
#include "bench/suites.h"
#include "engine/layers/layer.h"
#include "replan/engine.h"
#include "replan/planner.h"

#define TICK_US     50000u
#define BUILDINGS   200u ///< that may stand at once
#define FOOTPRINT   3u
#define STEP_CHANCE 30u ///< percent of the poses at which an agent has gone on by a cell
#define UPDATE_SIDE 100u
#define EVENTS      5u ///< round a robot in a tick
#define STEP_BUDGET 8192u
#define SAME_COST   1e-6

typedef struct scale_case {
    const char *id;
    const char *name;
    uint32_t side;
    uint32_t agents;
    uint32_t goals;
    bool is_lost;       ///< goals behind walls
    bool is_robot;      ///< costmap with inflation
    double p99_us_most; ///< of change to settled, when something is asked for; else 0
} scale_case_t;

static const scale_case_t cases[] = {
    {"army", "10,000 agents, 100 goals", 512, 10000, 100, false, false, 0},
    {"own-goals", "1,000 agents, 1,000 goals", 512, 1000, 1000, false, false, 0},
    {"lost", "1,000 agents, no path", 512, 1000, 1000, true, false, 0},
    {"robot-1000", "robot, 1000 x 1000", 1000, 1, 1, false, true, 2000},
    {"robot-4096", "robot, 4096 x 4096", 4096, 1, 1, false, true, 10000},
};

static const rp_body_t robot_body = {
    .inscribed_radius_m = 4, .inflation_radius_m = 11, .cost_scaling = 0.5};

typedef struct walker {
    rp_session_id_t session;
    uint32_t goal;
    double x; ///< metres, the middle of a cell
    double y;
} walker_t;

typedef struct scale {
    const scale_case_t *form;
    rp_engine_t *engine;
    rp_world_id_t world;
    uint8_t *bytes; ///< [side * side]
    walker_t *walkers;
    uint32_t *goals;     ///< places [form->goals]
    uint32_t *buildings; ///< places of their corners [BUILDINGS]
    uint32_t building_count;
    rp_clutter_t clutter; ///< round the robot
    uint64_t random;
    uint64_t now_us;
    rp_samples_t settled_us;
    rp_samples_t first_us; ///< of sessions that were just opened
    uint64_t poses;
    uint64_t pose_ns;
    uint64_t change_ns;
    uint64_t published;
    uint32_t ticks;
    unsigned checked;
    unsigned differences;
    double rss_mib;
    rp_invalidations_t wakes; ///< by the changes
} scale_t;

// ---- the world

static uint32_t any_place(scale_t *self)
{
    return rp_bench_below(&self->random, self->form->side * self->form->side);
}

static uint8_t normal_of(const scale_t *self)
{
    return self->form->is_robot ? 0 : 1;
}

static uint8_t blocked_of(const scale_t *self)
{
    return self->form->is_robot ? 254 : 0;
}

static bool is_free(const scale_t *self, uint32_t place)
{
    return self->bytes[place] == normal_of(self);
}

/// A round of ground: a wood, or a clearing.
static void stamp(scale_t *self, uint32_t place, uint32_t radius, uint8_t byte)
{
    const int64_t side = self->form->side;
    const int64_t r = radius;
    for (int64_t dy = -r; dy <= r; dy++) {
        for (int64_t dx = -r; dx <= r; dx++) {
            const int64_t x = (int64_t)(place % (uint32_t)side) + dx;
            const int64_t y = (int64_t)(place / (uint32_t)side) + dy;
            if (dx * dx + dy * dy <= r * r && x >= 0 && y >= 0 && x < side && y < side) {
                self->bytes[y * side + x] = byte;
            }
        }
    }
}

/// Walls and stones; the robot starts in one corner, and its goal is in the other.
static void grow_robots_world(scale_t *self)
{
    const uint32_t side = self->form->side;
    rp_clutter_init(&self->clutter, side, &self->random);
    for (uint32_t i = 0; i < side * side; i++) {
        self->bytes[i] = self->clutter.solid[i] != 0 ? blocked_of(self) : normal_of(self);
    }
    self->goals[0] = (uint32_t)self->clutter.goal.y * side + (uint32_t)self->clutter.goal.x;
}

/// Woods over about a fifth of the world; goals in clearings, or inside a wall.
static void grow_world(scale_t *self)
{
    const uint32_t cells = self->form->side * self->form->side;
    memset(self->bytes, normal_of(self), cells);
    for (uint32_t i = 0; i < cells / 1000u; i++) {
        const uint32_t side = 3u + rp_bench_below(&self->random, 9);
        stamp(self, any_place(self), side, blocked_of(self));
    }
    for (uint32_t i = 0; i < self->form->goals; i++) {
        const uint32_t margin = 8;
        const uint32_t inside = self->form->side - 2u * margin;
        const uint32_t x = margin + rp_bench_below(&self->random, inside);
        const uint32_t y = margin + rp_bench_below(&self->random, inside);
        self->goals[i] = y * self->form->side + x;
        stamp(self, self->goals[i], 5, normal_of(self));
    }
    for (uint32_t i = 0; self->form->is_lost && i < self->form->goals; i++) {
        stamp(self, self->goals[i], 2, blocked_of(self));
    }
    for (uint32_t i = 0; self->form->is_lost && i < self->form->goals; i++) {
        self->bytes[self->goals[i]] = normal_of(self);
    }
}

static uint32_t free_place(scale_t *self)
{
    for (;;) {
        const uint32_t place = any_place(self);
        if (is_free(self, place)) {
            return place;
        }
    }
}

// ---- the engine

static void settle(scale_t *self)
{
    rp_answer_t answer;
    while (rp_engine_step(self->engine, self->now_us, STEP_BUDGET)) {
    }
    while (rp_engine_next_answer(self->engine, &answer)) {
        self->published++;
    }
}

static void apply(scale_t *self, const rp_edit_t *edit)
{
    uint64_t version;
    const uint64_t from = rp_bench_cpu_ns();
    (void)rp_engine_apply(self->engine, self->world, edit, (rp_cause_t){0, 0}, &version);
    settle(self);
    const uint64_t took = rp_bench_cpu_ns() - from;
    self->change_ns += took;
    rp_samples_add(&self->settled_us, (double)took / 1e3);
}

static void send_goal(scale_t *self, walker_t *walker, uint32_t goal)
{
    const uint32_t side = self->form->side;
    const uint32_t row = self->goals[goal] / side;
    const rp_destination_t to = {.x_m = self->goals[goal] % side + 0.5, .y_m = row + 0.5};
    walker->goal = goal;
    (void)rp_engine_goals(self->engine, walker->session, &to, 1, 0, (rp_cause_t){0, 0});
}

static void put_walker(scale_t *self, walker_t *walker)
{
    const uint32_t corner = RP_CLUTTER_MARGIN * self->form->side + RP_CLUTTER_MARGIN;
    const uint32_t place = self->form->is_robot ? corner : free_place(self);
    const uint32_t row = place / self->form->side;
    walker->x = place % self->form->side + 0.5;
    walker->y = row + 0.5;
    (void)rp_engine_pose(self->engine, walker->session, walker->x, walker->y, 0,
                         (rp_cause_t){0, 0});
}

static bool open_all(scale_t *self)
{
    const scale_case_t *form = self->form;
    const rp_world_options_t world = {.width = form->side,
                                      .height = form->side,
                                      .neighbors = 8,
                                      .profile = form->is_robot ? "costmap" : "factor",
                                      .frame = {.resolution_m = 1.0},
                                      .data = self->bytes};
    rp_session_options_t options = {.planner = NULL};
    if (form->is_robot) {
        options.body = robot_body;
    }
    if (rp_engine_new(&self->engine) != RP_OK ||
        rp_engine_open_world(self->engine, &world, &self->world) != RP_OK) {
        return false;
    }
    for (uint32_t i = 0; i < form->agents; i++) {
        walker_t *walker = &self->walkers[i];
        const uint64_t from = rp_bench_cpu_ns();
        if (rp_engine_open(self->engine, self->world, &options, &walker->session) != RP_OK) {
            fprintf(stderr, "replan-bench: session %u of %u could not be opened\n", i + 1u,
                    form->agents);
            return false;
        }
        put_walker(self, walker);
        send_goal(self, walker, i % form->goals);
        settle(self);
        rp_samples_add(&self->first_us, (double)(rp_bench_cpu_ns() - from) / 1e3);
    }
    return true;
}

// ---- what happens in a tick

/// Each agent says where it is at every second tick; a robot has gone on by a cell each time,
/// others now and then.
static void walk(scale_t *self)
{
    static const int step_x[] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int step_y[] = {0, 1, 1, 1, 0, -1, -1, -1};
    const uint32_t chance = self->form->is_robot ? 100u : STEP_CHANCE;
    const uint64_t from = rp_bench_cpu_ns();
    for (uint32_t i = self->ticks & 1u; i < self->form->agents; i += 2u) {
        walker_t *walker = &self->walkers[i];
        rp_answer_t answer;
        if (rp_engine_answer(self->engine, walker->session, &answer) != RP_OK) {
            continue;
        }
        if (answer.outcome == RP_ANSWER_ARRIVED) {
            send_goal(self, walker, rp_bench_below(&self->random, self->form->goals));
        } else if (answer.step_count != 0 && rp_bench_below(&self->random, 100) < chance) {
            walker->x += step_x[answer.steps[0]];
            walker->y += step_y[answer.steps[0]];
        }
        (void)rp_engine_pose(self->engine, walker->session, walker->x, walker->y, 0,
                             (rp_cause_t){0, 0});
        self->poses++;
    }
    settle(self);
    self->pose_ns += rp_bench_cpu_ns() - from;
}

/// A building comes near some goal, or the oldest goes.
static void build(scale_t *self)
{
    const uint32_t side = self->form->side;
    const uint32_t goal = self->goals[rp_bench_below(&self->random, self->form->goals)];
    const uint32_t reach = 40;
    uint32_t x = goal % side + rp_bench_below(&self->random, 2u * reach);
    uint32_t y = goal / side + rp_bench_below(&self->random, 2u * reach);
    x = x < reach + 1u ? 1u : x - reach;
    y = y < reach + 1u ? 1u : y - reach;
    x = x > side - FOOTPRINT - 1u ? side - FOOTPRINT - 1u : x;
    y = y > side - FOOTPRINT - 1u ? side - FOOTPRINT - 1u : y;
    bool has_room = self->building_count < BUILDINGS && rp_bench_below(&self->random, 2) == 0;
    for (uint32_t i = 0; has_room && i < FOOTPRINT * FOOTPRINT; i++) {
        has_room = is_free(self, (y + i / FOOTPRINT) * side + x + i % FOOTPRINT);
    }
    uint32_t corner = y * side + x;
    if (!has_room && self->building_count == 0) {
        return;
    }
    if (has_room) {
        self->buildings[self->building_count++] = corner;
    } else {
        const uint32_t which = rp_bench_below(&self->random, self->building_count);
        corner = self->buildings[which];
        self->buildings[which] = self->buildings[--self->building_count];
    }
    const uint8_t byte = has_room ? blocked_of(self) : normal_of(self);
    for (uint32_t i = 0; i < FOOTPRINT * FOOTPRINT; i++) {
        self->bytes[corner + i / FOOTPRINT * side + i % FOOTPRINT] = byte;
    }
    const rp_edit_t edit = {.x = corner % side,
                            .y = corner / side,
                            .width = FOOTPRINT,
                            .height = FOOTPRINT,
                            .fill = byte};
    apply(self, &edit);
}

/// The square round the robot as its sensors see it now.
static void sense(scale_t *self)
{
    static uint8_t window[UPDATE_SIDE * UPDATE_SIDE];
    const uint32_t side = self->form->side;
    const walker_t *robot = &self->walkers[0];
    rp_clutter_t *clutter = &self->clutter;
    clutter->robot = (rp_spot_t){(int32_t)robot->x, (int32_t)robot->y};
    clutter->mark_count = 0;
    for (unsigned i = 0; i < EVENTS; i++) {
        rp_clutter_happen(clutter, &self->random);
    }
    for (size_t i = 0; i < clutter->mark_count; i++) {
        const rp_clutter_mark_t mark = clutter->marks[i];
        self->bytes[mark.index] = mark.is_solid ? blocked_of(self) : normal_of(self);
    }
    const uint32_t half = UPDATE_SIDE / 2u;
    uint32_t x = robot->x < half ? 0 : (uint32_t)robot->x - half;
    uint32_t y = robot->y < half ? 0 : (uint32_t)robot->y - half;
    x = x > side - UPDATE_SIDE ? side - UPDATE_SIDE : x;
    y = y > side - UPDATE_SIDE ? side - UPDATE_SIDE : y;
    for (uint32_t row = 0; row < UPDATE_SIDE; row++) {
        memcpy(window + row * UPDATE_SIDE, self->bytes + (size_t)(y + row) * side + x, UPDATE_SIDE);
    }
    const rp_edit_t edit = {
        .x = x, .y = y, .width = UPDATE_SIDE, .height = UPDATE_SIDE, .data = window};
    apply(self, &edit);
}

// ---- checking

/// The ground as a layer that was made at once has it, not by one change after the other.
static rp_status_t make_layer(const scale_t *self, rp_layer_t *layer)
{
    const uint32_t side = self->form->side;
    const rp_grid_shape_t shape = {.width = side, .height = side, .neighbors = 8};
    rp_profile_t profile;
    rp_inflation_t inflation;
    (void)rp_profile_find(self->form->is_robot ? "costmap" : "factor", &profile);
    (void)rp_inflation_make(&inflation, self->form->is_robot ? &robot_body : &(rp_body_t){0}, 1.0);
    uint64_t budget = UINT64_MAX;
    const rp_status_t status = rp_layer_init(layer, &shape, &profile, &inflation, self->bytes, 1);
    return status == RP_OK ? rp_layer_derive(layer, 1, &budget) : status;
}

/// One agent's answer against an A* on ground of its own.
static void check_one(scale_t *self)
{
    const scale_case_t *form = self->form;
    const walker_t *walker = &self->walkers[rp_bench_below(&self->random, form->agents)];
    rp_layer_t layer = {0};
    rp_planner_t *planner = NULL;
    rp_plan_t plan;
    rp_answer_t answer;
    (void)rp_engine_answer(self->engine, walker->session, &answer);
    if (make_layer(self, &layer) == RP_OK && rp_planner_new("astar", NULL, &planner) == RP_OK) {
        const rp_grid_t *grid = layer.grid;
        (void)rp_planner_bind(planner, grid);
        (void)rp_planner_set_start(planner,
                                   rp_grid_cell(grid, (uint32_t)walker->x, (uint32_t)walker->y));
        (void)rp_planner_set_goal(planner,
                                  rp_grid_cell(grid, self->goals[walker->goal] % form->side,
                                               self->goals[walker->goal] / form->side));
        const bool is_planned = rp_planner_plan(planner, UINT64_MAX, &plan) == RP_OK;
        const double cost = plan.outcome == RP_OUTCOME_FOUND ? plan.cost : 0.0;
        if (plan.outcome != RP_OUTCOME_START_BLOCKED) { // else its way out is no business of A*'s
            self->checked++;
            self->differences += !is_planned || fabs(answer.cost - cost) > SAME_COST ||
                                 !rp_engine_is_sure(self->engine, walker->session);
        }
    }
    rp_planner_destroy(&planner);
    rp_layer_fini(&layer);
}

/// Ticks between two checks: on a large world one takes a second.
static uint32_t check_every(const scale_case_t *form)
{
    return form->is_robot ? form->side / 20u : 4u;
}

static double resident_mib(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long whole;
    unsigned long resident = 0;
    const bool is_read = file != NULL && fscanf(file, "%lu %lu", &whole, &resident) == 2;
    if (file != NULL) {
        (void)fclose(file);
    }
    return is_read ? (double)resident * (double)sysconf(_SC_PAGESIZE) / (1024.0 * 1024.0) : 0.0;
}

// ---- a case

static bool play(scale_t *self, uint32_t ticks)
{
    const double before_mib = resident_mib();
    if (self->form->is_robot) {
        grow_robots_world(self);
    } else {
        grow_world(self);
    }
    if (!open_all(self)) {
        return false;
    }
    self->published = 0;
    for (self->ticks = 0; self->ticks < ticks; self->ticks++) {
        rp_bench_progress("scale: %s: tick %u of %u", self->form->name, self->ticks, ticks);
        self->now_us += TICK_US;
        walk(self);
        if (self->form->is_robot) {
            sense(self);
        } else {
            build(self);
        }
        if (self->ticks % check_every(self->form) == 0) {
            check_one(self);
        }
    }
    self->rss_mib = resident_mib() - before_mib;
    return rp_engine_invalidations(self->engine, self->world, &self->wakes);
}

/// What is asked of this case, if anything is.
static bool holds(scale_t *self)
{
    const double most_us = self->form->p99_us_most;
    return most_us == 0.0 || rp_samples_percentile(&self->settled_us, 99.0) <= most_us;
}

/// In percent.
static double share_of(uint64_t part, uint64_t whole)
{
    return whole != 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

static void report(scale_t *self, cJSON *results)
{
    const double seconds = (double)self->ticks * TICK_US / 1e6;
    const double share = (double)(self->pose_ns + self->change_ns) / (seconds * 1e9);
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "case", self->form->name);
    rp_samples_to_json(&self->settled_us, row, "change_to_settled_us");
    rp_samples_to_json(&self->first_us, row, "open_to_answer_us");
    cJSON_AddNumberToObject(row, "pose_ns",
                            self->poses != 0 ? (double)self->pose_ns / (double)self->poses : 0.0);
    cJSON_AddNumberToObject(row, "said_a_change",
                            (double)self->published /
                                (double)(self->ticks != 0 ? self->ticks : 1u));
    cJSON_AddNumberToObject(row, "woken_percent",
                            share_of(self->wakes.invalidated, self->wakes.asked));
    cJSON_AddNumberToObject(row, "woken_in_need_percent",
                            share_of(self->wakes.needed, self->wakes.invalidated));
    cJSON_AddNumberToObject(row, "core_share", share);
    cJSON_AddNumberToObject(row, "resident_mib", self->rss_mib);
    cJSON_AddNumberToObject(row, "checked", self->checked);
    cJSON_AddNumberToObject(row, "differences", self->differences);
    cJSON_AddNumberToObject(row, "p99_us_most", self->form->p99_us_most);
    cJSON_AddBoolToObject(row, "holds", holds(self));
    cJSON_AddItemToArray(cJSON_GetObjectItem(results, "cases"), row);
    printf("| %s | %.0f | %.0f | %.0f | %.0f | %.0f | %.2f | %.0f | %.2f | %.0f | %u/%u | %s |\n",
           self->form->name, rp_samples_percentile(&self->settled_us, 50.0),
           rp_samples_percentile(&self->settled_us, 99.0),
           rp_samples_percentile(&self->first_us, 50.0),
           rp_samples_percentile(&self->first_us, 99.0),
           self->poses != 0 ? (double)self->pose_ns / (double)self->poses : 0.0, share,
           self->rss_mib, share_of(self->wakes.invalidated, self->wakes.asked),
           share_of(self->wakes.needed, self->wakes.invalidated), self->differences, self->checked,
           self->form->p99_us_most == 0.0 ? ""
           : holds(self)                  ? "yes"
                                          : "no");
    (void)fflush(stdout);
}

static int play_case(const scale_case_t *form, const rp_bench_options_t *options, cJSON *results)
{
    scale_t self = {.form = form, .random = options->seed};
    int code = 2;
    self.bytes = rp_bench_memory(NULL, (size_t)form->side * form->side, 1);
    self.walkers = rp_bench_memory(NULL, form->agents, sizeof *self.walkers);
    self.goals = rp_bench_memory(NULL, form->goals, sizeof *self.goals);
    self.buildings = rp_bench_memory(NULL, BUILDINGS, sizeof *self.buildings);
    if (play(&self, options->quick ? 200u : 1200u)) {
        report(&self, results);
        code = self.differences == 0 ? 0 : 1;
    }
    rp_engine_destroy(&self.engine);
    rp_samples_fini(&self.settled_us);
    rp_samples_fini(&self.first_us);
    free(self.bytes);
    free(self.walkers);
    free(self.goals);
    free(self.buildings);
    rp_clutter_fini(&self.clutter);
    return code;
}

int rp_bench_scale(const rp_bench_options_t *options, cJSON *results)
{
    int worst = 0;
    cJSON_AddArrayToObject(results, "cases");
    puts(
        "# Armies and robots on the engine alone\n\n"
        "Microseconds of CPU time; 20 changes a second, poses at 10 Hz, of made-up time. Woken: of "
        "the sessions that were sure when a change came, those that it could concern; in need: of "
        "these, those whose answer, or its bound, became another. Reached: change to settled p99 "
        "is at most 2 ms for the robot on 1000 x 1000, 10 ms on 4096 x 4096. The engine has no "
        "idle time here; sockets and messages are left out.\n\n"
        "| case | change to settled p50 | p99 | open to first answer p50 | p99 | ns a pose | share "
        "of a core | resident MiB | woken % | in need % | differ | reached |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (size_t i = 0; i < rp_bench_rows(options, sizeof cases / sizeof cases[0]); i++) {
        if (options->protocol != NULL && strcmp(options->protocol, cases[i].id) != 0) {
            continue;
        }
        const int code = play_case(&cases[i], options, results);
        worst = code > worst ? code : worst;
    }
    if (options->protocol == NULL || strcmp(options->protocol, "storm") == 0) {
        const int code = rp_bench_storm(options, results);
        worst = code > worst ? code : worst;
    }
    rp_bench_progress("scale: done\n");
    return worst;
}
