/// @file
/// What a field with one search and one path (field/field_core.h) must hold, for tests. Slow.
#ifndef REPLAN_PLANNERS_FIELD_FIELD_CORE_CHECK_H
#define REPLAN_PLANNERS_FIELD_FIELD_CORE_CHECK_H

#include "planners/field/field_check.h"
#include "planners/field/field_core.h"

/// The field is consistent and admissible, the cached path is what it says, and the answer is the
/// truth.
static inline bool rp_field_core_check(const rp_field_core_t *self)
{
    const rp_field_t *field = &self->field;
    const rp_deferred_decreases_t *deferred = &self->deferred;
    const bool has_field = !rp_wavefront_is_rolling(&self->wavefront) && !deferred->are_near &&
                           self->phase != RP_FIELD_CORE_RAISE;
    if ((has_field && !rp_field_check(field, deferred->count != 0)) ||
        !rp_path_cache_check(&self->path_cache, &self->field_search.metric)) {
        return false;
    }
    if (self->phase != RP_FIELD_CORE_DONE) {
        return true;
    }
    rp_cost_t *truth = rp_field_truth(self->grid, self->foot);
    if (truth == NULL) {
        return false;
    }
    const rp_cost_t cost = truth[field->apex];
    const bool is_true = (!has_field || rp_field_is_admissible(field, self->foot, truth)) &&
                         (self->answer == RP_FIELD_CORE_NO_PATH
                              ? cost == RP_COST_INF
                              : rp_field_core_has_path(self) &&
                                    rp_path_cache_apex(&self->path_cache).cost ==
                                        cost + rp_path_cache_foot(&self->path_cache).cost);
    free(truth);
    return is_true;
}

#endif
