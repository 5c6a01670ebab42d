/// A run's laws are a list of numbers and the bounds of each.
#include "sim/laws.h"

#include <assert.h>

void rp_laws_add(rp_laws_t *self, const char *what, double is, double least, double most)
{
    assert(self->count < RP_LAWS_MAX);
    self->items[self->count++] = (rp_law_t){what, is, least, most};
}

bool rp_law_holds(const rp_law_t *law)
{
    return law->is >= law->least && law->is <= law->most;
}

bool rp_laws_hold(const rp_laws_t *self)
{
    for (size_t i = 0; i < self->count; i++) {
        if (!rp_law_holds(&self->items[i])) {
            return false;
        }
    }
    return true;
}
