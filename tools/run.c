/// `replan run`: changes and plans, in the order of a file.
///
/// The file is read and checked as a whole first, so that the clock sees only what a planner and
/// its grid cost: it runs from one answer to the next, and stands still while we print and judge.
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "files/load.h"
#include "tools/change_batch.h"
#include "tools/commands.h"
#include "tools/options.h"
#include "tools/report.h"
#include "tools/timer.h"

/// Lengths of the competition have about 12 digits.
#define LENGTH_SLACK          1e-4
#define LENGTH_SLACK_RELATIVE 1e-9

/// Costs of one path summed over different parts agree to this.
#define SAME_COST 1e-9

/// What happened since the last answer; it says why this plan came to be.
typedef struct rp_since {
    bool start_moved;
    bool goal_moved;
} rp_since_t;

typedef struct rp_run {
    rp_search_options_t options;
    const char *path;
    bool prints_paths;
    bool has_expected; ///< there is something to compare with
    rp_sequence_t sequence;
    rp_setup_t setup;
    rp_tally_t tally;
    rp_change_batch_t batch; ///< written since the last plan, and not told yet
    rp_timer_t timer;        ///< runs from one answer to the next
    uint64_t version;        ///< changes of the world so far
    rp_cell_t start;
    rp_cell_t goal;
    rp_since_t since;
    rp_cell_t *last; ///< the newest path, or what is left of it [last_count]
    uint32_t last_count;
    size_t last_capacity;
} rp_run_t;

static const char help[] =
    "usage: replan run FILE --planner ID [OPTION...]\n"
    "\n"
    "Apply changes and plan, in the order of FILE. FILE is a dynamic .scen of the Grid-based Path\n"
    "Planning Competition (first line \"version 2\": each Q is a plan, a run of P lines is one\n"
    "change; costs must agree with the recorded ones within 1e-4 + 1e-9 * length), or a script:\n"
    "\n"
    "    replan-script 1\n"
    "    map FILE | size W H   # a .map file beside the script, or an empty world of 1s\n"
    "    neighbors 8           # optional: 4 or 8\n"
    "    wrap 0                # optional: 1 for a torus\n"
    "    start X Y [YAW]       # yaw in radians, for planner lattice; absent: 0\n"
    "    goal X Y [YAW]        # the same; absent: any\n"
    "    set X Y W H BYTE      # fill a rectangle: 0 blocks, 1..254 factor, 255 unknown (free)\n"
    "    plan                  # plan with all changes since the last plan, and print\n"
    "\n"
    "  --paths          with --json: each path as [[x,y],...]\n" RP_SEARCH_HELP "\n"
    "JSON keys: step (counts plans, from 0), version (counts changes of the world: a set, or a\n"
    "run of P), outcome, cost (null without a path), expected (only for a .scen; -1: no path),\n"
    "expanded, micros (CPU time of this thread since the last answer, with changes, without\n"
    "reading, printing and the clock), restarts, planner, why (first; goal: it moved;\n"
    "off_path: the start left the last path; invalid: that path is blocked; cheaper: there is\n"
    "a better one; request: none of these), path. With --planner auto, planner and why are the\n"
    "member that it chose for this plan, and the reason. With --curves also bound, curves, end\n"
    "\n"
    "exit codes: 0 fine, 1 a cost differs from the recorded one, 2 bad input (file and line\n"
    "named), 3 not supported by this planner\n"
    "\n"
    "example: printf 'replan-script 1\\nsize 9 9\\nstart 0 0\\ngoal 8 8\\nplan\\nset 4 0 1 8 0\\n"
    "plan\\n' |\n"
    "         replan run - --planner astar --json --paths\n";

// ---- changes

static rp_status_t tell_changes(rp_run_t *self)
{
    return rp_setup_tell(&self->setup, &self->batch);
}

