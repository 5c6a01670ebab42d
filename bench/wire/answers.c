/// Answers a second: one Order sends all agents of an army to new goals, and a watch that takes
/// many answers in a message hears of all. The clock runs from the sending of the order until the
/// watcher has decoded the cells and the bends of the last path. The daemon is held to one core, so
/// that the processor time which it used beside that is the same thing on a machine that does
/// nothing else.
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/suites.h"
#include "bench/wire/daemon_process.h"
#include "bench/wire/event_log.h"
#include "msgs/request.h"
#include "replan/client.h"
#include "replan/planner.h"

#define WORLD        "field"
#define SIDE         512u
#define AGENTS       10000u
#define GOALS        100u
#define ORDERS       9u
#define ORDERS_QUICK 5u
#define CHECKED      50u
#define DEADLINE_MS  60000u
#define SAME_COST    1e-6

/// Nobody has searched for the goals of the first order; later ones go to the same goals.
enum {
    FIRST_ORDER,
    LATER_ORDER,
    ORDER_KINDS,
};

typedef struct army {
    rp_event_log_t log;
    rp_daemon_process_t daemon;
    rp_client_t *client;
    uint64_t *handles; ///< [AGENTS]
    uint32_t *places;  ///< of the agents [AGENTS]
    uint32_t *goals;   ///< by agent, a place [AGENTS]
    double *x_m;       ///< of an order [AGENTS]
    double *y_m;
    double *costs; ///< of the newest answers [AGENTS]
    uint32_t *cells;
    double *bend_x_m;
    double *bend_y_m;
    uint32_t *bend_at;
    uint64_t steps; ///< of all paths
    rp_samples_t answers_per_s[ORDER_KINDS];
    rp_samples_t cpu_us[ORDER_KINDS]; ///< of the daemon, an answer
    unsigned differences;
    bool has_failed;
} army_t;

// ---- requests

static bool call(army_t *self, Replan__V1__Request *request, const Replan__V1__Reply **reply)
{
    request->deadline_ms = DEADLINE_MS;
    if (rp_client_call(self->client, request, reply) == RP_CLIENT_OK) {
        return true;
    }
    fprintf(stderr, "replan-bench: %s\n", rp_client_sentence(self->client));
    self->has_failed = true;
    return false;
}

static bool create_world(army_t *self)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    geometry.width = geometry.height = SIDE;
    geometry.resolution = 1.0;
    create.world = (char *)WORLD;
    create.geometry = &geometry;
    create.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    create.data = (ProtobufCBinaryData){(size_t)SIDE * SIDE, self->log.bytes};
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    return call(self, &request, NULL);
}

/// Open an agent whose answers are all optimal. It has no goal yet.
static bool open_agent(army_t *self, uint32_t agent)
{
    char name[16];
    const rp_destination_t at = rp_event_log_point(&self->log, self->places[agent]);
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT;
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    const Replan__V1__Reply *reply;
    policy.gain_case = REPLAN__V1__POLICY__GAIN_SWITCH_GAIN_PERCENT;
    policy.interval_case = REPLAN__V1__POLICY__INTERVAL_MIN_INTERVAL_MS;
    policy.lease_case = REPLAN__V1__POLICY__LEASE_LEASE_S;
    (void)snprintf(name, sizeof name, "a%u", agent);
    pose.x = at.x_m;
    pose.y = at.y_m;
    open.world = (char *)WORLD;
    open.agent = name;
    open.policy = &policy;
    open.pose = &pose;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    const bool is_open = call(self, &request, &reply);
    self->handles[agent] = is_open ? reply->opened->handle : 0;
    return is_open;
}

static bool watch(army_t *self)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    uint32_t id;
    watch.world = (char *)WORLD;
    watch.all = 1;
    watch.credit = 4096;
    watch.batch = 64;
    return rp_client_watch(self->client, &watch, &id) == RP_CLIENT_OK;
}

// ---- an order

/// Send all agents to goals that are others than before. @param id  of the order, from 1
static bool send_order(army_t *self, uint64_t id)
{
    Replan__V1__Order order = REPLAN__V1__ORDER__INIT;
    for (uint32_t agent = 0; agent < AGENTS; agent++) {
        const rp_destination_t to = rp_event_log_point(&self->log, self->goals[agent]);
        self->x_m[agent] = to.x_m;
        self->y_m[agent] = to.y_m;
    }
    order.world = (char *)WORLD;
    order.n_handles = order.n_x = order.n_y = AGENTS;
    order.handles = self->handles;
    order.x = self->x_m;
    order.y = self->y_m;
    order.n_goal_ids = 1;
    order.goal_ids = &id;
    Replan__V1__Request request = RP_REQUEST(ORDER, order, &order);
    request.deadline_ms = DEADLINE_MS;
    return rp_client_send(self->client, &request, NULL) == RP_CLIENT_OK;
}

