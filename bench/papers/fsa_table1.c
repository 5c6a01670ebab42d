/// Table 1 of "Fringe-Saving A*" (Sun, Koenig 2007, section 7): 1000 x 1000 cells, 4 neighbours, a
/// quarter blocked, and cells around the goal that change before each replan.
///
/// A cell is close to the goal when its Manhattan distance to it is at most closeness times that of
/// start and goal. Each change frees rate / 2 of all close cells (blocked ones, or all that there
/// are) and blocks as many free ones, in random order; start and goal stay free. 100 replans, or
/// until there is no path; that plan counts. A world, its start and its goal are the same in every
/// cell of the table.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/score_table.h"
#include "bench/papers/paper_fsa.h"
#include "bench/suites.h"
#include "bench/worlds.h"

#define SIDE            RP_TERRAIN_SIDE
#define BLOCKED_PERCENT 25u
#define REPLANS         100u
#define RATES           25u
#define CLOSENESSES     6u

static const char *const paper_names[4] = {"A*", "iA*", "LPA*", "FSA*"};

static const rp_contender_t contenders[] = {
    {.name = "A*", .id = "astar"},
    {.name = "iA*", .id = "ia-star"},
    {.name = "LPA*", .id = "lpa"},
    {.name = "FSA*", .id = "fsa"},
    {.name = "FSA* buckets", .id = "fsa", .options = {.open = RP_OPEN_BUCKETS}},
    {.name = "A* buckets", .id = "astar", .options = {.open = RP_OPEN_BUCKETS}},
    {.name = "Fringe", .id = "fringe"},
    {.name = "D* Lite", .id = "dstar-lite"},
    {.name = "GAA*", .id = "gaa", .options = {.open = RP_OPEN_BUCKETS}},
    {.name = "MPGAA*", .id = "mpgaa"},
};

typedef struct fsa_table1 {
    rp_comparison_t match;
    rp_score_table_t scores;
    unsigned rates[RATES];             ///< rows of the table, in hundredths [rate_count]
    unsigned closenesses[CLOSENESSES]; ///< in tenths [closeness_count]
    unsigned rate_count;
    unsigned closeness_count;
    unsigned worlds;
    uint64_t seed;
} fsa_table1_t;

static fsa_table1_t suite; ///< one run a process: what rp_score_table_to_json() asks about

// ---- worlds

/// Cells around the goal, free and blocked ones apart: as many of each for ever.
typedef struct churn {
    rp_cell_t *free;    ///< owned [free_count]; neither start nor goal
    rp_cell_t *blocked; ///< owned [blocked_count]
    uint32_t free_count;
    uint32_t blocked_count;
    uint32_t swapped; ///< cells that each change takes from either list
} churn_t;

static void shuffle_front(rp_cell_t *cells, uint32_t count, uint32_t wanted, uint64_t *random)
{
    for (uint32_t i = 0; i < wanted; i++) {
        const uint32_t other = i + rp_bench_below(random, count - i);
        const rp_cell_t cell = cells[i];
        cells[i] = cells[other];
        cells[other] = cell;
    }
}

static uint32_t distance(const rp_grid_t *grid, rp_cell_t a, rp_cell_t b)
{
    const int32_t dx = (int32_t)rp_grid_x(grid, a) - (int32_t)rp_grid_x(grid, b);
    const int32_t dy = (int32_t)rp_grid_y(grid, a) - (int32_t)rp_grid_y(grid, b);
    return (uint32_t)(abs(dx) + abs(dy));
}

static churn_t make_churn(const rp_grid_t *grid, rp_cell_t start, rp_cell_t goal,
                          unsigned closeness, unsigned rate)
{
    const size_t most = (size_t)SIDE * SIDE;
    churn_t self = {.free = rp_bench_memory(NULL, most, sizeof(rp_cell_t)),
                    .blocked = rp_bench_memory(NULL, most, sizeof(rp_cell_t))};
    const uint32_t radius = distance(grid, start, goal) * closeness / 10u;
    uint32_t close = 0;
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            const rp_cell_t cell = rp_grid_cell(grid, x, y);
            if (distance(grid, cell, goal) > radius) {
                continue;
            }
            close++;
            if (grid->factor[cell] == 0) {
                self.blocked[self.blocked_count++] = cell;
            } else if (cell != start && cell != goal) {
                self.free[self.free_count++] = cell;
            }
        }
    }
    const uint32_t wanted = (uint32_t)lround((double)close * rate / 200.0);
    const uint32_t most_swapped =
        self.blocked_count < self.free_count ? self.blocked_count : self.free_count;
    self.swapped = wanted < most_swapped ? wanted : most_swapped;
    return self;
}

