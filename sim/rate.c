/// The pace is what the counters rose by within a second.
#include "sim/rate.h"

#define SECOND_US 1000000u
#define NEWEST    1000u

bool rp_rate_update(rp_rate_t *self, rp_run_report_t *report, uint64_t now_us)
{
    static const double shares[] = {0.5, 0.99};
    if (self->since_us != 0 && now_us - self->since_us < SECOND_US) {
        return false;
    }
    if (self->since_us != 0) {
        const double seconds = (double)(now_us - self->since_us) / SECOND_US;
        uint64_t values[2];
        self->changes = (double)(report->changes - self->old_changes) / seconds;
        self->replans = (double)(report->replans - self->old_replans) / seconds;
        self->answers = (double)(report->answers - self->old_answers) / seconds;
        rp_latency_percentiles(&report->change_to_path, NEWEST, shares, 2, values);
        self->p50_us = values[0];
        self->p99_us = values[1];
    }
    const bool is_new = self->since_us != 0;
    self->since_us = now_us;
    self->old_changes = report->changes;
    self->old_replans = report->replans;
    self->old_answers = report->answers;
    return is_new;
}
