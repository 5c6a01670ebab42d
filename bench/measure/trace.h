/// @file
/// Trace: all inputs of a planner, recorded once and played to each contender. A step toggles some
/// cells (free to blocked, blocked to free) or gives them factors, sets start and goal, and asks
/// for the path.
#ifndef REPLAN_BENCH_MEASURE_TRACE_H
#define REPLAN_BENCH_MEASURE_TRACE_H

#include "replan/grid.h"

typedef struct rp_trace_step {
    size_t toggle_end;  ///< one past its last toggle; its first is where the step before ended
    uint64_t making_ns; ///< CPU time that it took to make it up
    rp_cell_t start;
    rp_cell_t goal;
    bool is_idle; ///< what is left of the path that is being walked is known to be the best still
} rp_trace_step_t;

typedef struct rp_trace {
    rp_grid_shape_t shape;
    uint8_t *factors;       ///< owned; at the beginning, row by row [width * height]
    rp_cell_t *toggles;     ///< owned; cells that change [toggle_count]
    uint8_t *writes;        ///< owned; the factors they get; NULL: they toggle [toggle_count]
    rp_trace_step_t *steps; ///< owned [step_count]
    size_t toggle_count;
    size_t toggle_capacity;
    size_t step_count;
    size_t step_capacity;
    bool idles;             ///< after the first plan everybody has time, as much as it wants
    bool idles_always;      ///< and so after each plan
    bool warms_up;          ///< played once before, to meet fresh memory then, and to idle; has no
                            ///< toggles
    bool sprints;           ///< its steps are short: they are timed one after the other in a pass
                            ///< of their own (timed loop.h)
    bool ends_without_path; ///< the first step without a path is the last one played
} rp_trace_t;

/// @param factors  borrowed until return [width * height]
void rp_trace_init(rp_trace_t *self, const rp_grid_shape_t *shape, const uint8_t *factors);
void rp_trace_fini(rp_trace_t *self);

/// One more cell of the step that the next rp_trace_step() ends; each cell at most once a step.
void rp_trace_toggle(rp_trace_t *self, rp_cell_t cell);

/// The same, and it gets this factor. A trace either toggles or writes.
void rp_trace_write(rp_trace_t *self, rp_cell_t cell, uint8_t factor);

/// Ends a step.
void rp_trace_step(rp_trace_t *self, rp_cell_t start, rp_cell_t goal, uint64_t making_ns);

/// What all steps change, one after the other; what stood there before is not known yet.
/// @param grid  as it is at the beginning
/// @return owned by the caller [toggle_count]
rp_change_t *rp_trace_changes(const rp_trace_t *self, const rp_grid_t *grid);

/// A grid as it is at the beginning, or the end of the program without memory.
rp_grid_t *rp_trace_grid(const rp_trace_t *self);

#endif