/// @param factors  of the rectangle, row by row; NULL: `factor` everywhere
static rp_status_t write_rectangle(rp_run_t *self, const rp_step_t *step, uint32_t width,
                                   uint32_t height, const uint8_t *factors)
{
    rp_status_t status = RP_OK;
    for (uint32_t y = 0; y < height && status == RP_OK; y++) {
        if (self->batch.count + width > RP_CHANGE_BATCH_MOST) {
            status = tell_changes(self);
        }
        const rp_cell_t first = rp_grid_cell(self->setup.grid, step->x, step->y + y);
        for (uint32_t x = 0; x < width; x++) {
            rp_change_batch_set(&self->batch, first + x,
                                factors != NULL ? factors[x] : step->factor);
        }
        factors = factors != NULL ? factors + width : NULL;
    }
    return status;
}

static rp_status_t change_world(rp_run_t *self, const rp_step_t *step)
{
    self->version += step->is_continued ? 0u : 1u;
    if (step->kind == RP_STEP_SET) {
        return write_rectangle(self, step, step->width, step->height, NULL);
    }
    const rp_patch_t *patch = &self->sequence.patches[step->index];
    return write_rectangle(self, step, patch->width, patch->height,
                           self->sequence.patch_factors + patch->first);
}

static rp_status_t move_start(rp_run_t *self, const rp_step_t *step)
{
    const rp_cell_t cell = rp_grid_cell(self->setup.grid, step->x, step->y);
    self->since.start_moved = self->since.start_moved || cell != self->start;
    self->start = cell;
    return rp_setup_set_start(&self->setup, cell, rp_sequence_yaw(&self->sequence, step, 0.0));
}

static rp_status_t move_goal(rp_run_t *self, const rp_step_t *step)
{
    const rp_cell_t cell = rp_grid_cell(self->setup.grid, step->x, step->y);
    self->since.goal_moved = self->since.goal_moved || cell != self->goal;
    self->goal = cell;
    return rp_setup_set_goal(&self->setup, cell, rp_sequence_yaw(&self->sequence, step, NAN));
}

// ---- why

/// Drop what lies behind the start. @return false when the start is not on the last path
static bool prune_last_path(rp_run_t *self)
{
    uint32_t behind = 0;
    while (behind < self->last_count && self->last[behind] != self->start) {
        behind++;
    }
    if (behind == self->last_count) {
        return false;
    }
    self->last_count -= behind;
    memmove(self->last, self->last + behind, self->last_count * sizeof *self->last);
    return true;
}

/// @param kept_cost  what the rest of the last path costs now: -1 when it is blocked, infinite when
///                   there is none
static const char *reason_of(const rp_run_t *self, const rp_plan_t *plan, bool is_on_path,
                             double kept_cost)
{
    if (self->tally.count == 0) {
        return "first";
    }
    if (self->since.goal_moved) {
        return "goal";
    }
    if (self->since.start_moved && !is_on_path) {
        return "off_path";
    }
    if (kept_cost < 0) {
        return "invalid";
    }
    const bool is_cheaper =
        isfinite(plan->cost) && plan->cost < kept_cost - SAME_COST * (1.0 + plan->cost);
    return is_cheaper ? "cheaper" : "request";
}

static bool keep_path(rp_run_t *self, const rp_path_t *path)
{
    if (!rp_array_reserve(&self->last, &self->last_capacity, path->count, sizeof *self->last)) {
        return false;
    }
    if (path->count != 0) {
        memcpy(self->last, path->cells, path->count * sizeof *path->cells);
    }
    self->last_count = path->count;
    return true;
}

// ---- answers

/// A planner that chooses says why it chose so; else why the plan came to be.
static const char *why_of(const rp_plan_t *plan, const char *reason)
{
    return plan->stats.why[0] != '\0' ? plan->stats.why : reason;
}

static void print_json(const rp_run_t *self, uint32_t index, const rp_plan_t *plan, double micros,
                       const char *why)
{
    const rp_grid_t *grid = self->setup.grid;
    printf("{\"step\":%" PRIu32 ",\"version\":%" PRIu64 ",\"outcome\":\"%s\",\"cost\":%s,", index,
           self->version, rp_outcome_text(plan->outcome), rp_number_of(plan->cost).text);
    if (self->sequence.expected != NULL) {
        const double expected = self->has_expected ? self->sequence.expected[index] : INFINITY;
        printf("\"expected\":%s,", rp_number_of(expected).text);
    }
    printf("\"expanded\":%" PRIu64 ",\"micros\":%.3f,\"restarts\":%" PRIu32
           ",\"planner\":\"%s\",\"why\":\"%s\"",
           plan->stats.expanded, micros, plan->stats.restarts, plan->stats.planner,
           why_of(plan, why));
    if (self->prints_paths) {
        fputs(",\"path\":[", stdout);
        for (uint32_t i = 0; i < plan->path.count; i++) {
            const rp_cell_t cell = plan->path.cells[i];
            printf("%s[%" PRIu32 ",%" PRIu32 "]", i == 0 ? "" : ",", rp_grid_x(grid, cell),
                   rp_grid_y(grid, cell));
        }
        putchar(']');
    }
    if (self->options.motion.curves) {
        rp_motion_print(stdout, &self->setup.curves);
    }
    puts("}");
}

