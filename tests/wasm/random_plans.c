/// Random plans by every planner, built natively and as WebAssembly: both must print the same
/// costs.
///
///     random_plans costs N    N plans a planner: a line with a hash of the costs for each hundred
///     worlds random_plans cost PLANNER WORLD    the costs of one world, in full random_plans speed
///     N    median time of a plan after a change, of N, on 512 x 512 cells
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "replan/planner.h"

#define SIDE_MOST  40u
#define PLANS      20u ///< of one world
#define BATCH      100u
#define CHANGES    12u ///< at most, before a plan
#define LARGE      512u
#define ROUNDS_MAX 10000u
/// As many times the rounds are played, and the last count: JavaScript engines compile twice.
#define WARM_UP 3u

typedef struct chance {
    uint64_t state;
} chance_t;

/// 0 .. limit - 1, the same on every machine (splitmix64).
static uint32_t draw(chance_t *chance, uint32_t limit)
{
    uint64_t word = (chance->state += 0x9e3779b97f4a7c15u);
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)(((word ^ (word >> 31)) >> 32) * limit >> 32);
}

static void must(rp_status_t status, const char *what)
{
    if (status != RP_OK) {
        fprintf(stderr, "random_plans: %s: %s\n", what, rp_status_text(status));
        exit(EXIT_FAILURE);
    }
}

typedef struct ground {
    rp_grid_t *grid;
    rp_planner_t *planner;
    chance_t chance;
    bool is_weighted;
    uint32_t blocked; ///< percent
} ground_t;

static rp_cell_t draw_cell(ground_t *self)
{
    const rp_grid_shape_t *shape = &self->grid->shape;
    const uint32_t x = draw(&self->chance, shape->width);
    return rp_grid_cell(self->grid, x, draw(&self->chance, shape->height));
}

static uint8_t draw_factor(ground_t *self)
{
    if (draw(&self->chance, 100) < self->blocked) {
        return 0;
    }
    return self->is_weighted ? (uint8_t)(1u + draw(&self->chance, 20)) : 1u;
}

/// What the planner can do of: 8 or 4 neighbours, weights, a torus.
static void open_ground(ground_t *self, const rp_planner_info_t *about, uint64_t seed)
{
    *self = (ground_t){.chance = {seed}};
    const uint32_t can = about->capabilities;
    const bool is_eight =
        (can & RP_CAN_8) != 0 && ((can & RP_CAN_4) == 0 || draw(&self->chance, 2));
    const rp_grid_shape_t shape = {.width = 3u + draw(&self->chance, SIDE_MOST - 2u),
                                   .height = 3u + draw(&self->chance, SIDE_MOST - 2u),
                                   .neighbors = is_eight ? 8 : 4,
                                   .wraps = draw(&self->chance, 3) == 0 && (can & RP_CAN_WRAP) != 0,
                                   .unit = 1,
                                   .least = 1};
    self->is_weighted = draw(&self->chance, 2) == 0 && (can & RP_CAN_WEIGHTED) != 0;
    self->blocked = draw(&self->chance, 45);
    must(rp_grid_new(&shape, &self->grid), "grid");
    for (uint32_t y = 0; y < shape.height; y++) {
        for (uint32_t x = 0; x < shape.width; x++) {
            rp_grid_set(self->grid, rp_grid_cell(self->grid, x, y), draw_factor(self));
        }
    }
    must(rp_planner_new(about->id, NULL, &self->planner), about->id);
    must(rp_planner_bind(self->planner, self->grid), about->id);
    must(rp_planner_set_start(self->planner, draw_cell(self)), "start");
    must(rp_planner_set_goal(self->planner, draw_cell(self)), "goal");
}

static void close_ground(ground_t *self)
{
    rp_planner_destroy(&self->planner);
    rp_grid_destroy(&self->grid);
}

/// Some cells change, and perhaps an end moves.
static void churn(ground_t *self)
{
    rp_change_t changes[CHANGES];
    size_t count = 0;
    for (uint32_t left = draw(&self->chance, CHANGES + 1u); left != 0; left--) {
        const rp_cell_t cell = draw_cell(self);
        bool is_new = true;
        for (size_t i = 0; i < count; i++) {
            is_new = is_new && changes[i].cell != cell;
        }
        if (is_new) {
            changes[count++] = (rp_change_t){.cell = cell, .after = draw_factor(self)};
        }
    }
    rp_grid_write(self->grid, changes, count);
    must(rp_planner_apply(self->planner, changes, count), "apply");
    if (draw(&self->chance, 3) == 0) {
        must(rp_planner_set_start(self->planner, draw_cell(self)), "start");
    }
    if (draw(&self->chance, 5) == 0) {
        must(rp_planner_set_goal(self->planner, draw_cell(self)), "goal");
    }
}

static double next_cost(ground_t *self)
{
    rp_plan_t plan;
    churn(self);
    must(rp_planner_plan(self->planner, UINT64_MAX, &plan), "plan");
    return plan.outcome == RP_OUTCOME_FOUND ? plan.cost : -1.0 - (double)plan.outcome;
}

static uint64_t seed_of(uint32_t planner, uint32_t world)
{
    return ((uint64_t)planner << 32) + world;
}

