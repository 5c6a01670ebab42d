/// Table 2 of "Simple Optimization Techniques for A*-Based Search": an agent chases a target in a
/// maze that both know. Each step the agent goes on along its path, then the target takes a random
/// step (not back, unless it must). At each tenth step the target stays, k blocked cells are freed
/// and k free ones blocked, so that a path remains. A search when the target left the path or cells
/// changed.
#include <stdlib.h>

#include "bench/papers/moving.h"
#include "bench/suites.h"
#include "bench/worlds.h"

#define CHANGES_EVERY 10u

static const rp_moving_paper_t papers_1[] = {
    {"A*, heap", 716, 4583, 0, 953},
    {"A* variant 1, heap", 790, 2474, 2463, 909},
    {"A* variant 2, heap", 790, 2334, 2602, 962},
    {"GAA*, heap", 731, 2056, 0, 414},
    {"GAA* variant 1, heap", 814, 101, 2132, 287},
    {"GAA* variant 2, heap", 814, 99, 2133, 299},
    {"A*, buckets", 711, 4602, 0, 807},
    {"A* variant 1, buckets", 791, 2474, 2463, 878},
    {"A* variant 2, buckets", 791, 1935, 3001, 886},
    {"GAA*, buckets", 731, 2013, 0, 297},
    {"GAA* variant 1, buckets", 814, 101, 2139, 281},
    {"GAA* variant 2, buckets", 814, 97, 2141, 297},
};

static const rp_moving_paper_t papers_10[] = {
    {"A*, heap", 371, 3344, 0, 652},
    {"A* variant 1, heap", 447, 1970, 1934, 663},
    {"A* variant 2, heap", 447, 1900, 2003, 698},
    {"GAA*, heap", 381, 1310, 0, 301},
    {"GAA* variant 1, heap", 410, 158, 1303, 226},
    {"GAA* variant 2, heap", 410, 155, 1306, 232},
    {"A*, buckets", 372, 3355, 0, 557},
    {"A* variant 1, buckets", 447, 1970, 1932, 652},
    {"A* variant 2, buckets", 447, 1668, 2232, 671},
    {"GAA*, buckets", 371, 1313, 0, 223},
    {"GAA* variant 1, buckets", 410, 159, 1306, 224},
    {"GAA* variant 2, buckets", 410, 150, 1313, 225},
};

static const rp_moving_paper_t papers_20[] = {
    {"A*, heap", 278, 2657, 0, 504},
    {"A* variant 1, heap", 361, 1613, 1563, 516},
    {"A* variant 2, heap", 361, 1563, 1609, 553},
    {"GAA*, heap", 304, 1088, 0, 266},
    {"GAA* variant 1, heap", 381, 188, 1201, 227},
    {"GAA* variant 2, heap", 383, 183, 1203, 235},
    {"A*, buckets", 278, 2712, 0, 437},
    {"A* variant 1, buckets", 360, 1633, 1579, 515},
    {"A* variant 2, buckets", 360, 1406, 1806, 529},
    {"GAA*, buckets", 305, 1094, 0, 195},
    {"GAA* variant 1, buckets", 383, 186, 1191, 216},
    {"GAA* variant 2, buckets", 381, 176, 1203, 224},
};

static const rp_moving_paper_t papers_50[] = {
    {"A*, heap", 212, 2511, 0, 491},
    {"A* variant 1, heap", 255, 1462, 1395, 477},
    {"A* variant 2, heap", 254, 1430, 1428, 507},
    {"GAA*, heap", 230, 969, 0, 271},
    {"GAA* variant 1, heap", 288, 214, 975, 236},
    {"GAA* variant 2, heap", 288, 209, 980, 247},
    {"A*, buckets", 209, 2501, 0, 397},
    {"A* variant 1, buckets", 255, 1466, 1398, 463},
    {"A* variant 2, buckets", 255, 1293, 1568, 479},
    {"GAA*, buckets", 236, 989, 0, 209},
    {"GAA* variant 1, buckets", 287, 213, 968, 211},
    {"GAA* variant 2, buckets", 287, 199, 980, 220},
};

static const rp_moving_paper_t papers_100[] = {
    {"A*, heap", 183, 2272, 0, 467},
    {"A* variant 1, heap", 225, 1316, 1221, 441},
    {"A* variant 2, heap", 225, 1292, 1242, 468},
    {"GAA*, heap", 200, 875, 0, 265},
    {"GAA* variant 1, heap", 263, 228, 895, 249},
    {"GAA* variant 2, heap", 261, 220, 897, 256},
    {"A*, buckets", 178, 2311, 0, 387},
    {"A* variant 1, buckets", 222, 1339, 1238, 412},
    {"A* variant 2, buckets", 223, 1206, 1360, 433},
    {"GAA*, buckets", 197, 912, 0, 213},
    {"GAA* variant 1, buckets", 259, 229, 890, 222},
    {"GAA* variant 2, buckets", 257, 214, 901, 232},
};

static const rp_moving_row_t rows[] = {
    {"k = 1", 1, 21.0, papers_1, sizeof papers_1 / sizeof papers_1[0]},
    {"k = 10", 10, 8.9, papers_10, sizeof papers_10 / sizeof papers_10[0]},
    {"k = 20", 20, 6.4, papers_20, sizeof papers_20 / sizeof papers_20[0]},
    {"k = 50", 50, 4.5, papers_50, sizeof papers_50 / sizeof papers_50[0]},
    {"k = 100", 100, 3.9, papers_100, sizeof papers_100 / sizeof papers_100[0]},
};

