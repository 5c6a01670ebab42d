/// The protocols of the suite `beyond`: who plays, where, and what must be reached.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/beyond/beyond.h"
#include "bench/worlds.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define BUCKETS                                                                                    \
    {                                                                                              \
        .open = RP_OPEN_BUCKETS                                                                    \
    }

/// What papers have, not counting A* itself.
static const char *const published[] = {"LPA*", "D* Lite", "FSA*", "Fringe",
                                        "GAA*", "MPGAA*",  NULL};

// ---- judging

/// Geometric mean over cells of how many times as fast as `name` AUTO is.
static double mean_against(rp_beyond_t *self, size_t begin, size_t end, const char *name,
                           rp_beyond_idle_t idle)
{
    double sum = 0.0;
    size_t count = 0;
    const size_t ours = rp_comparison_find(&self->match, "auto");
    const size_t other = rp_comparison_find(&self->match, name);
    if (ours == RP_CONTENDERS_MAX || other == RP_CONTENDERS_MAX) {
        return NAN;
    }
    for (size_t cell = begin; cell < end && cell < self->scores.group_count; cell++) {
        const double ratio =
            rp_beyond_idle_us(self, cell, other, idle) / rp_beyond_idle_us(self, cell, ours, idle);
        if (!isnan(ratio)) {
            sum += log(ratio);
            count++;
        }
    }
    return count != 0 ? exp(sum / (double)count) : NAN;
}

static void note(rp_beyond_t *self, const char *what, double least, double aim, double ours)
{
    rp_beyond_target_t target = {.least = least, .aim = aim, .ours = ours, .unit = "times"};
    (void)snprintf(target.what, sizeof target.what, "%s: %s", self->protocol->name, what);
    rp_beyond_note(self, &target);
}

static void note_ceiling(rp_beyond_t *self, const char *what, double most, double aim, double ours,
                         const char *unit)
{
    rp_beyond_target_t target = {
        .least = most, .aim = aim, .ours = ours, .is_ceiling = true, .unit = unit};
    (void)snprintf(target.what, sizeof target.what, "%s: %s", self->protocol->name, what);
    rp_beyond_note(self, &target);
}

/// How many ways of counting idle time a protocol has.
static int idle_count(const rp_beyond_t *self)
{
    return self->protocol->idles ? RP_BEYOND_IDLE_COUNT : 1;
}

/// @param text  written: `what`, and how idle time is counted where there is any [size]
static void name_idle(const rp_beyond_t *self, const char *what, int idle, char *text, size_t size)
{
    const bool idles = self->protocol->idles;
    (void)snprintf(text, size, "%s%s%s", what, idles ? ", " : "",
                   idles ? rp_beyond_idle_names[idle] : "");
}

/// Geometric mean of the rows of a part of the table, for each way of counting idle time.
static void note_mean(rp_beyond_t *self, const char *what, size_t begin, size_t end,
                      const char *name, double least, double aim)
{
    for (int idle = 0; idle < idle_count(self); idle++) {
        char text[128];
        name_idle(self, what, idle, text, sizeof text);
        note(self, text, least, aim, mean_against(self, begin, end, name, (rp_beyond_idle_t)idle));
    }
}

static void note_against(rp_beyond_t *self, size_t cell, const char *name, double least, double aim)
{
    char what[96];
    if (cell < self->scores.group_count) {
        (void)snprintf(what, sizeof what, "%s, against %s", self->protocol->cells[cell].name, name);
        note_mean(self, what, cell, cell + 1u, name, least, aim);
    }
}

/// What an expansion of a contender took in the first rows, changes and path included.
static void note_expansion(rp_beyond_t *self, size_t rows, const char *name, const char *what,
                           double most)
{
    double ns = 0.0;
    double expanded = 0.0;
    const size_t who = rp_comparison_find(&self->match, name);
    for (size_t cell = 0; who != RP_CONTENDERS_MAX && cell < rows; cell++) {
        ns += rp_score_table_total(&self->scores, cell, who)->of[RP_SCORE_NS];
        expanded += rp_score_table_total(&self->scores, cell, who)->of[RP_SCORE_EXPANDED];
    }
    note_ceiling(self, what, most, NAN, ns / expanded, "ns");
}

/// No ratio to the heap A* means much when it is slow.
static void note_heap(rp_beyond_t *self, double most)
{
    note_expansion(self, self->scores.group_count, "A*", "an expansion of the heap A*", most);
}

