/// replan-sim: a simulation, a line to the daemon, and a view of both.
///
/// One thread, one loop: what is due is done (steps, churn, frames), what came is heard, and in the
/// idle time the checker computes the optima that it owes.
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/inbox.h"
#include "sim/link.h"
#include "sim/options.h"
#include "sim/rate.h"
#include "sim/scenes/scenes.h"
#include "sim/sim_view.h"
#include "sim/simulation.h"

#define SECOND_US 1000000u
#define FRAME_US  40000u
#define CHECK_US  100000u
#define LATE_US   500000u           ///< what is later than this is dropped instead of made up for
#define SETTLE_US (20u * SECOND_US) ///< on a machine that does much else

#define CHANGES_AT_ONCE 64u ///< before what came is heard

enum {
    EXIT_FINE,
    EXIT_DIFFERS,
    EXIT_BAD_INPUT,
    EXIT_UNSUPPORTED,
    EXIT_NO_DAEMON,
};

/// Something that is due every so often.
typedef struct beat {
    uint64_t due_us;
    uint64_t period_us; ///< 0: never
} beat_t;

typedef struct run {
    rp_options_t options;
    rp_simulation_t simulation;
    rp_checker_t checker;
    rp_run_report_t report;
    rp_link_t link;
    rp_rate_t rate;
    rp_sim_view_t view;
    bool has_view;
    bool has_plot; ///< one that makes changes
    rp_edits_t edits;
    uint64_t begun_us;
    beat_t step;
    beat_t churn; ///< or how often the plot is asked for changes
    beat_t frame;
    beat_t check; ///< an optimum, while the clock runs for something else
} run_t;

static volatile sig_atomic_t is_stopped;

static void stop(int signal_number)
{
    (void)signal_number;
    is_stopped = 1;
}

// ---- time

static beat_t beat_of(double per_second, uint64_t now_us)
{
    return (beat_t){now_us, per_second > 0 ? (uint64_t)(SECOND_US / per_second) : 0};
}

/// @return true as often as it has come due
static bool take_beat(beat_t *beat, uint64_t now_us)
{
    if (beat->period_us == 0 || now_us < beat->due_us) {
        return false;
    }
    beat->due_us += beat->period_us;
    if (now_us > beat->due_us + LATE_US) {
        beat->due_us = now_us;
    }
    return true;
}

static uint64_t sooner(uint64_t due_us, const beat_t *beat)
{
    return beat->period_us != 0 && beat->due_us < due_us ? beat->due_us : due_us;
}

static double elapsed_s(const run_t *run)
{
    return (double)(rp_link_now_us() - run->begun_us) / SECOND_US;
}

// ---- the loop

static rp_link_status_t step(run_t *run)
{
    rp_link_tell_line(&run->link);
    if (!rp_simulation_step(&run->simulation, &run->edits)) {
        return RP_LINK_E_MEMORY;
    }
    rp_link_status_t status = rp_link_tell_window(&run->link);
    status = status == RP_LINK_OK ? rp_link_tell_change(&run->link, &run->edits) : status;
    status = status == RP_LINK_OK ? rp_link_tell_agents(&run->link) : status;
    return status == RP_LINK_OK ? rp_link_ask_work(&run->link) : status;
}

/// All the changes that the plot wants now, but for what comes due meanwhile.
static rp_link_status_t change(run_t *run)
{
    rp_link_status_t status = RP_LINK_OK;
    for (unsigned i = 0; i < CHANGES_AT_ONCE && status == RP_LINK_OK; i++) {
        rp_link_tell_line(&run->link);
        if (!rp_simulation_change(&run->simulation, &run->edits)) {
            return RP_LINK_E_MEMORY;
        }
        if (rp_edits_is_empty(&run->edits)) {
            break;
        }
        status = rp_link_tell_change(&run->link, &run->edits);
    }
    status = status == RP_LINK_OK ? rp_link_tell_agents(&run->link) : status;
    return status == RP_LINK_OK ? rp_link_ask_work(&run->link) : status;
}

static rp_link_status_t advance(run_t *run, uint64_t now_us)
{
    rp_link_status_t status = RP_LINK_OK;
    while (status == RP_LINK_OK && take_beat(&run->step, now_us)) {
        status = step(run);
    }
    if (status == RP_LINK_OK && run->has_plot) {
        status = change(run);
    }
    while (status == RP_LINK_OK && take_beat(&run->churn, now_us)) {
        if (!rp_simulation_churn(&run->simulation, &run->edits)) {
            return RP_LINK_E_MEMORY;
        }
        status = rp_link_tell_change(&run->link, &run->edits);
    }
    return status;
}

static void print_progress(const run_t *run)
{
    const rp_rate_t *rate = &run->rate;
    fprintf(stderr,
            "%5.1f s  changes/s %.0f  replans/s %.0f  answers/s %.0f  change to path p50 %.2f ms "
            "p99 %.2f ms  arrivals %" PRIu64 "  checked %" PRIu64 " violations %" PRIu64 "\n",
            elapsed_s(run), rate->changes, rate->replans, rate->answers,
            (double)rate->p50_us / 1000, (double)rate->p99_us / 1000, run->simulation.arrivals,
            run->checker.checked, run->checker.violations);
}

