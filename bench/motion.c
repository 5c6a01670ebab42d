/// Curves that a vehicle can drive: how many poses the lattice planner expands, how long that
/// takes, and what its field saves against the paper's heuristic, on the same lattice with the same
/// OPEN.
///
/// Queries: both ends in the largest component of the layer of the body's own radius, a path of
/// cells of 280 to 320 between them. Pairs that no motion joins belong to their own row. A row
/// whose floor is missed fails the suite, but for times on a machine that is shared: these are
/// told.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/harness.h"
#include "bench/motion_figures.h"
#include "bench/motion_worlds.h"
#include "bench/suites.h"
#include "planners/guide/guide.h"
#include "planners/lattice/lattice.h"
#include "planners/lattice/lattice_search.h"

#define HEADINGS   16u
#define PATH_LEAST (280u * RP_LATTICE_UNIT)
#define PATH_MOST  (320u * RP_LATTICE_UNIT)
#define PLAIN_MOST 3000000u ///< expansions after which the plain search is given up
#define TRIES_MOST 400u
#define CHANGES    40u ///< single cells near a path

static const double radii[] = {4.0, 2.0, 8.0};
static const double bodies[] = {0.45, 2.0, 3.0, 6.0};
#define RADII  (sizeof radii / sizeof radii[0])
#define BODIES (sizeof bodies / sizeof bodies[0])

/// What one radius and body showed on one world.
typedef struct motion_row {
    rp_samples_t bounded; ///< expansions within 10 %
    rp_samples_t bounded_us;
    rp_samples_t exact;
    rp_samples_t no_path_us;
    rp_samples_t no_path_expanded;
    rp_samples_t broken_us;    ///< obstacles on the path: what the answer waits for
    uint32_t changes[2];       ///< single cells near the path that were freed, blocked
    uint32_t kept[2];          ///< of these, answered without a search
    rp_samples_t change_us[2]; ///< of those that were kept: taking in and answering
    double log_time;           ///< of plain against within 10 %
    double log_expanded;       ///< of exact against plain
    uint32_t compared;
    double expand_ns[2]; ///< of a search within 10 %: portable, and what this machine has
} motion_row_t;

typedef struct motion {
    const rp_bench_options_t *options;
    rp_grid_t *grid;
    const char *world;
    const rp_control_set_t *set;
    rp_obstacles_t obstacles;
    rp_guide_t guide;
    rp_guide_t layer; ///< of the body's own radius
    rp_guide_field_t field;
    rp_guide_field_t near; ///< costs on `layer`
    uint8_t *largest;      ///< by place of `layer`: of its largest component
    rp_lattice_search_t guided;
    rp_lattice_search_t plain;
    rp_lattice_t *lattice;
    uint64_t random;
    cJSON *rows;
    double log_time; ///< over all rows
    double log_expanded;
    uint32_t compared;
    uint32_t compared_small;
    rp_samples_t tight; ///< expansions within 10 % at radius 4, bodies 2 and 3
    rp_samples_t broken_us;
    rp_samples_t no_path_us;     ///< of pairs whose smaller side has at most 10^5 poses
    double expand_ns[2];         ///< at radius 4, body 6: portable, and what this machine has
    rp_motion_figures_t figures; ///< at radius 4, on rectangles
    int code;
} motion_t;

// ---- one radius and body on one world

static bool must(rp_status_t status)
{
    if (status != RP_OK) {
        fprintf(stderr, "replan-bench: motion: %s\n", rp_status_text(status));
        exit(2);
    }
    return true;
}

/// Mark a component. @return its cells
static uint32_t mark(motion_t *self, rp_cell_t from, uint8_t number, rp_cell_t *stack)
{
    uint32_t count = 0;
    uint32_t cells = 0;
    stack[count++] = from;
    self->largest[from] = number;
    while (count != 0) {
        unsigned direction;
        rp_cell_t next;
        const rp_cell_t cell = stack[--count];
        cells++;
        RP_FOR_MOVES (self->layer.layer, cell, direction, next) {
            if (self->largest[next] != number) {
                self->largest[next] = number;
                stack[count++] = next;
            }
        }
    }
    return cells;
}

