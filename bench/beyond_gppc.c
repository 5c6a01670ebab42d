/// The dynamic worlds of the Grid-Based Path Planning Competition, through our entry to it.
#include <math.h>
#include <stdio.h>

#include "bench/beyond.h"
#include "bench/core.h"
#include "gppc/drive.h"

#define ROUNDS 15u

typedef struct world {
    const char *name;
    const char *file; ///< in the folder of maps, without its ending
    double least_us;  ///< a query with a path may take
    double aim_us;
    double published_us; ///< JPS(B+P) behind the same interface, on another day
} world_t;

static const world_t worlds[] = {
    {"dao_arena2", "dynamic/dao_arena2", 23, 8, 23.2},
    {"Aurora to TheFrozenSea", "dynamic/switch_sc1_Aurora_TheFrozenSea-b0-9", 850, 250, 882},
};

static double mean_us(const rp_drive_calls_t *calls)
{
    return calls->count != 0 ? (double)calls->total_ns * 1e-3 / (double)calls->count : NAN;
}

static double least(double a, double b)
{
    return b < a || isnan(a) ? b : a;
}

static void note(rp_beyond_t *self, const char *what, const char *name, double most, double aim,
                 double ours)
{
    rp_beyond_target_t target = {
        .least = most, .aim = aim, .ours = ours, .is_ceiling = true, .unit = "us"};
    (void)snprintf(target.what, sizeof target.what, "gppc: %s, %s", name, what);
    rp_beyond_note(self, &target);
}

/// The mean of each world, and of some rounds the least: an interruption can only add to it.
static void measure(rp_beyond_t *self, const world_t *world)
{
    char path[4096];
    rp_drive_report_t checked;
    rp_drive_report_t run;
    double change = NAN;
    double found = NAN;
    double no_path = NAN;
    (void)snprintf(path, sizeof path, "%s/%s.scen", self->options->maps, world->file);
    if (rp_drive(path, true, &checked) != RP_OK) {
        return; // said
    }
    self->differences += (unsigned)checked.differ;
    for (unsigned round = 0; round < ROUNDS; round++) {
        rp_core_choose();
        if (rp_drive(path, false, &run) != RP_OK) {
            return; // said
        }
        change = least(change, mean_us(&run.changes));
        found = least(found, mean_us(&run.found));
        no_path = least(no_path, mean_us(&run.no_path));
    }
    printf("| %s | %.0f | %.1f | %.1f | %.1f |", world->name, world->published_us,
           (double)checked.init_ns * 1e-3, change, found);
    printf(isnan(no_path) ? " |" : " %.2f |", no_path);
    printf(" %u of %u |\n", (unsigned)checked.differ, (unsigned)checked.plan_count);
    note(self, "a query with a path", world->name, world->least_us, world->aim_us, found);
    note(self, "a query without", world->name, 5, 0.1, no_path);
}

void rp_beyond_gppc(rp_beyond_t *self)
{
    printf("\n## gppc: dynamic worlds of the Grid-Based Path Planning Competition, 8 neighbours\n\n"
           "Microseconds of CPU time, the clock's own (about half of one) included. Means, the "
           "best of %u rounds; every path was walked and its length compared in one more.\n\n"
           "| | JPS(B+P), published: a query | init | a change | a path | no path | differ |\n"
           "|---|---|---|---|---|---|---|\n",
           ROUNDS);
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) {
        measure(self, &worlds[i]);
    }
}