/// @return false when the run shall end
static bool show(run_t *run, uint64_t now_us)
{
    const bool is_new = rp_rate_update(&run->rate, &run->report, now_us);
    if (!run->has_view) {
        if (is_new) {
            print_progress(run);
        }
        return true;
    }
    if (!rp_view_take_keys(&run->view.view)) {
        return false;
    }
    if (take_beat(&run->frame, now_us)) {
        const rp_sim_view_numbers_t numbers = {&run->rate, &run->report, &run->checker,
                                               elapsed_s(run)};
        return rp_sim_view_draw(&run->view, &numbers);
    }
    return true;
}

static bool has_more(const run_t *run)
{
    return run->options.is_to_end && run->options.scenario.plot->has_more(&run->simulation);
}

static bool is_over(const run_t *run)
{
    const double duration_s = run->options.duration_s;
    return is_stopped || (duration_s > 0 && elapsed_s(run) >= duration_s && !has_more(run));
}

static rp_link_status_t loop(run_t *run)
{
    rp_link_status_t status = RP_LINK_OK;
    while (status == RP_LINK_OK && !is_over(run)) {
        uint64_t now_us = rp_link_now_us();
        if (!show(run, now_us)) {
            break;
        }
        if (run->has_view && run->view.view.is_paused) {
            run->step.due_us = now_us + FRAME_US;
            run->churn.due_us = now_us + FRAME_US;
        }
        status = advance(run, now_us);
        if (status != RP_LINK_OK) {
            break;
        }
        uint64_t due_us = rp_link_now_us() + FRAME_US;
        due_us = sooner(sooner(sooner(due_us, &run->step), &run->churn), &run->frame);
        now_us = rp_link_now_us();
        run->checker.is_hurried = run->simulation.line.is_timed;
        status = rp_link_hear(&run->link, due_us > now_us ? (int)((due_us - now_us) / 1000) : 0);
        if (!run->checker.is_hurried || take_beat(&run->check, now_us)) {
            rp_inbox_settle(&run->link);
        }
    }
    return status;
}

/// Hear the answers to all that was told, then compute what is owed.
static rp_link_status_t settle(run_t *run)
{
    const uint64_t give_up_us = rp_link_now_us() + SETTLE_US;
    rp_link_status_t status = RP_LINK_OK;
    while (status == RP_LINK_OK && !rp_link_is_quiet(&run->link) && rp_link_now_us() < give_up_us) {
        status = rp_link_hear(&run->link, 20);
    }
    while (rp_inbox_settle(&run->link)) {
    }
    return status;
}

// ---- the end

/// Every run owes that nothing which it sent got lost, unless it sent by PUB; and what its plot
/// says.
static void judge(run_t *run)
{
    rp_acceptance_t *acceptance = &run->report.acceptance;
    if (run->options.changes == NULL) {
        rp_acceptance_add(acceptance, "cells that differ from what was told",
                          (double)rp_link_differences(&run->link), 0, 0);
    }
    rp_simulation_judge(&run->simulation, acceptance);
}

/// Found out before the run, not after it: can the report be written? What is there stays.
static bool can_report(const run_t *run)
{
    FILE *file = run->options.report == NULL ? NULL : fopen(run->options.report, "a");
    if (run->options.report != NULL && file == NULL) {
        fprintf(stderr, "replan-sim: --report %s: %s\n", run->options.report, strerror(errno));
        return false;
    }
    return file == NULL || fclose(file) == 0;
}

static bool write_report(run_t *run)
{
    if (run->options.report == NULL) {
        return true;
    }
    FILE *file = fopen(run->options.report, "w");
    bool written = file != NULL && rp_run_report_write(&run->report, &run->checker, file);
    if (file != NULL && fclose(file) != 0) {
        written = false;
    }
    if (!written) {
        fprintf(stderr, "replan-sim: --report %s: cannot be written\n", run->options.report);
    }
    return written;
}

static bool draw_picture(const run_t *run)
{
    rp_complaint_t complaint;
    const char *path = run->options.picture;
    if (path != NULL && rp_scene_carmen_draw(&run->simulation, path, &complaint) != RP_OK) {
        fprintf(stderr, "replan-sim: --picture %s\n", complaint.sentence);
        return false;
    }
    return true;
}

static void print_summary(run_t *run)
{
    static const double shares[] = {0.5, 0.99};
    rp_run_report_t *report = &run->report;
    uint64_t values[2];
    rp_latency_percentiles(&report->change_to_path, SIZE_MAX, shares, 2, values);
    printf("%s: %.1f s, %" PRIu64 " changes, %" PRIu64 " answers, %" PRIu64 " replans, %" PRIu64
           " arrivals, change to path p50 %.2f ms p99 %.2f ms\n",
           report->scenario, report->duration_s, report->changes, report->answers, report->replans,
           report->arrivals, (double)values[0] / 1000, (double)values[1] / 1000);
    if (report->refusals > 0) {
        printf("%" PRIu64 " requests were refused; %s\n", report->refusals, run->link.sentence);
    }
    if (run->checker.first[0] != '\0') {
        printf("first violation: %s\n", run->checker.first);
    }
    rp_run_report_laws(&report->acceptance, stdout);
    rp_run_report_verdict(&run->checker, stdout);
}