/// The greatest over cells of a percentile of AUTO's plans; below 0: the median world's mean.
static double worst_percentile(rp_beyond_t *self, double percent, rp_beyond_idle_t idle)
{
    double worst = NAN;
    const size_t who = rp_comparison_find(&self->match, "auto");
    for (size_t cell = 0; who != RP_CONTENDERS_MAX && cell < self->scores.group_count; cell++) {
        const double us = percent < 0.0 ? rp_beyond_idle_us(self, cell, who, idle)
                                        : rp_beyond_idle_percentile(self, cell, who, idle, percent);
        worst = !(us <= worst) && !isnan(us) ? us : worst;
    }
    return worst;
}

/// A ceiling of that, for each way of counting idle time.
static void note_worst(rp_beyond_t *self, const char *what, double percent, double most, double aim)
{
    for (int idle = 0; idle < idle_count(self); idle++) {
        char text[128];
        name_idle(self, what, idle, text, sizeof text);
        note_ceiling(self, text, most, aim, worst_percentile(self, percent, (rp_beyond_idle_t)idle),
                     "us");
    }
}

static void note_worst_pair(rp_beyond_t *self)
{
    for (int idle = RP_BEYOND_IDLE_FREE; idle <= RP_BEYOND_IDLE_NONE; idle++) {
        double worst = NAN;
        char text[128];
        name_idle(self, "auto against A* buckets, median of paired queries, worst row", idle, text,
                  sizeof text);
        for (size_t cell = 0; cell < self->scores.group_count; cell++) {
            if (self->pairs[idle][cell].count != 0) {
                const double ratio = rp_samples_percentile(&self->pairs[idle][cell], 50.0);
                worst = ratio <= worst ? worst : ratio;
            }
        }
        note_ceiling(self, text, 1.1, NAN, worst, "times the time");
    }
}

// ---- P1: churn near the goal

static const rp_contender_t churn_contenders[] = {
    {.name = "A*", .id = "astar"}, {.name = "A* buckets", .id = "astar", .options = BUCKETS},
    {.name = "LPA*", .id = "lpa"}, {.name = "D* Lite", .id = "dstar-lite"},
    {.name = "FSA*", .id = "fsa"}, {.name = "Fringe", .id = "fringe"},
    {.name = "BPA", .id = "bpa"},  {.name = "CERT", .id = "cert"},
    {.name = "AFA", .id = "afa"},  {.name = "auto", .id = "auto"},
};

static const rp_beyond_cell_t churn_cells[] = {
    {"closeness 0.1, rate 0.02", NULL, 4, 1, 2, 0, 0},
    {"closeness 0.2, rate 0.02", NULL, 4, 2, 2, 0, 0},
    {"closeness 0.3, rate 0.02", NULL, 4, 3, 2, 0, 0},
    {"closeness 0.6, rate 0.02", NULL, 4, 6, 2, 0, 0},
    {"closeness 0.1, rate 0.20", NULL, 4, 1, 20, 0, 0},
    {"closeness 0.2, rate 0.20", NULL, 4, 2, 20, 0, 0},
    {"closeness 0.3, rate 0.20", NULL, 4, 3, 20, 0, 0},
    {"closeness 0.6, rate 0.20", NULL, 4, 6, 20, 0, 0},
    {"closeness 0.1, rate 0.10", NULL, 4, 1, 10, 0, 0},
    {"closeness 0.2, rate 0.10", NULL, 4, 2, 10, 0, 0},
    {"closeness 0.3, rate 0.10", NULL, 4, 3, 10, 0, 0},
    {"closeness 0.6, rate 0.10", NULL, 4, 6, 10, 0, 0},
    {"closeness 0.1, rate 0.50", NULL, 4, 1, 50, 0, 0},
    {"closeness 0.2, rate 0.50", NULL, 4, 2, 50, 0, 0},
    {"closeness 0.3, rate 0.50", NULL, 4, 3, 50, 0, 0},
    {"closeness 0.6, rate 0.50", NULL, 4, 6, 50, 0, 0},
};

static bool make_churn(rp_trace_t *trace, const rp_bench_options_t *options,
                       const rp_beyond_cell_t *cell, uint64_t seed)
{
    (void)options;
    rp_churn_trace(trace, seed, 0, cell->a, cell->b);
    return true;
}

