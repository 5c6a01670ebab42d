/// Worlds of the suite `beyond`: queries, footprints, trips.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/beyond/beyond.h"
#include "bench/static_suite.h"
#include "bench/worlds.h"
#include "files/load.h"

#define FOOTPRINT 3u
#define SIGHT     10

static void stop_unless(rp_status_t status)
{
    if (status != RP_OK) {
        fprintf(stderr, "replan-bench: %s\n", rp_status_text(status));
        exit(2);
    }
}

// ---- ground

/// The map of a cell, or random terrain. @param factors  written: to be freed
static bool make_ground(const rp_bench_options_t *options, const rp_beyond_cell_t *cell,
                        uint64_t *random, rp_grid_shape_t *shape, uint8_t **factors)
{
    if (cell->map == NULL) {
        *shape = (rp_grid_shape_t){RP_TERRAIN_SIDE, RP_TERRAIN_SIDE, cell->neighbors, false, 1, 1};
        *factors = rp_bench_memory(NULL, (size_t)RP_TERRAIN_SIDE * RP_TERRAIN_SIDE, 1);
        rp_terrain_make(*factors, random);
        return true;
    }
    char path[4096];
    rp_map_t map;
    rp_complaint_t complaint;
    (void)snprintf(path, sizeof path, "%s/%s.map", options->maps, cell->map);
    if (rp_map_load(path, &map, &complaint) != RP_OK) {
        fprintf(stderr, "replan-bench: %s\n", complaint.sentence);
        return false;
    }
    *shape = (rp_grid_shape_t){map.width, map.height, cell->neighbors, false, 1, 1};
    *factors = map.bytes;
    return true;
}

static rp_cell_t random_free_cell(const rp_grid_t *grid, uint64_t *random)
{
    for (;;) {
        const uint32_t y = rp_bench_below(random, grid->shape.height);
        const rp_cell_t cell = rp_grid_cell(grid, rp_bench_below(random, grid->shape.width), y);
        if (grid->factor[cell] != 0) {
            return cell;
        }
    }
}

static uint32_t distance(const rp_grid_t *grid, rp_cell_t a, rp_cell_t b)
{
    const int32_t dx = (int32_t)rp_grid_x(grid, a) - (int32_t)rp_grid_x(grid, b);
    const int32_t dy = (int32_t)rp_grid_y(grid, a) - (int32_t)rp_grid_y(grid, b);
    return (uint32_t)(abs(dx) + abs(dy));
}

/// A search that finds ends which a path joins.
static rp_planner_t *new_scout(const rp_grid_t *grid)
{
    const rp_planner_options_t options = {.open = RP_OPEN_BUCKETS};
    rp_planner_t *scout = NULL;
    stop_unless(rp_planner_new("astar", &options, &scout));
    stop_unless(rp_planner_bind(scout, grid));
    return scout;
}

static void choose_ends(const rp_grid_t *grid, rp_planner_t *scout, uint32_t least,
                        uint64_t *random, rp_cell_t *start, rp_cell_t *goal)
{
    rp_plan_t plan = {.outcome = RP_OUTCOME_NO_PATH};
    while (plan.outcome != RP_OUTCOME_FOUND) {
        do {
            *start = random_free_cell(grid, random);
            *goal = random_free_cell(grid, random);
        } while (distance(grid, *start, *goal) < least);
        stop_unless(rp_planner_set_start(scout, *start));
        stop_unless(rp_planner_set_goal(scout, *goal));
        stop_unless(rp_planner_plan(scout, UINT64_MAX, &plan));
    }
}

// ---- queries

/// The queries of the file beside a map.
static bool read_queries(rp_trace_t *trace, const rp_bench_options_t *options,
                         const rp_beyond_cell_t *cell)
{
    char path[4096];
    char *paths[1] = {path};
    const rp_map_set_t maps = {.paths = paths, .count = 1};
    (void)snprintf(path, sizeof path, "%s/%s.map", options->maps, cell->map);
    return rp_static_trace(&maps, 0, cell->neighbors, options->quick ? 40 : 200, trace);
}

