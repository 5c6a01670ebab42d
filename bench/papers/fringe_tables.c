/// Tables 1 and 2 of "Fringe Search: Beating A* at Pathfinding on Game Maps": searches between
/// random cells of Baldur's Gate II maps, with steps of 100 and diagonals of 150 (octiles) and with
/// steps of 100 alone (tiles). Obstacles block (table 1), or cost threefold (table 2).
///
/// The paper has 120 maps and 400 searches on each; here are 118 of them. Start and goal are free
/// and connected, and the same in both tables. A diagonal needs both cells beside it free; a step
/// costs its length times the mean factor of its two cells (the paper says neither).
///
/// The law that any faithful pair obeys, query by query: A* and Fringe Search agree in iterations
/// (different values of f), and in the cells expanded before the last one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/map_set.h"
#include "bench/measure/score_table.h"
#include "bench/suites.h"
#include "planners/grid/cost.h"

#define QUERIES    400u
#define MODELS     2u  ///< octiles, tiles
#define BINS       10u ///< of the heuristic's error: 0, then to 1, 2, 4 .. 128 steps, then beyond
#define GROUPS     (MODELS + MODELS * BINS)
#define TIMEOUT_MS 10000u
#define MADE_MAPS  12u ///< when the shared maps are not there
#define MADE_SIDE  110u
#define ROWS       8u
#define PASSABLE   3u ///< factor of an obstacle that does not block

static const rp_contender_t contenders[] = {
    {.name = "A*", .id = "astar"},
    {.name = "Fringe", .id = "fringe"},
    {.name = "ME-IDA*", .id = "me-ida", .timeout_ms = TIMEOUT_MS},
    {.name = "A* buckets", .id = "astar", .options = {.open = RP_OPEN_BUCKETS}},
    {.name = "Fringe buckets", .id = "fringe", .options = {.open = RP_OPEN_BUCKETS}},
};

/// A table as the paper prints it.
typedef struct fringe_table {
    const char *name;
    const char *title;
    uint8_t obstacle;              ///< factor; 0 blocks
    double paper[MODELS][ROWS][3]; ///< by model, row, planner
} fringe_table_t;

static const fringe_table_t tables[2] = {
    {
        .name = "fringe-table1",
        .title = "Fringe Search, table 1: impassable obstacles",
        .obstacle = 0,
        .paper = {{{1.7, 1.3, 33.7},
                   {25.8, 25.8, 26.9},
                   {583.4, 2490.7, 91702.9},
                   {27.7, 79.5, 620.1},
                   {582.4, 586.5, 14139.1},
                   {26.7, 30.7, 115.9},
                   {5637.7, 5637.7, 5637.7},
                   {46.1, 46.1, 46.1}},
                  {{1.2, 0.8, 5.6},
                   {9.2, 9.2, 9.2},
                   {607.0, 1155.3, 11551.3},
                   {54.5, 103.8, 276.9},
                   {606.0, 613.2, 4327.6},
                   {53.5, 60.7, 127.8},
                   {6758.6, 6758.6, 6758.6},
                   {68.6, 68.6, 68.6}}},
    },
    {
        .name = "fringe-table2",
        .title = "Fringe Search, table 2: passable obstacles",
        .obstacle = PASSABLE,
        .paper = {{{2.5, 1.9, 52.2},
                   {14.2, 14.2, 14.2},
                   {741.7, 4728.3, 132831.0},
                   {27.0, 119.7, 1464.2},
                   {740.7, 748.4, 18990.1},
                   {26.0, 33.7, 226.1},
                   {5000.6, 5000.6, 5000.6},
                   {39.5, 39.5, 39.5}},
                  {{1.9, 1.1, 11.6},
                   {5.0, 5.0, 5.0},
                   {800.5, 1828.3, 23796.2},
                   {54.8, 143.2, 817.0},
                   {799.5, 816.3, 7948.1},
                   {53.8, 70.6, 290.1},
                   {5920.1, 5920.1, 5920.1},
                   {56.3, 56.5, 56.5}}},
    },
};