static void judge_churn(rp_beyond_t *self)
{
    double worst = NAN;
    double sum = 0.0;
    const size_t cells = self->scores.group_count;
    for (size_t cell = 0; cell < cells; cell++) {
        const double ratio =
            rp_beyond_best(self, cell, published) / rp_beyond_us(self, cell, "auto");
        worst = ratio >= worst ? worst : ratio;
        sum += log(ratio);
    }
    note_mean(self, "mean against A*", 0, cells, "A*", 30, 100);
    note_mean(self, "mean against LPA*", 0, cells, "LPA*", 6.5, 20);
    note_mean(self, "mean against FSA*", 0, cells, "FSA*", 22, 75);
    note(self, "worst row against the best published", 1.8, 3, worst);
    note(self, "mean against the best published", 4.3, 12, exp(sum / (double)cells));
    note_heap(self, 90);
}

// ---- static

static const rp_contender_t static_4_contenders[] = {
    {.name = "A*", .id = "astar"},      {.name = "A* buckets", .id = "astar", .options = BUCKETS},
    {.name = "Fringe", .id = "fringe"}, {.name = "BPA", .id = "bpa"},
    {.name = "auto", .id = "auto"},
};

static const rp_beyond_cell_t static_4_cells[] = {
    {"random 25 %, 1000 x 1000", NULL, 4, 0, 0, 0, 0},
    {"BigGameHunters", "sc1/BigGameHunters", 4, 0, 0, 0, 0},
    {"Triskelion", "sc1/Triskelion", 4, 0, 0, 0, 0},
    {"gardenofwar", "wc3/gardenofwar", 4, 0, 0, 0, 0},
    {"orz900d", "dao/orz900d", 4, 0, 0, 0, 0},
    {"brc202d", "dao/brc202d", 4, 0, 0, 0, 0},
    {"AR0300SR", "bg2/AR0300SR", 4, 0, 0, 0, 0},
    {"8room_000", "rooms/8room_000", 4, 0, 0, 0, 0},
};

static void judge_static_4(rp_beyond_t *self)
{
    note_against(self, 0, "A*", 20, 60);
    note_worst_pair(self);
    note_heap(self, 90);
    note_expansion(self, 1, "A*", "random 25 %, an expansion of the heap A*", 90);
    note_expansion(self, 1, "A* buckets", "random 25 %, an expansion of A* on buckets", 25);
}

static const rp_contender_t static_8_contenders[] = {
    {.name = "A*", .id = "astar"},      {.name = "A* buckets", .id = "astar", .options = BUCKETS},
    {.name = "Fringe", .id = "fringe"}, {.name = "JPS", .id = "jps"},
    {.name = "BPA", .id = "bpa"},       {.name = "auto", .id = "auto"},
};

/// Elsewhere: JPS(B+P), and JPS+(B+P), which prepares the map.
static const rp_beyond_cell_t static_8_cells[] = {
    {"random 25 %, 1000 x 1000", NULL, 8, 0, 0, 0, 0},
    {"BigGameHunters", "sc1/BigGameHunters", 8, 0, 0, 16.9, 10.2},
    {"gardenofwar", "wc3/gardenofwar", 8, 0, 0, 10.3, 4.58},
    {"TheFrozenSea", "sc1/TheFrozenSea", 8, 0, 0, 282, 241},
    {"arena2", "dao/arena2", 8, 0, 0, 24.2, 12.7},
    {"brc202d", "dao/brc202d", 8, 0, 0, 76.8, 52.9},
    {"lak303d", "dao/lak303d", 8, 0, 0, 38.9, 25.8},
    {"orz100d", "dao/orz100d", 8, 0, 0, 145, 93.1},
    {"ost003d", "dao/ost003d", 8, 0, 0, 16.9, 10.4},
    {"AR0300SR", "bg2/AR0300SR", 8, 0, 0, 18.4, 10.6},
    {"AR0602SR", "bg2/AR0602SR", 8, 0, 0, 23.1, 12.8},
    {"8room_000", "rooms/8room_000", 8, 0, 0, 521, 390},
    {"32room_000", "rooms/32room_000", 8, 0, 0, 46.9, 16.9},
    {"maze512-1-0", "mazes/maze512-1-0", 8, 0, 0, 2194, 2227},
    {"maze512-8-0", "mazes/maze512-8-0", 8, 0, 0, 147, 74.3},
    {"maze512-32-0", "mazes/maze512-32-0", 8, 0, 0, 29.3, 4.81},
    {"random512-25-3", "random/random512-25-3", 8, 0, 0, 2659, 2571},
    {"random512-40-0", "random/random512-40-0", 8, 0, 0, 2168, 2079},
};