static void churn_step(churn_t *self, rp_trace_t *trace, uint64_t *random)
{
    shuffle_front(self->blocked, self->blocked_count, self->swapped, random);
    shuffle_front(self->free, self->free_count, self->swapped, random);
    for (uint32_t i = 0; i < self->swapped; i++) {
        const rp_cell_t freed = self->blocked[i];
        rp_trace_toggle(trace, freed);
        rp_trace_toggle(trace, self->free[i]);
        self->blocked[i] = self->free[i];
        self->free[i] = freed;
    }
}

void rp_terrain_make(uint8_t *factors, uint64_t *random)
{
    const uint32_t count = SIDE * SIDE;
    rp_cell_t *order = rp_bench_memory(NULL, count, sizeof *order);
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    const uint32_t blocked = count / 100u * BLOCKED_PERCENT;
    shuffle_front(order, count, blocked, random);
    memset(factors, 1, count);
    for (uint32_t i = 0; i < blocked; i++) {
        factors[order[i]] = 0;
    }
    free(order);
}

static rp_cell_t random_free_cell(const rp_grid_t *grid, uint64_t *random)
{
    for (;;) {
        const uint32_t y = rp_bench_below(random, SIDE);
        const rp_cell_t cell = rp_grid_cell(grid, rp_bench_below(random, SIDE), y);
        if (grid->factor[cell] != 0) {
            return cell;
        }
    }
}

void rp_churn_trace(rp_trace_t *trace, uint64_t seed, unsigned world, unsigned closeness,
                    unsigned rate)
{
    static const rp_grid_shape_t shape = {SIDE, SIDE, 4, false, 1, 1};
    uint8_t *factors = rp_bench_memory(NULL, (size_t)SIDE * SIDE, 1);
    uint64_t random = rp_bench_seed(seed, world, 0);
    rp_terrain_make(factors, &random);
    rp_trace_init(trace, &shape, factors);
    trace->ends_without_path = true;
    free(factors);
    rp_grid_t *grid = rp_trace_grid(trace);
    const rp_cell_t start = random_free_cell(grid, &random);
    rp_cell_t goal = start;
    while (goal == start) {
        goal = random_free_cell(grid, &random);
    }
    random = rp_bench_seed(seed, world, (uint64_t)closeness * 1000u + rate);
    churn_t churn = make_churn(grid, start, goal, closeness, rate);
    rp_trace_step(trace, start, goal, 0);
    for (unsigned i = 0; i < REPLANS; i++) {
        const uint64_t begin = rp_bench_cpu_ns();
        churn_step(&churn, trace, &random);
        rp_trace_step(trace, start, goal, rp_bench_cpu_ns() - begin);
    }
    free(churn.free);
    free(churn.blocked);
    rp_grid_destroy(&grid);
}

// ---- scores

static void score_world(rp_score_table_t *scores, const rp_comparison_t *match,
                        const rp_trace_t *trace, size_t group)
{
    for (size_t who = 0; who < match->count; who++) {
        const rp_play_t *plays = rp_comparison_plays(match, who);
        const rp_score_t first = {.of = {[RP_SCORE_FIRST_NS] = floor(plays[0].ns)}};
        rp_score_table_add(scores, group, who, &first);
        for (size_t i = 1; i < match->step_count; i++) {
            rp_score_t score = rp_score_of(&plays[i], 1);
            const size_t before = trace->steps[i - 1].toggle_end;
            score.of[RP_SCORE_TOGGLES] = (double)(trace->steps[i].toggle_end - before);
            score.of[RP_SCORE_MAKING_NS] = (double)trace->steps[i].making_ns;
            rp_score_table_add(scores, group, who, &score);
        }
    }
}

