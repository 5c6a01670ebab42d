/// @file
/// Published path: the path of a session's newest answer. Where it runs, how much of it lies
/// behind the agent, what it costs now, and how many of its steps rest on known cells.
#ifndef REPLAN_ENGINE_PATHS_PUBLISHED_PATH_H
#define REPLAN_ENGINE_PATHS_PUBLISHED_PATH_H

#include "replan/grid.h"
#include "replan/path.h"
#include "replan/session.h"

typedef struct rp_published_path {
    uint8_t *steps; ///< directions, owned [capacity]
    uint32_t count;
    uint32_t capacity;
    uint32_t first;     ///< steps before this one lie behind the agent
    uint32_t diagonals; ///< of the steps that are left
    rp_cell_t at;       ///< where the rest begins; RP_NO_CELL: outside
    rp_cell_t end;      ///< the last cell
    rp_splice_t splice; ///< what of the path before stands in it, its first step being step 0
} rp_published_path_t;

/// What a step adds to a column and a row; one back is the greatest number, for sums that turn
/// over.
extern const uint32_t rp_step_x[RP_DIRECTIONS];
extern const uint32_t rp_step_y[RP_DIRECTIONS];

void rp_published_path_fini(rp_published_path_t *self);

/// Take over a planner's path, and note what of the one before stands in it.
/// @return RP_E_MEMORY; nothing is changed then. Time: O(steps)
rp_status_t rp_published_path_keep(rp_published_path_t *self, const rp_grid_t *grid,
                                   const rp_path_t *path);

/// Only so many of the steps that are left stay: another path.
void rp_published_path_cut(rp_published_path_t *self, const rp_grid_t *grid, uint32_t steps);

/// The path is said once more as it is.
void rp_published_path_repeat(rp_published_path_t *self);

/// What of the path before stands in what is left of it.
rp_splice_t rp_published_path_splice(const rp_published_path_t *self);

/// No steps: an answer without a path.
void rp_published_path_clear(rp_published_path_t *self, rp_cell_t at);

/// So many of the steps that are left lie behind the agent now.
void rp_published_path_pass(rp_published_path_t *self, const rp_grid_t *grid, uint32_t steps);

/// True when the agent stands at its end.
static inline bool rp_published_path_is_done(const rp_published_path_t *self)
{
    return self->first == self->count;
}

/// How many of the steps that are left rest on known cells only, the ones beside a diagonal
/// included.
/// @param bytes  of the world, row by row [width * height]
uint32_t rp_published_path_known(const rp_published_path_t *self, const rp_grid_t *grid,
                                 const uint8_t *bytes, uint8_t unknown);

/// Walk a path from outside; see rp_engine_walk().
size_t rp_published_path_walk(const rp_grid_t *grid, rp_cell_t start, const uint8_t *steps,
                              size_t count, uint32_t *offenders, size_t capacity, double *cost);

/// Walk the steps that are left, on the grid as it is now.
/// @return false when the path is broken
bool rp_published_path_measure(const rp_published_path_t *self, const rp_grid_t *grid,
                               rp_walk_t *walk);

/// The same of a path that is legal for certain, on uniform ground: steps are counted. Time: O(1)
void rp_published_path_count(const rp_published_path_t *self, const rp_grid_t *grid,
                             rp_walk_t *walk);

/// Whether what is left comes into a rectangle, its rim included; not for a torus.
bool rp_published_path_enters(const rp_published_path_t *self, const rp_grid_t *grid, uint32_t left,
                              uint32_t top, uint32_t right, uint32_t bottom);

/// Whether what is left stays inside of the grid, blocked or not; not for a torus.
/// @param self  begins inside
bool rp_published_path_is_inside(const rp_published_path_t *self, const rp_grid_t *grid);

/// Cost of the steps that are left, on the grid as it is now.
/// @param end  written: the path's last cell
/// @return -1 when it is broken
double rp_published_path_cost(const rp_published_path_t *self, const rp_grid_t *grid,
                              rp_cell_t *end);

#endif