static int finish(run_t *run, rp_link_status_t status)
{
    const bool has_begun = run->begun_us != 0;
    const bool written = !has_begun || (write_report(run) && draw_picture(run));
    if (has_begun) {
        print_summary(run);
    }
    switch (status) {
    case RP_LINK_OK:
        break;
    case RP_LINK_E_UNSUPPORTED:
        return EXIT_UNSUPPORTED;
    case RP_LINK_E_NO_DAEMON:
        return EXIT_NO_DAEMON;
    default:
        return EXIT_BAD_INPUT;
    }
    if (!written) {
        return EXIT_BAD_INPUT;
    }
    const bool is_fine =
        rp_checker_is_content(&run->checker) && rp_acceptance_hold(&run->report.acceptance);
    return is_fine ? EXIT_FINE : EXIT_DIFFERS;
}

// ---- the run

static bool prepare(run_t *run)
{
    const rp_options_t *options = &run->options;
    rp_seeded_t seeded = {options->scenario.terrain.seed ^ 0xc4ec};
    if (!rp_simulation_init(&run->simulation, &options->scenario)) {
        fprintf(stderr,
                "replan-sim: --size %" PRIu32 "x%" PRIu32 ": scenario %s cannot be that size\n",
                options->scenario.terrain.width, options->scenario.terrain.height,
                options->scenario.id);
        return false;
    }
    const rp_grid_view_t *grid = &run->simulation.terrain.grid;
    run->report = (rp_run_report_t){.scenario = options->scenario.id,
                                    .seed = options->scenario.terrain.seed,
                                    .width = grid->width,
                                    .height = grid->height,
                                    .neighbors = grid->neighbors,
                                    .agents = run->simulation.agent_count};
    return rp_checker_init(&run->checker, rp_grid_view_cell_count(grid), &options->scenario.body,
                           options->check_rate, seeded);
}

static rp_link_status_t work(run_t *run)
{
    const rp_scenario_t *scenario = &run->options.scenario;
    rp_link_status_t status =
        rp_link_open(&run->link, &run->options, &run->simulation, &run->checker, &run->report);
    if (status != RP_LINK_OK) {
        return status;
    }
    run->has_view =
        !run->options.is_headless && rp_sim_view_open(&run->view, &run->options, &run->simulation);
    run->begun_us = rp_link_now_us();
    run->simulation.line.begun_us = run->begun_us;
    run->simulation.line.end_us =
        run->options.duration_s > 0
            ? run->begun_us + (uint64_t)(run->options.duration_s * SECOND_US)
            : 0;
    run->step = beat_of(scenario->steps, run->begun_us);
    run->has_plot = scenario->plot != NULL && scenario->plot->change != NULL;
    const bool has_churn =
        scenario->churn == RP_CHURN_BUILDINGS || scenario->churn == RP_CHURN_CELLS;
    run->churn = beat_of(has_churn || run->has_plot ? scenario->rate : 0, run->begun_us);
    run->check = (beat_t){run->begun_us, CHECK_US};
    run->frame = (beat_t){run->begun_us, run->has_view ? FRAME_US : 0};
    status = loop(run);
    run->report.duration_s = elapsed_s(run);
    if (run->has_view) {
        rp_sim_view_close(&run->view);
    }
    status = status == RP_LINK_OK ? settle(run) : status;
    judge(run);
    run->report.arrivals = run->simulation.arrivals;
    run->report.steps = run->simulation.walked;
    return status;
}

int main(int argc, char **argv)
{
    static run_t run; // the checker's ring is too large for comfort on a stack
    const bool has_terminal = isatty(STDOUT_FILENO) && isatty(STDIN_FILENO);
    const rp_options_verdict_t verdict = rp_options_parse(&run.options, argc, argv, has_terminal);
    if (verdict != RP_OPTIONS_RUN) {
        rp_options_fini(&run.options);
        return verdict == RP_OPTIONS_DONE ? EXIT_FINE : EXIT_BAD_INPUT;
    }
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    int code = EXIT_BAD_INPUT;
    if (can_report(&run) && prepare(&run)) {
        const rp_link_status_t status = work(&run);
        if (status != RP_LINK_OK) {
            fprintf(stderr, "replan-sim: %s\n", run.link.sentence);
        }
        code = finish(&run, status);
    }
    rp_link_close(&run.link);
    rp_edits_fini(&run.edits);
    rp_run_report_fini(&run.report);
    rp_checker_fini(&run.checker);
    rp_simulation_fini(&run.simulation);
    rp_options_fini(&run.options);
    return code;
}
