/// @file
/// Options that `solve` and `run` share, and the planner and grid that they select.
#ifndef REPLAN_TOOLS_OPTIONS_H
#define REPLAN_TOOLS_OPTIONS_H

#include "planners/papers/papers.h"
#include "tools/change_batch.h"
#include "tools/flags.h"
#include "tools/motion_options.h"

typedef struct rp_search_options {
    const char *program; ///< argv[0], for messages
    const rp_planner_info_t *planner;
    rp_member_options_t search;
    rp_motion_options_t motion; ///< of planner lattice
    uint8_t neighbors;          ///< 4 or 8; 0: as the input says
    uint64_t variant;           ///< of `search`
    uint64_t check_every;       ///< of `search`
    uint64_t limit;             ///< plans after which to stop
    bool json;
    bool quiet; ///< no table
} rp_search_options_t;

/// Their part of a help text.
#define RP_SEARCH_HELP                                                                             \
    "  --planner ID     the search algorithm; `replan planners` lists them; or lattice (below)\n"  \
    "  --open KIND      what holds OPEN: heap (default) or buckets\n"                              \
    "  --variant N      fast expansion variant 0 (default), 1 or 2\n"                              \
    "  --neighbors N    moves to 4 or 8 cells; 8 never cuts a corner\n"                            \
    "  --paranoid N     hold each Nth plan against an independent search; exit 1 if one differs\n" \
    "  --limit N        stop after N plans\n"                                                      \
    "  --quiet          the summary without the table\n"                                           \
    "  --json           JSON lines on stdout, the summary on stderr\n"                             \
    "  --help           this text\n" RP_MOTION_HELP

rp_search_options_t rp_search_options_of(const char *program);

/// Rows of the shared options.
/// @param flags  written [RP_FLAGS_MOST less those of the subcommand alone]
/// @return how many
size_t rp_search_options_flags(rp_search_options_t *self, rp_flag_t *flags);

/// After all of them were taken in. @return false after saying what is wrong
bool rp_search_options_settle(rp_search_options_t *self);

/// True when the planner's paths are curves.
bool rp_search_options_has_motion(const rp_search_options_t *self);

/// A grid and the planner that is bound to it. Zeroed: nothing to free.
typedef struct rp_setup {
    rp_grid_t *grid;
    rp_planner_t *planner;                          ///< NULL with a lattice
    rp_control_set_t *set;                          ///< NULL without
    rp_control_set_t *finer[RP_LATTICE_FINER_MOST]; ///< sets of more headings [finer_count]
    uint32_t finer_count;
    rp_lattice_t *lattice;
    const rp_motion_options_t *motion; ///< borrowed, with a lattice
    rp_lattice_plan_t curves;          ///< with a lattice: the newest plan
} rp_setup_t;

/// @param factors   the world, row by row; NULL: every cell 1
/// @param weighted  some cell has or will have a factor other than 0 and 1
/// @return RP_EXIT_FINE, RP_EXIT_UNSUPPORTED or RP_EXIT_INPUT after saying why
int rp_setup_init(rp_setup_t *self, const rp_search_options_t *options,
                  const rp_grid_shape_t *shape, const uint8_t *factors, bool weighted);
void rp_setup_fini(rp_setup_t *self);

/// @param yaw  radians; only a lattice looks at it
rp_status_t rp_setup_set_start(rp_setup_t *self, rp_cell_t cell, double yaw);

/// @param yaw  radians; no number: none was given. Only a lattice looks at it
rp_status_t rp_setup_set_goal(rp_setup_t *self, rp_cell_t cell, double yaw);

/// Write a batch to the grid and tell the planner.
rp_status_t rp_setup_tell(rp_setup_t *self, rp_change_batch_t *batch);

/// Plan to the end. Of a lattice the plan has outcome, cost, cells under the curve, and expansions.
rp_status_t rp_setup_plan(rp_setup_t *self, rp_plan_t *plan);

#endif