static void print_row(const rp_run_t *self, uint32_t index, const rp_plan_t *plan, double micros,
                      const char *why)
{
    const double expected = self->has_expected ? self->sequence.expected[index] : INFINITY;
    printf("%7" PRIu32 " %9" PRIu64 "  %-13s %18s %18s %10" PRIu64 " %12.1f %8" PRIu32 "  %s\n",
           index, self->version, rp_outcome_text(plan->outcome), rp_number_or_dash(plan->cost).text,
           rp_number_or_dash(expected).text, plan->stats.expanded, micros, plan->stats.restarts,
           why_of(plan, why));
}

/// Blocked ends have no path either: a recorded -1 agrees with them, a recorded length does not.
static void check_cost(rp_run_t *self, uint32_t index, const rp_plan_t *plan)
{
    const double recorded = self->sequence.expected[index];
    char where[512];
    snprintf(where, sizeof where, "%s: plan %" PRIu32, self->path, index);
    rp_tally_check(&self->tally, plan, recorded < 0 ? INFINITY : recorded,
                   LENGTH_SLACK + LENGTH_SLACK_RELATIVE * recorded, where);
}

static rp_status_t make_plan(rp_run_t *self, uint32_t index)
{
    rp_plan_t plan;
    rp_status_t status = tell_changes(self);
    if (status == RP_OK) {
        status = rp_setup_plan(&self->setup, &plan);
    }
    const double micros = rp_timer_stop(&self->timer);
    if (status != RP_OK) {
        return status;
    }
    const bool is_on_path = prune_last_path(self);
    const rp_path_t last = {self->last, self->last_count};
    const bool has_cost = last.count != 0 && self->setup.planner != NULL;
    const double kept_cost = has_cost                      ? rp_path_cost(&last, self->setup.grid)
                             : self->setup.planner != NULL ? (double)INFINITY
                                                           : plan.cost;
    const char *why = reason_of(self, &plan, is_on_path, kept_cost);
    self->since = (rp_since_t){0};
    if (!rp_tally_add(&self->tally, &plan, micros) || !keep_path(self, &plan.path)) {
        return RP_E_MEMORY;
    }
    if (self->has_expected) {
        check_cost(self, index, &plan);
    }
    if (self->options.json) {
        print_json(self, index, &plan, micros, why);
    } else if (!self->options.quiet) {
        print_row(self, index, &plan, micros, why);
    }
    rp_tally_progress(&self->tally, self->sequence.plan_count);
    rp_timer_start(&self->timer);
    return RP_OK;
}

// ---- all steps

static rp_status_t take_step(rp_run_t *self, const rp_step_t *step)
{
    switch ((rp_step_kind_t)step->kind) {
    case RP_STEP_SET:
    case RP_STEP_PATCH:
        return change_world(self, step);
    case RP_STEP_START:
        return move_start(self, step);
    case RP_STEP_GOAL:
        return move_goal(self, step);
    case RP_STEP_PLAN:
        break;
    }
    return make_plan(self, step->index);
}

