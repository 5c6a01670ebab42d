/// The structure of OPEN against its size. A* with a heap and with buckets on made-up worlds of
/// many sizes: open ground with a tenth of rocks, 8 neighbours (fine costs), 4 neighbours on a
/// torus (two values of f), and 8 neighbours on weighted ground (dear edges).
///
/// The size is what OPEN holds when the goal comes up, stale entries included: cells put in less
/// cells taken out, of the heap.
#include <stdio.h>
#include <stdlib.h>

#include "bench/measure/score_table.h"
#include "bench/suites.h"

#define KINDS           3u
#define SIZES           7u ///< to 100, 300, 1000, 3000, 10000, 30000, beyond
#define SIDES           6u
#define WORLDS          20u
#define QUERIES         12u
#define BLOCKED_PERCENT 10u
#define DEAREST         9u ///< factors of weighted ground: 1 to this

static const rp_contender_t contenders[] = {
    {.name = "heap", .id = "astar"},
    {.name = "buckets", .id = "astar", .options = {.open = RP_OPEN_BUCKETS}},
};

static const char *const kind_names[KINDS] = {"8 neighbours", "4 neighbours, torus",
                                              "8 neighbours, weighted"};
static const double size_limits[SIZES] = {100, 300, 1000, 3000, 10000, 30000, 1e9};
static const uint32_t sides[SIDES] = {32, 64, 128, 256, 512, 1024};

static void make_trace(rp_trace_t *trace, unsigned kind, uint32_t side, uint64_t seed)
{
    const rp_grid_shape_t shape = {side, side, kind == 1 ? 4 : 8, kind == 1, 1, 1};
    uint8_t *factors = rp_bench_memory(NULL, (size_t)side * side, 1);
    uint64_t random = seed;
    for (size_t i = 0; i < (size_t)side * side; i++) {
        const bool is_blocked = rp_bench_below(&random, 100) < BLOCKED_PERCENT;
        const uint8_t ground = kind == 2 ? (uint8_t)(1u + rp_bench_below(&random, DEAREST)) : 1;
        factors[i] = is_blocked ? 0 : ground;
    }
    rp_trace_init(trace, &shape, factors);
    trace->warms_up = true;
    rp_grid_t *grid = rp_trace_grid(trace);
    while (trace->step_count < QUERIES) {
        const uint32_t y = rp_bench_below(&random, side);
        const rp_cell_t start = rp_grid_cell(grid, rp_bench_below(&random, side), y);
        const uint32_t row = rp_bench_below(&random, side);
        const rp_cell_t goal = rp_grid_cell(grid, rp_bench_below(&random, side), row);
        if (start != goal && grid->factor[start] != 0 && grid->factor[goal] != 0) {
            rp_trace_step(trace, start, goal, 0);
        }
    }
    rp_grid_destroy(&grid);
    free(factors);
}

static size_t size_of(const rp_play_t *heap)
{
    const double left = (double)heap->stats.generated - (double)heap->stats.expanded;
    size_t size = 0;
    while (left > size_limits[size]) {
        size++;
    }
    return size;
}

static bool play_world(rp_comparison_t *match, rp_score_table_t *scores, unsigned kind,
                       uint32_t side, uint64_t seed, unsigned world)
{
    char unit[96];
    (void)snprintf(unit, sizeof unit, "%s, side %u, world %u", kind_names[kind], side, world);
    if (rp_score_table_has(scores, unit)) {
        return true;
    }
    rp_bench_progress("open-lists: %s", unit);
    rp_trace_t trace;
    make_trace(&trace, kind, side, rp_bench_seed(seed, world, side * KINDS + kind));
    const unsigned before = match->differences;
    const bool is_played = rp_comparison_play(match, &trace, unit);
    for (size_t who = 0; is_played && who < match->count; who++) {
        for (size_t i = 0; i < match->step_count; i++) {
            const rp_score_t score = rp_score_of(&rp_comparison_plays(match, who)[i], 1);
            const size_t size = size_of(&rp_comparison_plays(match, 0)[i]);
            rp_score_table_add(scores, kind * SIZES + size, who, &score);
        }
    }
    if (is_played) {
        rp_score_table_finish(scores, unit, match->differences - before, 0);
    }
    rp_trace_fini(&trace);
    return is_played;
}

