/// @file
/// Latencies in microseconds, with exact percentiles: every sample is kept.
#ifndef REPLAN_SIM_LATENCY_H
#define REPLAN_SIM_LATENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rp_latency {
    uint64_t *samples_us; ///< in the order they came, owned
    uint64_t *sorted;     ///< scratch, owned
    size_t count;
    size_t capacity;
} rp_latency_t;

void rp_latency_fini(rp_latency_t *self);

/// @return false without memory; the sample is lost then
bool rp_latency_add(rp_latency_t *self, uint64_t sample_us);

/// Percentiles of the newest samples, by nearest rank.
/// @param newest   how many at most; SIZE_MAX for all
/// @param shares   0..1 each [share_count]
/// @param values   written, microseconds; 0 without samples [share_count]
void rp_latency_percentiles(rp_latency_t *self, size_t newest, const double *shares,
                            size_t share_count, uint64_t *values);

#endif
