/// @file
/// Terminal view of the simulation: a part of the map that follows an agent or is scrolled, paths
/// in the colours of their agents, the plot and figures above, legend and keys below.
#ifndef REPLAN_SIM_VIEW_H
#define REPLAN_SIM_VIEW_H

#include "sim/canvas.h"
#include "sim/options.h"
#include "sim/rate.h"
#include "sim/simulation.h"

typedef struct rp_view {
    rp_canvas_t canvas;
    const rp_options_t *options; ///< borrowed, as the next
    const rp_simulation_t *simulation;
    uint8_t *trails; ///< which agent's path a cell lies on, 1 + number; 0: none; owned [cells]
    uint8_t *shown;  ///< rp_terrain_kind_t of each cell in the frame before, owned [cells]
    uint8_t *fresh;  ///< frames for which a changed cell still glows, owned [cells]
    uint32_t chosen; ///< agent that is followed
    bool follows;
    bool is_paused;
    int zoom; ///< cells a pixel: 1, 2, 4
    int left; ///< cell in the upper left corner
    int top;
} rp_view_t;

/// What else a frame shows.
typedef struct rp_view_numbers {
    const rp_rate_t *rate;
    const rp_run_report_t *report;
    const rp_checker_t *checker;
    double elapsed_s;
} rp_view_numbers_t;

/// @return false when the terminal cannot, or without memory: run headless then
bool rp_view_open(rp_view_t *self, const rp_options_t *options, const rp_simulation_t *simulation);

/// Gives the terminal back. Accepts one that was not opened.
void rp_view_close(rp_view_t *self);

/// Take the keys that were pressed. @return false for q
bool rp_view_take_keys(rp_view_t *self);

/// Draw all anew. @return false without memory
bool rp_view_draw(rp_view_t *self, const rp_view_numbers_t *numbers);

#endif