static void print_size(size_t size)
{
    if (size + 1 == SIZES) {
        printf("above %.0f", size_limits[size - 1]);
    } else {
        printf("to %.0f", size_limits[size]);
    }
}

static void print_kind(rp_score_table_t *scores, unsigned kind)
{
    const size_t count = scores->match->count;
    printf("\n## %s\n\n| cells in OPEN | searches", kind_names[kind]);
    for (size_t i = 0; i < count; i++) {
        printf(" | %s ns an expansion", scores->match->contenders[i].name);
    }
    for (size_t i = 1; i < count; i++) {
        printf(" | %s against heap", scores->match->contenders[i].name);
    }
    printf(" |\n|---|---|");
    for (size_t i = 1; i < 2 * count; i++) {
        printf("---|");
    }
    printf("\n");
    for (size_t size = 0; size < SIZES; size++) {
        const size_t group = kind * SIZES + size;
        const rp_score_t *heap = rp_score_table_total(scores, group, 0);
        if (heap->of[RP_SCORE_STEPS] == 0.0) {
            continue;
        }
        printf("| ");
        print_size(size);
        printf(" | %.0f", heap->of[RP_SCORE_STEPS]);
        for (size_t i = 0; i < count; i++) {
            const double *of = rp_score_table_total(scores, group, i)->of;
            printf(" | %.1f", of[RP_SCORE_NS] / of[RP_SCORE_EXPANDED]);
        }
        for (size_t i = 1; i < count; i++) {
            printf(" | %.2f",
                   heap->of[RP_SCORE_NS] / rp_score_table_total(scores, group, i)->of[RP_SCORE_NS]);
        }
        printf(" |\n");
    }
}

static void describe(size_t group, cJSON *object)
{
    const size_t size = group % SIZES;
    cJSON_AddStringToObject(object, "kind", kind_names[group / SIZES]);
    cJSON_AddNumberToObject(object, "open_above", size == 0 ? 0.0 : size_limits[size - 1]);
}

int rp_bench_open_lists(const rp_bench_options_t *options, cJSON *results)
{
    rp_comparison_t match;
    rp_score_table_t scores;
    rp_comparison_open_only(&match, contenders, sizeof contenders / sizeof contenders[0],
                            options->contender);
    const unsigned chosen = options->quick ? 3 : WORLDS;
    const unsigned worlds = options->worlds != 0 ? options->worlds : chosen;
    const size_t side_count = rp_bench_rows(options, SIDES);
    bool is_well = rp_score_table_open(&scores, &match, KINDS * SIZES, options, results);
    for (unsigned world = 0; is_well && world < worlds; world++) {
        for (unsigned place = 0; is_well && place < KINDS * side_count; place++) {
            is_well = play_world(&match, &scores, place % KINDS, sides[place / KINDS],
                                 options->seed, world);
        }
    }
    const bool agrees = scores.differences == 0;
    if (is_well) {
        printf("# OPEN by its size\n\nA* on made-up worlds of %u to %u cells a side, %u %% "
               "blocked, %u worlds of each, %u searches on each. Times as fast as the heap, over "
               "all searches of a size. All costs compared, %u differ.\n",
               sides[0], sides[side_count - 1], BLOCKED_PERCENT, worlds, QUERIES,
               scores.differences);
        for (unsigned kind = 0; kind < KINDS; kind++) {
            print_kind(&scores, kind);
        }
        rp_score_table_to_json(&scores, results, describe);
    }
    rp_score_table_close(&scores);
    rp_comparison_close(&match);
    return is_well ? !agrees : 2;
}
