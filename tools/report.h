/// @file
/// Output of `solve` and `run`: numbers, a table, JSON lines, progress, a summary.
#ifndef REPLAN_TOOLS_REPORT_H
#define REPLAN_TOOLS_REPORT_H

#include <stdio.h>

#include "replan/planner.h"

/// The shortest decimal number that reads back as the same double; `null` when it is not finite.
typedef struct rp_number {
    char text[32];
} rp_number_t;
rp_number_t rp_number_of(double value);
/// The same for a table: "-" for what is not finite.
rp_number_t rp_number_or_dash(double value);

/// A JSON string with its quotes. Bytes that are not printable ASCII become \u escapes.
void rp_print_json_string(FILE *stream, const char *text);

/// Counts over all plans of one run.
typedef struct rp_tally {
    const char *noun; ///< "queries" or "plans"
    uint64_t count;
    uint64_t found;
    uint64_t no_path;
    uint64_t blocked;
    uint64_t checked;
    uint64_t differ;
    double greatest_difference; ///< of those that agree
    uint64_t expanded;
    uint64_t restarts;
    uint64_t held;  ///< plans held against an independent search (--paranoid)
    uint64_t wrong; ///< of these, not the best at first
    double *micros; ///< owned, for the percentiles [count]
    size_t capacity;
    uint64_t shown_ns; ///< wall time of the last progress line
    bool shows_progress;
} rp_tally_t;

/// @param rows_on_stdout  a table comes: then a progress line would disturb it
void rp_tally_init(rp_tally_t *self, const char *noun, bool rows_on_stdout);
void rp_tally_fini(rp_tally_t *self);

/// Count a plan. @return false without memory
bool rp_tally_add(rp_tally_t *self, const rp_plan_t *plan, double micros);

/// Judge a plan by what the file recorded, and say where they differ on stderr.
/// @param expected   cost, or infinite when no path exists
/// @param tolerance  greatest difference that is none
/// @param where      start of the sentence: "a.scen:12"
void rp_tally_check(rp_tally_t *self, const rp_plan_t *plan, double expected, double tolerance,
                    const char *where);

/// Show how far we are, when stderr is a terminal; ten times a second at most.
void rp_tally_progress(rp_tally_t *self, uint64_t total);

/// The summary, and on stderr how many plans began or ended in a blocked cell.
void rp_tally_print(rp_tally_t *self, FILE *stream);

#endif
