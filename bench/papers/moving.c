/// Makes the mazes, walks the agent through them, and prints the table that both suites share.
#include "bench/papers/moving.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Fast for each slow expansion may differ from the paper's by so much.
#define RATIO_SLACK 0.35

#define WORLDS 100u

static const rp_contender_t contenders[] = {
    {.name = "A*, heap", .id = "astar"},
    {.name = "A* variant 1, heap", .id = "astar", .options = {.variant = 1}},
    {.name = "A* variant 2, heap", .id = "astar", .options = {.variant = 2}},
    {.name = "GAA*, heap", .id = "gaa"},
    {.name = "GAA* variant 1, heap", .id = "gaa", .options = {.variant = 1}},
    {.name = "GAA* variant 2, heap", .id = "gaa", .options = {.variant = 2}},
    {.name = "A*, buckets", .id = "astar", .options = {.open = RP_OPEN_BUCKETS}},
    {.name = "A* variant 1, buckets",
     .id = "astar",
     .options = {.open = RP_OPEN_BUCKETS, .variant = 1}},
    {.name = "A* variant 2, buckets",
     .id = "astar",
     .options = {.open = RP_OPEN_BUCKETS, .variant = 2}},
    {.name = "GAA*, buckets", .id = "gaa", .options = {.open = RP_OPEN_BUCKETS}},
    {.name = "GAA* variant 1, buckets",
     .id = "gaa",
     .options = {.open = RP_OPEN_BUCKETS, .variant = 1}},
    {.name = "GAA* variant 2, buckets",
     .id = "gaa",
     .options = {.open = RP_OPEN_BUCKETS, .variant = 2}},
    {.name = "GAA* eager, heap", .id = "gaa-eager"},
    {.name = "MPGAA*", .id = "mpgaa"},
    {.name = "D* Lite", .id = "dstar-lite"},
    {.name = "Fringe", .id = "fringe"},
};

// ---- mazes

static uint32_t wrapped(uint32_t place, int step)
{
    return (place + RP_MAZE_SIDE + (uint32_t)step) % RP_MAZE_SIDE;
}

void rp_maze_make(uint8_t *factors, uint64_t *random)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    uint32_t *rooms = rp_bench_memory(NULL, RP_MAZE_CELLS / 4u, sizeof *rooms);
    size_t depth = 0;
    memset(factors, 0, RP_MAZE_CELLS);
    factors[0] = 1;
    rooms[depth++] = 0;
    while (depth != 0) {
        const uint32_t x = rooms[depth - 1] % RP_MAZE_SIDE;
        const uint32_t y = rooms[depth - 1] / RP_MAZE_SIDE;
        unsigned ways[4];
        uint32_t count = 0;
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t far_x = wrapped(x, 2 * steps[i][0]);
            const uint32_t far_y = wrapped(y, 2 * steps[i][1]);
            if (factors[far_y * RP_MAZE_SIDE + far_x] == 0) {
                ways[count++] = i;
            }
        }
        if (count == 0) {
            depth--;
            continue;
        }
        const int *step = steps[ways[rp_bench_below(random, count)]];
        const uint32_t room = wrapped(y, 2 * step[1]) * RP_MAZE_SIDE + wrapped(x, 2 * step[0]);
        factors[wrapped(y, step[1]) * RP_MAZE_SIDE + wrapped(x, step[0])] = 1;
        factors[room] = 1;
        rooms[depth++] = room;
    }
    free(rooms);
}

rp_grid_shape_t rp_maze_shape(void)
{
    return (rp_grid_shape_t){RP_MAZE_SIDE, RP_MAZE_SIDE, 4, true, 1, 1};
}

// ---- the agent

static void stop_unless(rp_status_t status)
{
    if (status != RP_OK) {
        fprintf(stderr, "replan-bench: %s\n", rp_status_text(status));
        exit(2);
    }
}

void rp_walker_init(rp_walker_t *self, const uint8_t *factors)
{
    const rp_grid_shape_t shape = rp_maze_shape();
    *self = (rp_walker_t){0};
    stop_unless(rp_grid_new(&shape, &self->grid));
    rp_grid_fill(self->grid, factors);
    stop_unless(rp_planner_new("astar", NULL, &self->planner));
    stop_unless(rp_planner_bind(self->planner, self->grid));
    self->path = rp_bench_memory(NULL, RP_MAZE_CELLS, sizeof *self->path);
}

