/// @file
/// Worlds of "Simple Optimization Techniques for A*-Based Search" (Sun, Yeoh, Chen, Koenig 2009),
/// section 5: torus mazes of 200 x 200 cells with an agent that walks to a target. Shared by the
/// two suites of that paper.
#ifndef REPLAN_BENCH_PAPERS_MOVING_H
#define REPLAN_BENCH_PAPERS_MOVING_H

#include "bench/measure/score_table.h"

#define RP_MAZE_SIDE  200u
#define RP_MAZE_CELLS (RP_MAZE_SIDE * RP_MAZE_SIDE)

/// A maze by depth-first search: rooms at even coordinates, corridors one cell wide; 0 blocks.
/// @param factors  written, row by row [RP_MAZE_CELLS]
void rp_maze_make(uint8_t *factors, uint64_t *random);

/// The shape of these worlds.
rp_grid_shape_t rp_maze_shape(void);

/// The agent of a trace that is being made: an A* of its own, whose paths it walks. Everybody
/// searches where this agent stands, so that all have the same searches.
typedef struct rp_walker {
    rp_grid_t *grid;       ///< owned; the world as the agent knows it
    rp_planner_t *planner; ///< owned
    rp_cell_t *path;       ///< owned; as searched last [path_count]
    uint32_t path_count;
    uint32_t place; ///< of the agent on it
    rp_cell_t agent;
    rp_cell_t target;
} rp_walker_t;

/// No agent and no target yet.
/// @param factors  what the agent believes at first [RP_MAZE_CELLS]
void rp_walker_init(rp_walker_t *self, const uint8_t *factors);
void rp_walker_fini(rp_walker_t *self);

/// A free cell other than `other`.
rp_cell_t rp_walker_random_cell(const rp_walker_t *self, rp_cell_t other, uint64_t *random);

/// Free a blocked cell, or block a free one.
void rp_walker_toggle(rp_walker_t *self, rp_cell_t cell);

/// Search from the agent to the target. @return false when there is no path
bool rp_walker_plan(rp_walker_t *self);

/// The cell after the agent's on the path.
rp_cell_t rp_walker_next(const rp_walker_t *self);

// ---- the suites

/// What the paper reports of one line of a table.
typedef struct rp_moving_paper {
    const char *name; ///< of the contender
    uint16_t searches;
    uint16_t slow;
    uint16_t fast; ///< 0: not applicable
    uint16_t us;
} rp_moving_paper_t;

/// One block of a table.
typedef struct rp_moving_row {
    const char *title; ///< "k = 10"
    unsigned k;        ///< cells freed, and cells blocked, at each tenth step
    double ratio;      ///< what GAA* variant 1 on a heap reaches: fast for each slow expansion
    const rp_moving_paper_t *papers; ///< [paper_count]
    size_t paper_count;
} rp_moving_row_t;

typedef struct rp_moving_suite {
    const char *name;
    const char *title;
    const rp_moving_row_t *rows; ///< [row_count]
    size_t row_count;
    unsigned quick_worlds;
    void (*make_trace)(rp_trace_t *trace, uint64_t seed, unsigned k);
} rp_moving_suite_t;

/// Play, print, check. @return as rp_bench_suite_fn
int rp_moving_run(const rp_moving_suite_t *suite, const rp_bench_options_t *options,
                  cJSON *results);

#endif
