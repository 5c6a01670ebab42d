/// What is known of planners before one is made: questions to the registry, and words for outcomes.
#include "planners/core/family.h"

const rp_planner_info_t *rp_planner_info(size_t index)
{
    const rp_planner_member_t *member = rp_registry_member(index);
    return member != NULL ? &member->with_32_bits->info : NULL;
}

const rp_planner_info_t *rp_planner_find(const char *id)
{
    const rp_planner_member_t *member = id != NULL ? rp_family_find(id) : NULL;
    return member != NULL ? &member->with_32_bits->info : NULL;
}

const char *rp_outcome_text(rp_outcome_t outcome)
{
    switch (outcome) {
    case RP_OUTCOME_FOUND:
        return "found";
    case RP_OUTCOME_NO_PATH:
        return "no_path";
    case RP_OUTCOME_START_BLOCKED:
        return "start_blocked";
    case RP_OUTCOME_GOAL_BLOCKED:
        return "goal_blocked";
    }
    return "not an outcome";
}