static void judge_static_8(rp_beyond_t *self)
{
    note_against(self, 0, "A*", 4, 10);
    note_mean(self, "RTS maps, mean against A*", 1, 3, "A*", 60, 150);
    note_worst_pair(self);
    note_heap(self, NAN);
    note_expansion(self, 1, "A*", "random 25 %, an expansion of the heap A*", 130);
}

// ---- P2: moving target

static const rp_contender_t chase_contenders[] = {
    {.name = "A*", .id = "astar"},
    {.name = "A* buckets", .id = "astar", .options = BUCKETS},
    {.name = "D* Lite", .id = "dstar-lite"},
    {.name = "GAA*", .id = "gaa", .options = BUCKETS},
    {.name = "MPGAA*", .id = "mpgaa"},
    {.name = "Fringe", .id = "fringe"},
    {.name = "CERT", .id = "cert"},
    {.name = "AFA", .id = "afa"},
    {.name = "AT", .id = "at"},
    {.name = "auto", .id = "auto"},
};

static const rp_beyond_cell_t chase_cells[] = {
    {"k = 1", NULL, 4, 1, 0, 0, 0},
    {"k = 10", NULL, 4, 10, 0, 0, 0},
    {"k = 100", NULL, 4, 100, 0, 0, 0},
};

static bool make_chase(rp_trace_t *trace, const rp_bench_options_t *options,
                       const rp_beyond_cell_t *cell, uint64_t seed)
{
    (void)options;
    rp_chase_trace(trace, seed, cell->a);
    return true;
}

static void judge_chase(rp_beyond_t *self)
{
    note_against(self, 0, "A*", 49, 300);
    note_against(self, 1, "A*", 8, 60);
    note_against(self, 2, "A*", 8, 30);
}

// ---- P3: an agent in unknown terrain

static const rp_contender_t trip_contenders[] = {
    {.name = "A*", .id = "astar", .every = 97},
    {.name = "A* buckets", .id = "astar", .options = BUCKETS, .every = 29},
    {.name = "A* when cut", .id = "astar", .options = BUCKETS, .rests = true},
    {.name = "JPS", .id = "jps", .every = 7},
    {.name = "JPS when cut", .id = "jps", .rests = true},
    {.name = "D* Lite", .id = "dstar-lite"},
    {.name = "D* lazy", .id = "dstar-lazy"},
    {.name = "MPGAA*", .id = "mpgaa"},
    {.name = "CERT", .id = "cert"},
    {.name = "LWF", .id = "lwf"},
    {.name = "auto", .id = "auto"},
};

/// Elsewhere: JPS(B+P) from scratch when the path is cut, microseconds a trip.
static const rp_beyond_cell_t trip_cells[] = {
    {"unknown, random 25 %", NULL, 8, 0, 0, 1400, 0},
    {"unknown, BigGameHunters", "sc1/BigGameHunters", 8, 0, 0, 0, 0},
    {"unknown, orz100d", "dao/orz100d", 8, 0, 0, 11600, 0},
    {"unknown, TheFrozenSea", "sc1/TheFrozenSea", 8, 0, 0, 15900, 0},
    {"unknown, AR0602SR", "bg2/AR0602SR", 8, 0, 0, 900, 0},
    {"unknown, 32room_000", "rooms/32room_000", 8, 0, 0, 2000, 0},
    {"unknown, maze512-8-0", "mazes/maze512-8-0", 8, 0, 0, 33000, 0},
    {"prior map 2 % wrong, random 25 %", NULL, 8, 20, 0, 0, 0},
    {"prior map 2 % wrong, BigGameHunters", "sc1/BigGameHunters", 8, 20, 0, 0, 0},
};
#define TRIPS_UNKNOWN 7u

static void judge_trip(rp_beyond_t *self)
{
    note_mean(self, "unknown maps, mean against D* Lite", 0, TRIPS_UNKNOWN, "D* Lite", 1.3, 5);
    note_mean(self, "unknown maps, mean against JPS when cut", 0, TRIPS_UNKNOWN, "JPS when cut", 1,
              2);
    note_mean(self, "prior maps, mean against D* Lite", TRIPS_UNKNOWN, COUNT(trip_cells), "D* Lite",
              1, 3);
    note_worst(self, "slowest step of all", 100.0, NAN, 100);
}

// ---- P4: tiny churn, and more of it

