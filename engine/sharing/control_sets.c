/// A list: few shapes are driven in at the same time.
#include "engine/sharing/control_sets.h"

#include <stdlib.h>

#include "base/budget.h"

/// A curve of a set takes as long as so many expansions.
#define CURVE_PRICE 16u

rp_status_t rp_control_sets_join(rp_control_sets_t *self, const rp_lattice_shape_t *shape,
                                 rp_shared_set_t **shared)
{
    for (rp_shared_set_t *known = self->first; known != NULL; known = known->next) {
        if (rp_lattice_shape_is_same(&known->set->shape, shape)) {
            known->users++;
            *shared = known;
            return RP_OK;
        }
    }
    rp_shared_set_t *fresh = calloc(1, sizeof *fresh);
    const rp_status_t status = fresh != NULL ? rp_control_set_new(shape, &fresh->set) : RP_E_MEMORY;
    if (status != RP_OK) {
        free(fresh);
        return status;
    }
    fresh->users = 1;
    fresh->next = self->first;
    self->first = fresh;
    *shared = fresh;
    return RP_OK;
}

void rp_control_sets_leave(rp_control_sets_t *self, rp_shared_set_t **shared)
{
    rp_shared_set_t *left = *shared;
    *shared = NULL;
    if (left == NULL || --left->users != 0) {
        return;
    }
    rp_shared_set_t **link = &self->first;
    while (*link != left) {
        link = &(*link)->next;
    }
    *link = left->next;
    rp_control_set_destroy(&left->set);
    free(left);
}

rp_status_t rp_shared_set_build(rp_shared_set_t *self, uint64_t *budget)
{
    if (self->set->builder == NULL) {
        return RP_OK;
    }
    const uint64_t curves = *budget / CURVE_PRICE + 1u;
    uint64_t left = curves;
    const rp_status_t status = rp_control_set_build(self->set, &left);
    rp_budget_pay(budget, (curves - left) * CURVE_PRICE);
    return status;
}

uint64_t rp_control_sets_bytes(const rp_control_sets_t *self)
{
    uint64_t bytes = 0;
    for (const rp_shared_set_t *set = self->first; set != NULL; set = set->next) {
        bytes += rp_control_set_bytes(set->set);
    }
    return bytes;
}
