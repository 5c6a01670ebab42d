/// @file
/// The world that is drawn, and what a search did in it: the map or the script of the command line,
/// played up to a plan.
#ifndef REPLAN_TOOLS_DRAW_SEARCH_H
#define REPLAN_TOOLS_DRAW_SEARCH_H

#include "tools/options.h"

/// What a search did with a cell.
typedef struct rp_seen_cell {
    uint32_t cell; ///< y * width + x
    uint8_t kind;  ///< rp_trace_kind_t
} rp_seen_cell_t;

typedef struct rp_drawn_search {
    rp_search_options_t options;
    uint64_t plan; ///< of a script: the one that is drawn; UINT64_MAX: the last
    bool asks;     ///< a map is searched from `start` to `goal`, x and y each
    uint64_t start[2];
    uint64_t goal[2];
    double yaw;      ///< at the start; only planner lattice looks at it
    double goal_yaw; ///< no number: any

    uint32_t width;
    uint32_t height;
    bool wraps;
    bool flips;           ///< y grows upwards: the map has a frame
    uint8_t unit;         ///< factor of normal ground
    uint8_t *factors;     ///< owned, when that plan was made [width * height]
    rp_seen_cell_t *seen; ///< owned, in order
    size_t seen_count;
    uint32_t *path; ///< owned, cells
    size_t path_count;
    bool has_ends;          ///< start and goal are known
    rp_segment_t *segments; ///< owned; of planner lattice: its curve, in place of a path
    size_t segment_count;
} rp_drawn_search_t;

/// Read the file, play or search. A file is a script when its first words say so, else a map.
/// @param path  NULL: an empty world of the sizes that are set
/// @return RP_EXIT_FINE, RP_EXIT_INPUT or RP_EXIT_UNSUPPORTED after saying why
int rp_drawn_search_load(rp_drawn_search_t *self, const char *path);
void rp_drawn_search_fini(rp_drawn_search_t *self);

#endif
