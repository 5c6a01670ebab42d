/// @file
/// Worlds of the papers that other suites use, too. Each is defined in the suite of its paper.
#ifndef REPLAN_BENCH_WORLDS_H
#define REPLAN_BENCH_WORLDS_H

#include "bench/measure/trace.h"

/// Random terrain ("Fringe-Saving A*", section 7): a square of so many cells a side, a quarter
/// blocked.
#define RP_TERRAIN_SIDE 1000u

/// @param factors  written, row by row [RP_TERRAIN_SIDE * RP_TERRAIN_SIDE]
void rp_terrain_make(uint8_t *factors, uint64_t *random);

/// Churn near the goal of such terrain (fsa_table1.c).
/// @param closeness, rate  in tenths, in hundredths
void rp_churn_trace(rp_trace_t *trace, uint64_t seed, unsigned world, unsigned closeness,
                    unsigned rate);

/// An agent chases a target in a maze of which k cells are freed and k blocked at each tenth step
/// (gaa_table2.c).
void rp_chase_trace(rp_trace_t *trace, uint64_t seed, unsigned k);

#endif
