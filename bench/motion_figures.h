/// @file
/// Figures of the suite `motion` that are about one agent and its planner: goals with a heading,
/// and memory.
#ifndef REPLAN_BENCH_MOTION_FIGURES_H
#define REPLAN_BENCH_MOTION_FIGURES_H

#include "bench/measure/harness.h"
#include "planners/lattice/lattice.h"

typedef struct rp_motion_figures {
    rp_samples_t fixed_of_free; ///< time of a plan with a goal's heading, its box known, against
                                ///< one to any heading
    rp_samples_t box_ms;        ///< of a box round a goal, for 10^4 of its poses
    rp_samples_t bounded_mib;   ///< resident for a search within 10 %: its poses and OPEN
    rp_samples_t exact_mib;     ///< and for the cheapest path behind it
    rp_samples_t agents_mib;    ///< what 1,000 planners hold after a plan within 10 %
} rp_motion_figures_t;

void rp_motion_figures_fini(rp_motion_figures_t *self);

/// Play queries of about 300 cells, from anywhere on a world to where a curve leads; each with a
/// planner of its own.
/// @param set   whole
/// @param seed  advanced
void rp_motion_figures_play(rp_motion_figures_t *self, const rp_control_set_t *set,
                            const rp_grid_t *grid, uint32_t queries, uint64_t *seed);

#endif