bool rp_beyond_queries(rp_trace_t *trace, const rp_bench_options_t *options,
                       const rp_beyond_cell_t *cell, uint64_t seed)
{
    uint64_t random = seed;
    rp_grid_shape_t shape;
    uint8_t *factors;
    if (cell->map != NULL) {
        const bool is_read = read_queries(trace, options, cell);
        trace->idles = is_read;
        trace->idles_always = is_read;
        return is_read;
    }
    if (!make_ground(options, cell, &random, &shape, &factors)) {
        return false;
    }
    rp_trace_init(trace, &shape, factors);
    free(factors);
    trace->warms_up = true;
    trace->idles = true;
    trace->idles_always = true;
    rp_grid_t *grid = rp_trace_grid(trace);
    rp_planner_t *scout = new_scout(grid);
    const unsigned queries = options->quick ? 20 : 60;
    while (trace->step_count < queries) {
        rp_cell_t start;
        rp_cell_t goal;
        choose_ends(grid, scout, 1, &random, &start, &goal);
        rp_trace_step(trace, start, goal, 0);
    }
    rp_planner_destroy(&scout);
    rp_grid_destroy(&grid);
    return true;
}

// ---- footprints

/// What stands where: cells may lie below several footprints, and on blocked ground.
typedef struct site {
    rp_trace_t *trace;
    rp_grid_t *grid;     ///< as it is now
    uint8_t *covers;     ///< by cell: footprints on it, and the ground's block [cell_count]
    rp_cell_t *standing; ///< corners of footprints [standing_count]
    size_t standing_count;
    rp_cell_t start;
    rp_cell_t goal;
    uint8_t *touched; ///< by cell: in `dirty` [cell_count]
    rp_cell_t *dirty; ///< cells that this update may have changed [dirty_count]
    size_t dirty_count;
} site_t;

static void cover(site_t *self, rp_cell_t corner, int by)
{
    for (uint32_t y = 0; y < FOOTPRINT; y++) {
        for (uint32_t x = 0; x < FOOTPRINT; x++) {
            const rp_cell_t cell = corner + y * self->grid->stride + x;
            if (cell == self->start || cell == self->goal) {
                continue;
            }
            self->covers[cell] = (uint8_t)(self->covers[cell] + by);
            if (self->touched[cell] == 0) {
                self->touched[cell] = 1;
                self->dirty[self->dirty_count++] = cell;
            }
        }
    }
}

static void come_or_go(site_t *self, uint64_t *random)
{
    const rp_grid_t *grid = self->grid;
    if (self->standing_count != 0 && rp_bench_below(random, 2) == 0) {
        const uint32_t which = rp_bench_below(random, (uint32_t)self->standing_count);
        cover(self, self->standing[which], -1);
        self->standing[which] = self->standing[--self->standing_count];
        return;
    }
    const uint32_t x = rp_bench_below(random, grid->shape.width - FOOTPRINT + 1u);
    const uint32_t y = rp_bench_below(random, grid->shape.height - FOOTPRINT + 1u);
    const rp_cell_t corner = rp_grid_cell(grid, x, y);
    self->standing[self->standing_count++] = corner;
    cover(self, corner, 1);
}

/// What differs from what stood there before this update goes into the trace.
static void end_update(site_t *self)
{
    for (size_t i = 0; i < self->dirty_count; i++) {
        const rp_cell_t cell = self->dirty[i];
        const uint8_t factor = self->covers[cell] == 0;
        if (rp_grid_set(self->grid, cell, factor) != factor) {
            rp_trace_toggle(self->trace, cell);
        }
        self->touched[cell] = 0;
    }
    self->dirty_count = 0;
    rp_trace_step(self->trace, self->start, self->goal, 0);
}

static void play_updates(site_t *self, unsigned updates, unsigned footprints, uint64_t *random)
{
    const uint32_t count = self->grid->cell_count;
    self->covers = rp_bench_memory(NULL, count, 1);
    self->touched = rp_bench_memory(NULL, count, 1);
    self->dirty = rp_bench_memory(NULL, count, sizeof *self->dirty);
    self->standing =
        rp_bench_memory(NULL, (size_t)updates * footprints + 1u, sizeof *self->standing);
    memset(self->touched, 0, count);
    for (rp_cell_t cell = 0; cell < count; cell++) {
        self->covers[cell] = self->grid->factor[cell] == 0;
    }
    rp_trace_step(self->trace, self->start, self->goal, 0);
    for (unsigned i = 0; i < updates; i++) {
        for (unsigned k = 0; k < footprints; k++) {
            come_or_go(self, random);
        }
        end_update(self);
    }
    free(self->covers);
    free(self->touched);
    free(self->dirty);
    free(self->standing);
}

