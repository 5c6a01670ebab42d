/// `replan solve`: the queries of a MovingAI .scen, one after the other, on one map.
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "files/load.h"
#include "tools/commands.h"
#include "tools/options.h"
#include "tools/report.h"
#include "tools/timer.h"

/// Recorded lengths were summed in limited precision before they were rounded (maps/README.md).
#define LENGTH_SLACK 1e-4

typedef struct rp_solve {
    rp_search_options_t options;
    const char *map_path;
    const char *scen_path;
    uint64_t every;
    rp_map_t map;
    rp_scen_t scen;
    rp_setup_t setup;
    rp_timer_t timer;
    rp_tally_t tally;
} rp_solve_t;

static const char help[] =
    "usage: replan solve --map FILE --scen FILE.scen --planner ID [OPTION...]\n"
    "\n"
    "Solve each query of a MovingAI .scen (version 1) and compare the cost with the recorded\n"
    "length. They agree within half a unit of the last digit as written plus 1e-4; a recorded\n"
    "-1, or 0 between different cells, means that no path exists. A query that begins or ends\n"
    "in a blocked cell is counted on stderr and is no difference. With --neighbors 4 nothing\n"
    "is compared.\n"
    "\n"
    "  --every N        only each Nth query, the first included\n" RP_SEARCH_HELP "\n"
    "JSON keys: query (from 0), outcome (found, no_path, start_blocked, goal_blocked), cost\n"
    "(null without a path), expected (as recorded), expanded, micros (CPU time of this thread),\n"
    "cells (of the path); with --curves also bound, curves, end\n"
    "\n"
    "exit codes: 0 all agree, 1 some differ, 2 bad input, 3 not supported by this planner\n"
    "\n"
    "example: replan solve --map arena.map --scen arena.map.scen --planner astar --limit 10\n";

// ---- one query

/// The file has lengths of paths of 8 neighbours.
static bool has_lengths(const rp_solve_t *self)
{
    return self->options.neighbors == 8 && !rp_search_options_has_motion(&self->options);
}

static void print_row(const rp_solve_t *self, size_t index, const rp_plan_t *plan, double micros)
{
    const double recorded = has_lengths(self) ? self->scen.queries[index].length : (double)INFINITY;
    if (self->options.json) {
        printf("{\"query\":%zu,\"outcome\":\"%s\",\"cost\":%s,\"expected\":%s,"
               "\"expanded\":%" PRIu64 ",\"micros\":%.3f,\"cells\":%" PRIu32,
               index, rp_outcome_text(plan->outcome), rp_number_of(plan->cost).text,
               rp_number_of(recorded).text, plan->stats.expanded, micros, plan->path.count);
        if (self->options.motion.curves) {
            rp_motion_print(stdout, &self->setup.curves);
        }
        puts("}");
    } else if (!self->options.quiet) {
        printf("%7zu  %-13s %18s %18s %10" PRIu64 " %12.1f %8" PRIu32 "\n", index,
               rp_outcome_text(plan->outcome), rp_number_or_dash(plan->cost).text,
               rp_number_or_dash(recorded).text, plan->stats.expanded, micros, plan->path.count);
    }
}

static int solve_query(rp_solve_t *self, size_t index)
{
    const rp_scen_query_t *query = &self->scen.queries[index];
    const rp_grid_t *grid = self->setup.grid;
    rp_plan_t plan;
    rp_timer_start(&self->timer);
    rp_status_t status =
        rp_setup_set_start(&self->setup, rp_grid_cell(grid, query->start_x, query->start_y), 0.0);
    if (status == RP_OK) {
        status =
            rp_setup_set_goal(&self->setup, rp_grid_cell(grid, query->goal_x, query->goal_y), NAN);
    }
    if (status == RP_OK) {
        status = rp_setup_plan(&self->setup, &plan);
    }
    const double micros = rp_timer_stop(&self->timer);
    char where[512];
    snprintf(where, sizeof where, "%s:%" PRIu32, self->scen_path, query->line);
    if (status != RP_OK || !rp_tally_add(&self->tally, &plan, micros)) {
        fprintf(stderr, "%s: %s\n", where, rp_status_text(status != RP_OK ? status : RP_E_MEMORY));
        return RP_EXIT_INPUT;
    }
    const bool is_blocked =
        plan.outcome == RP_OUTCOME_START_BLOCKED || plan.outcome == RP_OUTCOME_GOAL_BLOCKED;
    if (!is_blocked && has_lengths(self)) {
        const double expected = rp_scen_query_has_no_path(query) ? INFINITY : query->length;
        rp_tally_check(&self->tally, &plan, expected, query->half_unit + LENGTH_SLACK, where);
    }
    print_row(self, index, &plan, micros);
    return RP_EXIT_FINE;
}