static const char *const model_names[MODELS] = {"octiles", "tiles"};

typedef struct fringe_tables {
    const fringe_table_t *table;
    rp_comparison_t match;
    rp_score_table_t scores;
    rp_map_set_t maps;
    uint64_t seed;
    size_t map_count;
    unsigned queries;
} fringe_tables_t;

// ---- maps

/// Rectangles of rock: a map for a machine that has none.
static rp_map_t make_map(uint64_t seed, size_t index)
{
    rp_map_t map = {.width = MADE_SIDE, .height = MADE_SIDE};
    uint64_t random = rp_bench_seed(seed, index, 7);
    map.bytes = rp_bench_memory(NULL, MADE_SIDE * MADE_SIDE, 1);
    memset(map.bytes, 1, MADE_SIDE * MADE_SIDE);
    for (unsigned i = 0; i < 60u; i++) {
        const uint32_t width = 2u + rp_bench_below(&random, 18);
        const uint32_t height = 2u + rp_bench_below(&random, 18);
        const uint32_t left = rp_bench_below(&random, MADE_SIDE - width);
        const uint32_t top = rp_bench_below(&random, MADE_SIDE - height);
        for (uint32_t y = top; y < top + height; y++) {
            memset(map.bytes + (size_t)y * MADE_SIDE + left, 0, width);
        }
    }
    return map;
}

static bool load_map(const fringe_tables_t *self, size_t index, rp_map_t *map)
{
    if (self->maps.count != 0) {
        return rp_map_set_load(&self->maps, index, map);
    }
    *map = make_map(self->seed, index);
    return true;
}

/// Which free cells hang together by straight steps. With diagonals that need both cells beside
/// them the parts are the same.
/// @param parts  written: a number from 1 a part, 0 where it is blocked [width * height]
static void find_parts(const rp_map_t *map, uint32_t *parts)
{
    const uint32_t count = map->width * map->height;
    uint32_t *queue = rp_bench_memory(NULL, count, sizeof *queue);
    memset(parts, 0, count * sizeof *parts);
    uint32_t part = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (map->bytes[i] == 0 || parts[i] != 0) {
            continue;
        }
        uint32_t taken = 0;
        uint32_t queued = 0;
        parts[i] = ++part;
        queue[queued++] = i;
        while (taken < queued) {
            const uint32_t cell = queue[taken++];
            const uint32_t x = cell % map->width;
            const uint32_t beside[4] = {x + 1u < map->width ? cell + 1u : cell,
                                        x != 0 ? cell - 1u : cell,
                                        cell + map->width < count ? cell + map->width : cell,
                                        cell >= map->width ? cell - map->width : cell};
            for (unsigned k = 0; k < 4; k++) {
                if (map->bytes[beside[k]] != 0 && parts[beside[k]] == 0) {
                    parts[beside[k]] = part;
                    queue[queued++] = beside[k];
                }
            }
        }
    }
    free(queue);
}

/// The same searches for each model and both tables.
static void make_trace(const fringe_tables_t *self, const rp_map_t *map, size_t index,
                       unsigned model, rp_trace_t *trace)
{
    const uint32_t count = map->width * map->height;
    const rp_grid_shape_t shape = {map->width, map->height, model == 0 ? 8 : 4, false, 1, 1};
    uint8_t *factors = rp_bench_memory(NULL, count, 1);
    for (uint32_t i = 0; i < count; i++) {
        factors[i] = map->bytes[i] != 0 ? 1 : self->table->obstacle;
    }
    rp_trace_init(trace, &shape, factors);
    trace->warms_up = true;
    free(factors);
    uint32_t *parts = rp_bench_memory(NULL, count, sizeof *parts);
    find_parts(map, parts);
    rp_grid_t *grid = rp_trace_grid(trace);
    uint64_t random = rp_bench_seed(self->seed, index, 1);
    for (unsigned query = 0; query < self->queries;) {
        const uint32_t start = rp_bench_below(&random, count);
        const uint32_t goal = rp_bench_below(&random, count);
        if (start != goal && parts[start] != 0 && parts[start] == parts[goal]) {
            rp_trace_step(trace, rp_grid_cell(grid, start % map->width, start / map->width),
                          rp_grid_cell(grid, goal % map->width, goal / map->width), 0);
            query++;
        }
    }
    rp_grid_destroy(&grid);
    free(parts);
}

