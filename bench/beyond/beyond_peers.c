/// Peers from packages on the maps of the static protocols: A* of the Boost Graph Library, A* and
/// jump points of PathFinding.js. Each is a program of its own, for whoever has it (bench/peers):
/// it reads the instance and answers with what each of its paths takes and how long it searched.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/beyond/beyond.h"
#include "planners/grid/cost.h"

/// A peer's own sum of costs may round: one part in so many is no difference.
#define ROUNDING 100000u

typedef struct peer {
    const char *name;
    const char *command; ///< for the shell; programs beside this one are found
} peer_t;

static const peer_t peers[] = {
    {"Boost A*", "replan-peer-boost"},
    {"PathFinding.js A*", "node '" REPLAN_PEERS "/pathfinding.js' astar"},
    {"PathFinding.js jump points", "node '" REPLAN_PEERS "/pathfinding.js' jps"},
};

#define PEERS (sizeof peers / sizeof peers[0])

static const rp_contender_t contenders[] = {
    {.name = "A*", .id = "astar"},
    {.name = "auto", .id = "auto"},
    {.name = "auto, no idle time", .id = "auto", .never_idles = true},
};

#define OURS (sizeof contenders / sizeof contenders[0])

static const rp_beyond_cell_t cells[] = {
    {"BigGameHunters, 4 neighbours", "sc1/BigGameHunters", 4, 0, 0, 0, 0},
    {"arena2, 8 neighbours", "dao/arena2", 8, 0, 0, 0, 0},
    {"BigGameHunters, 8 neighbours", "sc1/BigGameHunters", 8, 0, 0, 0, 0},
    {"32room_000, 8 neighbours", "rooms/32room_000", 8, 0, 0, 0, 0},
    {"random 25 %, 1000 x 1000, 4 neighbours", NULL, 4, 0, 0, 0, 0},
    {"random 25 %, 1000 x 1000, 8 neighbours", NULL, 8, 0, 0, 0, 0},
};

// ---- an instance

/// @return false when the file cannot be written
static bool write_instance(const char *path, const rp_trace_t *trace)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    const rp_grid_shape_t *shape = &trace->shape;
    rp_grid_t *grid = rp_trace_grid(trace);
    (void)fprintf(file, "%u %u %u %zu\n", shape->width, shape->height, shape->neighbors,
                  trace->step_count);
    for (uint32_t y = 0; y < shape->height; y++) {
        for (uint32_t x = 0; x < shape->width; x++) {
            (void)fputc(trace->factors[(size_t)y * shape->width + x] != 0 ? '.' : '@', file);
        }
        (void)fputc('\n', file);
    }
    for (size_t i = 0; i < trace->step_count; i++) {
        const rp_trace_step_t *step = &trace->steps[i];
        (void)fprintf(file, "%u %u %u %u\n", rp_grid_x(grid, step->start),
                      rp_grid_y(grid, step->start), rp_grid_x(grid, step->goal),
                      rp_grid_y(grid, step->goal));
    }
    rp_grid_destroy(&grid);
    return fclose(file) == 0;
}

// ---- a peer

/// As the match counts (match.h): by lengths and factors, twice.
static uint64_t cost_of(long straights, long diagonals)
{
    return straights < 0
               ? UINT64_MAX
               : 2u * (RP_STRAIGHT * (uint64_t)straights + RP_DIAGONAL * (uint64_t)diagonals);
}

static bool differs(uint64_t cost, uint64_t best)
{
    return cost == UINT64_MAX || best == UINT64_MAX ? cost != best
                                                    : cost > best + best / ROUNDING || cost < best;
}

