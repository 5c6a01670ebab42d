/// Sentences for the statuses.
#include "replan/status.h"

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