/// Cells of the largest component become 2, others 1.
static void find_largest(motion_t *self)
{
    const rp_grid_t *layer = self->layer.layer;
    rp_cell_t *stack = rp_bench_memory(NULL, layer->cell_count, sizeof *stack);
    rp_cell_t best = RP_NO_CELL;
    uint32_t most = 0;
    self->largest = rp_bench_memory(NULL, layer->cell_count, 1);
    memset(self->largest, 0, layer->cell_count);
    for (rp_cell_t cell = 0; cell < layer->cell_count; cell++) {
        if (layer->factor[cell] != 0 && self->largest[cell] == 0) {
            const uint32_t cells = mark(self, cell, 1, stack);
            best = cells > most ? cell : best;
            most = cells > most ? cells : most;
        }
    }
    if (best != RP_NO_CELL) {
        (void)mark(self, best, 2, stack);
    }
    free(stack);
}

static void open_case(motion_t *self)
{
    const double body = self->set->shape.body_radius;
    const uint32_t reach = self->set->reach;
    must(rp_obstacles_init(&self->obstacles, self->grid, reach));
    rp_obstacles_fill(&self->obstacles, self->grid);
    must(rp_guide_make(&self->guide, self->grid, &self->obstacles, body, self->set->spread));
    must(rp_guide_make(&self->layer, self->grid, &self->obstacles, body + 1.0, 0));
    must(rp_guide_field_init(&self->field, self->guide.layer, false));
    must(rp_guide_field_init(&self->near, self->layer.layer, false));
    must(rp_lattice_search_init(&self->guided, self->set, self->grid, &self->obstacles,
                                &self->field));
    must(rp_lattice_search_init(&self->plain, self->set, self->grid, &self->obstacles, NULL));
    must(rp_lattice_new(self->set, self->grid, &self->lattice));
    find_largest(self);
}

static void close_case(motion_t *self)
{
    rp_lattice_destroy(&self->lattice);
    rp_lattice_search_fini(&self->guided);
    rp_lattice_search_fini(&self->plain);
    rp_guide_field_fini(&self->field);
    rp_guide_field_fini(&self->near);
    rp_guide_fini(&self->guide);
    rp_guide_fini(&self->layer);
    rp_obstacles_fini(&self->obstacles);
    free(self->largest);
}

static rp_cell_t draw_cell(motion_t *self)
{
    const uint32_t y = rp_bench_below(&self->random, self->grid->shape.height);
    return rp_grid_cell(self->grid, rp_bench_below(&self->random, self->grid->shape.width), y);
}

static void grow(rp_guide_field_t *field, rp_cell_t goal)
{
    uint64_t budget = UINT64_MAX;
    rp_guide_field_begin(field, goal);
    (void)rp_guide_field_work(field, &budget);
}

/// @return false when no pair of this length was found
static bool draw_query(motion_t *self, rp_cell_t *start, rp_cell_t *goal)
{
    for (uint32_t i = 0; i < TRIES_MOST; i++) {
        *goal = draw_cell(self);
        if (self->largest[*goal] != 2) {
            continue;
        }
        grow(&self->near, *goal);
        for (uint32_t k = 0; k < 50u * TRIES_MOST; k++) {
            *start = draw_cell(self);
            const uint32_t value = self->near.values[*start];
            if (value >= PATH_LEAST && value <= PATH_MOST) {
                grow(&self->field, *goal);
                return true;
            }
        }
    }
    return false;
}

typedef struct played {
    bool has_path;
    bool is_over;
    uint32_t cost;
    uint64_t expanded;
    double us;
} played_t;

static played_t play(motion_t *self, rp_lattice_search_t *search, rp_lattice_pose_t start,
                     rp_cell_t goal, uint32_t percent, uint64_t budget)
{
    const uint64_t from = rp_bench_cpu_ns();
    rp_lattice_search_begin(search, rp_grid_x(self->grid, goal), rp_grid_y(self->grid, goal),
                            percent, RP_LATTICE_COST_MOST);
    rp_lattice_search_root(search, start, 0);
    const rp_status_t status = rp_lattice_search_work(search, &budget);
    return (played_t){.has_path = search->has_path,
                      .is_over = status == RP_OK,
                      .cost = search->best,
                      .expanded = search->counts.expanded,
                      .us = (double)(rp_bench_cpu_ns() - from) / 1e3};
}

/// The best of three: others work on this machine, too.
static played_t play_best(motion_t *self, rp_lattice_search_t *search, rp_lattice_pose_t start,
                          rp_cell_t goal)
{
    played_t best = play(self, search, start, goal, 10, UINT64_MAX);
    for (uint32_t i = 0; i < 2u; i++) {
        const played_t again = play(self, search, start, goal, 10, UINT64_MAX);
        best.us = again.us < best.us ? again.us : best.us;
    }
    return best;
}