bool rp_beyond_footprints(rp_trace_t *trace, const rp_bench_options_t *options,
                          const rp_beyond_cell_t *cell, uint64_t seed)
{
    uint64_t random = seed;
    rp_grid_shape_t shape;
    uint8_t *factors;
    if (!make_ground(options, cell, &random, &shape, &factors)) {
        return false;
    }
    rp_trace_init(trace, &shape, factors);
    free(factors);
    trace->idles = true;
    trace->idles_always = true;
    trace->sprints = true;
    site_t site = {.trace = trace, .grid = rp_trace_grid(trace)};
    rp_planner_t *scout = new_scout(site.grid);
    choose_ends(site.grid, scout, (shape.width + shape.height) / 4u, &random, &site.start,
                &site.goal);
    rp_planner_destroy(&scout);
    const unsigned most = options->quick ? 5000 : 20000;
    play_updates(&site, cell->a == 1 ? most : most / 20u, cell->a, &random);
    rp_grid_destroy(&site.grid);
    return true;
}

// ---- an agent that walks

void rp_costmap_drive_init(rp_costmap_drive_t *self, rp_trace_t *trace, rp_cell_t agent,
                           rp_cell_t goal)
{
    *self = (rp_costmap_drive_t){
        .trace = trace, .grid = rp_trace_grid(trace), .agent = agent, .goal = goal};
    stop_unless(rp_planner_new("dstar-lite", NULL, &self->planner));
    stop_unless(rp_planner_bind(self->planner, self->grid));
    rp_certificate_init(&self->path, self->grid);
    self->kept = rp_bench_memory(NULL, self->grid->cell_count, sizeof *self->kept);
}

void rp_costmap_drive_follow(rp_costmap_drive_t *self, const rp_contender_t *walker)
{
    rp_planner_destroy(&self->planner);
    stop_unless(rp_papers_new(walker->id, &walker->options, &self->planner));
    stop_unless(rp_planner_bind(self->planner, self->grid));
    self->asks_always = !walker->rests && walker->every <= 1;
    self->never_idles = walker->never_idles;
}

void rp_costmap_drive_fini(rp_costmap_drive_t *self)
{
    free(self->kept);
    rp_planner_destroy(&self->planner);
    rp_grid_destroy(&self->grid);
    free(self->changes);
}

void rp_costmap_drive_write(rp_costmap_drive_t *self, rp_cell_t cell, uint8_t factor)
{
    if (self->change_count == self->change_capacity) {
        self->change_capacity = self->change_capacity == 0 ? 256 : 2 * self->change_capacity;
        self->changes =
            rp_bench_memory(self->changes, self->change_capacity, sizeof *self->changes);
    }
    const uint8_t before = rp_grid_set(self->grid, cell, factor);
    self->changes[self->change_count++] = (rp_change_t){cell, before, factor};
    rp_trace_write(self->trace, cell, factor);
}

bool rp_costmap_drive_ask(rp_costmap_drive_t *self)
{
    const bool is_idle = rp_certificate_holds(&self->path, self->changes, self->change_count, NULL);
    stop_unless(rp_planner_apply(self->planner, self->changes, self->change_count));
    self->change_count = 0;
    if (!is_idle || self->asks_always) {
        rp_plan_t plan;
        stop_unless(rp_planner_set_start(self->planner, self->agent));
        stop_unless(rp_planner_set_goal(self->planner, self->goal));
        stop_unless(rp_planner_plan(self->planner, UINT64_MAX, &plan));
        rp_certificate_drop(&self->path);
        const rp_path_t kept = {self->kept, plan.path.count};
        memcpy(self->kept, plan.path.cells, kept.count * sizeof *self->kept);
        rp_certificate_take(&self->path, &kept);
    }
    if (self->trace->idles && !self->never_idles && self->trace->step_count == 0) {
        uint64_t budget = UINT64_MAX;
        (void)rp_planner_idle(self->planner, &budget);
    }
    rp_trace_step(self->trace, self->agent, self->goal, 0);
    self->trace->steps[self->trace->step_count - 1u].is_idle = is_idle;
    return self->path.path.count != 0;
}