// ---- scores

/// By how many straight steps the heuristic is too low.
static size_t bin_of(const rp_grid_t *grid, const rp_trace_step_t *step, uint64_t cost)
{
    const int64_t dx = (int64_t)rp_grid_x(grid, step->start) - (int64_t)rp_grid_x(grid, step->goal);
    const int64_t dy = (int64_t)rp_grid_y(grid, step->start) - (int64_t)rp_grid_y(grid, step->goal);
    const uint64_t wide = (uint64_t)llabs(dx);
    const uint64_t high = (uint64_t)llabs(dy);
    const uint64_t low = wide < high ? wide : high;
    const uint64_t diagonal = grid->shape.neighbors == 8 ? RP_DIAGONAL : 2u * RP_STRAIGHT;
    const uint64_t bound = diagonal * low + RP_STRAIGHT * (wide + high - 2u * low);
    const double error = ((double)cost / 2.0 - (double)bound) / RP_STRAIGHT;
    size_t bin = 0;
    for (double limit = 0.0; bin + 1 < BINS && error > limit; bin++) {
        limit = limit == 0.0 ? 1.0 : 2.0 * limit;
    }
    return bin;
}

static void score_model(fringe_tables_t *self, const rp_trace_t *trace, unsigned model)
{
    rp_grid_t *grid = rp_trace_grid(trace);
    const rp_play_t *known = rp_comparison_plays(&self->match, 0);
    for (size_t who = 0; who < self->match.count; who++) {
        const rp_play_t *plays = rp_comparison_plays(&self->match, who);
        for (size_t i = 0; i < self->match.step_count; i++) {
            const rp_score_t score = rp_score_of(&plays[i], 1);
            const size_t bin = bin_of(grid, &trace->steps[i], known[i].cost);
            rp_score_table_add(&self->scores, model, who, &score);
            rp_score_table_add(&self->scores, MODELS + model * BINS + bin, who, &score);
        }
    }
    rp_grid_destroy(&grid);
}

/// @return queries in which A* and Fringe Search do not agree as the law says
static unsigned count_law_breaks(const rp_comparison_t *match, const char *unit)
{
    const size_t fringe = rp_comparison_find(match, "Fringe");
    if (fringe == RP_CONTENDERS_MAX) {
        return 0;
    }
    const rp_play_t *a = rp_comparison_plays(match, 0);
    const rp_play_t *b = rp_comparison_plays(match, fringe);
    unsigned breaks = 0;
    for (size_t i = 0; i < match->step_count; i++) {
        const rp_search_stats_t *x = &a[i].stats;
        const rp_search_stats_t *y = &b[i].stats;
        breaks += x->iterations != y->iterations ||
                  x->expanded - x->expanded_last != y->expanded - y->expanded_last;
    }
    if (breaks != 0) {
        fprintf(stderr, "replan-bench: %s: %u queries break the law\n", unit, breaks);
    }
    return breaks;
}

static bool play_map(fringe_tables_t *self, size_t index)
{
    char made[32];
    (void)snprintf(made, sizeof made, "made-%zu", index);
    const char *unit = self->maps.count != 0 ? rp_map_set_name(&self->maps, index) : made;
    if (rp_score_table_has(&self->scores, unit)) {
        return true;
    }
    rp_bench_progress("%s: %s, %zu of %zu", self->table->name, unit, index + 1, self->map_count);
    rp_map_t map;
    if (!load_map(self, index, &map)) {
        return false;
    }
    const unsigned before = self->match.differences;
    unsigned breaks = 0;
    bool is_played = true;
    for (unsigned model = 0; is_played && model < MODELS; model++) {
        rp_trace_t trace;
        make_trace(self, &map, index, model, &trace);
        is_played = rp_comparison_play(&self->match, &trace, unit);
        if (is_played) {
            breaks += count_law_breaks(&self->match, unit);
            score_model(self, &trace, model);
        }
        rp_trace_fini(&trace);
    }
    if (is_played) {
        rp_score_table_finish(&self->scores, unit, self->match.differences - before, breaks);
    }
    rp_map_fini(&map);
    return is_played;
}

