/// @file
/// The simulation in a terminal: its terrain, agents and figures, as a scene of the view.
#ifndef REPLAN_SIM_SIM_VIEW_H
#define REPLAN_SIM_SIM_VIEW_H

#include "sim/options.h"
#include "sim/rate.h"
#include "sim/simulation.h"
#include "view/view.h"

typedef struct rp_sim_view {
    rp_view_t view;
    const rp_options_t *options; ///< borrowed, as the next
    const rp_simulation_t *simulation;
    rp_view_agent_t *agents; ///< as they are told, owned [agent_count]
} rp_sim_view_t;

/// What else a frame shows.
typedef struct rp_sim_view_numbers {
    const rp_rate_t *rate;
    const rp_run_report_t *report;
    const rp_checker_t *checker;
    double elapsed_s;
} rp_sim_view_numbers_t;

/// @return false when the terminal cannot, or without memory: run headless then
bool rp_sim_view_open(rp_sim_view_t *self, const rp_options_t *options,
                      const rp_simulation_t *simulation);

/// Gives the terminal back. Accepts one that was not opened.
void rp_sim_view_close(rp_sim_view_t *self);

/// Draw all anew. @return false without memory
bool rp_sim_view_draw(rp_sim_view_t *self, const rp_sim_view_numbers_t *numbers);

#endif