/// FNV-1a over the bits of a cost.
static uint64_t hash_cost(uint64_t hash, double cost)
{
    uint8_t bytes[sizeof cost];
    memcpy(bytes, &cost, sizeof cost);
    for (size_t i = 0; i < sizeof bytes; i++) {
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

static int print_costs(uint32_t plans)
{
    const rp_planner_info_t *about;
    ground_t ground;
    for (uint32_t planner = 0; (about = rp_planner_info(planner)) != NULL; planner++) {
        uint64_t hash = 0xcbf29ce484222325u;
        for (uint32_t world = 0; world * PLANS < plans; world++) {
            open_ground(&ground, about, seed_of(planner, world));
            for (uint32_t i = 0; i < PLANS; i++) {
                hash = hash_cost(hash, next_cost(&ground));
            }
            close_ground(&ground);
            if ((world + 1u) % BATCH == 0 || (world + 1u) * PLANS >= plans) {
                printf("%s %u %016" PRIx64 "\n", about->id, world + 1u, hash);
            }
        }
    }
    return EXIT_SUCCESS;
}

static int print_world(const char *id, uint32_t world)
{
    const rp_planner_info_t *about;
    ground_t ground;
    for (uint32_t planner = 0; (about = rp_planner_info(planner)) != NULL; planner++) {
        if (strcmp(about->id, id) == 0) {
            open_ground(&ground, about, seed_of(planner, world));
            for (uint32_t i = 0; i < PLANS; i++) {
                printf("%.17g\n", next_cost(&ground));
            }
            close_ground(&ground);
            return EXIT_SUCCESS;
        }
    }
    return 2;
}

// ---- speed

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
    const double *one = a;
    const double *other = b;
    return (*one > *other) - (*one < *other);
}

/// A cell comes and goes on open ground with a fifth of its cells blocked; from corner to corner.
static void time_planner(const char *id, uint32_t rounds)
{
    static double took_us[ROUNDS_MAX];
    const rp_grid_shape_t shape = {
        .width = LARGE, .height = LARGE, .neighbors = 8, .unit = 1, .least = 1};
    ground_t ground = {.chance = {7}, .blocked = 20};
    rp_plan_t plan;
    must(rp_grid_new(&shape, &ground.grid), "grid");
    for (uint32_t i = 0; i < LARGE * LARGE; i++) {
        rp_grid_set(ground.grid, rp_grid_cell(ground.grid, i % LARGE, i / LARGE),
                    draw_factor(&ground));
    }
    must(rp_planner_new(id, NULL, &ground.planner), id);
    must(rp_planner_bind(ground.planner, ground.grid), id);
    const rp_cell_t start = rp_grid_cell(ground.grid, 1, 1);
    const rp_cell_t goal = rp_grid_cell(ground.grid, LARGE - 2u, LARGE - 2u);
    rp_grid_set(ground.grid, start, 1);
    rp_grid_set(ground.grid, goal, 1);
    must(rp_planner_set_start(ground.planner, start), "start");
    must(rp_planner_set_goal(ground.planner, goal), "goal");
    must(rp_planner_plan(ground.planner, UINT64_MAX, &plan), "plan");
    rp_cell_t middle = plan.path.cells[plan.path.count / 2u];
    for (uint32_t i = 0; i < 2u * WARM_UP * rounds; i++) {
        // The middle of the path, then a cell anywhere. Only plans after the first are timed: a
        // median over both would lie between those that search and those that need not.
        rp_cell_t cell = i % 2u == 0 ? middle : draw_cell(&ground);
        cell = cell == start || cell == goal ? middle : cell;
        rp_change_t change = {.cell = cell, .after = ground.grid->factor[cell] == 0 ? 1 : 0};
        const double began_us = now_us();
        rp_grid_write(ground.grid, &change, 1);
        must(rp_planner_apply(ground.planner, &change, 1), "apply");
        must(rp_planner_plan(ground.planner, UINT64_MAX, &plan), "plan");
        if (i % 2u == 0) {
            took_us[i / 2u % rounds] = now_us() - began_us;
        }
        middle = plan.path.count != 0 ? plan.path.cells[plan.path.count / 2u] : middle;
    }
    qsort(took_us, rounds, sizeof took_us[0], compare);
    printf("%s %.3f\n", id, took_us[rounds / 2u]);
    close_ground(&ground);
}

static int print_speed(uint32_t rounds)
{
    time_planner("astar", rounds / 20u + 1u);
    time_planner("fsa", rounds / 20u + 1u);
    time_planner("gaa", rounds / 20u + 1u);
    time_planner("jps", rounds);
    time_planner("dstar-lite", rounds);
    time_planner("lpa", rounds);
    time_planner("lwf", rounds);
    time_planner("auto", rounds);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    const long count = argc > 2 ? strtol(argv[argc - 1], NULL, 10) : 0;
    if (argc == 3 && strcmp(what, "costs") == 0 && count > 0 && count <= 100000000) {
        return print_costs((uint32_t)count);
    }
    if (argc == 3 && strcmp(what, "speed") == 0 && count > 0 && count <= (long)ROUNDS_MAX) {
        return print_speed((uint32_t)count);
    }
    if (argc == 4 && strcmp(what, "cost") == 0 && count >= 0) {
        return print_world(argv[2], (uint32_t)count);
    }
    fprintf(stderr, "usage: random_plans costs N | speed N | cost PLANNER WORLD\n");
    return 2;
}
