/// @file
/// Rates of the last second, from the counters of a report.
#ifndef REPLAN_SIM_RATE_H
#define REPLAN_SIM_RATE_H

#include "sim/run_report.h"

typedef struct rp_rate {
    double changes; ///< a second, as the next two
    double replans;
    double answers;
    uint64_t p50_us; ///< change to path, of the newest thousand
    uint64_t p99_us;
    uint64_t since_us; ///< when the counters below were read
    uint64_t old_changes;
    uint64_t old_replans;
    uint64_t old_answers;
} rp_rate_t;

/// @param now_us  0 is no time
/// @return true when a second has passed and the numbers are new
bool rp_rate_update(rp_rate_t *self, rp_run_report_t *report, uint64_t now_us);

#endif
