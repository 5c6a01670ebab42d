/// @file
/// Wide instructions that this process may use, less than the machine has: to measure what they are
/// worth. The limit holds for everything that asks rp_simd_best() from then on; a planner that is
/// bound already may have asked before.
#ifndef REPLAN_BENCH_MEASURE_SIMD_LIMIT_H
#define REPLAN_BENCH_MEASURE_SIMD_LIMIT_H

#include <stdbool.h>

#include "base/simd.h"

/// Names of rp_simd_t: "none", "avx2".
const char *rp_simd_limit_name(rp_simd_t simd);

/// @param simd  written. @return false when no level has this name
bool rp_simd_limit_find(const char *name, rp_simd_t *simd);

/// Use nothing wider. @return false when the machine has less than that: nothing changes then
bool rp_simd_limit_set(rp_simd_t most);

/// Use all that the machine has.
void rp_simd_limit_lift(void);

#endif
