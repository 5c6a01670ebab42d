/// @file
/// The command line of replan-sim.
#ifndef REPLAN_SIM_OPTIONS_H
#define REPLAN_SIM_OPTIONS_H

#include "sim/scenario.h"
#include "sim/world/carmen.h"

typedef struct rp_options {
    const char *control;    ///< endpoint
    const char *changes;    ///< endpoint to publish changes to; NULL: through control
    const char *poses;      ///< endpoint to publish poses to; NULL: through control
    const char *world;      ///< name
    const char *planner;    ///< id; NULL: the daemon's default
    const char *report;     ///< file; NULL: none
    const char *picture;    ///< file; NULL: none
    rp_scenario_t scenario; ///< with size, agents, rate and seed as asked for
    double duration_s;      ///< 0: until q or a signal
    bool is_to_end;         ///< and longer, as long as the scenario's plot has more to tell
    double check_rate;      ///< share of answers held to the optimum
    bool is_headless;
    rp_carmen_t log; ///< the recorded drive that the scenario plays, owned; empty without
} rp_options_t;

typedef enum rp_options_verdict {
    RP_OPTIONS_RUN,
    RP_OPTIONS_DONE, ///< help or a list was printed
    RP_OPTIONS_BAD,  ///< what is wrong was printed to stderr
} rp_options_verdict_t;

/// All strings are borrowed from argv. rp_options_fini() in any case.
/// @param has_terminal  without one the run is headless
rp_options_verdict_t rp_options_parse(rp_options_t *self, int argc, char **argv, bool has_terminal);
void rp_options_fini(rp_options_t *self);

#endif
