/// The robot's case of the suite `beyond`: a costmap with hard and soft inflation, and a robot that
/// drives from corner to corner while obstacles near it come, go and move.
///
/// Inflation is the engine's own: a cell is blocked within HARD of an obstacle and dear within SOFT
/// of it. A robot's tick is one cell of its path, and the events of its window. What a tick takes
/// until the list of changed factors is there counts as its making.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/beyond/beyond.h"
#include "bench/beyond/clutter.h"
#include "engine/layers/layer.h"

#define HARD 4
#define SOFT 12

/// Bytes of costmap_2d.
#define FREE     0
#define OBSTACLE 254

/// Inflation is timed so often, and the least is kept.
#define ROUNDS 3u

typedef struct drive {
    rp_clutter_t clutter; ///< all marks of all ticks are kept
    size_t *tick_ends;    ///< where the marks of a tick end, owned [tick_count]
    size_t tick_count;
    size_t tick_capacity;
    uint8_t *bytes; ///< of the layer's world, owned [side * side]
    rp_layer_t layer;
    uint64_t version;
} drive_t;

static void stop_unless(rp_status_t status)
{
    if (status != RP_OK) {
        fprintf(stderr, "replan-bench: %s\n", rp_status_text(status));
        exit(2);
    }
}

// ---- inflation

static void open_layer(drive_t *self)
{
    static const rp_body_t body = {
        .inscribed_radius_m = HARD, .inflation_radius_m = SOFT, .cost_scaling = 0.35};
    const uint32_t side = (uint32_t)self->clutter.side;
    const rp_grid_shape_t shape = {.width = side, .height = side, .neighbors = 8};
    rp_profile_t profile;
    rp_inflation_t inflation;
    uint64_t budget = UINT64_MAX;
    (void)rp_profile_find("costmap", &profile);
    stop_unless(rp_inflation_make(&inflation, &body, 1.0));
    stop_unless(rp_layer_init(&self->layer, &shape, &profile, &inflation, self->bytes, 0));
    stop_unless(rp_layer_derive(&self->layer, 0, &budget));
    self->version = 0;
}

/// The engine hears of a tick.
/// @return the factors that changed; NULL when none did
static const rp_batch_t *inflate(drive_t *self, size_t tick)
{
    const uint32_t side = (uint32_t)self->clutter.side;
    const size_t begin = tick != 0 ? self->tick_ends[tick - 1u] : 0;
    const size_t end = self->tick_ends[tick];
    stop_unless(rp_layer_begin(&self->layer, end - begin));
    for (size_t i = begin; i < end; i++) {
        const rp_clutter_mark_t mark = self->clutter.marks[i];
        const uint8_t before = self->bytes[mark.index];
        const uint8_t after = mark.is_solid ? OBSTACLE : FREE;
        if (before != after) {
            const rp_cell_t cell =
                rp_grid_cell(self->layer.grid, mark.index % side, mark.index / side);
            const rp_written_t written = {mark.index, cell, before, after};
            self->bytes[mark.index] = after;
            rp_layer_write(&self->layer, &written);
        }
    }
    (void)rp_layer_commit(&self->layer, ++self->version);
    return rp_layer_next_batch(&self->layer, self->version - 1u);
}

// ---- the drive

static void make_tick(drive_t *self, const rp_costmap_drive_t *drive, unsigned events,
                      uint64_t *random)
{
    rp_clutter_t *clutter = &self->clutter;
    clutter->robot = (rp_spot_t){(int32_t)rp_grid_x(drive->grid, drive->agent),
                                 (int32_t)rp_grid_y(drive->grid, drive->agent)};
    for (unsigned i = 0; i < events; i++) {
        rp_clutter_happen(clutter, random);
    }
    if (self->tick_count == self->tick_capacity) {
        self->tick_capacity = 2u * self->tick_capacity + 1024u;
        self->tick_ends =
            rp_bench_memory(self->tick_ends, self->tick_capacity, sizeof *self->tick_ends);
    }
    self->tick_ends[self->tick_count++] = clutter->mark_count;
}

