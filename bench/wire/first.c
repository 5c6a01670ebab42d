/// How long a user waits for the first path: a world is created, an agent opened, its answer asked
/// for, one after another over tcp, until the points of the path are decoded. Each round has a
/// daemon of its own, which has done nothing before.
///
/// Worlds are a quarter blocked at random, sent as bytes; the path leads from corner to corner. Its
/// cost is held against an A* of this process.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/suites.h"
#include "bench/wire/daemon_process.h"
#include "msgs/request.h"
#include "replan/client.h"
#include "replan/planner.h"

#define WORLD        "fresh"
#define ROUNDS       21u
#define ROUNDS_QUICK 7u
#define TIMEOUT_MS   5000u
#define SAME_COST    1e-6
#define FREE_BYTE    1u

static const uint32_t sides[] = {64, 256, 512, 768, 1024};

typedef struct first_case {
    uint32_t side;
    uint8_t *bytes; ///< owned [side * side]
    double cost;    ///< of the best path
    uint32_t *cells;
    double *x_m;
    double *y_m;
    uint32_t *at;
    rp_samples_t create_ms;
    rp_samples_t path_ms; ///< from the world's reply to the points of the path
    rp_samples_t whole_ms;
    rp_samples_t cpu_ms; ///< of the daemon, all of it
    unsigned differences;
    bool has_failed;
} first_case_t;

// ---- the world

static void make_world(first_case_t *self, uint64_t seed)
{
    const size_t cells = (size_t)self->side * self->side;
    uint64_t random = rp_bench_seed(seed, self->side, 0);
    self->bytes = rp_bench_memory(NULL, cells, 1);
    for (size_t i = 0; i < cells; i++) {
        self->bytes[i] = rp_bench_below(&random, 4) == 0 ? 0 : FREE_BYTE;
    }
    self->bytes[0] = self->bytes[cells - 1u] = FREE_BYTE;
}

/// Cost of the best path; -1 when there is none.
static double best_cost(const first_case_t *self)
{
    const rp_grid_shape_t shape = {self->side, self->side, 8, false, 1, 1};
    rp_grid_t *grid = NULL;
    rp_planner_t *planner = NULL;
    rp_plan_t plan = {.cost = -1.0};
    bool is_found = false;
    if (rp_grid_new(&shape, &grid) == RP_OK && rp_planner_new("astar", NULL, &planner) == RP_OK) {
        rp_grid_fill(grid, self->bytes);
        (void)rp_planner_bind(planner, grid);
        (void)rp_planner_set_start(planner, rp_grid_cell(grid, 0, 0));
        (void)rp_planner_set_goal(planner, rp_grid_cell(grid, self->side - 1u, self->side - 1u));
        is_found = rp_planner_plan(planner, UINT64_MAX, &plan) == RP_OK &&
                   plan.outcome == RP_OUTCOME_FOUND;
    }
    const double cost = is_found ? plan.cost : -1.0;
    rp_planner_destroy(&planner);
    rp_grid_destroy(&grid);
    return cost;
}

/// Another world until its corners are connected.
static void begin(first_case_t *self, uint64_t seed)
{
    const size_t cells = (size_t)self->side * self->side;
    for (self->cost = -1.0; self->cost < 0.0; seed++) {
        free(self->bytes);
        make_world(self, seed);
        self->cost = best_cost(self);
    }
    self->cells = rp_bench_memory(NULL, cells, sizeof *self->cells);
    self->x_m = rp_bench_memory(NULL, cells, sizeof *self->x_m);
    self->y_m = rp_bench_memory(NULL, cells, sizeof *self->y_m);
    self->at = rp_bench_memory(NULL, cells, sizeof *self->at);
}

static void end(first_case_t *self)
{
    free(self->bytes);
    free(self->cells);
    free(self->x_m);
    free(self->y_m);
    free(self->at);
    rp_samples_fini(&self->create_ms);
    rp_samples_fini(&self->path_ms);
    rp_samples_fini(&self->whole_ms);
    rp_samples_fini(&self->cpu_ms);
}

// ---- requests

static bool call(first_case_t *self, rp_client_t *client, Replan__V1__Request *request,
                 const Replan__V1__Reply **reply)
{
    if (rp_client_call(client, request, reply) == RP_CLIENT_OK) {
        return true;
    }
    fprintf(stderr, "replan-bench: %s\n", rp_client_sentence(client));
    self->has_failed = true;
    return false;
}

static bool create_world(first_case_t *self, rp_client_t *client)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    geometry.width = geometry.height = self->side;
    geometry.resolution = 1.0;
    create.world = (char *)WORLD;
    create.geometry = &geometry;
    create.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    create.data = (ProtobufCBinaryData){(size_t)self->side * self->side, self->bytes};
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    return call(self, client, &request, NULL);
}