/// A random cell that is blocked, or free, and was so before this step.
static rp_cell_t random_cell(const rp_grid_t *grid, const uint32_t *changed, uint32_t step,
                             bool is_blocked, uint64_t *random)
{
    for (;;) {
        const uint32_t x = rp_bench_below(random, RP_MAZE_SIDE);
        const uint32_t y = rp_bench_below(random, RP_MAZE_SIDE);
        const rp_cell_t cell = rp_grid_cell(grid, x, y);
        if ((grid->factor[cell] == 0) == is_blocked && changed[cell] != step) {
            return cell;
        }
    }
}

static bool is_on_path(const rp_walker_t *walker, rp_cell_t cell)
{
    for (uint32_t i = walker->place; i < walker->path_count; i++) {
        if (walker->path[i] == cell) {
            return true;
        }
    }
    return false;
}

/// Block a free cell, but not one without which there is no path.
static void block_one(rp_walker_t *walker, uint32_t *changed, uint32_t step, uint64_t *random)
{
    for (;;) {
        const rp_cell_t cell = random_cell(walker->grid, changed, step, false, random);
        if (cell == walker->agent || cell == walker->target) {
            continue;
        }
        const bool needs_search = is_on_path(walker, cell);
        rp_walker_toggle(walker, cell);
        if (!needs_search || rp_walker_plan(walker)) {
            changed[cell] = step;
            return;
        }
        rp_walker_toggle(walker, cell);
        (void)rp_walker_plan(walker);
    }
}

/// @param changed  by cell, the step at which it changed last
static void change_cells(rp_walker_t *walker, rp_trace_t *trace, unsigned k, uint32_t *changed,
                         uint32_t step, uint64_t *random)
{
    for (unsigned i = 0; i < k; i++) {
        const rp_cell_t cell = random_cell(walker->grid, changed, step, true, random);
        changed[cell] = step;
        rp_walker_toggle(walker, cell);
    }
    (void)rp_walker_plan(walker);
    for (unsigned i = 0; i < k; i++) {
        block_one(walker, changed, step, random);
    }
    for (rp_cell_t cell = 0; cell < walker->grid->cell_count; cell++) {
        if (changed[cell] == step) {
            rp_trace_toggle(trace, cell);
        }
    }
}

/// @param last  where the target was before, written
static void move_target(rp_walker_t *walker, rp_cell_t *last, uint64_t *random)
{
    rp_cell_t ways[4];
    uint32_t count = 0;
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (walker->grid, walker->target, direction, next) {
        if (next != *last) {
            ways[count++] = next;
        }
    }
    const bool can_go_back = *last != RP_NO_CELL && walker->grid->factor[*last] != 0;
    const rp_cell_t here = walker->target;
    if (count != 0) {
        walker->target = ways[rp_bench_below(random, count)];
    } else if (can_go_back) {
        walker->target = *last;
    }
    *last = here;
}

static void chase(rp_walker_t *walker, rp_trace_t *trace, unsigned k, uint64_t *random)
{
    uint32_t *changed = rp_bench_memory(NULL, walker->grid->cell_count, sizeof *changed);
    for (rp_cell_t cell = 0; cell < walker->grid->cell_count; cell++) {
        changed[cell] = 0;
    }
    rp_cell_t last = RP_NO_CELL;
    (void)rp_walker_plan(walker);
    rp_trace_step(trace, walker->agent, walker->target, 0);
    for (uint32_t step = 1; walker->agent != walker->target; step++) {
        walker->agent = rp_walker_next(walker);
        walker->place++;
        if (walker->agent == walker->target) {
            break;
        }
        bool is_asked = step % CHANGES_EVERY == 0;
        if (is_asked) {
            change_cells(walker, trace, k, changed, step, random);
        } else {
            move_target(walker, &last, random);
            is_asked = !is_on_path(walker, walker->target);
        }
        if (is_asked && walker->agent != walker->target) {
            (void)rp_walker_plan(walker);
            rp_trace_step(trace, walker->agent, walker->target, 0);
        }
    }
    free(changed);
}

void rp_chase_trace(rp_trace_t *trace, uint64_t seed, unsigned k)
{
    const rp_grid_shape_t shape = rp_maze_shape();
    uint8_t *factors = rp_bench_memory(NULL, RP_MAZE_CELLS, 1);
    uint64_t random = seed;
    rp_maze_make(factors, &random);
    rp_walker_t walker;
    rp_walker_init(&walker, factors);
    rp_trace_init(trace, &shape, factors);
    walker.agent = rp_walker_random_cell(&walker, RP_NO_CELL, &random);
    walker.target = rp_walker_random_cell(&walker, walker.agent, &random);
    chase(&walker, trace, k, &random);
    rp_walker_fini(&walker);
    free(factors);
}

int rp_bench_gaa_table2(const rp_bench_options_t *options, cJSON *results)
{
    static const rp_moving_suite_t suite = {
        .name = "gaa-table2",
        .title = "Generalized Adaptive A*, table 2: moving target, known maze",
        .rows = rows,
        .row_count = sizeof rows / sizeof rows[0],
        .quick_worlds = 10,
        .make_trace = rp_chase_trace,
    };
    return rp_moving_run(&suite, options, results);
}