/// The trace: each tick is inflated, and the robot hears what changed.
static void make_trace(drive_t *self, rp_trace_t *trace, unsigned events, uint64_t *random)
{
    const rp_grid_t *grid = self->layer.grid;
    const rp_clutter_t *clutter = &self->clutter;
    rp_costmap_drive_t drive;
    rp_costmap_drive_init(
        &drive, trace, rp_grid_cell(grid, (uint32_t)clutter->robot.x, (uint32_t)clutter->robot.y),
        rp_grid_cell(grid, (uint32_t)clutter->goal.x, (uint32_t)clutter->goal.y));
    while (rp_costmap_drive_ask(&drive) && rp_costmap_drive_walk(&drive)) {
        make_tick(self, &drive, events, random);
        const rp_batch_t *batch = inflate(self, self->tick_count - 1u);
        for (size_t i = 0; batch != NULL && i < batch->count; i++) {
            rp_costmap_drive_write(&drive, batch->changes[i].cell, batch->changes[i].after);
        }
    }
    rp_costmap_drive_fini(&drive);
}

/// Once more with nobody but the engine's default planner there: what does inflation take between
/// its plans? Each tick's least is kept.
static void time_inflation(drive_t *self, rp_trace_t *trace, unsigned round)
{
    const uint64_t clock_ns = rp_bench_clock_ns();
    rp_planner_t *planner = NULL;
    rp_plan_t plan;
    stop_unless(rp_planner_new("auto", NULL, &planner));
    stop_unless(rp_planner_bind(planner, self->layer.grid));
    for (size_t step = 0; step < trace->step_count; step++) {
        stop_unless(rp_planner_set_start(planner, trace->steps[step].start));
        stop_unless(rp_planner_set_goal(planner, trace->steps[step].goal));
        stop_unless(rp_planner_plan(planner, UINT64_MAX, &plan));
        if (step + 1u == trace->step_count) {
            break; // nothing happens after the last
        }
        const uint64_t from = rp_bench_cpu_ns();
        const rp_batch_t *batch = inflate(self, step);
        const uint64_t took = rp_bench_cpu_ns() - from;
        const uint64_t own = took > clock_ns ? took - clock_ns : 0;
        uint64_t *least = &trace->steps[step + 1u].making_ns;
        *least = round == 0 || own < *least ? own : *least;
        if (batch != NULL) {
            stop_unless(rp_planner_apply(planner, batch->changes, batch->count));
        }
    }
    rp_planner_destroy(&planner);
}

bool rp_beyond_drive(rp_trace_t *trace, const rp_bench_options_t *options,
                     const rp_beyond_cell_t *cell, uint64_t seed)
{
    (void)options;
    const uint32_t side = cell->a;
    const size_t count = (size_t)side * side;
    uint8_t *before = rp_bench_memory(NULL, count, 1);
    uint8_t *factors = rp_bench_memory(NULL, count, 1);
    drive_t drive = {.bytes = rp_bench_memory(NULL, count, 1)};
    uint64_t random = seed;
    rp_clutter_init(&drive.clutter, side, &random);
    for (size_t index = 0; index < count; index++) {
        before[index] = drive.clutter.solid[index] != 0 ? OBSTACLE : FREE;
    }
    memcpy(drive.bytes, before, count);
    open_layer(&drive);
    const rp_grid_t *grid = drive.layer.grid;
    for (uint32_t y = 0; y < side; y++) {
        memcpy(factors + (size_t)y * side, grid->factor + rp_grid_cell(grid, 0, y), side);
    }
    rp_trace_init(trace, &grid->shape, factors);
    make_trace(&drive, trace, cell->b, &random);
    rp_layer_fini(&drive.layer);
    for (unsigned round = 0; round < ROUNDS; round++) {
        memcpy(drive.bytes, before, count);
        open_layer(&drive);
        time_inflation(&drive, trace, round);
        rp_layer_fini(&drive.layer);
    }
    rp_clutter_fini(&drive.clutter);
    free(drive.tick_ends);
    free(drive.bytes);
    free(factors);
    free(before);
    return true;
}
