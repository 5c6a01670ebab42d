/// A run's acceptance criteria are a list of numbers and the bounds of each.
#include "sim/acceptance.h"

#include <assert.h>

void rp_acceptance_add(rp_acceptance_t *self, const char *what, double is, double least,
                       double most)
{
    assert(self->count < RP_LAWS_MAX);
    self->items[self->count++] = (rp_criterion_t){what, is, least, most};
}

bool rp_criterion_holds(const rp_criterion_t *criterion)
{
    return criterion->is >= criterion->least && criterion->is <= criterion->most;
}

bool rp_acceptance_hold(const rp_acceptance_t *self)
{
    for (size_t i = 0; i < self->count; i++) {
        if (!rp_criterion_holds(&self->items[i])) {
            return false;
        }
    }
    return true;
}
