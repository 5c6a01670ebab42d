/// The rules for keeping and switching. They know no sessions and no searches.
#include "engine/paths/policy.h"

/// Costs that differ by less than this, relatively, are equal.
#define SAME_COST 1e-9

bool rp_policy_is_cheaper(double kept, double optimum)
{
    return kept > optimum + SAME_COST * kept;
}

bool rp_policy_gains(const rp_policy_t *self, double kept, double optimum)
{
    const double wanted = kept * self->switch_gain_percent / 100.0;
    // A gain of exactly so many percent counts, whatever the last bit of the sums says.
    return rp_policy_is_cheaper(kept, optimum) && kept - optimum >= wanted - SAME_COST * kept;
}

/// When the published path will be so old.
static uint64_t after_published(const rp_policy_input_t *input, uint32_t interval_ms)
{
    return input->published_us + (uint64_t)interval_ms * 1000u;
}

bool rp_policy_keeps(const rp_policy_t *self, const rp_policy_input_t *input, rp_reason_t *reason,
                     uint64_t *look_us)
{
    *look_us = RP_NEVER_US;
    if (!rp_policy_is_cheaper(input->kept, input->optimum)) {
        return true;
    }
    if (rp_policy_gains(self, input->kept, input->optimum)) {
        *reason = RP_REASON_CHEAPER;
        *look_us = after_published(input, self->min_interval_ms);
    } else if (self->max_age_ms != 0) {
        const bool is_shorter = self->max_age_ms < self->min_interval_ms;
        *reason = RP_REASON_AGED;
        *look_us = after_published(input, is_shorter ? self->min_interval_ms : self->max_age_ms);
    }
    return input->now_us < *look_us;
}
