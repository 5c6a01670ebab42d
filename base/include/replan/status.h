/// @file
/// Statuses: how a call ended.
#ifndef REPLAN_STATUS_H
#define REPLAN_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/// Success is 0, failures are negative. RP_MORE is neither: the budget was spent, and the same call
/// goes on where this one stopped.
typedef enum rp_status {
    RP_OK = 0,
    RP_MORE = 1,           ///< budget spent, call again
    RP_E_INVALID = -1,     ///< an argument is outside its range
    RP_E_MEMORY = -2,      ///< no memory
    RP_E_UNSUPPORTED = -3, ///< this planner cannot do that; its capabilities say so beforehand
    RP_E_UNKNOWN = -4,     ///< no such thing: planner, world, agent
    RP_E_EXISTS = -5,      ///< there is one of that name already
    RP_E_LIMIT = -6,       ///< one more would exceed a limit
} rp_status_t;

/// A sentence for a status, in static storage: "an argument is outside its range".
const char *rp_status_text(rp_status_t status);

#ifdef __cplusplus
}
#endif

#endif