static bool play_world(fsa_table1_t *self, size_t group, unsigned world)
{
    const unsigned closeness = self->closenesses[group / self->rate_count];
    const unsigned rate = self->rates[group % self->rate_count];
    char unit[64];
    (void)snprintf(unit, sizeof unit, "closeness 0.%u, rate 0.%02u, world %u", closeness, rate,
                   world);
    if (rp_score_table_has(&self->scores, unit)) {
        return true;
    }
    rp_bench_progress("fsa-table1: %s of %u", unit, self->worlds);
    rp_trace_t trace;
    rp_churn_trace(&trace, self->seed, world, closeness, rate);
    const unsigned before = self->match.differences;
    const bool is_played = rp_comparison_play(&self->match, &trace, unit);
    if (is_played) {
        score_world(&self->scores, &self->match, &trace, group);
        rp_score_table_finish(&self->scores, unit, self->match.differences - before, 0);
    }
    rp_trace_fini(&trace);
    return is_played;
}

// ---- tables

/// Replans without the writing of the grid's cells, which is the same for all.
static double replan_ns(const rp_score_table_t *scores, size_t group, size_t who)
{
    return rp_score_table_total(scores, group, who)->of[RP_SCORE_NS];
}

/// What the paper adds up: every search, and the making and writing of the changes.
static double paper_ns(const rp_score_table_t *scores, size_t group, size_t who)
{
    const double *of = rp_score_table_total(scores, group, who)->of;
    return of[RP_SCORE_NS] + of[RP_SCORE_GRID_NS] + of[RP_SCORE_FIRST_NS] + of[RP_SCORE_MAKING_NS];
}

static void print_ratio(double ours, double paper)
{
    printf(" %.2f (%.2f) |", ours, paper);
}

/// The paper's table, one block a closeness.
static void print_paper_table(const fsa_table1_t *self, unsigned c)
{
    const rp_comparison_t *match = &self->match;
    size_t who[4];
    for (size_t i = 0; i < 4; i++) {
        who[i] = rp_comparison_find(match, paper_names[i]);
    }
    const unsigned closeness = self->closenesses[c];
    printf("\n### closeness 0.%u\n\n| rate | worlds' sum, s:", closeness);
    for (size_t i = 0; i < 4; i++) {
        printf(" %s |", paper_names[i]);
    }
    printf(" A*/iA* (paper) | A*/LPA* (paper) | A*/FSA* (paper) |\n|---|");
    printf("---|---|---|---|---|---|---|\n");
    for (unsigned r = 0; r < self->rate_count; r++) {
        const size_t group = (size_t)c * self->rate_count + r;
        const uint16_t *paper = rp_paper_fsa_ms[closeness - 1u][self->rates[r] / 2u - 1u];
        double ns[4];
        printf("| 0.%02u |", self->rates[r]);
        for (size_t i = 0; i < 4; i++) {
            ns[i] = who[i] != RP_CONTENDERS_MAX ? paper_ns(&self->scores, group, who[i]) : NAN;
            printf(" %.3f |", ns[i] * 1e-9);
        }
        for (size_t i = 1; i < 4; i++) {
            print_ratio(ns[0] / ns[i], (double)paper[0] / paper[i]);
        }
        printf("\n");
    }
}

static void print_heads(const fsa_table1_t *self, const char *more)
{
    printf("| closeness | rate |%s", more);
    for (size_t i = 0; i < self->match.count; i++) {
        printf(" %s |", self->match.contenders[i].name);
    }
    printf("\n|---|---|%s", more[0] != '\0' ? "---|" : "");
    for (size_t i = 0; i < self->match.count; i++) {
        printf("---|");
    }
    printf("\n");
}

static void print_group(const fsa_table1_t *self, size_t group)
{
    printf("| 0.%u | 0.%02u |", self->closenesses[group / self->rate_count],
           self->rates[group % self->rate_count]);
}

static void print_replans(fsa_table1_t *self)
{
    printf("\n## Replans only\n\nMicroseconds a replan: the median world, and (a quarter of the "
           "worlds below .. above). Changes taken in, search and path; the making of the changes "
           "and the writing of the grid, which may take longer than a plan, are left out here. "
           "The paper's sum has both, and `beyond` charges the writing.\n\n");
    print_heads(self, " cells changed |");
    for (size_t group = 0; group < self->scores.group_count; group++) {
        print_group(self, group);
        printf(" %.0f |", rp_score_table_mean(&self->scores, group, 0, RP_SCORE_TOGGLES));
        for (size_t i = 0; i < self->match.count; i++) {
            printf(" %.0f (%.0f .. %.0f) |", rp_score_table_us(&self->scores, group, i, 50.0),
                   rp_score_table_us(&self->scores, group, i, 25.0),
                   rp_score_table_us(&self->scores, group, i, 75.0));
        }
        printf("\n");
    }
    printf("\nTimes as fast as A* on a heap, all worlds' replans summed.\n\n");
    print_heads(self, "");
    for (size_t group = 0; group < self->scores.group_count; group++) {
        print_group(self, group);
        for (size_t i = 0; i < self->match.count; i++) {
            printf(" %.2f |",
                   replan_ns(&self->scores, group, 0) / replan_ns(&self->scores, group, i));
        }
        printf("\n");
    }
}

