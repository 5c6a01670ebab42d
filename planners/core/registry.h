/// @file
/// The registry: the one list of all members.
#ifndef REPLAN_PLANNERS_CORE_REGISTRY_H
#define REPLAN_PLANNERS_CORE_REGISTRY_H

#include "planners/core/planner_ops.h"

/// Both forms of a member, as the registry lists them.
typedef struct rp_planner_member {
    const rp_planner_ops_t *with_32_bits;
    const rp_planner_ops_t *with_64_bits;
} rp_planner_member_t;

/// @return NULL beyond the last
const rp_planner_member_t *rp_registry_member(size_t index);

#endif