/// @param us  written: the mean of a query
/// @return false when the peer is not here, or did not answer all
static bool ask_peer(rp_beyond_t *self, const peer_t *peer, const char *instance,
                     const rp_trace_t *trace, double *us)
{
    char folder[4096];
    char command[8192];
    const ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1u);
    folder[length > 0 ? length : 0] = '\0';
    *(length > 0 ? strrchr(folder, '/') : folder) = '\0';
    (void)snprintf(command, sizeof command, "PATH='%s':\"$PATH\" %s <'%s' 2>/dev/null", folder,
                   peer->command, instance);
    FILE *answers = popen(command, "r");
    const rp_play_t *plays = rp_comparison_plays(&self->match, 0);
    size_t count = 0;
    unsigned differences = 0;
    double total_ns = 0.0;
    long straights;
    long diagonals;
    double ns;
    while (answers != NULL && count < trace->step_count &&
           fscanf(answers, "%ld %ld %lf", &straights, &diagonals, &ns) == 3) {
        const uint64_t cost = cost_of(straights, diagonals);
        differences += differs(cost, plays[count].cost);
        total_ns += ns;
        count++;
    }
    if (answers == NULL || pclose(answers) != 0 || count < trace->step_count) {
        return false;
    }
    if (differences != 0) {
        fprintf(stderr, "replan-bench: %s: %u of %zu costs differ\n", peer->name, differences,
                count);
    }
    self->differences += differences;
    *us = total_ns * 1e-3 / (double)count;
    return true;
}

// ---- the table

static double mean_us(const rp_beyond_t *self, size_t who)
{
    const rp_play_t *plays = rp_comparison_plays(&self->match, who);
    double us = 0.0;
    for (size_t i = 0; i < self->match.step_count; i++) {
        us += plays[i].ns * 1e-3;
    }
    return us / (double)self->match.step_count;
}

/// Those of ours have played: print what they took, and ask the peers.
static void print_row(rp_beyond_t *self, const rp_beyond_cell_t *cell, const char *instance,
                      const rp_trace_t *trace, cJSON *row)
{
    cJSON_AddStringToObject(row, "name", cell->name);
    printf("| %s |", cell->name);
    for (size_t i = 0; i < OURS; i++) {
        printf(" %.4g |", mean_us(self, i));
        cJSON_AddNumberToObject(row, contenders[i].name, mean_us(self, i));
    }
    for (size_t i = 0; i < PEERS; i++) {
        double us;
        if (ask_peer(self, &peers[i], instance, trace, &us)) {
            printf(" %.4g (%.0f) |", us, us / mean_us(self, OURS - 1u));
            cJSON_AddNumberToObject(row, peers[i].name, us);
        } else {
            printf(" - |");
        }
    }
    printf("\n");
}

static void play_cell(rp_beyond_t *self, const rp_beyond_cell_t *cell, cJSON *rows)
{
    char instance[] = "/tmp/replan-peer-XXXXXX";
    const int file = mkstemp(instance);
    rp_trace_t trace;
    const uint64_t seed = rp_bench_seed(self->options->seed, 0, 7000u);
    if (file < 0 || close(file) != 0) {
        fprintf(stderr, "replan-bench: cannot write %s\n", instance);
        return;
    }
    if (rp_beyond_queries(&trace, self->options, cell, seed)) { // else a map is not there: said
        rp_bench_progress("beyond: peers, %s", cell->name);
        if (write_instance(instance, &trace) &&
            rp_comparison_play(&self->match, &trace, cell->name)) {
            cJSON *row = cJSON_CreateObject();
            print_row(self, cell, instance, &trace, row);
            cJSON_AddItemToArray(rows, row);
        }
        rp_trace_fini(&trace);
    }
    (void)unlink(instance);
}

void rp_beyond_peers(rp_beyond_t *self, cJSON *results)
{
    printf("\n## peers: programs from packages, maps that do not change\n\n"
           "Microseconds a query, the mean of one round, by all; in brackets times that of auto "
           "without "
           "idle time, as no peer prepares anything. The search and its path are timed, not the "
           "making of a graph or a copy of the grid, nor the binding of our planners. A dash: the "
           "package is not here.\n\n|  |");
    for (size_t i = 0; i < OURS; i++) {
        printf(" %s |", contenders[i].name);
    }
    for (size_t i = 0; i < PEERS; i++) {
        printf(" %s |", peers[i].name);
    }
    printf("\n|---|");
    for (size_t i = 0; i < OURS + PEERS; i++) {
        printf("---|");
    }
    printf("\n");
    cJSON *rows = cJSON_AddArrayToObject(results, "peers");
    const unsigned before = self->match.differences;
    rp_comparison_open(&self->match, contenders, OURS);
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        play_cell(self, &cells[i], rows);
    }
    self->differences += self->match.differences - before;
    rp_comparison_close(&self->match);
}