// ---- tables

/// A row of the paper's table. The goal counts as visited, not as expanded, as there.
static double row_of(const rp_score_table_t *scores, size_t group, size_t who, unsigned row)
{
    static const rp_score_field_t fields[ROWS] = {
        RP_SCORE_NS,       RP_SCORE_ITERATIONS,    RP_SCORE_VISITED, RP_SCORE_VISITED_LAST,
        RP_SCORE_EXPANDED, RP_SCORE_EXPANDED_LAST, RP_SCORE_COST,    RP_SCORE_CELLS};
    const double mean = rp_score_table_mean(scores, group, who, fields[row]);
    switch (fields[row]) {
    case RP_SCORE_NS:
        return mean * 1e-6;
    case RP_SCORE_EXPANDED:
    case RP_SCORE_EXPANDED_LAST:
        return mean - 1.0;
    default:
        return mean;
    }
}

static void print_heads(const fringe_tables_t *self)
{
    printf("|");
    for (unsigned model = 0; model < MODELS; model++) {
        for (size_t i = 0; i < self->match.count; i++) {
            printf(" | %s %s", self->match.contenders[i].name, model_names[model]);
        }
    }
    printf(" |\n|---|");
    for (size_t i = 0; i < MODELS * self->match.count; i++) {
        printf("---|");
    }
    printf("\n");
}

static void print_rows(const fringe_tables_t *self)
{
    static const char *const names[ROWS] = {"CPU/msec",       "Iterations", "N-visited",
                                            "N-visited-last", "N-expanded", "N-expanded-last",
                                            "P-Cost",         "P-Length"};
    print_heads(self);
    for (unsigned row = 0; row < ROWS; row++) {
        printf("| %s", names[row]);
        for (unsigned model = 0; model < MODELS; model++) {
            for (size_t i = 0; i < self->match.count; i++) {
                printf(row == 0 ? " | %.4f" : " | %.1f", row_of(&self->scores, model, i, row));
                for (size_t k = 0; k < 3; k++) {
                    if (strcmp(contenders[k].name, self->match.contenders[i].name) == 0) {
                        printf(" (%.1f)", self->table->paper[model][row][k]);
                    }
                }
            }
        }
        printf(" |\n");
    }
}

static void print_ratios(fringe_tables_t *self)
{
    printf("\n## Time\n\nMicroseconds a search: the median map, (a quarter of the maps below .. "
           "above), and times as fast as A* on a heap over all maps (the paper's).\n\n");
    printf("| | | us a search | against A* | timeouts at %u s |\n|---|---|---|---|---|\n",
           TIMEOUT_MS / 1000u);
    for (unsigned model = 0; model < MODELS; model++) {
        for (size_t i = 0; i < self->match.count; i++) {
            const double *of = rp_score_table_total(&self->scores, model, i)->of;
            printf("| %s | %s | %.1f (%.1f .. %.1f) | %.2f", model_names[model],
                   self->match.contenders[i].name, rp_score_table_us(&self->scores, model, i, 50.0),
                   rp_score_table_us(&self->scores, model, i, 25.0),
                   rp_score_table_us(&self->scores, model, i, 75.0),
                   row_of(&self->scores, model, 0, 0) / row_of(&self->scores, model, i, 0));
            for (size_t k = 0; k < 3; k++) {
                if (strcmp(contenders[k].name, self->match.contenders[i].name) == 0) {
                    const double(*paper)[3] = self->table->paper[model];
                    printf(" (%.2f)", paper[0][0] / paper[0][k]);
                }
            }
            printf(" | %.0f |\n", of[RP_SCORE_TIMEOUTS]);
        }
    }
}