// ---- all of them

static int solve_all(rp_solve_t *self)
{
    const rp_search_options_t *options = &self->options;
    const size_t total = (self->scen.count + self->every - 1) / self->every;
    rp_tally_init(&self->tally, "queries", options->json || !options->quiet);
    if (!options->json && !options->quiet) {
        printf("%7s  %-13s %18s %18s %10s %12s %8s\n", "query", "outcome", "cost", "expected",
               "expanded", "micros", "cells");
    }
    for (size_t i = 0; i < self->scen.count && self->tally.count < options->limit;
         i += self->every) {
        const int code = solve_query(self, i);
        if (code != RP_EXIT_FINE) {
            return code;
        }
        rp_tally_progress(&self->tally, total < options->limit ? total : options->limit);
    }
    rp_tally_print(&self->tally, options->json ? stderr : stdout);
    return self->tally.differ != 0 || self->tally.wrong != 0 ? RP_EXIT_DIFFERS : RP_EXIT_FINE;
}

/// The bytes of the map become factors. @return whether some ground is dearer than other
static bool take_factors(rp_map_t *map)
{
    const uint8_t unit = rp_map_unit(map->profile);
    bool is_weighted = false;
    for (size_t i = 0; i < (size_t)map->width * map->height; i++) {
        map->bytes[i] = rp_map_factor(map->profile, map->bytes[i]);
        is_weighted = is_weighted || (map->bytes[i] != 0 && map->bytes[i] != unit);
    }
    return is_weighted;
}

static int load_and_solve(rp_solve_t *self)
{
    rp_complaint_t complaint;
    if (rp_map_load(self->map_path, &self->map, &complaint) != RP_OK) {
        fprintf(stderr, "%s: --map %s\n", self->options.program, complaint.sentence);
        return RP_EXIT_INPUT;
    }
    if (rp_scen_load(self->scen_path, self->map.width, self->map.height, &self->scen, &complaint) !=
        RP_OK) {
        fprintf(stderr, "%s: --scen %s\n", self->options.program, complaint.sentence);
        return RP_EXIT_INPUT;
    }
    const rp_grid_shape_t shape = {
        .width = self->map.width,
        .height = self->map.height,
        .neighbors = self->options.neighbors,
        .unit = rp_map_unit(self->map.profile),
        .least = rp_map_unit(self->map.profile),
    };
    const bool is_weighted = take_factors(&self->map);
    rp_timer_init(&self->timer);
    const int code =
        rp_setup_init(&self->setup, &self->options, &shape, self->map.bytes, is_weighted);
    return code == RP_EXIT_FINE ? solve_all(self) : code;
}

// ---- the command

static int take_options(rp_solve_t *self, int argc, char **argv)
{
    rp_flag_t flags[RP_FLAGS_MOST] = {
        {.name = "--map", .text = &self->map_path},
        {.name = "--scen", .text = &self->scen_path},
        {.name = "--every", .number = &self->every, .most = UINT32_MAX},
    };
    const size_t count = 3u + rp_search_options_flags(&self->options, flags + 3);
    if (!rp_flags_read(argv[0], flags, count, argc, argv) ||
        !rp_search_options_settle(&self->options)) {
        return RP_EXIT_INPUT;
    }
    const char *missing = self->map_path == NULL          ? "--map FILE is missing"
                          : self->scen_path == NULL       ? "--scen FILE is missing"
                          : self->options.planner == NULL ? "--planner ID is missing"
                          : self->every == 0              ? "--every 0 would never end"
                          : optind < argc                 ? "it takes options only"
                                                          : NULL;
    if (missing != NULL) {
        fprintf(stderr, "%s: %s (--help says more)\n", argv[0], missing);
    }
    return missing != NULL ? RP_EXIT_INPUT : RP_EXIT_FINE;
}

int rp_solve_main(int argc, char **argv)
{
    rp_solve_t self = {.options = rp_search_options_of(argv[0]), .every = 1};
    self.options.neighbors = 8;
    if (rp_flags_want_help(argc, argv, help)) {
        return RP_EXIT_FINE;
    }
    int code = take_options(&self, argc, argv);
    if (code == RP_EXIT_FINE) {
        code = load_and_solve(&self);
    }
    rp_tally_fini(&self.tally);
    rp_setup_fini(&self.setup);
    rp_scen_fini(&self.scen);
    rp_map_fini(&self.map);
    return code;
}