static void print_counts(const fsa_table1_t *self)
{
    printf("\n## Cells expanded a replan\n\nThe paper reports none. Restarts, where there were "
           "some, in brackets, a replan.\n\n");
    print_heads(self, "");
    for (size_t group = 0; group < self->scores.group_count; group++) {
        print_group(self, group);
        for (size_t i = 0; i < self->match.count; i++) {
            const double restarts = rp_score_table_mean(&self->scores, group, i, RP_SCORE_RESTARTS);
            printf(" %.0f", rp_score_table_mean(&self->scores, group, i, RP_SCORE_EXPANDED));
            if (restarts > 0.0 && restarts < 1.0) { // 1: it never does anything else
                printf(" (%.2f)", restarts);
            }
            printf(" |");
        }
        printf("\n");
    }
}

/// @param papers_only  among the paper's four, by the paper's sum
static size_t winner(const fsa_table1_t *self, size_t group, bool papers_only)
{
    size_t best = 0;
    for (size_t i = 1; i < self->match.count; i++) {
        bool is_in = !papers_only;
        for (size_t k = 0; k < 4 && !is_in; k++) {
            is_in = strcmp(self->match.contenders[i].name, paper_names[k]) == 0;
        }
        double (*const ns)(const rp_score_table_t *, size_t, size_t) =
            papers_only ? paper_ns : replan_ns;
        if (is_in && ns(&self->scores, group, i) < ns(&self->scores, group, best)) {
            best = i;
        }
    }
    return best;
}

static size_t paper_winner(unsigned closeness, unsigned rate)
{
    const uint16_t *ms = rp_paper_fsa_ms[closeness - 1u][rate / 2u - 1u];
    size_t best = 0;
    for (size_t i = 1; i < 4; i++) {
        best = ms[i] < ms[best] ? i : best;
    }
    return best;
}

static void print_winners(const fsa_table1_t *self)
{
    printf("\n## Winners\n\nIn the paper; among the paper's four here, by the paper's sum; among "
           "all, replans only.\n\n| rate |");
    for (unsigned c = 0; c < self->closeness_count; c++) {
        printf(" closeness 0.%u |", self->closenesses[c]);
    }
    printf("\n|---|");
    for (unsigned c = 0; c < self->closeness_count; c++) {
        printf("---|");
    }
    printf("\n");
    for (unsigned r = 0; r < self->rate_count; r++) {
        printf("| 0.%02u |", self->rates[r]);
        for (unsigned c = 0; c < self->closeness_count; c++) {
            const size_t group = (size_t)c * self->rate_count + r;
            const rp_contender_t *all = self->match.contenders;
            printf(" %s; %s; %s |", paper_names[paper_winner(self->closenesses[c], self->rates[r])],
                   all[winner(self, group, true)].name, all[winner(self, group, false)].name);
        }
        printf("\n");
    }
}