/// Decode a path. @return false when it has none
static bool decode(army_t *self, const Replan__V1__Answer *answer)
{
    const size_t room = (size_t)SIDE * SIDE;
    const uint32_t agent = (uint32_t)strtoul(answer->agent + 1, NULL, 10);
    self->costs[agent] = answer->cost;
    self->steps += answer->steps.len;
    return rp_client_cells(answer, self->cells, room) != 0 &&
           rp_client_bends(answer, self->bend_x_m, self->bend_y_m, self->bend_at, room) != 0;
}

/// Take events until every agent has answered the order.
static void take_answers(army_t *self, uint64_t id)
{
    for (uint32_t left = AGENTS; left != 0;) {
        rp_client_event_t event;
        if (!rp_client_poll(self->client, (int)DEADLINE_MS, &event) ||
            event.kind == RP_CLIENT_LOST || event.kind == RP_CLIENT_ENDED ||
            (event.kind == RP_CLIENT_REPLY && event.reply->status != REPLAN__V1__STATUS__OK)) {
            self->has_failed = true;
            return;
        }
        if (event.kind == RP_CLIENT_ANSWER && event.answer->goal_id == id) {
            (void)decode(self, event.answer);
            left--;
        }
    }
}

static void play_order(army_t *self, uint64_t id)
{
    const double used_s = rp_process_cpu_s(self->daemon.pid);
    self->steps = 0;
    const uint64_t from_ns = rp_bench_wall_ns();
    if (!send_order(self, id)) {
        self->has_failed = true;
        return;
    }
    take_answers(self, id);
    const double wall_s = (double)(rp_bench_wall_ns() - from_ns) / 1e9;
    const unsigned kind = id == 1 ? FIRST_ORDER : LATER_ORDER;
    rp_samples_add(&self->answers_per_s[kind], AGENTS / wall_s);
    rp_samples_add(&self->cpu_us[kind],
                   (rp_process_cpu_s(self->daemon.pid) - used_s) * 1e6 / AGENTS);
}

// ---- checking

/// Hold the costs of some answers against an A* of this process.
static void check_some(army_t *self)
{
    const rp_grid_shape_t shape = {SIDE, SIDE, 8, false, 1, 1};
    rp_grid_t *grid = NULL;
    rp_planner_t *planner = NULL;
    rp_plan_t plan;
    if (rp_grid_new(&shape, &grid) == RP_OK && rp_planner_new("astar", NULL, &planner) == RP_OK) {
        rp_grid_fill(grid, self->log.bytes);
        (void)rp_planner_bind(planner, grid);
        for (uint32_t i = 0; i < CHECKED; i++) {
            const uint32_t agent = i * (AGENTS / CHECKED);
            const uint32_t at = self->places[agent];
            const uint32_t to = self->goals[agent];
            (void)rp_planner_set_start(planner, rp_grid_cell(grid, at % SIDE, at / SIDE));
            (void)rp_planner_set_goal(planner, rp_grid_cell(grid, to % SIDE, to / SIDE));
            const bool is_found = rp_planner_plan(planner, UINT64_MAX, &plan) == RP_OK &&
                                  plan.outcome == RP_OUTCOME_FOUND;
            const double cost = is_found ? plan.cost : -1.0;
            self->differences += fabs(cost - self->costs[agent]) > SAME_COST;
        }
    }
    rp_planner_destroy(&planner);
    rp_grid_destroy(&grid);
}

// ---- birth and death

/// Start the daemon on the first core that this process may use, with all its threads; what stays
/// is the watcher's.
static bool start_on_one_core(rp_daemon_process_t *daemon)
{
    cpu_set_t cores;
    cpu_set_t one;
    if (sched_getaffinity(0, sizeof cores, &cores) != 0) {
        return false;
    }
    CPU_ZERO(&one);
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; core++) {
        if (CPU_ISSET(core, &cores)) {
            CPU_SET(core, &one);
        }
    }
    const bool is_held = sched_setaffinity(0, sizeof one, &one) == 0; // a child's are its parent's
    const bool is_started = rp_daemon_process_start(daemon, 0, NULL);
    return sched_setaffinity(0, sizeof cores, &cores) == 0 && is_held && is_started;
}

/// The agents' places and first goals, as the log has them.
static void set_out(army_t *self)
{
    for (size_t i = 0; self->log.events[i].kind != RP_EVENT_TICK; i++) {
        const rp_event_t *event = &self->log.events[i];
        if (event->kind == RP_EVENT_POSE) {
            self->places[event->agent] = event->place;
        } else {
            self->goals[event->agent] = event->place;
        }
    }
}

