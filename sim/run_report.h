/// @file
/// Report of a run: counters while it runs, then one JSON object.
#ifndef REPLAN_SIM_RUN_REPORT_H
#define REPLAN_SIM_RUN_REPORT_H

#include <stdio.h>

#include "sim/acceptance.h"
#include "sim/check/checker.h"
#include "sim/latency.h"

typedef struct rp_run_report {
    const char *scenario; ///< borrowed
    char planner[33];     ///< as the first answer says; empty before
    uint64_t seed;
    uint32_t width;
    uint32_t height;
    uint32_t neighbors;
    uint32_t agents;
    double duration_s;           ///< as it was, not as it was asked for
    uint64_t changes;            ///< applied by the daemon
    uint64_t cells_changed;      ///< named in them
    uint64_t answers;            ///< received
    uint64_t replans;            ///< answers that a change caused
    uint64_t no_paths;           ///< answers that say there is no way
    uint64_t arrivals;           ///< agents that came to their goal
    uint64_t steps;              ///< cells walked by all agents together
    uint64_t refusals;           ///< requests that the daemon refused
    uint64_t mirror_losses;      ///< times the mirror had a hole or differed
    rp_acceptance_t acceptance;  ///< what must have come out of it
    rp_latency_t change_to_path; ///< from sending a change to receiving the answer it caused
} rp_run_report_t;

void rp_run_report_fini(rp_run_report_t *self);

/// One JSON object and a newline. @return false when writing failed
bool rp_run_report_write(rp_run_report_t *self, const rp_checker_t *checker, FILE *file);

/// The acceptance criteria, one a line: what, how much, and what it must be.
void rp_run_report_laws(const rp_acceptance_t *acceptance, FILE *file);

/// "checked N skipped N violations N" and a newline.
void rp_run_report_verdict(const rp_checker_t *checker, FILE *file);

#endif
