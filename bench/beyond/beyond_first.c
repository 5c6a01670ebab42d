/// The first plan of all: a planner made, bound to 10^6 cells that it has never seen, and asked for
/// a path; and what it holds then. Fresh memory is part of it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/beyond/beyond.h"
#include "bench/measure/core.h"
#include "bench/worlds.h"

#define ROUNDS 21u
#define WHO    4u

/// The third floods: `bpa` with 4 neighbours, `jps` with 8.
static const char *const names[WHO] = {"A* buckets", "AFA", "flood", "auto"};

typedef struct start {
    rp_grid_t *grid; ///< owned
    rp_cell_t from;
    rp_cell_t to;
} start_t;

static start_t make_start(uint8_t neighbors, uint64_t seed)
{
    const uint32_t side = RP_TERRAIN_SIDE;
    const rp_grid_shape_t shape = {side, side, neighbors, false, 1, 1};
    uint8_t *factors = rp_bench_memory(NULL, (size_t)side * side, 1);
    uint64_t random = seed;
    rp_trace_t trace;
    rp_terrain_make(factors, &random);
    rp_trace_init(&trace, &shape, factors);
    start_t self = {.grid = rp_trace_grid(&trace)};
    self.from = rp_grid_cell(self.grid, side / 4u, side / 4u);
    self.to = rp_grid_cell(self.grid, side * 3u / 4u, side * 3u / 4u);
    (void)rp_grid_set(self.grid, self.from, 1);
    (void)rp_grid_set(self.grid, self.to, 1);
    rp_trace_fini(&trace);
    free(factors);
    return self;
}

/// @param plan  written. @return nanoseconds, the end of the planner not counted
static double time_one(const start_t *start, const char *id, rp_open_t open, rp_plan_t *plan)
{
    const rp_planner_options_t options = {.open = open};
    rp_planner_t *planner = NULL;
    const uint64_t begin = rp_bench_cpu_ns();
    rp_status_t status = rp_planner_new(id, &options, &planner);
    status = status == RP_OK ? rp_planner_bind(planner, start->grid) : status;
    status = status == RP_OK ? rp_planner_set_start(planner, start->from) : status;
    status = status == RP_OK ? rp_planner_set_goal(planner, start->to) : status;
    status = status == RP_OK ? rp_planner_plan(planner, UINT64_MAX, plan) : status;
    const uint64_t end = rp_bench_cpu_ns();
    rp_planner_destroy(&planner);
    if (status != RP_OK) {
        fprintf(stderr, "replan-bench: %s: %s\n", id, rp_status_text(status));
        exit(2);
    }
    return (double)(end - begin);
}

static void note(rp_beyond_t *self, uint8_t neighbors, double ms, double bytes)
{
    rp_beyond_target_t target = {.least = 2.4, .aim = 0.3, .ours = ms, .is_ceiling = true};
    target.unit = "ms";
    (void)snprintf(target.what, sizeof target.what,
                   "first plan on 10^6 cells, set-up included, %u neighbours", neighbors);
    rp_beyond_note(self, &target);
    target.least = 24.0;
    target.aim = 8.0;
    target.ours = bytes;
    target.unit = "bytes a cell";
    (void)snprintf(target.what, sizeof target.what, "memory after it, %u neighbours", neighbors);
    rp_beyond_note(self, &target);
}

static void measure(rp_beyond_t *self, uint8_t neighbors)
{
    const start_t start = make_start(neighbors, self->options->seed);
    const char *const ids[WHO] = {"astar", "afa", neighbors == 4 ? "bpa" : "jps", "auto"};
    rp_samples_t ms[WHO] = {0};
    rp_plan_t plans[WHO] = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        rp_core_choose();
        for (unsigned i = 0; i < WHO; i++) {
            const unsigned who = (i + round) % WHO;
            const rp_open_t open = who == 0 ? RP_OPEN_BUCKETS : RP_OPEN_HEAP;
            rp_samples_add(&ms[who], time_one(&start, ids[who], open, &plans[who]) * 1e-6);
            self->differences +=
                round != 0 && fabs(plans[who].cost - plans[(who + 1u) % WHO].cost) > 1e-9;
        }
    }
    for (unsigned i = 0; i < WHO; i++) {
        const double bytes =
            (double)plans[i].stats.bytes / ((double)RP_TERRAIN_SIDE * RP_TERRAIN_SIDE);
        const double median = rp_samples_percentile(&ms[i], 50.0);
        printf("| %s, %u neighbours | %.2f | %.2f | %.1f |\n", names[i], neighbors, median,
               rp_samples_percentile(&ms[i], 100.0), bytes);
        if (i == WHO - 1u) {
            note(self, neighbors, median, bytes);
        }
        rp_samples_fini(&ms[i]);
    }
    rp_grid_t *grid = start.grid;
    rp_grid_destroy(&grid);
}

void rp_beyond_first(rp_beyond_t *self)
{
    printf("\n## first: a new planner's first plan, random 25 %%, 1000 x 1000\n\nMilliseconds: the "
           "median of %u, the slowest.\n\n| | median | slowest | bytes a cell |\n"
           "|---|---|---|---|\n",
           ROUNDS);
    measure(self, 4);
    measure(self, 8);
}