void rp_walker_fini(rp_walker_t *self)
{
    rp_planner_destroy(&self->planner);
    rp_grid_destroy(&self->grid);
    free(self->path);
}

rp_cell_t rp_walker_random_cell(const rp_walker_t *self, rp_cell_t other, uint64_t *random)
{
    for (;;) {
        const uint32_t x = rp_bench_below(random, RP_MAZE_SIDE);
        const uint32_t y = rp_bench_below(random, RP_MAZE_SIDE);
        const rp_cell_t cell = rp_grid_cell(self->grid, x, y);
        if (cell != other && self->grid->factor[cell] != 0) {
            return cell;
        }
    }
}

void rp_walker_toggle(rp_walker_t *self, rp_cell_t cell)
{
    const uint8_t after = self->grid->factor[cell] == 0;
    const rp_change_t change = {cell, rp_grid_set(self->grid, cell, after), after};
    stop_unless(rp_planner_apply(self->planner, &change, 1));
}

bool rp_walker_plan(rp_walker_t *self)
{
    stop_unless(rp_planner_set_start(self->planner, self->agent));
    stop_unless(rp_planner_set_goal(self->planner, self->target));
    rp_plan_t plan;
    stop_unless(rp_planner_plan(self->planner, UINT64_MAX, &plan));
    memcpy(self->path, plan.path.cells, plan.path.count * sizeof *self->path);
    self->path_count = plan.path.count;
    self->place = 0;
    return plan.outcome == RP_OUTCOME_FOUND;
}

rp_cell_t rp_walker_next(const rp_walker_t *self)
{
    return self->path[self->place + 1];
}

// ---- tables

static const rp_moving_suite_t *running; ///< what rp_score_table_to_json() asks about

static const rp_moving_paper_t *paper_of(const rp_moving_row_t *row, const char *name)
{
    for (size_t i = 0; i < row->paper_count; i++) {
        if (strcmp(row->papers[i].name, name) == 0) {
            return &row->papers[i];
        }
    }
    return NULL;
}

static void print_contender(rp_score_table_t *scores, const rp_moving_row_t *row, size_t group,
                            size_t who)
{
    const char *name = scores->match->contenders[who].name;
    const rp_moving_paper_t *paper = paper_of(row, name);
    const double fast = rp_score_table_mean(scores, group, who, RP_SCORE_FAST);
    const double slow = rp_score_table_mean(scores, group, who, RP_SCORE_EXPANDED) - fast;
    printf("| %s | %.0f", name, slow);
    if (paper != NULL) {
        printf(" (%u)", paper->slow);
    }
    printf(" | ");
    if (fast > 0.0) {
        printf("%.0f", fast);
        if (paper != NULL) {
            printf(" (%u)", paper->fast);
        }
    }
    printf(" | ");
    if (fast > 0.0) {
        printf("%.2f", fast / slow);
        if (paper != NULL) {
            printf(" (%.2f)", (double)paper->fast / paper->slow);
        }
    }
    printf(" | %.1f (%.1f .. %.1f) | ", rp_score_table_us(scores, group, who, 50.0),
           rp_score_table_us(scores, group, who, 25.0),
           rp_score_table_us(scores, group, who, 75.0));
    const double heap_ns = rp_score_table_total(scores, group, 0)->of[RP_SCORE_NS];
    printf("%.2f", rp_score_table_total(scores, group, who)->of[RP_SCORE_NS] / heap_ns);
    if (paper != NULL) {
        printf(" (%.2f)", (double)paper->us / row->papers[0].us);
    }
    printf(" |\n");
}

/// @return true when the law holds
static bool print_law(const rp_score_table_t *scores, const rp_moving_row_t *row, size_t group)
{
    const size_t who = rp_comparison_find(scores->match, "GAA* variant 1, heap");
    if (who == RP_CONTENDERS_MAX) {
        return true;
    }
    const double *of = rp_score_table_total(scores, group, who)->of;
    const double ratio = of[RP_SCORE_FAST] / (of[RP_SCORE_EXPANDED] - of[RP_SCORE_FAST]);
    const bool holds = fabs(ratio / row->ratio - 1.0) <= RATIO_SLACK;
    printf("\nGAA* variant 1 on a heap: %.1f fast for each slow expansion, the paper %.1f: %s "
           "within %.0f %%.\n",
           ratio, row->ratio, holds ? "holds" : "DOES NOT HOLD", 100.0 * RATIO_SLACK);
    return holds;
}