/// Portable instructions must do the same. @return time an expansion of this search, ns
static double play_portable(motion_t *self, rp_lattice_pose_t start, rp_cell_t goal,
                            const played_t *wide)
{
    const rp_simd_t simd = self->guided.simd;
    self->guided.simd = RP_SIMD_NONE;
    const played_t portable = play_best(self, &self->guided, start, goal);
    self->guided.simd = simd;
    if (portable.cost != wide->cost || portable.expanded != wide->expanded) {
        fprintf(stderr, "replan-bench: motion: portable instructions give another answer\n");
        self->code = 1;
    }
    return portable.us;
}

/// Put obstacles on the middle of the path, and plan again; then take them away.
static void break_path(motion_t *self, motion_row_t *row, rp_lattice_pose_t start, rp_cell_t goal)
{
    rp_lattice_plan_t plan;
    rp_change_t changes[9];
    size_t count = 0;
    const rp_cell_t from = rp_grid_cell(self->grid, start.x, start.y);
    must(rp_lattice_set_start(self->lattice, from, self->set->headings.angle[start.heading]));
    must(rp_lattice_set_goal(self->lattice, goal));
    must(rp_lattice_plan(self->lattice, &(uint64_t){UINT64_MAX}, &plan));
    if (plan.outcome != RP_OUTCOME_FOUND) {
        return;
    }
    const rp_cell_t middle = plan.path.cells[plan.path.count / 2u];
    for (uint32_t i = 0; i < 9u; i++) {
        const rp_cell_t cell = middle + (i / 3u - 1u) * self->grid->stride + i % 3u - 1u;
        if (rp_grid_holds(self->grid, cell) && self->grid->factor[cell] != 0) {
            changes[count++] = (rp_change_t){.cell = cell, .before = 1, .after = 0};
        }
    }
    rp_grid_write(self->grid, changes, count);
    const uint64_t begun = rp_bench_cpu_ns();
    must(rp_lattice_apply(self->lattice, changes, count));
    must(rp_lattice_plan(self->lattice, &(uint64_t){UINT64_MAX}, &plan));
    rp_samples_add(&row->broken_us, (double)(rp_bench_cpu_ns() - begun) / 1e3);
    for (size_t i = 0; i < count; i++) {
        changes[i].after = 1;
    }
    rp_grid_write(self->grid, changes, count);
    must(rp_lattice_apply(self->lattice, changes, count));
}

/// Turn single cells near the path over and back, and see which answers need a search.
static void churn(motion_t *self, motion_row_t *row)
{
    rp_lattice_plan_t plan;
    must(rp_lattice_plan(self->lattice, &(uint64_t){UINT64_MAX}, &plan));
    for (uint32_t i = 0; i < CHANGES && plan.outcome == RP_OUTCOME_FOUND; i++) {
        const rp_cell_t near = plan.path.cells[rp_bench_below(&self->random, plan.path.count)];
        const int64_t x =
            (int64_t)rp_grid_x(self->grid, near) + rp_bench_below(&self->random, 21) - 10;
        const int64_t y =
            (int64_t)rp_grid_y(self->grid, near) + rp_bench_below(&self->random, 21) - 10;
        if (!rp_grid_contains(self->grid, x, y)) {
            continue;
        }
        const rp_cell_t cell = rp_grid_cell(self->grid, (uint32_t)x, (uint32_t)y);
        for (uint32_t turn = 0; turn < 2u; turn++) {
            const uint8_t before = self->grid->factor[cell];
            rp_change_t change = {.cell = cell, .before = before, .after = before == 0};
            rp_grid_write(self->grid, &change, 1);
            const uint64_t begun = rp_bench_cpu_ns();
            must(rp_lattice_apply(self->lattice, &change, 1));
            must(rp_lattice_plan(self->lattice, &(uint64_t){UINT64_MAX}, &plan));
            const bool is_kept = plan.expanded == 0 && plan.outcome == RP_OUTCOME_FOUND;
            row->changes[before != 0] += turn == 0;
            row->kept[before != 0] += turn == 0 && is_kept;
            if (is_kept) {
                rp_samples_add(&row->change_us[before != 0],
                               (double)(rp_bench_cpu_ns() - begun) / 1e3);
            }
        }
    }
}