static bool begin(army_t *self, uint64_t seed)
{
    const rp_event_form_t form = {.side = SIDE, .agents = AGENTS, .goals = GOALS, .ticks = 1};
    const size_t cells = (size_t)SIDE * SIDE;
    self->handles = rp_bench_memory(NULL, AGENTS, sizeof *self->handles);
    self->places = rp_bench_memory(NULL, AGENTS, sizeof *self->places);
    self->goals = rp_bench_memory(NULL, AGENTS, sizeof *self->goals);
    self->x_m = rp_bench_memory(NULL, AGENTS, sizeof *self->x_m);
    self->y_m = rp_bench_memory(NULL, AGENTS, sizeof *self->y_m);
    self->costs = rp_bench_memory(NULL, AGENTS, sizeof *self->costs);
    self->cells = rp_bench_memory(NULL, cells, sizeof *self->cells);
    self->bend_x_m = rp_bench_memory(NULL, cells, sizeof *self->bend_x_m);
    self->bend_y_m = rp_bench_memory(NULL, cells, sizeof *self->bend_y_m);
    self->bend_at = rp_bench_memory(NULL, cells, sizeof *self->bend_at);
    if (!rp_event_log_make(&self->log, &form, seed) || !start_on_one_core(&self->daemon)) {
        return false;
    }
    set_out(self);
    if (rp_client_open(self->daemon.control, 5000, &self->client) != RP_CLIENT_OK ||
        !create_world(self)) {
        return false;
    }
    for (uint32_t agent = 0; agent < AGENTS && !self->has_failed; agent++) {
        (void)open_agent(self, agent);
    }
    return !self->has_failed && watch(self);
}

static void end(army_t *self)
{
    rp_client_close(&self->client);
    rp_daemon_process_stop(&self->daemon);
    rp_event_log_fini(&self->log);
    free(self->handles);
    free(self->places);
    free(self->goals);
    free(self->x_m);
    free(self->y_m);
    free(self->costs);
    free(self->cells);
    free(self->bend_x_m);
    free(self->bend_y_m);
    free(self->bend_at);
    for (unsigned kind = 0; kind < ORDER_KINDS; kind++) {
        rp_samples_fini(&self->answers_per_s[kind]);
        rp_samples_fini(&self->cpu_us[kind]);
    }
}

/// The goals move on: each agent has that of the next one.
static void turn_goals(army_t *self)
{
    const uint32_t first = self->goals[0];
    memmove(self->goals, self->goals + 1, (AGENTS - 1u) * sizeof *self->goals);
    self->goals[AGENTS - 1u] = first;
}

static void report(army_t *self, cJSON *results)
{
    static const char *const names[ORDER_KINDS] = {"first order", "later orders"};
    const double steps = (double)self->steps / AGENTS;
    cJSON *rows = cJSON_AddArrayToObject(results, "cases");
    printf("# Answers a second\n\n"
           "%u agents on %u x %u, %u goals, one order for all; paths of %.0f cells, medians.\n\n"
           "| | answers a second | CPU of the daemon, us an answer | differ |\n|---|---|---|---|\n",
           AGENTS, SIDE, SIDE, GOALS, steps + 1.0);
    for (unsigned kind = 0; kind < ORDER_KINDS; kind++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "case", names[kind]);
        rp_samples_to_json(&self->answers_per_s[kind], row, "answers_per_s");
        rp_samples_to_json(&self->cpu_us[kind], row, "daemon_cpu_us_an_answer");
        cJSON_AddItemToArray(rows, row);
        printf("| %s | %.0f | %.1f | %u/%u |\n", names[kind],
               rp_samples_percentile(&self->answers_per_s[kind], 50.0),
               rp_samples_percentile(&self->cpu_us[kind], 50.0), self->differences, CHECKED);
    }
    cJSON_AddNumberToObject(results, "steps_an_answer", steps);
    cJSON_AddNumberToObject(results, "differences", self->differences);
}

int rp_bench_answers(const rp_bench_options_t *options, cJSON *results)
{
    army_t self = {.steps = 0};
    const unsigned some = options->quick ? ORDERS_QUICK : ORDERS;
    const unsigned orders = options->worlds != 0 ? options->worlds : some;
    int code = 2;
    rp_bench_progress("answers: opening %u agents", AGENTS);
    if (begin(&self, options->seed)) {
        for (unsigned i = 0; i < orders && !self.has_failed; i++) {
            rp_bench_progress("answers: order %u", i);
            play_order(&self, i + 1u);
            if (i + 1u < orders) {
                turn_goals(&self);
            }
        }
        check_some(&self);
        report(&self, results);
        code = self.has_failed || self.differences != 0 ? 1 : 0;
    }
    rp_bench_progress("answers: done\n");
    end(&self);
    return code;
}