static bool print_row(rp_score_table_t *scores, size_t group, unsigned worlds)
{
    const rp_moving_row_t *row = &running->rows[group];
    const double searches = rp_score_table_total(scores, group, 0)->of[RP_SCORE_STEPS] / worlds;
    printf("\n## %s\n\n%.0f searches until the target was reached (the paper's contenders, each on "
           "its own way: %u to %u).\n\n",
           row->title, searches, row->papers[0].searches, row->papers[4].searches);
    printf("| | slow expansions a search | fast expansions | fast for each slow | us a search | "
           "time against A* on a heap |\n|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < scores->match->count; i++) {
        print_contender(scores, row, group, i);
    }
    return print_law(scores, row, group);
}

static void describe(size_t group, cJSON *object)
{
    cJSON_AddNumberToObject(object, "k", running->rows[group].k);
}

// ---- running

static bool play_world(rp_comparison_t *match, rp_score_table_t *scores,
                       const rp_bench_options_t *options, size_t group, unsigned world)
{
    const rp_moving_row_t *row = &running->rows[group];
    char unit[64];
    (void)snprintf(unit, sizeof unit, "%s, world %u", row->title, world);
    if (rp_score_table_has(scores, unit)) {
        return true;
    }
    rp_bench_progress("%s: %s", running->name, unit);
    rp_trace_t trace;
    running->make_trace(&trace, rp_bench_seed(options->seed, world, row->k), row->k);
    const unsigned before = match->differences;
    const bool is_played = rp_comparison_play(match, &trace, unit);
    for (size_t who = 0; is_played && who < match->count; who++) {
        const rp_play_t *plays = rp_comparison_plays(match, who);
        for (size_t i = 0; i < match->step_count; i++) {
            const rp_score_t score = rp_score_of(&plays[i], 1);
            rp_score_table_add(scores, group, who, &score);
        }
    }
    if (is_played) {
        rp_score_table_finish(scores, unit, match->differences - before, 0);
    }
    rp_trace_fini(&trace);
    return is_played;
}

static bool print_tables(rp_score_table_t *scores, unsigned worlds)
{
    printf("# %s\n\n%u x %u cells, a torus, %u mazes. All costs compared, %u differ. Figures of "
           "the paper in brackets; times: the median maze, and a quarter of the mazes below .. "
           "above; the writing of the grid is left out.\n",
           running->title, RP_MAZE_SIDE, RP_MAZE_SIDE, worlds, scores->differences);
    bool holds = true;
    for (size_t group = 0; group < scores->group_count; group++) {
        holds &= print_row(scores, group, worlds);
    }
    return holds;
}

int rp_moving_run(const rp_moving_suite_t *suite, const rp_bench_options_t *options, cJSON *results)
{
    running = suite;
    rp_comparison_t match;
    rp_score_table_t scores;
    rp_comparison_open_only(&match, contenders, sizeof contenders / sizeof contenders[0],
                            options->contender);
    const unsigned chosen = options->quick ? suite->quick_worlds : WORLDS;
    const unsigned worlds = options->worlds != 0 ? options->worlds : chosen;
    const size_t row_count = rp_bench_rows(options, suite->row_count);
    bool is_well = rp_score_table_open(&scores, &match, row_count, options, results);
    for (unsigned world = 0; is_well && world < worlds; world++) {
        for (size_t group = 0; is_well && group < row_count; group++) {
            is_well = play_world(&match, &scores, options, group, world);
        }
    }
    bool holds = true;
    if (is_well) {
        holds = print_tables(&scores, worlds) && scores.differences == 0;
        rp_score_table_to_json(&scores, results, describe);
        cJSON_AddBoolToObject(results, "holds", holds);
    }
    rp_score_table_close(&scores);
    rp_comparison_close(&match);
    return is_well ? !holds : 2;
}
