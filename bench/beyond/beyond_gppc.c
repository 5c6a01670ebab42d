/// The dynamic worlds of the Grid-Based Path Planning Competition, through our entry to it: whole
/// scenarios, with changes, queries with a path and queries without apart.
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "bench/beyond/beyond.h"
#include "bench/measure/core.h"
#include "gppc/drive.h"

#define ROUNDS 15u

typedef struct world {
    const char *name;
    const char *file;      ///< in the folder of maps, without its ending
    const char *part;      ///< the same of what is played when there is no such file; or NULL
    const char *part_name; ///< as tables print it then
    double least_us;       ///< a query may take
    double aim_us;
    const char *elsewhere; ///< JPS(B+P) behind the same interface, from another machine
} world_t;

static const world_t worlds[] = {
    {"dao_arena2", "dynamic/dao_arena2", NULL, NULL, 23, 8, "23.2 a query, 0.7 a change"},
    {"Aurora to TheFrozenSea", "dynamic/switch_sc1_Aurora_TheFrozenSea",
     "dynamic/switch_sc1_Aurora_TheFrozenSea-b0-9",
     "Aurora to TheFrozenSea, its buckets 0 to 9 only: the rest is not among the maps", 850, 250,
     "whole: 882 to 948 a query, 132 to 139 a change"},
};

/// Means of a round, in microseconds; NAN where there was nothing of the kind.
typedef struct means {
    double change;
    double found;
    double no_path;
    double all; ///< of a query of either kind, the changes charged
} means_t;

static double mean_us(uint64_t total_ns, uint64_t count)
{
    return count != 0 ? (double)total_ns * 1e-3 / (double)count : NAN;
}

static double least(double a, double b)
{
    return b < a || isnan(a) ? b : a;
}

static void take_round(means_t *self, const rp_drive_report_t *run)
{
    self->change = least(self->change, mean_us(run->changes.total_ns, run->changes.count));
    self->found = least(self->found, mean_us(run->found.total_ns, run->found.count));
    self->no_path = least(self->no_path, mean_us(run->no_path.total_ns, run->no_path.count));
    const uint64_t total_ns = run->changes.total_ns + run->found.total_ns + run->no_path.total_ns;
    self->all = least(self->all, mean_us(total_ns, run->found.count + run->no_path.count));
}

static void note(rp_beyond_t *self, const char *what, const char *name, double most, double aim,
                 double ours)
{
    rp_beyond_target_t target = {
        .least = most, .aim = aim, .ours = ours, .is_ceiling = true, .unit = "us"};
    (void)snprintf(target.what, sizeof target.what, "gppc: %s, %s", name, what);
    rp_beyond_note(self, &target);
}

static void print_calls(const rp_drive_calls_t *calls, double us)
{
    printf(" %u |", (unsigned)calls->count);
    rp_beyond_print_us(us);
}

static void print_row(const world_t *world, const char *name, const rp_drive_report_t *checked,
                      const means_t *means)
{
    printf("| %s | %.1f |", name, (double)checked->init_ns * 1e-3);
    print_calls(&checked->changes, means->change);
    print_calls(&checked->found, means->found);
    print_calls(&checked->no_path, means->no_path);
    rp_beyond_print_us(means->all);
    printf(" %u of %u | %s |\n", (unsigned)checked->differ, (unsigned)checked->plan_count,
           world->elsewhere);
}

static void add_json(const char *name, const rp_drive_report_t *checked, const means_t *means,
                     cJSON *rows)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "name", name);
    cJSON_AddNumberToObject(row, "changes", (double)checked->changes.count);
    cJSON_AddNumberToObject(row, "change_us", means->change);
    cJSON_AddNumberToObject(row, "found", (double)checked->found.count);
    cJSON_AddNumberToObject(row, "found_us", means->found);
    cJSON_AddNumberToObject(row, "no_path", (double)checked->no_path.count);
    cJSON_AddNumberToObject(row, "no_path_us", means->no_path);
    cJSON_AddNumberToObject(row, "query_us", means->all);
    cJSON_AddItemToArray(rows, row);
}

/// The scenario of a world that is there. @param name  written
static void choose_file(const rp_beyond_t *self, const world_t *world, char *path, size_t size,
                        const char **name)
{
    *name = world->name;
    (void)snprintf(path, size, "%s/%s.scen", self->options->maps, world->file);
    if (world->part != NULL && access(path, R_OK) != 0) {
        *name = world->part_name;
        (void)snprintf(path, size, "%s/%s.scen", self->options->maps, world->part);
    }
}

/// The mean of each world, and of some rounds the least: an interruption can only add to it.
static void measure(rp_beyond_t *self, const world_t *world, cJSON *rows)
{
    char path[4096];
    const char *name;
    rp_drive_report_t checked;
    rp_drive_report_t run;
    means_t means = {NAN, NAN, NAN, NAN};
    choose_file(self, world, path, sizeof path, &name);
    if (rp_drive(path, true, &checked) != RP_OK) {
        return; // said
    }
    self->differences += (unsigned)checked.differ;
    for (unsigned round = 0; round < ROUNDS; round++) {
        rp_core_choose();
        if (rp_drive(path, false, &run) != RP_OK) {
            return; // said
        }
        take_round(&means, &run);
    }
    print_row(world, name, &checked, &means);
    add_json(name, &checked, &means, rows);
    note(self, "a query with a path", world->name, world->least_us, world->aim_us, means.found);
    note(self, "a query of any kind, changes charged", world->name, world->least_us, world->aim_us,
         means.all);
    note(self, "a query without", world->name, 5, 0.1, means.no_path);
}

void rp_beyond_gppc(rp_beyond_t *self, cJSON *results)
{
    printf("\n## gppc: dynamic worlds of the Grid-Based Path Planning Competition, 8 neighbours\n\n"
           "Microseconds of CPU time, the clock's own (about half of one) included; there is no "
           "idle time. Means of all calls of a kind, the best of %u rounds. The last of ours is a "
           "query of either kind, with all changes charged to the queries. Left out: init, which "
           "stands beside, and the rewriting of the competition's own map. Every path was walked "
           "and its length compared in one round more. The column of JPS(B+P) behind the same "
           "interface comes from another machine, is the mean of all queries, those without a path "
           "included, and no figure here may be divided by it.\n\n"
           "| | init | changes | a change | paths | a path | without | no path | a query, changes "
           "charged | differ | JPS(B+P), elsewhere |\n"
           "|---|---|---|---|---|---|---|---|---|---|---|\n",
           ROUNDS);
    cJSON *rows = cJSON_AddArrayToObject(results, "gppc");
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) {
        measure(self, &worlds[i], rows);
    }
}
