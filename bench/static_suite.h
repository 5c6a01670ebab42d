/// @file
/// Shared by the suites `maps` and `open-lists`: searches on maps that do not change.
#ifndef REPLAN_BENCH_STATIC_SUITE_H
#define REPLAN_BENCH_STATIC_SUITE_H

#include "bench/measure/map_set.h"
#include "bench/measure/score_table.h"

/// The families of the shared maps, with queries beside each map.
#define RP_FAMILIES 8u
extern const char *const rp_families[RP_FAMILIES];

/// Queries of the .scen beside a map, evenly spread over the file, those between free cells that a
/// path joins. A step a query; none changes anything.
/// @param neighbors  4 or 8
/// @return false when a file is wrong (said on stderr)
bool rp_static_trace(const rp_map_set_t *maps, size_t index, uint8_t neighbors, unsigned queries,
                     rp_trace_t *trace);

#endif
