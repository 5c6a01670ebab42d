/// @file
/// Options that `solve` and `run` share, and the planner and grid that they select.
#ifndef REPLAN_TOOLS_OPTIONS_H
#define REPLAN_TOOLS_OPTIONS_H

#include <getopt.h>

#include "planners/papers/papers.h"

typedef struct rp_search_options {
    const char *program; ///< argv[0], for messages
    const rp_planner_info_t *planner;
    rp_member_options_t search;
    uint8_t neighbors; ///< 4 or 8; 0: as the input says
    uint64_t limit;    ///< plans after which to stop
    bool json;
    bool quiet; ///< no table
} rp_search_options_t;

/// Letters of the shared options; those of a subcommand alone are other letters.
#define RP_SEARCH_LONG_OPTIONS                                                                     \
    {"planner", required_argument, NULL, 'p'}, {"open", required_argument, NULL, 'o'},             \
        {"variant", required_argument, NULL, 'v'}, {"neighbors", required_argument, NULL, 'n'},    \
        {"limit", required_argument, NULL, 'l'}, {"json", no_argument, NULL, 'j'},                 \
        {"paranoid", required_argument, NULL, 'y'},                                                \
    {                                                                                              \
        "quiet", no_argument, NULL, 'q'                                                            \
    }

/// Their part of a help text.
#define RP_SEARCH_HELP                                                                             \
    "  --planner ID     the search algorithm; `replan planners` lists them\n"                      \
    "  --open KIND      what holds OPEN: heap (default), buckets or hot\n"                         \
    "  --variant N      fast expansion variant 0 (default), 1 or 2\n"                              \
    "  --neighbors N    moves to 4 or 8 cells; 8 never cuts a corner\n"                            \
    "  --paranoid N     hold each Nth plan against an independent search; exit 1 if one differs\n" \
    "  --limit N        stop after N plans\n"                                                      \
    "  --quiet          the summary without the table\n"                                           \
    "  --json           JSON lines on stdout, the summary on stderr\n"                             \
    "  --help           this text\n"

rp_search_options_t rp_search_options_of(const char *program);

/// Take in one of the shared options as getopt_long() gave it.
/// @return RP_EXIT_FINE, or RP_EXIT_INPUT after saying what is wrong
int rp_search_options_take(rp_search_options_t *self, int letter, const char *value);

/// Print the help text when `--help` or `-h` is among the arguments. @return whether it was
bool rp_help_was_asked(int argc, char **argv, const char *text);

/// A whole number of at most `limit`. @param what  an option, "--limit", or an argument, "X"
/// @return false after saying what is wrong with it; `number` is as it was
bool rp_option_number(const char *program, const char *what, const char *value, uint64_t limit,
                      uint64_t *number);

/// A grid and the planner that is bound to it. Zeroed: nothing to free.
typedef struct rp_setup {
    rp_grid_t *grid;
    rp_planner_t *planner;
} rp_setup_t;

/// @param factors   the world, row by row; NULL: every cell 1
/// @param weighted  some cell has or will have a factor other than 0 and 1
/// @return RP_EXIT_FINE, RP_EXIT_UNSUPPORTED or RP_EXIT_INPUT after saying why
int rp_setup_init(rp_setup_t *self, const rp_search_options_t *options,
                  const rp_grid_shape_t *shape, const uint8_t *factors, bool weighted);
void rp_setup_fini(rp_setup_t *self);

#endif