static void compare_plain(motion_t *self, motion_row_t *row, rp_lattice_pose_t start,
                          rp_cell_t goal, const played_t *bounded, const played_t *exact)
{
    const played_t plain = play(self, &self->plain, start, goal, 0, PLAIN_MOST);
    if (plain.is_over && plain.cost != exact->cost) {
        fprintf(stderr, "replan-bench: motion: %u is said, %u is the cheapest\n", exact->cost,
                plain.cost);
        self->code = 1;
    }
    row->log_time += log(plain.us / bounded->us); // at least, where it was given up
    row->log_expanded += log((double)exact->expanded / (double)plain.expanded);
    row->compared++;
}

static void play_query(motion_t *self, motion_row_t *row, double sums[3])
{
    rp_cell_t from;
    rp_cell_t goal;
    if (!draw_query(self, &from, &goal)) {
        return;
    }
    const rp_lattice_pose_t start = {(uint16_t)rp_grid_x(self->grid, from),
                                     (uint16_t)rp_grid_y(self->grid, from),
                                     (uint8_t)rp_bench_below(&self->random, HEADINGS)};
    const played_t bounded = play_best(self, &self->guided, start, goal);
    if (!bounded.has_path) {
        rp_samples_add(&row->no_path_us, bounded.us);
        rp_samples_add(&row->no_path_expanded, (double)bounded.expanded);
        return;
    }
    sums[0] += play_portable(self, start, goal, &bounded);
    sums[1] += bounded.us;
    sums[2] += (double)bounded.expanded;
    const played_t exact = play(self, &self->guided, start, goal, 0, UINT64_MAX);
    if (bounded.cost > exact.cost + exact.cost / 10u + (1u << RP_LATTICE_BUCKET_SHIFT)) {
        fprintf(stderr, "replan-bench: motion: %u is not within 10 %% of %u\n", bounded.cost,
                exact.cost);
        self->code = 1;
    }
    rp_samples_add(&row->bounded, (double)bounded.expanded);
    rp_samples_add(&row->bounded_us, bounded.us);
    rp_samples_add(&row->exact, (double)exact.expanded);
    compare_plain(self, row, start, goal, &bounded, &exact);
    break_path(self, row, start, goal);
    churn(self, row);
}

// ---- tables

static double geometric(double sum, uint32_t count)
{
    return count != 0 ? exp(sum / count) : 0.0;
}

static void tell_row(motion_t *self, motion_row_t *row)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "world", self->world);
    cJSON_AddNumberToObject(json, "turning_radius", self->set->shape.turning_radius);
    cJSON_AddNumberToObject(json, "body_radius", self->set->shape.body_radius);
    rp_samples_to_json(&row->bounded, json, "expanded_within_10");
    rp_samples_to_json(&row->bounded_us, json, "us_within_10");
    rp_samples_to_json(&row->exact, json, "expanded_exact");
    rp_samples_to_json(&row->no_path_us, json, "us_no_path");
    rp_samples_to_json(&row->no_path_expanded, json, "expanded_no_path");
    rp_samples_to_json(&row->broken_us, json, "us_broken");
    cJSON_AddNumberToObject(json, "freed", row->changes[0]);
    cJSON_AddNumberToObject(json, "freed_kept", row->kept[0]);
    cJSON_AddNumberToObject(json, "blocked", row->changes[1]);
    cJSON_AddNumberToObject(json, "blocked_kept", row->kept[1]);
    rp_samples_to_json(&row->change_us[0], json, "us_freed_kept");
    rp_samples_to_json(&row->change_us[1], json, "us_blocked_kept");
    cJSON_AddNumberToObject(json, "times_plain", geometric(row->log_time, row->compared));
    cJSON_AddNumberToObject(json, "exact_of_plain", geometric(row->log_expanded, row->compared));
    cJSON_AddNumberToObject(json, "ns_portable", row->expand_ns[0]);
    cJSON_AddNumberToObject(json, "ns", row->expand_ns[1]);
    cJSON_AddItemToArray(self->rows, json);
    printf("| %s | %g | %g | %zu | %.0f | %.0f | %.0f | %.0f | %.2f | %.0f | %.0f | %zu | %.0f |"
           " %.0f | %.0f | %u of %u | %.1f | %u of %u | %.1f |\n",
           self->world, self->set->shape.turning_radius, self->set->shape.body_radius,
           row->bounded.count, rp_samples_percentile(&row->bounded, 50),
           rp_samples_percentile(&row->bounded, 99), rp_samples_percentile(&row->bounded_us, 50),
           geometric(row->log_time, row->compared), geometric(row->log_expanded, row->compared),
           row->expand_ns[1], row->expand_ns[0], row->no_path_us.count,
           rp_samples_percentile(&row->no_path_us, 50), rp_samples_percentile(&row->broken_us, 50),
           rp_samples_percentile(&row->broken_us, 99), row->kept[0], row->changes[0],
           rp_samples_percentile(&row->change_us[0], 50), row->kept[1], row->changes[1],
           rp_samples_percentile(&row->change_us[1], 50));
    (void)fflush(stdout);
}

