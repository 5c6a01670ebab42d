/// Sentences for the statuses and words for the outcomes.
#include "replan/planner.h"

const char *rp_status_text(rp_status_t status)
{
    switch (status) {
    case RP_OK:
        return "fine";
    case RP_MORE:
        return "the budget was spent; call again";
    case RP_E_INVALID:
        return "an argument is outside its range";
    case RP_E_MEMORY:
        return "no memory";
    case RP_E_UNSUPPORTED:
        return "this planner cannot do that";
    case RP_E_UNKNOWN:
        return "there is no such thing";
    case RP_E_EXISTS:
        return "a thing of that name is there already";
    case RP_E_LIMIT:
        return "one more would pass a limit";
    }
    return "not a status";
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