static const rp_contender_t footprint_4_contenders[] = {
    {.name = "A*", .id = "astar", .every = 97},
    {.name = "A* buckets", .id = "astar", .options = BUCKETS, .every = 97},
    {.name = "LPA*", .id = "lpa"},
    {.name = "D* Lite", .id = "dstar-lite"},
    {.name = "FSA*", .id = "fsa", .every = 97},
    {.name = "Fringe", .id = "fringe", .every = 97},
    {.name = "BPA", .id = "bpa", .every = 29},
    {.name = "CERT", .id = "cert"},
    {.name = "AFA", .id = "afa"},
    {.name = "auto", .id = "auto"},
};

static const rp_contender_t footprint_8_contenders[] = {
    {.name = "A*", .id = "astar", .every = 97},
    {.name = "A* buckets", .id = "astar", .options = BUCKETS, .every = 97},
    {.name = "LPA*", .id = "lpa"},
    {.name = "D* Lite", .id = "dstar-lite"},
    {.name = "JPS", .id = "jps", .every = 29},
    {.name = "CERT", .id = "cert"},
    {.name = "AFA", .id = "afa"},
    {.name = "auto", .id = "auto"},
};

static const rp_beyond_cell_t footprint_4_cells[] = {
    {"random 25 %", NULL, 4, 1, 0, 0, 0},
    {"BigGameHunters", "sc1/BigGameHunters", 4, 1, 0, 0, 0},
    {"Triskelion", "sc1/Triskelion", 4, 1, 0, 0, 0},
    {"gardenofwar", "wc3/gardenofwar", 4, 1, 0, 0, 0},
};

static const rp_beyond_cell_t footprint_8_cells[] = {
    {"random 25 %", NULL, 8, 1, 0, 0, 0},
    {"BigGameHunters", "sc1/BigGameHunters", 8, 1, 0, 0, 0},
    {"Triskelion", "sc1/Triskelion", 8, 1, 0, 0, 0},
    {"gardenofwar", "wc3/gardenofwar", 8, 1, 0, 0, 0},
};

static void judge_footprint(rp_beyond_t *self)
{
    note_worst(self, "median, worst row", 50.0, 0.08, 0.015);
    note_worst(self, "mean, worst row", -1.0, 0.3, 0.03);
    note_worst(self, "999 of 1000, worst row", 99.9, 40, 2);
}

static const rp_contender_t batch_4_contenders[] = {
    {.name = "A*", .id = "astar", .every = 19},
    {.name = "A* buckets", .id = "astar", .options = BUCKETS, .every = 7},
    {.name = "LPA*", .id = "lpa"},
    {.name = "D* Lite", .id = "dstar-lite"},
    {.name = "BPA", .id = "bpa"},
    {.name = "CERT", .id = "cert"},
    {.name = "AFA", .id = "afa"},
    {.name = "auto", .id = "auto"},
};

static const rp_contender_t batch_8_contenders[] = {
    {.name = "A*", .id = "astar", .every = 19},
    {.name = "A* buckets", .id = "astar", .options = BUCKETS, .every = 7},
    {.name = "LPA*", .id = "lpa"},
    {.name = "D* Lite", .id = "dstar-lite"},
    {.name = "JPS", .id = "jps", .every = 3},
    {.name = "CERT", .id = "cert"},
    {.name = "AFA", .id = "afa"},
    {.name = "auto", .id = "auto"},
};

static const rp_beyond_cell_t batch_4_cells[] = {
    {"10 footprints", NULL, 4, 10, 0, 0, 0},
    {"100 footprints", NULL, 4, 100, 0, 0, 0},
    {"1000 footprints", NULL, 4, 1000, 0, 0, 0},
};

static const rp_beyond_cell_t batch_8_cells[] = {
    {"10 footprints", NULL, 8, 10, 0, 0, 0},
    {"100 footprints", NULL, 8, 100, 0, 0, 0},
    {"1000 footprints", NULL, 8, 1000, 0, 0, 0},
};

static void judge_batch(rp_beyond_t *self)
{
    note_mean(self, "mean against A*", 0, self->scores.group_count, "A*", NAN, NAN);
}

// ---- P5: the robot

static const rp_contender_t drive_contenders[] = {
    {.name = "A*", .id = "astar", .every = 397},
    {.name = "A* buckets", .id = "astar", .options = BUCKETS, .every = 199},
    {.name = "A* when cut", .id = "astar", .options = BUCKETS, .rests = true, .every = 7},
    {.name = "D* Lite", .id = "dstar-lite"},
    {.name = "MPGAA*", .id = "mpgaa"},
    {.name = "CERT", .id = "cert"},
    {.name = "LWF", .id = "lwf"},
    {.name = "auto", .id = "auto"},
};

