/// Table 1 of "Simple Optimization Techniques for A*-Based Search": an agent walks to a target that
/// stays, in a maze that it does not know. It takes unknown cells for free, sees the four cells
/// beside it, and searches again when the next cell of its path turns out to be blocked.
#include <stdlib.h>

#include "bench/papers/moving.h"
#include "bench/suites.h"

static const rp_moving_paper_t papers[] = {
    {"A*, heap", 3417, 1707, 0, 421},
    {"A* variant 1, heap", 3418, 980, 726, 360},
    {"A* variant 2, heap", 3417, 977, 730, 387},
    {"GAA*, heap", 3481, 346, 0, 92},
    {"GAA* variant 1, heap", 3428, 28, 333, 61},
    {"GAA* variant 2, heap", 3428, 26, 334, 63},
    {"A*, buckets", 3381, 1057, 0, 134},
    {"A* variant 1, buckets", 3485, 803, 635, 191},
    {"A* variant 2, buckets", 3485, 778, 659, 208},
    {"GAA*, buckets", 3308, 277, 0, 33},
    {"GAA* variant 1, buckets", 3509, 24, 315, 39},
    {"GAA* variant 2, buckets", 3552, 22, 321, 42},
};

static const rp_moving_row_t row = {
    "stationary target", 0, 12.0, papers, sizeof papers / sizeof papers[0],
};

/// What the agent sees beside it goes into what it knows.
static void look(rp_walker_t *walker, const rp_grid_t *truth, rp_trace_t *trace)
{
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += 2) {
        const rp_cell_t cell = rp_grid_step(truth, walker->agent, direction);
        if (truth->factor[cell] == 0 && walker->grid->factor[cell] != 0) {
            rp_walker_toggle(walker, cell);
            rp_trace_toggle(trace, cell);
        }
    }
}

static void walk(rp_walker_t *walker, const rp_grid_t *truth, rp_trace_t *trace)
{
    look(walker, truth, trace);
    while (walker->agent != walker->target) {
        (void)rp_walker_plan(walker); // a maze has a path, and what is unknown is free
        rp_trace_step(trace, walker->agent, walker->target, 0);
        while (walker->agent != walker->target &&
               walker->grid->factor[rp_walker_next(walker)] != 0) {
            walker->agent = rp_walker_next(walker);
            walker->place++;
            look(walker, truth, trace);
        }
    }
}

static void make_trace(rp_trace_t *trace, uint64_t seed, unsigned k)
{
    (void)k;
    const rp_grid_shape_t shape = rp_maze_shape();
    uint8_t *factors = rp_bench_memory(NULL, RP_MAZE_CELLS, 1);
    uint64_t random = seed;
    rp_maze_make(factors, &random);
    rp_walker_t truth;
    rp_walker_init(&truth, factors);
    for (size_t i = 0; i < RP_MAZE_CELLS; i++) {
        factors[i] = 1;
    }
    rp_walker_t walker;
    rp_walker_init(&walker, factors);
    rp_trace_init(trace, &shape, factors);
    walker.agent = rp_walker_random_cell(&truth, RP_NO_CELL, &random);
    walker.target = rp_walker_random_cell(&truth, walker.agent, &random);
    walk(&walker, truth.grid, trace);
    rp_walker_fini(&walker);
    rp_walker_fini(&truth);
    free(factors);
}

int rp_bench_gaa_table1(const rp_bench_options_t *options, cJSON *results)
{
    static const rp_moving_suite_t suite = {
        .name = "gaa-table1",
        .title = "Generalized Adaptive A*, table 1: stationary target, unknown maze",
        .rows = &row,
        .row_count = 1,
        .quick_worlds = 10,
        .make_trace = make_trace,
    };
    return rp_moving_run(&suite, options, results);
}