static void copy_samples(rp_samples_t *to, const rp_samples_t *from)
{
    for (size_t i = 0; i < from->count; i++) {
        rp_samples_add(to, from->values[i]);
    }
}

/// What rows give to the figures that are held to a bound.
static void note_bounds(motion_t *self, const motion_row_t *row)
{
    const rp_lattice_shape_t *shape = &self->set->shape;
    if (shape->turning_radius == 4.0 && (shape->body_radius == 2.0 || shape->body_radius == 3.0)) {
        copy_samples(&self->tight, &row->bounded);
    }
    if (shape->turning_radius == 4.0 && shape->body_radius == 6.0 && self->expand_ns[1] == 0.0) {
        memcpy(self->expand_ns, row->expand_ns, sizeof self->expand_ns);
    }
    copy_samples(&self->broken_us, &row->broken_us);
    for (size_t i = 0; i < row->no_path_us.count; i++) {
        if (row->no_path_expanded.values[i] <= 1e5) {
            rp_samples_add(&self->no_path_us, row->no_path_us.values[i]);
        }
    }
}

static void end_row(motion_t *self, motion_row_t *row)
{
    const bool is_small = self->set->shape.body_radius < 1.0;
    self->log_time += row->log_time;
    self->compared += row->compared;
    self->log_expanded += is_small ? row->log_expanded : 0.0;
    self->compared_small += is_small ? row->compared : 0;
    rp_samples_fini(&row->bounded);
    rp_samples_fini(&row->bounded_us);
    rp_samples_fini(&row->exact);
    rp_samples_fini(&row->no_path_us);
    rp_samples_fini(&row->no_path_expanded);
    rp_samples_fini(&row->broken_us);
    rp_samples_fini(&row->change_us[0]);
    rp_samples_fini(&row->change_us[1]);
}

static void play_case(motion_t *self, double radius, double body, uint32_t queries)
{
    const rp_lattice_shape_t shape = {
        .turning_radius = radius, .body_radius = body, .headings = HEADINGS};
    rp_control_set_t *set = NULL;
    uint64_t budget = UINT64_MAX;
    motion_row_t row = {0};
    double sums[3] = {0};
    must(rp_control_set_new(&shape, &set));
    must(rp_control_set_build(set, &budget));
    self->set = set;
    open_case(self);
    for (uint32_t i = 0; i < queries; i++) {
        rp_bench_progress("motion: %s, radius %g, body %g, query %u", self->world, radius, body, i);
        play_query(self, &row, sums);
    }
    if (radius == radii[0] && strcmp(self->world, "rectangles") == 0) {
        uint64_t seed = self->options->seed; // of its own: queries stay those of other runs
        rp_motion_figures_play(&self->figures, set, self->grid, 1u + queries / 10u, &seed);
    }
    row.expand_ns[0] = sums[2] > 0.0 ? sums[0] * 1e3 / sums[2] : 0.0;
    row.expand_ns[1] = sums[2] > 0.0 ? sums[1] * 1e3 / sums[2] : 0.0;
    note_bounds(self, &row);
    tell_row(self, &row);
    end_row(self, &row);
    close_case(self);
    rp_control_set_destroy(&set);
}

static void play_world(motion_t *self, const char *name, rp_grid_t *grid)
{
    const rp_bench_options_t *options = self->options;
    const uint32_t queries = options->worlds != 0 ? options->worlds : options->quick ? 5u : 100u;
    const size_t count = options->quick ? 1u : RADII;
    if (grid == NULL) {
        return;
    }
    self->world = name;
    self->grid = grid;
    for (size_t r = 0; r < count; r++) {
        for (size_t b = 0; b < rp_bench_rows(options, BODIES); b++) {
            play_case(self, radii[r], bodies[b], queries);
        }
    }
    rp_grid_destroy(&grid);
}

