/// @file
/// Histogram of whole numbers: eight buckets each time that the numbers double, so that a
/// percentile is at most an eighth too great. All zero is an empty one.
#ifndef REPLAN_BASE_HISTOGRAM_H
#define REPLAN_BASE_HISTOGRAM_H

#include <stdint.h>

/// Numbers below 2^42; greater ones count as that.
#define RP_HISTOGRAM_BUCKETS 320u

typedef struct rp_histogram {
    uint32_t counts[RP_HISTOGRAM_BUCKETS];
    uint64_t count;
    uint64_t most; ///< the greatest number
} rp_histogram_t;

void rp_histogram_add(rp_histogram_t *self, uint64_t number);

/// Count what another one has counted, too.
void rp_histogram_merge(rp_histogram_t *self, const rp_histogram_t *other);

/// The number that so many of 100 do not exceed. @param percent  above 0, at most 100
/// @return its bucket's end, or the greatest number if that is less; 0 when empty
uint64_t rp_histogram_percentile(const rp_histogram_t *self, double percent);

/// What was counted lately: at least in the last period, at most in the last two.
typedef struct rp_recent_histogram {
    rp_histogram_t now;
    rp_histogram_t before;
    uint64_t turned_us; ///< when `now` began
} rp_recent_histogram_t;

/// @param now_us  a steady clock
void rp_recent_histogram_add(rp_recent_histogram_t *self, uint64_t number, uint64_t now_us,
                             uint64_t period_us);

/// @param sum  written
void rp_recent_histogram_sum(rp_recent_histogram_t *self, uint64_t now_us, uint64_t period_us,
                             rp_histogram_t *sum);

#endif