static const rp_beyond_cell_t drive_cells[] = {
    {"1000 x 1000, 5 events a tick", NULL, 8, 1000, 5, 0, 0},
    {"1000 x 1000, 1 event a tick", NULL, 8, 1000, 1, 0, 0},
};

static void judge_drive(rp_beyond_t *self)
{
    note_against(self, 0, "D* Lite", 3, 8);
    note_against(self, 0, "A* when cut", 40, 150);
    note_ceiling(self, "99 of 100 ticks, inflation included", 250, 60,
                 self->ticks[0].count != 0 ? rp_samples_percentile(&self->ticks[0], 99.0) : NAN,
                 "us");
    const size_t ours = rp_comparison_find(&self->match, "auto");
    if (ours != RP_CONTENDERS_MAX) {
        note_ceiling(self, "99 of 100 ticks, inflation left out", NAN, NAN,
                     rp_beyond_idle_percentile(self, 0, ours, RP_BEYOND_IDLE_FREE, 99.0), "us");
    }
}

// ---- the list

#define PLAYERS(who)       who##_contenders, COUNT(who##_contenders)
#define CELLS(where, some) where##_cells, COUNT(where##_cells), some

static const rp_beyond_protocol_t protocols[] = {
    {"P1", "churn near the goal, 1000 x 1000, 4 neighbours", PLAYERS(churn), CELLS(churn, 16), 20,
     2, 5, 3, true, false, make_churn, judge_churn, NULL, NULL},
    {"static-4", "maps that do not change, 4 neighbours", PLAYERS(static_4), CELLS(static_4, 8), 5,
     1, 5, 3, false, true, rp_beyond_queries, judge_static_4, NULL, NULL},
    {"static-8", "maps that do not change, 8 neighbours", PLAYERS(static_8), CELLS(static_8, 18), 5,
     1, 5, 3, false, true, rp_beyond_queries, judge_static_8, NULL,
     "Beside, from another machine (an Intel Xeon of 2026), so that no figure here may be divided "
     "by these: JPS(B+P), which prepares nothing, as JPS without idle time, and JPS+(B+P), which "
     "prepares the map, as JPS after idle time; jump points and turns, the search alone without "
     "the cells of the path, 40 queries of each map's file, the least of 5 rounds, us a query."},
    {"P2", "moving target in a changing maze, 200 x 200, a torus", PLAYERS(chase), CELLS(chase, 3),
     20, 20, 5, 3, true, false, make_chase, judge_chase, NULL, NULL},
    {"P3", "an agent that sees 10 cells far, 8 neighbours", PLAYERS(trip), CELLS(trip, 9), 50, 2, 5,
     3, true, true, NULL, judge_trip, rp_beyond_trip,
     "Beside, from another machine and other trips, so that no figure here may be divided by "
     "these: JPS(B+P) from scratch when the path is cut, us a trip."},
    {"P4", "a footprint of 3 x 3 cells at a time, 4 neighbours", PLAYERS(footprint_4),
     CELLS(footprint_4, 4), 20, 2, 9, 9, true, true, rp_beyond_footprints, judge_footprint, NULL,
     NULL},
    {"P4-8", "a footprint of 3 x 3 cells at a time, 8 neighbours", PLAYERS(footprint_8),
     CELLS(footprint_8, 4), 20, 3, 9, 9, true, true, rp_beyond_footprints, judge_footprint, NULL,
     NULL},
    {"batch-4", "many footprints at a time, random 25 %, 4 neighbours", PLAYERS(batch_4),
     CELLS(batch_4, 3), 20, 3, 5, 3, true, true, rp_beyond_footprints, judge_batch, NULL, NULL},
    {"batch-8", "many footprints at a time, random 25 %, 8 neighbours", PLAYERS(batch_8),
     CELLS(batch_8, 3), 20, 3, 5, 3, true, true, rp_beyond_footprints, judge_batch, NULL, NULL},
    {"P5", "a robot on inflated, weighted ground; inflation is left out", PLAYERS(drive),
     CELLS(drive, 2), 20, 1, 5, 3, true, false, rp_beyond_drive, judge_drive, NULL, NULL},
};

const rp_beyond_protocol_t *rp_beyond_protocol(size_t index)
{
    return index < COUNT(protocols) ? &protocols[index] : NULL;
}