/// Times as fast as A* on buckets, all worlds summed, the plans without a path apart: one of these
/// goes through whatever the start can reach, for whoever searches from there.
static void print_lpa_law(fsa_table1_t *self)
{
    rp_score_table_t *scores = &self->scores;
    const size_t lpa = rp_comparison_find(&self->match, "LPA*");
    const size_t buckets = rp_comparison_find(&self->match, "A* buckets");
    if (lpa == RP_CONTENDERS_MAX || buckets == RP_CONTENDERS_MAX) {
        return;
    }
    const double *mine = rp_score_table_total(scores, 0, lpa)->of;
    const double *other = rp_score_table_total(scores, 0, buckets)->of;
    const double none = mine[RP_SCORE_NO_PATH];
    const double found = mine[RP_SCORE_STEPS] - none;
    printf(
        "\nLPA* at closeness 0.%u, rate 0.%02u, path delivered by both: %.1f times A* on buckets "
        "in the median world (asked for: 10), %.1f times when all %u worlds are summed. %.0f "
        "replans found a path, %.1f times as fast, %.0f cells expanded each (A* %.0f).",
        self->closenesses[0], self->rates[0],
        rp_score_table_us(scores, 0, buckets, 50.0) / rp_score_table_us(scores, 0, lpa, 50.0),
        replan_ns(scores, 0, buckets) / replan_ns(scores, 0, lpa), self->worlds, found,
        (other[RP_SCORE_NS] - other[RP_SCORE_NO_PATH_NS]) /
            (mine[RP_SCORE_NS] - mine[RP_SCORE_NO_PATH_NS]),
        (mine[RP_SCORE_EXPANDED] - mine[RP_SCORE_NO_PATH_EXPANDED]) / found,
        (other[RP_SCORE_EXPANDED] - other[RP_SCORE_NO_PATH_EXPANDED]) / found);
    if (none > 0.0) {
        printf(" %.0f found that there is none, %.2f times as fast, %.0f cells each (A* %.0f).",
               none, other[RP_SCORE_NO_PATH_NS] / mine[RP_SCORE_NO_PATH_NS],
               mine[RP_SCORE_NO_PATH_EXPANDED] / none, other[RP_SCORE_NO_PATH_EXPANDED] / none);
    }
    printf("\n");
}

static void describe(size_t group, cJSON *object)
{
    const unsigned closeness = suite.closenesses[group / suite.rate_count];
    cJSON_AddNumberToObject(object, "closeness", closeness / 10.0);
    cJSON_AddNumberToObject(object, "rate", suite.rates[group % suite.rate_count] / 100.0);
}

static void print_tables(fsa_table1_t *self)
{
    printf("# Fringe-Saving A*, table 1\n\n%u x %u cells, 4 neighbours, %u %% blocked, %u worlds, "
           "%u replans a world or until no path. All costs compared, %u differ.\n",
           SIDE, SIDE, BLOCKED_PERCENT, self->worlds, REPLANS, self->scores.differences);
    printf("\n## The paper's sum\n\nEvery search, the first too, and the making of the changes. "
           "Ratios: ours (the paper's).\n");
    for (unsigned c = 0; c < self->closeness_count; c++) {
        print_paper_table(self, c);
    }
    print_replans(self);
    print_counts(self);
    print_winners(self);
    print_lpa_law(self);
}

// ---- the suite

/// @param options  so many rows as are asked for, closeness by closeness
static void choose_cells(fsa_table1_t *self, const rp_bench_options_t *options)
{
    const bool quick = options->quick;
    static const unsigned quick_rates[4] = {2, 10, 20, 50};
    static const unsigned quick_closenesses[4] = {1, 2, 3, 6};
    self->rate_count = quick ? 4 : RATES;
    self->closeness_count = quick ? 4 : CLOSENESSES;
    const size_t rows = rp_bench_rows(options, (size_t)self->rate_count * self->closeness_count);
    self->rate_count = (unsigned)(rows < self->rate_count ? rows : self->rate_count);
    self->closeness_count = (unsigned)(rows / self->rate_count);
    for (unsigned i = 0; i < self->rate_count; i++) {
        self->rates[i] = quick ? quick_rates[i] : 2 * i + 2;
    }
    for (unsigned i = 0; i < self->closeness_count; i++) {
        self->closenesses[i] = quick ? quick_closenesses[i] : i + 1;
    }
}

int rp_bench_fsa_table1(const rp_bench_options_t *options, cJSON *results)
{
    fsa_table1_t *self = &suite;
    choose_cells(self, options);
    self->seed = options->seed;
    self->worlds = options->worlds != 0 ? options->worlds : options->quick ? 5 : 100;
    rp_comparison_open_only(&self->match, contenders, sizeof contenders / sizeof contenders[0],
                            options->contender);
    const size_t group_count = (size_t)self->rate_count * self->closeness_count;
    bool is_well = rp_score_table_open(&self->scores, &self->match, group_count, options, results);
    // World by world: what a run that was cut off leaves is a smaller whole table.
    for (unsigned world = 0; is_well && world < self->worlds; world++) {
        for (size_t group = 0; is_well && group < group_count; group++) {
            is_well = play_world(self, group, world);
        }
    }
    const bool agrees = self->scores.differences == 0;
    if (is_well) {
        print_tables(self);
        rp_score_table_to_json(&self->scores, results, describe);
    }
    rp_score_table_close(&self->scores);
    rp_comparison_close(&self->match);
    return is_well ? !agrees : 2;
}
