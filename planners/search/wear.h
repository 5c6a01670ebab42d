/// @file
/// Wear of a low-water field (search/levels.h). What becomes dearer for good does not raise d, so
/// searches through the field grow longer with time. When they have cost several times what the
/// field did, it is worn out, and had better be built anew.
#ifndef REPLAN_SEARCH_WEAR_H
#define REPLAN_SEARCH_WEAR_H

#include "planners/search/anchored.h"

/// A field that took fewer expansions is cheap to build, but never worth a restart.
#define RP_WEAR_LEAST 4096u

typedef struct rp_wear {
    uint64_t built;    ///< expansions that the field has taken
    uint64_t searched; ///< expansions of all searches since it began
} rp_wear_t;

/// A new field.
static inline void rp_wear_begin(rp_wear_t *self)
{
    *self = (rp_wear_t){0};
}

/// True when the field is worn out.
/// @param patience  searches may cost so many times what the field did
static inline bool rp_wear_is_out(const rp_wear_t *self, uint64_t patience)
{
    return self->searched > patience * (self->built + RP_WEAR_LEAST);
}

/// rp_anchored_prepare(), counting what the field takes.
/// @return false when the budget was spent first: call again
static inline bool rp_wear_prepare(rp_wear_t *self, rp_anchored_t *anchored, uint64_t *budget,
                                   rp_plan_stats_t *stats)
{
    const rp_prefault_t *met = &anchored->field.met;
    const uint64_t before = *budget + met->paid;
    const bool is_ready = rp_anchored_prepare(anchored, budget, stats);
    self->built += before - met->paid - *budget;
    return is_ready;
}

#endif
