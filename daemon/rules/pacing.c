/// A right for each slice, by weight.
#include "daemon/rules/pacing.h"

/// Changes that are acknowledged for each slice of planning, about a millisecond, while sessions
/// wait for theirs; and the cells by which a change weighs one more.
#define ACKS_A_SLICE    16
#define CELLS_OF_AN_ACK 2048u

static bool is_behind(const rp_serving_t *self)
{
    return self->is_work_left || rp_host_is_at_work(self->host);
}

bool rp_pacing_may_acknowledge(rp_serving_t *self, uint64_t cells)
{
    if (is_behind(self)) {
        if (self->pacing.acks_left <= 0) {
            return false;
        }
        self->pacing.acks_left -= (int64_t)(1u + cells / CELLS_OF_AN_ACK);
    }
    return true;
}

void rp_pacing_allow(rp_serving_t *self)
{
    rp_pacing_t *pacing = &self->pacing;
    const uint64_t slices = rp_host_slices(self->host);
    const int64_t left = pacing->acks_left + (int64_t)(slices - pacing->slices) * ACKS_A_SLICE;
    pacing->acks_left = left > ACKS_A_SLICE || !is_behind(self) ? ACKS_A_SLICE : left;
    pacing->slices = slices;
}