/// @param is_floor  the figure must be no less than the bound; else no more
static void tell_bound(motion_t *self, cJSON *bounds, const char *name, double figure, double bound,
                       bool is_floor)
{
    if (figure == 0.0) { // not measured
        return;
    }
    const bool is_met = is_floor ? figure >= bound : figure <= bound;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "name", name);
    cJSON_AddNumberToObject(json, "figure", figure);
    cJSON_AddNumberToObject(json, "bound", bound);
    cJSON_AddBoolToObject(json, "met", is_met);
    cJSON_AddItemToArray(bounds, json);
    printf("| %s | %.4g | %.4g | %s |\n", name, figure, bound, is_met ? "met" : "missed");
    self->code = is_met || self->options->quick ? self->code : 1;
}

/// What one agent needs, at the median; memory of searches at the worst.
static void tell_figures(motion_t *self, cJSON *bounds)
{
    rp_motion_figures_t *figures = &self->figures;
    tell_bound(self, bounds, "goal with a heading, its box known, against free",
               rp_samples_percentile(&figures->fixed_of_free, 50), 1.5, false);
    tell_bound(self, bounds, "box of a goal, 10^4 poses: ms",
               rp_samples_percentile(&figures->box_ms, 50), 3, false);
    tell_bound(self, bounds, "search of 300 cells within 10 %: MiB at the most",
               rp_samples_percentile(&figures->bounded_mib, 100), 1, false);
    tell_bound(self, bounds, "exact: MiB at the most",
               rp_samples_percentile(&figures->exact_mib, 100), 64, false);
    tell_bound(self, bounds, "1,000 agents with motion: MiB",
               rp_samples_percentile(&figures->agents_mib, 50), 256, false);
}

static void tell_bounds(motion_t *self, cJSON *results)
{
    cJSON *bounds = cJSON_AddArrayToObject(results, "bounds");
    puts("\n| figure | is | bound | |\n|---|---|---|---|");
    tell_bound(self, bounds, "expansions within 10 %, p50, radius 4, bodies 2 and 3",
               rp_samples_percentile(&self->tight, 50), 250, false);
    tell_bound(self, bounds, "p99", rp_samples_percentile(&self->tight, 99), 25000, false);
    tell_bound(self, bounds, "times as fast as plain within 10 %",
               geometric(self->log_time, self->compared), 150, true);
    tell_bound(self, bounds, "exact expansions of plain, body 0.45",
               geometric(self->log_expanded, self->compared_small), 0.75, false);
    tell_bound(self, bounds, "ns an expansion, radius 4, body 6", self->expand_ns[1], 180, false);
    tell_bound(self, bounds, "ns an expansion, portable", self->expand_ns[0], 400, false);
    tell_bound(self, bounds, "no path, smaller side at most 10^5 poses: us p50",
               rp_samples_percentile(&self->no_path_us, 50), 50000, false);
    tell_bound(self, bounds, "path broken, new curve within 10 %: us p50",
               rp_samples_percentile(&self->broken_us, 50), 60, false);
    tell_bound(self, bounds, "path broken: us p99", rp_samples_percentile(&self->broken_us, 99),
               3000, false);
    tell_figures(self, bounds);
}

int rp_bench_motion(const rp_bench_options_t *options, cJSON *results)
{
    motion_t self = {.options = options, .random = options->seed};
    self.rows = cJSON_AddArrayToObject(results, "rows");
    puts("| world | radius | body | queries | expansions within 10 %, p50 | p99 | us p50 |"
         " times as fast as plain | exact expansions of plain | ns an expansion | portable |"
         " no path | us p50 | broken: us p50 | p99 | freed near it: kept | us p50 |"
         " blocked near it: kept | us p50 |");
    puts("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    play_world(&self, "rectangles", rp_motion_world_of_rectangles(options->seed));
    if (!options->quick) {
        play_world(&self, "TheFrozenSea",
                   rp_motion_world_of_map(options->maps, "sc1/TheFrozenSea.map"));
        play_world(&self, "NewYork",
                   rp_motion_world_of_map(options->maps, "street/NewYork_1_1024.map"));
    }
    tell_bounds(&self, results);
    rp_samples_fini(&self.tight);
    rp_samples_fini(&self.broken_us);
    rp_samples_fini(&self.no_path_us);
    rp_motion_figures_fini(&self.figures);
    return self.code;
}