bool rp_costmap_drive_walk(rp_costmap_drive_t *self)
{
    if (self->agent == self->goal) {
        return false;
    }
    self->agent = self->path.path.cells[1];
    return rp_certificate_follow(&self->path, self->agent) && self->agent != self->goal;
}

// ---- trips

/// Blocks some free cells of a prior map, and frees as many blocked ones.
static void spoil(uint8_t *factors, size_t count, unsigned of_1000, size_t start, size_t goal,
                  uint64_t *random)
{
    size_t free_count = 0;
    for (size_t i = 0; i < count; i++) {
        free_count += factors[i] != 0;
    }
    size_t wanted = free_count * of_1000 / 1000u;
    wanted = wanted < count - free_count ? wanted : count - free_count;
    uint8_t *spoilt = rp_bench_memory(NULL, count, 1);
    memset(spoilt, 0, count);
    for (size_t i = 0; i < 2 * wanted;) {
        const size_t place = rp_bench_below(random, (uint32_t)count);
        if ((factors[place] != 0) == (i % 2 == 0) && spoilt[place] == 0 && place != start &&
            place != goal) {
            spoilt[place] = 1;
            factors[place] = factors[place] == 0;
            i++;
        }
    }
    free(spoilt);
}

/// The agent sees the cells within its range, and what it had believed otherwise goes into the
/// trace.
static void look(rp_costmap_drive_t *drive, const rp_grid_t *truth)
{
    const int32_t agent_x = (int32_t)rp_grid_x(truth, drive->agent);
    const int32_t agent_y = (int32_t)rp_grid_y(truth, drive->agent);
    for (int32_t dy = -SIGHT; dy <= SIGHT; dy++) {
        for (int32_t dx = -SIGHT; dx <= SIGHT; dx++) {
            if (dx * dx + dy * dy > SIGHT * SIGHT ||
                !rp_grid_contains(truth, agent_x + dx, agent_y + dy)) {
                continue;
            }
            const rp_cell_t cell =
                rp_grid_cell(truth, (uint32_t)(agent_x + dx), (uint32_t)(agent_y + dy));
            if (drive->grid->factor[cell] != truth->factor[cell]) {
                rp_costmap_drive_write(drive, cell, truth->factor[cell]);
            }
        }
    }
}

bool rp_beyond_trip(rp_trace_t *trace, const rp_bench_options_t *options,
                    const rp_beyond_cell_t *cell, uint64_t seed, const rp_contender_t *walker)
{
    uint64_t random = seed;
    rp_grid_shape_t shape;
    uint8_t *factors;
    if (!make_ground(options, cell, &random, &shape, &factors)) {
        return false;
    }
    const size_t count = (size_t)shape.width * shape.height;
    rp_grid_t *truth = NULL;
    stop_unless(rp_grid_new(&shape, &truth));
    rp_grid_fill(truth, factors);
    rp_planner_t *scout = new_scout(truth);
    rp_cell_t start;
    rp_cell_t goal;
    choose_ends(truth, scout, (shape.width + shape.height) / 3u, &random, &start, &goal);
    rp_planner_destroy(&scout);
    if (cell->a == 0) {
        memset(factors, 1, count);
    } else {
        spoil(factors, count, cell->a,
              (size_t)rp_grid_y(truth, start) * shape.width + rp_grid_x(truth, start),
              (size_t)rp_grid_y(truth, goal) * shape.width + rp_grid_x(truth, goal), &random);
    }
    rp_trace_init(trace, &shape, factors);
    free(factors);
    rp_costmap_drive_t drive;
    rp_costmap_drive_init(&drive, trace, start, goal);
    rp_costmap_drive_follow(&drive, walker);
    trace->idles = true;
    do {
        look(&drive, truth);
    } while (rp_costmap_drive_ask(&drive) && rp_costmap_drive_walk(&drive));
    rp_costmap_drive_fini(&drive);
    rp_grid_destroy(&truth);
    return true;
}