static int run_all(rp_run_t *self)
{
    const rp_search_options_t *options = &self->options;
    const bool has_table = !options->json && !options->quiet;
    rp_tally_init(&self->tally, "plans", options->json || has_table);
    if (has_table) {
        printf("%7s %9s  %-13s %18s %18s %10s %12s %8s  %s\n", "step", "version", "outcome", "cost",
               "expected", "expanded", "micros", "restarts", "why");
    }
    rp_status_t status = RP_OK;
    rp_timer_start(&self->timer);
    for (size_t i = 0;
         i < self->sequence.step_count && self->tally.count < options->limit && status == RP_OK;
         i++) {
        status = take_step(self, &self->sequence.steps[i]);
    }
    if (status != RP_OK) {
        fprintf(stderr, "%s: planner %s, plan %" PRIu64 ": %s\n", self->path, options->planner->id,
                self->tally.count, rp_status_text(status));
        return status == RP_E_UNSUPPORTED ? RP_EXIT_UNSUPPORTED : RP_EXIT_INPUT;
    }
    rp_tally_print(&self->tally, options->json ? stderr : stdout);
    return self->tally.differ != 0 || self->tally.wrong != 0 ? RP_EXIT_DIFFERS : RP_EXIT_FINE;
}

static int load_and_run(rp_run_t *self)
{
    rp_complaint_t complaint;
    rp_sequence_t *sequence = &self->sequence;
    if (rp_sequence_load(self->path, sequence, &complaint) != RP_OK) {
        fprintf(stderr, "%s\n", complaint.sentence);
        return RP_EXIT_INPUT;
    }
    const uint8_t neighbors =
        self->options.neighbors != 0 ? self->options.neighbors : sequence->neighbors;
    // Recorded lengths hold for the moves of the file.
    self->has_expected = sequence->expected != NULL && neighbors == sequence->neighbors &&
                         !rp_search_options_has_motion(&self->options);
    if (sequence->goal_yaw_line != 0 && !rp_search_options_has_motion(&self->options)) {
        fprintf(stderr, "%s:%" PRIu32 ": planner %s does not support a yaw at the goal\n",
                self->path, sequence->goal_yaw_line, self->options.planner->id);
        return RP_EXIT_UNSUPPORTED;
    }
    const rp_grid_shape_t shape = {
        .width = sequence->width,
        .height = sequence->height,
        .neighbors = neighbors,
        .wraps = sequence->wraps,
        .unit = 1,
        .least = 1,
    };
    rp_timer_init(&self->timer);
    int code = rp_setup_init(&self->setup, &self->options, &shape, sequence->factors,
                             sequence->weighted_line != 0);
    if (code == RP_EXIT_UNSUPPORTED && sequence->weighted_line != 0) {
        fprintf(stderr, "%s:%" PRIu32 ": the first such factor is set here\n", self->path,
                sequence->weighted_line);
    }
    if (code == RP_EXIT_FINE && rp_change_batch_init(&self->batch, self->setup.grid) != RP_OK) {
        fprintf(stderr, "%s: %s\n", self->path, rp_status_text(RP_E_MEMORY));
        code = RP_EXIT_INPUT;
    }
    return code == RP_EXIT_FINE ? run_all(self) : code;
}

// ---- the command

static int take_options(rp_run_t *self, int argc, char **argv)
{
    rp_flag_t flags[RP_FLAGS_MOST] = {{.name = "--paths", .given = &self->prints_paths}};
    const size_t count = 1u + rp_search_options_flags(&self->options, flags + 1);
    if (!rp_flags_read(argv[0], flags, count, argc, argv) ||
        !rp_search_options_settle(&self->options)) {
        return RP_EXIT_INPUT;
    }
    const char *missing = optind + 1 != argc              ? "it takes one FILE"
                          : self->options.planner == NULL ? "--planner ID is missing"
                                                          : NULL;
    if (missing != NULL) {
        fprintf(stderr, "%s: %s (--help says more)\n", argv[0], missing);
        return RP_EXIT_INPUT;
    }
    self->path = argv[optind];
    return RP_EXIT_FINE;
}

int rp_run_main(int argc, char **argv)
{
    rp_run_t self = {.options = rp_search_options_of(argv[0])};
    if (rp_flags_want_help(argc, argv, help)) {
        return RP_EXIT_FINE;
    }
    int code = take_options(&self, argc, argv);
    if (code == RP_EXIT_FINE) {
        code = load_and_run(&self);
    }
    free(self.last);
    rp_change_batch_fini(&self.batch);
    rp_tally_fini(&self.tally);
    rp_setup_fini(&self.setup);
    rp_sequence_fini(&self.sequence);
    return code;
}