static bool open_agent(first_case_t *self, rp_client_t *client)
{
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    double to_m = self->side - 0.5;
    pose.x = pose.y = 0.5;
    goal.n_x = goal.n_y = 1;
    goal.x = goal.y = &to_m;
    open.world = (char *)WORLD;
    open.agent = (char *)"scout";
    open.pose = &pose;
    open.goal = &goal;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    return call(self, client, &request, NULL);
}

/// Ask for the answer, and decode its cells and the points where the path bends.
static bool take_path(first_case_t *self, rp_client_t *client)
{
    const size_t room = (size_t)self->side * self->side;
    Replan__V1__GetAnswer get = REPLAN__V1__GET_ANSWER__INIT;
    const Replan__V1__Reply *reply;
    get.world = (char *)WORLD;
    get.agent = (char *)"scout";
    Replan__V1__Request request = RP_REQUEST(GET_ANSWER, get_answer, &get);
    if (!call(self, client, &request, &reply)) {
        return false;
    }
    const bool has_points =
        rp_client_cells(reply->answer, self->cells, room) != 0 &&
        rp_client_bends(reply->answer, self->x_m, self->y_m, self->at, room) != 0;
    self->differences += !has_points || fabs(reply->answer->cost - self->cost) > SAME_COST;
    return true;
}

// ---- rounds

/// @param client  shook hands
static void play_round(first_case_t *self, rp_client_t *client, pid_t daemon)
{
    const double used_s = rp_process_cpu_s(daemon);
    const uint64_t from_ns = rp_bench_wall_ns();
    if (!create_world(self, client)) {
        return;
    }
    const uint64_t created_ns = rp_bench_wall_ns();
    if (!open_agent(self, client) || !take_path(self, client)) {
        return;
    }
    const uint64_t end_ns = rp_bench_wall_ns();
    rp_samples_add(&self->cpu_ms, (rp_process_cpu_s(daemon) - used_s) * 1e3);
    rp_samples_add(&self->create_ms, (double)(created_ns - from_ns) / 1e6);
    rp_samples_add(&self->path_ms, (double)(end_ns - created_ns) / 1e6);
    rp_samples_add(&self->whole_ms, (double)(end_ns - from_ns) / 1e6);
}

static void start_round(first_case_t *self)
{
    rp_daemon_process_t daemon;
    rp_client_t *client = NULL;
    if (rp_daemon_process_start(&daemon, 0, NULL) &&
        rp_client_open(daemon.control, TIMEOUT_MS, &client) == RP_CLIENT_OK) {
        play_round(self, client, daemon.pid);
    } else {
        self->has_failed = true;
    }
    rp_client_close(&client);
    rp_daemon_process_stop(&daemon);
}

static void report(first_case_t *self, cJSON *rows)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddNumberToObject(row, "side", self->side);
    rp_samples_to_json(&self->create_ms, row, "create_ms");
    rp_samples_to_json(&self->path_ms, row, "path_ms");
    rp_samples_to_json(&self->whole_ms, row, "whole_ms");
    rp_samples_to_json(&self->cpu_ms, row, "daemon_cpu_ms");
    cJSON_AddNumberToObject(row, "differences", self->differences);
    cJSON_AddItemToArray(rows, row);
    printf(
        "| %u | %.2f | %.2f | %.2f | %.2f | %.2f | %u |\n", self->side,
        rp_samples_percentile(&self->create_ms, 50.0), rp_samples_percentile(&self->path_ms, 50.0),
        rp_samples_percentile(&self->whole_ms, 50.0), rp_samples_percentile(&self->whole_ms, 90.0),
        rp_samples_percentile(&self->cpu_ms, 50.0), self->differences);
    (void)fflush(stdout);
}

int rp_bench_first(const rp_bench_options_t *options, cJSON *results)
{
    cJSON *rows = cJSON_AddArrayToObject(results, "cases");
    const unsigned some = options->quick ? ROUNDS_QUICK : ROUNDS;
    const unsigned rounds = options->worlds != 0 ? options->worlds : some;
    int code = 0;
    puts("# The first path, over tcp\n\n"
         "Milliseconds on the wall, medians; CPU is that of the daemon, all its threads.\n\n"
         "| side | create the world | then open an agent, its path decoded | all of it | p90 "
         "| CPU of the daemon | differ |\n"
         "|---|---|---|---|---|---|---|");
    for (size_t i = 0; i < rp_bench_rows(options, sizeof sides / sizeof sides[0]); i++) {
        first_case_t self = {.side = sides[i]};
        begin(&self, options->seed);
        for (unsigned round = 0; round < rounds && !self.has_failed; round++) {
            rp_bench_progress("first: %u, round %u", self.side, round);
            start_round(&self);
        }
        report(&self, rows);
        code = self.has_failed ? 2 : (self.differences != 0 && code == 0 ? 1 : code);
        end(&self);
    }
    rp_bench_progress("first: done\n");
    return code;
}
