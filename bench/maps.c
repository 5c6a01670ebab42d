/// Every family of the shared maps, as they stand: 8 neighbours, queries of the .scen beside each
/// map, searches from scratch. No paper's table; here the steps are 408 : 577, as in the product.
#include <stdio.h>

#include "bench/static_suite.h"
#include "bench/suites.h"

#define QUERIES 200u

static const rp_contender_t contenders[] = {
    {.name = "A*", .id = "astar"},
    {.name = "A* buckets", .id = "astar", .options = {.open = RP_OPEN_BUCKETS}},
    {.name = "Fringe", .id = "fringe"},
    {.name = "Fringe buckets", .id = "fringe", .options = {.open = RP_OPEN_BUCKETS}},
    {.name = "JPS", .id = "jps"},
};

typedef struct maps {
    rp_comparison_t match;
    rp_score_table_t scores;
    rp_map_set_t atlases[RP_FAMILIES];
    unsigned queries;
} maps_t;

static maps_t suite; ///< one run a process: what rp_score_table_to_json() asks about

/// A group is a map. @param index  of the map in its family, written
static const rp_map_set_t *maps_of(const maps_t *self, size_t group, size_t *index)
{
    size_t family = 0;
    while (group >= self->atlases[family].count) {
        group -= self->atlases[family++].count;
    }
    *index = group;
    return &self->atlases[family];
}

static void name_of(const maps_t *self, size_t group, char *name, size_t size)
{
    size_t index;
    const rp_map_set_t *maps = maps_of(self, group, &index);
    (void)snprintf(name, size, "%s/%s", rp_families[maps - self->atlases],
                   rp_map_set_name(maps, index));
}

static bool play_map(maps_t *self, size_t group)
{
    char unit[256];
    name_of(self, group, unit, sizeof unit);
    if (rp_score_table_has(&self->scores, unit)) {
        return true;
    }
    rp_bench_progress("maps: %s, %zu of %zu", unit, group + 1, self->scores.group_count);
    size_t index;
    const rp_map_set_t *maps = maps_of(self, group, &index);
    rp_trace_t trace;
    if (!rp_static_trace(maps, index, 8, self->queries, &trace)) {
        return false;
    }
    const unsigned before = self->match.differences;
    const bool is_played = rp_comparison_play(&self->match, &trace, unit);
    for (size_t who = 0; is_played && who < self->match.count; who++) {
        const rp_play_t *plays = rp_comparison_plays(&self->match, who);
        for (size_t i = 0; i < self->match.step_count; i++) {
            const rp_score_t score = rp_score_of(&plays[i], 1);
            rp_score_table_add(&self->scores, group, who, &score);
        }
    }
    if (is_played) {
        rp_score_table_finish(&self->scores, unit, self->match.differences - before, 0);
    }
    rp_trace_fini(&trace);
    return is_played;
}

static void print_table(maps_t *self)
{
    printf("# All families, as they stand\n\n8 neighbours without corner cutting, %u queries a "
           "map, from scratch. Microseconds a search; in brackets cells expanded. All costs "
           "compared, %u differ.\n\n| map",
           self->queries, self->scores.differences);
    for (size_t i = 0; i < self->match.count; i++) {
        printf(" | %s", self->match.contenders[i].name);
    }
    printf(" | best against A* |\n|---|---|");
    for (size_t i = 0; i < self->match.count; i++) {
        printf("---|");
    }
    printf("\n");
    for (size_t group = 0; group < self->scores.group_count; group++) {
        char name[256];
        name_of(self, group, name, sizeof name);
        printf("| %s", name);
        double best = rp_score_table_us(&self->scores, group, 0, 50.0);
        const double first = best;
        for (size_t i = 0; i < self->match.count; i++) {
            const double us = rp_score_table_us(&self->scores, group, i, 50.0);
            best = us < best ? us : best;
            printf(" | %.1f (%.0f)", us,
                   rp_score_table_mean(&self->scores, group, i, RP_SCORE_EXPANDED));
        }
        printf(" | %.2f |\n", first / best);
    }
}

static void describe(size_t group, cJSON *object)
{
    char name[256];
    name_of(&suite, group, name, sizeof name);
    cJSON_AddStringToObject(object, "map", name);
}

int rp_bench_maps(const rp_bench_options_t *options, cJSON *results)
{
    maps_t *self = &suite;
    self->queries = options->worlds != 0 ? options->worlds : options->quick ? 20 : QUERIES;
    size_t count = 0;
    for (size_t i = 0; i < RP_FAMILIES; i++) {
        rp_map_set_init(&self->atlases[i], options->maps, rp_families[i]);
        count += self->atlases[i].count;
    }
    if (count == 0) {
        fprintf(stderr, "replan-bench: skipped: no maps in %s\n", options->maps);
        return 0;
    }
    count = rp_bench_rows(options, count);
    rp_comparison_open_only(&self->match, contenders, sizeof contenders / sizeof contenders[0],
                            options->contender);
    bool is_well = rp_score_table_open(&self->scores, &self->match, count, options, results);
    for (size_t group = 0; is_well && group < count; group++) {
        is_well = play_map(self, group);
    }
    const bool agrees = self->scores.differences == 0;
    if (is_well) {
        print_table(self);
        rp_score_table_to_json(&self->scores, results, describe);
    }
    rp_score_table_close(&self->scores);
    rp_comparison_close(&self->match);
    for (size_t i = 0; i < RP_FAMILIES; i++) {
        rp_map_set_fini(&self->atlases[i]);
    }
    return is_well ? !agrees : 2;
}
