/// @file
/// Wear of a low-water field (field/change_levels.h). What becomes dearer for good does
/// not raise d, so searches through the field grow longer with time. When they have cost several
/// times what the field did, it is worn out, and had better be built anew.
#ifndef REPLAN_PLANNERS_FIELD_REBUILD_POLICY_H
#define REPLAN_PLANNERS_FIELD_REBUILD_POLICY_H

#include "planners/field/field_core.h"
#include "planners/grid/search_stats.h"

/// A field that took fewer expansions is cheap to build, but never worth a restart.
#define RP_REBUILD_POLICY_LEAST 4096u

typedef struct rp_rebuild_policy {
    uint64_t built;    ///< expansions that the field has taken
    uint64_t searched; ///< expansions of all searches since it began
} rp_rebuild_policy_t;

/// A new field.
static inline void rp_rebuild_policy_begin(rp_rebuild_policy_t *self)
{
    *self = (rp_rebuild_policy_t){0};
}

/// True when the field is worn out.
/// @param patience  searches may cost so many times what the field did
static inline bool rp_rebuild_policy_is_out(const rp_rebuild_policy_t *self, uint64_t patience)
{
    return self->searched > patience * (self->built + RP_REBUILD_POLICY_LEAST);
}

/// rp_field_core_prepare(), counting what the field takes.
/// @return false when the budget was spent first: call again
static inline bool rp_rebuild_policy_prepare(rp_rebuild_policy_t *self, rp_field_core_t *core,
                                             uint64_t *budget, rp_search_stats_t *stats)
{
    const rp_prefault_t *prefault = &core->field.prefault;
    const uint64_t before = *budget + prefault->paid;
    const bool is_ready = rp_field_core_prepare(core, budget, stats);
    self->built += before - prefault->paid - *budget;
    return is_ready;
}

#endif