static void print_bin_name(size_t bin)
{
    if (bin == 0) {
        printf("| 0");
    } else if (bin + 1 == BINS) {
        printf("| above %u", 1u << (bin - 2));
    } else {
        printf("| to %u", 1u << (bin - 1));
    }
}

/// Figure 5 of the paper, as a table: work against the error of the heuristic.
static void print_errors(const fringe_tables_t *self)
{
    for (unsigned model = 0; model < MODELS; model++) {
        printf("\n## Work against the error of the heuristic, %s\n\nError: cost less heuristic at "
               "the start, in straight steps. Expanded; visited.\n\n| error | searches",
               model_names[model]);
        for (size_t i = 0; i < self->match.count && i < 3; i++) {
            printf(" | %s", self->match.contenders[i].name);
        }
        printf(" |\n|---|---|---|---|---|\n");
        for (size_t bin = 0; bin < BINS; bin++) {
            const size_t group = MODELS + model * BINS + bin;
            const double searches =
                rp_score_table_total(&self->scores, group, 0)->of[RP_SCORE_STEPS];
            if (searches == 0.0) {
                continue;
            }
            print_bin_name(bin);
            printf(" | %.0f", searches);
            for (size_t i = 0; i < self->match.count && i < 3; i++) {
                printf(" | %.0f; %.0f", row_of(&self->scores, group, i, 4),
                       row_of(&self->scores, group, i, 2));
            }
            printf(" |\n");
        }
    }
}

static void print_tables(fringe_tables_t *self)
{
    printf("# %s\n\n%zu maps%s, %u searches on each, steps %u : %u. Figures of the paper in "
           "brackets. All costs compared, %u differ; searches in which A* and Fringe Search do "
           "not agree in iterations and in cells expanded before the last: %u.\n\n",
           self->table->title, self->scores.unit_count,
           self->maps.count != 0 ? " of Baldur's Gate II"
                                 : " made up, as the shared ones are "
                                   "missing",
           self->queries, RP_STRAIGHT, RP_DIAGONAL, self->scores.differences,
           self->scores.law_breaks);
    print_rows(self);
    print_ratios(self);
    print_errors(self);
}

static void describe(size_t group, cJSON *object)
{
    const size_t model = group < MODELS ? group : (group - MODELS) / BINS;
    cJSON_AddStringToObject(object, "model", model_names[model]);
    if (group >= MODELS) {
        const size_t bin = (group - MODELS) % BINS;
        cJSON_AddNumberToObject(object, "error_above",
                                bin < 2 ? (double)bin - 1.0 : 1u << (bin - 2));
    }
}

// ---- the suites

static int run(const fringe_table_t *table, const rp_bench_options_t *options, cJSON *results)
{
    fringe_tables_t self = {.table = table, .seed = options->seed};
    rp_map_set_init(&self.maps, options->maps, "bg2-native");
    if (self.maps.count == 0) {
        fprintf(stderr, "replan-bench: no maps in %s/bg2-native: making some up\n", options->maps);
    }
    self.map_count = rp_bench_rows(options, self.maps.count != 0 ? self.maps.count : MADE_MAPS);
    self.queries = options->worlds != 0 ? options->worlds : options->quick ? 100 : QUERIES;
    rp_comparison_open_only(&self.match, contenders, sizeof contenders / sizeof contenders[0],
                            options->contender);
    bool is_well = rp_score_table_open(&self.scores, &self.match, GROUPS, options, results);
    for (size_t index = 0; is_well && index < self.map_count; index++) {
        is_well = play_map(&self, index);
    }
    const bool holds = self.scores.differences == 0 && self.scores.law_breaks == 0;
    if (is_well) {
        print_tables(&self);
        rp_score_table_to_json(&self.scores, results, describe);
    }
    rp_score_table_close(&self.scores);
    rp_comparison_close(&self.match);
    rp_map_set_fini(&self.maps);
    return is_well ? !holds : 2;
}

int rp_bench_fringe_table1(const rp_bench_options_t *options, cJSON *results)
{
    return run(&tables[0], options, results);
}

int rp_bench_fringe_table2(const rp_bench_options_t *options, cJSON *results)
{
    return run(&tables[1], options, results);
}
