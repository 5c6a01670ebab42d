#include "bench/motion_figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "planners/lattice/goal_box.h"

#define PATH_CELLS 300u ///< of the shortest way between the ends of a query, obstacles left out
#define SIDE_LEAST 215u ///< the longer side of the box that the ends span
#define SIDE_MOST  290u
#define TRIES_MOST 400u
#define REPEATS    3u ///< the best counts

static void must(rp_status_t status)
{
    if (status != RP_OK) {
        fprintf(stderr, "replan-bench: motion: %s\n", rp_status_text(status));
        exit(2);
    }
}

void rp_motion_figures_fini(rp_motion_figures_t *self)
{
    rp_samples_fini(&self->fixed_of_free);
    rp_samples_fini(&self->box_ms);
    rp_samples_fini(&self->bounded_mib);
    rp_samples_fini(&self->exact_mib);
    rp_samples_fini(&self->agents_mib);
}

// ---- queries

typedef struct query {
    const rp_control_set_t *set;
    const rp_grid_t *grid;
    rp_lattice_t *lattice;
    rp_cell_t start;
    double yaw;
    rp_lattice_goal_t goal; ///< with a heading
} query_t;

static double draw_yaw(const query_t *self, uint64_t *seed)
{
    return self->set->headings.angle[rp_bench_below(seed, self->set->headings.count)];
}

static void draw_ends(query_t *self, uint64_t *seed)
{
    const uint32_t width = self->grid->shape.width;
    const uint32_t height = self->grid->shape.height;
    const uint32_t side = SIDE_LEAST + rp_bench_below(seed, SIDE_MOST - SIDE_LEAST);
    const uint32_t other = (PATH_CELLS - side) * 1000u / 414u;
    const bool is_wide = rp_bench_below(seed, 2) != 0;
    const uint32_t dx = is_wide ? side : other;
    const uint32_t dy = is_wide ? other : side;
    const uint32_t x = rp_bench_below(seed, width - dx);
    const uint32_t y = rp_bench_below(seed, height - dy);
    self->start = rp_grid_cell(self->grid, x, y);
    self->yaw = draw_yaw(self, seed);
    self->goal = (rp_lattice_goal_t){.cell = rp_grid_cell(self->grid, x + dx, y + dy),
                                     .heading = RP_GOAL_FIXED,
                                     .yaw = draw_yaw(self, seed)};
}

static bool plan(query_t *self, const rp_lattice_goal_t *goal)
{
    rp_lattice_plan_t found;
    must(rp_lattice_set_start(self->lattice, self->start, self->yaw));
    must(rp_lattice_set_goal_pose(self->lattice, goal));
    must(rp_lattice_plan(self->lattice, &(uint64_t){UINT64_MAX}, &found));
    return found.outcome == RP_OUTCOME_FOUND && found.segment_count != 0;
}

// ---- memory

static double resident_mib(const void *memory, size_t bytes)
{
    const size_t pages = bytes / RP_MEMORY_PAGE;
    const uintptr_t first = (uintptr_t)memory / RP_MEMORY_PAGE * RP_MEMORY_PAGE;
    unsigned char *are_there = rp_bench_memory(NULL, pages + 1u, 1);
    size_t count = 0;
    if (mincore((void *)first, pages * RP_MEMORY_PAGE, are_there) != 0) {
        fprintf(stderr, "replan-bench: motion: mincore() fails\n");
        exit(2);
    }
    for (size_t i = 0; i < pages; i++) {
        count += are_there[i] & 1u;
    }
    free(are_there);
    return (double)count * RP_MEMORY_PAGE / 0x1p20;
}

static double search_mib(const rp_lattice_t *lattice)
{
    const rp_lattice_search_t *search = rp_lattice_searched(lattice);
    return resident_mib(search->nodes, rp_lattice_search_room(search) * sizeof *search->nodes) +
           (double)rp_arena_bytes(&search->arena) / 0x1p20;
}

static void note_memory(rp_motion_figures_t *self, query_t *query)
{
    rp_lattice_plan_t found;
    rp_samples_add(&self->bounded_mib, search_mib(query->lattice));
    rp_samples_add(&self->agents_mib, 1000.0 * (double)rp_lattice_bytes(query->lattice) / 0x1p20);
    must(rp_lattice_improve(query->lattice, &(uint64_t){UINT64_MAX}, &found));
    rp_samples_add(&self->exact_mib, search_mib(query->lattice));
}

// ---- goals with a heading

/// Time of a plan when field and box are known.
static double time_plan(query_t *self, const rp_lattice_goal_t *goal)
{
    double best = 0.0;
    for (uint32_t i = 0; i < REPEATS; i++) {
        rp_lattice_plan_t found;
        must(rp_lattice_set_start(self->lattice, self->start, self->yaw));
        must(rp_lattice_set_goal_pose(self->lattice, goal));
        const uint64_t begun = rp_bench_cpu_ns();
        must(rp_lattice_plan(self->lattice, &(uint64_t){UINT64_MAX}, &found));
        const double taken = (double)(rp_bench_cpu_ns() - begun);
        best = i == 0 || taken < best ? taken : best;
    }
    return best;
}

/// Time of the box, for 10^4 poses.
static double time_box(const query_t *self)
{
    rp_goal_box_t box;
    uint64_t budget = UINT64_MAX;
    const uint32_t x = rp_grid_x(self->grid, self->goal.cell);
    const uint32_t y = rp_grid_y(self->grid, self->goal.cell);
    const rp_lattice_pose_t end = {
        (uint16_t)x, (uint16_t)y,
        (uint8_t)rp_headings_nearest(&self->set->headings, self->goal.yaw)};
    must(rp_goal_box_init(&box, rp_lattice_searched(self->lattice)));
    rp_goal_box_begin(&box, x, y);
    rp_goal_box_end(&box, end, 0);
    const uint64_t begun = rp_bench_cpu_ns();
    must(rp_goal_box_work(&box, &budget));
    const double taken = (double)(rp_bench_cpu_ns() - begun);
    const double poses = (double)box.pose_count;
    rp_goal_box_fini(&box);
    return taken / 1e6 * 1e4 / poses;
}

static void note_heading(rp_motion_figures_t *self, query_t *query)
{
    const rp_lattice_goal_t free_goal = {.cell = query->goal.cell};
    const double free_ns = time_plan(query, &free_goal);
    if (plan(query, &query->goal)) {
        rp_samples_add(&self->fixed_of_free, time_plan(query, &query->goal) / free_ns);
        rp_samples_add(&self->box_ms, time_box(query));
    }
}

void rp_motion_figures_play(rp_motion_figures_t *self, const rp_control_set_t *set,
                            const rp_grid_t *grid, uint32_t queries, uint64_t *seed)
{
    uint32_t played = 0;
    for (uint32_t i = 0; i < TRIES_MOST && played < queries; i++) {
        query_t query = {.set = set, .grid = grid};
        draw_ends(&query, seed);
        must(rp_lattice_new(set, grid, &query.lattice));
        if (plan(&query, &(rp_lattice_goal_t){.cell = query.goal.cell})) {
            note_memory(self, &query);
            note_heading(self, &query);
            played++;
        }
        rp_lattice_destroy(&query.lattice);
    }
}
